"""Finding strategies: one file is one strategy, the first folder wins, and nothing is listed anywhere."""

from pathlib import Path

import pytest

from pinchsim import paths
from pinchsim.errors import UsageError
from pinchsim.strategy import library

PLAY = "def play(view):\n    return 1\n"


def put(folder, name, idea="An idea."):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(f'"""{idea}\n\nMore about it.\n"""\n\n\n{PLAY}', encoding="utf-8")
    return path


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A working folder, a shipped library and two folders that are given, all empty."""
    work, shipped = tmp_path / "work", tmp_path / "shipped" / "strategies"
    for folder in (work, shipped / "pinch", tmp_path / "one", tmp_path / "two"):
        folder.mkdir(parents=True)
    monkeypatch.chdir(work)
    monkeypatch.setattr(library, "shipped", lambda kind: tmp_path / "shipped" / kind)
    return tmp_path


def test_folders__in_the_order_of_the_search(places):
    put(places / "work" / "strategies" / "pinch", "a")
    given = (places / "two", places / "one")
    found = [folder.resolve() for folder in library.folders("pinch", given)]
    assert found == [*given, places / "work" / "strategies" / "pinch", places / "shipped" / "strategies" / "pinch"]


def test_folders__only_those_that_exist_and_each_once(places):
    twice = (places / "one", places / "none", places / "two" / ".." / "one")
    found = [folder.resolve() for folder in library.folders("pinch", twice)]
    assert found == [places / "one", places / "shipped" / "strategies" / "pinch"]


def test_find__first_folder_wins(places):
    folders = [places / "one", places / "two", places / "work" / "strategies" / "pinch"]
    for folder in [*folders, places / "shipped" / "strategies" / "pinch"]:
        put(folder, "bold")
    given = (folders[0], folders[1])
    for folder in folders:
        found = library.find("pinch", "bold", given)
        assert (found.path, found.built_in) == (folder / "bold.py", False)
        found.path.unlink()
    found = library.find("pinch", "bold", given)
    assert (found.path, found.built_in) == (places / "shipped" / "strategies" / "pinch" / "bold.py", True)


def test_all_strategies__sorted_by_name_over_all_folders(places):
    put(places / "one", "zeta")
    put(places / "two", "beta")
    put(places / "shipped" / "strategies" / "pinch", "alpha")
    found = library.all_strategies("pinch", (places / "one", places / "two"))
    assert list(found) == ["alpha", "beta", "zeta"]
    assert [s.name for s in found.values()] == ["alpha", "beta", "zeta"]


def test_all_strategies__other_files_are_none(places):
    put(places / "one", "_helper")
    put(places / "one", "__init__")
    put(places / "one" / "deeper", "hidden")
    (places / "one" / "notes.txt").write_text("notes", encoding="utf-8")
    (places / "one" / "old.py~").write_text(PLAY, encoding="utf-8")
    assert library.all_strategies("pinch", (places / "one",)) == {}


def test_all_strategies__of_another_game(places):
    put(places / "work" / "strategies" / "whist", "mine")
    assert library.all_strategies("pinch") == {}
    assert list(library.all_strategies("whist")) == ["mine"]


def test_find__new_file_is_found_at_once(places):
    with pytest.raises(UsageError):
        library.find("pinch", "mine", (places / "one",))
    put(places / "one", "mine")
    assert library.find("pinch", "mine", (places / "one",)).name == "mine"


def test_find__unknown_name_with_suggestion(places):
    for name in ("greedy", "uniform"):
        put(places / "one", name)
    with pytest.raises(UsageError) as caught:
        library.find("pinch", "gredy", (places / "one",))
    assert str(caught.value) == "'gredy' is not a strategy. Did you mean 'greedy'? Known: greedy, uniform."


@pytest.mark.parametrize("name", ["", "zzzz", "greedy.py", "../one/greedy", "GREEDY_"])
def test_find__unknown_name_like_no_other(places, name):
    put(places / "one", "greedy")
    with pytest.raises(UsageError, match="is not a strategy.*Known: greedy"):
        library.find("pinch", name, (places / "one",))


@pytest.mark.parametrize(
    ("text", "idea"),
    [
        ('"""Plays high.\n\nAnd low."""\n', "Plays high."),
        ('"""\n  Plays high.\n"""\n', "Plays high."),
        ("X = 1\n", ""),
        ('X = 1\n"""Not a docstring."""\n', ""),
        ("def play(view\n", ""),
        ("", ""),
    ],
)
def test_idea__first_line_of_the_docstring(tmp_path, text, idea):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    assert library.Strategy("mine", path, False).idea == idea


def test_idea__file_that_is_no_text(tmp_path):
    """One broken file must not hide the others in the list of strategies."""
    path = tmp_path / "mine.py"
    path.write_bytes(b'"""Caf\xe9."""\n')
    assert library.Strategy("mine", path, False).idea == ""


def test_source__as_the_file_is_now(tmp_path):
    found = library.Strategy("mine", put(tmp_path, "mine"), False)
    assert found.source.endswith(PLAY)
    found.path.write_text("changed", encoding="utf-8")
    assert found.source == "changed"


def test_shipped_strategies__each_file_is_found_and_has_an_idea(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = paths.shipped("strategies") / "pinch"
    found = library.all_strategies("pinch")
    assert set(found) == {path.stem for path in Path(folder).iterdir() if path.suffix in (".py", ".toml")}
    assert {"greedy", "uniform"} <= set(found)
    for strategy in found.values():
        assert strategy.built_in
        assert strategy.idea, strategy.name
