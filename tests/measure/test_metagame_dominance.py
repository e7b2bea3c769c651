"""Dominance, cycles and chains: right where the answer is known, and rarely wrong where there is only noise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.metagame import pair_compositions
from pinchsim.measure.metagame_dominance import beats, cycles, dominance, holm, longest_chain, mixed_dominance, tail
from tests.measure.test_metagame import duel_table, luce_table, table_of

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def verdicts(found):
    return {(row.strategy, *row.by): row.verdict for row in found}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm__agrees_with_rejecting_step_by_step(p):
    # Holm: reject the smallest while it is below level / (number left), then stop.
    corrected = holm(np.array(p))
    for level in (0.01, 0.05, 0.3):
        left, rejected = sorted(range(len(p)), key=lambda k: p[k]), set()
        while left and p[left[0]] * len(left) < level:
            rejected.add(left.pop(0))
        assert {k for k in range(len(p)) if corrected[k] < level} == rejected


def test_tail__exact_gaps_are_certain():
    assert tail(np.array([1.0, 0.0, -1.0]), 0.0).tolist() == [0, 1, 1]
    assert tail(np.array([1.0, 0.0]), np.array([1.0, math.inf])).tolist() == pytest.approx([0.15865525, 0.5])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dominance__strength_is_an_order(players):
    found = verdicts(dominance(luce_table([1, 2, 4], players, error=0.001)))
    assert {pair for pair, verdict in found.items() if verdict == "dominated"} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert {verdict for pair, verdict in found.items() if pair[0] > pair[1]} == {"not dominated"}


def test_dominance__noise_decides_nothing():
    found = dominance(luce_table([1, 1.01, 1.02], 3, error=0.05))
    assert {row.verdict for row in found} == {"undecided"}


def test_dominance__margin_is_the_narrowest_field():
    found = {(row.strategy, *row.by): row for row in dominance(luce_table([1, 3], 3))}
    # b is better by 1/3 - 1/7 against two b, by 3/7 - 1/5 against one of each, by 3/5 - 1/3 against two a
    assert found["a", "b"].margin == pytest.approx(min(1 / 3 - 1 / 7, 3 / 7 - 1 / 5, 3 / 5 - 1 / 3))


def test_dominance__every_field_counts():
    # b is better where one of each sits (0.40 against 0.35) and against two b, but not against two a (0.30 against 1/3).
    table = table_of(3, [[2, 1], [1, 2]], [[0.35, 0.3], [0.2, 0.4]], error=0.001)
    assert verdicts(dominance(table)) == {("a", "b"): "not dominated", ("b", "a"): "not dominated"}


def test_dominance__needs_all_tables():
    with pytest.raises(ValueError, match="needs all tables"):
        dominance(luce_table([1, 2, 4], 3, rows=pair_compositions(3, 3)))


def test_mixed_dominance__only_the_mixture_dominates():
    edges = np.zeros((4, 4))
    edges[:3, :3] = 0.3 * ROCK_PAPER_SCISSORS
    edges[:3, 3], edges[3, :3] = 0.1, -0.1  # the fourth loses a little to each
    table = duel_table(edges, error=0.005)
    assert "dominated" not in verdicts(dominance(table)).values()
    found = {row.strategy: row for row in mixed_dominance(table)}
    assert found["d"].verdict == "dominated" and found["d"].margin == pytest.approx(0.1)
    assert list(found["d"].by.values()) == pytest.approx([1 / 3] * 3)
    assert {found[name].verdict for name in "abc"} == {"undecided"} and found["a"].margin < 0


def test_mixed_dominance__noise_decides_nothing():
    edges = np.zeros((4, 4))
    edges[:3, :3] = 0.3 * ROCK_PAPER_SCISSORS
    edges[:3, 3], edges[3, :3] = 0.1, -0.1
    assert {row.verdict for row in mixed_dominance(duel_table(edges, error=0.1))} == {"undecided"}


@pytest.mark.parametrize("players", [2, 3])
def test_beats__strength_is_an_order(players):
    graph = beats(luce_table([1, 2, 4], players, error=0.001))
    np.testing.assert_array_equal(graph, np.tri(3, k=-1, dtype=bool))
    assert cycles(luce_table([1, 2, 4], players, error=0.001)) == []


def test_beats__both_directions_must_hold():
    # One a against two b wins more than a third, but so does one b against two a: who is rare wins, and nobody beats.
    assert not beats(table_of(3, [[2, 1], [1, 2]], [[0.2, 0.6], [0.6, 0.2]])).any()


def test_beats__missing_tables_beat_nobody():
    table = luce_table([1, 2, 4], 3, rows=pair_compositions(3, 3)[:2])
    assert beats(table).sum() == 0


def test_cycles__rock_paper_scissors_and_a_loser():
    edges = np.full((4, 4), 0.1)
    edges[:3, :3] = 0.2 * ROCK_PAPER_SCISSORS
    edges[3] = [-0.1, -0.1, -0.1, 0]
    (found,) = cycles(duel_table(edges, error=0.01))
    assert found.strategies == ["a", "b", "c"]
    assert found.path in (["a", "c", "b"], ["c", "b", "a"], ["b", "a", "c"])  # a beats c, c beats b, b beats a


def test_cycles__a_large_one_is_named_in_order():
    order, edges = [2, 0, 4, 1, 3], np.zeros((5, 5))
    for here, there in zip(order, order[1:] + order[:1], strict=True):
        edges[here, there], edges[there, here] = 0.2, -0.2
    (found,) = cycles(duel_table(edges, error=0.01))
    start = order.index("abcde".index(found.path[0]))
    assert found.path == ["abcde"[k] for k in order[start:] + order[:start]]


def test_cycles__noise_makes_none():
    assert cycles(duel_table(0.02 * ROCK_PAPER_SCISSORS, error=0.02)) == []


def test_beats__equal_strategies_seldom_differ():
    table, rng = luce_table([1, 1, 1, 1], 3, error=0.02), np.random.default_rng(4)
    wrong = np.mean([beats(table.resampled(rng)).any() for _ in range(400)])
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)
    wrong = np.mean([any(row.verdict != "undecided" for row in dominance(table.resampled(rng))) for _ in range(400)])
    assert wrong <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / 400)  # two families: dominated, not dominated


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_longest_chain__is_one_and_there_is_no_longer(size, seed):
    graph = np.tril(np.random.default_rng(seed).random((size, size)) < 0.5, -1)
    chain = longest_chain(graph)
    assert all(graph[higher, lower] for lower, higher in zip(chain, chain[1:], strict=False))
    paths, reach = 1, graph.astype(int)
    while reach.any():
        paths, reach = paths + 1, reach @ graph
    assert len(chain) == paths
