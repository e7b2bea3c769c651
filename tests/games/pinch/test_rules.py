"""Rule sets as data (R11): every switch keeps its range, every mistake is told with the switch and what would be allowed."""

import os
import subprocess
import sys

import pytest

from pinchsim.errors import UsageError
from pinchsim.games.pinch import rules
from pinchsim.games.pinch.readings import READINGS
from pinchsim.games.pinch.rules import (
    ALL_COUNTS,
    RuleSet,
    change_rules,
    changed_switches,
    check_deal,
    load_variant,
    player_counts,
    variant_names,
    why_not_dealt,
)
from tests import naive

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
YES_OR_NO = ("free_draw", "aces_bite", "duel", "shadow_blocks_free_draw", "equal_pinches", "last_group_pinches")
WORDS = {
    "tie_break": "'fewer_hand' or 'shared'",
    "exhaustion": "'both', 'market_last' or 'market_card'",
    "refill": "'player', 'card' or 'turn'",
    "compare": "'value', 'sum' or 'naturals'",
    "lone_joker_tie": "'safe' or 'pinch'",
    "exposed_group": "'safe' or 'pinched'",
    "discards": "'out' or 'reshuffled'",
    "sources": "'one_by_one' or 'announced'",
    "pinch_order": "'clockwise' or 'counter_clockwise'",
}
SWITCHES = {*RANGES, *YES_OR_NO, *WORDS, "start_bonus"}

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
    "exhaustion": "both",
    "refill": "player",
    "equal_pinches": False,
    "last_group_pinches": False,
    "compare": "value",
    "lone_joker_tie": "safe",
    "exposed_group": "safe",
    "discards": "out",
    "sources": "one_by_one",
    "pinch_order": "clockwise",
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


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("value", ["fewer hand", "FEWER_HAND", True, 0])
def test_change_rules__unknown_word(name, value):
    assert f"switch '{name}' cannot be {value!r}; it must be {WORDS[name]}." in refusal({name: value})


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.switch)
def test_ruleset__reads_a_contested_sentence_as_ruled_unless_told(reading):
    assert getattr(RuleSet(), reading.switch) == reading.ruling
    for flip in list(reading.options)[1:]:
        assert change_rules(RuleSet(), {reading.switch: flip}, "here").has_readings == reading.in_engine


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


DUEL = RuleSet(duel=True)


@pytest.mark.parametrize(("name", "least"), [("jokers", 4), ("hand_size", 2), ("values", 2)])
def test_change_rules__duel_needs_jokers_a_hand_and_values(name, least):
    enough = {"duel": True, "shadow_size": 1, "market_size": 1, "hand_size": 3, name: least}
    assert getattr(change_rules(RuleSet(), enough, "here"), name) == least
    message = refusal(enough | {name: least - 1})
    assert message == f"my.toml: switch 'duel' needs '{name}' of at least {least}, and it is {least - 1}."


def test_change_rules__duel_hands_to_the_last_number_card():
    """R8.1: the 11 cards beside the 2 jokers come from the number cards only."""
    fits = {"duel": True, "jokers": 15, "values": 5, "copies": 4, "hand_size": 12, "market_size": 1, "shadow_size": 0}
    assert change_rules(RuleSet(), fits, "here").hand_size == 12
    assert refusal(fits | {"hand_size": 13}) == (
        "my.toml: with 2 players, 'hand_size' 13 needs 22 number cards beside 2 jokers in each hand, "
        "but 'values' x 'copies' = 5 x 4 gives only 20."
    )


@pytest.mark.parametrize(
    ("fits", "more"),
    [
        ({"hand_size": 44, "market_size": 7}, {"market_size": 8}),
        ({"hand_size": 44, "market_size": 7}, {"shadow_size": 14}),
        ({"hand_size": 46, "shadow_size": 10}, {"shadow_size": 11}),
    ],
)
def test_change_rules__duel_to_the_last_card(fits, more):
    """Hands, market and shadow display together; without the duel the shadow does not count."""
    duel = change_rules(DUEL, fits, "here")
    assert 2 * duel.hand_size + duel.market_size + duel.shadow_size == 108
    message = refusal(more, duel)
    assert all(f"'{name}'" in message for name in ("hand_size", "market_size", "shadow_size", "values", "copies", "jokers"))
    assert "with 2 players" in message
    assert message.endswith("need 109 cards, but 'values' x 'copies' + 'jokers' = 13 x 8 + 4 gives only 108.")
    assert change_rules(RuleSet(), {"shadow_size": 100}, "here").shadow_size == 100


