"""Which group beats which (R4.2, R7.2)."""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.coverage import R4_1, R4_2, R7_2


@inner
def beats(view, hooks, group, other):
    """Whether a packed group beats another: equal sizes, and the higher value (R4.2) or ace against king or joker (R7.2)."""
    if c.group_size(group) != c.group_size(other):
        return False
    value, theirs = c.group_value(group), c.group_value(other)
    numbers = value != c.JOKER and theirs != c.JOKER
    if numbers and hooks.reading(view, c.COMPARE) == c.BY_NATURALS and not bites(view, value, theirs):
        mine, against = value * c.group_naturals(group), theirs * c.group_naturals(other)
        return mine > against or (mine == against and hooks.reading(view, c.EQUAL_PINCHES) != 0)
    return view.beats[value] >> theirs & 1 != 0


@inner
def bites(view, value, theirs):
    """Whether the value is an ace and beats what is higher than itself (R7.2)."""
    return value == 1 and theirs > 1 and view.beats[value] >> theirs & 1 != 0


@inner
def find_victims(state, view, hooks, player, group):
    """The neighbours whose top group is beaten, a bit each: lane k for the one who is compared as number k.

    All comparisons are made at once (R4.1, R4.2, R7.2): what happens to one neighbour does not change the top group of the
    next.
    """
    if is_general(view, hooks):
        return compare_each(view, hooks, player, group)
    return clockwise(view, player, compare_all(state, group))


@inner
def is_general(view, hooks):
    """Whether a reading is in force that needs the general comparison."""
    other = hooks.reading(view, c.EQUAL_PINCHES) | hooks.reading(view, c.LONE_JOKER_TIE) | hooks.reading(view, c.PINCH_ORDER)
    return other != 0 or hooks.reading(view, c.COMPARE) == c.BY_NATURALS


@inner_called
def compare_each(view, hooks, player, group):
    """One comparison after the other."""
    victims = 0
    for k in range(view.n_players - 1):
        top = top_group(view, neighbour(view, hooks, player, k))
        victims |= np.int64(top != 0 and beats(view, hooks, group, top)) << (k * c.LANE)
    return victims


@inner
def compare_all(state, group):
    """All comparisons in one subtraction, as the guard bits of the players' lanes.

    A lane is beaten if it is at least (size, lowest value beaten) and below (size, first value not beaten): with the free
    bit of each lane set, a subtraction keeps that bit exactly if the lane is not the smaller one. The lane of the player
    holds `group`, which does not beat itself.
    """
    size = (c.group_size(group) << 4) * c.LANE_ONES
    value = c.group_value(group)
    guarded = state.tops | c.LANE_GUARDS
    not_below = guarded - (size + state.beats_from[value])
    not_above = guarded - (size + state.beats_below[value])
    return not_below & ~not_above & c.LANE_GUARDS


@inner
def clockwise(view, player, lanes):
    """The bits of all lanes but the player's own, turned so that the left-hand neighbour's lane is the lowest."""
    after = (player + 1) * c.LANE
    whole = view.n_players * c.LANE
    return (lanes >> after | lanes << (whole - after)) & ((1 << (whole - c.LANE)) - 1)


@inner
def neighbour(view, hooks, player, k):
    """The player who is compared as number k, from 0: clockwise from the left (R4.1; reading `pinch_order`)."""
    steps = k + 1 if hooks.reading(view, c.PINCH_ORDER) == 0 else view.n_players - 1 - k
    other = player + steps
    return (other if other < view.n_players else other - view.n_players) & 7


@inner
def top_group(view, player):
    """Packed top group of a player's display, 0 for none."""
    return np.int64(view.groups[player, view.n_groups[player] & 255])


@inner
def count_comparisons(state, view, hooks, player, group, first, times):
    """Count the comparisons from number `first` on."""
    for k in range(first, view.n_players - 1):
        count_comparison(state, view, hooks, group, top_group(view, neighbour(view, hooks, player, k)), times)


@inner
def count_comparison(state, view, hooks, group, top, times):
    """Count R4.1, R4.2 and R7.2 for one comparison."""
    if top != 0:
        beaten = times * np.int64(beats(view, hooks, group, top))
        hooks.fired(state, R4_1, times)
        hooks.fired(state, R4_2, beaten)
        hooks.fired(state, R7_2, beaten * np.int64(bites(view, c.group_value(group), c.group_value(top))))
