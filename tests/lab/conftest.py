"""What several tests of the laboratory need."""

from dataclasses import replace

import pytest

from pinchsim.games.pinch.game import PinchGame
from pinchsim.lab import chunks
from pinchsim.strategy import library
from tests.lab.runs import CHUNK_DECKS


@pytest.fixture(scope="module")
def small_chunks():
    """Chunks so small that a small run has several, in all tests of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)
        yield


@pytest.fixture
def copies_of_greedy(monkeypatch):
    """Every strategy is a copy of `greedy` and plays from its kernel: a file of another name would be compiled anew."""
    real, greedy = PinchGame.load_kernel, library.find("pinch", "greedy")

    def load(self, some, rule_sets):
        return replace(real(self, [greedy], rule_sets), slots=(0,) * len(some), policies=(None,) * len(some))

    monkeypatch.setattr(PinchGame, "load_kernel", load)
