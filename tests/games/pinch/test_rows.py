"""Every column of the rows, worked out again from the game record."""

import numpy as np
import pytest

from pinchsim import games
from pinchsim.games.pinch import record as rec
from pinchsim.games.pinch.columns import END_LABELS, GAME_COLUMNS, PLAYER_COLUMNS
from pinchsim.games.pinch.rules import RuleSet, change_rules, load_variant
from pinchsim.lab.rows import rows_of_blocks
from pinchsim.strategy import library

PINCH = games.load("pinch")
UNIFORM, GREEDY = (library.find("pinch", name) for name in ("uniform", "greedy"))
KERNEL_STRATEGIES = [GREEDY, UNIFORM]
SEED, N_GAMES = 11, 60
OWN = change_rules(
    RuleSet(), {"start_bonus": [0, 1.5, 2, 0.25], "score_hand": -2, "tie_break": "shared", "turn_limit": 40}, "test"
)


@pytest.fixture(scope="module")
def kernel():
    return PINCH.load_kernel(KERNEL_STRATEGIES, [RuleSet()])


def play_rows(kernel, rules, line_up):
    blocks = (
        np.zeros((len(GAME_COLUMNS), N_GAMES), np.int32),
        np.zeros((len(PLAYER_COLUMNS), N_GAMES, len(line_up)), np.int32),
    )
    slots = [KERNEL_STRATEGIES.index(s) for s in line_up]
    PINCH.play(kernel, rules, slots, SEED, np.arange(N_GAMES), PINCH.new_memory(), *blocks)
    return rows_of_blocks(PINCH, *blocks)


