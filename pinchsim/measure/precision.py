"""What a run plays for, fixed before its first game, and how near it is at a look (METHODS M2.2, M2.3).

A run has a target for each cell, and one more for its difference from the base: an interval as short as was wished for, or a
verdict against the margin. Cells whose targets are reached get no more games.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import polars as pl

from pinchsim.measure.families import Comparison, PValue, judged_together, of_interval
from pinchsim.measure.moments import Moments, interval
from pinchsim.measure.quantities import Quantity, quantities
from pinchsim.measure.sequential import (
    BUDGET,
    CLOSING,
    DIFFERENCE,
    INTERRUPTED,
    NUMBER,
    PRECISION,
    SHARE,
    VERDICT,
    Evidence,
    Kind,
    Plan,
    confidence_sequence,
    decks_for,
    half_width,
    is_trusted,
    p_value,
)
from pinchsim.measure.summary import CellName, Summary, Tally
from pinchsim.measure.verdict import UNDECIDED

ALL_PLAYED = "all games played"
FIRST = 4  # the first wave has so small a part of the games that are expected to be needed
EARLY = 0.5  # of alpha for the closing look where a verdict may stop a run at any look


class Target(NamedTuple):
    """One number that a run is to tell: a quantity of a cell, or of its difference from the base."""

    cell: CellName
    base: CellName | None
    place: int
    quantity: Quantity

    @property
    def cells(self) -> tuple[CellName, ...]:
        """The cell, and the base if it is a difference."""
        return (self.cell,) if self.base is None else (self.cell, self.base)

    @property
    def kind(self) -> Kind:
        """Between which values the decks lie."""
        return kind_of(self.quantity, self.base is not None)

    def moments(self, tally: Tally, decks: Mapping[CellName, int]) -> Moments:
        """Moments over the first chunks of the cell, or over those that the base has, too."""
        if self.base is None:
            return tally.moments(self.cell, decks[self.cell])
        return tally.pair_moments(self.cell, min(decks[self.cell], decks[self.base]))


def kind_of(quantity: Quantity, is_difference: bool) -> Kind:
    """Between which values the decks of a quantity lie."""
    if not quantity.is_share:
        return NUMBER
    return DIFFERENCE if is_difference else SHARE.less(quantity.offset)


class Found(NamedTuple):
    """A target at a look."""

    target: Target
    seen: Evidence
    games: int
    half: float
    verdict: str | None
    reached: bool


class Look(NamedTuple):
    """All targets at a look, and the cells that need more games: about how many decks in all, None if nobody can say."""

    found: list[Found]
    needed: dict[CellName, int | None]

    @property
    def words(self) -> str:
        """How near the run is."""
        if self.found[0].verdict is not None:
            return f"{sum(one.reached for one in self.found)} of {len(self.found)} verdicts are clear"
        worst = max(self.found, key=lambda one: one.half)
        if not math.isfinite(worst.half):
            return "too few decks for an interval yet"
        scale, unit = (100, "pp") if worst.target.quantity.unit == "share" else (1, worst.target.quantity.unit)
        return f"known to ±{scale * worst.half:.2g} {unit} at worst"


@dataclass(frozen=True)
class Aim:
    """What a run plays for.

    Attributes
    ----------
    targets : tuple of Target
        What it is to tell.
    half : float or None
        The half-width that is wished for; None: a verdict, in the family of all targets (M2.4).
    margin : float
        Of the verdicts.
    rotations : callable
        Games of a deck with so many players.
    """

    targets: tuple[Target, ...]
    half: float | None
    margin: float
    rotations: Callable[[int], int]

    @property
    def plan(self) -> Plan:
        """How the run is looked at."""
        half, closing = (self.margin, EARLY) if self.half is None else (self.half, Plan.closing)
        decks = [decks_for(Plan(1), half, _guess(target, self.rotations)) for target in self.targets if target.kind.is_bounded]
        return Plan(max((n for n in decks if n), default=Plan.least), closing=closing)

    def first_decks(self, cell: CellName) -> int:
        """Decks of a cell's first wave: a part of those that it would need if its games were independent."""
        own = [target for target in self.targets if cell in target.cells and target.kind.is_bounded]
        half = self.margin if self.half is None else self.half
        needed = [decks_for(self.plan, half, _guess(target, self.rotations)) or 1 for target in own]
        return max(needed, default=1) // FIRST

    def look(self, tally: Tally, chunks: Mapping[CellName, int]) -> Look:
        """Look at the first chunks of each cell, so many."""
        seen = [_seen(target, target.moments(tally, chunks)) for target in self.targets]
        verdicts = self.verdicts([(one.mean, partial(p_value, self.plan, seen=one)) for one, _ in seen])
        found = [self._found(*one) for one in zip(self.targets, seen, verdicts, strict=True)]
        needed: dict[CellName, int | None] = {}
        for one in (one for one in found if not one.reached):
            decks = self._decks(one.seen)
            for cell in one.target.cells:
                known = needed.get(cell, 0)
                needed[cell] = None if decks is None or known is None else max(decks, known)
        return Look(found, needed)

    def verdicts(self, found: Sequence[tuple[float, PValue]]) -> list[str | None]:
        """The verdicts of a family, of estimates with their p-values, if they are what is wished for."""
        if self.half is not None:
            return [None] * len(found)
        return [one.verdict for one in judged_together([Comparison(x, self.margin, value) for x, value in found])]

    def _found(self, target: Target, seen: tuple[Evidence, int], verdict: str | None) -> Found:
        evidence, games = seen
        half = half_width(self.plan, evidence, closing=self.half is not None)
        reached = verdict != UNDECIDED if self.half is None else half <= self.half
        return Found(target, evidence, games, half, verdict, reached)

    def _decks(self, seen: Evidence) -> int | None:
        """About how many decks would do."""
        if not seen.error > 0:
            return None
        deviation = seen.error * math.sqrt(seen.decks)
        if self.half is not None:
            return decks_for(self.plan, self.half, deviation, seen.mean, seen.kind)
        distance = abs(abs(seen.mean) - self.margin)
        return decks_for(self.plan, distance, deviation, seen.mean, seen.kind, closing=False) if distance > 0 else None


