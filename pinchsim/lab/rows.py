"""Rows: from the kernel's blocks to typed columns, to Parquet files, and back.

A chunk is two files, `games` (a row per game) and `players` (a row per game and position). Both carry `deck` and
`rotation`, which name the game. Each is written in one step; the chunk is finished when its record is there, too
(`pinchsim.lab.finished`). A run may keep no rows; then whole chunks are counted instead (`pinchsim.measure.counted`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import Column, Game
from pinchsim.games.session import Session
from pinchsim.lab.finished import Records
from pinchsim.lab.folder import table_bytes
from pinchsim.lab.layout import NO_ROWS, RECORDS, ROWS, cell_folder, part_path
from pinchsim.lab.manifest import EXPERIMENT, identity, kept_rows, load_manifest
from pinchsim.lab.stored import Stored, Unusable, store
from pinchsim.measure.counted import Measured, count_chunk
from pinchsim.measure.counts import Columns, Counts, Scaled
from pinchsim.measure.quantities import Described, Rows
from pinchsim.measure.sample import Scan
from pinchsim.measure.summary import CellName

KEYS = ("deck", "rotation")
pl.DataFrame({"column": np.zeros(1)})  # polars 2.1 fails if two threads make the first frame of arrays at once
PIECE_BYTES = 2**20  # of the rows by player on disk: about 30,000 games, tens of megabytes with all that is made of them


def described(game: Game) -> Described:
    """What the measures must know about the game's columns."""
    labels = next(column.labels for column in game.game_columns if column.name == "end_reason")
    totals = tuple((total.name, total.column, total.unit, total.per_turn) for total in game.totals)
    return Described(labels or {}, totals, game.game_ends if isinstance(game, Session) else None)


def counted(game: Game) -> Measured:
    """What counting games takes that are not kept as rows."""
    columns = ([c for c in some if c.name not in KEYS] for some in (game.game_columns, game.player_columns))
    return Measured(Columns(*(tuple(Scaled(c.name, c.scale) for c in some) for some in columns)), described(game).end_labels)


def counts_of_blocks(game: Game, games: np.ndarray, players: np.ndarray) -> Counts:
    """Exact counts of the kernel's blocks, which are whole decks."""
    own = [k for k, column in enumerate(game.game_columns) if column.name not in KEYS]
    return count_chunk(counted(game), games[own], players, game.rotations(players.shape[2]))


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


def row_files(rows: Rows) -> dict[str, bytes]:
    """The contents of a chunk's two files, by table."""
    n_games, n_players = rows.players["seat"].shape
    long = {name: np.repeat(rows.games[name], n_players) for name in KEYS}
    long["position"] = np.tile(np.arange(n_players, dtype=np.int8), n_games)
    long |= {name: x.reshape(-1) for name, x in rows.players.items()}
    frames = {"players": pl.DataFrame(long), "games": pl.DataFrame(dict(rows.games))}
    return {table: table_bytes(frame, compression="lz4", statistics=False) for table, frame in frames.items()}


def store_rows(files: dict[str, bytes], run: Path, cell: CellName, chunk: int) -> dict[str, Stored]:
    """Write a chunk's files into the folders of its cell, which must be there; says what was written."""
    return {table: store(part_path(run, table, cell, chunk), data) for table, data in files.items()}


def read_rows(game: Game, run: Path, cell: CellName, chunk: int) -> Rows:
    """Rows of a finished chunk."""
    games = pl.read_parquet(part_path(run, "games", cell, chunk))
    players = pl.read_parquet(part_path(run, "players", cell, chunk))
    return Rows(
        {column.name: games[column.name].to_numpy() for column in game.game_columns},
        {c.name: players[c.name].to_numpy().reshape(games.height, -1) for c in game.player_columns},
    )


def scan(run: Path, table: str, cells: Sequence[CellName]) -> pl.LazyFrame:
    """All finished rows of a table, lazily, with the cell's variant, players and line-up in front.

    Raises
    ------
    UsageError
        There are no finished games, or the run keeps no rows.
    RunError
        A chunk is damaged or belongs to another run; says which.
    """
    records = _records(run)
    frames = []
    for cell in cells:
        finished = [part_path(run, table, cell, chunk) for chunk in _finished(records, cell)]
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


def scan_cells(run: Path, cells: Sequence[CellName]) -> list[Scan]:
    """All finished rows cell by cell and piece by piece, lazily; cells without any are left out.

    Raises
    ------
    UsageError
        The run keeps no rows.
    RunError
        A chunk is damaged or belongs to another run; says which.
    """
    records = _records(run)
    scans = [Scan(cell, [_piece(run, cell, chunks) for chunks in _together(records, cell)]) for cell in cells]
    return [scan for scan in scans if scan.pieces]


def _records(run: Path) -> Records:
    """The records of a run that keeps rows; raises `UsageError` if it keeps none."""
    manifest = load_manifest(run)
    check_kept(run, manifest, "Reading games")
    return Records(run, identity(manifest))


def check_kept(run: Path, manifest: dict[str, Any], what: str) -> None:
    """Raise `UsageError` if a run keeps no rows; says what needs them ("Reading games"), and how to get them."""
    if kept_rows(manifest) == NO_ROWS:
        raise UsageError(
            f"{what} needs rows, and the run in '{run}' keeps none ('--rows none'), only what was counted. To have rows play "
            f"it again: pinchsim sweep {run / EXPERIMENT} --rows all --out {run}-rows"
        )


def _piece(run: Path, cell: CellName, chunks: Sequence[int]) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    games, players = (pl.scan_parquet([part_path(run, table, cell, chunk) for chunk in chunks]) for table in ROWS)
    return games, players


def _together(records: Records, cell: CellName) -> list[list[int]]:
    """The finished chunks of a cell, small ones put together: to open a file takes as long as to read thousands of games."""
    found: list[list[int]] = []
    room = 0
    for chunk in _finished(records, cell):
        if room <= 0:
            found.append([])
            room = PIECE_BYTES
        found[-1].append(chunk)
        room -= part_path(records.run, "players", cell, chunk).stat().st_size
    return found


def _finished(records: Records, cell: CellName) -> list[int]:
    """Numbers of the finished chunks of a cell, ascending, whose files are checked as for going on with the run."""
    found = sorted(cell_folder(records.run, RECORDS, cell).glob("part-*.json"))
    chunks = [int(path.stem.removeprefix("part-")) for path in found]
    try:
        for chunk in chunks:
            records.files(cell, chunk)
    except Unusable as problem:
        raise RunError(f"{problem}. Play that chunk again with: pinchsim resume {records.run}") from None
    return chunks


def column_table(game: Game) -> Sequence[tuple[str, Column]]:
    """Every column of the rows with the table it stands in, as `pinchsim columns` lists them."""
    position = Column("position", "int8", "position", "position of the player: 0 = start player, counted clockwise", "M3.1")
    keys = [column for column in game.game_columns if column.name in KEYS]
    return [("games", c) for c in game.game_columns] + [("players", c) for c in (*keys, position, *game.player_columns)]
