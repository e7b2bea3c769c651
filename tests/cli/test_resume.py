"""`pinchsim resume`: what it shows, and how it is refused."""

import json
import shutil
from pathlib import Path

import pytest

from pinchsim.lab.lock import locked
from tests.cli.commands import Command, end_otherwise, flat

RESUME = Command("resume", width=None)
run, done, refused = RESUME.run, RESUME.done, RESUME.refused
SWEEP = Command("sweep", width=None)
SMALL = ("--players", "3", "--line-up", "greedy", "--games", "30", "--jobs", "1", "--no-plots")


@pytest.fixture
def swept():
    return SWEEP.done(*SMALL, "--out", "run")


def test_resume__shows_what_the_sweep_does(swept):
    shutil.rmtree("run/finished")
    result = run("run", "--jobs", "1", "--no-plots")
    assert result.exit_code == 0
    assert result.stdout == swept
    assert "found finished" not in result.stderr


def test_resume__of_a_finished_run_shows_it_again(swept, monkeypatch):
    wrote = []
    monkeypatch.setattr("pinchsim.report.plots.write_plots", lambda summary, folder: wrote.append(folder))
    result = run("run", "--check")
    assert result.stdout == swept.replace("Rows and summary: run", "Rows, summary and plots: run")
    assert "30 of them found finished" in result.stderr
    assert wrote == [Path("run/plots")]


def test_resume__damage_is_told_on_stderr(swept):
    (path,) = Path("run").glob("players/*/part-000000.parquet")
    path.write_bytes(path.read_bytes()[:-1])
    result = run("run", "--no-plots")
    assert result.exit_code == 0
    assert result.stdout == swept
    assert "Warning: '" in result.stderr
    assert f"{path}' is damaged" in flat(result.stderr)


def test_sweep__damage_is_told_on_stderr(swept):
    (path,) = Path("run").glob("finished/*/part-000000.json")
    path.write_bytes(b"")
    result = SWEEP.run(*SMALL, "--out", "run")
    assert result.stdout == swept
    assert f"Warning: '{path}' is damaged" in flat(result.stderr)


def test_resume__of_a_tournament_names_its_command():
    Command("tournament").done("greedy", "uniform", "--players", "3", "--games", "30", "--no-plots", "--out", "run")
    manifest = json.loads(Path("run/manifest.json").read_text())
    words = ["pinchsim", "tournament", "greedy", "uniform", "--players", "3", "--out", "run"]
    Path("run/manifest.json").write_text(json.dumps(manifest | {"command": words}))
    told = done("run")
    assert f"in {Path.cwd()}: {' '.join(words)}" in told
    assert told.endswith("Rows and summary: run\n")
    assert not Path("run/plots").exists()


def test_resume__interrupted_says_so_and_exits_with_130(swept, monkeypatch):
    def cut(found):
        found.manifest["state"] = "interrupted"

    end_otherwise("resume", cut, monkeypatch)
    result = run("run", "--no-plots")
    assert result.exit_code == 130
    assert "The same command goes on from here." in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nowhere"], "'nowhere' is not the folder of a run: it has no manifest.json."),
        (["."], "'.' is not the folder of a run"),
        (["a.py"], "'a.py' is not the folder of a run: it has no manifest.json."),
        ([], "Missing argument 'FOLDER'"),
        (["run", "--jobs", "0"], "--jobs"),
        (["run", "--strategies", "nowhere"], "'nowhere' does not exist"),
    ],
)
def test_mistake__exits_with_2(args, words):
    Path("a.py").touch()
    assert words in refused(*args)


@pytest.mark.parametrize("left", ["", "{", "[]", '{"format": "pinchsim-run/2"}'])
def test_damaged_manifest__says_what_the_command_can_do(left, swept):
    Path("run/manifest.json").write_text(left)
    said = "'run/manifest.json' is damaged or not of this version"
    assert refused("run") == f"{said}; the same is played anew by: pinchsim sweep run/experiment.toml --out ANOTHER_FOLDER."
    assert SWEEP.refused(*SMALL, "--out", "run") == f"{said}; choose another folder with --out."
    Path("run/experiment.toml").unlink()
    assert refused("run") == f"{said}."


def test_resume__of_a_run_that_is_played__exits_with_1(swept):
    with locked(Path("run")):
        message = refused("run", code=1)
        assert SWEEP.refused(*SMALL, "--out", "run", code=1).startswith("The folder 'run' is in use: process ")
    assert "' is in use: process " in message
    assert done("run", "--no-plots") == swept


def test_report__of_damaged_rows_exits_with_1(swept):
    (path,) = Path("run").glob("games/*/part-000000.parquet")
    path.write_bytes(path.read_bytes()[:-1])
    message = Command("report").refused("run", code=1)
    assert f"'{path}' is damaged: it has" in message
    assert "Play that chunk again with: pinchsim resume run" in message


@pytest.mark.parametrize("folder", ["/sys/run", "/proc/run"])
def test_sweep__where_nothing_can_be_written__exits_with_1(folder):
    message = SWEEP.refused(*SMALL, "--out", folder, code=1)
    assert folder in message


def test_sweep__full_disk__exits_with_1():
    """Not of the rows, but of what is written before and after them."""
    Path("run").mkdir()
    Path("run/manifest.json.tmp").symlink_to("/dev/full")
    message = SWEEP.refused(*SMALL, "--out", "run", code=1)
    assert message == "'run/manifest.json': No space left on device."
    assert SWEEP.done(*SMALL, "--out", "run")