def _guess(target: Target, rotations: Callable[[int], int]) -> float:
    """The standard deviation of a deck's share before anything is known: that of independent games with a fair share."""
    fair = 1 / target.cell.players
    return math.sqrt(fair * (1 - fair) / rotations(target.cell.players)) * (1 if target.base is None else math.sqrt(2))


def _seen(target: Target, moments: Moments) -> tuple[Evidence, int]:
    """A target's evidence, and the games behind it."""
    mean, error = float(moments.mean[target.place]), float(moments.standard_errors()[target.place])
    return Evidence(moments.decks, mean, error, target.kind), moments.games


def targets(tally: Tally, measure: str, differences: bool) -> tuple[Target, ...]:
    """The targets of all cells that have the measure, at every position, and of their differences from the base."""
    found = []
    for cell in tally.order:
        base = tally.base_of(cell) if differences else None
        for index, quantity in enumerate(quantities(cell.places, tally.described)):
            if quantity.measure == measure:
                found += [Target(cell, against, index, quantity) for against in dict.fromkeys((None, base))]
    return tuple(found)


SCHEMA = {
    "variant": pl.String,
    "base": pl.String,
    "players": pl.Int64,
    "line_up": pl.String,
    "measure": pl.String,
    "position": pl.Int64,
    "unit": pl.String,
    "half_width": pl.Float64,
    "wished": pl.Float64,
    "verdict": pl.String,
    "games": pl.Int64,
    "decks": pl.Int64,
    "reached": pl.Boolean,
    "reason": pl.String,
}


