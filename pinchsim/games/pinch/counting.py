"""How often each numbered rule comes into play, and to which games it applies at all (METHODS M6.1)."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from pinchsim.games.pinch.compiled import empty_blocks, new_memory, why_stopped
from pinchsim.games.pinch.coverage import RULES
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.pinch.state import STATE
from pinchsim.games.seam import Coverage, IllegalAnswer

BATCH_GAMES = 500
ANSWERED_BY = {"R10.1": "uniform", "R10.2": "greedy"}


def is_linko(rules: RuleSet) -> bool:
    """Whether Linko's switches are set (R7.4)."""
    return rules.jokers == 5 and not rules.free_draw and rules.tie_break == "shared"


def has_shadow(rules: RuleSet) -> bool:
    """Whether cards lie in a shadow display (R8.2)."""
    return rules.duel and rules.shadow_size > 0


# Rules that need a switch, or a number of players; the others apply to every game.
NEEDS: dict[str, Callable[[RuleSet, int], bool]] = {
    "R1.3": lambda rules, players: rules.jokers > 0,
    "R4.6": lambda rules, players: players > 2 or rules.exposed_group == "pinched",
    "R4.7": lambda rules, players: rules.jokers > 0,
    "R5.4": lambda rules, players: rules.free_draw,
    "R7.1": lambda rules, players: not rules.free_draw,
    "R7.2": lambda rules, players: rules.aces_bite,
    "R7.3": lambda rules, players: rules.duel,
    "R7.4": lambda rules, players: is_linko(rules),
    "R8.1": lambda rules, players: rules.duel,
    "R8.2": lambda rules, players: has_shadow(rules),
    "R8.3": lambda rules, players: has_shadow(rules),
    "R8.4": lambda rules, players: has_shadow(rules),
    "R8.5": lambda rules, players: has_shadow(rules),
    "R8.6": lambda rules, players: has_shadow(rules),
    "R8.7": lambda rules, players: has_shadow(rules) and rules.free_draw and rules.shadow_blocks_free_draw,
    "R8.8": lambda rules, players: has_shadow(rules),
}


def applies(rule: str, rules: RuleSet, players: int, strategies: Collection[str]) -> bool:
    """Whether a rule can come into play in a game of this rule set when these strategies sit at the table."""
    if rule in ANSWERED_BY:
        return ANSWERED_BY[rule] in strategies
    return rule not in NEEDS or NEEDS[rule](rules, players)


def count_rules(
    kernel: Any,
    strategies: Sequence[str],
    rules: RuleSet,
    line_up: Sequence[int],
    seed: int,
    games: int,
    played: Callable[[int], None],
) -> Coverage:
    """Play games 0, 1, ... with a counting kernel, in whole decks, and add up how often each rule came into play.

    `strategies` are the names of those that the kernel was loaded for; `played` is told after each batch how many more games
    are done.

    Raises
    ------
    IllegalAnswer
        A strategy broke the rules.
    """
    players = len(line_up)
    games = -(-games // players) * players
    memory, blocks = new_memory(), empty_blocks(BATCH_GAMES, players)
    for first in range(0, games, BATCH_GAMES):
        indices = np.arange(first, min(first + BATCH_GAMES, games))
        done = kernel.play(rules, line_up, seed, indices, memory, blocks)
        if done < indices.size:
            raise IllegalAnswer(int(indices[done]), why_stopped(memory))
        played(indices.size)
    return Coverage(games, _times(memory[0].view(STATE)[0], kernel.slots, strategies))


def _times(state: Any, slots: Sequence[int], strategies: Sequence[str]) -> dict[str, int]:
    """The counters by rule; who answered is counted by slot (R10)."""
    times = {rule: int(state["fired"][k]) for k, rule in enumerate(RULES)}
    for rule, name in ANSWERED_BY.items():
        times[rule] = sum(int(state["asked"][slot]) for slot, other in zip(slots, strategies, strict=True) if other == name)
    return times
