"""Exact counts: what they are of, how they merge and travel, and what follows from them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.counted import Measured, count_chunk, measured
from pinchsim.measure.counts import SUMS, Bins, Columns, Counts, Scaled, count, count_values, counts_frame, joined, spread
from pinchsim.measure.moments import Moments, deck_average
from pinchsim.measure.summary import CellName

ABOUT = Measured(
    Columns((Scaled("turns", 1), Scaled("end_reason", 1), Scaled("ended_by", 1)), (Scaled("win_share", 1 / 60),)),
    {1: "over", 2: "limit"},
)
CELL = CellName("v", 2, "l")
whole = st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(-5, 5), min_size=1, max_size=40)


def told(bins, place):
    return dict(zip(*(x.tolist() for x in bins.of(place)), strict=True))


@given(st.lists(whole, min_size=1, max_size=3))
def test_count__every_value_as_often_as_it_occurs(columns):
    columns = [np.array(x, np.int32) for x in columns]
    bins = joined([count(x, 1, k) for k, x in enumerate(columns)])
    for k, x in enumerate(columns):
        assert told(bins, k) == dict(zip(*(found.tolist() for found in np.unique(x, return_counts=True)), strict=True))


def test_count__values_far_apart_take_no_room():
    x = np.array([-2_000_000, 0, 0, 1_000_000], np.int32)
    assert told(count(x, 1, 3), 3) == {-2_000_000: 1, 0: 2, 1_000_000: 1}


def test_count_values__by_position():
    games = np.array([[7, 9]], np.int32)
    players = np.array([[[1, 5], [2, 5]]], np.int32)
    bins = count_values(games, players)
    assert [told(bins, place) for place in range(3)] == [{7: 1, 9: 1}, {1: 1, 2: 1}, {5: 2}]


@given(whole, whole, whole)
def test_merged__in_any_order(a, b, c):
    a, b, c = (count(np.array(x, np.int32), 1, 1) for x in (a, b, c))
    one, other = a.merged(b).merged(c), c.merged(a.merged(b))
    assert told(one, 1) == told(other, 1)
    assert one.counts.sum() == sum(x.counts.sum() for x in (a, b, c))


@given(st.lists(st.integers(0, 9), min_size=4, max_size=40))
def test_spread__sums_up_to_squares_by_deck(x):
    x = np.array(x[: len(x) // 4 * 4], np.int32)
    values, found = spread(x, 4, 0).of(0)
    for value, up_to in zip(values, np.cumsum(found), strict=True):
        assert up_to == ((x.reshape(-1, 4) <= value).sum(axis=1) ** 2).sum()


def made(seed, decks=50):
    """Games of two players in two rotations."""
    rng = np.random.default_rng(seed)
    n = 2 * decks
    reason = rng.choice([1, 2], n, p=[0.9, 0.1])
    games = np.stack([np.repeat(rng.integers(5, 9, decks), 2) + rng.integers(0, 3, n), reason, rng.integers(0, 2, n)])
    games[2][reason == 2] = -1
    first = rng.choice([0, 30, 60], n)
    return games.astype(np.int32), np.stack([np.stack([first, 60 - first], axis=1)]).astype(np.int32)


def test_packed__comes_back():
    counts = count_chunk(ABOUT, *made(1), 2)
    back = Counts.from_packed(counts.packed())
    for name in ("values", "lengths", "spreads"):
        for mine, other in zip(getattr(counts, name), getattr(back, name), strict=True):
            assert np.array_equal(mine, other)
    assert (back.ratios == counts.ratios).all()


def test_packed__places_without_values():
    """A table of nothing but keys."""
    about = Measured(Columns((Scaled("turns", 1),), ()), {})
    counts = count_chunk(about, np.array([[3, 4]], np.int32), np.zeros((0, 2, 2), np.int32), 2)
    assert told(Counts.from_packed(counts.packed()).values, 0) == {3: 1, 4: 1}
    assert counts.ratios.shape == (0, len(SUMS))


def test_measured__in_parts_and_at_once():
    parts = [made(seed) for seed in range(3)]
    together = [np.concatenate(x, axis=1) for x in zip(*parts, strict=True)]
    one = count_chunk(ABOUT, *together, 2)
    merged = [count_chunk(ABOUT, *part, 2) for part in parts]
    many = merged[2].merged(merged[0]).merged(merged[1])
    assert (one.ratios == many.ratios).all()
    assert measured(CELL, one, ABOUT, 2).equals(measured(CELL, many, ABOUT, 2))
    assert counts_frame([(CELL, one)], ABOUT.columns).equals(counts_frame([(CELL, many)], ABOUT.columns))


def test_measured__share_with_its_clustered_error():
    games, players = made(5)
    found = measured(CELL, count_chunk(ABOUT, games, players, 2), ABOUT, 2)
    (row,) = found.filter(measure="end:limit").to_dicts()
    ended = (games[1] == 2)[None].astype(float)
    assert row["estimate"] == pytest.approx(ended.mean())
    assert row["standard_error"] == pytest.approx(float(Moments.of(ended, deck_average(ended, 2)).standard_errors()[0]))
    (row,) = found.filter(measure="ender_wins", position=-1).to_dicts()
    won = [players[0, g, by] / 60 for g, by in enumerate(games[2]) if by >= 0]
    assert row["estimate"] == pytest.approx(np.mean(won)) and row["games"] == len(won)


def test_measured__without_an_occasion_there_is_no_row():
    games, players = made(5)
    games[1], games[2] = 2, -1
    found = measured(CELL, count_chunk(ABOUT, games, players, 2), ABOUT, 2)
    assert found.filter(measure="ender_wins").is_empty()
    assert found.filter(measure="ended_by", position=0)["estimate"].to_list() == [0]


def test_ratios__of_very_many_games_do_not_overflow():
    """Sums of squares of a hundred million games and more are beyond 64 bits."""
    counts = count_chunk(ABOUT, *made(1), 2)
    total = counts
    for _ in range(46):
        total = total.merged(Counts(counts.values, counts.lengths, counts.spreads, total.ratios))
    assert total.ratios.max() > 2**63
    alike = measured(CELL, total, ABOUT, 2)
    assert alike["estimate"].to_list() == pytest.approx(measured(CELL, counts, ABOUT, 2)["estimate"].to_list())


def test_counts_frame__in_the_units_of_the_columns():
    frame = counts_frame([(CELL, count_chunk(ABOUT, *made(2), 2))], ABOUT.columns)
    assert set(frame.filter(column="win_share")["value"]) == {0, 0.5, 1}
    assert frame.group_by("column", "position").agg(n="count").height == 5
    assert frame.filter(column="turns")["count"].sum() == 100
    assert counts_frame([], ABOUT.columns).is_empty()


def test_bins__of_nothing():
    assert told(Bins(np.zeros(0, np.int64), np.zeros(0, np.int64)), 0) == {}
