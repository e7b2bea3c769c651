"""A tuning for the terminal: it fits, and its sentences claim no more than the intervals."""

import io

import polars as pl
import pytest
from rich.console import Console

from pinchsim.measure.tuning import MATCHES, frame
from pinchsim.report.tuning_table import MOST_ROWS, finding, print_tuning, shown
from tests.measure.test_tuning import confirmed, tuning

ROWS = (confirmed(0.7, 0.01), confirmed(0.26, 0.02, "stage") | {"iteration": 5}, confirmed(0.8, 0.01, "partner"))


def printed(found):
    file = io.StringIO()
    print_tuning(found, Console(file=file, width=80))
    text = file.getvalue().replace("\N{NO-BREAK SPACE}", " ")
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    return text


def test_print_tuning__words():
    text = printed(tuning(*ROWS))
    assert "pinch, 4 players: mine\nlarge form, begun with dozen: 4 iterations, 1,600 games to learn from\n" in text
    assert "        1        30.0 ± 3.0 %     0.05       9,000      12.0 %        1\n" in text
    assert "On fresh decks: the last weights, one against three of each\n" in text
    assert "the start (dozen)          70.0 ± 1.0 %   above" in text
    assert "itself after iteration 5   26.0 ± 2.0 %   within the interval" in text
    assert "partner                    80.0 ± 1.0 %   above" in text
    flat = " ".join(text.split())
    assert (
        "Stronger than the start: it wins 70.0 ± 1.0 % of games against three of the start, where 25 % would be fair." in flat
    )
    assert "Confirmation: 400 games of 100 decks each." in flat
    assert "found no room" not in flat
    assert "A game of this design is worth 0.80 independent games for a share of the win." in flat


def test_print_tuning__small_form_and_own_start():
    text = printed(tuning(*ROWS, form="small", start="mine", chosen="average"))
    assert "small form, begun with itself" in text
    assert "spread" in text and "explained" not in text
    assert "the average of the last weights, one against" in text


def test_print_tuning__nothing_better():
    text = printed(tuning(chosen="start"))
    assert "Nothing better than the start was found: dozen held its own on the validation decks." in " ".join(text.split())
    assert "On fresh decks" not in text


def test_print_tuning__worth_of_candidates_counts_too():
    rows = [confirmed(0.3, 0.01, worth=worth) for worth in (0.6, float("nan"), 1.234)]
    text = printed(tuning(*rows[:2], candidates=frame(rows[2:], MATCHES)))
    assert "is worth 0.60 to 1.23 independent games for a share of the win." in " ".join(text.split())
    assert "is worth" not in printed(tuning(rows[1]))


def test_print_tuning__missed_decisions_are_told():
    found = tuning(*ROWS)
    found = tuning(*ROWS, history=found.history.with_columns(missed=pl.lit(3)))
    assert "12 decisions of very long games found no room" in " ".join(printed(found).split())


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (confirmed(0.3, 0.06), "Not shown to be stronger than the start: it wins 30.0 ± 6.0 %"),
        (confirmed(0.1, 0.03), "Weaker than the start: it wins 10.0 ± 3.0 %"),
    ],
)
def test_finding(row, words):
    assert finding(tuning(row)).replace("\N{NO-BREAK SPACE}", " ").startswith(words)


def test_shown__first_and_last():
    rows = [{"iteration": k} for k in range(100)]
    picked = [row["iteration"] for row in shown(rows)]
    assert len(picked) == MOST_ROWS
    assert (picked[0], picked[-1]) == (0, 99)
    assert shown(rows[:5]) == rows[:5]
