"""Chances of winning: fitted to games whose chances are known, and stories with known answers."""

import numpy as np
import pytest

from pinchsim.measure import win_probability as wp
from tests.measure.made import made, rows_of


def walks(decks, players=3, turns=8, seed=1, noise=1):
    """Games in which each player has a sign that wanders; who wins is drawn by the softmax of twice the last sign.

    A second sign is noise. The chance after turn t that follows from the sign then is nearly the softmax of `weights[0]` * sign.
    """
    rng = np.random.default_rng(seed)
    all_signs, all_shares, decks_of = [], [], []
    for deck in range(decks):
        for _ in range(players):
            sign = np.cumsum(rng.normal(size=(turns, players)) * 0.3 * noise, axis=0)
            signs = np.stack([sign, rng.normal(size=(turns, players))], axis=2)
            chance = wp.softmax(2 * sign[-2])
            shares = np.zeros(players)
            shares[rng.choice(players, p=chance)] = 1
            all_signs.append(signs)
            all_shares.append(shares)
            decks_of.append(deck)
    games = np.repeat(np.arange(len(all_signs)), turns)
    return wp.progress_of(games, np.concatenate(all_signs), np.array(all_shares)), np.array(decks_of)


def sample_of(progress, decks, players=3):
    return made(players, deck=decks, win_share=progress.shares)


def test_fit__finds_the_weights_that_made_the_outcomes():
    rng = np.random.default_rng(4)
    signs = rng.normal(size=(20_000, 4, 3))
    chances = wp.softmax(signs @ np.array([1.5, -0.7, 0.0]))
    winners = (rng.random(20_000)[:, None] > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
    progress = wp.Progress(signs, np.eye(4)[winners], np.arange(20_000))
    np.testing.assert_allclose(wp.fit(progress), [1.5, -0.7, 0], atol=0.05)


def test_fit__a_sign_that_is_the_same_for_all_has_no_weight():
    progress, _ = walks(40)
    signs = np.concatenate([progress.signs, np.ones((*progress.signs.shape[:2], 1)) * 7], axis=2)
    assert abs(wp.fit(progress._replace(signs=signs))[-1]) < 1e-6


def test_win_probability__chances_are_calibrated():
    progress, decks = walks(1500)
    found = rows_of(wp.win_probability(sample_of(progress, decks), progress, wp.fit_halves(progress, decks)))
    seen = 0
    for percent in range(0, 100, 10):
        key = f"calibration:{percent:02}", -1
        if key in found and found[key]["decks"] > 200:
            seen += 1
            told = found[f"foretold:{percent:02}", -1]["estimate"]
            assert percent / 100 <= told <= percent / 100 + 0.1
            assert found[key]["low"] - 0.03 < told < found[key]["high"] + 0.03
    assert seen >= 6
    assert found["foretells", -1]["low"] > 0.05


def test_win_probability__noise_foretells_nothing():
    """Weights come from the other half of the decks."""
    progress, decks = walks(60, noise=1e-6)
    found = rows_of(wp.win_probability(sample_of(progress, decks), progress, wp.fit_halves(progress, decks)))
    assert found["foretells", -1]["estimate"] < 0.01


def test_halves__do_not_look_at_their_own_decks():
    progress, decks = walks(20)
    flipped = progress._replace(
        shares=np.where((decks % 2 == 0)[:, None], np.roll(progress.shares, 1, axis=1), progress.shares)
    )
    before, after = wp.fit_halves(progress, decks), wp.fit_halves(flipped, decks)
    np.testing.assert_allclose(before.odd, after.odd, rtol=1e-6)
    assert (before.even != after.even).all()
    np.testing.assert_allclose(before.of(progress.signs, 4), after.of(progress.signs, 4), rtol=1e-6)


def test_foretold__each_half_by_the_weights_of_the_other():
    progress, decks = walks(20)
    chances = wp.Chances(np.array([5.0, 0.0]), np.array([0.0, 5.0]))
    found = wp._foretold(progress, chances, decks)
    for turn in range(0, len(found), 7):
        np.testing.assert_allclose(found[turn], chances.of(progress.signs[turn], decks[progress.games[turn]]))


def stories(*games):
    """Numbers of games, given as chances after each turn but the last and shares of the win."""
    chances = np.concatenate([np.array(chances, float).reshape(-1, len(shares)) for chances, shares in games])
    of = np.repeat(np.arange(len(games)), [len(chances) for chances, _ in games])
    found = wp.stories(chances, wp.Progress(chances[:, :, None], np.array([shares for _, shares in games], float), of))
    return [{name: values[k] for name, values in found.items()} for k in range(len(games))]


TURNS = ([[0.6, 0.4], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]], [0, 1])
CALM = ([[0.6, 0.4], [0.7, 0.3]], [1, 0])
SHORT = ([], [1, 0])


@pytest.mark.parametrize("others", [(), (CALM,), (CALM, SHORT)])
def test_stories__of_a_game_that_turns(others):
    """The winner is player 1: behind in two of four turns, the favourite changes once, and a part of a step is undone."""
    told = stories(*others, TURNS, *others)[len(others)]
    assert told["chance_drama"] == pytest.approx((0.2 + 0.6 + 0 + 0) / 4)
    assert told["lowest_chance"] == pytest.approx(0.2)
    assert told["favourite_changes"] == 1
    assert told["swing"] == pytest.approx((0.2 + 0.5 + 0.2) / 3)
    assert told["chance_permanence"] == pytest.approx(1 - 0.2 / 0.9)
    assert told["decided"] == pytest.approx(3 / 4), "the fourth turn is the first above 80 % for good; the fifth is the last"


def test_stories__of_a_game_that_is_open_to_the_end():
    told = stories(([[0.25] * 4] * 3, [0.5, 0.5, 0, 0]))[0]
    expected = {"chance_drama": 0, "chance_permanence": 1, "decided": 1, "swing": 0, "favourite_changes": 0}
    assert {name: told[name] for name in expected} == expected
    assert told["chance_uncertainty"] == pytest.approx(1) and told["lowest_chance"] == 0.25


def test_stories__of_a_game_of_one_turn():
    told = stories(CALM, SHORT, TURNS)[1]
    assert (told["decided"], told["swing"], told["chance_permanence"], told["lowest_chance"]) == (0, 0, 1, 1)


def test_progress__leaves_out_the_last_turn_and_keeps_the_order():
    signs = np.arange(7 * 2 * 3).reshape(7, 2, 3).astype(float)
    progress = wp.progress_of(np.array([0, 0, 0, 0, 1, 2, 2]), signs, np.array([[1.0, 0]] * 3))
    assert progress.games.tolist() == [0, 0, 0, 2]
    np.testing.assert_array_equal(progress.signs, signs[[0, 1, 2, 5]])
    part = progress.part(np.array([False, True, True]))
    assert part.games.tolist() == [1] and len(part.shares) == 2
