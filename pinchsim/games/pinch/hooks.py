"""What the engine asks from outside: the decisions, a log, and who keeps track of the cards that are known.

A compiled game gets these as one tuple of compiled functions. Numba specialises the engine for each tuple, so the same
turn serves the fast simulator (`log` does nothing), the game record (`log` writes) and the replay (the decisions are
read from a script). What is publicly known of hands and unseen cards is noted (`tracking`) only if a strategy reads it.
"""

from typing import NamedTuple

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch.codes import NO_ANSWER, PASS, SCRIPT_ENDED
from pinchsim.games.pinch.state import stop


class Hooks(NamedTuple):
    """Compiled functions; the decisions get (state, view) and answer with a small integer."""

    play: object
    take: object
    take_back: object
    draw: object
    log: object
    log_draw: object
    log_refill: object
    note_played: object
    note_known: object
    note_turned_up: object
    note_discard: object


# Kinds of a line in the log: what `state.log[line]` holds after the kind and the player.
LOG_PLAY = 1  # packed group
LOG_PINCH = 2  # victim, packed group, TAKE or LEAVE
LOG_RESPOND = 3  # TAKE_BACK or DISCARD
LOG_DRAW = 4  # market place or PILE, card
LOG_PASS = 5
LOG_REFILL = 6  # market place, card


@inner
def no_log(state, kind, player, a, b, c):
    """Write nothing."""


@inner
def write_log(state, kind, player, a, b, c):
    """Append one line to the log; `codes.MAX_LOG` is long enough for any game."""
    line = state.log_length
    state.log[line, 0] = kind
    state.log[line, 1] = player
    state.log[line, 2] = a
    state.log[line, 3] = b
    state.log[line, 4] = c
    state.log_length = line + 1


@inner
def write_log_draw(state, player, source, card):
    """Log a card drawn, or that none was."""
    if source == PASS:
        write_log(state, LOG_PASS, player, 0, 0, 0)
    else:
        write_log(state, LOG_DRAW, player, source, card, 0)


@inner
def no_log_draw(state, player, source, card):
    """Write nothing."""


@inner
def no_log_refill(state, happened, place, card):
    """Write nothing."""


@inner
def write_log_refill(state, happened, place, card):
    """Log a refill if it happened."""
    if happened:
        write_log(state, LOG_REFILL, 0, place, card, 0)


@inner
def scripted(state, view):
    """Replay: the next answer of the script instead of a strategy's."""
    at = state.script_at
    state.script_at = at + 1
    if at >= state.script_length:
        stop(state, SCRIPT_ENDED)
        return NO_ANSWER
    return np.int64(state.script[at])
