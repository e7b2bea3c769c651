"""Where the files of a run lie: two of rows, if it keeps any, and one of record for each chunk, in a folder for each cell.

games/CELL/part-000000.parquet      a row per game
players/CELL/part-000000.parquet    a row per game and position
finished/CELL/part-000000.json      the record (`pinchsim.lab.finished`)
finished/CELL/pair-000000.json      the chunk's differences from the base's chunk of the same decks
"""

import os
from collections.abc import Collection
from functools import cache
from pathlib import Path
from urllib.parse import quote

from pinchsim.errors import RunError
from pinchsim.measure.summary import CellName

ROWS = ("games", "players")
ALL_ROWS, NO_ROWS = "all", "none"
RECORDS = "finished"


def tables_of(rows: str) -> tuple[str, ...]:
    """The tables of rows that a run keeps; `rows` is "all" or "none"."""
    return () if rows == NO_ROWS else ROWS


@cache
def cell_folder(run: Path, table: str, cell: CellName) -> Path:
    """Folder of a cell's files; `table` is "games", "players" or "finished"."""
    return run / table / quote(f"{cell.variant}-{cell.players}p-{cell.line_up}", safe=",+")


def part_path(run: Path, table: str, cell: CellName, chunk: int) -> Path:
    """Parquet file of one chunk of a cell; `table` is "games" or "players"."""
    return cell_folder(run, table, cell) / f"part-{chunk:06d}.parquet"


def record_path(run: Path, cell: CellName, chunk: int) -> Path:
    """Record of one chunk of a cell, which is written last: a chunk is finished exactly if it is there."""
    return cell_folder(run, RECORDS, cell) / f"part-{chunk:06d}.json"


def pair_path(run: Path, cell: CellName, chunk: int) -> Path:
    """Differences of one chunk of a cell from the base's."""
    return cell_folder(run, RECORDS, cell) / f"pair-{chunk:06d}.json"


def make_cell_folders(run: Path, tables: Collection[str], cells: Collection[CellName]) -> None:
    """Make all folders before the first game: one that is missing later was removed by somebody."""
    for cell in cells:
        for table in (*tables, RECORDS):
            cell_folder(run, table, cell).mkdir(parents=True, exist_ok=True)


def check_all_there(run: Path, tables: Collection[str], chunks: Collection[tuple[CellName, int]]) -> None:
    """Raise `RunError` if files of finished chunks have gone while others were played."""
    names = cache(lambda folder: set(os.listdir(folder)) if folder.is_dir() else set())  # one look at each folder
    for cell, chunk in chunks:
        for path in (record_path(run, cell, chunk), *(part_path(run, table, cell, chunk) for table in tables)):
            if path.name not in names(path.parent):
                raise RunError(
                    f"'{path}' has gone while the run went on, so somebody else is at work in its folder. "
                    "The same command plays what is missing."
                )
