"""The three verdicts (METHODS M2.3), and that an interval at the very edge is not called what it is not."""

import math

import pytest

from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, games_for, games_to_decide, verdict


def test_verdict__three_words():
    assert (WITHIN, OUTSIDE, UNDECIDED) == ("within margin", "outside margin", "undecided")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.004, 0.006, WITHIN),
        (0.001, 0.009, WITHIN),  # clearly above 0, and still within: significance is not what is asked
        (-0.01, 0.01, WITHIN),  # the margin belongs to the margin
        (0.01, 0.01, WITHIN),
        (0.0, 0.0, WITHIN),
        (0.012, 0.018, OUTSIDE),
        (-0.018, -0.012, OUTSIDE),
        (math.nextafter(0.01, 1), 0.02, OUTSIDE),
        (-0.02, math.nextafter(-0.01, -1), OUTSIDE),
        (0.01, 0.02, UNDECIDED),  # touches the margin from outside
        (-0.02, -0.01, UNDECIDED),
        (0.009, 0.011, UNDECIDED),
        (-0.011, -0.009, UNDECIDED),
        (-0.01, math.nextafter(0.01, 1), UNDECIDED),
        (-0.02, 0.02, UNDECIDED),  # never "not significant, so balanced"
        (-math.inf, math.inf, UNDECIDED),
        (-math.inf, -0.02, OUTSIDE),
        (math.nan, math.nan, UNDECIDED),
        (math.nan, 0.0, UNDECIDED),
        (0.0, math.nan, UNDECIDED),
        (None, None, UNDECIDED),
        (None, 0.0, UNDECIDED),
        (0.0, None, UNDECIDED),
    ],
)
def test_verdict__of_an_interval(low, high, expected):
    assert verdict(low, high, 0.01) == expected


def test_verdict__no_margin_at_all():
    assert verdict(0.0, 0.0, 0.0) == WITHIN
    assert verdict(-0.1, 0.1, 0.0) == UNDECIDED
    assert verdict(0.1, 0.2, 0.0) == OUTSIDE


@pytest.mark.parametrize(("low", "high"), [(-0.3, 0.1), (0.05, 0.2), (0.12, 0.2), (-0.1, 0.1), (0.1, 0.3)])
def test_verdict__is_the_same_in_the_mirror(low, high):
    assert verdict(low, high, 0.1) == verdict(-high, -low, 0.1)


def test_games_for__a_half_width():
    assert games_for(0.5, 1.0, 100) == 400
    assert games_for(2.0, 1.0, 100) == 101, "at least one more"
    assert games_for(0.03, 1.0, 100) is None, "more than 1,000 times as many"
    assert games_for(0.0, 0.0, 100) is None
    assert games_for(math.nan, math.nan, 100) is None, "no interval"


def test_games_to_decide__the_nearer_side_of_the_margin():
    assert games_to_decide(0.02, 0.0, 0.04, 100, margin=0.01) == 400
    assert games_to_decide(-0.02, -0.04, 0.0, 100, margin=0.01) == 400
    assert games_to_decide(0.01, -0.01, 0.03, 100, margin=0.01) is None, "on the margin"
