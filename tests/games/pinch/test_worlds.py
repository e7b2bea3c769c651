"""Games whose sources of chance are chosen one by one (METHODS M4.1), and games looked at turn by turn."""

import numpy as np
import pytest

from pinchsim import games
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import record as rec
from pinchsim.games.pinch import worlds as w
from pinchsim.games.pinch.arrays import card_names
from pinchsim.games.pinch.compiled import empty_blocks
from pinchsim.games.pinch.courses import GROUPS, SIGNS
from pinchsim.games.pinch.rules import RuleSet, change_rules, load_variant
from pinchsim.games.pinch.state import STATE
from pinchsim.lab.rows import rows_of_blocks
from pinchsim.strategy import library
from tests.games.pinch.test_uniform import assert_random_order

PINCH = games.load("pinch")
UNIFORM, GREEDY = (library.find("pinch", name) for name in ("uniform", "greedy"))
TOGETHER = [GREEDY, UNIFORM]
PLAIN, DUEL = load_variant("pinch").rules, load_variant("linko-duel").rules
OWN = change_rules(RuleSet(), {"start_bonus": [0, 1.5, 2], "score_hand": -2, "turn_limit": 40}, "test")


@pytest.fixture(scope="module")
def kernel():
    return PINCH.load_kernel(TOGETHER, [PLAIN])


@pytest.fixture(scope="module")
def duel_kernel():
    return PINCH.load_kernel(TOGETHER, [DUEL])


def replayed(kernel, rules, line_up, worlds, seed=5):
    """Rows of the games of these worlds, and the deck of the last one."""
    worlds = np.array(worlds, np.int64)
    memory, blocks = PINCH.new_memory(), empty_blocks(len(worlds), len(line_up))
    PINCH.replay(kernel, rules, [TOGETHER.index(s) for s in line_up], seed, worlds, memory, *blocks)
    state = memory[0].view(STATE)[0]
    return rows_of_blocks(PINCH, *blocks), state["deck"][: state["deck_size"]].copy()


def world(start=0, shift=0, **sources):
    return [start, shift, *(sources.get(name, 1) for name in w.SOURCES)]


def test_sources__have_the_names_of_the_seam():
    assert tuple(source.name for source in PINCH.luck_sources) == w.SOURCES


def deck_of(kernel, rules, n, **sources):
    return replayed(kernel, rules, [UNIFORM] * n, [world(**sources)])[1]


def test_replay__each_part_of_the_deck_comes_from_its_own_world(kernel):
    size = PLAIN.hand_size
    base = deck_of(kernel, PLAIN, 3)
    np.testing.assert_array_equal(deck_of(kernel, PLAIN, 3, own_choices=2, other_choices=3), base)
    stock = deck_of(kernel, PLAIN, 3, stock=2)
    np.testing.assert_array_equal(stock[: 3 * size], base[: 3 * size])
    assert (stock[3 * size :] != base[3 * size :]).mean() > 0.8
    others = deck_of(kernel, PLAIN, 3, other_hands=2)
    np.testing.assert_array_equal(others[:size], base[:size])
    assert (others[size : 3 * size] != base[size : 3 * size]).mean() > 0.7
    assert (deck_of(kernel, PLAIN, 3, hand=2)[:size] != base[:size]).mean() > 0.5


def test_replay__every_card_is_everywhere(kernel, duel_kernel):
    fresh = [world(hand=3 * k, other_hands=3 * k + 1, stock=3 * k + 2) for k in range(20_000)]
    decks = np.array([replayed(kernel, PLAIN, [GREEDY] * 3, [row])[1] for row in fresh])
    assert_random_order(decks, [8] * 13 + [4])
    decks = np.array([replayed(duel_kernel, DUEL, [GREEDY] * 2, [row])[1] for row in fresh])
    hands = decks[:, : 2 * (DUEL.hand_size - 2)]
    assert not (hands == c.JOKER).any(), "R8.1: what is dealt beside the given jokers are number cards"
    assert ((decks == c.JOKER).sum(axis=1) == 1).all()
    assert_random_order(decks[decks != c.JOKER].reshape(len(decks), 104), [8] * 13 + [0])


def test_replay__choices_of_seat_0_and_of_the_others_are_apart(kernel):
    """The first turn is seat 0's: only its own choices change it."""
    kinds = {"own_choices": set(), "other_choices": set()}
    for source, seen in kinds.items():
        for k in range(30):
            rows, _ = replayed(kernel, PLAIN, [UNIFORM] * 3, [world(**{source: k})])
            seen.add(tuple(int(rows.players[name][0].sum()) for name in ("pinches_made", "takes", "drawn_pile")))
    assert all(len(seen) > 20 for seen in kinds.values())
    same = [replayed(kernel, PLAIN, [UNIFORM] * 3, [world(other_choices=k)])[0].games["turns"][0] for k in (1, 1, 1)]
    assert len(set(same)) == 1


