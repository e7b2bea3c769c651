"""Real processes are killed at random moments (kill -9), and whoever goes on ends with the same bytes."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from pinchsim import api
from pinchsim.lab import chunks
from tests.lab.runs import Listener, contents

FIELDS = {"variants": ["aces-bite"], "players": [3], "line_ups": ["greedy"], "games": 7200, "seed": 6}
CHUNK_DECKS = 40
N_CHUNKS = 120  # of 2400 decks of two variants: about a second's work
FEW, MANY = 5, 100

COMMAND = f"""
import sys
from pinchsim import api
from pinchsim.lab import chunks
chunks.CHUNK_DECKS = {CHUNK_DECKS}
api.sweep(out=sys.argv[1], jobs=2, **{FIELDS})
"""


def begun(folder):
    return subprocess.Popen([sys.executable, "-c", COMMAND, folder])


def finished(folder):
    """How many chunks are finished."""
    return len(list(folder.glob("finished/*/part-*.json")))


def wait_for(there, process):
    """When something is there, or the process has ended."""
    while not there() and process.poll() is None:
        time.sleep(0.0005)


def kill_at(moment, folder):
    """Kill a run at one of the many moments of its life; says how many chunks were finished then.

    A moment is a number of finished chunks, and a little later: so it does not depend on how fast the machine is.
    """
    chance = random.Random(moment)
    after, process = chance.randint(0, N_CHUNKS), begun(folder)
    wait_for(lambda: folder.exists() and finished(folder) >= after, process)
    time.sleep((0.05 if after in (0, N_CHUNKS) else 0.02) * chance.random())
    process.send_signal(signal.SIGKILL)
    assert process.wait() in (-signal.SIGKILL, 0)
    return finished(folder)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Contents of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("killed") / "whole"
    assert begun(folder).wait() == 0
    return contents(folder)


def go_on(folder, by_folder):
    heard = Listener()
    if by_folder and (folder / "manifest.json").exists():
        api.resume(folder, jobs=2, watcher=heard)
    else:
        api.sweep(out=folder, jobs=2, watcher=heard, **FIELDS)
    return heard


def check_killed(moment, undisturbed, tmp_path, monkeypatch):
    """Kill a run at a moment, go on with it, and compare; says how many chunks were finished then."""
    monkeypatch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)
    there = kill_at(moment, tmp_path / "run")
    heard = go_on(tmp_path / "run", by_folder=moment % 2 == 0)
    assert heard.warnings == [], "a killed process damages nothing"
    assert heard.found == there * CHUNK_DECKS * 3, "what was finished is not played again"
    assert contents(tmp_path / "run") == undisturbed
    assert list(tmp_path.rglob("*.tmp")) == []
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["state"] == "complete"
    return there


@pytest.mark.xdist_group("killed")
@pytest.mark.parametrize("moment", range(FEW))
def test_killed__goes_on_to_the_same_bytes(moment, undisturbed, tmp_path, monkeypatch):
    check_killed(moment, undisturbed, tmp_path, monkeypatch)


@pytest.mark.xdist_group("killed")
def test_killed__again_and_again(undisturbed, tmp_path, monkeypatch):
    """A run that is killed each time it goes on comes to its end all the same."""
    monkeypatch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)
    run = tmp_path / "run"
    for more in (0, 5, 30):
        process, enough = begun(run), finished(run) + more
        wait_for(lambda enough=enough: finished(run) > enough, process)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    go_on(run, by_folder=True)
    assert contents(run) == undisturbed


@pytest.mark.slow
@pytest.mark.xdist_group("killed")
def test_killed__at_many_moments(undisturbed, tmp_path, monkeypatch):
    there = []
    for moment in range(FEW, FEW + MANY):
        folder = tmp_path / str(moment)
        folder.mkdir()
        there.append(check_killed(moment, undisturbed, folder, monkeypatch))
        shutil.rmtree(folder)
    # Spread over the whole life: few of the kills may have come when all chunks were finished.
    assert sum(n < N_CHUNKS for n in there) > 0.9 * MANY
    assert len(set(there)) > MANY / 3