@pytest.mark.parametrize(
    "changed", [{}, {"jokers": 4}, {"hand_size": 2}, {"values": 2}, {"shadow_size": 0}, {"aces_bite": True}]
)
def test_change_rules__duel_agrees_with_the_naive_reference(changed):
    rules = change_rules(DUEL, {"shadow_size": 5, "hand_size": 3} | changed, "here")
    naive.check_rules(rules.switches(), 2)


def test_ruleset__deck_fits_into_bytes():
    assert RuleSet(**{name: RANGES[name][1] for name in ("values", "copies", "jokers")}).deck_size == 210


def test_player_counts__two_in_a_duel_three_to_five_otherwise():
    assert player_counts(RuleSet()) == (3, 4, 5)
    assert player_counts(DUEL) == (2,)
    assert ALL_COUNTS == (2, 3, 4, 5)


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
    duel = r", or 2 in a duel \(switch 'duel'\)" if players == 2 else ""
    with pytest.raises(UsageError, match=rf"^here: {players} players cannot play; allowed are 3, 4, 5{duel}\.$"):
        check_deal(RuleSet(), players, "here")


@pytest.mark.parametrize("players", [0, 1, 3, 4, 5])
def test_check_deal__duel_is_for_two(players):
    check_deal(DUEL, 2, "here")
    with pytest.raises(
        UsageError, match=rf"^here: {players} players cannot play; a duel is for exactly 2 players \(switch 'duel'\)"
    ):
        check_deal(DUEL, players, "here")


def test_why_not_dealt__is_empty_when_all_is_well():
    assert why_not_dealt(DUEL, 2) == ""
    assert [why_not_dealt(RuleSet(hand_size=25), players)[:14] for players in (3, 4, 5)] == ["", "", "with 5 players"]


BUILT_IN = ["pinch", "classic", "aces-bite", "linko", "duel", "duel+classic", "duel+aces-bite", "linko-duel"]


def test_variant_names__base_game_first_duels_last_and_all_can_be_loaded():
    assert variant_names() == BUILT_IN
    for name in BUILT_IN:
        variant = load_variant(name)
        assert variant.name == variant.source == name
        assert variant.base in BUILT_IN
        assert variant.description.endswith(".")
        for players in player_counts(variant.rules):
            check_deal(variant.rules, players, name)


def test_variant_names__list_may_be_changed_by_whoever_asked():
    variant_names().clear()
    assert variant_names() == BUILT_IN


@pytest.mark.parametrize(
    ("name", "base", "changed"),
    [
        ("pinch", "pinch", {}),
        ("classic", "pinch", {"free_draw": False}),
        ("aces-bite", "classic", {"free_draw": False, "aces_bite": True}),
        ("linko", "pinch", {"jokers": 5, "free_draw": False, "tie_break": "shared"}),
        ("duel", "pinch", {"duel": True}),
        ("duel+classic", "duel", {"duel": True, "free_draw": False}),
        ("duel+aces-bite", "duel+classic", {"duel": True, "free_draw": False, "aces_bite": True}),
        ("linko-duel", "linko", {"jokers": 5, "free_draw": False, "tie_break": "shared", "duel": True}),
    ],
)
def test_load_variant__built_in_switches(name, base, changed):
    """R7.1, R7.2, R7.3, R7.4."""
    variant = load_variant(name)
    switches = variant.rules.switches()
    assert variant.base == base
    assert switches.pop("turn_limit") >= 1000, "far beyond any game that ends by itself (R6.6)"
    assert switches == PINCH | changed


@pytest.mark.parametrize("name", BUILT_IN)
def test_load_variant__built_in_switches_are_those_of_the_naive_reference(name):
    rulings = {reading.switch: reading.ruling for reading in READINGS}
    assert load_variant(name).rules.switches() == rulings | naive.default_rules(name)


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
        ('base = "clasic"\n', ("'base' is 'clasic'", "pinch, classic, aces-bite, linko")),
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


@pytest.mark.parametrize("name", ["pinch", "aces-bite", "duel+classic"])
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


# Combinations


