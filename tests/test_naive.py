"""Hand-made cases for the naive reference, most of them worked examples of the source texts."""

import copy
import os
import random
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import naive

VARIANTS = ["pinch", "classic", "aces-bite", "duel", "duel+classic", "duel+aces-bite", "linko", "linko-duel"]


# -- helpers ----------------------------------------------------------------------------------------------


def scripted(*answers):
    """A chooser that gives the answers (kind, choice) in order and checks the kinds."""
    left = list(answers)

    def choose(kind, options, table):
        assert left, f"unexpected decision {kind} {options}"
        expected_kind, choice = left.pop(0)
        assert kind == expected_kind, f"asked {kind} {options}, script has {expected_kind}"
        return choice

    choose.left = left
    return choose


def prepared(hands, choose, displays=None, market="A A A A A A", pile="2 2 2 2", variant="pinch", **changes):
    """A game from a prepared situation; cards as text, a market group as "2+K", an empty place as "-"."""
    rules = naive.default_rules(variant)
    shadow = changes.pop("shadow", None)
    rules.update(changes)
    places = [[] if place == "-" else place.split("+") for place in market.split()]
    header = {
        "rules": rules,
        "players": len(hands),
        "start_seat": 0,
        "hands": [hand.split() for hand in hands],
        "market": places,
        "pile": pile.split(),
    }
    if shadow is not None:
        header["shadow"] = shadow.split()
        header["out_of_play"] = []
    game = naive.Game(header, choose)
    if displays:
        game.displays = [list(display) for display in displays]
    return game


def events_of(game, *kinds):
    return [event for event in game.events if event["type"] in kinds]


def raises(error, call, *args):
    try:
        call(*args)
    except error as caught:
        return str(caught)
    raise AssertionError(f"{error.__name__} expected")


def all_cards(rules):
    return Counter(naive.NUMBER_CARDS[: rules["values"]] * rules["copies"] + ["X"] * rules["jokers"])


def uniform_chooser(seed):
    rng = random.Random(seed)
    return lambda kind, options, table: naive.uniform(kind, options, table, rng)


def players_of(variant, number):
    return 2 if "duel" in variant else 3 + number % 3


# -- worked examples --------------------------------------------------------------------------------------


def test_example_of_the_rules_text():
    """Anna plays three 7s: Ben safe, Carla pinched, Dan safe (Pinch, "Playing a turn")."""
    choose = scripted(
        ("play", ("7", 3, 0)),
        ("take", "take"),
        ("draw", ("market", 1)),
        ("draw", ("market", 4)),
        ("draw", ("pile",)),
    )
    game = prepared(
        ["7 7 7 4", "A", "2", "3"],
        choose,
        displays=[[], [("Q", 2, 0)], [("K", 1, 0), ("4", 3, 0)], [("9", 3, 0)]],
        market="5 6 5 5 10 5",
        pile="J Q K 8",
    )
    game.turn(0)
    assert not choose.left
    assert game.reason is None
    assert sorted(game.hands[0]) == ["4", "4", "4", "4"]
    assert game.hands[2] == ["2", "6", "10", "J"]
    assert game.displays == [[("7", 3, 0)], [("Q", 2, 0)], [("K", 1, 0)], [("9", 3, 0)]]
    assert game.market == [["5"], ["Q"], ["5"], ["5"], ["K"], ["5"]]
    assert game.pile == ["8"]
    assert game.events == [
        {"type": "play", "turn": 1, "seat": 0, "value": "7", "naturals": 3, "jokers": 0},
        {"type": "pinch", "seat": 0, "victim": 2, "value": "4", "naturals": 3, "jokers": 0, "choice": "take"},
        {"type": "draw", "seat": 2, "source": "market", "place": 1, "cards": ["6"]},
        {"type": "draw", "seat": 2, "source": "market", "place": 4, "cards": ["10"]},
        {"type": "draw", "seat": 2, "source": "pile", "cards": ["J"]},
        {"type": "refill", "cards": ["Q", "K"], "places": [1, 4]},
    ]


def test_scoring_example():
    """17 cards in the display and 4 in the hand: 13 points (R6.3); bonuses by position (R11)."""
    rules = naive.default_rules("pinch")
    assert naive.scores_of(rules, 0, [17, 3, 0], [4, 4, 5]) == [13, -1, -5]
    rules["start_bonus"] = [0, 0.1, 0.2]
    scores = naive.scores_of(rules, 1, [17, 3, 0], [4, 4, 5])  # positions by seat: 2, 0, 1
    assert [naive.plain_number(score) for score in scores] == [13.2, -1, -4.9]
    assert type(naive.plain_number(scores[1])) is int


def linko_2a(respond, *draws):
    """Andy 0, Ben 1, Catharine 2, Daniel 3; Andy plays a pair of 12s."""
    choose = scripted(
        ("play", ("Q", 2, 0)),
        ("take", "take"),
        ("draw", ("pile",)),
        ("draw", ("pile",)),
        ("take", "leave"),
        ("respond", respond),
        *draws,
    )
    game = prepared(
        ["Q Q 3", "A", "A", "A"],
        choose,
        displays=[[], [("3", 1, 0)], [("9", 2, 0)], [("2", 1, 0), ("7", 1, 1)]],
        pile="4 5 6 8 10",
        variant="linko",
    )
    game.turn(0)
    assert not choose.left
    assert game.hands[0] == ["3", "9", "9"]
    assert game.hands[2] == ["A", "4", "5"]
    assert game.displays == [[("Q", 2, 0)], [("3", 1, 0)], [], [("2", 1, 0)]]
    return game


def test_linko_example_2a():
    game = linko_2a("take_back")
    assert game.hands[3] == ["A", "7", "X"]  # R4.7
    assert game.discard == []
    game = linko_2a("discard", ("draw", ("pile",)), ("draw", ("market", 0)))
    assert game.hands[3] == ["A", "6", "A"]
    assert game.discard == ["7", "X"]
    assert game.events[-1] == {"type": "refill", "cards": ["8"], "places": [0]}


def test_linko_example_2b():
    """Ben's 13 pinches Daniel's 5; Catharine's two 1s and Andy's two 3s differ in number."""
    choose = scripted(("play", ("K", 1, 0)), ("take", "take"), ("draw", ("pile",)))
    game = prepared(
        ["A", "K 2", "A", "A"],
        choose,
        displays=[[("3", 2, 0)], [], [("A", 2, 0)], [("5", 1, 0)]],
        variant="linko",
    )
    game.turn(1)
    assert not choose.left
    assert [event["victim"] for event in events_of(game, "pinch")] == [3]


def test_clockwise_each_once_and_refill_between_pinches():
    """From the left-hand neighbour of seat 2; the group uncovered is not pinched again (R4.1, R4.5, R4.6)."""
    choose = scripted(
        ("play", ("9", 1, 0)),
        ("take", "take"),
        ("draw", ("market", 0)),
        ("take", "take"),
        ("draw", ("market", 0)),
    )
    game = prepared(
        ["A", "A", "9 2"],
        choose,
        displays=[[("3", 1, 0), ("4", 1, 0)], [("5", 1, 0), ("6", 1, 0)], []],
        pile="J Q K",
    )
    game.turn(2)
    assert [event["victim"] for event in events_of(game, "pinch")] == [0, 1]
    assert game.displays[:2] == [[("3", 1, 0)], [("5", 1, 0)]]
    assert [event["type"] for event in game.events] == ["play"] + ["pinch", "draw", "refill"] * 2
    assert game.hands[1] == ["A", "J"]  # the card that refilled place 0


