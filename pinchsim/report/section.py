"""A section of the report: what it needs, what it measures, what it shows. Each is a file in the folder `sections`.

A file there makes one object, `SECTION`. It is found by looking into the folder: a further section is a further file.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from pinchsim.measure.summary import CELL, CellName
from pinchsim.report import style
from pinchsim.report.commands import Where, again, somewhere
from pinchsim.report.evidence import Evidence, Material, Measuring

FOLDER = Path(__file__).parent / "sections"
ROWS = ("games/", "players/")
COUNTED = ("counts.parquet", "measures.parquet")  # what a run without rows has instead


class Table(NamedTuple):
    """A small table; the first cell of each row names it. A table that does not stand alone has a caption."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


class Panel(NamedTuple):
    """A picture with its caption, and the same in words for who can't see it."""

    caption: str
    words: str
    figure: Figure


class Text(NamedTuple):
    """A longer text to be opened: its title, its lines, and the command that shows the same."""

    title: str
    lines: tuple[str, ...]
    command: str


class Shown(NamedTuple):
    """What a section shows: one finding as title, its pictures, a table, how it was measured, and where the numbers lie.

    `legend` names the variants whose colours are in the pictures, if that takes a legend. `links` are files of the run, `files`
    those of folders beside it, by their paths from the page. `said` are sentences below the table, `more` further tables.
    `seen` says what colours and marks of the pictures mean; a page without pictures leaves it out. `texts` are longer.
    """

    title: str
    panels: tuple[Panel, ...]
    table: Table
    how: str
    links: tuple[str, ...]
    legend: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    more: tuple[Table, ...] = ()
    files: tuple[str, ...] = ()
    seen: str = ""
    texts: tuple[Text, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables; one that stands alone needs no caption."""
        return (self.table, *self.more) if self.more else (self.table._replace(caption=""),)


class Missing(NamedTuple):
    """What a run lacks, and the command that would produce it."""

    what: str
    command: str


Need = Callable[[Material], Missing | None]


class Section(NamedTuple):
    """See above; `name` is its place in the page, `measure` what it takes from the rows of each cell."""

    name: str
    order: int
    heading: str
    show: Callable[[Evidence], Shown]
    measure: Measuring | None = None
    needs: tuple[Need, ...] = ()

    def missing(self, material: Material) -> Missing | None:
        """The first thing that the run lacks."""
        return next((found for need in self.needs if (found := need(material))), None)


def sections(folder: Path = FOLDER, package: str = "pinchsim.report.sections") -> list[Section]:
    """All sections by their order."""
    stems = sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))
    found: list[Section] = [importlib.import_module(f"{package}.{stem}").SECTION for stem in stems]
    return sorted(found, key=lambda section: section.order)


# -- needs ------------------------------------------------------------------------------------------------


def rows_with(*columns: str) -> Need:
    """Rows of single games with these columns."""

    def need(material: Material) -> Missing | None:
        if set(columns) <= material.columns:
            return None
        if material.counted is not None:
            return Missing("rows, which this run does not keep", again(material, "--rows", "all", "--out", "with-rows"))
        if material.games is None:
            return Missing("the rows of this run, which are gone", again(material, "--out", "."))
        if material.unit == "sessions":
            return Missing("rows of single games", again(material, "--session", "game"))
        lacking = ", ".join(name for name in columns if name not in material.columns)
        return Missing(f"rows with {lacking}, which this game does not record", "pinchsim columns")

    return need


def counted_or_rows(measure: str, *columns: str) -> Need:
    """A measure that a run without rows has counted, or rows of single games with these columns."""
    rows = rows_with(*columns)

    def need(material: Material) -> Missing | None:
        counted = material.counted
        return None if counted is not None and (counted["measure"] == measure).any() else rows(material)

    return need


def a_ladder(material: Material) -> Missing | None:
    """Levels of play, from weak to strong."""
    return None if material.ladder is not None else Missing("a ladder of levels of play", again(material, "--ladder"))


def a_comparison(material: Material) -> Missing | None:
    """Variants beside a base, on the same decks."""
    if not material.summary.differences.is_empty():
        return None
    return Missing("variants beside a base on the same decks", again(material, "--variant", "all"))


def games_again(material: Material) -> Missing | None:
    """The games of the run once more."""
    return Missing(material.replays, again(material, "--out", "again")) if isinstance(material.replays, str) else None


def quick_games_again(material: Material) -> Missing | None:
    """The games of the run once more, some of which are quick to play."""
    if isinstance(material.replays, str):
        return games_again(material)
    cells = map(CellName._make, material.summary.estimates.select(*CELL).unique().iter_rows())
    if all(map(material.replays.is_slow, cells)):
        return Missing("players who are quick enough to play many games again", again(material, "--ladder"))
    return None


def beside(place: str, what: str, command: Callable[[Material, Where], str]) -> Need:
    """A folder of a kind beside the run (its place in `Beside`), which a command would fill."""

    def need(material: Material) -> Missing | None:
        return None if getattr(material.beside, place) else Missing(what, command(material, somewhere(material)))

    return need


# -- words ------------------------------------------------------------------------------------------------


def size_words(evidence: Evidence) -> str:
    """How much was played, of each variant: "n = 2,000 games of 500 decks"."""
    sizes = set(evidence.summary.estimates.select("games", "decks").iter_rows())
    ends = ([min(part), max(part)] for part in zip(*sizes, strict=True))
    games, decks = (f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in ends)
    words = f"n = {style.size_words(games, decks, evidence.material.unit)}"
    return words + (" for each variant, number of players and line-up." if len(evidence.cases) > 1 else ".")


def place_words(variant: str, players: int) -> str:
    """Where something was played: "aces-bite, 4 players"."""
    return f"{style.clean(variant)}, {players} players"


def span_words(numbers: list[float], digits: int = 0, scale: float = 1, unit: str = "", sign: str = "") -> str:
    """A number, or the least and the greatest of several: "61 to 70 %"; `sign` is that of `style.with_interval`."""
    least, most = (f"{scale * end:{sign}.{digits}f}" for end in (min(numbers), max(numbers)))
    return (least if least == most else f"{least} to {most}") + (f" {unit}" if unit else "")
