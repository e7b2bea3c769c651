"""Games of a finished run again: only if they come out as they did."""

import shutil

import numpy as np
import polars as pl
import pytest

import pinchsim
from pinchsim.lab.replays import Replays, replays_of
from pinchsim.measure.summary import CellName
from pinchsim.strategy import library

CELL = CellName("classic", 3, "greedy")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    return pinchsim.sweep(
        out=folder, jobs=1, variants=["classic"], base=None, players=[3], line_ups=["greedy"], games=60, seed=4
    )


@pytest.fixture(scope="module")
def replays(run):
    return replays_of(run)


def test_replays__games_turn_by_turn_are_those_of_the_rows(run, replays):
    progress = replays.progress(CELL, np.arange(60))
    games = run.games.sort("deck", "rotation")
    np.testing.assert_array_equal(np.bincount(progress.games, minlength=60) + 1, games["turns"])
    shares = run.players.sort("deck", "rotation", "position")["win_share"].to_numpy().reshape(-1, 3)
    np.testing.assert_allclose(progress.shares, shares, atol=1e-6)


def test_replays__jokers_dealt_are_those_of_the_rows(run, replays):
    dealt = replays.dealt(CELL, np.arange(20))
    rows = run.players.filter(pl.col("rotation") == 0).sort("deck", "seat")
    np.testing.assert_array_equal(dealt.cards["joker"].ravel(), rows["jokers_dealt"])


def test_replays__a_text_ends_as_the_row_says(run, replays):
    row = run.games.sort("deck", "rotation").row(7, named=True)
    text = replays.transcript(CELL, 7)
    assert text.startswith("classic, 3 players, seed 4, game 7\n")
    assert f"The game ends after {row['turns']} turns" in text
    words = replays.command(CELL, 7)
    assert words[:2] == ["pinchsim", "watch"] and words[-2:] == ["--game", "7"]


def test_replays__chances_are_fitted_once(replays, monkeypatch):
    _, fitted = replays.first(CELL, 30)
    monkeypatch.setattr(Replays, "progress", None)
    assert replays.model(CELL, 30) is fitted


def test_replays__of_a_ladder_and_of_a_variant_given_as_switches(tmp_path):
    run = pinchsim.sweep(
        out=tmp_path, jobs=1, variants=["pinch+turn_limit=20"], base=None, players=[3], games=30,
        ladder=[{"strategy": "greedy"}, {"strategy": "sniper", "games": 0.5}],
    )  # fmt: skip
    found = replays_of(run)
    assert [cell.line_up for cell in found.cells] == ["greedy", "sniper"]
    assert "turn_limit=20" in " ".join(found.command(run.cells[0], 0))


def test_replays__what_has_changed_is_said(run, tmp_path, copies_of_greedy):
    changed = pinchsim.load(run.folder)
    changed.manifest["engine"] = "another"
    assert replays_of(changed) == "the games again: the engine has changed since"
    own = tmp_path / "pinch"
    own.mkdir()
    shutil.copy(library.find("pinch", "greedy").path, own / "mine.py")
    mine = pinchsim.sweep(
        out=tmp_path / "run", jobs=1, variants=["pinch"], players=[3], line_ups=["mine"], games=3, strategies=(own,)
    )
    assert isinstance(replays_of(mine, (own,)), Replays)
    assert "mine" in replays_of(mine), "its folder was not named"
    (own / "mine.py").write_text((own / "mine.py").read_text() + "\n# changed\n")
    assert replays_of(mine, (own,)) == "the games again: strategies have changed since"


def test_replays__sessions_have_no_single_games(tmp_path):
    run = pinchsim.sweep(out=tmp_path, jobs=1, variants=["pinch"], players=[3], line_ups=["greedy"], games=3, session="match")
    assert isinstance(replays_of(run), str)
