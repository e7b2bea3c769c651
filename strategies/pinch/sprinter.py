"""Empty the hand: play the biggest group, join jokers to get rid of them, take little, draw only what joins.

The plan is to need as few turns as possible. Once another hand is short or the cards run low, jokers join the group, since
every card left in hand costs a point. It ends the game only when that wins.
"""

import numpy as np

from pinchsim.games.pinch.moves import JOKER, LEAVE, TAKE, group
from pinchsim.games.pinch.sense import draw, is_late, last_group, lead, shadow, take_back


def play(view):
    best = 0
    for value in range(1, JOKER):
        best = max(best, view.hand[value] << 4 | (15 - value))  # most cards, then the lowest value
    value, naturals, jokers = 15 - (best & 15), np.int64(best >> 4), np.int64(view.hand[JOKER])
    if naturals + jokers == view.cards_in_hand[view.position]:
        return last_group(view, value, naturals, jokers)
    if is_late(view):
        return group(value, naturals, jokers)
    return group(value, naturals, 0)


def take(view):
    """Only what joins cards in hand: it is played with them and costs no turn."""
    if view.pile_size + view.market_filled <= view.group_size:
        return TAKE if lead(view) + view.group_size * view.hand_points > 0 else LEAVE
    return TAKE if view.hand[view.group_value] > 0 and not is_late(view) else LEAVE
