"""Pinch at the seam: the object through which the floors above know this game."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pinchsim.games.pinch import readings
from pinchsim.games.pinch import rules as pinch_rules
from pinchsim.games.pinch.columns import GAME_COLUMNS, PLAYER_COLUMNS
from pinchsim.games.seam import Courses, Covariates, Coverage, Dealt, Dials, Habit, IllegalAnswer, Level, Source, Total

if TYPE_CHECKING:
    from pinchsim.games.pinch.policy.tunable import PinchTunable
    from pinchsim.strategy.library import Strategy

SEARCHING = "*search"  # code of all strategies that do
LUCK_SOURCES = (
    Source("hand", "the hand as dealt"),
    Source("other_hands", "the others' hands"),
    Source("stock", "market and draw pile"),
    Source("other_choices", "random choices of the others", True),
    Source("own_choices", "own random choices", True),
)


class PinchGame:
    """See `pinchsim.games.seam.Game`."""

    name = "pinch"
    default_strategy = "champion"
    # From weakest to strongest. A game of searchers takes as long as a thousand of champions.
    ladder = (
        Level("uniform", credible=False),
        Level("greedy"),
        Level("sniper"),
        Level("dozen"),
        Level("champion"),
        Level("search:100", games=0.01),
    )
    sparring = ("greedy", "sniper")
    dials = Dials("champion", (16, 8, 4, 2, 1, 0.5), (0.5, 0), "search", (25, 50, 100, 200), "playouts")
    game_columns = GAME_COLUMNS
    player_columns = PLAYER_COLUMNS
    totals = (
        Total("pinches", "pinches_made", "pinches"),
        Total("pinches_per_turn", "pinches_made", "pinches", per_turn=True),
        Total("multi_pinches", "multi_pinches", "turns"),
        Total("takes", "takes", "pinches"),
        Total("take_backs", "take_backs", "pinches"),
        Total("cards_taken", "cards_taken", "cards"),
        Total("cards_taken_back", "cards_taken_back", "cards"),
        Total("cards_discarded", "cards_discarded", "cards"),
        Total("drawn_market", "drawn_market", "cards"),
        Total("drawn_pile", "drawn_pile", "cards"),
        Total("free_draws", "free_draws", "cards"),
        Total("passes", "passes", "turns"),
        Total("shadow_pinches", "shadow_pinches", "pinches"),
        Total("cards_from_shadow", "cards_from_shadow", "cards"),
        Total("points", "score", "points"),
    )

    variant_names = staticmethod(pinch_rules.variant_names)
    load_variant = staticmethod(pinch_rules.load_variant)
    player_counts = staticmethod(pinch_rules.player_counts)
    flips = staticmethod(readings.flips)
    default_base = staticmethod(pinch_rules.default_base)
    default_margin = staticmethod(pinch_rules.default_margin)
    check_deal = staticmethod(pinch_rules.check_deal)

    def rotations(self, players: int) -> int:
        """Every deck is played once from each seat (METHODS M1.3)."""
        return players

    @property
    def rule_texts(self) -> dict[str, str]:
        """What is counted of each numbered rule."""
        from pinchsim.games.pinch.coverage import COUNTED

        return COUNTED

    def searches(self, strategy: Strategy) -> bool:
        """Whether a strategy plays out what may happen."""
        return strategy.code == SEARCHING

    def load_kernel(
        self, strategies: Sequence[Strategy], rule_sets: Iterable[pinch_rules.RuleSet], counting: bool = False
    ) -> Any:
        """The compiled kernel for these strategies and rule sets."""
        from pinchsim.games.pinch import compiled, kernel

        return kernel.load(strategies, "count" if counting else compiled.fast_mode(rule_sets))

    def is_compiled(
        self, strategies: Sequence[Strategy], rule_sets: Iterable[pinch_rules.RuleSet], counting: bool = False
    ) -> bool:
        """Whether the kernel is on disk already."""
        from pinchsim.games.pinch import compiled
        from pinchsim.strategy import kernels

        return kernels.is_compiled(compiled, strategies, "count" if counting else compiled.fast_mode(rule_sets))

    def new_memory(self) -> tuple[np.ndarray, np.ndarray]:
        """One state and one view."""
        from pinchsim.games.pinch import compiled

        return compiled.new_memory()

    def play(
        self,
        kernel: Any,
        rules: pinch_rules.RuleSet,
        line_up: Sequence[int],
        seed: int,
        indices: np.ndarray,
        memory: tuple[np.ndarray, np.ndarray],
        games: np.ndarray,
        players: np.ndarray,
    ) -> None:
        """Play a batch of games into the blocks; see the seam."""
        from pinchsim.games.pinch.compiled import why_stopped

        played = kernel.play(rules, line_up, seed, indices, memory, (games, players))
        if played < indices.size:
            raise IllegalAnswer(int(indices[played]), why_stopped(memory))

    @property
    def luck_sources(self) -> Sequence[Source]:
        """Where chance comes in; see the seam."""
        return LUCK_SOURCES

    def replay(
        self,
        kernel: Any,
        rules: pinch_rules.RuleSet,
        line_up: Sequence[int],
        seed: int,
        worlds: np.ndarray,
        memory: tuple[np.ndarray, np.ndarray],
        games: np.ndarray,
        players: np.ndarray,
    ) -> None:
        """Play a batch of games whose sources of chance are chosen one by one; see the seam."""
        from pinchsim.games.pinch.compiled import why_stopped

        indices = np.zeros(len(worlds), np.int64)
        played = kernel.play(rules, line_up, seed, indices, memory, (games, players), worlds=worlds)
        if played < len(worlds):
            raise IllegalAnswer(played, why_stopped(memory))

    def courses(
        self,
        kernel: Any,
        rules: pinch_rules.RuleSet,
        line_up: Sequence[int],
        seed: int,
        indices: np.ndarray,
        memory: tuple[np.ndarray, np.ndarray],
    ) -> Courses:
        """Games turn by turn; see the seam."""
        from pinchsim.games.pinch.courses import courses

        return courses(kernel.seated(rules, line_up, seed), rules, len(line_up), indices, memory)

    def dealt(self, rules: pinch_rules.RuleSet, players: int, seed: int, decks: np.ndarray) -> Dealt:
        """The hands as dealt; see the seam."""
        from pinchsim.games.pinch import courses

        return courses.dealt(rules, players, seed, decks)

    def covariates(self, rules: pinch_rules.RuleSet, players: int, seed: int, decks: np.ndarray) -> Covariates:
        """What the decks are like; see the seam."""
        from pinchsim.games.pinch import covariates

        return covariates.covariates(rules, players, seed, decks)

    def transcript(self, variant: pinch_rules.Variant, line_up: Sequence[Strategy], seed: int, index: int) -> str:
        """A game as text; see the seam."""
        from pinchsim.games.pinch.record import record_game
        from pinchsim.games.pinch.text import tell

        return tell(record_game(variant.name, variant.rules, line_up, seed, index))

    def coverage(
        self,
        kernel: Any,
        strategies: Sequence[Strategy],
        rules: pinch_rules.RuleSet,
        line_up: Sequence[int],
        seed: int,
        games: int,
        played: Callable[[int], None],
    ) -> Coverage:
        """Count how often each rule comes into play; see the seam."""
        from pinchsim.games.pinch.counting import count_rules

        return count_rules(kernel, [s.name for s in strategies], rules, line_up, seed, games, played)

    def rule_applies(self, rule: str, rules: pinch_rules.RuleSet, players: int, strategies: Collection[str]) -> bool:
        """Whether a rule can come into play at all."""
        from pinchsim.games.pinch.counting import applies

        return applies(rule, rules, players, strategies)

    def tunable(self, variant: pinch_rules.Variant, players: int, rivals: Sequence[Strategy] = ()) -> PinchTunable:
        """What it takes to tune weights; see the seam."""
        from pinchsim.games.pinch.policy.tunable import PinchTunable

        return PinchTunable(variant, players, rivals)

    def habits(self, rules: pinch_rules.RuleSet) -> Sequence[Habit]:
        """What players do more or less of; see the seam."""
        from pinchsim.games.pinch.habits import habits

        return habits(rules)

    def tuned_text(
        self,
        old: Strategy | None,
        idea: str,
        named: bool,
        tables: Mapping[tuple[str, int], np.ndarray],
        provenance: Mapping[tuple[str, int], Mapping[str, Any]],
    ) -> str:
        """Text of a strategy file; see the seam."""
        from pinchsim.games.pinch.policy import writing

        if named:
            (numbers,), (facts,) = tables.values(), provenance.values()
            return writing.small_text(old, idea, numbers, facts)
        return writing.trained_text(
            old, idea, {f"{variant}/{players}": weights for (variant, players), weights in tables.items()},
            {f"{variant}/{players}": facts for (variant, players), facts in provenance.items()},
        )  # fmt: skip

    def engine_digest(self) -> str:
        """Hash of the engine's files."""
        from pinchsim.games.pinch import compiled
        from pinchsim.strategy import kernels

        h = hashlib.sha256()
        for path in kernels.engine_files(compiled):
            h.update(path.read_bytes())
        return h.hexdigest()[:16]


PINCH = PinchGame()
