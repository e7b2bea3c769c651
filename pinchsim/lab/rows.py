"""Rows: from the kernel's blocks to typed columns, to Parquet files, and back.

A chunk is two files, `games` (a row per game) and `players` (a row per game and position). Both carry `deck` and
`rotation`, which name the game. Each is written in one step, the games file last: a chunk is finished exactly if its games
file is there.
"""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import numpy as np
import polars as pl

from pinchsim.errors import UsageError
from pinchsim.games.seam import Column, Game
from pinchsim.games.session import Session
from pinchsim.lab.folder import write_table
from pinchsim.measure.quantities import Described, Rows
from pinchsim.measure.summary import CellName

KEYS = ("deck", "rotation")


def described(game: Game) -> Described:
    """What the measures must know about the game's columns."""
    labels = next(column.labels for column in game.game_columns if column.name == "end_reason")
    totals = tuple((total.name, total.column, total.unit, total.per_turn) for total in game.totals)
    return Described(labels or {}, totals, game.game_ends if isinstance(game, Session) else None)


def rows_of_blocks(game: Game, games: np.ndarray, players: np.ndarray) -> Rows:
    """Typed columns of the kernel's blocks (int32[columns, games] and int32[columns, games, players])."""
    return Rows(
        {column.name: _typed(column, games[k]) for k, column in enumerate(game.game_columns)},
        {column.name: _typed(column, players[k]) for k, column in enumerate(game.player_columns)},
    )


def _typed(column: Column, block: np.ndarray) -> np.ndarray:
    if column.scale == 1:
        return block.astype(column.dtype)
    return (block * column.scale).astype(column.dtype)


def part_path(run: Path, table: str, cell: CellName, chunk: int) -> Path:
    """Parquet file of one chunk of a cell; `table` is "games" or "players"."""
    folder = quote(f"{cell.variant}-{cell.players}p-{cell.line_up}", safe=",+")
    return run / table / folder / f"part-{chunk:06d}.parquet"


def is_written(run: Path, cell: CellName, chunk: int) -> bool:
    """Whether a finished chunk lies in the run's folder."""
    return part_path(run, "games", cell, chunk).exists()


def write_rows(rows: Rows, run: Path, cell: CellName, chunk: int) -> None:
    """Write a chunk's two files; whoever reads the folder sees both whole or the games file not at all."""
    n_games, n_players = rows.players["seat"].shape
    long = {name: np.repeat(rows.games[name], n_players) for name in KEYS}
    long["position"] = np.tile(np.arange(n_players, dtype=np.int8), n_games)
    long |= {name: x.reshape(-1) for name, x in rows.players.items()}
    _write(pl.DataFrame(long), part_path(run, "players", cell, chunk))
    _write(pl.DataFrame(dict(rows.games)), part_path(run, "games", cell, chunk))


def _write(frame: pl.DataFrame, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(frame, path, compression="lz4", statistics=False)


def read_rows(game: Game, run: Path, cell: CellName, chunk: int) -> Rows:
    """Rows of a finished chunk."""
    games = pl.read_parquet(part_path(run, "games", cell, chunk))
    players = pl.read_parquet(part_path(run, "players", cell, chunk))
    return Rows(
        {column.name: games[column.name].to_numpy() for column in game.game_columns},
        {c.name: players[c.name].to_numpy().reshape(games.height, -1) for c in game.player_columns},
    )


def scan(run: Path, table: str, cells: Sequence[CellName]) -> pl.LazyFrame:
    """All finished rows of a table, lazily, with the cell's variant, players and line-up in front."""
    frames = []
    for cell in cells:
        folder = part_path(run, table, cell, 0).parent
        finished = [p for p in sorted(folder.glob("part-*.parquet")) if (run / "games" / folder.name / p.name).exists()]
        if finished:
            names = (
                pl.lit(cell.variant).alias("variant"),
                pl.lit(cell.players, pl.Int8).alias("players"),
                pl.lit(cell.line_up).alias("line_up"),
            )
            frames.append(pl.scan_parquet(finished).select(*names, pl.all()))
    if not frames:
        raise UsageError(f"'{run}' holds no finished games.")
    return pl.concat(frames)


def column_table(game: Game) -> Sequence[tuple[str, Column]]:
    """Every column of the rows with the table it stands in, as `pinchsim columns` lists them."""
    position = Column("position", "int8", "position", "position of the player: 0 = start player, counted clockwise", "M3.1")
    keys = [column for column in game.game_columns if column.name in KEYS]
    return [("games", c) for c in game.game_columns] + [("players", c) for c in (*keys, position, *game.player_columns)]
