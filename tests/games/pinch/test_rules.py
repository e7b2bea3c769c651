"""Rule sets as data (R11): every switch keeps its range, every mistake is told with the switch and what would be allowed."""

import os
import subprocess
import sys

import pytest

from pinchsim.errors import UsageError
from pinchsim.games.pinch import rules
from pinchsim.games.pinch.rules import RuleSet, change_rules, check_deal, load_variant, variant_names

# Switch: lowest and highest value, the next ones outside.
RANGES = {
    "jokers": (0, 15, -1, 16),
    "copies": (1, 15, 0, 16),
    "values": (1, 13, 0, 14),
    "hand_size": (1, 200, 0, 201),
    "market_size": (1, 16, 0, 17),
    "shadow_size": (0, 100, -1, 101),
    "score_display": (-100, 100, -100.001, 100.001),
    "score_hand": (-100, 100, -101, 101),
    "turn_limit": (1, 10_000, 0, 10_001),
}
YES_OR_NO = ("free_draw", "aces_bite", "duel", "shadow_blocks_free_draw")
SWITCHES = {*RANGES, *YES_OR_NO, "tie_break", "start_bonus"}

# Rules page: R1.2, R2.2, R2.3, R5.4, R6.3, R6.4, R8.2, R8.7.
PINCH = {
    "jokers": 4,
    "copies": 8,
    "values": 13,
    "hand_size": 13,
    "market_size": 6,
    "free_draw": True,
    "aces_bite": False,
    "tie_break": "fewer_hand",
    "duel": False,
    "shadow_size": 13,
    "shadow_blocks_free_draw": True,
    "score_display": 1,
    "score_hand": -1,
    "start_bonus": [],
}


def refusal(changed, start=None):
    """What is said about changed switches."""
    with pytest.raises(UsageError) as caught:
        change_rules(start or RuleSet(), changed, "my.toml")
    message = str(caught.value)
    assert message.startswith("my.toml: ")
    return message


