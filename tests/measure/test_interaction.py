"""Interaction by hand: ratios of sums, and no row without an occasion."""

import pytest

from pinchsim.measure.interaction import RATIOS, Ratio, interaction
from tests.measure.made import made, rows_of, values_of

NAMES = {name for x in RATIOS for name in (*x.parts, *x.wholes)} - {"turns"}


def table_of(**columns):
    """Two games of 10 and 30 turns; columns that are not given are 0."""
    nothing = {name: [[0, 0], [0, 0]] for name in NAMES}
    return interaction(made(turns=[10, 30], **nothing | columns))


def test_interaction__by_hand():
    table = table_of(
        pinches_made=[[3, 2], [10, 5]],
        multi_pinches=[[1, 0], [1, 0]],
        takes=[[1, 1], [4, 4]],
        take_backs=[[0, 1], [1, 2]],
        cards_taken=[[2, 2], [10, 6]],
        cards_taken_back=[[0, 3], [2, 2]],
        cards_discarded=[[2, 2], [3, 1]],
        cards_from_shadow=[[1, 0], [0, 4]],
        drawn_market=[[3, 3], [10, 4]],
        drawn_pile=[[1, 3], [10, 6]],
        free_draws=[[1, 2], [3, 3]],
        passes=[[0, 1], [1, 1]],
    )
    found = values_of(table)
    assert found == {
        "pinches/turn": 20 / 40,
        "shadow_pinches/turn": 0,
        "multi_pinches/turn": 2 / 40,
        "takes/pinch": 10 / 20,
        "take_backs/pinch": 4 / 20,
        "discards/pinch": 6 / 20,
        "cards_moved/turn": 40 / 40,
        "cards_drawn/turn": 40 / 40,
        "market/draw": 20 / 40,
        "free_draws/offer": 9 / 12,
    }, "no jokers were played"


def test_interaction__units_say_what_the_number_is():
    for (name, _), row in rows_of(table_of(pinches_made=[[1, 1], [1, 1]])).items():
        assert row["unit"] in ("share", "cards", "pinches"), name


def test_interaction__other_ratios():
    table = interaction(made(turns=[4], bids=[[1, 2]]), [Ratio("bids/turn", {"bids": 1}, {"turns": 1}, "bids")])
    assert values_of(table) == {"bids/turn": 0.75}


def test_interaction__a_missing_column_is_named():
    with pytest.raises(ValueError, match="no column 'pinches_made'"):
        interaction(made(turns=[4], bids=[[1, 2]]))
