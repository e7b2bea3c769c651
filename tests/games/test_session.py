"""Sessions are exactly their single games, played in turn: checked game by game, by known probabilities, and as whole runs."""

import json
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from pinchsim import api, games
from pinchsim.cli.main import main
from pinchsim.errors import UsageError
from pinchsim.games import session
from pinchsim.games.seam import IllegalAnswer
from pinchsim.lab import chunks
from pinchsim.lab.experiment import make_experiment, read_experiment, to_toml
from pinchsim.paths import shipped
from pinchsim.strategy import library
from tests.lab.toy import TOY, ToyGame

PINCH = games.load("pinch")
SEED = 11
SMALL = {"variants": ["classic"], "players": [3], "line_ups": ["greedy"], "games": 300, "seed": 4}


# Sessions beside their single games


def played(game, kernel, rules, line_up, indices):
    """Rows of these games or sessions, by column; scores in thousandths, win shares in sixtieths."""
    block = np.empty((len(game.game_columns), len(indices)), np.int32)
    seats = np.empty((len(game.player_columns), len(indices), len(line_up)), np.int32)
    game.play(kernel, rules, line_up, SEED, np.array(indices, np.int64), game.new_memory(), block, seats)
    columns = [c.name for c in game.game_columns], [c.name for c in game.player_columns]
    return dict(zip(columns[0], block, strict=True)), dict(zip(columns[1], seats, strict=True))


