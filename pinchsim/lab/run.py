"""Running an experiment: its chunks are made by an executor and kept in the run's folder, and then summed up.

The order in which chunks finish does not matter to any result. Chunks that an earlier, interrupted run has left are taken over
(`pinchsim.lab.recover`).
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import Game
from pinchsim.lab import manifest as manifests
from pinchsim.lab.chunks import Chunk, chunks_of
from pinchsim.lab.decks import count_distinct
from pinchsim.lab.executor import Executor, Make
from pinchsim.lab.experiment import Cell, Experiment, cells, game_of, games_of
from pinchsim.lab.finished import Records
from pinchsim.lab.folder import results_folder, write_manifest, write_table
from pinchsim.lab.layout import NO_ROWS, check_all_there, make_cell_folders, tables_of
from pinchsim.lab.recover import recover
from pinchsim.lab.rows import counted, described, scan, scan_cells
from pinchsim.lab.schedule import Schedule, schedule_of
from pinchsim.lab.watcher import Watcher
from pinchsim.lab.work import Keeper, Work, recipe_of
from pinchsim.measure.counted import measured
from pinchsim.measure.counts import counts_frame
from pinchsim.measure.ladder import ladder_table
from pinchsim.measure.precision import Ending
from pinchsim.measure.sample import SCHEMA, Scan
from pinchsim.measure.summary import CellName, Summary, Tally

SUMMARY_TABLES = ("estimates", "differences", "histograms")
LADDER, PRECISION = "ladder.parquet", "precision.parquet"
COUNTS, MEASURES = "counts.parquet", "measures.parquet"


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

    @property
    def keeps_rows(self) -> bool:
        """Whether the run has rows; one played with `rows="none"` has `counts` and `measures` instead."""
        return manifests.kept_rows(self.manifest) != NO_ROWS

    @property
    def counts(self) -> pl.DataFrame | None:
        """How often each value of each column occurred, by position (-1: of the game); None for a run with rows."""
        return None if self.keeps_rows else _read_table(self.folder, COUNTS)

    @property
    def measures(self) -> pl.DataFrame | None:
        """What follows from the counts beside the summary, with the columns of its estimates; None for a run with rows."""
        return None if self.keeps_rows else _read_table(self.folder, MEASURES)

    def scan_games(self) -> pl.LazyFrame:
        """Rows per game, lazily."""
        return scan(self.folder, "games", self.cells)

    def scan_players(self) -> pl.LazyFrame:
        """Rows per game and position, lazily."""
        return scan(self.folder, "players", self.cells)

    def scan_cells(self, cells: Sequence[CellName] | None = None) -> list[Scan]:
        """Rows cell by cell, for `pinchsim.measure.sample.samples`; all cells that have any, or some of them."""
        return scan_cells(self.folder, self.cells if cells is None else cells)

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
    precision = _read_table(folder, PRECISION) if manifest["experiment"].get("precision") else None
    summary = Summary(margin=margin, base=base, complete=complete, precision=precision, **tables)
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
        tally = Tally([cell.name for cell in all_cells], manifest["base"], described(game), experiment.controls)
        tables = tables_of(experiment.rows)
        records = Records(out, manifests.identity(manifest), tables)
        make_cell_folders(out, tables, tally.order)
        found = recover(records, chunks, tally, check, watcher.warned)
        if "decks" not in manifest:
            manifest["decks"] = count_distinct(game, experiment.seed, chunks)
        recipe = recipe_of(game, all_cells, experiment.seed, tally, strategy_folders, bool(tables))
        keeper = Keeper(records, tally, found.written, found.paired)
        work = Work(recipe, keeper, watcher, strategy_folders, len(chunks))
        schedule = schedule_of(experiment, chunks, tally, game)
        _play(schedule, executor, work, found.left)
        complete = not work.stop.is_set()
        return _finish_run(experiment, out, manifest, tally, complete, schedule.ending(complete))


def _play(schedule: Schedule, executor: Executor, work: Work, missing: Sequence[Chunk]) -> None:
    """Play wave after wave, as far as chunks are missing, until the schedule ends or somebody interrupts."""
    left = {(chunk.cell.name, chunk.number) for chunk in missing}
    with ExitStack() as stack:
        make: Make | None = None
        for wave in schedule.waves(work.keeper.tally):
            todo = [chunk for chunk in wave if (chunk.cell.name, chunk.number) in left]
            if todo and make is None:
                make = stack.enter_context(executor.making(work))
            total, ahead = (sum(map(work.recipe.games, some)) for some in (wave, todo))
            if schedule.found:
                work.watcher.goes_on(total, schedule.found)
            else:
                work.watcher.started(total, work.recipe.described.unit)
            if total > ahead:
                work.watcher.played(total - ahead, found=True)
            if make and todo:
                make(todo)
            if work.stop.is_set():
                return


def _finish_run(
    experiment: Experiment, out: Path, manifest: dict[str, Any], tally: Tally, complete: bool, ending: Ending | None
) -> Run:
    """Write the summary of what is finished, and the manifest last."""
    tables = tables_of(experiment.rows)
    check_all_there(out, tables, [(cell, chunk) for cell, found in tally.cells.items() for chunk in found.chunks])
    summary = tally.summary(experiment.margin, complete, ending)
    for name in SUMMARY_TABLES:
        write_table(getattr(summary, name), out / f"{name}.parquet")
    if not tables:
        _write_counted(out, game_of(experiment), tally)
    if experiment.ladder:
        write_table(ladder_table(summary, experiment.ladder), out / LADDER)
    if summary.precision is not None:
        write_table(summary.precision, out / PRECISION)
    manifest["state"] = "complete" if complete else "interrupted"
    write_manifest(out, manifest)
    return Run(out, manifest, summary)


def _write_counted(out: Path, game: Game, tally: Tally) -> None:
    """Write what stands for rows that are not kept: exact counts, and the measures that follow from them."""
    about = counted(game)
    found = [(cell, kept.counts) for cell, kept in tally.cells.items() if kept.counts is not None]
    measures = [measured(cell, counts, about, game.rotations(cell.players)) for cell, counts in found]
    write_table(counts_frame(found, about.columns), out / COUNTS)
    write_table(pl.concat([pl.DataFrame(schema=SCHEMA), *measures]), out / MEASURES)


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
