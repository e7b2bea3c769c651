"""Every measure explains itself: found in the docstrings, complete, and under each name that tables use."""

import re
from pathlib import Path

import numpy as np
import pytest

from pinchsim import games
from pinchsim.games import session
from pinchsim.lab.rows import described
from pinchsim.measure.drama import drama
from pinchsim.measure.ending import ending
from pinchsim.measure.explained import SECTIONS, called, measures, split
from pinchsim.measure.interaction import RATIOS, interaction
from pinchsim.measure.length import length
from pinchsim.measure.price import fair_price
from pinchsim.measure.quantities import quantities
from pinchsim.measure.runaway import runaway
from tests.measure.made import made

KNOWN = measures()
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("measure", KNOWN, ids=lambda measure: measure.name)
def test_measures__every_section_says_something(measure):
    assert measure.line.endswith(".")
    assert [title for title in SECTIONS if not measure.sections[title].strip()] == []
    assert max(map(len, measure.sections["Formula"].splitlines())) <= 78, "formulas are not broken"


def test_measures__names_are_theirs_alone():
    names = [measure.name for measure in KNOWN]
    assert len(set(names)) == len(names)


def test_measures__numbers_are_those_of_the_documents():
    known = set(re.findall(r"M\d+\.\d+", "".join(path.read_text() for path in DOCS.glob("*.md"))))
    assert {measure.number for measure in KNOWN} <= known


def test_measures__all_that_can_be_had_from_rows_are_there():
    numbers = {measure.number for measure in KNOWN}
    assert {f"M3.{k}" for k in range(1, 9)} <= numbers
    names = {measure.name for measure in KNOWN}
    assert {"verdict", "ladder", "ratings", "alpha_rank", "exploit_edge", "reading_effects"} <= names


def rows():
    """A game with every column that some measure wants."""
    columns = {name for x in RATIOS for name in (*x.parts, *x.wholes)} - {"turns"}
    numbers = dict.fromkeys([*columns, "passes"], [[1, 1]] * 2)
    leaders = dict.fromkeys(["leaders_25", "leaders_50", "leaders_75"], np.array([1, 3], np.int8))
    return made(
        turns=[4, 4], end_reason=[1, 1], ended_by=[0, 1], lead_changes=[1, 2], lead_for_good=[1, 2], comeback=[0.0, 4.0],
        score=[[2, 1], [1, 2]], hand=[[0, 0], [0, 0]], win_share=[[1, 0], [0, 1]], **numbers, **leaders,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("length", lambda: length(rows(), bands={"minutes": (1, 2)})),
        ("ending", lambda: ending(rows(), {1: "hand_empty"})),
        ("interaction", lambda: interaction(rows())),
        ("drama", lambda: drama(rows())),
        ("runaway", lambda: runaway(rows())),
        ("fair_price", lambda: fair_price(rows(), False)),
    ],
)
def test_called__by_every_name_in_its_table(name, table):
    found = set(table()["measure"])
    assert [row for row in found if name not in [measure.name for measure in called(row, KNOWN)]] == []


def test_called__by_every_name_in_a_summary():
    for game in (games.load("pinch"), session.of(games.load("pinch"), "match")):
        for quantity in quantities(["greedy", "uniform", "uniform"], described(game)):
            assert called(quantity.measure, KNOWN), quantity.measure


def test_called__exactly_before_roughly():
    assert [m.name for m in called("win_share:whole", KNOWN)] == ["fair_price"]
    assert [m.name for m in called("win_share:greedy", KNOWN)] == ["win_share"]
    assert [m.name for m in called("Alpha-Rank", KNOWN)] == ["alpha_rank"]
    assert {m.number for m in called("m5.4", KNOWN)} == {"M5.4"}
    assert called("lenght", KNOWN) == []


def test_measures__are_found_in_any_file(tmp_path):
    text = 'class Luck:\n    """Luck.\n\n    Measure\n    -------\n    luck (M4.1):\n    cards, dice\n\n    How lucky\n    one is.\n\n    Traps\n    -----\n    Many.\n    """\n'
    (tmp_path / "one.py").write_text(text)
    (tmp_path / "other.py").write_text('def none():\n    """No measure."""\n')
    (found,) = measures(tmp_path)
    assert (found.name, found.number, found.rows, found.line) == ("luck", "M4.1", ("cards", "dice"), "How lucky one is.")
    assert found.where == "one.Luck"
    assert found.sections["Traps"] == "Many."


def test_measures__a_title_that_is_none(tmp_path):
    (tmp_path / "one.py").write_text('def luck():\n    """Luck.\n\n    Measure\n    -------\n    luck, M4.1\n    """\n')
    with pytest.raises(ValueError, match=r"one\.luck: a measure is titled .* not 'luck, M4\.1'"):
        measures(tmp_path)


def test_split__sections_of_a_docstring():
    assert split("One line.") == {}
    assert split("Line.\n\nTraps\n-----\na\n\nb\n\nSource\n------\nc") == {"Traps": "a\n\nb", "Source": "c"}
