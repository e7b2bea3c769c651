"""A prepared table for the engine: set hands, displays, market and pile in words, then play single turns."""

from pinchsim._jit import entry
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import CARD_CODES, rules_array
from pinchsim.games.pinch.record import _events
from pinchsim.games.pinch.rules import load_variant
from pinchsim.games.pinch.state import STATE, VIEW, read_rules
from pinchsim.games.pinch.turn import take_turn

HOOKS = compiled.hooks("replay", ())


@entry
def _read_rules(state_bytes, view_bytes, rules):
    read_rules(state_bytes.view(STATE)[0], view_bytes.view(VIEW)[0], rules)


@entry
def _take_turn(state_bytes, view_bytes, player):
    take_turn(state_bytes.view(STATE)[0], view_bytes.view(VIEW)[0], HOOKS, player)


def packed(group):
    """A packed group from (value, naturals, jokers)."""
    value, naturals, jokers = group
    return (naturals + jokers) << 8 | CARD_CODES[value] << 4 | jokers


class Table:
    """Players are positions; `hands` are texts like '7 7 X', `displays` lists of groups, the last on top.

    In the market '2+K' is a group: a king that was put onto a 2.
    """

    def __init__(self, hands, displays, market="2 2 2 2 2 2", pile="3 3 3 3 3 3", variant="pinch", turn=4, shadow=""):
        self.memory = compiled.new_memory()
        self.state, self.view = self.memory[0].view(STATE)[0], self.memory[1].view(VIEW)[0]
        _read_rules(*self.memory, rules_array(load_variant(variant).rules))
        v = self.view
        v["n_players"], v["turn"] = len(hands), turn
        for p, (hand, display) in enumerate(zip(hands, displays, strict=True)):
            for card in hand.split():
                self.state["hands"][p, CARD_CODES[card]] += 1
            v["cards_in_hand"][p] = len(hand.split())
            for group in display:
                v["n_groups"][p] += 1
                v["groups"][p, v["n_groups"][p]] = packed(group)
                self.state["tops"] = int(self.state["tops"]) & ~(0xFFF << 12 * p) | packed(group) >> 4 << 12 * p
                v["cards_in_display"][p] += group[1] + group[2]
        for place, cards in enumerate(market.split()):
            first, *added = [CARD_CODES[card] for card in cards.split("+")]
            v["market"][place] = min([first, *added])
            v["market_partner"][place] = max([first, *added]) if added else 0
            self.state["added_below"][place] = any(card < first for card in added)
        for card in shadow.split():
            v["shadow"][CARD_CODES[card]] += 1
        v["shadow_cards"] = len(shadow.split())
        v["market_filled"] = len(market.split())
        for k, card in enumerate(pile.split()):
            self.state["deck"][k] = CARD_CODES[card]
        self.state["deck_size"] = v["pile_size"] = len(pile.split())

    def turn(self, player, *answers):
        """Play one turn with these answers; returns the lines of the record."""
        self.state["script"][: len(answers)] = answers
        self.state["script_length"], self.state["script_at"], self.state["log_length"] = len(answers), 0, 0
        _take_turn(*self.memory, player)
        assert self.state["status"] == c.OK, compiled.STATUS_WORDS[int(self.state["status"])]
        assert self.state["script_at"] == len(answers), "not all answers were asked for"
        return _events(self.state, self.view, 0, int(self.view["n_players"]))

    def hand(self, player):
        """A hand as text."""
        counts = self.state["hands"][player]
        return " ".join(name for card, name in enumerate(c.CARD_NAMES) if name for _ in range(counts[card]))

    def top(self, player):
        """Top group of a display as packed, 0 if empty."""
        return int(self.view["groups"][player, self.view["n_groups"][player]])
