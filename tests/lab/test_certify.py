"""The lines of a certificate: how an experiment says them, where they are to hold, and what is refused."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import pinchsim
from pinchsim import api, games
from pinchsim.errors import UsageError
from pinchsim.lab.certify import Certificate, asked_of
from pinchsim.lab.experiment import make_experiment, read_experiment, to_toml
from pinchsim.lab.rows import described
from pinchsim.measure.judgeable import SOURCES, judgeable, rows_of
from pinchsim.measure.sample import samples
from tests.lab.test_run import StopAfter

FAIR = {"measure": "start_player_advantage", "low": -0.01, "high": 0.01}
SMALL = {"players": [3, 4], "line_ups": ["greedy"], "games": 120, "base": None}
FILE = """
question = "Is it fair?"
players = [3]
line_ups = ["greedy"]
games = 120

[[certificate]]
measure = "start_player_advantage"
low = -0.9

[[certificate]]
measure = "outside:minutes"
band = [0, 1000]
high = 0.5

[[certificate]]
measure = "end:turn_limit"
high = 0.9
"""


def made(*lines, **fields):
    return make_experiment({**SMALL, "certificate": list(lines), **fields}, "here")


def line_refusal(**line):
    with pytest.raises(UsageError) as caught:
        made(FAIR, line)
    message = str(caught.value)
    assert message.startswith("here: line 2 of the certificate")
    return message


def refusal(*lines, **fields):
    with pytest.raises(UsageError) as caught:
        asked_of(made(*lines, **fields), ())
    return str(caught.value)


# How lines are said


def test_make_experiment__lines_of_a_certificate():
    line = made(FAIR | {"line_ups": ["default, greedy"]}).certificate[0]
    assert (line.measure, line.low, line.high, line.position, line.players) == ("start_player_advantage", -0.01, 0.01, -1, ())
    assert line.line_ups == ("champion,greedy",), "spelled out as in the experiment"
    assert made().certificate == ()


def test_to_toml__lines_run_again(tmp_path):
    experiment = made(
        FAIR,
        {"measure": "outside:minutes", "band": [5, 15.5], "high": 1e-7},
        {"measure": "win_share", "position": 0, "low": 0.2},
    )
    (tmp_path / "again.toml").write_text(to_toml(experiment), encoding="utf-8")
    assert read_experiment(tmp_path / "again.toml", {}) == experiment


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            {"measure": "turns", "hi": 3},
            ["'hi' is not a field of a line", "Did you mean 'high'?", "Known: measure, position, low"],
        ),
        ({"low": 3}, ["it lacks 'measure'", "pinchsim explain"]),
        ({"measure": "turns"}, ["it sets no limit; give low, high or both"]),
        ({"measure": "turns", "low": 5, "high": 4}, ["nothing lies from low = 5 up to high = 4"]),
        ({"measure": "turns", "low": "few"}, ["'low' cannot be 'few'", "0.01 is 1 %"]),
        ({"measure": "turns", "low": float("nan")}, ["'low' cannot be nan"]),
        ({"measure": "turns", "low": 1, "position": -2}, ["'position' cannot be -2"]),
        ({"measure": "outside:minutes", "high": 0.1}, ["'outside:minutes' takes a band", "band = [15, 30]"]),
        ({"measure": "minutes", "high": 9, "band": [1, 2]}, ["'minutes' takes no band"]),
        ({"measure": "outside:minutes", "high": 0.1, "band": [9, 2]}, ["a band from 9 to 2 holds nothing"]),
    ],
    ids=lambda x: str(x),
)
def test_make_experiment__a_line_that_is_wrong(line, words):
    message = line_refusal(**line)
    assert [word for word in words if word not in message] == []


def test_make_experiment__a_line_that_is_no_table():
    with pytest.raises(UsageError, match="line 1 of the certificate must be a table with measure, low and high, not 'fair'"):
        made("fair")


# Where they are to hold


def cells_of(*lines, **fields):
    return [(one.number, one.cell.variant, one.cell.players, one.cell.line_up) for one in asked_of(made(*lines, **fields), ())]


def test_asked_of__all_cells_or_those_that_a_line_names():
    fields = {"variants": ["pinch", "classic"], "line_ups": ["greedy", "uniform"]}
    assert len(cells_of(FAIR, **fields)) == 8
    assert cells_of(FAIR | {"players": [4], "line_ups": ["uniform"]}, **fields) == [
        (0, "pinch", 4, "uniform"),
        (0, "classic", 4, "uniform"),
    ]
    of_second = [cell for cell in cells_of(FAIR, FAIR | {"variants": ["classic"], "players": [3]}, **fields) if cell[0] == 1]
    assert of_second == [(1, "classic", 3, "greedy"), (1, "classic", 3, "uniform")]


def test_asked_of__on_a_ladder_credible_levels_have_a_say():
    ladder = [{"strategy": "uniform", "credible": False}, {"strategy": "greedy"}]

    def levels(line):
        experiment = make_experiment({"players": [3], "ladder": ladder, "certificate": [line]}, "here")
        return [one.cell.line_up for one in asked_of(experiment, ())]

    assert levels(FAIR) == ["greedy"]
    assert levels(FAIR | {"line_ups": ["uniform"]}) == ["uniform"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (FAIR | {"players": [5]}, ["asks for players 5", "it plays: 3, 4"]),
        (FAIR | {"line_ups": ["sniper"]}, ["asks for line-up 'sniper'", "it plays: greedy"]),
        (FAIR | {"variants": ["classic"]}, ["asks for variant 'classic'", "it plays: pinch"]),
        (
            FAIR | {"measure": "start_advantage"},
            ["'start_advantage' is not a measure", "Did you mean 'start_score_advantage' or 'start_player_advantage'?"],
        ),
        (FAIR | {"measure": "end:hand_emty"}, ["Did you mean 'end:hand_empty'"]),
        (FAIR | {"measure": "fair_price"}, ["'fair_price' is explained, but can't be judged here"]),
        (FAIR | {"measure": "turns:q50"}, ["can't be judged here", "'turns'"]),
        ({"measure": "win_share", "low": 0.2}, ["there is no position -1 with 3 players; its positions are 0, 1, 2"]),
        ({"measure": "win_share", "position": 3, "low": 0.2}, ["there is no position 3 with 3 players"]),
        ({"measure": "turns", "position": 0, "low": 2}, ["it is of the whole game; leave out 'position'"]),
        ({"measure": "shared_wins", "low": 5, "high": 10}, ["0 to 1", "0.05 is 5 %"]),
        ({"measure": "minutes", "high": -3}, ["no number of games could show it"]),
        ({"measure": "end:turn_limit", "high": 0}, ["no number of games could show it"]),
    ],
    ids=lambda x: x["measure"] if isinstance(x, dict) else "",
)
def test_asked_of__a_line_that_no_cell_can_meet(line, words):
    message = refusal(line)
    assert message.startswith(f"Line 1 of the certificate ({line['measure']})")
    assert [word for word in words if word not in message] == []


def test_asked_of__no_lines():
    assert "draws no lines to judge" in refusal()


def test_asked_of__variant_and_players_that_never_meet():
    fields = {"variants": ["pinch", "duel"], "players": [2, 3]}
    assert "no cell of the experiment has all" in refusal(FAIR | {"variants": ["duel"], "players": [3]}, **fields)


def test_asked_of__sessions_have_only_what_their_summary_has():
    assert len(asked_of(made(FAIR, session="match"), ())) == 2
    assert "can't be judged here" in refusal({"measure": "alone_wins:50", "high": 0.7}, session="match")


# What can be judged


def test_judgeable__is_what_the_tables_hold(tmp_path):
    """Every name that can be judged stands in a table, and every row can be judged but for quantiles."""
    run = pinchsim.sweep(variants=["pinch"], base=None, players=[3], line_ups=["uniform"], games=300, out=tmp_path / "run")
    columns = described(games.load("pinch"))
    (sample,) = samples(run.scan_cells())
    known = judgeable(["uniform"] * 3, columns)
    tables = [source.measure(sample, columns.end_labels, (1, 10)) for source in SOURCES]
    rows = {(row["measure"], row["position"]): row for table in tables for row in table.to_dicts()}
    summed = {(row["measure"], row["position"]): row for row in run.summary.estimates.to_dicts()}
    assert {key for key in rows if ":q" not in key[0]} - set(known) == set()
    assert set(summed) - set(known) == set()
    never = {key for key in known if key not in rows | summed}
    assert {name for name, _ in never} <= {"ender_wins:turn_limit"}, "nobody ends a game there"
    outside = [
        key for key, row in (rows | summed).items() if key in known and not known[key].low <= row["estimate"] <= known[key].high
    ]
    assert outside == []


def test_rows_of__bands_are_told_apart(tmp_path):
    run = pinchsim.sweep(variants=["pinch"], base=None, players=[3], line_ups=["greedy"], games=60, out=tmp_path / "run")
    (sample,) = samples(run.scan_cells())
    key = ("outside:turns", -1)
    found = rows_of(sample, [(key, (0, 1)), (key, (0, 10_000)), (("rounds", -1), None)], {})
    assert found[key, (0, 1)]["estimate"] == 1
    assert found[key, (0, 10_000)]["estimate"] == 0
    assert found[("rounds", -1), None]["unit"] == "rounds"


# What is written


def test_certify__says_why_a_run_with_a_precision_stopped(tmp_path, file):
    found = pinchsim.certify(file, out=tmp_path / "run", jobs=1, precision="2pp", games=600)
    assert {cell["stopped"] for line in found.told()["lines"] for cell in line["cells"]} == {"budget spent"}
    found = pinchsim.certify(file, out=tmp_path / "again", jobs=1, precision="40pp", games=600)
    assert {cell["stopped"] for line in found.told()["lines"] for cell in line["cells"]} == {"precision reached"}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "fair.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_certify__writes_what_it_says(file, tmp_path):
    found = pinchsim.certify(file, out=tmp_path / "run", jobs=1)
    told = json.loads((tmp_path / "run" / "certificate.json").read_text(encoding="utf-8"))
    assert told == json.loads(json.dumps(found.told())), "a round trip"
    assert (found.verdict, told["verdict"], told["family"]) == ("passes", "passes", 3)
    assert [line["measure"] for line in told["lines"]] == ["start_player_advantage", "outside:minutes", "end:turn_limit"]
    cell = told["lines"][0]["cells"][0]
    assert (cell["variant"], cell["players"], cell["games"], cell["decks"], cell["verdict"]) == ("pinch", 3, 120, 40, "pass")
    assert (cell["stopped"], told["lines"][1]["cells"][0]["variance_reduction"]) == ("all games played", None)
    (row,) = found.run.summary.estimates.filter(measure="start_player_advantage", players=3).to_dicts()
    assert cell["variance_reduction"] == row["variance_reduction"]
    manifest = found.run.manifest
    assert (told["engine"], told["versions"], told["strategies"]) == (
        manifest["engine"],
        manifest["versions"],
        manifest["strategies"],
    )
    assert told["rules"] == {"pinch": manifest["rules"]["pinch"]["digest"]}
    assert told["experiment"]["seed"] == 1
    assert "host" not in told and "command" in told


def test_certify__its_command_makes_the_same_bytes(file, tmp_path, monkeypatch):
    first = pinchsim.certify(file, out=tmp_path / "run", to=tmp_path / "a b", jobs=2)
    assert first.command == "pinchsim certify ../run/experiment.toml"
    there = tmp_path / "a b"
    monkeypatch.chdir(there)
    pinchsim.certify("../run/experiment.toml", out="../again", to="../c", jobs=1)
    for name in ("certificate.json", "certificate.svg"):
        assert (there / name).read_bytes().replace(b"../run/", b"") == (tmp_path / "c" / name).read_bytes().replace(
            b"../again/", b""
        )


def test_certify__goes_on_with_its_run_and_finds_it_again(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = api.certify(file, jobs=1)
    rows = sorted(first.run.folder.rglob("part-*.parquet"))
    times = [path.stat().st_mtime_ns for path in rows]
    assert api.certify(file, jobs=1).run.folder == first.run.folder
    assert [path.stat().st_mtime_ns for path in rows] == times


def test_certify__other_lines_are_another_run(file, tmp_path):
    api.certify(file, out=tmp_path / "run", jobs=1)
    file.write_text(FILE.replace("-0.9", "-0.8"), encoding="utf-8")
    with pytest.raises(UsageError, match="it differs in: certificate"):
        api.certify(file, out=tmp_path / "run", jobs=1)


def test_certify__of_an_interrupted_run_nothing_is_judged(file, tmp_path, monkeypatch):
    found = api.certify(file, out=tmp_path / "run", jobs=1, watcher=StopAfter(0, monkeypatch))
    assert not found.run.complete
    assert found.found == ()
    assert not (tmp_path / "run" / "certificate.json").exists()


def test_certify__a_measure_without_any_occasion(file, tmp_path):
    text = FILE.split("[[certificate]]")[0] + '[[certificate]]\nmeasure = "ender_wins:turn_limit"\nhigh = 0.9\n'
    file.write_text(text, encoding="utf-8")
    found = api.certify(file, out=tmp_path / "run", jobs=1)
    cell = found.told()["lines"][0]["cells"][0]
    assert (found.verdict, cell["estimate"], cell["games"]) == ("undecided", None, 0)
    assert "NaN" not in (tmp_path / "run" / "certificate.json").read_text(encoding="utf-8")


def test_certificate__its_command_names_folders_from_where_it_lies():
    run = SimpleNamespace(folder=Path("results/run"))
    certificate = Certificate(run, Path("there"), (), (Path("my bots"),))
    assert certificate.command == "pinchsim certify ../results/run/experiment.toml --strategies '../my bots'"
