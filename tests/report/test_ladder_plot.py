"""The ladder as a picture: its title claims what the levels say, nothing is left out, same data same file."""

import math
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from pinchsim.games.seam import Level
from pinchsim.measure.ladder import ADVANTAGE
from pinchsim.report import ladder_plot
from pinchsim.report.ladder_plot import title, write_ladder_plot
from tests.measure.test_ladder import ABOVE, BELOW, FAIR, OPEN, THREE, Effect
from tests.report.test_ladder_table import both, plain, table


def words(path):
    texts = ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
    return " ".join(" ".join("".join(text.itertext()).split()) for text in texts)


def drawn(folder, frame, base=None, unit="games", complete=True):
    """All words of the SVG."""
    paths = write_ladder_plot(frame, base, 0.01, unit, complete, folder)
    assert [path.name for path in paths] == ["ladder.png", "ladder.svg"]
    assert all(path.stat().st_size > 3000 for path in paths)
    return words(paths[1])


def figure(frame, base=None) -> Figure:
    return ladder_plot._figure(frame.filter(question=ADVANTAGE).to_dicts(), base, 0.01, "Notes")


def test_write_ladder_plot__words(tmp_path):
    text = drawn(tmp_path / "new", plain(FAIR, ABOVE, ABOVE))
    for part in ("(random)", "good", "best", "4 players, fair: 25 %", "hollow: no credible play", "margin: ±1 pp", "plain"):
        assert part in text
    assert "from weak to strong" in text
    assert "n = 40,000 games of 10,000 decks for each variant and level." in " ".join(text.split())
    assert "interrupted" not in text
    assert "interrupted: sessions finished" in drawn(tmp_path, plain(FAIR, ABOVE, ABOVE), unit="sessions", complete=False)


def test_write_ladder_plot__same_data_same_bytes(tmp_path):
    for name in "ab":
        write_ladder_plot(both(*[(0.03, 0.02)] * 3), "plain", 0.01, "games", True, tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_write_ladder_plot__nothing_played(tmp_path):
    assert write_ladder_plot(plain(None, None, None), None, 0.01, "games", True, tmp_path / "new") == []
    assert not (tmp_path / "new").exists()


def test_write_ladder_plot__without_interval_or_a_level(tmp_path):
    """A single deck, and a level that was not played yet."""
    text = drawn(tmp_path, plain(FAIR, Effect(0.02, math.nan, games=4), None))
    assert "n = 4 to 40,000 games of 1 to 10,000 decks" in text
    assert "best" in text


def test_figure__hollow_marks_for_levels_that_have_no_say():
    (axes,) = figure(plain(FAIR, ABOVE, ABOVE)).axes
    marks = [line for line in axes.lines if line.get_marker() == "s"]
    assert [line.get_markerfacecolor() == "white" for line in marks] == [True, False, False]
    assert [line.get_ydata()[0] for line in marks] == pytest.approx([0.1, 2.0, 2.0])


def test_figure__everything_is_inside_the_panel():
    (axes,) = figure(plain(FAIR, Effect(0.2, 0.03), Effect(-0.3, 0.04))).axes
    low, high = axes.get_ylim()
    assert low < -34
    assert high > 23


SIX = (Level("uniform", credible=False), *map(Level, ("greedy", "sniper", "a-long-name-of-mine", "champion", "search:200")))


@pytest.mark.parametrize("counts", [(4,), (3, 4, 5), (2, 3, 4, 5, 6, 7)])
@pytest.mark.parametrize("levels", [THREE[:1] + THREE[2:], SIX])
def test_figure__names_touch_neither_each_other_nor_the_edge(counts, levels):
    names = ["plain", "other", "duel+aces-bite+market-of-five-cards"]
    cases = {(name, players, level.strategy): FAIR for name in names for players in counts for level in levels}
    made = figure(table(cases, "plain", levels), "plain")
    made.canvas.draw()
    width, height = made.get_size_inches() * made.dpi
    assert made.get_size_inches()[0] <= 17.4
    assert len(made.axes) == len(counts)
    for axes in made.axes:
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
        assert len(boxes) == len(levels)
        assert all(left.x1 < right.x0 for left, right in zip(boxes, boxes[1:], strict=False))
        assert boxes[0].x0 > 0
        assert boxes[-1].x1 < width
    (legend,) = made.legends
    box = legend.get_window_extent()
    assert box.x1 <= width
    assert box.y0 >= max(axes.title.get_window_extent().y1 for axes in made.axes), "the legend is above the panels"
    assert made.texts[0].get_window_extent().y1 <= height


@pytest.mark.parametrize(
    ("effects", "claim"),
    [
        ((FAIR, ABOVE, ABOVE), "more than 1 pp above fair at every credible level"),
        ((ABOVE, BELOW, BELOW), "more than 1 pp below fair at every credible level"),
        ((ABOVE, FAIR, FAIR), "within 1 pp of fair at every credible level"),
        ((FAIR, FAIR, ABOVE), "changes with strength"),
        ((FAIR, FAIR, OPEN), "not decided at every credible level"),
    ],
)
def test_title__claims(effects, claim):
    assert title(plain(*effects).to_dicts(), 0.01) == f"Start player's win share: {claim}"


def test_title__where_cases_differ():
    cases = {("plain", 4, level.strategy): ABOVE for level in THREE} | {("other", 4, level.strategy): FAIR for level in THREE}
    found = title(table(cases).to_dicts(), 0.01)
    assert found == (
        "Start player's win share: more than 1 pp above fair at every credible level for plain; "
        "within 1 pp of fair at every credible level for other"
    )


def test_write_ladder_plot__strange_names_are_only_text(tmp_path):
    levels = (Level("$x$\x1b"), Level("b"))
    text = drawn(tmp_path, table({("<b>$v", 4, level.strategy): FAIR for level in levels}, levels=levels))
    assert "<b>$v" in text
    assert "$x$?" in text
