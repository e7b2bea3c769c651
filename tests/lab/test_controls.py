"""Runs whose estimates are corrected by covariates of the decks (METHODS M1.6): tables, going on, precision, and no shift."""

import json
import math
import pickle
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from rich.console import Console

from pinchsim import api, games
from pinchsim.cli.main import main
from pinchsim.errors import UsageError
from pinchsim.games.pinch.game import PINCH
from pinchsim.lab import chunks, finished, work
from pinchsim.lab.chunks import chunks_of
from pinchsim.lab.experiment import cells, make_experiment, read_experiment, to_toml
from pinchsim.lab.rows import described
from pinchsim.lab.run import SUMMARY_TABLES
from pinchsim.lab.work import recipe_of
from pinchsim.measure.controls import LEAST_DECKS
from pinchsim.measure.moments import deck_average
from pinchsim.measure.quantities import Rows, quantities, values
from pinchsim.measure.sequential import PRECISION
from pinchsim.measure.summary import CONTROL_GAIN, CellName, Tally
from pinchsim.paths import shipped
from pinchsim.report.sections import precision as section
from pinchsim.report.stopping import gain_sentence, together_words
from pinchsim.report.table import print_summary
from tests.lab.runs import Listener, before_chunk, contents
from tests.lab.toy import TOY

ADVANTAGE = "start_player_advantage"
SUMMED = ["estimate", "low", "high", "standard_error", "variance_reduction"]
# Of the toy: the strength moves a deck's chance by 0.1 to each side, the rest is the luck of two games.
STRENGTH, FAIR, BIASED = 0.01, (0.24 + 0.24) / 4, (0.25 + 0.21) / 4


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: TOY)
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 75)


def play(out, **fields):
    fields = {"variants": ["biased"], "line_ups": ["uniform"], "games": 1200, "seed": 3, "controls": True} | fields
    strategies = (shipped("strategies") / "pinch",)
    return api.sweep(out=out, jobs=fields.pop("jobs", 1), watcher=fields.pop("watcher", None), strategies=strategies, **fields)


def of(table, **where):
    (row,) = table.filter(measure=ADVANTAGE, **where).to_dicts()
    return row


