"""Counts of the rules as the report judges them: all games of a variant together, whoever counted them (METHODS M6.1)."""

from collections.abc import Collection, Sequence

import polars as pl

from pinchsim.measure.audit import LIMIT, unseen
from pinchsim.report import style
from pinchsim.report.beside import Coverage

DEAD = 0.02  # share of games: a rule that surely comes into play in fewer is dead


def by_rule(coverages: Sequence[Coverage], variants: Collection[str]) -> pl.DataFrame:
    """The rules that apply, by variant, with all numbers of players together: of these variants if any was counted.

    The turn limit is left out: it is a guard that nobody should meet, and has a section of its own.
    """
    found = pl.concat([coverage.counts for coverage in coverages])
    ours = found.filter(pl.col("variant").is_in(variants))
    guard = pl.col("counted").str.contains(style.measure_words(LIMIT), literal=True)
    chosen = (found if ours.is_empty() else ours).filter(pl.col("applies") & ~guard)
    sums = chosen.group_by("variant", "rule", maintain_order=True).agg(
        pl.col("counted", "line_up").first(), pl.col("times", "games", "decks").sum()
    )
    return sums.with_columns(per_game=pl.col("times") / pl.col("games"))


def most_unseen(counts: pl.DataFrame) -> float:
    """In which share of the games a rule that was never seen may come into play, for all rules of a variant at once."""
    return unseen(fewest(counts, "decks"), counts.height)


def fewest(counts: pl.DataFrame, column: str) -> int:
    """The smallest number of games or decks."""
    return int(min(counts[column].to_list(), default=0))
