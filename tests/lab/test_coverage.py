"""Counting the rules: what is counted, where it is kept, and that a folder of something else is left alone. On the toy game."""

import json

import polars as pl
import pytest

import pinchsim
from pinchsim import api, games
from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import IllegalAnswer
from pinchsim.lab.coverage import COUNTS, read_counts
from pinchsim.paths import shipped
from tests.lab.toy import TOY

STRATEGIES = (shipped("strategies") / "pinch",)


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: TOY)


def counted(*variants, out=None, **fields):
    return api.audit_coverage(*variants, out=out, strategies=STRATEGIES, **{"games": 31} | fields)


def test_audit_coverage__counts_are_kept(tmp_path):
    found = counted("biased", "fair", out=tmp_path / "run")
    assert [(c.variant, c.players, c.games, c.decks, c.times) for c in found.counts] == [
        ("biased", 2, 32, 16, {"R1": 32}), ("fair", 2, 32, 16, {"R1": 32}),
    ]  # fmt: skip
    assert read_counts(tmp_path / "run").equals(found.table)
    row = found.table.row(0, named=True)
    assert (row["line_up"], row["counted"], row["applies"], row["per_game"]) == ("uniform", "games won", True, 1.0)
    told = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert (told["game"], told["state"], told["games"]) == ("toy", "complete", 31)


def test_audit_coverage__all_variants_by_default(tmp_path):
    assert set(counted(out=tmp_path / "run").table["variant"]) == {"fair", "biased"}


def test_audit_coverage__is_a_function_of_the_package():
    assert pinchsim.audit_coverage is api.audit_coverage and "audit_coverage" in pinchsim.__all__


def test_audit_coverage__the_same_again_is_the_same_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, again, other = counted("fair"), counted("fair"), counted("fair", seed=2)
    assert first.folder == again.folder != other.folder
    assert first.folder.parent.name == "results"
    with pytest.raises(UsageError, match="another count of the rules; it differs in: seed"):
        counted("fair", seed=3, out=first.folder)


def test_read_counts__not_finished(tmp_path, monkeypatch):
    def cheating(*args):
        raise IllegalAnswer(7, "it cheats")

    monkeypatch.setattr(type(TOY), "coverage", cheating)
    with pytest.raises(RunError, match="variant 'fair', 2 players, line-up 'uniform', game 7: it cheats. See that game with"):
        counted("fair", out=tmp_path)
    assert not (tmp_path / COUNTS).exists()
    with pytest.raises(UsageError, match="was not finished"):
        read_counts(tmp_path)
    pl.DataFrame({"rule": ["R1"]}).write_parquet(tmp_path / COUNTS)
    assert read_counts(tmp_path).height == 1