def test_beats():
    pinch, bite = naive.default_rules("pinch"), naive.default_rules("aces-bite")
    cases = [  # group, other, in pinch, in aces-bite (R4.2, R7.2)
        (("7", 2, 1), ("6", 3, 0), True, True),
        (("7", 2, 1), ("7", 3, 0), False, False),
        (("7", 2, 1), ("6", 2, 0), False, False),
        (("X", 0, 2), ("K", 2, 0), True, True),
        (("X", 0, 2), ("X", 0, 2), False, False),
        (("K", 1, 0), ("X", 0, 1), False, False),
        (("A", 1, 0), ("K", 1, 0), False, True),
        (("A", 1, 1), ("K", 2, 0), False, True),
        (("A", 1, 1), ("X", 0, 2), False, True),
        (("A", 1, 0), ("X", 0, 2), False, False),
        (("A", 1, 0), ("Q", 1, 0), False, False),
        (("A", 1, 0), ("A", 1, 0), False, False),
        (("2", 1, 0), ("A", 1, 0), True, True),
        (("K", 1, 0), ("A", 1, 0), True, True),
        (("X", 0, 1), ("A", 1, 0), True, True),
    ]
    for group, other, in_pinch, in_bite in cases:
        assert naive.beats(group, other, pinch) is in_pinch, (group, other)
        assert naive.beats(group, other, bite) is in_bite, (group, other)
    bite["values"] = 2  # the king is the 2
    assert naive.beats(("A", 1, 0), ("2", 1, 0), bite) and naive.beats(("2", 1, 0), ("A", 1, 0), bite)


def test_ace_pinches_king_and_lone_jokers():
    choose = scripted(
        ("play", ("A", 2, 0)), ("take", "leave"), ("respond", "take_back"), ("take", "take"),
        ("draw", ("pile",)), ("draw", ("pile",)),
    )  # fmt: skip
    displays = [[], [("K", 1, 1)], [("X", 0, 2)]]
    game = prepared(["A A 5", "4", "4"], choose, displays, variant="aces-bite")
    game.turn(0)
    assert not choose.left
    assert game.hands[0] == ["5", "X", "X"]


def test_last_group_pinches_nobody():
    """R3.4, R6.1."""
    game = prepared(["9", "A", "A A"], scripted(("play", ("9", 1, 0))), [[], [("2", 1, 0)], [("2", 1, 0)]])
    game.turn(0)
    assert [event["type"] for event in game.events] == ["play", "end"]
    assert game.events[-1] == {
        "type": "end", "reason": "hand_empty", "turns": 1, "display": [1, 1, 1], "hand": [0, 1, 2],
        "scores": [1, 0, -1], "winners": [0],
    }  # fmt: skip


def test_end_in_the_middle_of_drawing():
    """Three cards to draw, two exist: no third draw, no refill, Dan is not pinched (R5.3)."""
    choose = scripted(
        ("play", ("9", 3, 0)), ("take", "take"), ("draw", ("pile",)), ("draw", ("market", 2)),
    )  # fmt: skip
    displays = [[], [("2", 3, 0)], [("3", 3, 0)]]
    game = prepared(["9 9 9 5", "A", "A"], choose, displays, market="- - J - - -", pile="K")
    game.turn(0)
    assert not choose.left
    assert game.reason == "cards_exhausted"
    assert [event["type"] for event in game.events] == ["play", "pinch", "draw", "draw", "end"]
    assert game.hands[1] == ["A", "K", "J"]
    assert game.displays[2] == [("3", 3, 0)]


def test_last_market_card_first_then_pile_also_ends():
    """The order in which the two ran out does not matter; the free draw can end the game too (R5.3)."""
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("pile",)))
    game = prepared(["2 5", "A", "A"], choose, market="- - - - - -", pile="K")
    game.turn(0)
    assert game.reason == "cards_exhausted"
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("market", 5)))
    game = prepared(["2 5", "A", "A"], choose, market="- - - - - J", pile="K")
    game.turn(0)
    assert game.reason is None
    assert game.market == [["K"], [], [], [], [], []]  # the lowest empty place first (R5.2)


def test_nothing_left_to_draw_does_not_crash():
    """Only a prepared situation can be like this."""
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("pass",)), ("play", ("3", 1, 0)), ("take", "take"))
    game = prepared(["2 5", "3 3", "A"], choose, market="- - - - - -", pile="")
    game.turn(0)
    game.turn(1)
    assert not choose.left
    assert game.reason is None


def test_free_draw_only_without_a_pinch():
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("pass",)))
    game = prepared(["2 5", "A", "A"], choose)
    game.turn(0)
    assert game.events[-1] == {"type": "pass", "seat": 0}
    game = prepared(["2 5", "A", "A"], scripted(("play", ("2", 1, 0))), variant="classic")
    game.turn(0)
    assert game.events[-1]["type"] == "play"


def test_tie_break():
    """R6.4."""
    rules = naive.default_rules("pinch")
    assert naive.winners_of(rules, [3, 3, 2], [5, 4, 0]) == [1]
    assert naive.winners_of(rules, [3, 3, 2], [4, 4, 0]) == [0, 1]
    assert naive.winners_of(naive.default_rules("linko"), [3, 3, 2], [5, 4, 0]) == [0, 1]
    rules["start_bonus"] = [0.1, 0.2, 0.3]  # 0.1 + 1.2 and 1 + 0.3 differ as floats
    rules["score_display"] = 0.6
    scores = naive.scores_of(rules, 0, [2, 2, 2], [0, 0, 0])
    assert naive.winners_of(rules, scores, [0, 0, 0]) == [2]
    rules.update(start_bonus=[0.3, 0.1, 0.3], score_display=0.1)
    assert naive.winners_of(rules, naive.scores_of(rules, 0, [0, 2, 0], [0, 0, 0]), [0, 0, 0]) == [0, 1, 2]


def test_turn_limit():
    """R6.6: the limit turn is resolved completely; the other ends take precedence."""
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("market", 0)))
    game = prepared(["2 5", "A", "A"], choose, turn_limit=1)
    game.turn(0)
    assert [event["type"] for event in game.events] == ["play", "draw", "refill", "end"]
    assert game.reason == "turn_limit"
    game = prepared(["2", "A", "A"], scripted(("play", ("2", 1, 0))), turn_limit=1)
    game.turn(0)
    assert game.reason == "hand_empty"


def test_illegal_choice():
    for wrong in (("9", 1, 0), ("2", 2, 0), None):
        game = prepared(["2 5", "A", "A"], scripted(("play", wrong)))
        raises(naive.IllegalChoice, game.turn, 0)


# -- duel -------------------------------------------------------------------------------------------------


