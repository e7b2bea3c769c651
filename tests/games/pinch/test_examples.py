"""The worked examples of the rule texts, played by the engine."""

from pinchsim.games.pinch.arrays import CARD_CODES
from pinchsim.games.pinch.codes import DISCARD, LEAVE, PASS, PILE, TAKE, TAKE_BACK

from .table import Table, packed


def test_pinch_rules__anna_plays_three_sevens():
    """Who is beaten is pinched without being asked, and the pinching player takes (R4.2, R4.3, R4.4)."""
    anna, ben, carla, dan = range(4)
    table = Table(
        ["7 7 7 4 9", "K", "5", "6"],
        [[], [("Q", 2, 0)], [("4", 3, 0)], [("9", 3, 0)]],
        market="8 J 2 3 A 10", pile="5 6 7 8",
    )  # fmt: skip
    lines = table.turn(anna, packed(("7", 3, 0)), TAKE, 0, 1, PILE)
    assert [line["type"] for line in lines] == ["play", "pinch", "draw", "draw", "draw", "refill"]
    assert lines[1] == {
        "type": "pinch", "seat": anna, "victim": carla, "value": "4", "naturals": 3, "jokers": 0, "choice": "take",
    }  # fmt: skip
    assert [line["cards"] for line in lines[2:5]] == [["8"], ["J"], ["5"]]
    assert lines[5] == {"type": "refill", "cards": ["6", "7"], "places": [0, 1]}
    assert table.hand(anna) == "4 4 4 4 9"
    assert table.hand(carla) == "5 5 8 J"
    assert (table.top(ben), table.top(carla), table.top(dan)) == (packed(("Q", 2, 0)), 0, packed(("9", 3, 0)))


def test_pinch_rules__dan_scores_thirteen():
    dan = 3
    table = Table(["K", "K", "K", "5 2 3 4 6"], [[], [], [], [("8", 8, 0), ("9", 8, 0)]], market="", pile="A")
    lines = table.turn(dan, packed(("5", 1, 0)), PASS)
    assert table.view["cards_in_display"][dan] == 17
    assert lines[0]["seat"] == dan
    assert table.state["end"] == 0
    display, hand = table.view["cards_in_display"][dan], table.view["cards_in_hand"][dan]
    points = (table.view["display_points"] * display + table.view["hand_points"] * hand) / 1000
    assert points == 13


def test_linko_example_2a__andy_snatches_two_pairs():
    """Taken and drawn for; left and discarded (R4.4, R4.6)."""
    andy, ben, catharine, daniel = range(4)
    table = Table(
        ["Q Q 9", "2", "2", "2"], [[], [("3", 1, 0)], [("9", 2, 0)], [("7", 2, 0)]], variant="classic",
    )  # fmt: skip
    lines = table.turn(andy, packed(("Q", 2, 0)), TAKE, PILE, PILE, LEAVE, DISCARD, PILE, PILE)
    assert [line.get("victim") for line in lines if line["type"] == "pinch"] == [catharine, daniel]
    assert table.hand(andy) == "9 9 9"
    assert table.hand(daniel) == "2 3 3"
    assert table.view["discard"][7] == 2
    assert table.top(ben) == packed(("3", 1, 0))


def test_linko_example_2b__a_king_snatches_a_single_two():
    andy, ben, catharine, daniel = range(4)
    table = Table(
        ["5", "K 6", "5", "5"], [[("3", 3, 0)], [], [("A", 4, 0)], [("2", 1, 0)]], variant="classic",
    )  # fmt: skip
    lines = table.turn(ben, packed(("K", 1, 0)), LEAVE, TAKE_BACK)
    assert [line.get("victim") for line in lines if line["type"] == "pinch"] == [daniel]
    assert table.hand(daniel) == "2 5"
    assert (table.top(andy), table.top(catharine)) == (packed(("3", 3, 0)), packed(("A", 4, 0)))


