"""`--cluster`: who takes it, how it is refused, and that nothing of dask is heard or left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import dask
import psutil
import pytest

from pinchsim.lab import chunks as lab_chunks
from pinchsim.lab import cluster_link, executor
from tests.cli.commands import Command, flat
from tests.lab.clusters import GROUP

pytestmark = GROUP
SMALL = ("--players", "3", "--line-up", "uniform", "--games", "300", "--no-plots")
COMMANDS = ("sweep", "resume x", "certify x", "audit rules", "tournament a b", "skill", "price x")
SWEEP = Command("sweep", width=None)


@pytest.mark.parametrize("words", COMMANDS)
def test_options__of_every_command_that_plays_chunks(words):
    command = Command(*words.split(), width=None)
    assert "--cluster ADDRESS" in flat(command.done("--help"))


@pytest.mark.parametrize("words", ["sweep", "audit rules", "tournament greedy uniform", "skill"])
def test_jobs_and_cluster__are_one_too_many(words):
    told = Command(*words.split(), width=None).refused("--jobs", "2", "--cluster", "local:2")
    assert told.startswith("--jobs and --cluster both say who plays")
    assert not Path("results").exists()


@pytest.mark.parametrize("address", ["local:many", "foo", ""])
def test_impossible_address__is_refused(address):
    assert SWEEP.refused(*SMALL, "--cluster", address).startswith(f"--cluster '{address}': expected 'local:N'")


def test_impossible_address__is_refused_for_a_finished_run_too():
    SWEEP.done(*SMALL, "--jobs", "1", "--out", "run")
    assert "--cluster 'foo': expected 'local:N'" in Command("resume", width=None).refused("run", "--cluster", "foo")


def test_encrypted_address_without_certificates__is_refused():
    with dask.config.set(dict.fromkeys(cluster_link.CERTIFICATES)):
        told = SWEEP.refused(*SMALL, "--cluster", "tls://127.0.0.1:1")
    assert told.startswith("--cluster 'tls://127.0.0.1:1' needs certificates")
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in told


def test_nobody_answers__is_refused(monkeypatch):
    monkeypatch.setattr(cluster_link, "ANSWER_S", 1)
    told = SWEEP.refused(*SMALL, "--cluster", "127.0.0.1:1")
    assert told.startswith("--cluster '127.0.0.1:1': no scheduler of dask answers there within 1 seconds")
    assert "dask scheduler" in told and "local:N" in told


def test_without_dask__says_what_to_install(monkeypatch):
    monkeypatch.setattr(executor, "find_spec", lambda name: None)
    assert SWEEP.refused(*SMALL, "--cluster", "local:2").endswith("pip install 'pinchsim[cluster]'")


@pytest.mark.parametrize("words", ["sweep", "resume"])
def test_cluster__shows_what_threads_show(words, cluster, monkeypatch):
    monkeypatch.setattr(lab_chunks, "CHUNK_DECKS", 30)
    alone = SWEEP.run(*SMALL, "--jobs", "1", "--out", "run")
    if words == "resume":
        for record in Path("run").glob("finished/*/part-*2.json"):
            record.unlink()
        result = Command("resume", width=None).run("run", "--no-plots", "--cluster", cluster.scheduler_address)
    else:
        Path("run").rename("alone")
        result = SWEEP.run(*SMALL, "--cluster", cluster.scheduler_address, "--out", "run")
    assert result.exit_code == 0, result.output
    assert result.stdout == alone.stdout
    assert "300 games in" in result.stderr


def test_threads__do_not_import_dask():
    code = "import sys\nfrom pinchsim import api\nprint([m for m in ('dask', 'distributed') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


# Processes of this machine

PLAY = """
import sys
from pinchsim.lab import chunks
chunks.CHUNK_DECKS = 2000
from pinchsim.cli.main import main
main()
"""


def begun(*words):
    """A command in a process group of its own, as a terminal begins it."""
    command = [sys.executable, "-c", PLAY, "sweep", "--players", "3", "--line-up", "uniform", "--no-plots", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, start_new_session=True, **pipes)


def nobody_left(group):
    """Whether the last process of the group ends soon."""
    for _ in range(100):
        living = [p for p in psutil.process_iter(["status"]) if p.info["status"] != psutil.STATUS_ZOMBIE]
        if not any(os.getpgid(p.pid) == group for p in living if p.is_running()):
            return True
        time.sleep(0.05)
    return False


def test_local__is_quiet_and_leaves_nobody():
    process = begun("--games", "12000", "--cluster", "local:1", "--out", "run")
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    lines = errors.splitlines()
    assert lines[-2] == "Playing 12,000 games ..." and lines[-1].startswith("12,000 games in")
    assert len(lines) == 2 or "Compiling" in lines[0]
    assert output.endswith("Rows and summary: run\n")
    assert nobody_left(process.pid)


def test_local__interrupted_as_threads_are():
    """Ctrl-C goes to all processes that a terminal has begun, those that play among them."""
    process = begun("--games", "30000000", "--cluster", "local:1", "--out", "run")
    while not list(Path("run").glob("finished/*/*")):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 10
    assert process.returncode == 130, errors
    lines = [line for line in errors.splitlines() if not line.startswith("Compiling")]
    assert lines[0] == "Playing 30,000,000 games ..."
    assert " games in " in lines[1]
    assert lines[2:] == ["Interrupted: what is shown covers the finished games only. The same command goes on from here."]
    assert output.endswith("Rows and summary: run\n")
    assert nobody_left(process.pid)
