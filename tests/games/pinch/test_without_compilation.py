"""The whole engine as plain Python: same games, no narrow integer overflows (run by `make test-nojit`)."""

import json

import pytest

from tests.golden import GAMES, lines_of, path_of


@pytest.mark.parametrize("golden", GAMES, ids=lambda g: f"{g[0]}-{g[1]}p-{g[2]}")
def test_golden_game__is_the_same_without_compilation(golden):
    assert [json.loads(line) for line in lines_of(*golden).splitlines()] == [
        json.loads(line) for line in path_of(*golden).read_text(encoding="utf-8").splitlines()
    ]