def test_shadow_is_pinched_first_and_refilled():
    """A choice of two groups; kings and jokers go onto the lowest singles, then out of play (R8.3-R8.8)."""
    choose = scripted(("play", ("9", 1, 1)), ("shadow", ("5", 2)), ("take", "leave"), ("respond", "take_back"))
    game = prepared(
        ["9 X 2", "A"],
        choose,
        displays=[[], [("4", 2, 0)]],
        market="X 3+K 3 10 3",
        pile="K X 6 K X K 7",
        shadow="3 3 5 5 9 9 10 8",
        shadow_size=8,
        market_size=5,
        variant="duel",
    )
    game.turn(0)
    assert not choose.left
    assert [event["type"] for event in game.events] == [
        "play", "shadow_pinch", "shadow_refill", "pinch", "respond",
    ]  # fmt: skip
    assert game.events[1] == {"type": "shadow_pinch", "seat": 0, "value": "5", "size": 2}
    assert game.events[2] == {
        "type": "shadow_refill",
        "cards": ["6", "7"],
        "to_market": [
            {"card": "K", "place": 2}, {"card": "X", "place": 4}, {"card": "K", "place": 3},
            {"card": "X", "place": 0},
        ],
        "out_of_play": ["K"],
    }  # fmt: skip
    assert game.hands[0] == ["2", "5", "5"]
    assert game.reason is None and not game.pile  # R8.8


def test_one_shadow_group_is_forced_and_blocks_the_free_draw():
    """R8.5, R8.7."""
    for blocks in (True, False):
        answers = [("play", ("9", 1, 0))] + ([] if blocks else [("free_draw", ("market", 0))])
        choose = scripted(*answers)
        game = prepared(
            ["9 2", "A"],
            choose,
            market="2+K 4 4 4 4 4",
            pile="J",
            shadow="8 9",
            shadow_size=2,
            variant="duel",
            shadow_blocks_free_draw=blocks,
        )
        game.turn(0)
        assert not choose.left
        assert events_of(game, "shadow_pinch") == [{"type": "shadow_pinch", "seat": 0, "value": "8", "size": 1}]
        assert sorted(game.shadow) == ["9", "J"]
        if not blocks:  # a market group counts as one card (R8.4)
            assert game.hands[0] == ["2", "8", "2", "K"]
            assert game.market[0] == []


def test_lone_jokers_and_aces_against_the_shadow():
    """A lone joker pinches any single; an ace nothing, since there are no kings in the shadow (R8.3)."""
    choose = scripted(("play", ("X", 0, 1)), ("shadow", ("Q", 1)), ("play", ("A", 1, 0)), ("take", "take"),
                      ("draw", ("pile",)))  # fmt: skip
    game = prepared(
        ["X 2", "A 3"], choose, pile="K J K 9", market="2 2 2 2 2 X", shadow="2 Q A A", shadow_size=4,
        variant="duel+aces-bite",
    )  # fmt: skip
    game.turn(0)
    game.turn(1)  # the ace bites the lone joker of the opponent
    assert not choose.left
    assert game.hands == [["2", "Q", "K"], ["3", "X"]]


def test_duel_setup():
    """R8.1-R8.3."""
    for variant in ("duel", "linko-duel"):
        for seed in range(300):
            rules = naive.default_rules(variant)
            header = naive.deal(rules, 2, 0, random.Random(seed))
            for hand in header["hands"]:
                assert len(hand) == 13 and hand.count("X") == 2
            assert len(header["market"]) == 6
            assert len(header["shadow"]) == 13
            assert not {"K", "X"} & set(header["shadow"])
            singles = [place for place in header["market"] if isinstance(place, str)]
            groups = [place for place in header["market"] if not isinstance(place, str)]
            for _base, added in groups:
                assert added in ("K", "X")
            if header["out_of_play"]:
                assert not singles
            if singles and groups:
                assert max(naive.RANK[base] for base, _ in groups) <= min(naive.RANK[card] for card in singles)
            elsewhere = [card for place in header["market"] for card in place_cards(place)]
            everything = (
                [card for hand in header["hands"] for card in hand] + elsewhere + header["shadow"] + header["out_of_play"]
            )
            assert Counter(everything + header["pile"]) == all_cards(rules)


def place_cards(place):
    return [place] if isinstance(place, str) else place


# -- contested readings -----------------------------------------------------------------------------------


def types(game):
    return [event["type"] for event in game.events]


def victims(game):
    return [event["victim"] for event in events_of(game, "pinch")]


PAIR_TAKEN = [("play", ("9", 2, 0)), ("take", "take")]  # by seat 0; two cards are to be drawn
PAIRS = [[], [("2", 2, 0)], [("Q", 2, 0)]]


def drawing(answers, market, pile, **changes):
    """Seat 0 pinches the pair of seat 1 and takes it; then the answers follow."""
    choose = scripted(*PAIR_TAKEN, *answers)
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, market=market, pile=pile, **changes)
    game.turn(0)
    assert not choose.left
    assert game.pending == []
    return game


def test_readings__default_first_and_missing_keys():
    assert len(naive.READINGS) == 10
    for name, allowed in naive.READINGS.items():
        assert naive.reading({}, name) == allowed[0]
        assert naive.reading({name: allowed[-1]}, name) == allowed[-1]
        for variant in VARIANTS:
            assert name not in naive.default_rules(variant)


def test_readings__unknown_values_are_refused():
    rules = naive.default_rules("pinch")
    for name, allowed in naive.READINGS.items():
        for value in allowed:
            naive.check_rules({**rules, name: value}, 3)
        for wrong in ("no", "True", 0, 1, None, []):
            assert name in raises(ValueError, naive.check_rules, {**rules, name: wrong}, 3)


def test_exhaustion__pile_card_last():
    """Market card first, then the last card of the pile: that ends the game only under "both" (R5.3)."""
    answers = [("draw", ("market", 0)), ("draw", ("pile",))]
    for exhaustion in ("both", "market_last", "market_card"):
        game = drawing(answers, "J -", "K", market_size=2, exhaustion=exhaustion)
        assert game.hands[1] == ["A", "J", "K"]
        ends = exhaustion == "both"
        assert types(game) == ["play", "pinch", "draw", "draw"] + ["end"] * ends
        assert game.reason == ("cards_exhausted" if ends else None)


def test_exhaustion__market_card_last():
    """Pile card first, then the last card of the market: that ends the game under all readings (R5.3)."""
    for exhaustion in ("both", "market_last", "market_card"):
        game = drawing([("draw", ("pile",)), ("draw", ("market", 1))], "- J", "K", market_size=2, exhaustion=exhaustion)
        assert types(game) == ["play", "pinch", "draw", "draw", "end"]
        assert game.reason == "cards_exhausted"
        assert game.hands[1] == ["A", "K", "J"]


def test_exhaustion__market_card_with_others_left():
    """A card from the market with the pile empty ends the game under "market_card" alone (R5.3)."""
    for exhaustion in ("both", "market_last"):
        game = drawing([("draw", ("pile",)), ("draw", ("market", 1))], "3 J", "K", market_size=2, exhaustion=exhaustion)
        assert types(game) == ["play", "pinch", "draw", "draw"]
        assert game.market == [["3"], []]
    answers = [("draw", ("market", 1))]  # the second card is not drawn any more
    game = drawing(answers, "3 J", "", market_size=2, exhaustion="market_card")
    assert types(game) == ["play", "pinch", "draw", "end"]
    assert game.market == [["3"], []]
    game = drawing([("draw", ("market", 1)), ("draw", ("pile",))], "3 J", "K", market_size=2, exhaustion="market_card")
    assert game.reason is None  # the pile was not empty when the market card was drawn