def test_linko_rules__two_jokers_snatch_two_kings():
    table = Table(["X X 5", "2", "2"], [[], [("K", 2, 0)], [("X", 0, 2)]], variant="classic")
    lines = table.turn(0, packed(("X", 0, 2)), TAKE, PILE, PILE)
    assert [line.get("victim") for line in lines if line["type"] == "pinch"] == [1]


def test_aces_bite__kings_and_lone_jokers_but_nothing_else():
    displays = [[], [("K", 1, 0)], [("X", 0, 1)], [("Q", 1, 0)]]
    table = Table(["A 5", "2", "2", "2"], displays, variant="aces-bite")
    lines = table.turn(0, packed(("A", 1, 0)), LEAVE, TAKE_BACK, LEAVE, TAKE_BACK)
    assert [line.get("victim") for line in lines if line["type"] == "pinch"] == [1, 2]
    table = Table(["3 5", "2"], [[], [("A", 1, 0)]], variant="aces-bite")
    assert [line["type"] for line in table.turn(0, packed(("3", 1, 0)), LEAVE, TAKE_BACK)][1] == "pinch"


def test_last_group__pinches_nobody():
    table = Table(["K", "2", "2"], [[], [("3", 1, 0)], [("4", 1, 0)]])
    lines = table.turn(0, packed(("K", 1, 0)))
    assert [line["type"] for line in lines] == ["play", "end"]
    assert lines[-1]["reason"] == "hand_empty"


def test_last_card__ends_the_game_in_the_middle_of_drawing():
    """R5.3, R6.2."""
    table = Table(["K K K 5", "2", "2"], [[], [("3", 3, 0)], [("4", 3, 0)]], market="7", pile="8")
    lines = table.turn(0, packed(("K", 3, 0)), LEAVE, DISCARD, PILE, 0)
    assert [line["type"] for line in lines] == ["play", "pinch", "respond", "draw", "draw", "end"]
    assert lines[-1]["reason"] == "cards_exhausted"
    assert table.top(2) == packed(("4", 3, 0)), "the game ended before the second neighbour was compared"


def test_group_below__is_not_pinched_in_the_same_turn():
    """Only the top group of a display can be pinched (R3.3), once a turn (R4.5)."""
    table = Table(["K 5", "2", "2"], [[], [("3", 1, 0), ("4", 1, 0)], []])
    lines = table.turn(0, packed(("K", 1, 0)), LEAVE, DISCARD, PILE)
    assert [line["type"] for line in lines] == ["play", "pinch", "respond", "draw"]
    assert table.top(1) == packed(("3", 1, 0))


SHADOW = "3 5 5 6 6 6 8 10 J J Q Q Q"


def test_linko_duel_example__a_queen_snatches_the_eight_of_three_eight_and_ten():
    """R8.5: a 12 must snatch a 3 or an 8 or a 10 of the ghost and chooses the 8; it is taken, and 13 cards lie there again (R8.6)."""
    table = Table(["Q 2", "4"], [[], []], variant="linko-duel", shadow=SHADOW, market="7 9 A 4 4 9", pile="K 2 5 5")
    lines = table.turn(0, packed(("Q", 1, 0)), CARD_CODES["8"])
    assert lines[1:] == [
        {"type": "shadow_pinch", "seat": 0, "value": "8", "size": 1},
        {"type": "shadow_refill", "cards": ["2"], "to_market": [{"card": "K", "place": 2}], "out_of_play": []},
    ]
    assert table.hand(0) == "2 8"
    assert table.view["shadow_cards"] == 13


