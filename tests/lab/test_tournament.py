"""Tournaments: which tables are played, how their orders are weighted, and payoffs that are known in closed form."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from pinchsim import games
from pinchsim.errors import UsageError
from pinchsim.lab import chunks
from pinchsim.lab.executor import Threads
from pinchsim.lab.tournament import (
    ALL,
    MOST_ORDERS,
    PAIRS,
    compositions,
    count_orders,
    orders,
    pairs,
    plan,
    play_tournament,
)
from pinchsim.measure.summary import CellName
from pinchsim.measure.tournament import alone
from pinchsim.paths import shipped
from tests.lab.test_run import StopAfter
from tests.lab.toy import ToyGame

FOLDERS = (shipped("strategies") / "pinch",)
STRENGTH = {"uniform": 1, "greedy": 2, "sniper": 5}


class Ring(ToyGame):
    """Whoever sits behind `uniform` is twice as strong: `STRENGTH` over the table's sum is the chance to win."""

    def player_counts(self, rules):
        return (2, 3, 4)

    def check_deal(self, rules, players, where):
        if players not in self.player_counts(rules):
            raise UsageError(f"{where}: 2 to 4 players, not {players}.")

    def rotations(self, players):
        return players

    def load_kernel(self, strategies, rule_sets, counting=False):
        return [strategy.name for strategy in strategies]

    def play(self, kernel, rules, line_up, seed, indices, memory, games, players):
        n = len(line_up)
        strong = strengths([kernel[slot] for slot in line_up])
        for k, index in enumerate(indices.tolist()):
            deck, rotation = divmod(index, n)
            luck = np.random.default_rng([seed, deck, rotation]).random() * strong.sum()
            winner = int(np.searchsorted(strong.cumsum(), luck, side="right"))
            games[:, k] = deck, rotation, 7, 1, 1, 0
            for p in range(n):
                place = (p - rotation) % n
                players[:, k, p] = p, place, 1000 * (place == winner), 60 * (place == winner)


def strengths(names):
    return np.array([STRENGTH[x] * (2 if names[k - 1] == "uniform" else 1) for k, x in enumerate(names)], float)


def exact_share(counts, name):
    """Win share of one player of a strategy: the mean over all seatings of all players."""
    players = [x for x, n in counts.items() for _ in range(n)]
    shares = []
    for seating in itertools.permutations(players):
        strong = strengths(seating)
        shares.append(sum(strong[k] for k, x in enumerate(seating) if x == name) / strong.sum() / counts[name])
    return np.mean(shares)


@pytest.fixture
def ring(monkeypatch):
    game = Ring()
    monkeypatch.setattr(games, "load", lambda name: game)
    return game


def played(folder, names=("uniform", "greedy", "sniper"), players=3, tables=None, watcher=None, **fields):
    planned = plan(names, "fair", players, tables, {"games": 3000, **fields}, FOLDERS)
    return play_tournament(planned, folder, Threads(2), FOLDERS, watcher)


# Which tables


@pytest.mark.parametrize(("kinds", "players"), [(2, 2), (3, 2), (2, 3), (3, 3), (3, 4), (4, 4), (2, 5), (3, 5), (2, 6)])
def test_orders__every_table_once(kinds, players):
    """Against brute force: all ways to sit around a table, those that are rotations of each other taken together."""
    names = "abcdef"[:kinds]
    circles = {min(s[k:] + s[:k] for k in range(players)) for s in itertools.product(names, repeat=players)}
    circles = {circle for circle in circles if len(set(circle)) > 1}
    found = [order for chosen in compositions(names, players) for order in orders(chosen)]
    assert len(found) == len(circles) == count_orders(kinds, players)
    assert {min(_turned(order.places)) for order in found} == circles


@pytest.mark.parametrize("chosen", ["ab", "aab", "aabb", "abab", "abcd", "aaab", "aabbc", "aaabb", "aabbcc", "ababab"])
def test_orders__probabilities_of_random_seating(chosen):
    """Against brute force: every permutation of the players is equally likely."""
    seatings = Counter(min(_turned(seating)) for seating in itertools.permutations(chosen))
    total = seatings.total()
    expected = {circle: Fraction(times, total) for circle, times in seatings.items()}
    found = {min(_turned(order.places)): order.probability for order in orders(chosen)}
    assert found.keys() == expected.keys()
    for circle, probability in expected.items():
        assert found[circle] == pytest.approx(float(probability), abs=1e-15)


