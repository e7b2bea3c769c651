"""Bootstrap: the spread of what is linear is known exactly; the rest is deterministic, ordered and complete."""

import math

import numpy as np
import polars as pl
import pytest

from pinchsim.measure.equilibrium import nash
from pinchsim.measure.metagame_bootstrap import bootstrap, follow
from tests.measure.test_equilibrium import cyclic_table
from tests.measure.test_metagame import PayoffTable, duel_table, luce_table, noise, table_of

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def with_errors(table, error):
    return PayoffTable(
        table.strategies, table.players, table.counts, table.shares, np.array([noise(row, error) for row in table.counts])
    )


@pytest.mark.parametrize("table", [duel_table(0.1 * ROCK_PAPER_SCISSORS, 0.01), with_errors(cyclic_table(3, 0.2), 0.01)])
def test_bootstrap__edges_have_the_errors_of_payoffs(table):
    found = bootstrap(table, seed=1, replicates=400).filter(pl.col("measure") == "edge")
    half = (found["high"] - found["low"]).to_numpy() / 2
    expected = 1.96 * table.payoff_errors(nash(table).chosen.mix)
    np.testing.assert_allclose(half, expected, rtol=0.25)  # the quantiles of 400 draws are good to about 8 %
    np.testing.assert_allclose(found["estimate"], 0, atol=1e-9)


def test_bootstrap__rock_paper_scissors_holds_the_truth():
    found = bootstrap(duel_table(0.1 * ROCK_PAPER_SCISSORS, 0.01), seed=2, alphas=(1.0, 100.0))
    mass = found.filter(pl.col("measure") == "nash_mass")
    assert (mass["low"] < 1 / 3).all() and (mass["high"] > 1 / 3).all() and (mass["high"] - mass["low"] < 0.3).all()
    assert set(found["measure"]) == {"nash_mass", "edge", "best_edge", "alpha_rank_mass:1", "alpha_rank_mass:100"}
    assert (found["low"] <= found["high"]).all() and found.height == 4 * 3 + 1


def test_bootstrap__without_errors_nothing_moves():
    found = bootstrap(luce_table([1, 2, 4], 3), seed=3, replicates=5)
    np.testing.assert_allclose(found["low"], found["estimate"], atol=1e-12)
    np.testing.assert_allclose(found["high"], found["estimate"], atol=1e-12)


def test_bootstrap__same_seed_same_intervals():
    table = duel_table(0.1 * ROCK_PAPER_SCISSORS, 0.01)
    assert bootstrap(table, 5, 20).equals(bootstrap(table, 5, 20)) and not bootstrap(table, 5, 20).equals(
        bootstrap(table, 6, 20)
    )


def test_bootstrap__takes_given_draws():
    table = duel_table(0.1 * ROCK_PAPER_SCISSORS, 0.01)
    stronger = duel_table(0.1 * ROCK_PAPER_SCISSORS + [[0, 0.05, 0], [-0.05, 0, 0], [0, 0, 0]])
    draws = np.nan_to_num([stronger.shares] * 3)  # 0 for the absent, as others may have it
    found = bootstrap(table, draws=draws).filter(pl.col("measure") == "nash_mass")
    np.testing.assert_allclose(found["low"], nash(stronger).chosen.mix, atol=1e-9)
    np.testing.assert_allclose(found["low"], found["high"], atol=1e-12)


def test_follow__stays_with_its_equilibrium():
    table = table_of(3, [[2, 1], [1, 2]], [[0.5, 0], [0, 0.5]])  # agreements and the even mix
    drawn = table_of(3, [[2, 1], [1, 2]], [[0.49, 0.02], [0, 0.5]])
    for equilibrium in nash(table).found:
        np.testing.assert_allclose(follow(drawn, equilibrium), equilibrium.mix, atol=0.05)
    lone = table_of(3, [[2, 1], [1, 2]], [[0.2, 0.6], [1, 0]])  # here no agreement holds
    assert math.isclose(follow(lone, nash(table).found[1])[0], 5 / 7, abs_tol=1e-6)
