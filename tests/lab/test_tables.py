"""The tables of a run's summary: another run's are not believed, and going on writes the right ones again."""

import json
import shutil
from pathlib import Path

import pytest

from pinchsim import api
from pinchsim.errors import RunError
from tests.lab.runs import contents, cut

FIELDS = {"variants": ["aces-bite"], "players": [3], "ladder": ["greedy"], "games": 120, "precision": "verdict", "rows": "none"}
TABLES = ("estimates", "differences", "histograms", "ladder", "precision", "counts", "measures")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two runs that differ in their seeds alone."""
    folder = tmp_path_factory.mktemp("made")
    for name, seed in (("own", 4), ("other", 5)):
        api.sweep(out=folder / name, jobs=1, seed=seed, **FIELDS)
    return folder


@pytest.fixture
def run(made, tmp_path):
    return Path(shutil.copytree(made / "own", tmp_path / "run"))


def read_all(run):
    found = api.load(run)
    return [found.summary, found.ladder, found.counts, found.measures]


def test_every_table__has_a_digest(run):
    assert read_all(run)
    names = {path.name for path in run.glob("*.parquet")}
    assert json.loads((run / "manifest.json").read_text())["tables"].keys() == names == {f"{name}.parquet" for name in TABLES}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_another_run__is_not_believed(made, run, name):
    before = contents(run)
    shutil.copy2(made / "other" / f"{name}.parquet", run)
    assert contents(run) != before
    with pytest.raises(RunError, match=rf"{name}.parquet' is not what this run has written. .* pinchsim resume "):
        read_all(run)
    api.resume(run)
    assert contents(run) == before
    assert read_all(run)


def test_a_damaged_table__is_named(run):
    cut(run / "estimates.parquet")
    with pytest.raises(RunError, match="estimates.parquet' is damaged"):
        read_all(run)


def test_a_run_of_an_older_version__is_believed(run):
    manifest = json.loads((run / "manifest.json").read_text())
    del manifest["tables"]
    (run / "manifest.json").write_text(json.dumps(manifest))
    assert read_all(run)