def test_exhaustion__rest_of_a_drawing_is_forfeited():
    """No source left: the drawing stops, the turn goes on, a free draw is skipped silently (R5.3, R5.4)."""
    for exhaustion in ("market_last", "market_card"):
        choose = scripted(*PAIR_TAKEN, ("draw", ("pile",)), ("take", "take"), ("play", ("4", 1, 0)))
        game = prepared(
            ["9 9 5", "A 4", "A"], choose, [[], [("2", 2, 0)], [("3", 2, 0)]], market="-", pile="K",
            market_size=1, exhaustion=exhaustion,
        )  # fmt: skip
        game.turn(0)
        game.turn(1)
        assert not choose.left
        assert types(game) == ["play", "pinch", "draw", "pinch", "play"]
        assert game.hands == [["5", "2", "2", "3", "3"], ["A", "K"], ["A"]]
        assert game.reason is None


def test_exhaustion__free_draw_ends_the_game():
    for exhaustion, source, ends in [
        ("both", ("pile",), True), ("market_last", ("pile",), False), ("market_card", ("pile",), False),
    ]:  # fmt: skip
        choose = scripted(("play", ("2", 1, 0)), ("free_draw", source))
        game = prepared(["2 5", "A", "A"], choose, market="-", pile="K", market_size=1, exhaustion=exhaustion)
        game.turn(0)
        assert types(game) == ["play", "draw"] + ["end"] * ends
    for exhaustion, ends in [("both", False), ("market_last", False), ("market_card", True)]:
        choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("market", 0)))
        game = prepared(["2 5", "A", "A"], choose, market="K K", pile="", market_size=2, exhaustion=exhaustion)
        game.turn(0)
        assert types(game) == ["play", "draw"] + ["end"] * ends


def test_refill__after_each_card():
    """The second draw already finds the card that refilled the place of the first (R5.2)."""
    game = drawing([("draw", ("market", 0)), ("draw", ("market", 0))], "3 4", "J Q K", market_size=2, refill="card")
    assert types(game) == ["play", "pinch", "draw", "refill", "draw", "refill"]
    assert game.hands[1] == ["A", "3", "J"]
    assert game.market == [["Q"], ["4"]]
    assert game.pile == ["K"]
    game = drawing([("draw", ("pile",)), ("draw", ("market", 1))], "3 4", "J Q K", market_size=2, refill="card")
    assert types(game) == ["play", "pinch", "draw", "draw", "refill"]
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("market", 1)))
    game = prepared(["2 5", "A", "A"], choose, market="3 4", pile="J", market_size=2, refill="card")
    game.turn(0)
    assert game.events[1:] == [
        {"type": "draw", "seat": 0, "source": "market", "place": 1, "cards": ["4"]},
        {"type": "refill", "cards": ["J"], "places": [1]},
    ]


def test_refill__end_check_comes_before_the_refill():
    """The market's last card goes while the pile has one: it is refilled, and drawing that one ends the game."""
    answers = [("draw", ("market", 0)), ("draw", ("market", 0))]
    game = drawing(answers, "3", "J", market_size=1, refill="card")
    assert types(game) == ["play", "pinch", "draw", "refill", "draw", "end"]
    game = drawing(answers[:1], "3 4", "", market_size=2, refill="card", exhaustion="market_card")
    assert types(game) == ["play", "pinch", "draw", "end"]


def test_refill__once_a_turn():
    """After all pinches, before the turn limit (R5.2, R6.6)."""
    choose = scripted(
        ("play", ("9", 1, 0)), ("take", "take"), ("draw", ("market", 1)), ("take", "take"), ("draw", ("market", 0)),
    )  # fmt: skip
    game = prepared(
        ["9 2", "A", "A"], choose, [[], [("3", 1, 0)], [("4", 1, 0)]], market="5 6 7", pile="J Q K", market_size=3,
        refill="turn", turn_limit=1,
    )  # fmt: skip
    game.turn(0)
    assert not choose.left
    assert types(game) == ["play", "pinch", "draw", "pinch", "draw", "refill", "end"]
    assert game.events[-2] == {"type": "refill", "cards": ["J", "Q"], "places": [0, 1]}
    assert game.reason == "turn_limit"


def test_refill__once_a_turn_after_the_free_draw_but_not_after_the_end():
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("market", 0)))
    game = prepared(["2 5", "A", "A"], choose, market="3 4", pile="J", market_size=2, refill="turn")
    game.turn(0)
    assert types(game) == ["play", "draw", "refill"]
    answers = [("draw", ("market", 0)), ("draw", ("pile",))]
    game = drawing(answers, "3", "J", market_size=1, refill="turn")
    assert types(game) == ["play", "pinch", "draw", "draw", "end"]
    game = drawing(answers, "3", "J Q", market_size=1, refill="turn")
    assert types(game) == ["play", "pinch", "draw", "draw", "refill"]
    assert game.market == [["Q"]]
    game = prepared(["2", "A", "A"], scripted(("play", ("2", 1, 0))), market="- 4", market_size=2, refill="turn")
    game.turn(0)
    assert types(game) == ["play", "end"]


def beaten(group, other, **changes):
    return naive.beats(group, other, {**naive.default_rules("pinch"), **changes})


def test_equal_pinches():
    """R4.2."""
    for equal in (False, True):
        assert beaten(("7", 2, 1), ("7", 3, 0), equal_pinches=equal) is equal
        assert beaten(("A", 1, 0), ("A", 1, 0), equal_pinches=equal, aces_bite=True) is equal
        assert not beaten(("7", 2, 0), ("7", 3, 0), equal_pinches=equal)
        assert not beaten(("6", 2, 0), ("7", 2, 0), equal_pinches=equal)
        assert not beaten(("X", 0, 2), ("X", 0, 2), equal_pinches=equal)
        assert not beaten(("K", 2, 0), ("X", 0, 2), equal_pinches=equal)
    choose = scripted(("play", ("9", 1, 0)), ("take", "take"), ("draw", ("pile",)))
    game = prepared(["9 2", "A", "A"], choose, [[], [("9", 1, 0)], [("10", 1, 0)]], equal_pinches=True)
    game.turn(0)
    assert victims(game) == [1]


def test_equal_pinches__shadow():
    """R8.5."""
    choose = scripted(("play", ("9", 1, 1)), ("shadow", ("9", 2)))
    game = prepared(["9 X 2", "A"], choose, pile="J", shadow="5 5 9 9 10 10", shadow_size=6, variant="duel", equal_pinches=True)
    game.turn(0)
    assert not choose.left
    assert game.hands[0] == ["2", "9", "9"]


def test_last_group_pinches():
    """Shadow or others as usual, then the game ends, also if the player took cards; no free draw (R3.4)."""
    for choice, hands, scores in [
        ("take", [["2"], ["A", "K"], ["A", "A"]], [0, -2, -1]), ("leave", [[], ["A", "2"], ["A", "A"]], [1, -2, -1]),
    ]:  # fmt: skip
        follow = [("draw", ("market", 0))] if choice == "take" else [("respond", "take_back")]
        choose = scripted(("play", ("9", 1, 0)), ("take", choice), *follow)
        game = prepared(
            ["9", "A", "A A"], choose, [[], [("2", 1, 0)], [("J", 1, 0)]], market="K", pile="J Q", market_size=1,
            last_group_pinches=True, refill="turn",
        )  # fmt: skip
        game.turn(0)
        assert not choose.left
        assert types(game) == ["play", "pinch", "draw" if choice == "take" else "respond", "end"]
        assert game.reason == "hand_empty"
        assert game.hands == hands
        assert game.events[-1]["scores"] == scores


