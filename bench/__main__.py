"""One table: how fast everything is, as ratios taken in one run, beside the last run (`bench.history`).

`python -m bench kernels | search | turns | sweep | stored | reports | starts` for some sections of it.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import kernels, reading, storage, sweeps
from bench.history import RATIO, Figure, show
from pinchsim import games
from pinchsim.strategy import library

N_GAMES = 200_000
MILLION = 1_000_000


def main() -> None:
    """All sections, or those that are named; takes about ten minutes."""
    sections: dict[str, Callable[[], Iterator[Figure]]] = {
        "kernels": kernel_speeds,
        "search": search_speeds,
        "turns": turn_costs,
        "sweep": sweep_speeds,
        "stored": stored,
        "reports": reports,
        "starts": starts,
    }
    wanted = sys.argv[1:] or list(sections)
    if unknown := [name for name in wanted if name not in sections]:
        sys.exit(f"'{unknown[0]}' is not a section of the benchmark. Known: {', '.join(sections)}.")
    show([figure for name in wanted for figure in _told(name, sections[name])])


def _told(name: str, section: Callable[[], Iterator[Figure]]) -> list[Figure]:
    print(f"{name} ...", file=sys.stderr)
    return list(section())


def kernel_speeds() -> Iterator[Figure]:
    """Engine, strategies, C and plain Python."""
    every = library.all_strategies("pinch")
    rounds = {f"engine, {name}": kernels.engine(name) for name, strategy in every.items() if strategy.is_module}
    weights = [name for name, strategy in every.items() if not strategy.is_module and strategy.model is None]
    rounds |= {f"engine, {name}": kernels.engine(name, n_games=3000) for name in weights}
    rounds["plain Python, uniform"] = kernels.plain_python()
    rounds["C, uniform"] = kernels.c_engine("uniform")
    rounds["C, greedy"] = kernels.c_engine("greedy")
    best = kernels.best_of_rounds(rounds)
    section = "Games of pinch, 4 players, on one core, everyone plays the same, all rows written"
    for name, speed in best.items():
        yield Figure(section, name, speed, "games/s")
    for name in ("uniform", "greedy"):
        if f"C, {name}" in best:
            yield Figure(section, f"engine / C, {name}", best[f"engine, {name}"] / best[f"C, {name}"], RATIO)
    yield Figure(section, "engine / plain Python", best["engine, uniform"] / best["plain Python, uniform"], RATIO)


def search_speeds() -> Iterator[Figure]:
    """Playouts of a search beside plain games of its policy; a playout begins in the middle of a game."""
    best = kernels.best_of_rounds({"plain": kernels.engine("champion", n_games=3000), "search": kernels.playouts("search:100")})
    section = "A search: pinch, 4 players, on one core"
    yield Figure(section, "games of its policy", best["plain"], "games/s")
    yield Figure(section, "playouts", best["search"], "playouts/s")
    yield Figure(section, "playouts / games", best["search"] / best["plain"], RATIO)


def turn_costs() -> Iterator[Figure]:
    """What a turn of each variant costs, beside a turn of the base game's cheapest table."""
    tables = [("pinch", 4), ("pinch", 3), ("classic", 3), ("linko", 3), ("linko", 4), ("linko", 5)]
    tables += [("duel", 2), ("duel+classic", 2), ("duel+aces-bite", 2), ("linko-duel", 2), ("pinch+refill=card", 4)]
    for strategy in ("uniform", games.load("pinch").default_strategy):
        costs = kernels.turn_costs(strategy, tables)
        section = f"A turn on one core, everyone plays {strategy}"
        yield Figure(section, "pinch, 3 players", costs["pinch", 3], "ns", less_is_better=True)
        for (variant, players), cost in costs.items():
            if (variant, players) != ("pinch", 3):
                yield Figure(section, f"{variant}, {players} players / pinch, 3", cost / costs["pinch", 3], RATIO, True)


