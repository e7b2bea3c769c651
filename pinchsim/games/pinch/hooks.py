"""What the engine asks from outside: decisions, a log, who keeps track of the known cards, and what is compiled in at all.

A compiled game gets these as one tuple of compiled functions. Numba specialises the engine for each tuple, so the same
turn serves the fast simulator (`log` does nothing), the game record (`log` writes) and the replay (the decisions are
read from a script). What is publicly known of hands and unseen cards is noted (`tracking`) only if a strategy reads it, and
the duel and the contested readings are compiled in only where a rule set has them: the base game pays nothing for them.
"""

from typing import NamedTuple

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.coverage import count, not_counted, with_counting, without_counting
from pinchsim.games.pinch.state import stop
from pinchsim.games.pinch.tracking import IGNORE, TRACK
from pinchsim.rng import next_word, scale, word_at


class Hooks(NamedTuple):
    """Compiled functions; the decisions get (state, view) and answer with a small integer."""

    play: object
    take: object
    take_back: object
    draw: object
    shadow: object
    log: object
    log_draw: object
    log_refill: object
    note_played: object
    note_known: object
    note_turned_up: object
    note_discard: object
    next_discard: object
    duel: object
    reading: object
    counting: object
    fired: object


# Kinds of a line in the log, and what `state.log[line]` holds after the kind and the player. They are not plain integers, for
# each of which Numba would compile `log` anew.
LOG_PLAY = np.int64(1)  # packed group
LOG_PINCH = np.int64(2)  # victim, packed group, TAKE or LEAVE
LOG_RESPOND = np.int64(3)  # TAKE_BACK or DISCARD
LOG_DRAW = np.int64(4)  # market place or PILE, card, partner in a market group (negative if the partner lay there first)
LOG_PASS = np.int64(5)
LOG_REFILL = np.int64(6)  # market place, card
LOG_SHADOW_PINCH = np.int64(7)  # value, size
LOG_SHADOW_REFILL = np.int64(8)  # card; market place onto which it was put, or one of the next two
LOG_RESHUFFLE = np.int64(9)  # card
STAYS, OUT_OF_PLAY = np.int64(-1), np.int64(-2)
NONE, ONE = np.int64(0), np.int64(1)


@inner
def no_log(state, kind, player, a, b, c):
    """Write nothing."""


@inner_called
def write_log(state, kind, player, a, b, third):
    """Append one line to the log. Only games with reshuffled discards can outgrow it; they are broken off."""
    line = state.log_length
    if line >= c.MAX_LOG:
        stop(state, c.LOG_FULL)
        return
    state.log[line, 0] = kind
    state.log[line, 1] = player
    state.log[line, 2] = a
    state.log[line, 3] = b
    state.log[line, 4] = third
    state.log_length = line + 1


@inner
def write_log_draw(state, player, source, card, partner):
    """Log a card drawn, or that none was."""
    if source == c.PASS:
        write_log(state, LOG_PASS, player, NONE, NONE, NONE)
    else:
        write_log(state, LOG_DRAW, player, source, card, partner)


@inner
def no_log_draw(state, player, source, card, partner):
    """Write nothing."""


@inner
def no_log_refill(state, happened, place, card):
    """Write nothing."""


@inner
def write_log_refill(state, happened, place, card):
    """Log a refill if it happened."""
    if happened:
        write_log(state, LOG_REFILL, NONE, place, card, NONE)


@inner_called
def scripted(state, view):
    """Replay: the next answer of the script instead of a strategy's."""
    at = state.script_at
    state.script_at = at + 1
    if at >= state.script_length:
        stop(state, c.SCRIPT_ENDED)
        return c.NO_ANSWER
    return np.int64(state.script[at])


@inner
def random_discard(state, view, left):
    """Which of the `left` discarded cards, counted in ascending order, comes next in the new pile."""
    state.discard_stream = next_word(state.discard_stream)
    return scale(word_at(state.discard_stream), left)


@inner
def scripted_discard(state, view, left):
    """Replay: the same from the script, which names the card."""
    card = scripted(state, view)
    k = 0
    for lower in range(1, c.JOKER + 1):
        if lower == card and view.discard[card] > 0:
            return k
        k += np.int64(view.discard[lower])
    stop(state, c.ILLEGAL_RESHUFFLE)
    return 0


@inner
def without_duel(view):
    """Compiled without the two-player game."""
    return False


@inner
def with_duel(view):
    """Whether this is a duel (R8)."""
    return view.duel != 0


@inner
def without_readings(view, switch):
    """Compiled without contested readings: the ruling holds."""
    return 0


@inner
def with_readings(view, switch):
    """Which reading of a contested sentence is in force (`codes`)."""
    return view.readings[switch]


def build(decisions, *, logging=False, scripted_pile=False, tracking=True, duel=True, readings=True, counting=False):
    """The hooks of one kernel: its compiled decisions, in the order of `Hooks`, and what else is compiled in."""
    log = (write_log, write_log_draw, write_log_refill) if logging else (no_log, no_log_draw, no_log_refill)
    return Hooks._make(
        (
            *decisions,
            *log,
            *(TRACK if tracking else IGNORE),
            scripted_discard if scripted_pile else random_discard,
            with_duel if duel else without_duel,
            with_readings if readings else without_readings,
            with_counting if counting else without_counting,
            count if counting else not_counted,
        )
    )


SETUP = build((scripted,) * 5, tracking=False)  # to deal only
