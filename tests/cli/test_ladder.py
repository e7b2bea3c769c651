"""`pinchsim sweep --ladder`: what it prints and writes, and what it refuses."""

from pathlib import Path

import pytest

from pinchsim import games
from pinchsim.paths import shipped
from tests.cli.commands import Command, flat, folder_of, write
from tests.lab.test_ladder import Strengthening
from tests.lab.toy import ToyGame

PINCHSIM = Command(width=None)
run, done, refused = PINCHSIM.run, PINCHSIM.done, PINCHSIM.refused
SWEEP = ("sweep", "--players", "2", "--games", "8000", "--margin", "0.05", "--jobs", "1", "--no-plots", "--base", "none")
LADDER = (*SWEEP, "--variant", "fair", "--ladder", "--strategies", shipped("strategies") / "pinch")


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: ToyGame())


@pytest.fixture
def strengthening(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: Strengthening())


def test_sweep_ladder__verdict_that_holds(toy):
    text = done(*LADDER)
    assert "2 players, everyone at the table plays alike" in text
    assert "- fair: holds at every credible level: within 5 pp." in text
    assert "(uniform)" in text
    assert "8,000 games of 4,000 decks at (uniform) and greedy; 2,000 games of 1,000 decks at sniper" in flat(text)
    assert all(len(line) <= 80 for line in text.splitlines()[:-1])
    folder = folder_of(text)
    assert (folder / "ladder.parquet").is_file()
    assert not (folder / "plots").exists()


def test_sweep_ladder__verdict_that_changes(strengthening):
    text = flat(done(*LADDER))
    assert "- fair: changes with strength: within 5 pp for greedy; more than 5 pp above for sniper." in text


def test_sweep_ladder__undecided_says_what_would_decide(toy):
    text = flat(done(*LADDER, "--games", "400"))
    assert "- fair: undecided at " in text
    assert "games would decide)" in text
    assert "To decide what is undecided takes about --games " in text


def test_sweep_ladder__with_a_precision_says_what_its_intervals_and_games_mean(toy):
    text = flat(done(*LADDER, "--precision", "verdict", "--games", "400"))
    assert "- Budget spent " in text and "fair, 2 players, sniper (not clear together with the others)" in text
    assert "The intervals allow for having been looked at after every wave of games." in text
    assert "games of a level, in a run without --precision: of a fixed number of games, --games " in text
    assert text.index("Wished for: ") < text.index("± and ranges are 95 % intervals")


def test_sweep_ladder__says_what_a_game_was_worth(toy):
    text = flat(done(*LADDER, "--variant", "biased", "--base", "fair", "--games", "400"))
    assert "A game of this design is worth " in text
    assert " independent games for the start player's advantage and " in text and " for its change." in text


def test_sweep_ladder__same_command_goes_on(toy):
    first, second = run(*LADDER), run(*LADDER)
    assert second.stdout == first.stdout
    assert "18,000 of them found finished" in flat(second.stderr)


def test_sweep_ladder__in_a_file_is_the_same(toy):
    text = 'variants = ["fair"]\nbase = ""\nplayers = [2]\nladder = true\ngames = 8000\nmargin = 0.05\n'
    found = done("sweep", write("question.toml", text), "--no-plots", "--strategies", LADDER[-1])
    assert found.splitlines()[:-1] == done(*LADDER).splitlines()[:-1]


def test_sweep_ladder__experiment_beside_the_results_runs_again(toy):
    first = done(*LADDER, "--out", "run")
    again = done("sweep", "run/experiment.toml", "--out", "again", "--no-plots", "--strategies", LADDER[-1])
    assert again.splitlines()[:-1] == first.splitlines()[:-1]
    assert Path("again/experiment.toml").read_bytes() == Path("run/experiment.toml").read_bytes()


def test_sweep_ladder__replaces_the_line_ups_of_a_file_and_the_other_way_round(toy):
    path = write("question.toml", 'variants = ["fair"]\nplayers = [2]\nline_ups = ["greedy"]\ngames = 100\n')
    rest = ("--no-plots", "--strategies", LADDER[-1])
    assert "(uniform)" in done("sweep", path, "--ladder", *rest)
    path = write("ladder.toml", 'variants = ["fair"]\nplayers = [2]\nladder = true\ngames = 100\n')
    text = done("sweep", path, "--line-up", "greedy", *rest)
    assert "everyone plays greedy" in text
    assert "level" not in text


def test_sweep_ladder__plots(toy):
    args = [arg for arg in LADDER if arg != "--no-plots"]
    done(*args, "--games", "200", "--out", "run")
    assert {"ladder.png", "ladder.svg", "win_share_by_position.png"} <= {path.name for path in Path("run/plots").iterdir()}


def test_sweep_ladder__not_with_line_ups():
    message = refused("sweep", "--ladder", "--line-up", "greedy", "--no-plots")
    assert "--ladder and --line-up both say who sits at the table" in message
    assert "experiment file" in message
    assert not Path("results").exists(), "nothing is begun"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ladder = 'greedy'\n", "question.toml: 'ladder' cannot be 'greedy'"),
        ("ladder = ['greedy', 'greedy']\n", "question.toml: level 'greedy' stands on the ladder twice"),
        ("ladder = ['gredy']\n", "'gredy' is not a strategy. Did you mean 'greedy'?"),
        ("ladder = true\nline_ups = ['greedy']\n", "question.toml: 'ladder' and 'line_ups' both say who plays"),
    ],
)
def test_sweep_ladder__mistake_in_a_file(text, words):
    assert words in refused("sweep", write("question.toml", text), "--no-plots")


def test_sweep_ladder__of_pinch():
    """The real game: every level of its ladder has a line and no level is said twice."""
    text = done("sweep", "--ladder", "--players", "3", "--games", "30", "--jobs", "1", "--no-plots")
    lines = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and " pp" in line]
    expected = [level.strategy if level.credible else f"({level.strategy})" for level in games.load("pinch").ladder]
    assert [line for line in lines if line in expected] == expected
