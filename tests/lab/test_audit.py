"""The ambiguity audit: which variants it plays, and that its numbers are those of the rows."""

import itertools
import math
from pathlib import Path

import polars as pl
import pytest
from scipy.special import stdtrit

from pinchsim import api, games
from pinchsim.errors import UsageError
from pinchsim.games.pinch.readings import READINGS
from pinchsim.games.pinch.rules import RuleSet, load_variant, player_counts
from pinchsim.lab import chunks
from pinchsim.lab.audit import EFFECTS, load_audit, plan
from pinchsim.measure.audit import CARE
from pinchsim.paths import shipped
from tests.lab.test_run import StopAfter
from tests.lab.toy import LOOSE, TOY

SMALL = {"players": [3], "line_ups": ["greedy"], "games": 120, "seed": 4}
TOY_FIELDS = {"players": [2], "line_ups": ["uniform"], "games": 8000, "strategies": (shipped("strategies") / "pinch",)}
OTHERS = sum(len(reading.options) - 1 for reading in READINGS if "duel" not in reading.needs)


class FlippedToy(type(TOY)):
    """The toy game, whose flips are variants, too."""

    def load_variant(self, name):
        if name != "fair+bias=0.1":
            return super().load_variant(name)
        variant = super().load_variant("biased")
        variant.name = variant.source = name
        variant.rules.digest = lambda: name
        return variant


def test_audit_rules__names_a_reading_that_makes_games_endless(tmp_path):
    """R6.6: with equal values that pinch, stubborn players take back for ever; the turn limit ends it, and the audit says so."""
    folder = Path(__file__).parents[1] / "strategies" / "pinch"
    fields = {"players": [3], "line_ups": ["stubborn"], "games": 90, "seed": 1}
    audit = api.audit_rules("pinch", out=tmp_path / "run", strategies=(folder,), **fields)
    endless = {finding.variant: finding.endless for finding in audit.findings if finding.endless > 0}
    assert set(endless) == {"pinch+equal_pinches=true"}
    assert endless["pinch+equal_pinches=true"] > 0.5


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: FlippedToy())


# Which variants


def planned(variant, pairs=False):
    """Names of the variants of a plan, the base first, and the readings behind them."""
    experiment, flips = plan(variant, pairs, SMALL | {"players": []})
    assert experiment.base == experiment.variants[0]
    names = [load_variant(source).name for source in experiment.variants]
    assert names[1:] == list(flips)
    assert len(set(names)) == len(names)
    return experiment, flips


def test_plan__every_other_value_of_every_reading():
    experiment, flips = planned("pinch")
    assert experiment.base == "pinch"
    assert {(f.switch, f.value) for (f,) in flips.values()} == {
        (r.switch, str(value).lower() if isinstance(value, bool) else value)
        for r in READINGS
        if "duel" not in r.needs
        for value in r.options
        if value != r.ruling
    }
    assert all(name == f"pinch+{f.switch}={f.value}" for name, (f,) in flips.items())
    assert len(flips) == OTHERS


def test_plan__each_variant_differs_in_its_switch_only():
    for name, (flip,) in planned("classic")[1].items():
        assert list(load_variant(name).rules.changes_from(load_variant("classic").rules)) == [flip.switch]


def test_plan__duel():
    experiment, flips = planned("duel")
    assert experiment.margin == 0.02
    assert "duel+shadow_blocks_free_draw=false" in flips
    assert not any("pinch_order" in name for name in flips), "there is only one to pinch"
    assert not any("shadow" in name for name in planned("duel+classic")[1]), "there is no free draw"


def test_plan__players_that_the_variant_is_not_made_for():
    with pytest.raises(UsageError, match="Variant 'duel': 3 players cannot play"):
        plan("duel", False, SMALL)


def test_plan__variant_that_names_a_switch_already():
    experiment, flips = planned("pinch+refill=card+jokers=3")
    assert experiment.base == "pinch+refill=card+jokers=3"
    assert "pinch+jokers=3+refill=player" in flips
    assert "pinch+jokers=3+refill=turn" in flips
    assert "pinch+refill=card+jokers=3+exhaustion=market_card" in flips
    rules = {load_variant(name).rules for name in [experiment.base, *flips]}
    assert len(rules) == len(flips) + 1 == OTHERS + 1
    (flip,) = flips["pinch+jokers=3+refill=player"]
    assert flip.ruling == "after each card drawn"


@pytest.mark.parametrize("name", ["own.toml", "refill=own.toml"])
def test_plan__variant_file(tmp_path, monkeypatch, name):
    """Whatever the file is called."""
    monkeypatch.chdir(tmp_path)
    Path(name).write_text('base = "classic"\ntie_break = "shared"\n', encoding="utf-8")
    experiment, flips = planned(name)
    assert experiment.base == name
    stem = name.removesuffix(".toml")
    assert {f"{stem}+tie_break=fewer_hand", f"{stem}+refill=card"} <= set(flips)
    assert f"{stem}+tie_break=shared" not in flips
    assert all(not load_variant(source).rules.free_draw for source in experiment.variants)


@pytest.mark.parametrize("variant", ["pinch", "duel+aces-bite", "linko"])
def test_plan__pairs(variant):
    """Each two readings of different switches, once; all of them can be played."""
    experiment, flips = planned(variant, pairs=True)
    single = [some[0] for some in flips.values() if len(some) == 1]
    expected = {(a, b) for a, b in itertools.combinations(single, 2) if a.switch != b.switch}
    pairs = [some for some in flips.values() if len(some) == 2]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected
    for source in experiment.variants:
        rules = load_variant(source).rules
        assert player_counts(rules) == player_counts(load_variant(variant).rules)
    for name, some in flips.items():
        changed = load_variant(name).rules.changes_from(load_variant(variant).rules)
        assert list(map(str, changed)) == [s for s in RuleSet.model_fields if s in {f.switch for f in some}]


