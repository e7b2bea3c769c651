"""Games whose sources of chance each come from a shuffle of their own, so that one can be held while others change.

The luck budget needs this (METHODS M4.1, M4.2). A row of `worlds` says who starts, how the line-up is shifted, and for each
source of chance the number of the world that it is taken from. "Own" is seat 0. The cards are laid in three steps, each with
a random stream of its world: the hand of seat 0 out of all cards, the other hands out of the rest, then the order of what is
left. So each step is what it is in a common shuffle, given the steps before it.
"""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.deal import jokers_given, swap
from pinchsim.games.pinch.state import around
from pinchsim.rng import next_word, scale, stream_start, word_at

SOURCES = ("hand", "other_hands", "stock", "other_choices", "own_choices")
START_SEAT, SHIFT, HAND, OTHER_HANDS, STOCK, OTHER_CHOICES, OWN_CHOICES = range(2 + len(SOURCES))

# Streams of a world, beside those of a common deck (`state.start_streams`).
_HAND, _OTHER_HANDS, _STOCK = np.uint64(8), np.uint64(9), np.uint64(10)


@inner
def lay_world(state, view, hooks, seed, worlds, row, n_players):
    """Lay the whole deck in the order in which it is dealt, each part from its own world."""
    given = jokers_given(view, hooks)
    dealt = view.hand_size - given
    size = np.int64(state.n_number_cards)
    for k in range(size):
        state.deck[k] = state.number_cards[k]
    if given == 0:
        size = add_jokers(state, size, view.n_jokers)
    lay_part(state, seed, worlds[row, HAND], _HAND, 0, dealt, size)
    lay_part(state, seed, worlds[row, OTHER_HANDS], _OTHER_HANDS, dealt, n_players * dealt, size)
    if given > 0:
        size = add_jokers(state, size, view.n_jokers - given * n_players)  # R8.1: none of these falls into a hand
    lay_part(state, seed, worlds[row, STOCK], _STOCK, n_players * dealt, size, size)
    state.deck_size = size


@inner
def add_jokers(state, size, n):
    """Put jokers behind the first `size` cards; returns how many cards these are then."""
    for k in range(size, size + n):
        state.deck[np.uint64(k)] = c.JOKER
    return size + n


@inner
def lay_part(state, seed, world, stream, first, last, size):
    """Fill places `first` to `last` with random cards of those that lie from `first` to `size`."""
    counter = stream_start(seed, np.uint64(world), stream)
    for k in range(first, last):
        counter = next_word(counter)
        swap(state, k, k + scale(word_at(counter), size - k))


@inner
def start_world_streams(state, seed, worlds, row, n_players, start_seat):
    """Give seat 0 the random stream of one world, and the other seats those of another one."""
    for p in range(n_players):
        seat = around(start_seat + p, n_players)
        world = worlds[row, OWN_CHOICES if seat == 0 else OTHER_CHOICES]
        state.streams[p] = stream_start(seed, np.uint64(world), np.uint64(seat + 1))
    state.discard_stream = stream_start(seed, np.uint64(worlds[row, STOCK]), np.uint64(c.MAX_PLAYERS + 1))
