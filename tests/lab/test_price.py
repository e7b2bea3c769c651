"""Prices of the start: found in a sweep, confirmed by fresh games, and folders that are gone on with."""

import json
import shutil

import polars as pl
import pytest

import pinchsim
from pinchsim.errors import UsageError
from pinchsim.lab import price as lab
from pinchsim.lab.settings import with_switches
from pinchsim.measure.price import fair_price, fairness
from pinchsim.measure.sample import samples
from tests.report.report_run import swept


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("run"), variants=["aces-bite"], players=[3, 4], games=600)


@pytest.fixture(scope="module")
def found(run, tmp_path_factory):
    return confirmed(run, tmp_path_factory.mktemp("price"))


def confirmed(run, folder, **fields):
    return pinchsim.price(run, out=folder, jobs=1, **fields)


def estimates(run, measure, **cell):
    return run.summary.estimates.filter(measure=measure, **cell).sort("position").to_dicts()


def test_price__is_the_best_bonus_in_whole_points_of_each_cell(run, found):
    wanted = []
    for sample in samples(run.scan_cells()):
        whole = fair_price(sample, fewer_hand_wins=True).filter(measure="fair_price:whole")["estimate"].to_list()
        wanted.append((*sample.cell, whole))
    assert found.complete
    assert sorted(found.found.select("variant", "players", "line_up", "bonus").rows()) == sorted(wanted)
    assert len({tuple(bonus) for *_, bonus in wanted}) > 1, "no two cells need be paid alike"


def test_price__fresh_games_are_those_of_a_sweep_with_the_bonus(run, found, tmp_path):
    """The players know of the bonus, and the decks are others than the run's."""
    (row,) = found.found.filter(variant="aces-bite", players=4).to_dicts()
    variant = f"aces-bite+start_bonus=[{','.join(f'{x:g}' for x in row['bonus'])}]"
    by_hand = swept(tmp_path, variants=[variant], base=None, players=[4], games=600, seed=2)
    (after,) = estimates(by_hand, "start_player_advantage")
    assert [row[name] for name in ("after", "after_low", "after_high", "games", "decks")] == [
        after[name] for name in ("estimate", "low", "high", "games", "decks")
    ]
    shares = by_hand.players.sort("deck", "rotation", "position")["win_share"].to_numpy().reshape(-1, 4, 4).astype(float)
    independent = shares.reshape(-1, 4).var(axis=0, ddof=1) / 600
    assert row["variance_reduction"] == pytest.approx(independent / (shares.mean(axis=1).var(axis=0, ddof=1) / 150))
    judged = fairness(estimates(by_hand, "win_share"), 0.01)
    assert (row["position"], row["verdict"], row["games_to_decide"]) == (judged.position, judged.verdict, judged.games)
    assert (row["off"], row["off_low"], row["off_high"]) == judged.off
    (before,) = estimates(run, "start_player_advantage", variant="aces-bite", players=4)
    assert (row["before"], row["before_low"], row["games_before"]) == (before["estimate"], before["low"], before["games"])


def test_price__games_seed_and_margin_are_those_asked_for(run, tmp_path):
    row = confirmed(run, tmp_path / "a", games=100, seed=7).found.filter(variant="pinch", players=3).to_dicts()[0]
    assert (row["games"], row["decks"], row["margin"]) == (102, 34, 0.01), "in whole decks"
    other = confirmed(run, tmp_path / "b", games=100, seed=8).found.filter(variant="pinch", players=3).to_dicts()[0]
    assert other["after"] != row["after"]
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert (manifest["format"], manifest["seed"], manifest["state"]) == ("pinchsim-price/2", 7, "complete")


def test_price__comes_on_top_of_a_bonus_of_the_rules(tmp_path):
    variant = "pinch+start_bonus=[0.5,9]"
    run = swept(tmp_path / "run", variants=[variant], base=None, players=[3], games=300)
    found = confirmed(run, tmp_path / "price").found.row(0, named=True)
    assert found["bonus"][1] < 0, "a bonus of 9 was too much"
    played = pinchsim.load(tmp_path / "price" / "cells" / "00").manifest
    (rules,) = played["rules"].values()
    assert rules["switches"]["start_bonus"] == [0.5, 9 + found["bonus"][1], found["bonus"][2]]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("pinch", "pinch+start_bonus=[0]"),
        ("duel+classic", "duel+classic+start_bonus=[0]"),
        ("pinch+start_bonus=[0, 1]+refill=card", "pinch+refill=card+start_bonus=[0]"),
        ("start_bonus=1.toml", "start_bonus=1.toml+start_bonus=[0]"),
    ],
)
def test_with_switches__replaces_a_setting_that_is_named(source, wanted):
    assert with_switches(source, {"start_bonus": "[0]"}) == wanted


