"""The first step of a turn: play a group (R3)."""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import JOKERS_JOINED, JOKERS_LONE
from pinchsim.games.pinch.coverage import R3_2, R3_3, R3_4
from pinchsim.games.pinch.hooks import LOG_PLAY, NONE
from pinchsim.games.pinch.state import add_to_hand, set_top_group, show, stop


@inner
def is_group(value, naturals, jokers):
    """Whether this is a group at all, whoever could play it (R3.2)."""
    if value == c.JOKER:
        return (naturals == 0) & (jokers > 0)
    return (naturals > 0) & (naturals < c.TOO_MANY)


@inner
def overdrawn(state, player):
    """Whether cards were played that the hand does not hold: their count is negative. No hand holds a value that is none."""
    return (state.hand_words[player, 0] | state.hand_words[player, 1]) & c.NEGATIVE != 0


@inner
def lay(state, view, hooks, player, group):
    """Move a packed group from the hand onto the player's display (R3.3)."""
    value = c.group_value(group)
    naturals = c.group_naturals(group)
    jokers = c.group_jokers(group)
    add_to_hand(state, player, value, -naturals)
    add_to_hand(state, player, c.JOKER, -jokers)
    view.cards_in_hand[player] -= naturals + jokers
    hooks.note_played(view, player, value, naturals)
    hooks.note_played(view, player, c.JOKER, jokers)
    state.tallies[player, JOKERS_LONE if naturals == 0 else JOKERS_JOINED] += jokers
    n_groups = view.n_groups[player] + 1
    view.groups[player, n_groups & 255] = group
    view.n_groups[player] = n_groups
    set_top_group(state, player, group)
    view.cards_in_display[player] += naturals + jokers


@inner
def play(state, view, hooks, player):
    """Let `player` play exactly one group (R3.1, R3.2) and return it packed.

    An empty hand ends the game (R3.4, R6.1).
    """
    show(state, view, player)
    group = hooks.play(state, view)
    if not is_group(c.group_value(group), c.group_naturals(group), c.group_jokers(group)):
        stop(state, c.ILLEGAL_PLAY)
        return group
    lay(state, view, hooks, player, group)
    if overdrawn(state, player):
        stop(state, c.ILLEGAL_PLAY)
        return group
    hooks.log(state, LOG_PLAY, player, group, NONE, NONE)
    hooks.fired(state, R3_2, 1)
    hooks.fired(state, R3_3, np.int64(view.n_groups[player] > 1))
    if view.cards_in_hand[player] == 0 and hooks.reading(view, c.LAST_GROUP_PINCHES) == 0:
        hooks.fired(state, R3_4, 1)
        end_with_empty_hand(state, player)
    return group


@inner
def end_with_empty_hand(state, player):
    """The player has played the last card: the game ends (R6.1)."""
    state.end = c.HAND_EMPTY
    state.ended_by = player
