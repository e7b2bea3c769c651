"""The naive reference of Pinch: the rules as plainly as they can be written, standard library only.

It follows shared/RULES.md rule by rule (every function cites its rules) and writes the events of
shared/TRACE.md.  Speed does not matter here, being obviously right does.

A card is one of the strings ``A 2 3 4 5 6 7 8 9 10 J Q K X`` (R1.3).  A group is a tuple
``(value, naturals, jokers)``; lone jokers are ``("X", 0, jokers)`` (R3.2).  A display is a list of groups,
the last one on top (R3.3).  The market is a list of places, each a list of cards: empty, one single card or,
in a duel, a two-card group in the order [base card, added card] (R8.3, R8.4).

Rules that can be read in several ways are switches too, see `READINGS`.
"""

import random
from fractions import Fraction

NUMBER_CARDS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
ACE = "A"
JOKER = "X"
RANK = {card: rank for rank, card in enumerate(NUMBER_CARDS + [JOKER], start=1)}

HAND_EMPTY = "hand_empty"
CARDS_EXHAUSTED = "cards_exhausted"
TURN_LIMIT = "turn_limit"


class IllegalChoice(ValueError):
    """A chooser returned something that is not among the options."""


class GameEnds(Exception):
    """Raised at the very moment at which the rules end the game (R6.1, R6.2)."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


# ---------------------------------------------------------------------------------------------------------
# Rule sets (R11) and setup (R2, R8.1-R8.3)
# ---------------------------------------------------------------------------------------------------------

# The contested readings of the rules: the values that each switch may have, the default first.
READINGS = {
    "exhaustion": ("both", "market_last", "market_card"),  # R5.3
    "refill": ("player", "card", "turn"),  # R5.2
    "equal_pinches": (False, True),  # R4.2
    "last_group_pinches": (False, True),  # R3.4
    "compare": ("value", "sum", "naturals"),  # R4.2
    "lone_joker_tie": ("safe", "pinch"),  # R4.2
    "exposed_group": ("safe", "pinched"),  # R4.1, R4.5
    "discards": ("out", "reshuffled"),  # R5.2
    "sources": ("one_by_one", "announced"),  # R5.1
    "pinch_order": ("clockwise", "counter_clockwise"),  # R4.1
}


def reading(rules: dict, name: str):
    """How the rule set reads a contested rule; the default if it does not say."""
    return rules.get(name, READINGS[name][0])


def default_rules(variant: str) -> dict:
    """All switches of a built-in variant (R7, R11)."""
    rules = {
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
        "turn_limit": 2000,
    }
    changes = {
        "pinch": {},
        "classic": {"free_draw": False},
        "aces-bite": {"free_draw": False, "aces_bite": True},
        "duel": {"duel": True},
        "duel+classic": {"duel": True, "free_draw": False},
        "duel+aces-bite": {"duel": True, "free_draw": False, "aces_bite": True},
        "linko": {"jokers": 5, "free_draw": False, "tie_break": "shared"},
        "linko-duel": {"jokers": 5, "free_draw": False, "tie_break": "shared", "duel": True},
    }
    if variant not in changes:
        raise ValueError(f"unknown variant {variant!r}; there are: {', '.join(changes)}")
    rules.update(changes[variant])
    return rules


def check_rules(rules: dict, players: int) -> None:
    """Refuse a rule set that cannot be dealt, naming the switch (R11)."""

    def need(condition, message):
        if not condition:
            raise ValueError(message)

    duel = rules["duel"]
    if duel:
        need(players == 2, f"duel: needs exactly 2 players, not {players} (R2.1)")
        need(rules["jokers"] >= 4, "jokers: a duel needs at least 4 (R8.1)")
        need(rules["hand_size"] >= 2, "hand_size: a duel needs at least 2 (R8.1)")
        need(rules["shadow_size"] >= 0, "shadow_size: at least 0 (R8.2)")
    else:
        need(3 <= players <= 5, f"players: 3 to 5 without duel, not {players} (R2.1)")
    need(1 <= rules["values"] <= len(NUMBER_CARDS), "values: 1 to 13 (R1.1)")
    if duel or rules["aces_bite"]:
        need(rules["values"] >= 2, "values: duel and aces_bite need at least 2 (R11)")
    need(rules["copies"] >= 1, "copies: at least 1 (R1.2)")
    need(rules["jokers"] >= 0, "jokers: at least 0 (R1.2)")
    need(rules["hand_size"] >= 1, "hand_size: at least 1 (R3.1)")
    need(rules["market_size"] >= 1, "market_size: at least 1 (R11)")
    need(rules["tie_break"] in ("fewer_hand", "shared"), "tie_break: fewer_hand or shared (R6.4)")
    need(rules["turn_limit"] >= 1, "turn_limit: at least 1 (R6.6)")
    for name, allowed in READINGS.items():
        value = reading(rules, name)
        known = type(value) is type(allowed[0]) and value in allowed  # 1 is not True here
        need(known, f"{name}: one of {', '.join(map(str, allowed))}, not {value!r}")

    number_cards = rules["values"] * rules["copies"]
    dealt = players * rules["hand_size"] + rules["market_size"]
    if duel:
        dealt += rules["shadow_size"]
        need(
            players * (rules["hand_size"] - 2) <= number_cards,
            "hand_size: more number cards to deal than there are in the deck (R8.1)",
        )
    need(
        dealt <= number_cards + rules["jokers"],
        "hand_size, market_size or shadow_size: more cards to deal than there are in the deck (R11)",
    )


def number_cards_of(rules: dict) -> list[str]:
    """The values in play, lowest first (R1.1)."""
    return NUMBER_CARDS[: rules["values"]]


def king_of(rules: dict) -> str:
    """The highest number card in play, called "king" in the rules (R11)."""
    return number_cards_of(rules)[-1]


def deal(rules: dict, players: int, start_seat: int, rng: random.Random, variant="?", game=0) -> dict:
    """Shuffle and deal; the header of a record (R2, R8.1-R8.3)."""
    check_rules(rules, players)
    naturals = number_cards_of(rules) * rules["copies"]  # R1.2
    jokers = [JOKER] * rules["jokers"]

    if rules["duel"]:  # R8.1: 2 jokers and hand_size - 2 number cards each
        rng.shuffle(naturals)
        hands = []
        for _ in range(players):
            hand = [jokers.pop(), jokers.pop()]
            for _ in range(rules["hand_size"] - 2):
                hand.append(naturals.pop())
            hands.append(hand)
        pile = naturals + jokers
        rng.shuffle(pile)
    else:  # R2.2
        pile = naturals + jokers
        rng.shuffle(pile)
        hands = []
        for _ in range(players):
            hands.append([pile.pop(0) for _ in range(rules["hand_size"])])

    market = [[pile.pop(0)] for _ in range(rules["market_size"])]  # R2.3

    header = {
        "type": "game",
        "format": "pinchsim-trace/1",
        "variant": variant,
        "rules": {**rules, "start_bonus": list(rules["start_bonus"])},
        "players": players,
        "start_seat": start_seat,
        "strategies": ["?"] * players,
        "seed": None,
        "game": game,
        "hands": hands,
    }
    if rules["duel"]:
        shadow, out_of_play = [], []
        fill_shadow(rules, shadow, market, pile, out_of_play)  # R8.2, R8.3
        header["shadow"] = shadow
        header["out_of_play"] = out_of_play
    header["market"] = [place[0] if len(place) == 1 else list(place) for place in market]
    header["pile"] = pile
    return header


def lowest_single_place(market: list[list[str]]):
    """The place of the lowest single card of the market, the first of equals; None if no single (R8.3)."""
    singles = [place for place, cards in enumerate(market) if len(cards) == 1]
    if not singles:
        return None
    return min(singles, key=lambda place: (RANK[market[place][0]], place))


def fill_shadow(rules, shadow, market, pile, out_of_play) -> dict:
    """Fill the shadow display from the pile as far as it goes (R8.2, R8.3, R8.6).

    The four lists are modified in place.

    Returns
    -------
    dict
        What happened to the cards drawn: "cards" that stayed, "to_market", "out_of_play".
    """
    happened = {"cards": [], "to_market": [], "out_of_play": []}
    while len(shadow) < rules["shadow_size"] and pile:
        card = pile.pop(0)
        if card not in (king_of(rules), JOKER):
            shadow.append(card)
            happened["cards"].append(card)
            continue
        place = lowest_single_place(market)
        if place is None:
            out_of_play.append(card)
            happened["out_of_play"].append(card)
        else:
            market[place].append(card)
            happened["to_market"].append({"card": card, "place": place})
    return happened


# ---------------------------------------------------------------------------------------------------------
# Groups
# ---------------------------------------------------------------------------------------------------------


def size_of(group) -> int:
    """Number of cards in a group (R3.2)."""
    _value, naturals, jokers = group
    return naturals + jokers


def cards_of(group) -> list[str]:
    """The cards of a group; its jokers are plain jokers again (R4.7)."""
    value, naturals, jokers = group
    return [value] * naturals + [JOKER] * jokers


def strength(group, rules) -> int:
    """What two number groups of the same size are compared by (R4.2, switch compare)."""
    value, naturals, _jokers = group
    compare = reading(rules, "compare")
    if compare == "sum":
        return RANK[value] * size_of(group)
    if compare == "naturals":
        return RANK[value] * naturals
    return RANK[value]


def beats(group, other, rules) -> bool:
    """Does a group just played beat a top group? (R4.2, R7.2; compare, equal_pinches, lone_joker_tie)"""
    if size_of(group) != size_of(other):
        return False
    value, other_value = group[0], other[0]
    if value == JOKER and other_value == JOKER:
        return reading(rules, "lone_joker_tie") == "pinch"
    if value == JOKER:  # lone jokers rank above the king
        return True
    bites = rules["aces_bite"] and value == ACE  # R7.2
    if other_value == JOKER:
        return bites
    if bites and other_value == king_of(rules) and other_value != ACE:
        return True
    if strength(group, rules) == strength(other, rules):
        return reading(rules, "equal_pinches")
    return strength(group, rules) > strength(other, rules)


def playable_groups(hand: list[str]) -> list[tuple]:
    """All groups that can be played from a hand, lowest value first (R3.2)."""
    groups = []
    jokers = hand.count(JOKER)
    for value in NUMBER_CARDS:
        for a in range(1, hand.count(value) + 1):
            for b in range(jokers + 1):
                groups.append((value, a, b))
    for b in range(1, jokers + 1):
        groups.append((JOKER, 0, b))
    return groups


# ---------------------------------------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------------------------------------


class Game:
    """A game in progress.

    A test may set any of the attributes before it calls `turn`.

    Parameters
    ----------
    header : dict
        First line of a record (TRACE.md). Not modified.
    choose : callable
        ``choose(kind, options, table)`` returns one of the options; see `play`.

    Attributes
    ----------
    hands, displays : list of list
        By seat: cards; groups, the last one on top.
    market : list of list of str
        By place: the cards lying there, none for an empty place.
    pile, discard, shadow, out_of_play : list of str
        The next card of the pile is ``pile[0]``.
    pending : list of str
        Cards drawn from the pile that do not lie in the hand of the drawing player yet (R5.1, sources).
    turn_number : int
        Plays made so far.
    events : list of dict
        The record without the header.
    reason : str or None
        Why the game ended; None while it goes on.
    """

    def __init__(self, header: dict, choose):
        self.rules = header["rules"]
        self.players = header["players"]
        self.start_seat = header["start_seat"]
        self.choose = choose
        self.hands = [list(hand) for hand in header["hands"]]
        self.displays = [[] for _ in range(self.players)]
        self.market = [[place] if isinstance(place, str) else list(place or []) for place in header["market"]]
        while len(self.market) < self.rules["market_size"]:
            self.market.append([])
        self.pile = list(header["pile"])
        self.discard = []
        self.shadow = list(header.get("shadow", []))
        self.out_of_play = list(header.get("out_of_play", []))
        self.pending = []
        self.turn_number = 0
        self.events = []
        self.reason = None
        self.taken_this_turn = []

    def reads(self, name: str):
        """How this game reads a contested rule (`READINGS`)."""
        return reading(self.rules, name)

    # -- decisions and events -----------------------------------------------------------------------------

    def record(self, kind: str, **fields) -> None:
        """Append one event (TRACE.md)."""
        self.events.append({"type": kind, **fields})

    def table(self, seat, group=None, victim=None, remaining_to_draw=0) -> dict:
        """Everything a chooser may want to look at, as copies.

        seat decides; group is the pinched group under decision (it lies nowhere else at that moment); victim
        is its owner, also while drawing for it; taken_this_turn are the cards which the player whose turn it
        is took so far this turn; remaining_to_draw includes the card being decided; pending are cards that
        the drawing player has drawn, but must not know yet (R5.1, sources): they are not among its hand.
        """
        return {
            "seat": seat,
            "turn": self.turn_number,
            "rules": self.rules,
            "players": self.players,
            "start_seat": self.start_seat,
            "hands": [list(hand) for hand in self.hands],
            "displays": [list(display) for display in self.displays],
            "market": [list(place) for place in self.market],
            "pile": list(self.pile),
            "discard": list(self.discard),
            "shadow": list(self.shadow),
            "out_of_play": list(self.out_of_play),
            "pending": list(self.pending),
            "group": group,
            "victim": victim,
            "taken_this_turn": list(self.taken_this_turn),
            "remaining_to_draw": remaining_to_draw,
        }

    def ask(self, kind: str, options: list, seat, **situation):
        """Let the chooser decide, and insist on a legal answer."""
        choice = self.choose(kind, list(options), self.table(seat, **situation))
        if choice not in options:
            raise IllegalChoice(f"{kind}: {choice!r} is not one of {options}")
        return choice

    # -- a turn -------------------------------------------------------------------------------------------

    def turn(self, seat: int) -> None:
        """One complete turn of a seat; writes the end event if the game ends in it (R3-R6)."""
        self.turn_number += 1
        self.taken_this_turn = []
        try:
            group = self.play_group(seat)
            last_group = not self.hands[seat]
            pinched_shadow = self.pinch_shadow(seat, group)
            pinched_player = self.pinch_players(seat, group)
            if last_group:  # R3.4, last_group_pinches: no matter what was taken into the hand
                raise GameEnds(HAND_EMPTY)  # R6.1
            blocked = pinched_player or (pinched_shadow and self.rules["shadow_blocks_free_draw"])  # R8.7
            if self.rules["free_draw"] and not blocked:
                self.free_draw(seat)
            if self.reads("refill") == "turn":  # R5.2
                self.refill_market()
            if self.turn_number >= self.rules["turn_limit"]:  # R6.6
                raise GameEnds(TURN_LIMIT)
        except GameEnds as end:
            self.finish(end.reason)

    def play_group(self, seat):
        """Play exactly one group onto the display (R3.2, R3.3).

        The game ends if the hand is empty (R3.4), unless the last group still pinches (last_group_pinches).
        """
        hand = self.hands[seat]
        group = self.ask("play", playable_groups(hand), seat)
        value, naturals, jokers = group
        for card in cards_of(group):
            hand.remove(card)
        self.displays[seat].append(group)
        self.record("play", turn=self.turn_number, seat=seat, value=value, naturals=naturals, jokers=jokers)
        if not hand and not self.reads("last_group_pinches"):
            raise GameEnds(HAND_EMPTY)  # R6.1
        return group

    # -- pinching -----------------------------------------------------------------------------------------

    def pinch_shadow(self, seat, group) -> bool:
        """Pinch exactly one group of the shadow display if possible, take it, refill (R8.5, R8.6)."""
        options = []
        for value in number_cards_of(self.rules):
            size = self.shadow.count(value)
            if beats(group, (value, size, 0), self.rules):
                options.append((value, size))
        if not options:
            return False
        value, size = options[0]
        if len(options) > 1:
            value, size = self.ask("shadow", options, seat)
        for _ in range(size):
            self.shadow.remove(value)
        self.take_into_hand(seat, [value] * size)
        self.record("shadow_pinch", seat=seat, value=value, size=size)
        self.refill_shadow()
        return True  # an empty pile alone does not end the game (R8.8)

    def refill_shadow(self) -> None:
        """Fill the shadow display up; the discards may become the pile on the way (R8.6; R5.2, discards)."""
        while len(self.shadow) < self.rules["shadow_size"]:
            self.reshuffle_if_due()
            if not self.pile:
                break
            happened = fill_shadow(self.rules, self.shadow, self.market, self.pile, self.out_of_play)
            self.record("shadow_refill", **happened)

    def neighbours(self, seat) -> list[int]:
        """The other seats in the order in which they are compared (R4.1, pinch_order)."""
        clockwise = [(seat + steps) % self.players for steps in range(1, self.players)]
        if self.reads("pinch_order") == "counter_clockwise":
            return clockwise[::-1]
        return clockwise

    def pinch_players(self, seat, group) -> bool:
        """Compare with each other player in turn; pinching is mandatory (R4.1, R4.3).

        A group that a pinch uncovers is safe (R4.5), or compared at once (exposed_group).
        """
        pinched_somebody = False
        for other in self.neighbours(seat):
            while self.displays[other] and beats(group, self.displays[other][-1], self.rules):
                self.pinch(seat, other)
                pinched_somebody = True
                if self.reads("exposed_group") == "safe":
                    break
        return pinched_somebody

    def pinch(self, seat, victim) -> None:
        """Resolve one pinch completely (R4.4-R4.6)."""
        group = self.displays[victim].pop()  # R4.5
        value, naturals, jokers = group
        choice = self.ask("take", ["take", "leave"], seat, group=group, victim=victim)
        self.record("pinch", seat=seat, victim=victim, value=value, naturals=naturals, jokers=jokers, choice=choice)
        if choice == "take":
            self.take_into_hand(seat, cards_of(group))
            self.draw_cards(victim, size_of(group))
            return
        response = self.ask("respond", ["take_back", "discard"], victim, group=group, victim=victim)
        self.record("respond", seat=victim, choice=response)
        if response == "take_back":
            self.hands[victim].extend(cards_of(group))
        else:
            self.discard.extend(cards_of(group))
            self.draw_cards(victim, size_of(group))

    def take_into_hand(self, seat, cards) -> None:
        """The player whose turn it is takes pinched cards into the hand (R4.4, R8.6)."""
        self.hands[seat].extend(cards)
        self.taken_this_turn.extend(cards)

    # -- drawing ------------------------------------------------------------------------------------------

    def sources(self) -> list[tuple]:
        """The sources from which a card can be drawn (R5.1)."""
        options = [("market", place) for place, cards in enumerate(self.market) if cards]
        if self.pile:
            options.append(("pile",))
        return options

    def draw_cards(self, victim, number) -> None:
        """A victim draws cards one at a time (R5.1); without any source the rest is forfeited (exhaustion)."""
        for remaining in range(number, 0, -1):
            self.reshuffle_if_due()
            options = self.sources()
            if not options:
                break
            source = self.ask("draw", options, victim, victim=victim, remaining_to_draw=remaining)
            self.draw_one(victim, source)
        self.end_drawing(victim)

    def free_draw(self, seat) -> None:
        """The player may draw exactly one card, or pass (R5.4)."""
        self.reshuffle_if_due()
        options = self.sources()
        if not options and self.reads("exhaustion") != "both":  # cannot be in a dealt game if it is "both"
            return
        source = self.ask("free_draw", options + [("pass",)], seat, remaining_to_draw=1)
        if source == ("pass",):
            self.record("pass", seat=seat)
            return
        self.draw_one(seat, source)
        self.end_drawing(seat)

    def draw_one(self, seat, source) -> None:
        """Draw one card, or one market group, which counts as one (R5.1, R8.4); R5.3 may end the game."""
        if source == ("pile",):
            cards = [self.pile.pop(0)]
            self.record("draw", seat=seat, source="pile", cards=cards)
        else:
            _market, place = source
            cards = self.market[place]
            self.market[place] = []
            self.record("draw", seat=seat, source="market", place=place, cards=list(cards))
        if source == ("pile",) and self.reads("sources") == "announced":
            self.pending.extend(cards)
        else:
            self.hands[seat].extend(cards)
        if self.exhausted_by(source):
            self.pick_up_pending(seat)
            raise GameEnds(CARDS_EXHAUSTED)  # R6.2
        if self.refill_moment() == "card":
            self.refill_market()

    def end_drawing(self, seat) -> None:
        """A player has finished drawing (R5.1, R5.2)."""
        self.pick_up_pending(seat)
        if self.refill_moment() == "player":
            self.refill_market()

    def pick_up_pending(self, seat) -> None:
        """The cards of an announced drawing come into the hand (R5.1, sources)."""
        self.hands[seat].extend(self.pending)
        self.pending = []

    def exhausted_by(self, source) -> bool:
        """Does a card just drawn from this source end the game? (R5.3, exhaustion)"""
        pile_empty = not self.pile and not (self.discard and self.reads("discards") == "reshuffled")
        market_empty = not any(self.market)
        from_market = source != ("pile",)
        if self.reads("exhaustion") == "market_card":
            return from_market and pile_empty
        if self.reads("exhaustion") == "market_last":
            return from_market and pile_empty and market_empty
        return pile_empty and market_empty

    def refill_moment(self) -> str:
        """When the market is refilled: after each "card", "player" or "turn" (R5.2, refill).

        An announced drawing (R5.1, sources) is never interrupted by a refill.
        """
        if self.reads("refill") == "card" and self.reads("sources") == "announced":
            return "player"
        return self.reads("refill")

    def refill_market(self) -> None:
        """Refill the empty places from the pile, lowest place first, as far as the pile goes (R5.2).

        The discards may become the pile on the way (discards); that splits the line of the record.
        """
        cards, places = [], []
        for place in range(len(self.market)):
            if self.market[place]:
                continue
            if self.reshuffle_is_due():
                self.record_refill(cards, places)
                cards, places = [], []
                self.reshuffle()
            if self.pile:
                card = self.pile.pop(0)
                self.market[place] = [card]
                cards.append(card)
                places.append(place)
        self.record_refill(cards, places)

    def record_refill(self, cards, places) -> None:
        """Write what was refilled, if anything (TRACE.md)."""
        if places:
            self.record("refill", cards=cards, places=places)

    # -- reshuffling --------------------------------------------------------------------------------------

    def reshuffle_is_due(self) -> bool:
        """Would the discards become the pile if a card of it were wanted now? (R5.2, discards)"""
        return self.reads("discards") == "reshuffled" and not self.pile and bool(self.discard)

    def reshuffle_if_due(self) -> None:
        """A card of the pile is wanted (R5.2, discards)."""
        if self.reshuffle_is_due():
            self.reshuffle()

    def reshuffle(self) -> None:
        """The discards become the pile, in an order from outside; nobody's decision, so the seat is None (R5.2)."""
        cards = sorted(self.discard, key=RANK.get)
        order = self.choose("reshuffle", list(cards), self.table(None))
        same_cards = isinstance(order, list) and len(order) == len(cards)
        if not same_cards or any(order.count(card) != cards.count(card) for card in cards):
            raise IllegalChoice(f"reshuffle: {order!r} is not an order of {cards}")
        self.pile = list(order)
        self.discard = []
        self.record("reshuffle", cards=list(order))

    # -- the end ------------------------------------------------------------------------------------------

    def finish(self, reason) -> None:
        """Score the game as it stands and write the end event (R6.3, R6.4)."""
        self.reason = reason
        display_counts = [sum(size_of(group) for group in display) for display in self.displays]
        hand_counts = [len(hand) for hand in self.hands]
        scores = scores_of(self.rules, self.start_seat, display_counts, hand_counts)
        self.record(
            "end",
            reason=reason,
            turns=self.turn_number,
            display=display_counts,
            hand=hand_counts,
            scores=[plain_number(score) for score in scores],
            winners=winners_of(self.rules, scores, hand_counts),
        )


