"""The ladder of an experiment: said shortly, spelled out in the run, played with each level's share of the games."""

import json

import polars as pl
import pytest

from pinchsim import api, games
from pinchsim.errors import UsageError
from pinchsim.games import session as sessions
from pinchsim.games.seam import Level
from pinchsim.lab import chunks
from pinchsim.lab.experiment import cells, games_of, make_experiment, read_experiment, to_toml
from pinchsim.measure.ladder import CHANGE, CHANGES, HOLDS
from pinchsim.paths import shipped
from tests.lab.test_run import StopAfter
from tests.lab.toy import ToyGame

OWN = ({"strategy": "greedy", "credible": False}, {"strategy": "sniper", "games": 0.1})
STRATEGIES = (shipped("strategies") / "pinch",)


def made(**fields):
    return make_experiment(fields, "here")


def refusal(**fields):
    with pytest.raises(UsageError) as caught:
        made(**fields)
    message = str(caught.value)
    assert message.startswith("here: ")
    return message


def file_of(folder, text, name="question.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# The field


def test_make_experiment__ladder_of_the_game():
    ladder = games.load("pinch").ladder
    experiment = made(ladder=True)
    assert experiment.ladder == tuple(ladder)
    assert experiment.line_ups == tuple(level.strategy for level in ladder)
    assert {cell.name.line_up for cell in cells(experiment, ())} == set(experiment.line_ups)


def test_ladder__of_every_game_has_different_strategies_and_a_credible_one():
    """Whatever it is, it can be played."""
    for game in (games.load("pinch"), sessions.of(games.load("pinch"), "match")):
        names = [level.strategy for level in game.ladder]
        assert len(names) == len(set(names)) >= 2
        assert any(level.credible for level in game.ladder)
        assert all(0 < level.games <= 1 for level in game.ladder)


def test_make_experiment__ladder_of_ones_own():
    assert made(ladder=OWN).ladder == (Level("greedy", credible=False), Level("sniper", games=0.1))
    assert made(ladder=["greedy", " default "]).ladder == (Level("greedy"), Level(games.load("pinch").default_strategy))


@pytest.mark.parametrize("nothing", [False, [], ()])
def test_make_experiment__no_ladder(nothing):
    assert made(ladder=nothing, line_ups=["greedy"]) == made(line_ups=["greedy"])


@pytest.mark.parametrize(
    ("ladder", "words"),
    [
        ("greedy", "'ladder' cannot be 'greedy'"),
        (3, "'ladder' cannot be 3"),
        ([3], "'ladder' cannot be 3"),
        ([{"credible": False}], "'ladder' cannot be {'credible': False}: field required"),
        ([{"strategy": "greedy", "game": 0.1}], "'ladder' cannot be 0.1"),
        ([{"strategy": "greedy", "games": "few"}], "'ladder' cannot be 'few'"),
        ([{"strategy": "greedy", "games": 0}], "level 'greedy' cannot get 0 of the games: above 0, up to 1"),
        ([{"strategy": "greedy", "games": 1.5}], "level 'greedy' cannot get 1.5 of the games"),
        ([{"strategy": "greedy", "games": float("nan")}], "level 'greedy' cannot get nan of the games"),
        (["greedy", "greedy"], "level 'greedy' stands on the ladder twice"),
        (["champion", "default"], "level 'champion' stands on the ladder twice"),
        (["greedy,uniform"], "level 'greedy,uniform' must be one strategy"),
        ([{"strategy": "greedy", "credible": False}], "none of the ladder's levels is credible"),
    ],
)
def test_make_experiment__impossible_ladder(ladder, words):
    assert words in refusal(ladder=ladder)


def test_make_experiment__line_ups_beside_a_ladder():
    assert "'ladder' and 'line_ups' both say who plays" in refusal(ladder=True, line_ups=["greedy"])
    assert "'ladder' and 'line_ups' both say who plays" in refusal(ladder=OWN, line_ups=["sniper", "greedy"])
    assert made(ladder=OWN, line_ups=["greedy", "sniper"]) == made(ladder=OWN)


def test_cells__unknown_level():
    with pytest.raises(UsageError, match="'gredy' is not a strategy"):
        cells(made(ladder=["gredy", "uniform"]), ())


def test_games_of__a_levels_share():
    experiment = made(
        ladder=[{"strategy": "greedy", "games": 0.07}, {"strategy": "sniper", "games": 1e-9}, "uniform"], games=100
    )
    assert [games_of(experiment, name) for name in ("greedy", "sniper", "uniform")] == [7, 1, 100]
    assert games_of(made(line_ups=["greedy"], games=100), "greedy") == 100


# Files


@pytest.mark.parametrize("ladder", [True, OWN, ["uniform", "greedy"]])
def test_to_toml__ladder_is_read_again_as_the_same_experiment(tmp_path, ladder):
    """With all its levels, so that a later ladder of the game changes nothing."""
    experiment = made(ladder=ladder, games=50)
    text = to_toml(experiment)
    assert text.count("{ strategy = ") == len(experiment.ladder)
    assert read_experiment(file_of(tmp_path, text), {}) == experiment


def test_read_experiment__ladder_as_a_field(tmp_path):
    assert read_experiment(file_of(tmp_path, "ladder = true\n"), {}) == made(ladder=True)
    text = 'ladder = ["uniform", { strategy = "greedy", games = 0.5 }]\n'
    assert read_experiment(file_of(tmp_path, text), {}).ladder == (Level("uniform"), Level("greedy", games=0.5))
    assert read_experiment(file_of(tmp_path, "ladder = false\n"), {}) == made()


def test_read_experiment__changes_say_who_plays_instead_of_the_file(tmp_path):
    path = file_of(tmp_path, 'line_ups = ["greedy"]\n')
    assert read_experiment(path, {"ladder": True}) == made(ladder=True)
    path = file_of(tmp_path, to_toml(made(ladder=OWN)))
    assert read_experiment(path, {"line_ups": ("uniform",)}).line_ups == ("uniform",)
    assert read_experiment(path, {"line_ups": ("uniform",)}).ladder == ()
    assert read_experiment(path, {"ladder": True}).ladder == tuple(games.load("pinch").ladder)
    assert read_experiment(path, {"games": 30}).ladder == made(ladder=OWN).ladder
    with pytest.raises(UsageError, match="both say who plays"):
        read_experiment(path, {"ladder": True, "line_ups": ("greedy",)})


# Runs


class Strengthening(ToyGame):
    """The toy, in which the start player wins a tenth of the games more often if everybody plays sniper."""

    def load_kernel(self, strategies, rule_sets, counting=False):
        return [strategy.name for strategy in strategies]

    def play(self, kernel, rules, line_up, *rest):
        bias = rules.bias + 0.1 * (kernel[line_up[0]] == "sniper")
        super().play(kernel, type("Rules", (), {"bias": bias}), line_up, *rest)


FIELDS = {"players": [2], "games": 8_000, "margin": 0.05, "strategies": STRATEGIES}


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 400)
    monkeypatch.setattr(games, "load", lambda name: ToyGame())


