"""The policy's weights as something to tune: lessons and win shares from batches of games (the seam's `Tunable`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch.policy import files, layout, small
from pinchsim.games.seam import Block, IllegalAnswer, Lessons
from pinchsim.strategy import kernels, library

if TYPE_CHECKING:
    from pinchsim.games.pinch.rules import Variant
    from pinchsim.strategy.library import Strategy

SOFTMAX = 1.0  # temperature of those who learn
# Numbers written by hand are meant for the best option. Doubled they play the same then, and by softmax not too much at random.
SHARPENED = 2.0
LESSONS_A_PLAYER = 50  # room to begin with, in a game; a batch that needs more is played again with twice the room
YARDSTICK = "greedy"
ANY = "dozen"  # a shipped strategy of the policy: which one does not matter to what is compiled
NUMBER_DIGITS = 3


class PinchTunable:
    """See `pinchsim.games.seam.Tunable`."""

    names = tuple(small.SMALL)
    yardstick = YARDSTICK
    blocks = tuple(
        Block(decision, first, layout.N_CONTEXTS, (last - first) // layout.N_CONTEXTS)
        for decision, (first, last) in layout.BLOCKS.items()
    )

    def __init__(self, variant: Variant, players: int) -> None:
        self.variant = variant
        self.players = players

    # -- strategies ---------------------------------------------------------------------------------------------------

    def weights(self, strategy: Strategy) -> np.ndarray:
        """The weights of a strategy file for this variant, or those of the table that was made for the one most like it."""
        policy = files.read_policy(self._data(strategy))
        weights = policy.weights(self.variant.rules, self.players)
        weights[: layout.N_SETTINGS] = 0.0
        return weights * SHARPENED if "" in policy.tables else weights

    def numbers(self, strategy: Strategy) -> np.ndarray:
        """The named numbers of a strategy file; those that it leaves out have their usual value."""
        files.read_policy(self._data(strategy))
        if "weights" not in strategy.data:
            raise UsageError(f"'{strategy.name}' has no table [weights] of named numbers; tune it with --form large.")
        given = strategy.data["weights"]
        return np.array([float(given.get(name, usual)) for name, (_, usual, _) in small.SMALL.items()])

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
        """Whether the kernels are on disk already."""
        from pinchsim.games.pinch import compiled
        from pinchsim.games.pinch.policy import learning

        found = kernels.is_compiled(learning, [self._any], self._mode)
        return found and kernels.is_compiled(compiled, self._together, self._mode)

    def load(self) -> None:
        """Load both kernels: the one that notes lessons and the one that holds the yardstick, too."""
        _ = self._learning_kernel, self._mixed_kernel

    def new_memory(self) -> Any:
        """Memory for lessons, and for games with the yardstick."""
        from pinchsim.games.pinch import compiled
        from pinchsim.games.pinch.policy import learning

        return learning.new_memory(), compiled.new_memory()

    def lessons(
        self, places: Sequence[np.ndarray], learns: Sequence[bool], seed: int, indices: np.ndarray, memory: Any
    ) -> Lessons:
        """Play by softmax and note the decisions of those who learn."""
        room = indices.size * self.players * LESSONS_A_PLAYER
        while True:
            lessons, full = self._noted(room, places, learns, seed, indices, memory[0])
            if not full:
                return lessons
            room *= 2

    def _noted(
        self, room: int, places: Sequence[np.ndarray], learns: Sequence[bool], seed: int, indices: np.ndarray, memory: Any
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
        places: Sequence[np.ndarray],
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

        weights = np.array([_played(w, temperature) for w in places])
        flags = np.array(learns, np.int64)
        n = self._learning_kernel(
            self._rules, weights, flags, int(all(learns)), np.uint64(seed), indices, *memory, *blocks
        )  # fmt: skip
        state = memory[0].view(LEARNING_STATE)[0]
        if n < 0:
            raise RunError(f"The policy broke the rules: {STATUS_WORDS[int(state['status'])]}.")
        return int(n), int(state["missed"])

    def shares(self, places: Sequence[np.ndarray | None], seed: int, indices: np.ndarray, memory: Any) -> np.ndarray:
        """Play by the best option; shares of the win by place."""
        weights = [w for w in places if w is not None]
        if len(weights) < len(places):
            return self._against_yardstick(places, seed, indices, memory[1])
        nothing = (np.empty((0, width), np.float32) for width in (layout.WIDTH, layout.N_CONTEXTS, 3))
        shares = np.zeros((indices.size, self.players))
        self._learn(weights, 0.0, [False] * self.players, seed, indices, memory[0], (*nothing, shares))
        return shares

    def _against_yardstick(
        self, places: Sequence[np.ndarray | None], seed: int, indices: np.ndarray, memory: Any
    ) -> np.ndarray:
        """The same with the kernel that holds the yardstick, too."""
        from pinchsim.games.pinch import compiled
        from pinchsim.games.pinch.columns import PLAYER_COLUMNS

        codes = kernels.codes(self._together)
        slots = np.array([codes.index(YARDSTICK if w is None else self._any.code) for w in places], np.int64)
        weights = np.array([_played(np.zeros(layout.N_WEIGHTS) if w is None else w, 0.0) for w in places])
        games, players = compiled.empty_blocks(indices.size, self.players)
        played = self._mixed_kernel(
            self._rules, slots, weights, 0, np.uint64(seed), indices, compiled.NO_ORDER, *memory, games, players
        )  # fmt: skip
        if played < indices.size:
            raise IllegalAnswer(int(indices[played]), compiled.why_stopped(memory))
        place, share = (_column(name) for name in ("strategy", "win_share"))
        shares = np.zeros((indices.size, self.players))
        np.put_along_axis(shares, players[place].astype(np.int64), players[share] * PLAYER_COLUMNS[share].scale, axis=1)
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
    def _together(self) -> list[Strategy]:
        """What a tournament of the two would compile, so that both find it."""
        shipped = [s for s in library.all_strategies("pinch").values() if s.built_in]
        return kernels.kernel_strategies([self._any, library.find("pinch", YARDSTICK)], shipped)

    @cached_property
    def _learning_kernel(self) -> Any:
        from pinchsim.games.pinch.policy import learning

        return kernels.load_kernel(learning, [self._any], self._mode)

    @cached_property
    def _mixed_kernel(self) -> Any:
        from pinchsim.games.pinch import compiled

        return kernels.load_kernel(compiled, self._together, self._mode)


def _played(weights: np.ndarray, temperature: float) -> np.ndarray:
    """Weights with the settings to play by: everything is remembered."""
    weights = weights.copy()
    weights[layout.TEMPERATURE], weights[layout.MEMORY] = temperature, 1.0
    return weights


def _column(name: str) -> int:
    """Number of a column of the players' rows."""
    from pinchsim.games.pinch.columns import PLAYER_COLUMNS

    return [column.name for column in PLAYER_COLUMNS].index(name)
