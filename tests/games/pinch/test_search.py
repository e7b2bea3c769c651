"""The search: it imagines only what may be, sees nothing hidden, finds the obvious, and is never worse than its policy."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim._jit import entry
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.game import PINCH
from pinchsim.games.pinch.kernel import load
from pinchsim.games.pinch.policy import search
from pinchsim.games.pinch.policy.imagine import deal_hidden
from pinchsim.games.pinch.policy.layout import MEMORY, PLAYOUTS
from pinchsim.games.pinch.rules import change_rules, load_variant, player_counts, variant_names
from pinchsim.games.pinch.state import STATE, VIEW, show
from pinchsim.strategy import library

from .table import Table, packed

SEARCH = library.find("pinch", "search:40")
TABLES = [(name, players) for name in variant_names() for players in player_counts(load_variant(name).rules)]


@pytest.fixture(scope="module")
def thinker(tmp_path_factory):
    """A search that plays out with hand-written weights: its policy can be improved on a lot."""
    path = tmp_path_factory.mktemp("strategies") / "thinker.toml"
    (path.parent / "novice.toml").write_text('policy = "weights"\n[weights]\n', encoding="utf-8")
    path.write_text('policy = "search"\nplays_like = "novice"\n[settings]\nplayouts = 24\n', encoding="utf-8")
    return library.Strategy("thinker", path, False)


def novice(thinker):
    """The policy of the thinker."""
    return library.find("pinch", "novice", (thinker.path.parent,))


def play(kernel, variant, line_up, games, seed=3, first=0):
    players = len(line_up)
    blocks = compiled.empty_blocks(games, players)
    memory = PINCH.new_memory()
    rules = variant if not isinstance(variant, str) else load_variant(variant).rules
    assert kernel.play(rules, line_up, seed, np.arange(first, first + games), memory, blocks) == games
    return blocks, memory


# --- imagined worlds --------------------------------------------------------------------------------------------------


@entry
def imagine(state_bytes, view_bytes, world):
    state, view = state_bytes.view(STATE)[0], view_bytes.view(VIEW)[0]
    for k in range(2):
        view.hand_words[k] = state.hand_words[view.position, k]
    deal_hidden(view, state.playout, np.uint64(world))


@pytest.fixture(scope="module")
def plain():
    """The dozen weights, for positions to imagine worlds in."""
    strategy = library.find("pinch", "dozen")
    return {mode: load([strategy], mode) for mode in ("fast", "fast+duel")}


@given(table=st.sampled_from(TABLES), turns=st.integers(1, 40), game=st.integers(0, 500), world=st.integers(0, 2**62))
@settings(max_examples=150)
def test_deal_hidden__a_world_that_may_be(plain, table, turns, game, world):
    variant, players = table
    rules = change_rules(load_variant(variant).rules, {"turn_limit": turns}, "the test")
    kernel = plain["fast+duel" if rules.duel else "fast"]
    _, memory = play(kernel, rules, [0] * players, 1, first=game)
    state, view = memory[0].view(STATE)[0], memory[1].view(VIEW)[0]
    imagine(*memory, world)
    playout, me = state["playout"], int(view["position"])
    assert (playout["hands"][me] == state["hands"][me]).all()
    for p in range(players):
        assert playout["hands"][p].sum() == view["cards_in_hand"][p] == state["hands"][p].sum()
        assert (playout["hands"][p] >= view["known"][p]).all()
    pile = playout["deck"][playout["next_card"] : playout["deck_size"]]
    assert len(pile) == view["pile_size"]
    real_pile = state["deck"][state["next_card"] : state["deck_size"]]
    everything = state["hands"].sum(axis=0) + np.bincount(real_pile, minlength=c.N_CARDS)
    assert (playout["hands"][:players].sum(axis=0) + np.bincount(pile, minlength=c.N_CARDS) == everything).all()


def test_deal_hidden__every_order_of_the_unknown_is_as_likely(plain):
    """The same card lies in a hidden place as often as there are copies of it among the hidden cards."""
    rules = change_rules(load_variant("pinch").rules, {"turn_limit": 3}, "the test")
    _, memory = play(plain["fast"], rules, [0] * 3, 1)
    state, view = memory[0].view(STATE)[0], memory[1].view(VIEW)[0]
    me, worlds = int(view["position"]), 4000
    other = (me + 1) % 3
    hands, top = np.zeros(c.N_CARDS), np.zeros(c.N_CARDS)
    for world in range(worlds):
        imagine(*memory, world)
        hands += state["playout"]["hands"][other]
        top[state["playout"]["deck"][state["playout"]["next_card"]]] += 1
    hidden = view["unseen"].astype(float) - (state["hands"][me] - view["known"][me])
    known = view["known"][other]
    places = view["cards_in_hand"][other] - known.sum()
    chance = hidden / hidden.sum()
    error = 4.5 * np.sqrt(chance * (1 - chance) / worlds) + 1e-9
    assert (np.abs(top / worlds - chance) < error).all()
    assert (np.abs((hands / worlds - known) / places - chance) < error).all()


# --- as a strategy ----------------------------------------------------------------------------------------------------


def test_search__same_seed_same_game_whatever_the_batch():
    kernel = load([SEARCH], "fast")
    (games, players), _ = play(kernel, "pinch", [0] * 3, 6)
    for half in (slice(0, 3), slice(3, 6)):
        (some, others), _ = play(kernel, "pinch", [0] * 3, 3, first=half.start)
        assert (some == games[:, half]).all() and (others == players[:, half]).all()


def test_search__other_playouts_are_another_game():
    kernel = load([SEARCH, library.find("pinch", "search:4")], "fast")
    (_, many), _ = play(kernel, "pinch", [0] * 4, 12)
    (_, few), _ = play(kernel, "pinch", [1] * 4, 12)
    assert (many != few).any()


def test_search__no_playouts_is_the_policy(thinker):
    none = library.Strategy("none", thinker.path, False, (("playouts", "0"),))
    (_, rows), _ = play(load([none], "fast"), "pinch", [0] * 4, 40)
    (_, expected), _ = play(load([novice(thinker)], "fast"), "pinch", [0] * 4, 40)
    assert (rows == expected).all()


def test_search__legal_and_deaf_to_hidden_cards(thinker):
    """Under supervision every decision is asked twice, the second time with everything hidden reshuffled."""
    kernel = load([thinker], "check")
    for variant, players in TABLES:
        _, memory = play(kernel, variant, [0] * players, 2)
        assert memory[0].view(STATE)[0]["decisions"] > 20


def test_search__gains_on_its_own_policy(thinker):
    """One against three of its policy on 80 decks: clearly above its fair share, where not to lose would be enough."""
    kernel = load([thinker, novice(thinker)], "fast")
    (_, players), _ = play(kernel, "pinch", [0, 1, 1, 1], 320)
    won, place = players[5] / 60, players[1]
    by_deck = won[place == 0].reshape(-1, 4).mean(axis=1)
    assert by_deck.mean() - 3 * by_deck.std(ddof=1) / np.sqrt(by_deck.size) > 0.25


# --- the obvious ------------------------------------------------------------------------------------------------------


@cache
def ask_play():
    """Asks for a play; not compiled before that, as every process that collects tests loads this file."""
    decide = search.decisions(duel=False, readings=False, on_disk=False)["play"]

    @entry
    def ask(state_bytes, view_bytes, position):
        state, view = state_bytes.view(STATE)[0], view_bytes.view(VIEW)[0]
        show(state, view, position)
        view.mover = position
        return decide(state, view)

    return ask


def ask(hands, displays, playouts, **more):
    """What a player without any preference (all weights 0) plays after so many playouts; the others' cards are unknown to it."""
    table = Table(hands, displays, **more)
    state, view = table.state, table.view
    state["weights"][0, MEMORY], state["weights"][0, PLAYOUTS] = 1, playouts
    state["streams"][:] = np.arange(5) * 12345
    for card in range(1, 15):
        here = state["hands"][0][card] + int(np.sum(view["market"] == card))
        shown = sum(group_cards(int(g), card) for g in np.asarray(view["groups"]).ravel())
        total = 4 if card == c.JOKER else 8
        view["unseen"][card] = total - shown - int(np.sum(view["market"] == card))
        assert here <= total
    hidden = int(view["unseen"].sum()) - int(state["hands"][0].sum())
    others = int(view["cards_in_hand"][1:].sum())
    view["pile_size"] = hidden - others
    return ask_play()(*table.memory, 0)


