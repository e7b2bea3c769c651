"""Figures of a tournament: what their titles claim, every number in its place, and strange data is drawn."""

from xml.etree import ElementTree

import pytest

from pinchsim.measure.tournament_analysis import analyse
from pinchsim.report.tournament_plots import write_tournament_plots
from pinchsim.report.tournament_table import cell_number
from tests.measure.test_tournament import luce, played, ring

NAMES = ["payoff_matrix.png", "payoff_matrix.svg", "ratings.png", "ratings.svg"]


def drawn(folder, analysis, complete=True):
    """All words of the two SVGs."""
    paths = write_tournament_plots(analysis, complete, folder)
    assert [path.name for path in paths] == NAMES
    assert all(path.stat().st_size > 1000 for path in paths)
    return [words(path) for path in paths[1::2]]


def words(path):
    return " ".join("".join(part.itertext()).strip() for part in ElementTree.parse(path).iter() if part.tag.endswith("text"))


def test_write_tournament_plots__words(tmp_path):
    found = analyse(played(luce(1, 2, 4), decks=2000))
    matrix, ratings = drawn(tmp_path / "new" / "plots", found)
    assert "pinch, 3 players: c is the best reply to everything here" in " ".join(matrix.split())
    assert "7 tables (all mixtures), 8,000 games of the same 2,000 decks each" in matrix
    for row in found.matrix:
        for cell in row:
            assert cell_number(cell.estimate) in matrix
    assert "against two of →" in matrix and "one of ↓" in matrix
    assert "pinch, 3 players: c is rated 1" in ratings
    assert "Rating (Elo points)" in ratings
    for k in range(3):
        number = f"{found.ratings.elo[k]:+.0f} ± {found.rating_halves[k]:.0f}".replace("-", "\N{MINUS SIGN}")
        assert number in ratings
    assert "interrupted" not in matrix + ratings


def test_write_tournament_plots__interrupted(tmp_path):
    for text in drawn(tmp_path, analyse(played(luce(1, 2, 4), decks=50)), complete=False):
        assert "The run was interrupted" in text


def test_write_tournament_plots__same_data_same_bytes(tmp_path):
    for name in "ab":
        drawn(tmp_path / name, analyse(played(ring, decks=100)))
    for name in NAMES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_write_tournament_plots__claims_no_more_than_the_table(tmp_path):
    matrix, ratings = drawn(tmp_path, analyse(played(luce(1, 1.05, 1.1), decks=10)))
    assert "no strategy is shown to be the best" in matrix
    assert "cannot be told apart" in ratings


@pytest.mark.parametrize(
    "analysis",
    [
        lambda: analyse(played(luce(1, 2), ("a", "b"), 2, decks=1)),
        lambda: analyse(
            played(luce(*range(1, 15)), [f"champion:temperature=0.{k}" for k in range(14)], 5, decks=20, pairs=True)
        ),
        lambda: analyse(played(luce(1e-9, 1, 2), decks=100)),
        lambda: analyse(played(luce(1, 2, 3), ("$x$", "<b>&", "\N{SNOWMAN}\x07"), decks=20)),
    ],
)
def test_write_tournament_plots__strange_data(tmp_path, analysis):
    drawn(tmp_path, analysis())