def test_last_group_pinches__nobody_there():
    for last in (False, True):
        game = prepared(["9", "A", "A"], scripted(("play", ("9", 1, 0))), last_group_pinches=last)
        game.turn(0)
        assert types(game) == ["play", "end"]
        assert game.reason == "hand_empty"


def test_last_group_pinches__exhausted_in_the_middle():
    choose = scripted(("play", ("9", 1, 0)), ("take", "take"), ("draw", ("pile",)))
    game = prepared(
        ["9", "A", "A"], choose, [[], [("2", 1, 0)], [("3", 1, 0)]], market="-", pile="K", market_size=1,
        last_group_pinches=True,
    )  # fmt: skip
    game.turn(0)
    assert victims(game) == [1]
    assert game.reason == "cards_exhausted"


def test_last_group_pinches__shadow():
    choose = scripted(("play", ("9", 1, 0)), ("take", "leave"), ("respond", "take_back"))
    game = prepared(
        ["9", "A"], choose, [[], [("3", 1, 0)]], pile="J", shadow="8 10", shadow_size=2, variant="duel",
        last_group_pinches=True, shadow_blocks_free_draw=False,
    )  # fmt: skip
    game.turn(0)
    assert not choose.left
    assert types(game) == ["play", "shadow_pinch", "shadow_refill", "pinch", "respond", "end"]
    assert game.hands[0] == ["8"]
    assert game.reason == "hand_empty"


def number_groups(size):
    return [(value, size - jokers, jokers) for value in naive.NUMBER_CARDS for jokers in range(size)]


def test_compare__sum_is_value():
    """With equal sizes the sums compare as the values do (R4.2)."""
    for size in (1, 2, 3):
        groups = number_groups(size) + [("X", 0, size)]
        for group in groups:
            for other in groups:
                for changes in ({}, {"aces_bite": True}, {"equal_pinches": True}):
                    assert beaten(group, other, compare="sum", **changes) is beaten(group, other, **changes)


def test_compare__naturals():
    """Jokers add size, but no strength (R4.2)."""
    for size in (1, 2, 3):
        for group in number_groups(size):
            for other in number_groups(size):
                strengths = [naive.RANK[one[0]] * one[1] for one in (group, other)]
                assert beaten(group, other, compare="naturals") is (strengths[0] > strengths[1])
                if group[2] == other[2] == 0:  # as ever without jokers
                    assert beaten(group, other, compare="naturals") is beaten(group, other)
    assert not beaten(("9", 1, 1), ("5", 2, 0), compare="naturals")
    assert beaten(("5", 2, 0), ("9", 1, 1), compare="naturals")
    assert beaten(("5", 2, 0), ("10", 1, 1), compare="naturals", equal_pinches=True)  # 10 against 10
    assert not beaten(("5", 2, 0), ("10", 1, 1), compare="naturals")
    assert beaten(("7", 3, 0), ("7", 2, 1), compare="naturals")
    for compare in ("sum", "naturals"):
        assert beaten(("X", 0, 2), ("K", 2, 0), compare=compare)
        assert not beaten(("K", 2, 0), ("X", 0, 2), compare=compare)
        assert beaten(("A", 1, 1), ("K", 2, 0), compare=compare, aces_bite=True)


def test_compare__naturals_against_the_shadow():
    """9 with a joker has strength 9: more than a pair of 4s, less than a pair of 5s (R8.5)."""
    choose = scripted(("play", ("9", 1, 1)))
    game = prepared(["9 X 2", "A"], choose, pile="J", shadow="4 4 5 5", shadow_size=4, variant="duel", compare="naturals")
    game.turn(0)
    assert events_of(game, "shadow_pinch") == [{"type": "shadow_pinch", "seat": 0, "value": "4", "size": 2}]


def test_lone_joker_tie():
    """R4.2."""
    for tie in ("safe", "pinch"):
        for equal in (False, True):
            assert beaten(("X", 0, 2), ("X", 0, 2), lone_joker_tie=tie, equal_pinches=equal) is (tie == "pinch")
            assert not beaten(("X", 0, 2), ("X", 0, 1), lone_joker_tie=tie, equal_pinches=equal)
            assert beaten(("7", 1, 1), ("7", 1, 1), lone_joker_tie=tie, equal_pinches=equal) is equal
            assert not beaten(("K", 2, 0), ("X", 0, 2), lone_joker_tie=tie, equal_pinches=equal)
    choose = scripted(("play", ("X", 0, 1)), ("take", "leave"), ("respond", "take_back"))
    game = prepared(["X 2", "A", "A"], choose, [[], [("X", 0, 1)], [("X", 0, 2)]], lone_joker_tie="pinch")
    game.turn(0)
    assert victims(game) == [1]
    assert game.hands[1] == ["A", "X"]


def test_exposed_group():
    """Pinched again and again until one is not beaten or the display is empty (R4.1, R4.5)."""
    displays = [[], [("Q", 1, 0), ("3", 1, 0), ("4", 1, 0)], [("5", 1, 0), ("6", 1, 0)], [("7", 2, 0), ("8", 1, 0)]]
    once = [("take", "leave"), ("respond", "take_back")]
    for exposed, expected in [("safe", [1, 2, 3]), ("pinched", [1, 1, 2, 2, 3])]:
        choose = scripted(("play", ("9", 1, 0)), *once * len(expected))
        game = prepared(["9 2", "A", "A", "A"], choose, displays, exposed_group=exposed)
        game.turn(0)
        assert not choose.left
        assert victims(game) == expected
    assert game.displays == [[("9", 1, 0)], [("Q", 1, 0)], [], [("7", 2, 0)]]
    assert game.hands[1:] == [["A", "4", "3"], ["A", "6", "5"], ["A", "8"]]


def test_exposed_group__each_pinch_is_finished_first():
    """Draws and refill of the first pinch come before the second (R4.6)."""
    choose = scripted(
        ("play", ("9", 1, 0)), ("take", "take"), ("draw", ("market", 0)), ("take", "take"), ("draw", ("market", 0)),
    )  # fmt: skip
    displays = [[], [("3", 1, 0), ("4", 1, 0)], []]
    game = prepared(["9 2", "A", "A"], choose, displays, pile="J Q", exposed_group="pinched")
    game.turn(0)
    assert not choose.left
    assert types(game) == ["play"] + ["pinch", "draw", "refill"] * 2
    assert game.hands[:2] == [["2", "4", "3"], ["A", "A", "J"]]


def test_exposed_group__never_in_the_shadow():
    """Exactly one shadow group, though the refill brings another one (R8.5)."""
    game = prepared(
        ["9 2", "A"], scripted(("play", ("9", 1, 0))), pile="7 J", shadow="8 10", shadow_size=2, variant="duel",
        exposed_group="pinched",
    )  # fmt: skip
    game.turn(0)
    assert types(game) == ["play", "shadow_pinch", "shadow_refill"]
    assert game.shadow == ["10", "7"]


def with_discards(game, cards):
    game.discard = cards.split()
    return game


