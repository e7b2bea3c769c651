"""The same rows, byte for byte, whoever makes the chunks and in whatever order."""

import hashlib
import random
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from pinchsim import games
from pinchsim.lab import chunks
from pinchsim.lab.executor import Threads
from tests.lab.clusters import GROUP, play
from tests.lab.runs import CHUNK_DECKS, SMALL
from tests.lab.toy import TOY

PINCH = SMALL | {"line_ups": ["greedy", "champion"], "players": [3], "games": 540}
MATCH = SMALL | {"line_ups": ["greedy"], "players": [3], "session": "match", "games": 540}
TOYS = {"variants": ["biased"], "players": [2], "line_ups": ["uniform"], "games": 600}
NO_ROWS = SMALL | {"rows": "none"}
EXPERIMENTS = {"pinch": PINCH, "match": MATCH, "no rows": NO_ROWS, "toy": TOYS}


@dataclass
class Shuffled(Threads):
    """Threads that get the chunks in another order."""

    seed: int = 0

    @contextmanager
    def making(self, work):
        with super().making(work) as make:
            yield lambda some: make(random.Random(self.seed).sample(some, len(some)))


def ways():
    """Who may make the chunks."""
    threads = [pytest.param(lambda cluster, n=n: Threads(n), id=f"{n} threads") for n in (2, 7)]
    shuffled = [pytest.param(lambda cluster, n=n: Shuffled(n, seed=n), id=f"{n} threads, shuffled") for n in (1, 2)]
    return [*threads, *shuffled, pytest.param(dask, id="dask", marks=GROUP)]


def dask(cluster):
    from pinchsim.lab.cluster import Cluster

    return Cluster(cluster().scheduler_address)


def digest(folder):
    """Of rows, counts and summary, with the names of their files."""
    h = hashlib.sha256()
    for path in sorted([*folder.glob("games/*/*"), *folder.glob("players/*/*"), *folder.glob("*.parquet")]):
        data = path.read_bytes()
        h.update(f"{path.relative_to(folder)} {len(data)}\n".encode() + data)
    return h.hexdigest()


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)


@pytest.fixture(params=EXPERIMENTS)
def fields(request, monkeypatch):
    if request.param == "toy":
        monkeypatch.setattr(games, "load", lambda name: TOY)
    return EXPERIMENTS[request.param]


@pytest.fixture
def digest_of_one_thread(fields, tmp_path):
    run = play(tmp_path / "one", fields, Threads(1))
    assert run.complete
    assert len(list(run.folder.glob("finished/*/part-*"))) > 4, "chunks enough to come in another order"
    return digest(run.folder)


@pytest.mark.parametrize("way", ways())
def test_rows__are_the_same_whoever_makes_them(way, fields, digest_of_one_thread, tmp_path, request):
    executor = way(lambda: request.getfixturevalue("cluster"))
    try:
        run = play(tmp_path / "other", fields, executor)
    finally:
        if not isinstance(executor, Threads):
            executor.__exit__(None, None, None)
    assert run.complete
    assert digest(run.folder) == digest_of_one_thread


def test_rows__of_another_seed_are_others(digest_of_one_thread, fields, tmp_path):
    run = play(tmp_path / "other", fields | {"seed": 77}, Threads(2))
    assert digest(run.folder) != digest_of_one_thread
