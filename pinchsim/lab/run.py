"""Running an experiment: threads take chunks, play them, write their rows and reduce them to the summary.

Each thread does the whole path of a chunk without waiting for another. The order in which chunks finish does not matter
to any result. Chunks that an earlier, interrupted run has left are read instead of played.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim.errors import RunError
from pinchsim.games.seam import Game, IllegalAnswer
from pinchsim.lab import manifest as manifests
from pinchsim.lab.chunks import Chunk, Player, Stopped, chunks_of
from pinchsim.lab.experiment import Cell, Experiment, cells, game_of, games_of
from pinchsim.lab.folder import results_folder, write_manifest
from pinchsim.lab.rows import described, is_written, read_rows, rows_of_blocks, scan, write_rows
from pinchsim.measure.ladder import ladder_table
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
        path = self.folder / LADDER
        return pl.read_parquet(path) if path.exists() else None

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
        The folder holds no run.
    """
    folder = Path(folder)
    manifest = manifests.load_manifest(folder)
    tables = {name: pl.read_parquet(folder / f"{name}.parquet") for name in SUMMARY_TABLES}
    margin, base = manifest["experiment"]["margin"], manifest["base"]
    complete = manifest["state"] == "complete"
    summary = Summary(margin=margin, base=base, complete=complete, **tables)
    return Run(folder, manifest, summary)


def run_experiment(
    experiment: Experiment,
    out: Path,
    jobs: int,
    strategy_folders: tuple[Path, ...] = (),
    watcher: Watcher | None = None,
) -> Run:
    """Play an experiment into a folder and summarise it.

    Ctrl-C ends it early: finished chunks stay, the summary covers them, and the same call goes on where it stopped.

    Raises
    ------
    UsageError
        The experiment cannot be played, or the folder holds something else.
    RunError
        A strategy broke the rules.
    """
    watcher = watcher or Watcher()
    game = game_of(experiment)
    all_cells = cells(experiment, strategy_folders)
    manifest = manifests.describe_run(game, experiment, all_cells)
    manifests.open_run(out, manifest, experiment)
    player = _prepare(game, experiment, all_cells, strategy_folders, watcher)
    tally = Tally([cell.name for cell in all_cells], manifest["base"], described(game))
    work = _Work(player, out, tally, watcher, _chunk_order(game, experiment, all_cells), strategy_folders)
    work.run(jobs)
    manifest["state"] = "interrupted" if work.stop.is_set() else "complete"
    summary = tally.summary(experiment.margin, not work.stop.is_set())
    _save_summary(out, summary)
    if experiment.ladder:
        ladder_table(summary, experiment.ladder).write_parquet(out / LADDER)
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
    """Kernels for all strategies of the experiment; cells whose rules need the same share one."""
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


def _save_summary(out: Path, summary: Summary) -> None:
    for name in SUMMARY_TABLES:
        getattr(summary, name).write_parquet(out / f"{name}.parquet")


@dataclass
class _Work:
    """The threads' shared work: what is left, what is finished, and whether to stop."""

    player: Player
    out: Path
    tally: Tally
    watcher: Watcher
    chunks: list[Chunk]
    strategy_folders: tuple[Path, ...]
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, jobs: int) -> None:
        """Play all chunks on `jobs` threads; returns early when interrupted, raises what a thread ran into."""
        self.watcher.started(sum(self._games(chunk) for chunk in self.chunks), self.tally.described.unit)
        queue = iter(self.chunks)
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
            except BaseException:
                self.stop.set()
                raise

    def _finish(self, chunk: Chunk, memory: Any) -> None:
        """Play a chunk and write it, or read it if it is there, and add it to the tally."""
        game, name = self.player.game, chunk.cell.name
        if is_written(self.out, name, chunk.number):
            rows = read_rows(game, self.out, name, chunk.number)
            self.watcher.played(self._games(chunk), found=True)
        else:
            rows = rows_of_blocks(game, *self.player.play(chunk, memory, self._on_games))
            write_rows(rows, self.out, name, chunk.number)
        rotations = game.rotations(name.players)
        result = reduce_chunk(rows, name, rotations, self.tally.described, self.tally.is_compared(name))
        with self.lock:
            self.tally.add(name, chunk.number, result)

    def _on_games(self, games: int) -> bool:
        self.watcher.played(games)
        return not self.stop.is_set()

    def _explained(self, failure: IllegalAnswer, chunk: Chunk) -> RunError:
        """An illegal answer with everything needed to look at the game."""
        name = chunk.cell.name
        folders = "".join(f" --strategies {folder}" for folder in self.strategy_folders)
        return RunError(
            f"A strategy broke the rules in variant '{name.variant}', {name.players} players, line-up '{name.line_up}', "
            f"{failure}. See that game with: pinchsim watch --variant {chunk.cell.variant.source} --players {name.players} "
            f"--line-up {name.line_up} --seed {self.player.seed} --game {failure.game}{folders}"
        )
