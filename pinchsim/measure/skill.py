"""How much skill a game rewards: levels of strength, skill trace, and "x %-chess" (METHODS M5.1, M5.2).

All of it describes the strategies that were given, not the game alone: with other bots, another ladder, other numbers.

Levels
    A chain in which each strategy surely beats the one below (`distinguishable_levels`) counts what the games could tell
    apart, so it grows with the games until the ladder is used up. `depth` is a distance instead: how many steps of a fixed
    size fit between the weakest and the strongest. A step is where the stronger wins 60 % of duels in the usual definition
    of depth (as discussed and made continuous by Cauwet et al., "Depth, balancing, and limits of the Elo model",
    arXiv:1511.02006, 2015), or 75 %, about 200 Elo points (a chess class). Results for both are not comparable.

Skill trace
    The win share of an effort against half of it, along a ladder of efforts: the idea of Browne, "Quickly detecting skill
    trace in games" (IEEE CoG 2022). His statistic condenses the curve into one number in another way; here the curve itself
    is told, with a slope and a statement about its end.

x %-chess
    Duersch, Lambrecht and Oechssler, "Measuring skill and chance in games", European Economic Review 127 (2020) 103472:
    the wider the distribution of Elo ratings of a game's players, the more skill. The yardstick is chess in which a part of
    the games is decided by a coin: 50 %-chess marks the border of games of skill. What is theirs: the spread as a measure,
    the yardstick, the standard deviation. What is not:

    - Their players are people on the internet who chose to play; ours are bots, and their spread depends on which we built.
    - They update ratings game by game, with the step that predicts best, and count players with 25 games or more. As we
      read it, such ratings are pulled towards the middle, the more the noisier the game: as quoted, 50 %-chess has less
      than a quarter of the spread of chess. Ours are maximum-likelihood ratings of many games, where it has 30 to 45 %
      (`x_chess_spread`). So their spreads must not be set against ours: only one of chess that is not shrunk.
    - Their ratings for more players come from whole rankings, ours from the winner (`ratings`), and chess is for two.

    We had no access to the paper itself. `PUBLISHED_SPREADS` holds what others quote from it, and where they disagree.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.metagame import PayoffTable
from pinchsim.measure.metagame_dominance import beats, longest_chain
from pinchsim.measure.moments import Z95
from pinchsim.measure.verdict import UNDECIDED

# Standard deviations of Elo ratings as quoted by others, not checked against the papers. Of the working paper of 7 March 2018
# (slides at the University of Trier): chess 123.4, 50 %-chess 28.1, poker 6.0. Of the article of 2020: 50 %-chess about 45,
# and about 123 for a game that is decided half by rank and half by lot, the number that the other quotation gives for chess.
PUBLISHED_SPREADS = {"chess (2018)": 123.4, "50 %-chess (2018)": 28.1, "poker (2018)": 6.0, "50 %-chess (2020)": 45.0}

DUEL_60, DUEL_75 = 0.60, 0.75
RISING, LEVEL_OFF, FALLING = "still rising", "levelled off", "falling"
ELO = 400 / math.log(10)


def distinguishable_levels(table: PayoffTable) -> list[str]:
    """Longest chain of strategies each of which surely beats the one before, weakest first.

    Strength is ordered by the mean win share against the fields of the others (of those that were played); a chain only goes
    up in that order. "Surely" is as in `metagame_dominance.beats`: all pairs are one family, corrected after Holm. Who
    beats whom need not be transitive: a level need not beat those further down.

    Measure
    -------
    levels (M5.1)

    How many levels of strength can be told apart.

    Definition
    ----------
    The longest chain of strategies each of which surely beats the one before, from weakest to strongest.

    Formula
    -------
    a beats b if one a at a table of b surely wins more than 1 / players

    Units
    -----
    A number of levels.

    Traps
    -----
    It counts what the games could tell apart, so it grows with the games until the ladder is used up; depth is a distance
    instead. Another ladder has other levels.

    Source
    ------
    Tests of all pairs, corrected after Holm.
    """
    shares = table.field_shares().shares.copy()
    np.fill_diagonal(shares, np.nan)
    played = np.isfinite(shares)
    strength = np.nan_to_num(shares).sum(axis=1) / np.maximum(played.sum(axis=1), 1)
    order = np.argsort(strength, kind="stable")
    return [table.strategies[order[k]] for k in longest_chain(beats(table)[np.ix_(order, order)])]


class Depth(NamedTuple):
    """Number of steps of `step_elo` points between the weakest and the strongest, with a 95 % interval.

    A game in which all are equal has depth 0; people who count the levels themselves say one more.
    """

    steps: float
    low: float
    high: float
    step_elo: float


def depth(difference_elo: float, error_elo: float, duel_share: float = DUEL_60) -> Depth:
    """How many steps fit between two ratings.

    Measure
    -------
    depth (M5.1)

    How far the weakest and the strongest are apart, in steps.

    Definition
    ----------
    How many steps fit between the weakest and the strongest player, if at each step the better one wins 60 % (or 75 %) of
    duels.

    Formula
    -------
    depth = difference of Elo / (400 log10(share / (1 - share)))

    Units
    -----
    Steps.

    Traps
    -----
    Depths for 60 % and for 75 % can't be compared. It is that of the strategies at hand: with a stronger or a weaker one
    the game gets deeper.

    Source
    ------
    Cauwet et al., "Depth, balancing, and limits of the Elo model" (arXiv:1511.02006, 2015).

    Parameters
    ----------
    difference_elo, error_elo
        The strongest rating less the weakest, in Elo points, and its standard error. Infinite if the weakest never won.
        The two must be named before the games; if they are found as the extremes of many, the difference is biased upward.
    duel_share
        What the stronger wins of duels at one step, above 0.5 and below 1. With more players at a table it says the odds of
        one of the two winning rather than the other.

    Raises
    ------
    ValueError
        If `duel_share` is out of range.

    Examples
    --------
    >>> depth(400 * np.log10(81), 0, duel_share=0.75).steps.round(6).item()
    4.0
    """
    if not 0.5 < duel_share < 1:
        raise ValueError(f"the stronger wins more than half of duels and less than all, not {duel_share}")
    step = 400 * math.log10(duel_share / (1 - duel_share))
    half = Z95 * error_elo
    low = -math.inf if math.isinf(half) else (difference_elo - half) / step
    return Depth(difference_elo / step, low, (difference_elo + half) / step, step)


@dataclass(frozen=True)
class SkillTrace:
    """How much a doubling of effort is worth along a ladder.

    Attributes
    ----------
    rows : polars.DataFrame
        A row per step: effort, effort of the level below, doublings, win share with its 95 % interval, and edge (share less
        1/n) per doubling with its interval.
    slope, slope_error : float
        Change of the edge per doubling from one doubling to the next, by weighted least squares over the middle of the
        steps; nan with fewer than two steps. Negative: returns diminish.
    statement : str
        What the last step says: "still rising", "levelled off" (within the margin), "falling" or "undecided".
    """

    rows: pl.DataFrame
    slope: float
    slope_error: float
    statement: str


def skill_trace(
    efforts: Sequence[float], shares: Sequence[float], errors: Sequence[float], players: int, margin: float = 0.01
) -> SkillTrace:
    """The win share of each effort against the one below.

    Measure
    -------
    skill_trace (M5.1): edge

    What twice the effort is worth, again and again.

    Definition
    ----------
    How much a player gains by twice the effort, again and again: the win share of one player of each effort among players
    with half of it. The end says whether more effort still pays: still rising, levelled off, falling, or undecided.

    Formula
    -------
    edge = (win share - 1 / players) / doublings

    Units
    -----
    Percentage points a doubling.

    Traps
    -----
    It describes this searcher, not the game alone: one that uses its effort badly levels off in a deep game. A trace may
    rise again beyond the efforts that were tried.

    Source
    ------
    Browne, "Quickly detecting skill trace in games" (IEEE CoG 2022), with another statistic.

    Parameters
    ----------
    efforts : float64[L]
        Playouts, nodes, seconds, ...; ascending, best doubling each time.
    shares, errors : float64[L - 1]
        Win share of one player of effort k + 1 against players - 1 of effort k, and its standard error. Errors of 0 count as
        exact in the statement, but the slope then weighs all steps alike.
    players
        Players at a table, n.
    margin
        Edge per doubling, in win share, that is as good as none; fixed before the run (METHODS M2.3).

    Returns
    -------
    SkillTrace
        "levelled off" speaks of these efforts only: a ladder may rise again where search starts to see something new, and a
        bot that uses its effort badly levels off in a deep game. It is no proof of best play.

    Raises
    ------
    ValueError
        If lengths do not fit or efforts do not ascend.
    """
    effort, share, error = (np.asarray(x, np.float64) for x in (efforts, shares, errors))
    if not (effort.size == share.size + 1 == error.size + 1 >= 2):
        raise ValueError("a skill trace needs one share and one error for each step between efforts, and one step or more")
    if not (effort > 0).all() or not (np.diff(effort) > 0).all():
        raise ValueError("efforts must be positive and ascend")
    doublings = np.diff(np.log2(effort))
    edge, edge_error = (share - 1 / players) / doublings, error / doublings
    low, high = edge - Z95 * edge_error, edge + Z95 * edge_error
    columns = {"effort": effort[1:], "below": effort[:-1], "doublings": doublings, "share": share}
    columns |= {"share_low": share - Z95 * error, "share_high": share + Z95 * error}
    rows = pl.DataFrame(columns | {"edge": edge, "edge_low": low, "edge_high": high})
    middles = np.log2(effort[1:]) - doublings / 2
    return SkillTrace(rows, *_slope(middles, edge, edge_error), _end(low[-1], high[-1], margin))


def _slope(x: np.ndarray, y: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """Slope of a weighted line and its standard error, from the errors of the points alone."""
    if x.size < 2:
        return math.nan, math.nan
    exact = bool((error <= 0).any())
    weight = np.ones_like(x) if exact else error**-2.0
    off = x - np.average(x, weights=weight)
    squares = float(weight @ off**2)
    return float(weight @ (off * y)) / squares, math.nan if exact else squares**-0.5


def _end(low: float, high: float, margin: float) -> str:
    if -margin <= low and high <= margin:
        return LEVEL_OFF
    return RISING if low > 0 else FALLING if high < 0 else UNDECIDED


class Spread(NamedTuple):
    """Standard deviation of ratings, in Elo points, without the part that is noise; with a 95 % interval."""

    elo: float
    low: float
    high: float


def rating_spread(elo: np.ndarray, covariance: np.ndarray, weights: np.ndarray | None = None) -> Spread:
    """Spread of a population of ratings.

    Parameters
    ----------
    elo : float64[K]
        Ratings, in Elo points.
    covariance : float64[K, K]
        Of the estimates. Its part in the variance of `elo` is taken off, as noise widens any spread (METHODS M2.5).
    weights : float64[K], optional
        How common each strategy is in the population that is meant. By default all are equally common, and the population
        is exactly these (no K - 1): no strategy is a sample of anything.
    """
    elo = np.asarray(elo, np.float64)
    weights = np.full(elo.size, 1 / elo.size) if weights is None else np.asarray(weights, np.float64) / np.sum(weights)
    form = np.diag(weights) - np.outer(weights, weights)  # elo @ form @ elo is the variance
    noise = form @ covariance
    variance = float(elo @ form @ elo - np.trace(noise))
    error = math.sqrt(max(float(4 * elo @ noise @ form @ elo + 2 * np.trace(noise @ noise)), 0.0))
    low, high = (math.sqrt(max(variance + sign * Z95 * error, 0.0)) for sign in (-1, 1))
    return Spread(math.sqrt(max(variance, 0.0)), low, high)


def x_chess_spread(x: float, chess_elo: float) -> float:
    """Spread of ratings that x %-chess would show, in Elo points, if its players' ratings in chess are normal.

    A game is chess with probability x and a coin otherwise, so that the better player wins x * logistic(difference) +
    (1 - x) / 2. New ratings are fitted to that: those with which everybody, against opponents drawn from the population, wins
    as often as they do (maximum likelihood of endlessly many games). No rating is shrunk. x = 0 gives 0 and x = 1 `chess_elo`.

    Parameters
    ----------
    x
        Share of games that are chess, 0 to 1.
    chess_elo
        Spread of ratings in chess, in Elo points.
    """
    if not 0 <= x <= 1 or not 0 <= chess_elo < math.inf:
        raise ValueError("x is a share from 0 to 1, and the spread of chess is 0 or more")
    points, weights = np.polynomial.hermite_e.hermegauss(41)
    weights = weights / weights.sum()
    skill = points * chess_elo / ELO
    wins = x * (_logistic(skill[:, None] - skill) @ weights) + (1 - x) / 2
    rating = x * skill
    for _ in range(100):
        chance = _logistic(rating[:, None] - rating)
        slopes = chance * (1 - chance) * weights
        jacobian = np.diag(slopes.sum(axis=1)) - slopes + weights  # the last term holds the mean at 0
        step = np.linalg.solve(jacobian, wins - chance @ weights)
        rating = rating + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-12:
            break
    return ELO * math.sqrt(float(weights @ (rating - weights @ rating) ** 2))


def _logistic(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(x / 2))


class ChessPercent(NamedTuple):
    """The x of the x %-chess with the same spread, in percent, with a 95 % interval, and whether it is above one half.

    100 means chess or more. `verdict` is "above 50 %-chess", "below 50 %-chess" or "undecided".
    """

    percent: float
    low: float
    high: float
    verdict: str


def chess_percent(spread: Spread, chess_elo: float) -> ChessPercent:
    """Skill against chance as x %-chess.

    Measure
    -------
    chess_percent (M5.2): x_chess

    Skill against chance, set against chess with coins.

    Definition
    ----------
    Chess in which a part of the games is decided by a coin has a narrower spread of ratings. A game is x %-chess if its
    ratings spread as widely as those of chess with x % real games. 50 % is the border between games of chance and of
    skill.

    Formula
    -------
    x: spread of x %-chess = spread of the ratings found

    Units
    -----
    Percent; 100 is chess or more.

    Traps
    -----
    The spread is that of the strategies at hand, not of people. The spread of chess must be given, and sources disagree
    about it; the interval doesn't cover that doubt.

    Source
    ------
    Duersch, Lambrecht and Oechssler, "Measuring skill and chance in games", European Economic Review 127 (2020).

    Parameters
    ----------
    spread
        Of the ratings of the game in question, from many games each.
    chess_elo
        Spread of ratings in chess, in Elo points: for a population as mixed as the bots, from ratings that are not shrunk. No
        default, since no number is right for all; say which was used. The interval does not cover doubt about it.
    """
    percent, low, high = (100 * _same_spread(x, chess_elo) for x in spread)
    half = x_chess_spread(0.5, chess_elo)
    above = "above 50 %-chess" if spread.low > half else "below 50 %-chess" if spread.high < half else UNDECIDED
    return ChessPercent(percent, low, high, above)


def _same_spread(elo: float, chess_elo: float) -> float:
    """The x, from 0 to 1, of the x %-chess with a given spread."""
    from scipy.optimize import brentq

    if elo <= x_chess_spread(0.0, chess_elo):  # 0 but for rounding
        return 0.0
    if elo >= x_chess_spread(1.0, chess_elo):
        return 1.0
    return float(brentq(lambda x: x_chess_spread(x, chess_elo) - elo, 0.0, 1.0, xtol=1e-9))


def lottery_share(share: float, players: int) -> float:
    """Share of games that a lottery decides, if the better always wins the others: the game of rank and lot.

    Duersch et al.'s other yardstick in its simplest form, for one strategy against players - 1 of another: a share s comes
    about if 1 - (s - 1/n) / (1 - 1/n) of the games are lotteries. Below 1/n the stronger is the other, and it is above 1.

    Examples
    --------
    >>> lottery_share(0.625, players=4)
    0.5
    """
    return 1 - (share - 1 / players) / (1 - 1 / players)
