"""Real processes are killed at random moments (kill -9), and whoever goes on ends with the same bytes."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from functools import cache

import pytest

from pinchsim import api
from pinchsim.lab import chunks
from tests.lab.runs import Listener, contents, records

FIELDS = {"variants": ["aces-bite"], "players": [3], "line_ups": ["greedy"], "games": 7200, "seed": 6}
KINDS = {
    "rows": {},
    "none": {"rows": "none"},
    "controls": {"controls": True},
    "precision": {"precision": "1.8pp", "games": 20_000},
    "everything": {"precision": "1.8pp", "games": 20_000, "controls": True, "rows": "none"},
}
CHUNK_DECKS = 40
CHUNK_GAMES = CHUNK_DECKS * 3
JOBS = 2
FEW = {"rows": 3, "none": 3, "controls": 1, "precision": 1, "everything": 1}
MANY = {"rows": 100, "none": 100, "controls": 40, "precision": 40, "everything": 20}

# About a second's work: 120 chunks of two variants, in one wave or several.
COMMAND = f"""
import sys
from pinchsim import api
from pinchsim.lab import chunks
chunks.CHUNK_DECKS = {CHUNK_DECKS}
api.sweep(out=sys.argv[1], jobs={JOBS}, **FIELDS)
"""


def each_kind(wanted=tuple(KINDS)):
    """All kinds of runs; those of a kind share the run that nobody disturbs."""
    kinds = [pytest.param(kind, marks=pytest.mark.xdist_group(f"killed-{kind}")) for kind in wanted]
    return pytest.mark.parametrize("kind", kinds)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a run of a kind that nobody disturbs."""

    @cache
    def of(kind):
        folder = tmp_path_factory.mktemp("killed") / kind
        go_on(kind, folder, by_folder=False)
        return folder

    return of


def begun(kind, folder):
    return subprocess.Popen([sys.executable, "-c", COMMAND.replace("FIELDS", repr(FIELDS | KINDS[kind])), folder])


def count(folder, what):
    """How many records there are, of chunks ("part") or of their differences from the base's ("pair")."""
    return len(list(folder.glob(f"finished/*/{what}-*.json")))


def wait_for(there, process):
    """When something is there, or the process has ended."""
    while not there() and process.poll() is None:
        time.sleep(0.0005)


def kill_at(moment, kind, n_chunks, folder):
    """Kill a run at one of the many moments of its life.

    A moment is a number of finished chunks, and a little later: so it does not depend on how fast the machine is.
    """
    chance = random.Random(moment)
    after, process = chance.randint(0, n_chunks), begun(kind, folder)
    wait_for(lambda: folder.exists() and count(folder, "part") >= after, process)
    time.sleep((0.05 if after in (0, n_chunks) else 0.02) * chance.random())
    process.send_signal(signal.SIGKILL)
    assert process.wait() in (-signal.SIGKILL, 0)


def go_on(kind, folder, by_folder):
    heard = Listener()
    if by_folder and (folder / "manifest.json").exists():
        api.resume(folder, jobs=JOBS, watcher=heard)
    else:
        api.sweep(out=folder, jobs=JOBS, watcher=heard, **FIELDS | KINDS[kind])
    return heard


def check_same(kind, folder, whole):
    """What must come out the same did."""
    assert contents(folder) == contents(whole)
    if KINDS[kind].get("rows") == "none":
        assert records(folder) == records(whole)
    assert list(folder.rglob("*.tmp")) == []
    assert json.loads((folder / "manifest.json").read_text())["state"] == "complete"


def keys(folder, what):
    """Variant and number of each record."""
    found = folder.glob(f"finished/*/{what}-*.json")
    return {(path.parent.name.removesuffix("-3p-greedy"), int(path.stem[-6:])) for path in found}


def kept(kind, folder, whole):
    """How many chunks of a killed run are taken over, and how many of these are played again nevertheless.

    Without rows there is nothing to compare once more. So chunks are not taken over that are both there, while their difference
    is not; and one that was finished alone is played again if the whole run has the other one, too.
    """
    parts = keys(folder, "part")
    if KINDS[kind].get("rows") != "none":
        return len(parts), 0
    compared = {number for _, number in keys(folder, "pair")}
    numbers = [number for _, number in parts if number not in compared]
    both = {number for number in numbers if numbers.count(number) == 2}
    whole_numbers = [number for _, number in keys(whole, "part")]
    alone = [number for number in numbers if number not in both and whole_numbers.count(number) == 2]
    assert len(both) <= JOBS, "each thread compares what it has just finished"
    return len(parts) - 2 * len(both), len(alone)


def check_killed(moment, kind, whole, folder):
    """Kill a run at a moment, go on with it, and compare; says how many chunks were finished then."""
    n_chunks = count(whole, "part")
    kill_at(moment, kind, n_chunks, folder)
    there, (found, again) = count(folder, "part"), kept(kind, folder, whole)
    heard = go_on(kind, folder, by_folder=moment % 2 == 0)
    assert heard.warnings == [], "a killed process damages nothing"
    assert heard.found == found * CHUNK_GAMES, "what was kept is not played again"
    assert heard.played_now == (n_chunks - found + again) * CHUNK_GAMES, "and everything else is"
    check_same(kind, folder, whole)
    return there


@each_kind()
def test_killed__goes_on_to_the_same_bytes(kind, undisturbed, tmp_path):
    for moment in range(FEW[kind]):
        check_killed(moment, kind, undisturbed(kind), tmp_path / str(moment))


@each_kind(("rows", "none"))
def test_killed__again_and_again(kind, undisturbed, tmp_path):
    """A run that is killed each time it goes on comes to its end all the same."""
    run = tmp_path / "run"
    for more in (0, 5, 30):
        process, enough = begun(kind, run), count(run, "part") + more
        wait_for(lambda enough=enough: count(run, "part") > enough, process)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    go_on(kind, run, by_folder=True)
    check_same(kind, run, undisturbed(kind))


@pytest.mark.slow
@each_kind()
def test_killed__at_many_moments(kind, undisturbed, tmp_path):
    there, whole = [], undisturbed(kind)
    for moment in range(FEW[kind], FEW[kind] + MANY[kind]):
        there.append(check_killed(moment, kind, whole, tmp_path / str(moment)))
        shutil.rmtree(tmp_path / str(moment))
    # Spread over the whole life: few of the kills may have come when all chunks were finished.
    assert sum(n < count(whole, "part") for n in there) > 0.9 * MANY[kind]
    assert len(set(there)) > MANY[kind] / 3
