"""The self-test of the decks."""

import json

import numpy as np
import pytest

from pinchsim import api, games
from pinchsim.lab import decks
from pinchsim.paths import shipped
from tests.lab.toy import TOY, ToyGame

FIELDS = {"variants": ["biased"], "players": [2], "line_ups": ["uniform"], "strategies": (shipped("strategies") / "pinch",)}


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: TOY)


def told(folder):
    return json.loads((folder / "manifest.json").read_text())["decks"]


def test_decks__of_a_run_are_counted_in_its_manifest(tmp_path, toy):
    api.sweep(games=6000, out=tmp_path / "run", **FIELDS)
    assert told(tmp_path / "run") == {"sampled": 1000, "distinct": 1000}


def test_decks__of_pinch_and_of_its_sessions(tmp_path):
    fields = {"variants": ["pinch"], "base": None, "players": [3], "line_ups": ["greedy"], "jobs": 1}
    api.sweep(games=300, out=tmp_path / "games", **fields)
    assert told(tmp_path / "games") == {"sampled": 100, "distinct": 100}
    api.sweep(games=60, session="match", out=tmp_path / "matches", **fields)
    assert told(tmp_path / "matches") == {"sampled": 1000, "distinct": 1000}, "each session has decks of its own"


def test_decks__that_are_repeated_show(tmp_path, toy, monkeypatch):
    real = ToyGame.dealt
    monkeypatch.setattr(
        ToyGame, "dealt", lambda self, rules, players, seed, numbers: real(self, rules, players, seed, numbers % 700)
    )
    run = api.sweep(games=1600, out=tmp_path / "run", **FIELDS)
    assert told(tmp_path / "run") == {"sampled": 800, "distinct": 700}
    assert run.complete, "it informs, and decides nothing"


def test_decks__are_not_looked_at_again(tmp_path, toy, monkeypatch):
    api.sweep(games=60, out=tmp_path / "run", **FIELDS)
    monkeypatch.setattr(ToyGame, "dealt", None)
    api.sweep(games=60, out=tmp_path / "run", **FIELDS)
    assert told(tmp_path / "run") == {"sampled": 30, "distinct": 30}


@pytest.mark.parametrize("n", [1, 999, 1000, 1001, 1500, 25_000, 2_000_000_000])
def test_sampled_decks__first_last_and_between(n):
    numbers = decks.sampled_decks(n)
    assert numbers[0] == 0 and numbers[-1] == n - 1
    assert numbers.size == min(n, 1000)
    assert (np.diff(numbers) > 0).all()
    if n > 10_000:
        assert np.diff(numbers).max() < n / 250, "the ones between are spread"
