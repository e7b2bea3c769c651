"""Going on from the middle of a turn: from every decision of a game, with the cards as they really lie, the same game follows.

A kernel plays a game by weights; at one decision it copies the whole state aside and plays the copy to its end with
`resume.play_on`. Then the real game goes on. Both must end with the same displays and hands.
"""

import numpy as np
import pytest

from pinchsim._jit import JIT, entry, inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import rules_array
from pinchsim.games.pinch.batch import forget, set_up
from pinchsim.games.pinch.deal import sort_cards
from pinchsim.games.pinch.hooks import build
from pinchsim.games.pinch.policy import players, small
from pinchsim.games.pinch.policy.imagine import copy_public, playout_hooks
from pinchsim.games.pinch.policy.layout import MEMORY
from pinchsim.games.pinch.resume import play_on
from pinchsim.games.pinch.rules import load_variant, player_counts, variant_names
from pinchsim.games.pinch.state import STATE, VIEW, read_rules
from pinchsim.games.pinch.turn import play_to_end

TABLES = [(name, players) for name in variant_names() for players in player_counts(load_variant(name).rules)]
READINGS = (
    "equal_pinches=true",
    "refill=card+pinch_order=counter_clockwise",
    "refill=turn",
    "exposed_group=pinched",
    "discards=reshuffled",
    "exhaustion=market_last",
)
PLAYOUT_HOOKS = playout_hooks(True, True)


@inner_called
def play_copy(state, view, decision, answer):
    """Play a copy of the game to its end; the cards that everybody shows and holds then go to scratch of the scoring."""
    playout, imagined = state.playout, state.imagined
    for k in range(view.words.size):
        imagined.words[k] = view.words[k]
    copy_public(state, playout)
    for p in range(c.MAX_PLAYERS):
        playout.slots[p] = 0
        playout.streams[p] = state.streams[p]
        for k in range(2):
            playout.hand_words[p, k] = state.hand_words[p, k]
    for k in range(c.MAX_DECK):
        playout.deck[k] = state.deck[k]
    playout.next_card, playout.deck_size = state.next_card, state.deck_size
    playout.discard_stream = state.discard_stream
    playout.forced = answer
    for k in range(state.weights.shape[1]):
        playout.weights[0, k] = state.weights[0, k]
    play_on(playout, imagined, PLAYOUT_HOOKS, decision)
    for p in range(view.n_players):
        state.best[p] = imagined.cards_in_display[p]
        state.leaders[p] = imagined.cards_in_hand[p]
    state.scores[0] = imagined.turn


def watched(decide, kind):
    """A decision of the policy that copies the game aside if it is number `state.decisions`."""
    number = np.int64(kind)

    @inner
    def decide_and_watch(state, view):
        answer = decide(state, view)
        state.asked[number] += np.int64(state.decisions == 0)
        if state.decisions == 0:
            play_copy(state, view, number, np.int64(answer))
        state.decisions -= 1
        return answer

    return decide_and_watch


HOOKS = build(tuple(watched(decide, kind) for kind, decide in enumerate(players.decisions().values())))


@entry
def play_one(rules, weights, seed, deck, n_players, stop, state_bytes, view_bytes):
    """Play a game whose decision number `stop` is copied aside."""
    state, view = state_bytes.view(STATE)[0], view_bytes.view(VIEW)[0]
    forget(view)
    read_rules(state, view, rules)
    sort_cards(state, view)
    for k in range(weights.size):
        state.weights[0, k] = weights[k]
    for p in range(n_players):
        state.slots[p] = 0
    set_up(HOOKS, state, view, seed, deck, state.deck[:0], n_players, 0)
    state.decisions = stop
    play_to_end(state, view, HOOKS)


@pytest.fixture(scope="module", autouse=True)
def compiled_copy():
    """What the engine calls and what calls the engine must be compiled one after the other."""
    if JIT:
        from numba import from_dtype, types

        play_copy.compile((from_dtype(STATE), from_dtype(VIEW), types.int64, types.int64))


def check_games(variant, n_players, games, memory):
    """Stop each game once, at a decision that moves through the game; returns how often each kind was stopped at."""
    state, view = memory[0].view(STATE)[0], memory[1].view(VIEW)[0]
    rules, weights = rules_array(load_variant(variant).rules), small.expand({})
    weights[MEMORY] = 1
    state["asked"][:] = 0
    stopped = 0
    for game in range(games):
        play_one(rules, weights, np.uint64(7), np.uint64(game), n_players, game * 7 % 90, *memory)
        assert state["status"] == c.OK
        if state["decisions"] >= 0:
            continue  # the game had not so many decisions
        stopped += 1
        where = (variant, n_players, game)
        assert list(state["best"][:n_players]) == list(view["cards_in_display"][:n_players]), where
        assert list(state["leaders"][:n_players]) == list(view["cards_in_hand"][:n_players]), where
        assert state["scores"][0] == view["turn"], where
    assert stopped > games / 4
    return state["asked"][:5].copy()


@pytest.mark.parametrize(("variant", "n_players"), TABLES)
def test_play_on__the_same_game_follows(variant, n_players):
    kinds = check_games(variant, n_players, 300, compiled.new_memory())
    assert (kinds[:4] > 5).all()
    assert (kinds[4] > 0) == (n_players == 2)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("variant", ["pinch", "duel"])
def test_play_on__contested_readings(variant, reading):
    check_games(f"{variant}+{reading}", 2 if variant == "duel" else 4, 200, compiled.new_memory())
