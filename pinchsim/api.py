"""The Python face of the laboratory; the command line uses these same functions."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pinchsim.lab.experiment import cells, make_experiment, read_experiment
from pinchsim.lab.run import Run, Watcher, default_folder, load, run_experiment

__all__ = ["Run", "load", "sweep", "trace", "trace_lines"]


def sweep(
    experiment: str | Path | None = None,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Run:
    """Play an experiment and summarise it.

    Parameters
    ----------
    experiment
        Path of an experiment file; without it, `fields` alone say what to play.
    out
        Folder for the run; by default a new one under `results/`.
    jobs
        Threads; by default one per processor core.
    strategies
        Folders that are searched for strategies first.
    watcher
        Hears of the progress.
    **fields
        Fields of an experiment (`variants`, `players`, `line_ups`, `games`, `seed`, `base`, `margin`); they replace
        those of the file.

    Returns
    -------
    Run
        `run.summary` holds the estimates, `run.games` and `run.players` the rows (polars frames).

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> run = pinchsim.sweep(variants=["classic"], players=[3], line_ups=["greedy"], games=30, out=tempfile.mkdtemp())
    >>> run.games.height
    60
    """
    if experiment is None:
        resolved, stem = make_experiment(fields, "The experiment"), "sweep"
    else:
        resolved, stem = read_experiment(Path(experiment), fields), Path(experiment).stem
    folders = tuple(map(Path, strategies))
    folder = Path(out) if out is not None else default_folder(resolved, stem, folders)
    return run_experiment(resolved, folder, jobs or os.cpu_count() or 1, folders, watcher)


def trace(
    variant: str = "pinch",
    players: int = 4,
    line_up: str = "default",
    seed: int = 1,
    game: int = 0,
    games: int = 1,
    strategy_folders: tuple[Path, ...] = (),
) -> Iterator[list[dict[str, Any]]]:
    """Records of single games of a sweep: the same variant, players, line-up, seed and index are the same game.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    """
    from pinchsim.games.pinch.record import record_game

    fields = {"variants": [variant], "base": None, "players": [players], "line_ups": [line_up], "seed": seed}
    cell = cells(make_experiment(fields, "The game"), strategy_folders)[0]
    for index in range(game, game + games):
        yield record_game(cell.variant.name, cell.variant.rules, cell.strategies, seed, index)


def trace_lines(record: list[dict[str, Any]]) -> str:
    """A record as JSON Lines."""
    from pinchsim.games.pinch.record import to_lines

    return to_lines(record)
