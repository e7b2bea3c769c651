"""Chunks made by a cluster of dask.distributed, and kept here.

Workers get the recipe of a run once (`pinchsim.lab.cluster_worker`) and then one errand after the other: at most a few for
each of their threads, so that neither the scheduler nor this process ever holds more than that, however long the run. What was
being made by a worker that is lost is made again by another, to the same bytes.
"""

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from urllib.parse import urlsplit

from distributed import Client, Future, KilledWorker

from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import IllegalAnswer
from pinchsim.lab import cluster_worker
from pinchsim.lab.chunks import Chunk
from pinchsim.lab.cluster_link import check_address, linked
from pinchsim.lab.cluster_parcel import packed
from pinchsim.lab.cluster_worker import Errand, Facts, GivenUp, Illegal, Outcome, Unfit, Workshop
from pinchsim.lab.executor import Make, until_interrupted
from pinchsim.lab.recover import Key
from pinchsim.lab.work import Made, Work

IN_FLIGHT = 2  # chunks asked for at once, for each thread of a worker: one to make, one to begin with next
KEEPERS = 4  # threads that write down what comes: most of their time they wait for the disk
LOOK_S = 1.0  # how often to look who is there
TELL_S = 0.5  # how often a worker tells of a chunk that takes long; with many workers more seldom
TELLS_PER_S = 200  # of all workers together

Done = SimpleQueue[tuple[Chunk, bool, BaseException | None]]


@dataclass
class Cluster:
    """Workers of a cluster, at the address of a scheduler or `local:N`; as a context, which ends the connection.

    It is connected to when there is something to play.

    Raises
    ------
    UsageError
        What was given cannot be an address, or needs certificates that are not there.
    """

    address: str
    stack: ExitStack = field(default_factory=ExitStack)
    client: Client | None = None

    def __post_init__(self) -> None:
        check_address(self.address)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *what: object) -> None:
        self.client = None
        self.stack.close()

    @contextmanager
    def making(self, work: Work) -> Iterator[Make]:
        """See `Executor.making`; also raises `UsageError` if nobody answers, or a worker is not fit for the run."""
        if self.client is None:
            self.client = self.stack.enter_context(linked(self.address))
        with _Crew(self.client, self.address, work) as crew, until_interrupted(work):
            yield crew.make