def test_plan__nothing_contested(toy, monkeypatch):
    monkeypatch.setattr(FlippedToy, "flips", lambda self, rules: [])
    with pytest.raises(UsageError, match="'fair' has no contested reading"):
        plan("fair", False, {})


# Playing it


def test_audit_rules__effects_are_those_of_the_rows(tmp_path):
    audit = api.audit_rules("pinch", out=tmp_path / "r", jobs=2, **SMALL)
    assert audit.run.complete
    assert len(audit.findings) == len(audit.flips) == OTHERS
    assert pl.read_parquet(tmp_path / "r" / EFFECTS).equals(audit.effects)
    assert audit.effects.height == OTHERS * 6
    quantile = stdtrit(39, 1 - 0.025 / audit.effects.height)
    points = audit.run.players.group_by("variant", "deck").agg(pl.col("score").mean())
    turns = audit.run.games.group_by("variant", "deck").agg(pl.col("turns").mean())
    for name in audit.flips:
        found = {r["measure"]: r for r in audit.effects.filter(variant=name).iter_rows(named=True)}
        change = paired(points, "score", name)
        assert found["points"]["effect"] == pytest.approx(change.mean(), abs=1e-6)
        if change.std() > 0:
            half = quantile * change.std() / math.sqrt(40)
            assert found["points"]["high"] - found["points"]["effect"] == pytest.approx(half, rel=1e-5)
        base = turns.filter(variant="pinch")["turns"].mean()
        assert found["turns"]["effect"] == pytest.approx(100 * paired(turns, "turns", name).mean() / base, abs=1e-6)
        assert {(r["games"], r["decks"]) for r in found.values()} == {(120, 40)}


def paired(means, column, name):
    """Differences to the base by deck."""
    base, other = (means.filter(variant=v).sort("deck")[column] for v in ("pinch", name))
    return other - base


def test_audit_rules__pairs_beyond_the_sum(tmp_path):
    audit = api.audit_rules("duel", pairs=True, out=tmp_path / "r", jobs=2, line_ups=["greedy"], games=40)
    found = {(r["variant"], r["measure"]): r for r in audit.effects.iter_rows(named=True)}
    both, one, two = "duel+exhaustion=market_card+equal_pinches=true", "duel+exhaustion=market_card", "duel+equal_pinches=true"
    for measure in ("turns", "points"):
        expected = found[both, measure]["effect"] - found[one, measure]["effect"] - found[two, measure]["effect"]
        assert found[both, measure]["beyond_sum"] == pytest.approx(expected)
    assert {len(audit.flips[f.variant]) for f in audit.findings if f.beyond} == {2}
    assert {len(audit.flips[f.variant]) for f in audit.findings if not f.beyond} == {1}
    assert audit.labels()[both] == "exhaustion = market_card, equal_pinches = true"
    assert audit.sentences()[both].count("Ruled: ") == 2


def test_audit__words(tmp_path):
    audit = api.audit_rules("pinch+refill=card", out=tmp_path / "r", jobs=2, **(SMALL | {"games": 3}))
    assert audit.labels()["pinch+refill=player"] == "refill = player"
    assert audit.sentences()["pinch+refill=player"] == (
        "R5.2: When is the market refilled? Ruled: after each card drawn. Read instead: when a player has finished drawing."
    )
    assert {f.verdict for f in audit.findings} == {"undecided"}, "a single deck decides nothing"


def test_audit_rules__toy_game_with_a_known_effect(tmp_path, toy):
    """The reading lets the start player win a tenth more often, and changes nothing else but who gets the point."""
    audit = api.audit_rules("fair", out=tmp_path / "r", jobs=2, **TOY_FIELDS)
    (found,) = audit.findings
    assert (found.variant, found.verdict) == ("fair+bias=0.1", CARE)
    start = found.largest["start"]
    assert start["low"] < 10 < start["high"]
    assert LOOSE.bias == 0.1
    assert {line: row["effect"] for line, row in found.largest.items() if line != "start"} == {
        "length": 0,
        "ends": 0,
        "score": 0,
    }
    assert list(audit.sentences().values()) == ["R1: Who is favoured? Ruled: nobody. Read instead: the start player."]
    kept = load_audit(tmp_path / "r")
    assert (kept.findings, kept.labels, kept.sentences) == (audit.findings, audit.labels(), audit.sentences())


def test_load_audit__of_something_else(tmp_path, toy):
    with pytest.raises(UsageError, match="is not the folder of a run"):
        load_audit(tmp_path)
    api.sweep(out=tmp_path / "s", variants=["fair"], strategies=TOY_FIELDS["strategies"], line_ups=["uniform"], games=20)
    with pytest.raises(UsageError, match="lacks readings.parquet"):
        load_audit(tmp_path / "s")


def test_audit_rules__interrupted(tmp_path, toy, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 60)
    fields = TOY_FIELDS | {"out": tmp_path / "r"}
    with monkeypatch.context() as patch:
        audit = api.audit_rules("fair", jobs=2, watcher=StopAfter(1500, patch), **fields)
    assert not audit.run.complete
    (found,) = audit.findings
    assert 0 < found.largest["start"]["games"] < 8000
    again = api.audit_rules("fair", jobs=2, **fields)
    assert again.run.complete
    assert again.findings[0].largest["start"]["games"] == 8000
    assert pl.read_parquet(tmp_path / "r" / EFFECTS).equals(again.effects)
