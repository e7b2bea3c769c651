"""The confirmed price on the terminal: nothing is cut off, and what is open is said."""

import io

import polars as pl
import pytest
from rich.console import Console

from pinchsim.lab.price import SCHEMA
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED
from pinchsim.report.price_table import print_prices, verdict_words
from tests.report.test_sections_price import price


def printed(*rows):
    out = io.StringIO()
    print_prices(pl.DataFrame(list(rows), SCHEMA), Console(file=out, width=80))
    return out.getvalue()


@pytest.mark.parametrize("bonus", [[0, 1, 2, 3, 3], [0, -10, 12, 13, 14.5], [0, 1000, 1000, -1000, 1000]])
def test_print_prices__cuts_nothing_off(bonus):
    lopsided = {"before": -0.123, "before_low": -0.2, "before_high": -0.03}
    text = printed(price("aces-bite+market_size=8", 5, [*map(float, bonus)], OUTSIDE, **lopsided))
    assert all(len(line) <= 80 for line in text.splitlines()) and "…" not in text
    assert "(-20.0 to -3.0)" in text and "(position 3)" in text


def test_print_prices__a_usual_bonus_stays_in_one_line():
    assert " 0/+1/+2/+3/+3 " in printed(price("aces-bite+classic", 5, [0.0, 1.0, 2.0, 3.0, 3.0], OUTSIDE))


def test_print_prices__what_is_open_is_said():
    text = " ".join(
        printed(
            price("pinch", 3), price("classic", 3, [0.0, 1.0, 2.0], UNDECIDED, games_to_decide=5000),
            price("linko", 4, [0.0, 1.0, 2.0, 3.0], UNDECIDED),
        ).split()
    )  # fmt: skip
    assert "No price was found for pinch: " in text
    assert "Still open: classic undecided (about 5,000 games would decide)." in text
    assert "Still open: linko undecided (more games would decide)." in text
    assert text.index("3 players: everyone plays greedy") < text.index("4 players: everyone plays greedy")


def test_print_prices__what_a_game_was_worth():
    """For all positions, and for the start player's, which is the first one."""
    other = price("classic", 3, [0.0, 1.0, 2.0], OUTSIDE, variance_reduction=[1.35, float("nan"), 0.8])
    text = " ".join(printed(price("linko", 3), price("pinch", 3, [0.0, 1.0, 2.0], OUTSIDE), other).split())
    assert text.endswith(
        "A game of this design is worth 0.80 to 1.35 independent games for a position's win share and 1.30 to 1.35 for the "
        "start player's advantage."
    )
    assert "is worth" not in printed(price("pinch", 3, variance_reduction=None))


def test_verdict_words__as_they_are_unless_it_is_open():
    assert verdict_words(price("pinch", 3, [0.0, 1.0, 2.0], OUTSIDE, games_to_decide=None)) == OUTSIDE