class _Crew:
    """The workers of a run while it goes on; as a context, after which they know nothing of it."""

    def __init__(self, client: Client, address: str, work: Work) -> None:
        self.client, self.address, self.work = client, address, work
        self.name = f"pinchsim-{uuid.uuid4().hex[:12]}"
        self.cells = {cell.name: k for k, cell in enumerate(work.recipe.cells)}
        self.progress = _Progress(work)
        self.asked = 0
        self.threads = 0
        self.alone = False

    def __enter__(self) -> "_Crew":
        parcel = packed(self.work.recipe)
        self.wait_for_workers()
        expected = cluster_worker.facts(self.work.recipe.game)
        self._check(expected)
        try:
            self.client.register_plugin(Workshop(self.name, parcel, expected), name=self.name)
            self._load()
            self.client.subscribe_topic(self.name, self._heard)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *what: object) -> None:
        with suppress(Exception):  # a cluster that is gone has forgotten the run, too
            self.client.unsubscribe_topic(self.name)
        with suppress(Exception):
            self.client.unregister_worker_plugin(self.name)

    def make(self, chunks: Sequence[Chunk]) -> None:
        """See `Executor.making`."""
        _Wave(self).make(chunks)

    def wait_for_workers(self) -> None:
        """Wait until there is somebody, and say so."""
        while not self.count_threads():
            time.sleep(LOOK_S / 4)

    def count_threads(self) -> int:
        """Threads of all workers that are there; says when there are none.

        Raises
        ------
        RunError
            The scheduler is gone.
        """
        try:
            self.threads = sum(self.client.nthreads().values())
        except Exception as error:
            raise self.gone(error) from None
        if not self.threads and not self.alone:
            self.work.watcher.waiting(
                f"No worker is there, and nothing is played until one comes: dask worker {self.client.scheduler.address}"
            )
        self.alone = not self.threads
        return self.threads

    def gone(self, error: BaseException) -> RunError:
        """What to say when there is no cluster any more."""
        why = (str(error) or type(error).__name__).splitlines()[0].removesuffix(".")
        return RunError(
            f"The cluster at '{self.address}' was lost: {why}. Finished chunks are kept; the same command goes on from there, "
            "with a cluster or without."
        )

    def ask(self, chunk: Chunk) -> Future:
        """Have a chunk made."""
        self.asked += 1
        tell_s = max(TELL_S, self.threads / TELLS_PER_S)
        errand = Errand(self.cells[chunk.cell.name], chunk.number, chunk.first_deck, chunk.decks, tell_s)
        return self.client.submit(cluster_worker.make, self.name, errand, key=f"{self.name}-{self.asked}", pure=False)

    def _check(self, expected: Facts) -> None:
        """Refuse workers on which rows might come out otherwise."""
        found = self.client.run(cluster_worker.look, self.work.recipe.game, on_error="return")
        there = {who: one for who, one in found.items() if not isinstance(one, OSError)}  # others have left meanwhile
        self._refuse({who: _what_is_wrong(expected, one) for who, one in there.items() if one != expected})

    def _refuse(self, unfit: dict[str, str]) -> None:
        if unfit:
            (who, why), *others = unfit.items()
            more = f" (and {len(others)} more)" if others else ""
            raise UsageError(
                f"Worker {who}{more} would not make the same rows as this machine: {why}. Install the same on all machines "
                "(pip install 'pinchsim[cluster]', and the same versions of Python and packages), and start the workers again."
            )

    def _load(self) -> None:
        """Have all workers load their kernels, first one on each machine, and say so if they must compile."""
        ready = self.client.run(cluster_worker.is_compiled, self.name, on_error="ignore")
        if not all(ready.values()):
            self.work.watcher.compiling(len(self.work.recipe.together))
        by_machine = {urlsplit(worker).hostname: worker for worker in ready}
        for workers in (list(by_machine.values()), list(ready)):
            for found in self.client.run(cluster_worker.load, self.name, workers=workers, on_error="return").values():
                if isinstance(found, Unfit):
                    raise self.unfit(found)
                if isinstance(found, Exception) and not isinstance(found, OSError):  # who has left meanwhile says OSError
                    raise found

    def unfit(self, found: Unfit) -> Exception:
        """What to say when a worker cannot make chunks."""
        if found.by_user:
            return UsageError(found.why)
        return RunError(f"{found.why} Put this right, or stop it; then the same command goes on from the finished chunks.")

    def _heard(self, event: tuple[float, tuple[int, int, int]]) -> None:
        """A worker tells of a chunk that takes long."""
        cell, number, games = event[1]
        self.progress.tell((self.work.recipe.cells[cell].name, number), games)


def _what_is_wrong(expected: Facts, found: Facts | Exception) -> str:
    if not isinstance(found, Exception):
        return cluster_worker.misfit(expected, found)
    # One that cannot travel, such as a SyntaxError, comes as a plain Exception that quotes it.
    own_words = str(found) if type(found) is Exception else f"{type(found).__name__}: {found}"
    return f"pinchsim cannot be loaded there ({own_words})"