def expected(record, line_up):
    """All columns of one game from its record, the slow way."""
    header, end = record[0], record[-1]
    rules, n, start = header["rules"], header["players"], header["start_seat"]
    bonus = rules["start_bonus"] + [0] * n
    seats = [(start + p) % n for p in range(n)]
    display, hand = [0] * n, [rules["hand_size"]] * n
    tally = {name: [0] * n for name in (c.name for c in PLAYER_COLUMNS)}
    leaders, behind, turn_pinches = [], [], 0

    def position(seat):
        return (seat - start) % n

    def close_turn():
        points = [
            round(1000 * (rules["score_display"] * display[p] + rules["score_hand"] * hand[p] + bonus[p])) for p in range(n)
        ]
        leaders.append({p for p in range(n) if points[p] == max(points)})
        behind.append([max(points) - x for x in points])

    mover = None
    for event in record[1:-1]:
        kind = event["type"]
        p = position(event["seat"]) if "seat" in event else None
        if kind == "play":
            if mover is not None:
                tally["multi_pinches"][mover] += turn_pinches > 1
                close_turn()
            mover, turn_pinches = p, 0
            size = event["naturals"] + event["jokers"]
            display[p] += size
            hand[p] -= size
            tally["jokers_lone" if event["naturals"] == 0 else "jokers_joined"][p] += event["jokers"]
        elif kind == "pinch":
            turn_pinches += 1
            size, victim = event["naturals"] + event["jokers"], position(event["victim"])
            display[victim] -= size
            tally["pinches_made"][p] += 1
            tally["pinches_suffered"][victim] += 1
            if event["choice"] == "take":
                hand[p] += size
                tally["takes"][p] += 1
                tally["cards_taken"][p] += size
        elif kind == "respond":
            back = event["choice"] == "take_back"
            hand[p] += size if back else 0
            tally["take_backs"][p] += back
            tally["cards_taken_back" if back else "cards_discarded"][p] += size
        elif kind == "draw":
            hand[p] += 1
            tally["drawn_market" if event["source"] == "market" else "drawn_pile"][p] += 1
            tally["free_draws"][p] += p == mover
            drawer = p
        elif kind == "pass":
            tally["passes"][p] += 1
    tally["multi_pinches"][mover] += turn_pinches > 1
    close_turn()
    won = {position(seat) for seat in end["winners"]}
    turns = end["turns"]
    assert len(leaders) == turns
    changes = sum(a != b for a, b in zip(leaders, leaders[1:], strict=False))
    for_good = turns + 1
    while for_good > 1 and won <= leaders[for_good - 2]:
        for_good -= 1

    def bits(quarter):
        return sum(1 << p for p in leaders[-(-quarter * turns // 4) - 1])

    ended_by = {"hand_empty": mover, "turn_limit": -1}.get(end["reason"])
    game = {
        "start_seat": start, "turns": turns, "winners": len(won), "lead_changes": changes, "lead_for_good": for_good,
        "end_reason": {label: code for code, label in END_LABELS.items()}[end["reason"]],
        "ended_by": drawer if ended_by is None else ended_by,
        "leaders_25": bits(1), "leaders_50": bits(2), "leaders_75": bits(3),
        "comeback": max(deficits[p] for deficits in behind for p in won) / 1000,
    }  # fmt: skip
    tally["seat"] = seats
    tally["display"], tally["hand"] = ([end[key][seat] for seat in seats] for key in ("display", "hand"))
    assert (tally["display"], tally["hand"]) == (display, hand)
    tally["score"] = [end["scores"][seat] for seat in seats]
    tally["win_share"] = [1 / len(won) if p in won else 0 for p in range(n)]
    tally["jokers_dealt"] = [header["hands"][seat].count("X") for seat in seats]
    shift = 0 if len(set(line_up)) == 1 else header["game"] % n
    tally["strategy"] = [(seat - shift) % n for seat in seats]
    assert [header["strategies"][seat] for seat in seats] == [line_up[place].name for place in tally["strategy"]]
    return game, tally


@pytest.mark.parametrize(
    ("variant", "rules", "line_up"),
    [
        ("pinch", load_variant("pinch").rules, [UNIFORM] * 4),
        ("classic", load_variant("classic").rules, [GREEDY] * 5),
        ("aces-bite", load_variant("aces-bite").rules, [GREEDY, UNIFORM, UNIFORM]),
        ("own", OWN, [UNIFORM, GREEDY, UNIFORM, UNIFORM]),
        ("own", OWN, [GREEDY] * 3),
    ],
    ids=["pinch", "classic", "mixed", "own-mixed", "own"],
)
def test_rows__are_what_the_record_tells(kernel, variant, rules, line_up):
    rows = play_rows(kernel, rules, line_up)
    for game in range(N_GAMES):
        game_row, player_rows = expected(rec.record_game(variant, rules, line_up, SEED, game), line_up)
        got = {name: rows.games[name][game].item() for name in game_row}
        assert got == game_row
        for name, values in player_rows.items():
            np.testing.assert_allclose(rows.players[name][game], values, rtol=1e-6, err_msg=name)
        assert rows.games["deck"][game] * len(line_up) + rows.games["rotation"][game] == game


def test_rows__do_not_depend_on_the_batch(kernel):
    rules, whole = load_variant("pinch").rules, None
    for sizes in ((60,), (1,) * 60, (7, 13, 40)):
        parts, first = [], 0
        for size in sizes:
            blocks = np.zeros((len(GAME_COLUMNS), size), np.int32), np.zeros((len(PLAYER_COLUMNS), size, 4), np.int32)
            PINCH.play(kernel, rules, [0, 1, 1, 1], SEED, np.arange(first, first + size), PINCH.new_memory(), *blocks)
            parts.append(blocks)
            first += size
        joined = [np.concatenate(blocks, axis=1) for blocks in zip(*parts, strict=True)]
        whole = whole or joined
        for a, b in zip(whole, joined, strict=True):
            np.testing.assert_array_equal(a, b)


def test_view__holds_nothing_of_other_batches(kernel):
    """A strategy that reads all of its view plays the same, whatever the memory was used for before."""
    fresh, used = PINCH.new_memory(), PINCH.new_memory()
    used[1][:] = 0x55
    views = []
    for memory in (fresh, used):
        blocks = np.zeros((len(GAME_COLUMNS), 5), np.int32), np.zeros((len(PLAYER_COLUMNS), 5, 3), np.int32)
        PINCH.play(kernel, OWN, [0, 1, 1], SEED, np.arange(5), memory, *blocks)
        views.append(memory[1].copy())
    np.testing.assert_array_equal(*views)
    blocks = np.zeros((len(GAME_COLUMNS), 1), np.int32), np.zeros((len(PLAYER_COLUMNS), 1, 3), np.int32)
    PINCH.play(kernel, OWN, [0, 1, 1], SEED, np.array([4]), used, *blocks)
    np.testing.assert_array_equal(used[1], views[0], "the last of five games, and the same game alone")


def test_variants__play_the_same_decks():
    deals = [rec.record_game(v, load_variant(v).rules, [GREEDY] * 4, SEED, 9)[0] for v in ("pinch", "aces-bite")]
    assert deals[0]["hands"] == deals[1]["hands"]
    assert deals[0]["pile"] == deals[1]["pile"]


def test_rotations__keep_hands_with_seats_and_move_the_start():
    headers = [rec.record_game("pinch", RuleSet(), [GREEDY] * 4, SEED, game)[0] for game in range(4)]
    assert [h["start_seat"] for h in headers] == [0, 1, 2, 3]
    assert all(h["hands"] == headers[0]["hands"] for h in headers)
    headers = [rec.record_game("pinch", RuleSet(), [GREEDY, UNIFORM, UNIFORM], SEED, game)[0] for game in range(3)]
    assert [h["strategies"].index("greedy") for h in headers] == [0, 1, 2]
    assert [h["start_seat"] for h in headers] == [0, 0, 0]
