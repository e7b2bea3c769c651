"""What the dealt cards are worth (METHODS M3.9): a regression of win shares on hands, deck by deck."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Part, Sample

CARD, GROUP = "card", "group"
DEAD = 0.5  # of a fair share: a hand that is expected to win less often is dead
FEW_DEALT = 0.001  # of what is dealt on the average to a seat: what is rarer has no effect of its own here


class Hands(NamedTuple):
    """What each seat was dealt from each deck of a sample, int[decks, seats] by name; `cards` add up to the same for all."""

    cards: Mapping[str, np.ndarray]
    groups: Mapping[str, np.ndarray]


class _Fit(NamedTuple):
    """A regression on centred columns: coefficients, and how far each deck pulls each of them, float64[decks, columns]."""

    weights: np.ndarray
    pulls: np.ndarray


def cards(sample: Sample, hands: Hands) -> pl.DataFrame:
    """What each card and each group in the hand as dealt is worth in wins, and how often a hand is dead.

    Measure
    -------
    cards (M3.9): card, group, hand_tells, dead_hand, dead_hand_wins

    What each dealt card and group is worth in wins, and how often a hand is dead.

    Definition
    ----------
    card:joker is by how much the win share rises if a joker is dealt instead of an average card, all else equal; group:pair
    what it rises by for each value dealt exactly twice, beyond what its cards are worth. hand_tells is the share of the
    variance of a seat's wins over a deck that the hand as dealt foretells. A hand is dead if the win share that its cards and
    groups foretell is at most half of a fair share: dead_hand is the share of hands that are, dead_hand_wins what they win.

    Formula
    -------
    win share of a seat = fair share + sum of number dealt * effect + rest
    effect of a card    = coefficient - mean coefficient of a dealt card

    Units
    -----
    Win share (0.01: a percentage point); shares. `decks` are clusters, `games` those of all their rotations.

    Traps
    -----
    Everybody holds each hand from every position, so the start is balanced out. Effects are those for the strategies that
    played: who does not know how to use a joker has no use for it. Hands are told by counts only; what three cards do
    together that pairs and triples do not tell is in the rest. Chances are foretold by coefficients of the other half of the
    decks, so a dead hand is not one that happened to lose.

    Source
    ------
    Least squares with cluster-robust (sandwich) errors by deck: Liang and Zeger (1986). Cross-fitting by halves of the decks.

    Parameters
    ----------
    hands
        What was dealt, see `Hands`.

    Raises
    ------
    ValueError
        Hands and sample have other numbers of decks.
    """
    wins = seat_wins(sample)
    names, x = _columns(hands)
    if x.shape[:2] != wins.shape:
        raise ValueError(f"{x.shape[:2]} hands for {wins.shape} decks and seats")
    book = Estimates(sample)
    n_cards = len(hands.cards)
    _add_effects(book, wins, names, x, n_cards)
    if len(wins) < 2:
        return book.frame()  # there is no other half to foretell from
    foretold = cross_fitted(wins, x)
    fair = 1 / wins.shape[1]
    dead, hands_dealt = (foretold <= DEAD * fair).astype(np.float64), np.full(len(wins), wins.shape[1] * 1.0)
    rest, all_of_it = ((y**2).sum(axis=1) for y in (wins - foretold, wins - fair))
    games = len(wins) * sample.rotations
    book.deck_ratio("dead_hand", dead.sum(axis=1), hands_dealt, "share", games, True)
    book.deck_ratio("dead_hand_wins", (dead * wins).sum(axis=1), dead.sum(axis=1), "share", games, True)
    book.deck_ratio("hand_tells", all_of_it - rest, all_of_it, "share", games)
    return book.frame()


def seat_wins(sample: Sample) -> np.ndarray:
    """The mean win share of each seat over the rotations of a deck, in which it had every position: float64[decks, seats]."""
    return np.concatenate([sample.by_deck(_by_seat(part)) for part in sample.parts()]) / sample.rotations


def _by_seat(part: Part) -> np.ndarray:
    """The win share of each seat in each game, float64[games, seats]."""
    seats, shares = part.player("seat").astype(np.int64), part.player("win_share").astype(np.float64)
    by_seat = np.zeros(shares.shape)
    np.put_along_axis(by_seat, seats, shares, axis=1)
    return by_seat


def _columns(hands: Hands) -> tuple[list[str], np.ndarray]:
    """Names, and float64[decks, seats, columns] of the numbers dealt."""
    named = {f"{CARD}:{name}": x for name, x in hands.cards.items()} | {
        f"{GROUP}:{name}": x for name, x in hands.groups.items()
    }
    return list(named), np.stack([x.astype(np.float64) for x in named.values()], axis=2)


def _add_effects(book: Estimates, wins: np.ndarray, names: list[str], x: np.ndarray, n_cards: int) -> None:
    """The effect of each column, those of cards against the mean of a dealt card."""
    found, dealt = _fit(wins, x), x.mean(axis=(0, 1))
    share = dealt[:n_cards] / max(dealt[:n_cards].sum(), 1e-300)
    against = np.eye(len(names))
    against[:n_cards, :n_cards] -= share
    effects, pulls = against @ found.weights, found.pulls @ against.T
    for k, name in enumerate(names):
        if dealt[k] > FEW_DEALT:
            book.pulled(name, effects[k], pulls[:, k], "win share", len(wins) * book.sample.rotations)


def _fit(wins: np.ndarray, x: np.ndarray) -> _Fit:
    """Least squares; where columns depend on each other, the smallest coefficients."""
    centred, y = x - x.mean(axis=(0, 1)), wins - wins.mean()
    flat = centred.reshape(-1, x.shape[2])  # a matrix: far quicker than sums over three axes
    inverse = np.linalg.pinv(flat.T @ flat, rcond=1e-10, hermitian=True)
    weights = inverse @ (flat.T @ y.ravel())
    rest = y - (flat @ weights).reshape(y.shape)
    scores = (centred * rest[:, :, None]).sum(axis=1)
    return _Fit(weights, len(wins) * scores @ inverse)


def cross_fitted(wins: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The win share that each hand foretells, by coefficients from the other half of the decks: float64[decks, seats]."""
    foretold = np.empty_like(wins)
    for half in (0, 1):
        other = slice(1 - half, None, 2)
        weights = _fit(wins[other], x[other]).weights
        foretold[half::2] = wins[other].mean() + (x[half::2] - x[other].mean(axis=(0, 1))) @ weights
    return foretold
