"""Running an experiment: threads take chunks, play them, write their rows and reduce them to the summary.

Each thread does the whole path of a chunk without waiting for another. The order in which chunks finish does not matter
to any result. Chunks that an earlier, interrupted run has left are taken over (`pinchsim.lab.recover`).
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import Game, IllegalAnswer
from pinchsim.lab import manifest as manifests
from pinchsim.lab.chunks import Chunk, Player, Stopped, chunks_of
from pinchsim.lab.decks import count_distinct
from pinchsim.lab.experiment import Cell, Experiment, cells, game_of, games_of
from pinchsim.lab.finished import Records
from pinchsim.lab.folder import results_folder, write_manifest, write_table
from pinchsim.lab.layout import check_all_there, make_cell_folders
from pinchsim.lab.recover import Recovered, recover
from pinchsim.lab.rows import described, read_rows, rows_of_blocks, scan, write_rows
from pinchsim.lab.stored import Stored
from pinchsim.measure.ladder import ladder_table
from pinchsim.measure.quantities import Rows
from pinchsim.measure.summary import CellName, Summary, Tally, reduce_chunk
from pinchsim.strategy import kernels, library

SUMMARY_TABLES = ("estimates", "differences", "histograms")
LADDER = "ladder.parquet"


class Watcher:
    """Hears how a run goes on; the command line shows it, others need not."""

    def compiling(self, strategies: int) -> None:
        """The kernel must be compiled first; takes seconds."""

    def started(self, games: int, unit: str = "games") -> None:
        """The run begins and has so many games to play, or sessions if `unit` says so."""

    def played(self, games: int, found: bool = False) -> None:
        """So many more games are there, `found` on disk or played now; called from several threads."""

    def warned(self, text: str) -> None:
        """Something that was on disk is no good, and what is done about it."""


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
    jobs: int,
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
        recovered = recover(records, chunks, tally, check, watcher.warned)
        player = _prepare(game, experiment, all_cells if recovered.left else [], strategy_folders, watcher)
        if "decks" not in manifest:
            manifest["decks"] = count_distinct(game, experiment.seed, chunks)
        work = _Work(player, records, tally, watcher, chunks, recovered, strategy_folders)
        work.run(jobs)
        return _finish_run(experiment, out, manifest, tally, not work.stop.is_set())


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


def _prepare(game: Game, experiment: Experiment, all_cells: list[Cell], folders: tuple[Path, ...], watcher: Watcher) -> Player:
    """Kernels for all strategies of these cells; cells whose rules need the same share one."""
    used = list({s.name: s for cell in all_cells for s in cell.strategies}.values())
    together = kernels.kernel_strategies(used, list(library.all_strategies(game.name, folders).values()))
    if not all(game.is_compiled(together, [cell.variant.rules]) for cell in all_cells):
        watcher.compiling(len(together))
    by_cell = {cell.name: game.load_kernel(together, [cell.variant.rules]) for cell in all_cells}
    return Player(game, by_cell, {s.name: slot for slot, s in enumerate(together)}, experiment.seed)


def _chunk_order(game: Game, experiment: Experiment, all_cells: list[Cell]) -> list[Chunk]:
    """The first decks of every cell, then the next: pairs of cells finish together, and an early stop leaves all alike."""
    chunks = [chunk for cell in all_cells for chunk in chunks_of(game, cell, games_of(experiment, cell.name.line_up))]
    return sorted(chunks, key=lambda chunk: chunk.first_deck)


@dataclass
class _Work:
    """The threads' shared work: what is left, what is finished, and whether to stop."""

    player: Player
    records: Records
    tally: Tally
    watcher: Watcher
    chunks: list[Chunk]
    recovered: Recovered
    strategy_folders: tuple[Path, ...]
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, jobs: int) -> None:
        """Play what is left on `jobs` threads; returns early when interrupted, raises what a thread ran into."""
        total, left = (sum(map(self._games, chunks)) for chunks in (self.chunks, self.recovered.left))
        self.watcher.started(total, self.tally.described.unit)
        if total > left:
            self.watcher.played(total - left, found=True)
        queue = iter(self.recovered.left)
        with ThreadPoolExecutor(jobs) as pool:
            workers = [pool.submit(self._worker, queue) for _ in range(jobs)]
            try:
                # Not Thread.join: after a KeyboardInterrupt there Python 3.11 takes a running thread for finished.
                while wait(workers, timeout=0.1).not_done:
                    pass
            except KeyboardInterrupt:
                self.stop.set()
                wait(workers)
        for worker in workers:
            worker.result()

    def _games(self, chunk: Chunk) -> int:
        return chunk.decks * self.player.game.rotations(chunk.cell.name.players)

    def _worker(self, queue: Iterator[Chunk]) -> None:
        memory = self.player.game.new_memory()
        while not self.stop.is_set():
            with self.lock:
                chunk = next(queue, None)
            if chunk is None:
                return
            try:
                self._finish(chunk, memory)
            except Stopped:
                return
            except IllegalAnswer as failure:
                self.stop.set()
                raise self._explained(failure, chunk) from None
            except OSError as failure:
                self.stop.set()
                raise self._unwritten(failure) from None
            except BaseException:
                self.stop.set()
                raise

    def _finish(self, chunk: Chunk, memory: Any) -> None:
        """Play a chunk and write it, or read it if it is there, add it to the tally and store what it was reduced to."""
        name = chunk.cell.name
        rows, files = self._rows(chunk, memory)
        rotations = self.player.game.rotations(name.players)
        result = reduce_chunk(rows, name, rotations, self.tally.described, self.tally.is_compared(name))
        self.records.write(name, chunk.number, files, result)
        with self.lock:
            self.tally.add(name, chunk.number, result)
            paired = self._newly_paired(chunk.number)
        for cell in paired:
            self.records.write_pair(cell, chunk.number, self.tally.pairs[cell][chunk.number])

    def _rows(self, chunk: Chunk, memory: Any) -> tuple[Rows, dict[str, Stored]]:
        """Rows of a chunk and their files."""
        game, run, key = self.player.game, self.records.run, (chunk.cell.name, chunk.number)
        if key in self.recovered.written:
            self.watcher.played(self._games(chunk), found=True)
            return read_rows(game, run, *key), self.recovered.written[key]
        rows = rows_of_blocks(game, *self.player.play(chunk, memory, self._on_games))
        return rows, write_rows(rows, run, *key)

    def _newly_paired(self, number: int) -> list[CellName]:
        """Cells whose chunk of this number has just been compared with the base's; each is told once."""
        there = {(cell, number) for cell, pairs in self.tally.pairs.items() if number in pairs}
        new = there - self.recovered.paired
        self.recovered.paired |= new
        return [cell for cell, _ in new]

    def _on_games(self, games: int) -> bool:
        self.watcher.played(games)
        return not self.stop.is_set()

    def _unwritten(self, failure: OSError) -> RunError:
        """Rows could not be written: why, and what is left."""
        with self.lock:
            finished = sum(len(cell.chunks) for cell in self.tally.cells.values())
        why = "the run's folder, or a part of it, was removed or moved while the run went on"
        why = why if isinstance(failure, FileNotFoundError) else str(failure.strerror)
        return RunError(
            f"'{failure.filename}' cannot be written: {why}. {finished} of {len(self.chunks)} chunks were finished; those "
            "that are still in the folder are kept. Put this right, and the same command goes on from there."
        )

    def _explained(self, failure: IllegalAnswer, chunk: Chunk) -> RunError:
        """An illegal answer with everything needed to look at the game."""
        name = chunk.cell.name
        folders = "".join(f" --strategies {folder}" for folder in self.strategy_folders)
        return RunError(
            f"A strategy broke the rules in variant '{name.variant}', {name.players} players, line-up '{name.line_up}', "
            f"{failure}. See that game with: pinchsim watch --variant {chunk.cell.variant.source} --players {name.players} "
            f"--line-up {name.line_up} --seed {self.player.seed} --game {failure.game}{folders}"
        )
