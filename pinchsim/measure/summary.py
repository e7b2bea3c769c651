"""The summary of a run: estimates with intervals, paired differences to the base game, histograms.

Chunks are reduced to moments and counts as they come, and of each only the moments are kept (`CellTally.add`): about a
kilobyte for tens of thousands of games.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from pinchsim.measure.controls import Luck, corrected
from pinchsim.measure.counts import CELL, Counts
from pinchsim.measure.moments import Moments, deck_average, interval, merge, variance_reduction
from pinchsim.measure.quantities import Described, Quantity, Rows, quantities, values

CONTROL_GAIN = "control_gain"
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
    """One chunk of one cell, reduced.

    Attributes
    ----------
    moments : Moments
        Those of the quantities of the summary, and their joint ones with the covariates of the decks, if there are any.
    histograms : dict
        Values and how often each occurred, by measure and position.
    deck_means : float64[quantities, decks] or None
        Kept only until it is paired.
    counts : Counts or None
        What stands for the rows in a run that keeps none.
    luck : Luck or None
        Covariates of the decks, kept as long as the deck means.
    """

    moments: Moments
    histograms: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]]
    deck_means: np.ndarray | None
    counts: Counts | None = None
    luck: Luck | None = None


def reduce_chunk(
    rows: Rows, cell: CellName, rotations: int, described: Described, keep_decks: bool, luck: Luck | None = None
) -> ChunkResult:
    """Reduce the rows of whole decks to moments and histograms; with `luck` to joint moments with these covariates, too."""
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
    found, decks = merge(moments), np.concatenate(deck_means, axis=1) if keep_decks or luck else None
    if luck is not None and decks is not None:
        found.joint = luck.joint(decks)
    return ChunkResult(found, histograms, *((decks, None, luck) if keep_decks else (None,)))


def _counts(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values (ascending) and how often each occurs; values are whole thousandths."""
    whole = np.rint(np.asarray(x, np.float64) * 1000).astype(np.int64)
    low = whole.min()
    step = np.gcd.reduce(whole - low) or 1
    counts = np.bincount((whole - low) // step)
    seen = np.flatnonzero(counts)
    return (low + seen * step) / 1000, counts[seen]


def _together(*parts: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Values that occur in either of two histograms, ascending, and how often in both."""
    (values, counts), (others, more) = parts
    if not np.array_equal(values, others):
        values = np.union1d(values, others)
        counts, more = (_spread_out(values, *part) for part in parts)
    return values, counts + more


def _spread_out(values: np.ndarray, own: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Counts of some of the values, for all of them."""
    found = np.zeros(values.size, np.int64)
    found[np.searchsorted(values, own)] = counts
    return found


@dataclass
class CellTally:
    """All finished chunks of one cell, by chunk number.

    What is counted in whole numbers is added up at once, in whatever order chunks finish: `histograms` by measure and position,
    and `counts`. Of `chunks` only the rest is kept.
    """

    chunks: dict[int, ChunkResult] = field(default_factory=dict)
    histograms: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    counts: Counts | None = None

    def add(self, number: int, result: ChunkResult) -> None:
        """Take in one finished chunk, which was not there before."""
        for key, found in result.histograms.items():
            self.histograms[key] = _together(self.histograms[key], found) if key in self.histograms else found
        if result.counts is not None:
            self.counts = result.counts if self.counts is None else self.counts.merged(result.counts)
        self.chunks[number] = ChunkResult(result.moments, {}, result.deck_means, luck=result.luck)

    def moments(self) -> Moments:
        """Moments over all chunks, merged in the order of the decks."""
        return merge([self.chunks[k].moments for k in sorted(self.chunks)])

    def histogram(self, key: tuple[str, int]) -> dict[float, int]:
        """How often each value of a measure occurred, ascending."""
        values, counts = self.histograms.get(key, (np.zeros(0), np.zeros(0, np.int64)))
        return dict(zip(values.tolist(), counts.tolist(), strict=True))


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
    controls
        Whether estimates are corrected by covariates of the decks, and tables say what that gained (METHODS M1.6).
    """

    def __init__(self, cells: Sequence[CellName], base: str | None, described: Described, controls: bool = False) -> None:
        self.order = list(cells)
        self.controls = controls
        self.base = base
        self.described = described
        self.cells: dict[CellName, CellTally] = {cell: CellTally() for cell in cells}
        self.pairs: dict[CellName, dict[int, Moments]] = {cell: {} for cell in cells}

    def base_of(self, cell: CellName) -> CellName | None:
        """The cell that a cell is compared with; None if there is none, or it is that itself."""
        base = cell._replace(variant=self.base or "")
        return base if base in self.cells and base != cell else None

    def moments(self, cell: CellName, chunks: int) -> Moments:
        """Moments over the first chunks of a cell, so many, corrected if there is something to correct by."""
        return self._corrected(cell, merge([self.cells[cell].chunks[k].moments for k in range(chunks)]))[0]

    def pair_moments(self, cell: CellName, chunks: int) -> Moments:
        """Moments of the differences from the base over the first chunks, so many."""
        moments, _ = self._corrected(cell, merge([self.pairs[cell][k] for k in range(chunks)]))
        moments.games = sum(self.cells[cell].chunks[k].moments.games for k in range(chunks))
        return moments

    def _corrected(self, cell: CellName, moments: Moments) -> tuple[Moments, np.ndarray]:
        """Moments of a cell's quantities, or of their differences, corrected as far as they can be; and what it gained."""
        return corrected(moments, [q.is_share for q in quantities(cell.places, self.described)])

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
        self.cells[cell].add(chunk, result)
        self._pair(cell, chunk)

    def supply(self, cell: CellName, chunk: int, result: ChunkResult) -> None:
        """Take in the deck means of a chunk that is there without them."""
        known = self.cells[cell].chunks[chunk]
        known.deck_means, known.luck = result.deck_means, result.luck
        self._pair(cell, chunk)

    def _pair(self, cell: CellName, chunk: int) -> None:
        """Compare a chunk with those of the same decks, as far as they are there; deck means stay only as long as needed."""
        base, *others = self._family(cell)
        of_base = self.cells[base].chunks.get(chunk)
        if of_base is None or of_base.deck_means is None:
            return
        for other in others:
            mine = self.cells[other].chunks.get(chunk)
            if mine is not None and mine.deck_means is not None:
                difference = mine.deck_means - of_base.deck_means
                self.pairs[other][chunk] = Moments.of(difference, difference)
                if mine.luck and of_base.luck:
                    self.pairs[other][chunk].joint = mine.luck.beside(of_base.luck).joint(difference)
                mine.deck_means = mine.luck = None
        if all(chunk in self.pairs[other] for other in others):
            of_base.deck_means = of_base.luck = None

    def summary(self, margin: float, complete: bool, ending: "Ending | None" = None) -> "Summary":
        """Estimates, differences and histograms of what is finished; `ending` says how a run with a precision stopped."""
        interval_of = ending.interval if ending else fixed_interval
        done = [cell for cell in self.order if self.cells[cell].chunks]
        estimates = [row for cell in done for row in self._estimates(cell, interval_of)]
        differences = [row for cell in done if self.pairs[cell] for row in self._differences(cell, interval_of)]
        counts = [row for cell in done for row in self._histograms(cell)]
        return Summary(
            pl.DataFrame(estimates, schema=_ESTIMATES | self._gains, orient="row"),
            pl.DataFrame(differences, schema=_DIFFERENCES | self._gains, orient="row"),
            pl.DataFrame(counts, schema=_HISTOGRAMS, orient="row"),
            margin,
            self.base,
            complete,
            ending.table() if ending else None,
        )

    @property
    def _gains(self) -> dict[str, Any]:
        """The column of what correcting gained, in a run that is corrected."""
        return {CONTROL_GAIN: pl.Float64} if self.controls else {}

    def _estimates(self, cell: CellName, interval_of: "IntervalOf") -> list[tuple[Any, ...]]:
        moments, gain = self._corrected(cell, self.cells[cell].moments())
        errors, independent = moments.standard_errors(), moments.independent_errors()
        rows = []
        for k, q in enumerate(quantities(cell.places, self.described)):
            low, high = interval_of([cell], q, moments, k)
            factor = variance_reduction(independent[k], errors[k])
            gained = (float(gain[k]),) if self.controls else ()
            rows.append((*cell, *_row(q, moments, k, errors[k], low, high), factor, *gained))
        return rows

    def _differences(self, cell: CellName, interval_of: "IntervalOf") -> list[tuple[Any, ...]]:
        pairs = self.pairs[cell]
        moments, gain = self._corrected(cell, merge([pairs[k] for k in sorted(pairs)]))
        moments.games = sum(self.cells[cell].chunks[k].moments.games for k in pairs)
        errors = moments.standard_errors()
        base_cell = cell._replace(variant=self.base or "")
        both = [self.cells[one].moments().independent_errors(moments.games) for one in (cell, base_cell)]
        rows = []
        for k, q in enumerate(quantities(cell.places, self.described)):
            low, high = interval_of([cell, base_cell], q, moments, k)
            factor = variance_reduction(math.hypot(both[0][k], both[1][k]), errors[k])
            gained = (float(gain[k]),) if self.controls else ()
            rows.append((cell.variant, self.base, *cell[1:], *_row(q, moments, k, errors[k], low, high), factor, *gained))
        return rows

    def _histograms(self, cell: CellName) -> list[tuple[Any, ...]]:
        tally = self.cells[cell]
        keys = [("turns", -1), *(("score", p) for p in range(cell.players))]
        return [(*cell, *key, value, count) for key in keys for value, count in tally.histogram(key).items()]


class Ending(Protocol):
    """How a run stopped that played until something was known precisely enough (`pinchsim.measure.precision`)."""

    def interval(self, cells: Sequence[CellName], quantity: Quantity, moments: Moments, index: int) -> tuple[float, float]:
        """The interval of a cell's quantity, or of the difference of two cells."""

    def table(self) -> pl.DataFrame:
        """What was wished for, and why each cell stopped."""


IntervalOf = Callable[[Sequence[CellName], Quantity, Moments, int], tuple[float, float]]


def fixed_interval(cells: Sequence[CellName], quantity: Quantity, moments: Moments, index: int) -> tuple[float, float]:
    """The 95 % interval of a cell's quantity, or of the difference of two cells, from a fixed number of games."""
    mean, error = moments.mean[index], moments.standard_errors()[index]
    offset, is_share = (quantity.offset, quantity.is_share) if len(cells) == 1 else (0.0, False)
    low, high = interval(mean + offset, error, moments.decks, moments.games, is_share)
    return low - offset, high - offset


def _row(q: Quantity, moments: Moments, k: int, error: float, low: float, high: float) -> tuple[Any, ...]:
    mean = float(moments.mean[k])
    return (q.measure, q.position, q.unit, mean, float(low), float(high), float(error), moments.games, moments.decks)


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
        reduction factor (METHODS M1.5). In a run with controls they are corrected, and `control_gain` says what that was worth
        (METHODS M1.6).
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
    precision : polars.DataFrame or None
        What was wished to be known how precisely, and why each cell stopped (`pinchsim.measure.precision.SCHEMA`); None for a
        fixed number of games.
    """

    estimates: pl.DataFrame
    differences: pl.DataFrame
    histograms: pl.DataFrame
    margin: float
    base: str | None
    complete: bool
    precision: pl.DataFrame | None = None
