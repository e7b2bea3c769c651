"""`pinchsim luck`: how much is luck from one command, and plain errors."""

import pytest

from tests.cli.commands import Command, flat

LUCK = Command("luck", "--players", "3", "--roots", "60", "--decks", "30", "--replays", "4", "--jobs", "1")


def test_luck__from_command_to_tables():
    text = LUCK.done("--line-up", "greedy", "--line-up", "greedy,uniform", "--out", "r")
    assert text.startswith("\npinch, 3 players: what decides who wins\n")
    lines = [line.split() for line in text.splitlines()]
    greedy = next(line for line in lines if line[:1] == ["greedy"] and len(line) == 8)
    assert greedy[1] == "-" and greedy[-2:] == ["0", "0"], "it decides by nothing but the cards"
    assert "At a table of greedy, uniform, who plays decides " in text
    assert (
        "n = 60 games for each line-up, with those that branch off from them 420; and 30 decks, each played 4 times."
        in flat(text)
    )
    assert "so nothing is said of how many a game of this design is worth" in flat(text)
    assert text.endswith("\nTables: r\n")
    again = LUCK.run("--line-up", "greedy", "--line-up", "greedy,uniform", "--out", "r")
    assert again.stdout == text
    assert "found finished" in again.stderr


def test_luck__a_mixed_table_alone_has_no_decks_to_tell_of():
    text = LUCK.done("--line-up", "greedy,uniform", "--out", "r")
    assert "again and again" not in text and "each played" not in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--roots", "3"), "'roots' cannot be 3: expected a whole number from 30"),
        (("--line-up", "gredy"), "gredy"),
        (("--variant", "nothing"), "nothing"),
        (("--players", "9"), "9"),
    ],
)
def test_luck__mistakes_are_told(args, message):
    assert message in LUCK.refused(*args)
