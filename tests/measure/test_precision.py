"""What a run plays for: where its first wave begins, and what the last look may say."""

import pytest

from pinchsim.measure.precision import Aim, Ending, Found, Look, Target
from pinchsim.measure.quantities import Quantity
from pinchsim.measure.sequential import BUDGET, INTERRUPTED, SHARE, Evidence, half_width
from pinchsim.measure.summary import CellName
from pinchsim.measure.verdict import UNDECIDED, WITHIN

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
    assert (row["reason"], row["verdict"], row["reached"]) == (BUDGET, WITHIN, False)
    row = Ending(one, look, (FAIR,), complete=False).table().row(0, named=True)
    assert (row["reason"], row["verdict"]) == (INTERRUPTED, UNDECIDED)
