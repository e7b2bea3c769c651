"""The fair price: known where the games were made with one, and consistent whatever they are."""

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pinchsim
from pinchsim.measure import price
from pinchsim.measure.price import fair_price, fairness, price_of_first, whole_points
from pinchsim.measure.sample import samples
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from tests.measure.made import made, rows_of, values_of


def sample_of(scores, hand=None, rotations=1):
    """Games with these final scores, float[games, positions]; with `hand`, fewer cards in hand win among equal scores."""
    scores = np.asarray(scores, float)
    hand = np.zeros(scores.shape, int) if hand is None else np.asarray(hand)
    rank = scores * 1000 - hand
    won = rank == rank.max(axis=1, keepdims=True)
    return made(rotations, turns=np.ones(len(scores)), score=scores, hand=hand, win_share=won / won.sum(axis=1, keepdims=True))


def prices(table, measure="fair_price"):
    return [row["estimate"] for (name, _), row in rows_of(table).items() if name == measure]


def test_fair_price__duel_by_hand():
    """Position 1 is behind by 3, 2, 2 and 1: with 2 points it wins one game, loses one and shares two."""
    table = fair_price(sample_of([[3, 0], [2, 0], [5, 3], [1, 0]]), False)
    assert prices(table) == [0, 2]
    assert prices(table, "fair_price:whole") == prices(table, "fair_price:half") == [0, 2]
    assert prices(table, "win_share:whole") == [0.5, 0.5]
    assert math.isnan(rows_of(table)["fair_price", 1]["low"]), "four decks are too few for an interval"


def test_fair_price__lies_between_half_points_where_no_bonus_is_exact():
    """The same scores, but position 1 has more cards in hand: with 2 points it wins one game of four, with 2.5 three."""
    table = fair_price(sample_of([[3, 0], [2, 0], [5, 3], [1, 0]], [[0, 1]] * 4), True)
    assert prices(table) == [0, 2.25]
    assert prices(table, "fair_price:half") == [0, 2], "2 and 2.5 are equally good; the smaller is told"
    assert prices(table, "win_share:half") == [0.75, 0.25]


def test_fair_price__is_not_told_where_it_is_not_unique():
    """Position 1 is ahead by 4 or behind by 4: any bonus between does nothing."""
    table = fair_price(sample_of([[4, 0], [0, 4]]), False)
    assert all(map(math.isnan, prices(table)))
    assert prices(table, "fair_price:whole")[1] in range(-4, 5)
    assert prices(table, "win_share:whole") == [0.5, 0.5]


@pytest.mark.parametrize("handicap", [(0, 1, 2.5), (0, -3, 0.5), (0, 0, 0, 0.5), (0, 1, 1, 2, 6.5)])
def test_fair_price__finds_a_handicap(handicap):
    """Equals, all of whose points are 0 or 1, and from whom a handicap was taken."""
    scores = np.array(list(product((0, 1), repeat=len(handicap)))) - np.array(handicap)
    table = fair_price(sample_of(scores), False)
    assert prices(table) == pytest.approx(handicap, abs=1e-5)
    assert prices(table, "fair_price:half") == pytest.approx(handicap)
    assert prices(table, "win_share:half") == pytest.approx([1 / len(handicap)] * len(handicap))


def test_fair_price__best_whole_points():
    """A handicap of 1.5: one point leaves position 1 the worse, two the better, by as much; the smaller is told."""
    table = fair_price(sample_of([[0, -1.5], [1, -1.5], [0, -0.5], [1, -0.5]]), False)
    assert prices(table) == [0, 1.5]
    assert prices(table, "fair_price:whole") == [0, 1]
    assert prices(table, "win_share:whole") == [0.75, 0.25]


def test_fair_price__another_rule_for_equal_scores_is_noticed():
    sample = sample_of([[3, 3], [1, 2]], [[1, 2], [0, 0]])
    with pytest.raises(ValueError, match="another rule for equal scores"):
        fair_price(sample, False)


@given(
    st.lists(st.lists(st.integers(-6, 6), min_size=3, max_size=3), min_size=30, max_size=40),
    st.integers(0, 2),
    st.integers(-8, 8),
)
@settings(max_examples=10)
def test_fair_price__what_a_position_has_already_it_need_not_get(scores, position, halves):
    """Half a point more for a position in every game: its price is half a point less, relative to the others."""
    scores = np.array(scores, float)
    first = fair_price(sample_of(scores), False)
    scores[:, position] += halves / 2
    second = fair_price(sample_of(scores), False)
    less = np.zeros(3)
    less[position] = halves / 2
    less -= less[0]
    for name in ("estimate", "low", "high"):
        before, after = ([rows_of(table)["fair_price", p][name] for p in range(3)] for table in (first, second))
        assert np.array(before) - less == pytest.approx(after, abs=1e-4, nan_ok=True)


def test_fair_price__interval_covers():
    """Duels whose scores differ by -6 to 6 points, symmetrically about 2; decks of two games that are alike."""
    rng = np.random.default_rng(3)
    runs, decks, hits, halves = 100, 150, 0, []
    for seed in range(runs):
        luck = np.repeat(rng.binomial(6, 0.5, decks), 2)
        lead = 2 + luck + rng.binomial(6, 0.5, 2 * decks) - 6
        row = rows_of(fair_price(sample_of(np.stack([lead, 0 * lead], axis=1), rotations=2), False, seed))["fair_price", 1]
        hits += row["low"] <= 2 <= row["high"]
        halves.append((row["high"] - row["low"]) / 2)
    assert hits / runs > 0.95 - 3.5 * math.sqrt(0.95 * 0.05 / runs)
    assert np.mean(halves) < 0.5


