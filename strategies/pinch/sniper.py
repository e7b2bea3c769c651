"""Prefer plays that pinch, and pinch the most valuable group that can be had.

It plays all cards of one value. A value whose group would pinch somebody is worth a large premium that grows with the size;
among the others it likes small, low groups early and big ones late, and keeps what it could still collect from the market.
"""

import numpy as np

from pinchsim.games.pinch.moves import JOKER, top_size, top_value
from pinchsim.games.pinch.sense import (
    draw,
    is_late,
    market_values,
    sensible_group,
    shadow,
    shadow_burden,
    shadow_groups,
    take,
    take_back,
)

# What a group of 1, 2, 3, 4, 5 or more cards is worth, and what each step of its value adds.
EARLY, EARLY_VALUE = (188, 178, 95, 72, 500), (-4, -3, 2, 4, 2)
LATE, LATE_VALUE = (152, 150, 170, 244, 500), (-3, 2, 0, 2, 2)
PINCH = (300, 400, 500, 600, 700)
IN_MARKET = (20, 58, 58, 20, 20)


def _worths():
    """Worth of a group, at index late * 512 + pinches * 256 + in_market * 128 + size * 16 + value; looked up, not computed."""
    table = np.full(1024, -(1 << 20), np.int32)
    for late in range(2):
        base, slope = (LATE, LATE_VALUE) if late else (EARLY, EARLY_VALUE)
        for pinches in range(2):
            for in_market in range(2):
                for size in range(1, 6):
                    for value in range(1, JOKER):
                        worth = base[size - 1] + slope[size - 1] * value
                        worth += PINCH[size - 1] * pinches - IN_MARKET[size - 1] * in_market
                        table[late << 9 | pinches << 8 | in_market << 7 | size << 4 | value] = worth
    return table


WORTH = _worths()


def _tops(view):
    """Bit set of the other players' top groups: bit 16 * (size - 1) + value, for sizes 1 to 4."""
    tops = 0
    for p in range(view.n_players):
        size = top_size(view, p)
        counts = (p != view.position) & (size > 0) & (size < 5)
        tops |= np.int64(counts) << (((size - 1) & 3) * 16 + top_value(view, p))
    return tops


def _pinches(view, tops, value, size):
    """1 if a group of this value and of 1 to 4 cards would pinch anybody."""
    return np.int64((size < 5) & ((tops >> (((size - 1) & 3) * 16)) & 0xFFFF & view.beats[value] != 0))


def play(view):
    late, market, tops = is_late(view), market_values(view), _tops(view)
    shadow_cards = shadow_groups(view)
    best = -(1 << 40)
    for value in range(1, view.n_values + 1):
        size = min(np.int64(view.hand[value]), 5)
        index = late << 9 | _pinches(view, tops, value, size) << 8 | ((market >> value) & 1) << 7 | size << 4 | value
        worth = np.int64(WORTH[index & 1023])
        if shadow_cards != 0:
            worth += shadow_burden(view, shadow_cards, value, size)
        best = max(best, worth * 16 + value)
    return sensible_group(view, best & 15)
