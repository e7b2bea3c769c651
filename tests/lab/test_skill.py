"""Skill reports: what is played, and answers that are known in closed form."""

import math

import numpy as np
import polars as pl
import pytest

from pinchsim import games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Dials
from pinchsim.lab import chunks
from pinchsim.lab.executor import Threads
from pinchsim.lab.skill import LADDER, NOISE, PARTS, TRACE, load_skill, plan, play_skill
from pinchsim.measure.ladder import HOLDS
from pinchsim.measure.skill_report import EFFORT, MEMORY, TEMPERATURE, levels_frame, measures_frame, noise_frame, trace_frame
from pinchsim.measure.verdict import WITHIN
from pinchsim.paths import shipped
from pinchsim.strategy import library
from tests.lab.test_run import StopAfter
from tests.lab.toy import ToyGame

FOLDERS = (shipped("strategies") / "pinch",)
PLAIN = {"uniform": 1.0, "greedy": 2.0, "sniper": 5.0, "champion": 8.0, "search": 8.0}
TABLES = ("levels", "measures", "trace", "noise")


def strength(name):
    """Noise divides a strength by 1 + T or by 2 - m; a search of effort e has 1 + e of it."""
    base, _, setting = name.partition(":")
    key, _, value = setting.partition("=")
    if key == "temperature":
        return PLAIN[base] / (1 + float(value))
    if key == "memory":
        return PLAIN[base] / (2 - float(value))
    return PLAIN[base] * (1 + float(key) if key else 1)


class Contest(ToyGame):
    """The chance to win is the own strength over the table's; the start player's is neither more nor less."""

    def player_counts(self, rules):
        return (2, 3, 4)

    def check_deal(self, rules, players, where):
        if players not in (2, 3, 4):
            raise UsageError(f"{where}: 2 to 4 players, not {players}.")

    def rotations(self, players):
        return players

    def load_kernel(self, strategies, rule_sets, counting=False):
        return [strategy.name for strategy in strategies]

    def play(self, kernel, rules, line_up, seed, indices, memory, games, players):
        n = len(line_up)
        strong = np.array([strength(kernel[slot]) for slot in line_up])
        for k, index in enumerate(indices.tolist()):
            deck, rotation = divmod(index, n)
            luck = np.random.default_rng([seed, deck, rotation]).random() * strong.sum()
            winner = int(np.searchsorted(strong.cumsum(), luck, side="right"))
            games[:, k] = deck, rotation, 7, 1, 1, 0
            for p in range(n):
                place = (p - rotation) % n
                players[:, k, p] = p, place, 1000 * (place == winner), 60 * (place == winner)


@pytest.fixture
def contest(monkeypatch):
    game = Contest()
    monkeypatch.setattr(games, "load", lambda name: game)
    return game


def played(folder, parts=PARTS, players=3, chess_elo=None, watch=None, **fields):
    planned = plan("fair", players, parts, {"games": 1500, "slow_games": 600, **fields}, FOLDERS)
    return play_skill(planned, folder, Threads(2), FOLDERS, chess_elo, watch)


def luce(one, others, players):
    return strength(one) / (strength(one) + (players - 1) * strength(others))


def test_dials__names_that_the_library_reads():
    dials = games.load("pinch").dials
    names = [dials.weakened("temperature", t) for t in dials.temperatures] + [
        dials.weakened("memory", m) for m in dials.memories
    ]
    for name in [*names, *map(dials.searching, (0, *dials.efforts))]:
        assert library.find("pinch", name).name == name
    assert Dials("x", (), ()).weakened("memory", 0.5) == "x:memory=0.5"


def test_plan__stages_and_line_ups(contest):
    found = plan("fair", 3, [TRACE, LADDER], {"games": 900, "slow_games": 30}, FOLDERS)
    assert found.parts == (LADDER, TRACE)
    assert [stage.name for stage in found.asked] == ["ladder", "ladder-slow", "trace-temperature", "trace-effort"]
    assert {stage.name: stage.experiment.games for stage in found.stages} == {
        "ladder": 900, "ladder-slow": 30, "trace-temperature": 900, "trace-effort": 30, "noise": 900,
    }  # fmt: skip
    line_ups = {stage.name: stage.experiment.line_ups for stage in found.stages}
    assert line_ups["ladder"] == ("uniform,greedy", "greedy,uniform")
    assert len(line_ups["ladder-slow"]) == 4 and all("sniper" in line_up for line_up in line_ups["ladder-slow"])
    hot = [f"champion:temperature={t}" for t in (4, 2, 1)]
    assert line_ups["trace-temperature"] == (f"{hot[1]},{hot[0]}", f"{hot[2]},{hot[1]}", f"champion,{hot[2]}")
    assert line_ups["trace-effort"] == ("search:1,search:0", "search:2,search:1", "search:4,search:2")
    assert len(line_ups["noise"]) == 5 + 6 and line_ups["noise"][5] == "champion"


