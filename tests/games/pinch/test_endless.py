"""Endless games (R6.6): only aces-bite allows them, and the turn limit ends them."""

from pathlib import Path

import numpy as np
import pytest

from pinchsim import games
from pinchsim.games.pinch.codes import CARDS_EXHAUSTED, HAND_EMPTY, TURN_LIMIT
from pinchsim.games.pinch.compiled import empty_blocks
from pinchsim.games.pinch.rules import load_variant
from pinchsim.strategy import library

PINCH = games.load("pinch")
FOLDER = Path(__file__).parents[2] / "strategies" / "pinch"


@pytest.fixture(scope="module")
def kernel():
    return PINCH.load_kernel([library.find("pinch", "stubborn", (FOLDER,))], [load_variant("pinch").rules])


def play(kernel, variant, n_games=600):
    blocks = empty_blocks(n_games, 3)
    PINCH.play(kernel, load_variant(variant).rules, [0, 0, 0], 5, np.arange(n_games), PINCH.new_memory(), *blocks)
    return blocks[0][3], blocks[0][4]


def test_aces_bite__can_be_endless_and_stops_at_the_limit(kernel):
    turns, reasons = play(kernel, "aces-bite")
    limited = reasons == TURN_LIMIT
    assert 0 < limited.sum() < limited.size
    assert np.all(turns[limited] == 2000)
    assert np.all(turns[~limited] < 2000)


@pytest.mark.parametrize("variant", ["pinch", "classic"])
def test_other_variants__always_end(kernel, variant):
    turns, reasons = play(kernel, variant)
    assert set(np.unique(reasons)) <= {HAND_EMPTY, CARDS_EXHAUSTED}
    assert turns.max() < 600
