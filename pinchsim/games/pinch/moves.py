"""All that a strategy needs: answers to give, and questions to ask about the view.

A strategy file starts with `from pinchsim.games.pinch.moves import *` or names what it uses. The fields of the view are
listed by `pinchsim strategies view`.
"""

from pinchsim._jit import inner
from pinchsim.games.pinch.codes import (
    DISCARD,
    JOKER,
    LEAVE,
    PASS,
    PILE,
    TAKE,
    TAKE_BACK,
    group_size,
    group_value,
    pack_group,
)
from pinchsim.games.pinch.score import score
from pinchsim.rng import below, below_both, chance

__all__ = [
    "DISCARD",
    "JOKER",
    "LEAVE",
    "PASS",
    "PILE",
    "TAKE",
    "TAKE_BACK",
    "below",
    "below_both",
    "chance",
    "group",
    "lone_jokers",
    "score",
    "top_size",
    "top_value",
    "would_pinch",
]


@inner
def group(value, naturals, jokers):
    """Answer of `play`: a group of `naturals` cards of `value` with `jokers` joining them."""
    return pack_group(value, naturals, jokers)


@inner
def lone_jokers(jokers):
    """Answer of `play`: jokers alone."""
    return pack_group(JOKER, 0, jokers)


@inner
def top_size(view, player):
    """Cards in a player's top group, 0 for an empty display."""
    return group_size(view.groups[player, view.n_groups[player]])


@inner
def top_value(view, player):
    """Value of a player's top group (`JOKER` for lone jokers), 0 for an empty display."""
    return group_value(view.groups[player, view.n_groups[player]])


@inner
def would_pinch(view, value, size, player):
    """Whether a group of this value and size would pinch the player's top group now (R4.2, R7.2)."""
    return (top_size(view, player) == size) & (view.beats[value] >> top_value(view, player) & 1 != 0)