def test_linko_duel_rules__the_ghost_first_then_the_opponent():
    """R8.6: the ghost's cards are replenished before the opponent is compared; taking from the opponent stays a choice (R4.4)."""
    table = Table(["K K 2", "4 7"], [[], [("9", 2, 0)]], variant="linko-duel", shadow=SHADOW, pile="2 3 A A 8 9")
    lines = table.turn(0, packed(("K", 2, 0)), CARD_CODES["J"], LEAVE, DISCARD, PILE, 0)
    assert [line["type"] for line in lines] == [
        "play",
        "shadow_pinch",
        "shadow_refill",
        "pinch",
        "respond",
        "draw",
        "draw",
        "refill",
    ]
    assert table.hand(0) == "2 J J"


def test_linko_duel_rules__equal_and_higher_ghost_cards_are_safe():
    table = Table(["10 2", "4"], [[], []], variant="linko-duel", shadow="10 J Q", pile="3 3 3 3 3 3 3 3 3 3 3")
    assert [line["type"] for line in table.turn(0, packed(("10", 1, 0)))] == ["play"]


def test_linko_duel_rules__a_pair_from_the_row_counts_as_one_card():
    """R8.4: both cards for one draw; the pinched player draws one more for a group of two."""
    market = "A+K X+K 5 6 7 8"
    table = Table(["9 9 2", "4"], [[], [("6", 2, 0)]], variant="linko-duel", market=market, pile="3 3 3 3")
    lines = table.turn(0, packed(("9", 2, 0)), TAKE, 1, 0)
    assert [line["cards"] for line in lines if line["type"] == "draw"] == [["X", "K"], ["A", "K"]]
    assert table.hand(1) == "A 4 K K X"


def test_linko_duel_rules__kings_and_jokers_go_onto_the_lowest_single_card():
    """R8.3: the lowest single first, a joker above a king; with no single card left they are out of play."""
    table = Table(["5 2", "4"], [[], []], variant="linko-duel", shadow="3", market="X 9+K K 9+X A+K A+X", pile="K K X 2 7")
    lines = table.turn(0, packed(("5", 1, 0)), CARD_CODES["3"])
    assert lines[2] == {
        "type": "shadow_refill", "cards": ["2", "7"], "out_of_play": ["X"],
        "to_market": [{"card": "K", "place": 2}, {"card": "K", "place": 0}],
    }  # fmt: skip
    assert table.view["out_of_play"][14] == 1
    pairs = [(int(table.view["market"][place]), int(table.view["market_partner"][place])) for place in (0, 2)]
    assert pairs == [(13, 14), (13, 13)], "the lower card first, whichever was there before"
    assert [int(table.state["added_below"][place]) for place in (0, 2)] == [1, 0]


def test_linko_duel_rules__the_last_cards_snatch_nothing_not_even_from_the_ghost():
    """R3.4 and R8.5: after the last card the game ends before the shadow display is compared."""
    table = Table(["Q", "4"], [[], [("3", 1, 0)]], variant="linko-duel", shadow=SHADOW)
    assert [line["type"] for line in table.turn(0, packed(("Q", 1, 0)))] == ["play", "end"]


def test_shadow_refill__may_empty_the_pile_without_ending_the_game():
    """R8.8: only a card that a player draws can end the game (R5.3)."""
    table = Table(["5 2", "4"], [[], []], variant="duel+classic", shadow="3", pile="7")
    assert [line["type"] for line in table.turn(0, packed(("5", 1, 0)), CARD_CODES["3"])] == [
        "play",
        "shadow_pinch",
        "shadow_refill",
    ]
    assert table.view["pile_size"] == 0


def test_free_draw__not_after_pinching_the_shadow():
    """R8.7, and its switch."""
    for variant, answers in (("duel", ()), ("duel+shadow_blocks_free_draw=false", (PASS,))):
        table = Table(["5 2", "4"], [[], []], variant=variant, shadow="3 J", pile="7 7 7 7 7 7 7 7 7 7 7 7 7 7")
        lines = table.turn(0, packed(("5", 1, 0)), CARD_CODES["3"], *answers)
        assert [line["type"] for line in lines[3:]] == ["pass"] * len(answers)
