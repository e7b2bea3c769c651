"""The Python face of the laboratory; the command line uses these same functions."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pinchsim import games as all_games
from pinchsim.lab.audit import Audit
from pinchsim.lab.audit import audit_rules as play_audit
from pinchsim.lab.experiment import cells, make_experiment, read_experiment
from pinchsim.lab.run import Run, Watcher, default_folder, load, run_experiment

USUAL_PLAYERS = 4  # of a single game to look at

__all__ = ["Audit", "Run", "audit_rules", "load", "sweep", "trace", "trace_lines"]


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
        Fields of an experiment (`variants`, `players`, `line_ups`, `session`, `games`, `seed`, `base`, `margin`); they
        replace those of the file.

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


def audit_rules(
    variant: str = "pinch",
    *,
    pairs: bool = False,
    out: str | Path | None = None,
    jobs: int | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Audit:
    """Play every contested reading of a variant's rules beside the ruling, on common decks (METHODS M6.2).

    Parameters
    ----------
    variant
        The variant; its rules are what the readings are compared with.
    pairs
        Whether to flip each two of them together, too.
    out, jobs, strategies, watcher
        As for `sweep`.
    **fields
        `players`, `line_ups`, `games`, `seed` and `margin` of an experiment.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    folder = Path(out) if out is not None else None
    return play_audit(variant, pairs, fields, folder, jobs or os.cpu_count() or 1, tuple(map(Path, strategies)), watcher)


def trace(
    variant: str = "pinch",
    players: int | None = None,
    line_up: str = "default",
    seed: int = 1,
    game: int = 0,
    games: int = 1,
    strategy_folders: tuple[Path, ...] = (),
) -> Iterator[list[dict[str, Any]]]:
    """Records of single games of a sweep: the same variant, players, line-up, seed and index are the same game.

    Four players sit down unless told otherwise, in a duel two.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    """
    from pinchsim.games.pinch.record import record_game

    if players is None:
        game_seam = all_games.load("pinch")
        counts = game_seam.player_counts(game_seam.load_variant(variant).rules)
        players = USUAL_PLAYERS if USUAL_PLAYERS in counts else counts[0]
    fields = {"variants": [variant], "base": None, "players": [players], "line_ups": [line_up], "seed": seed}
    cell = cells(make_experiment(fields, "The game"), strategy_folders)[0]
    for index in range(game, game + games):
        yield record_game(cell.variant.name, cell.variant.rules, cell.strategies, seed, index)


def trace_lines(record: list[dict[str, Any]]) -> str:
    """A record as JSON Lines."""
    from pinchsim.games.pinch.record import to_lines

    return to_lines(record)
