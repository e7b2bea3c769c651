"""One process at a time in a run's folder, and a killed one is in nobody's way."""

import errno
import os
import signal
import socket
import subprocess
import sys

import pytest

from pinchsim import api
from pinchsim.errors import RunError
from pinchsim.lab.lock import locked
from tests.lab.runs import before_chunk

FIELDS = {"variants": ["pinch"], "base": None, "players": [3], "line_ups": ["greedy"], "games": 30, "jobs": 1}

HOLDER = """
import sys, time
from pathlib import Path
from pinchsim.lab.lock import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that has locked the folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "locked\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_locked__another_process_is_named(tmp_path, holder):
    with pytest.raises(RunError, match=rf"in use: process {holder.pid} on {socket.gethostname()} plays this run\. Wait until"):
        api.sweep(out=tmp_path, **FIELDS)
    assert not (tmp_path / "manifest.json").exists()


def test_locked__a_killed_process_leaves_none(tmp_path, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert (tmp_path / "lock").read_text() == f"process {holder.pid} on {socket.gethostname()}\n"
    assert api.sweep(out=tmp_path, **FIELDS).complete


def test_run__is_locked_while_it_plays(tmp_path, monkeypatch):
    refused = []

    def second(chunk):
        with pytest.raises(RunError, match=f"process {os.getpid()} on") as found:
            api.sweep(out=tmp_path / "run", **FIELDS)
        refused.append(found.value)

    before_chunk(1, monkeypatch, second)
    assert api.sweep(out=tmp_path / "run", **FIELDS).complete
    assert len(refused) == 1
    assert api.sweep(out=tmp_path / "run", **FIELDS).complete, "when it has ended, the folder is free again"


def test_locked__one_that_does_not_say_who_it_is(tmp_path):
    with locked(tmp_path):
        (tmp_path / "lock").write_text("")
        with pytest.raises(RunError, match="in use: another process plays this run"), locked(tmp_path):
            pass


def test_locked__where_there_are_no_locks(tmp_path, monkeypatch):
    def flock(*args):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr("fcntl.flock", flock)
    assert api.sweep(out=tmp_path / "run", **FIELDS).complete
