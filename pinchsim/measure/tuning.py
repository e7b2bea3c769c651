"""What a tuning found (METHODS M5.1): how the share of the win rose, and what fresh decks say of the result.

Every share here is that of one player among others who all play alike, on decks that are played from every seat; intervals are
clustered by deck (M1.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from pinchsim.measure.moments import Moments, deck_average, interval, variance_reduction
from pinchsim.measure.tournament import Estimate

START, STAGE, PARTNER = "start", "stage", "partner"
STRONGER, WEAKER, UNSURE = "stronger", "weaker", "not shown to be stronger"
HISTORY = {
    "iteration": pl.Int64,
    "games": pl.Int64,
    "step": pl.Float64,
    "lessons": pl.Int64,
    "missed": pl.Int64,
    "explained": pl.Float64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "league": pl.Int64,
}
MATCHES = {
    "player": pl.String,
    "against": pl.String,
    "kind": pl.String,
    "iteration": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "games": pl.Int64,
    "decks": pl.Int64,
    "variance_reduction": pl.Float64,
}


@dataclass(frozen=True)
class Tuning:
    """The result for one variant and number of players.

    Attributes
    ----------
    name, form, variant, start : str
        The strategy, "large" or "small", the variant, and the strategy that it began with.
    players, iterations : int
        Players at a table, and iterations that were asked for.
    history : polars.DataFrame
        A row an iteration (`HISTORY`): `share` is that of the learner among copies of the start on validation decks, `step`
        the KL divergence a decision of the large form, or the spread of the candidates of the small one.
    candidates : polars.DataFrame
        Each candidate against each other one on validation decks (`MATCHES`).
    chosen : str
        The candidate whose lowest share among them was highest: "last", "average" or "start".
    confirmation : polars.DataFrame
        The chosen one on fresh decks (`MATCHES`): against the start, each stage of the league, and the sparring partners.
        Empty if nothing was better than the start.
    """

    name: str
    form: str
    variant: str
    start: str
    players: int
    iterations: int
    history: pl.DataFrame
    candidates: pl.DataFrame
    chosen: str
    confirmation: pl.DataFrame

    @property
    def fair(self) -> float:
        """Share of the win of equals."""
        return 1 / self.players

    @property
    def against_start(self) -> dict[str, Any] | None:
        """The row of the confirmation against the start; None if there is none."""
        return next((row for row in self.confirmation.iter_rows(named=True) if row["kind"] == START), None)

    @property
    def verdict(self) -> str:
        """Whether the result is stronger than the start: its whole interval against it lies above a fair share."""
        row = self.against_start
        if row is None:
            return UNSURE
        return STRONGER if row["low"] > self.fair else WEAKER if row["high"] < self.fair else UNSURE


def estimate(shares: np.ndarray, rotations: int) -> Estimate:
    """Mean share of the win with its 95 % interval, from the games of whole decks in their order (float64[games]).

    Its variance reduction factor compares with as many games of the same players on decks of their own.
    """
    values = shares[None, :]
    moments = Moments.of(values, deck_average(values, rotations))
    mean, error = float(moments.mean[0]), float(moments.standard_errors()[0])
    factor = variance_reduction(float(moments.independent_errors()[0]), error)
    return Estimate(mean, *interval(mean, error, moments.decks, moments.games, True), error, factor)


def match_row(player: str, against: str, kind: str, iteration: int, found: Estimate, games: int, decks: int) -> dict[str, Any]:
    """A row of `MATCHES`."""
    values = (player, against, kind, iteration, *found[:3], games, decks, found.variance_reduction)
    return dict(zip(MATCHES, values, strict=True))


def frame(rows: Sequence[dict[str, Any]], columns: dict[str, Any]) -> pl.DataFrame:
    """Rows as a table with these columns."""
    return pl.DataFrame(rows, schema=columns)


def best_of(candidates: pl.DataFrame) -> str:
    """The candidate whose lowest share against any other one is highest: nobody can take much from it; the first of equals."""
    lowest: dict[str, float] = {}
    for row in candidates.iter_rows(named=True):
        lowest[row["player"]] = min(lowest.get(row["player"], 1.0), row["share"])
    return max(lowest, key=lambda name: lowest[name])
