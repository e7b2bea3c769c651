"""Golden games are played as ever: a change here is a change of the rules, the engine or the random streams."""

import pytest

from pinchsim.games.pinch.rules import variant_names
from tests.golden import FOLDER, GAMES, lines_of, path_of


@pytest.mark.parametrize("golden", GAMES, ids=lambda g: f"{g[0]}-{g[1]}p-{g[2]}")
def test_golden_game__is_played_as_ever(golden):
    assert lines_of(*golden) == path_of(*golden).read_text(encoding="utf-8")


def test_golden_games__cover_every_variant():
    assert {golden[0] for golden in GAMES} >= set(variant_names())
    assert {path.name for path in FOLDER.glob("*.jsonl")} == {path_of(*golden).name for golden in GAMES}
