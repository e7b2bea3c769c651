"""Win shares at the tables of a tournament (METHODS M5.3), with errors clustered by deck.

All tables of a tournament play the same decks, so whatever is compared is compared deck by deck: every estimate here is a
weighted sum of win shares, and its error comes from the same sum within each deck. Of many decks, blocks of neighbours take
the place of single ones, which are as independent as these.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.metagame import PayoffTable
from pinchsim.measure.moments import Z95, interval, quantile

MOST_BLOCKS = 1000  # so that memory does not grow with the number of decks


class Estimate(NamedTuple):
    """A win share (or a difference of two), its 95 % interval and its standard error.

    `variance_reduction` says what a game of the design is worth for it (METHODS M1.5), nan where single games are not known.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    variance_reduction: float = math.nan


class Table(NamedTuple):
    """What was found at the tables of one composition, each order around the table weighted by its probability.

    `counts` (int64[K]) tells how many of each strategy sit there; `shares` (float64[decks, K]) is the win share of one player
    of it in the games of each deck, 0 where none sits; `orders` and `games` were played.
    """

    counts: np.ndarray
    shares: np.ndarray
    orders: int
    games: int


@dataclass(frozen=True)
class Shares:
    """Win shares of a tournament.

    Attributes
    ----------
    variant : str
    strategies : tuple of str
        K names.
    players : int
        Players at a table.
    counts : int64[C, K]
        Compositions: how many of each strategy sit at the table. Mirror tables are among them, with shares that symmetry
        gives.
    blocks : float64[B, C, K]
        Mean win share of one player of each strategy in each block of decks, 0 where none sits.
    sizes : int64[B]
        Decks of each block.
    games, orders : int64[C]
        Games and orders around the table that were played.
    """

    variant: str
    strategies: tuple[str, ...]
    players: int
    counts: np.ndarray
    blocks: np.ndarray
    sizes: np.ndarray
    games: np.ndarray
    orders: np.ndarray

    @property
    def decks(self) -> int:
        """Decks that every table has played."""
        return int(self.sizes.sum())

    @property
    def has_all(self) -> bool:
        """Whether every composition was played, not only one player against the others."""
        return len(self.counts) == math.comb(len(self.strategies) + self.players - 1, self.players)

    @property
    def means(self) -> np.ndarray:
        """Mean win shares, float64[C, K]; 0 where none sits."""
        mean: np.ndarray = np.einsum("b,bck->ck", self.sizes / self.decks, self.blocks)
        return mean

    @property
    def covariance(self) -> np.ndarray:
        """Cluster-robust covariance of the mean win shares at each table, float64[C, K, K]; nan with a single deck."""
        if len(self.sizes) < 2:
            return np.full((*self.counts.shape, self.counts.shape[1]), math.nan)
        off = (self.blocks - self.means) * (self.sizes / self.decks)[:, None, None]
        spread: np.ndarray = np.einsum("bck,bcl->ckl", off, off)
        return spread * len(self.sizes) / (len(self.sizes) - 1)

    def table(self) -> PayoffTable:
        """The same shares for the mathematics of the meta-game, with errors that also hold for few decks and rare wins."""
        shares = np.where(self.counts > 0, self.means, math.nan)
        if self.decks < 2:
            return PayoffTable(self.strategies, self.players, self.counts, shares, self._spread(np.full(shares.shape, 0.5)))
        covariance = self.covariance * (quantile(self.decks) / Z95) ** 2
        least = self._spread(self._least_errors())
        rare = np.einsum("ckk->ck", least) > np.einsum("ckk->ck", covariance) * (1 + 1e-9)
        return PayoffTable(self.strategies, self.players, self.counts, shares, covariance + least * rare[:, None, :])

    def _spread(self, errors: np.ndarray) -> np.ndarray:
        """Covariance of independent shares with these errors at the tables that were played, float64[C, K, K]."""
        known = (self.counts > 0) & (self.games > 0)[:, None]
        spread: np.ndarray = np.einsum("ck,kl->ckl", np.where(known, errors, 0.0) ** 2, np.eye(self.counts.shape[1]))
        return spread

    def _least_errors(self) -> np.ndarray:
        """Standard errors that the intervals of rare wins and few decks are worth, float64[C, K]; 0 for the others."""
        found = np.zeros(self.counts.shape)
        for at, k in zip(*np.nonzero((self.counts > 0) & (self.games > 0)[:, None]), strict=True):
            seen = self.combined(_one(self.counts.shape, at, k))
            found[at, k] = (seen.high - seen.low) / 2 / Z95
        return found

    def row(self, counts: Sequence[int]) -> int | None:
        """Where a composition stands, or None."""
        found = np.flatnonzero((self.counts == np.asarray(counts)).all(axis=1))
        return int(found[0]) if found.size else None

    def combined(self, weights: np.ndarray, is_share: bool = True) -> Estimate:
        """The weighted sum of win shares (weights float64[C, K]) with its interval.

        `is_share` says that the sum is a share itself, not a difference of two.
        """
        at = np.flatnonzero(weights.any(axis=1))
        games = int(self.games[at].sum())
        if games == 0:  # mirror tables alone: known by symmetry
            known = float((weights[at] * self.blocks[0, at]).sum())
            return Estimate(known, known, known, 0.0)
        values = np.einsum("bck,ck->b", self.blocks[:, at], weights[at])
        part = self.sizes / self.decks
        mean = float(part @ values)
        if len(part) < 2:
            return Estimate(mean, math.nan, math.nan, math.nan)
        error = math.sqrt(float(((values - mean) * part) ** 2 @ np.ones(len(part))) * len(part) / (len(part) - 1))
        low, high = interval(mean, error, self.decks, games, is_share)
        return Estimate(mean, float(low), float(high), error)


