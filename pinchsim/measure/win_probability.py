"""Chances of winning turn by turn, fitted to finished games, and how a game goes by them (METHODS M3.7)."""

from typing import NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Sample

ROUNDS = 25  # of Newton's method, which is at its goal after about eight
CLOSE = 1e-6  # of a weight
RIDGE = 1e-3  # of one observation, so that signs which never differ have weight 0
BINS = 10
DECIDED, NEARLY_LOST = 0.8, 0.1


class Progress(NamedTuple):
    """Games turn by turn, one below the other, without the last turn of each, after which all is known.

    Attributes
    ----------
    signs : float64[turns, players, signs]
        What a bystander sees of everybody's prospects after each turn of each game.
    shares : float64[games, players]
        How each game ended, 1 / k for k players who share the win.
    games : int64[turns]
        Which game each turn belongs to, ascending.
    """

    signs: np.ndarray
    shares: np.ndarray
    games: np.ndarray

    def part(self, chosen: np.ndarray) -> "Progress":
        """Only the chosen games, bool[games]."""
        turns = chosen[self.games]
        return Progress(self.signs[turns], self.shares[chosen], (np.cumsum(chosen) - 1)[self.games[turns]])


def fit(progress: Progress, start: np.ndarray | None = None) -> np.ndarray:
    """Weights of the signs, float64[signs], that make the outcomes most likely.

    Each turn is one observation of a conditional logit: the chance of a player is the softmax of weights * signs over the
    table (McFadden 1974). Newton's method with a trace of a ridge; signs are centred over the table first. The weights to
    `start` with change how long it takes, not where it leads.
    """
    signs = progress.signs - progress.signs.mean(axis=1, keepdims=True)
    won = progress.shares[progress.games]
    weights = np.zeros(signs.shape[2]) if start is None else start
    flat = signs.reshape(-1, weights.size)
    for _ in range(ROUNDS):
        chances = softmax((flat @ weights).reshape(won.shape))
        slope = (won - chances).ravel() @ flat - RIDGE * weights
        weighted = signs * chances[:, :, None]
        mean = weighted.sum(axis=1)
        bend = flat.T @ weighted.reshape(flat.shape) - mean.T @ mean + RIDGE * np.eye(weights.size)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < CLOSE:
            break
    return weights


def softmax(x: np.ndarray) -> np.ndarray:
    """Softmax over the last axis."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    found: np.ndarray = e / e.sum(axis=-1, keepdims=True)
    return found


class Chances(NamedTuple):
    """Weights fitted on even and on odd decks; each half foretells the other."""

    even: np.ndarray
    odd: np.ndarray

    def of(self, signs: np.ndarray, deck: int) -> np.ndarray:
        """Everybody's chance after each turn of a game of this deck, float64[turns, players]."""
        return softmax(signs @ (self.odd if deck % 2 == 0 else self.even))


def fit_halves(progress: Progress, decks: np.ndarray) -> Chances:
    """Fit each half of the games by their deck, int64[games]."""
    is_even = decks % 2 == 0
    even = fit(progress.part(is_even))
    return Chances(even, fit(progress.part(~is_even), even))


def win_probability(sample: Sample, progress: Progress, chances: Chances) -> pl.DataFrame:
    """How a game goes by everybody's chance of winning after each turn.

    Measure
    -------
    win_probability (M3.7): chance_drama, chance_uncertainty, chance_permanence, decided, swing, lowest_chance, nearly_lost,
    favourite_changes, calibration, foretold, foretells

    How a game goes by everybody's chance of winning after each turn.

    Definition
    ----------
    The chance of each player is told from what a bystander sees after a turn. chance_drama is how far the eventual winner was
    behind the favourite, in chance, on the average over the turns; chance_uncertainty is how open it was who wins (1: all
    equal); chance_permanence is the part of the winner's ups and downs that the next turn did not undo. decided tells when the
    winner's chance rose above 80 % for good: 0 is the first turn, 1 the last. swing is by how much the winner's chance changes
    in a turn. lowest_chance is the winner's worst moment, nearly_lost the share of games in which that was below 10 %.
    favourite_changes counts the turns after which somebody else has the best chance. calibration:30 is how often players win
    whose chance is foretold as 30 to 40 %, and foretold:30 what is foretold for these on the average: they should be equal.
    foretells is how much better than equal chances these are.

    Formula
    -------
    chance     = softmax over the table of weights * signs
    drama      = mean over turns of (best chance - winner's chance)
    permanence = 1 - sum of undone changes / sum of all changes
    foretells  = 1 - squared error of the chances / that of equal chances

    Units
    -----
    Shares; turns. After the last turn all is known, so it has no say but in decided. Of several winners the one with the best
    chance counts at each turn.

    Traps
    -----
    Chances are those of somebody who knows no hands, and only as good as their calibration: look at it first. They are fitted
    on half of the decks and used on the other half. The first turn is no change of favourite: before it there is none. Turns
    of one game are alike; intervals count each deck once.

    Source
    ------
    After Browne, "Automatic generation and evaluation of recombination games" (2008), without what Ludii's versions add: a
    first move counts as no change. Conditional logit: McFadden (1974).

    Parameters
    ----------
    sample
        The rows of the games, in whole decks.
    progress
        The same games turn by turn.
    chances
        Weights by half of the decks.
    """
    decks = sample.game("deck").astype(np.int64)
    book, fair = Estimates(sample), 1 / progress.shares.shape[1]
    foretold = _foretold(progress, chances, decks)
    told = stories(foretold, progress)
    for name, unit, is_share in STORY:
        book.mean(name, told[name], unit, is_share)
    book.quantiles("lowest_chance", told["lowest_chance"], "share")
    book.share("nearly_lost", told["lowest_chance"] < NEARLY_LOST)
    won = progress.shares[progress.games]
    _calibrate(book, foretold, won, progress.games, len(decks))
    equal = _sum_by_game(((won - fair) ** 2).sum(axis=1), progress.games, len(decks))
    error = _sum_by_game(((won - foretold) ** 2).sum(axis=1), progress.games, len(decks))
    book.ratio("foretells", equal - error, equal, "share")
    return book.frame()


