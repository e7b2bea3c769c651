"""How much of a result each source of chance decides (METHODS M4.1), from games that share some of their sources."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.moments import Z95
from pinchsim.measure.sample import SCHEMA
from pinchsim.measure.summary import CellName

WHO_PLAYS, WHO_STARTS = "who_plays", "who_starts"
LUCK, LUCK_POINTS = "luck", "luck_points"
BLOCKS = 500  # of neighbouring roots, that take their place in the bootstrap
REPLICATES = 400


class Branches(NamedTuple):
    """Results of seat 0 in games that branch off from others.

    Attributes
    ----------
    values : float64[roots, 1 + sources]
        Column k: the game of this root that takes all but its first k + 1 sources anew; the last but one column is the root
        itself, and the last its twin, which takes the last but one source anew. What everybody gets on the average is
        taken off.
    outer : int64[roots, 1 + sources]
        Which of the equally likely combinations of who plays and who starts each game has.
    combinations : int
        How many of these there are.
    mixed : bool
        Whether strategies differ, so that who plays is the first source; otherwise it is who starts.
    """

    values: np.ndarray
    outer: np.ndarray
    combinations: int
    mixed: bool


def luck_budget(branches: Branches, sources: Sequence[str], name: str, cell: CellName) -> pl.DataFrame:
    """Which share of a result's variance is decided by each source of chance.

    Measure
    -------
    luck (M4.1): luck, luck_points

    How much of the result is decided by who plays, who starts, the cards and random choices.

    Definition
    ----------
    The result is the win share of one seat (luck) or the points by which it is ahead of the mean of the others (luck_points).
    Sources of chance come into a game one after the other: who plays, who starts, the hand as dealt, the others' hands, market
    and draw pile, random choices of the others and own ones. A source's part is how much less the result varies once this
    source is known, too, as a share of all its variance: luck:hand is what the hand as dealt tells beyond who plays and who
    starts. Of random choices it is the mean of knowing them before and after the other players'. The parts add up to 100 %.
    Measured in games that share their first sources and take all others anew.

    Formula
    -------
    V(k)    = covariance of two games' results that share sources 1 to k only
            = variance of E(result | sources 1 to k)
    part(k) = (V(k) - V(k - 1)) / V(all)

    Units
    -----
    Shares of the variance. `games` are the games played, `decks` the roots, each a game with the games that branch off from it.

    Traps
    -----
    Parts depend on the order in which sources become known: what two sources do together counts for the later one. A part of
    0 can be estimated a little below 0. Parts of random choices mean how unlike two games of the same deck are, not that
    choices are wise. Who plays without randomness has no part of random choices; that does not make the
    game less a matter of luck, as the cards then decide all of the rest. Share of variance is not share of wins: an advantage
    of 8 percentage points at the start is less than 2 % of the variance. There is no variance reduction factor (M1.5):
    independent games, which share no source of chance, cannot tell these parts, however many they are.

    Source
    ------
    Sobol', "Sensitivity estimates for nonlinear mathematical models" (1993), for nested sets of sources, estimated by pairs of
    games as by Saltelli et al. (2010); who plays and who starts by the spread of their means, less what noise adds to it.

    Parameters
    ----------
    branches
        Results, see `Branches`.
    sources
        Names of the game's own sources, in order.
    name
        "luck" or "luck_points", by what `branches` hold.
    cell
        Which cell the rows are of.
    """
    sums = _Sums.of(branches)
    found = sums.parts(np.ones((1, sums.roots.size)))[0].round(12) + 0.0  # 0 is 0, not what is left of a difference
    error = _bootstrap(sums).std(axis=0, ddof=1).round(12)
    outer = [WHO_PLAYS, WHO_STARTS] if branches.mixed else [WHO_STARTS]
    size = branches.values.size, len(branches.values)
    rows = [
        (*cell, f"{name}:{source}", -1, "share", part, part - Z95 * e, part + Z95 * e, e, *size)
        for source, part, e in zip([*outer, *sources], found, error, strict=True)
    ]
    return pl.DataFrame(rows, SCHEMA, orient="row")


class _Groups(NamedTuple):
    """Results by group, such as who starts: sums over the roots of each block, float64[blocks, groups].

    `values` and `times` are a root's results in a group and their number; the others are sums of their squares and products,
    as the games of a root are alike.
    """

    values: np.ndarray
    times: np.ndarray
    squares: np.ndarray
    products: np.ndarray
    times_squares: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, group: np.ndarray, groups: int, by_block: Callable[[np.ndarray], np.ndarray]) -> "_Groups":
        hit = [group == k for k in range(groups)]
        total, times = (np.stack([(x * h).sum(axis=1) for h in hit], axis=1) for x in (values, 1.0))
        return cls(*map(by_block, (total, times, total**2, total * times, times**2)))

    def spread(self, weights: np.ndarray) -> np.ndarray:
        """Variance of the groups' true means around 0: what noise adds to it is taken off; float64[n, blocks] -> float64[n]."""
        total, times, squares, products, times_squares = (weights @ x for x in self)
        times = np.maximum(times, 1)
        means = total / times
        noise = (squares - 2 * means * products + means**2 * times_squares) / np.maximum(times**2 - times_squares, 1)
        found: np.ndarray = (means**2 - noise).mean(axis=1)
        return found