@pytest.fixture
def strengthening(toy, monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: Strengthening())


def test_sweep__ladder_of_a_game_where_strength_changes_nothing(tmp_path, toy):
    run = api.sweep(variants=["biased"], ladder=True, out=tmp_path / "r", **FIELDS)
    assert run.ladder.equals(pl.read_parquet(tmp_path / "r" / "ladder.parquet"))
    assert run.ladder.equals(api.load(run.folder).ladder)
    found = {(row["variant"], row["question"], row["level"]): row for row in run.ladder.to_dicts()}
    assert len(found) == 3 * 3
    assert {row["robust"] for row in found.values()} == {HOLDS}
    fair, biased = found["fair", "start_player_advantage", "greedy"], found["biased", "start_player_advantage", "greedy"]
    assert (fair["verdict"], biased["verdict"], biased["side"]) == ("within margin", "outside margin", "above")
    assert found["biased", CHANGE, "greedy"]["verdict"] == "less fair"
    assert biased["low"] - 0.005 < 0.1 < biased["high"] + 0.005, "the known answer"


def test_sweep__levels_get_their_share_of_the_games(tmp_path, toy):
    run = api.sweep(variants=["fair"], base=None, ladder=True, out=tmp_path / "r", **FIELDS)
    assert run.ladder.select("level", "games", "games_share").rows() == [
        ("uniform", 8_000, 1.0),
        ("greedy", 8_000, 1.0),
        ("sniper", 2_000, 0.25),
    ]
    assert dict(run.games.group_by("line_up").len().iter_rows()) == {"uniform": 8_000, "greedy": 8_000, "sniper": 2_000}