def test_reshuffle__before_a_draw():
    """The discarded group itself comes back into the pile; the options are sorted (R5.2)."""
    choose = scripted(
        ("play", ("9", 2, 0)), ("take", "leave"), ("respond", "discard"), ("reshuffle", ["X", "2", "10", "2", "A"]),
        ("draw", ("pile",)), ("draw", ("pile",)),
    )  # fmt: skip
    seen = []

    def watch(kind, options, table):
        if kind == "reshuffle":
            seen.append((options, table["seat"], table["discard"], table["pile"]))
        return choose(kind, options, table)

    game = with_discards(prepared(["9 9 5", "A", "A"], watch, PAIRS, pile="", discards="reshuffled"), "X 10 A")
    game.turn(0)
    assert not choose.left
    assert seen == [(["A", "2", "2", "10", "X"], None, ["X", "10", "A", "2", "2"], [])]
    assert types(game) == ["play", "pinch", "respond", "reshuffle", "draw", "draw"]
    assert game.events[3] == {"type": "reshuffle", "cards": ["X", "2", "10", "2", "A"]}
    assert game.hands[1] == ["A", "X", "2"]
    assert game.pile == ["10", "2", "A"]
    assert game.discard == []


def test_reshuffle__between_two_draws():
    """The pile's last card does not end the game; the next decision finds the new pile (R5.2, R5.3)."""
    choose = scripted(*PAIR_TAKEN, ("draw", ("pile",)), ("reshuffle", ["8", "7"]), ("draw", ("pile",)))
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, market="-", pile="K", market_size=1, discards="reshuffled")
    with_discards(game, "7 8").turn(0)
    assert not choose.left
    assert types(game) == ["play", "pinch", "draw", "reshuffle", "draw", "refill"]
    assert game.hands[1] == ["A", "K", "8"]
    assert game.market == [["7"]]


def test_reshuffle__before_the_free_draw():
    """Even if the player passes then (R5.4)."""
    choose = scripted(("play", ("2", 1, 0)), ("reshuffle", ["7", "8"]), ("free_draw", ("pass",)))
    game = prepared(["2 5", "A", "A"], choose, pile="", discards="reshuffled", exhaustion="market_last")
    with_discards(game, "8 7").turn(0)
    assert types(game) == ["play", "reshuffle", "pass"]
    assert game.pile == ["7", "8"]


def test_reshuffle__in_the_middle_of_a_refill():
    """Two lines of refill, one on each side (R5.2)."""
    choose = scripted(*PAIR_TAKEN, ("draw", ("market", 0)), ("draw", ("market", 2)), ("reshuffle", ["8", "7"]))
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, market="3 4 5", pile="K", market_size=3, discards="reshuffled")
    with_discards(game, "7 8").turn(0)
    assert not choose.left
    assert game.events[4:] == [
        {"type": "refill", "cards": ["K"], "places": [0]},
        {"type": "reshuffle", "cards": ["8", "7"]},
        {"type": "refill", "cards": ["8"], "places": [2]},
    ]
    assert game.pile == ["7"]


def test_reshuffle__at_the_edges_of_a_refill():
    """A part of the refill in which nothing happened is left out; no reshuffle without a gap (R5.2)."""
    answers = [("draw", ("market", 0)), ("draw", ("pile",))]
    choose = scripted(*PAIR_TAKEN, *answers, ("reshuffle", ["8", "7"]))
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, market="3 4", pile="K", market_size=2, discards="reshuffled")
    with_discards(game, "7 8").turn(0)
    assert types(game) == ["play", "pinch", "draw", "draw", "reshuffle", "refill"]
    choose = scripted(*PAIR_TAKEN, ("draw", ("market", 0)), ("draw", ("pile",)))
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, market="3 4", pile="K Q", market_size=2, discards="reshuffled")
    with_discards(game, "7 8").turn(0)
    assert types(game) == ["play", "pinch", "draw", "draw", "refill"]
    assert game.pile == [] and game.discard == ["7", "8"]


def test_reshuffle__in_the_refill_of_the_turn_and_of_the_card():
    choose = scripted(
        *PAIR_TAKEN, ("draw", ("market", 1)), ("reshuffle", ["8", "7"]), ("draw", ("market", 1)),
    )  # fmt: skip
    changes = {"market": "3 4", "market_size": 2, "discards": "reshuffled", "refill": "card", "pile": "K"}
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, **changes)
    with_discards(game, "7 8").turn(0)
    assert not choose.left
    assert types(game) == ["play", "pinch", "draw", "refill", "reshuffle", "draw", "refill"]
    assert game.hands[1] == ["A", "4", "K"]
    choose = scripted(*PAIR_TAKEN, ("draw", ("market", 1)), ("draw", ("market", 0)), ("reshuffle", ["8", "7"]))
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, **{**changes, "refill": "turn"})
    with_discards(game, "7 8").turn(0)
    assert not choose.left
    assert types(game) == ["play", "pinch", "draw", "draw", "refill", "reshuffle", "refill"]
    assert game.market == [["K"], ["8"]]


def test_reshuffle__end_check_counts_the_discards():
    """The last card of the pile goes, the market is empty: no end while a card is discarded (R5.3)."""
    for refill in naive.READINGS["refill"]:
        for discards in naive.READINGS["discards"]:
            reshuffled = discards == "reshuffled"
            answers = [("play", ("2", 1, 0)), ("free_draw", ("pile",))] + [("reshuffle", ["7"])] * reshuffled
            choose = scripted(*answers)
            game = prepared(["2 5", "A", "A"], choose, market="-", pile="K", market_size=1, discards=discards, refill=refill)
            with_discards(game, "7").turn(0)
            assert not choose.left
            assert types(game) == ["play", "draw"] + (["reshuffle", "refill"] if reshuffled else ["end"])


def test_reshuffle__before_the_last_market_card():
    """The new pile is there before that card is drawn, so it ends the game under no reading (R5.3)."""
    for exhaustion in naive.READINGS["exhaustion"]:
        for discards in naive.READINGS["discards"]:
            reshuffled = discards == "reshuffled"
            answers = [("play", ("2", 1, 0)), *[("reshuffle", ["7"])] * reshuffled, ("free_draw", ("market", 0))]
            choose = scripted(*answers)
            changes = {"discards": discards, "exhaustion": exhaustion}
            game = prepared(["2 5", "A", "A"], choose, market="3", pile="", market_size=1, **changes)
            with_discards(game, "7").turn(0)
            assert not choose.left
            assert types(game) == ["play"] + (["reshuffle", "draw", "refill"] if reshuffled else ["draw", "end"])


def test_reshuffle__for_the_shadow():
    """Two lines of shadow_refill; cards out of play stay out (R8.3, R8.6)."""
    choose = scripted(("play", ("9", 2, 0)), ("reshuffle", ["K", "5", "4"]))
    game = prepared(
        ["9 9 2", "A"], choose, pile="J", market="3+K 6+X", market_size=2, shadow="8 8 10", shadow_size=3,
        variant="duel", discards="reshuffled",
    )  # fmt: skip
    game.out_of_play = ["Q"]
    with_discards(game, "4 5 K").turn(0)
    assert not choose.left
    assert game.events[1:] == [
        {"type": "shadow_pinch", "seat": 0, "value": "8", "size": 2},
        {"type": "shadow_refill", "cards": ["J"], "to_market": [], "out_of_play": []},
        {"type": "reshuffle", "cards": ["K", "5", "4"]},
        {"type": "shadow_refill", "cards": ["5"], "to_market": [], "out_of_play": ["K"]},
    ]
    assert game.shadow == ["10", "J", "5"]
    assert game.out_of_play == ["Q", "K"]
    assert game.pile == ["4"]


