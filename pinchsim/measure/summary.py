"""The summary of a run: estimates with intervals, paired differences to the base game, histograms.

Chunks are reduced to moments and counts as they come (`CellTally.add`); memory does not grow with the number of games.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.moments import Moments, deck_average, interval, merge
from pinchsim.measure.quantities import Described, Quantity, Rows, quantities, values

SLICE_DECKS = 1000  # few enough that all quantities of their games stay in the processor's cache


class CellName(NamedTuple):
    """What distinguishes the cells of a run."""

    variant: str
    players: int
    line_up: str

    @property
    def places(self) -> tuple[str, ...]:
        """The strategy at each place of the table; the last one named fills it."""
        names = self.line_up.split(",")
        return tuple(names + names[-1:] * (self.players - len(names)))


@dataclass
class ChunkResult:
    """One chunk of one cell, reduced; `deck_means` (float64[quantities, decks]) is kept only until it is paired."""

    moments: Moments
    histograms: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]]
    deck_means: np.ndarray | None


def reduce_chunk(rows: Rows, cell: CellName, rotations: int, described: Described, keep_decks: bool) -> ChunkResult:
    """Reduce the rows of whole decks to moments and histograms."""
    n_games = rows.games["turns"].size
    moments, deck_means = [], []
    for first in range(0, n_games, SLICE_DECKS * rotations):
        x = values(rows.part(first, first + SLICE_DECKS * rotations), cell.places, described)
        deck_means.append(deck_average(x, rotations))
        moments.append(Moments.of(x, deck_means[-1]))
    histograms = {("turns", -1): _counts(rows.games["turns"])}
    scores = rows.players["score"]
    for position in range(scores.shape[1]):
        histograms["score", position] = _counts(scores[:, position])
    return ChunkResult(merge(moments), histograms, np.concatenate(deck_means, axis=1) if keep_decks else None)


def _counts(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values (ascending) and how often each occurs; values are whole thousandths."""
    whole = np.rint(np.asarray(x, np.float64) * 1000).astype(np.int64)
    low = whole.min()
    step = np.gcd.reduce(whole - low) or 1
    counts = np.bincount((whole - low) // step)
    seen = np.flatnonzero(counts)
    return (low + seen * step) / 1000, counts[seen]


@dataclass
class CellTally:
    """All finished chunks of one cell, by chunk number."""

    chunks: dict[int, ChunkResult] = field(default_factory=dict)

    def moments(self) -> Moments:
        """Moments over all chunks, merged in the order of the decks."""
        return merge([self.chunks[k].moments for k in sorted(self.chunks)])

    def histogram(self, key: tuple[str, int]) -> dict[float, int]:
        """How often each value of a measure occurred, ascending."""
        total: dict[float, int] = {}
        for chunk in self.chunks.values():
            for value, count in zip(*chunk.histograms[key], strict=True):
                total[float(value)] = total.get(float(value), 0) + int(count)
        return dict(sorted(total.items()))


class Tally:
    """All cells of a run while it goes on; pairs each chunk with the base game's chunk of the same decks.

    Parameters
    ----------
    cells
        The cells of the run, in the order of the report.
    base
        Variant that the others are compared with, or None.
    described
        What to know about the game's columns.
    """

    def __init__(self, cells: Sequence[CellName], base: str | None, described: Described) -> None:
        self.order = list(cells)
        self.base = base
        self.described = described
        self.cells: dict[CellName, CellTally] = {cell: CellTally() for cell in cells}
        self.pairs: dict[CellName, dict[int, Moments]] = {cell: {} for cell in cells}

    def is_compared(self, cell: CellName) -> bool:
        """Whether the cell is the base of another, or has a base itself."""
        return len(self._family(cell)) > 1

    def _family(self, cell: CellName) -> list[CellName]:
        """The base cell first, then the cells compared with it; only the cell itself if nothing is compared."""
        base = cell._replace(variant=self.base or "")
        if base not in self.cells:
            return [cell]
        return [base, *(c for c in self.order if c[1:] == cell[1:] and c != base)]

    def add(self, cell: CellName, chunk: int, result: ChunkResult) -> None:
        """Take in one finished chunk."""
        self.cells[cell].chunks[chunk] = result
        base, *others = self._family(cell)
        of_base = self.cells[base].chunks.get(chunk)
        if of_base is None or of_base.deck_means is None:
            return
        for other in others:
            mine = self.cells[other].chunks.get(chunk)
            if mine is not None and mine.deck_means is not None:
                difference = mine.deck_means - of_base.deck_means
                self.pairs[other][chunk] = Moments.of(difference, difference)
                mine.deck_means = None
        if all(chunk in self.pairs[other] for other in others):
            of_base.deck_means = None

    def summary(self, margin: float, complete: bool) -> "Summary":
        """Estimates, differences and histograms of what is finished."""
        done = [cell for cell in self.order if self.cells[cell].chunks]
        estimates = [row for cell in done for row in self._estimates(cell)]
        differences = [row for cell in done if self.pairs[cell] for row in self._differences(cell)]
        counts = [row for cell in done for row in self._histograms(cell)]
        return Summary(
            pl.DataFrame(estimates, schema=_ESTIMATES, orient="row"),
            pl.DataFrame(differences, schema=_DIFFERENCES, orient="row"),
            pl.DataFrame(counts, schema=_HISTOGRAMS, orient="row"),
            margin,
            self.base,
            complete,
        )

    def _estimates(self, cell: CellName) -> list[tuple[Any, ...]]:
        moments = self.cells[cell].moments()
        errors, independent = moments.standard_errors(), moments.independent_errors()
        rows = []
        for k, q in enumerate(quantities(cell.places, self.described)):
            low, high = interval(moments.mean[k] + q.offset, errors[k], moments.decks, moments.games, q.is_share)
            low, high = low - q.offset, high - q.offset
            factor = _ratio(independent[k], errors[k])
            rows.append((*cell, *_row(q, moments, k, errors[k], low, high), factor))
        return rows

    def _differences(self, cell: CellName) -> list[tuple[Any, ...]]:
        pairs = self.pairs[cell]
        moments = merge([pairs[k] for k in sorted(pairs)])
        moments.games = sum(self.cells[cell].chunks[k].moments.games for k in pairs)
        errors = moments.standard_errors()
        base = self.cells[cell._replace(variant=self.base or "")]
        both = [self.cells[cell].moments().independent_errors(), base.moments().independent_errors()]
        rows = []
        for k, q in enumerate(quantities(cell.places, self.described)):
            low, high = interval(moments.mean[k], errors[k], moments.decks, moments.games, False)
            factor = _ratio(math.hypot(both[0][k], both[1][k]), errors[k])
            rows.append((cell.variant, self.base, *cell[1:], *_row(q, moments, k, errors[k], low, high), factor))
        return rows

    def _histograms(self, cell: CellName) -> list[tuple[Any, ...]]:
        tally = self.cells[cell]
        keys = [("turns", -1), *(("score", p) for p in range(cell.players))]
        return [(*cell, *key, value, count) for key in keys for value, count in tally.histogram(key).items()]


def _ratio(independent: float, clustered: float) -> float:
    """Variance reduction factor (METHODS M1.5).

    Measure
    -------
    variance_reduction (M1.5)

    How many times as many independent games would have been needed.

    Definition
    ----------
    Every deck is played from each seat, and variants play the same decks, so that luck of the cards cancels. The factor
    compares the design with as many games on independent decks: 2 means that these would have had to be twice as many.

    Formula
    -------
    factor = (error of independent games / error of the design) ^ 2

    Units
    -----
    A plain number; below 1 some evidence was lost.

    Traps
    -----
    It belongs to one measure and one comparison: what is good for differences between variants may be of no use for a
    mean.

    Source
    ------
    Common random numbers and duplicate bridge.
    """
    return (independent / clustered) ** 2 if clustered > 0 else math.nan


def _row(q: Quantity, moments: Moments, k: int, error: float, low: float, high: float) -> tuple[Any, ...]:
    mean = float(moments.mean[k])
    return (q.measure, q.position, q.unit, mean, float(low), float(high), float(error), moments.games, moments.decks)


CELL = {"variant": pl.String, "players": pl.Int8, "line_up": pl.String}
ESTIMATE = {
    "measure": pl.String,
    "position": pl.Int8,
    "unit": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "standard_error": pl.Float64,
    "games": pl.Int64,
    "decks": pl.Int64,
}
_VALUES = {**ESTIMATE, "variance_reduction": pl.Float64}
_ESTIMATES = {**CELL, **_VALUES}
_DIFFERENCES = {"variant": pl.String, "base": pl.String, "players": pl.Int8, "line_up": pl.String, **_VALUES}
_HISTOGRAMS = {
    **CELL,
    "measure": pl.String,
    "position": pl.Int8,
    "value": pl.Float64,
    "count": pl.Int64,
}


@dataclass(frozen=True)
class Summary:
    """What a run found, as three tables.

    Attributes
    ----------
    estimates : polars.DataFrame
        A row per cell, measure and position (-1: of the whole game): estimate, 95 % interval, n, and the variance
        reduction factor (METHODS M1.5).
    differences : polars.DataFrame
        The same for the paired difference of a cell to the base game on the same decks (METHODS M1.2).
    histograms : polars.DataFrame
        How often each number of turns, and each score by position, occurred.
    margin : float
        Equivalence margin of the start-player advantage, fixed before the run (METHODS M2.3).
    base : str or None
        Variant that the others are compared with.
    complete : bool
        False if the run was interrupted.
    """

    estimates: pl.DataFrame
    differences: pl.DataFrame
    histograms: pl.DataFrame
    margin: float
    base: str | None
    complete: bool
