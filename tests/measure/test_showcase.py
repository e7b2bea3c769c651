"""Which games are shown."""

import numpy as np

from pinchsim.measure.showcase import showcase
from tests.measure.made import made, values_of


def picked(**columns):
    return {name.partition(":")[2]: int(index) for name, index in values_of(showcase(made(2, **columns))).items()}


def games(**changes):
    """Three decks of two games; deck numbers begin at 5."""
    columns = {
        "deck": np.repeat([5, 6, 7], 2), "rotation": np.tile([0, 1], 3), "turns": [10, 20, 30, 40, 21, 22],
        "lead_changes": [1, 5, 5, 9, 5, 5], "comeback": [0.0, 3, 3, 9, 3, 4],
        "score": [[5, 0], [3, 0], [3, 0], [1, 0], [3, 0], [3, 0]],
        "win_share": [[1, 0], [0, 1], [1, 0], [1, 0], [0.5, 0.5], [1, 0]],
    }  # fmt: skip
    return columns | changes


def test_showcase__by_hand():
    assert picked(**games()) == {"typical": 14, "comeback": 13, "longest": 13, "start": 12}


def test_showcase__of_decks_on_which_starting_wins_the_most_typical():
    always = [[1, 0]] * 6
    assert picked(**games(win_share=always))["start"] == 14


def test_showcase__games_that_are_all_alike():
    alike = {name: [1] * 6 for name in ("turns", "lead_changes", "comeback")} | {"score": [[1, 0]] * 6}
    assert picked(**games(**alike))["typical"] == 10