STORY = (
    ("chance_drama", "share", True),
    ("chance_uncertainty", "share", True),
    ("chance_permanence", "share", True),
    ("decided", "share", True),
    ("swing", "share", True),
    ("lowest_chance", "share", True),
    ("favourite_changes", "turns", False),
)


def stories(chances: np.ndarray, progress: Progress) -> dict[str, np.ndarray]:
    """How each game went by everybody's chance after each turn but the last, float64[turns, players]: see `win_probability`.

    Numbers by game. In a game of a single turn nothing happens.
    """
    games, n = progress.games, len(progress.shares)
    turns = np.bincount(games, minlength=n)
    own = np.where(progress.shares[games] > 0, chances, 0).max(axis=1)
    entropy = -(chances * np.log(np.maximum(chances, 1e-300))).sum(axis=1) / np.log(chances.shape[1])
    inside = games[1:] == games[:-1]  # where a turn has one before it
    steps = np.where(inside, np.diff(own), 0)
    switched = inside & (np.diff(chances.argmax(axis=1)) != 0)

    def mean(x: np.ndarray, many: np.ndarray = turns) -> np.ndarray:
        return _sum_by_game(x, games[len(games) - len(x) :], n) / np.maximum(many, 1)

    return {
        "chance_drama": mean(chances.max(axis=1) - own),
        "chance_uncertainty": mean(entropy),
        "chance_permanence": permanence(steps, games[1:], n),
        "decided": decided(own, games, turns),
        "swing": mean(np.abs(steps), turns - 1),
        "lowest_chance": _least(own, games, n),
        "favourite_changes": _sum_by_game(switched.astype(np.float64), games[1:], n),
    }


def permanence(steps: np.ndarray, games: np.ndarray, n: int) -> np.ndarray:
    """The part of all changes in each of n games that the next one does not undo; 1 without any. A step of 0 parts games."""
    size = np.abs(steps)
    back = np.where(steps[:-1] * steps[1:] < 0, np.minimum(size[:-1], size[1:]), 0)
    whole = _sum_by_game(size, games, n)
    undone = _sum_by_game(back, games[1:], n)
    return np.where(whole > 0, 1 - undone / np.maximum(whole, 1e-300), 1.0)


def decided(own: np.ndarray, games: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """When the winner's chance, float64[turns], rose above `DECIDED` for good: 0 is the first turn, 1 the last one."""
    first = np.cumsum(turns) - turns
    last_open = np.zeros(turns.size, np.int64)
    is_open = own <= DECIDED
    np.maximum.at(last_open, games[is_open], (np.arange(own.size) - first[games] + 1)[is_open])
    return last_open / np.maximum(turns, 1)


def _least(x: np.ndarray, games: np.ndarray, n: int) -> np.ndarray:
    found = np.ones(n)
    np.minimum.at(found, games, x)
    return found


def _foretold(progress: Progress, chances: Chances, decks: np.ndarray) -> np.ndarray:
    """Chances by the weights of the other half: float64[turns, players]."""
    even = (decks % 2 == 0)[progress.games]
    return np.where(even[:, None], softmax(progress.signs @ chances.odd), softmax(progress.signs @ chances.even))


def _sum_by_game(x: np.ndarray, games: np.ndarray, n: int) -> np.ndarray:
    return np.bincount(games, x, n)


def _calibrate(book: Estimates, foretold: np.ndarray, won: np.ndarray, games: np.ndarray, n: int) -> None:
    """How often those win whose chance is foretold as so much, bin by bin."""
    bins = np.minimum((foretold * BINS).astype(np.int64), BINS - 1)
    for k in range(BINS):
        here = bins == k
        times = _sum_by_game(here.sum(axis=1).astype(np.float64), games, n)
        for name, x in (("calibration", won), ("foretold", foretold)):
            book.ratio(f"{name}:{100 * k // BINS:02}", _sum_by_game((here * x).sum(axis=1), games, n), times, "share", True)


def progress_of(games: np.ndarray, signs: np.ndarray, shares: np.ndarray) -> Progress:
    """Games turn by turn without the last turn of each.

    `games` is int64[turns], `signs` float64[turns, players, signs], `shares` float64[games, players].
    """
    kept = np.r_[games[1:] == games[:-1], False]
    return Progress(signs[kept], shares, games[kept])
