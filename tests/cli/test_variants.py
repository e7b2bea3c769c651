"""`pinchsim variants`: what each command says about built-in variants, combinations and a designer's own files."""

from pathlib import Path

import pytest

from pinchsim.cli import variants as command
from pinchsim.games.pinch.rules import RuleSet, load_variant, player_counts, variant_names
from tests.cli.commands import Command, flat, write

VARIANTS = Command("variants")
done, refused = VARIANTS.done, VARIANTS.refused


def rows(text):
    """The words of each line, by its first word."""
    return {line.split()[0]: line.split() for line in text.splitlines() if line.split()}


def test_list__names_players_and_descriptions():
    lines = done("list").splitlines()
    assert [line.split()[0] for line in lines] == variant_names()
    for line in lines:
        name, players, *_ = line.split()
        assert players == ("2" if load_variant(name).rules.duel else "3-5")
        assert line.endswith(f" {load_variant(name).description}")


def test_show__combination_marks_changes_to_the_base_game():
    lines = done("show", "duel+aces-bite+pinch_order=counter_clockwise").splitlines()
    assert lines[0].startswith("duel+aces-bite+pinch_order=counter_clockwise: duel+aces-bite with")
    marked = [line.split()[1:3] for line in lines if line.startswith("* ") and "differs" not in line]
    assert marked == [["free_draw", "false"], ["aces_bite", "true"], ["duel", "true"], ["pinch_order", "counter_clockwise"]]
    assert lines[-1] == "* differs from pinch"


def test_show__file_without_description():
    assert done("show", write("mine.toml", "market_size = 8\n")).splitlines()[0] == "mine"


def test_diff__each_switch_with_both_values_and_its_meaning():
    text = done("diff", "pinch", "linko-duel+start_bonus=[0,0.5]")
    found = rows(text)
    assert found["switch"][:2] == ["switch", "pinch"]
    assert found["jokers"] == ["jokers", "4", "5", "jokers", "in", "the", "deck", "(R1.2)"]
    assert found["free_draw"][1:3] == ["true", "false"]
    assert found["tie_break"][1:3] == ["fewer_hand", "shared"]
    assert found["duel"][1:3] == ["false", "true"]
    assert found["start_bonus"][1:4] == ["[]", "[0,", "0.5]"]
    assert set(found) & set(RuleSet.model_fields) == {"jokers", "free_draw", "tie_break", "duel", "start_bonus"}


@pytest.mark.parametrize(("a", "b"), [("duel+classic", "classic+duel"), ("pinch", "pinch"), ("pinch+market_size=6", "pinch")])
def test_diff__same_rules(a, b):
    assert done("diff", a, b) == f"{a} and {b} have the same rules.\n"


def test_diff__files_of_one_name_are_told_apart():
    Path("other").mkdir()
    one, other = write("mine.toml", "jokers = 5\n"), write("other/mine.toml", "jokers = 6\n")
    assert rows(done("diff", one, other))["switch"] == ["switch", "mine.toml", "other/mine.toml", "meaning"]
    assert rows(done("diff", one, "linko"))["switch"] == ["switch", "mine", "linko", "meaning"]


def test_diff__wrong_variant():
    assert refused("diff", "pinch", "clasic").startswith("'clasic' is not a variant. Did you mean 'classic'?")
    assert refused("diff", "missing.toml", "pinch") == "The variant file 'missing.toml' does not exist."


def test_check__file():
    text = done("check", write("mine.toml", 'base = "classic"\ndescription = "Mine [at last]."\nhand_size = 21\n'))
    lines = text.splitlines()
    assert lines[0] == "mine: Mine [at last]."
    assert "Changes to classic:" in lines
    assert rows(text)["hand_size"] == ["hand_size", "13", "21", "cards", "dealt", "to", "each", "player", "(R2.2)"]
    assert "Players: 3, 4" in lines
    assert "2 players cannot play; allowed are 3, 4, 5, or 2 in a duel (switch 'duel')." in lines
    assert "With 5 players, 'hand_size' 21 and 'market_size' 6 need 111 cards, but" in " ".join(lines)
    assert "How 500 games of each kind end (mean turns, shares of games):" in lines
    played = [line.split() for line in lines if line[:1] in "2345" and "%" in line]
    assert [words[:2] for words in played] == [[n, name] for n in "34" for name in ("uniform", "greedy")]
    for words in played:
        assert float(words[2]) > 1
        shares = [float(word.rstrip("%")) for word in words[3:]]
        assert len(shares) == 3
        assert sum(shares) == pytest.approx(100, abs=0.2)
    assert "Warning" not in text


@pytest.mark.parametrize("name", variant_names())
def test_check__built_in_variants_end(name):
    text = done("check", name)
    assert f"Players: {', '.join(map(str, player_counts(load_variant(name).rules)))}" in text.splitlines()
    assert ("The base game itself." in text) == (name == "pinch")
    assert "Warning" not in text


def test_check__duel_says_why_others_cannot_play():
    lines = done("check", "duel+market_size=8").splitlines()
    assert "Changes to duel:" in lines
    assert "Players: 2" in lines
    for players in (3, 4, 5):
        assert f"{players} players cannot play; a duel is for exactly 2 players (switch 'duel')." in lines


def test_check__nothing_changed():
    assert "It has the same rules as linko." in done("check", write("mine.toml", 'base = "linko"\n'))


def test_check__warns_of_games_that_do_not_end():
    text = done("check", "linko+turn_limit=1+duel")
    limit = "were stopped by the turn limit of 1 turns (R6.6)."
    for strategy in command.CHECKED_WITH:
        assert f"Warning: 500 of 500 games with 2 players, all {strategy}, {limit}" in flat(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("market_siz = 8\n", "'market_siz' is not a switch. Did you mean 'market_size'?"),
        ("market_size = 80\n", "switch 'market_size' cannot be 80; it must be a whole number from 1 to 16."),
        ("duel = true\njokers = 3\n", "switch 'duel' needs 'jokers' of at least 4, and it is 3."),
        ("hand_size = 35\n", "with 3 players, 'hand_size' 35 and 'market_size' 6 need 111 cards,"),
        ("market_size = \n", "not a valid TOML file"),
    ],
)
def test_check__wrong_file(text, words):
    message = refused("check", write("mine.toml", text))
    assert message.startswith("mine.toml: ")
    assert words in message


def test_check__missing_file_or_unknown_name():
    assert refused("check", "missing.toml") == "The variant file 'missing.toml' does not exist."
    assert refused("check", "deul").startswith("'deul' is not a variant. Did you mean 'duel'?")
