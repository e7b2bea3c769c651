"""Drama by hand: the first turn is no change, and the lead for good is a part of the game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.drama import drama
from tests.measure.made import made, values_of


def test_drama__by_hand():
    """One game of 11 turns led from the first turn on, one of 21 decided by the last, one of 5 with level scores."""
    sample = made(
        turns=[11, 21, 5],
        lead_changes=[0, 4, 2],
        lead_for_good=[1, 21, 3],
        comeback=[0.0, 7.5, 3.0],
        score=[[9.0, 2.0, 4.0], [-1.0, 3.5, 3.0], [4.0, 4.0, -7.0]],
    )
    found = values_of(drama(sample))
    assert found["lead_changes"] == 2
    assert found["lead_changes/turn"] == pytest.approx(6 / (10 + 20 + 4))
    assert found["no_lead_change"] == pytest.approx(1 / 3)
    assert found["lead_for_good"] == pytest.approx((0 + 1 + 0.5) / 3)
    assert found["lead_for_good:q50"] == 0.5
    assert found["last_turn_decides"] == pytest.approx(1 / 3)
    assert found["margin"] == pytest.approx((5 + 0.5 + 0) / 3)
    assert (found["margin:q05"], found["margin:q95"]) == (0, 5)
    assert found["level_scores"] == pytest.approx(1 / 3)
    assert found["comeback"] == pytest.approx(3.5)
    assert (found["comeback:q05"], found["comeback:q95"]) == (0, 7.5)


def test_drama__a_game_of_one_turn_has_no_change_and_no_time_for_one():
    found = values_of(drama(made(turns=[1], lead_changes=[0], lead_for_good=[1], score=[[2.0, -3.0]], comeback=[0.0])))
    assert found["lead_for_good"] == 0
    assert "lead_changes/turn" not in found


@given(st.lists(st.lists(st.integers(-40_000, 40_000), min_size=4, max_size=4), min_size=1, max_size=10), st.integers(-9, 9))
def test_drama__the_margin_does_not_change_when_all_get_as_much(thousandths, more):
    def margins(extra):
        scores = [[x / 1000 + extra for x in game] for game in thousandths]
        n = len(scores)
        alike = {"turns": [9] * n, "lead_changes": [0] * n, "lead_for_good": [1] * n, "comeback": [0.0] * n}
        found = values_of(drama(made(score=scores, **alike)))
        return [found[name] for name in ("margin", "margin:q05", "margin:q50", "margin:q95", "level_scores")]

    assert margins(0) == pytest.approx(margins(more), abs=1e-9)
