"""Files that are known again: by size, by the time when they were written, and by a checksum of all their bytes.

A checksum of rows costs as much as reading them, so it is only computed when the size or the time is another one, or when
somebody asks for it. Small texts carry their checksum in their last line and are always checked.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pinchsim.lab.folder import replacing, write_text


class Unusable(Exception):
    """A file is not what was written: damaged, or another one that was put in its place. Says which, and what is wrong."""


class Stored(NamedTuple):
    """What a file was when it was written."""

    size: int
    modified_ns: int
    sha256: str


def checksum(data: bytes) -> str:
    """Checksum of all bytes; SHA-256 because processors have instructions for it, which makes it the fastest of the strong."""
    return hashlib.sha256(data).hexdigest()


def store(path: Path, data: bytes) -> Stored:
    """Write a file in one step."""
    with replacing(path) as file:
        file.write(data)
    return Stored(len(data), path.stat().st_mtime_ns, checksum(data))


def check(path: Path, stored: Stored, fully: bool = False) -> None:
    """Raise `Unusable` if a file is not what was written; all bytes are looked at if its time is another, or `fully`."""
    try:
        found = path.stat()
        if found.st_size != stored.size:
            raise Unusable(f"'{path}' is damaged: it has {found.st_size:,} bytes instead of {stored.size:,}")
        if (fully or found.st_mtime_ns != stored.modified_ns) and checksum(path.read_bytes()) != stored.sha256:
            raise Unusable(f"'{path}' is damaged, or the file of another run: its checksum is not that of what was written")
    except FileNotFoundError:
        raise Unusable(f"'{path}' is missing") from None


def seal(path: Path, lines: Sequence[str]) -> None:
    """Write a text in one step, with its checksum as the last line."""
    text = "".join(f"{line}\n" for line in lines)
    write_text(path, f"{text}{checksum(text.encode())}\n")


def unseal(path: Path) -> list[str]:
    """The lines of such a text, without the last; raises `Unusable` if the checksum is not theirs."""
    text, _, told = path.read_bytes().removesuffix(b"\n").rpartition(b"\n")
    if checksum(text + b"\n").encode() != told:
        raise Unusable(f"'{path}' is damaged: its last line is not the checksum of the others")
    return text.decode().split("\n")
