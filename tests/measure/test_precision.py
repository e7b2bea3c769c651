"""What a run plays for: where its first wave begins, and what the last look may say."""

from dataclasses import replace

import numpy as np
import pytest

from pinchsim.measure.moments import Moments, quantile
from pinchsim.measure.precision import Aim, Ending, Found, Look, Target
from pinchsim.measure.quantities import Quantity
from pinchsim.measure.sequential import BUDGET, INTERRUPTED, PRECISION, SHARE, VERDICT, Evidence, half_width
from pinchsim.measure.summary import CellName
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, verdict

FAIR, BIASED = CellName("fair", 2, "greedy"), CellName("biased", 2, "greedy")
ADVANTAGE = Quantity("start_player_advantage", -1, "share", True, 0.5)
TURNS = Quantity("turns", -1, "turns", False)
MARGIN = 0.05


def aim(*targets, half=None):
    return Aim(
        tuple(Target(cell, base, 0, quantity) for cell, base, quantity in targets), half, MARGIN, lambda players: players
    )


def test_first_wave__a_base_and_its_variant_begin_alike():
    """The difference of both needs twice as many decks as either alone."""
    both = aim((FAIR, None, ADVANTAGE), (BIASED, None, ADVANTAGE), (BIASED, FAIR, ADVANTAGE), half=0.01)
    alone = aim((FAIR, None, ADVANTAGE), half=0.01)
    assert both.first_decks(FAIR) == both.first_decks(BIASED)
    assert both.first_decks(FAIR) == pytest.approx(2 * alone.first_decks(FAIR), rel=0.01)
    assert alone.first_decks(FAIR) == pytest.approx(1.1 * 1.96**2 * 0.125 / 0.01**2 / 4, rel=0.01)
    assert aim((FAIR, None, TURNS), half=1.0).first_decks(FAIR) == 0, "nobody knows how much lengths vary"


def test_last_look__a_spent_budget_is_judged_by_the_closing_look():
    """What passing looks cannot tell, the last one can: its moment does not hang on the estimate."""
    one = aim((FAIR, None, ADVANTAGE))
    kind = SHARE.less(0.5)
    passing, closing = (half_width(one.plan, Evidence(5000, 0.0, 0.01, kind), last) for last in (False, True))
    seen = Evidence(5000, 0.0, 0.01 * MARGIN / ((passing + closing) / 2), kind)
    found = Found(one.targets[0], seen, 10_000, passing, UNDECIDED, False)
    look = Look([found], {FAIR: None})
    row = Ending(one, look, (FAIR,), complete=True).table().row(0, named=True)
    assert (row["reason"], row["verdict"], row["reached"]) == (BUDGET, WITHIN, True)
    row = Ending(one, look, (FAIR,), complete=False).table().row(0, named=True)
    assert (row["reason"], row["verdict"], row["reached"]) == (INTERRUPTED, UNDECIDED, False)


def ended(run, seen, games, reason, reached=False):
    """How a run ended for one reason, its row of the table, and the interval that the summary has."""
    (target,) = run.targets
    found = Found(target, seen, games, half_width(run.plan, seen, closing=run.half is not None), UNDECIDED, reached)
    ending = Ending(run, Look([found], {FAIR: None} if reason == BUDGET else {}), (FAIR,), complete=reason != INTERRUPTED)
    squares = np.array([seen.squares])
    moments = Moments(seen.decks, games, np.array([seen.mean]), squares, squares)
    return ending.table().row(0, named=True), ending.interval(target.cells, target.quantity, moments, 0)


FEW_VARY = Evidence(10_000, 0.001, 0.0004, SHARE.less(0.5))  # squared deviations of 16 in all: too few for normal theory


ENDS = [(0.01, BUDGET), (0.01, PRECISION), (0.01, INTERRUPTED), (None, BUDGET), (None, VERDICT), (None, INTERRUPTED)]


@pytest.mark.parametrize(("half", "reason"), ENDS)
@pytest.mark.parametrize(
    "seen", [FEW_VARY, Evidence(5000, 0.0, 0.01, SHARE.less(0.5)), Evidence(100, 0.4, 0.04, SHARE.less(0.5))]
)
def test_at_the_end__table_and_summary_have_the_same_interval(half, seen, reason):
    row, (low, high) = ended(aim((FAIR, None, ADVANTAGE), half=half), seen, 2 * seen.decks, reason)
    assert row["reason"] == reason
    assert row["half_width"] == pytest.approx((high - low) / 2)
    if row["verdict"] in (WITHIN, OUTSIDE):
        assert row["verdict"] == verdict(low, high, MARGIN)


def test_few_decks_vary__only_a_spent_budget_has_an_ordinary_interval():
    """A precision that is reached early because nothing was seen to vary yet is no proof that nothing does."""
    run = aim((FAIR, None, ADVANTAGE), half=0.01)
    exact = half_width(run.plan, FEW_VARY, closing=True)
    assert exact > 10 * FEW_VARY.error
    row, _ = ended(run, FEW_VARY, 20_000, PRECISION, reached=exact <= 0.01)
    assert row["half_width"] == pytest.approx(exact)
    row, _ = ended(run, FEW_VARY, 20_000, BUDGET)
    assert row["half_width"] == pytest.approx(quantile(10_000, 1 / run.plan.closing) * FEW_VARY.error)
    assert row["reached"], "the last look may tell what those before could not"


def test_few_decks_vary__a_spent_budget_gives_a_clear_verdict():
    near = replace(FEW_VARY, mean=MARGIN - 5 * FEW_VARY.error)
    row, _ = ended(aim((FAIR, None, ADVANTAGE)), near, 20_000, BUDGET)
    assert (row["verdict"], row["reached"]) == (WITHIN, True)
    row, _ = ended(aim((FAIR, None, ADVANTAGE)), near, 20_000, INTERRUPTED)
    assert row["verdict"] == UNDECIDED, "no look in passing could tell"
    row, _ = ended(aim((FAIR, None, ADVANTAGE)), replace(FEW_VARY, mean=MARGIN), 20_000, BUDGET)
    assert (row["verdict"], row["reached"]) == (UNDECIDED, False)