def test_fair_price__same_seed_same_interval():
    rng = np.random.default_rng(4)
    sample = sample_of(rng.integers(0, 9, (60, 3)), rotations=2)
    assert fair_price(sample, False, 5).equals(fair_price(sample, False, 5))
    assert values_of(fair_price(sample, False, 5)).keys() == values_of(fair_price(sample, False, 6)).keys()


def test_fair_price__a_fresh_run_of_players_who_ignore_it_agrees(tmp_path):
    """The engine with the best half points as `start_bonus` comes to the win shares that scoring again has foretold."""

    def run(variant, name):
        fields = {"players": [3], "line_ups": ["uniform"], "base": None, "games": 90, "jobs": 1, "out": tmp_path / name}
        return pinchsim.sweep(variants=[variant], **fields)

    first = run("pinch", "first")
    (sample,) = samples(first.scan_cells())
    table = fair_price(sample, fewer_hand_wins=True)
    bonus = prices(table, "fair_price:half")
    assert any(bonus)
    found = run(f"pinch+start_bonus=[{','.join(map(str, bonus))}]", "second").summary.estimates
    shares = found.filter(pl.col("measure") == "win_share")["estimate"].to_list()
    assert shares == pytest.approx(prices(table, "win_share:half"), abs=1e-6)


def test_fair_price__rows_of_sessions_need_no_hands():
    sample = made(turns=[9, 9], score=[[3.0, 1.0], [2.0, 2.0]], win_share=[[1, 0], [0.5, 0.5]])
    assert prices(fair_price(sample, fewer_hand_wins=False), "fair_price:whole") == [0, 1]


def test_whole_points__only_where_a_price_was_found():
    assert whole_points(fair_price(sample_of([[3, 0], [2, 0], [5, 3], [1, 0]]), False)) == [0, 2]
    assert whole_points(fair_price(sample_of([[4, 0], [0, 4]]), False)) is None


def test_price_of_first__looks_at_no_more_games(monkeypatch):
    monkeypatch.setattr(price, "MOST_GAMES", 4)
    ahead = [[3, 0], [2, 0], [5, 3], [1, 0]]
    table = price_of_first(sample_of([*ahead, *[[90, 0]] * 8]), False)
    assert prices(table) == [0, 2]
    assert rows_of(table)["fair_price", 1]["games"] == 4


def shares(*estimates, half=0.004, games=10_000):
    """Win shares by position with plain 95 % intervals of this half-width."""
    return [
        {"estimate": x, "low": x - half, "high": x + half, "standard_error": half / 1.96, "games": games, "decks": games // 4}
        for x in estimates
    ]


@pytest.mark.parametrize(
    ("estimates", "position", "verdict"),
    [
        ((0.25, 0.253, 0.249, 0.248), 1, WITHIN),
        ((0.25, 0.22, 0.27, 0.26), 1, OUTSIDE),
        ((0.241, 0.253, 0.253, 0.253), 0, UNDECIDED),
        ((0.25, 0.25, 0.28, 0.241), 2, OUTSIDE),
    ],
)
def test_fairness__is_that_of_all_positions(estimates, position, verdict):
    found = fairness(shares(*estimates), 0.01)
    assert (found.position, found.verdict) == (position, verdict)
    assert found.off.estimate == pytest.approx(estimates[position] - 0.25)
    assert (found.games is not None) == (verdict == UNDECIDED)


def test_fairness__intervals_hold_at_once_but_the_two_of_a_duel_are_one():
    four, two = fairness(shares(0.25, 0.25, 0.25, 0.25), 0.01), fairness(shares(0.5, 0.5), 0.01)
    assert four.off.half == pytest.approx(0.004 * NormalDist().inv_cdf(1 - 0.025 / 4) / NormalDist().inv_cdf(0.975))
    assert two.off.half == pytest.approx(0.004)


def test_fairness__tells_how_many_games_would_decide_for_all_to_be_fair():
    """The one that is closest to the margin needs most: its interval must become a fifth as wide, so 25 times as many games."""
    rows = shares(0.492, 0.508, half=0.01)
    assert fairness(rows, 0.01).games == pytest.approx(25 * 10_000, rel=0.01)
    assert fairness(shares(0.25, 0.242, 0.254, 0.254), 0.01).games > fairness(shares(0.25, 0.243, 0.2535, 0.2535), 0.01).games
    close = fairness(shares(0.25, 0.242, 0.24001, 0.25799), 0.01)
    assert close[2:] == (UNDECIDED, None), "one is as close to the margin as can be"


def test_fairness__one_share_that_is_off_is_enough():
    """Two seem to be off, one by more; that the fourth is hard to judge does not matter."""
    alone = fairness(shares(0.25, 0.25, 0.2363, 0.2637), 0.01).games
    found = fairness(shares(0.26, 0.2363, 0.2393, 0.2644), 0.01)
    assert found.verdict == UNDECIDED
    assert 10_000 < found.games < alone
    hardly = fairness(shares(0.2605, 0.2444, 0.2475, 0.2476), 0.01)
    assert hardly.games > 500_000, "that the second is soon known to be fair decides nothing"


def test_fairness__without_intervals_nothing_is_decided():
    rows = [row | {"low": math.nan, "high": math.nan, "decks": 1} for row in shares(0.9, 0.1)]
    assert fairness(rows, 0.01)[2:] == (UNDECIDED, None)