def deck_means(run, variant):
    """Means by deck of every quantity, float64[quantities, decks], from the rows of a run."""
    cell = CellName(variant, 2, "uniform")
    players = run.players.filter(variant=variant).sort("deck", "rotation", "position")
    rows = Rows(
        {name: x.to_numpy() for name, x in run.games.filter(variant=variant).sort("deck", "rotation").to_dict().items()
         if name in ("turns", "lead_changes", "winners")} | {"end_reason": np.ones(players.height // 2)},
        {name: players[name].to_numpy().reshape(-1, 2) for name in ("score", "win_share", "strategy")},
    )  # fmt: skip
    return deck_average(values(rows, cell.places, described(TOY)), 2)


def cross_fitted(y, z):
    """Deck means less what the covariates are worth by least squares on the other half."""
    rest = np.empty_like(y)
    for half in (0, 1):
        x = np.concatenate([np.ones((1, len(z[0, 1 - half :: 2]))), z[:, 1 - half :: 2]])
        worth = np.linalg.lstsq(x.T, y[:, 1 - half :: 2].T, rcond=None)[0][1:]
        rest[:, half::2] = y[:, half::2] - worth.T @ z[:, half::2]
    return rest


# Tables


def test_controls__tables_are_corrected_deck_by_deck(toy, tmp_path):
    run = play(tmp_path / "run", games=3000)
    z = TOY.covariates(None, 2, 3, np.arange(1500)).values
    names = [q.measure for q in quantities(["uniform"] * 2, described(TOY))]
    fair, biased = (deck_means(run, name) for name in ("fair", "biased"))
    for y, row in (
        (fair, of(run.summary.estimates, variant="fair")),
        (biased, of(run.summary.estimates, variant="biased")),
        (biased - fair, of(run.summary.differences)),
    ):
        plain = y[names.index(ADVANTAGE)]
        rest = cross_fitted(y, z)[names.index(ADVANTAGE)]
        assert row["estimate"] == pytest.approx(rest.mean())
        assert row["standard_error"] == pytest.approx(rest.std(ddof=1) / math.sqrt(1500))
        assert row[CONTROL_GAIN] == pytest.approx(plain.var() / rest.var())
        assert (row["low"] + row["high"]) / 2 == pytest.approx(row["estimate"])
        assert (row["games"], row["decks"]) == (3000, 1500)


def test_controls__differences_have_the_covariates_of_both(toy, tmp_path):
    run = play(tmp_path / "run", games=200)
    (record, *_) = run.folder.glob("finished/biased*/pair-*.json")
    for half in json.loads(record.read_text().splitlines()[1])[-1]:
        assert len(half[3]) == 4, "strength and dice of each variant"


def test_controls__variance_reduction_has_the_gain_in_it(toy, tmp_path):
    plain, run = play(tmp_path / "plain", controls=False), play(tmp_path / "run")
    for table in ("estimates", "differences"):
        both = getattr(plain.summary, table).join(
            getattr(run.summary, table), on=["variant", "measure", "position"], suffix="_c"
        )
        both = both.filter(pl.col("variance_reduction").is_finite())
        assert both.height > 3
        wanted = both["variance_reduction"] * both[CONTROL_GAIN]
        assert both["variance_reduction_c"].to_list() == pytest.approx(wanted.to_list(), rel=1e-9)


def test_controls__the_gain_is_that_of_the_law(toy, tmp_path):
    run = play(tmp_path / "run", games=12_000)
    for name, rest in (("fair", FAIR), ("biased", BIASED)):
        row = of(run.summary.estimates, variant=name)
        assert row[CONTROL_GAIN] == pytest.approx((rest + STRENGTH) / rest, abs=0.03)


def test_no_controls__tables_know_nothing_of_it(toy, tmp_path):
    run = play(tmp_path / "run", controls=False)
    assert CONTROL_GAIN not in run.summary.estimates.columns + run.summary.differences.columns
    assert gain_sentence(run.summary) == ""
    for record in run.folder.glob("finished/*/*.json"):
        assert (
            len(json.loads(record.read_text().splitlines()[1]).get("moments", [0] * 5)) == 5 if "part" in record.name else True
        )


def test_controls__nothing_is_corrected_with_few_decks(toy, tmp_path):
    few = 4 * LEAST_DECKS - 2
    plain, run = play(tmp_path / "plain", games=few, controls=False), play(tmp_path / "run", games=few)
    assert set(run.summary.estimates[CONTROL_GAIN]) == set(run.summary.differences[CONTROL_GAIN]) == {1}
    for table in ("estimates", "differences"):
        assert getattr(run.summary, table).drop(CONTROL_GAIN).equals(getattr(plain.summary, table))
    assert "too few decks" in gain_sentence(run.summary)


def test_controls__rows_are_the_same(toy, tmp_path):
    plain, run = play(tmp_path / "plain", controls=False), play(tmp_path / "run")
    rows = [
        {name: data for name, data in contents(one.folder).items() if name.startswith(("games", "players"))}
        for one in (plain, run)
    ]
    assert rows[0] == rows[1] and rows[0]


# However it is played


@pytest.mark.parametrize("rows", ["all", "none"])
def test_controls__same_bytes_for_any_number_of_threads(toy, tmp_path, rows):
    wanted = contents(play(tmp_path / "one").folder)
    found = contents(play(tmp_path / rows, jobs=4, rows=rows).folder)
    both = found.keys() & wanted.keys()
    assert {f"{name}.parquet" for name in SUMMARY_TABLES} <= both
    assert {name: found[name] for name in both} == {name: wanted[name] for name in both}


@pytest.mark.parametrize("rows", ["all", "none"])
def test_controls__interrupted_and_gone_on_with(toy, tmp_path, monkeypatch, rows):
    class Break(Exception):
        pass

    def fail(chunk):
        raise Break

    whole = contents(play(tmp_path / "whole", rows=rows).folder)
    with monkeypatch.context() as patch:
        before_chunk(8, patch, fail)
        with pytest.raises(Break):
            play(tmp_path / "part", rows=rows)
    heard = Listener()
    if rows == "all":
        monkeypatch.setattr(work, "read_rows", real := Counted(work.read_rows))
    run = play(tmp_path / "part", rows=rows, watcher=heard)
    assert contents(run.folder) == whole and heard.found > 0
    assert rows == "none" or real.calls <= 1, "records have what rows were reduced to"
    (tmp_path / "part/estimates.parquet").unlink()
    monkeypatch.setattr(TOY.__class__, "play", None)
    assert contents(play(tmp_path / "part", rows=rows).folder) == whole


class Counted:
    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


def test_controls__rows_are_reduced_again_by_other_code(toy, tmp_path, monkeypatch):
    whole = contents(play(tmp_path / "run").folder)
    monkeypatch.setattr(finished, "reduced_by", lambda: "another")
    monkeypatch.setattr(TOY.__class__, "play", None)
    assert contents(play(tmp_path / "run").folder) == whole


@pytest.mark.parametrize("begun", [True, False])
def test_controls__belong_to_what_must_be_equal(toy, tmp_path, begun):
    play(tmp_path / "run", controls=begun, games=200)
    with pytest.raises(UsageError, match="differs in: controls"):
        play(tmp_path / "run", controls=not begun, games=200)


def test_controls__off_is_what_older_runs_had(toy, tmp_path):
    run = play(tmp_path / "run", controls=False, games=200)
    path = run.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["experiment"]["controls"]
    path.write_text(json.dumps(manifest))
    play(tmp_path / "run", controls=False, games=200)


def test_recipe__makes_the_same_elsewhere():
    """As it goes to other machines: the covariates come from what is in the recipe."""
    experiment = make_experiment({"variants": ["aces-bite"], "players": [4], "line_ups": ["greedy"], "controls": True}, "")
    found = cells(experiment, ())
    tally = Tally([cell.name for cell in found], "pinch", described(PINCH), experiment.controls)
    recipe = recipe_of(PINCH, found, 1, tally, ())
    (chunk, *_) = chunks_of(PINCH, found[0], 400)
    here, there = (one.maker().make(chunk, PINCH.new_memory(), lambda n: True) for one in (recipe, sent(recipe)))
    assert pickle.dumps(here.result.moments) == pickle.dumps(there.result.moments)
    assert here.result.moments.joint.even.decks == 50
    assert sent(there).result.luck.covariates.shape == (8, 100)


def sent(x):
    return pickle.loads(pickle.dumps(x))


# Precision


def test_precision__aims_at_the_corrected_interval(toy, tmp_path):
    run = play(tmp_path / "run", precision="2pp", games=40_000)
    assert set(run.summary.precision["reason"]) == {PRECISION}
    for row in run.summary.precision.to_dicts():
        table = run.summary.differences if row["base"] else run.summary.estimates
        found = of(table, variant=row["variant"])
        assert (found["high"] - found["low"]) / 2 == pytest.approx(row["half_width"]) and row["half_width"] <= 0.02
    row = of(run.summary.estimates, variant="fair")
    plain = play(tmp_path / "plain", games=row["games"], controls=False)
    ratio = of(plain.summary.estimates, variant="fair")["standard_error"] / row["standard_error"]
    assert ratio**2 == pytest.approx(row[CONTROL_GAIN])


# What is said


def test_sessions__are_refused():
    result = CliRunner().invoke(main, ["sweep", "--controls", "--session", "match"])
    assert result.exit_code == 2
    assert "controls are for single games, not for sessions ('match')" in " ".join(result.output.split())


def test_to_toml__is_read_again(tmp_path):
    for controls in (True, False):
        (tmp_path / "x.toml").write_text(to_toml(make_experiment({"controls": controls}, "Here")))
        assert read_experiment(tmp_path / "x.toml", {}).controls is controls


def test_sweep__says_what_it_was_worth(tmp_path):
    out = str(tmp_path / "run")
    words = ["sweep", "--variant", "aces-bite", "--players", "3", "--line-up", "sniper", "--games", "3000", "--controls"]
    result = CliRunner().invoke(main, [*words, "--no-plots", "--out", out])
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    assert "The luck of the deal is taken out of the estimates: that was worth" in said
    assert gain_sentence(api.load(out).summary) in said
    gains = api.load(out).summary.estimates.filter(pl.col("measure") == "turns", pl.col("variant") == "pinch")[CONTROL_GAIN]
    assert gains[0] > 1.3, "decks of few values are short games"


def test_gain_sentence__least_and_most_and_the_advantage(toy, tmp_path):
    summary = play(tmp_path / "run").summary
    gains = [g for table in (summary.estimates, summary.differences) for g in table[CONTROL_GAIN]]
    own = summary.estimates.filter(measure=ADVANTAGE)[CONTROL_GAIN]
    text = gain_sentence(summary)
    assert f"worth {min(gains):.2f} to {max(gains):.2f} times as many games" in text
    assert f"{min(own):.2f}" in text.partition("games, ")[2] and "for its change" in text
    console = Console(width=100, record=True)
    print_summary(summary, console)
    assert text in " ".join(console.export_text().split())


def test_certificate__tells_the_gain(toy, tmp_path):
    lines = [{"measure": ADVANTAGE, "low": -0.2, "high": 0.2}]
    strategies = (shipped("strategies") / "pinch",)
    path = tmp_path / "x.toml"
    for controls in (True, False):
        fields = {"variants": ["fair"], "line_ups": ["uniform"], "games": 1200, "controls": controls, "certificate": lines}
        path.write_text(to_toml(make_experiment(fields, "here")))
        found = api.certify(path, out=tmp_path / str(controls), jobs=1, strategies=strategies)
        (cell,) = found.told()["lines"][0]["cells"]
        row = of(found.run.summary.estimates)
        assert cell.get("control_gain") == row.get(CONTROL_GAIN)
        assert ("control_gain" in cell) is controls
        assert cell["estimate"] == row["estimate"]


def test_report__tells_the_gain(toy, tmp_path):
    """In its section on how sure one can be."""
    for controls in (True, False):
        summary = play(tmp_path / str(controls), controls=controls).summary
        said = section._beside(SimpleNamespace(summary=summary))
        assert said == tuple(filter(None, (together_words(summary), gain_sentence(summary) if controls else "")))
        assert any("luck of the deal" in words for words in said) is controls


# Nothing is shifted, played by the toy itself


@pytest.mark.slow
def test_controls__simulated_truth():
    """2,000 runs of 500 decks: no shift, and intervals that hold."""
    experiment = make_experiment({"variants": ["pinch"], "players": [4], "line_ups": ["uniform"], "controls": True}, "")
    (cell,) = cells(experiment, ())
    cell = cell._replace(name=CellName("biased", 2, "uniform"), variant=TOY.load_variant("biased"))
    cell = cell._replace(strategies=cell.strategies[:2])
    runs, place = 2000, [q.measure for q in quantities(["uniform"] * 2, described(TOY))].index(ADVANTAGE)
    means, errors = np.empty(runs), np.empty(runs)
    (chunk,) = chunks_of(TOY, cell, 1000)
    for seed in range(runs):
        tally = Tally([cell.name], None, described(TOY), True)
        recipe = recipe_of(TOY, [cell], seed, tally, ())
        tally.add(cell.name, 0, recipe.maker().make(chunk, None, lambda n: True).result)
        found = tally.moments(cell.name, 1)
        means[seed], errors[seed] = found.mean[place], found.standard_errors()[place]
    assert abs(means.mean() - 0.1) < 4 * means.std() / math.sqrt(runs)
    held = (abs(means - 0.1) <= 1.96 * errors).mean()
    assert abs(held - 0.95) < 4 * math.sqrt(0.95 * 0.05 / runs) + 0.002
    # two covariates, one of them useless, each fitted on half of the decks
    assert (errors**2).mean() == pytest.approx(BIASED / 500 * (1 + 2 / 250), rel=0.01)
