"""What other commands found about the game of a run, as the report takes it from their folders.

A folder is told by its path from the report, with a slash at its end.
"""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from pinchsim.measure.audit import Finding
from pinchsim.measure.exploit import Exploit
from pinchsim.measure.skill_report import Levels, NoiseFound, Trace
from pinchsim.measure.summary import Summary
from pinchsim.measure.tournament_analysis import Analysis


class Sessions(NamedTuple):
    """A sweep of whole matches, or of games to a number of points, as `session` says."""

    folder: str
    summary: Summary
    session: str


class Contest(NamedTuple):
    """A tournament."""

    folder: str
    analysis: Analysis
    complete: bool


class Skills(NamedTuple):
    """The finished parts of a skill report."""

    folder: str
    levels: Levels | None
    traces: list[Trace]
    noise: NoiseFound | None


class Search(NamedTuple):
    """A search for what beats a strategy."""

    folder: str
    exploit: Exploit


class Readings(NamedTuple):
    """An audit of the contested readings of a variant, with the words of each by the name of its own variant."""

    folder: str
    summary: Summary
    findings: list[Finding]
    labels: Mapping[str, str]
    sentences: Mapping[str, str]

    @property
    def variant(self) -> str:
        """The variant as it is ruled."""
        return str(self.summary.base)


class Coverage(NamedTuple):
    """How often each rule came into play: a row for each rule, variant and number of players."""

    folder: str
    counts: pl.DataFrame


class Lucky(NamedTuple):
    """A run about luck: budgets and effects of decks as `measure.sample.SCHEMA`, and words for the sources of chance."""

    folder: str
    found: pl.DataFrame
    sources: Mapping[str, str]


class Priced(NamedTuple):
    """Prices of the start that were played again on fresh decks: a row for each variant, number of players and line-up.

    `bonus` is by position, null where no price was found. The start player's advantage `before` it and `after`, and by how much
    the win share of the `position` furthest from a fair one is `off`, have the ends of their intervals beside them (`off_low`).
    """

    folder: str
    found: pl.DataFrame


class Beside(NamedTuple):
    """All that was found beside the run, by kind, in the order in which it was named.

    A further kind is a field here, a line of `KINDS` in `pinchsim.beside`, and the sections that show it.
    """

    sessions: tuple[Sessions, ...] = ()
    contests: tuple[Contest, ...] = ()
    skills: tuple[Skills, ...] = ()
    searches: tuple[Search, ...] = ()
    readings: tuple[Readings, ...] = ()
    coverages: tuple[Coverage, ...] = ()
    lucks: tuple[Lucky, ...] = ()
    prices: tuple[Priced, ...] = ()