def test_reshuffle__shadow_with_an_empty_pile_and_with_a_full_display():
    for pile, expected in [
        ("", ["play", "shadow_pinch", "reshuffle", "shadow_refill"]), ("J", ["play", "shadow_pinch", "shadow_refill"]),
    ]:  # fmt: skip
        choose = scripted(("play", ("9", 1, 0)), *[("reshuffle", ["4", "5"])] * (not pile))
        game = prepared(["9 2", "A"], choose, pile=pile, shadow="8", shadow_size=1, variant="duel", discards="reshuffled")
        with_discards(game, "4 5").turn(0)
        assert not choose.left
        assert types(game) == expected


def test_reshuffle__illegal_orders():
    for wrong in (["7"], ["7", "7"], ["7", "8", "8"], ["7", "9"], ("7", "8"), "78", None, [7, 8]):
        choose = scripted(("play", ("2", 1, 0)), ("reshuffle", wrong))
        game = prepared(["2 5", "A", "A"], choose, pile="", discards="reshuffled")
        assert "reshuffle" in raises(naive.IllegalChoice, with_discards(game, "8 7").turn, 0)


def test_reshuffle__the_two_strategies():
    options = ["A", "2", "2", "10", "X"]
    assert naive.greedy("reshuffle", list(options), {"seat": None}) == ["X", "10", "2", "2", "A"]
    orders = [naive.uniform("reshuffle", list(options), {}, random.Random(seed)) for seed in range(20)]
    assert all(Counter(order) == Counter(options) for order in orders)
    assert len({tuple(order) for order in orders}) > 1


def watched(answers):
    """A chooser like `scripted` and the hands that the deciding players saw while drawing."""
    choose, seen = scripted(*answers), []

    def watch(kind, options, table):
        if kind == "draw":
            seen.append((table["hands"][table["seat"]], len(table["pile"])))
        return choose(kind, options, table)

    return watch, seen


def test_announced__pile_cards_are_not_seen_during_the_drawing():
    """Market cards come into the hand at once, pile cards after the last decision (R5.1)."""
    answers = [
        ("play", ("9", 3, 0)), ("take", "take"), ("draw", ("pile",)), ("draw", ("market", 1)), ("draw", ("pile",)),
    ]  # fmt: skip
    for sources in ("one_by_one", "announced"):
        watch, seen = watched(answers)
        game = prepared(
            ["9 9 9 5", "A", "A"], watch, [[], [("2", 3, 0)], []], market="3 4", pile="J Q K", market_size=2,
            sources=sources,
        )  # fmt: skip
        game.turn(0)
        if sources == "announced":
            assert seen == [(["A"], 3), (["A"], 2), (["A", "4"], 2)]
        else:
            assert seen == [(["A"], 3), (["A", "J"], 2), (["A", "J", "4"], 2)]
        assert sorted(game.hands[1]) == ["4", "A", "J", "Q"]
        assert game.pending == []
        assert game.events[2:] == [
            {"type": "draw", "seat": 1, "source": "pile", "cards": ["J"]},
            {"type": "draw", "seat": 1, "source": "market", "place": 1, "cards": ["4"]},
            {"type": "draw", "seat": 1, "source": "pile", "cards": ["Q"]},
            {"type": "refill", "cards": ["K"], "places": [1]},
        ]


def test_announced__pending_cards_count_at_the_end_and_after_a_forfeit():
    game = drawing([("draw", ("pile",)), ("draw", ("market", 0))], "3", "J", market_size=1, sources="announced")
    assert game.events[-1]["reason"] == "cards_exhausted"
    assert game.events[-1]["hand"] == [3, 3, 1]
    assert sorted(game.hands[1]) == ["3", "A", "J"]
    game = drawing([("draw", ("pile",))], "-", "J", market_size=1, sources="announced", exhaustion="market_last")
    assert game.reason is None
    assert game.hands[1] == ["A", "J"]


def test_announced__free_draw():
    choose = scripted(("play", ("2", 1, 0)), ("free_draw", ("pile",)))
    game = prepared(["2 5", "A", "A"], choose, pile="J K", sources="announced")
    game.turn(0)
    assert game.hands[0] == ["5", "J"] and game.pending == []


def test_announced__refill_by_card_waits_for_the_end_of_the_drawing():
    """R5.1, R5.2; the turn reading is not touched."""
    answers = [("draw", ("market", 0)), ("draw", ("market", 1))]
    for refill in ("card", "player"):
        game = drawing(answers, "3 4", "J Q K", market_size=2, refill=refill, sources="announced")
        assert types(game) == ["play", "pinch", "draw", "draw", "refill"]
        assert game.events[-1] == {"type": "refill", "cards": ["J", "Q"], "places": [0, 1]}
    displays = [[], [("3", 1, 0)], [("4", 1, 0)]]
    for refill, expected in [("card", ["pinch", "draw", "refill"] * 2), ("turn", ["pinch", "draw"] * 2 + ["refill"])]:
        choose = scripted(
            ("play", ("9", 1, 0)), ("take", "take"), ("draw", ("market", 0)), ("take", "take"), ("draw", ("market", 1)),
        )  # fmt: skip
        game = prepared(["9 2", "A", "A"], choose, displays, refill=refill, sources="announced")
        game.turn(0)
        assert types(game) == ["play", *expected]


def test_announced__reshuffle_between_two_draws():
    choose = scripted(*PAIR_TAKEN, ("draw", ("pile",)), ("reshuffle", ["8", "7"]), ("draw", ("pile",)))
    game = prepared(["9 9 5", "A", "A"], choose, PAIRS, pile="K", discards="reshuffled", sources="announced")
    with_discards(game, "7 8").turn(0)
    assert not choose.left
    assert game.hands[1] == ["A", "K", "8"] and game.pile == ["7"]


def test_pinch_order():
    """From seat 1: 2, 3, 0 clockwise, 0, 3, 2 the other way round (R4.1)."""
    displays = [[("2", 1, 0)], [], [("3", 1, 0)], [("4", 1, 0)]]
    for order, expected in [("clockwise", [2, 3, 0]), ("counter_clockwise", [0, 3, 2])]:
        choose = scripted(("play", ("9", 1, 0)), *[("take", "leave"), ("respond", "take_back")] * 3)
        game = prepared(["A", "9 5", "A", "A"], choose, displays, pinch_order=order)
        game.turn(1)
        assert not choose.left
        assert victims(game) == expected


