"""Running an experiment: its chunks are made by an executor and kept in the run's folder, and then summed up.

The order in which chunks finish does not matter to any result. Chunks that an earlier, interrupted run has left are taken over
(`pinchsim.lab.recover`).
"""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import Game
from pinchsim.lab import manifest as manifests
from pinchsim.lab.chunks import Chunk, chunks_of
from pinchsim.lab.decks import count_distinct
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Cell, Experiment, cells, game_of, games_of
from pinchsim.lab.finished import Records
from pinchsim.lab.folder import results_folder, write_manifest, write_table
from pinchsim.lab.layout import check_all_there, make_cell_folders
from pinchsim.lab.recover import recover
from pinchsim.lab.rows import described, scan
from pinchsim.lab.watcher import Watcher
from pinchsim.lab.work import Keeper, Work, recipe_of
from pinchsim.measure.ladder import ladder_table
from pinchsim.measure.summary import CellName, Summary, Tally

SUMMARY_TABLES = ("estimates", "differences", "histograms")
LADDER = "ladder.parquet"


@dataclass
class Run:
    """A run on disk and its summary.

    Attributes
    ----------
    folder : Path
        Where the rows, the manifest and the summary tables lie.
    manifest : dict
        What produced the run.
    summary : Summary
        Estimates, differences and histograms.
    """

    folder: Path
    manifest: dict[str, Any]
    summary: Summary

    @property
    def cells(self) -> list[CellName]:
        """The cells of the run."""
        return [CellName(*cell) for cell in self.manifest["cells"]]

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return bool(self.manifest["state"] == "complete")

    @property
    def ladder(self) -> pl.DataFrame | None:
        """What each level of the ladder says, see `pinchsim.measure.ladder.ladder_table`; None for a run without one."""
        return _read_table(self.folder, LADDER) if (self.folder / LADDER).exists() else None

    def scan_games(self) -> pl.LazyFrame:
        """Rows per game, lazily."""
        return scan(self.folder, "games", self.cells)

    def scan_players(self) -> pl.LazyFrame:
        """Rows per game and position, lazily."""
        return scan(self.folder, "players", self.cells)

    @property
    def games(self) -> pl.DataFrame:
        """Rows per game, all in memory."""
        return self.scan_games().collect()

    @property
    def players(self) -> pl.DataFrame:
        """Rows per game and position, all in memory."""
        return self.scan_players().collect()


def load(folder: Path | str) -> Run:
    """A run from its folder.

    Raises
    ------
    UsageError
        The folder holds no run, or one without a summary yet.
    RunError
        The summary is damaged.
    """
    folder = Path(folder)
    manifest = manifests.load_manifest(folder)
    tables = {name: _read_table(folder, f"{name}.parquet") for name in SUMMARY_TABLES}
    margin, base = manifest["experiment"]["margin"], manifest["base"]
    complete = manifest["state"] == "complete"
    summary = Summary(margin=margin, base=base, complete=complete, **tables)
    return Run(folder, manifest, summary)


def _read_table(folder: Path, name: str) -> pl.DataFrame:
    """A table of the summary."""
    try:
        return pl.read_parquet(folder / name)
    except FileNotFoundError:
        raise UsageError(
            f"The run in '{folder}' has no summary: it has not ended yet, or was killed. Go on with: pinchsim resume {folder}"
        ) from None
    except pl.exceptions.PolarsError:
        raise RunError(f"'{folder / name}' is damaged. Write it again with: pinchsim resume {folder}") from None


def run_experiment(
    experiment: Experiment,
    out: Path,
    executor: Executor,
    strategy_folders: tuple[Path, ...] = (),
    watcher: Watcher | None = None,
    check: bool = False,
) -> Run:
    """Play an experiment into a folder and summarise it.

    Ctrl-C ends it early: finished chunks stay, the summary covers them, and the same call goes on where it stopped. So it does
    when the process was killed, whenever that was. `check` looks at all bytes of rows that are there.

    Raises
    ------
    UsageError
        The experiment cannot be played, or the folder holds something else.
    RunError
        A strategy broke the rules, rows could not be written, or another process is at work in the folder.
    """
    watcher = watcher or Watcher()
    game = game_of(experiment)
    all_cells = cells(experiment, strategy_folders)
    manifest = manifests.describe_run(game, experiment, all_cells, strategy_folders)
    with manifests.opened_run(out, manifest, experiment):
        chunks = _chunk_order(game, experiment, all_cells)
        tally = Tally([cell.name for cell in all_cells], manifest["base"], described(game))
        records = Records(out, manifests.identity(manifest))
        make_cell_folders(out, tally.order)
        found = recover(records, chunks, tally, check, watcher.warned)
        if "decks" not in manifest:
            manifest["decks"] = count_distinct(game, experiment.seed, chunks)
        recipe = recipe_of(game, all_cells, experiment.seed, tally, strategy_folders)
        keeper = Keeper(records, tally, found.written, found.paired)
        work = Work(recipe, keeper, watcher, strategy_folders, len(chunks))
        with executor.making(work) if found.left else nullcontext() as make:
            _tell_size(work, chunks, found.left)
            if make:
                make(found.left)
        return _finish_run(experiment, out, manifest, tally, not work.stop.is_set())


def _tell_size(work: Work, chunks: list[Chunk], left: list[Chunk]) -> None:
    """Tell the watcher how much there is to do, and how much of it was found done."""
    total, ahead = (sum(map(work.recipe.games, some)) for some in (chunks, left))
    work.watcher.started(total, work.recipe.described.unit)
    if total > ahead:
        work.watcher.played(total - ahead, found=True)


def _finish_run(experiment: Experiment, out: Path, manifest: dict[str, Any], tally: Tally, complete: bool) -> Run:
    """Write the summary of what is finished, and the manifest last."""
    check_all_there(out, [(cell, chunk) for cell, found in tally.cells.items() for chunk in found.chunks])
    summary = tally.summary(experiment.margin, complete)
    for name in SUMMARY_TABLES:
        write_table(getattr(summary, name), out / f"{name}.parquet")
    if experiment.ladder:
        write_table(ladder_table(summary, experiment.ladder), out / LADDER)
    manifest["state"] = "complete" if complete else "interrupted"
    write_manifest(out, manifest)
    return Run(out, manifest, summary)


def default_folder(experiment: Experiment, name: str, strategy_folders: tuple[Path, ...] = ()) -> Path:
    """Folder under `results/` whose name is a digest of all that decides the rows.

    The same command finds its own run again; a changed strategy, rule or engine begins another.
    """
    game = game_of(experiment)
    manifest = manifests.describe_run(game, experiment, cells(experiment, strategy_folders))
    return results_folder(name, manifests.identity(manifest))


def _chunk_order(game: Game, experiment: Experiment, all_cells: list[Cell]) -> list[Chunk]:
    """The first decks of every cell, then the next: pairs of cells finish together, and an early stop leaves all alike."""
    chunks = [chunk for cell in all_cells for chunk in chunks_of(game, cell, games_of(experiment, cell.name.line_up))]
    return sorted(chunks, key=lambda chunk: chunk.first_deck)
