"""`uniform` is exactly R10.1: every distinct option equally likely."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from pinchsim._jit import entry
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import CARD_CODES, rules_array
from pinchsim.games.pinch.deal import shuffled_deck
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.pinch.state import VIEW
from pinchsim.rng import next_decision
from pinchsim.strategy import library
from pinchsim.strategy.module import decisions

from .table import packed

UNIFORM = decisions(library.find("pinch", "uniform"), compiled.DECISIONS, compiled.REQUIRED, compiled.FIELDS, None)
PLAY, TAKE, TAKE_BACK, DRAW = (UNIFORM[name] for name in ("play", "take", "take_back", "draw"))
N = 60_000


@entry
def ask(view_bytes, kind, answers):
    """Ask the same decision many times, each time with the next random stream."""
    view = view_bytes.view(VIEW)[0]
    counter = view.rng
    for k in range(answers.size):
        counter = next_decision(counter)
        view.rng = counter
        if kind == 0:
            answers[k] = PLAY(view)
        elif kind == 1:
            answers[k] = TAKE(view)
        elif kind == 2:
            answers[k] = TAKE_BACK(view)
        else:
            answers[k] = DRAW(view)


def answers(kind, hand="", market="", pile=0, may_pass=0, market_size=6):
    memory = np.zeros(VIEW.itemsize, np.uint8)
    view = memory.view(VIEW)[0]
    for card in hand.split():
        view["hand"][CARD_CODES[card]] += 1
    view["cards_in_hand"][0] = len(hand.split())
    for place, card in enumerate(market.split()):
        view["market"][place] = CARD_CODES.get(card, 0)
        view["market_filled"] += card in CARD_CODES
    view["market_size"], view["pile_size"], view["may_pass"] = market_size, pile, may_pass
    view["rng"] = 12345
    out = np.zeros(N, np.int64)
    ask(memory, kind, out)
    return Counter(out.tolist())


def assert_uniform(counts, options):
    assert set(counts) == set(options)
    if len(options) > 1:
        assert stats.chisquare([counts[o] for o in options]).pvalue > 1e-5


@pytest.mark.parametrize(
    "hand",
    [
        "A",
        "X",
        "X X X",
        "7 7 7",
        "A K",
        "A A 2 7 7 7 8 9 9 K K X",
        "5 5 5 5 5 5 5 5 X X X X",
        "A 2 3 4 5 6 7 8 9 10 J Q K",
        "8 X X",
    ],
)
def test_play__every_distinct_group(hand):
    cards = Counter(hand.split())
    jokers = cards.pop("X", 0)
    options = [packed((v, a, b)) for v, n in cards.items() for a in range(1, n + 1) for b in range(jokers + 1)]
    options += [packed(("X", 0, b)) for b in range(1, jokers + 1)]
    assert_uniform(answers(0, hand), options)


def test_play__hands_of_many_cards():
    hand = " ".join(" ".join([name] * 12) for name in c.CARD_NAMES[1:14])
    options = [packed((name, a, 0)) for name in c.CARD_NAMES[1:14] for a in range(1, 13)]
    assert_uniform(answers(0, hand), options)


def test_take_and_take_back__half_each():
    assert_uniform(answers(1), [0, 1])
    assert_uniform(answers(2), [0, 1])


@pytest.mark.parametrize(
    "market", ["A 2 3 4 5 6", "A - 3 4 - 6", "- - - - - 6", "- - - - - -", "A 2 3 4 5 -", "A A A A A A A A A - K K"]
)
@pytest.mark.parametrize("pile", [0, 9])
@pytest.mark.parametrize("may_pass", [0, 1])
def test_draw__every_filled_place_the_pile_and_passing(market, pile, may_pass):
    places = [k for k, card in enumerate(market.split()) if card != "-"]
    options = places + [c.PILE] * (pile > 0) + [c.PASS] * may_pass
    if options:
        assert_uniform(answers(3, "", market, pile, may_pass, len(market.split())), options)


def test_shuffle__every_card_everywhere():
    rules = RuleSet()
    orders = np.zeros((20_000, rules.deck_size), np.uint8)
    memory = compiled.new_memory()
    for deck, order in enumerate(orders):
        shuffled_deck(rules_array(rules), np.uint64(3), np.uint64(deck), *memory, order)
    full = [8] * 13 + [4]
    assert np.bincount(orders[0], minlength=15)[1:].tolist() == full
    by_place = np.array([np.bincount(orders[:, place], minlength=15)[1:] for place in range(rules.deck_size)])
    expected = np.array(full) / rules.deck_size * len(orders)
    chi2 = ((by_place - expected) ** 2 / expected).sum()
    # Rows sum to the decks, and each card's column to its number: (places - 1) x (cards - 1) degrees of freedom.
    assert 1e-5 < stats.chi2(107 * 13).sf(chi2 * 107 / 108) < 1 - 1e-5
    same = [np.mean(orders[:, a] == orders[:, b]) for a, b in pairwise(range(0, 108, 9))]
    equal_pairs = (13 * 8 * 7 + 4 * 3) / (108 * 107)
    assert max(abs(s - equal_pairs) for s in same) < 5 * (equal_pairs / len(orders)) ** 0.5
