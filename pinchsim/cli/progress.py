"""How a run goes on, on the error stream: a bar with games per second and time left; plain lines when piped."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

import click

from pinchsim.lab.watcher import Watcher

UPDATE_SECONDS = 0.1


class Progress(Watcher):
    """Shows the progress of a run; use it as a context."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.total = 0
        self.unit = "games"
        self.done = 0
        self.found = 0
        self.start = time.perf_counter()
        self.next_update = 0.0
        self.bar = _make_bar() if sys.stderr.isatty() else None
        self.task = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            with _undisturbed():
                self.bar.stop()
        if self.total and kind is None:
            elapsed = time.perf_counter() - self.start
            found = f", {self.found:,} of them found finished" if self.found else ""
            rate = (self.done - self.found) / max(elapsed, 1e-9)
            click.echo(f"{self.done:,} {self.unit} in {elapsed:.1f} s ({rate:,.0f} {self.unit}/s){found}.", err=True)

    def compiling(self, strategies: int) -> None:
        """Say why nothing seems to happen."""
        plural = "y" if strategies == 1 else "ies"
        click.echo(
            f"Compiling the engine with {strategies} strateg{plural}: once, 10 to 60 seconds ...",
            err=True,
        )

    def started(self, games: int, unit: str = "games") -> None:
        """Begin to count."""
        self.total, self.unit = games, unit
        self.start = time.perf_counter()
        if self.bar is not None:
            self.task = self.bar.add_task(unit, total=games, rate="", found="")
            with _undisturbed():
                self.bar.start()
        else:
            click.echo(f"Playing {games:,} {unit} ...", err=True)

    def goes_on(self, games: int, found: str) -> None:
        """Count up to more games, and say why."""
        self.total += games
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, total=self.total, found=found)
        else:
            click.echo(f"{found[0].upper()}{found[1:]}; playing {games:,} more {self.unit} ...", err=True)

    def warned(self, text: str) -> None:
        """Say what was found damaged."""
        click.echo(f"Warning: {text}", err=True)

    def waiting(self, text: str) -> None:
        """Say why nothing goes on, above the bar."""
        if self.bar is not None and self.task is not None:
            self.bar.console.print(text, highlight=False, markup=False)
        else:
            click.echo(text, err=True)

    def played(self, games: int, found: bool = False) -> None:
        """Count on."""
        with self.lock:
            self.done += games
            self.found += games if found else 0
            now = time.perf_counter()
            if self.bar is None or self.task is None or (now < self.next_update and self.done < self.total):
                return
            self.next_update = now + UPDATE_SECONDS
            rate = (self.done - self.found) / max(now - self.start, 1e-9)
            self.bar.update(self.task, completed=self.done, rate=f"{rate:,.0f} {self.unit}/s")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C comes after the context, not in it: a bar that is half there cannot be taken away again."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):  # nobody is interrupted
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _make_bar():
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    return Bar(
        TaskProgressColumn(),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
        TextColumn("{task.fields[found]}"),
        console=Console(stderr=True),
    )
