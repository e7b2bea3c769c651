"""Ratings: exact where the model is, equal to Hunter's algorithm elsewhere, and with errors that cover."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure.metagame import PayoffTable, compositions, pair_compositions
from pinchsim.measure.ratings import fit_ratings
from tests.measure.test_metagame import duel_table, luce_table, random_tables, table_of

STRENGTHS = np.array([1.0, 2.0, 5.0, 0.3])


def test_fit_ratings__ten_to_one_is_400_points():
    found = fit_ratings(duel_table([[0, 10 / 11 - 0.5], [0.5 - 10 / 11, 0]]), np.ones(3), reference="b")
    assert found.elo.tolist() == pytest.approx([400, 0], abs=1e-9) and found.errors.tolist() == [0, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rows", [compositions, pair_compositions])
def test_fit_ratings__recovers_strengths_exactly(players, rows):
    table = luce_table(STRENGTHS, players, rows=rows(4, players))
    found = fit_ratings(table, np.arange(1.0, len(table.counts) + 1))
    expected = 400 * np.log10(STRENGTHS)
    np.testing.assert_allclose(found.elo, expected - expected.mean(), atol=1e-6)
    assert found.is_bounded and found.reference is None
    assert abs(found.largest_residual.residual_pp) < 1e-6
    np.testing.assert_allclose(found.expected(table.counts), table.shares, atol=1e-9)


def hunter(table, games):
    """Minorization-maximization of Hunter (2004): strength = wins / sum over tables of players / strength of the table."""
    strength = np.ones(len(table.strategies))
    wins = games @ (table.counts * np.nan_to_num(table.shares))
    for _ in range(20_000):
        new = wins / ((games / (table.counts @ strength)) @ table.counts)
        new /= np.exp(np.log(new).mean())
        if np.abs(new - strength).max() < 1e-13:
            break
        strength = new
    return 400 * np.log10(strength)


@given(random_tables(), st.integers(0, 2**32))
@settings(max_examples=25)
def test_fit_ratings__agrees_with_hunters_algorithm(table, seed):
    games = np.random.default_rng(seed).integers(1, 50, len(table.counts)).astype(float)
    np.testing.assert_allclose(fit_ratings(table, games).elo, hunter(table, games), atol=1e-3)


def test_fit_ratings__reference_only_moves_the_origin():
    table, games = luce_table(STRENGTHS, 3, error=0.01), np.full(20, 100.0)
    mean, anchored = fit_ratings(table, games), fit_ratings(table, games, reference="c")
    np.testing.assert_allclose(anchored.elo, mean.elo - mean.elo[2], atol=1e-9)
    assert anchored.elo[2] == 0 and anchored.errors[2] == pytest.approx(0, abs=1e-9)
    assert anchored.difference("a", "b") == pytest.approx(mean.difference("a", "b"))
    assert anchored.errors[0] == pytest.approx(mean.difference("a", "c")[1])


def play(rng, decks, repeats, players=3):
    """A payoff table from decks whose games all have the same winner `repeats` times over, clustered by deck."""
    counts = np.array([row for row in compositions(4, players).tolist() if max(row) < players])
    shares, covariance = np.full(counts.shape, np.nan), np.zeros((*counts.shape, 4))
    for c, row in enumerate(counts):
        chances = row * STRENGTHS / (row @ STRENGTHS)
        wins = rng.multinomial(1, chances, size=decks) / np.maximum(row, 1)
        shares[c] = np.where(row > 0, wins.mean(axis=0), np.nan)
        covariance[c] = np.cov(wins, rowvar=False) / decks
    return PayoffTable(tuple("abcd"), players, counts, shares, covariance), np.full(len(counts), float(decks * repeats))


@pytest.mark.parametrize("repeats", [1, 10])
def test_fit_ratings__errors_cover_the_truth(repeats):
    # Ten copies of each game must not make it surer. 300 runs of 3 differences: squared deviations average 1.
    rng, truth = np.random.default_rng(11), 400 * np.log10(STRENGTHS / STRENGTHS[0])
    squares = []
    for _ in range(300):
        found = fit_ratings(*play(rng, 150, repeats), reference="a")
        squares.append(((found.elo - truth)[1:] / found.errors[1:]) ** 2)
    squares = np.array(squares)
    # the three differences share their reference, so count the runs, not the differences
    assert abs(squares.mean() - 1) < 4 * math.sqrt(2 / 300)
    assert 0.92 < (squares < 1.96**2).mean() < 0.98


def test_fit_ratings__draws_give_the_same_errors_where_tables_are_independent():
    table, games = luce_table(STRENGTHS, 3, error=0.01), np.full(20, 100.0)
    rng = np.random.default_rng(12)
    draws = np.array([table.resampled(rng).shares for _ in range(3000)])
    np.testing.assert_allclose(
        fit_ratings(table, games, draws=draws).errors, fit_ratings(table, games).errors, rtol=5 / math.sqrt(6000)
    )
    refits = [
        fit_ratings(PayoffTable(table.strategies, 3, table.counts, shares, table.covariance), games).elo
        for shares in draws[:400]
    ]
    np.testing.assert_allclose(np.std(refits, axis=0), fit_ratings(table, games).errors, rtol=5 / math.sqrt(800))


def test_fit_ratings__whoever_always_wins_is_finite_and_flagged():
    table = table_of(2, [[1, 1, 0], [0, 1, 1], [1, 0, 1]], [[0, 1, 0], [0, 0.9, 0.1], [0.2, 0, 0.8]])
    assert fit_ratings(table, np.full(3, 100.0)).is_bounded
    table = table_of(2, [[1, 1, 0], [0, 1, 1], [1, 0, 1]], [[0.3, 0.7, 0], [0, 0, 1], [0, 0, 1]])
    few, many = (fit_ratings(table, np.full(3, games)) for games in (100.0, 10_000.0))
    assert few.tiers.tolist() == [0, 0, 1] and not few.is_bounded
    assert np.isfinite(few.elo).all() and few.elo[2] > few.elo[1] + 400
    assert many.elo[2] > few.elo[2]  # more games without a loss, and no end to it
    assert few.difference("c", "a") == (math.inf, math.inf) and few.difference("a", "c") == (-math.inf, math.inf)
    assert few.difference("b", "a")[0] == pytest.approx(400 * math.log10(7 / 3), abs=3)  # the prior weighs 1 game in 100


def test_fit_ratings__chain_of_certain_wins():
    table = table_of(2, [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]])
    found = fit_ratings(table, np.full(2, 1000.0))
    assert found.tiers.tolist() == [2, 1, 0] and (np.diff(found.elo) < 0).all()


def test_fit_ratings__residual_tells_of_circles():
    rock_paper_scissors = 0.2 * np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    found = fit_ratings(duel_table(rock_paper_scissors, error=0.01), np.ones(6))
    np.testing.assert_allclose(found.elo, 0, atol=1e-9)
    worst = found.largest_residual
    assert abs(worst.residual_pp) == pytest.approx(20) and worst.fitted == pytest.approx(0.5)
    assert set(worst.table.values()) == {1} and worst.strategy in worst.table
    assert worst.error_pp == pytest.approx(100 * 0.01 / math.sqrt(2))


def test_fit_ratings__refuses_what_cannot_be_rated():
    apart = table_of(2, [[1, 1, 0, 0], [0, 0, 1, 1]], [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    with pytest.raises(ValueError, match="never met"):
        fit_ratings(apart, np.ones(2))
    with pytest.raises(ValueError, match="how many were played at each of 2 tables"):
        fit_ratings(apart, np.ones(3))
    with pytest.raises(ValueError, match="Known: a, b"):
        fit_ratings(duel_table(np.zeros((2, 2))), np.ones(3), reference="z")


def test_fit_ratings__unknown_errors_stay_unknown():
    table = PayoffTable(("a", "b"), 2, [[1, 1]], [[0.6, 0.4]], np.full((1, 2, 2), np.nan))
    assert np.isnan(fit_ratings(table, np.ones(1)).covariance).all()
