"""The naive reference of Pinch: the rules as plainly as they can be written, standard library only.

It follows shared/RULES.md rule by rule (every function cites its rules) and writes the events of
shared/TRACE.md.  Speed does not matter here, being obviously right does.

A card is one of the strings ``A 2 3 4 5 6 7 8 9 10 J Q K X`` (R1.3).  A group is a tuple
``(value, naturals, jokers)``; lone jokers are ``("X", 0, jokers)`` (R3.2).  A display is a list of groups,
the last one on top (R3.3).  The market is a list of places, each a list of cards: empty, one single card or,
in a duel, a two-card group in the order [base card, added card] (R8.3, R8.4).
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


def beats(group, other, rules) -> bool:
    """Does a group just played beat a top group? (R4.2, R7.2)"""
    if size_of(group) != size_of(other):
        return False
    value, other_value = group[0], other[0]
    if RANK[value] > RANK[other_value]:  # the joker ranks above 13
        return True
    if rules["aces_bite"] and value == ACE:  # R7.2
        return other_value == JOKER or (other_value == king_of(rules) and other_value != ACE)
    return False


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
        ``choose(kind, options, table)`` returns one of the options.

    Attributes
    ----------
    hands, displays : list of list
        By seat: cards; groups, the last one on top.
    market : list of list of str
        By place: the cards lying there, none for an empty place.
    pile, discard, shadow, out_of_play : list of str
        The next card of the pile is ``pile[0]``.
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
        self.turn_number = 0
        self.events = []
        self.reason = None
        self.taken_this_turn = []

    # -- decisions and events -----------------------------------------------------------------------------

    def record(self, kind: str, **fields) -> None:
        """Append one event (TRACE.md)."""
        self.events.append({"type": kind, **fields})

    def table(self, seat, group=None, victim=None, remaining_to_draw=0) -> dict:
        """Everything a chooser may want to look at, as copies.

        seat decides; group is the pinched group under decision (it lies nowhere else at that moment); victim
        is its owner, also while drawing for it; taken_this_turn are the cards which the player whose turn it
        is took so far this turn; remaining_to_draw includes the card being decided.
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
            pinched_shadow = self.pinch_shadow(seat, group)
            pinched_player = self.pinch_players(seat, group)
            blocked = pinched_player or (pinched_shadow and self.rules["shadow_blocks_free_draw"])  # R8.7
            if self.rules["free_draw"] and not blocked:
                self.free_draw(seat)
            if self.turn_number >= self.rules["turn_limit"]:  # R6.6
                raise GameEnds(TURN_LIMIT)
        except GameEnds as end:
            self.finish(end.reason)

    def play_group(self, seat):
        """Play exactly one group onto the display (R3.2, R3.3); the game ends if the hand is empty (R3.4)."""
        hand = self.hands[seat]
        group = self.ask("play", playable_groups(hand), seat)
        value, naturals, jokers = group
        for card in cards_of(group):
            hand.remove(card)
        self.displays[seat].append(group)
        self.record("play", turn=self.turn_number, seat=seat, value=value, naturals=naturals, jokers=jokers)
        if not hand:
            raise GameEnds(HAND_EMPTY)  # R6.1
        return group

    # -- pinching -----------------------------------------------------------------------------------------

    def pinch_shadow(self, seat, group) -> bool:
        """Pinch exactly one group of the shadow display if possible, take it, refill (R8.5, R8.6)."""
        options = []
        for value in number_cards_of(self.rules):
            size = self.shadow.count(value)
            if size == size_of(group) and RANK[value] < RANK[group[0]]:
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
        happened = fill_shadow(self.rules, self.shadow, self.market, self.pile, self.out_of_play)
        if any(happened.values()):
            self.record("shadow_refill", **happened)
        return True  # an empty pile alone does not end the game (R8.8)

    def pinch_players(self, seat, group) -> bool:
        """Compare with each other player once, clockwise; pinching is mandatory (R4.1, R4.3)."""
        pinched_somebody = False
        for steps in range(1, self.players):
            other = (seat + steps) % self.players
            if self.displays[other] and beats(group, self.displays[other][-1], self.rules):
                self.pinch(seat, other)
                pinched_somebody = True
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
        """A victim draws cards one at a time, then the market is refilled (R5.1, R5.2)."""
        for remaining in range(number, 0, -1):
            options = self.sources()
            if not options:  # cannot happen in a game dealt by the rules: R5.3 ended it before
                break
            source = self.ask("draw", options, victim, victim=victim, remaining_to_draw=remaining)
            self.draw_one(victim, source)
        self.refill_market()

    def free_draw(self, seat) -> None:
        """The player may draw exactly one card, or pass (R5.4)."""
        source = self.ask("free_draw", self.sources() + [("pass",)], seat, remaining_to_draw=1)
        if source == ("pass",):
            self.record("pass", seat=seat)
            return
        self.draw_one(seat, source)
        self.refill_market()

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
        self.hands[seat].extend(cards)
        if not self.sources():
            raise GameEnds(CARDS_EXHAUSTED)  # R5.3, R6.2

    def refill_market(self) -> None:
        """Refill the empty places from the pile, lowest place first, as far as the pile goes (R5.2)."""
        cards, places = [], []
        for place in range(len(self.market)):
            if not self.market[place] and self.pile:
                card = self.pile.pop(0)
                self.market[place] = [card]
                cards.append(card)
                places.append(place)
        if places:
            self.record("refill", cards=cards, places=places)

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

    Raises
    ------
    IllegalChoice
        If the chooser returns something that is not among the options.
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
    """Every option with the same probability (R10.1)."""
    return rng.choice(options)


def greedy(kind, options, table):
    """The strategy without random choices (R10.2)."""
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
