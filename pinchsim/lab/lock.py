"""One process at a time in a folder.

The system holds the lock for a process and lets it go when that process ends, however it ends: a killed one leaves a file,
but no lock.
"""

import errno
import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pinchsim.errors import RunError
from pinchsim.lab.folder import LOCK

NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)  # some file systems of clusters have none


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Meanwhile nobody else can lock the folder.

    Raises
    ------
    RunError
        Somebody else has locked it; says who.
    """
    with (folder / LOCK).open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"The folder '{folder}' is in use: {_holder(file)} plays this run. Wait until it has ended, or stop it; then "
                "the same command goes on from there."
            ) from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        file.flush()
        yield


def _holder(file: BinaryIO) -> str:
    """Who has the lock, as it wrote itself; it may not have done so yet."""
    file.seek(0)
    return file.read().decode(errors="replace").strip() or "another process"
