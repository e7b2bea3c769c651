"""What lies on disk: bytes a game, and seconds for a million games to write and to read them; runs with and without rows."""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bench.sweeps import command_megabytes
from bench.timing import timed
from pinchsim import api
from pinchsim.lab import work
from pinchsim.lab.chunks import chunks_of
from pinchsim.lab.executor import Threads
from pinchsim.lab.experiment import Experiment, cells, game_of, make_experiment
from pinchsim.lab.finished import Records
from pinchsim.lab.layout import make_cell_folders
from pinchsim.lab.manifest import describe_run, identity, load_manifest, opened_run
from pinchsim.lab.run import Run, run_experiment
from pinchsim.measure.sample import samples

CELL = {"variants": ["pinch"], "base": None, "players": [4], "line_ups": ["uniform"]}
MILLION = 1_000_000


class Size(NamedTuple):
    """Bytes a game of each folder of a run: games, players, finished."""

    games: float
    players: float
    finished: float


def bytes_a_game(run: Path, n_games: int) -> Size:
    """What the files of a run come to."""
    return Size(*(sum(path.stat().st_size for path in run.glob(f"{name}/*/*")) / n_games for name in Size._fields))


def write(folder: Path, n_games: int) -> dict[str, float]:
    """Play a run with rows; seconds for a million games: to encode rows, to store them, and of the whole on one thread."""
    return _seconds(("row_files", "store_rows"), folder, n_games)


def read(folder: Path, n_games: int) -> dict[str, float]:
    """Seconds for a million games to read one column lazily, one of the players, and everything chunk by chunk."""
    run = api.load(folder)
    ways: dict[str, Callable[[Run], object]] = {
        "mean of turns": lambda run: run.scan_games().select(pl.col("turns").mean()).collect(),
        "mean score by position": lambda run: run.scan_players().group_by("position").agg(pl.col("score").mean()).collect(),
        "everything by chunk": _everything,
    }
    found = {}
    for name, way in ways.items():
        times = []
        for _ in range(3):
            start = time.perf_counter()
            way(run)
            times.append(time.perf_counter() - start)
        found[name] = min(times) / n_games * MILLION
    return found


def _everything(run: Run) -> None:
    for sample in samples(run.scan_cells()):
        for games, players, _ in sample.pieces:
            games.collect()
            players.collect()


def without_rows(folder: Path, n_games: int) -> dict[str, float]:
    """Play a run without rows; seconds for a million games: to count, and of the whole on one thread."""
    return _seconds(("counts_of_blocks",), folder, n_games, rows="none")


def _seconds(names: Sequence[str], folder: Path, n_games: int, **fields: object) -> dict[str, float]:
    """Seconds for a million games of a run: of functions of `work`, and of the whole on one thread."""
    with timed((api, "sweep", "all"), *((work, name, name) for name in names)) as spent:
        api.sweep(out=folder, jobs=1, games=n_games, **CELL, **fields)
    return {name: seconds / n_games * MILLION for name, seconds in spent.items()}


def resume_seconds(folder: Path, n_games: int) -> float:
    """Seconds to go on with a finished run of so many games without rows, less those with a single chunk.

    Its records are made, not played: each is that of the first chunk under the name of another.
    """
    few, many = (make_experiment(CELL | {"games": n, "rows": "none"}, "bench") for n in (40_000, n_games))
    run_experiment(few, folder / "few", Threads(1))
    _fill(few, folder / "few", many, folder / "many")
    return _resume_seconds(folder / "many") - _resume_seconds(folder / "few")


def _fill(few: Experiment, source: Path, many: Experiment, folder: Path) -> None:
    """Make the records of a run from the first one of another."""
    (cell,) = cells(many, ())
    game, manifest = game_of(many), describe_run(game_of(many), many, [cell]) | {"decks": {"sampled": 0, "distinct": 0}}
    result = Records(source, identity(load_manifest(source)), ()).read(cell.name, 0).result
    assert result is not None
    folder.mkdir()
    with opened_run(folder, manifest, many):
        make_cell_folders(folder, (), [cell.name])
        for chunk in chunks_of(game, cell, many.games):
            Records(folder, identity(manifest), ()).write(cell.name, chunk.number, {}, result)


def _resume_seconds(folder: Path) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        api.resume(folder)
        times.append(time.perf_counter() - start)
    return min(times)


def peak_megabytes(n_games: int, jobs: int) -> float:
    """Peak memory of a sweep without rows in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", "--variant", "pinch", "--base", "none", "--players", "4", "--line-up", "uniform", "--rows", "none"]
        words += ["--games", str(n_games), "--jobs", str(jobs), "--no-plots", "--out", str(Path(folder) / "run")]
        return command_megabytes(*words)
