"""The second step of a turn: compare, pinch, take or leave, take back or discard (R4)."""

import numpy as np

from pinchsim._jit import inner, trailing_zeros
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import (
    CARDS_DISCARDED,
    CARDS_TAKEN,
    CARDS_TAKEN_BACK,
    MULTI_PINCHES,
    PINCHES_MADE,
    PINCHES_SUFFERED,
    TAKE_BACKS,
    TAKES,
)
from pinchsim.games.pinch.draw import draw_cards
from pinchsim.games.pinch.hooks import LOG_PINCH, LOG_RESPOND
from pinchsim.games.pinch.state import add_to_hand, set_top_group, show, stop


@inner
def find_victims(state, player, group):
    """The neighbours whose top group is beaten, as the guard bits of their lanes.

    All comparisons are made at once (R4.1, R4.2, R7.2): what happens to one neighbour does not change the top group of the
    next. A lane is beaten if it is at least (size, lowest value beaten) and below (size, first value not beaten): with
    the free bit of each lane set, a subtraction keeps that bit exactly if the lane is not the smaller one. The lane of
    `player` holds `group`, which does not beat itself.
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
def lift_top_group(state, view, victim):
    """Take the top group off a display; the group below is the new top group (R4.5)."""
    n_groups = view.n_groups[victim]
    group = np.int64(view.groups[victim, n_groups & 255])
    view.groups[victim, n_groups & 255] = 0
    view.n_groups[victim] = n_groups - 1
    set_top_group(state, victim, np.int64(view.groups[victim, (n_groups - 1) & 255]))
    view.cards_in_display[victim] -= c.group_size(group)
    view.victim = victim
    view.group_value = c.group_value(group)
    view.group_size = c.group_size(group)
    view.group_naturals = c.group_naturals(group)
    view.group_jokers = c.group_jokers(group)
    return group


@inner
def take_group(state, view, hooks, player):
    """Put the pinched group into a hand; its jokers are plain jokers again (R4.4, R4.7), and all have seen it (R9.1)."""
    add_to_hand(state, player, view.group_value, view.group_naturals)
    add_to_hand(state, player, c.JOKER, view.group_jokers)
    view.cards_in_hand[player] += view.group_size
    hooks.note_known(view, player, view.group_value, view.group_naturals)
    hooks.note_known(view, player, c.JOKER, view.group_jokers)


@inner
def pinch(state, view, hooks, player, victim):
    """Resolve one pinch completely: decisions, drawing, refilling (R4.4-R4.6)."""
    group = lift_top_group(state, view, victim)
    size = view.group_size
    state.tallies[player, PINCHES_MADE] += 1
    state.tallies[victim, PINCHES_SUFFERED] += 1
    show(state, view, player)
    choice = hooks.take(state, view)
    if choice != c.TAKE and choice != c.LEAVE:
        stop(state, c.ILLEGAL_TAKE)
        return
    hooks.log(state, LOG_PINCH, player, victim, group, choice)
    if choice == c.TAKE:
        take_group(state, view, hooks, player)
        state.tallies[player, TAKES] += 1
        state.tallies[player, CARDS_TAKEN] += size
    else:
        show(state, view, victim)
        choice = hooks.take_back(state, view)
        if choice != c.TAKE_BACK and choice != c.DISCARD:
            stop(state, c.ILLEGAL_TAKE_BACK)
            return
        hooks.log(state, LOG_RESPOND, victim, choice, 0, 0)
        if choice == c.TAKE_BACK:
            take_group(state, view, hooks, victim)
            state.tallies[victim, TAKE_BACKS] += 1
            state.tallies[victim, CARDS_TAKEN_BACK] += size
            return
        hooks.note_discard(view)
        state.tallies[victim, CARDS_DISCARDED] += size
    view.may_pass = 0
    draw_cards(state, view, hooks, victim, size)


@inner
def pinch_neighbours(state, view, hooks, player, group):
    """Pinch every neighbour whose top group the group just played beats, clockwise, each once (R4.1, R4.3).

    Stops early when the game ends. Returns whether anybody was pinched.
    """
    victims = find_victims(state, player, group)
    if victims == 0:
        return False
    victims = clockwise(view, player, victims)
    pinched = 0
    while victims != 0:
        victim = player + 1 + trailing_zeros(victims) // c.LANE
        victims &= victims - 1
        pinched += 1
        pinch(state, view, hooks, player, (victim if victim < view.n_players else victim - view.n_players) & 7)
        if state.end != c.RUNNING:
            break
    state.tallies[player, MULTI_PINCHES] += pinched > 1
    return True
