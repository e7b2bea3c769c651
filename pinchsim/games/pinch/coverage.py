"""A counter for each numbered rule: how often it came into play (METHODS M6.1).

The engine calls `hooks.fired(state, RULE, times)` where a rule acts; only the counting kernel does anything with it.
"""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch.codes import MAX_RULES, SLOT_MASK

COUNTED = {
    "R1.1": "number cards in the deck",
    "R1.2": "cards in the deck",
    "R1.3": "jokers in hands as dealt",
    "R2.1": "players seated",
    "R2.2": "cards dealt to hands",
    "R2.3": "market places filled at the start",
    "R3.1": "turns begun",
    "R3.2": "groups played",
    "R3.3": "groups laid on top of another",
    "R3.4": "last groups, which pinch nobody",
    "R4.1": "top groups compared with the group played",
    "R4.2": "top groups found to be beaten",
    "R4.3": "top groups pinched",
    "R4.4": "choices: take or leave, take back or discard",
    "R4.5": "groups that came to the top when the one above was pinched",
    "R4.6": "pinches after another one of the same turn",
    "R4.7": "jokers that went back into a hand",
    "R5.1": "sources chosen to draw from",
    "R5.2": "market places refilled",
    "R5.3": "drawings that used up pile and market",
    "R5.4": "free draws offered",
    "R5.5": "turns passed to the left",
    "R6.1": "games that ended with an empty hand",
    "R6.2": "games that ended with the cards used up",
    "R6.3": "scores worked out",
    "R6.4": "games with a tie for the highest score",
    "R6.5": "rounds complete: every seat has started once",
    "R6.6": "games that reached the turn limit",
    "R7.1": "free draws not offered, because the variant has none",
    "R7.2": "kings and lone jokers found beaten by aces",
    "R7.3": "duels played",
    "R7.4": "games played by Linko's switches",
    "R8.1": "jokers given to hands before the deal",
    "R8.2": "cards laid into the shadow display",
    "R8.3": "kings and jokers turned up for the shadow display",
    "R8.4": "two-card groups drawn",
    "R8.5": "shadow groups pinched",
    "R8.6": "cards taken from the shadow display",
    "R8.7": "free draws lost by pinching the shadow",
    "R8.8": "refills of the shadow display that emptied the pile",
    "R9.1": "cards that came into a hand openly, after the deal",
    "R9.2": "cards drawn unseen from the pile",
    "R9.3": "decisions asked",
    "R10.1": "decisions answered by uniform",
    "R10.2": "decisions answered by greedy",
}
RULES = tuple(COUNTED)
assert len(RULES) <= MAX_RULES

# Not plain integers: Numba would compile `fired` anew for each of them.
(
    R1_1, R1_2, R1_3, R2_1, R2_2, R2_3, R3_1, R3_2, R3_3, R3_4, R4_1, R4_2, R4_3, R4_4, R4_5, R4_6, R4_7,
    R5_1, R5_2, R5_3, R5_4, R5_5, R6_1, R6_2, R6_3, R6_4, R6_5, R6_6, R7_1, R7_2, R7_3, R7_4,
    R8_1, R8_2, R8_3, R8_4, R8_5, R8_6, R8_7, R8_8, R9_1, R9_2, R9_3,
) = map(np.int64, range(len(RULES) - 2))  # fmt: skip


@inner
def without_counting():
    """Compiled without loops that do nothing but count: the compiler does not find out by itself."""
    return False


@inner
def with_counting():
    """Compiled with them."""
    return True


@inner
def not_counted(state, rule, times):
    """Nobody asks."""


@inner
def count(state, rule, times):
    """Note that a rule came into play so often."""
    state.fired[rule] += times


def counted(decide):
    """The same compiled decision, counted by the slot of the strategy that answers."""

    @inner
    def decide_counted(state, view):
        state.fired[R9_3] += 1
        state.asked[view.slot & SLOT_MASK] += 1
        return decide(state, view)

    return decide_counted
