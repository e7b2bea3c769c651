"""What each position would have to be paid for a fair game (METHODS M3.2), found by adding bonuses to finished games.

With a bonus for each position the games of a run are scored again, and their win shares are compared. Scores are whole points
as a rule, so win shares change in steps, and hardly any bonus makes them exactly equal. Between neighbouring half points they
are therefore taken to lie on a straight line, position by position: as if a lot chose one of the two bonuses, with odds that
give the bonus on the average. Then a solution exists, and it is unique wherever the positions really compete: a higher bonus
for one raises its own share and lowers the others' (Berry, Gandhi and Haile, "Connected substitutes and invertibility of
demand", Econometrica 81, 2013).
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.certificate import joint_span
from pinchsim.measure.judgeable import SHARE
from pinchsim.measure.ladder import Span
from pinchsim.measure.moments import FEW_CLUSTERS
from pinchsim.measure.sample import Estimates, Sample
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, games_to_decide, verdict

POINT = 1000  # scores are kept in thousandths
HALF = POINT // 2
GRIDS = {"whole": POINT, "half": HALF}
MOST_GAMES = 40_000  # of a cell, for `price_of_first`
MOST_CARDS = 2**20  # more than anybody holds
MOST_BLOCKS = 1000  # blocks of neighbouring decks take the place of decks in the bootstrap
REPLICATES = 100
CLOSE = 1e-6  # half points: a search that moves no further has arrived
ROUGH = 1e-3  # half points: the same for decks drawn anew, whose prices differ by far more
SAME = 1e-2  # half points: solutions closer than this are one
ROUNDS = 500

Shares = Callable[[tuple[int, ...]], np.ndarray]


def fair_price(sample: Sample, fewer_hand_wins: bool, seed: int = 0) -> pl.DataFrame:
    """The bonus for each position that makes all win shares equal, by scoring finished games again.

    Measure
    -------
    fair_price (M3.2): fair_price, win_share:whole, win_share:half

    The bonus for each position that makes all win equally often.

    Definition
    ----------
    fair_price is the bonus by position, on top of those of the rules and relative to position 0, with which all positions win
    equally often in the games that were played: a bonus of 2 for position 1 makes up for what the start player has over it.
    fair_price:whole is the best choice of whole points next to it and fair_price:half that of half points, where the win share
    furthest from a fair share is closest to it; win_share:whole and win_share:half are the shares that these leave.

    Formula
    -------
    W(b)[p] = win share of position p when b is added to the scores
    fair_price = b with b[0] = 0 and W(b)[p] = 1 / players for all p
    W between half points: linear in each b[p]

    Units
    -----
    Points; shares of games. `win_share:...` takes the chosen bonus as given. The bonus may be negative.

    Traps
    -----
    The strategies of these games didn't know of the bonus. Who knows of one plays otherwise, so the price must be confirmed by
    a fresh run with this `start_bonus` on other decks (`pinchsim price`). The rule for equal scores matters; half points leave
    fewer ties. A price that is not unique, or has too few decks, is missing (NaN).

    Source
    ------
    Intervals by the cluster bootstrap: decks are drawn anew, 95 % of the prices found are in the interval. The idea is that of
    komi in Go and of bidding for sides.

    Parameters
    ----------
    fewer_hand_wins
        Whether among equal scores fewer cards in hand win, before the win is shared.
    seed
        Of the bootstrap; the same seed gives the same interval.

    Raises
    ------
    ValueError
        The win shares of the rows come from another rule for equal scores, or the rows lack a column.
    """
    rescored = _Rescored(sample, fewer_hand_wins, np.random.default_rng(seed))
    positions = range(sample.cell.players)
    least, greatest = _ends(rescored.means, len(positions))
    book = Estimates(sample)
    _add_price(book, rescored, least, greatest)
    for grid, step in GRIDS.items():
        bonus = _best(rescored.means, [_beside(least, step), _beside(greatest, step)])
        left = rescored.shares(bonus)
        for p in positions:
            price = (bonus[p] / POINT, math.nan, math.nan)
            book.add(f"fair_price:{grid}", p, "points", price, math.nan, rescored.games, rescored.decks)
        for p in positions:
            book.mean(f"win_share:{grid}", left[p], "share", True, p)
    return book.frame()


def price_of_first(sample: Sample, fewer_hand_wins: bool) -> pl.DataFrame:
    """`fair_price` by the first games of a cell: enough for a tenth of a point, and the search takes its time."""
    return fair_price(sample.first(MOST_GAMES), fewer_hand_wins)


def whole_points(table: pl.DataFrame) -> list[float] | None:
    """The best whole points by position in a table of `fair_price`; None if no price was found."""
    found = {name: table.filter(measure=name)["estimate"].to_list() for name in ("fair_price", "fair_price:whole")}
    return found["fair_price:whole"] if all(map(math.isfinite, found["fair_price"])) else None


class Fairness(NamedTuple):
    """How fair win shares by position are: which one is furthest from fair, how far, and the verdict on all of them.

    `games` would about decide what is undecided; None: far too many, or nothing is.
    """

    position: int
    off: Span
    verdict: str
    games: int | None


def fairness(rows: Sequence[Mapping[str, Any]], margin: float) -> Fairness:
    """Judge the win shares of all positions (a row each, in order) against a margin on both sides of a fair share.

    Within it are all of them or none: a bonus that helps one later player at the cost of another makes no game fair. The
    intervals hold at once (Bonferroni, M2.4), since one looks at the worst; the two shares of a duel are one number.
    """
    n = len(rows)
    spans = [joint_span(row, SHARE, n if n > 2 else 1) for row in rows]
    off = [Span(*(end - 1 / n for end in span)) for span in spans]
    verdicts = [verdict(span.low, span.high, margin) for span in off]
    together = OUTSIDE if OUTSIDE in verdicts else UNDECIDED if UNDECIDED in verdicts else WITHIN
    worst = max(range(n), key=lambda p: abs(off[p].estimate))
    needed = _games_needed(off, verdicts, rows, margin) if together == UNDECIDED else None
    return Fairness(worst, off[worst], together, needed)


def _games_needed(off: Sequence[Span], verdicts: Sequence[str], rows: Sequence[Mapping[str, Any]], margin: float) -> int | None:
    """About how many games would decide: until one share is surely off, if any seems to be, or else until all are fair."""
    waiting = [(span, row["games"]) for span, row, found in zip(off, rows, verdicts, strict=True) if found == UNDECIDED]
    beyond = [(span, games) for span, games in waiting if abs(span.estimate) > margin]
    needed = [games_to_decide(*span, games, margin) for span, games in beyond or waiting]
    known = [games for games in needed if games is not None]
    if beyond:
        return min(known, default=None)
    return max(known) if len(known) == len(needed) else None


class _Rescored:
    """The games of a sample, scored again with any bonus; `means` are win shares, also of samples with decks drawn anew."""

    def __init__(self, sample: Sample, fewer_hand_wins: bool, rng: np.random.Generator) -> None:
        hand = sample.player("hand").astype(np.int64) if fewer_hand_wins else 0
        rank = np.rint(sample.player("score") * POINT).astype(np.int64) * MOST_CARDS - hand
        self.rank = np.ascontiguousarray(rank.T)  # [positions, games]: the highest wins, equal ones share
        if not np.allclose(self.shares((0,) * len(self.rank)), sample.player("win_share").T, atol=1e-4):
            raise ValueError("the win shares of the rows come from another rule for equal scores")
        self.games = self.rank.shape[1]
        self.decks = self.games // sample.rotations
        self.starts = np.arange(0, self.games, -(-self.decks // MOST_BLOCKS) * sample.rotations)
        blocks = self.starts.size
        drawn = rng.multinomial(blocks, np.full(blocks, 1 / blocks), REPLICATES)
        weights = np.vstack([np.ones(blocks), drawn]).T
        self.weights = weights / (np.diff(np.append(self.starts, self.games)) @ weights)
        self.found: dict[tuple[int, ...], np.ndarray] = {}

    def shares(self, bonus: tuple[int, ...]) -> np.ndarray:
        """Share of the win of each position in each game, float64[positions, games]; `bonus` is in thousandths."""
        rank = self.rank + np.array(bonus)[:, None] * MOST_CARDS
        won = rank == rank.max(axis=0)
        shares: np.ndarray = won / won.sum(axis=0)
        return shares

    def means(self, bonus: tuple[int, ...]) -> np.ndarray:
        """Win shares of all games, then of each drawn sample, float64[positions, 1 + replicates]."""
        if bonus not in self.found:
            sums = np.add.reduceat(self.shares(bonus), self.starts, axis=1)
            self.found[bonus] = np.einsum("pb,bs->ps", sums, self.weights)  # not BLAS, whose threads fight on a busy machine
        return self.found[bonus]


def _add_price(book: Estimates, rescored: _Rescored, least: np.ndarray, greatest: np.ndarray) -> None:
    """Add the price of each position with its interval; neither where the price is not unique."""
    prices = np.full((1 + REPLICATES, least.size), math.nan)
    if np.abs(greatest - least).max() < SAME:
        prices[0] = least
        if rescored.decks >= FEW_CLUSTERS:
            prices[1:] = [_solve(rescored.means, r, least, close=ROUGH) for r in range(1, 1 + REPLICATES)]
    points = prices * (HALF / POINT)
    low, high = np.quantile(points[1:], [0.025, 0.975], axis=0)
    for p, price in enumerate(points[0]):
        error = float(points[1:, p].std(ddof=1))
        book.add("fair_price", p, "points", (price, low[p], high[p]), error, rescored.games, rescored.decks)


def _ends(means: Shares, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest bonuses in half points, float64[positions], with which all shares of all games are equal.

    Lowering all others together lowers all their shares, so that from there the search climbs to the least solution.
    """
    some = _solve(means, 0, np.zeros(n))
    aside = np.array([0.0] + [POINT / HALF] * (n - 1))
    return _solve(means, 0, some - aside), _solve(means, 0, some + aside, least=False)


