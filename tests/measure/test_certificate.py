"""Judging lines: three verdicts from intervals that hold for a family at once, and how many games would decide."""

import math

import pytest

from pinchsim.measure.certificate import FAIL, FAILS, PASS, PASSES, UNDECIDED, judge, together
from pinchsim.measure.judgeable import ANY, SHARE, Bounds
from pinchsim.measure.moments import interval, quantile, wilson

INF = math.inf
ADVANTAGE = Bounds(-0.25, 0.75, True)


def row(estimate, half, games=10_000, decks=2_500):
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half, "games": games, "decks": decks}


@pytest.mark.parametrize(
    ("estimate", "half", "low", "high", "verdict"),
    [
        (0.0, 0.01, -0.01, 0.01, PASS),  # limits are included
        (0.0, 0.011, -0.01, 0.01, UNDECIDED),
        (0.03, 0.01, -0.01, 0.01, FAIL),
        (-0.03, 0.01, -0.01, 0.01, FAIL),
        (0.02, 0.01, -0.01, 0.01, UNDECIDED),  # touches the limit
        (0.0, 0.5, -0.01, 0.01, UNDECIDED),
        (5.0, 1.0, -INF, 6.0, PASS),
        (5.0, 1.0, 6.5, INF, FAIL),
        (5.0, 1.0, 4.5, INF, UNDECIDED),
    ],
)
def test_judge__alone(estimate, half, low, high, verdict):
    assert judge(row(estimate, half), low, high, ANY, 1).verdict == verdict


def test_judge__in_a_family_the_interval_is_wider():
    alone, one_of_ten = (judge(row(0.0, 0.01), -0.012, 0.012, ADVANTAGE, family) for family in (1, 10))
    assert (alone.verdict, one_of_ten.verdict) == (PASS, UNDECIDED)
    assert one_of_ten.span.high == pytest.approx(0.01 * quantile(2_500, 10) / quantile(2_500))


@pytest.mark.parametrize("family", [2, 8, 50])
@pytest.mark.parametrize(("share", "decks"), [(0.0, 1_000), (0.0005, 1_000), (0.002, 1_000), (0.2, 8), (0.5, 20), (0.9, 5)])
def test_judge__the_interval_of_a_rare_share_is_no_shorter_than_its_own_for_the_family(share, decks, family):
    """Wilson's interval computed with the family's quantile is the measure of it; few decks have their own quantile."""
    games, error = 4 * decks, math.sqrt(share * (1 - share) / (4 * decks))
    low, high = interval(share, error, decks, games, True)
    found = judge({"estimate": share, "low": low, "high": high, "games": games, "decks": decks}, 0.1, INF, SHARE, family).span
    wide_low, wide_high = wilson(share, games if error else decks, quantile(decks, family))
    assert found.low <= wide_low + 1e-9 and found.high >= wide_high - 1e-9
    assert found.low >= 0 and found.high <= 1


def test_judge__an_interval_never_leaves_what_is_possible():
    """A limit at the end of what is possible is kept by itself."""
    seldom = {"estimate": 0.0, "low": 0.0, "high": 0.001, "games": 10_000, "decks": 2_500}
    assert judge(seldom, 0.0, 0.1, SHARE, 20).verdict == PASS


def test_judge__how_many_games_would_decide():
    inside = judge(row(0.0, 0.02), -0.01, 0.01, ADVANTAGE, 1)
    assert (inside.verdict, inside.needed) == (UNDECIDED, 40_000)
    beyond = judge(row(0.02, 0.02), -0.01, 0.01, ADVANTAGE, 1)
    assert (beyond.verdict, beyond.needed) == (UNDECIDED, 40_000)
    assert judge(row(0.01, 0.02), -0.01, 0.01, ADVANTAGE, 1).needed is None, "on the limit: no number decides"
    assert judge(row(0.0, 0.01), -0.01, 0.01, ADVANTAGE, 1).needed is None, "decided"


def test_judge__how_many_games_looks_at_the_arm_towards_the_limit():
    lopsided = {"estimate": 0.0, "low": 0.0, "high": 0.0012, "games": 10_000, "decks": 2_500}
    needed = judge(lopsided, -INF, 0.001, SHARE, 1).needed
    assert needed is not None and 14_000 <= needed <= 15_000


def test_judge__without_an_interval():
    single = row(0.0, math.nan, games=4, decks=1)
    found = judge(single, -0.5, 0.5, ADVANTAGE, 3)
    assert (found.verdict, found.needed) == (UNDECIDED, None)
    nothing = {"estimate": None, "low": None, "high": None, "games": 0, "decks": 0}
    assert judge(nothing, -0.5, 0.5, SHARE, 3).verdict == UNDECIDED


def test_judge__a_single_deck_proves_nothing():
    same = {"estimate": 0.5, "low": 0.5, "high": 0.5, "games": 4, "decks": 1}
    assert judge(same, 0.0, 0.9, SHARE, 1).verdict == UNDECIDED


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([PASS, PASS], PASSES),
        ([PASS, UNDECIDED], UNDECIDED),
        ([PASS, FAIL, UNDECIDED], FAILS),
        ([], UNDECIDED),
    ],
)
def test_together(verdicts, whole):
    assert together(verdicts) == whole
