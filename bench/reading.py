"""Reading rows: what a report of finished games takes, in time and in memory."""

import tempfile
from pathlib import Path
from typing import NamedTuple

from bench.sweeps import command_megabytes, command_seconds
from pinchsim import api


class Taken(NamedTuple):
    """Wall seconds of a command, and its peak memory in megabytes."""

    seconds: float
    megabytes: float


def report(n_games: int) -> Taken:
    """What a report of one cell takes, in a process of its own; the first one compiles and does not count."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        api.sweep(variants=["pinch"], base=None, players=[4], line_ups=["uniform"], games=n_games, out=run)
        words = ("report", str(run), "--out", folder)
        seconds = min(command_seconds(*words) for _ in range(2))
        return Taken(seconds, command_megabytes(*words))