def _turned(places):
    return [tuple(places[k:]) + tuple(places[:k]) for k in range(len(places))]


@pytest.mark.parametrize(("chosen", "line_ups"), [("abbb", ["a,b"]), ("aaab", ["b,a"]), ("aabb", ["a,a,b", "a,b,a,b"])])
def test_orders__short_line_ups_that_the_lab_fills_up(chosen, line_ups):
    found = orders(chosen)
    assert sorted(order.line_up for order in found) == line_ups
    for order in found:
        assert CellName("x", len(chosen), order.line_up).places == order.places


def test_orders__left_and_right_are_not_the_same():
    assert len(orders("abc")) == 2


@pytest.mark.parametrize("players", [2, 3, 5])
def test_pairs__one_against_the_others(players):
    found = list(pairs("abc", players))
    assert len(found) == len(set(found)) == (3 if players == 2 else 6)
    assert all(len(orders(chosen)) == 1 for chosen in found)
    assert set(found) <= set(compositions("abc", players))


# Plans


def test_plan__the_same_strategies_in_another_order_are_the_same_tournament():
    first, second = (plan(names, "pinch", 3, None, {}) for names in (["sniper", "greedy"], ["greedy", "sniper"]))
    assert first == second
    assert first.strategies == ("greedy", "sniper")
    assert first.experiment.base is None
    assert first.experiment.line_ups == ("sniper,greedy", "greedy,sniper")


def test_plan__players_of_the_variant():
    assert plan(["greedy", "sniper"], "pinch", None, None, {}).players == 4
    duel = plan(["greedy", "sniper"], "duel", None, None, {})
    assert duel.players == 2
    assert duel.experiment.line_ups == ("greedy,sniper",)


def test_plan__too_many_orders_become_pairs():
    names = ["baiter", "cautious", "greedy", "sniper", "sprinter", "uniform"]
    few, many = plan(names, "pinch", 4, None, {}), plan(names, "pinch", 5, None, {})
    assert (few.tables, few.orders_of_all) == (ALL, 330)
    assert len(few.experiment.line_ups) == 330 <= MOST_ORDERS
    assert (many.tables, many.orders_of_all) == (PAIRS, count_orders(6, 5))
    assert many.orders_of_all > MOST_ORDERS
    assert len(many.experiment.line_ups) == 30
    assert len(plan(names, "pinch", 5, ALL, {}).experiment.line_ups) == many.orders_of_all
    assert len(plan(names, "pinch", 4, PAIRS, {}).experiment.line_ups) == 30


@pytest.mark.parametrize(
    ("names", "players", "words"),
    [
        ([], 4, "at least two strategies; none was named. Known: "),
        (["greedy"], 4, "at least two strategies; only 'greedy' was named. Known: "),
        (["greedy", "sniper", "greedy"], 4, "'greedy' was named twice"),
        (["default", "greedy"], 4, "'greedy' was named twice"),
        (["greedy", "snipre"], 4, "'snipre' is not a strategy. Did you mean 'sniper'?"),
        (["greedy", "sniper"], 9, "9 players"),
    ],
)
def test_plan__mistakes(names, players, words):
    if "default" in names:
        names = [games.load("pinch").default_strategy, *names]
        words = f"'{names[0]}' was named twice"
    with pytest.raises(UsageError, match=words):
        plan(names, "pinch", players, None, {})


# Payoffs


