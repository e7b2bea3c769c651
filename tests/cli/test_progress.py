"""The progress bar on a terminal, and plain lines without one."""

import os
import pty
import subprocess
import sys

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