def test_sweep__ladder_of_a_game_where_strength_matters(tmp_path, strengthening):
    run = api.sweep(variants=["fair"], base=None, ladder=True, out=tmp_path / "r", **FIELDS)
    assert run.ladder["verdict"].to_list() == ["within margin", "within margin", "outside margin"]
    assert run.ladder["robust"].unique().to_list() == [CHANGES]
    found = api.sweep(variants=["fair"], base=None, ladder=["uniform", "greedy"], out=tmp_path / "s", **FIELDS).ladder
    assert found["robust"].unique().to_list() == [HOLDS]


def test_sweep__ladder_of_sessions(tmp_path, toy):
    run = api.sweep(variants=["fair"], base=None, ladder=True, session="match", out=tmp_path / "r", **(FIELDS | {"games": 400}))
    assert run.ladder["games"].to_list() == [400, 400, 100]


def test_sweep__interrupted_ladder_goes_on(tmp_path, toy, monkeypatch):
    whole = api.sweep(variants=["biased"], ladder=True, out=tmp_path / "whole", jobs=1, **FIELDS)
    with monkeypatch.context() as patched:
        cut = api.sweep(
            variants=["biased"], ladder=True, out=tmp_path / "cut", jobs=1, watcher=StopAfter(3000, patched), **FIELDS
        )  # fmt: skip
    assert not cut.complete
    assert cut.ladder["games"].sum() < whole.ladder["games"].sum()
    again = api.sweep(variants=["biased"], ladder=True, out=tmp_path / "cut", jobs=2, **FIELDS)
    assert again.complete
    assert again.ladder.equals(whole.ladder)


def test_sweep__experiment_beside_the_results_runs_again(tmp_path, toy, monkeypatch):
    """Identically, even when the game's own ladder has changed meanwhile."""
    first = api.sweep(variants=["biased"], ladder=True, out=tmp_path / "r", **(FIELDS | {"games": 1000}))
    monkeypatch.setattr(ToyGame, "ladder", (Level("greedy"), Level("baiter")))
    second = api.sweep(tmp_path / "r" / "experiment.toml", out=tmp_path / "s", strategies=STRATEGIES)
    assert second.ladder.equals(first.ladder)
    assert second.summary.estimates.equals(first.summary.estimates)
    texts = [(tmp_path / name / "experiment.toml").read_text(encoding="utf-8") for name in "rs"]
    assert texts[0] == texts[1]


def test_sweep__folder_of_another_ladder(tmp_path, toy):
    fields = FIELDS | {"games": 100, "variants": ["fair"], "base": None, "out": tmp_path / "r"}
    api.sweep(ladder=["greedy", "sniper"], **fields)
    with pytest.raises(UsageError, match="differs in: ladder"):
        api.sweep(ladder=["greedy", {"strategy": "sniper", "games": 0.5}], **fields)
    with pytest.raises(UsageError, match="differs in: ladder"):
        api.sweep(line_ups=["greedy", "sniper"], **fields)


def test_load__run_without_a_ladder(tmp_path, toy):
    """Such as those of versions that had none: their folders keep their names and can be gone on with."""
    fields = FIELDS | {"games": 100, "variants": ["fair"], "base": None, "line_ups": ["greedy"], "out": tmp_path / "r"}
    run = api.sweep(**fields)
    assert run.ladder is None
    path = run.folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["experiment"]["ladder"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert api.load(run.folder).ladder is None
    assert api.sweep(**fields).complete