def exact(number) -> Fraction:
    """A switch as the exact fraction that its decimal form means (R11)."""
    return Fraction(str(number))


def plain_number(number: Fraction):
    """An int where the number is whole, otherwise a float."""
    return int(number) if number.denominator == 1 else float(number)


def scores_of(rules, start_seat, display_counts, hand_counts) -> list[Fraction]:
    """Exact scores by seat, the bonus of the position included (R2.1, R6.3, R11)."""
    players = len(display_counts)
    scores = []
    for seat in range(players):
        position = (seat - start_seat) % players
        bonuses = rules["start_bonus"]
        bonus = bonuses[position] if position < len(bonuses) else 0
        scores.append(
            exact(rules["score_display"]) * display_counts[seat] + exact(rules["score_hand"]) * hand_counts[seat] + exact(bonus)
        )
    return scores


def winners_of(rules, scores, hand_counts) -> list[int]:
    """The seats that win or share the win, ascending (R6.4)."""
    tied = [seat for seat in range(len(scores)) if scores[seat] == max(scores)]
    if rules["tie_break"] == "fewer_hand":
        fewest = min(hand_counts[seat] for seat in tied)
        tied = [seat for seat in tied if hand_counts[seat] == fewest]
    return tied


def play(header: dict, choose) -> list[dict]:
    """Play a whole game from a header; returns all events after the header (R3.1, R5.5).

    Parameters
    ----------
    header : dict
        First line of a record (TRACE.md). Not modified.
    choose : callable
        ``choose(kind, options, table)`` returns one of the options. Kinds and options:
        "play" (value, naturals, jokers); "take" "take" / "leave"; "respond" "take_back" / "discard";
        "draw" ("market", place) / ("pile",); "free_draw" the same and ("pass",); "shadow" (value, size).
        "reshuffle" is different: the options are the discards, sorted, and the answer is the same list of
        cards in the order of the new pile, next card first (R5.2, discards).

    Raises
    ------
    IllegalChoice
        If the chooser returns something that is not among the options (or no order of the discards).
    """
    game = Game(header, choose)
    seat = game.start_seat
    while game.reason is None:
        game.turn(seat)
        seat = (seat + 1) % game.players
    return game.events


