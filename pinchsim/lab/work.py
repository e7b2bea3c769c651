"""What becomes of a chunk: it is made (played and reduced), which can be done anywhere, and kept, by whoever has the folder.

A recipe says how the chunks of a run are made, and a maker has loaded the kernels for it. Any number of threads or machines
make chunks; the folder of the run, its records and its tally belong to one keeper.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pinchsim.errors import RunError
from pinchsim.games.seam import Game, IllegalAnswer
from pinchsim.lab.chunks import Chunk, Player
from pinchsim.lab.experiment import Cell
from pinchsim.lab.finished import Records
from pinchsim.lab.recover import Key, partners
from pinchsim.lab.rows import counts_of_blocks, read_rows, row_files, rows_of_blocks, store_rows
from pinchsim.lab.stored import Stored
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.controls import Luck
from pinchsim.measure.quantities import Described, Rows
from pinchsim.measure.summary import CellName, ChunkResult, Tally, reduce_chunk
from pinchsim.strategy import kernels, library
from pinchsim.strategy.library import Strategy


class Made(NamedTuple):
    """A chunk as it was made: the contents of its files by table, none in a run without rows, and its reduced rows."""

    files: dict[str, bytes]
    result: ChunkResult


@dataclass(frozen=True)
class Recipe:
    """All that it takes to make chunks of a run.

    Attributes
    ----------
    game : Game
        What is played.
    cells : tuple of Cell
        The cells whose chunks are made.
    together : tuple of Strategy
        The strategies that are compiled together.
    seed : int
        Seed of all decks.
    described : Described
        What the measures must know about the game's columns.
    compared : frozenset of CellName
        Cells whose deck means are kept until they are paired with those of another cell.
    keeps_rows : bool
        Whether rows are written; else everything is counted that will be told of them.
    controls : bool
        Whether chunks are reduced together with covariates of their decks (METHODS M1.6).
    """

    game: Game
    cells: tuple[Cell, ...]
    together: tuple[Strategy, ...]
    seed: int
    described: Described
    compared: frozenset[CellName]
    keeps_rows: bool = True
    controls: bool = False

    @property
    def is_compiled(self) -> bool:
        """Whether `maker` will be quick."""
        return all(self.game.is_compiled(self.together, [cell.variant.rules]) for cell in self.cells)

    def maker(self) -> "Maker":
        """Load the kernels, or compile them, which takes seconds; cells whose rules need the same share one."""
        by_cell = {cell.name: self.game.load_kernel(self.together, [cell.variant.rules]) for cell in self.cells}
        slots = {s.name: slot for slot, s in enumerate(self.together)}
        for cell in self.cells[:1]:
            self.luck(Chunk(cell, 0, 0, 0))  # loads what deals, before several threads ask at once
        return Maker(self, Player(self.game, by_cell, slots, self.seed))

    def games(self, chunk: Chunk) -> int:
        """Games of a chunk."""
        return chunk.decks * self.game.rotations(chunk.cell.name.players)

    def reduce(self, chunk: Chunk, rows: Rows) -> ChunkResult:
        """The rows of a chunk, reduced."""
        name = chunk.cell.name
        kept, luck = name in self.compared, self.luck(chunk)
        return reduce_chunk(rows, name, self.game.rotations(name.players), self.described, kept, luck)

    def luck(self, chunk: Chunk) -> Luck | None:
        """Covariates of a chunk's decks, if estimates are corrected by them."""
        if not self.controls:
            return None
        decks = np.arange(chunk.first_deck, chunk.first_deck + chunk.decks)
        found = self.game.covariates(chunk.cell.variant.rules, chunk.cell.name.players, self.seed, decks)
        return Luck(chunk.first_deck, found.values)


def recipe_of(
    game: Game, cells: Sequence[Cell], seed: int, tally: Tally, folders: tuple[Path, ...], keeps_rows: bool = True
) -> Recipe:
    """The recipe for the chunks of these cells."""
    used = list({s.name: s for cell in cells for s in cell.strategies}.values())
    together = kernels.kernel_strategies(used, list(library.all_strategies(game.name, folders).values()))
    compared = frozenset(cell.name for cell in cells if tally.is_compared(cell.name))
    return Recipe(game, tuple(cells), tuple(together), seed, tally.described, compared, keeps_rows, tally.controls)


@dataclass(frozen=True)
class Maker:
    """Makes chunks; several threads may, each with a memory of its own (`Game.new_memory`)."""

    recipe: Recipe
    player: Player

    def make(self, chunk: Chunk, memory: Any, on_games: Callable[[int], bool]) -> Made:
        """Play a chunk and reduce its rows; `on_games`, `Stopped` and `IllegalAnswer` as of `Player.play`."""
        game = self.recipe.game
        blocks = self.player.play(chunk, memory, on_games)
        rows = rows_of_blocks(game, *blocks)
        found = self.recipe.reduce(chunk, rows)
        if self.recipe.keeps_rows:
            return Made(row_files(rows), found)
        found.counts = counts_of_blocks(game, *blocks)
        return Made({}, found)


