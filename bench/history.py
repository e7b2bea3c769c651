"""Figures of a benchmark beside those of the last one, and the file that keeps them all, so that a slow-down is seen.

A machine is only compared with itself; ratios taken in one run are compared with those of any machine.
"""

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

HISTORY = Path(__file__).with_name("history.jsonl")
NOTICED = 0.1  # a change by less is noise of a shared machine
WIDTH = 110
RATIO = "x"  # unit of what was divided by something else of the same run


class Figure(NamedTuple):
    """A measured number; `less_is_better` for seconds, bytes and shares of time."""

    section: str
    name: str
    value: float
    unit: str
    less_is_better: bool = False

    @property
    def key(self) -> str:
        """What it is found by later."""
        return f"{self.section}: {self.name}"


def show(figures: list[Figure]) -> None:
    """Print all figures in one table, with those of the last run beside them, and add them to the history."""
    runs = _read()
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    table.add_column("", min_width=66, overflow="fold")
    table.add_column("now", justify="right")
    table.add_column("")
    table.add_column("before", justify="right")
    table.add_column("now/before", justify="right")
    table.add_column("")
    section = ""
    for figure in figures:
        if figure.section != section:
            section = figure.section
            table.add_row()
            table.add_row(f"[bold]{section}[/bold]")
        table.add_row(*_cells(figure, _before(figure, runs)))
    Console(width=WIDTH, highlight=False).print(table)
    _write(figures)


def _cells(figure: Figure, before: float | None) -> tuple[str, ...]:
    own = f"  {figure.name}", _number(figure.value), "" if figure.unit == RATIO else figure.unit
    if not before:
        return (*own, "", "", "")
    change = figure.value / before
    worse = change > 1 + NOTICED if figure.less_is_better else change < 1 - NOTICED
    return (*own, _number(before), f"{change:.2f}", "[bold red]slower[/bold red]" if worse else "")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


@cache
def _machine() -> str:
    """The processor by its name, and how many cores there are."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    return f"{name}, {os.cpu_count()} cores"


def _before(figure: Figure, runs: list[dict[str, Any]]) -> float | None:
    """The same figure of the last run that has it: of this machine, or for a ratio of any."""
    for run in reversed(runs):
        if figure.key in run["figures"] and (figure.unit == RATIO or run["machine"] == _machine()):
            return float(run["figures"][figure.key])
    return None


def _read() -> list[dict[str, Any]]:
    return [json.loads(line) for line in HISTORY.read_text(encoding="utf-8").splitlines()] if HISTORY.exists() else []


def _write(figures: list[Figure]) -> None:
    git = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=HISTORY.parent, capture_output=True, text=True, check=False
    )
    run = {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "commit": git.stdout.strip(),
        "machine": _machine(),
        "python": platform.python_version(),
        "figures": {figure.key: float(f"{figure.value:.4g}") for figure in figures},
    }
    with HISTORY.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run) + "\n")
