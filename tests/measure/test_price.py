"""The fair price: known where the games were made with one, and consistent whatever they are."""

import math
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pinchsim
from pinchsim.measure.price import confirmation, fair_price
from pinchsim.measure.sample import samples
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
@settings(max_examples=10, deadline=None)
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
    (sample,) = samples(first.scan_games(), first.scan_players())
    table = fair_price(sample, fewer_hand_wins=True)
    bonus = prices(table, "fair_price:half")
    assert any(bonus)
    found = run(f"pinch+start_bonus=[{','.join(map(str, bonus))}]", "second").summary.estimates
    shares = found.filter(pl.col("measure") == "win_share")["estimate"].to_list()
    assert shares == pytest.approx(prices(table, "win_share:half"), abs=1e-6)


def test_fair_price__rows_of_sessions_need_no_hands():
    sample = made(turns=[9, 9], score=[[3.0, 1.0], [2.0, 2.0]], win_share=[[1, 0], [0.5, 0.5]])
    assert prices(fair_price(sample, fewer_hand_wins=False), "fair_price:whole") == [0, 1]


def test_confirmation__says_how_the_price_must_be_confirmed():
    text = confirmation([0, 1.5, 2])
    assert "did not know of them" in text
    assert "start_bonus = [0, 1.5, 2]" in text
