"""What a strategy does where its file says nothing: the answers of the `greedy` reference (R10.2)."""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c


@inner
def take(view):
    """Take a pinched group of two or more cards while the hand holds more than three."""
    return view.group_size >= 2 and view.cards_in_hand[view.position] > 3


@inner
def take_back(view):
    """Take back an own pinched group of three or more cards."""
    return view.group_size >= 3


@inner
def draw(view):
    """Draw what the hand holds most of from the market, else from the pile; free draw: only with four or more cards."""
    if view.may_pass and view.cards_in_hand[view.position] <= 3:
        return c.PASS
    best = 0
    for place in range(view.market_size):
        card = np.int64(view.market[place])
        # Most held first, then the lowest card, then the lowest place, as one number: its maximum needs no branch.
        best = max(best, np.int64(view.hand[card]) << 8 | (15 - card) << 4 | (15 - place))
    if best >> 8 > 0:
        return 15 - (best & 15)
    return c.PILE if view.pile_size > 0 else lowest_place(view)


@inner
def lowest_place(view):
    """Market place of the lowest card; there must be one."""
    lowest = 15 << 4
    for place in range(view.market_size):
        card = np.int64(view.market[place])
        if card > 0:
            lowest = min(lowest, card << 4 | place)
    return lowest & 15


@inner
def shadow(view):
    """Pinch the highest shadow group possible."""
    value = c.JOKER
    while view.shadow_options >> value & 1 == 0:
        value -= 1
    return value
