"""Intervals of measures of rows are as long as those of the summary, where a run was looked at while it went on."""

import math
from types import SimpleNamespace

import polars as pl
import pytest

from pinchsim import api
from pinchsim.lab import chunks
from pinchsim.lab.experiment import make_experiment, to_toml
from pinchsim.measure.length import length
from pinchsim.measure.looks import allowing_for_looks
from pinchsim.measure.moments import quantile
from pinchsim.measure.sample import SCHEMA, samples
from pinchsim.report.evidence import Material, measure
from tests.measure.made import row_of

HERE = {"variant": "pinch", "players": 3, "line_up": "uniform", "position": -1}
FIELDS = {"variants": ["pinch"], "base": None, "players": [3], "line_ups": ["uniform"], "games": 6000, "margin": 0.2}


def rows(table, *measures):
    found = {row["measure"]: row for row in table.filter(position=-1).to_dicts()}
    return [found[name] for name in measures]


def errors(row):
    """Half of an interval in standard errors."""
    return (row["high"] - row["low"]) / 2 / row["standard_error"]


@pytest.mark.parametrize(("precision", "least"), [("2pp", 1.01), ("verdict", 1.3)])
@pytest.mark.parametrize("kept", ["all", "none"])
def test_a_run__has_one_kind_of_interval(tmp_path, monkeypatch, precision, least, kept):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 200)
    run = api.sweep(out=tmp_path / "run", jobs=2, precision=precision, rows=kept, **FIELDS)
    (known,) = rows(run.summary.estimates, "turns")
    assert errors(known) > least * quantile(known["decks"])
    if kept == "none":
        found = run.measures
    else:
        (sample,) = samples(run.scan_cells())
        plain = length(sample)
        assert [errors(row) for row in rows(plain, "turns")] == pytest.approx([quantile(known["decks"])])
        material = Material(run.summary, None, None, None, run.scan_cells())
        found = measure(material, [lambda sample, _: length(sample)])
    again, decisions = rows(found, "turns", "decisions")
    assert [again[end] for end in ("low", "high")] == pytest.approx([known[end] for end in ("low", "high")])
    assert errors(decisions) == pytest.approx(errors(known))
    assert found.schema == pl.Schema(SCHEMA)


def test_a_certificate__judges_by_them(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 200)
    lines = [{"measure": "turns", "high": 90}, {"measure": "decisions", "high": 900}]
    (tmp_path / "asked.toml").write_text(
        to_toml(make_experiment(FIELDS | {"precision": "verdict", "certificate": lines}, "here"))
    )
    turns, decisions = (one.row for one in api.certify(tmp_path / "asked.toml", out=tmp_path / "run", jobs=2).found)
    assert errors(turns) > 1.3 * quantile(turns["decks"])
    assert errors(decisions) == pytest.approx(errors(turns))


def summary(low, high, precision=(), **about):
    """What is known of the turns: 40, with a standard error of 0.5."""
    row = row_of(40.0, 0.5, 1000) | HERE | {"measure": "turns", "standard_error": 0.5, "low": low, "high": high} | about
    return SimpleNamespace(estimates=pl.DataFrame([row]), precision=pl.DataFrame(precision))


def allowed(known, **row):
    usual = HERE | {"measure": "x", "unit": "share", "standard_error": 0.01}
    table = pl.DataFrame([row_of(0.5, 0.01, 1000) | usual | row], schema_overrides={"low": pl.Float64, "high": pl.Float64})
    (found,) = allowing_for_looks(table, known).to_dicts()
    return found["low"], found["high"]


TWICE = summary(40 - quantile(1000), 40 + quantile(1000))
WHOLE = quantile(1000) * 0.01


def test_arms__are_as_many_times_longer():
    assert allowed(TWICE) == pytest.approx((0.5 - 2 * WHOLE, 0.5 + 2 * WHOLE))
    assert allowed(TWICE, low=0.49, high=0.53) == pytest.approx((0.48, 0.56))


def test_arms__of_a_rare_share_grow_with_the_square_and_no_share_leaves_its_bounds():
    assert allowed(TWICE, estimate=0.002, low=0.001, high=0.004, games=4000) == pytest.approx((0.0, 0.010))
    assert allowed(TWICE, estimate=0.99, low=0.98, high=1.0) == pytest.approx((0.97, 1.0))
    assert allowed(TWICE, estimate=0.01, low=-0.01, high=0.03) == pytest.approx((-0.03, 0.05)), "a difference may be below 0"
    assert allowed(TWICE, estimate=0.01, low=0.0, high=0.03, unit="turns") == pytest.approx((-0.01, 0.05))


def test_without_an_interval__there_is_none():
    assert all(map(math.isnan, allowed(summary(math.nan, math.nan))))
    assert all(map(math.isnan, allowed(TWICE, low=math.nan, high=math.nan)))
    assert all(map(math.isnan, allowed(TWICE, low=None, high=None)))


def test_nothing_varied__nothing_changes():
    assert allowed(summary(40.0, 40.0, standard_error=0.0)) == pytest.approx((0.5 - WHOLE, 0.5 + WHOLE))


def test_a_fixed_number_of_games__is_left_alone():
    table = pl.DataFrame([row_of(0.5, 0.01, 1000)])
    assert allowing_for_looks(table, SimpleNamespace(precision=None)) is table
