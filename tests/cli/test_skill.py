"""`pinchsim skill`: a report and a folder from one command, and plain errors."""

from pathlib import Path

import polars as pl
import pytest

import pinchsim
from pinchsim import api, games
from tests.cli.commands import Command, end_otherwise, flat
from tests.lab.test_skill import FOLDERS, TABLES, Contest

SKILL = Command("skill", "--strategies", FOLDERS[0])
run, refused = SKILL.run, SKILL.refused
SMALL = ("--variant", "fair", "--players", "3", "--games", "300", "--slow-games", "60", "--jobs", "2")


@pytest.fixture(autouse=True)
def contest(monkeypatch):
    game = Contest()
    monkeypatch.setattr(games, "load", lambda name: game)


def done(*args):
    text = SKILL.done(*args)
    assert "\N{HORIZONTAL ELLIPSIS}" not in text, "nothing is cut off"
    return text


def test_skill__from_command_to_report():
    text = done(*SMALL, "--out", "mine", "--chess-elo", "123.4")
    assert "fair, 3 players. The ladder: one of each level against two of each other" in text
    assert "fair, 3 players. Skill trace: one against two of the level below" in text
    assert "fair, 3 players. Noise: champion, playing as beginners may" in text
    assert "standard deviation of 123.4 Elo points, an assumption (--chess-elo)" in flat(text)
    assert text.endswith("Rows, tables and plots: mine\n")
    for name in TABLES:
        assert pl.read_parquet(f"mine/{name}.parquet").height > 0
    assert sorted(path.stem for path in Path("mine/plots").glob("*.svg")) == ["levels", "noise", "trace"]
    assert api.load("mine/noise").complete


def test_skill__one_part_and_the_same_folder():
    text = done(*SMALL, "--part", "noise", "--no-plots")
    (folder,) = Path("results").iterdir()
    assert folder.name.startswith("skill-")
    assert text.endswith(f"Rows and tables: {folder}\n")
    assert "ladder" not in text and "Skill trace" not in text
    assert done(*SMALL, "--part", "noise", "--no-plots") == text
    ladder = done(*SMALL, "--part", "ladder", "--no-plots")
    assert "x %-chess is left out" in ladder
    assert [path.name for path in Path("results").iterdir()] == [folder.name]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--part", "luck"), "'luck' is not a part of a skill report. Known: ladder, trace, noise."),
        (("--variant", "fair", "--players", "9"), "2 to 4 players, not 9"),
        (("--variant", "fair", "--games", "0"), "'games' cannot be 0"),
        (("--variant", "fair", "--chess-elo", "0"), "cannot have a spread of 0 Elo points"),
        (("--variant", "fair", "--part", "noise", "--chess-elo", "100"), "only needed for the ladder"),
        (("--variant", "fair", "--slow-games", "-1"), "cannot get -1 games"),
    ],
)
def test_skill__mistakes(args, words):
    assert words in refused(*args)


def test_skill__interrupted(monkeypatch):
    def cut(found):
        found.runs["noise"].manifest["state"] = "interrupted"
        found.noise = None

    end_otherwise("skill", cut, monkeypatch)
    result = run(*SMALL, "--no-plots")
    assert result.exit_code == 130
    assert "The run was interrupted: what needs noise is missing." in result.stdout
    assert "The same command goes on from here." in result.stderr


def test_api__skill():
    found = pinchsim.skill("fair", parts=["ladder"], games=60, slow_games=0, strategies=FOLDERS, jobs=1)
    assert found.complete and found.levels.names == ["uniform", "greedy"]
    assert found.levels.players == 4, "four players are usual"