def _solve(means: Shares, sample: int, start: np.ndarray, least: bool = True, close: float = CLOSE) -> np.ndarray:
    """Bonuses in half points, float64[positions], with which all win shares of a sample (a column of `means`) are equal.

    The bonus of one position after the other is set so that its own share is fair, until none moves any more; to the least
    that does it, or to the greatest. A search that moves no further than `close` has arrived.
    """
    bonus = start.copy()
    for _ in range(ROUNDS):
        before = bonus.copy()
        for p in range(1, bonus.size):
            bonus[p] = _fair_for(means, sample, bonus.tolist(), p, least)
        if np.abs(bonus - before).max() < close:
            break
    return bonus


def _fair_for(means: Shares, sample: int, bonus: list[float], p: int, least: bool) -> float:
    """The bonus of one position that makes its share fair, while those of the others stay; begins at its own."""
    corners = list(_corners(bonus, p))
    fair = round(1 / len(bonus), 12)

    def share(k: int) -> float:
        """The share with a bonus of k half points."""
        seen = sum(weight * means((*corner[:p], k * HALF, *corner[p + 1 :]))[p, sample] for corner, weight in corners)
        return round(float(seen), 12)

    def reached(k: int) -> bool:
        return share(k) >= fair if least else share(k) > fair

    k = math.floor(bonus[p])
    while reached(k):
        k -= 1
    while not reached(k + 1):
        k += 1
    return k + (fair - share(k)) / (share(k + 1) - share(k))


