"""The deck, the deal and the order of play, as they stand in game records (R1, R2, R3.1, R5.5, R6.5)."""

import pytest

from pinchsim.games.pinch.record import record_game
from pinchsim.games.pinch.rules import load_variant, player_counts, variant_names
from pinchsim.strategy import library

TABLES = [(name, players) for name in variant_names() for players in player_counts(load_variant(name).rules)]
NUMBER_CARDS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
UNIFORM = library.find("pinch", "uniform")


def records(variant, players, games):
    return [record_game(variant, load_variant(variant).rules, [UNIFORM] * players, 3, game) for game in range(games)]


def cards_of(header):
    """All cards of a deal; a market place of a duel may hold two."""
    market = [card for place in header["market"] for card in (place if isinstance(place, list) else [place])]
    hands = [card for hand in header["hands"] for card in hand]
    return hands + market + header["pile"] + header.get("shadow", []) + header.get("out_of_play", [])


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_deal__every_value_eight_times_and_the_jokers(variant, players):
    """R1.1, R1.2 and R1.3; hands and market of their sizes (R2.2, R2.3)."""
    for header, *_ in records(variant, players, 5):
        assert sorted(cards_of(header)) == sorted(NUMBER_CARDS * 8 + ["X"] * header["rules"]["jokers"])
        assert [len(hand) for hand in header["hands"]] == [13] * players
        assert len(header["market"]) == 6


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_turns__go_clockwise_from_the_start_seat(variant, players):
    """R2.1, R3.1, R5.5."""
    for header, *events in records(variant, players, 2 * players):
        seats = [event["seat"] for event in events if event["type"] == "play"]
        assert seats == [(header["start_seat"] + turn) % players for turn in range(len(seats))]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_match__everybody_starts_once_with_the_same_hands(variant, players):
    """The games of one deck are a round in which everybody starts once (R6.5)."""
    headers = [record[0] for record in records(variant, players, players)]
    assert [header["start_seat"] for header in headers] == list(range(players))
    assert all(header["hands"] == headers[0]["hands"] for header in headers)
