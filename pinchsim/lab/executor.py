"""Who makes the chunks of a run: threads of this process, by default, or a cluster (`pinchsim.lab.cluster`)."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from threading import Lock
from typing import Protocol

from pinchsim.errors import UsageError
from pinchsim.games.seam import IllegalAnswer
from pinchsim.lab.chunks import Chunk, Stopped
from pinchsim.lab.work import Maker, Work

Make = Callable[[Sequence[Chunk]], None]


class Executor(Protocol):
    """Makes chunks and has them kept; in what order does not matter to any result."""

    def making(self, work: Work) -> AbstractContextManager[Make]:
        """Get ready, which may take seconds; inside the context chunks can be made, one wave after the other.

        A wave is made as a whole or, once it is interrupted (Ctrl-C), as far as it is; `work.stop` is set then. An interrupt
        between two waves ends the context in the same way. Raises `RunError` if a strategy broke the rules, or rows could not
        be written.
        """


@contextmanager
def chosen(jobs: int | None, cluster: str | None) -> Iterator[Executor]:
    """So many threads (None: one per core), or the cluster at an address.

    Raises
    ------
    UsageError
        Both are given, the address cannot be one, or what it takes is not installed.
    """
    if cluster is None:
        yield Threads(jobs or os.cpu_count() or 1)
        return
    if jobs is not None:
        raise UsageError(
            "--jobs and --cluster both say who plays: threads of this process, or the workers of a cluster. Leave out one; "
            "'--cluster local:N' plays with N processes of this machine."
        )
    if find_spec("distributed") is None:
        raise UsageError("--cluster needs dask.distributed, which is not installed: pip install 'pinchsim[cluster]'")
    from pinchsim.lab.cluster import Cluster

    with Cluster(cluster) as executor:
        yield executor


@contextmanager
def until_interrupted(work: Work) -> Iterator[None]:
    """An interrupt (Ctrl-C) ends the context, and with it the run: what it has so far is summarised, wherever it was."""
    try:
        yield
    except KeyboardInterrupt:
        work.stop.set()


@dataclass
class Threads:
    """Threads of this process. Each does the whole path of a chunk without waiting for another."""

    jobs: int
    lock: Lock = field(default_factory=Lock)

    @contextmanager
    def making(self, work: Work) -> Iterator[Make]:
        """See `Executor.making`."""
        maker = work.load()
        with until_interrupted(work):
            yield lambda chunks: self._run(chunks, maker, work)

    def _run(self, chunks: Sequence[Chunk], maker: Maker, work: Work) -> None:
        queue = iter(chunks)
        with ThreadPoolExecutor(self.jobs) as pool:
            workers = [pool.submit(self._worker, queue, maker, work) for _ in range(self.jobs)]
            try:
                # Not Thread.join: after a KeyboardInterrupt there Python 3.11 takes a running thread for finished.
                while wait(workers, timeout=0.1).not_done:
                    pass
            except KeyboardInterrupt:
                work.stop.set()
                wait(workers)
        for worker in workers:
            worker.result()

    def _worker(self, queue: Iterator[Chunk], maker: Maker, work: Work) -> None:
        memory = work.recipe.game.new_memory()
        while not work.stop.is_set():
            with self.lock:
                chunk = next(queue, None)
            if chunk is None:
                return
            try:
                if not work.reread(chunk):
                    work.keeper.keep(chunk, maker.make(chunk, memory, work.on_games))
            except Stopped:
                return
            except (IllegalAnswer, OSError) as failure:
                work.stop.set()
                raise work.told(failure, chunk) from None
            except BaseException:
                work.stop.set()
                raise