@dataclass
class Keeper:
    """Keeps chunks: writes their rows and records, and adds them to the tally; several threads may at once."""

    records: Records
    tally: Tally
    written: dict[Key, dict[str, Stored]]
    paired: set[Key]
    lacking: set[Key]
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, chunk: Chunk, made: Made) -> None:
        """Write a chunk down and count it in; raises `OSError`."""
        key = chunk.cell.name, chunk.number
        self._count(chunk, store_rows(made.files, self.records.run, *key), made.result)

    def reread(self, chunk: Chunk, recipe: Recipe) -> None:
        """Count in a chunk whose rows an earlier run has left (`written`)."""
        key = chunk.cell.name, chunk.number
        self._count(chunk, self.written[key], recipe.reduce(chunk, read_rows(recipe.game, self.records.run, *key)))

    def lacking_for(self, chunks: Iterable[Key]) -> set[Key]:
        """The chunks that were taken over and must be made again for their deck means, as these are played."""
        return self.lacking & {partner for key in chunks for partner in partners(key, self.tally)}

    def _count(self, chunk: Chunk, files: dict[str, Stored], result: ChunkResult) -> None:
        name = chunk.cell.name
        known = (name, chunk.number) in self.lacking
        if not known:
            self.records.write(name, chunk.number, files, result)
        with self.lock:
            self.lacking.discard((name, chunk.number))
            (self.tally.supply if known else self.tally.add)(name, chunk.number, result)
            paired = self._newly_paired(chunk.number)
        for cell in paired:
            self.records.write_pair(cell, chunk.number, self.tally.pairs[cell][chunk.number])

    def _newly_paired(self, number: int) -> list[CellName]:
        """Cells whose chunk of this number has just been compared with the base's; each is told once."""
        there = {(cell, number) for cell, pairs in self.tally.pairs.items() if number in pairs}
        new = there - self.paired
        self.paired |= new
        return [cell for cell, _ in new]


@dataclass
class Work:
    """A run at work: how chunks are made, who keeps them and who hears of it, and whether to stop."""

    recipe: Recipe
    keeper: Keeper
    watcher: Watcher
    strategy_folders: tuple[Path, ...]
    chunks: int
    stop: threading.Event = field(default_factory=threading.Event)

    def load(self) -> Maker:
        """The maker on this machine; says so if it takes long."""
        if not self.recipe.is_compiled:
            self.watcher.compiling(len(self.recipe.together))
        return self.recipe.maker()

    def on_games(self, games: int) -> bool:
        """Tell of so many games that were played; answers whether to go on."""
        self.watcher.played(games)
        return not self.stop.is_set()

    def reread(self, chunk: Chunk) -> bool:
        """Count in a chunk whose rows are there; False if they are not."""
        key = chunk.cell.name, chunk.number
        if key not in self.keeper.written:
            return False
        if key not in self.keeper.lacking:
            self.watcher.played(self.recipe.games(chunk), found=True)
        self.keeper.reread(chunk, self.recipe)
        return True

    def told(self, failure: IllegalAnswer | OSError, chunk: Chunk) -> RunError:
        """What to say when a chunk could not be made or kept."""
        return self._illegal(failure, chunk) if isinstance(failure, IllegalAnswer) else self._unwritten(failure)

    def _unwritten(self, failure: OSError) -> RunError:
        """Rows could not be written: why, and what is left."""
        with self.keeper.lock:
            finished = sum(len(cell.chunks) for cell in self.keeper.tally.cells.values())
        why = "the run's folder, or a part of it, was removed or moved while the run went on"
        why = why if isinstance(failure, FileNotFoundError) else str(failure.strerror)
        return RunError(
            f"'{failure.filename}' cannot be written: {why}. {finished} of {self.chunks} chunks were finished; those "
            "that are still in the folder are kept. Put this right, and the same command goes on from there."
        )

    def _illegal(self, failure: IllegalAnswer, chunk: Chunk) -> RunError:
        """An illegal answer with everything needed to look at the game."""
        name = chunk.cell.name
        folders = "".join(f" --strategies {folder}" for folder in self.strategy_folders)
        return RunError(
            f"A strategy broke the rules in variant '{name.variant}', {name.players} players, line-up '{name.line_up}', "
            f"{failure}. See that game with: pinchsim watch --variant {chunk.cell.variant.source} --players {name.players} "
            f"--line-up {name.line_up} --seed {self.recipe.seed} --game {failure.game}{folders}"
        )