def _corners(bonus: list[float], p: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """The half points around the bonuses of all positions but p, in thousandths, and what each weighs in between."""
    sides = []
    for q, x in enumerate(bonus):
        below = math.floor(x)
        part = 0.0 if q == p else x - below
        sides.append([(below * HALF, 1 - part), ((below + 1) * HALF, part)] if part else [(below * HALF, 1.0)])
    for corner in product(*sides):
        yield tuple(k for k, _ in corner), math.prod(weight for _, weight in corner)


def _beside(price: np.ndarray, step: int) -> list[set[int]]:
    """The grid points next to the price of each position, in thousandths; `price` is in half points."""
    exact = price * HALF / step
    return [{math.floor(x) * step, math.ceil(x) * step} for x in exact]


def _best(means: Shares, choices: Sequence[Sequence[set[int]]]) -> tuple[int, ...]:
    """The bonus whose win shares are closest to equal, in thousandths; of equally good ones the smallest."""
    found = {bonus for each in choices for bonus in product(*each)}

    def worth(bonus: tuple[int, ...]) -> tuple[float, int, tuple[int, ...]]:
        off = np.abs(means(bonus)[:, 0] - 1 / len(bonus)).max()
        return round(float(off), 12), sum(map(abs, bonus)), bonus

    return min(found, key=worth)
