"""Runs about luck: which games share what, and folders that are gone on with."""

import numpy as np
import polars as pl
import pytest

import pinchsim
from pinchsim.errors import UsageError
from pinchsim.games.seam import Source
from pinchsim.lab import luck as lab

SMALL = {"roots": 60, "decks": 30, "replays": 4, "line_ups": ("greedy", "uniform", "greedy,uniform"), "players": 3}


def played(folder, **changes):
    return pinchsim.luck(out=folder, **{"jobs": 1} | SMALL | changes)


@pytest.mark.parametrize("mixed", [False, True])
def test_branch_worlds__game_k_shares_the_first_sources_and_no_others(mixed):
    worlds, outer = lab.branch_worlds(500, 4, 3, mixed, seed=1)
    start, who, sources = worlds[:, :, 0], -worlds[:, :, 1] % 4, worlds[:, :, 2:]
    n_outer, root = 1 + mixed, -2
    assert worlds.shape == (500, n_outer + 4, 5)
    np.testing.assert_array_equal(outer, who * 4 + start)
    assert (who == who[:, :1]).all() and (len(np.unique(who)) == (4 if mixed else 1))
    for game in range(n_outer + 3):
        shares_start = game >= n_outer - 1
        assert (start[:, game] == start[:, root]).all() == shares_start
        for k in range(3):
            assert (sources[:, game, k] == sources[:, root, k]).all() == (game >= n_outer + k)
    twin = sources[:, -1] == sources[:, root]
    assert twin.all(axis=0).tolist() == [True, False, True]
    for k in range(3):
        own = sources[:, :, k][sources[:, :, k] != sources[:, root : root + 1, k]]
        assert len(np.unique(own)) == len(own), "what is taken anew is taken by nobody else"


def test_replay_worlds__only_choices_differ():
    worlds = lab.replay_worlds(3, 5, [Source("cards", "cards"), Source("choices", "choices", True)])
    assert worlds.shape == (3, 5, 4)
    assert (worlds[:, :, :2] == 0).all()
    assert (worlds[:, :, 2] == np.arange(3)[:, None]).all()
    assert len(np.unique(worlds[:, :, 3])) == 15


def test_luck__parts_add_up_and_players_without_randomness_have_no_part_in_it(tmp_path):
    found = played(tmp_path / "run")
    assert found.complete
    budget = found.found.filter(pl.col("measure").str.starts_with("luck:"))
    sums = budget.group_by("line_up").agg(pl.col("estimate").sum())
    np.testing.assert_allclose(sums["estimate"], 1)
    parts = {(row["line_up"], row["measure"]): row for row in budget.iter_rows(named=True)}
    for own in ("luck:own_choices", "luck:other_choices"):
        assert parts["greedy", own]["estimate"] == 0
        assert parts["uniform", own]["estimate"] > 0.1
    assert ("greedy", "luck:who_plays") not in parts
    assert parts["greedy,uniform", "luck:who_plays"]["low"] > 0.1
    assert parts["greedy", "luck:hand"]["games"] == 60 * 7
    assert found.rates.group_by("line_up").len().sort("line_up").rows() == [("greedy", 30), ("uniform", 30)]
    spread = found.found.filter(measure="deck_entropy")
    assert spread["line_up"].to_list() == ["greedy", "uniform"]


def test_luck__is_the_same_on_any_number_of_threads_and_after_an_interruption(tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "BATCH_GAMES", 70)
    whole = played(tmp_path / "one")
    two = played(tmp_path / "two", jobs=2)
    finish, told = lab._finish, []

    def interrupted(folder, k, table, cell):
        told.append(k)
        if len(told) == 2:
            raise KeyboardInterrupt
        finish(folder, k, table, cell)

    monkeypatch.setattr(lab, "_finish", interrupted)
    part = played(tmp_path / "part")
    assert not part.complete
    assert part.found["line_up"].unique().to_list() == ["greedy"]
    monkeypatch.setattr(lab, "_finish", finish)
    again = played(tmp_path / "part")
    assert again.complete
    for other in (two, again):
        assert whole.found.equals(other.found)
        assert whole.rates.equals(other.rates)


def test_luck__a_folder_of_another_run_is_refused(tmp_path):
    played(tmp_path / "run", line_ups=("greedy",))
    with pytest.raises(UsageError, match="differs in: seed"):
        played(tmp_path / "run", line_ups=("greedy",), seed=2)


def test_luck__usual_line_ups_are_weak_strong_noisy_and_mixed():
    game = pinchsim.games.load("pinch")
    assert lab.usual_line_ups(game, 4) == (
        "greedy", "champion", "champion:temperature=4", "champion:temperature=1", "greedy,sniper,dozen,champion",
    )  # fmt: skip
    assert lab.usual_line_ups(game, 2)[-1] == "greedy,champion"


@pytest.mark.parametrize(("fields", "message"), [({"roots": 3}, "roots"), ({"line_ups": ("nobody",)}, "nobody")])
def test_luck__what_cannot_be_done_is_said(tmp_path, fields, message):
    with pytest.raises(UsageError, match=message):
        played(tmp_path / "run", **fields)
