"""The code of docs/notebook.md runs, and prints what the page shows: of fewer games, so with other numbers."""

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.commands import Command

PAGE = (Path(__file__).parents[1] / "docs" / "notebook.md").read_text(encoding="utf-8")
COMMAND = re.search(r"^pinchsim sweep (.*)--games \d+ (.*)$", PAGE, re.MULTILINE)
BLOCKS = re.findall(r"```(python|text)\n(.*?)```\n", PAGE, re.DOTALL)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = shlex.split(f"{COMMAND[1]} {COMMAND[2]}")
    Command("sweep", width=None).done(*options, "--games", "400", "--jobs", "1", "--no-plots")
    return tmp_path


def test_notebook__runs_and_prints_what_is_shown(here):
    names = {}
    for place, (kind, text) in enumerate(BLOCKS):
        if kind == "python":
            out = StringIO()
            with redirect_stdout(out):
                exec(compile(text, f"docs/notebook.md, block {place}", "exec"), names)
            printed = out.getvalue()
        else:
            assert _heading(printed) == _heading(text)
    assert [kind for kind, _ in BLOCKS] == ["python", "text"] * 4
    assert "<caption>Win share by position" in (here / "shares.html").read_text(encoding="utf-8")


def test_notebook__what_is_made_by_hand_is_what_the_summary_says(here):
    names = {}
    with redirect_stdout(StringIO()):
        exec("".join(text for kind, text in BLOCKS if kind == "python"), names)
    (row,) = names["run"].summary.differences.filter(measure="turns").to_dicts()
    assert names["change"].mean() == pytest.approx(row["estimate"])


def test_notebook__begins_with_five_lines():
    assert len(BLOCKS[0][1].split("\n\n", 1)[1].splitlines()) + 1 <= 5


def _heading(text):
    """The words of an output down to the names of its columns."""
    lines = text.splitlines()
    last = next((place for place, line in enumerate(lines) if "variant" in line), len(lines))
    return re.findall(r"[a-z_]+", " ".join(lines[: last + 1]))
