"""`pinchsim audit coverage`: tables for people, the same counts in a folder, and plain errors."""

from pathlib import Path

import polars as pl
import pytest

from pinchsim.cli import coverage_text
from pinchsim.cli.coverage_text import report
from pinchsim.games.pinch.coverage import COUNTED, RULES
from pinchsim.games.pinch.rules import load_variant, player_counts, variant_names
from pinchsim.lab.coverage import Counts
from tests.cli.commands import Command, flat, folder_of, write

COVERAGE = Command("audit", "coverage")
run, done, refused = COVERAGE.run, COVERAGE.done, COVERAGE.refused
SMALL = ("--games", "60")


def test_coverage__all_variants():
    text = done(*SMALL)
    heading, *tables, not_yet, never, where = text.split("\n\n")
    assert "in 60 games of each variant" in flat(heading)
    assert "line-up uniform, seed 1" in flat(heading)
    assert [len(table.split("\nrule ")) for table in tables] == [2] * 5, "one for each variant, and one for all duels"
    assert tables[4].splitlines()[2].split()[-4:] == ["2"] * 4
    assert not_yet.startswith("Never came into play, but could have, in more games or with other strategies:\n- ")
    assert never.startswith("Never came into play, because the rule cannot apply there:\n- ")
    assert "\n- pinch: R7.1-R7.4, R8.1-R8.8, R10.2\n- classic: R5.4, R7.2-R7.4, R8.1-R8.8, R10.2\n" in never
    assert where.startswith("Counts: results/audit-coverage-")


def test_coverage__one_variant_one_player_count():
    text = done("--variant", "classic+turn_limit=20", "--players", "4", "--line-up", "greedy,uniform", *SMALL, "--seed", 7)
    heading, table, not_yet, never, _ = text.split("\n\n")
    assert "line-up greedy,uniform, seed 7" in flat(heading)
    rows = {line.split()[0]: line.split() for line in table.splitlines()}
    assert rows["R1.2"] == ["R1.2", "cards", "in", "the", "deck", "108"]
    assert rows["R6.6"] == ["R6.6", *COUNTED["R6.6"].split(), "1"]
    assert rows["R3.1"][-1] == "20"
    assert rows["R5.3"][-1] == "-"
    assert rows["R10.2"][-1] not in "-1", "the greedy player was asked several times"
    assert not {"R5.4", "R7.2", "R8.1"} & set(rows), "rules that cannot apply have no line"
    assert f"R5.3 ({COUNTED['R5.3']})" in flat(not_yet)
    assert never.splitlines()[1] == "- classic+turn_limit=20: R5.4, R7.2-R7.4, R8.1-R8.8"


def test_coverage__same_command_same_words():
    args = ("--variant", "duel", *SMALL)
    assert done(*args) == done(*args)
    assert done(*args) != done(*args, "--seed", "2")


def test_coverage__progress_on_the_error_stream():
    result = run("--variant", "duel", *SMALL)
    assert "Playing 60 games ..." in result.stderr
    assert "60 games in " in result.stderr


