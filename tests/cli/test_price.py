"""`pinchsim price`: a sweep is confirmed from one command, plain errors, and the report that names the command and joins it."""

import re
import shlex
from pathlib import Path

import pytest

from pinchsim.lab import price as lab
from tests.cli.commands import Command, flat, folder_of

PRICE, REPORT = Command("price"), Command("report", width=None)
SWEEP = Command("sweep", "--line-up", "greedy", "--jobs", "1", "--no-plots", width=None)


@pytest.fixture
def run():
    SWEEP.done("--variant", "aces-bite", "--players", "3", "--games", "300", "--out", "run")
    return Path("run")


def test_price__from_command_to_table(run):
    text = PRICE.done(run, "--games", "150", "--jobs", "1", "--out", "p")
    assert text.startswith("\n3 players: everyone plays greedy\n150 games of 50 fresh decks for each variant\n")
    for name in ("pinch", "aces-bite"):
        line = next(line for line in text.splitlines() if line.startswith(f"{name} "))
        assert re.search(r" 0/[+-]\d+(\.\d)?/[+-]\d+ +[+-]\d+\.\d ± \d+\.\d +[+-]\d+\.\d ± \d+\.\d ", line), line
    assert "Still open: pinch undecided (about " in flat(text) and "; aces-bite undecided (about " in flat(text)
    assert "against a margin of 1 pp" in flat(text)
    assert folder_of(text) == Path("p/price.parquet") and Path("p/price.parquet").exists()
    again = PRICE.run(run, "--games", "150", "--jobs", "1", "--out", "p")
    assert again.stdout == text
    assert "300 of them found finished" in again.stderr


def test_price__a_folder_of_its_own_under_results(run):
    one, other = (folder_of(PRICE.done(run, "--games", "30", "--seed", seed)).parent for seed in ("2", "3"))
    assert one != other and re.fullmatch(r"results/price-[0-9a-f]{8}", str(one))


def test_price__what_has_none_is_said(run, monkeypatch):
    monkeypatch.setattr(lab, "whole_points", lambda table: None)
    text = flat(PRICE.done(run, "--games", "30", "--out", "p"))
    assert "No price was found for pinch and aces-bite: not one bonus alone makes all win equally often." in text
    assert "fresh decks" not in text


def test_price__an_interruption_shows_the_finished_cells_and_ends_with_130(run, monkeypatch):
    play, told = lab.run_experiment, []

    def interrupted(*args):
        if told:
            raise KeyboardInterrupt
        told.append(args)
        return play(*args)

    monkeypatch.setattr(lab, "run_experiment", interrupted)
    result = PRICE.run(run, "--games", "30", "--out", "p")
    assert result.exit_code == 130
    assert "\npinch " in result.stdout and "\naces-bite " not in result.stdout
    assert "The same command goes on from here" in result.stderr
    monkeypatch.setattr(lab, "run_experiment", play)
    assert "\naces-bite " in PRICE.done(run, "--games", "30", "--out", "p")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("run", "--seed", "1"), "The seed 1 is that of the run: a price is confirmed on other decks than it was found on."),
        (("run", "--games", "0"), "'games' cannot be 0"),
        (("nowhere",), "'nowhere' is not the folder of a run"),
        ((), "Missing argument 'RUN'"),
    ],
)
def test_price__mistakes_are_told(run, args, message):
    assert message in PRICE.refused(*args)


def test_report__names_the_command_that_confirms_and_joins_it(run, monkeypatch):
    """The command is taken from the page and given in its folder."""
    REPORT.done(run)
    monkeypatch.chdir(run)
    told = re.search(r"Fresh games would tell: (.*)", Path("report.md").read_text())[1].replace("&amp;", "&")
    confirm, report = (shlex.split(words) for words in told.replace("\\", "").split(" && "))
    assert (confirm[0], report[0]) == ("pinchsim", "pinchsim")
    Command().done(*confirm[1:])
    Command(width=None).done(*report[1:])
    page = Path("report.md").read_text()
    assert "Fresh games would tell" not in page
    assert "Played again with the bonus, on fresh decks" in page and "(price/price.parquet)" in page
