"""The tables of a run's summary: written with their digests, by which a table of another run is noticed."""

import hashlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import polars as pl

from pinchsim.errors import RunError, UsageError
from pinchsim.lab.folder import replacing, table_bytes

TABLES = "tables"  # of a manifest: the digest of each file


def write_tables(folder: Path, tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Write tables by the names of their files, each in one step; returns their digests."""
    return {name: _write(folder / name, table) for name, table in tables.items()}


def _write(path: Path, table: pl.DataFrame) -> str:
    data = table_bytes(table)
    with replacing(path) as file:
        file.write(data)
    return _digest(data)


def read_table(folder: Path, name: str, digests: Mapping[str, str]) -> pl.DataFrame:
    """A table of a run; one without a digest is believed.

    Raises
    ------
    UsageError
        There is none yet.
    RunError
        It is damaged, or that of another run.
    """
    try:
        data = (folder / name).read_bytes()
        table = pl.read_parquet(BytesIO(data))
    except FileNotFoundError:
        raise UsageError(
            f"The run in '{folder}' has no summary: it has not ended yet, or was killed. Go on with: pinchsim resume {folder}"
        ) from None
    except pl.exceptions.PolarsError:
        raise RunError(f"'{folder / name}' is damaged. Write it again with: pinchsim resume {folder}") from None
    if digests.get(name, _digest(data)) != _digest(data):
        raise RunError(f"'{folder / name}' is not what this run has written. Write it again with: pinchsim resume {folder}")
    return table


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
