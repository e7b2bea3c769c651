"""Payoff tables: every payoff is what seating the others one by one gives, and errors are those of fresh runs."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure.metagame import PayoffTable, compositions, pair_compositions


def table_of(players, counts, shares, error=0.0):
    """A table whose shares have independent noise of one size around their sum of 1."""
    counts, shares = np.asarray(counts), np.where(np.asarray(counts) > 0, shares, np.nan)
    names = tuple("abcdefghij"[: counts.shape[1]])
    return PayoffTable(names, players, counts, shares, np.array([noise(row, error) for row in counts]))


def noise(counts, error):
    """Covariance of shares that add up to 1: independent noise of a size, less what all have too much."""
    n = counts.sum()
    off = np.eye(len(counts)) - counts[None, :] / n
    present = np.diag(counts > 0).astype(float)
    covariance = error**2 * present @ off @ present @ off.T @ present
    return covariance if (counts > 0).sum() > 1 else covariance * 0


def luce_table(strengths, players, error=0.0, rows=None):
    """Everybody wins in proportion to their strength."""
    counts = compositions(len(strengths), players) if rows is None else rows
    strengths = np.asarray(strengths, float)
    return table_of(players, counts, strengths / (counts @ strengths)[:, None], error)


def duel_table(edges, error=0.0):
    """Two players; the row's strategy wins 1/2 + edges[row, column]."""
    edges = np.asarray(edges, float)
    counts = compositions(len(edges), 2)
    shares = np.full(counts.shape, np.nan)
    for place, row in enumerate(counts):
        members = np.repeat(np.arange(len(edges)), row)
        shares[place, members[0]] = 0.5 + edges[members[0], members[1]]
        shares[place, members[1]] = 0.5 + edges[members[1], members[0]]
    return table_of(2, counts, shares, error)


@st.composite
def random_tables(draw, most_strategies=4, most_players=4):
    """Complete tables with any shares that add up to 1."""
    k, n = draw(st.integers(2, most_strategies)), draw(st.integers(2, most_players))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    counts = compositions(k, n)
    wins = rng.dirichlet(np.ones(k), len(counts)) * (counts > 0)
    wins = wins / wins.sum(axis=1, keepdims=True)
    return table_of(n, counts, wins / np.maximum(counts, 1))


@given(st.integers(1, 5), st.integers(1, 5))
def test_compositions__are_all_multisets(k, n):
    found = compositions(k, n)
    assert found.shape == (math.comb(k + n - 1, n), k)
    assert len({tuple(row) for row in found.tolist()}) == len(found)
    assert (found >= 0).all() and (found.sum(axis=1) == n).all()


def test_pair_compositions__each_table_once():
    assert pair_compositions(2, 2).tolist() == [[1, 1]]
    assert len(pair_compositions(3, 2)) == 3
    assert len({tuple(row) for row in pair_compositions(3, 4).tolist()}) == len(pair_compositions(3, 4)) == 6


def seat_by_seat(table, own, mix):
    """Payoff by drawing each of the others in turn."""
    total = 0.0
    for others in itertools.product(range(len(mix)), repeat=table.players - 1):
        counts = np.bincount([own, *others], minlength=len(mix))
        row = next((i for i, c in enumerate(table.counts.tolist()) if c == counts.tolist()), None)
        share = 1 / table.players if counts.max() == table.players else table.shares[row, own]
        total += math.prod(mix[other] for other in others) * share
    return total