def one_by_one(inner, kernel, rules, line_up, index, target):
    """The row of a session from its single games, each looked for among the games of its deck by who starts it.

    `target` is in thousandths, None for a match. Players are told apart by their place in the line-up.
    """
    n = len(line_up)
    cluster, rotation = divmod(index, n)
    order = [(rotation + q) % n for q in range(n)]  # the places by position of the session
    total, won, first = dict.fromkeys(order, 0), dict.fromkeys(order, 0), {}
    turns, ends, leaders, changes, starters = 0, [], None, 0, []
    for k in range(64):
        deck = 64 * cluster + k
        block, seats = played(inner, kernel, rules, line_up, [deck * n + j for j in range(n)])
        (j,) = np.flatnonzero(seats["strategy"][:, 0] == (rotation + k) % n)
        starters.append(seats["strategy"][j, 0])
        for p in range(n):
            place = int(seats["strategy"][j, p])
            total[place] += int(seats["score"][j, p])
            won[place] += int(seats["win_share"][j, p])
            if k == 0:
                first[place] = int(seats["win_share"][j, p]), int(seats["seat"][j, p])
        turns += int(block["turns"][j])
        ends.append(int(block["end_reason"][j]))
        now = {place for place in order if total[place] == max(total.values())}
        changes += leaders is not None and leaders != now
        leaders = now
        if k + 1 == n if target is None else max(total.values()) >= target:
            break
    if target is None:
        assert sorted(starters) == list(range(n)), "everyone starts once"
    reason = 1 if target is None else 2 if max(total.values()) >= target else 3
    row = {"deck": cluster, "rotation": rotation, "games": len(ends), "turns": turns, "end_reason": reason}
    row |= {"winners": len(leaders), "lead_changes": changes}
    row |= {column: ends.count(code) for code, column in session.Session(inner, None).end_columns.items()}
    people = {
        "seat": [first[place][1] for place in order],
        "strategy": order,
        "score": [total[place] for place in order],
        "win_share": [60 // len(leaders) * (place in leaders) for place in order],
        "first_win_share": [first[place][0] for place in order],
        "games_won": [won[place] for place in order],
    }
    return row, people


def kernel_for(variant):
    """A kernel of two strategies, greedy in slot 0, and the rules."""
    rules = PINCH.load_variant(variant).rules
    return PINCH.load_kernel([library.find("pinch", name, ()) for name in ("greedy", "uniform")], [rules]), rules


def assert_one_by_one(inner, kernel, rules, line_up, text, indices):
    block, seats = played(session.of(inner, text), kernel, rules, line_up, indices)
    target = None if text == "match" else int(1000 * Fraction(text.partition(":")[2]))
    for k, index in enumerate(indices):
        row, people = one_by_one(inner, kernel, rules, line_up, index, target)
        assert {name: int(x[k]) for name, x in block.items()} == row
        assert {name: x[k].tolist() for name, x in seats.items()} == people


@pytest.mark.parametrize("text", ["match", "first-to:24.5"])
@pytest.mark.parametrize(
    ("variant", "line_up"),
    [
        ("duel", [0, 0]),
        ("duel", [0, 1]),
        ("pinch", [0, 0, 0]),
        ("pinch", [0, 1, 1]),
        ("pinch", [0] * 5),
        ("pinch", [1, 0, 0, 1, 1]),
    ],
    ids=str,
)
def test_session__is_its_single_games(variant, line_up, text):
    n = len(line_up)
    assert_one_by_one(PINCH, *kernel_for(variant), line_up, text, [*range(2 * n), 1000 * n + 1, 33_000_000 * n + n - 1, 7])


@pytest.mark.parametrize("text", ["match", "first-to:3"])
def test_session__of_another_game(text):
    assert_one_by_one(TOY, None, TOY.load_variant("biased").rules, [0, 0], text, range(20))


class Spy(ToyGame):
    """Remembers which games were asked for."""

    def __init__(self):
        self.waves = []

    def play(self, kernel, rules, line_up, seed, indices, memory, block, seats):
        self.waves.append(indices.tolist())
        super().play(kernel, rules, line_up, seed, indices, memory, block, seats)


def test_session__rotations_play_the_same_decks_with_everyone_starting():
    spy = Spy()
    played(session.of(spy, "match"), None, TOY.load_variant("fair").rules, [0, 0], [10, 11])
    assert spy.waves == [[5 * 64 * 2, 5 * 64 * 2 + 1], [(5 * 64 + 1) * 2 + 1, (5 * 64 + 1) * 2]]


@pytest.mark.parametrize("line_up", [[0, 0, 0], [0, 1, 1]], ids=str)
def test_session__rotations_give_everyone_every_hand_of_the_first_deck(line_up):
    """Mirror: hands stay, the start moves; mixed: seat 0 starts, the places move. Either way cards and seats cancel."""
    kernel, rules = kernel_for("pinch")
    _, seats = played(session.of(PINCH, "match"), kernel, rules, line_up, range(3))
    pairs = {*zip(seats["strategy"].ravel().tolist(), np.tile(range(3), 3).tolist(), strict=True)}
    assert len(pairs) == 9, "every place at every position"
    if len(set(line_up)) == 1:
        assert (seats["seat"] == seats["strategy"]).all()
    else:
        assert (seats["seat"] == np.arange(3)).all()


def test_session__same_rows_in_any_batch():
    kernel, rules = kernel_for("pinch")
    game = session.of(PINCH, "first-to:15")
    whole = played(game, kernel, rules, [0, 1, 0], range(90))
    order = np.random.default_rng(0).permutation(90)
    for indices in (order[:1], order[:7], order):
        part = played(game, kernel, rules, [0, 1, 0], indices)
        for there, here in zip(whole, part, strict=True):
            assert all((there[name][indices] == here[name]).all() for name in there)


def test_session__equal_totals_share_whatever_the_tie_break():
    kernel, rules = kernel_for("pinch")
    assert rules.tie_break == "fewer_hand"
    block, seats = played(session.of(PINCH, "match"), kernel, rules, [0] * 3, range(1500))
    best = seats["score"] == seats["score"].max(axis=1, keepdims=True)
    assert (block["winners"] == best.sum(axis=1)).all()
    assert set(block["winners"].tolist()) >= {1, 2}
    assert (seats["win_share"] == best * (60 // block["winners"])[:, None]).all()
    assert (seats["win_share"].sum(axis=1) == 60).all()
    assert (seats["first_win_share"].sum(axis=1) == 60).all()
    assert (seats["games_won"].sum(axis=1) == 60 * 3).all()


def test_session__sixtieths_suffice_for_every_table():
    for name in PINCH.variant_names():
        assert all(60 % k == 0 for n in PINCH.player_counts(PINCH.load_variant(name).rules) for k in range(1, n + 1))


class Losing(ToyGame):
    """Everybody always loses a point, and position 1 another half in every fourth deck."""

    def play(self, kernel, rules, line_up, seed, indices, memory, block, seats):
        super().play(kernel, rules, line_up, seed, indices, memory, block, seats)
        seats[2] = -1000
        seats[2, :, 1] -= 500 * (indices // 2 % 4 == 3)


def test_session__without_an_end_is_stopped_and_kept():
    rules = TOY.load_variant("fair").rules
    block, seats = played(session.of(Losing(), "first-to:5"), None, rules, [0, 0], range(6))
    assert (block["games"] == 64).all()
    assert (block["end_reason"] == session.GAME_LIMIT).all()
    assert (block["turns"] == 64 * 7).all()
    assert (seats["score"] == [-72_000, -64_000]).all(), "in every fourth game the player who started the session is second"
    assert (seats["win_share"] == [0, 60]).all()


def test_session__ends_by_kind():
    labels = {
        text: next(c.labels for c in session.of(TOY, text).game_columns if c.name == "end_reason")
        for text in ("match", "first-to:9")
    }
    assert labels == {"match": {1: "all_games_played"}, "first-to:9": {2: "target_reached", 3: "game_limit"}}


def test_session__illegal_answer_names_the_single_game():
    class Cheating(ToyGame):
        def play(self, kernel, rules, line_up, seed, indices, memory, block, seats):
            super().play(kernel, rules, line_up, seed, indices, memory, block, seats)
            if 131 in indices:
                raise IllegalAnswer(131, "no")

    with pytest.raises(IllegalAnswer) as caught:
        played(session.of(Cheating(), "match"), None, TOY.load_variant("fair").rules, [0, 0], [2, 3])
    assert caught.value.game == 131 == (1 * 64 + 1) * 2 + 1, "cluster 1, second game, started by place 1"


# The text of a session


@pytest.mark.parametrize(
    ("text", "name"),
    [("game", "game"), ("match", "match"), ("first-to:50", "first-to:50"), ("first-to:050.0", "first-to:50"),
     ("first-to:100", "first-to:100"), ("first-to:0.50", "first-to:0.5")],
)  # fmt: skip
def test_spelled_out__one_name_for_each_session(text, name):
    assert session.spelled_out(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "Match", "best-of:3", "first-to", "first-to:", "first-to:0", "first-to:0.000", "first-to:-5", "first-to: 5", "first-to:1e3",
     "first-to:nan", "first-to:1.2345", "first-to:1000000", "first-to:٣"],
)  # fmt: skip
def test_spelled_out__wrong_text_says_what_is_allowed(text):
    with pytest.raises(UsageError, match=r"is not a session. Possible: 'game'.*'match'.*'first-to:X'"):
        session.spelled_out(text)


def test_of__single_games_are_the_game_itself():
    assert session.of(PINCH, "game") is PINCH
    assert session.of(PINCH, "match").engine_digest() != PINCH.engine_digest()


def test_make_experiment__session(tmp_path):
    experiment = make_experiment({"session": "first-to:50.0"}, "here")
    assert experiment.session == "first-to:50"
    path = tmp_path / "again.toml"
    path.write_text(to_toml(experiment))
    assert read_experiment(path, {}) == experiment
    assert make_experiment({}, "here").session == "game"


def test_make_experiment__more_sessions_than_decks():
    most = 31_250_000
    assert make_experiment({"session": "match", "games": most}, "here").games == most
    with pytest.raises(UsageError, match="At most 31,250,000 sessions a cell"):
        make_experiment({"session": "match", "games": most + 1}, "here")


# Runs of sessions


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: TOY)


@pytest.mark.parametrize(
    ("text", "share", "length", "shared"),
    [
        # The start player wins a game with chance a = 0.6. Match: both games a (1 - a); one each is shared.
        ("match", 0.5, 2, 0.52),
        # First to two wins: both of the first two games, or one each and then the third, which position 0 starts again.
        ("first-to:2", 0.24 + 0.52 * 0.6, 2.52, 0),
        ("first-to:1", 0.6, 1, 0),
    ],
)
def test_sweep__known_probabilities(tmp_path, toy, text, share, length, shared):
    run = api.sweep(
        variants=["biased"], base=None, line_ups=["uniform"], session=text, games=8000, out=tmp_path / "r",
        strategies=(shipped("strategies") / "pinch",),
    )  # fmt: skip
    rows = {(r["measure"], r["position"]): r for r in run.summary.estimates.to_dicts()}
    expected = {
        ("win_share", 0): share,
        ("start_player_advantage", -1): share - 0.5,
        ("single_game_advantage", -1): 0.1,
        ("games", -1): length,
        ("turns", -1): 7 * length,
        ("shared_wins", -1): shared,
        ("game_end:over", -1): 1,
    }
    for key, value in expected.items():
        assert abs(rows[key]["estimate"] - value) <= 4.5 * rows[key]["standard_error"] + 1e-9, key


def frames(run):
    return {name: getattr(run.summary, name) for name in ("estimates", "differences", "histograms")}


def test_sweep__sessions_go_on_after_a_stop(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 30)
    whole = api.sweep(out=tmp_path / "whole", jobs=2, session="match", **SMALL)
    real, done = chunks.Player.play, []

    def play_some(self, chunk, memory, on_games):
        if len(done) == 3:
            raise chunks.Stopped
        done.append(chunk)
        return real(self, chunk, memory, on_games)

    monkeypatch.setattr(chunks.Player, "play", play_some)
    api.sweep(out=tmp_path / "cut", jobs=1, session="match", **SMALL)
    monkeypatch.setattr(chunks.Player, "play", real)
    again = api.sweep(out=tmp_path / "cut", jobs=1, session="match", **SMALL)
    for name, frame in frames(whole).items():
        assert frame.equals(frames(again)[name]), name
    assert whole.games.equals(again.games)
    assert whole.players.equals(again.players)


def test_sweep__summary_of_sessions_is_the_mean_over_rows(tmp_path):
    run = api.sweep(out=tmp_path / "r", session="match", **SMALL)
    assert run.games.height == 2 * 300
    for variant in ("pinch", "classic"):
        found = {(r["measure"], r["position"]): r["estimate"] for r in run.summary.estimates.filter(variant=variant).to_dicts()}
        rows, people = run.games.filter(variant=variant), run.players.filter(variant=variant)
        starters = people.filter(position=0)
        assert found["win_share", 0] == pytest.approx(starters["win_share"].mean())
        assert found["start_player_advantage", -1] == pytest.approx(starters["win_share"].mean() - 1 / 3)
        assert found["single_game_advantage", -1] == pytest.approx(starters["first_win_share"].mean() - 1 / 3)
        assert found["games", -1] == rows["games"].mean() == 3
        assert found["turns", -1] == pytest.approx(rows["turns"].mean())
        ends = [c for c in rows.columns if c.startswith("games_")]
        assert (rows.select(pl.sum_horizontal(ends)).to_series() == 3).all()
        for column in ends:
            assert found["game_end:" + column.removeprefix("games_"), -1] == pytest.approx(rows[column].mean() / 3)


def test_sweep__first_games_are_those_of_single_games(tmp_path):
    """The single game beside a session can be played alone: deck 64 s of an ordinary sweep."""
    run = api.sweep(out=tmp_path / "s", session="match", **(SMALL | {"games": 9}))
    (record,) = api.trace("classic", 3, "greedy", seed=4, game=2 * 64 * 3 + 1)
    row = run.players.filter(variant="classic", deck=2, rotation=1)
    won = [share for _, share in sorted(zip(row["seat"], row["first_win_share"], strict=True))]
    scores = record[-1]["scores"]
    assert [scores[seat] for seat in range(3) if won[seat] > 0] == [max(scores)] * sum(share > 0 for share in won)


def test_sweep__another_session_is_another_run(tmp_path):
    small = SMALL | {"games": 9}
    run = api.sweep(out=tmp_path / "r", session="first-to:9", **small)
    assert json.loads((run.folder / "manifest.json").read_text())["experiment"]["session"] == "first-to:9"
    assert api.sweep(out=tmp_path / "r", session="first-to:9.0", **small).complete
    for other in ("match", "game", "first-to:10"):
        with pytest.raises(UsageError, match="differs in: .*session"):
            api.sweep(out=tmp_path / "r", session=other, **small)


# The command


def command(*args):
    return CliRunner().invoke(
        main, ["sweep", "--variant", "pinch", "--players", "3", "--line-up", "greedy", "--games", "30", *args]
    )


def test_command__shows_the_session_and_the_single_game(tmp_path):
    result = command("--session", "first-to:30", "--out", str(tmp_path / "r"))
    assert result.exit_code == 0, result.output
    assert "Playing 30 sessions" in result.stderr and "sessions/s" in result.stderr
    assert "30 sessions on 10 sets of decks" in result.stdout
    assert "- single game" in result.stdout
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80


@pytest.mark.parametrize("text", ["best-of:3", "first-to:0", "first-to:many"])
def test_command__wrong_session(tmp_path, text):
    result = command("--session", text, "--out", str(tmp_path / "r"))
    assert result.exit_code == 2
    assert f"'{text}' is not a session" in " ".join(result.stderr.split())
