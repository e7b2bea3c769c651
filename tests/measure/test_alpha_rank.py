"""Alpha-rank: published numbers, closed forms, and a twin that multiplies probabilities where ours adds logarithms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure.alpha_rank import (
    ALPHAS,
    alpha_rank,
    limit,
    log_fixation,
    matrix_payoffs,
    rank_pairs,
    rank_populations,
    stationary,
    sweep,
)
from pinchsim.measure.metagame import pair_compositions
from tests.measure.test_metagame import duel_table, luce_table, random_tables, table_of

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
BIASED = np.array([[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]])  # the paper's


def test_rank_pairs__published_five_strategies():
    # Han et al. 2013 on commitments, as the example of the authors' own implementation (OpenSpiel, alpharank_test) has it.
    r, t, p, s, delta, eps = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    matrix = [
        [r - eps / 2, r - eps, 0, s + delta - eps, r - eps],
        [r, r, s, s, s],
        [0, t, p, p, p],
        [t - delta, t, p, p, p],
        [r, t, p, p, p],
    ]
    found = rank_pairs("abcde", matrix_payoffs(np.array(matrix)), alpha=0.1, population=20)
    np.testing.assert_allclose(found.mass, [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039], atol=5e-9)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1.0, 10.0, 1e3, 1e6])
def test_rank_pairs__rock_paper_scissors_is_even(alpha):
    found = rank_pairs("rps", matrix_payoffs(ROCK_PAPER_SCISSORS), alpha)
    np.testing.assert_allclose(found.mass, 1 / 3, atol=1e-12)


def test_rank_pairs__biased_rock_paper_scissors_is_even_in_the_limit():
    # The paper's point: the equilibrium is (1/16, 10/16, 5/16), yet in the limit all three are as strong.
    np.testing.assert_allclose(rank_pairs("rps", matrix_payoffs(BIASED), 1e3).mass, 1 / 3, atol=1e-9)
    assert rank_pairs("rps", matrix_payoffs(BIASED), 0.1).mass.round(2).tolist() == [0.28, 0.58, 0.13]


def test_rank_populations__battle_of_the_sexes():
    # The paper: the two agreements share the mass, disagreements have none.
    opera, movies = np.array([[3, 0], [0, 2]]), np.array([[2, 0], [0, 3]])
    mass, transitions = rank_populations([opera, movies], alpha=100)
    np.testing.assert_allclose(mass, [[0.5, 0], [0, 0.5]], atol=1e-12)
    np.testing.assert_allclose(transitions.sum(axis=1), 1)
    np.testing.assert_allclose(rank_populations([opera, movies], alpha=0)[0], 0.25)


def test_rank_populations__prisoners_dilemma():
    first = np.array([[-1, -3], [0, -2]])
    mass, _ = rank_populations([first, first.T], alpha=100)
    np.testing.assert_allclose(mass, [[0, 0], [0, 1]], atol=1e-12)


def test_rank_populations__matching_pennies_go_round():
    heads = np.array([[1, -1], [-1, 1]])
    mass, transitions = rank_populations([heads, -heads], alpha=100)
    np.testing.assert_allclose(mass, 0.25)
    assert transitions[0].tolist() == pytest.approx([0.5, 0.5, 0, 0])  # only the loser changes; 2 neighbours by profile


def test_rank_populations__takeover_has_a_closed_form():
    # One population, payoffs apart by 1: up with (1 - e^-u) / (1 - e^-mu), down with the same of -u; masses as e^((m - 1) u).
    mass, transitions = rank_populations([np.array([0.0, 1.0])], alpha=0.3, population=10)
    up, down = (1 - math.exp(-0.3)) / (1 - math.exp(-3)), (1 - math.exp(0.3)) / (1 - math.exp(3))
    np.testing.assert_allclose(transitions, [[1 - up, up], [down, 1 - down]])
    assert mass[1] / mass[0] == pytest.approx(math.exp(2.7))


@pytest.mark.parametrize("alpha", [0.0, 0.5, 30.0])
def test_log_fixation__constant_gap(alpha):
    expected = 1 / 20 if alpha == 0 else (1 - math.exp(-alpha * 0.2)) / (1 - math.exp(-20 * alpha * 0.2))
    assert math.exp(log_fixation(np.full(19, 0.2), alpha)) == pytest.approx(expected)


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_stationary__is_left_alone_by_a_step(size, seed):
    chances = np.random.default_rng(seed).dirichlet(np.ones(size), size)
    with np.errstate(divide="ignore"):
        mass = stationary(np.log(chances))
    np.testing.assert_allclose(mass @ chances, mass, atol=1e-12)


def test_stationary__chances_too_small_for_floats():
    # Between 0 and 1 there are e^-2000 one way and e^-2001 the other, so 1 is e times as common; 2 drains at once.
    steps = np.array([[0, -2000.0, -9000], [-2001, 0, -9000], [-1, -1, 0]])
    np.testing.assert_allclose(stationary(steps), [1 / (1 + math.e), math.e / (1 + math.e), 0], atol=1e-12)


def twin(table, alpha, population):
    """Alpha-rank by the book: every group that may form, products of ratios, and an eigenvector."""
    k, n = len(table.strategies), table.players

    def payoff(own, others):
        counts = np.bincount([own, *others], minlength=k)
        if counts.max() == n:
            return 1 / n
        return table.shares[table.counts.tolist().index(counts.tolist()), own]

    def mean_payoff(own, rest):
        groups = list(itertools.combinations(rest, n - 1))
        return sum(payoff(own, group) for group in groups) / len(groups)

    chances = np.zeros((k, k))
    for resident, mutant in itertools.permutations(range(k), 2):
        total = product = 1.0
        for mutants in range(1, population):
            everybody = [mutant] * mutants + [resident] * (population - mutants)
            gap = mean_payoff(mutant, everybody[1:]) - mean_payoff(resident, everybody[:-1])
            product *= math.exp(-alpha * gap)
            total += product
        chances[resident, mutant] = 1 / total / (k - 1)
    np.fill_diagonal(chances, 1 - chances.sum(axis=1))
    values, vectors = np.linalg.eig(chances.T)
    mass = np.real(vectors[:, np.argmax(np.real(values))])
    return chances, mass / mass.sum()


@given(random_tables(most_strategies=3), st.floats(0, 8), st.integers(4, 6))
@settings(max_examples=25)
def test_alpha_rank__agrees_with_the_book(table, alpha, population):
    chances, mass = twin(table, alpha, population)
    found = alpha_rank(table, alpha, population)
    np.testing.assert_allclose(found.transitions, chances, atol=1e-10)
    np.testing.assert_allclose(found.mass, mass, atol=1e-7)


@given(random_tables(), st.sampled_from(ALPHAS))
@settings(max_examples=25)
def test_alpha_rank__is_a_distribution_at_any_alpha(table, alpha):
    found = alpha_rank(table, alpha)
    assert np.isfinite(found.mass).all() and (found.mass >= 0).all() and found.mass.sum() == pytest.approx(1)
    np.testing.assert_allclose(found.transitions.sum(axis=1), 1)


def test_sweep__the_stronger_gains_with_alpha():
    found = sweep(luce_table([1, 2, 4], 3), alphas=(0, 0.1, 1, 10, 1000))
    np.testing.assert_allclose(found[0].mass, 1 / 3)
    strongest = [rank.mass[2] for rank in found]
    assert strongest == sorted(strongest) and strongest[-1] == pytest.approx(1)
    assert [rank.alpha for rank in found] == [0, 0.1, 1, 10, 1000]


def test_limit__cycle_above_a_loser():
    edges = np.full((4, 4), 0.001)
    edges[:3, :3] = np.array([[0, -0.2, 0.03], [0.2, 0, -0.007], [-0.03, 0.007, 0]])
    edges[3] = [-0.001, -0.001, -0.001, 0]
    found = limit(duel_table(edges))
    np.testing.assert_allclose(found.mass, [1 / 3, 1 / 3, 1 / 3, 0], atol=0.005)
    assert found.alpha > 100  # such small differences need it


def test_limit__rare_strategies_win():
    # Who is alone wins all: no pure population is safe, and both are alike.
    np.testing.assert_allclose(limit(table_of(3, [[2, 1], [1, 2]], [[0, 1], [1, 0]])).mass, 0.5)


def test_alpha_rank__a_single_strategy():
    assert alpha_rank(luce_table([1], 3)).mass.tolist() == [1]


def test_alpha_rank__needs_tables_of_two_strategies_only():
    two = [row for row in luce_table([1, 2, 4], 3).counts.tolist() if 0 in row]
    assert alpha_rank(luce_table([1, 2, 4], 3, rows=np.array(two))).mass[2] > 0.9
    with pytest.raises(ValueError, match="every table of two strategies"):
        alpha_rank(luce_table([1, 2, 4], 4, rows=pair_compositions(3, 4)))


@pytest.mark.parametrize(("alpha", "population"), [(-1, 50), (math.inf, 50), (1, 2)])
def test_alpha_rank__refuses_what_is_out_of_range(alpha, population):
    with pytest.raises(ValueError, match="population at least 3"):
        alpha_rank(luce_table([1, 2], 3), alpha, population)
