"""`pinchsim compare`: two runs side by side, in 80 columns."""

import pytest

from tests.cli.commands import Command, flat, write

SWEEP, COMPARE = Command("sweep", width=None), Command("compare")
SMALL = ("--players", "3", "--line-up", "greedy", "--games", "120", "--jobs", "1", "--no-plots", "--base", "none")


@pytest.fixture(autouse=True)
def runs():
    SWEEP.done(*SMALL, "--out", "a")
    SWEEP.done(*SMALL, "--variant", "classic", "--out", "b")


def test_compare__says_which_differences_keep_clear_of_0():
    text = COMPARE.done("a", "b")
    assert text.startswith("A: a\nB: b\n")
    assert "3 players: A pinch, everyone plays greedy; B classic, everyone plays greedy" in flat(text)
    assert "Paired by deck: both runs have the seed 1" in flat(text)
    assert "The difference keeps clear of 0: " in flat(text) and "free_draws" in text
    assert "win_share[2]" in text and "start_player_" in text
    assert "…" not in text


def test_compare__of_one_run_with_itself():
    assert "No difference keeps clear of 0." in COMPARE.done("a", "a")


def test_compare__some_measures_of_independent_runs():
    SWEEP.done(*SMALL, "--seed", "9", "--out", "c")
    text = COMPARE.done("a", "c", "--measure", "turns", "--measure", "score")
    assert [line.split()[0] for line in text.splitlines() if "±" in line] == ["score[0]", "score[1]", "score[2]", "turns"]
    assert "Independent: the seeds are 1 and 9" in flat(text) and "--precision" not in text


def test_compare__of_a_run_that_was_looked_at():
    SWEEP.done(*SMALL, "--seed", "9", "--precision", "verdict", "--out", "c")
    for pair in (("a", "c"), ("c", "a")):
        assert "Nor do they allow for a run's having gone on until something was known" in flat(COMPARE.done(*pair))


def test_compare__mistakes():
    assert "'turn': not a measure that both runs have. Did you mean 'turns'?" in COMPARE.refused("a", "b", "--measure", "turn")
    assert "'none' is not the folder of a run" in COMPARE.refused("a", "none")
    assert "Missing argument 'RUN_B'" in COMPARE.refused("a")
    write("d/manifest.json", "{}")
    assert "is damaged or not of this version" in COMPARE.refused("a", "d")
    SWEEP.done(*SMALL[2:], "--players", "4", "--out", "e")
    assert "no cells in common" in COMPARE.refused("a", "e")
