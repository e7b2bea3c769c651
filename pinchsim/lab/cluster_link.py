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
from distributed import Client, LocalCluster, Security
from distributed.comm.addressing import get_address_host_port, parse_address

from pinchsim.errors import UsageError

LOCAL = "local:"
MOST_LOCAL = 256
ANSWER_S = 5.0
REACH_S = 2.0
LOGGERS = ("distributed", "tornado", "asyncio")
ENCRYPTED = ("tls", "wss")  # schemes of addresses
CERTIFICATES = ("distributed.comm.tls.ca-file", "distributed.comm.tls.client.cert", "distributed.comm.tls.client.key")
# A statistical profile of workers costs time, and nobody looks at it.
LOCAL_SETTINGS: Mapping[str, Any] = {
    "distributed.worker.profile.enabled": False,
    # By default dask has memory go back to the system at once, and each chunk get its tens of megabytes from there again.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 28,
}
NO_DASHBOARD: Mapping[str, Any] = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}  # any free port: it must have one


def check_address(address: str) -> None:
    """Look at an address, before anything is started or connected to.

    Raises
    ------
    UsageError
        It cannot be one, or dask has no certificates for it.
    """
    if local_size(address) is None:
        _check_certificates(address)


def local_size(address: str) -> int | None:
    """N of `local:N`; None for the address of a scheduler.

    Raises
    ------
    UsageError
        It is neither.
    """
    words = address.removeprefix(LOCAL)
    if address.startswith(LOCAL) and words.isdecimal() and 1 <= int(words) <= MOST_LOCAL:
        return int(words)
    if not _is_of_a_scheduler(address):
        raise UsageError(
            f"--cluster '{address}': expected 'local:N' for N processes of this machine, N from 1 to {MOST_LOCAL}, or the "
            "address of a scheduler, such as tcp://10.0.0.5:8786."
        )
    return None


def _is_of_a_scheduler(address: str) -> bool:
    """Whether an address has a scheme that dask knows, or none, and a host and a port."""
    try:
        host, port = get_address_host_port(address)
    except ValueError:
        return False
    return len(host.split()) == 1 and 0 < port < 2**16 and not address.lower().startswith(LOCAL)


def _check_certificates(address: str) -> None:
    """Refuse an address of encrypted connections if dask would refuse to connect: it says why in a traceback."""
    if parse_address(address)[0] not in ENCRYPTED or dask.config.get("distributed.client.security-loader", None):
        return
    try:
        if Security().get_connection_args("client")["ssl_context"] is not None:
            return
    except (OSError, ValueError) as error:
        named = ", ".join(f"{name} = {dask.config.get(name, None)}" for name in CERTIFICATES)
        raise UsageError(
            f"--cluster '{address}': the certificates that dask's configuration names cannot be used ({error}): {named}."
        ) from None
    raise UsageError(
        f"--cluster '{address}' needs certificates, and dask's configuration names none: set {', '.join(CERTIFICATES)}, in "
        "~/.config/dask/*.yaml or as variables DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on (docs/scaling.md)."
    )


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
            client = _Client(place, timeout=ANSWER_S, set_as_default=False)
        except (OSError, ValueError, ImportError, RuntimeError) as error:
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


class _Client(Client):
    """A client that ends at once if it cannot begin; others do so when the process ends, and fail with a traceback."""

    def start(self, **options: Any) -> None:
        """See `Client.start`."""
        try:
            super().start(**options)
        except BaseException:
            self.close(timeout=ANSWER_S)
            raise


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
    """Meanwhile the log lines of dask, and of what it stands on, go nowhere; some parts of it have handlers of their own."""
    parts = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in LOGGERS]
    loggers = [logging.getLogger(name) for name in parts]
    before = [(logger.handlers, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [logging.NullHandler()], False
    try:
        yield
    finally:
        for logger, (handlers, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
