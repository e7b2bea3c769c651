"""The first screen on made-up numbers: which word each verdict has, and that levels which disagree are named."""

import polars as pl
import pytest

from pinchsim.measure.judged import Limits
from pinchsim.measure.sample import SCHEMA
from pinchsim.measure.summary import Summary
from pinchsim.report.answers import groups
from pinchsim.report.evidence import Evidence, Material

SMALL = 0.004


def row(measure, estimate, half=SMALL, line_up="greedy", games=10_000):
    return {
        "variant": "pinch", "players": 4, "line_up": line_up, "measure": measure, "position": -1, "unit": "share",
        "estimate": estimate, "low": estimate - half, "high": estimate + half, "standard_error": half / 2,
        "games": games, "decks": games // 4,
    }  # fmt: skip


def table(rows):
    return pl.DataFrame(rows, SCHEMA, orient="row")


def evidence(starts, measured=(), ladder=None, minutes=None):
    """A run whose start-player advantages by line-up are given."""
    estimates = table([row("start_player_advantage", *span, line_up=line_up) for line_up, span in starts.items()])
    changes = estimates.clear().with_columns(base=pl.lit(""))
    material = Material(Summary(estimates, changes, pl.DataFrame(), 0.01, None, True), ladder, None, None, minutes=minutes)
    return Evidence(material, table(list(measured)))


def told(found, section):
    ((_, answers),) = groups(found)
    return next(answer for answer in answers if answer.section == section)


@pytest.mark.parametrize(
    ("span", "word", "words"),
    [
        ((0.001, SMALL), "Yes", "as often as is fair"),
        ((0.05, SMALL), "No", "too often: fair would be 25 %"),
        ((-0.05, SMALL), "No", "too rarely"),
        ((0.008, SMALL), "Undecided", "About 40,000 games would decide."),
        ((0.01, SMALL), "Undecided", "Even far more games may not decide."),
    ],
)
def test_groups__fair_start(span, word, words):
    found = told(evidence({"greedy": span}), "start")
    assert found.word == word
    assert words in found.sentence
    assert "percentage points; 1 is allowed; 10,000 games" in found.numbers


@pytest.mark.parametrize(
    ("share", "word", "words"),
    [
        (0.5, "Yes", "does not settle"),
        (0.8, "No", "Settled early"),
        (0.27, "No", "Like a lottery"),
        (0.75, "Undecided", "do not tell yet"),
    ],
)
def test_groups__open_but_no_lottery(share, word, words):
    found = told(evidence({"greedy": (0.0, SMALL)}, [row("alone_wins:50", share)]), "runaway")
    assert found.word == word
    assert words in found.sentence
    assert "32.5 to 75 % counts as open; 10,000 games with one leader half-way" in found.numbers


@pytest.mark.parametrize(("outside", "word"), [(0.05, "Yes"), (0.2, "No"), (0.1, "Undecided")])
def test_groups__right_length(outside, word):
    found = told(evidence({"greedy": (0.0, SMALL)}, [row("outside:minutes", outside)], minutes=Limits(15, 30)), "length")
    assert found.word == word
    assert "wished: 15 to 30 minutes, but for 10 %" in found.numbers


def test_groups__what_was_not_measured_is_not_judged():
    found = evidence({"greedy": (0.0, SMALL)})
    assert {told(found, name).word for name in ("length", "runaway")} == {"Not judged"}
    assert {told(found, name).look for name in ("length", "runaway")} == {"open"}


def ladder_of(*levels):
    names = {"level": [name.strip("()") for name in levels], "credible": [not name.startswith("(") for name in levels]}
    return pl.DataFrame(names | {"rank": range(len(levels))})


def test_groups__of_a_ladder_judge_credible_levels_together():
    starts = {"random": (0.0, SMALL), "good": (0.05, SMALL), "best": (0.06, SMALL)}
    found = told(evidence(starts, ladder=ladder_of("(random)", "good", "best")), "start")
    assert found.word == "No"
    assert "So it is at every level of play: good and best." in found.sentence
    assert "good +5.00 ± 0.40 percentage points, best +6.00 ± 0.40 percentage points" in found.numbers


def test_groups__of_a_ladder_name_levels_that_disagree():
    starts = {"good": (0.0, SMALL), "best": (0.06, SMALL)}
    found = told(evidence(starts, ladder=ladder_of("good", "best")), "start")
    assert (found.word, found.look) == ("It depends", "open")
    assert "That changes with how well people play. Yes at good; No at best." in found.sentence


def test_groups__a_level_that_was_not_played_leaves_it_open():
    found = told(evidence({"good": (0.0, SMALL)}, ladder=ladder_of("good", "best")), "start")
    assert found.word == "Undecided"
    assert "Yes at good; Undecided at best." in found.sentence


def test_groups__line_ups_without_a_ladder_stand_by_themselves():
    found = groups(evidence({"greedy": (0.0, SMALL), "greedy,uniform": (0.05, SMALL)}))
    assert [group.heading for group, _ in found] == [
        "Pinch, 4 players, everyone plays greedy",
        "Pinch, 4 players, greedy, 3 x uniform",
    ]
    sentences = [next(told.sentence for told in answers if told.section == "start") for _, answers in found]
    assert ["different strength" in sentence for sentence in sentences] == [False, True]
