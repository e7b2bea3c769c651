"""The progress bar on a terminal, and plain lines without one."""

import os
import pty
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from rich.console import Console
from rich.live import Live, _RefreshThread

from pinchsim import api, games
from pinchsim.cli import progress
from pinchsim.paths import shipped
from tests.cli.commands import Command
from tests.lab.toy import ToyGame

COMMAND = (
    "sweep", "--variant", "pinch", "--base", "none", "--players", "3", "--line-up", "greedy", "--games", "3000", "--no-plots",
)  # fmt: skip


def on_a_terminal(*arguments):
    """What a person sees: the command with a terminal as its streams."""
    primary, secondary = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "pinchsim", *arguments], stdin=secondary, stdout=secondary, stderr=secondary, env=environment
    )
    os.close(secondary)
    seen = b""
    while True:
        try:
            part = os.read(primary, 4096)
        except OSError:  # the terminal's other side is closed
            break
        if not part:
            break
        seen += part
    os.close(primary)
    return process.wait(), seen.decode()


def test_terminal__shows_a_bar_with_rate_and_time_left(tmp_path):
    code, seen = on_a_terminal(*COMMAND, "--out", str(tmp_path / "run"))
    assert code == 0
    assert "100%" in seen
    assert "games/s" in seen
    assert "left" in seen
    assert "Traceback" not in seen


def test_pipe__plain_lines_and_no_colour(tmp_path):
    process = subprocess.run(
        [sys.executable, "-m", "pinchsim", *COMMAND, "--out", str(tmp_path / "run")], capture_output=True, text=True, check=True
    )
    assert "Playing 3,000 games" in process.stderr
    assert "games/s" in process.stderr
    assert "\x1b" not in process.stdout + process.stderr
    assert max(len(line) for line in process.stdout.splitlines() if str(tmp_path) not in line) <= 80


# Ctrl-C while the bar comes or goes

TOYS = (
    "--variant", "fair", "--base", "none", "--line-up", "uniform", "--games", "300", "--jobs", "1", "--no-plots",
    "--strategies", shipped("strategies") / "pinch", "--out", "run",
)  # fmt: skip
STARTING = [
    (Console, "set_live"),
    (Console, "show_cursor"),
    (Live, "_enable_redirect_io"),
    (Console, "push_render_hook"),
    (Live, "refresh"),
    (_RefreshThread, "start"),
]
STOPPING = [
    (Console, "clear_live"),
    (_RefreshThread, "stop"),
    (Live, "_disable_redirect_io"),
    (Console, "pop_render_hook"),
    (Console, "line"),
]


@pytest.fixture
def terminal(monkeypatch):
    """What would be seen on one, in a pipe."""
    monkeypatch.setattr(games, "load", lambda name: ToyGame())
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=SimpleNamespace(isatty=lambda: True)))
    monkeypatch.setenv("TTY_COMPATIBLE", "1")


def interrupted(owner, name, when, monkeypatch):
    """A sweep with Ctrl-C once, before or after a step of the bar; its error stream."""
    real, still = getattr(owner, name), [signal.SIGINT]

    def step(self, *args, **options):
        if when == "before" and still:
            signal.raise_signal(still.pop())
        found = real(self, *args, **options)
        if when == "after" and still:
            signal.raise_signal(still.pop())
        return found

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, step)
        result = Command("sweep", width=None).run(*TOYS)
    assert not still, "the step was never made"
    assert result.exit_code == 130, result.output
    assert result.stderr.rfind("\x1b[?25h") > result.stderr.rfind("\x1b[?25l"), "the cursor is there again"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return result.stderr


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("owner", "name"), STARTING)
def test_interrupt__while_the_bar_comes(owner, name, when, terminal, monkeypatch):
    told = interrupted(owner, name, when, monkeypatch)
    assert "Interrupted: what is shown covers the finished games only." in told
    assert api.load("run").manifest["state"] == "interrupted"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("owner", "name"), STOPPING)
def test_interrupt__while_the_bar_goes(owner, name, when, terminal, monkeypatch):
    told = interrupted(owner, name, when, monkeypatch)
    assert "Interrupted. The same command begins again; what a run had finished is kept and found." in told
    assert api.load("run").complete


def test_interrupt__comes_after_what_must_not_be_disturbed():
    done = []

    def disturbed():
        with progress._undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        disturbed()
    assert done == [1]


def test_interrupt__that_nobody_wants_is_left_alone():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with progress._undisturbed():
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_bar__of_another_thread():
    """Signals are for the first one."""
    found = []

    def show():
        with progress._undisturbed():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=show)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]
