"""The contract of every strategy, checked: `pinchsim strategies check NAME`."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from pinchsim.errors import RunError
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.kernel import Kernel, load
from pinchsim.games.pinch.rules import load_variant, player_counts, variant_names
from pinchsim.games.pinch.state import STATE
from pinchsim.strategy import library
from pinchsim.strategy.library import Strategy

GAMES = 10_000  # of every variant
FEWEST = 12  # of every variant, for a strategy that thinks long
PATIENCE = 120  # seconds; with GAMES games it may take longer only if it then plays FEWEST
SEED = 20_261_130


def check(strategy: Strategy, games: int = GAMES) -> Iterator[str]:
    """Check a strategy and yield a line for each point that holds; fewer than `games` games if it is slow.

    Raises
    ------
    UsageError
        The file is not right.
    RunError
        The strategy answers something illegal, depends on hidden cards, or is not deterministic.
    """
    opponent = library.find("pinch", "greedy" if strategy.name == "uniform" else "uniform")
    together = sorted({s.name: s for s in (strategy, opponent)}.values(), key=lambda s: s.name)
    start = time.perf_counter()
    checking = load(together, "check")
    fast = load(together, compiled.fast_mode([load_variant("pinch").rules]))
    yield f"compiles: yes ({time.perf_counter() - start:.1f} s)"
    me, other = (together.index(s) for s in (strategy, opponent))
    games = _affordable(checking, me, games)
    decisions = 0
    for variant in variant_names():
        decisions += _supervise(checking, variant, games, me, other, strategy)
    per_variant = f"{games:,} games of each of {', '.join(variant_names())}"
    yield f"legal: yes, in {per_variant} with every number of players"
    yield "deaf to hidden cards, view untouched: yes, in all of these decisions"
    _play_twice(fast, games, me, strategy)
    yield "deterministic: yes, same seed, same rows, whatever the batch"
    yield f"speed: {_speed(fast, games, me, decisions / (len(variant_names()) * games)):,.0f} decisions/s on one core"


def _affordable(kernel: Kernel, me: int, games: int) -> int:
    """As many games of each variant as `PATIENCE` allows, by the time that a few take."""
    start = time.perf_counter()
    _play(kernel, "pinch", [me] * 4, FEWEST // 4)
    each = (time.perf_counter() - start) / (FEWEST // 4)
    return min(games, max(int(PATIENCE / len(variant_names()) / each), FEWEST))


def _supervise(kernel: Kernel, variant: str, games: int, me: int, other: int, strategy: Strategy) -> int:
    """Play supervised games, half of them among equals, half against others; returns the number of decisions."""
    counts = player_counts(load_variant(variant).rules)
    share = games // (2 * len(counts)) + 1
    decisions = 0
    for players in counts:
        for line_up in ([me] * players, [me] + [other] * (players - 1)):
            state = _play(kernel, variant, line_up, share)
            decisions += int(state["decisions"])
            if state["status"] != 0:
                why = compiled.STATUS_WORDS[int(state["status"])]
                raise RunError(
                    f"{strategy.path}: breaks the rules in variant {variant} with {players} players. {why[0].upper()}{why[1:]}."
                )
    return decisions


def _play(kernel: Kernel, variant: str, line_up: list[int], games: int, blocks: Any = None, first: int = 0) -> Any:
    memory = compiled.new_memory()
    blocks = blocks or compiled.empty_blocks(games, len(line_up))
    kernel.play(load_variant(variant).rules, line_up, SEED, np.arange(first, first + games), memory, blocks)
    return memory[0].view(STATE)[0]


def _play_twice(kernel: Kernel, games: int, me: int, strategy: Strategy) -> None:
    whole, parts = compiled.empty_blocks(games, 4), compiled.empty_blocks(games, 4)
    _play(kernel, "pinch", [me] * 4, games, whole)
    half = games // 3
    for first, last in ((0, half), (half, games)):
        _play(kernel, "pinch", [me] * 4, last - first, tuple(block[:, first:last] for block in parts), first)
    if not all(np.array_equal(a, b) for a, b in zip(whole, parts, strict=True)):
        raise RunError(f"{strategy.path}: plays the same games differently; use only rng.below and rng.chance.")


def _speed(kernel: Kernel, games: int, me: int, decisions_per_game: float) -> float:
    start = time.perf_counter()
    _play(kernel, "pinch", [me] * 4, games)
    return games * decisions_per_game / (time.perf_counter() - start)