# ---------------------------------------------------------------------------------------------------------
# The two exact reference strategies (R10)
# ---------------------------------------------------------------------------------------------------------


def uniform(kind, options, table, rng):
    """Every option with the same probability (R10.1); any order of a reshuffle."""
    if kind == "reshuffle":
        return rng.sample(options, len(options))
    return rng.choice(options)


def greedy(kind, options, table):
    """The strategy without random choices (R10.2); a reshuffle puts the highest card first."""
    if kind == "reshuffle":
        return options[::-1]
    hand = table["hands"][table["seat"]]
    if kind == "play":
        return greedy_play(hand)
    if kind == "take":
        return "take" if size_of(table["group"]) >= 2 and len(hand) > 3 else "leave"
    if kind == "respond":
        return "take_back" if size_of(table["group"]) >= 3 else "discard"
    if kind == "draw":
        return greedy_draw(hand, table["market"], table["pile"])
    if kind == "free_draw":
        if len(hand) <= 3 or options == [("pass",)]:
            return ("pass",)
        return greedy_draw(hand, table["market"], table["pile"])
    if kind == "shadow":
        return max(options, key=lambda option: RANK[option[0]])
    raise ValueError(f"unknown kind of decision: {kind!r}")


def greedy_play(hand):
    """The value held most often, all of it; jokers only in the last play (R10.2, first line)."""
    jokers = hand.count(JOKER)
    if jokers == len(hand):
        return (JOKER, 0, jokers)
    value = max(NUMBER_CARDS, key=lambda card: (hand.count(card), -RANK[card]))
    naturals = hand.count(value)
    only_jokers_are_left = len(hand) - naturals == jokers
    return (value, naturals, jokers if only_jokers_are_left else 0)


def greedy_draw(hand, market, pile):
    """The market card held most often, else the pile, else the lowest market card (R10.2, third line)."""
    judged = []  # (card by which the place is judged, place): a market group counts as its lower card
    for place, cards in enumerate(market):
        if cards:
            judged.append((min(cards, key=RANK.get), place))
    held = [(card, place) for card, place in judged if card in hand]
    if held:
        _card, place = min(held, key=lambda entry: (-hand.count(entry[0]), RANK[entry[0]], entry[1]))
        return ("market", place)
    if pile:
        return ("pile",)
    _card, place = min(judged, key=lambda entry: (RANK[entry[0]], entry[1]))
    return ("market", place)
