"""Decks dealt and not played: a kernel of its own for `pinchsim.strategy.kernels`, without any strategy, kept on disk."""

import sys
from typing import Any

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.arrays import rules_array
from pinchsim.games.pinch.batch import forget, set_up
from pinchsim.games.pinch.compiled import FOLDER, NO_ORDER, new_memory, seen
from pinchsim.games.pinch.deal import jokers_given, sort_cards
from pinchsim.games.pinch.hooks import SETUP, Hooks
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.pinch.state import STATE, VIEW, around, read_rules
from pinchsim.strategy import kernels

ENTRY = ("rules", "seed", "decks", "n_players", "start_seat", "order", "state", "view", "hands", "market")
DECISIONS: tuple[str, ...] = ()

__all__ = ["DECISIONS", "ENTRY", "FOLDER", "first_call", "hooks", "play_games", "seen"]


def hooks(mode: str, decide: tuple[Any, ...], read: Any = ()) -> Hooks:
    """What it takes to deal."""
    return SETUP


@inner
def play_games(hooks, rules, seed, decks, n_players, start_seat, order, state_bytes, view_bytes, hands, market):
    """Set up the game of each deck and copy what was dealt; `hands` and `market` are modified in place.

    Hands go into int8[decks, n_players, N_CARDS], by seat. The market as turned up, before a duel adds anything to it, is added
    to int8[decks, N_CARDS]. The last one stays in the memory, ready for the first turn. See `batch.play_games` for the rest.
    """
    state = state_bytes.view(STATE)[0]
    view = view_bytes.view(VIEW)[0]
    forget(view)
    read_rules(state, view, rules)
    sort_cards(state, view)
    for k in range(decks.size):
        set_up(hooks, state, view, seed, np.uint64(decks[k]), order, n_players, start_seat)
        for position in range(n_players):
            seat = around(start_seat + position, n_players)
            for card in range(c.N_CARDS):
                hands[k, seat, card] = state.hands[position, card]
        first = n_players * (view.hand_size - jokers_given(view, hooks))
        for place in range(first, first + view.market_size):
            market[k, state.deck[np.uint64(place)]] += 1


def deal(
    rules: RuleSet, n_players: int, seed: int, decks: np.ndarray, start_seat: int = 0, order: np.ndarray = NO_ORDER,
    memory: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.ndarray:  # fmt: skip
    """Hands of each deck by seat, int8[decks, n_players, N_CARDS]; the `memory` holds the last game before its first turn."""
    return deal_table(rules, n_players, seed, decks, start_seat, order, memory)[0]


def deal_table(
    rules: RuleSet, n_players: int, seed: int, decks: np.ndarray, start_seat: int = 0, order: np.ndarray = NO_ORDER,
    memory: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Hands as by `deal`, and the first market of each deck, int8[decks, N_CARDS]."""
    hands, market = np.zeros((len(decks), n_players, c.N_CARDS), np.int8), np.zeros((len(decks), c.N_CARDS), np.int8)
    kernel = kernels.load_kernel(sys.modules[__name__], (), "deal")
    kernel(rules_array(rules), np.uint64(seed), decks, n_players, start_seat, order, *(memory or new_memory()), hands, market)
    return hands, market


def first_call(kernel: Any) -> None:
    """Compile the kernel, or load it from disk, by dealing no deck at all."""
    nothing, no_cards = np.zeros(0, np.int64), np.zeros((0, 1), np.int8)
    no_hands = np.zeros((0, 2, 1), np.int8)
    kernel(np.zeros(c.N_SWITCHES, np.int64), np.uint64(0), nothing, 2, 0, NO_ORDER, *new_memory(), no_hands, no_cards)
