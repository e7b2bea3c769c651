"""Runaway leaders by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.runaway import runaway
from tests.measure.made import made, rows_of, values_of


def test_runaway__by_hand():
    """Leaders as bit sets: 1 is position 0 alone, 2 position 1, 4 position 2, 5 positions 0 and 2, 7 all three."""
    sample = made(
        turns=[20] * 4,
        leaders_25=np.array([1, 2, 5, 7], np.int8),
        leaders_50=np.array([1, 2, 4, 4], np.int8),
        leaders_75=np.array([3, 6, 5, 7], np.int8),
        win_share=[[1, 0, 0], [0, 0, 1], [0.5, 0.5, 0], [0, 0, 1]],
    )
    table = runaway(sample)
    assert values_of(table) == pytest.approx(
        {
            "alone:25": 2 / 4,
            "alone_wins:25": 1 / 2,
            "shared_wins:25": (0.5 + 1) / (2 + 3),
            "alone:50": 1,
            "alone_wins:50": (1 + 0 + 0 + 1) / 4,
            "alone:75": 0,
            "shared_wins:75": (1 + 1 + 0.5 + 1) / (2 + 2 + 2 + 3),
        }
    )
    found = rows_of(table)
    assert [found[f"{name}:25", -1]["games"] for name in ("alone", "alone_wins", "shared_wins")] == [4, 2, 2]


@given(st.lists(st.tuples(st.integers(1, 15), st.integers(0, 3)), min_size=1, max_size=40))
def test_runaway__leaders_by_lot_win_a_fair_share_of_what_leaders_win(games):
    """Lone leaders and sharers together win as often as a leader wins."""
    leads = np.array([leaders for leaders, _ in games], np.int8)
    share = np.eye(4)[[winner for _, winner in games]]
    sample = made(turns=[8] * len(games), leaders_25=leads, leaders_50=leads, leaders_75=leads, win_share=share)
    found = rows_of(runaway(sample))
    bits = np.array([[(leaders >> p) & 1 for p in range(4)] for leaders, _ in games])
    alone = bits.sum(axis=1) == 1
    wins = 0.0
    for name, who in (("alone_wins", alone), ("shared_wins", ~alone)):
        if who.any():
            wins += found[f"{name}:50", -1]["estimate"] * bits[who].sum()
    assert wins == pytest.approx((bits * share).sum())
