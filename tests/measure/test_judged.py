"""Judging against limits: the same three verdicts as for fairness, with the games that would decide."""

import math

import pytest

from pinchsim.measure.judged import Limits, judged, open_limits
from pinchsim.measure.ladder import ABOVE, BELOW, CHANGES, HOLDS, robust
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN

WISHED = Limits(0.3, 0.7)


def row(estimate, half=0.02, games=1000):
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half, "games": games, "decks": games // 4}


@pytest.mark.parametrize(
    ("estimate", "found"),
    [
        (0.5, (WITHIN, None)),
        (0.33, (WITHIN, None)),
        (0.31, (UNDECIDED, None)),
        (0.69, (UNDECIDED, None)),
        (0.75, (OUTSIDE, ABOVE)),
        (0.2, (OUTSIDE, BELOW)),
    ],
)
def test_judged__where_the_interval_lies(estimate, found):
    assert judged(row(estimate), WISHED).judge(1.0) == found


def test_judged__with_a_longer_interval_is_more_careful():
    answer = judged(row(0.5, 0.11), WISHED)
    assert [answer.judge(factor)[0] for factor in (1.0, 2.0)] == [WITHIN, UNDECIDED]


def test_judged__games_that_would_decide():
    assert judged(row(0.69), WISHED).needed() == 4000, "half the width, a quarter of the error"
    assert judged(row(0.7), WISHED).needed() is None


def test_judged__without_an_interval_nothing_is_decided():
    answer = judged(row(0.5) | {"low": None, "high": math.nan}, WISHED)
    assert answer.judge(1.0) == (UNDECIDED, None)


def test_judged__levels_that_agree_and_that_do_not():
    inside, above = judged(row(0.5), WISHED), judged(row(0.9), WISHED)
    assert robust([inside, inside]) == HOLDS
    assert robust([inside, above]) == CHANGES
    assert robust([inside, None]) == UNDECIDED


@pytest.mark.parametrize(("players", "ends"), [(2, (0.55, 5 / 6)), (4, (0.325, 0.75)), (5, (0.28, 11 / 15))])
def test_open_limits(players, ends):
    assert open_limits(players) == pytest.approx(ends)
