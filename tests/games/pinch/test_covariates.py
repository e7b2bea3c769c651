"""Covariates of the deal: what is counted, and that the mean of each is 0: by enumeration, and by simulation for every variant."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pinchsim.games.pinch import covariates as code
from pinchsim.games.pinch.compiled import new_memory
from pinchsim.games.pinch.covariates import MEANINGS, Deck, covariates, expected
from pinchsim.games.pinch.dealing import deal_table
from pinchsim.games.pinch.game import PINCH
from pinchsim.games.pinch.state import VIEW

JOKER = "X"
CASES = [(name, n) for name in PINCH.variant_names() for n in PINCH.player_counts(PINCH.load_variant(name).rules)]
OWN = "pinch+values=4+copies=5+hand_size=3+market_size=4+jokers=7"


def naive(hands, market):
    """The numbers of `MEANINGS`, from lists of cards."""
    counts = [Counter(card for card in hand if card != JOKER) for hand in hands]
    jokers = [hand.count(JOKER) for hand in hands]
    distinct = [len(count) for count in counts]
    mean = Fraction(sum(distinct), len(hands))
    return {
        "hand_jokers": sum(jokers),
        "hand_values": sum(distinct),
        "hand_pairs": sum(x == 2 for count in counts for x in count.values()),
        "hand_triples": sum(x == 3 for count in counts for x in count.values()),
        "hand_spread": sum((d - mean) ** 2 for d in distinct),
        "hand_wild": sum(j * d for j, d in zip(jokers, distinct, strict=True)),
        "market_jokers": market.count(JOKER),
        "market_matches": sum(card in count for card in market for count in counts),
    }


def parted(cards, sizes):
    """Every way to deal hands and a market of these sizes from cards that can all be told apart."""
    if not sizes:
        yield []
        return
    for chosen in combinations(cards, sizes[0]):
        left = [card for card in cards if card not in chosen]
        for others in parted(left, sizes[1:]):
            yield [chosen, *others]


def deals(deck):
    """Every hands and market that a deck can deal, all equally likely."""
    cards = [(str(value), k) for value in range(deck.values) for k in range(deck.copies)]
    cards += [(JOKER, k) for k in range(deck.jokers)]
    later = [(JOKER, -1 - k) for k in range(deck.later)]
    for hands in parted(cards, [deck.hand] * deck.n_players):
        rest = [card for card in cards if all(card not in hand for hand in hands)] + later
        for (market,) in parted(rest, [deck.market]):
            yield [[name for name, _ in hand] for hand in hands], [name for name, _ in market]


@pytest.mark.parametrize(
    "deck",
    [
        Deck(2, 2, 1, 2, 3, 1, 0), Deck(3, 2, 1, 2, 3, 1, 0), Deck(2, 3, 2, 2, 3, 2, 0), Deck(2, 2, 2, 3, 2, 0, 0),
        Deck(3, 1, 2, 1, 3, 2, 0), Deck(2, 3, 1, 3, 2, 0, 2), Deck(2, 3, 2, 2, 4, 0, 1), Deck(2, 0, 2, 2, 2, 0, 3),
        Deck(2, 2, 1, 4, 1, 1, 0), Deck(2, 3, 0, 2, 3, 0, 0),
    ],
)  # fmt: skip
def test_expected__by_enumeration(deck):
    found = [naive(*deal) for deal in deals(deck)]
    assert expected(deck) == tuple(Fraction(sum(one[name] for one in found), len(found)) for name in MEANINGS)


def as_cards(counts):
    """A list of cards from an array by card."""
    return [JOKER if card == 14 else str(card) for card, times in enumerate(counts) for _ in range(times)]


@pytest.mark.parametrize(("name", "n_players"), [("pinch", 4), ("duel", 2), ("linko", 3), (OWN, 5)])
def test_covariates__are_numbers_of_the_deal_less_their_expectations(name, n_players):
    rules, decks = PINCH.load_variant(name).rules, np.arange(3, 40)
    given = 2 if rules.duel else 0
    hands, market = deal_table(rules, n_players, 8, decks)
    found = covariates(rules, n_players, 8, decks)
    assert found.names == MEANINGS
    assert found.values.shape == (len(MEANINGS), decks.size)
    mean = dict(zip(MEANINGS, expected(code._deck(rules, n_players)), strict=True))
    for k in range(decks.size):
        own = [as_cards(hand) for hand in hands[k]]
        dealt = [hand[: len(hand) - given] for hand in own]  # jokers come last
        seen = naive(dealt, as_cards(market[k]))
        assert found.values[:, k] == pytest.approx([float(seen[name] - mean[name]) for name in MEANINGS], abs=1e-9)


@pytest.mark.parametrize(("name", "n_players"), [("pinch", 4), ("linko", 5), (OWN, 3), ("duel+shadow_size=0", 2)])
def test_deal_table__market_is_the_one_that_players_see(name, n_players):
    rules, memory = PINCH.load_variant(name).rules, new_memory()
    for deck in range(20):
        hands, market = deal_table(rules, n_players, 2, np.arange(deck, deck + 1), memory=memory)
        seen = memory[1].view(VIEW)[0]["market"][: rules.market_size]
        np.testing.assert_array_equal(market[0], np.bincount(seen, minlength=16))
        np.testing.assert_array_equal(hands, deal_table(rules, n_players, 2, np.arange(deck, deck + 1))[0])


def test_covariates__of_variants_with_the_same_deck_are_the_same():
    decks = np.arange(50)
    pinch, other = (covariates(PINCH.load_variant(name).rules, 4, 1, decks).values for name in ("pinch", "aces-bite"))
    np.testing.assert_array_equal(pinch, other)


def errors_off(values):
    """How many standard errors the mean of each covariate is away from 0; 0 for one that never varies and is 0."""
    deviation, mean = values.std(axis=1), values.mean(axis=1)
    never = deviation == 0
    errors = np.where(never, 1.0, deviation) / np.sqrt(values.shape[1])
    return np.where(never, np.where(abs(mean) < 1e-9, 0.0, np.inf), abs(mean) / errors)


@pytest.mark.parametrize(("name", "n_players"), [*CASES, (OWN, 3), (OWN, 5)])
def test_covariates__have_the_mean_0(name, n_players):
    values = covariates(PINCH.load_variant(name).rules, n_players, 6, np.arange(40_000)).values
    assert errors_off(values).max() < 5


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("pinch", {"jokers": 5}), ("pinch", {"hand": 12}), ("pinch", {"market": 7}), ("pinch", {"copies": 9}),
        ("duel", {"later": 1}), ("duel", {"jokers": 4}),
    ],
)  # fmt: skip
def test_covariates__a_wrong_expectation_is_noticed(monkeypatch, name, mistake):
    rules = PINCH.load_variant(name).rules
    n_players = PINCH.player_counts(rules)[0]
    right = code._deck(rules, n_players)
    monkeypatch.setattr(code, "_deck", lambda *_: right._replace(**mistake))
    if "hand" in mistake:  # the given jokers are told from the hand
        monkeypatch.setattr(code, "_seen", lambda x, jokers, market, real=code._seen: real(x, jokers + np.int8(1), market))
    assert errors_off(covariates(rules, n_players, 6, np.arange(40_000)).values).max() > 5
