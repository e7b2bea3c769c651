"""The second step of a turn: pinch, take or leave, take back or discard (R4)."""

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
from pinchsim.games.pinch.compare import beats, count_comparison, count_comparisons, find_victims, neighbour, top_group
from pinchsim.games.pinch.coverage import R4_3, R4_4, R4_5, R4_6, R4_7, R9_1
from pinchsim.games.pinch.draw import draw_cards
from pinchsim.games.pinch.hooks import LOG_PINCH, LOG_RESPOND, NONE, ONE
from pinchsim.games.pinch.state import add_to_hand, set_top_group, show, stop


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
    hooks.fired(state, R4_7, view.group_jokers)
    hooks.fired(state, R9_1, view.group_size)


@inner
def pinch(state, view, hooks, player, victim):
    """Resolve one pinch completely: decisions, drawing, refilling (R4.4-R4.6)."""
    group = lift_top_group(state, view, victim)
    state.tallies[player, PINCHES_MADE] += 1
    state.tallies[victim, PINCHES_SUFFERED] += 1
    hooks.fired(state, R4_3, 1)
    hooks.fired(state, R4_5, np.int64(view.n_groups[victim] > 0))
    settle_pinch(state, view, hooks, player, victim, group)


@inner
def settle_pinch(state, view, hooks, player, victim, group):
    """Take or leave the group that was lifted, and what follows (R4.4)."""
    hooks.fired(state, R4_4, 1)
    show(state, view, player)
    choice = hooks.take(state, view)
    if choice != c.TAKE and choice != c.LEAVE:
        stop(state, c.ILLEGAL_TAKE)
        return
    hooks.log(state, LOG_PINCH, player, victim, group, choice)
    if choice == c.TAKE:
        take_group(state, view, hooks, player)
        state.tallies[player, TAKES] += 1
        state.tallies[player, CARDS_TAKEN] += view.group_size
    elif not discards_group(state, view, hooks, victim):
        return
    make_up(state, view, hooks, victim)


@inner
def discards_group(state, view, hooks, victim):
    """Let the victim take the group back or discard it (R4.4); returns whether it did the latter."""
    hooks.fired(state, R4_4, 1)
    show(state, view, victim)
    choice = hooks.take_back(state, view)
    if choice != c.TAKE_BACK and choice != c.DISCARD:
        stop(state, c.ILLEGAL_TAKE_BACK)
        return False
    hooks.log(state, LOG_RESPOND, victim, choice, NONE, NONE)
    if choice == c.TAKE_BACK:
        take_group(state, view, hooks, victim)
        state.tallies[victim, TAKE_BACKS] += 1
        state.tallies[victim, CARDS_TAKEN_BACK] += view.group_size
        return False
    hooks.note_discard(view)
    state.tallies[victim, CARDS_DISCARDED] += view.group_size
    return True


@inner
def make_up(state, view, hooks, victim):
    """The victim draws as many cards as it lost (R4.4)."""
    view.may_pass = 0
    draw_cards(state, view, hooks, victim, view.group_size)


@inner
def is_pinched_again(state, view, hooks, victim, group):
    """Whether the group that has come to the top is pinched in the same turn, too (reading `exposed_group`)."""
    if hooks.reading(view, c.EXPOSED_GROUP) == 0 or state.end != c.RUNNING:
        return False
    top = top_group(view, victim)
    count_comparison(state, view, hooks, group, top, ONE)
    return top != 0 and beats(view, hooks, group, top)


@inner
def pinch_neighbours(state, view, hooks, player, group):
    """Pinch every neighbour whose top group the group just played beats, clockwise, each once (R4.1, R4.3).

    Stops early when the game ends. Returns whether anybody was pinched.
    """
    if hooks.counting():
        count_comparisons(state, view, hooks, player, group, NONE, ONE)
    victims = find_victims(state, view, hooks, player, group)
    if victims == 0:
        return False
    pinch_all(state, view, hooks, player, group, victims)
    return True


@inner
def pinch_all(state, view, hooks, player, group, victims):
    """Pinch these neighbours, a bit each (`compare.find_victims`), one after the other."""
    pinched = 0
    while victims != 0 and state.end == c.RUNNING:
        k = trailing_zeros(victims) // c.LANE
        victim = neighbour(view, hooks, player, k)
        hooks.fired(state, R4_6, np.int64(pinched > 0))
        pinched += 1
        pinch(state, view, hooks, player, victim)
        if not is_pinched_again(state, view, hooks, victim, group):
            victims &= victims - 1
            if hooks.counting() and state.end != c.RUNNING:
                count_comparisons(state, view, hooks, player, group, np.int64(k + 1), -ONE)  # these were not reached
    state.tallies[player, MULTI_PINCHES] += pinched > 1
