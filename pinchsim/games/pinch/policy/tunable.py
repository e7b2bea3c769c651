"""The policy's weights as something to tune: lessons and win shares from batches of games (the seam's `Tunable`)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch.policy import files, layout, small
from pinchsim.games.seam import Block, Lessons
from pinchsim.strategy import kernels, library

if TYPE_CHECKING:
    from pinchsim.games.pinch.rules import Variant
    from pinchsim.strategy.library import Strategy

SOFTMAX = 1.0  # temperature of those who learn
# Named numbers are meant for the best option, whatever their size. As long a vector as twice their usual values plays the same
# then, and by softmax neither too much at random nor so surely that little could be learnt from what else might be done.
SHARPENED = 2.0
LESSONS_A_PLAYER = 50  # room to begin with, in a game; a batch that needs more is played again with twice the room
ANY = "dozen"  # a shipped strategy of the policy: which one does not matter to what is compiled
NUMBER_DIGITS = 3


class PinchTunable:
    """See `pinchsim.games.seam.Tunable`."""

    names = tuple(small.SMALL)
    features = layout.FEATURES
    blocks = tuple(
        Block(decision, first, layout.N_CONTEXTS, (last - first) // layout.N_CONTEXTS)
        for decision, (first, last) in layout.BLOCKS.items()
    )

    def __init__(self, variant: Variant, players: int, rivals: Sequence[Strategy] = ()) -> None:
        self.variant = variant
        self.players = players
        self.rivals = tuple(rivals)

    # -- strategies ---------------------------------------------------------------------------------------------------

    def weights(self, strategy: Strategy) -> np.ndarray:
        """The weights of a strategy file for this variant, or those of the table that was made for the one most like it."""
        policy = files.read_policy(self._data(strategy))
        weights = policy.weights(self.variant.rules, self.players)
        weights[: layout.N_SETTINGS] = 0.0
        return weights * self._sharpness(strategy) if "" in policy.tables else weights

    def _sharpness(self, strategy: Strategy) -> float:
        """By how much to multiply the weights of named numbers."""
        usual = np.array([value for _, value, _ in small.SMALL.values()])
        length = float(np.linalg.norm(self.numbers(strategy.model or strategy)))
        return SHARPENED * float(np.linalg.norm(usual)) / length if length else SHARPENED

    def numbers(self, strategy: Strategy) -> np.ndarray:
        """The named numbers of a strategy file; those that it leaves out have their usual value."""
        files.read_policy(self._data(strategy))
        if "weights" not in strategy.data:
            raise UsageError(f"'{strategy.name}' has no table [weights] of named numbers; tune it with --form large.")
        given = strategy.data["weights"]
        return np.array([float(given.get(name, usual)) for name, (_, usual, _) in small.SMALL.items()])

    def has_weights(self, strategy: Strategy) -> bool:
        """Whether a strategy has weights, of its own or of the one that it plays like."""
        return not strategy.is_module

    def searching(self, strategy: Strategy, playouts: int) -> str:
        """Text of a strategy file that searches with the weights of another one, in the same folder or shipped."""
        name = (strategy.model or strategy).path.stem
        return f'# Plays out what may happen: the choices of {name}, tried in imagined worlds.\npolicy = "search"\n' + (
            f'plays_like = "{name}"\n\n[settings]\nplayouts = {playouts}\n'
        )

    def _data(self, strategy: Strategy) -> Strategy:
        if strategy.is_module:
            raise UsageError(f"'{strategy.name}' is code and has no weights to begin with; name a strategy of a .toml file.")
        return strategy

    def expand(self, numbers: np.ndarray) -> np.ndarray:
        """The weights that the named numbers stand for."""
        return small.expand(dict(zip(self.names, numbers.tolist(), strict=True)))

    def rounded(self, vector: np.ndarray) -> np.ndarray:
        """Weights or numbers as `writing` writes and `files` reads them."""
        if len(vector) == len(self.names):
            return np.round(vector, NUMBER_DIGITS)
        return np.rint(vector / files.UNIT) * files.UNIT

    # -- games --------------------------------------------------------------------------------------------------------

    def is_compiled(self) -> bool:
        """Whether the kernel is on disk already."""
        from pinchsim.games.pinch.policy import learning

        return kernels.is_compiled(learning, self._learning_strategies, self._mode)

    def load(self) -> None:
        """Load the kernel."""
        _ = self._learning_kernel

    def new_memory(self) -> Any:
        """Memory for the kernel."""
        from pinchsim.games.pinch.policy import learning

        return learning.new_memory()

    def lessons(
        self, places: Sequence[np.ndarray | Strategy], learns: Sequence[bool], seed: int, indices: np.ndarray, memory: Any
    ) -> Lessons:
        """Play by softmax and note the decisions of those who learn."""
        room = indices.size * self.players * LESSONS_A_PLAYER
        while True:
            lessons, full = self._noted(room, places, learns, seed, indices, memory)
            if not full:
                return lessons
            room *= 2

    def _noted(
        self,
        room: int,
        places: Sequence[np.ndarray | Strategy],
        learns: Sequence[bool],
        seed: int,
        indices: np.ndarray,
        memory: Any,
    ) -> tuple[Lessons, bool]:
        """Lessons of a batch, and whether the room was too small."""
        gains, contexts = np.empty((room, layout.WIDTH), np.float32), np.empty((room, layout.N_CONTEXTS), np.float32)
        facts = np.empty((room, 3), np.float32)
        blocks = (gains, contexts, facts, np.zeros((indices.size, self.players)))
        n, missed = self._learn(places, SOFTMAX, learns, seed, indices, memory, blocks)
        kinds, players = facts[:n, :2].T.astype(np.int64)
        lessons = Lessons(gains[:n].copy(), contexts[:n].copy(), kinds, players, facts[:n, 2].copy(), missed)
        return lessons, missed > 0 and n == room

    def _learn(
        self,
        places: Sequence[np.ndarray | Strategy],
        temperature: float,
        learns: Sequence[bool],
        seed: int,
        indices: np.ndarray,
        memory: Any,
        blocks: tuple[np.ndarray, ...],
    ) -> tuple[int, int]:
        """Play with the kernel that notes lessons; returns how many there are and how many found no room."""
        from pinchsim.games.pinch.compiled import STATUS_WORDS
        from pinchsim.games.pinch.policy.learning import LEARNING_STATE

        slots, weights = self._seated(places, temperature)
        flags = np.array(learns, np.int64)
        n = self._learning_kernel(
            self._rules, slots, weights, flags, int(all(learns)), np.uint64(seed), indices, *memory, *blocks
        )  # fmt: skip
        state = memory[0].view(LEARNING_STATE)[0]
        if n < 0:
            raise RunError(f"The policy broke the rules: {STATUS_WORDS[int(state['status'])]}.")
        return int(n), int(state["missed"])

    def _seated(self, places: Sequence[np.ndarray | Strategy], temperature: float) -> tuple[np.ndarray, np.ndarray]:
        """Slot and weights of each place in the kernel that notes lessons; strategies play as their files say."""
        codes = kernels.codes(self._learning_strategies)
        slots = [codes.index(self._any.code if isinstance(p, np.ndarray) else self._rival(p).code) for p in places]
        weights = [_played(p, temperature) if isinstance(p, np.ndarray) else self._weights_of(p) for p in places]
        return np.array(slots, np.int64), np.array(weights)

    def _rival(self, strategy: Strategy) -> Strategy:
        """What decides for a strategy: its code, or the policy, by which who would search plays as well."""
        return strategy if strategy.is_module else self._any

    def _weights_of(self, strategy: Strategy) -> np.ndarray:
        """Weights with the settings of its file and name; of code nothing."""
        if strategy.is_module:
            return np.zeros(layout.N_WEIGHTS)
        if strategy.name not in self._rival_weights:
            self._rival_weights[strategy.name] = files.read_policy(strategy).weights(self.variant.rules, self.players)
        return self._rival_weights[strategy.name]

    def shares(self, places: Sequence[np.ndarray | Strategy], seed: int, indices: np.ndarray, memory: Any) -> np.ndarray:
        """Play by the best option; shares of the win by place."""
        nothing = (np.empty((0, width), np.float32) for width in (layout.WIDTH, layout.N_CONTEXTS, 3))
        shares = np.zeros((indices.size, self.players))
        self._learn(places, 0.0, [False] * self.players, seed, indices, memory, (*nothing, shares))
        return shares

    @cached_property
    def _rules(self) -> np.ndarray:
        from pinchsim.games.pinch.arrays import rules_array

        return rules_array(self.variant.rules)

    @cached_property
    def _mode(self) -> str:
        from pinchsim.games.pinch import compiled

        return compiled.fast_mode([self.variant.rules])

    @cached_property
    def _any(self) -> Strategy:
        return library.find("pinch", ANY)

    @cached_property
    def _learning_strategies(self) -> list[Strategy]:
        """Who is in the kernel that notes lessons: the policy, and rivals that are code."""
        return [self._any, *(rival for rival in self.rivals if rival.is_module)]

    @cached_property
    def _rival_weights(self) -> dict[str, np.ndarray]:
        """Weights by name of the rival."""
        return {}

    @cached_property
    def _learning_kernel(self) -> Any:
        from numba.core.errors import NumbaExperimentalFeatureWarning

        from pinchsim.games.pinch.policy import learning

        with warnings.catch_warnings():
            # Functions that were compiled for `STATE` before could take the longer record of the lessons for one, says Numba;
            # but it compiles them again, for that record.
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            return kernels.load_kernel(learning, self._learning_strategies, self._mode)


def _played(weights: np.ndarray, temperature: float) -> np.ndarray:
    """Weights with the settings to play by: everything is remembered."""
    weights = weights.copy()
    weights[layout.TEMPERATURE], weights[layout.MEMORY] = temperature, 1.0
    return weights
