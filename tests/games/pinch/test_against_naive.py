"""The engine against the naive reference, decision by decision: same deck, same choices, same lines."""

import random

import naive
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pinchsim.games.pinch import record as rec
from pinchsim.games.pinch.rules import RuleSet, change_rules, load_variant, variant_names
from pinchsim.strategy import library

GAMES = 200
DECISIONS = ("play", "pinch", "respond", "draw", "pass")


def seated(name, players):
    """A mirror line-up of a built-in strategy."""
    return [library.find("pinch", name)] * players


def choices_of(record):
    """A chooser that answers what the record says."""
    events = iter(event for event in record[1:] if event["type"] in DECISIONS)

    def choose(kind, options, table):
        event = next(events)
        assert event["seat"] == table["seat"]
        if event["type"] == "play":
            return event["value"], event["naturals"], event["jokers"]
        if event["type"] in ("pinch", "respond"):
            return event["choice"]
        if event["type"] == "pass":
            return ("pass",)
        return ("pile",) if event["source"] == "pile" else ("market", event["place"])

    return choose


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("variant", ["pinch", "classic", "aces-bite"])
def test_uniform_games__agree_line_by_line(variant, players):
    rules = load_variant(variant).rules
    for game in range(GAMES):
        record = rec.record_game(variant, rules, seated("uniform", players), 7, game)
        assert naive.play(record[0], choices_of(record)) == record[1:]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("variant", ["pinch", "classic", "aces-bite"])
def test_greedy__is_the_naive_greedy(variant, players):
    rules = load_variant(variant).rules
    for game in range(GAMES // 2):
        record = rec.record_game(variant, rules, seated("greedy", players), 8, game)
        assert naive.play(record[0], naive.greedy) == record[1:]


def test_variants__have_the_naive_switches():
    for name in variant_names():
        assert load_variant(name).rules.switches() == naive.default_rules(name)


def test_replay__plays_naive_games():
    """The other way round: games dealt and played by the naive reference are sound for the engine."""
    rng = random.Random(3)
    for game in range(GAMES):
        variant = ("pinch", "classic", "aces-bite")[game % 3]
        header = naive.deal(naive.default_rules(variant), 3 + game % 3, game % 3, rng, variant, game)
        header |= {"seed": 0, "strategies": ["naive"] * header["players"]}
        record = [header, *naive.play(header, lambda kind, options, table: naive.uniform(kind, options, table, rng))]
        rec.check(record)


POINTS = st.integers(-3000, 3000).map(lambda thousandths: thousandths / 1000)


@st.composite
def rule_sets(draw):
    """Any rule set that can be dealt to the number of players drawn with it."""
    values, copies, jokers = draw(st.integers(1, 13)), draw(st.integers(1, 15)), draw(st.integers(0, 15))
    deck = values * copies + jokers
    players = draw(st.sampled_from([n for n in (3, 4, 5) if n + 1 <= deck] or [3]))
    if players + 1 > deck:
        copies = 8
        deck = values * copies + jokers
    market = draw(st.integers(1, min(16, deck - players)))
    hand = draw(st.integers(1, min((deck - market) // players, 30)))
    changes = {
        "values": values, "copies": copies, "jokers": jokers, "market_size": market, "hand_size": hand,
        "free_draw": draw(st.booleans()), "aces_bite": values > 1 and draw(st.booleans()),
        "tie_break": draw(st.sampled_from(["fewer_hand", "shared"])),
        "score_display": draw(POINTS), "score_hand": draw(POINTS),
        "start_bonus": draw(st.lists(POINTS, max_size=5)), "turn_limit": draw(st.integers(1, 300)),
    }  # fmt: skip
    try:
        return change_rules(RuleSet(), changes, "test"), players
    except rec.UsageError:  # three players do not fit, five would not either
        return RuleSet(), players


@given(rule_sets(), st.integers(0, 2**63 - 1), st.integers(0, 1000), st.sampled_from(["uniform", "greedy"]))
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_rule_set__agrees_with_naive(rules_and_players, seed, game, strategy):
    rules, players = rules_and_players
    record = rec.record_game("own", rules, seated(strategy, players), seed, game)
    assert naive.play(record[0], choices_of(record)) == record[1:]
    if strategy == "greedy":
        assert naive.play(record[0], naive.greedy) == record[1:]
