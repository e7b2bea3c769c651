"""Lay a low single on top as bait: who pinches it leaves it, and a better card is drawn from the market.

Early it plays its lowest value that it holds once, and keeps pairs and more together while they grow. When the game gets
late, or no single is left, it plays its biggest group.
"""

import numpy as np

from pinchsim.games.pinch.moves import JOKER
from pinchsim.games.pinch.sense import draw, is_late, sensible_group, shadow, take, take_back

ENOUGH = 4  # a group that has grown this far is played before any bait


def _biggest(view):
    """The value held most often, the lowest of them, as count * 16 + 15 - value."""
    best = 0
    for value in range(1, JOKER):
        best = max(best, np.int64(view.hand[value]) << 4 | (15 - value))
    return best


def _lowest_single(view):
    """The lowest value held exactly once, 0 if there is none."""
    lowest = 0
    for value in range(view.n_values, 0, -1):
        lowest = value if view.hand[value] == 1 else lowest
    return lowest


def play(view):
    biggest = _biggest(view)
    bait = _lowest_single(view)
    if bait > 0 and biggest >> 4 < ENOUGH and not is_late(view):
        return sensible_group(view, bait)
    return sensible_group(view, 15 - (biggest & 15))
