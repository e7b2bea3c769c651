"""Running an experiment: its chunks are made by an executor and kept in the run's folder, and then summed up.

The order in which chunks finish does not matter to any result. Chunks that an earlier, interrupted run has left are taken over
(`pinchsim.lab.recover`).
"""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim.games.seam import Game
from pinchsim.lab import manifest as manifests
from pinchsim.lab.chunks import Chunk, chunks_of
from pinchsim.lab.decks import count_distinct
from pinchsim.lab.executor import Executor, Make
from pinchsim.lab.experiment import Cell, Experiment, cells, game_of, games_of
from pinchsim.lab.finished import Records
from pinchsim.lab.folder import results_folder, write_manifest
from pinchsim.lab.layout import NO_ROWS, check_all_there, make_cell_folders, tables_of
from pinchsim.lab.recover import Key, recover
from pinchsim.lab.rows import counted, described, scan, scan_cells
from pinchsim.lab.schedule import Schedule, schedule_of
from pinchsim.lab.tables import TABLES, read_table, write_tables
from pinchsim.lab.watcher import Watcher
from pinchsim.lab.work import Keeper, Work, recipe_of
from pinchsim.measure.counted import measured
from pinchsim.measure.counts import counts_frame
from pinchsim.measure.ladder import ladder_table
from pinchsim.measure.looks import allowing_for_looks
from pinchsim.measure.positions import position_table
from pinchsim.measure.precision import Ending
from pinchsim.measure.sample import SCHEMA, Scan
from pinchsim.measure.summary import CellName, Summary, Tally
from pinchsim.measure.verdicts import start_verdicts

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
        return self._table(LADDER) if (self.folder / LADDER).exists() else None

    @property
    def verdicts(self) -> pl.DataFrame:
        """The verdicts on the start player's advantage, each alone and all together (`start_verdicts`)."""
        return start_verdicts(self.summary)

    @property
    def positions(self) -> pl.DataFrame:
        """Whether all positions win equally often (`position_table`)."""
        return position_table(self.summary)

    @property
    def keeps_rows(self) -> bool:
        """Whether the run has rows; one played with `rows="none"` has `counts` and `measures` instead."""
        return manifests.kept_rows(self.manifest) != NO_ROWS

    @property
    def counts(self) -> pl.DataFrame | None:
        """How often each value of each column occurred, by position (-1: of the game); None for a run with rows."""
        return None if self.keeps_rows else self._table(COUNTS)

    @property
    def measures(self) -> pl.DataFrame | None:
        """What follows from the counts beside the summary, with the columns of its estimates; None for a run with rows."""
        return None if self.keeps_rows else self._table(MEASURES)

    def _table(self, name: str) -> pl.DataFrame:
        return read_table(self.folder, name, self.manifest.get(TABLES, {}))

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
        The summary is damaged, or that of another run.
    """
    folder = Path(folder)
    manifest = manifests.load_manifest(folder)
    digests = manifest.get(TABLES, {})
    tables = {name: read_table(folder, f"{name}.parquet", digests) for name in SUMMARY_TABLES}
    margin, base = manifest["experiment"]["margin"], manifest["base"]
    complete = manifest["state"] == "complete"
    precision = read_table(folder, PRECISION, digests) if manifest["experiment"].get("precision") else None
    summary = Summary(margin=margin, base=base, complete=complete, precision=precision, **tables)
    return Run(folder, manifest, summary)


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
        keeper = Keeper(records, tally, found.written, found.paired, found.lacking)
        work = Work(recipe, keeper, watcher, strategy_folders, len(chunks))
        schedule = schedule_of(experiment, chunks, tally, game)
        _play(schedule, executor, work, chunks, found.left)
        complete = not work.stop.is_set()
        return _finish_run(experiment, out, manifest, tally, complete, schedule.ending(complete))


def _play(schedule: Schedule, executor: Executor, work: Work, chunks: Sequence[Chunk], missing: Sequence[Chunk]) -> None:
    """Play wave after wave, as far as chunks are missing, until the schedule ends or somebody interrupts."""
    by_key, left = _by_key(chunks), _by_key(missing).keys()
    with ExitStack() as stack:
        make: Make | None = None
        for wave in map(_by_key, schedule.waves(work.keeper.tally)):
            todo = wave.keys() & left
            again = work.keeper.lacking_for(todo)
            if todo and make is None:
                make = stack.enter_context(executor.making(work))
            found = sum(work.recipe.games(wave[key]) for key in wave.keys() - left)
            total = found + sum(work.recipe.games(by_key[key]) for key in todo | again - work.keeper.written.keys())
            if schedule.found:
                work.watcher.goes_on(total, schedule.found)
            else:
                work.watcher.started(total, work.recipe.described.unit)
            if found:
                work.watcher.played(found, found=True)
            if make and todo:
                make([chunk for key, chunk in by_key.items() if key in todo | again])
            if work.stop.is_set():
                return


def _by_key(chunks: Iterable[Chunk]) -> dict[Key, Chunk]:
    return {(chunk.cell.name, chunk.number): chunk for chunk in chunks}


def _finish_run(
    experiment: Experiment, out: Path, manifest: dict[str, Any], tally: Tally, complete: bool, ending: Ending | None
) -> Run:
    """Write the summary of what is finished, and the manifest last."""
    tables = tables_of(experiment.rows)
    check_all_there(out, tables, [(cell, chunk) for cell, found in tally.cells.items() for chunk in found.chunks])
    summary = tally.summary(experiment.margin, complete, ending)
    written = {f"{name}.parquet": getattr(summary, name) for name in SUMMARY_TABLES}
    if not tables:
        written |= _counted(game_of(experiment), tally, summary)
    if experiment.ladder:
        written[LADDER] = ladder_table(summary, experiment.ladder)
    if summary.precision is not None:
        written[PRECISION] = summary.precision
    manifest[TABLES] = write_tables(out, written)
    manifest["state"] = "complete" if complete else "interrupted"
    write_manifest(out, manifest)
    return Run(out, manifest, summary)


def _counted(game: Game, tally: Tally, summary: Summary) -> dict[str, pl.DataFrame]:
    """What stands for rows that are not kept: exact counts, and the measures that follow from them."""
    about = counted(game)
    found = [(cell, kept.counts) for cell, kept in tally.cells.items() if kept.counts is not None]
    measures = [measured(cell, counts, about, game.rotations(cell.players)) for cell, counts in found]
    table = allowing_for_looks(pl.concat([pl.DataFrame(schema=SCHEMA), *measures]), summary)
    return {COUNTS: counts_frame(found, about.columns), MEASURES: table}


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
