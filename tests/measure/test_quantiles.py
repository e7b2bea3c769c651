"""Quantiles: the value itself, and intervals that cover whatever the decks have in common."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure import quantiles
from pinchsim.measure.moments import Moments, deck_average, interval
from pinchsim.measure.quantiles import Distribution


def quantile_interval(x, rotations, p, parts=1):
    """The quantile of values that come in so many parts."""
    found = Distribution(rotations)
    for decks in np.array_split(x.reshape(-1, rotations), parts):
        found.add(decks.reshape(-1))
    return quantiles.quantile_interval(found, p)


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
@settings(deadline=None)  # a busy machine
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


def plainly(x, rotations, p):
    """The definition, on all values at once: numpy's quantile, and Woodruff's interval value by value."""
    values, decks = np.unique(x), x.size // rotations
    spans = []
    for value in values:
        reached = (x <= value)[None].astype(np.float64)
        moments = Moments.of(reached, deck_average(reached, rotations))
        spans.append(interval(float(moments.mean[0]), float(moments.standard_errors()[0]), decks, x.size, True))
    low = next(value for value, span in zip(values, spans, strict=True) if span[1] >= p)
    high = next((value for value, span in zip(values, spans, strict=True) if span[0] >= p), math.nan)
    may_be_lower = interval(0.0, 0.0, decks, x.size, True)[1] >= p
    return float(np.quantile(x, p, method="inverted_cdf")), math.nan if may_be_lower else low, high


@given(
    st.integers(1, 5),
    st.integers(2, 200),
    st.sampled_from([0.05, 0.25, 0.5, 0.95]),
    st.integers(1, 4),
    st.sampled_from([3, 30, 1000, 100_000]),
    st.integers(0, 2**32),
)
@settings(deadline=None)  # a busy machine
def test_quantile_interval__is_what_all_values_at_once_say(rotations, decks, p, parts, spread, seed):
    """To the same bits, whatever the parts, and whether the codes of the values are small or large."""
    x = np.random.default_rng(seed).integers(0, spread, rotations * decks) / 7
    found, expected = quantile_interval(x, rotations, p, parts), plainly(x, rotations, p)
    assert np.array_equal(found, expected, equal_nan=True)


def test_distribution__values_of_a_later_part_in_between():
    """The codes of a part are its own until all values are known."""
    found = Distribution(1)
    for part in ([10.0, 30.0, 30.0], [20.0, 10.0], [5.0]):
        found.add(np.array(part))
    assert found.values.tolist() == [5, 10, 20, 30]
    assert found.codes.tolist() == [[1, 3, 3, 2, 1, 0]]
    assert found.codes.dtype == np.uint8, "as small as can be"
    assert (found.reached.tolist(), found.games) == ([1, 3, 4, 6], 6)


def test_distribution__many_values_need_larger_codes():
    found = Distribution(2)
    found.add(np.arange(200))
    found.add(np.arange(100, 300))
    assert found.codes.dtype == np.uint16
    assert found.values[found.codes].T.reshape(-1).tolist() == [*range(200), *range(100, 300)]
