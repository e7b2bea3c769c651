"""Figures of an audit: what their titles claim, what is left out is told, and strange data is drawn."""

import math
from xml.etree import ElementTree

import pytest

from pinchsim.measure.audit import CARE, OPEN, SAME
from pinchsim.report import audit_plot
from pinchsim.report.audit_plot import MOST, write_audit_plots
from tests.report.test_audit_table import effect, finding


def drawn(folder, findings, labels=None, complete=True):
    """All words of the first SVG, in one line."""
    labels = labels or {f.variant: f.variant.removeprefix("pinch+").replace("=", " = ").replace("+", ", ") for f in findings}
    paths = write_audit_plots("pinch", findings, labels, 0.01, complete, folder)
    assert all(path.stat().st_size > 1000 for path in paths)
    return words(paths[1])


def words(path):
    return " ".join("".join(part.itertext()).strip() for part in ElementTree.parse(path).iter() if part.tag.endswith("text"))


def title(findings):
    labels = {f.variant: f.variant.removeprefix("pinch+").replace("=", " = ").replace("+", ", ") for f in findings}
    return audit_plot._title("pinch", findings, labels).replace("\N{NO-BREAK SPACE}", " ")


def test_write_audit_plots__a_figure_for_each_table(tmp_path):
    found = [finding("pinch+a=1"), finding("pinch+a=1", players=3), finding("pinch+a=1", line_up="greedy,uniform")]
    paths = write_audit_plots("pinch", found, {"pinch+a=1": "a = 1"}, 0.01, True, tmp_path / "new" / "plots")
    stems = ["readings-4p-1", "readings-3p-2", "readings-4p-3"]
    assert [path.name for path in paths] == [f"{stem}.{kind}" for stem in stems for kind in ("png", "svg")]
    assert "4 players, greedy, 3 x uniform: " in words(paths[5])


def test_write_audit_plots__same_data_same_bytes(tmp_path):
    found = [finding("pinch+a=1", CARE, score=(2.0, 0.1))]
    for name in "ab":
        write_audit_plots("pinch", found, {"pinch+a=1": "a = 1"}, 0.01, True, tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_write_audit_plots__words(tmp_path):
    text = drawn(tmp_path, [finding("pinch+a=1", CARE, score=(2.0, 0.1)), finding("pinch+b=2", SAME)])
    for part in ("a = 1", "b = 2", "Start player's advantage (pp)", "Length of the game (%)", "noticeable", "undecided"):
        assert part in text
    assert "n = 4,000 games of 1,000 decks for each reading." in text
    assert "left out" not in text
    assert "interrupted" not in text
    assert "interrupted" in drawn(tmp_path, [finding("pinch+a=1")], complete=False)


@pytest.mark.parametrize(("care", "told"), [(0, "none of them needs care"), (MOST + 2, "2 of them need care, too")])
def test_write_audit_plots__more_readings_than_a_picture_holds(tmp_path, care, told):
    found = [finding(f"pinch+a={k}", CARE if k < care else SAME) for k in range(MOST + 5)]
    text = drawn(tmp_path, found)
    assert f"a = {MOST - 1} " in text
    assert f"a = {MOST} " not in text
    assert f"5 more readings are left out ({told})." in text


def test_write_audit_plots__as_many_as_it_holds(tmp_path):
    assert "left out" not in drawn(tmp_path, [finding(f"pinch+a={k}") for k in range(MOST)])


def test_write_audit_plots__pairs_on_two_lines(tmp_path):
    text = drawn(tmp_path, [finding("pinch+a=1"), finding("pinch+a=1+b=2", CARE)])
    assert " a = 1, b = 2 " in text
    assert "players would notice a = 1 with b = 2" in text


@pytest.mark.parametrize("label", ["a = 1", "pinch_order = counter_clockwise", "last_group_pinches = true, compare = naturals"])
def test_write_audit_plots__labels_have_room(label):
    """Bold, the widest, they begin inside the figure."""
    figure = audit_plot._figure([finding("x", CARE)], {"x": label}, 0.01, "Title", "Notes")
    figure.canvas.draw()
    (text,) = [text for text in figure.axes[0].get_yticklabels() if text.get_text()]
    assert text.get_text() == label.replace(", ", ",\n")
    assert text.get_window_extent().x0 >= 0


def test_write_audit_plots__without_interval(tmp_path):
    """A single deck, and a measure that the game does not have."""
    row = effect("start", 3.0, math.inf)
    one = finding("pinch+a=1", OPEN, start=row)
    del one.largest["score"]
    assert "1 of 1 readings are undecided" in drawn(tmp_path, [one])


def test_write_audit_plots__strange_names_are_only_text(tmp_path):
    text = drawn(tmp_path, [finding("v", line_up="$x$\x1b")], {"v": "<b>$a = \x00$"})
    assert "<b>$a = ?$" in text
    assert "everyone plays $x$?" in text


@pytest.mark.parametrize(
    ("kinds", "claim"),
    [
        ([CARE], "players would notice a0 = 1"),
        ([CARE] * 4 + [SAME], "players would notice a0 = 1, a1 = 1, a2 = 1 and a3 = 1"),
        ([CARE] * 6, "players would notice a0 = 1, a1 = 1, a2 = 1 and 3 more"),
        ([CARE, OPEN, SAME], "players would notice a0 = 1; 1 of 3 readings are undecided"),
        ([OPEN, OPEN, SAME], "no other reading of the rules is shown to be noticed; 2 of 3 readings are undecided"),
        ([SAME, SAME], "players would not notice any other reading of the rules"),
    ],
)
def test_title__claims(kinds, claim):
    found = [finding(f"pinch+a{k}=1", kind) for k, kind in enumerate(kinds)]
    assert title(found) == f"pinch, 4 players, everyone plays greedy: {claim}"
