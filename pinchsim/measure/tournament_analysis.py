"""What a tournament says: ratings, best replies, dominance, circles, equilibrium and alpha-rank (METHODS M5.1, M5.4)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.alpha_rank import alpha_rank
from pinchsim.measure.equilibrium import Equilibrium, nash
from pinchsim.measure.metagame import PayoffTable
from pinchsim.measure.metagame_bootstrap import bootstrap
from pinchsim.measure.metagame_dominance import DOMINATED, LEVEL, Cycle, Dominance, cycles, dominance, holm, tail
from pinchsim.measure.moments import quantile
from pinchsim.measure.ratings import Ratings, fit_ratings
from pinchsim.measure.tournament import Estimate, Shares, against_field, against_others, frame_of, key, matrix
from pinchsim.measure.verdict import games_for

ALPHAS = (0.1, 1.0, 10.0, 100.0)  # strengths of selection that are reported
REPLICATES = 200
FEW_MIXED, MOST_MIXED = 4, 6  # of more strategies that may be in use, an equilibrium of more than two players takes seconds:
# above the first number its intervals come from half as many draws, above the second there are none


class Replies(NamedTuple):
    """How often each strategy is the best reply to a field of others (all fields that were played, pure and mixed).

    `fields` is their number. By strategy (int64[K]): in how many it has the highest win share (`best`; ties count for all),
    in how many it is surely better than every other (`sure`), and in how many another is surely better (`beaten`).
    """

    fields: int
    best: np.ndarray
    sure: np.ndarray
    beaten: np.ndarray


def best_replies(table: PayoffTable) -> Replies:
    """Best replies to every field whose tables were all played; all comparisons are one family, corrected after Holm."""
    shares, variances = table.against
    played = np.isfinite(shares).all(axis=0)
    shares, variances = shares[:, played], variances[:, played]
    k = len(shares)
    gap = shares[:, None] - shares[None]
    p = tail(gap, np.sqrt(variances[:, None] + variances[None]))
    apart = ~np.eye(k, dtype=bool)
    better = np.zeros(gap.shape, bool)
    better[apart] = holm(p[apart]) < LEVEL
    sure = (better | ~apart[:, :, None]).all(axis=1)
    best = shares >= shares.max(axis=0) - 1e-12
    return Replies(int(played.sum()), *(x.sum(axis=1) for x in (best, sure, better.any(axis=0))))


def games_to_settle(shares: Shares, one: int) -> int | None:
    """About how many games would show that a strategy is the best reply to every field, if win shares stay where they are.

    None: far too many, or somewhere another one does as well or better.
    """
    table = shares.table()
    values, variances = table.against
    played = np.isfinite(values).all(axis=0)
    gaps = np.delete(values[one] - values, one, axis=0)[:, played]
    errors = np.sqrt(np.delete(variances[one] + variances, one, axis=0)[:, played])
    halves = NormalDist().inv_cdf(1 - LEVEL / (len(values) * gaps.size)) * errors  # as many comparisons as `best_replies` has
    games = [games_for(gap, half, int(shares.games.sum())) for gap, half in zip(gaps.flat, halves.flat, strict=True)]
    return None if None in games else max((n for n in games if n is not None), default=None)


class Balance(NamedTuple):
    """The field that strategies settle in (METHODS M5.4): an equilibrium, and what is known about it.

    Attributes
    ----------
    equilibrium : Equilibrium
        Of all strategies.
    statement : str
        Whether it is the only one.
    mass : list of Estimate
        By strategy: its part of the mix; nan for the ends of an interval that was not computed.
    edge : list of Estimate
        By strategy: win share against this field less a fair share.
    alpha : dict
        By strength of selection: the masses of alpha-rank by strategy, with intervals.
    """

    equilibrium: Equilibrium
    statement: str
    mass: list[Estimate]
    edge: list[Estimate]
    alpha: dict[float, list[Estimate]]


@dataclass(frozen=True)
class Analysis:
    """What a tournament says; lists are by strategy, in the order of `shares.strategies`.

    Attributes
    ----------
    shares : Shares
    ratings : Ratings
        Elo points; the mean of all strategies is 0.
    matrix : list of list of Estimate
        One of the row's strategy against a table of the column's.
    others : list of Estimate
        Alone against a table of each other strategy, on the average.
    field : list of Estimate or None
        Against opponents drawn from all strategies alike; None if mixed tables are missing.
    replies : Replies
    dominance : list of Dominance or None
    cycles : list of Cycle
    balance : Balance or None
    """

    shares: Shares
    ratings: Ratings
    matrix: list[list[Estimate]]
    others: list[Estimate]
    field: list[Estimate] | None
    replies: Replies
    dominance: list[Dominance] | None
    cycles: list[Cycle]
    balance: Balance | None

    @property
    def order(self) -> list[int]:
        """Strategies, strongest first."""
        elo = self.ratings.elo.round(9).tolist()
        return sorted(range(len(elo)), key=lambda k: (-elo[k], self.shares.strategies[k]))

    @property
    def rating_halves(self) -> list[float]:
        """Half the length of each rating's 95 % interval, by strategy; infinite where the games do not bound it."""
        if self.shares.decks < 2:
            return [math.inf] * len(self.ratings.elo)
        return (quantile(self.shares.decks) * self.ratings.errors).tolist()

    @property
    def names(self) -> list[str]:
        """Their names, strongest first."""
        return [self.shares.strategies[k] for k in self.order]


def analyse(shares: Shares, seed: int = 1) -> Analysis:
    """Everything that is reported about a tournament; `seed` is that of the intervals' draws."""
    table = shares.table()
    complete = shares.has_all
    found = dominance(table) if complete else None
    return Analysis(
        shares,
        rate(shares),
        matrix(shares),
        against_others(shares),
        against_field(shares),
        best_replies(table),
        found,
        cycles(table),
        balance(shares, seed) if complete else None,
    )


