"""Runs without rows: the same summary, exact counts and measures, going on after damage, and what is said to need rows."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from pinchsim import api
from pinchsim.cli.main import main
from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch.game import PINCH
from pinchsim.lab import chunks, finished, work
from pinchsim.lab import run as lab_run
from pinchsim.lab.experiment import make_experiment, to_toml
from pinchsim.lab.run import COUNTS, MEASURES, SUMMARY_TABLES
from pinchsim.measure.ending import ending
from pinchsim.measure.interaction import interaction
from pinchsim.measure.length import length
from pinchsim.measure.runaway import runaway
from pinchsim.measure.sample import samples
from pinchsim.measure.summary import Tally
from tests.lab.runs import SMALL, Listener, before_chunk, contents, cut, flip, go_on, records

KEY = ["variant", "players", "line_up", "measure", "position"]
NUMBERS = ["estimate", "low", "high", "standard_error", "games", "decks"]
FIRST = "finished/pinch-3p-greedy/part-000000.json"

pytestmark = pytest.mark.usefixtures("small_chunks")


@pytest.fixture(scope="module")
def made(small_chunks, tmp_path_factory):
    """The same run with rows and without, and one without rows and with another seed."""
    folder = tmp_path_factory.mktemp("made")
    for rows in ("all", "none"):
        api.sweep(out=folder / rows, jobs=1, rows=rows, **SMALL)
    api.sweep(out=folder / "stranger", jobs=1, rows="none", **SMALL | {"seed": 5})
    return folder


@pytest.fixture
def run(made, tmp_path):
    """A copy of the run without rows."""
    return Path(shutil.copytree(made / "none", tmp_path / "run"))


@pytest.fixture
def whole(made):
    return contents(made / "none")


# What there is


def test_rows_none__keeps_no_rows_and_the_same_summary(made):
    assert not (made / "none/games").exists() and not (made / "none/players").exists()
    for name in SUMMARY_TABLES:
        assert (made / f"none/{name}.parquet").read_bytes() == (made / f"all/{name}.parquet").read_bytes()
    assert not (made / "all" / COUNTS).exists() and api.load(made / "all").counts is None
    assert api.load(made / "all").measures is None


@pytest.mark.parametrize(
    "fields", [{}, {"line_ups": ["greedy,uniform"], "players": [3]}, {"variants": ["duel"], "players": [2]}]
)
def test_counts__are_those_of_the_rows(tmp_path, fields):
    """Every column of every cell by position, and nothing else."""
    rows, none = (api.sweep(out=tmp_path / kind, jobs=1, rows=kind, **SMALL | fields) for kind in ("all", "none"))
    for name, columns in (("games", PINCH.game_columns), ("players", PINCH.player_columns)):
        frame = getattr(rows, name).with_columns(pl.lit(-1).alias("position") if name == "games" else pl.col("position"))
        for column in columns:
            if column.name in ("deck", "rotation"):
                continue
            cell = ["variant", "players", "line_up", "position"]
            wanted = frame.group_by(*cell, pl.col(column.name).cast(pl.Float64).round(5)).len().sort(*cell, column.name)
            found = none.counts.filter(column=column.name).sort(*cell, "value")
            assert found["value"].round(5).to_list() == wanted[column.name].to_list(), column.name
            assert found["count"].to_list() == wanted["len"].to_list(), column.name
    assert set(none.counts["column"]) == {c.name for c in (*PINCH.game_columns, *PINCH.player_columns)} - {"deck", "rotation"}


@pytest.mark.parametrize(
    "fields", [{}, {"line_ups": ["greedy,uniform"]}, {"variants": ["duel"], "players": [2]}, {"games": 12}]
)
def test_measures__are_those_of_the_rows(tmp_path, fields):
    """Estimates, clustered intervals and sizes of everything that is counted, as `measure` takes it from rows."""
    rows, none = (api.sweep(out=tmp_path / kind, jobs=1, rows=kind, **SMALL | fields) for kind in ("all", "none"))
    labels = next(column.labels for column in PINCH.game_columns if column.name == "end_reason")
    wanted = pl.concat(
        [
            table
            for sample in samples(rows.scan_cells())
            for table in (length(sample), ending(sample, labels), interaction(sample), runaway(sample))
        ]
    )
    both = wanted.join(none.measures, on=[*KEY, "unit"], how="full", suffix="_counted")
    assert both.height == wanted.height == none.measures.height
    for name in NUMBERS:
        assert both[f"{name}_counted"].to_list() == pytest.approx(both[name].to_list(), rel=1e-9, abs=1e-12, nan_ok=True), name


def test_sessions__are_counted_too(tmp_path):
    fields = SMALL | {"session": "first-to:50", "games": 240}
    rows, none = (api.sweep(out=tmp_path / kind, jobs=1, rows=kind, **fields) for kind in ("all", "none"))
    wanted = rows.players.filter(variant="pinch", players=3, position=1)["score"].value_counts().sort("score")
    found = none.counts.filter(variant="pinch", players=3, position=1, column="score")
    assert found["value"].to_list() == pytest.approx(wanted["score"].to_list())
    assert found["count"].to_list() == wanted["count"].to_list()
    assert none.measures.is_empty(), "what is told of single games has no columns here"


def test_sweep__same_bytes_for_any_number_of_threads(made, whole, tmp_path):
    """Also of the records."""
    for jobs in (2, 5):
        api.sweep(out=tmp_path / str(jobs), jobs=jobs, rows="none", **SMALL)
        assert contents(tmp_path / str(jobs)) == whole
        assert records(tmp_path / str(jobs)) == records(made / "none")


def test_record__is_small(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 2000)
    run = api.sweep(
        out=tmp_path / "run", base=None, variants=["pinch"], players=[4], line_ups=["greedy"], games=8000, rows="none"
    )
    (record,) = run.folder.glob("finished/*/part-*.json")
    assert record.stat().st_size < 16_000


# Going on


def test_finished__nothing_is_played_again(run, whole):
    for name in ("estimates", "differences", "histograms", "counts", "measures"):
        (run / f"{name}.parquet").unlink()
    heard = go_on(run)
    assert (heard.found, heard.played_now, heard.warnings) == (4 * 600, 0, [])
    assert contents(run) == whole


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("damage", [cut, flip, lambda path: path.write_bytes(b"")])
def test_damaged_record__is_named_and_played_again(run, whole, damage, check):
    """With it the chunk that it is compared with, whose deck means are nowhere else."""
    damage(run / FIRST)
    heard = go_on(run, check=check)
    (warning,) = heard.warnings
    assert str(run / FIRST) in warning and "played again" in warning
    assert heard.played_now == 2 * 60 * 3
    assert contents(run) == whole
    assert go_on(run).warnings == []


def test_damaged_difference__its_chunks_are_played_again(run, whole):
    pair = run / "finished/aces-bite-3p-greedy/pair-000001.json"
    flip(pair)
    heard = go_on(run)
    (warning,) = heard.warnings
    assert str(pair) in warning
    assert heard.played_now == 2 * 60 * 3
    assert contents(run) == whole


def test_foreign_record__is_named_and_played_again(made, run, whole):
    shutil.copy2(made / "stranger" / FIRST, run / FIRST)
    (warning,) = go_on(run).warnings
    assert "another run" in warning
    assert contents(run) == whole


@pytest.mark.parametrize("digest", ["reduced_by", "counted_by"])
def test_other_measures__play_again_and_say_so_once(run, whole, monkeypatch, digest):
    monkeypatch.setattr(finished, digest, lambda: "another")
    heard = go_on(run)
    (warning,) = heard.warnings
    assert warning.startswith("14 chunks were counted by another version of pinchsim") and "played again" in warning
    assert (heard.found, heard.played_now) == (0, 4 * 600)
    assert contents(run) == whole


def test_other_counting__is_none_of_a_run_with_rows(made, tmp_path, monkeypatch):
    run = shutil.copytree(made / "all", tmp_path / "run")
    monkeypatch.setattr(finished, "counted_by", lambda: "another")
    monkeypatch.setattr(work, "read_rows", None)
    assert go_on(run).played_now == 0


def test_interrupted__goes_on(tmp_path, whole, monkeypatch):
    def stop(chunk):
        raise RunError("stopped")

    with monkeypatch.context() as patch:
        before_chunk(6, patch, stop)
        with pytest.raises(RunError, match="stopped"):
            api.sweep(out=tmp_path / "run", jobs=1, rows="none", **SMALL)
    heard = Listener()
    api.sweep(out=tmp_path / "run", jobs=2, rows="none", watcher=heard, **SMALL)
    assert heard.found > 0 and heard.warnings == []
    assert contents(tmp_path / "run") == whole


def test_removed_record__is_told_at_the_end(tmp_path, monkeypatch):
    run = tmp_path / "run"
    before_chunk(6, monkeypatch, lambda chunk: next(run.glob("finished/*/part-000000.*")).unlink())
    with pytest.raises(RunError, match="finished/.*has gone while the run went on"):
        api.sweep(out=run, jobs=1, rows="none", **SMALL)


@pytest.mark.parametrize(("begun", "asked"), [("none", "all"), ("all", "none")])
def test_other_rows__are_refused(made, begun, asked):
    with pytest.raises(UsageError, match=f"differs in: rows. Rows was {begun}, is {asked}"):
        api.sweep(out=made / begun, jobs=1, rows=asked, **SMALL)


def test_run_of_an_older_version__had_all_rows(made, tmp_path):
    run = shutil.copytree(made / "all", tmp_path / "run")
    manifest = json.loads((run / "manifest.json").read_text())
    del manifest["experiment"]["rows"]
    (run / "manifest.json").write_text(json.dumps(manifest))
    assert api.load(run).keeps_rows
    assert go_on(run).played_now == 0


def test_memory__of_a_chunk_only_moments_are_kept(tmp_path, monkeypatch):
    """What is counted is added up at once, and not kept chunk by chunk."""
    tallies = []
    monkeypatch.setattr(lab_run, "Tally", lambda *args: tallies.append(Tally(*args)) or tallies[-1])
    api.sweep(out=tmp_path / "run", jobs=2, rows="none", **SMALL)
    (tally,) = tallies
    for cell in tally.cells.values():
        assert cell.counts is not None and len(cell.chunks) >= 3
        assert all((chunk.histograms, chunk.counts, chunk.deck_means) == ({}, None, None) for chunk in cell.chunks.values())


# What needs rows


def _ask(run, name):
    """A property or a function."""
    found = getattr(run, name)
    found()


@pytest.mark.parametrize("name", ["games", "players", "scan_games", "scan_players", "scan_cells"])
def test_run__says_that_it_has_no_rows(made, name):
    run = api.load(made / "none")
    with pytest.raises(
        UsageError, match=r"Reading games needs rows, .* keeps none .*pinchsim sweep .*experiment\.toml --rows all"
    ):
        _ask(run, name)


def test_how_to_get_rows__works(made, tmp_path):
    """The command that the message gives."""
    run = api.sweep(made / "none/experiment.toml", rows="all", out=tmp_path / "rows", jobs=1)
    assert run.games.height == 4 * 600


def test_price__says_that_it_needs_rows(made):
    with pytest.raises(UsageError, match="The fair price of the start needs rows"):
        api.price(made / "none")


def test_tournament__has_rows_always():
    with pytest.raises(UsageError, match="'rows' is not a setting of a tournament"):
        api.tournament("greedy", "uniform", rows="none")


def test_compare__same_seed_is_not_paired_and_says_so(made):
    found = api.compare(made / "none", made / "all")
    assert not found.paired and found.table["estimate"].abs().max() == 0
    told = CliRunner().invoke(main, ["compare", str(made / "none"), str(made / "all"), "--measure", "turns"])
    assert told.exit_code == 0
    words = " ".join(told.output.split())
    assert "both runs have the seed 4, but a run without rows has no decks to set side by side" in words
    assert "--rows all" in words
    assert api.compare(made / "all", made / "all").paired


def test_compare__of_other_seeds_needs_no_rows(made):
    told = CliRunner().invoke(main, ["compare", str(made / "none"), str(made / "stranger"), "--measure", "turns"])
    assert "Independent: the seeds are 4 and 5" in " ".join(told.output.split())


def test_report__shows_what_was_counted_and_names_what_was_not(made, tmp_path):
    page = api.write_report(made / "none", out=tmp_path / "report", minutes=(15, 30))
    told = (page.parent / "report.md").read_text()
    for heading in ("Start player", "Length", "How games end", "What players do to each other", "Does the leader run away?"):
        assert f"## {heading}" in told
    assert "measures.parquet" in told and "players/" not in told
    assert "Fair price of the start, Drama, When is it decided?, What the cards are worth, Games to look at" in told
    assert "rows, which this run does not keep" in told and "--rows all" in told
    assert "told by rows, which this run does not keep" in told and "Nobody said" not in told


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ({"measure": "start_player_advantage", "low": -0.9}, "passes"),
        ({"measure": "pinches/turn", "high": 90}, "passes"),
        ({"measure": "ender_wins", "position": 1, "low": 0.999}, "fails"),
        ({"measure": "minutes", "high": 1000}, "passes"),
    ],
)
def test_certify__judges_what_is_counted(tmp_path, line, verdict):
    text = to_toml(make_experiment(SMALL | {"rows": "none", "certificate": [line]}, "here"))
    (tmp_path / "asked.toml").write_text(text)
    found = api.certify(tmp_path / "asked.toml", out=tmp_path / "run", jobs=1)
    assert found.verdict == verdict and len(found.found) == 4
    with_rows = api.certify(tmp_path / "asked.toml", out=tmp_path / "rows", jobs=1, rows="all")
    for mine, other in zip(found.found, with_rows.found, strict=True):
        assert mine.judgement.span == pytest.approx(other.judgement.span)


@pytest.mark.parametrize(
    "line", [{"measure": "margin", "high": 9}, {"measure": "outside:minutes", "band": [15, 30], "high": 0.5}]
)
def test_certify__names_a_line_that_needs_rows_before_playing(tmp_path, line):
    text = to_toml(make_experiment(SMALL | {"rows": "none", "certificate": [line]}, "here"))
    (tmp_path / "asked.toml").write_text(text)
    with pytest.raises(UsageError, match=rf"Line 1 .*{line['measure']}.* judged by rows, and the experiment keeps none"):
        api.certify(tmp_path / "asked.toml", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


# The command line


def test_cli__sweep_without_rows(tmp_path):
    words = ["sweep", "--variant", "pinch", "--base", "none", "--players", "3", "--line-up", "greedy", "--games", "60"]
    told = CliRunner().invoke(main, [*words, "--rows", "none", "--no-plots", "--out", str(tmp_path / "run")])
    assert told.exit_code == 0, told.output
    assert f"Counts and summary: {tmp_path / 'run'}" in told.output
    assert 'rows = "none"' in (tmp_path / "run/experiment.toml").read_text()
    told = CliRunner().invoke(main, ["resume", str(tmp_path / "run"), "--no-plots"])
    assert "Counts and summary" in told.output
    told = CliRunner().invoke(main, ["price", str(tmp_path / "run")])
    assert told.exit_code == 2 and "needs rows" in told.output


def test_cli__watch_needs_no_rows(made):
    told = CliRunner().invoke(
        main, ["watch", "--variant", "pinch", "--players", "3", "--line-up", "greedy", "--seed", "4", "--game", "7"]
    )
    assert told.exit_code == 0


def test_experiment__other_rows_are_refused():
    with pytest.raises(UsageError, match=r"'rows' cannot be 'some': .*'all' or 'none'"):
        make_experiment({"rows": "some"}, "here")


def test_tables_of_counts__names(made):
    assert {COUNTS, MEASURES} == {"counts.parquet", "measures.parquet"}
    assert api.load(made / "none").counts.columns == ["variant", "players", "line_up", "column", "position", "value", "count"]
