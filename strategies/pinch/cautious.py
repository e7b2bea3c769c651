"""Avoid being pinched: play what the unseen cards can hardly beat, big groups and high values, and keep the jokers.

For each value it holds it asks how likely another hand could form a higher group of the same size from the cards nobody has
seen, and takes the square of that chance off the group's worth: a small danger hardly counts, a sure loss counts fully. The
jokers stay in hand until it is late.
"""

import numpy as np

from pinchsim.games.pinch.moves import JOKER
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

# What a group of 1, 2, 3, 4, 5 or more cards is worth in no danger, and what each ten steps of its value add.
EARLY, EARLY_VALUE = (170, 178, 95, 72, 500), (-10, -30, 20, 40, 20)
LATE, LATE_VALUE = (152, 150, 170, 244, 500), (-30, 15, 0, 20, 20)
IN_MARKET = (20, 58, 20, 20, 20)
LOSS = (10, 50, 200, 200, 200)  # what a group that is surely pinched loses, by size
GROWTH = (2, 8, 16, 16, 4)  # how fast the danger of each size grows with the number of higher groups


def _worths():
    """Worth of a group that is in no danger, at index late * 256 + in_market * 128 + size * 16 + value."""
    table = np.full(512, -(1 << 20), np.int32)
    for late in range(2):
        base, slope = (LATE, LATE_VALUE) if late else (EARLY, EARLY_VALUE)
        for in_market in range(2):
            for size in range(1, 6):
                for value in range(1, JOKER):
                    worth = base[size - 1] + slope[size - 1] * value // 10 - IN_MARKET[size - 1] * in_market
                    table[late << 8 | in_market << 7 | size << 4 | value] = worth
    return table


def _risks():
    """What danger takes off a group's worth, at index size * 64 + danger (0..63)."""
    table = np.zeros(512, np.int32)
    for size in range(1, 6):
        for danger in range(64):
            beaten = 1 - np.exp(-danger * GROWTH[size - 1] / 256)
            table[size << 6 | danger] = int(LOSS[size - 1] * beaten * beaten)
    return table


def _groups():
    """Ways to form groups of 1 to 4 from so many unseen cards of one value, in lanes of 16 bits."""
    table = np.zeros(16, np.int64)
    for unseen in range(16):
        n = min(unseen, 8)
        table[unseen] = n | n * (n - 1) << 16 | n * (n - 1) * (n - 2) << 32 | n * (n - 1) * (n - 2) * (n - 3) << 48
    return table


WORTH = _worths()
RISK = _risks()
GROUPS = _groups()


def _chances(view):
    """Chance in 256ths that 1, 2, 3 or 4 given unseen cards are all in other hands, in lanes of 16 bits."""
    others = -view.cards_in_hand[view.position]
    for p in range(view.n_players):
        others += view.cards_in_hand[p]
    one = (others << 8) // (others + view.pile_size)
    two = one * one >> 8
    three = two * one >> 8
    return one | two << 16 | three << 32 | (three * one >> 8) << 48


def play(view):
    late, market, chances = is_late(view), market_values(view), _chances(view)
    shadow_cards = shadow_groups(view)
    higher = 0  # ways to form a higher group, by size
    best = -(1 << 40)
    for value in range(view.n_values, 0, -1):
        size = min(np.int64(view.hand[value]), 5)
        lane = ((size - 1) & 3) << 4
        danger = min((((higher >> lane) & 0xFFFF) * ((chances >> lane) & 0xFFFF)) >> 10, 63)
        worth = np.int64(WORTH[(late << 8 | ((market >> value) & 1) << 7 | size << 4 | value) & 511])
        if shadow_cards != 0:
            worth += shadow_burden(view, shadow_cards, value, size)
        best = max(best, (worth - RISK[(size << 6 | danger) & 511]) * 16 + value)
        higher += GROUPS[np.int64(view.unseen[value]) & 15]
    return sensible_group(view, best & 15)
