"""A small run with its report, and a reader of pages, for the tests of the report."""

from html.parser import HTMLParser

import pinchsim

VOID = {"meta", "link", "img", "br", "hr", "input", "path", "use", "rect"}


def swept(folder, **fields):
    """A run of greedy players."""
    return pinchsim.sweep(out=folder, jobs=1, **{"line_ups": ["greedy"], "games": 2000, "players": [3, 4]} | fields)


class Page(HTMLParser):
    """What a test asks of a page: elements with their attributes, the text, headings and pictures with their names."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.headings, self.words = [], [], []
        self.pictures, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "svg":
            self.pictures.append({"attributes": dict(attrs), "title": "", "desc": ""})
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append([int(tag[1]), ""])

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, f"</{tag}> where something else is open"

    def handle_data(self, data):
        here = self.open[-1] if self.open else ""
        if "svg" in self.open and here in ("title", "desc"):
            self.pictures[-1][here] += data
        if here in ("h1", "h2", "h3", "h4"):
            self.headings[-1][1] += data
        if here not in ("style", "title", "desc"):
            self.words.append(data)

    @property
    def text(self):
        """All that is to be read, in one line."""
        return " ".join(" ".join(self.words).split())

    def values(self, name):
        """All values of an attribute."""
        return [attributes[name] for _, attributes in self.elements if name in attributes]