def gather(variant: str, strategies: Sequence[str], players: int, tables: Sequence[Table]) -> Shares:
    """The win shares of all tables, mirror tables added, ordered by composition."""
    decks = len(tables[0].shares)
    size = -(-decks // MOST_BLOCKS)
    starts = np.arange(0, decks, size)
    sizes = np.diff(np.append(starts, decks))
    mirrors = [
        Table(counts, np.tile((counts > 0) / players, (decks, 1)), 0, 0)
        for counts in np.eye(len(strategies), dtype=np.int64) * players
    ]
    ordered = sorted([*tables, *mirrors], key=lambda table: [-int(n) for n in table.counts])
    blocks = np.stack([np.add.reduceat(table.shares, starts, axis=0) / sizes[:, None] for table in ordered], axis=1)
    counts = np.array([table.counts for table in ordered], np.int64)
    games, orders = (np.array([getattr(table, name) for table in ordered], np.int64) for name in ("games", "orders"))
    return Shares(variant, tuple(strategies), players, counts, blocks, sizes, games, orders)


def by_place(strategy: np.ndarray, share: np.ndarray, rotations: int) -> np.ndarray:
    """Mean win share of the player at each place over the rotations of each deck, float64[decks, places].

    `strategy` holds the place of the player at each position, `share` the win share; both are [games, positions].
    """
    placed = np.empty(share.shape)
    np.put_along_axis(placed, strategy.astype(np.int64), share.astype(np.float64), axis=1)
    mean: np.ndarray = placed.reshape(-1, rotations, share.shape[1]).mean(axis=1)
    return mean


# -- one against the others -------------------------------------------------------------------------------


def matrix(shares: Shares) -> list[list[Estimate]]:
    """The payoff matrix: win share of one of the row's strategy against a table of the column's.

    Measure
    -------
    payoff_matrix (M5.3): share

    What one player of each strategy wins against a table of each other.

    Definition
    ----------
    The win share of one player of the row's strategy at a table at which all others play the column's. Every deck is
    played in every rotation, and all tables play the same decks. On the diagonal everybody plays alike and has a fair
    share.

    Formula
    -------
    matrix[a, b] = win share of one a among players - 1 of b

    Units
    -----
    Shares of games; a fair share is 1 / players.

    Traps
    -----
    For more than two players who wins against a table of three others needn't win in mixed company. Three players against
    one may gang up without meaning to.

    Source
    ------
    Empirical game theory: Wellman, "Methods for empirical game-theoretic analysis" (2006).
    """
    n = len(shares.strategies)
    return [[shares.combined(alone(shares, a, b)) for b in range(n)] for a in range(n)]


def alone(shares: Shares, one: int, others: int) -> np.ndarray:
    """Weights for the win share of one player of a strategy whom all others meet with another, float64[C, K]."""
    return _weights(shares, one, _unit(shares, others, shares.players - 1))


def against_others(shares: Shares) -> list[Estimate]:
    """Win share of each strategy alone against a table of each other strategy, on the average over these."""
    n = len(shares.strategies)
    found = []
    for a in range(n):
        weights = np.sum([alone(shares, a, b) for b in range(n) if b != a], axis=0)
        found.append(shares.combined(weights / (n - 1)))
    return found


def against_field(shares: Shares, field: Sequence[float] | None = None) -> list[Estimate] | None:
    """Win share of one player of each strategy whose opponents are drawn from a field, by default all equally often.

    None if not every composition was played.
    """
    if not shares.has_all:
        return None
    n = len(shares.strategies)
    field = [1 / n] * n if field is None else field
    return [shares.combined(field_weights(shares, a, field)) for a in range(n)]


def field_weights(shares: Shares, one: int, field: Sequence[float]) -> np.ndarray:
    """Weights for the win share of one player of a strategy in a field of others (shares of it by strategy), float64[C, K]."""
    total = np.zeros(shares.counts.shape)
    for row, counts in enumerate(shares.counts):
        others = counts.copy()
        others[one] -= 1
        if others[one] >= 0:
            total[row, one] = _chance(others, field)
    return total


def _chance(counts: np.ndarray, field: Sequence[float]) -> float:
    """Probability of a composition of opponents who are drawn from a field (multinomial)."""
    ways = math.factorial(int(counts.sum()))
    for count, part in zip(counts.tolist(), field, strict=True):
        ways = ways / math.factorial(count) * part**count
    return float(ways)


def _weights(shares: Shares, one: int, others: np.ndarray) -> np.ndarray:
    at = shares.row(others + _unit(shares, one))
    if at is None:
        raise KeyError(f"no table of {others.tolist()} and one more {shares.strategies[one]}")
    return _one(shares.counts.shape, at, one)


def _one(shape: tuple[int, ...], at: int, strategy: int) -> np.ndarray:
    """Weights of a single share."""
    weights = np.zeros(shape)
    weights[at, strategy] = 1
    return weights


def _unit(shares: Shares, strategy: int, count: int = 1) -> np.ndarray:
    counts = np.zeros(len(shares.strategies), np.int64)
    counts[strategy] = count
    return counts


# -- as frames --------------------------------------------------------------------------------------------


def payoffs(shares: Shares) -> pl.DataFrame:
    """A row per table and strategy that sits there."""
    rows = []
    for at, counts in enumerate(shares.counts):
        table = ",".join(f"{n} {name}" for n, name in zip(counts.tolist(), shares.strategies, strict=True) if n)
        for k in np.flatnonzero(counts).tolist():
            found = shares.combined(_one(shares.counts.shape, at, k))
            decks = shares.decks if shares.games[at] else 0
            rows.append((*key(shares), table, shares.strategies[k], int(counts[k]), *found[:4], int(shares.games[at]), decks))
    return frame_of(rows, _PAYOFFS)


def matrix_frame(shares: Shares, found: Sequence[Sequence[Estimate]]) -> pl.DataFrame:
    """A row per strategy and strategy of the others at the table."""
    rows = [
        (*key(shares), one, others, *found[a][b][:4], shares.decks)
        for a, one in enumerate(shares.strategies)
        for b, others in enumerate(shares.strategies)
    ]
    return frame_of(rows, _MATRIX)


def frame_of(rows: Sequence[tuple], schema: dict[str, Any]) -> pl.DataFrame:
    """Rows as a frame; what is not known is null."""
    frame = pl.DataFrame(rows, schema, orient="row")
    numbers = [name for name, kind in schema.items() if kind == pl.Float64]
    return frame.with_columns(pl.when(pl.col(name).is_finite()).then(pl.col(name)).alias(name) for name in numbers)


def key(shares: Shares) -> tuple[str, int]:
    return shares.variant, shares.players


ESTIMATE = dict.fromkeys(("share", "low", "high", "standard_error"), pl.Float64)
_PAYOFFS = {
    "variant": pl.String,
    "players": pl.Int64,
    "table": pl.String,
    "strategy": pl.String,
    "count": pl.Int64,
    **ESTIMATE,
    "games": pl.Int64,
    "decks": pl.Int64,
}
_MATRIX = {
    "variant": pl.String,
    "players": pl.Int64,
    "strategy": pl.String,
    "others": pl.String,
    **ESTIMATE,
    "decks": pl.Int64,
}
