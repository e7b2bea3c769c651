"""The picture of a tuning: its words, and the same bytes for the same data."""

from xml.etree import ElementTree

from pinchsim.report.tuning_plot import write_tuning_plot
from tests.measure.test_tuning import tuning
from tests.report.test_tuning_table import ROWS


def words(path):
    texts = ("".join(part.itertext()).strip() for part in ElementTree.parse(path).iter() if part.tag.endswith("text"))
    return " ".join(texts).replace("\N{NO-BREAK SPACE}", " ")


def test_write_tuning_plot__words(tmp_path):
    paths = write_tuning_plot(tuning(*ROWS), tmp_path / "new" / "plots")
    assert [path.name for path in paths] == ["tuning-4p.png", "tuning-4p.svg"]
    assert all(path.stat().st_size > 1000 for path in paths)
    text = words(paths[1])
    for part in (
        "pinch, 4 players, mine. Stronger than the start",
        "the start (dozen)",
        "itself after iteration 5",
        "70.0 ± 1.0 %",
    ):
        assert part in text
    assert "400 games of 100 fresh decks each." in text


def test_write_tuning_plot__without_confirmation(tmp_path):
    text = words(write_tuning_plot(tuning(chosen="start"), tmp_path)[1])
    assert "Nothing better than the start was found" in text
    assert "fresh decks" not in text


def test_write_tuning_plot__one_iteration(tmp_path):
    one = tuning(*ROWS)
    write_tuning_plot(tuning(*ROWS, history=one.history.head(1), form="small"), tmp_path)


def test_write_tuning_plot__same_data_same_bytes(tmp_path):
    for name in "ab":
        write_tuning_plot(tuning(*ROWS), tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_write_tuning_plot__strange_names_are_only_text(tmp_path):
    text = words(write_tuning_plot(tuning(*ROWS, start="$x$\x1b"), tmp_path)[1])
    assert "the start ($x$?)" in text
