"""What a skill report says, where the answer is known."""

import math

import numpy as np
import pytest

from pinchsim.games.seam import Level
from pinchsim.measure.skill_report import (
    Found,
    Step,
    judge_levels,
    levels_frame,
    measures_frame,
    rating_of,
    surely,
)
from pinchsim.measure.tournament_analysis import rate
from tests.measure.test_tournament import luce, played

LEVELS = [Level("a", credible=False), Level("b"), Level("c")]


def test_judge_levels__one_group_is_a_tournament():
    """With a single group of decks ratings and errors are those of a tournament of pairs."""
    shares = played(luce(1, 2, 4), decks=2000, pairs=True)
    mine, theirs = judge_levels([shares], LEVELS), rate(shares)
    for one in "abc":
        for other in "abc":
            assert mine.ratings.difference(one, other) == pytest.approx(theirs.difference(one, other), abs=1e-6)
    assert mine.reference == 1 and mine.ratings.elo[1] == pytest.approx(0)
    assert mine.chain == ["a", "b", "c"] and mine.chess is None


def test_judge_levels__groups_with_other_strategies_and_decks():
    """A slow level that met the others on few decks is rated with them, and less sharply."""
    whole = played(luce(1, 2, 4), decks=800, pairs=True)
    quick = played(luce(1, 2), ("a", "b"), decks=800, pairs=True)
    few = played(luce(1, 2, 4), decks=50, pairs=True, seed=3)
    rows = (few.counts[:, 2] > 0) & (few.games > 0)
    slow = few.__class__(
        few.variant, few.strategies, 3, few.counts[rows], few.blocks[:, rows], few.sizes, few.games[rows], few.orders[rows]
    )
    both, all_alike = judge_levels([quick, slow], LEVELS), judge_levels([whole], LEVELS)
    assert both.tables == 6 and both.decks == [50, 800]
    assert abs(both.ratings.elo[2] - 400 * math.log10(2)) < 2 * both.halves[2]
    assert 2 < both.halves[2] / all_alike.halves[2] < 8
    assert both.above[1].decks == 800 and both.above[2].decks == 50


def test_judge_levels__chess_only_when_asked_and_bounded():
    shares = played(luce(1, 2, 4), decks=400, pairs=True)
    found = judge_levels([shares], LEVELS, 123.4)
    assert found.chess.percent == pytest.approx(100, abs=30) or found.chess.percent > 0
    frame = measures_frame(found)
    assert "123.4" in frame.filter(measure="x_chess")["assumption"][0]
    assert "x_chess" not in measures_frame(judge_levels([shares], LEVELS))["measure"].to_list()
    unbounded = judge_levels([played(luce(1e-9, 1e-9, 1), decks=40, pairs=True)], LEVELS, 123.4)
    assert unbounded.chess is None and math.isinf(unbounded.depths[0].steps)


def test_judge_levels__a_single_deck_says_nothing_for_sure():
    found = judge_levels([played(luce(1, 2, 4), decks=1, pairs=True)], LEVELS)
    assert len(found.chain) == 1
    assert levels_frame(found)["low"].null_count() >= 2


def test_surely__holm():
    """Of 20 fair shares one interval leaves a fair share out by chance; the family as a whole does not."""
    edge = Found(0.27, 0.251, 0.289, 400, 100)
    fair = Found(0.25, 0.23, 0.27, 400, 100)
    assert surely([edge], 4, 1) == [True]
    assert surely([edge] + [fair] * 19, 4, 1) == [False] * 20
    assert surely([None, Found(0.1, 0.08, 0.12, 400, 100), Found(0.1, math.nan, math.nan, 4, 1)], 4, -1) == [False, True, False]


def test_step__doublings():
    assert Step("b", "a", 50, 25).is_doubling
    assert not Step("b", "a", 25, 0).is_doubling and not Step("b", "a", math.inf, 2).is_doubling


def test_rating_of__luce():
    for players in (2, 4):
        for elo in (-300.0, 0.0, 250.0):
            gamma = 10 ** (elo / 400)
            assert rating_of(gamma / (gamma + players - 1), players) == pytest.approx(elo)
    assert rating_of(0, 3) == -math.inf and rating_of(1, 3) == math.inf and np.isnan(rating_of(math.nan, 3))
