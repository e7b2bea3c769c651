"""The worked examples of the rule texts, played by the engine."""

from pinchsim.games.pinch.codes import DISCARD, LEAVE, PASS, PILE, TAKE, TAKE_BACK

from .table import Table, packed


def test_pinch_rules__anna_plays_three_sevens():
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
    table = Table(["K K K 5", "2", "2"], [[], [("3", 3, 0)], [("4", 3, 0)]], market="7", pile="8")
    lines = table.turn(0, packed(("K", 3, 0)), LEAVE, DISCARD, PILE, 0)
    assert [line["type"] for line in lines] == ["play", "pinch", "respond", "draw", "draw", "end"]
    assert lines[-1]["reason"] == "cards_exhausted"
    assert table.top(2) == packed(("4", 3, 0)), "the game ended before the second neighbour was compared"


def test_group_below__is_not_pinched_in_the_same_turn():
    table = Table(["K 5", "2", "2"], [[], [("3", 1, 0), ("4", 1, 0)], []])
    lines = table.turn(0, packed(("K", 1, 0)), LEAVE, DISCARD, PILE)
    assert [line["type"] for line in lines] == ["play", "pinch", "respond", "draw"]
    assert table.top(1) == packed(("3", 1, 0))
