"""The counters of the rules: every rule has one, each counts what it says, and a test cites every rule (METHODS M6.1)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from pinchsim import games
from pinchsim.games.pinch import codes
from pinchsim.games.pinch.counting import BATCH_GAMES, NEEDS
from pinchsim.games.pinch.coverage import COUNTED, RULES
from pinchsim.games.pinch.record import record_game
from pinchsim.games.pinch.rules import load_variant, player_counts, variant_names
from pinchsim.games.seam import IllegalAnswer
from pinchsim.strategy import library

PINCH = games.load("pinch")
GREEDY, UNIFORM = STRATEGIES = [library.find("pinch", name) for name in ("greedy", "uniform")]
TESTS = Path(__file__).parents[2]
TABLES = [(name, players) for name in variant_names() for players in player_counts(load_variant(name).rules)]
SEED = 5


@pytest.fixture(scope="module")
def kernel():
    return PINCH.load_kernel(STRATEGIES, [], counting=True)


def counted(kernel, variant, line_up, n_games, played=lambda games: None):
    """The counters of the first games of this table."""
    slots = [STRATEGIES.index(strategy) for strategy in line_up]
    return PINCH.coverage(kernel, STRATEGIES, load_variant(variant).rules, slots, SEED, n_games, played)


def line_ups(players):
    """All uniform, all greedy, and mixed."""
    return [UNIFORM] * players, [GREEDY] * players, [GREEDY] + [UNIFORM] * (players - 1)


# Rules, counters and tests


def test_rules__those_of_the_rules_page():
    page = (TESTS.parent / "docs" / "rules.md").read_text(encoding="utf-8")
    assert re.findall(r"\*\*(R\d+\.\d+)\*\*", page) == list(RULES)


def test_rules__each_is_cited_by_a_test():
    others = (path for path in TESTS.rglob("test_*.py") if path.name not in (Path(__file__).name, "test_audit_coverage.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in others)
    assert [rule for rule in RULES if not re.search(rf"\b{re.escape(rule)}\b", text)] == []


def test_needs__are_of_rules_that_exist():
    assert set(NEEDS) <= set(RULES)
    assert PINCH.rule_texts == COUNTED


# Counted again from the records


class Recount:
    """The counters of one game, from its record."""

    def __init__(self, record):
        self.times = Counter()
        self.header = record[0]
        self.rules = self.header["rules"]
        self.hands = [len(hand) for hand in self.header["hands"]]
        self.displays = [[] for _ in self.hands]
        self.pile = len(self.header["pile"])
        self.pinches, self.shadow, self.compared = 0, False, []
        self.set_up()
        for event in record[1:]:
            self.decided(event)
            getattr(self, f"on_{event['type']}")(event)

    def add(self, **times):
        """Count on; R4_3 stands for R4.3."""
        for name, n in times.items():
            self.times[name.replace("_", ".")] += int(n)

    def set_up(self):
        rules, header, players = self.rules, self.header, len(self.hands)
        number_cards = rules["values"] * rules["copies"]
        linko = (rules["jokers"], rules["free_draw"], rules["tie_break"]) == (5, False, "shared")
        self.add(R1_1=number_cards, R1_2=number_cards + rules["jokers"], R1_3=sum(h.count("X") for h in header["hands"]))
        self.add(R2_1=players, R2_2=sum(self.hands), R2_3=len(header["market"]))
        self.add(R7_3=rules["duel"], R7_4=linko, R8_1=4 * rules["duel"])
        if rules["duel"]:
            pairs = sum(isinstance(place, list) for place in header["market"])
            self.add(R8_2=len(header["shadow"]), R8_3=pairs + len(header["out_of_play"]), R8_8=self.pile == 0)

    def decided(self, event):
        if event["type"] in ("play", "shadow_pinch", "pinch", "respond", "draw", "pass"):
            uniform = self.header["strategies"][event["seat"]] == "uniform"
            self.add(R9_3=1, R10_1=uniform, R10_2=not uniform)

    def on_play(self, event):
        if self.times["R3.1"]:
            self.close_turn()
        self.pinches, self.shadow, self.mover, self.compared = 0, False, event["seat"], []
        mine = self.displays[event["seat"]]
        group = (event["value"], event["naturals"], event["jokers"])
        self.add(R3_1=1, R3_2=1, R3_3=len(mine) > 0)
        mine.append(group)
        self.hands[event["seat"]] -= group[1] + group[2]
        if self.hands[event["seat"]] == 0:
            self.add(R3_4=1)
        else:
            self.compare(group)

    def compare(self, group):
        """Note how the group played compares with each top group, clockwise, if the game lasts so long."""
        for steps in range(1, len(self.displays)):
            seat = (self.mover + steps) % len(self.displays)
            if self.displays[seat]:
                self.compared.append((seat, *self.beats(group, self.displays[seat][-1])))

    def count_comparisons(self, last=None):
        """Count the comparisons of the turn, up to the neighbour at whom the game ended."""
        for seat, by_value, by_bite in self.compared:
            self.add(R4_1=1, R4_2=by_value or by_bite, R7_2=by_bite)
            if seat == last:
                return

    def beats(self, group, other):
        """Whether a group beats another by its higher value, and whether as aces do."""
        (value, *cards), (theirs, *their_cards) = group, other
        names = codes.CARD_NAMES
        same_size = sum(cards) == sum(their_cards)
        bitten = theirs in (names[self.rules["values"]], "X")
        by_bite = same_size and self.rules["aces_bite"] and value == "A" and bitten
        return same_size and names.index(value) > names.index(theirs), by_bite

    def on_shadow_pinch(self, event):
        self.shadow = True
        self.hands[event["seat"]] += event["size"]
        self.add(R8_5=1, R8_6=event["size"], R9_1=event["size"])

    def on_shadow_refill(self, event):
        turned_up = len(event["to_market"]) + len(event["out_of_play"])
        self.pile -= len(event["cards"]) + turned_up
        self.add(R8_2=len(event["cards"]), R8_3=turned_up, R8_8=self.pile == 0)

    def on_pinch(self, event):
        self.victim = event["victim"]
        self.group = self.displays[event["victim"]].pop()
        self.pinches += 1
        self.add(R4_3=1, R4_4=1, R4_5=len(self.displays[event["victim"]]) > 0, R4_6=self.pinches > 1)
        if event["choice"] == "take":
            self.take(event["seat"])

    def on_respond(self, event):
        self.add(R4_4=1)
        if event["choice"] == "take_back":
            self.take(event["seat"])

    def take(self, seat):
        _, naturals, jokers = self.group
        self.hands[seat] += naturals + jokers
        self.add(R4_7=jokers, R9_1=naturals + jokers)

    def on_draw(self, event):
        market, n = event["source"] == "market", len(event["cards"])
        self.pile -= not market
        self.hands[event["seat"]] += n
        self.add(R5_1=1, R5_4=event["seat"] == self.mover, R8_4=n == 2, R9_1=n * market, R9_2=not market)

    def on_pass(self, event):
        self.add(R5_4=1)

    def on_refill(self, event):
        self.pile -= len(event["cards"])
        self.add(R5_2=len(event["cards"]))

    def close_turn(self, last=False):
        """Count what belongs to a turn that was played to its end."""
        self.count_comparisons()
        idle, rules = self.pinches == 0, self.rules
        blocked = self.shadow and rules["shadow_blocks_free_draw"]
        self.add(R5_5=not last, R7_1=idle and not rules["free_draw"], R8_7=idle and rules["free_draw"] and blocked)

    def on_end(self, event):
        reason, players = event["reason"], len(self.hands)
        if reason == "turn_limit":
            self.close_turn(last=True)
        if reason == "cards_exhausted":
            self.count_comparisons(self.victim if self.pinches else None)
        self.add(R5_3=reason == "cards_exhausted", R6_1=reason == "hand_empty", R6_2=reason == "cards_exhausted")
        self.add(R6_3=players, R6_4=event["scores"].count(max(event["scores"])) > 1, R6_6=reason == "turn_limit")
        self.add(R6_5=self.header["game"] % players == players - 1)


@pytest.mark.parametrize(
    ("variant", "players", "mixed"),
    [
        ("pinch", 4, False),
        ("pinch", 5, True),
        ("aces-bite", 3, False),
        ("aces-bite", 4, True),
        ("linko", 5, False),
        ("duel", 2, False),
        ("duel", 2, True),
        ("duel+aces-bite", 2, False),
        ("linko-duel", 2, True),
        ("pinch+turn_limit=20", 4, False),
        ("duel+turn_limit=9", 2, False),
        ("duel+shadow_blocks_free_draw=false", 2, False),
        ("duel+market_size=1+shadow_size=40", 2, False),
        ("aces-bite+values=3+copies=15+hand_size=5", 3, False),
    ],
)
def test_coverage__is_what_the_records_say(kernel, variant, players, mixed):
    line_up, n_games = line_ups(players)[2 if mixed else 0], 60 * players
    expected = Counter()
    for game in range(n_games):
        expected.update(Recount(record_game(variant, load_variant(variant).rules, line_up, SEED, game)).times)
    found = counted(kernel, variant, line_up, n_games)
    assert found.games == n_games
    assert found.times == {rule: expected[rule] for rule in RULES}


# Playing


def test_coverage__every_rule_comes_into_play(kernel):
    """Over all built-in variants, only the turn limit needs a variant of its own."""
    total = Counter()
    for variant, players in TABLES:
        for line_up in line_ups(players):
            total.update(counted(kernel, variant, line_up, 600).times)
    assert [rule for rule in RULES if not total[rule]] == ["R6.6"]
    assert counted(kernel, "pinch+turn_limit=20", [UNIFORM] * 4, 600).times["R6.6"] == 600


@pytest.mark.parametrize(("variant", "players"), [*TABLES, ("pinch+jokers=0", 3), ("duel+shadow_size=0", 2)])
def test_rule_applies__what_does_not_never_comes_into_play(kernel, variant, players):
    rules = load_variant(variant).rules
    for line_up in line_ups(players):
        names = {strategy.name for strategy in line_up}
        times = counted(kernel, variant, line_up, 600).times
        assert [rule for rule in RULES if times[rule] and not PINCH.rule_applies(rule, rules, players, names)] == []


@pytest.mark.parametrize(
    ("variant", "players", "never"),
    [
        ("pinch", 3, "R7.1 R7.2 R7.3 R7.4 R8.1 R8.2 R8.3 R8.4 R8.5 R8.6 R8.7 R8.8 R10.2"),
        ("pinch+jokers=0", 3, "R1.3 R4.7 R7.1 R7.2 R7.3 R7.4 R8.1 R8.2 R8.3 R8.4 R8.5 R8.6 R8.7 R8.8 R10.2"),
        ("aces-bite", 4, "R5.4 R7.3 R7.4 R8.1 R8.2 R8.3 R8.4 R8.5 R8.6 R8.7 R8.8 R10.2"),
        ("linko-duel", 2, "R4.6 R5.4 R7.2 R8.7 R10.2"),
        ("duel+shadow_size=0", 2, "R4.6 R7.1 R7.2 R7.4 R8.2 R8.3 R8.4 R8.5 R8.6 R8.7 R8.8 R10.2"),
        ("duel+exposed_group=pinched+shadow_blocks_free_draw=false", 2, "R7.1 R7.2 R7.4 R8.7 R10.2"),
    ],
)
def test_rule_applies__by_switch_players_and_strategies(variant, players, never):
    rules = load_variant(variant).rules
    assert [rule for rule in RULES if not PINCH.rule_applies(rule, rules, players, {"uniform"})] == never.split()
    assert PINCH.rule_applies("R10.2", rules, players, {"uniform", "greedy"})


def test_coverage__whole_decks_in_batches(kernel):
    done = []
    found = counted(kernel, "classic", [UNIFORM] * 3, 2 * BATCH_GAMES + 3, done.append)
    assert found.games == 2 * BATCH_GAMES + 5
    assert done == [BATCH_GAMES, BATCH_GAMES, 5]
    assert list(found.times) == list(RULES)
    assert all(type(times) is int for times in found.times.values())
    assert (found.times["R2.1"], found.times["R6.5"]) == (3 * found.games, found.games // 3)


def test_coverage__illegal_answer(tmp_path):
    (tmp_path / "cheat.py").write_text("def play(view):\n    return 1\n", encoding="utf-8")
    cheat = library.find("pinch", "cheat", (tmp_path,))
    kernel = PINCH.load_kernel([cheat], [], counting=True)
    with pytest.raises(IllegalAnswer, match="game 0: play: the hand does not hold this group"):
        PINCH.coverage(kernel, [cheat], load_variant("pinch").rules, [0, 0, 0], SEED, 3, lambda games: None)
