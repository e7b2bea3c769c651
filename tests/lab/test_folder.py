"""Folders of results: gone on with only by the same plan, and files that are there as a whole or not at all."""

import json
from pathlib import Path

import polars as pl
import pytest

from pinchsim.errors import UsageError
from pinchsim.lab import folder as folders


class Plan:
    def __init__(self, **deciding):
        self.what = {"format": "toy/1"} | deciding

    def deciding(self):
        return self.what

    def facts(self):
        return {"command": "pinchsim toy"}


def opened(folder, **deciding):
    folders.open_folder(folder, Plan(**deciding), "toy run", "something else")


def test_open_folder__same_plan_goes_on(tmp_path):
    for _ in range(2):
        opened(tmp_path / "new" / "r", seed=1)
    manifest = json.loads((tmp_path / "new/r/manifest.json").read_text(encoding="utf-8"))
    assert manifest == {"format": "toy/1", "seed": 1, "command": "pinchsim toy", "state": "running"}


def test_open_folder__another_plan(tmp_path):
    opened(tmp_path, seed=1, games=5)
    with pytest.raises(UsageError, match="holds another toy run; it differs in: seed, games. Choose another with --out."):
        opened(tmp_path, seed=2, games=6)
    with pytest.raises(UsageError, match="holds something else; choose another with --out."):
        opened(tmp_path, format="toy/2")


@pytest.mark.parametrize("text", ["{", "[]"])
def test_open_folder__damaged_manifest(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"manifest.json' is damaged; choose another folder with --out."):
        opened(tmp_path)


def test_make_folder__with_files_needs_the_mark(tmp_path):
    folders.make_folder(tmp_path, "mark", "toy run")
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty and holds no toy run; choose another with --out."):
        folders.make_folder(tmp_path, "mark", "toy run")
    (tmp_path / "mark").touch()
    folders.make_folder(tmp_path, "mark", "toy run")


def test_make_folder__not_where_a_file_is(tmp_path):
    (tmp_path / "a").write_text("here")
    with pytest.raises(UsageError, match="a' is a file, not a folder; choose another with --out"):
        folders.make_folder(tmp_path / "a", "mark", "run")


def test_replacing__what_failed_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    folders.write_text(path, "old Ä")
    with pytest.raises(TypeError), folders.replacing(path) as file:
        file.writelines([b"half of", None])
    assert path.read_text(encoding="utf-8") == "old Ä"


def test_write_table(tmp_path):
    table = pl.DataFrame({"x": [1, 2]})
    folders.write_table(table, tmp_path / "t.parquet", compression="lz4")
    assert pl.read_parquet(tmp_path / "t.parquet").equals(table)
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


def test_results_folder():
    assert folders.results_folder("toy", folders.digest({"b": 1, "a": 2})) == Path("results/toy-21501dba")
    assert folders.digest({"a": 2, "b": 1}) == folders.digest({"b": 1, "a": 2}) != folders.digest({"a": 1, "b": 1})
