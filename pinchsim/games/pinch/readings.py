"""The contested readings: sentences of the rules that people may read in more than one way (METHODS M6.2).

Each is a switch of the rule set whose first value is the ruling of the rules page. Only three facts are noted here of each:
which rule it is about, what the question is, and what each value says.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pinchsim.games.seam import Flip


class Reading(NamedTuple):
    """One contested sentence; `options` says in words what each value of the switch means, the ruling first.

    `needs` names what must be so for the question to come up: a "duel", a "free_draw", "three" players. The engine has special
    code for a reading only if it is `in_engine`; the others are ordinary switches of every game.
    """

    switch: str
    rule: str
    question: str
    options: Mapping[bool | str, str]
    needs: tuple[str, ...] = ()
    in_engine: bool = True

    @property
    def ruling(self) -> bool | str:
        """The value that holds unless a rule set says otherwise."""
        return next(iter(self.options))


READINGS = (
    Reading(
        "exhaustion",
        "R5.3",
        "When do the cards run out?",
        {
            "both": "when pile and market are both empty, in whatever order",
            "market_last": "when the pile is empty and the last market card is drawn; not if the last pile card comes last",
            "market_card": "as soon as a market card is drawn while the pile is empty",
        },
    ),
    Reading(
        "refill",
        "R5.2",
        "When is the market refilled?",
        {
            "player": "when a player has finished drawing",
            "card": "after each card drawn",
            "turn": "at the end of the turn",
        },
    ),
    Reading(
        "equal_pinches",
        "R4.2",
        "Does an equal value pinch?",
        {False: "no, equal values are safe", True: "yes, equal or higher values pinch"},
    ),
    Reading(
        "last_group_pinches",
        "R3.4",
        "Does a player's last group still pinch?",
        {False: "no, the game ends at once", True: "yes, it pinches as usual, then the game ends"},
    ),
    Reading(
        "compare",
        "R4.2",
        "What is compared?",
        {
            "value": "the value of the groups",
            "sum": "the sum of the cards, a joker counting as the value it stands for",
            "naturals": "the sum of the cards, a joker counting nothing",
        },
    ),
    Reading(
        "lone_joker_tie",
        "R4.2",
        "Do lone jokers pinch as many lone jokers?",
        {"safe": "no, it is a tie", "pinch": "yes"},
    ),
    Reading(
        "exposed_group",
        "R4.5",
        "Can the group under a pinched one be pinched in the same turn?",
        {"safe": "no, each player is pinched once a turn", "pinched": "yes, it is compared at once"},
    ),
    Reading(
        "discards",
        "R5.2",
        "What happens to the discards when the pile is empty?",
        {"out": "they stay out of the game", "reshuffled": "they are shuffled and become the new pile"},
    ),
    Reading(
        "sources",
        "R5.1",
        "Does a player see each card before choosing where the next comes from?",
        {"one_by_one": "yes", "announced": "no, all sources are named before a pile card is seen"},
    ),
    Reading(
        "pinch_order",
        "R4.1",
        "Who is pinched first when several are?",
        {"clockwise": "the left-hand neighbour", "counter_clockwise": "the right-hand neighbour"},
        ("three",),
    ),
    Reading(
        "shadow_blocks_free_draw",
        "R8.7",
        "Does pinching the shadow rule out the free draw?",
        {True: "yes", False: "no"},
        ("duel", "free_draw"),
        in_engine=False,
    ),
    Reading(
        "tie_break",
        "R6.4",
        "Who wins among equal scores?",
        {"fewer_hand": "the player with fewer cards in hand", "shared": "all share the win"},
        in_engine=False,
    ),
)
BY_SWITCH = {reading.switch: reading for reading in READINGS}


def flips(rules: Any) -> list[Flip]:
    """Each contested sentence that comes up under a rule set, read in each other way."""
    found = []
    for reading in READINGS:
        if _comes_up(reading, rules):
            now = getattr(rules, reading.switch)
            others = [value for value in reading.options if value != now]
            found += [_flip(reading, now, value) for value in others]
    return found


def _comes_up(reading: Reading, rules: Any) -> bool:
    there = {"duel": rules.duel, "free_draw": rules.free_draw, "three": not rules.duel}
    return all(there[need] for need in reading.needs)


def _flip(reading: Reading, now: bool | str, value: bool | str) -> Flip:
    words = str(value).lower() if isinstance(value, bool) else value
    return Flip(reading.switch, words, reading.rule, reading.question, reading.options[now], reading.options[value])
