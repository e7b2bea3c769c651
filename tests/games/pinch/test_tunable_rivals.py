"""Learning beside rivals of any kind: they play as they do everywhere, and nothing is learnt from them."""

import numpy as np
import polars as pl
import pytest

from pinchsim import api
from pinchsim.games.pinch.game import PINCH
from pinchsim.strategy import library


@pytest.mark.parametrize("name", ["sniper", "champion:memory=0.5"])
def test_shares__against_a_rival_are_those_of_a_run(name, tmp_path):
    """The same decks as a sweep with the same strategies."""
    dozen, rival = library.find("pinch", "dozen"), library.find("pinch", name)
    pinch = PINCH.tunable(PINCH.load_variant("pinch"), 4, (rival,))
    shares = pinch.shares([pinch.weights(dozen), rival, rival, rival], 1, np.arange(80), pinch.new_memory())
    run = api.sweep(line_ups=[f"dozen,{name}"], players=[4], games=80, base=None, out=tmp_path, jobs=1)
    rows = run.players.sort("deck", "rotation", "strategy")
    np.testing.assert_allclose(shares.ravel(), rows["win_share"].to_numpy(), atol=1e-6)
    assert rows.filter(pl.col("strategy") == 0).height == 80


def test_lessons__of_the_learner_only():
    rival = library.find("pinch", "sniper")
    pinch = PINCH.tunable(PINCH.load_variant("pinch"), 4, (rival,))
    weights = pinch.weights(library.find("pinch", "dozen"))
    games = np.arange(40)
    lessons = pinch.lessons([weights, rival, rival, rival], [True, False, False, False], 1, games, pinch.new_memory())
    assert 0 < len(lessons.kinds) < 80 * len(games)
    assert set(lessons.players.tolist()) == {0, 1, 2, 3}, "the place moves over the seats"


def test_searching__plays_like_the_model(tmp_path):
    pinch = PINCH.tunable(PINCH.load_variant("pinch"), 4)
    dozen = library.find("pinch", "dozen")
    (tmp_path / "mine.toml").write_text(pinch.searching(dozen, 7), encoding="utf-8")
    found = library.find("pinch", "mine", (tmp_path,))
    assert PINCH.searches(found) and not PINCH.searches(dozen)
    assert found.model.name == "dozen"
    assert pinch.has_weights(found) and not pinch.has_weights(library.find("pinch", "sniper"))


def test_habits__name_columns_of_the_rows():
    columns = {column.name for column in PINCH.player_columns}
    for variant in ("pinch", "classic", "duel"):
        habits = PINCH.habits(PINCH.load_variant(variant).rules)
        names = [habit.name for habit in habits]
        assert len(set(names)) == len(names)
        used = {name for habit in habits for terms in (habit.parts, habit.wholes) for name in terms}
        assert {name for name in used if not name.startswith("(")} <= columns
        assert ("free_draws" in names) == (variant != "classic")
        assert ("shadow_pinches" in names) == (variant == "duel")