def test_readings__whole_games():
    """Any mixture of readings: games end, cards are conserved, the record keeps the promises of the readings."""
    reshuffles = 0
    for seed in range(300):
        rng = random.Random(f"readings {seed}")
        variant = VARIANTS[seed % len(VARIANTS)]
        rules = naive.default_rules(variant)
        rules.update({name: rng.choice(allowed) for name, allowed in naive.READINGS.items()})
        rules.update(turn_limit=150, hand_size=rng.choice([4, 13]), copies=rng.choice([5, 8]))
        whole = all_cards(rules)
        players = players_of(variant, seed)
        try:
            header = naive.deal(rules, players, seed % players, rng, variant, seed)
        except ValueError:
            continue

        def choose(kind, options, table, whole=whole, rng=rng, seed=seed):
            assert options and (kind == "reshuffle" or len(set(options)) == len(options))
            cards = Counter(table["pile"] + table["discard"] + table["shadow"] + table["out_of_play"] + table["pending"])
            for some in table["hands"] + table["market"]:
                cards.update(some)
            for group in sum(table["displays"], [table["group"]] if table["group"] else []):
                cards.update(naive.cards_of(group))
            assert cards == whole
            return naive.greedy(kind, options, table) if seed % 3 == 0 else naive.uniform(kind, options, table, rng)

        events = naive.play(header, choose)
        kinds = [event["type"] for event in events]
        assert kinds.count("end") == 1 and kinds[-1] == "end"
        reshuffles += kinds.count("reshuffle")
        assert rules["discards"] == "reshuffled" or "reshuffle" not in kinds
        if events[-1]["reason"] == "cards_exhausted":
            assert kinds[-2] == "draw"
            assert rules["exhaustion"] == "both" or events[-2]["source"] == "market"
        if events[-1]["reason"] == "hand_empty" and not rules["last_group_pinches"]:
            assert kinds[-2] == "play"
    assert reshuffles > 20


def test_readings__defaults_written_out_change_nothing():
    defaults = {name: allowed[0] for name, allowed in naive.READINGS.items()}
    for seed, variant in enumerate(VARIANTS):
        rules, players = naive.default_rules(variant), players_of(variant, seed)
        header = naive.deal(rules, players, 0, random.Random(seed))
        explicit = {**header, "rules": {**rules, **defaults}}
        assert naive.play(header, uniform_chooser(seed)) == naive.play(explicit, uniform_chooser(seed))


# -- whole games ------------------------------------------------------------------------------------------


def test_cards_are_conserved_and_games_end():
    for variant in VARIANTS:
        for seed in range(100):
            rules = naive.default_rules(variant)
            players = players_of(variant, seed)
            header = naive.deal(rules, players, seed % players, random.Random(f"{variant} {seed}"), variant, seed)
            before = copy.deepcopy(header)
            whole = all_cards(rules)
            rng = random.Random(seed)

            def choose(kind, options, table, whole=whole, rng=rng, seed=seed):
                assert options and len(set(options)) == len(options)
                assert kind != "shadow" or len(options) >= 2
                cards = Counter(table["pile"] + table["discard"] + table["shadow"] + table["out_of_play"])
                for some in table["hands"] + table["market"]:
                    cards.update(some)
                for display in table["displays"]:
                    for group in display:
                        cards.update(naive.cards_of(group))
                if table["group"] is not None:
                    cards.update(naive.cards_of(table["group"]))
                assert cards == whole
                assert all(len(place) <= 2 for place in table["market"])
                if seed % 4 == 0:
                    choice = naive.greedy(kind, options, table)
                    assert choice in options
                    return choice
                return naive.uniform(kind, options, table, rng)

            events = naive.play(header, choose)
            assert header == before
            end = events[-1]
            assert [event["type"] for event in events].count("end") == 1 and end["type"] == "end"
            assert end["turns"] == sum(event["type"] == "play" for event in events)
            assert end["winners"] and end["winners"] == sorted(end["winners"])
            if not rules["aces_bite"]:
                assert end["reason"] in ("hand_empty", "cards_exhausted")
            if end["reason"] == "hand_empty":
                assert events[-2]["type"] == "play" and end["hand"].count(0) == 1
            if end["reason"] == "cards_exhausted":
                assert events[-2]["type"] == "draw"


def test_odd_rule_sets():
    """Small decks, two values, fractional bonuses; nothing crashes."""
    for seed in range(200):
        rules = naive.default_rules(VARIANTS[seed % len(VARIANTS)])
        rules.update(values=2 + seed % 5, copies=12, hand_size=2 + seed % 7, market_size=1 + seed % 4)
        rules.update(shadow_size=seed % 3, start_bonus=[0, 0.5], turn_limit=50)
        players = 2 if rules["duel"] else 3
        try:
            header = naive.deal(rules, players, 1, random.Random(seed))
        except ValueError:
            continue
        assert naive.play(header, uniform_chooser(seed))[-1]["type"] == "end"


def test_rules_that_cannot_be_dealt():
    for changes, players, word in [
        ({"duel": True}, 5, "duel"), ({}, 2, "players"), ({}, 6, "players"), ({"values": 0}, 3, "values"),
        ({"hand_size": 36}, 3, "hand_size"), ({"duel": True, "jokers": 3}, 2, "jokers"),
        ({"aces_bite": True, "values": 1}, 3, "values"), ({"market_size": 0}, 3, "market_size"),
        ({"tie_break": "no"}, 3, "tie_break"), ({"duel": True, "shadow_size": 80}, 2, "shadow_size"),
    ]:  # fmt: skip
        rules = {**naive.default_rules("pinch"), **changes}
        assert word in raises(ValueError, naive.deal, rules, players, 0, random.Random(0))


# -- the reference strategies -----------------------------------------------------------------------------


def test_greedy():
    """R10.2, line by line."""
    assert naive.greedy_play(["5", "5", "9", "9", "X", "2"]) == ("5", 2, 0)
    assert naive.greedy_play(["9", "9", "X", "X"]) == ("9", 2, 2)
    assert naive.greedy_play(["X", "X", "X"]) == ("X", 0, 3)
    assert naive.greedy_play(["9", "9"]) == ("9", 2, 0)

    def decide(kind, hand, options=(), group=None, market="", pile=""):
        places = [[] if place == "-" else place.split("+") for place in market.split()]
        table = {"seat": 1, "hands": [["A"], hand.split()], "group": group, "market": places}
        return naive.greedy(kind, list(options), {**table, "pile": pile.split()})

    assert decide("take", "2 3 4 5", group=("4", 1, 1)) == "take"
    assert decide("take", "2 3 4", group=("4", 1, 1)) == "leave"
    assert decide("take", "2 3 4 5", group=("4", 1, 0)) == "leave"
    assert decide("respond", "2", group=("4", 2, 1)) == "take_back"
    assert decide("respond", "2 3 4 5", group=("4", 2, 0)) == "discard"
    assert decide("draw", "5 5 9 9 J", market="J 9 5 - A A", pile="2") == ("market", 2)
    assert decide("draw", "5 5 X X X", market="5 X 5 - A A", pile="2") == ("market", 1)
    assert decide("draw", "5 X", market="X 5", pile="2") == ("market", 1)
    assert decide("draw", "2 K", market="3+K 7", pile="2") == ("pile",)
    assert decide("draw", "2 K", market="X+K 7", pile="2") == ("market", 0)
    assert decide("draw", "2", market="- 7 4+K 5 4", pile="") == ("market", 2)
    assert decide("free_draw", "7 7 7", market="7", pile="2") == ("pass",)
    assert decide("free_draw", "7 7 7 7", market="7", pile="2") == ("market", 0)
    assert decide("free_draw", "7 7 7 7", options=[("pass",)], market="-") == ("pass",)
    assert decide("shadow", "7", options=[("2", 1), ("10", 1), ("9", 1)]) == ("10", 1)


def test_playable_groups():
    """R3.2."""
    assert naive.playable_groups(["4", "X", "4", "X", "A"]) == [
        ("A", 1, 0), ("A", 1, 1), ("A", 1, 2), ("4", 1, 0), ("4", 1, 1), ("4", 1, 2), ("4", 2, 0),
        ("4", 2, 1), ("4", 2, 2), ("X", 0, 1), ("X", 0, 2),
    ]  # fmt: skip
