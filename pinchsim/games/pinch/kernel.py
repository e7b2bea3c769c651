"""A compiled kernel together with the strategies that it was loaded for, as their files were then."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import rules_array
from pinchsim.games.pinch.policy.files import Policy, read_policy
from pinchsim.games.pinch.policy.layout import N_WEIGHTS
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.strategy import kernels
from pinchsim.strategy.library import Strategy

Memory = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Kernel:
    """What it takes to play: see `load`.

    Attributes
    ----------
    function
        The compiled entry (`batch.play_games`).
    slots : tuple of int
        Which code of the kernel decides for each strategy.
    policies : tuple of Policy or None
        The weights that each strategy plays by; None for code.
    """

    function: Any
    slots: tuple[int, ...]
    policies: tuple[Policy | None, ...]

    def play(
        self,
        rules: RuleSet,
        line_up: Sequence[int],
        seed: int,
        indices: np.ndarray,
        memory: Memory,
        blocks: tuple[np.ndarray, np.ndarray],
        order: np.ndarray = compiled.NO_ORDER,
        worlds: np.ndarray = compiled.NO_WORLDS,
    ) -> int:
        """Play games into the blocks; returns how many were finished (`batch.play_games`).

        `line_up` holds an index into the strategies for each place.
        """
        return self.seated(rules, line_up, seed)(indices, memory, blocks, order, worlds)

    def seated(self, rules: RuleSet, line_up: Sequence[int], seed: int) -> Callable[..., int]:
        """`play` for a rule set, line-up and seed, which takes the rest: quick to call for a game at a time."""
        slots = np.array([self.slots[k] for k in line_up], np.int64)
        mirror = int(len(set(line_up)) == 1)
        table = rules_array(rules), slots, self.weights(rules, line_up), mirror, np.uint64(seed)

        def play(indices, memory, blocks, order=compiled.NO_ORDER, worlds=compiled.NO_WORLDS):
            return int(self.function(*table, indices, order, worlds, *memory, *blocks))

        return play

    def weights(self, rules: RuleSet, line_up: Sequence[int]) -> np.ndarray:
        """The weights that each place plays by, float64[players, N_WEIGHTS]; empty if nobody plays by weights."""
        policies = [self.policies[k] for k in line_up]
        if not any(policies):
            return compiled.NO_WEIGHTS
        nothing = np.zeros(N_WEIGHTS)
        return np.array([nothing if p is None else p.weights(rules, len(line_up)) for p in policies])


def load_replay() -> Kernel:
    """The kernel that reads every answer from a script; one strategy, which is never asked, sits on all places."""
    return Kernel(kernels.load_kernel(compiled, (), "replay"), (0,), (None,))


def load(strategies: Sequence[Strategy], mode: str) -> Kernel:
    """The kernel for these strategies, compiled now if it must be.

    Raises
    ------
    UsageError
        A strategy file is wrong.
    """
    policies = tuple(None if s.is_module else read_policy(s) for s in strategies)
    slots = kernels.codes(strategies)
    function = kernels.load_kernel(compiled, strategies, mode)
    return Kernel(function, tuple(slots.index(s.code) for s in strategies), policies)
