"""`pinchsim tune`: a better strategy from one command, and plain errors."""

import json
from pathlib import Path

import polars as pl
import pytest

import pinchsim
from pinchsim.games.pinch.policy.files import read_policy
from pinchsim.strategy import library
from tests.cli.commands import Command, heard_by, write
from tests.lab.test_tuning import Interrupted

TUNE = Command("tune")
run = TUNE.run
QUICK = ("mine", "--players", "3", "--iterations", "2", "--games", "2400", "--jobs", "2", "--start", "novice")
NOVICE = 'policy = "weights"\n[weights]\n'  # easily improved on


@pytest.fixture(autouse=True)
def novice(working_folder):
    write("strategies/pinch/novice.toml", NOVICE)


def refused(*args):
    """The message of a command that is refused before anything is begun."""
    message = TUNE.refused(*args)
    assert not Path("results").exists()
    return message


def test_tune__from_command_to_strategy():
    result = run(*QUICK, "--out", "r")
    assert result.exit_code == 0, result.output
    text = result.stdout.replace("\N{NO-BREAK SPACE}", " ")
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    assert "\x1b" not in text, "no colours in a pipe"
    assert "pinch, 3 players: mine\nlarge form, begun with novice: 2 iterations, 4,800 games to learn from\n" in text
    assert "sniper" in text
    assert text.endswith("\nWrote strategies/pinch/mine.toml.\nTables, weights and plots: r\n")
    assert "3 players, iteration 2 of 2: wins" in result.stderr
    for name in ("history", "candidates", "confirmation"):
        assert pl.read_parquet(f"r/3-players/{name}.parquet").height > 0
    assert sorted(path.name for path in Path("r/plots").iterdir()) == ["tuning-3p.png", "tuning-3p.svg"]
    assert json.loads(Path("r/manifest.json").read_text(encoding="utf-8"))["state"] == "complete"
    mine = library.find("pinch", "mine")
    assert mine.idea == "mine: weights tuned by self-play (pinchsim tune)."
    assert list(read_policy(mine).tables) == ["pinch/3"]
    command = mine.data["provenance"]["pinch/3"]["command"]
    assert (
        command
        == "pinchsim tune mine --form large --variant pinch --players 3 --start novice --iterations 2 --games 2400 --seed 1"
    )


def test_tune__small_form():
    result = run(
        "own", "--form", "small", "--players", "3", "--iterations", "1", "--games", "60", "--no-plots", "--folder", "mine"
    )
    assert result.exit_code == 0, result.output
    assert "small form, begun with dozen: 1 iteration, " in result.stdout
    assert "mine/own.toml" in result.stdout
    assert "\nTables and weights: results/tune-own-" in result.stdout


def test_tune__interrupted_then_gone_on_with(monkeypatch):
    with heard_by(Interrupted(iteration=1), "tune", monkeypatch):
        result = run(*QUICK, "--no-plots")
    assert result.exit_code == 130
    assert result.stdout.startswith("Tables and weights: results/tune-mine-")
    assert "Interrupted: 1 of 2 iterations are done and kept. The same command goes on from here." in result.stderr
    again = run(*QUICK, "--no-plots")
    assert again.exit_code == 0
    assert "of them found finished" in again.stderr
    whole = run(*QUICK, "--no-plots", "--out", "whole", "--folder", "other")
    assert Path("other/mine.toml").read_bytes() == Path("strategies/pinch/mine.toml").read_bytes()
    assert whole.stdout.split("Wrote")[0] == again.stdout.split("Wrote")[0]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "Missing argument 'NAME'"),
        (["a-b"], "'a-b' cannot name a strategy: use letters, digits and _, beginning with a letter."),
        (["mine", "--variant", "clasic"], "'clasic' is not a variant. Did you mean 'classic'?"),
        (["mine", "--players", "7"], "7 players"),
        (["mine", "--players", "many"], "--players 'many': expected a number, a range or a list, such as 4, 3-5 or 3,5."),
        (["mine", "--start", "dozn"], "'dozn' is not a strategy. Did you mean 'dozen'?"),
        (["mine", "--start", "greedy"], "'greedy' is code and has no weights to begin with; name a strategy of a .toml file."),
        (["mine", "--form", "small", "--players", "3-5"], "so they are tuned for one, not 3: name the one that matters most"),
        (["mine", "--variant", "pinch+copies=9"], "'pinch+copies=9' does not. Known: pinch, "),
        (["mine", "--iterations", "0"], "'iterations' cannot be 0: expected a whole number from 1 to 10,000."),
        (["mine", "--games", "-5"], "'games' cannot be -5"),
        (["mine", "--seed", "-1"], "'seed' cannot be -1"),
        (["mine", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["mine", "--form", "huge"], "'huge' is not one of 'small', 'large'"),
        (["mine", "--strategies", "nowhere"], "Invalid value for '--strategies'"),
    ],
)
def test_tune__mistakes(args, words):
    assert words in refused(*args)


def test_tune__files_of_another_form():
    write("strategies/pinch/hand.toml", 'policy = "weights"\n[weights]\nsize = 2\n')
    write("strategies/pinch/code.py", '"""Code."""\n')
    assert "hand.toml' is there already and has another form: named numbers" in refused("hand")
    assert "code.py' is there already and has another form: it is code" in refused("code", "--start", "dozen")


def test_api__tune(monkeypatch):
    assert "tune" in pinchsim.__all__
    found = pinchsim.tune("mine", players=[3], iterations=1, games=30, seed=3, out="r", jobs=1)
    assert found.complete
    assert found.results[0].history.height == 1
