"""What a report is made of: a run as it was found on disk, and what was measured on its rows, a cell at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from pinchsim.measure.judged import Limits
from pinchsim.measure.looks import allowing_for_looks
from pinchsim.measure.sample import SCHEMA, Sample, Scan, samples
from pinchsim.measure.summary import CellName, Summary
from pinchsim.measure.win_probability import Chances, Progress
from pinchsim.report import style
from pinchsim.report.beside import Beside

NOTHING = Beside()
AT_ONCE = 2
Row = dict[str, Any]


class Replayed(Protocol):
    """The games of the run again, by cell and index."""

    def is_slow(self, cell: CellName) -> bool:
        """Whether games of this cell take too long to be played again in numbers."""

    def dealt(self, cell: CellName, decks: np.ndarray) -> Any:
        """What each seat was dealt from these decks: `cards` and `groups`, see `measure.cards.Hands`."""

    def first(self, cell: CellName, games: int) -> tuple[Progress, Chances]:
        """The first games of a cell turn by turn, and the chances of winning fitted to them."""

    def model(self, cell: CellName, games: int) -> Chances:
        """These chances alone."""

    def progress(self, cell: CellName, indices: np.ndarray) -> Progress:
        """Games turn by turn."""

    def transcript(self, cell: CellName, index: int) -> str:
        """A game as a text."""

    def command(self, cell: CellName, index: int) -> Sequence[str]:
        """The words of the command that shows a game."""


@dataclass(frozen=True)
class Material:
    """A run as the report needs it.

    Attributes
    ----------
    summary, ladder
        What the run found; `ladder` is None for a run without one.
    games, players, cells
        Its rows, lazily, of all cells together and cell by cell; None where they are gone or were never kept.
    counted
        What a run without rows has instead: measures with the columns of `sample.SCHEMA`; None for a run with rows.
    folder
        Path of the run's folder from the report's: "" or "../run/".
    question
        What the experiment asks, in a sentence; may be empty.
    end_labels
        Names of the codes of `end_reason`.
    fewer_hand_wins
        By variant: whether among equal scores fewer cards in hand win.
    display_points
        By variant: what a card in the display scores.
    minutes
        How long games are wished to be; None: nobody said.
    facts
        What produced the run, as pairs of a name and a value.
    replays
        Its games again, or what can't be had: "games again, whose rules have changed since".
    beside
        What other commands found about the game.
    joined
        The folders of these, by their paths from the report.
    levels
        Strategies from weak to strong, for the commands that the report gives.
    sources
        How each variant is named in such a command, where that is not its name.
    """

    summary: Summary
    ladder: pl.DataFrame | None
    games: pl.LazyFrame | None
    players: pl.LazyFrame | None
    cells: Sequence[Scan] | None = None
    counted: pl.DataFrame | None = None
    folder: str = ""
    question: str = ""
    end_labels: Mapping[int, str] = field(default_factory=dict)
    fewer_hand_wins: Mapping[str, bool] = field(default_factory=dict)
    display_points: Mapping[str, float] = field(default_factory=dict)
    minutes: Limits | None = None
    facts: tuple[tuple[str, str], ...] = ()
    replays: Replayed | str = "games again, which this run does not have"
    beside: Beside = NOTHING
    joined: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """What was played: "games" or "sessions"."""
        return str(style.unit(self.summary.estimates))

    @cached_property
    def columns(self) -> set[str]:
        """The columns of the rows; none where these are gone."""
        frames = [frame for frame in (self.games, self.players) if frame is not None]
        return {name for frame in frames for name in frame.collect_schema().names()}


Measuring = Callable[[Sample, Material], pl.DataFrame]


class Case(NamedTuple):
    """One cell of the run; `credible` says whether people could play like that."""

    variant: str
    players: int
    line_up: str
    credible: bool = True


@dataclass(frozen=True)
class Evidence:
    """The material and `measured`, what its rows or counts say: a table with the columns of `SCHEMA`."""

    material: Material
    measured: pl.DataFrame

    @property
    def summary(self) -> Summary:
        return self.material.summary

    @cached_property
    def variants(self) -> list[str]:
        """The variants, the base first."""
        return list(style.variants(self.summary))

    @cached_property
    def looks(self) -> dict[str, style.Look]:
        """Colour and marker of each variant."""
        return dict(style.looks(self.variants, self.summary.base))

    @cached_property
    def cases(self) -> list[Case]:
        """The cells by number of players, then variant, then line-up."""
        names = ("variant", "players", "line_up")
        played = dict.fromkeys(self.summary.estimates.select(names).iter_rows())
        line_ups = list(dict.fromkeys(self.summary.estimates["line_up"]))
        found = sorted(played, key=lambda key: (key[1], self.variants.index(key[0]), line_ups.index(key[2])))
        return [Case(name, players, line_up, line_up not in self._incredible) for name, players, line_up in found]

    @cached_property
    def _incredible(self) -> set[str]:
        """Levels of the ladder at which nobody would play."""
        ladder = self.material.ladder
        return set() if ladder is None else set(ladder.filter(~pl.col("credible"))["level"])

    @property
    def credible(self) -> list[Case]:
        """The cases that titles speak of."""
        return [case for case in self.cases if case.credible]

    @property
    def players(self) -> list[int]:
        """The numbers of players."""
        return list(dict.fromkeys(case.players for case in self.cases))

    @property
    def line_ups(self) -> list[str]:
        """The line-ups."""
        return list(dict.fromkeys(self.summary.estimates["line_up"]))

    @cached_property
    def positions(self) -> dict[tuple[str, int, str], Row]:
        """How far apart the positions are (M2.5), by line-up, number of players and variant."""
        return dict(style.positions(self.summary))

    @cached_property
    def _rows(self) -> dict[tuple, Row]:
        return dict(style.by_key(self.summary.estimates) | style.by_key(self.measured))

    @cached_property
    def _changes(self) -> dict[tuple, Row]:
        return dict(style.by_key(self.summary.differences))

    def row(self, case: Case, measure: str, position: int = -1) -> Row | None:
        """An estimate, or None."""
        return self._rows.get((case.line_up, case.players, case.variant, measure, position))

    def change(self, case: Case, measure: str) -> Row | None:
        """The paired difference of an estimate to that of the base, or None."""
        return self._changes.get((case.line_up, case.players, case.variant, measure, -1))

    def name(self, case: Case) -> str:
        """A case as tables name it."""
        words = f"{case.variant}, {case.players} players"
        return style.clean(words if len(self.line_ups) == 1 else f"{words}, {self.level(case.line_up)}")

    def level(self, line_up: str) -> str:
        """A line-up, in brackets where it is no credible play."""
        return f"({line_up})" if line_up in self._incredible else line_up

    def findings(self, measure: str, kind_of: Callable[[Row], str], change: bool = False) -> list[style.Case]:
        """The credible cases of a measure or of its change, each with its kind, as `style.finding` wants them."""
        look_up = self.change if change else self.row
        rows = [(case, look_up(case, measure)) for case in self.credible]
        return [style.Case(*case[:3], row, kind_of(row)) for case, row in rows if row and style.is_number(row["estimate"])]

    def estimates(self, measure: str, position: int = -1) -> list[float]:
        """The estimates of a measure in all credible cases."""
        rows = (self.row(case, measure, position) for case in self.credible)
        return [row["estimate"] for row in rows if row and style.is_number(row["estimate"])]


def measure(material: Material, measurings: Iterable[Measuring]) -> pl.DataFrame:
    """What the rows say, in the order of the cells; two things are measured at once, part by part of the rows.

    Of a run without rows: what was counted.
    """
    if material.counted is not None:
        return material.counted
    measurings = list(measurings)
    cells = samples(material.cells or ()) if measurings else ()
    tasks = ((measuring, sample) for sample in cells for measuring in measurings)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda task: task[0](task[1], material), tasks))
    return allowing_for_looks(pl.concat(found), material.summary) if found else pl.DataFrame(schema=SCHEMA)
