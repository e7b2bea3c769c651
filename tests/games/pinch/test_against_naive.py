"""The engine against the naive reference, decision by decision: same deck, same choices, same lines."""

import random

import naive
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pinchsim.games.pinch import codes
from pinchsim.games.pinch import record as rec
from pinchsim.games.pinch.readings import READINGS
from pinchsim.games.pinch.rules import RuleSet, change_rules, check_deal, load_variant, player_counts, variant_names
from pinchsim.strategy import library

GAMES = 100
DECISIONS = ("play", "shadow_pinch", "pinch", "respond", "draw", "pass", "reshuffle")
TABLES = [(name, players) for name in variant_names() for players in player_counts(load_variant(name).rules)]


def seated(name, players):
    """A mirror line-up of a built-in strategy."""
    return [library.find("pinch", name)] * players


def choices_of(record):
    """A chooser that answers what the record says."""
    events = iter([event for event in record[1:] if event["type"] in DECISIONS])

    def choose(kind, options, table):
        event = next(events)
        if event["type"] == "shadow_pinch" and kind != "shadow":  # there was one group only, and nobody is asked
            event = next(events)
        if event["type"] == "reshuffle":
            return event["cards"]
        assert event["seat"] == table["seat"]
        if event["type"] == "play":
            return event["value"], event["naturals"], event["jokers"]
        if event["type"] == "shadow_pinch":
            return event["value"], event["size"]
        if event["type"] in ("pinch", "respond"):
            return event["choice"]
        if event["type"] == "pass":
            return ("pass",)
        return ("pile",) if event["source"] == "pile" else ("market", event["place"])

    return choose


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_uniform_games__agree_line_by_line(variant, players):
    rules = load_variant(variant).rules
    for game in range(GAMES):
        record = rec.record_game(variant, rules, seated("uniform", players), 7, game)
        assert naive.play(record[0], choices_of(record)) == record[1:]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_greedy__is_the_naive_greedy(variant, players):
    rules = load_variant(variant).rules
    for game in range(GAMES // 2):
        record = rec.record_game(variant, rules, seated("greedy", players), 8, game)
        assert naive.play(record[0], naive.greedy) == record[1:]


def test_variants__have_the_naive_switches():
    for name in variant_names():
        assert rec.written_rules(load_variant(name).rules) == naive.default_rules(name)


def test_readings__are_the_naive_ones():
    values = {r.switch: tuple(r.options) for r in READINGS if r.in_engine}
    assert values == naive.READINGS
    assert tuple(values) == codes.SWITCHES[codes.FIRST_READING :]


def test_replay__plays_naive_games():
    """The other way round: games dealt and played by the naive reference are sound for the engine."""
    rng = random.Random(3)
    for game in range(GAMES):
        variant, players = TABLES[game % len(TABLES)]
        header = naive.deal(naive.default_rules(variant), players, game % players, rng, variant, game)
        header |= {"seed": 0, "strategies": ["naive"] * players}
        record = [header, *naive.play(header, lambda kind, options, table: naive.uniform(kind, options, table, rng))]
        rec.check(record)


POINTS = st.integers(-3000, 3000).map(lambda thousandths: thousandths / 1000)


READ_OTHERWISE = st.fixed_dictionaries({}, optional={r.switch: st.sampled_from(list(r.options)[1:]) for r in READINGS})


@st.composite
def rule_sets(draw):
    """Any rule set that can be dealt to the number of players drawn with it."""
    players = draw(st.sampled_from([2, 3, 4, 5]))
    duel = players == 2
    values = draw(st.integers(2 if duel else 1, 13))
    copies, jokers = draw(st.integers(1, 15)), draw(st.integers(4 if duel else 0, 15))
    deck = values * copies + jokers
    assume(deck > players)
    smallest = 2 if duel else 1
    market = draw(st.integers(1, max(1, min(16, deck - players * smallest))))
    hand = draw(st.integers(smallest, max(smallest, min((deck - market) // players, 30))))
    changes = {
        "values": values, "copies": copies, "jokers": jokers, "market_size": market, "hand_size": hand, "duel": duel,
        "shadow_size": draw(st.integers(0, max(0, min(30, deck - market - players * hand)))),
        "free_draw": draw(st.booleans()), "aces_bite": values > 1 and draw(st.booleans()),
        "score_display": draw(POINTS), "score_hand": draw(POINTS),
        "start_bonus": draw(st.lists(POINTS, max_size=5)), "turn_limit": draw(st.integers(1, 300)),
    } | draw(READ_OTHERWISE)  # fmt: skip
    try:
        rules = change_rules(RuleSet(), changes, "test")
        check_deal(rules, players, "test")
    except rec.UsageError:
        assume(False)
    return rules, players


@given(rule_sets(), st.integers(0, 2**63 - 1), st.integers(0, 1000), st.sampled_from(["uniform", "greedy"]))
@settings(max_examples=600, suppress_health_check=list(HealthCheck))
def test_any_rule_set__agrees_with_naive(rules_and_players, seed, game, strategy):
    rules, players = rules_and_players
    record = rec.record_game("own", rules, seated(strategy, players), seed, game)
    assert record[-1]["type"] == "end"
    assert naive.play(record[0], choices_of(record)) == record[1:]
    rec.check(record)


@given(rule_sets(), st.integers(0, 2**63 - 1), st.integers(0, 1000))
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
def test_any_rule_set__greedy_is_the_naive_greedy(rules_and_players, seed, game):
    rules, players = rules_and_players
    record = rec.record_game("own", rules, seated("greedy", players), seed, game)
    shuffles = choices_of([event for event in record if event["type"] in ("game", "reshuffle")])

    def choose(kind, options, table):
        return shuffles(kind, options, table) if kind == "reshuffle" else naive.greedy(kind, options, table)

    assert naive.play(record[0], choose) == record[1:]
