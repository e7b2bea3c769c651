"""Rule sets, cards and groups between words and the kernels' numbers."""

import numpy as np

from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.readings import BY_SWITCH
from pinchsim.games.pinch.rules import RuleSet

CARD_CODES = {name: card for card, name in enumerate(c.CARD_NAMES) if name}


def rules_array(rules: RuleSet) -> np.ndarray:
    """The switches as the kernels want them: int64[N_SWITCHES], points in thousandths (see `codes.SWITCHES`)."""
    array = np.zeros(c.N_SWITCHES, np.int64)
    for k, name in enumerate(c.SWITCHES):
        value = getattr(rules, name)
        if name == "tie_break":
            value = value == "fewer_hand"
        elif name in BY_SWITCH and BY_SWITCH[name].in_engine:
            value = list(BY_SWITCH[name].options).index(value)
        array[k] = round(value * c.POINT) if name.startswith("score_") else value
    for position, bonus in enumerate(rules.start_bonus):
        array[c.START_BONUS + position] = round(bonus * c.POINT)
    return array


def points(thousandths: int) -> int | float:
    """A score in points, whole where it is whole."""
    whole, rest = divmod(int(thousandths), c.POINT)
    return whole if rest == 0 else int(thousandths) / c.POINT


def card_names(cards: np.ndarray) -> list[str]:
    """Card names (R1.3) of card codes."""
    return [c.CARD_NAMES[card] for card in cards]


def card_codes(names: list[str]) -> np.ndarray:
    """Card codes (uint8) of card names."""
    return np.array([CARD_CODES[name] for name in names], np.uint8)


def group_words(group: int) -> dict[str, int | str]:
    """A packed group as the record writes it: value, naturals, jokers."""
    value, jokers = (group >> 4) & 15, group & 15
    return {"value": c.CARD_NAMES[value], "naturals": (group >> 8) - jokers, "jokers": jokers}
