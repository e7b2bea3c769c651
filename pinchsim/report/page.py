"""The report of a run as one page, in HTML and in Markdown. Import this module late: it loads matplotlib.

A page refers to nothing outside but the files of its run, and the same run gives the same bytes.
"""

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from pinchsim.report import commands, style, words
from pinchsim.report.answers import groups, judged_together
from pinchsim.report.commands import somewhere
from pinchsim.report.evidence import Evidence, Material, measure
from pinchsim.report.inline import inline_svg
from pinchsim.report.plot_style import house_style
from pinchsim.report.section import COUNTED, ROWS, Missing, Section, Shown, sections

TEMPLATES = ("report.html", "report.md", "style.css")
# Letters for the legend; the sign behind them asks for a plain letter, not for a coloured picture.
GLYPHS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚", "X": "✖", "<": "◀", ">": "▶"}
MOST_NAMED = 4  # variants in the title of the page
PLAIN = "\N{VARIATION SELECTOR-15}"


class Pages(NamedTuple):
    """The texts of both files."""

    html: str
    markdown: str


class Chapter(NamedTuple):
    """A section with what it shows."""

    section: Section
    shown: Shown

    def links(self, material: Material) -> list[tuple[str, str]]:
        """The files behind it: what they are called, and their paths from the page."""
        links = COUNTED if material.counted is not None and self.shown.links == ROWS else self.shown.links
        own = [(link, f"{material.folder}{link}") for link in links]
        return own + [(path, path) for path in self.shown.files]


class LeftOut(NamedTuple):
    """Sections that the run has no data for, all for the same reason."""

    headings: list[str]
    missing: Missing


def make_pages(material: Material) -> Pages:
    """Measure what the sections need and write both pages."""
    known = sections()
    left_out = _left_out(known, material)
    there = [section for section in known if not section.missing(material)]
    evidence = Evidence(material, measure(material, [section.measure for section in there if section.measure]))
    with house_style():
        chapters = [Chapter(section, section.show(evidence)) for section in there]
        found = _facts(evidence, chapters, left_out)
        return Pages(_html().get_template("report.html").render(found), _markdown().get_template("report.md").render(found))


def _left_out(known: list[Section], material: Material) -> list[LeftOut]:
    """What the run lacks, and which sections need it."""
    found: dict[Missing, list[str]] = {}
    for section in known:
        if missing := section.missing(material):
            found.setdefault(missing, []).append(section.heading)
    return [LeftOut(headings, missing) for missing, headings in found.items()]


def _title(evidence: Evidence) -> str:
    """What is judged: the variants, if they are few."""
    names = [style.clean(name) for name in evidence.variants]
    few = names if len(names) <= MOST_NAMED else [names[0], f"{len(names) - 1} other variants"]
    return f"Balance of {style.listed(few)}"


def _facts(evidence: Evidence, chapters: list[Chapter], left_out: list[LeftOut]) -> dict[str, Any]:
    """What the templates may use."""
    return {
        "title": _title(evidence),
        "evidence": evidence,
        "material": evidence.material,
        "line_ups": _line_ups(evidence),
        "columns": len(evidence.variants) if len(evidence.variants) in (2, 3) else 3,
        "games": style.count_words(_games(evidence)),
        "players": style.player_words(evidence.players),
        "groups": groups(evidence),
        "judged_together": judged_together(evidence),
        "asking": commands.asking(evidence.material),
        "not_measured": _not_measured(evidence.material),
        "chapters": chapters,
        "left_out": left_out,
        "shown": {chapter.section.name for chapter in chapters},
        "words": words,
    }


def _not_measured(material: Material) -> list[tuple[str, str]]:
    """What nothing here tells, each with the command that would, if there is one."""
    at, beside = somewhere(material), material.beside
    found = [] if beside.lucks else [(words.LUCK, commands.luck(material, at))]
    found += [] if beside.skills else [(words.SKILL, commands.skill(material, at))]
    found += [] if beside.searches else [(words.UPSET, commands.exploit(material, at))]
    return [*((what, command.partition(" && ")[0]) for what, command in found), (words.FUN, "")]


def _line_ups(evidence: Evidence) -> str:
    """Who plays."""
    if len(evidence.line_ups) == 1:
        return str(style.line_up_words(evidence.line_ups[0]))
    what = "line-ups" if evidence.material.ladder is None else "levels of play"
    return f"{what}: {'; '.join(style.clean(evidence.level(name)) for name in evidence.line_ups)}"


def _games(evidence: Evidence) -> int:
    """How many games were played in all."""
    rows = (evidence.row(case, style.ADVANTAGE) for case in evidence.cases)
    return sum(row["games"] for row in rows if row)


# -- templates --------------------------------------------------------------------------------------------


def _environment(**settings: Any) -> Environment:
    folder = files("pinchsim.report") / "templates"
    sources = {name: (folder / name).read_text(encoding="utf-8") for name in TEMPLATES}
    return Environment(
        loader=DictLoader(sources), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, **settings,
    )  # fmt: skip


def _html() -> Environment:
    """Everything that is put into the page is escaped, except pictures, which escape their own words."""
    environment = _environment(autoescape=True)
    environment.globals |= {"picture": _picture, "glyph": _glyph, "letter": _letter}
    environment.filters["address"] = _address
    return environment


def _markdown() -> Environment:
    """Everything that is put into the page is escaped, too: for Markdown, which may hold HTML."""
    environment = _environment(autoescape=False, finalize=_escaped)
    environment.filters |= {"address": lambda path: Markup(_address(path)), "code": _code, "cell": _cell, "block": _block}
    return environment


def _picture(section: Section, place: int, shown: Shown) -> Markup:
    """A panel as SVG."""
    panel = shown.panels[place]
    return Markup(inline_svg(panel.figure, f"{section.name}-{place + 1}", f"{shown.title}: {panel.caption}", panel.words))


def _glyph(evidence: Evidence, variant: str) -> str:
    return GLYPHS[evidence.looks[variant].marker] + PLAIN


def _letter(evidence: Evidence, variant: str) -> str:
    """Name of a variant's colour in the style sheet."""
    colour = evidence.looks[variant].colour
    return f"c{style.COLOURS.index(colour) + 1}" if colour in style.COLOURS else "c0"


def _address(path: str) -> str:
    """A path as an address."""
    return path if path.startswith("#") else quote(path)


def _escaped(value: Any) -> Any:
    """Text that Markdown shows as it is."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return Markup(re.sub(r"([\\`*_\[\]|#~])", r"\\\1", escape(value, quote=False)))


def _cell(value: str) -> Markup:
    """Text in a table, which must not break the line."""
    return Markup(_escaped(value).replace("\n", " "))


def _block(lines: Sequence[str]) -> Markup:
    """Lines inside a block that is shown letter by letter, which they must not end."""
    return Markup("\n".join(lines).replace("`" * 3, "'" * 3))


def _code(value: str) -> Markup:
    """A command, to be shown letter by letter."""
    return Markup(f"`{value.replace('`', '')}`")


def write_pages(pages: Pages, folder: Path) -> list[Path]:
    """Write `report.html` and `report.md` into a folder, which is made if it is missing; returns both."""
    folder.mkdir(parents=True, exist_ok=True)
    html, markdown = folder / "report.html", folder / "report.md"
    html.write_text(pages.html, encoding="utf-8")
    markdown.write_text(pages.markdown, encoding="utf-8")
    return [html, markdown]