def sweep_speeds() -> Iterator[Figure]:
    """Threads, storage and statistics."""
    default = games.load("pinch").default_strategy
    for line_up, n_games in ((default, N_GAMES), ("uniform", MILLION)):
        section = f"A sweep of pinch, 4 players, everyone plays {line_up}, rows written"
        sweeps.sweep_seconds(1, 4000, line_ups=[line_up])
        pairs = [[sweeps.sweep_seconds(jobs, n_games, line_ups=[line_up]) for jobs in (1, 2)] for _ in range(3)]
        yield Figure(section, "1 thread", n_games / min(a for a, _ in pairs), "games/s")
        yield Figure(section, "2 threads / 1 thread", max(a / b for a, b in pairs), RATIO)
        yield Figure(section, "2 processes / 1 process, engine alone", kernels.two_processes(line_up), RATIO)
        for what, share in sweeps.shares(n_games, line_ups=[line_up]).items():
            yield Figure(section, f"{what} / all, 1 thread", share, RATIO, less_is_better=what != "playing")
    for n_games in (N_GAMES, MILLION):
        yield Figure(section, f"peak memory, {n_games:,} games", sweeps.peak_megabytes(n_games), "MB", less_is_better=True)


def stored(n_games: int = MILLION) -> Iterator[Figure]:
    """Rows on disk, and runs without rows."""
    section = "On disk: pinch, 4 players, everyone plays uniform, 1 thread, a million games"
    with tempfile.TemporaryDirectory() as folder:
        rows, none = Path(folder) / "rows", Path(folder) / "none"
        written, counted = storage.write(rows, n_games), storage.without_rows(none, n_games)
        for name, path in (("with rows", rows), ("without rows", none)):
            yield Figure(section, f"a game {name}", sum(storage.bytes_a_game(path, n_games)), "bytes", less_is_better=True)
        found = {"encoding rows": written["row_files"], "storing rows": written["store_rows"]}
        found |= {"counting instead": counted["counts_of_blocks"]}
        found |= {"the sweep, with rows": written["all"], "the sweep, without rows": counted["all"]}
        found |= {f"reading, {name}": seconds for name, seconds in storage.read(rows, n_games).items()}
        for name, seconds in found.items():
            yield Figure(section, name, seconds, "s", less_is_better=True)
        extra = storage.resume_seconds(Path(folder), 100 * MILLION)
        yield Figure(section, "resuming 100,000,000 games without rows", extra, "s", less_is_better=True)
    for jobs in (1, 2):
        peak = storage.peak_megabytes(n_games, jobs)
        yield Figure(section, f"peak memory without rows, {jobs} threads", peak, "MB", less_is_better=True)


def reports() -> Iterator[Figure]:
    """Reading rows: neither should grow as the number of games does."""
    section = "A report: pinch, 4 players, everyone plays uniform, one cell"
    for n_games in (N_GAMES, 5 * N_GAMES):
        taken = reading.report(n_games)
        yield Figure(section, f"{n_games:,} games", taken.seconds, "s", less_is_better=True)
        yield Figure(section, f"peak memory, {n_games:,} games", taken.megabytes, "MB", less_is_better=True)


def starts() -> Iterator[Figure]:
    """Commands from a standing start."""
    section = "Commands, each in a new process"
    with tempfile.TemporaryDirectory() as folder:
        few = ("sweep", "--variant", "aces-bite", "--games", "10000")
        cache = str(Path(folder) / "cache")
        first = sweeps.command_seconds(*few, "--out", str(Path(folder) / "first"), cache=cache)
        again = min(sweeps.command_seconds(*few, "--out", str(Path(folder) / str(k)), cache=cache) for k in range(3))
        yield Figure(section, "--help", min(sweeps.command_seconds("--help") for _ in range(5)), "s", less_is_better=True)
        yield Figure(section, "10,000 games, first ever", first, "s", less_is_better=True)
        yield Figure(section, "10,000 games, again", again, "s", less_is_better=True)


if __name__ == "__main__":
    main()
