"""One table: how fast everything is, as ratios taken in one run."""

import tempfile
from pathlib import Path

from bench import kernels, sweeps
from pinchsim import games
from pinchsim.strategy import library

N_GAMES = 200_000


def main() -> None:
    """Run all benchmarks; takes a few minutes."""
    kernel_speeds()
    search_speeds()
    turn_costs()
    sweep_speeds()
    starts()


def kernel_speeds() -> None:
    """Engine, strategies, C and plain Python."""
    every = library.all_strategies("pinch")
    rounds = {f"engine, {name}": kernels.engine(name) for name, strategy in every.items() if strategy.is_module}
    weights = [name for name, strategy in every.items() if not strategy.is_module and strategy.model is None]
    rounds |= {f"engine, {name}": kernels.engine(name, n_games=3000) for name in weights}
    rounds["plain Python, uniform"] = kernels.plain_python()
    rounds["C, uniform"] = kernels.c_engine("uniform")
    rounds["C, greedy"] = kernels.c_engine("greedy")
    best = kernels.best_of_rounds(rounds)
    print("Games per second and core: pinch, 4 players, everyone plays the same, all rows written")
    for name, speed in best.items():
        print(f"  {name:<28} {speed:>10,.0f}")
    for name in ("uniform", "greedy"):
        if f"C, {name}" in best:
            print(f"  {'engine / C, ' + name:<28} {best[f'engine, {name}'] / best[f'C, {name}']:>10.2f}")
    print(f"  {'engine / plain Python':<28} {best['engine, uniform'] / best['plain Python, uniform']:>10.0f}")


def search_speeds() -> None:
    """Playouts of a search beside plain games of its policy; a playout begins in the middle of a game."""
    best = kernels.best_of_rounds({"plain": kernels.engine("champion", n_games=3000), "search": kernels.playouts("search:100")})
    print("A search: pinch, 4 players, on one core")
    print(f"  {'games of its policy a second':<28} {best['plain']:>10,.0f}")
    print(f"  {'playouts a second':<28} {best['search']:>10,.0f}")
    print(f"  {'playouts / games':<28} {best['search'] / best['plain']:>10.2f}")


def turn_costs() -> None:
    """What a turn of each variant costs, beside a turn of the base game's cheapest table."""
    tables = [("pinch", 4), ("pinch", 3), ("classic", 3), ("linko", 3), ("linko", 4), ("linko", 5)]
    tables += [("duel", 2), ("duel+classic", 2), ("duel+aces-bite", 2), ("linko-duel", 2), ("pinch+refill=card", 4)]
    print("Nanoseconds of a turn on one core, everyone plays the same; in brackets: times a turn of pinch with 3 players")
    for strategy in ("uniform", games.load("pinch").default_strategy):
        costs = kernels.turn_costs(strategy, tables)
        for (variant, players), cost in costs.items():
            words = f"{strategy}, {variant}, {players} players"
            print(f"  {words:<38} {cost:>6.1f} ({cost / costs['pinch', 3]:.2f})")


def sweep_speeds() -> None:
    """Threads, storage and statistics."""
    default = games.load("pinch").default_strategy
    sweeps.sweep_seconds(1, 4000, line_ups=[default])
    pairs = [[sweeps.sweep_seconds(jobs, N_GAMES, line_ups=[default]) for jobs in (1, 2)] for _ in range(3)]
    print(f"A sweep of {N_GAMES:,} games: pinch, 4 players, everyone plays {default}, rows written")
    print(f"  {'1 thread':<28} {N_GAMES / min(a for a, _ in pairs):>10,.0f} games/s")
    print(f"  {'2 threads / 1 thread':<28} {max(a / b for a, b in pairs):>10.2f}")
    for what, share in sweeps.shares(N_GAMES, line_ups=[default]).items():
        print(f"  {what:<28} {share:>10.1%}")
    for n_games in (N_GAMES, 5 * N_GAMES):
        print(f"  {f'peak memory, {n_games:,} games':<28} {sweeps.peak_megabytes(n_games):>10,.0f} MB")


def starts() -> None:
    """Commands from a standing start."""
    print("Seconds of commands, each in a new process")
    with tempfile.TemporaryDirectory() as folder:
        few = ("sweep", "--variant", "aces-bite", "--games", "10000")
        cache = str(Path(folder) / "cache")
        first = sweeps.command_seconds(*few, "--out", str(Path(folder) / "first"), cache=cache)
        again = min(sweeps.command_seconds(*few, "--out", str(Path(folder) / str(k)), cache=cache) for k in range(3))
        print(f"  {'--help':<28} {min(sweeps.command_seconds('--help') for _ in range(5)):>10.2f}")
        print(f"  {'10,000 games, first ever':<28} {first:>10.1f}")
        print(f"  {'10,000 games, again':<28} {again:>10.1f}")


if __name__ == "__main__":
    main()
