"""Quantiles: the value itself, and intervals that cover whatever the decks have in common."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.quantiles import quantile_interval


def test_quantile_interval__by_hand():
    """1000 decks of one game with the values 1 to 1000: the median is 500.

    The share of games up to v has the half-width 1.96 sqrt(0.25 / 999), 3.1 pp around the middle.
    """
    estimate, low, high = quantile_interval(np.arange(1000, 0, -1), 1, 0.5)
    assert estimate == 500
    assert low == pytest.approx(500 - 31, abs=1)
    assert high == pytest.approx(500 + 31, abs=1)


def test_quantile_interval__is_a_value_that_occurred():
    assert quantile_interval(np.repeat([3, 8], 500), 1, 0.5)[0] == 3
    assert quantile_interval(np.repeat([3, 8, 8], 500), 1, 0.5) == (8, 8, 8), "all 3s are surely too few"


def test_quantile_interval__few_games_bound_no_outer_quantile():
    estimate, low, high = quantile_interval(np.arange(1, 41), 1, 0.95)
    assert estimate == 38
    assert low < 38 and math.isnan(high)
    estimate, low, high = quantile_interval(np.arange(1, 41), 1, 0.05)
    assert estimate == 2
    assert math.isnan(low) and high > 2


def test_quantile_interval__of_a_single_deck_is_open():
    estimate, low, high = quantile_interval(np.array([5, 6, 9]), 3, 0.5)
    assert estimate == 6
    assert math.isnan(low) and math.isnan(high)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=60), st.sampled_from([0.05, 0.5, 0.95]))
def test_quantile_interval__holds_the_estimate(x, p):
    estimate, low, high = quantile_interval(np.array(x), 1, p)
    assert estimate in x
    assert math.isnan(low) or low <= estimate
    assert math.isnan(high) or estimate <= high
    shifted = quantile_interval(np.array(x) * 2 + 7, 1, p)
    assert shifted == pytest.approx([2 * v + 7 for v in (estimate, low, high)], nan_ok=True), "any scale will do"


@pytest.mark.parametrize("p", [0.05, 0.5, 0.95])
def test_quantile_interval__covers_with_games_that_are_alike(p):
    """Three games a deck that differ little: whole numbers, so the interval may cover more often than 95 %."""
    rng = np.random.default_rng(2)

    def draw(decks):
        return np.rint(30 + 6 * np.repeat(rng.normal(size=decks), 3) + 2 * rng.normal(size=3 * decks))

    true = np.quantile(draw(400_000), p, method="inverted_cdf")
    runs = 300
    ends = np.array([quantile_interval(draw(300), 3, p)[1:] for _ in range(runs)])
    hits = (ends[:, 0] <= true) & (true <= ends[:, 1])
    assert hits.mean() > 0.95 - 3.5 * math.sqrt(0.95 * 0.05 / runs)
    assert (ends[:, 1] - ends[:, 0]).mean() < 5, "and is not just wide"
