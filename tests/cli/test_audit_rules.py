"""`pinchsim audit rules`: a report and a folder from one command, and plain errors."""

from pathlib import Path

import polars as pl
import pytest

from pinchsim import api
from tests.cli.commands import Command, end_otherwise, flat, write

RULES = Command("audit", "rules")
run, done, refused = RULES.run, RULES.done, RULES.refused
SMALL = ("--players", "3", "--line-up", "greedy", "--games", "300", "--jobs", "2")


def test_rules__from_command_to_report():
    text = done(*SMALL, "--out", "mine")
    assert "pinch, 3 players: everyone plays greedy\n300 games of 100 decks for each reading\n" in text
    effects = pl.read_parquet("mine/effects.parquet")
    readings = effects["variant"].n_unique()
    assert f"\n{readings:>2}. " in text and f"\n{readings + 1:>2}. " not in text
    assert "R5.2: When is the market refilled? Ruled: when a player has finished" in flat(text)
    assert text.endswith("Rows, effects and plots: mine\n")
    assert sorted(path.name for path in Path("mine/plots").iterdir()) == ["readings-3p-1.png", "readings-3p-1.svg"]
    assert api.load("mine").summary.base == "pinch"


def test_rules__same_command_same_words():
    args = (*SMALL, "--no-plots")
    text = done(*args)
    (folder,) = Path("results").iterdir()
    assert folder.name.startswith("audit-rules-")
    assert text.endswith(f"Rows and effects: {folder}\n")
    assert not (folder / "plots").exists()
    assert done(*args) == text
    assert done(*args, "--seed", "2") != text


def test_rules__pairs_in_a_duel():
    text = done("--variant", "duel", "--pairs", "--line-up", "greedy", "--games", "20", "--no-plots", "--out", "r")
    words = flat(text)
    assert "duel, 2 players: everyone plays greedy" in text
    assert "sum of what both do alone." in words
    assert "plain difference without interval" in words
    assert "Noticeable is more than 2 pp of the start player's advantage" in words
    assert pl.read_parquet("r/effects.parquet")["beyond_sum"].null_count() > 0


def test_rules__variant_that_reads_a_sentence_otherwise():
    """Its label is what changes, not its name."""
    text = done("--variant", "pinch+refill=card", *SMALL, "--no-plots", "--margin", "0.03")
    assert "\nrefill = player " in text
    assert "Noticeable is more than 3 pp" in flat(text)


def test_rules__own_file():
    write("own.toml", 'base = "classic"\ntie_break = "shared"\n')
    text = done("--variant", "own.toml", *SMALL, "--no-plots")
    assert "own, 3 players: everyone plays greedy" in text
    assert "tie_break = fewer_hand" in flat(text)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--variant", "clasic"], "'clasic' is not a variant. Did you mean 'classic'?"),
        (["--line-up", "unifrom"], "'unifrom' is not a strategy. Did you mean 'uniform'?"),
        (["--players", "6"], "6 players cannot play"),
        (["--players", "many"], "--players 'many': expected a number, a range or a list"),
        (["--variant", "duel", "--players", "4"], "a duel is for exactly 2 players"),
        (["--games", "0"], "'games' cannot be 0"),
        (["--margin", "2"], "'margin' cannot be 2"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_rules__mistakes(args, words):
    assert words in refused(*args)


def test_rules__folder_of_something_else():
    write("r/letter.txt", "dear")
    assert "not empty" in refused(*SMALL, "--out", "r")


def test_rules__interrupted(monkeypatch):
    end_otherwise("audit_rules", lambda audit: audit.run.manifest.update(state="interrupted"), monkeypatch)
    result = run(*SMALL, "--no-plots")
    assert result.exit_code == 130
    assert result.stdout.splitlines()[0].startswith("The run was interrupted")
    assert "The same command goes on from here." in result.stderr
