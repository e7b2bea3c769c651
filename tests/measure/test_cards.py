"""What cards are worth, on hands whose worth is known."""

import numpy as np
import pytest

from pinchsim.measure.cards import Hands, cards, cross_fitted, seat_wins
from tests.measure.made import made, rows_of

SEATS, DECKS = 4, 4000


def dealt(seed=1, decks=DECKS):
    """Ten cards of three kinds for each seat, and how often a kind came five times."""
    hands = np.random.default_rng(seed).multinomial(10, [0.1, 0.4, 0.5], (decks, SEATS))
    return Hands({"joker": hands[..., 0], "two": hands[..., 1], "three": hands[..., 2]}, {"five": (hands == 5).sum(axis=2)})


def won(chances, seed=2):
    """A sample in which seat s of deck d wins with chance chances[d, s], each deck once from every start seat."""
    decks, seats = chances.shape
    rng = np.random.default_rng(seed)
    rotation = np.tile(np.arange(seats), decks)
    seat = (np.arange(seats) + rotation[:, None]) % seats
    cut = np.cumsum(chances / chances.sum(axis=1, keepdims=True), axis=1).repeat(seats, axis=0)
    winner = (rng.random(decks * seats)[:, None] > cut[:, :-1]).sum(axis=1)
    return made(seats, seat=seat.astype(np.int8), win_share=(seat == winner[:, None]).astype(np.float32))


def chances_of(hands, joker=0.03, five=-0.02):
    """A joker is worth `joker`, a three half of that, relative to a two; a group of five `five`."""
    worth = joker * hands.cards["joker"] + joker / 2 * hands.cards["three"] + five * hands.groups["five"]
    return 1 / SEATS + worth - worth.mean(axis=1, keepdims=True)


def test_seat_wins__follows_the_seat_through_the_rotations():
    sample = made(2, seat=np.array([[0, 1], [1, 0]], np.int8), win_share=[[1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_allclose(seat_wins(sample), [[(1 + 0.5) / 2, 0.25]])


def test_cards__finds_what_they_are_worth():
    """What everybody is dealt is worth the same, so of what a card adds a fourth is lost to the mean of the table."""
    hands = dealt()
    found = rows_of(cards(won(chances_of(hands)), hands))
    mean = 0.03 * 0.1 + 0.015 * 0.5
    added = {"card:joker": 0.03 - mean, "card:two": -mean, "card:three": 0.015 - mean, "group:five": -0.02}
    for name, worth in added.items():
        row = found[name, -1]
        assert row["low"] < 0.75 * worth < row["high"], name
        assert row["high"] - row["low"] < 0.03
        assert (row["games"], row["decks"]) == (DECKS * SEATS, DECKS)


def test_cards__intervals_hold_the_truth_as_often_as_they_say():
    held, times = 0, 150
    for seed in range(times):
        hands = dealt(seed, 150)
        row = rows_of(cards(won(chances_of(hands), seed), hands))["group:five", -1]
        held += row["low"] < -0.015 < row["high"]
    assert 0.89 < held / times < 0.99


def test_cards__kinds_that_are_hardly_dealt_are_left_out():
    hands = dealt()
    rare = np.zeros((DECKS, SEATS), int)
    rare[7, 0] = 1
    with_rare = Hands(hands.cards | {"two": hands.cards["two"] - rare, "rare": rare}, hands.groups)
    assert ("card:rare", -1) not in rows_of(cards(won(chances_of(hands)), with_rare))


def test_dead_hands__are_those_that_hardly_win():
    hands = dealt()
    weak = hands.cards["joker"] == 0
    chances = np.where(weak, 0.05, 0.4)
    joker = np.minimum(hands.cards["joker"], 1)
    found = rows_of(cards(won(chances), Hands({"joker": joker, "other": 10 - joker}, {})))
    assert found["dead_hand", -1]["estimate"] == pytest.approx(weak.mean(), abs=0.02)
    truth = (chances / chances.sum(axis=1, keepdims=True))[weak].mean()
    assert found["dead_hand_wins", -1]["estimate"] == pytest.approx(truth, abs=0.01)
    assert found["hand_tells", -1]["estimate"] > 0.2


def test_hands_that_tell_nothing__foretell_nothing():
    """Foretold from the other half of the decks: noise does not pass for knowledge."""
    hands = dealt(decks=300)
    found = rows_of(cards(won(np.full((300, SEATS), 0.25)), hands))
    assert found["hand_tells", -1]["estimate"] < 0.01
    assert found["dead_hand", -1]["estimate"] == 0
    assert ("dead_hand_wins", -1) not in found


def test_cross_fitted__does_not_look_at_its_own_deck():
    hands, wins = dealt(decks=40), np.random.default_rng(5).random((40, SEATS))
    x = np.stack([*hands.cards.values()], axis=2).astype(float)
    before = cross_fitted(wins, x)
    wins[0] = 1 - wins[0]
    after = cross_fitted(wins, x)
    np.testing.assert_array_equal(before[::2], after[::2])
    assert (before[1::2] != after[1::2]).all()


def test_cards__of_other_decks_are_refused():
    with pytest.raises(ValueError, match="hands for"):
        cards(won(chances_of(dealt(decks=10))), dealt(decks=11))


def test_cards__of_a_single_deck_foretell_nothing():
    hands = dealt(decks=1)
    found = rows_of(cards(won(chances_of(hands)), hands))
    assert ("hand_tells", -1) not in found and ("card:two", -1) in found
