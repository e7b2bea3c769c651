"""A turn and a game (R3-R6), in the order of the rules text."""

from pinchsim._jit import inner, inner_apart
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.draw import draw_cards
from pinchsim.games.pinch.pinch import pinch_neighbours
from pinchsim.games.pinch.play import play
from pinchsim.games.pinch.score import note_counts


@inner
def take_turn(state, view, hooks, player):
    """Play a group, pinch, and perhaps draw a card: one turn of `player`."""
    view.turn += 1
    view.mover = player
    group = play(state, view, hooks, player)
    if state.end != c.RUNNING:
        return
    pinched = pinch_neighbours(state, view, hooks, player, group)
    if state.end != c.RUNNING:
        return
    if not pinched and view.free_draw != 0:
        view.may_pass = 1
        draw_cards(state, view, hooks, player, 1)
    if view.turn == view.turn_limit and state.end == c.RUNNING:
        state.end = c.TURN_LIMIT


@inner_apart
def play_to_end(state, view, hooks):
    """Play the game that was dealt until it ends (R6) or a strategy answers something illegal (`state.status`)."""
    player = 0
    while state.end == c.RUNNING:
        take_turn(state, view, hooks, player)
        note_counts(state, view)
        player = (player + 1 if player + 1 < view.n_players else 0) & 7  # & 7 tells the compiler: never negative
