"""`uniform` is exactly R10.1: every distinct option equally likely."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from pinchsim._jit import entry
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import CARD_CODES
from pinchsim.games.pinch.dealing import deal
from pinchsim.games.pinch.rules import RuleSet, load_variant
from pinchsim.games.pinch.state import STATE, VIEW
from pinchsim.rng import next_decision
from pinchsim.strategy import library
from pinchsim.strategy.module import decisions

from .table import packed

UNIFORM = decisions(library.find("pinch", "uniform"), compiled.DECISIONS, compiled.REQUIRED, compiled.FIELDS, None)
PLAY, TAKE, TAKE_BACK, DRAW, SHADOW = (UNIFORM[name] for name in ("play", "take", "take_back", "draw", "shadow"))
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
        elif kind == 3:
            answers[k] = DRAW(view)
        else:
            answers[k] = SHADOW(view)


def answers(kind, hand="", market="", pile=0, may_pass=0, market_size=6, shadow=()):
    memory = np.zeros(VIEW.itemsize, np.uint8)
    view = memory.view(VIEW)[0]
    for card in hand.split():
        view["hand"][CARD_CODES[card]] += 1
    view["cards_in_hand"][0] = len(hand.split())
    for place, card in enumerate(market.split()):
        view["market"][place] = CARD_CODES.get(card, 0)
        view["market_filled"] += card in CARD_CODES
    view["market_size"], view["pile_size"], view["may_pass"] = market_size, pile, may_pass
    view["shadow_options"] = sum(1 << value for value in shadow)
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


@pytest.mark.parametrize("values", [(7,), (1, 12), (2, 3, 5, 8, 13), tuple(range(1, 13))])
def test_shadow__every_group_that_can_be_pinched(values):
    assert_uniform(answers(4, shadow=values), values)


def dealt_decks(rules, n_players, decks):
    """Whole decks as they are dealt from seed 3, uint8[decks, cards]."""
    memory = compiled.new_memory()
    orders = []
    for deck in range(decks):
        deal(rules, n_players, 3, np.array([deck]), memory=memory)
        state = memory[0].view(STATE)[0]
        orders.append(state["deck"][: state["deck_size"]].copy())
    return np.array(orders)


def assert_random_order(orders, full):
    """Every card is at every place equally often, and equal cards do not cling together."""
    assert np.bincount(orders[0], minlength=15)[1:].tolist() == full
    n_cards = sum(full)
    by_place = np.array([np.bincount(orders[:, place], minlength=15)[1:] for place in range(n_cards)])
    expected = np.maximum(np.array(full) / n_cards * len(orders), 1e-9)
    chi2 = ((by_place - expected) ** 2 / expected).sum()
    # Rows sum to the decks, and each card's column to its number: (places - 1) x (cards - 1) degrees of freedom.
    freedom = (n_cards - 1) * (sum(n > 0 for n in full) - 1)
    assert 1e-5 < stats.chi2(freedom).sf(chi2 * (n_cards - 1) / n_cards) < 1 - 1e-5
    same = [np.mean(orders[:, a] == orders[:, b]) for a, b in pairwise(range(0, n_cards, 9))]
    equal_pairs = sum(n * (n - 1) for n in full) / (n_cards * (n_cards - 1))
    assert max(abs(s - equal_pairs) for s in same) < 5 * (equal_pairs / len(orders)) ** 0.5


def test_shuffle__every_card_everywhere():
    assert_random_order(dealt_decks(RuleSet(), 3, 20_000), [8] * 13 + [4])


def test_shuffle__duel_deals_number_cards_and_spreads_the_fifth_joker_over_the_rest():
    """R8.1: the 22 cards dealt beside the given jokers are number cards; the rest is in random order."""
    orders = dealt_decks(load_variant("linko-duel").rules, 2, 20_000)
    hands, rest = orders[:, :22], orders[:, 22:]
    assert not (hands == c.JOKER).any()
    places = np.nonzero(rest == c.JOKER)[1]
    assert len(places) == len(orders), "exactly one joker is left"
    assert stats.chisquare(np.bincount(places, minlength=rest.shape[1])).pvalue > 1e-5
    numbers = np.where(orders == c.JOKER, 0, orders)
    numbers = numbers[numbers > 0].reshape(len(orders), 104)
    assert_random_order(numbers, [8] * 13 + [0])


def test_decks__of_other_numbers_of_jokers_are_nearly_the_same():
    """Common random numbers (M1.2): a joker more changes one card dealt, and moves the card it replaces to the end."""
    four, five = (dealt_decks(load_variant(name).rules, 4, 100) for name in ("pinch", "linko"))
    changed = (four != five[:, :-1]).sum(axis=1)
    assert changed.max() <= 1
    assert changed.mean() > 0.9
