"""The verdicts of a run on the start player's advantage: each alone, and all of them together (METHODS M2.3, M2.4)."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from pinchsim.measure.certificate import is_rare
from pinchsim.measure.families import Comparison, judged_together, of_interval
from pinchsim.measure.judgeable import Bounds
from pinchsim.measure.ladder import ADVANTAGE
from pinchsim.measure.summary import CELL, Summary
from pinchsim.measure.verdict import verdict

SCHEMA = {
    **CELL,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "games": pl.Int64,
    "decks": pl.Int64,
    "verdict": pl.String,
    "together": pl.String,
}


def start_verdicts(summary: Summary) -> pl.DataFrame:
    """A row for each cell: the start player's advantage, its `verdict`, and the one that holds `together` with all others.

    `verdict` follows from the 95 % interval beside it, of which 1 in 20 misses. Those that hold `together` are one family: that
    any of them is wrong has at most 5 % (`families.holm`). In a run that was played until its verdicts are clear they are those
    for which it stopped.
    """
    rows = summary.estimates.filter(measure=ADVANTAGE).to_dicts()
    own = [verdict(row["low"], row["high"], summary.margin) for row in rows]
    together = _stopped_for(summary) or [one.verdict for one in judged_together([_comparison(row, summary) for row in rows])]
    made = [
        {name: row[name] for name in SCHEMA if name in row} | {"verdict": alone, "together": family}
        for row, alone, family in zip(rows, own, together, strict=True)
    ]
    return pl.DataFrame(made, SCHEMA)


def _comparison(row: Mapping[str, Any], summary: Summary) -> Comparison:
    fair = 1 / row["players"]
    return Comparison(row["estimate"], summary.margin, of_interval(row, is_rare(row, Bounds(-fair, 1 - fair, is_share=True))))


def _stopped_for(summary: Summary) -> list[str]:
    """The verdicts for which a run stopped, in the order of its cells; none if it was not played for verdicts."""
    precision = summary.precision
    if precision is None or precision.is_empty() or precision["wished"][0] is not None:
        return []
    found = {tuple(row[name] for name in CELL): row["verdict"] for row in precision.to_dicts()}
    return [found[tuple(row[name] for name in CELL)] for row in summary.estimates.filter(measure=ADVANTAGE).to_dicts()]