class _Sums(NamedTuple):
    """Sums over the roots of each block, from which all parts follow.

    `roots` is float64[blocks]; `pairs` float64[blocks, sources], of products of results that share so many sources; `twins`
    float64[blocks], of products of roots and twins; `square` float64[blocks]; `outer` has the groups of each source that is
    told by means: who plays, and who plays and starts, or who starts alone.
    """

    roots: np.ndarray
    pairs: np.ndarray
    twins: np.ndarray
    square: np.ndarray
    outer: tuple[_Groups, ...]

    @classmethod
    def of(cls, branches: Branches) -> "_Sums":
        values, n = branches.values[:, :-1], len(branches.values)
        block = np.arange(n) * min(BLOCKS, n) // n
        starts = np.flatnonzero(np.r_[True, np.diff(block) > 0])

        def by_block(x: np.ndarray) -> np.ndarray:
            sums: np.ndarray = np.add.reduceat(x, starts, axis=0)
            return sums

        # Game k shares its first k + 1 sources with the root and with every game that shares more. All variance is that of the
        # root and of the game next to it: so a last source without effect has a part of exactly 0.
        later = np.cumsum(values[:, ::-1], axis=1)[:, ::-1] - values
        partners = np.arange(values.shape[1])[::-1]
        products = np.where(partners > 0, values * later / np.maximum(partners, 1), values**2)
        twins, square = values[:, -1] * branches.values[:, -1], (values[:, -2:] ** 2).mean(axis=1)
        players = round(branches.combinations**0.5)
        groups = [(branches.outer // players, players)] if branches.mixed else []
        groups.append((branches.outer, branches.combinations))
        outer = tuple(_Groups.of(branches.values, group, many, by_block) for group, many in groups)
        return cls(by_block(np.ones(n)), by_block(products), by_block(twins), by_block(square), outer)

    def parts(self, weights: np.ndarray) -> np.ndarray:
        """Parts of each source for blocks counted so often, float64[n, blocks] -> float64[n, sources]."""
        roots = weights @ self.roots
        whole = weights @ self.square / roots
        known = (weights @ self.pairs) / roots[:, None]
        for k, groups in enumerate(self.outer):
            known[:, k] = groups.spread(weights)  # far more exact than by pairs
        known[:, -1] = whole
        parts: np.ndarray = np.diff(known, axis=1, prepend=0)
        # The last two sources come in both orders: the twin knows the last one, but not the one before it.
        own_first = weights @ self.twins / roots - known[:, -3]
        parts[:, -1] = (parts[:, -1] + own_first) / 2
        parts[:, -2] = known[:, -1] - known[:, -3] - parts[:, -1]
        return parts / whole[:, None]


def _bootstrap(sums: _Sums) -> np.ndarray:
    """Parts of blocks drawn anew, float64[REPLICATES, sources]; always the same draws."""
    blocks = sums.roots.size
    drawn = np.random.default_rng(0).multinomial(blocks, np.full(blocks, 1 / blocks), REPLICATES)
    return sums.parts(drawn.astype(np.float64))
