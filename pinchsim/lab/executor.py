"""Who makes the chunks of a run: threads of this process, by default, or another executor of the same interface."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from pinchsim.games.seam import IllegalAnswer
from pinchsim.lab.chunks import Chunk, Stopped
from pinchsim.lab.work import Maker, Work

Make = Callable[[Sequence[Chunk]], None]


class Executor(Protocol):
    """Makes chunks and has them kept; in what order does not matter to any result."""

    def making(self, work: Work) -> AbstractContextManager[Make]:
        """Get ready, which may take seconds; inside the context chunks can be made, one wave after the other.

        A wave is made as a whole or, once it is interrupted (Ctrl-C), as far as it is; `work.stop` is set then. Raises
        `RunError` if a strategy broke the rules, or rows could not be written.
        """


@dataclass
class Threads:
    """Threads of this process. Each does the whole path of a chunk without waiting for another."""

    jobs: int
    lock: Lock = field(default_factory=Lock)

    @contextmanager
    def making(self, work: Work) -> Iterator[Make]:
        """See `Executor.making`."""
        maker = work.load()
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
