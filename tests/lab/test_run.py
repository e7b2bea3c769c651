"""Runs: the same rows whatever the threads, going on after a stop, and the seam with a second game."""

import json

import polars as pl
import pytest

from pinchsim import api, games
from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch.game import PINCH
from pinchsim.lab import chunks, executor
from pinchsim.lab.experiment import cells, make_experiment
from pinchsim.lab.watcher import Watcher
from pinchsim.paths import shipped
from tests.lab.toy import TOY

SMALL = {"variants": ["aces-bite"], "players": [3, 4], "line_ups": ["greedy"], "games": 600, "seed": 4}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Several chunks a cell."""
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 60)


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: TOY)


def parts(folder):
    return {p.relative_to(folder): p.read_bytes() for p in sorted(folder.glob("*/*/*.parquet"))}


def test_sweep__same_bytes_for_any_number_of_threads(tmp_path):
    found = []
    for jobs in (1, 2, 5):
        run = api.sweep(out=tmp_path / str(jobs), jobs=jobs, **SMALL)
        found.append((parts(run.folder), run.summary.estimates, run.summary.differences))
    for other in found[1:]:
        assert other[0] == found[0][0]
        assert other[1].equals(found[0][1])
        assert other[2].equals(found[0][2])
    assert len(found[0][0]) == 2 * (2 * 4 + 2 * 3), "two tables of 200 and 150 decks in two variants each"


class StopAfter(Watcher):
    """Stands for Ctrl-C: the main thread's waiting is interrupted once enough games are played."""

    def __init__(self, games, monkeypatch):
        self.left = games
        real = executor.wait

        def interrupted_wait(workers, timeout=None):
            if timeout is None:
                return real(workers)
            while self.left > 0:
                real(workers, timeout=0.001)
            raise KeyboardInterrupt

        monkeypatch.setattr(executor, "wait", interrupted_wait)

    def played(self, games, found=False):
        self.left -= games


def test_sweep__goes_on_after_an_interruption(tmp_path, monkeypatch):
    whole = api.sweep(out=tmp_path / "whole", jobs=1, **SMALL)
    # A stop in the worker stands for Ctrl-C: both set the same flag.
    real = chunks.Player.play
    played = []

    def play_some(self, chunk, memory, on_games):
        if len(played) == 5:
            raise chunks.Stopped
        played.append(chunk)
        return real(self, chunk, memory, on_games)

    monkeypatch.setattr(chunks.Player, "play", play_some)
    api.sweep(out=tmp_path / "cut", jobs=1, **SMALL)
    left = parts(tmp_path / "cut")
    assert len(left) == 10
    monkeypatch.setattr(chunks.Player, "play", real)
    again = api.sweep(out=tmp_path / "cut", jobs=2, **SMALL)
    assert again.complete
    assert parts(tmp_path / "cut") == parts(tmp_path / "whole")
    assert again.summary.estimates.equals(whole.summary.estimates)


def test_chunks__slow_cells_have_small_ones(monkeypatch):
    """Somebody who searches takes seconds for few decks; what was played is not lost."""
    monkeypatch.setattr(chunks, "SLOW_CHUNK_DECKS", 7)
    experiment = make_experiment(
        {"variants": ["pinch"], "players": [3], "line_ups": ["greedy", "search:2,greedy"], "games": 60}, "here"
    )
    fast, slow = cells(experiment, ())
    assert [(c.first_deck, c.decks) for c in chunks.chunks_of(PINCH, fast, 60)] == [(0, 20)]
    assert [(c.first_deck, c.decks) for c in chunks.chunks_of(PINCH, slow, 60)] == [(0, 7), (7, 7), (14, 6)]


def test_sweep__interrupted_run_is_valid_and_says_so(tmp_path, toy, monkeypatch):
    run = api.sweep(
        variants=["biased"], players=[2], line_ups=["uniform"], games=20_000, out=tmp_path / "r", jobs=2,
        watcher=StopAfter(3000, monkeypatch), strategies=(shipped("strategies") / "pinch",),
    )  # fmt: skip
    assert not run.complete
    assert json.loads((run.folder / "manifest.json").read_text())["state"] == "interrupted"
    loaded = api.load(run.folder)
    assert loaded.games.height == sum(loaded.summary.estimates.filter(measure="turns").get_column("games").to_list())


def test_sweep__refuses_another_runs_folder(tmp_path):
    api.sweep(out=tmp_path / "r", **(SMALL | {"games": 30}))
    with pytest.raises(UsageError, match="differs in: seed"):
        api.sweep(out=tmp_path / "r", **(SMALL | {"games": 30, "seed": 5}))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="not empty"):
        api.sweep(out=tmp_path / "other", **SMALL)


def test_sweep__trace_is_the_same_game(tmp_path):
    run = api.sweep(out=tmp_path / "r", **(SMALL | {"players": [4], "games": 80}))
    rows = run.players.filter(variant="aces-bite")
    for game in (0, 17, 79):
        (record,) = api.trace("aces-bite", 4, "greedy", seed=4, game=game)
        row = rows.filter((pl.col.deck * 4 + pl.col.rotation) == game).sort("seat")
        assert row["score"].to_list() == record[-1]["scores"]


def test_run__frames_have_every_column(tmp_path):
    run = api.sweep(out=tmp_path / "r", **(SMALL | {"games": 30}))
    loaded = api.load(run.folder)
    game = games.load("pinch")
    assert loaded.games.columns == ["variant", "players", "line_up", *(c.name for c in game.game_columns)]
    names = ["variant", "players", "line_up", "deck", "rotation", "position", *(c.name for c in game.player_columns)]
    assert loaded.players.columns == names
    assert loaded.summary.estimates.equals(run.summary.estimates)


def test_sweep__illegal_answer_names_strategy_and_game(tmp_path):
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "cheat.py").write_text(
        "from pinchsim.games.pinch.moves import group\n\n\ndef play(view):\n    return group(1, 9, 0)\n"
    )
    with pytest.raises(RunError, match=r"cheat.*game \d+: play: the hand does not hold this group"):
        api.sweep(
            variants=["pinch"], base=None, players=[3], line_ups=["cheat"], games=30, out=tmp_path / "r",
            strategies=(folder,),
        )  # fmt: skip


def test_toy_game__known_answers_from_the_same_floors(tmp_path, toy):
    run = api.sweep(
        variants=["biased"], players=[2], line_ups=["uniform"], games=6000, out=tmp_path / "r",
        strategies=(shipped("strategies") / "pinch",),
    )  # fmt: skip
    rows = {(r["variant"], r["measure"], r["position"]): r for r in run.summary.estimates.to_dicts()}
    fair, biased = rows["fair", "win_share", 0], rows["biased", "win_share", 0]
    assert fair["low"] - 0.01 < 0.5 < fair["high"] + 0.01
    assert biased["low"] - 0.01 < 0.6 < biased["high"] + 0.01
    assert rows["fair", "turns", -1]["estimate"] == 7
    assert rows["fair", "end:over", -1]["estimate"] == 1
    (difference,) = run.summary.differences.filter(measure="win_share", position=0).to_dicts()
    # Common luck: only games whose luck falls into the extra tenth change, so the difference is far better known.
    assert abs(difference["estimate"] - 0.1) < 5 * difference["standard_error"]
    assert difference["variance_reduction"] > 3
    # Two games of a deck share its strength: variance of a deck mean = (0.25 + cov) / 2, cov = 0.1 ** 2.
    assert fair["standard_error"] == pytest.approx(((0.25 + 0.01) / 2 / 3000) ** 0.5, rel=0.05)
