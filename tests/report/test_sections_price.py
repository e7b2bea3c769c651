"""The section on the fair price: what was found, what fresh games say of it, and what is not known yet."""

import re
from dataclasses import replace

import polars as pl
import pytest

import pinchsim
from pinchsim.lab.price import SCHEMA
from pinchsim.material import material_of
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from pinchsim.report.beside import Priced
from pinchsim.report.evidence import Evidence
from pinchsim.report.evidence import measure as measured
from pinchsim.report.sections.price import SECTION, _cards, measure
from tests.report.report_run import Page, swept


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("run"), variants=["aces-bite"], players=[3, 4], games=300)


def price(variant, players, bonus=None, verdict=None, **more):
    """A row as `pinchsim price` keeps it."""
    found = {
        "variant": variant, "players": players, "line_up": "greedy", "bonus": bonus, "verdict": verdict, "margin": 0.01,
        "before": 0.07, "before_low": 0.06, "before_high": 0.08, "after": 0.001, "after_low": -0.003, "after_high": 0.005,
        "off": -0.004, "off_low": -0.009, "off_high": 0.001, "position": 2, "games": 4000, "decks": 1000, "games_before": 300,
        "variance_reduction": [1.3, 0.9, 1.0, 1.1, 1.2][:players],
    }  # fmt: skip
    return found | more


@pytest.fixture(scope="module")
def evidence(run):
    material = material_of(run, run.folder)
    return Evidence(material, measured(material, [measure]))


def shown(evidence, *rows):
    """What the section shows with these rows beside the run."""
    prices = (Priced("../p/", pl.DataFrame(list(rows), SCHEMA)),) if rows else ()
    material = replace(evidence.material, beside=evidence.material.beside._replace(prices=prices))
    return SECTION.show(Evidence(material, evidence.measured))


def lines(table):
    """The lines of a table by their names."""
    return {name: cells for name, *cells in table.rows}


CELLS = [(variant, players) for players in (3, 4) for variant in ("pinch", "aces-bite")]


def test_price__while_nothing_is_confirmed_the_command_is_named(evidence):
    found = shown(evidence)
    assert re.fullmatch(r"With [\d.-]+ to [\d.-]+ points for later players, everybody would win equally often", found.title)
    command = "pinchsim price . --out price && pinchsim report . price"
    assert found.said[1] == f"Not confirmed: 4 of 4 cases. Fresh games would tell: {command}"
    assert found.more == () and found.files == ()


@pytest.mark.parametrize(
    ("verdict", "claim"),
    [
        (WITHIN, "everybody wins within 1 pp of a fair share"),
        (OUTSIDE, "somebody still wins more than 1 pp too often or too seldom"),
        (UNDECIDED, "undecided whether everybody wins within 1 pp of a fair share"),
    ],
)
def test_price__the_title_says_whether_whole_points_make_it_fair(evidence, verdict, claim):
    rows = [price(*cell, [0.0, 1.0, 2.0, 3.0][: cell[1]], verdict, games_to_decide=90_000) for cell in CELLS]
    found = shown(evidence, *rows)
    assert found.title == f"Whole points for later players, on fresh decks: {claim} in all 4 cases"
    assert len(found.said) == 1, "nothing is left to be confirmed"
    words = f"{verdict} (about 90,000 games would decide)" if verdict == UNDECIDED else verdict
    (table,) = found.more
    assert [cells[4] for cells in lines(table).values()] == [words] * 4
    assert found.files == ("../p/price.parquet",)


def test_price__a_case_has_the_advantage_before_and_after_with_its_bonus(evidence):
    found = shown(evidence, price("aces-bite", 4, [0.0, 2.0, -1.0, 3.0], WITHIN))
    assert lines(found.more[0]) == {
        "aces-bite, 4 players": [
            "0 / +2 / -1 / +3", "+7.0 ± 1.0", "+0.10 ± 0.40", "-0.40 ± 0.50 (position 3)", "within margin",
            "4,000 games of 1,000 fresh decks",
        ]
    }  # fmt: skip
    assert found.how.endswith(
        "0.90 to 1.30 independent games for a position's win share and 1.30 for the start player's advantage."
    )
    assert "on fresh decks (1 of 4 cases): everybody wins within 1 pp of a fair share" in found.title
    waiting = "pinch, 3 players, aces-bite, 3 players and pinch, 4 players"
    assert f"Not confirmed: {waiting}. Fresh games would tell: " in found.said[1]


def test_price__where_none_was_found_it_is_not_called_confirmed(evidence):
    found = shown(evidence, *(price(*cell) for cell in CELLS))
    assert found.more == () and "Not confirmed: 4 of 4 cases" in found.said[1]


def test_price__in_cards_by_what_one_in_the_display_scores(evidence):
    table = lines(shown(evidence).table)
    for case in evidence.cases:
        whole = [evidence.row(case, "fair_price:whole", place)["estimate"] for place in range(case.players)]
        cards = table[evidence.name(case)][2]
        assert [float(x) for x in cards.split(" / ")] == [x - min(whole) for x in whole], "a card for each point"


@pytest.mark.parametrize(
    ("bonus", "worth", "wanted"),
    [
        ([0, 1, 2], 1, "0 / 1 / 2"),
        ([0, 2, -1], 1, "1 / 3 / 0"),
        ([0, 1, 4], 2, "0 / 0.5 / 2"),
        ([0, 1, 2], 0, "-"),
        ([0, 1, 2], -1, "-"),
    ],
)
def test_cards__nobody_lays_aside_fewer_than_none(bonus, worth, wanted):
    assert _cards(bonus, worth) == wanted


def test_price__a_folder_is_joined_as_it_was_written(run, tmp_path):
    found = pinchsim.price(run, games=60, jobs=1, out=tmp_path / "price")
    page = pinchsim.write_report(run, found, out=tmp_path / "report").read_text()
    part = re.search(r'<section id="price">.*?</section>', page, re.DOTALL)[0]
    assert 'href="../price/price.parquet"' in part
    assert Page(part).text.count("fresh decks") >= 4