class _Progress:
    """Counts each game once, though some are told of before their chunk is there, and some are played again."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.lock = threading.Lock()
        self.told: dict[Key, int] = {}

    def begin(self, key: Key) -> None:
        with self.lock:
            self.told.setdefault(key, 0)

    def tell(self, key: Key, games: int, last: bool = False) -> None:
        """So many games of a chunk are played; after the `last` word on it nothing counts."""
        with self.lock:
            more = games - self.told.get(key, games)
            if more > 0:
                self.told[key] = games
            if last:
                self.told.pop(key, None)
        if more > 0:
            self.work.on_games(more)


class _Wave:
    """Some chunks while they are made: asked for a few at a time, and kept as they come."""

    def __init__(self, crew: _Crew) -> None:
        self.crew, self.work = crew, crew.work
        self.under_way: dict[Key, Future | None] = {}
        self.done: Done = SimpleQueue()
        self.pool = ThreadPoolExecutor(KEEPERS)

    def make(self, chunks: Iterable[Chunk]) -> None:
        """Until all are kept, or Ctrl-C."""
        try:
            self._make(iter(chunks))
        except KeyboardInterrupt:
            self.work.stop.set()
        except BaseException:
            self.work.stop.set()
            raise
        finally:
            self._give_up()
            self.pool.shutdown()

    def _make(self, ahead: Iterator[Chunk]) -> None:
        """Ask for more whenever one is done, and look who is there every now and then."""
        next_look = 0.0
        while True:
            if time.monotonic() >= next_look:
                self.crew.count_threads()
                next_look = time.monotonic() + LOOK_S
            while len(self.under_way) < self._room() and (chunk := next(ahead, None)):
                self._begin(chunk)
            if not self.under_way:
                return
            with suppress(Empty):
                self._end(*self.done.get(timeout=LOOK_S / 4))

    def _room(self) -> int:
        return IN_FLIGHT * max(self.crew.threads, 1)

    def _begin(self, chunk: Chunk) -> None:
        key = chunk.cell.name, chunk.number
        if key in self.work.keeper.written:
            self.under_way[key] = None
            self._have_done(chunk, lambda: self.work.reread(chunk))
            return
        self.crew.progress.begin(key)
        future = self.under_way[key] = self.crew.ask(chunk)
        future.add_done_callback(lambda _: self._have_done(chunk, lambda: self._keep(chunk, future)))

    def _have_done(self, chunk: Chunk, what: Callable[[], bool]) -> None:
        """Have a thread of this process do its part of a chunk; False: the chunk must be asked for again."""

        def do() -> None:
            try:
                self.done.put((chunk, what(), None))
            except BaseException as error:
                self.done.put((chunk, False, error))

        with suppress(RuntimeError):  # the wave has ended
            self.pool.submit(do)

    def _end(self, chunk: Chunk, kept: bool, error: BaseException | None) -> None:
        if error:
            raise self._told(error, chunk)
        del self.under_way[chunk.cell.name, chunk.number]
        if not kept:
            self._begin(chunk)

    def _keep(self, chunk: Chunk, future: Future) -> bool:
        """Fetch a chunk and keep it."""
        try:
            made: Outcome = future.result()
        except (CancelledError, OSError) as error:
            raise self.crew.gone(error) from None
        future.release()
        if isinstance(made, GivenUp):
            return False
        if isinstance(made, Illegal):
            raise IllegalAnswer(made.game, made.why)
        if isinstance(made, Unfit):
            raise self.crew.unfit(made)
        assert isinstance(made, Made)
        self.work.keeper.keep(chunk, made)
        self.crew.progress.tell((chunk.cell.name, chunk.number), self.work.recipe.games(chunk), last=True)
        return True

    def _told(self, error: BaseException, chunk: Chunk) -> BaseException:
        """What to say when a chunk could not be made, fetched or kept."""
        if isinstance(error, KilledWorker):
            return RunError(
                f"{error.allowed_failures + 1} workers were lost one after the other while they made chunk {chunk.number} of "
                f"{', '.join(map(str, chunk.cell.name))}: see their logs; memory may be short. Finished chunks are kept."
            )
        if isinstance(error, IllegalAnswer | OSError):
            return self.work.told(error, chunk)
        return error

    def _give_up(self) -> None:
        """Let go of what is under way."""
        futures = [future for future in self.under_way.values() if future is not None]
        if futures:
            with suppress(Exception):
                self.crew.client.cancel(futures, force=True)