@pytest.mark.parametrize("start", [0, 1, 2])
def test_replay__own_is_seat_0_whoever_starts(kernel, start):
    """Greedy never asks its random stream, so the world of its choices changes nothing."""
    for line_up, idle, busy in (
        ([GREEDY, UNIFORM, UNIFORM], "own_choices", "other_choices"),
        ([UNIFORM, GREEDY, GREEDY], "other_choices", "own_choices"),
    ):
        told = {}
        for source in (idle, busy):
            rows, _ = replayed(kernel, PLAIN, line_up, [world(start=start, **{source: k}) for k in range(2, 12)])
            told[source] = {tuple(scores) for scores in rows.players["score"].tolist()}
        assert len(told[idle]) == 1 and len(told[busy]) > 5


def test_replay__who_starts_and_who_sits_where(kernel):
    rows, _ = replayed(kernel, PLAIN, [GREEDY, UNIFORM, UNIFORM], [world(start=s, shift=k) for s in range(3) for k in range(3)])
    assert rows.games["start_seat"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for game, (start, shift) in enumerate((s, k) for s in range(3) for k in range(3)):
        seats = [(start + p) % 3 for p in range(3)]
        assert rows.players["seat"][game].tolist() == seats
        assert rows.players["strategy"][game].tolist() == [(seat - shift) % 3 for seat in seats]


def test_replay__is_the_same_game_as_any_other(kernel):
    """Fresh worlds are games like those of a sweep: as long, and won as often by the start player."""
    n = 30_000
    fresh = np.arange(5 * n).reshape(n, 5)
    worlds = np.column_stack([np.arange(n) % 3, np.zeros(n, int), fresh])
    rows, _ = replayed(kernel, PLAIN, [GREEDY] * 3, worlds)
    memory, blocks = PINCH.new_memory(), empty_blocks(n, 3)
    PINCH.play(kernel, PLAIN, [0] * 3, 5, np.arange(n), memory, *blocks)
    usual = rows_of_blocks(PINCH, *blocks)
    for pick in (lambda r: r.games["turns"], lambda r: r.players["win_share"][:, 0]):
        a, b = pick(rows).astype(float), pick(usual).astype(float)
        assert abs(a.mean() - b.mean()) < 4 * np.hypot(a.std(), b.std()) / n**0.5


@pytest.mark.parametrize(("rules", "line_up"), [(PLAIN, [GREEDY] * 4), (OWN, [UNIFORM, GREEDY, GREEDY])])
def test_courses__are_what_the_rows_tell(kernel, rules, line_up):
    indices = np.array([3, 17, 4, 40])
    slots, memory, blocks = [TOGETHER.index(s) for s in line_up], PINCH.new_memory(), empty_blocks(1, len(line_up))
    found = PINCH.courses(kernel, rules, slots, 5, indices, memory)
    assert found.win_shares.shape == (4, len(line_up))
    assert found.signs.shape == (*found.scores.shape, len(SIGNS)) == (found.games.size, len(line_up), len(SIGNS))
    for k, index in enumerate(indices):
        PINCH.play(kernel, rules, slots, 5, np.array([index]), memory, *blocks)
        row = rows_of_blocks(PINCH, *blocks)
        scores, signs, won = found.scores[found.games == k], found.signs[found.games == k], found.win_shares[k]
        assert len(scores) == row.games["turns"][0]
        np.testing.assert_allclose(scores[-1], row.players["score"][0])
        np.testing.assert_allclose(won, row.players["win_share"][0])
        leads = scores == scores.max(axis=1, keepdims=True)
        assert (leads[1:] != leads[:-1]).any(axis=1).sum() == row.games["lead_changes"][0]
        behind = (scores.max(axis=1, keepdims=True) - scores).max(axis=0)
        assert behind[won > 0].max() == pytest.approx(row.games["comeback"][0])
        waits = np.round(signs[:, :, 2] * len(line_up)).astype(int)
        turns = np.arange(len(waits))
        assert (waits[turns, (turns + 1) % len(line_up)] == 0).all(), "who plays next waits no turn"
        np.testing.assert_allclose(signs[-1, :, 1] * 10, row.players["hand"][0])


@pytest.mark.parametrize(("variant", "players"), [("linko", 5), ("duel", 2)])
def test_dealt__is_what_the_records_tell(variant, players):
    rules = load_variant(variant).rules
    found = PINCH.dealt(rules, players, 9, np.array([4, 7]))
    for k, deck in enumerate((4, 7)):
        header = rec.record_game(variant, rules, [GREEDY] * players, 9, deck * players)[0]
        for seat, hand in enumerate(header["hands"]):
            counts = {name: int(x[k, seat]) for name, x in found.cards.items()}
            assert sum(counts.values()) == rules.hand_size
            names = dict(zip(counts, [*card_names(np.arange(1, rules.values + 1)), "X"], strict=True))
            assert counts == {name: hand.count(code) for name, code in names.items()}
            same = [hand.count(code) for code in names.values() if code != "X"]
            groups = {name: sum(n == size or (n > size and size == 4) for n in same) for size, name in GROUPS.items()}
            assert groups == {name: int(x[k, seat]) for name, x in found.groups.items()}


def test_transcript__tells_the_game_of_that_index():
    told = PINCH.transcript(PINCH.load_variant("pinch"), [GREEDY] * 3, 9, 7)
    assert told.startswith("pinch, 3 players, seed 9, game 7\n")
    assert told.rstrip().endswith(("wins.", "share the win."))
