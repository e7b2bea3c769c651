"""Length by hand: turns, rounds, decisions and minutes, and what lies outside a band."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.length import DECISIONS, Decision, length, with_seconds
from tests.measure.made import made, rows_of, values_of

TWO = made(
    turns=[10, 21],
    pinches_made=[[2, 1, 0], [4, 0, 1]],
    takes=[[1, 1, 0], [2, 0, 1]],
    shadow_pinches=[[0, 0, 0], [0, 0, 1]],
    drawn_market=[[1, 2, 3], [4, 5, 6]],
    drawn_pile=[[0, 0, 1], [1, 1, 1]],
    passes=[[1, 0, 1], [0, 0, 0]],
)


def test_length__by_hand():
    """Game 1: 10 plays, 3 groups pinched and 1 left, 7 draws, 2 passes. Game 2: 21, 5, 2, 1 of the shadow, 18, 0."""
    found = values_of(length(TWO))
    assert found["turns"] == 15.5
    assert found["rounds"] == pytest.approx(15.5 / 3)
    assert (found["turns:q05"], found["turns:q50"], found["turns:q95"]) == (10, 10, 21)
    assert found["rounds:q95"] == 7
    assert found["decisions"] == (23 + 47) / 2
    assert found["decisions:take back or discard"] == (1 + 2) / 2
    seconds = (100 + 3 * 4 + 4 + 7 * 3 + 2, 210 + 5 * 4 + 2 * 4 + 3 + 18 * 3)
    assert found["minutes"] == pytest.approx(sum(seconds) / 2 / 60)
    assert found["minutes:q95"] == pytest.approx(seconds[1] / 60)


def test_length__other_seconds():
    found = values_of(length(TWO, with_seconds({"play": 60}, [DECISIONS[0]])))
    assert found["minutes"] == pytest.approx(15.5)
    assert found["decisions"] == 15.5


def test_with_seconds__unknown_kind():
    with pytest.raises(ValueError, match="'plays' is not a kind of decision; known: play, take or leave"):
        with_seconds({"plays": 3})


def test_length__without_decisions_there_are_no_minutes():
    """Rows of sessions count turns only."""
    found = values_of(length(made(turns=[10, 21], score=[[1, 2], [3, 4]]), ()))
    assert set(found) == {f"{name}{q}" for name in ("turns", "rounds") for q in ("", ":q05", ":q50", ":q95")}
    with pytest.raises(ValueError, match="no column 'pinches_made'"):
        length(made(turns=[10, 21], score=[[1, 2], [3, 4]]))


def test_length__outside_a_band():
    """Limits are inside."""
    sample = made(turns=[4, 5, 9, 10, 11, 40, 41, 50], score=[[0, 0]] * 8)
    found = rows_of(length(sample, (), {"turns": (5, 40), "rounds": (2.5, 100)}))
    assert found["too_short:turns", -1]["estimate"] == 1 / 8
    assert found["too_long:turns", -1]["estimate"] == 2 / 8
    assert found["outside:turns", -1]["estimate"] == 3 / 8
    assert found["outside:rounds", -1]["estimate"] == 1 / 8
    assert found["too_long:rounds", -1]["high"] > 0.2, "eight games without one prove little"


def test_length__band_of_something_else():
    with pytest.raises(ValueError, match="a band of 'hours' can't be judged; known: turns, rounds"):
        length(made(turns=[3], score=[[0, 0]]), (), {"hours": (0, 1)})


@given(st.lists(st.integers(1, 90), min_size=2, max_size=20), st.floats(0.5, 30))
def test_length__minutes_are_linear_in_the_seconds(turns, seconds):
    sample = made(turns=turns, score=[[0, 0]] * len(turns))
    found = values_of(length(sample, [Decision("play", {"turns": 1}, seconds)]))
    for q in ("", ":q05", ":q50", ":q95"):
        assert found[f"minutes{q}"] == pytest.approx(found[f"turns{q}"] * seconds / 60)
