"""What a deal is like, less what a shuffle deals on the average: covariates whose mean is 0 (METHODS M1.6).

All are symmetric over the seats, since each deck is played from every seat. Their expectations are exact: hands and market are
draws without replacement (R2.2, R2.3); in a duel two jokers are given to each player before, and hands are dealt of the number
cards alone (R8.1). Probabilities are fractions until the end.
"""

from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np

from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.deal import JOKERS_GIVEN
from pinchsim.games.pinch.dealing import deal_table
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.seam import Covariates

MEANINGS = {
    "hand_jokers": "jokers in all hands",
    "hand_values": "different values in a hand, added up over the hands: few make big groups and short games",
    "hand_pairs": "values that a hand has twice, added up over the hands",
    "hand_triples": "values that a hand has three times, added up over the hands",
    "hand_spread": "how unlike hands are: squared deviations of their different values from the mean of the hands, added up",
    "hand_wild": "jokers times different values of a hand, added up over the hands",
    "market_jokers": "jokers in the first market",
    "market_matches": "cards of the first market times the hands that hold their value",
}


class Deck(NamedTuple):
    """What is dealt of what: `n_players` hands of `hand` cards out of `cards`, and then a market out of the rest and `later`.

    Out of `cards` are `copies` of each of so many `values`, and `jokers`; `later` are jokers that come in after the hands.
    """

    n_players: int
    hand: int
    market: int
    values: int
    copies: int
    jokers: int
    later: int

    @property
    def cards(self) -> int:
        """Cards that the hands are dealt from."""
        return self.values * self.copies + self.jokers


def covariates(rules: RuleSet, n_players: int, seed: int, decks: np.ndarray) -> Covariates:
    """The covariates of these decks, int64[n]; see `pinchsim.games.seam.Game.covariates`."""
    deck = _deck(rules, n_players)
    hands, market = deal_table(rules, n_players, seed, decks)
    given = rules.hand_size - deck.hand
    seen = _seen(hands[:, :, 1 : c.JOKER], hands[:, :, c.JOKER] - np.int8(given), market)
    return Covariates(MEANINGS, seen - np.array([float(x) for x in expected(deck)])[:, None])


def _deck(rules: RuleSet, n_players: int) -> Deck:
    """How a rule set deals to so many players (R2.2, R2.3, R8.1)."""
    given = JOKERS_GIVEN if rules.duel else 0
    own = (0, rules.jokers - given * n_players) if rules.duel else (rules.jokers, 0)
    return Deck(n_players, rules.hand_size - given, rules.market_size, rules.values, rules.copies, *own)


def _seen(naturals: np.ndarray, jokers: np.ndarray, market: np.ndarray) -> np.ndarray:
    """The numbers of `MEANINGS`, float64[K, decks].

    `naturals` is int8[decks, seats, values], `jokers` int8[decks, seats] without those that were given, `market`
    int8[decks, N_CARDS].
    """
    held = naturals > 0
    distinct = held.sum(axis=2, dtype=np.int64)
    whole = distinct.sum(axis=1)
    holders = held.sum(axis=1, dtype=np.int64)
    return np.array(
        [
            jokers.sum(axis=1, dtype=np.int64),
            whole,
            (naturals == 2).sum(axis=(1, 2)),
            (naturals == 3).sum(axis=(1, 2)),
            (distinct**2).sum(axis=1) - whole**2 / naturals.shape[1],
            (jokers * distinct).sum(axis=1),
            market[:, c.JOKER],
            (market[:, 1 : c.JOKER] * holders).sum(axis=1),
        ],
        np.float64,
    )


@cache
def expected(deck: Deck) -> tuple[Fraction, ...]:
    """The expectations of the numbers of `MEANINGS` under the shuffle, exactly."""
    n, h, values, jokers = deck.n_players, deck.hand, deck.values, deck.jokers
    absent = _absent(deck, 1)
    left = deck.cards - n * h  # of the cards that the hands are dealt from
    joker_share = Fraction(jokers, deck.cards)
    # A hand without a value still leaves jokers the same share of its other cards.
    jokers_without = absent * Fraction(h * jokers, max(deck.cards - deck.copies, 1))
    jokers_left = joker_share * left + deck.later
    # A card of the market has a value of a hand if it has the value at all, but for where the hand lacks it: then all copies
    # are among the other cards.
    matching = Fraction(deck.copies, deck.cards) - absent * Fraction(deck.copies, deck.cards - h)
    in_market = Fraction(deck.market, max(left + deck.later, 1))
    return (
        n * h * joker_share,
        n * values * (1 - absent),
        n * values * _exactly(deck, 2),
        n * values * _exactly(deck, 3),
        _spread(deck),
        n * values * (h * joker_share - jokers_without),
        in_market * jokers_left,
        in_market * left * n * values * matching,
    )


def _absent(deck: Deck, values: int, hands: int = 1) -> Fraction:
    """The chance that none of so many values is in any of so many hands."""
    dealt = hands * deck.hand
    return Fraction(comb(deck.cards - values * deck.copies, dealt), comb(deck.cards, dealt))


def _exactly(deck: Deck, times: int) -> Fraction:
    """The chance that a hand has a value so many times."""
    others = deck.cards - deck.copies
    if times > deck.hand:
        return Fraction(0)
    return Fraction(comb(deck.copies, times) * comb(others, deck.hand - times), comb(deck.cards, deck.hand))


def _spread(deck: Deck) -> Fraction:
    """The expected sum of squared deviations of the hands' different values from their mean.

    With d and e those of two hands it is (n - 1) (E[d d] - E[d e]), and each is a sum over pairs of values of the chance that
    both are there: 1 less that either is not. What does not depend on whether the hands are the same drops out, but for a value
    paired with itself.
    """
    same, other = _absent(deck, 1), _absent(deck, 1, hands=2)
    one_hand = deck.values * same + deck.values * (deck.values - 1) * (_absent(deck, 2) if deck.values > 1 else 0)
    two_hands = deck.values * other + deck.values * (deck.values - 1) * (_apart(deck) if deck.values > 1 else 0)
    return (deck.n_players - 1) * (one_hand - two_hands)


def _apart(deck: Deck) -> Fraction:
    """The chance that one value is not in one hand, and another one not in another hand."""
    n, h, copies = deck.cards, deck.hand, deck.copies
    ways = sum(comb(copies, k) * comb(n - 2 * copies, h - k) * comb(n - h - copies + k, h) for k in range(min(copies, h) + 1))
    return Fraction(ways, comb(n, h) * comb(n - h, h))