def test_play_tournament__shares_in_closed_form(ring, tmp_path):
    """Every share at every table, within 4 standard errors of the mean over all seatings."""
    shares = played(tmp_path / "run", games=4500).shares
    assert shares.has_all
    assert shares.decks == 1500
    errors = np.sqrt(np.diagonal(shares.covariance, axis1=1, axis2=2))
    tests = 0
    for row, counts in enumerate(shares.counts):
        here = dict(zip(shares.strategies, counts.tolist(), strict=True))
        for k, name in enumerate(shares.strategies):
            if here[name] and len(set(counts.tolist()) - {0}) + (counts > 0).sum() > 1:
                assert abs(shares.means[row, k] - exact_share(here, name)) <= 4 * errors[row, k] + 1e-12, (here, name)
                tests += 1
    assert tests == 3 + 6 * 2 + 3, "three mirror tables, six of two strategies, one of all three"
    assert shares.orders.tolist() == [0, 1, 1, 1, 2, 1, 0, 1, 1, 0]
    assert (shares.games == 4500 * shares.orders).all()


def test_play_tournament__both_orders_count(ring, tmp_path):
    """With equal weights where the two orders of three differ: neither alone would do."""
    shares = played(tmp_path / "run", games=6000).shares
    row = shares.row([1, 1, 1])
    greedy = shares.strategies.index("greedy")
    each = [
        strengths(order.places)[order.places.index("greedy")] / strengths(order.places).sum()
        for order in orders(shares.strategies)
    ]
    error = np.sqrt(shares.covariance[row, greedy, greedy])
    assert abs(shares.means[row, greedy] - np.mean(each)) < 4 * error
    assert min(abs(shares.means[row, greedy] - x) for x in each) > 4 * error


def test_play_tournament__orders_are_weighted_by_their_probability(ring, tmp_path):
    """Two and two: four of the six seatings have equals side by side, so the two orders count 2 to 1."""
    shares = played(tmp_path / "run", ["uniform", "sniper"], players=4, games=16000).shares
    row, sniper = shares.row([2, 2]), 0
    assert shares.orders[row] == 2
    exact = exact_share({"uniform": 2, "sniper": 2}, "sniper")
    each = [strengths(order.places) for order in orders(["uniform", "uniform", "sniper", "sniper"])]
    alike = np.mean([strong[[k for k in range(4) if strong[k] >= 5]].sum() / strong.sum() / 2 for strong in each])
    error = np.sqrt(shares.covariance[row, sniper, sniper])
    assert abs(shares.means[row, sniper] - exact) < 4 * error < abs(alike - exact), "weights of 1 to 1 would be seen"


def test_play_tournament__pairs(ring, tmp_path):
    all_tables = played(tmp_path / "all").shares
    only_pairs = played(tmp_path / "pairs", tables=PAIRS).shares
    assert not only_pairs.has_all
    assert len(only_pairs.counts) == 3 + 6
    for a, b in itertools.permutations(range(3), 2):
        assert only_pairs.combined(alone(only_pairs, a, b)) == all_tables.combined(alone(all_tables, a, b)), "the same decks"


def test_play_tournament__duels(ring, tmp_path):
    shares = played(tmp_path / "run", players=2, games=4000).shares
    assert shares.has_all
    greedy, sniper, uniform = range(3)
    assert shares.combined(alone(shares, sniper, greedy)).estimate == pytest.approx(5 / 7, abs=0.04)
    assert shares.combined(alone(shares, uniform, greedy)).estimate == pytest.approx(1 / 5, abs=0.04)
    assert shares.combined(alone(shares, greedy, greedy))[:4] == (0.5, 0.5, 0.5, 0.0)


def test_play_tournament__goes_on_after_an_interruption(ring, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 100)
    whole = played(tmp_path / "whole", games=900)
    with monkeypatch.context() as patch:
        early = played(tmp_path / "run", games=900, watcher=StopAfter(500, patch))
    assert not early.complete
    assert early.shares is None
    done, wanted = early.orders_done
    assert 0 < done < wanted == 8
    with monkeypatch.context() as patch:
        later = played(tmp_path / "run", games=900, watcher=StopAfter(5000, patch))
    assert not later.complete
    assert later.shares.decks in (100, 200)
    resumed = played(tmp_path / "run", games=900)
    assert resumed.complete
    assert (resumed.shares.blocks == whole.shares.blocks).all()
    assert resumed.shares.decks == 300
    first = whole.shares.blocks[: later.shares.decks]
    assert (later.shares.blocks == first).all(), "what an interrupted run shows is a part of the whole"
