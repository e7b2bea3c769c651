"""Differences between two runs: paired on common decks, or from independent estimates."""

import math

import numpy as np
import polars as pl
import pytest

from pinchsim.measure.compare import SCHEMA, Decks, Pair, common, independent, paired
from pinchsim.measure.moments import quantile
from pinchsim.measure.quantities import Described, quantities
from pinchsim.measure.summary import CellName

PAIR = Pair(CellName("pinch", 2, "greedy"), CellName("classic", 2, "sniper"))
PLAIN = Described({1: "over"}, ())
N = len(quantities(PAIR.a.places, PLAIN))


def table(rows):
    return pl.DataFrame(rows, SCHEMA, orient="row")


def decks(numbers, turns):
    """Cells in which only the turns differ by deck."""
    means = np.zeros((N, len(numbers)))
    where = [q.measure for q in quantities(PAIR.a.places, PLAIN)].index("turns")
    means[where] = turns
    return Decks(np.array(numbers), means, 2)


def row_of(rows, measure="turns"):
    return table(rows).filter(pl.col("measure") == measure).to_dicts()[0]


def test_paired__luck_of_the_decks_drops_out():
    luck = np.random.default_rng(1).normal(30, 9, 100)
    row = row_of(paired(PAIR, [decks(range(100), luck)], [decks(range(100), luck + 2)], PLAIN))
    assert (row["estimate"], row["low"], row["high"]) == pytest.approx((2, 2, 2))
    assert row["high_a"] - row["low_a"] > 2
    assert row["estimate_b"] - row["estimate_a"] == pytest.approx(2)
    assert (row["variant_a"], row["line_up_b"], row["decks_a"]) == ("pinch", "sniper", 100)


def test_paired__only_common_decks_count():
    row = row_of(paired(PAIR, [decks([0, 1, 2, 5], [1, 2, 3, 100])], [decks([1, 2, 3], [4, 5, 900])], PLAIN))
    assert (row["estimate_a"], row["estimate_b"], row["estimate"], row["decks_a"]) == (2.5, 4.5, 2, 2)
    assert paired(PAIR, [decks([0], [1])], [decks([1], [1])], PLAIN) == []
    assert paired(PAIR, [], [decks([1], [1])], PLAIN) == paired(PAIR, [decks([1], [1])], [], PLAIN) == []


def test_paired__measures_that_only_one_has_are_left_out():
    mixed = Pair(CellName("pinch", 2, "greedy,uniform"), PAIR.b)
    names = [q.measure for q in quantities(mixed.a.places, PLAIN)]
    a = Decks(np.arange(3), np.zeros((len(names), 3)), 2)
    found = table(paired(mixed, [a], [decks(range(3), 1.0)], PLAIN))["measure"]
    assert "win_share:greedy" in names and "win_share:greedy" not in found
    assert "turns" in found


def cut(whole, *ends):
    """Decks part by part."""
    return [whole.of(part) for part in np.split(whole.numbers, ends)]


def test_common__parts_that_begin_and_end_elsewhere():
    a, b = decks([1, 2, 4, 5, 7, 9], [10, 20, 40, 50, 70, 90]), decks([2, 3, 4, 5, 6, 9, 11], [2, 3, 4, 5, 6, 9, 11])
    for parts in (
        (cut(a, 2, 3), cut(b, 4)),
        (cut(a), cut(b, 1, 2, 3)),
        (cut(a, 1, 2, 3, 4, 5), cut(b)),
        (cut(a, 5), cut(b, 5)),
    ):
        found = list(common(*parts))
        numbers = [number for x, y in found for number in x.numbers]
        assert numbers == [2, 4, 5, 9]
        for x, y in found:
            assert x.numbers.tolist() == y.numbers.tolist()
            assert x.means.max(axis=0).tolist() == [10 * number for number in x.numbers]
            assert y.means.max(axis=0).tolist() == y.numbers.tolist()


def test_common__nothing_in_common():
    assert list(common([decks([1, 2], [1, 1])], [decks([3], [1]), decks([4, 5], [1, 1])])) == []


def test_paired__whatever_the_parts():
    luck = np.random.default_rng(3).normal(30, 9, (2, 100))
    a, b = (decks(range(100), x) for x in luck)
    whole = table(paired(PAIR, [a], [b], PLAIN))
    for parts in ((cut(a, 30, 60), cut(b, 60)), (cut(a, 1), cut(b, 7, 99))):
        found = table(paired(PAIR, *parts, PLAIN))
        for name in whole.columns:
            if whole[name].dtype == pl.Float64:
                np.testing.assert_allclose(found[name], whole[name], rtol=1e-12)
            else:
                assert found[name].equals(whole[name])


def estimate(value, error, decks=1_000, measure="turns"):
    span = {"estimate": value, "low": value - 2 * error, "high": value + 2 * error, "standard_error": error}
    return span | {"measure": measure, "position": -1, "unit": "turns", "decks": decks, "games": 2 * decks}


def test_independent__errors_add_up_as_squares():
    row = row_of(independent(PAIR, [estimate(30, 0.3)], [estimate(33, 0.4)]))
    assert row["estimate"] == 3
    assert row["high"] - row["low"] == pytest.approx(2 * quantile(1_000) * 0.5)


def test_independent__what_both_have():
    assert table(independent(PAIR, [estimate(1, 1), estimate(1, 1, measure="x")], [estimate(1, 1)]))["measure"].to_list() == [
        "turns"
    ]


def test_independent__a_single_deck_has_no_interval():
    row = row_of(independent(PAIR, [estimate(30, math.nan, decks=1)], [estimate(33, 0.4)]))
    assert row["estimate"] == 3 and math.isnan(row["low"])
