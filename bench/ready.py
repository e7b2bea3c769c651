"""Chunks that need no playing: what a cluster costs beside them, and how fast chunks can be kept however fast they are made.

A run of them is kept by the real keeper and asked for by the real coordinator. Either real workers of dask deliver them, which
tells the costs of a chunk; or a fleet of any size does that exists in time only, which tells what a big cluster would do.
"""

import heapq
import itertools
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pinchsim.lab import cluster
from pinchsim.lab.chunks import CHUNK_DECKS, Chunk, chunks_of
from pinchsim.lab.executor import Make, Threads
from pinchsim.lab.experiment import cells, game_of, make_experiment
from pinchsim.lab.finished import Records
from pinchsim.lab.layout import make_cell_folders
from pinchsim.lab.rows import described
from pinchsim.lab.watcher import Watcher
from pinchsim.lab.work import Keeper, Made, Recipe, Work, recipe_of
from pinchsim.measure.summary import Tally


@dataclass(frozen=True)
class ReadyRecipe(Recipe):
    """Makes the same chunk again and again, in no time."""

    made: bytes = b""

    @property
    def is_compiled(self) -> bool:
        return True

    def maker(self) -> Any:
        made = self.made
        return SimpleNamespace(make=lambda chunk, memory, on_games: pickle.loads(made))


class Marks(Watcher):
    """When how many games were there."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def played(self, games: int, found: bool = False) -> None:
        self.times.append(time.perf_counter())

    def per_second(self) -> float:
        """Chunks a second, without beginning and end."""
        first, last = len(self.times) // 4, len(self.times) - len(self.times) // 20 - 1
        return (last - first) / (self.times[last] - self.times[first])


class Playing(Watcher):
    """How long a run plays, start and end of the program and of a cluster left out."""

    def __init__(self) -> None:
        self.start = self.last = 0.0

    def started(self, games: int, unit: str = "games") -> None:
        self.start = time.perf_counter()

    def played(self, games: int, found: bool = False) -> None:
        self.last = time.perf_counter()

    @property
    def seconds(self) -> float:
        return self.last - self.start


def made_by(line_up: str, decks: int = CHUNK_DECKS, rows: bool = True) -> tuple[Made, float]:
    """A chunk of four players with or without rows, and the CPU seconds that it took."""
    recipe, chunks = _recipe(line_up, 4 * decks)
    recipe = replace(recipe, keeps_rows=rows)
    maker, memory = recipe.maker(), recipe.game.new_memory()
    first = replace(chunks[0], decks=min(decks, chunks[0].decks))
    maker.make(replace(first, decks=1), memory, lambda games: True)
    start = time.thread_time()
    made = maker.make(first, memory, lambda games: True)
    return made, time.thread_time() - start


def _recipe(line_up: str, games: int) -> tuple[Recipe, list[Chunk]]:
    experiment = make_experiment({"base": None, "players": [4], "line_ups": [line_up], "games": games}, "bench")
    game, found = game_of(experiment), cells(experiment, ())
    tally = Tally([cell.name for cell in found], None, described(game))
    return recipe_of(game, found, 1, tally, ()), chunks_of(game, found[0], games)


def ready_work(folder: Path, made: Made, n_chunks: int) -> tuple[Work, list[Chunk], Marks]:
    """A run in a folder whose chunks are all this one."""
    recipe, chunks = _recipe("uniform", 4 * CHUNK_DECKS * n_chunks)
    ready = ReadyRecipe(**vars(recipe), made=pickle.dumps(made))
    tally = Tally([cell.name for cell in recipe.cells], None, recipe.described)
    tables = tuple(made.files)
    records = Records(folder, "bench", tables)
    make_cell_folders(folder, tables, tally.order)
    marks = Marks()
    return Work(ready, Keeper(records, tally, {}, set(), set()), marks, (), n_chunks), chunks, marks


class Fleet:
    """A cluster of so many workers that takes no computer: each chunk is there when a worker would have made it.

    It takes the place of dask's client below the coordinator, and fetching a chunk costs what it costs (`fetch_s` of this
    process's time, beside making objects of its bytes) and as long as it takes on the network.
    """

    def __init__(self, workers: int, chunk_s: float, made: Made, ask_s: float = 0.0, bytes_per_s: float = float("inf")) -> None:
        self.workers, self.chunk_s, self.ask_s = workers, chunk_s, ask_s
        self.bytes = pickle.dumps(made)
        self.wire_s = len(self.bytes) / bytes_per_s
        self.wire = threading.Lock()
        now = time.perf_counter()
        self.free = [(now + chunk_s * k / workers, k) for k in range(workers)]  # as after a while: one after the other
        self.due: list[tuple[float, int, Callable[[], None]]] = []
        self.count = itertools.count()
        self.changed = threading.Condition()
        self.scheduler = SimpleNamespace(address="nowhere")
        threading.Thread(target=self._deliver, daemon=True).start()

    def nthreads(self) -> dict[str, int]:
        return {f"tcp://{k}": 1 for k in range(self.workers)}

    def submit(self, *asked: Any, **options: Any) -> "_Later":
        _burn(self.ask_s)
        later = _Later(self)
        with self.changed:
            free, worker = heapq.heappop(self.free)
            ready = max(free, time.perf_counter()) + self.chunk_s
            heapq.heappush(self.free, (ready, worker))
            heapq.heappush(self.due, (ready, next(self.count), later.arrive))
            self.changed.notify()
        return later

    def _deliver(self) -> None:
        while True:
            with self.changed:
                while not self.due or self.due[0][0] > time.perf_counter():
                    self.changed.wait(self.due[0][0] - time.perf_counter() if self.due else None)
                _, _, arrive = heapq.heappop(self.due)
            arrive()

    def fetch(self) -> Made:
        with self.wire:
            time.sleep(self.wire_s)
        made: Made = pickle.loads(self.bytes)
        return made

    def run(self, function: Any, *arguments: Any, **options: Any) -> dict[str, Any]:
        return {}

    def cancel(self, futures: Any, force: bool = False) -> None:
        """All futures have arrived."""

    register_plugin = unregister_worker_plugin = subscribe_topic = unsubscribe_topic = lambda self, *_, **__: None


class _Later:
    """A chunk that will be there."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet, self.lock = fleet, threading.Lock()
        self.told: Callable[[Any], None] | None = None
        self.there = False

    def arrive(self) -> None:
        with self.lock:
            self.there = True
        if self.told:
            self.told(self)

    def add_done_callback(self, told: Callable[[Any], None]) -> None:
        with self.lock:
            self.told = told
        if self.there:
            told(self)

    def result(self) -> Made:
        return self.fleet.fetch()

    def release(self) -> None:
        """Nothing is held."""


def _burn(seconds: float) -> None:
    """Use so much of the processor's time, which no other thread of this process can have meanwhile."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@contextmanager
def making(client: Any, work: Work) -> Iterator[Make]:
    """The real coordinator on some client."""
    with cluster._Crew(client, "bench", work) as crew:
        yield crew.make


def keep_seconds(folder: Path, made: Made, n_chunks: int, threads: int) -> tuple[float, float]:
    """Wall and CPU seconds for keeping a chunk, by so many threads."""
    work, chunks, _ = ready_work(folder, made, n_chunks)
    with Threads(threads).making(work) as make:
        start, cpu = time.perf_counter(), time.process_time()
        make(chunks)
        return (time.perf_counter() - start) / n_chunks, (time.process_time() - cpu) / n_chunks
