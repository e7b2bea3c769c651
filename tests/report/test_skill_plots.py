"""Figures of a skill report: their words, the same bytes each time, and strange data is drawn."""

import math
from xml.etree import ElementTree

from pinchsim.measure.ladder import CHANGES
from pinchsim.measure.skill_report import Found
from pinchsim.report.skill_plots import write_skill_plots
from tests.report.test_skill_table import levels, noise, trace


def words(path):
    parts = ("".join(part.itertext()).strip() for part in ElementTree.parse(path).iter() if part.tag.endswith("text"))
    return " ".join(" ".join(parts).split())


def drawn(folder, *parts):
    """The words of each SVG, by its name."""
    paths = write_skill_plots(*parts, folder)
    assert all(path.stat().st_size > 1000 for path in paths)
    assert len(paths) == 2 * len({path.stem for path in paths})
    return {path.stem: words(path) for path in paths if path.suffix == ".svg"}


def test_write_skill_plots__words(tmp_path):
    found = drawn(tmp_path / "plots", levels(1, 2, 4), [trace(0.4, 0.3, 0.25)], noise())
    assert list(found) == ["levels", "trace", "noise"]
    assert "pinch, 4 players: all 3 levels can be told apart" in found["levels"]
    assert "Elo points above b, the weakest credible level" in found["levels"] and "(a)" in found["levels"]
    assert "pinch, 4 players: 2 of 3 steps up in playouts surely gain" in found["trace"]
    assert "400 games of 100 decks for each step of search" in found["trace"]
    assert "noise costs a player up to 4.9 pp; beginners need no other verdict" in found["noise"]
    assert "20,000 games of 5,000 decks for each mark" in found["noise"]
    assert "verdict changes" in drawn(tmp_path, None, [], noise(CHANGES))["noise"]


def test_write_skill_plots__same_data_same_bytes(tmp_path):
    for name in "ab":
        drawn(tmp_path / name, levels(1, 2), [trace(0.4, 0.3)], noise())
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_write_skill_plots__strange_data(tmp_path):
    assert drawn(tmp_path, None, [], None) == {}
    one = trace(0.4, 0.3)
    one.found[0] = Found(0.4, math.nan, math.nan, 4, 1)
    drawn(tmp_path / "1", levels(1e-9, 1, 2, decks=40), [one, one], noise(players=2))
    drawn(tmp_path / "2", levels(1, 1, decks=1, names=("$x$", "<b>&\x07")), [], None)
