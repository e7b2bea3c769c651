"""What a worker of a cluster has of a run, and makes chunks with.

It gets the recipe once, when the run begins or when it joins (`Workshop`, a plugin of dask.distributed); what it is asked for
then is a few numbers (`Errand`). It writes no file of the run: what it makes goes back whole.
"""

import asyncio
import fcntl
import hashlib
import platform
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from distributed import WorkerPlugin, get_worker

from pinchsim import paths
from pinchsim.errors import UsageError
from pinchsim.games.seam import Game, IllegalAnswer
from pinchsim.lab.chunks import Chunk, Stopped
from pinchsim.lab.cluster_parcel import Parcel
from pinchsim.lab.folder import versions
from pinchsim.lab.work import Made, Maker

PACKAGES = ("pinchsim", "numba", "llvmlite", "numpy", "polars")
CODE = ("lab", "measure")  # folders of the package, beside the engine's, that decide what a chunk is
COMPILING = "compiling.lock"


class Errand(NamedTuple):
    """A chunk to be made: the number of its cell in the recipe, and the rest of `Chunk`; how often to tell of games."""

    cell: int
    number: int
    first_deck: int
    decks: int
    tell_s: float


class Illegal(NamedTuple):
    """A strategy broke the rules: see `IllegalAnswer`."""

    game: int
    why: str


class Unfit(NamedTuple):
    """A worker cannot make chunks of this run: says who and why. `by_user`: by a mistake in what was asked for."""

    why: str
    by_user: bool


class GivenUp(NamedTuple):
    """The worker is about to leave, or the run was given up."""


Outcome = Made | Illegal | Unfit | GivenUp
Facts = dict[str, str]


def facts(game: Game) -> Facts:
    """What must be the same on all machines, or rows would depend on who made them."""
    own = {"processor": platform.machine(), "engine": game.engine_digest(), "laboratory": _code()}
    return versions(PACKAGES) | own


@cache
def _code() -> str:
    """Digest of the code of `CODE`."""
    h = hashlib.sha256()
    for folder in CODE:
        for path in sorted((paths.PACKAGE / folder).rglob("*.py")):
            h.update(path.read_bytes())
    return h.hexdigest()[:16]


def misfit(expected: Facts, found: Facts) -> str:
    """What differs between two machines, in words; empty if nothing does."""
    return ", ".join(
        f"{name} {found.get(name)} instead of {value}" for name, value in expected.items() if found.get(name) != value
    )


class Workshop(WorkerPlugin):
    """All that a worker needs for a run, from its beginning to its end.

    Parameters
    ----------
    name : str
        Names the run among others on the same cluster.
    parcel : Parcel
        How chunks are made.
    expected : Facts
        What the worker must have.
    """

    def __init__(self, name: str, parcel: Parcel, expected: Facts) -> None:
        self.name = name
        self.parcel = parcel
        self.expected = expected

    def setup(self, worker: Any) -> None:
        """Unpack; on the worker, which serves nobody meanwhile."""
        self.worker = worker
        self.closed = threading.Event()
        self.loading = threading.Lock()
        self.own = threading.local()
        self.maker: Maker | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="pinchsim-", dir=worker.local_directory))
        self.recipe, self.as_known = self.parcel.unpacked(self.folder)
        self.misfit = misfit(self.expected, facts(self.recipe.game))

    def teardown(self, worker: Any) -> None:
        """The run has ended, or the worker leaves: what it is making is given up."""
        self.closed.set()
        shutil.rmtree(self.folder, ignore_errors=True)

    def load(self) -> Unfit | None:
        """Load or compile the kernels, whoever comes first; the other threads and processes of this machine wait."""
        if self.misfit:
            return Unfit(f"Worker {self.worker.address} would not make the same rows as this machine: {self.misfit}.", False)
        with self.loading:
            try:
                if self.maker is None:
                    with compiling_alone(self.recipe.is_compiled):
                        self.maker = self.recipe.maker()
            except UsageError as mistake:
                return Unfit(self.as_known(str(mistake)), by_user=True)
            except OSError as error:
                return Unfit(f"Worker {self.worker.address} could not begin: {error}.", by_user=False)
        return None

    def make(self, errand: Errand) -> Outcome:
        """Make a chunk."""
        unfit = None if self.maker or self.closed.is_set() else self.load()
        if self.closed.is_set() or self.maker is None:
            return unfit or GivenUp()
        cell = self.recipe.cells[errand.cell]
        chunk = Chunk(cell, errand.number, errand.first_deck, errand.decks)
        try:
            return self.maker.make(chunk, self._memory(), _Teller(self, errand).on_games)
        except Stopped:
            return GivenUp()
        except IllegalAnswer as failure:
            return Illegal(failure.game, failure.why)
        except UsageError as mistake:
            return Unfit(self.as_known(str(mistake)), by_user=True)

    def _memory(self) -> Any:
        """Working memory of this thread."""
        if not hasattr(self.own, "memory"):
            self.own.memory = self.recipe.game.new_memory()
        return self.own.memory


class _Teller:
    """Tells every now and then how many games of a chunk are played."""

    def __init__(self, shop: Workshop, errand: Errand) -> None:
        self.shop, self.errand = shop, errand
        self.games = 0
        self.next_s = time.monotonic() + errand.tell_s

    def on_games(self, games: int) -> bool:
        self.games += games
        if (now := time.monotonic()) >= self.next_s:
            self.next_s = now + self.errand.tell_s
            self.shop.worker.log_event(self.shop.name, [self.errand.cell, self.errand.number, self.games])
        return not self.shop.closed.is_set()


@contextmanager
def compiling_alone(ready: bool) -> Iterator[None]:
    """Wait until no other process of this machine compiles, unless all is ready: what it leaves on disk may be the same."""
    if ready:
        yield
        return
    folder = paths.cache_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        file = (folder / COMPILING).open("ab")
    except OSError:  # no cache, nothing to share
        yield
        return
    with file:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# What is called on workers, by name.


def make(name: str, errand: Errand) -> Outcome:
    """Make a chunk of a run on the worker that this is called on."""
    shop: Workshop | None = get_worker().plugins.get(name)  # type: ignore[assignment]
    return GivenUp() if shop is None else shop.make(errand)


def look(game: Game) -> Facts:
    """The facts of a worker."""
    return facts(game)


def is_compiled(name: str, dask_worker: Any) -> bool:
    """Whether a worker can begin at once."""
    return bool(dask_worker.plugins[name].recipe.is_compiled)


async def load(name: str, dask_worker: Any) -> Unfit | None:
    """Have a worker load or compile its kernels, while it goes on answering."""
    return await asyncio.get_running_loop().run_in_executor(None, dask_worker.plugins[name].load)