@pytest.mark.parametrize(
    ("name", "base", "description", "changed"),
    [
        ("classic+duel", "classic", "classic with duel", {"free_draw": False, "duel": True}),
        ("pinch+duel", "pinch", "pinch with duel", {"duel": True}),
        ("linko+duel", "linko", "linko with duel", {"jokers": 5, "free_draw": False, "tie_break": "shared", "duel": True}),
        (
            "duel+linko+market_size=8",
            "duel",
            "duel with linko, market_size = 8",
            {"jokers": 5, "free_draw": False, "tie_break": "shared", "duel": True, "market_size": 8},
        ),
        (
            "duel+aces-bite+market_size=8",
            "duel+aces-bite",
            "duel+aces-bite with market_size = 8",
            {"free_draw": False, "aces_bite": True, "duel": True, "market_size": 8},
        ),
        ("pinch+refill=card", "pinch", "pinch with refill = card", {"refill": "card"}),
        ('pinch+refill="card"', "pinch", 'pinch with refill = "card"', {"refill": "card"}),
        ("pinch+ refill = card", "pinch", "pinch with refill = card", {"refill": "card"}),
        ("pinch+start_bonus=[0,1,1]", "pinch", "pinch with start_bonus = [0,1,1]", {"start_bonus": [0, 1, 1]}),
        ("pinch+score_hand=-0.5", "pinch", "pinch with score_hand = -0.5", {"score_hand": -0.5}),
        (
            "classic+aces_bite=true",
            "classic",
            "classic with aces_bite = true",
            {"free_draw": False, "aces_bite": True},
        ),
        (
            "linko+equal_pinches=true",
            "linko",
            "linko with equal_pinches = true",
            {"jokers": 5, "free_draw": False, "tie_break": "shared", "equal_pinches": True},
        ),
    ],
)
def test_load_variant__combination(name, base, description, changed):
    variant = load_variant(name)
    assert (variant.name, variant.source, variant.base, variant.description) == (name, name, base, description)
    assert {k: v for k, v in variant.rules.switches().items() if k != "turn_limit"} == PINCH | changed


def test_load_variant__combination_in_any_order():
    for one, other in (("duel+classic", "classic+duel"), ("linko+duel+aces-bite", "aces-bite+linko+duel")):
        assert load_variant(one).rules == load_variant(other).rules
    assert load_variant("duel+classic").description == "A duel without free draw (R7.1, R7.3, R8).", "the built-in file"
    assert load_variant("classic+market_size=8+duel").rules == load_variant("classic+duel+market_size=8").rules


def test_load_variant__a_set_switch_holds_whatever_the_variants_say():
    for name in ("classic+free_draw=true", "pinch+free_draw=true+classic"):
        assert load_variant(name).rules == RuleSet()
    for jokers in (4, 7):
        assert load_variant(f"linko+jokers={jokers}").rules.jokers == jokers


@pytest.mark.parametrize(
    ("name", "parts", "switch", "values"),
    [
        ("jokers-6.toml+linko", ("jokers-6", "linko"), "jokers", "6 and 5"),
        ("pinch+market_size=8+market_size=9", ("market_size=8", "market_size=9"), "market_size", "8 and 9"),
        ("pinch+market_size=6+market_size=8", ("market_size=6", "market_size=8"), "market_size", "6 and 8"),
        ("pinch+refill=card+duel+refill=turn", ("refill=card", "refill=turn"), "refill", "card and turn"),
    ],
)
def test_load_variant__parts_that_contradict_each_other(tmp_path, monkeypatch, name, parts, switch, values):
    monkeypatch.chdir(tmp_path)
    variant_file(tmp_path, "jokers = 6\n", "jokers-6.toml")
    assert file_refusal(name) == (
        f"{name}: '{parts[0]}' and '{parts[1]}' want different values of switch '{switch}': {values}. "
        "Leave one of them out, or write a variant file."
    )


def test_load_variant__parts_that_agree():
    assert load_variant("aces-bite+classic+linko+free_draw=false").rules.free_draw is False
    assert load_variant("duel+duel").rules == load_variant("duel").rules