def test_price__of_a_ladder_only_credible_levels_with_their_part_of_the_games(tmp_path):
    ladder = [
        {"strategy": "uniform", "credible": False}, {"strategy": "greedy"}, {"strategy": "sniper", "games": 0.5},
    ]  # fmt: skip
    run = pinchsim.sweep(
        variants=["pinch"], players=[3], ladder=ladder, games=600, jobs=1, out=tmp_path / "run"
    )  # fmt: skip
    found = confirmed(run, tmp_path / "price", games=300).found
    assert found.select("line_up", "games").rows() == [("greedy", 300), ("sniper", 150)]


def test_price__where_there_is_none_nothing_is_played(run, tmp_path, monkeypatch):
    real = lab.price_of_first

    def without(sample, fewer_hand_wins):
        table = real(sample, fewer_hand_wins)
        return table.with_columns(estimate=float("nan")) if sample.cell[:2] == ("pinch", 3) else table

    monkeypatch.setattr(lab, "price_of_first", without)
    found = confirmed(run, tmp_path, games=60)
    assert found.complete
    rows = {(row["variant"], row["players"]): row for row in found.found.to_dicts()}
    none = rows.pop(("pinch", 3))
    assert all(none[name] is None for name in ("bonus", "verdict", "games", "variance_reduction"))
    assert none["before"] is not None
    assert len(rows) == 3 and all(row["verdict"] for row in rows.values())


def test_price__goes_on_after_an_interruption(run, tmp_path, monkeypatch):
    whole = confirmed(run, tmp_path / "whole", games=60)
    play, search, told = lab.run_experiment, lab.price_of_first, []

    def interrupted(*args):
        told.append("played")
        done = play(*args)
        if len(told) == 2:
            done.manifest["state"] = "interrupted"
        return done

    monkeypatch.setattr(lab, "run_experiment", interrupted)
    part = confirmed(run, tmp_path / "part", games=60)
    assert not part.complete
    assert part.found.equals(whole.found[:1])
    monkeypatch.setattr(lab, "run_experiment", play)
    searched = []
    monkeypatch.setattr(lab, "price_of_first", lambda sample, fewer: searched.append(sample.cell) or search(sample, fewer))
    again = confirmed(run, tmp_path / "part", games=60)
    assert again.complete
    assert again.found.equals(whole.found)
    assert len(searched) == 2, "what was found before is kept"


def test_price__interrupted_before_anything_is_finished(run, tmp_path, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(lab, "price_of_first", interrupted)
    with pytest.raises(KeyboardInterrupt):
        confirmed(run, tmp_path)
    with pytest.raises(UsageError, match="holds no confirmed price"):
        lab.load_prices(tmp_path, {})


class Heard(lab.Watcher):
    """Adds up what is told."""

    def __init__(self):
        self.begun, self.games, self.found = [], 0, 0

    def started(self, games, unit="games"):
        self.begun.append(games)

    def played(self, games, found=False):
        self.games += games
        self.found += games if found else 0


def test_price__progress_is_that_of_all_cells_together(run, tmp_path):
    for before in (0, 246):
        heard = Heard()
        confirmed(run, tmp_path, games=61, watcher=heard)
        assert (heard.begun, heard.games, heard.found) == ([254], 254, before and 254)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seed": 1}, "The seed 1 is that of the run"),
        ({"games": 0}, "'games' cannot be 0"),
        ({"seed": -1}, "'seed' cannot be -1"),
    ],
)
def test_price__what_cannot_be_done_is_said(run, tmp_path, fields, message):
    with pytest.raises(UsageError, match=message):
        confirmed(run, tmp_path / "price", **fields)
    assert not (tmp_path / "price").exists()


def test_price__a_folder_of_something_else_is_refused(run, found, tmp_path):
    with pytest.raises(UsageError, match="differs in: seed"):
        confirmed(run, found.folder, seed=5)
    with pytest.raises(UsageError, match="holds something else"):
        confirmed(run, run.folder)


def test_price__of_sessions_there_is_none(tmp_path):
    run = swept(tmp_path / "run", variants=["pinch"], players=[3], games=6, session="match")
    with pytest.raises(UsageError, match="sweep of sessions"):
        confirmed(run, tmp_path / "price")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"state": "complete"', '"state": "interrupted"', "is not finished"),
        ('"engine": "', '"engine": "0', "the engine has changed since. Play the sweep again."),
    ],
)
def test_price__a_run_that_is_unfinished_or_of_another_engine_is_refused(run, tmp_path, old, new, message):
    folder = tmp_path / "run"
    shutil.copytree(run.folder, folder)
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace(old, new))
    with pytest.raises(UsageError, match=message):
        confirmed(folder, tmp_path / "price")


def test_price__its_table_is_kept(found):
    assert pl.read_parquet(found.folder / "price.parquet").equals(found.found)
    assert lab.load_prices(found.folder, found.manifest).found.equals(found.found)
