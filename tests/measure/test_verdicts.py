"""The verdicts of a run: each from its own interval, and those that hold together."""

from types import SimpleNamespace

import polars as pl
import pytest

from pinchsim.measure.moments import quantile
from pinchsim.measure.precision import SCHEMA as PRECISION
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from pinchsim.measure.verdicts import start_verdicts
from tests.measure.made import row_of

MARGIN, ERROR, DECKS = 0.01, 0.001, 1000


def summary(*advantages, precision=None, error=ERROR, decks=DECKS):
    """A run of four players with these advantages of the start player, a variant each, beside another measure."""
    rows = [
        row_of(x, error, decks) | {"variant": f"v{k}", "players": 4, "line_up": "greedy", "measure": measure, "position": -1}
        for k, advantage in enumerate(advantages)
        for measure, x in (("start_player_advantage", advantage), ("turns", 40.0))
    ]
    return SimpleNamespace(estimates=pl.DataFrame(rows), margin=MARGIN, precision=precision)


def test_start_verdicts__each_alone_and_together():
    """Of four, each side may miss by 5 % / 4, as by Holm with as many that may be true; each alone by 2.5 %."""
    errors = quantile(DECKS, 2)  # two-sided 2.5 %, one-sided 5 % / 4
    near, clear = MARGIN + ERROR * (errors - 0.01), MARGIN + ERROR * (errors + 0.01)
    found = start_verdicts(summary(near, clear, 0.0, MARGIN))
    assert found["variant"].to_list() == ["v0", "v1", "v2", "v3"]
    assert found["verdict"].to_list() == [OUTSIDE, OUTSIDE, WITHIN, UNDECIDED]
    assert found["together"].to_list() == [UNDECIDED, OUTSIDE, WITHIN, UNDECIDED]
    assert found["estimate"][1] == clear and found["games"][1] == 4 * DECKS


def test_start_verdicts__one_alone_is_its_own_family():
    found = start_verdicts(summary(MARGIN + 2 * ERROR))
    assert found["verdict"].to_list() == found["together"].to_list() == [OUTSIDE]


def test_start_verdicts__few_decks_have_wilsons_interval():
    """Its arms grow with the square of the quantile, so that more is needed to be sure of all."""
    found = {n: start_verdicts(summary(MARGIN + 2.6 * ERROR, 0.0, 0.0, 0.0, decks=n))["together"].to_list() for n in (20, 100)}
    assert found == {20: [UNDECIDED] + [WITHIN] * 3, 100: [OUTSIDE] + [WITHIN] * 3}


@pytest.mark.parametrize("wished", [None, 0.001])
def test_start_verdicts__are_those_for_which_a_run_stopped(wished):
    rows = [
        dict.fromkeys(PRECISION) | {"variant": f"v{k}", "players": 4, "line_up": "greedy", "verdict": verdict, "wished": wished}
        for k, verdict in ((1, OUTSIDE), (0, UNDECIDED))  # in another order
    ]
    found = start_verdicts(summary(0.02, 0.02, precision=pl.DataFrame(rows, PRECISION)))
    assert found["verdict"].to_list() == [OUTSIDE, OUTSIDE]
    assert found["together"].to_list() == ([UNDECIDED, OUTSIDE] if wished is None else [OUTSIDE, OUTSIDE])


def test_start_verdicts__a_run_that_nobody_looked_at_yet():
    found = start_verdicts(summary(0.02, precision=pl.DataFrame([], PRECISION)))
    assert found["together"].to_list() == [OUTSIDE]


def test_start_verdicts__of_nothing():
    whole = summary(0.0)
    nothing = start_verdicts(SimpleNamespace(estimates=whole.estimates.clear(), margin=MARGIN, precision=None))
    assert nothing.is_empty() and nothing.schema == start_verdicts(whole).schema
