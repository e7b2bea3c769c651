"""Two runs side by side: every number in full in 80 columns, whatever the names and however large the numbers."""

import io
import re

import polars as pl
import pytest
from rich.console import Console

from pinchsim.measure.compare import SCHEMA
from pinchsim.report.compare_table import print_comparison


def row(measure, estimate, half, unit="share", position=-1, low=None, **changes):
    """A row whose runs and whose difference have the same numbers."""
    span = {"estimate": estimate, "low": estimate - half if low is None else low, "high": estimate + half}
    cells = {"players": 5, "variant_a": "pinch", "line_up_a": "greedy", "variant_b": "classic", "line_up_b": "greedy"}
    named = {"measure": measure, "position": position, "unit": unit}
    runs = {f"{name}_{run}": value for run in "ab" for name, value in span.items()}
    return cells | named | runs | span | {"decks_a": 1000, "decks_b": 1000, "variance_reduction": 1.23} | changes


def printed(*rows, width=80):
    console = Console(file=io.StringIO(), width=width)
    print_comparison(pl.DataFrame(rows, SCHEMA), ("a", "b"), (1, 1), True, False, console)
    text = console.file.getvalue()
    assert "…" not in text
    assert all(len(line.rstrip()) <= min(width, 80) for line in text.splitlines())
    return text


def cells(text):
    """The cells of each line below the headings of the table."""
    table = text.split("─\n")[1].split("The difference")[0].splitlines()
    return [re.split(r" {2,}", line.strip()) for line in table]


SCORES = [row("score", 15.253, 0.294, "points", k) for k in range(5)]
USUAL = row("start_player_advantage", 0.0253, 0.0042)


@pytest.mark.parametrize("width", [80, 200])
def test_print_comparison__usual_numbers_stay_in_one_line(width):
    number = "+2.53 ± 0.42 pp"
    assert cells(printed(USUAL, *SCORES, width=width)) == [
        ["start_player_advantage", number, number, number, "1.23"],
        *(
            [f"score[{k}]", "15.25 ± 0.29", "15.25 ± 0.29", "+15.25 ± 0.29", "1.23"]
            for k in range(5)
        ),
    ]  # fmt: skip


def test_print_comparison__names_fold_behind_their_signs():
    wide = row("start_player_advantage", 0.1253, 0.0042), row("win_share:search:200", 0.1234, 0.0123)
    number = "+12.53 ± 0.42 pp"
    assert cells(printed(*wide)) == [
        ["start_player_", number, number, number, "1.23"],
        ["advantage"],
        ["win_share:", "12.3 ± 1.2 %", "12.3 ± 1.2 %", "+12.3 ± 1.2 pp", "1.23"],
        ["search:200"],
    ]


def test_print_comparison__intervals_stand_below_where_there_is_no_room():
    found = cells(
        printed(row("score", 12345.678, 12.3, "points"), row("start_score_advantage", -123456789.8, 0.04, "points"), USUAL)
    )
    assert found[:2] == [["score", "12346", "12346", "+12346", "1.23"], ["± 12", "± 12", "± 12"]]
    assert found[2:4] == [
        ["start_score_advantage", "-123456789.80", "-123456789.80", "-123456789.80", "1.23"],
        ["± 0.04", "± 0.04", "± 0.04"],
    ]


def test_print_comparison__lopsided_intervals():
    found = cells(printed(row("end:cards_exhausted", 0.002, 0.038, low=-0.001), USUAL))
    assert found[:2] == [
        ["end:cards_exhausted", "0.2 %", "0.2 %", "+0.2 pp", "1.23"],
        ["(-0.1 to 4.0)", "(-0.1 to 4.0)", "(-0.1 to +4.0)"],
    ]


def test_print_comparison__lopsided_intervals_of_large_numbers():
    found = cells(printed(row("score", 123456.2, 0.04, "points", low=-98765.4), USUAL))
    assert found[:3] == [
        ["score", "123456", "123456", "+123456", "1.23"],
        ["(-98765 to", "(-98765 to", "(-98765 to"],
        ["123456)", "123456)", "+123456)"],
    ]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_print_comparison__whatever_the_numbers(width):
    names = ["win_share:my-own-strategy-that-thinks-long-and-well", "anotherwithouthyphensbutmanylettersandnumbers"]
    rows = [row(name, 1.23456789e15, 1.5e9, "points", 4, low=-9.87e14) for name in names]
    text = printed(*rows, row("shared_wins", float("nan"), float("nan")), width=width)
    assert "data" in text