def test_coverage__folder():
    text = done(*SMALL, "--games", "61", "--out", "counts")
    assert text.endswith("\nCounts: counts\n")
    table = pl.read_parquet("counts/counts.parquet")
    assert table.columns == [
        "variant", "players", "line_up", "rule", "counted", "applies", "times", "games", "decks", "per_game",
    ]  # fmt: skip
    cells = [(name, n) for name in variant_names() for n in player_counts(load_variant(name).rules)]
    assert table.select("variant", "players").unique(maintain_order=True).rows() == cells
    assert table.height == len(cells) * len(RULES)
    for (_, players), rows in table.group_by("variant", "players"):
        assert rows["rule"].to_list() == list(RULES)
        assert dict(rows.select("rule", "counted").iter_rows()) == COUNTED
        assert set(rows["games"]) == {-(-61 // players) * players}
        assert set(rows["decks"]) == {-(-61 // players)}
        assert rows["per_game"].to_list() == (rows["times"] / rows["games"]).to_list()
        assert rows.filter(pl.col("rule") == "R2.1")["per_game"].to_list() == [players]
    assert set(table["line_up"]) == {"uniform"}
    cannot = set(table.filter(~pl.col("applies"), variant="pinch")["rule"])
    assert {"R7.1", "R8.8", "R10.2"} <= cannot and "R1.2" not in cannot


def test_coverage__same_command_same_folder():
    args = ("--variant", "duel", *SMALL)
    first = folder_of(done(*args))
    assert folder_of(done(*args)) == first
    assert folder_of(done(*args, "--seed", "2")) != first
    message = refused(*args, "--seed", "2", "--out", first)
    assert f"The folder '{first}' holds another count of the rules; it differs in: seed." in message
    assert {path.name for path in first.iterdir()} == {"manifest.json", "counts.parquet"}


def test_coverage__into_a_folder_of_something_else():
    write("mine/notes.txt", "mine")
    assert "The folder 'mine' is not empty and holds no count of the rules" in refused(
        "--variant", "duel", *SMALL, "--out", "mine"
    )
    assert [path.name for path in Path("mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--variant", "clasic"], "'clasic' is not a variant. Did you mean 'classic'?"),
        (["--line-up", "unifrom"], "'unifrom' is not a strategy. Did you mean 'uniform'?"),
        (["--players", "6"], "6 players cannot play"),
        (["--players", "many"], "--players 'many': expected a number, a range or a list"),
        (["--variant", "duel", "--players", "4"], "a duel is for exactly 2 players"),
        (["--variant", "duel", "--line-up", "greedy,greedy,uniform"], "names 3 strategies, but only 2 players sit down"),
        (["--games", "0"], "Invalid value for '--games'"),
        (["--games", "3000000000"], "'games' cannot be 3000000000"),
    ],
)
def test_coverage__mistakes(args, words):
    assert words in refused(*args)


def test_coverage__strategy_that_breaks_the_rules():
    write("own/cheat.py", "def play(view):\n    return 1\n")
    args = ("--variant", "classic", "--players", "3", "--line-up", "cheat", "--strategies", "own", *SMALL)
    message = refused(*args, code=1)
    assert message.startswith(
        "A strategy broke the rules in variant 'classic', 3 players, line-up 'cheat', game 0: play: the hand does not hold"
    )
    assert message.endswith("pinchsim watch --variant classic --players 3 --line-up cheat --seed 1 --game 0 --strategies own")


# The words


def counts(variant="pinch", players=3, games=2000, applying=("R1", "R2"), **times):
    return Counts(variant, players, games, games // players, {"R1": 0, "R2": 0} | times, frozenset(applying))


def cell(times, games):
    """How a number of times in so many games is written."""
    words = report([counts(games=games, R1=times)], {"R1": "ones", "R2": "twos"}, "uniform", 1)
    return next(line for line in words.splitlines() if line.startswith("R1 ")).split()[-1]


@pytest.mark.parametrize(
    ("times", "games", "words"),
    [
        (0, 2000, "-"),
        (1, 2000, "<0.001"),
        (2, 2000, "0.00100"),
        (3, 2000, "0.00150"),
        (2000, 2000, "1"),
        (2001, 2000, "1.00"),
        (52_839, 2000, "26.4"),
        (199_990, 2000, "100"),
        (1_999_100, 2000, "1,000"),
        (2_469_135, 2000, "1,235"),
    ],
)
def test_report__numbers(times, games, words):
    assert cell(times, games) == words


def test_report__blank_where_a_rule_cannot_apply():
    both = [counts("pinch", 4, R1=2000, R2=8000), counts("classic", 4, applying=["R2"], R2=4000)]
    text = report(both, {"R1": "ones", "R2": "twos", "R3": "threes"}, "uniform", 1)
    assert text.splitlines()[4].split() == ["pinch", "classic"]
    assert [line.split() for line in text.splitlines() if line[:2] in ("R1", "R2")] == [
        ["R1", "ones", "1"],
        ["R2", "twos", "4", "2"],
    ]
    assert text.endswith("there:\n- pinch: R3\n- classic: R1, R3")


def test_report__long_names_of_variants_are_folded():
    name = "duel+" + "x" * 30 + "-y"
    text = report([counts(name, 2, R1=1)], {"R1": "ones", "R2": "twos"}, "uniform", 1)
    assert all(len(line) <= coverage_text.WIDTH for line in text.splitlines())
    column = [line.strip() for line in text.split("\n\n")[1].splitlines()]
    assert "".join(column[: column.index(next(line for line in column if line.startswith("rule")))]) == name
