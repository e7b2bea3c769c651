"""A turn and a game (R3-R6, R8), in the order of the rules text."""

import numpy as np

from pinchsim._jit import inner, inner_apart
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.coverage import R3_1, R5_4, R5_5, R7_1, R8_7
from pinchsim.games.pinch.draw import draw_cards, refill
from pinchsim.games.pinch.hooks import ONE
from pinchsim.games.pinch.pile import is_pile_used_up
from pinchsim.games.pinch.pinch import pinch_neighbours
from pinchsim.games.pinch.play import end_with_empty_hand, play
from pinchsim.games.pinch.score import note_counts
from pinchsim.games.pinch.shadow import pinch_shadow


@inner
def take_turn(state, view, hooks, player):
    """Play a group, pinch the shadow and the neighbours, and perhaps draw a card: one turn of `player`."""
    view.turn += 1
    view.mover = player
    hooks.fired(state, R3_1, 1)
    group = play(state, view, hooks, player)
    if state.end != c.RUNNING:
        return
    last_group = view.cards_in_hand[player] == 0  # and the reading in force lets it pinch
    shadow_pinched = False
    if hooks.duel(view):
        shadow_pinched = pinch_shadow(state, view, hooks, player, group)
        if state.end != c.RUNNING:
            return
    pinched = pinch_neighbours(state, view, hooks, player, group)
    finish_turn(state, view, hooks, player, last_group, pinched, shadow_pinched)


@inner
def finish_turn(state, view, hooks, player, last_group, pinched, shadow_pinched):
    """What comes after the pinches: perhaps a free draw, and the end of the turn (R5.4, R5.5)."""
    if state.end != c.RUNNING:
        return
    if hooks.reading(view, c.LAST_GROUP_PINCHES) != 0 and last_group:
        end_with_empty_hand(state, player)
        return
    if not pinched:
        free_draw(state, view, hooks, player, shadow_pinched)
    end_turn(state, view, hooks)


@inner
def end_turn(state, view, hooks):
    """The turn passes on (R5.5), unless the game is over or this was the last turn allowed (R6.6)."""
    if state.end != c.RUNNING:
        return
    if hooks.reading(view, c.REFILL) == c.AFTER_TURN:
        refill(state, view, hooks)
    if view.turn == view.turn_limit:
        state.end = c.TURN_LIMIT
    else:
        hooks.fired(state, R5_5, 1)


@inner
def free_draw(state, view, hooks, player, shadow_pinched):
    """Draw a card or pass, having pinched nobody (R5.4); the shadow counts, too, unless a switch says no (R8.7)."""
    if view.free_draw == 0:
        hooks.fired(state, R7_1, 1)
        return
    if shadow_pinched and view.shadow_blocks_free_draw != 0:
        hooks.fired(state, R8_7, 1)
        return
    hooks.fired(state, R5_4, np.int64(view.market_filled > 0 or not is_pile_used_up(view, hooks)))
    view.may_pass = 1
    draw_cards(state, view, hooks, player, ONE)


@inner_apart
def play_to_end(state, view, hooks):
    """Play the game that was dealt until it ends (R6) or a strategy answers something illegal (`state.status`)."""
    player = np.int64(0)  # a plain 0 would be a type of its own, for which Numba would compile the whole turn once more
    while state.end == c.RUNNING:
        take_turn(state, view, hooks, player)
        note_counts(state, view)
        player = (player + 1 if player + 1 < view.n_players else 0) & 7  # & 7 tells the compiler: never negative
