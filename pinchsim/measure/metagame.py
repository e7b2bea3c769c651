"""The game of choosing a strategy: what each strategy wins at each table (METHODS M5.3).

A table is a composition: how many of its players follow which strategy. Seats do not matter here, since the design rotates
them (M1.3), so a composition is a multiset and the game of choosing is symmetric. All win shares of a table add up to 1, so
everybody gets 1/n where all choose alike: that is the value of the game, and the yardstick of every strategy.

Two kinds of sets of tables are in use. All multisets (`compositions`) say everything. One against n-1
(`pair_compositions`) says how a strategy enters a field of another, but for more than two players it leaves mixed fields
open, and an equilibrium cannot be found from it. Dominance and cycles are in `metagame_dominance`, equilibria in
`equilibrium`, alpha-rank in `alpha_rank`, intervals for all of them in `metagame_bootstrap`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

SUM_TOLERANCE = 1e-6  # shares of a table come from means of floats


def compositions(n_strategies: int, players: int) -> np.ndarray:
    """All multisets of strategies at a table, in lexicographic order of their members.

    Returns
    -------
    int64[C, n_strategies]
        How many players follow each strategy; C = (n_strategies + players - 1) over players.

    Examples
    --------
    >>> compositions(2, 3).tolist()
    [[3, 0], [2, 1], [1, 2], [0, 3]]
    """
    tables = list(combinations_with_replacement(range(n_strategies), players))
    return np.array([np.bincount(table, minlength=n_strategies) for table in tables], np.int64).reshape(len(tables), -1)


def pair_compositions(n_strategies: int, players: int) -> np.ndarray:
    """Tables with one player of a strategy against players - 1 of another, each once; int64[C, n_strategies].

    Examples
    --------
    >>> pair_compositions(2, 3).tolist()
    [[1, 2], [2, 1]]
    """
    unit = np.eye(n_strategies, dtype=np.int64)
    pairs = [(a, b) for a in range(n_strategies) for b in range(n_strategies) if a != b and (players > 2 or a < b)]
    return np.array([unit[a] + (players - 1) * unit[b] for a, b in pairs], np.int64).reshape(len(pairs), n_strategies)


class FieldShares(NamedTuple):
    """Win shares of one player of the row's strategy against players - 1 of the column's.

    Both float64[K, K]; 1/n with error 0 on the diagonal, nan where the table was not played.
    """

    shares: np.ndarray
    errors: np.ndarray


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """What each strategy wins at each table that was played.

    Attributes
    ----------
    strategies : tuple of str
        The K names.
    players : int
        Players at a table, n, at least 2.
    counts : int64[C, K]
        A composition per row: how many players follow each strategy. Rows differ and add up to n.
    shares : float64[C, K]
        Mean win share (0 to 1) of one player of the strategy at such a table; nan where none sits there.
    covariance : float64[C, K, K]
        Of the estimates in `shares`, from deck sums (METHODS M1.4); 0 or nan for those who are absent. nan for somebody who
        is present says that the error is unknown, as it is with a single deck: nothing is then certain of the table.

    Notes
    -----
    Tables of one strategy alone need not be given: there everybody wins 1/n. Estimates of different tables are taken as
    independent. If tables shared their decks (M1.2), errors of differences between tables are too large where the decks
    move both alike, and too small where they move them apart.

    Raises
    ------
    ValueError
        If shapes, sums, names or missing values do not fit together.
    """

    strategies: tuple[str, ...]
    players: int
    counts: np.ndarray
    shares: np.ndarray
    covariance: np.ndarray

    def __post_init__(self) -> None:
        for name, kind in (("counts", np.int64), ("shares", np.float64), ("covariance", np.float64)):
            array = np.array(getattr(self, name), kind)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "strategies", tuple(self.strategies))
        self._check_shapes()
        self._check_values()

    def _check_shapes(self) -> None:
        k, c = len(self.strategies), len(self.counts)
        if self.players < 2 or k < 1 or len(set(self.strategies)) != k:
            raise ValueError(f"a payoff table needs two players or more and strategies with different names: {self.strategies}")
        for name, shape in (("counts", (c, k)), ("shares", (c, k)), ("covariance", (c, k, k))):
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} has shape {getattr(self, name).shape}, expected {shape}")
        if len({tuple(row) for row in self.counts.tolist()}) != c:
            raise ValueError("a composition is given twice; merge its games first")

    def _check_values(self) -> None:
        if (self.counts < 0).any() or (self.counts.sum(axis=1) != self.players).any():
            raise ValueError(f"each composition must seat {self.players} players")
        if (np.isfinite(self.shares) != (self.counts > 0)).any():
            raise ValueError("win shares must be known for those who sit at a table and nan for the others")
        sums = (self.counts * np.nan_to_num(self.shares)).sum(axis=1)
        if not np.allclose(sums, 1, rtol=0, atol=SUM_TOLERANCE):
            raise ValueError(f"the win shares of a table must add up to 1, found {sums[np.abs(sums - 1).argmax()]:.6g}")

    def index(self, strategy: str) -> int:
        """Place of a strategy in `strategies`; ValueError with the known names if there is none."""
        if strategy not in self.strategies:
            raise ValueError(f"{strategy!r} is not a strategy of this table. Known: {', '.join(self.strategies)}.")
        return self.strategies.index(strategy)

    @cached_property
    def _places(self) -> dict[tuple[int, ...], int]:
        """Row of each composition."""
        return {tuple(row): place for place, row in enumerate(self.counts.tolist())}

    @cached_property
    def variances(self) -> np.ndarray:
        """Squared standard errors of `shares`, float64[C, K]; 0 where nobody sits, infinite where unknown."""
        return np.where(self.counts > 0, np.nan_to_num(np.einsum("ckk->ck", self.covariance), nan=np.inf), 0.0)

    def is_complete(self, wanted: np.ndarray | None = None) -> bool:
        """Whether all of these compositions, int64[any, K], are known; by default all there are."""
        wanted = compositions(len(self.strategies), self.players) if wanted is None else np.asarray(wanted)
        return all(row.max() == self.players or tuple(row.tolist()) in self._places for row in wanted)

    @cached_property
    def others(self) -> np.ndarray:
        """All multisets of the n-1 others at a table, int64[D, K]."""
        return compositions(len(self.strategies), self.players - 1)

    @cached_property
    def against(self) -> tuple[np.ndarray, np.ndarray]:
        """Win shares of one player of each strategy against each row of `others`, and their variances.

        Both float64[K, D]; nan where the table was not played.
        """
        k = len(self.strategies)
        shares, variances = np.full((2, k, len(self.others)), math.nan)
        for own in range(k):
            for place, row in enumerate(self.others + np.eye(k, dtype=np.int64)[own]):
                found = self._places.get(tuple(row.tolist()))
                if row.max() == self.players:
                    shares[own, place], variances[own, place] = 1 / self.players, 0.0
                elif found is not None:
                    shares[own, place], variances[own, place] = self.shares[found, own], self.variances[found, own]
        return shares, variances

    @cached_property
    def _ways(self) -> np.ndarray:
        """In how many orders each row of `others` can sit down, float64[D]."""
        ways = [math.factorial(self.players - 1) // math.prod(map(math.factorial, row)) for row in self.others.tolist()]
        return np.array(ways, np.float64)

    def chances(self, mix: np.ndarray) -> np.ndarray:
        """Probability of each row of `others` if each is drawn from `mix`, float64[D]. The mix is not checked here."""
        ways: np.ndarray = self._ways * np.prod(mix**self.others, axis=1)
        return ways

    def payoffs(self, mix: Sequence[float] | np.ndarray) -> np.ndarray:
        """Expected win share of one player of each strategy when the n-1 others are drawn independently from a mix.

        Parameters
        ----------
        mix : float64[K]
            Probability of each strategy.

        Returns
        -------
        float64[K]
            Win shares, 0 to 1. Weighted with the mix itself they add up to 1/n.

        Raises
        ------
        ValueError
            If the mix is none, or leads to tables that were not played.
        """
        mix = self._mix(mix)
        chances = self.chances(mix)
        return self._needed(self.against[0], chances) @ chances[chances > 0]

    def payoff_errors(self, mix: Sequence[float] | np.ndarray) -> np.ndarray:
        """Standard errors of `payoffs` for a mix that is given, not estimated; float64[K]. Raises as `payoffs` does."""
        mix = self._mix(mix)
        chances = self.chances(mix)
        errors: np.ndarray = np.sqrt(self._needed(self.against[1], chances) @ chances[chances > 0] ** 2)
        return errors

    def payoff(self, strategy: str, mix: Sequence[float] | np.ndarray) -> float:
        """Expected win share of one player of a strategy against others drawn from a mix; only its tables are needed.

        Raises
        ------
        ValueError
            As `payoffs`, and for an unknown strategy.
        """
        own, mix = self.index(strategy), self._mix(mix)
        chances = self.chances(mix)
        return float((self._needed(self.against[0][[own]], chances) @ chances[chances > 0])[0])

    def _mix(self, mix: Sequence[float] | np.ndarray) -> np.ndarray:
        array = np.asarray(mix, np.float64)
        if array.shape != (len(self.strategies),) or not (array >= 0).all() or abs(array.sum() - 1) > SUM_TOLERANCE:
            raise ValueError(f"a mix needs a probability for each of {len(self.strategies)} strategies, adding up to 1")
        return array

    def _needed(self, values: np.ndarray, chances: np.ndarray) -> np.ndarray:
        """The columns that can occur."""
        needed = values[:, chances > 0]
        if np.isnan(needed).any():
            raise ValueError("this mix leads to tables that were not played: a mixed field needs mixed tables")
        return needed

    def field_shares(self) -> FieldShares:
        """Each strategy alone against a field of each other, with standard errors (METHODS M5.3)."""
        k = len(self.strategies)
        pure = [int(np.flatnonzero((self.others == (self.players - 1) * unit).all(axis=1))[0]) for unit in np.eye(k)]
        return FieldShares(self.against[0][:, pure].copy(), np.sqrt(self.against[1][:, pure]))

    def resampled(self, rng: np.random.Generator) -> "PayoffTable":
        """The table as another run might have found it: shares drawn from the normal law of their errors.

        Each table's shares are drawn together and still add up to 1. They may leave the range from 0 to 1 a little where
        a share is close to its end. Compositions are drawn independently.

        Raises
        ------
        ValueError
            If errors are unknown.
        """
        present = self.counts > 0
        noise = np.einsum("ckl,cl->ck", self._roots, rng.standard_normal(self.shares.shape)) * present
        excess = (self.counts * noise).sum(axis=1, keepdims=True) / self.players
        return replace(self, shares=self.shares + noise - excess)

    @cached_property
    def _roots(self) -> np.ndarray:
        """Matrices whose products with their transposes are the covariances, float64[C, K, K]."""
        if np.isinf(self.variances).any():
            raise ValueError("the errors of these shares are unknown; more than one deck is needed")
        values, vectors = np.linalg.eigh(np.nan_to_num(self.covariance))
        return vectors * np.sqrt(np.clip(values, 0, None))[:, None, :]
