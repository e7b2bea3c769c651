"""`pinchsim tournament`: a report and a folder from one command, and plain errors."""

from pathlib import Path

import polars as pl
import pytest

import pinchsim
from pinchsim import api
from pinchsim.errors import UsageError
from pinchsim.lab.watcher import Watcher
from pinchsim.lab.work import Work
from tests.cli.commands import Command, end_otherwise, flat, write

TOURNAMENT = Command("tournament")
run, done, refused = TOURNAMENT.run, TOURNAMENT.done, TOURNAMENT.refused
SMALL = ("greedy", "sniper", "uniform", "--players", "3", "--games", "60", "--jobs", "2")
TABLES = ("payoffs", "matrix", "ratings", "equilibrium")


def test_tournament__from_command_to_report():
    text = done(*SMALL, "--out", "mine")
    assert "\npinch, 3 players: a tournament of 3 strategies\n" in text
    size = "7 tables in 8 orders (all mixtures), 60 games of the same 20 decks each: 480 games."
    assert size in flat(text)
    assert text.endswith("Rows, tables and plots: mine\n")
    for name in TABLES:
        assert pl.read_parquet(f"mine/{name}.parquet").height > 0
    assert sorted(path.name for path in Path("mine/plots").iterdir()) == [
        f"{stem}.{kind}" for stem in ("payoff_matrix", "ratings") for kind in ("png", "svg")
    ]
    assert api.load("mine").complete


def test_tournament__same_strategies_same_folder_same_words():
    args = (*SMALL, "--no-plots")
    text = done(*args)
    (folder,) = Path("results").iterdir()
    assert folder.name.startswith("tournament-")
    assert text.endswith(f"Rows and tables: {folder}\n")
    assert not (folder / "plots").exists()
    assert done("sniper", "uniform", "greedy", *args[3:]) == text
    assert done(*args, "--seed", "2") != text


def test_tournament__duel():
    text = done("greedy", "sniper", "--variant", "duel", "--games", "40", "--no-plots")
    assert "duel, 2 players: a tournament of 2 strategies\n1 table (all mixtures), 40 games of the same 20 decks each" in text


def test_tournament__too_many_orders_for_all():
    names = ("baiter", "cautious", "greedy", "sniper", "sprinter", "uniform")
    result = run(*names, "--players", "5", "--games", "5", "--no-plots")
    assert result.exit_code == 0
    assert "All mixtures of 6 strategies are 1,554 orders around a table, more than 400" in result.stderr
    assert "one against four" in result.stdout
    assert "are missing: with 5 players they need mixed tables" in flat(result.stdout)
    assert pl.read_parquet(next(Path("results").iterdir()) / "equilibrium.parquet").is_empty()
    assert "All mixtures" not in run(*SMALL, "--no-plots", "--tables", "pairs").stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "A tournament needs at least two strategies; none was named. Known: baiter, "),
        (["greedy"], "A tournament needs at least two strategies; only 'greedy' was named."),
        (["greedy", "snipr"], "'snipr' is not a strategy. Did you mean 'sniper'?"),
        (["greedy", "sniper", "greedy"], "'greedy' was named twice; a tournament needs each strategy once."),
        (["greedy", "sniper", "--variant", "clasic"], "'clasic' is not a variant. Did you mean 'classic'?"),
        (["greedy", "sniper", "--players", "7"], "7 players"),
        (["greedy", "sniper", "--variant", "duel", "--players", "4"], "a duel is for exactly 2 players"),
        (["greedy", "sniper", "--players", "many"], "'many' is not a valid integer"),
        (["greedy", "sniper", "--games", "0"], "'games' cannot be 0"),
        (["greedy", "sniper", "--seed", "-1"], "'seed' cannot be -1"),
        (["greedy", "sniper", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["greedy", "sniper", "--tables", "some"], "Invalid value for '--tables'"),
        (["greedy", "sniper", "--strategies", "nowhere"], "Invalid value for '--strategies'"),
    ],
)
def test_tournament__mistakes(args, words):
    assert words in refused(*args)


def test_tournament__folder_of_something_else():
    write("r/letter.txt", "dear")
    assert "not empty" in refused(*SMALL, "--out", "r")


def test_tournament__own_strategy():
    write("mine/own.py", (Path(__file__).parents[1] / "strategies" / "pinch" / "stubborn.py").read_text(encoding="utf-8"))
    assert " own " in done("own", "greedy", "--games", "20", "--strategies", "mine", "--no-plots")


def test_tournament__interrupted_early_then_gone_on_with(monkeypatch):
    """Before all tables have games nothing can be said; the same command goes on, and ends as if nothing had happened."""
    whole = done(*SMALL, "--no-plots", "--out", "whole")
    calls = []

    def stop_soon(self, games):
        """Ctrl-C sets this flag."""
        calls.append(games)
        if len(calls) == 5:
            self.stop.set()
        return not self.stop.is_set()

    with monkeypatch.context() as patch:
        patch.setattr(Work, "on_games", stop_soon)
        result = run(*SMALL, "--jobs", "1", "--no-plots", "--out", "part")
    assert result.exit_code == 130
    assert result.stdout == "Rows: part\n"
    said = flat(result.stderr)
    assert "of 8 orders around a table are played, and nothing can be said before all of them are." in said
    assert "The same command goes on from here." in said
    assert not Path("part/payoffs.parquet").exists()
    again = run(*SMALL, "--no-plots", "--out", "part")
    assert again.exit_code == 0
    assert "of them found finished" in again.stderr
    assert again.stdout.replace("part", "whole") == whole
    for name in TABLES:
        assert pl.read_parquet(f"part/{name}.parquet").equals(pl.read_parquet(f"whole/{name}.parquet"))


def test_tournament__interrupted_late(monkeypatch):
    end_otherwise("tournament", lambda found: found.run.manifest.update(state="interrupted"), monkeypatch)
    result = run(*SMALL, "--no-plots")
    assert result.exit_code == 130
    assert result.stdout.startswith("The run was interrupted")
    assert "The same command goes on from here." in result.stderr


def test_api__tournament():
    found = pinchsim.tournament("greedy", "uniform", variant="duel", games=40, out="mine", watcher=Watcher())
    assert found.complete
    assert found.analysis.names == ["greedy", "uniform"]
    assert found.orders_done == (1, 1)
    with pytest.raises(UsageError, match="'line_ups' is not a setting of a tournament. Known: game, games, seed."):
        pinchsim.tournament("greedy", "uniform", line_ups=["greedy"])
