"""Two runs side by side: the estimate of each and their difference, paired by deck or independent (METHODS M1.7)."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.moments import Moments, deck_average, interval, merge, quantile
from pinchsim.measure.quantities import Described, Quantity, quantities, values
from pinchsim.measure.sample import Sample
from pinchsim.measure.summary import CellName

Row = dict[str, Any]
_SPAN = {"estimate": pl.Float64, "low": pl.Float64, "high": pl.Float64}

SCHEMA = {
    "players": pl.Int64,
    "variant_a": pl.String,
    "line_up_a": pl.String,
    "variant_b": pl.String,
    "line_up_b": pl.String,
    "measure": pl.String,
    "position": pl.Int64,
    "unit": pl.String,
    **{f"{name}_{run}": dtype for run in "ab" for name, dtype in _SPAN.items()},
    **_SPAN,
    "decks_a": pl.Int64,
    "decks_b": pl.Int64,
    "variance_reduction": pl.Float64,
}


class Pair(NamedTuple):
    """A cell of each run."""

    a: CellName
    b: CellName


class Decks(NamedTuple):
    """Decks of a cell: numbers int64[decks], ascending, means float64[quantities, decks], and games a deck."""

    numbers: np.ndarray
    means: np.ndarray
    rotations: int

    def of(self, numbers: np.ndarray) -> "Decks":
        """Only some decks, which must be there."""
        return Decks(numbers, self.means[:, np.searchsorted(self.numbers, numbers)], self.rotations)

    def after(self, number: int) -> "Decks":
        """Only the decks behind this one."""
        return self.of(self.numbers[self.numbers > number])


def decks_of(sample: Sample, described: Described) -> Iterator[Decks]:
    """The means of all quantities of the summary by deck, part by part."""
    for part in sample.parts():
        means = deck_average(values(part.rows, sample.cell.places, described), sample.rotations)
        yield Decks(part.game("deck")[:: sample.rotations].astype(np.int64), means, sample.rotations)


def common(a: Iterable[Decks], b: Iterable[Decks]) -> Iterator[tuple[Decks, Decks]]:
    """The decks that both have, some after the other; each comes in the order of its decks."""
    a, b = iter(a), iter(b)
    x, y = next(a, None), next(b, None)
    while x is not None and y is not None:
        both = np.intersect1d(x.numbers, y.numbers)
        if both.size:
            yield x.of(both), y.of(both)
        seen = min(x.numbers[-1], y.numbers[-1])
        x = x.after(seen) if x.numbers[-1] > seen else next(a, None)
        y = y.after(seen) if y.numbers[-1] > seen else next(b, None)


def paired(pair: Pair, a: Iterable[Decks], b: Iterable[Decks], described: Described) -> list[tuple[Any, ...]]:
    """The rows of a pair of cells, deck by deck, on the decks that both have; none if there are none.

    Measure
    -------
    run_difference (M1.7)

    By how much two runs differ, paired by deck where they have the same seed.

    Definition
    ----------
    The estimate of the second run less that of the first. Runs with the same seed have the same shuffles, so each deck of one
    is set against the same deck of the other, and only decks that both have are used. Runs with other seeds are independent.

    Formula
    -------
    paired       error = standard deviation of (B - A) by deck / sqrt(decks)
    independent  error = sqrt(error of A ^ 2 + error of B ^ 2)

    Units
    -----
    Those of the measure; differences of shares in percentage points (pp).

    Traps
    -----
    Intervals are not widened for looking at many: one in 20 misses 0 by chance. A difference tells nothing about its cause if
    the runs differ in several things. Where no deck differed the interval has no length, but few decks may miss what is rare.

    Source
    ------
    Common random numbers.
    """
    places = [{(q.measure, q.position): k for k, q in enumerate(quantities(cell.places, described))} for cell in pair]
    both = [q for q in quantities(pair.a.places, described) if (q.measure, q.position) in places[1]]
    mine = [[place[q.measure, q.position] for q in both] for place in places]
    found, rotations = [], (0, 0)
    for x, y in common(a, b):
        found.append(_moments(x.means[mine[0]], y.means[mine[1]]))
        rotations = x.rotations, y.rotations
    if not found:
        return []
    of_a, of_b, change = (merge(moments) for moments in zip(*found, strict=True))
    made = []
    for k, q in enumerate(both):
        spans = (_span(of_a, k, q, rotations[0]), _span(of_b, k, q, rotations[1]), _span(change, k, None, rotations[1]))
        made.append(_row(pair, q.measure, q.position, q.unit, spans, (change.decks, change.decks)))
    return made


def _moments(x: np.ndarray, y: np.ndarray) -> tuple[Moments, Moments, Moments]:
    """Of the one, the other and their difference y - x, float64[quantities, decks]."""
    return Moments.of(x, x), Moments.of(y, y), Moments.of(y - x, y - x)


def _span(moments: Moments, k: int, q: Quantity | None, rotations: int) -> tuple[float, float, float]:
    """The mean of the k-th quantity over decks with its interval; `q` is None for a difference, which is no share."""
    mean, error = float(moments.mean[k]), float(moments.standard_errors()[k])
    offset, is_share = (q.offset, q.is_share) if q else (0.0, False)
    low, high = interval(mean + offset, error, moments.decks, moments.decks * rotations, is_share)
    return mean, float(low - offset), float(high - offset)


def independent(pair: Pair, a: Iterable[Row], b: Iterable[Row]) -> list[tuple[Any, ...]]:
    """The rows of a pair of cells of independent runs, from their estimates."""
    of_b: Mapping[tuple[str, int], Row] = {(row["measure"], row["position"]): row for row in b}
    found = ((row, of_b[row["measure"], row["position"]]) for row in a if (row["measure"], row["position"]) in of_b)
    return [_independent(pair, x, y) for x, y in found]


def _independent(pair: Pair, x: Row, y: Row) -> tuple[Any, ...]:
    difference = y["estimate"] - x["estimate"]
    half = quantile(min(x["decks"], y["decks"])) * math.hypot(x["standard_error"], y["standard_error"])
    each = [(row["estimate"], row["low"], row["high"]) for row in (x, y)]
    spans = (*each, (difference, difference - half, difference + half))
    return _row(pair, x["measure"], x["position"], x["unit"], spans, (x["decks"], y["decks"]))


def _row(
    pair: Pair, measure: str, position: int, unit: str, spans: Sequence[tuple[float, float, float]], decks: tuple[int, int]
) -> tuple[Any, ...]:
    cells = (pair.a.players, pair.a.variant, pair.a.line_up, pair.b.variant, pair.b.line_up)
    return (*cells, measure, position, unit, *(x for span in spans for x in span), *decks, math.nan)


def worth(row: Row, a: Row, b: Row) -> float:
    """What a game of both runs was worth for their difference (METHODS M1.5), from the estimates of both; nan if unknown."""
    varied = ((x, x["standard_error"] ** 2 * x["decks"]) for x in (a, b))
    independent = [squares * x["variance_reduction"] if squares else 0 for x, squares in varied]
    half = (row["high"] - row["low"]) / 2
    if not half > 0 or not math.isfinite(half) or min(row["decks_a"], row["decks_b"]) < 2:
        return math.nan
    error = half / quantile(min(row["decks_a"], row["decks_b"]))
    return (independent[0] / row["decks_a"] + independent[1] / row["decks_b"]) / error**2