def undominated(table: PayoffTable) -> PayoffTable:
    """The table of the strategies that no other surely dominates, again and again: only they can be in an equilibrium."""
    while True:
        worse = {d.strategy for d in dominance(table) if d.verdict == DOMINATED}
        if not worse:
            return table
        table = restricted(table, [name for name in table.strategies if name not in worse])


def restricted(table: PayoffTable, names: Sequence[str]) -> PayoffTable:
    """The tables at which only these strategies sit."""
    keep = [k for k, name in enumerate(table.strategies) if name in names]
    out = [k for k, name in enumerate(table.strategies) if name not in names]
    rows = ~table.counts[:, out].any(axis=1)
    covariance = table.covariance[rows][:, keep][:, :, keep]
    kept = tuple(table.strategies[k] for k in keep)
    return PayoffTable(kept, table.players, table.counts[rows][:, keep], table.shares[rows][:, keep], covariance)


def balance(shares: Shares, seed: int) -> Balance:
    """Equilibrium and alpha-rank of a complete tournament, with intervals.

    Strategies that are surely dominated are left out of the search for the equilibrium, and judged against it afterwards.
    """
    table = shares.table()
    rest = undominated(table)
    equilibria = nash(rest)
    at = [table.index(name) for name in rest.strategies]
    mix = np.zeros(len(table.strategies))
    mix[at] = equilibria.chosen.mix
    size = 0 if table.players == 2 else len(at)
    draws = REPLICATES if size <= FEW_MIXED else REPLICATES // 2 if size <= MOST_MIXED else 0
    drawn = bootstrap(rest, seed, draws)
    mass = [Estimate(0.0, 0.0, 0.0, 0.0)] * len(mix)
    for row in drawn.filter(pl.col("measure") == "nash_mass").iter_rows(named=True):
        mass[table.index(row["strategy"])] = Estimate(row["estimate"], row["low"], row["high"], math.nan)
    chosen = Equilibrium(table.strategies, mix, table.payoffs(mix), 1 / table.players)
    fair = 1 / table.players
    against = against_field(shares, mix.tolist()) or []
    edge = [Estimate(x.estimate - fair, x.low - fair, x.high - fair, x.standard_error) for x in against]
    return Balance(chosen, equilibria.statement, mass, edge, _alpha_ranks(table, seed))


def _alpha_ranks(table: PayoffTable, seed: int) -> dict[float, list[Estimate]]:
    rng = np.random.default_rng(seed)
    tables = [table, *(table.resampled(rng) for _ in range(REPLICATES))]
    found = {}
    for alpha in ALPHAS:
        masses = np.array([alpha_rank(drawn, alpha).mass for drawn in tables])
        low, high = np.quantile(masses[1:], [0.025, 0.975], axis=0)
        ends = zip(masses[0].tolist(), low.tolist(), high.tolist(), strict=True)
        found[alpha] = [Estimate(mass, lowest, highest, math.nan) for mass, lowest, highest in ends]
    return found


def rate(shares: Shares) -> Ratings:
    """Ratings whose errors come from the spread over decks, so that tables on common decks need not be independent."""
    many = len(shares.sizes)
    draws = None
    if many > 1:  # as far from the mean as a whole run may be: their covariance is that of the mean win shares
        part = (shares.sizes / shares.decks)[:, None, None]
        draws = shares.means + math.sqrt(many) * part * (shares.blocks - shares.means)
    return fit_ratings(shares.table(), shares.games, draws=draws)


def ratings_frame(analysis: Analysis) -> pl.DataFrame:
    """A row per strategy, strongest first: rating and win shares with their intervals."""
    rows = []
    for place, k in enumerate(analysis.order, 1):
        elo, half = float(analysis.ratings.elo[k]), analysis.rating_halves[k]
        field = analysis.field[k] if analysis.field else Estimate(*[math.nan] * 4)
        rated = (place, analysis.shares.strategies[k], elo, elo - half, elo + half, float(analysis.ratings.errors[k]))
        rows.append((*key(analysis.shares), *rated, int(analysis.ratings.tiers[k]), *field[:3], *analysis.others[k][:3]))
    return frame_of(rows, _RATINGS)


def equilibrium_frame(analysis: Analysis) -> pl.DataFrame:
    """A row per measure and strategy: the mix of the equilibrium, edges against it, and alpha-rank; empty if unknown."""
    found = analysis.balance
    if found is None:
        return frame_of([], _EQUILIBRIUM)
    measures = {"nash_mass": found.mass, "edge": found.edge}
    measures |= {f"alpha_rank_mass:{alpha:g}": masses for alpha, masses in found.alpha.items()}
    rows = [
        (*key(analysis.shares), measure, analysis.shares.strategies[k], *estimates[k][:3])
        for measure, estimates in measures.items()
        for k in analysis.order
    ]
    return frame_of(rows, _EQUILIBRIUM)


_RATINGS = {
    "variant": pl.String,
    "players": pl.Int64,
    "place": pl.Int64,
    "strategy": pl.String,
    **dict.fromkeys(("rating", "low", "high", "standard_error"), pl.Float64),
    "tier": pl.Int64,
    **dict.fromkeys(("field_share", "field_low", "field_high", "alone_share", "alone_low", "alone_high"), pl.Float64),
}
_EQUILIBRIUM = {
    "variant": pl.String,
    "players": pl.Int64,
    "measure": pl.String,
    "strategy": pl.String,
    **dict.fromkeys(("estimate", "low", "high"), pl.Float64),
}