@given(random_tables(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_payoffs__agree_with_seating_one_by_one(table, seed):
    mix = np.random.default_rng(seed).dirichlet(np.ones(len(table.strategies)))
    expected = [seat_by_seat(table, own, mix) for own in range(len(mix))]
    np.testing.assert_allclose(table.payoffs(mix), expected, atol=1e-12)
    assert table.payoff(table.strategies[-1], mix) == pytest.approx(expected[-1], abs=1e-12)


@given(random_tables(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_payoffs__whoever_plays_the_mix_wins_one_nth(table, seed):
    mix = np.random.default_rng(seed).dirichlet(np.ones(len(table.strategies)))
    assert mix @ table.payoffs(mix) == pytest.approx(1 / table.players, abs=1e-12)


def test_payoffs__minority_game():
    # Three players choose a or b; who is alone wins all. Against (p, 1 - p), a wins (1 - p)^2 + p^2 / 3.
    table = table_of(3, [[2, 1], [1, 2]], [[0, 1], [1, 0]])
    assert table.payoffs([0.3, 0.7]).tolist() == pytest.approx([0.49 + 0.03, 0.09 + 0.49 / 3])


def test_field_shares__one_against_the_rest():
    table = luce_table([1, 3], 3, error=0.01)
    found = table.field_shares()
    np.testing.assert_allclose(found.shares, [[1 / 3, 1 / 7], [3 / 5, 1 / 3]])
    np.testing.assert_allclose(found.errors, np.sqrt([[0, table.variances[2, 0]], [table.variances[1, 1], 0]]))


def test_pair_tables__know_pure_fields_but_no_mixed_ones():
    table = luce_table([1, 2, 4], 3, rows=pair_compositions(3, 3))
    assert (
        not table.is_complete() and table.is_complete(pair_compositions(3, 3)) and table.is_complete(np.eye(3, dtype=int) * 3)
    )
    assert table.payoff("c", [1, 0, 0]) == pytest.approx(4 / 6)
    with pytest.raises(ValueError, match="mixed tables"):
        table.payoffs([0.5, 0.5, 0])
    with pytest.raises(ValueError, match="mixed tables"):
        table.payoff("a", [0, 0.5, 0.5])
    assert table.payoff("b", [0, 1, 0]) == pytest.approx(1 / 3)


def test_table__duel_pairs_are_complete():
    assert luce_table([1, 2, 4], 2, rows=pair_compositions(3, 2)).is_complete()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"strategies": ("a", "a")}, "different names"),
        ({"players": 4}, "must seat 4 players"),
        ({"counts": [[2, 1], [2, 1]]}, "given twice"),
        ({"shares": [[0.25, 0.4], [0.5, 0.25]]}, "add up to 1, found 0.9"),
        ({"shares": [[0.25, np.nan], [0.5, 0.25]]}, "must be known"),
        ({"covariance": np.zeros((2, 2))}, r"expected \(2, 2, 2\)"),
    ],
)
def test_table__refuses_what_does_not_fit(changed, message):
    good = {
        "strategies": ("a", "b"),
        "players": 3,
        "counts": [[2, 1], [1, 2]],
        "shares": [[0.25, 0.5], [0.5, 0.25]],
        "covariance": np.zeros((2, 2, 2)),
    }
    PayoffTable(**good)
    with pytest.raises(ValueError, match=message):
        PayoffTable(**(good | changed))


def test_table__refuses_unknown_names_and_mixes():
    table = luce_table([1, 2], 2)
    with pytest.raises(ValueError, match="Known: a, b"):
        table.payoff("z", [0.5, 0.5])
    for mix in ([0.5, 0.6], [1.5, -0.5], [1.0], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="adding up to 1"):
            table.payoffs(mix)


def test_table__does_not_change_with_its_input():
    shares = np.array([[0.25, 0.75]])
    table = PayoffTable(("a", "b"), 2, [[1, 1]], shares, np.zeros((1, 2, 2)))
    shares[:] = 0.5
    assert table.payoff("a", [0, 1]) == 0.25
    with pytest.raises(ValueError, match="read-only"):
        table.shares[0, 0] = 1


def test_resampled__has_the_covariance_it_was_given():
    table = luce_table([1, 2, 4], 3, error=0.02)
    rng = np.random.default_rng(7)
    drawn = np.nan_to_num([table.resampled(rng).shares for _ in range(4000)])
    np.testing.assert_allclose((drawn * table.counts).sum(axis=2), 1)
    deviations = drawn - np.nan_to_num(table.shares)
    found = np.einsum("rck,rcl->ckl", deviations, deviations) / len(drawn)
    np.testing.assert_allclose(found, table.covariance, atol=5 * 0.02**2 * math.sqrt(2 / 4000))
    np.testing.assert_allclose(deviations.mean(axis=0), 0, atol=5 * 0.02 / math.sqrt(4000))


def test_resampled__adds_up_to_1_whatever_the_covariance():
    table = PayoffTable(("a", "b"), 3, [[2, 1]], [[0.25, 0.5]], [np.diag([0.01, 0.04])])
    drawn = table.resampled(np.random.default_rng(9)).shares
    assert (drawn * table.counts).sum() == pytest.approx(1, abs=1e-12) and abs(drawn - table.shares).max() > 0.001


def test_payoff_errors__are_those_of_fresh_runs():
    table, mix = luce_table([1, 2, 4], 3, error=0.02), np.array([0.2, 0.3, 0.5])
    rng = np.random.default_rng(8)
    found = np.std([table.resampled(rng).payoffs(mix) for _ in range(3000)], axis=0)
    np.testing.assert_allclose(found, table.payoff_errors(mix), rtol=5 / math.sqrt(2 * 3000))


def test_unknown_errors__make_nothing_certain():
    table = PayoffTable(("a", "b"), 2, [[1, 1]], [[0.9, 0.1]], np.full((1, 2, 2), np.nan))
    assert table.field_shares().errors[0, 1] == math.inf
    with pytest.raises(ValueError, match="more than one deck"):
        table.resampled(np.random.default_rng(0))
