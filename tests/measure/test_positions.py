"""How far apart positions are: noise adds nothing, the interval holds the truth, and the test is a test."""

import math
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.moments import Moments, interval
from pinchsim.measure.positions import Reach, _reach, position_table
from pinchsim.measure.sequential import Evidence, Plan, confidence_sequence

RUNS = 400


def won(rng, shares, games):
    """Win shares of independent games, a deck each: float64[positions, games]."""
    winners = rng.choice(len(shares), size=games, p=shares)
    return (winners == np.arange(len(shares))[:, None]).astype(float)


def rows_of(values, span=None):
    """The rows of win shares, float64[positions, decks]."""
    moments = Moments.of(values, values)
    for p, (mean, error) in enumerate(zip(moments.mean, moments.standard_errors(), strict=True)):
        low, high = span(mean, error, moments.decks) if span else interval(mean, error, moments.decks, moments.games, True)
        yield {
            "variant": "pinch", "players": len(values), "line_up": "greedy", "measure": "win_share", "position": p,
            "unit": "share", "estimate": mean, "low": low, "high": high, "standard_error": error, "games": moments.games,
            "decks": moments.decks,
        }  # fmt: skip


def found(values, span=None):
    (row,) = table(list(rows_of(values, span))).to_dicts()
    return row


def table(rows):
    return position_table(SimpleNamespace(estimates=pl.DataFrame(rows)))


def many(shares, games, seed=1):
    rng = np.random.default_rng(seed)
    return pl.DataFrame([found(won(rng, shares, games)) for _ in range(RUNS)])


def root(shares):
    return math.sqrt(np.mean((np.array(shares) - 1 / len(shares)) ** 2))


def test_equal_positions__look_10_points_apart_and_are_not():
    """Four players and 100 games, as METHODS M2.5 has it."""
    seen = many([0.25] * 4, 100)
    assert seen["spread"].mean() == pytest.approx(0.10, abs=0.01)
    assert (seen["low"] == 0).mean() > 0.95 - 4 * math.sqrt(0.05 * 0.95 / RUNS)
    assert (seen["p_value"] <= 0.05).mean() <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / RUNS)
    assert (seen["deviation"] == 0).mean() > 0.4, "noise is taken off, and half of the time more than there was"
    assert seen["deviation"].mean() < 0.02 < seen["spread"].mean() / 4


@pytest.mark.parametrize("shares", [[0.4, 0.2, 0.2, 0.2], [0.3, 0.25, 0.25, 0.2], [0.26, 0.25, 0.25, 0.24], [0.6, 0.4]])
def test_unequal_positions__the_interval_holds_the_truth(shares):
    seen, truth = many(shares, 1000), root(shares)
    missed = (seen["low"] > truth).sum() + (seen["high"] < truth).sum()
    assert missed <= 0.05 * RUNS + 4 * math.sqrt(0.05 * 0.95 * RUNS)
    assert (seen["deviation"] ** 2).mean() == pytest.approx(truth**2, abs=3e-4)


def test_unequal_positions__are_found_out():
    seen = many([0.3, 0.25, 0.25, 0.2], 1000)
    assert (seen["p_value"] < 0.05).mean() > 0.9
    assert seen["furthest"].is_in([0, 3]).mean() > 0.95
    assert ((seen["p_value"] < 0.05) == (seen["low"] > 0)).mean() == 1, "test and interval are one"


def test_duel__both_shares_are_one_number():
    row = found(won(np.random.default_rng(2), [0.53, 0.47], 3000))
    (first, second) = rows_of(won(np.random.default_rng(2), [0.53, 0.47], 3000))
    assert row["low"] == pytest.approx(first["low"] - 0.5) and row["high"] == pytest.approx(first["high"] - 0.5)
    assert row["high"] == pytest.approx(0.5 - second["low"])
    assert row["spread"] == pytest.approx(first["estimate"] - second["estimate"])
    error = first["standard_error"]
    assert row["deviation"] == pytest.approx(math.sqrt((first["estimate"] - 0.5) ** 2 - error**2))
    assert row["p_value"] == pytest.approx(math.erfc(abs(first["estimate"] - 0.5) / error / math.sqrt(2)))


def test_by_hand__three_positions():
    """The first surely has 0.1 to 0.2 more than is fair: at best the others lack half of 0.1 each."""
    low, high = _reach([Reach(0.1, 0.2), Reach(-0.2, 0.0), Reach(-0.2, 0.0)])
    assert low == pytest.approx(math.sqrt((0.1**2 + 2 * 0.05**2) / 3))
    assert high == pytest.approx(math.sqrt((0.2**2 + 0.2**2) / 3)), "at worst one of them lacks all"


@given(
    st.lists(st.floats(-0.2, 0.4), min_size=2, max_size=5), st.lists(st.floats(0.001, 0.2), min_size=5, max_size=5),
    st.integers(0, 2**32),
)  # fmt: skip
def test_reach__of_all_that_lie_in_the_box(middles, halves, seed):
    middles = np.array(middles) - np.mean(middles)
    box = [Reach(x - half, x + half) for x, half in zip(middles, halves, strict=False)]
    low, high = _reach(box)
    steps = np.random.default_rng(seed).uniform(-1, 1, (200, len(box))) * [reach.high - reach.low for reach in box]
    tried = middles + steps - steps.mean(axis=1, keepdims=True)
    inside = [x for x in tried if all(reach.low <= value <= reach.high for value, reach in zip(x, box, strict=True))]
    for x in [middles, *inside]:
        assert low - 1e-9 <= math.sqrt(np.mean(np.square(x))) <= high + 1e-9


def test_looked_at__the_interval_and_the_test_allow_for_it():
    """In a run that stopped for a verdict they follow from its own intervals."""
    values = won(np.random.default_rng(3), [0.28, 0.24, 0.24, 0.24], 2000)
    plan = Plan(tightest=2000)
    plain, looked = found(values), found(values, lambda mean, error, n: confidence_sequence(plan, Evidence(n, mean, error)))
    assert looked["low"] < plain["low"] < plain["deviation"] == looked["deviation"] < plain["high"] < looked["high"]
    assert looked["p_value"] > plain["p_value"]


def test_no_interval__from_a_single_deck_or_before_the_first_look():
    row = found(won(np.random.default_rng(3), [0.25] * 4, 1))
    assert all(math.isnan(row[name]) for name in ("deviation", "low", "high")) and row["p_value"] == 1
    row = found(won(np.random.default_rng(3), [0.25] * 4, 50), lambda mean, error, n: (math.nan, math.nan))
    assert all(math.isnan(row[name]) for name in ("low", "high")) and row["p_value"] == 1 and row["spread"] > 0


def test_one_row_for_each_cell():
    rows = [row | {"variant": name} for name in ("b", "a") for row in rows_of(won(np.random.default_rng(3), [0.5, 0.5], 50))]
    assert table(rows[::-1])["variant"].to_list() == ["a", "b"]
    assert table(rows).height == 2 and table(rows)["games"].to_list() == [50, 50]