def group_cards(group, card):
    """Cards of this kind in a packed group."""
    jokers = group & 15
    naturals = (group >> 8) - jokers
    return jokers * (card == c.JOKER) + naturals * (((group >> 4) & 15) == card)


@pytest.mark.xdist_group("search-asked")
def test_search__plays_the_last_group_when_that_wins():
    ahead = ask(["7 7", "2 3 4", "5 6 8"], [[("9", 3, 0)], [("2", 1, 0)], [("3", 1, 0)]], 40)
    assert ahead == packed(("7", 2, 0))


@pytest.mark.xdist_group("search-asked")
def test_search__does_not_end_the_game_while_behind():
    """Both sevens would end the game with 5 points against 8."""
    behind = ask(["7 7", "2 3 4", "5 6 8"], [[("9", 3, 0)], [("2", 5, 0), ("K", 6, 0)], [("3", 1, 0)]], 40)
    assert behind == packed(("7", 1, 0))


@pytest.mark.xdist_group("search-asked")
def test_search__pinches_who_would_end_the_game_and_win():
    """The next player leads and has one card left; only a single card above the jack on top of its display keeps it from ending
    the game, since it must draw then."""
    hands = ["3 Q 5 5", "4", "2 3 6 6 9"]
    displays = [[("9", 7, 0)], [("2", 6, 0), ("J", 1, 0)], [("K", 2, 0)]]
    silent = ask(hands, displays, 0)
    assert silent != packed(("Q", 1, 0))  # without playouts it plays whatever comes first
    assert ask(hands, displays, 400) == packed(("Q", 1, 0))
