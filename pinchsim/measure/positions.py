"""Whether all positions win equally often, and how far apart they are once noise is taken off (METHODS M2.5)."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import polars as pl

from pinchsim.measure.certificate import is_rare, joint_span
from pinchsim.measure.families import of_interval
from pinchsim.measure.judgeable import SHARE
from pinchsim.measure.summary import CELL, Summary

Row = Mapping[str, Any]

SCHEMA = {
    **CELL,
    "deviation": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p_value": pl.Float64,
    "furthest": pl.Int64,
    "spread": pl.Float64,
    "games": pl.Int64,
    "decks": pl.Int64,
}


class Reach(NamedTuple):
    """Between which values a number lies."""

    low: float
    high: float


def position_table(summary: Summary) -> pl.DataFrame:
    """How far the win shares of all positions are from fair, a row for each cell.

    Measure
    -------
    positions (M2.5): deviation, spread, p_value

    Whether all positions win equally often, and how far apart they are.

    Definition
    ----------
    deviation is the root mean square distance of the positions' win shares from a fair share, less the part that noise adds to
    its square: 0 where all win equally often, whatever the number of games. p_value tells how well that fits: the chance of a
    position as clearly off as the furthest one, if all were equal. spread is the largest win share less the smallest.

    Formula
    -------
    deviation = sqrt(mean over p of (win_share[p] - 1/n)^2 - error[p]^2)
    p_value = n times the smallest p-value of a position; in a duel that
              of either, as the two are one number
    interval: deviations of win shares that add up to 1 and lie in their
              own intervals, which are to hold at once with 95 %

    Units
    -----
    Shares of games, told in percentage points; a probability.

    Traps
    -----
    The spread is never 0: a fair game of four shows about 10 pp in 100 games. A deviation that fits 0 is no proof of equal
    positions; its upper end says how unequal they may be.

    Source
    ------
    Bonferroni's test of all positions, and the set of what it doesn't reject; the square of the deviation is unbiased, as is a
    variance component's.
    """
    cells: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in summary.estimates.filter(measure="win_share").sort("position", maintain_order=True).to_dicts():
        cells.setdefault(tuple(row[name] for name in CELL), []).append(row)
    return pl.DataFrame([(*cell, *_of_cell(rows)) for cell, rows in cells.items()], SCHEMA, orient="row")


def _of_cell(rows: Sequence[Row]) -> tuple[Any, ...]:
    fair, tests = 1 / len(rows), len(rows) if len(rows) > 2 else 1
    off = [row["estimate"] - fair for row in rows]
    square = sum(x * x - row["standard_error"] ** 2 for x, row in zip(off, rows, strict=True)) / len(rows)
    spans = [joint_span(row, SHARE, tests) for row in rows]
    low, high = _reach([Reach(span.low - fair, span.high - fair) for span in spans])
    deviation = math.nan if math.isnan(square) else min(max(math.sqrt(max(square, 0.0)), low), high)
    p_value = min(1.0, tests * min(of_interval(row, is_rare(row, SHARE))(fair) for row in rows))
    furthest = max(range(len(off)), key=lambda p: abs(off[p]))
    return deviation, low, high, p_value, furthest, max(off) - min(off), rows[0]["games"], rows[0]["decks"]


def _reach(box: Sequence[Reach]) -> Reach:
    """Root mean squares of numbers that lie in a box and add up to 0: the least and the greatest."""
    if any(math.isnan(end) for reach in box for end in reach):
        return Reach(math.nan, math.nan)
    return Reach(_least(box), max(map(_root_mean_square, _corners(box)), default=math.nan))


def _root_mean_square(x: Sequence[float]) -> float:
    return math.sqrt(sum(value * value for value in x) / len(x))


def _least(box: Sequence[Reach]) -> float:
    """The numbers are all as near as can be to one that makes them add up to 0, which is found by halving."""

    def nearest(middle: float) -> list[float]:
        return [min(max(middle, reach.low), reach.high) for reach in box]

    low, high = min(reach.low for reach in box), max(reach.high for reach in box)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(nearest(middle)) < 0 else (low, middle)
    return round(_root_mean_square(nearest(low)), 12)  # 0 is 0, not what halving leaves of it


def _corners(box: Sequence[Reach]) -> list[list[float]]:
    """Where the plane cuts the edges of the box: there a convex function is greatest."""
    found = []
    for free, reach in enumerate(box):
        others = [other for k, other in enumerate(box) if k != free]
        for ends in product(*others):
            rest = -sum(ends)
            if reach.low - 1e-12 <= rest <= reach.high + 1e-12:
                found.append([*ends, rest])
    return found
