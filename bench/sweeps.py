"""Whole sweeps: threads, the share of storage and statistics, start-up times, memory."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.timing import timed
from pinchsim import api
from pinchsim.lab import work
from pinchsim.lab.chunks import Player
from pinchsim.lab.finished import Records

PINCHSIM = [sys.executable, "-m", "pinchsim"]


def sweep_seconds(jobs: int, n_games: int, **fields: object) -> float:
    """Wall seconds of a sweep of one cell, compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        api.sweep(variants=["pinch"], base=None, players=[4], games=n_games, out=Path(folder) / "run", jobs=jobs, **fields)
        return time.perf_counter() - start


def shares(n_games: int, **fields: object) -> dict[str, float]:
    """Share of a one-thread sweep's time by what it goes to."""
    stored = ((work, "rows_of_blocks"), (work, "row_files"), (work, "store_rows"), (Records, "write"))
    parts = [(Player, "play", "playing"), *((*one, "storage") for one in stored), (work, "reduce_chunk", "statistics")]
    with timed(*parts) as spent:
        total = sweep_seconds(1, n_games, **fields)
    return {what: seconds / total for what, seconds in spent.items()}


def command_seconds(*arguments: str, cache: str | None = None) -> float:
    """Wall seconds of a command, in a process of its own."""
    environment = os.environ | ({"PINCHSIM_CACHE": cache} if cache else {})
    start = time.perf_counter()
    subprocess.run([*PINCHSIM, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


# A process tells its own peak: what the system says of a child counts the memory of the parent that it was forked from, too.
TELLING_PEAK = """
import atexit
from pinchsim.cli.main import main
atexit.register(lambda: print([line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")][0]))
main()
"""


def command_megabytes(*arguments: str) -> float:
    """Peak memory of a command in a process of its own."""
    command = [sys.executable, "-c", TELLING_PEAK, *arguments]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(told.split()[-1]) / 1024


def peak_megabytes(n_games: int) -> float:
    """Peak memory of a sweep in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", "--variant", "pinch", "--base", "none", "--players", "4", "--games", str(n_games), "--no-plots"]
        return command_megabytes(*words, "--out", str(Path(folder) / "run"))