def variant_file(folder, text, name="mine.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def file_refusal(path):
    with pytest.raises(UsageError) as caught:
        load_variant(str(path))
    return str(caught.value)


def test_ruleset__has_exactly_the_switches_of_r11():
    assert set(RuleSet.model_fields) == SWITCHES


@pytest.mark.parametrize(("name", "value"), [(n, r[2]) for n, r in RANGES.items()] + [(n, r[3]) for n, r in RANGES.items()])
def test_change_rules__outside_its_range(name, value):
    low, high, *_ = RANGES[name]
    message = refusal({name: value})
    assert f"switch '{name}' cannot be {value!r}" in message
    assert f"from {low} to {high}" in message


@pytest.mark.parametrize("name", RANGES)
def test_ruleset__ends_of_a_range_belong_to_it(name):
    low, high, *_ = RANGES[name]
    assert getattr(RuleSet(**{name: low}), name) == low
    assert getattr(RuleSet(**{name: high}), name) == high


@pytest.mark.parametrize("name", [n for n in RANGES if not n.startswith("score_")])
@pytest.mark.parametrize("value", ["6", 6.5, 6.0, True, [6], None])
def test_change_rules__whole_number_of_another_type(name, value):
    message = refusal({name: value})
    assert f"switch '{name}'" in message
    assert "a whole number from" in message


@pytest.mark.parametrize("name", ["score_display", "score_hand"])
@pytest.mark.parametrize("value", ["1", True, [1], None, float("nan"), float("inf")])
def test_change_rules__points_of_another_type(name, value):
    message = refusal({name: value})
    assert f"switch '{name}'" in message
    assert "a number from -100 to 100" in message


@pytest.mark.parametrize("name", YES_OR_NO)
@pytest.mark.parametrize("value", [1, 0, "true", 1.0, None])
def test_change_rules__yes_or_no_of_another_type(name, value):
    message = refusal({name: value})
    assert f"switch '{name}' cannot be {value!r}" in message
    assert "true or false" in message


@pytest.mark.parametrize("value", ["fewer hand", "FEWER_HAND", True, 0])
def test_change_rules__unknown_tie_break(value):
    assert f"switch 'tie_break' cannot be {value!r}; it must be 'fewer_hand' or 'shared'" in refusal({"tie_break": value})


@pytest.mark.parametrize(
    "value",
    ["1", 3, True, ["1"], [True], [[1]], [1, 2, 3, 4, 5, 6], [1000.001], [-1001], [float("nan")], [float("inf")]],
)
def test_change_rules__impossible_start_bonus(value):
    message = refusal({"start_bonus": value})
    assert "switch 'start_bonus'" in message
    assert "-1000 to 1000" in message


def test_change_rules__start_bonus_from_a_file_or_from_python():
    for value in ([1000, -1000, 0.5], (1000, -1000, 0.5)):
        assert change_rules(RuleSet(), {"start_bonus": value}, "here").start_bonus == (1000, -1000, 0.5)


@pytest.mark.parametrize(("wrong", "meant"), [("freedraw", "free_draw"), ("market_sise", "market_size"), ("joker", "jokers")])
def test_change_rules__unknown_switch_with_suggestion(wrong, meant):
    message = refusal({wrong: 1})
    assert f"'{wrong}' is not a switch. Did you mean '{meant}'?" in message
    assert all(name in message for name in SWITCHES)


def test_change_rules__unknown_switch_like_no_other():
    message = refusal({"zzz": 1})
    assert "'zzz' is not a switch. Known: jokers" in message


@pytest.mark.parametrize("name", ["score_display", "score_hand", "start_bonus"])
@pytest.mark.parametrize("value", [0.0005, 1.00049, -2.0001, 1e-5])
def test_change_rules__points_finer_than_thousandths(name, value):
    message = refusal({name: [0, value] if name == "start_bonus" else value})
    assert f"switch '{name}'" in message
    assert repr(value) in message
    assert "steps of 0.001" in message


@pytest.mark.parametrize(("name", "limit"), [("score_display", 100), ("score_hand", 100), ("start_bonus", 1000)])
def test_change_rules__points_too_fine_names_the_range_of_the_switch(name, limit):
    message = refusal({name: [0.0005] if name == "start_bonus" else 0.0005})
    assert f"from -{limit} to {limit}" in message


@pytest.mark.parametrize("value", [0.1, -0.001, 0.7, 1.005, 99.999, 33.333])
def test_change_rules__thousandths_are_fine(value):
    """Many of these are not whole thousandths as binary fractions."""
    changed = change_rules(RuleSet(), {"score_display": value, "score_hand": -value, "start_bonus": [value]}, "here")
    assert (changed.score_display, changed.score_hand, changed.start_bonus) == (value, -value, (value,))


def test_change_rules__leaves_the_given_rule_set_alone():
    before = RuleSet()
    after = change_rules(before, {"market_size": 8}, "here")
    assert (before.market_size, after.market_size) == (6, 8)
    assert after.switches() | {"market_size": 6} == before.switches()


def test_change_rules__aces_bite_needs_two_values():
    message = refusal({"aces_bite": True, "values": 1, "copies": 15, "hand_size": 3, "market_size": 1})
    assert "'aces_bite'" in message
    assert "'values' of at least 2, and it is 1" in message
    assert change_rules(RuleSet(), {"aces_bite": True, "values": 2, "copies": 15, "hand_size": 3}, "here").values == 2


def test_change_rules__duel_is_refused_by_name():
    assert "switch 'duel'" in refusal({"duel": True})


def test_change_rules__cannot_be_dealt_to_anybody():
    message = refusal({"hand_size": 35})
    assert "with 3 players" in message
    assert "'hand_size' 35" in message
    assert "'market_size' 6" in message
    assert "need 111 cards" in message
    assert "13 x 8 + 4 gives only 108" in message


@pytest.mark.parametrize(("players", "hand_size"), [(3, 34), (4, 25), (5, 20)])
def test_check_deal__to_the_last_card(players, hand_size):
    """As many cards as the deck has can be dealt; one more cannot, and it is said to how many players."""
    size = 108 - players * hand_size
    fits = RuleSet(hand_size=hand_size, market_size=size)
    check_deal(fits, players, "here")
    with pytest.raises(UsageError, match=rf"^here: with {players} players, .*need 109 cards"):
        check_deal(RuleSet(hand_size=hand_size, market_size=size + 1), players, "here")


@pytest.mark.parametrize("players", [0, 1, 2, 6, -3])
def test_check_deal__player_count_not_allowed(players):
    with pytest.raises(UsageError, match=f"^here: {players} players cannot play; allowed are 3, 4, 5"):
        check_deal(RuleSet(), players, "here")


def test_variant_names__base_game_first_and_all_can_be_loaded():
    names = variant_names()
    assert names[0] == "pinch"
    assert names[1:] == sorted(set(names[1:]) - {"pinch"})
    assert {"classic", "aces-bite"} <= set(names)
    for name in names:
        variant = load_variant(name)
        assert variant.name == name
        assert variant.base in names
        assert variant.description
        for players in (3, 4, 5):
            check_deal(variant.rules, players, name)


@pytest.mark.parametrize(
    ("name", "base", "changed"),
    [
        ("pinch", "pinch", {}),
        ("classic", "pinch", {"free_draw": False}),
        ("aces-bite", "classic", {"free_draw": False, "aces_bite": True}),
    ],
)
def test_load_variant__built_in_switches(name, base, changed):
    variant = load_variant(name)
    switches = variant.rules.switches()
    assert variant.base == base
    assert switches.pop("turn_limit") >= 1000, "far beyond any game that ends by itself (R6.6)"
    assert switches == PINCH | changed


def test_load_variant__base_game_is_what_the_switches_default_to():
    assert load_variant("pinch").rules == RuleSet()


def test_load_variant__unknown_name():
    with pytest.raises(UsageError) as caught:
        load_variant("aces-bit")
    message = str(caught.value)
    assert "'aces-bit' is not a variant. Did you mean 'aces-bite'?" in message
    assert f"Known: {', '.join(variant_names())}" in message
    assert ".toml" in message


def test_load_variant__own_file(tmp_path):
    path = variant_file(tmp_path, 'base = "classic"\ndescription = "More."\nmarket_size = 8\nstart_bonus = [0, 0.5]\n')
    variant = load_variant(path)
    assert (variant.name, variant.base, variant.description) == ("mine", "classic", "More.")
    assert variant.rules == change_rules(load_variant("classic").rules, {"market_size": 8, "start_bonus": [0, 0.5]}, "here")


def test_load_variant__own_file_that_says_nothing_is_the_base_game(tmp_path):
    variant = load_variant(variant_file(tmp_path, ""))
    assert (variant.base, variant.rules, variant.description) == ("pinch", RuleSet(), "")


def test_load_variant__edited_file_is_read_again(tmp_path):
    path = variant_file(tmp_path, "market_size = 8\n")
    assert load_variant(path).rules.market_size == 8
    variant_file(tmp_path, "market_size = 9\n")
    assert load_variant(path).rules.market_size == 9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('base = "clasic"\n', ("'base' is 'clasic'", "pinch, aces-bite, classic")),
        ('base = "mine"\n', ("'base' is 'mine'", "must be one of")),
        ("base = 3\n", ("'base' must be a text",)),
        ("description = 3\n", ("'description' must be a text",)),
        ("market_size = \n", ("not a valid TOML file", "line 1")),
        ("market_size = 8\nmarket_size = 9\n", ("not a valid TOML file", "line 2")),
        ("market_size = 77\n", ("switch 'market_size' cannot be 77", "from 1 to 16")),
        ("[rules]\nmarket_size = 7\n", ("'rules' is not a switch",)),
        ("marketsize = 7\n", ("'marketsize' is not a switch. Did you mean 'market_size'?",)),
        ("free_draw = 2024-01-01\n", ("switch 'free_draw'", "true or false")),
    ],
)
def test_load_variant__mistake_in_a_file(tmp_path, text, words):
    path = variant_file(tmp_path, text)
    message = file_refusal(path)
    assert message.startswith(f"{path}: ")
    assert all(word in message for word in words)


