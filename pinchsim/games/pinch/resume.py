"""Going on with a game from the middle of a turn: from any decision that a player is asked for.

A search needs this: it answers the decision at hand in this way and that, and plays on. What has happened in the turn so far
follows from the view: the group just played is the mover's top group, whose victims come one after the other.

The steps of a turn are compiled once here and called from where a turn may be entered, not copied into each such place.
"""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import draw, pinch, shadow, turn
from pinchsim.games.pinch.compare import find_victims, neighbour, top_group

# Which decision is asked for, in the order of `compiled.DECISIONS`.
PLAY, TAKE, TAKE_BACK, DRAW, SHADOW = range(5)


@inner_called
def play_on(state, view, hooks, decision):
    """Play a game to its end that stands at this decision of `view.position`; it is asked again first."""
    go_on(state, view, hooks, decision)
    player = np.int64(view.mover)
    while state.end == c.RUNNING:
        player = (player + 1 if player + 1 < view.n_players else 0) & 7
        take_turn(state, view, hooks, player)


@inner
def go_on(state, view, hooks, decision):
    """Finish the turn that stands at this decision."""
    player = np.int64(view.mover) & 7
    group = top_group(view, player)
    last_group = view.cards_in_hand[player] == 0
    if decision == PLAY:
        view.turn -= 1  # the turn begins once more
        take_turn(state, view, hooks, player)
    elif decision == SHADOW:
        shadow_pinched = pinch_shadow(state, view, hooks, player, group)
        pinched = state.end == c.RUNNING and pinch_neighbours(state, view, hooks, player, group)
        finish_turn(state, view, hooks, player, last_group, pinched, shadow_pinched)
    elif decision == DRAW and view.may_pass != 0:
        draw_several(state, view, hooks, player, view.to_draw)
        turn.end_turn(state, view, hooks)
    else:
        finish_pinch(state, view, hooks, decision, player, group)
        finish_turn(state, view, hooks, player, last_group, player >= 0, player < 0)


@inner
def finish_pinch(state, view, hooks, decision, player, group):
    """Finish the pinch at hand and those that come after it.

    Where the last group of a hand pinches, too (reading `last_group_pinches`), a hand that is empty no more because a group was
    taken is not recognised, and the game goes on.
    """
    victim = np.int64(view.victim) & 7
    if decision == DRAW:
        draw_several(state, view, hooks, victim, view.to_draw)
    else:
        settle_pinch(state, view, hooks, decision, player, victim)
    if state.end == c.RUNNING:
        again = np.int64(pinch.is_pinched_again(state, view, hooks, victim, group))
        victims = find_victims(state, view, hooks, player, group) & from_lane(view, hooks, player, victim, 1 - again)
        pinch_all(state, view, hooks, player, group, victims)


@inner
def from_lane(view, hooks, player, victim, later):
    """The bits of `find_victims` of this neighbour and all that are compared after it; without itself if `later` is 1."""
    k = 0
    while k < view.n_players - 2 and neighbour(view, hooks, player, k) != victim:
        k += 1
    return -1 << ((k + later) * c.LANE)


@inner_called
def settle_pinch(state, view, hooks, decision, player, victim):
    """What follows from a pinch, from the take or leave or the take back or discard on."""
    if decision == TAKE:
        lifted = c.pack_group(view.group_value, view.group_naturals, view.group_jokers)
        pinch.settle_pinch(state, view, hooks, player, victim, lifted)
    elif pinch.discards_group(state, view, hooks, victim):
        pinch.make_up(state, view, hooks, victim)


@inner_called
def take_turn(state, view, hooks, player):
    """See `turn.take_turn`."""
    turn.take_turn(state, view, hooks, player)


@inner_called
def finish_turn(state, view, hooks, player, last_group, pinched, shadow_pinched):
    """See `turn.finish_turn`."""
    turn.finish_turn(state, view, hooks, player, last_group, pinched, shadow_pinched)


@inner_called
def draw_several(state, view, hooks, player, count):
    """See `draw.draw_several`."""
    draw.draw_several(state, view, hooks, player, count)


@inner_called
def pinch_all(state, view, hooks, player, group, victims):
    """See `pinch.pinch_all`."""
    pinch.pinch_all(state, view, hooks, player, group, victims)


@inner_called
def pinch_neighbours(state, view, hooks, player, group):
    """See `pinch.pinch_neighbours`."""
    return pinch.pinch_neighbours(state, view, hooks, player, group)


@inner_called
def pinch_shadow(state, view, hooks, player, group):
    """See `shadow.pinch_shadow`."""
    return shadow.pinch_shadow(state, view, hooks, player, group)
