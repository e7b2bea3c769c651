"""Intervals of what is taken from rows or counts, in a run that was looked at while it went on (METHODS M2.2).

Measures of rows give intervals for a fixed number of games. Where a run went on until something was known, those of its summary
are longer, by a factor that hangs on how the cell ended alone; so all others of the cell are made longer by it, too.
"""

from collections.abc import Callable
from typing import Any

import polars as pl

from pinchsim.measure.certificate import is_rare
from pinchsim.measure.judgeable import ANY, SHARE
from pinchsim.measure.ladder import span_of
from pinchsim.measure.moments import quantile
from pinchsim.measure.summary import CELL, Summary

Row = dict[str, Any]
TYPICAL = "turns"  # whose mean has no bounds, so that its interval is of the usual form


def allowing_for_looks(table: pl.DataFrame, summary: Summary) -> pl.DataFrame:
    """A table of measures of a run, with the columns of `sample.SCHEMA`, whose intervals allow for its looks."""
    if summary.precision is None:
        return table
    return pl.DataFrame(list(map(longer(summary), table.to_dicts())), table.schema)


def longer(summary: Summary) -> Callable[[Row], Row]:
    """What makes the interval of such a row longer.

    Shares stay between 0 and 1; where the summary has no interval of a mean yet, none is left.
    """
    if summary.precision is None:
        return lambda row: row
    factors = {_cell(row): _factor(row) for row in summary.estimates.filter(measure=TYPICAL).to_dicts()}
    return lambda row: _longer(row, factors[_cell(row)])


def _cell(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in CELL)


def _factor(row: Row) -> float:
    """How many times as long the interval of an estimate is as that of a fixed number of games."""
    plain = quantile(row["decks"]) * row["standard_error"]
    return span_of(row).half / plain if plain > 0 else 1.0


def _longer(row: Row, factor: float) -> Row:
    """A row whose interval has arms so many times as long; those of Wilson's grow with the square."""
    span = span_of(row)
    bounds = SHARE if row["unit"] == "share" and span.low >= 0 and span.high <= 1 else ANY
    _, low, high = span.widened(factor**2 if is_rare(row, bounds) else factor)
    return row | {"low": max(low, bounds.low), "high": min(high, bounds.high)}
