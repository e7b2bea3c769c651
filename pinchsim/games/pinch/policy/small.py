"""The small form of the policy's weights: a dozen named numbers that a designer can write by hand.

Each name is a direction in the space of all weights (`layout`): so much of a few features, more or less of it in some contexts.
"""

from collections.abc import Mapping

import numpy as np

from pinchsim.games.pinch.policy import layout

_CONTEXT = {name: k for k, (name, _) in enumerate(layout.CONTEXTS)}

# name: (what a higher number means, value when a file leaves it out, ((decision, feature, context, how much), ...))
_SIZES = tuple((f"size_{k + 1}", float(k)) for k in range(5))
SMALL = {
    "size": (
        "plays bigger groups first",
        1.0,
        tuple(("play", name, "always", much / 2) for name, much in _SIZES),
    ),
    "hurry": (
        "plays bigger groups, and jokers with them, once a hand gets short",
        1.0,
        (
            *(("play", name, "race", much) for name, much in _SIZES),
            *(("play", name, "plan_ending", much / 2) for name, much in _SIZES),
            ("play", "jokers_spent", "race", 2.0),
            ("play", "jokers_spent", "plan_ending", 1.0),
        ),
    ),
    "low": (
        "plays low single cards before high ones",
        1.0,
        (("play", "value_1", "always", -1.0), ("play", "value_2", "always", -0.5)),
    ),
    "caution": (
        "avoids groups that others can probably beat, big ones most of all",
        1.0,
        (
            ("play", "threat_1_squared", "always", -0.5),
            ("play", "threat_2_squared", "always", -2.0),
            ("play", "threat_3_squared", "always", -4.0),
            ("play", "threat_4_squared", "always", -6.0),
        ),
    ),
    "safe": (
        "plays groups that no cards in other hands can beat",
        0.5,
        tuple(("play", f"safe_{size}", "always", 1.0) for size in (1, 2, 3, 4)),
    ),
    "finish": (
        "plays so that few turns are left",
        0.5,
        (("play", "plan_0", "always", 2.0), ("play", "plan_1", "always", 1.0), ("play", "plan_2", "always", 0.5)),
    ),
    "jokers": (
        "keeps jokers in hand",
        2.0,
        (("play", "jokers_spent", "always", -2.0), ("play", "lone_jokers", "always", -1.0)),
    ),
    "whole": (
        "plays all cards of a value together",
        2.0,
        (("play", "splits", "always", -1.0),),
    ),
    "pinch": (
        "pinches, and pinches much",
        1.5,
        (("play", "pinches", "always", 1.0), ("play", "pinched_cards", "always", 2.0), ("play", "more_pinches", "always", 0.5)),
    ),
    "loot": (
        "pinches what joins its hand",
        1.0,
        (("play", "pinched_match", "always", 2.0), ("play", "pinched_jokers", "always", 1.0)),
    ),
    "patience": (
        "waits with a value that lies in the market, too",
        0.5,
        (("play", "in_market", "always", -1.0),),
    ),
    "take": (
        "takes pinched groups that join its hand, and leaves the others",
        1.0,
        (
            ("take", "always", "always", -1.0),
            ("take", "joins", "always", 2.0),
            ("take", "size_joins", "always", 1.0),
            ("take", "held", "always", 0.5),
            ("take", "jokers", "always", 1.0),
            ("take", "always", "hand", -1.0),
            ("take", "always", "race", -1.0),
        ),
    ),
    "keep": (
        "takes big groups of its own back that were pinched",
        1.0,
        (
            ("take_back", "always", "always", -1.5),
            ("take_back", "size_3", "always", 2.0),
            ("take_back", "size_4", "always", 2.5),
            ("take_back", "joins", "always", 1.0),
            ("take_back", "always", "race", -1.0),
        ),
    ),
    "collect": (
        "draws what joins its hand",
        1.0,
        (
            ("draw", "held_1", "always", 2.0),
            ("draw", "held_2", "always", 2.2),
            ("draw", "held_3", "always", 2.4),
            ("draw", "joker", "always", 2.0),
            ("draw", "pile", "always", 0.6),
            ("draw", "completes", "always", 0.5),
            ("shadow", "joins", "always", 2.0),
            ("shadow", "value", "always", 0.5),
        ),
    ),
    "thrift": (
        "declines free draws that do not join its hand",
        1.0,
        (("draw", "passes", "always", 1.0), ("draw", "passes", "race", 1.0), ("draw", "passes", "plan_ending", 0.5)),
    ),
    "shadow": (
        "keeps away from shadow cards that join nothing",
        1.0,
        (("play", "shadow_burden", "always", -2.0), ("play", "shadow_match", "always", 2.0)),
    ),
}


def position(decision: str, feature: str, context: str) -> int:
    """Index of a weight in a table."""
    first, _ = layout.BLOCKS[decision]
    names = [name for name, _ in layout.FEATURES[decision]]
    return first + _CONTEXT[context] * len(names) + names.index(feature)


def _directions() -> np.ndarray:
    """float64[small weights, N_WEIGHTS]: what each named number adds to the table."""
    directions = np.zeros((len(SMALL), layout.N_WEIGHTS))
    for k, (_, _, parts) in enumerate(SMALL.values()):
        for decision, feature, context, much in parts:
            directions[k, position(decision, feature, context)] += much
    return directions


def expand(numbers: Mapping[str, float]) -> np.ndarray:
    """The table of weights that some named numbers stand for, float64[N_WEIGHTS]; those left out have their usual value.

    Raises
    ------
    KeyError
        A name is none of `SMALL`.
    """
    unknown = set(numbers) - set(SMALL)
    if unknown:
        raise KeyError(min(unknown))
    values = np.array([numbers.get(name, usual) for name, (_, usual, _) in SMALL.items()])
    return values @ _directions()
