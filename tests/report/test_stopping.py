"""Why a run stopped, in sentences: what was wished for, each reason once, and every case that fell short."""

import polars as pl
import pytest

from pinchsim.measure.precision import ALL_PLAYED, SCHEMA, reason_of
from pinchsim.measure.sequential import BUDGET, INTERRUPTED, PRECISION, VERDICT
from pinchsim.measure.summary import CellName
from pinchsim.report.stopping import stop_words, worth_words
from tests.report.test_table import Summary, flat, printed, rows


def target(variant, base=None, half=0.001, wished=0.001, reason=PRECISION, verdict=None, games=400, **changes):
    """A row of `Summary.precision`."""
    return dict.fromkeys(SCHEMA) | {
        "variant": variant, "base": base, "players": 4, "line_up": "greedy", "measure": "start_player_advantage",
        "position": -1, "unit": "share", "half_width": half, "wished": wished, "verdict": verdict, "games": games,
        "decks": games // 4, "reached": reason in (PRECISION, VERDICT), "reason": reason,
    } | changes  # fmt: skip


def frame(*targets):
    return pl.DataFrame(list(targets), SCHEMA)


def test_stop_words__all_reached():
    words = stop_words(frame(target("pinch"), target("aces-bite", "pinch", games=800)))
    assert words == [
        "Wished for: start player advantage to ±0.1 pp.",
        "Precision reached after 400 to 800 games.",
    ]


def test_stop_words__what_fell_short_is_named():
    short = target("aces-bite", "pinch", half=0.00217, reason=BUDGET)
    words = stop_words(frame(target("pinch"), short), "sessions")
    assert words[1:] == [
        "Precision reached in 1 of 2 cases after 400 sessions.",
        "Budget spent in 1 of 2 cases after 400 sessions; not reached: aces-bite against pinch, 4 players, greedy (±0.217 pp).",
    ]


def test_stop_words__of_many_only_some_are_named():
    words = stop_words(frame(*(target(f"v{k}", reason=BUDGET) for k in range(9))))
    assert "v3, 4 players, greedy (±0.1 pp) and 5 more." in words[1]
    assert "v4" not in words[1]


def test_stop_words__verdicts():
    sure = target("pinch", wished=None, reason=VERDICT, verdict="outside margin")
    open_one = target("classic", wished=None, reason=BUDGET, verdict="undecided")
    words = stop_words(frame(sure, open_one))
    assert words[0] == "Wished for: a clear verdict on every start player advantage, all of them together with 95 %."
    assert "not reached: classic, 4 players, greedy (undecided)." in words[2]


def test_stop_words__other_units_and_no_interval():
    words = stop_words(frame(target("pinch", half=None, wished=0.05, reason=INTERRUPTED, measure="turns", unit="turns")))
    assert words == [
        "Wished for: turns to ±0.05 turns.",
        "Interrupted after 400 games; not reached: pinch, 4 players, greedy (no interval yet).",
    ]
    assert stop_words(frame()) == ["Interrupted before the first look."]


def test_reason_of__each_cell():
    empty = pl.DataFrame()
    cell = CellName("pinch", 4, "greedy")
    both = frame(target("pinch", reason=BUDGET), target("pinch", "x", reason=PRECISION))
    assert reason_of(cell, Summary(empty, empty, empty, precision=both)) == BUDGET
    assert reason_of(cell, Summary(empty, empty, empty)) == ALL_PLAYED
    assert reason_of(cell, Summary(empty, empty, empty, complete=False)) == INTERRUPTED


@pytest.mark.parametrize(("factor", "words"), [(1.2345, "1.23"), (float("nan"), ""), (None, "")])
def test_worth_words__a_number_or_nothing(factor, words):
    assert worth_words({"variance_reduction": factor}) == words
    assert worth_words(None) == ""


def test_print_summary__says_why_it_stopped():
    text = printed(rows("plain"), precision=frame(target("plain")))
    assert "Wished for: start player advantage to ±0.1 pp." in flat(text)
    assert "looked at after every wave of games" in flat(text)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "Wished for" not in printed(rows("plain"))