def test_load_variant__file_that_is_no_text(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b'description = "\xff"\n')
    assert file_refusal(path).startswith(f"{path}: not a valid TOML file")


@pytest.mark.parametrize("name", ["pinch", "classic", "aces-bite"])
def test_load_variant__file_named_like_a_built_in_one(tmp_path, name):
    path = variant_file(tmp_path, "market_size = 8\n", f"{name}.toml")
    message = file_refusal(path)
    assert f"'{name}' is the name of a built-in variant" in message
    assert message.startswith(f"{path}: ")


def test_load_variant__missing_file(tmp_path):
    path = tmp_path / "mine.toml"
    assert file_refusal(path) == f"The variant file '{path}' does not exist."
    (tmp_path / "folder.toml").mkdir()
    assert "does not exist" in file_refusal(tmp_path / "folder.toml")


def one_changed_switch():
    for name, value in {"free_draw": False, "aces_bite": True, "shadow_blocks_free_draw": False}.items():
        yield {name: value}
    yield {"tie_break": "shared"}
    for name in RANGES:
        yield {name: getattr(RuleSet(), name) - 1}
    yield from ({"start_bonus": bonus} for bonus in ([1], [0, 1], [1, 1], [0.5], [-1]))
    yield from ({"score_display": points} for points in (0.5, -1, 1.001))


def test_digest__differs_for_different_rules():
    found = [change_rules(RuleSet(), changed, "here").digest() for changed in [{}, *one_changed_switch()]]
    assert len(set(found)) == len(found)


def test_digest__does_not_depend_on_spelling():
    spelled = {"score_display": 2, "start_bonus": [1, 0.5], "market_size": 8}
    other = {"market_size": 8, "start_bonus": (1.0, 0.5), "score_display": 2.0}
    assert change_rules(RuleSet(), spelled, "here").digest() == change_rules(RuleSet(), other, "here").digest()
    assert change_rules(RuleSet(), {"score_display": 1.0, "score_hand": -1.0}, "here").digest() == RuleSet().digest()


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_digest__is_the_same_in_another_process(hash_seed):
    code = "from pinchsim.games.pinch.rules import *\nprint(*[load_variant(n).rules.digest() for n in variant_names()])"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": hash_seed}
    )
    assert run.stdout.split() == [load_variant(name).rules.digest() for name in variant_names()]


@pytest.mark.parametrize("name", RuleSet.model_fields)
def test_allowed_values__says_something_for_every_switch(name):
    words = rules.allowed_values(name)
    if name in RANGES:
        low, high, *_ = RANGES[name]
        assert words.endswith(f"number from {low} to {high}")
    elif name in YES_OR_NO:
        assert words == "true or false"
    else:
        assert words in ("'fewer_hand' or 'shared'", "a list of at most 5 numbers from -1000 to 1000")
