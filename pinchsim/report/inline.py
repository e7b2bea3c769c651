"""A picture inside a page: SVG without references to anything outside, in the colours and letters of the page."""

import io
import re
from html import escape

from matplotlib.figure import Figure

from pinchsim.report import style
from pinchsim.report.plot_style import BAND, GREY, SETTINGS

# What each colour is called in the page's style sheet, which gives it another value in the dark.
COLOURS = {
    "#000000": "ink",
    "#ffffff": "paper",
    GREY.lower(): "grey",
    BAND.lower(): "band",
    SETTINGS["grid.color"].lower(): "grid",
    SETTINGS["axes.edgecolor"].lower(): "axis",
    style.BASE_COLOUR.lower(): "c0",
    **{colour.lower(): f"c{place}" for place, colour in enumerate(style.COLOURS, 1)},
}
_FONT = re.compile(r"font: (?:(bold|\d{3}) )?([\d.]+px) [^;\"]+")


def inline_svg(figure: Figure, name: str, title: str, words: str) -> str:
    """A figure as an SVG element; `name` keeps its ids apart from those of other pictures of the page.

    `title` and `words` are read to people who can't see it.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", svg).replace("xlink:href", "href")
    svg = re.sub(r"#[0-9a-f]{6}\b", lambda found: _colour(found[0]), svg)
    svg = _FONT.sub(lambda found: f"font-size: {found[2]}" + (f"; font-weight: {found[1]}" if found[1] else ""), svg)
    opening = re.match(r"<svg[^>]*>", svg)
    box = re.search(r'viewBox="[^"]*"', svg)
    if opening is None or box is None:
        raise ValueError("this is no SVG")
    told = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(words)}</desc>'
    head = f'<svg {box[0]} role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc">'
    return head + told + svg[opening.end() :].strip()


def _colour(code: str) -> str:
    return f"var(--{COLOURS[code]})" if code in COLOURS else code
