"""Ends by hand: reasons, who ended the game, and how that player fared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.ending import ending
from tests.measure.made import made, rows_of, values_of

LABELS = {1: "hand_empty", 2: "cards_exhausted", 3: "turn_limit"}


def test_ending__by_hand():
    """Position 0 ends two games and wins one; position 1 ends two and wins one and a half; nobody ends the last."""
    sample = made(
        turns=[9] * 5,
        end_reason=[1, 1, 2, 2, 3],
        ended_by=[0, 1, 1, 0, -1],
        win_share=[[1, 0], [0, 1], [0.5, 0.5], [0, 1], [0, 1]],
    )
    table = ending(sample, LABELS)
    assert values_of(table) == {
        "end:hand_empty": 0.4,
        "end:cards_exhausted": 0.4,
        "end:turn_limit": 0.2,
        ("ended_by", 0): 0.4,
        ("ended_by", 1): 0.4,
        "ender_wins": 2.5 / 4,
        ("ender_wins", 0): 1 / 2,
        ("ender_wins", 1): 1.5 / 2,
        "ender_wins:hand_empty": 1,
        "ender_wins:cards_exhausted": 0.25,
    }
    found = rows_of(table)
    assert found["ender_wins", -1]["games"] == 4
    assert found["ender_wins", 1]["decks"] == 2
    assert ("ender_wins:turn_limit", -1) not in found, "nobody ends such a game"


def test_ending__needs_rows_of_single_games():
    with pytest.raises(ValueError, match="no column 'ended_by'"):
        ending(made(turns=[9], end_reason=[1], win_share=[[1.0, 0.0]]), LABELS)


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_ending__parts_make_the_whole(games):
    """Positions that end a game and games that nobody ends add up to 1, and so do the ender's wins."""
    sample = made(
        turns=[9] * len(games),
        end_reason=[3 if by < 0 else 1 for by, _ in games],
        ended_by=[by for by, _ in games],
        win_share=[[float(p == winner) for p in range(3)] for _, winner in games],
    )
    found = values_of(ending(sample, LABELS))
    by_position = [found["ended_by", p] for p in range(3)]
    assert sum(by_position) + found["end:turn_limit"] == pytest.approx(1)
    if sum(by_position) > 0:
        wins = sum(share * found.get(("ender_wins", p), 0) for p, share in enumerate(by_position))
        assert found["ender_wins"] == pytest.approx(wins / sum(by_position))
