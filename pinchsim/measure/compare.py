"""Two runs side by side: the estimate of each and their difference, paired by deck or independent (METHODS M1.7)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.moments import Moments, interval, quantile
from pinchsim.measure.quantities import Described, Quantity, quantities
from pinchsim.measure.sample import Sample
from pinchsim.measure.summary import CellName, reduce_chunk

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
}


class Pair(NamedTuple):
    """A cell of each run."""

    a: CellName
    b: CellName


class Decks(NamedTuple):
    """A cell by its decks: numbers int64[decks], means float64[quantities, decks], and games a deck."""

    numbers: np.ndarray
    means: np.ndarray
    rotations: int

    def of(self, numbers: np.ndarray) -> "Decks":
        """Only some decks, which must be there."""
        return Decks(numbers, self.means[:, np.searchsorted(self.numbers, numbers)], self.rotations)


def decks_of(sample: Sample, described: Described) -> Decks:
    """The means of all quantities of the summary by deck."""
    result = reduce_chunk(sample.rows, sample.cell, sample.rotations, described, True)
    assert result.deck_means is not None
    return Decks(sample.game("deck")[:: sample.rotations].astype(np.int64), result.deck_means, sample.rotations)


def paired(pair: Pair, a: Decks, b: Decks, described: Described) -> list[tuple[Any, ...]]:
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
    common = np.intersect1d(a.numbers, b.numbers)
    if not common.size:
        return []
    a, b = a.of(common), b.of(common)
    places = ({(q.measure, q.position): k for k, q in enumerate(quantities(cell.places, described))} for cell in pair)
    of_a, of_b = places
    made = []
    for q in (q for q in quantities(pair.a.places, described) if (q.measure, q.position) in of_b):
        key = q.measure, q.position
        x, y = a.means[of_a[key]], b.means[of_b[key]]
        spans = (_span(x, q, a.rotations), _span(y, q, b.rotations), _span(y - x, None, b.rotations))
        made.append(_row(pair, q.measure, q.position, q.unit, spans, (common.size, common.size)))
    return made


def _span(x: np.ndarray, q: Quantity | None, rotations: int) -> tuple[float, float, float]:
    """The mean over decks with its interval; `q` is None for a difference, which is no share."""
    mean, error = float(x.mean()), float(Moments.of(x[None], x[None]).standard_errors()[0])
    offset, is_share = (q.offset, q.is_share) if q else (0.0, False)
    low, high = interval(mean + offset, error, x.size, x.size * rotations, is_share)
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
    return (*cells, measure, position, unit, *(x for span in spans for x in span), *decks)
