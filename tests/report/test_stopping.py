"""Why a run stopped, in sentences: what was wished for, each reason once, and every case that fell short."""

import polars as pl
import pytest

from pinchsim.measure.precision import ALL_PLAYED, SCHEMA, reason_of
from pinchsim.measure.sequential import BUDGET, INTERRUPTED, PRECISION, VERDICT
from pinchsim.measure.summary import CellName
from pinchsim.report.stopping import stop_words, together_words, worth_of_each, worth_sentence, worth_words
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
    assert "v3, 4 players, greedy (±0.1 pp); 5 more." in words[1]
    assert "v4" not in words[1]


def test_stop_words__verdicts():
    sure = target("pinch", wished=None, reason=VERDICT, verdict="outside margin")
    open_one = target("classic", wished=None, reason=BUDGET, verdict="undecided")
    words = stop_words(frame(sure, open_one))
    assert words[0] == "Wished for: a clear verdict on every start player advantage, all of them together with 95 %."
    assert "not reached: classic, 4 players, greedy (not clear together with the others)." in words[2]
    assert "not reached: classic, 4 players, greedy (undecided)." in stop_words(frame(open_one))[1]


def test_stop_words__positions_are_named_and_cases_parted():
    short = [target("pinch", half=0.22, wished=0.05, reason=BUDGET, measure="score", position=k, unit="points") for k in (0, 1)]
    short.append(short[1] | {"variant": "aces-bite", "base": "pinch"})
    assert stop_words(frame(*short))[1] == (
        "Budget spent after 400 games; not reached: position 1 of pinch, 4 players, greedy (±0.22 points); position 2 of pinch, 4 "
        "players, greedy (±0.22 points); position 2 of aces-bite against pinch, 4 players, greedy (±0.22 points)."
    )


def test_stop_words__other_units_and_no_interval():
    words = stop_words(frame(target("pinch", half=None, wished=0.05, reason=INTERRUPTED, measure="turns", unit="turns")))
    assert words == [
        "Wished for: turns to ±0.05 turns.",
        "Interrupted after 400 games; not reached: pinch, 4 players, greedy (no interval yet).",
    ]
    assert stop_words(frame()) == ["Interrupted before the first look."]


def verdicts(*advantages, half=0.001):
    empty = pl.DataFrame()
    return Summary(pl.DataFrame([row for k, x in enumerate(advantages) for row in rows(f"v{k}", x, half)]), empty, empty)


def test_together_words__all_of_them():
    words = together_words(verdicts(0.02, 0.0, 0.01))
    assert words == "Both verdicts hold together (Holm): in 95 of 100 such runs none is wrong.", "an undecided one is none"
    assert together_words(verdicts(0.02, 0.01)) == "" == together_words(verdicts(0.01))


def test_together_words__those_that_hold_only_alone_are_named():
    words = together_words(verdicts(0.02, 0.0, *[0.01101] * 6))
    assert words == (
        "2 of 8 verdicts hold together (Holm); only taken alone: v2, 4 players, greedy; v3, 4 players, greedy; v4, 4 players, "
        "greedy; v5, 4 players, greedy; 2 more."
    )
    assert together_words(verdicts(0.02, 0.0, 0.0)).startswith("All 3 verdicts")


def test_print_summary__says_which_verdicts_hold_together():
    text = printed(rows("plain") + rows("aces-bite", 0.02))
    assert "- Both verdicts hold together (Holm)" in flat(text)
    assert "Holm" not in printed(rows("plain"))


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


def test_worth_of_each__kinds_that_are_known():
    some = [1.5, None, 0.814, float("nan")]
    assert (
        worth_sentence(some, "it", "sessions") == "A session of this design is worth 0.81 to 1.50 independent sessions for it."
    )
    told = worth_of_each({"a": some, "b": [None], "c": (x for x in [2.0, 2.001])})
    assert told == "A game of this design is worth 0.81 to 1.50 independent games for a and 2.00 for c."
    assert worth_sentence([None], "it") == worth_of_each({}) == ""


def test_print_summary__says_why_it_stopped():
    text = printed(rows("plain"), precision=frame(target("plain")))
    assert "Wished for: start player advantage to ±0.1 pp." in flat(text)
    assert "looked at after every wave of games." in flat(text)
    text = printed(rows("plain"), precision=frame(target("plain", wished=None, reason=VERDICT, verdict="within margin")))
    assert "every wave of games; those of cells that a verdict has stopped are wider for it." in flat(text)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "Wished for" not in printed(rows("plain"))
