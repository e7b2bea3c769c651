"""Chunks: the unit of work, of storage and of determinism (DESIGN "Lab").

A chunk is a fixed block of decks of one cell, whatever the number of workers, and is played in batches small enough that
Ctrl-C is heard within a fraction of a second.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchsim.games.seam import Game
from pinchsim.lab.experiment import Cell
from pinchsim.measure.summary import CellName

CHUNK_DECKS = 10_000
SLOW_CHUNK_DECKS = 25  # of a cell in which somebody searches: seconds of work, too
# A batch is played into small blocks that stay in the processor's cache, and copied from there: a fifth faster than to write
# a hundred columns far apart game by game.
BATCH_GAMES = 500
BATCH_SECONDS = 0.1


class Stopped(Exception):
    """Somebody asked the run to stop; the chunk is given up."""


@dataclass(frozen=True)
class Chunk:
    """Decks `first_deck` to `first_deck + decks - 1` of a cell."""

    cell: Cell
    number: int
    first_deck: int
    decks: int


@dataclass(frozen=True)
class Player:
    """What it takes to play chunks of an experiment: the game, each cell's kernel, and each strategy's place in the kernels."""

    game: Game
    kernels: dict[CellName, Any]
    slots: dict[str, int]
    seed: int

    def play(self, chunk: Chunk, memory: Any, on_games: Callable[[int], bool]) -> tuple[np.ndarray, np.ndarray]:
        """Play a chunk; returns the blocks of the seam.

        `on_games(n)` is told after each batch and answers whether to go on.

        Raises
        ------
        Stopped
            `on_games` answered no.
        IllegalAnswer
            A strategy broke the rules.
        """
        players = chunk.cell.name.players
        rotations = self.game.rotations(players)
        n_games = chunk.decks * rotations
        games = np.empty((len(self.game.game_columns), n_games), np.int32)
        seats = np.empty((len(self.game.player_columns), n_games, players), np.int32)
        line_up = [self.slots[s.name] for s in chunk.cell.strategies]
        rules, kernel = chunk.cell.variant.rules, self.kernels[chunk.cell.name]
        done, batch = 0, 50
        while done < n_games:
            batch = min(batch, n_games - done)
            start = time.perf_counter()
            blocks = np.empty((len(games), batch), np.int32), np.empty((len(seats), batch, players), np.int32)
            first = chunk.first_deck * rotations + done
            self.game.play(kernel, rules, line_up, self.seed, np.arange(first, first + batch), memory, *blocks)
            games[:, done : done + batch], seats[:, done : done + batch] = blocks
            done += batch
            if not on_games(batch):
                raise Stopped
            seconds = time.perf_counter() - start
            batch = max(1, min(int(batch * BATCH_SECONDS / max(seconds, 1e-6)), BATCH_GAMES))
        return games, seats


def chunks_of(game: Game, cell: Cell, games: int) -> list[Chunk]:
    """The chunks of a cell: whole decks, as many as give at least `games` games."""
    decks = -(-games // game.rotations(cell.name.players))
    size = SLOW_CHUNK_DECKS if any(game.searches(strategy) for strategy in cell.strategies) else CHUNK_DECKS
    return [Chunk(cell, k, first, min(size, decks - first)) for k, first in enumerate(range(0, decks, size))]
