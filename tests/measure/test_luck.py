"""The luck budget and the effect of a deck, on results whose sources are known."""

import numpy as np
import pytest

from pinchsim.measure.deck_effect import deck_effect
from pinchsim.measure.luck import LUCK, Branches, luck_budget
from pinchsim.measure.summary import CellName
from tests.measure.made import rows_of

CELL = CellName("toy", 2, "anybody")
SOURCES = ("hand", "stock", "choices")


def branched(result, roots, players, mixed, seed):
    """Games that branch off: `result(who, start, hand, stock, choices)` of arrays."""
    rng = np.random.default_rng(seed)
    n_sources = (2 if mixed else 1) + len(SOURCES)

    def fresh():
        start = rng.integers(players, size=roots)
        who = rng.integers(players, size=roots) if mixed else np.zeros(roots, int)
        return ([who] if mixed else []) + [start, *rng.normal(size=(len(SOURCES), roots))]

    root = fresh()
    values, outer = [], []
    games = [root[:k] + fresh()[k:] for k in range(1, n_sources + 1)]
    games.append([*root[:-2], fresh()[-2], root[-1]])
    for parts in games:
        who, start = (parts[0], parts[1]) if mixed else (np.zeros(roots, int), parts[0])
        values.append(result(who, start, *parts[-len(SOURCES) :]))
        outer.append(who * players + start)
    return Branches(np.stack(values, 1), np.stack(outer, 1), players**2 if mixed else players, mixed)


def test_luck_budget__parts_of_a_sum_are_its_variances():
    def result(who, start, hand, stock, choices):
        return np.array([-2.0, 2.0])[who] + np.array([1.0, -1.0])[start] + 3 * hand + stock + 2 * choices

    found = rows_of(luck_budget(branched(result, 20_000, 2, True, 1), SOURCES, LUCK, CELL))
    truth = {"who_plays": 4, "who_starts": 1, "hand": 9, "stock": 1, "choices": 4}
    assert sum(row["estimate"] for row in found.values()) == pytest.approx(1)
    for name, part in truth.items():
        row = found[f"luck:{name}", -1]
        assert row["low"] < part / 19 < row["high"], name
        assert row["high"] - row["low"] < 0.06
        assert (row["games"], row["decks"]) == (120_000, 20_000)


def test_luck_budget__what_sources_do_together_counts_for_the_later_one():
    found = rows_of(luck_budget(branched(lambda w, s, hand, stock, ch: hand * stock, 20_000, 3, False, 2), SOURCES, LUCK, CELL))
    assert [name for name, _ in found] == ["luck:who_starts", "luck:hand", "luck:stock", "luck:choices"]
    assert abs(found["luck:hand", -1]["estimate"]) < 0.05
    assert found["luck:stock", -1]["estimate"] == pytest.approx(1, abs=0.05)
    assert abs(found["luck:choices", -1]["estimate"]) < 0.03


def test_luck_budget__choices_that_change_nothing_have_no_part_at_all():
    found = rows_of(luck_budget(branched(lambda w, s, hand, stock, ch: hand + s, 500, 3, False, 2), SOURCES, LUCK, CELL))
    for name in ("stock", "choices"):
        row = found[f"luck:{name}", -1]
        assert row["estimate"] == row["low"] == row["high"] == 0


def test_luck_budget__what_the_last_two_do_together_is_halved():
    found = rows_of(luck_budget(branched(lambda w, s, hand, stock, ch: stock * ch, 20_000, 3, False, 2), SOURCES, LUCK, CELL))
    assert found["luck:stock", -1]["estimate"] == pytest.approx(0.5, abs=0.05)
    assert found["luck:choices", -1]["estimate"] == pytest.approx(0.5, abs=0.05)


def test_luck_budget__what_does_not_matter_has_a_part_of_0_on_the_average():
    """Means of few games lie apart by chance; that is taken off."""
    parts = {"who_plays": [], "who_starts": []}
    for seed in range(150):
        found = rows_of(luck_budget(branched(lambda w, s, hand, stock, ch: hand, 40, 3, True, seed), SOURCES, LUCK, CELL))
        for name, seen in parts.items():
            seen.append(found[f"luck:{name}", -1]["estimate"])
    for seen in parts.values():
        assert abs(np.mean(seen)) < 4 * np.std(seen) / len(seen) ** 0.5


def test_luck_budget__intervals_hold_the_truth_as_often_as_they_say():
    """The start decides 1/6 of a bounded result, the hand a third, and so on: 95 of 100 intervals hold that."""

    def result(who, start, hand, stock, choices):
        return np.where(start == 0, 1.0, -1.0) + np.sign(hand) * 2**0.5 + np.sign(stock) + np.sign(choices) * 2**0.5

    truth = {"who_starts": 1 / 6, "hand": 2 / 6, "stock": 1 / 6, "choices": 2 / 6}
    held = dict.fromkeys(truth, 0)
    for seed in range(200):
        found = rows_of(luck_budget(branched(result, 600, 2, False, seed), SOURCES, LUCK, CELL))
        for name, part in truth.items():
            row = found[f"luck:{name}", -1]
            held[name] += row["low"] < part < row["high"]
    assert all(180 <= times <= 199 for times in held.values()), held


def played(rates, replays, seed=3):
    """Win shares of two players on decks with these rates of the start player."""
    first = np.random.default_rng(seed).random((len(rates), replays)) < np.array(rates)[:, None]
    return np.stack([first, ~first], axis=2).astype(float)


def test_deck_effect__decks_that_decide_nothing():
    found = rows_of(deck_effect(played([0.5] * 400, 100), CELL))
    assert found["deck_spread", -1]["low"] == 0 and found["deck_spread", -1]["estimate"] < 0.03
    assert found["deck_entropy", -1]["estimate"] == pytest.approx(1, abs=0.003)
    assert found["deck_outside", -1]["estimate"] < 0.06


def test_deck_effect__decks_that_decide_everything():
    found = rows_of(deck_effect(played([0.0, 1.0] * 100, 20), CELL))
    assert found["deck_spread", -1]["estimate"] == pytest.approx(0.5, abs=0.01)
    assert found["deck_entropy", -1]["estimate"] == 0
    assert found["deck_outside", -1]["estimate"] == 1
    assert (found["deck_rate:q05", -1]["estimate"], found["deck_rate:q95", -1]["estimate"]) == (0, 1)


def test_deck_effect__noise_is_taken_off():
    """Rates 0.4 and 0.6: the spread is 0.1, however few the replays."""
    for replays in (10, 200):
        found = rows_of(deck_effect(played([0.4, 0.6] * 2000, replays), CELL))["deck_spread", -1]
        assert found["low"] < 0.1 < found["high"]
        assert found["high"] - found["low"] < 0.03