def test_plan__without_slow_players(contest):
    found = plan("fair", 3, PARTS, {"slow_games": 0}, FOLDERS)
    assert [stage.name for stage in found.stages] == ["ladder", "trace-temperature", "noise"]
    assert [level.strategy for level in found.levels] == ["uniform", "greedy"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fair", 3, ["luck"], {}), "'luck' is not a part of a skill report. Known: ladder, trace, noise."),
        (("fair", 3, PARTS, {"margin": 1}), "'margin' is not a setting of a skill report"),
        (("fair", 7, PARTS, {}), "2 to 4 players, not 7"),
        (("fair", 3, PARTS, {"slow_games": -1}), "cannot get -1 games"),
        (("fair", 3, PARTS, {"games": 0}), "'games' cannot be 0"),
    ],
)
def test_plan__mistakes(contest, arguments, words):
    with pytest.raises(UsageError, match=words):
        plan(*arguments, FOLDERS)


def test_play_skill__answers_in_closed_form(contest, tmp_path):
    """Everything within 4 standard errors; the ratings are those of Luce's model, which holds here."""
    found = played(tmp_path / "run", chess_elo=150.0)
    assert found.complete and found.unfinished == []
    levels = found.levels
    assert levels.names == ["uniform", "greedy", "sniper"] == levels.chain
    assert (levels.games, levels.decks, levels.tables) == ([600, 1500], [200, 500], 6)
    for k, name in enumerate(levels.names):
        exact = 400 * math.log10(strength(name) / strength("greedy"))
        assert abs(levels.ratings.elo[k] - exact) <= 2.1 * levels.halves[k] + 1e-9
    assert levels.above[0] is None and levels.above[2].games == 600
    assert levels.above[2].low < luce("sniper", "greedy", 3) < levels.above[2].high
    step = 400 * math.log10(1.5)
    assert levels.depths[0].low < 400 * math.log10(5 / 2) / step < levels.depths[0].high
    assert levels.chess is not None and 0 < levels.chess.percent < 100
    hot, search = found.traces
    assert (hot.kind, search.kind, search.unit) == (TEMPERATURE, EFFORT, "playouts")
    for trace in found.traces:
        for step, share in zip(trace.steps, trace.found, strict=True):
            wide = 1.1 * (share.high - share.low)
            assert abs(share.estimate - luce(step.strategy, step.below, 3)) < wide
    assert hot.skill.rows.height == 2 and search.skill.rows.height == 2
    noise = found.noise
    for own, share, elo in zip(noise.noises[1:], noise.shares[1:], noise.elo[1:], strict=True):
        assert abs(share.estimate - luce(own.strategy, "champion", 3)) < 1.1 * (share.high - share.low)
        assert elo.low < elo.estimate < elo.high
    assert [own.kind for own in noise.noises[-2:]] == [MEMORY, MEMORY]
    assert noise.mirrors[0]["turns"].estimate == 7 and noise.mirrors[0]["end:over"].estimate == 1
    for name in TABLES:
        assert pl.read_parquet(tmp_path / "run" / f"{name}.parquet").height > 0


def worth_by_hand(run, one, others):
    """What a game was worth for the win share of one player against a table of others, from the rows."""
    (cell,) = (cell for cell in run.cells if sorted(cell.places) == sorted([one, others, others]))
    rows = run.players.filter(line_up=cell.line_up, strategy=cell.places.index(one)).sort("deck", "rotation")
    games = rows["win_share"].to_numpy().astype(float)
    by_deck = games.reshape(-1, 3).mean(axis=1)
    return games.var(ddof=1) / games.size / (by_deck.var(ddof=1) / by_deck.size)


def test_play_skill__worth_of_a_game_by_hand(contest, tmp_path):
    found = played(tmp_path / "run", games=300, slow_games=90)
    runs = found.runs
    for stage, (one, below), told in zip(
        ("ladder", "ladder-slow"), (("greedy", "uniform"), ("sniper", "greedy")), found.levels.above[1:], strict=True
    ):
        assert told.variance_reduction == pytest.approx(worth_by_hand(runs[stage], one, below))
    for stage, trace in zip(("trace-temperature", "trace-effort"), found.traces, strict=True):
        for step, told in zip(trace.steps, trace.found, strict=True):
            assert told.variance_reduction == pytest.approx(worth_by_hand(runs[stage], step.strategy, step.below))
    for own, told in zip(found.noise.noises[1:], found.noise.shares[1:], strict=True):
        assert told.variance_reduction == pytest.approx(worth_by_hand(runs["noise"], own.strategy, "champion"))
    for name in ("levels", "trace", "noise"):
        assert pl.read_parquet(tmp_path / "run" / f"{name}.parquet")["variance_reduction"].drop_nulls().len() > 1
    elo, share = (noise_frame(found.noise).filter(measure=name)["variance_reduction"] for name in ("elo", "win_share"))
    assert elo.equals(share)