def test_load_variant__combination_with_files(tmp_path):
    path = variant_file(tmp_path, 'base = "classic"\nmarket_size = 8\n')
    other = variant_file(tmp_path, "copies = 9\n", "more+cards.toml")
    for name, short in ((f"{path}+duel", "mine+duel"), (f"duel+{path}", "duel+mine"), (f"{path}+{other}", "mine+more+cards")):
        variant = load_variant(name)
        assert (variant.name, variant.source) == (short, name)
        assert variant.rules.market_size == 8
        assert variant.rules.free_draw is False
        assert variant.rules.duel == ("duel" in name.split("+"))
        assert variant.rules.copies == (9 if other in name else 8)
    assert load_variant(other).rules.copies == 9, "an existing file is no combination"
    assert load_variant(f"{path}+duel").base == path
    assert load_variant(f"{path}+duel").description == "mine with duel"


def test_load_variant__only_the_whole_combination_must_be_possible(tmp_path):
    assert load_variant("pinch+hand_size=40+copies=15").rules.hand_size == 40
    path = variant_file(tmp_path, "hand_size = 40\n")
    assert "'hand_size' 40" in file_refusal(path)
    variant = load_variant(f"{path}+copies=15")
    assert variant.rules.hand_size == 40
    assert changed_switches(variant) == {"copies": (8, 15)}
    no_jokers = variant_file(tmp_path, "duel = true\njokers = 0\n", "no-jokers.toml")
    assert load_variant(f"{no_jokers}+jokers=4").rules.duel


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("duel+clasic", "'clasic' is not a variant. Did you mean 'classic'? Known: pinch, classic,"),
        ("deul+classic", "'deul' is not a variant. Did you mean 'duel'?"),
        ("duel+other.toml", "The variant file 'other.toml' does not exist."),
        ("other.toml+duel", "The variant file 'other.toml' does not exist."),
        ("pinch+freedraw=true", "pinch+freedraw=true: 'freedraw' is not a switch. Did you mean 'free_draw'? Known: jokers,"),
        ("pinch+=8", "pinch+=8: '' is not a switch."),
        (
            "pinch+market_size=77",
            "pinch+market_size=77: switch 'market_size' cannot be 77; it must be a whole number from 1 to 16.",
        ),
        ("pinch+market_size=", "pinch+market_size=: switch 'market_size' cannot be ''; it must be a whole number"),
        ("pinch+market_size=big", "pinch+market_size=big: switch 'market_size' cannot be 'big'"),
        ("pinch+refill=crad", "pinch+refill=crad: switch 'refill' cannot be 'crad'; it must be 'player', 'card' or 'turn'."),
        ("pinch+free_draw=False", "switch 'free_draw' cannot be 'False'; it must be true or false."),
        ("pinch+score_hand=0.0001", "switch 'score_hand' cannot hold 0.0001; "),
        ("market_size=8", "'market_size=8' is not a variant. To set a switch, begin with a variant: 'pinch+market_size=8'."),
        ("market_size=8+duel", "'market_size=8' is not a variant. To set a switch, begin with a variant"),
        ("duel+", "'duel+': there must be a variant or SWITCH=VALUE on both sides of each '+'."),
        ("+duel", "'+duel': there must be a variant or SWITCH=VALUE on both sides of each '+'."),
        ("duel++classic", "'duel++classic': there must be a variant or SWITCH=VALUE on both sides of each '+'."),
        ("duel+jokers=3", "duel+jokers=3: switch 'duel' needs 'jokers' of at least 4, and it is 3."),
        (
            "duel+hand_size=50",
            "duel+hand_size=50: with 2 players, 'hand_size' 50, 'market_size' 6 and 'shadow_size' 13 need 119 ",
        ),
    ],
)
def test_load_variant__mistake_in_a_combination(tmp_path, monkeypatch, name, words):
    monkeypatch.chdir(tmp_path)
    assert words in file_refusal(name)


def test_changed_switches__against_the_base(tmp_path):
    assert changed_switches(load_variant("pinch")) == {}
    assert changed_switches(load_variant("duel+aces-bite")) == {"aces_bite": (False, True)}
    path = variant_file(tmp_path, 'base = "linko"\njokers = 4\nmarket_size = 8\n')
    assert changed_switches(load_variant(path)) == {"jokers": (5, 4), "market_size": (6, 8)}


def one_changed_switch():
    for name, value in {"free_draw": False, "aces_bite": True, "shadow_blocks_free_draw": False}.items():
        yield {name: value}
    yield {"duel": True}
    yield {"tie_break": "shared"}
    yield from ({reading.switch: flip} for reading in READINGS for flip in list(reading.options)[1:] if reading.in_engine)
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
        assert words == WORDS.get(name, "a list of at most 5 numbers from -1000 to 1000")
