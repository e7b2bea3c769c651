"""Equilibria: closed forms first, then that nobody gains by leaving whatever the table."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure.equilibrium import REGRET, _on_grid, _on_grids, edge_over_rest, nash, regret
from pinchsim.measure.metagame import compositions, pair_compositions
from tests.measure.test_metagame import duel_table, luce_table, random_tables, table_of

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
BIASED = np.array([[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]])
CROOKED = table_of(3, [[2, 1], [1, 2]], [[0.2, 0.6], [1, 0]])


def test_nash__rock_paper_scissors():
    found = nash(duel_table(0.3 * ROCK_PAPER_SCISSORS))
    np.testing.assert_allclose(found.chosen.mix, 1 / 3)
    assert found.statement == "the only equilibrium" and found.chosen.value == 0.5
    assert found.chosen.regret == pytest.approx(0, abs=1e-9) and found.chosen.entropy == pytest.approx(math.log(3))


def test_nash__biased_rock_paper_scissors():
    # Omidshafiei et al. 2019
    np.testing.assert_allclose(nash(duel_table(0.5 * BIASED)).chosen.mix, [1 / 16, 10 / 16, 5 / 16], atol=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nash__the_strongest_alone(players):
    found = nash(luce_table([1, 4, 2], players))
    assert found.chosen.mix.tolist() == [0, 1, 0] and found.chosen.support == ("b",) and len(found.found) == 1
    assert found.chosen.edges.tolist() == pytest.approx(
        [1 / (1 + 4 * (players - 1)) - 1 / players, 0, 2 / (2 + 4 * (players - 1)) - 1 / players]
    )


def test_nash__twins_share_evenly():
    edges = np.zeros((4, 4))  # two that are the same rock
    edges[np.ix_([0, 2, 3], [0, 2, 3])] = 0.3 * ROCK_PAPER_SCISSORS
    edges[1, 2:], edges[2:, 1] = edges[0, 2:], edges[2:, 0]
    found = nash(duel_table(edges))
    np.testing.assert_allclose(found.chosen.mix, [1 / 6, 1 / 6, 1 / 3, 1 / 3], atol=1e-5)
    assert len(found.found) == 3 and found.statement.startswith("several equilibria")
    assert max(e.regret for e in found.found) < 1e-7


def test_nash__all_alike():
    np.testing.assert_allclose(nash(duel_table(np.zeros((3, 3)))).chosen.mix, 1 / 3, atol=1e-6)


def test_nash__minority_game():
    # Who is alone wins all: (1 - p)^2 + p^2 / 3 = p^2 + (1 - p)^2 / 3.
    found = nash(table_of(3, [[2, 1], [1, 2]], [[0, 1], [1, 0]]))
    assert found.statement == "the only equilibrium found"
    np.testing.assert_allclose(found.chosen.mix, 0.5)


def test_nash__crooked_minority_game():
    # A lone a wins all, a lone b 0.6: p^2 / 3 + 0.4 p (1 - p) + (1 - p)^2 = 0.6 p^2 + (1 - p)^2 / 3, so p = 5/7.
    found = nash(CROOKED)
    np.testing.assert_allclose(found.chosen.mix, [5 / 7, 2 / 7], atol=1e-9)


def test_nash__majority_game_has_three():
    # Who is alone loses: both agreements, and the even mix, which is taken.
    found = nash(table_of(3, [[2, 1], [1, 2]], [[0.5, 0], [0, 0.5]]))
    assert sorted(e.mix[0].round(9) for e in found.found) == [0, 0.5, 1]
    assert found.chosen.mix.tolist() == pytest.approx([0.5, 0.5]) and found.statement.startswith("one of 3 equilibria found")


def cyclic_table(players, lead):
    """Rock, paper and scissors at one table: a beaten strategy at the table costs, one to beat pays."""
    counts = compositions(3, players)
    gain = counts @ (ROCK_PAPER_SCISSORS.T * lead / players)
    return table_of(players, counts, 1 / players + gain)


@pytest.mark.parametrize("players", [3, 4])
def test_nash__rock_paper_scissors_for_more(players):
    found = nash(cyclic_table(players, 0.2))
    np.testing.assert_allclose(found.chosen.mix, 1 / 3, atol=1e-9)


@given(random_tables())
@settings(max_examples=60)
def test_nash__nobody_gains_by_leaving(table):
    found = nash(table)
    assert found.chosen.regret < 1e-6
    for equilibrium in found.found:
        assert equilibrium.mix.sum() == pytest.approx(1) and (equilibrium.mix >= 0).all()
        used = equilibrium.mix > 1e-6
        np.testing.assert_allclose(equilibrium.payoffs[used], 1 / table.players, atol=1e-5)
        assert regret(table, equilibrium.mix) == pytest.approx(equilibrium.regret, abs=1e-12)


@given(random_tables(), st.integers(0, 100))
@settings(max_examples=20)
def test_nash__names_do_not_matter(table, seed):
    order = np.random.default_rng(seed).permutation(len(table.strategies))
    renamed = table_of(table.players, table.counts[:, order], table.shares[:, order])
    mix = np.empty(len(order))
    mix[order] = nash(renamed).chosen.mix
    assert regret(table, mix) == pytest.approx(nash(table).chosen.regret, abs=1e-6)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 1, 3]])
def test_nash__where_few_starts_lead_to_it(order):
    # One start in eight leads to it. Most lead to another root of the same support, where the fourth strategy gains.
    counts = compositions(4, 4)
    wins = np.random.default_rng(3).dirichlet(np.ones(4), len(counts)) * (counts > 0)
    shares = wins / wins.sum(axis=1, keepdims=True) / np.maximum(counts, 1)
    found = nash(table_of(4, counts[:, order], shares[:, order]))
    assert found.chosen.regret < 1e-9 and found.statement == "the only equilibrium found"
    np.testing.assert_allclose(found.chosen.mix, np.array([0.134206, 0.001658, 0, 0.864136])[order], atol=2e-6)


@given(random_tables(), st.integers(1, 300), st.integers(0, 2**32))
@settings(max_examples=60)
def test_grid__leaves_little_from_any_start(table, steps, seed):
    start = np.random.default_rng(seed).dirichlet(np.ones(len(table.strategies)))
    mix = _on_grid(table, start, steps)
    assert mix.sum() == pytest.approx(1) and (mix >= 0).all()
    assert regret(table, mix) <= 2 * table.players / steps


@given(random_tables(most_strategies=5, most_players=5))
@settings(max_examples=60)
def test_grids__find_an_equilibrium_of_any_table(table):
    assert regret(table, _on_grids(table)) <= REGRET


def test_grids__are_fine_enough_by_themselves(monkeypatch):
    monkeypatch.setattr("pinchsim.measure.equilibrium._least_regret", lambda _, start: start)
    assert regret(CROOKED, _on_grids(CROOKED)) <= REGRET
    monkeypatch.setattr("pinchsim.measure.equilibrium.GRIDS", (4, 16))
    assert REGRET < regret(CROOKED, _on_grids(CROOKED)) <= 2 * 3 / 16


def test_nash__is_the_same_again():
    table = cyclic_table(4, 0.2)
    assert nash(table).chosen.mix.tolist() == nash(table).chosen.mix.tolist()


def test_nash__needs_mixed_tables():
    with pytest.raises(ValueError, match="needs mixed tables.*not only one against 2"):
        nash(luce_table([1, 2, 4], 3, rows=pair_compositions(3, 3)))


def test_least_regret__finds_what_the_supports_would(monkeypatch):
    monkeypatch.setattr("pinchsim.measure.equilibrium._equal_mixes", lambda *_: [])
    found = nash(CROOKED)
    np.testing.assert_allclose(found.chosen.mix, [5 / 7, 2 / 7], atol=1e-4)


def test_edge_over_rest__what_the_best_adds():
    table = luce_table([1, 2, 4], 3)
    assert edge_over_rest(table, "c") == pytest.approx(4 / 8 - 1 / 3)
    assert edge_over_rest(table, "a") == pytest.approx(1 / 9 - 1 / 3)
    with pytest.raises(ValueError, match="alone"):
        edge_over_rest(luce_table([1], 3), "a")