@dataclass(frozen=True)
class Ending:
    """How a run with a wished precision ended: its aim, the last look, and whether nobody interrupted it."""

    aim: Aim
    look: Look | None
    cells: tuple[CellName, ...]
    complete: bool

    def reason(self, cell: CellName) -> str:
        """Why a cell got no more games."""
        if not self.complete or self.look is None:
            return INTERRUPTED
        if cell in self.look.needed:
            return BUDGET
        return VERDICT if self.aim.half is None else PRECISION

    def interval(self, cells: Sequence[CellName], quantity: Quantity, moments: Moments, index: int) -> tuple[float, float]:
        """The interval of a cell's quantity at the end, or of the difference of two cells."""
        mean, error = float(moments.mean[index]), float(moments.standard_errors()[index])
        seen = Evidence(moments.decks, mean, error, kind_of(quantity, len(cells) > 1))
        return self._interval(cells, quantity, seen, moments.games)

    def _interval(self, cells: Sequence[CellName], quantity: Quantity, seen: Evidence, games: int) -> tuple[float, float]:
        if self._is_closed(cells, quantity, seen):
            offset, is_share = (quantity.offset, quantity.is_share) if len(cells) == 1 else (0.0, False)
            tests = 1 / self.aim.plan.closing
            low, high = interval(seen.mean + offset, seen.error, seen.decks, games, is_share, tests)
            return low - offset, high - offset
        low, high = confidence_sequence(self.aim.plan, seen)
        if seen.error == 0 and seen.decks >= self.aim.plan.least and not seen.kind.is_bounded:
            return seen.mean, seen.mean  # nothing varied, as the number of games in a match
        return (low, high) if math.isfinite(low + high) else (math.nan, math.nan)

    def _is_closed(self, cells: Sequence[CellName], quantity: Quantity, seen: Evidence) -> bool:
        """Whether an interval is that of the closing look.

        The moment of a spent budget hangs on nothing. That of a precision hangs on the spread of what it was wished for, which
        must be known for that.
        """
        reasons = {self.reason(cell) for cell in cells}
        decided = PRECISION in reasons and quantity.measure == self.aim.targets[0].quantity.measure
        return reasons <= set(CLOSING) and (is_trusted(self.aim.plan, seen) or not decided)

    def table(self) -> pl.DataFrame:
        """A row for each target: how precisely it is known, what was wished for, and why its cell stopped."""
        found = self.look.found if self.look else []
        spans = [self._interval(one.target.cells, one.target.quantity, one.seen, one.games) for one in found]
        values = [(one.seen.mean, self._p_value(one, span)) for one, span in zip(found, spans, strict=True)]
        verdicts = self.aim.verdicts(values)
        rows = [self._row(*each) for each in zip(found, spans, verdicts, strict=True)]
        return pl.DataFrame(rows, SCHEMA, orient="row")

    def _p_value(self, one: Found, span: tuple[float, float]) -> PValue:
        """Of a closing look the clearer one of both: passing and closing looks have a part of alpha each."""
        plan, seen = self.aim.plan, one.seen
        passing = partial(p_value, plan, seen=seen)
        if not self._is_closed(one.target.cells, one.target.quantity, seen):
            return passing
        row = {"estimate": seen.mean, "low": span[0], "high": span[1], "decks": seen.decks}
        closing = partial(p_value, plan, seen=seen, closing=True) if is_trusted(plan, seen) else of_interval(row, rare=True)
        return lambda value: min(passing(value), closing(value))

    def _row(self, one: Found, span: tuple[float, float], verdict: str | None) -> tuple[object, ...]:
        target, cell, wished = one.target, one.target.cell, self.aim.half
        names = (cell.variant, target.base.variant if target.base else None, cell.players, cell.line_up)
        measure = (target.quantity.measure, target.quantity.position, target.quantity.unit)
        half = (span[1] - span[0]) / 2 if math.isfinite(span[0]) else None
        reached = verdict != UNDECIDED if wished is None else one.reached or (half is not None and half <= wished)
        return (*names, *measure, half, wished, verdict, one.games, one.seen.decks, reached, self.reason(cell))


def reason_of(cell: CellName, summary: Summary) -> str:
    """Why a cell got no more games, in a run with a wished precision or without."""
    if summary.precision is not None:
        for row in summary.precision.filter(pl.col("base").is_null()).to_dicts():
            if CellName(row["variant"], row["players"], row["line_up"]) == cell:
                return str(row["reason"])
    return ALL_PLAYED if summary.complete else INTERRUPTED
