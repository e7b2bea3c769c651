"""The section on the start: the start player's advantage, and how far all positions are from fair."""

import re

from tests.report.test_sections_beside import row, section


def start_of(*rows):
    return " ".join(section("start", *rows).split())


def win_shares(*shares):
    return [row("win_share", share, 0.001) | {"position": position} for position, share in enumerate(shares)]


def test_start__all_positions_have_a_table_of_their_own():
    part = start_of(row("start_player_advantage", 0.03, 0.001), *win_shares(0.28, 0.24, 0.24, 0.24))
    assert "All positions" in part and "28.0 / 24.0 / 24.0 / 24.0" in part
    assert re.search(r"1\.73 \(1\.\d+ to 1\.\d+\)", part) and "&lt; 0.001" in part


def test_start__equal_positions_may_be_equal():
    part = start_of(row("start_player_advantage", 0.0, 0.001), *win_shares(0.25, 0.25, 0.25, 0.25))
    assert re.search(r"0\.00 \(0\.00 to 0\.\d+\)", part)
    assert "&lt; 0.001" not in part


def test_start__without_shares_by_position():
    assert "All positions" not in start_of(row("start_player_advantage", 0.03, 0.001))
