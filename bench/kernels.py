"""Games per second of the compiled engine, beside a handwritten C engine and plain Python, in one run.

The rounds of all alternatives alternate, since a shared machine drifts; CPU time counts, and the best round of each.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pinchsim import games
from pinchsim.games.pinch.state import STATE
from pinchsim.lab.chunks import BATCH_GAMES
from pinchsim.strategy import library

ROOT = Path(__file__).resolve().parents[1]
PINCH = games.load("pinch")
ROUNDS = 7


def engine(strategy: str, variant: str = "pinch", players: int = 4, n_games: int = 30_000) -> Callable[[], float]:
    """A round of mirror games in the compiled engine, all rows written; returns games per CPU second."""
    memory, rules = PINCH.new_memory(), PINCH.load_variant(variant).rules
    kernel = PINCH.load_kernel([library.find("pinch", strategy)], [rules])
    block = np.zeros((len(PINCH.game_columns), BATCH_GAMES), np.int32)
    seats = np.zeros((len(PINCH.player_columns), BATCH_GAMES, players), np.int32)

    def play() -> float:
        start = time.thread_time()
        for first in range(0, n_games, BATCH_GAMES):
            PINCH.play(kernel, rules, [0] * players, 1, np.arange(first, first + BATCH_GAMES), memory, block, seats)
        return n_games / (time.thread_time() - start)

    return play


def playouts(strategy: str, n_games: int = 10) -> Callable[[], float]:
    """A round of mirror games of a search; returns its playouts per CPU second, all else included."""
    memory, rules = PINCH.new_memory(), PINCH.load_variant("pinch").rules
    kernel = PINCH.load_kernel([library.find("pinch", strategy)], [rules])
    block = np.zeros((len(PINCH.game_columns), n_games), np.int32)
    seats = np.zeros((len(PINCH.player_columns), n_games, 4), np.int32)
    counters = memory[0].view(STATE)[0]["search"]

    def play() -> float:
        counters["playouts"] = 0
        start = time.thread_time()
        PINCH.play(kernel, rules, [0] * 4, 1, np.arange(n_games), memory, block, seats)
        return float(counters["playouts"]) / (time.thread_time() - start)

    return play


def turn_costs(strategy: str, tables: list[tuple[str, int]]) -> dict[tuple[str, int], float]:
    """Nanoseconds of a turn by variant and players; the rounds alternate, and the best of each counts."""
    rounds = {table: engine(strategy, *table) for table in tables}
    speeds = best_of_rounds(rounds)
    return {table: 1e9 / speeds[table] / mean_turns(strategy, *table) for table in tables}


def mean_turns(strategy: str, variant: str, players: int, n_games: int = 3000) -> float:
    """Turns of a game."""
    rules = PINCH.load_variant(variant).rules
    kernel = PINCH.load_kernel([library.find("pinch", strategy)], [rules])
    block = np.zeros((len(PINCH.game_columns), n_games), np.int32)
    seats = np.zeros((len(PINCH.player_columns), n_games, players), np.int32)
    PINCH.play(kernel, rules, [0] * players, 1, np.arange(n_games), PINCH.new_memory(), block, seats)
    turns = next(k for k, column in enumerate(PINCH.game_columns) if column.name == "turns")
    return float(block[turns].mean())


def c_engine(strategy: str, variant: str = "pinch", players: int = 4, n_games: int = 100_000) -> Callable[[], float] | None:
    """A round of the same games in the handwritten C engine of the tests; None without a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = Path(tempfile.mkdtemp(prefix="pinchsim-bench-")) / "pinch"
    source = ROOT / "tests" / "yardstick" / "pinch.c"
    subprocess.run([compiler, "-O3", "-march=native", "-o", str(program), str(source)], check=True)

    def play() -> float:
        command = [str(program), variant, strategy, str(players), str(n_games), "1"]
        speed: float = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["games_per_s"]
        return speed

    return play


def plain_python(n_games: int = 150) -> Callable[[], float]:
    """A round of the naive reference of the tests."""
    sys.path.insert(0, str(ROOT / "tests"))
    import naive

    rules = naive.default_rules("pinch")

    def play() -> float:
        rng = random.Random(1)
        start = time.thread_time()
        for _ in range(n_games):
            header = naive.deal(rules, 4, 0, rng)
            naive.play(header, lambda kind, options, table: naive.uniform(kind, options, table, rng))
        return n_games / (time.thread_time() - start)

    return play


def two_processes(strategy: str, n_games: int = 3000, rounds: int = 3) -> float:
    """How many times as fast two processes play as one: what the machine itself allows, whatever threads do."""
    alone = max(_wall_speed([strategy], n_games) for _ in range(rounds))
    return max(_wall_speed([strategy, strategy], n_games) for _ in range(rounds)) / alone


_TIMED = """
import sys, time
from bench import kernels
play = kernels.engine(sys.argv[1], n_games=int(sys.argv[2]))
play()
print(flush=True)
input()
start = time.perf_counter()
for _ in range(5):
    play()
print(5 * int(sys.argv[2]) / (time.perf_counter() - start))
"""


def _wall_speed(strategies: list[str], n_games: int) -> float:
    """Games per second of the clock of processes that play at once, all together."""
    command = [sys.executable, "-c", _TIMED]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    workers = [subprocess.Popen([*command, name, str(n_games)], **pipes) for name in strategies]  # type: ignore[call-overload]
    for worker in workers:
        worker.stdout.readline()  # ready
    for worker in workers:
        worker.stdin.write("\n")
        worker.stdin.flush()
    return sum(float(worker.communicate()[0]) for worker in workers)


def best_of_rounds(rounds: dict[Any, Callable[[], float] | None]) -> dict[Any, float]:
    """Best of several rounds of each, taken in turn."""
    best = {name: 0.0 for name, play in rounds.items() if play is not None}
    for _ in range(ROUNDS):
        for name in best:
            play = rounds[name]
            assert play is not None
            best[name] = max(best[name], play())
    return best
