"""Skill: levels, depth, traces and x %-chess where the answer is known."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from pinchsim.measure.metagame import PayoffTable, pair_compositions
from pinchsim.measure.ratings import fit_ratings
from pinchsim.measure.skill import (
    Spread,
    chess_percent,
    depth,
    distinguishable_levels,
    lottery_share,
    rating_spread,
    skill_trace,
    x_chess_spread,
)
from tests.measure.test_metagame import duel_table, luce_table


@pytest.mark.parametrize("players", [2, 4])
def test_distinguishable_levels__a_ladder_in_any_order(players):
    assert distinguishable_levels(luce_table([4, 1, 8, 2], players, error=0.002)) == ["b", "d", "a", "c"]
    rows = pair_compositions(4, players)
    assert distinguishable_levels(luce_table([4, 1, 8, 2], players, error=0.002, rows=rows)) == ["b", "d", "a", "c"]


def test_distinguishable_levels__what_noise_hides_is_one_level():
    found = distinguishable_levels(luce_table([1, 1.01, 4, 4.05], 3, error=0.02))
    assert len(found) == 2 and found[0] in "ab" and found[1] in "cd"
    assert len(distinguishable_levels(luce_table([1, 1, 1], 3, error=0.02))) == 1


def test_distinguishable_levels__circles_are_no_ladder():
    edges = 0.2 * np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert len(distinguishable_levels(duel_table(edges, error=0.001))) <= 3
    assert len(distinguishable_levels(duel_table(np.zeros((1, 1))))) == 1


def test_depth__counts_steps():
    found = depth(400 * math.log10(1.5) * 5, 10)
    assert found.step_elo == pytest.approx(70.4365, abs=1e-4) and found.steps == pytest.approx(5)
    assert found.high - found.steps == pytest.approx(1.959964 * 10 / 70.4365, abs=1e-5)
    assert depth(0, 0, 0.75).step_elo == pytest.approx(190.8485, abs=1e-4)
    assert depth(math.inf, math.inf) == (math.inf, -math.inf, math.inf, pytest.approx(70.4365, abs=1e-4))
    for share in (0.5, 1.0, 0.3):
        with pytest.raises(ValueError, match="more than half"):
            depth(100, 1, share)


def test_skill_trace__rows_and_diminishing_returns():
    found = skill_trace([10, 20, 40, 80], [0.45, 0.40, 0.35], [0.01, 0.01, 0.01], players=3)
    assert found.rows["edge"].to_list() == pytest.approx([0.45 - 1 / 3, 0.40 - 1 / 3, 0.35 - 1 / 3])
    assert found.rows["below"].to_list() == [10, 20, 40] and found.rows["doublings"].to_list() == pytest.approx([1, 1, 1])
    assert found.slope == pytest.approx(-0.05) and found.slope_error == pytest.approx(0.01 / math.sqrt(2))
    assert found.rows["share_high"][0] == pytest.approx(0.45 + 1.959964 * 0.01)


def test_skill_trace__larger_steps_count_by_doubling():
    found = skill_trace([1, 4, 8], [0.7, 0.6], [0.02, 0.01], players=2)
    assert found.rows["edge"].to_list() == pytest.approx([0.1, 0.1]) and found.slope == pytest.approx(0)
    assert (found.rows["edge_high"] - found.rows["edge"]).to_list() == pytest.approx([0.0195996, 0.0195996], abs=1e-6)


def test_skill_trace__slope_is_right_on_average():
    rng, efforts, errors = np.random.default_rng(3), 2.0 ** np.arange(6), np.array([0.01, 0.02, 0.01, 0.03, 0.02])
    truth = 0.6 - 0.015 * np.arange(5)
    runs = [skill_trace(efforts, truth + rng.normal(0, errors), errors, 2) for _ in range(500)]
    slopes = np.array([run.slope for run in runs])
    assert abs(slopes.mean() + 0.015) < 4 * runs[0].slope_error / math.sqrt(500)
    assert slopes.std() == pytest.approx(runs[0].slope_error, rel=4 / math.sqrt(1000))


@pytest.mark.parametrize(
    ("share", "error", "statement"),
    [
        (0.53, 0.01, "still rising"),
        (0.501, 0.003, "levelled off"),
        (0.51, 0.02, "undecided"),
        (0.45, 0.01, "falling"),
        (0.504, 0.001, "levelled off"),
    ],
)
def test_skill_trace__statement(share, error, statement):
    found = skill_trace([1, 2], [share], [error], players=2)
    assert found.statement == statement and math.isnan(found.slope)


@pytest.mark.parametrize(
    ("efforts", "shares", "errors", "message"),
    [
        ([1, 2], [0.5, 0.5], [0.1, 0.1], "one share"),
        ([1], [], [], "one share"),
        ([2, 1], [0.5], [0.1], "ascend"),
        ([0, 1], [0.5], [0.1], "positive"),
    ],
)
def test_skill_trace__refuses_what_is_none(efforts, shares, errors, message):
    with pytest.raises(ValueError, match=message):
        skill_trace(efforts, shares, errors, 2)


def test_rating_spread__noise_is_taken_off():
    rng, truth, error = np.random.default_rng(5), np.array([-200.0, -50, 0, 80, 170]), 40.0
    found = [rating_spread(truth + rng.normal(0, error, 5), error**2 * np.eye(5)) for _ in range(2000)]
    variances = np.array([spread.elo for spread in found]) ** 2
    assert abs(variances.mean() - truth.var()) < 4 * variances.std() / math.sqrt(2000)
    covered = np.mean([spread.low < truth.std() < spread.high for spread in found])
    assert 0.93 < covered < 0.98
    assert rating_spread(truth, np.zeros((5, 5))) == pytest.approx((truth.std(),) * 3)


def test_rating_spread__weights_are_a_population():
    elo = np.array([0.0, 100.0])
    assert rating_spread(elo, np.zeros((2, 2)), np.array([3, 1])).elo == pytest.approx(100 * math.sqrt(3 / 16))
    assert rating_spread(np.array([1.0, 2.0]), 100 * np.eye(2)).elo == 0  # all of it may be noise


def test_x_chess_spread__ends_and_order():
    spreads = [x_chess_spread(x, 200) for x in np.linspace(0, 1, 11)]
    assert spreads[0] == pytest.approx(0, abs=1e-9) and spreads[-1] == pytest.approx(200, abs=1e-6)
    assert (np.diff(spreads) > 0).all() and (np.diff(spreads, 2) > 0).all()
    # where differences are small, the logistic is a line and half the games are half the spread
    assert x_chess_spread(0.5, 1) == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize(("x", "chess"), [(0.25, 123.4), (0.5, 123.4), (0.5, 250), (0.8, 250)])
def test_x_chess_spread__is_what_ratings_of_such_games_have(x, chess):
    # 40 people at the quantiles of the normal law play each other: x of their games by rating, the others by coin.
    elo = chess * norm.ppf((np.arange(40) + 0.5) / 40)
    rows = pair_compositions(40, 2)
    members = [np.flatnonzero(row) for row in rows]
    shares = np.full(rows.shape, np.nan)
    for c, (a, b) in enumerate(members):
        shares[c, a] = x / (1 + 10 ** ((elo[b] - elo[a]) / 400)) + (1 - x) / 2
        shares[c, b] = 1 - shares[c, a]
    names = tuple(f"p{k}" for k in range(40))
    table = PayoffTable(names, 2, rows, shares, np.zeros((*rows.shape, 40)))
    found = fit_ratings(table, np.ones(len(rows)))
    assert found.elo.std() == pytest.approx(x_chess_spread(x, elo.std()), rel=0.02)


@pytest.mark.parametrize("x", [0.05, 0.3, 0.5, 0.95])
def test_chess_percent__turns_the_spread_around(x):
    spread = x_chess_spread(x, 180)
    found = chess_percent(Spread(spread, spread * 0.99, spread * 1.01), 180)
    assert found.percent == pytest.approx(100 * x, abs=1e-5) and found.low < found.percent < found.high


def test_chess_percent__verdict_needs_the_whole_interval():
    half = x_chess_spread(0.5, 180)
    assert chess_percent(Spread(half, half - 1, half + 1), 180).verdict == "undecided"
    assert chess_percent(Spread(half + 2, half + 1, half + 3), 180).verdict == "above 50 %-chess"
    assert chess_percent(Spread(half - 2, half - 3, half - 1), 180).verdict == "below 50 %-chess"
    assert chess_percent(Spread(300, 250, 350), 180)[:3] == (100, 100, 100)
    assert chess_percent(Spread(0, 0, 10), 180).low == pytest.approx(0)
    with pytest.raises(ValueError, match="share from 0 to 1"):
        x_chess_spread(1.5, 180)


@pytest.mark.parametrize("players", [2, 4])
def test_lottery_share__is_the_part_by_lot(players):
    for lots in (0.0, 0.3, 1.0):
        assert lottery_share((1 - lots) + lots / players, players) == pytest.approx(lots)
