"""The draw pile, and the discards where they become a new one (R5.2, reading `discards`)."""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.hooks import LOG_RESHUFFLE, NONE


@inner
def next_card(state):
    """Turn over the next card of the deck; there must be one."""
    card = np.int64(state.deck[state.next_card]) & 15  # & 15 tells the compiler that no index is negative
    state.next_card += 1
    return card


@inner
def count_discards(view):
    """Cards on the discard pile."""
    cards = 0
    for card in range(1, c.JOKER + 1):
        cards += np.int64(view.discard[card])
    return cards


@inner
def is_pile_used_up(view, hooks):
    """Whether the pile is empty and will remain so."""
    if view.pile_size > 0:
        return False
    return hooks.reading(view, c.DISCARDS) == 0 or count_discards(view) == 0


@inner
def lift_discard(view, k):
    """Take discarded card number k, counted in ascending order, off the discard pile."""
    card = 1
    while k >= view.discard[card]:
        k -= np.int64(view.discard[card])
        card += 1
    view.discard[card] -= 1
    return card


@inner
def renew_pile(state, view, hooks):
    """Shuffle the discards into a new draw pile if the old one is empty and the reading in force says so.

    Returns whether there is a new pile.
    """
    if hooks.reading(view, c.DISCARDS) == 0 or view.pile_size > 0:
        return False
    return shuffle_discards(state, view, hooks)


@inner_called
def shuffle_discards(state, view, hooks):
    """Make the discards the draw pile, in random order; returns whether there were any."""
    cards = count_discards(view)
    for k in range(cards):
        card = lift_discard(view, hooks.next_discard(state, view, cards - k))
        state.deck[k] = card
        view.unseen[card] += 1
        hooks.log(state, LOG_RESHUFFLE, NONE, card, NONE, NONE)
    if cards > 0:
        state.next_card = 0
        state.deck_size = cards
        view.pile_size = cards
    return cards > 0