def test_play_skill__the_same_verdict_for_all_noise(contest, tmp_path):
    """Nothing favours the start player here, so no verdict may say that something does."""
    noise = played(tmp_path / "run", [NOISE], games=3000).noise
    assert {noise.verdict(k)[0] for k in range(len(noise.noises))} <= {WITHIN, "undecided"}
    assert noise.robust in (HOLDS, "undecided")


def test_play_skill__errors_of_two_groups_of_decks(contest, tmp_path):
    """Standard errors of ratings agree with their spread over seeds."""
    runs = [played(tmp_path / str(seed), [LADDER], games=300, slow_games=120, seed=seed).levels for seed in range(16)]
    for k in (0, 2):
        spread = np.std([run.ratings.elo[k] for run in runs], ddof=1)
        told = np.sqrt(np.mean([run.ratings.covariance[k, k] for run in runs]))
        assert 0.6 < told / spread < 1.8


def test_play_skill__parts_share_a_folder_and_find_what_was_played(contest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = played(None, [TRACE], games=90, slow_games=30)
    again = played(None, PARTS, games=90, slow_games=30)
    assert first.folder == again.folder and first.levels is None and first.noise is None
    assert [t.found for t in first.traces] == [t.found for t in again.traces]
    with pytest.raises(UsageError, match="differs in: games"):
        played(first.folder, games=120)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds no skill report"):
        played(tmp_path / "other")


def test_load_skill__is_what_was_found(contest, tmp_path):
    found = played(tmp_path / "run", chess_elo=300.0, games=90, slow_games=30)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("run/*.parquet")}
    levels, traces, noise = load_skill(tmp_path / "run")
    assert trace_frame(traces).equals(trace_frame(found.traces))
    assert levels_frame(levels).equals(levels_frame(found.levels))
    assert measures_frame(levels).equals(measures_frame(found.levels)) and levels.chess_elo == 300
    assert noise_frame(noise).equals(noise_frame(found.noise)) and noise.robust == found.noise.robust
    assert {path.name: path.read_bytes() for path in tmp_path.glob("run/*.parquet")} == before


def test_load_skill__has_the_parts_that_are_finished(contest, tmp_path):
    played(tmp_path / "run", [TRACE], games=90, slow_games=30)
    levels, traces, noise = load_skill(tmp_path / "run")
    assert (levels, noise, len(traces)) == (None, None, 2)
    for stage in ("trace-temperature", "trace-effort"):
        (tmp_path / "run" / stage / "manifest.json").unlink()
    with pytest.raises(UsageError, match="has no finished part"):
        load_skill(tmp_path / "run")


def test_load_skill__of_an_older_version(tmp_path):
    (tmp_path / "skill.json").write_text('{"format": "pinchsim-skill/1"}')
    with pytest.raises(UsageError, match="is damaged or not of this version; give the same 'pinchsim skill' command again"):
        load_skill(tmp_path)


@pytest.mark.parametrize(
    ("chess", "parts", "words"), [(-1, PARTS, "spread of -1 Elo"), (123.4, [NOISE], "only needed for the ladder")]
)
def test_play_skill__chess_is_checked(contest, tmp_path, chess, parts, words):
    with pytest.raises(UsageError, match=words):
        played(tmp_path / "run", parts, chess_elo=chess)
    assert not (tmp_path / "run").exists()


def test_play_skill__goes_on_after_an_interruption(contest, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 100)
    whole = played(tmp_path / "whole", games=600, slow_games=60)
    with monkeypatch.context() as patch:
        stopper = StopAfter(300, patch)

        class Once:
            def __init__(self, stage):
                self.stage = stage

            def __enter__(self):
                return stopper

            def __exit__(self, *error):
                pass

        early = played(tmp_path / "run", games=600, slow_games=60, watch=Once)
    assert not early.complete and early.levels is None and early.traces == [] and early.noise is None
    assert early.unfinished == [stage.name for stage in early.plan.stages]
    assert not (tmp_path / "run" / "levels.parquet").exists()
    late = played(tmp_path / "run", games=600, slow_games=60)
    assert late.complete
    for name in TABLES:
        assert pl.read_parquet(tmp_path / "run" / f"{name}.parquet").equals(
            pl.read_parquet(tmp_path / "whole" / f"{name}.parquet")
        )
    assert whole.complete


def test_play_skill__duels(contest, tmp_path):
    found = played(tmp_path / "run", players=2, games=300, slow_games=60)
    assert found.levels.tables == 3 and found.noise.players == 2
