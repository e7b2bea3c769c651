"""A connection to a cluster of dask.distributed: one that is there, or one of processes of this machine.

What dask has to say about itself does not reach the terminal: what matters to a run is told by the run.
"""

import logging
import multiprocessing.resource_tracker
import signal
import socket
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import dask
from distributed import Client, LocalCluster

from pinchsim.errors import UsageError

LOCAL = "local:"
MOST_LOCAL = 256
ANSWER_S = 5.0
REACH_S = 2.0
LOGGERS = ("distributed", "tornado", "tornado.application", "asyncio")
# A statistical profile of workers costs time, and nobody looks at it.
LOCAL_SETTINGS: Mapping[str, Any] = {
    "distributed.worker.profile.enabled": False,
    # By default dask has memory go back to the system at once, and each chunk get its tens of megabytes from there again.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 28,
}
NO_DASHBOARD: Mapping[str, Any] = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}  # any free port: it must have one


def local_size(address: str) -> int | None:
    """N of `local:N`; None for an address.

    Raises
    ------
    UsageError
        N is no number of processes.
    """
    if not address.startswith(LOCAL):
        return None
    words = address.removeprefix(LOCAL)
    if not words.isdecimal() or not 1 <= int(words) <= MOST_LOCAL:
        raise UsageError(
            f"--cluster '{address}': expected 'local:N' for N processes of this machine, N from 1 to {MOST_LOCAL}, or the "
            "address of a scheduler, such as tcp://10.0.0.5:8786."
        )
    return int(words)


@contextmanager
def linked(address: str) -> Iterator[Client]:
    """A client of the cluster at an address, or of a new one for `local:N`, which ends with the context.

    Raises
    ------
    UsageError
        Nobody answers there.
    """
    size = local_size(address)
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        place = stack.enter_context(_processes(size)) if size else address
        yield stack.enter_context(_client(place, address))


@contextmanager
def _client(place: LocalCluster | str, address: str) -> Iterator[Client]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions of packages are looked for by the run itself
        try:
            client = Client(place, timeout=ANSWER_S, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise UsageError(
                f"--cluster '{address}': no scheduler of dask answers there within {ANSWER_S:g} seconds ({why}). Start one "
                "with 'dask scheduler' and give the address that it shows, or take 'local:N' for N processes of this machine."
            ) from None
    try:
        # Rows go straight from the workers to this process if it can reach them, and by way of the scheduler otherwise.
        client.direct_to_workers = isinstance(place, LocalCluster) or _reaches(client)
        yield client
    finally:
        client.close(timeout=ANSWER_S)


def _reaches(client: Client) -> bool:
    """Whether this process can connect to a worker."""
    for worker in client.nthreads():
        there = urlsplit(worker)
        try:
            socket.create_connection((there.hostname, there.port), REACH_S).close()
            return True
        except (OSError, ValueError):
            return False
    return True


@contextmanager
def _processes(size: int) -> Iterator[LocalCluster]:
    """A cluster of processes with one thread each, which hear no Ctrl-C: that is for this process to deal with."""
    multiprocessing.resource_tracker.ensure_running()  # otherwise started by the first of them, and lets it hear
    # The thread that starts processes has what this one has now, and they have what it has.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    with ExitStack() as stack:
        stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        cluster = _local_cluster(size)
        stack.callback(cluster.close, timeout=ANSWER_S)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield cluster


def _local_cluster(size: int) -> LocalCluster:
    """So many processes; raises `UsageError` if they do not start, which is nearly always for one reason."""
    try:
        with dask.config.set(LOCAL_SETTINGS):
            return LocalCluster(
                n_workers=size,
                threads_per_worker=1,
                scheduler_kwargs=NO_DASHBOARD,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
    except RuntimeError as error:
        raise UsageError(
            f"--cluster '{LOCAL}{size}': its processes do not start ({error}). Each of them reads the script that asked for "
            "them, so a script of your own must ask under: if __name__ == '__main__':"
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Meanwhile the log lines of dask, and of what it stands on, go nowhere."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger.handlers, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [logging.NullHandler()], False
    try:
        yield
    finally:
        for logger, (handlers, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
