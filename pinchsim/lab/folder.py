"""Folders of results: made, or gone on with where the same was begun before, and files that appear in them in one step.

A file is written under another name, synced and renamed, so that whoever reads finds the old or the new, never a part.
"""

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import polars as pl

from pinchsim.errors import UsageError

MANIFEST = "manifest.json"
LOCK = "lock"
TEMPORARY = ".tmp"


class Plan(Protocol):
    """What is to be done in a folder."""

    def deciding(self) -> dict[str, Any]:
        """All that decides the result, plain enough for a manifest."""

    def facts(self) -> dict[str, Any]:
        """What a manifest says beside that."""


def digest(deciding: Any) -> str:
    """Digest of all that decides a result."""
    return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()


def results_folder(name: str, identity: str) -> Path:
    """Folder under `results/` that the same command finds again, by the digest of all that decides the result."""
    return Path("results") / f"{name}-{identity[:8]}"


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Versions of Python and of packages, as a manifest tells them."""
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def make_folder(folder: Path, mark: str, what: str) -> None:
    """Make a folder unless it is there; `mark` names the file that only a folder of this kind has.

    Raises
    ------
    UsageError
        It is no folder, or holds files and no mark.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"'{folder}' is a file, not a folder; choose another with --out.")
    begun = {LOCK, _temporary(folder / mark).name}  # all that a run has which was killed before it wrote its mark
    if folder.exists() and not (folder / mark).exists() and any(path.name not in begun for path in folder.iterdir()):
        raise UsageError(f"The folder '{folder}' is not empty and holds no {what}; choose another with --out.")
    folder.mkdir(parents=True, exist_ok=True)


def refuse_another(folder: Path, what: str, differing: Iterable[str], details: str = "") -> None:
    """Raise `UsageError` if anything differs between what a folder holds and what was asked for; `details` tell how."""
    names = ", ".join(differing)
    if names:
        how = f" {details[0].upper()}{details[1:]}." if details else ""
        raise UsageError(
            f"The folder '{folder}' holds another {what}; it differs in: {names}.{how} Choose another with --out, or remove it."
        )


def open_folder(folder: Path, plan: Plan, what: str, stranger: str) -> None:
    """Make the folder of a plan, or go on with one that the same plan began.

    `what` is begun there ("tuning"), and `stranger` says in words what a manifest of another kind is.

    Raises
    ------
    UsageError
        The folder holds something else.
    """
    path = folder / MANIFEST
    if path.exists():
        try:
            old = json.loads(path.read_text(encoding="utf-8"))
            differing = [name for name, value in plan.deciding().items() if old.get(name) != value]
        except (ValueError, AttributeError):
            raise UsageError(f"'{path}' is damaged; choose another folder with --out.") from None
        if "format" in differing:
            raise UsageError(f"The folder '{folder}' holds {stranger}; choose another with --out.")
        refuse_another(folder, what, differing)
    make_folder(folder, MANIFEST, what)
    save_manifest(folder, plan, "running")


def save_manifest(folder: Path, plan: Plan, state: str) -> None:
    """Write the manifest of a plan."""
    write_manifest(folder, plan.deciding() | plan.facts() | {"state": state})


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest in one step."""
    write_text(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step."""
    with replacing(path) as file:
        file.write(text.encode())


def write_table(table: pl.DataFrame, path: Path, **options: Any) -> None:
    """Write a Parquet file in one step; `options` are those of polars."""
    with replacing(path) as file:
        file.write(table_bytes(table, **options))


def table_bytes(table: pl.DataFrame, **options: Any) -> bytes:
    """A Parquet file in memory: polars tells of a full disk in its own ways, and a checksum needs the bytes."""
    buffer = BytesIO()
    table.write_parquet(buffer, **options)
    return buffer.getvalue()


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when everything is written; nothing stays of it when that fails.

    An `OSError` that names no file, as those of a full disk, gets the name of this one.
    """
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise


def _temporary(path: Path) -> Path:
    """Where a file is written before it takes its place."""
    return path.with_name(f"{path.name}{TEMPORARY}")
