"""A game record as readable text, in the game's words."""

from collections.abc import Sequence
from typing import Any

from pinchsim.games.pinch.codes import CARD_NAMES

NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", "X": "joker"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
REASONS = {
    "hand_empty": "a hand is empty",
    "cards_exhausted": "draw pile and market are used up",
    "turn_limit": "the turn limit is reached",
}
Event = dict[str, Any]


def tell(record: Sequence[Event]) -> str:
    """The whole game as text, a line per decision or consequence."""
    teller = _Teller(record[0])
    lines = teller.setup()
    words = {"play": teller.play, "pinch": teller.pinch, "respond": teller.respond, "draw": teller.draw}
    words |= {"pass": teller.no_draw, "refill": teller.refill, "end": teller.end}
    words |= {"shadow_pinch": teller.shadow_pinch, "shadow_refill": teller.shadow_refill, "reshuffle": teller.reshuffle}
    lines += [words[event["type"]](event) for event in record[1:]]
    if record[-1]["type"] != "end":
        lines.append("The game was broken off here.")
    return "\n".join(lines) + "\n"


def number(n: int) -> str:
    """A number in words as far as they go."""
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def cards_in_words(card: str, n: int) -> str:
    """For example 'three 7s', 'one king', 'two jokers'."""
    name = NAMES.get(card, card)
    plural = "" if n == 1 else ("es" if name.endswith("x") else "s")
    return f"{number(n)} {name}{plural}"


def group_in_words(event: Event) -> str:
    """For example 'three 7s and one joker', 'two lone jokers'."""
    naturals, jokers = event["naturals"], event["jokers"]
    if naturals == 0:
        return cards_in_words("X", jokers).replace(" ", " lone ", 1)
    joined = f" and {cards_in_words('X', jokers)}" if jokers else ""
    return cards_in_words(event["value"], naturals) + joined


class _Teller:
    """Words for each kind of line."""

    def __init__(self, header: Event) -> None:
        self.header = header

    def seat(self, seat: int) -> str:
        return f"Seat {seat}"

    def setup(self) -> list[str]:
        h = self.header
        lines = [f"{h['variant']}, {h['players']} players, seed {h['seed']}, game {h['game']}"]
        for seat, (strategy, hand) in enumerate(zip(h["strategies"], h["hands"], strict=True)):
            start = " (start player)" if seat == h["start_seat"] else ""
            lines.append(f"{self.seat(seat)} plays {strategy}{start}: {' '.join(sorted(hand, key=_rank))}")
        market = " ".join(place if isinstance(place, str) else "+".join(place) for place in h["market"])
        lines.append(f"Market: {market}   Draw pile: {len(h['pile'])} cards")
        if "shadow" in h:
            out = f"   Out of play: {' '.join(h['out_of_play'])}" if h["out_of_play"] else ""
            lines.append(f"Shadow display: {' '.join(sorted(h['shadow'], key=_rank))}{out}")
        return [*lines, ""]

    def play(self, e: Event) -> str:
        return f"{e['turn']:>3}. {self.seat(e['seat'])} plays {group_in_words(e)}."

    def pinch(self, e: Event) -> str:
        verb = "takes them" if e["choice"] == "take" else "leaves them"
        one = e["naturals"] + e["jokers"] == 1
        verb = verb.replace("them", "it") if one else verb
        return f"     {self.seat(e['seat'])} pinches {group_in_words(e)} of seat {e['victim']} and {verb}."

    def shadow_pinch(self, e: Event) -> str:
        them = "it" if e["size"] == 1 else "them"
        group = cards_in_words(e["value"], e["size"])
        return f"     {self.seat(e['seat'])} pinches {group} of the shadow display and takes {them}."

    def shadow_refill(self, e: Event) -> str:
        told = [f"The shadow display is filled up with {' '.join(e['cards'])}."] if e["cards"] else []
        told += [f"{cards_in_words(x['card'], 1).capitalize()} goes onto market place {x['place']}." for x in e["to_market"]]
        told += [f"{cards_in_words(card, 1).capitalize()} is out of play." for card in e["out_of_play"]]
        return f"     {' '.join(told)}"

    def reshuffle(self, e: Event) -> str:
        return f"     The discards are shuffled: a new draw pile of {number(len(e['cards']))}."

    def respond(self, e: Event) -> str:
        verb = "takes the cards back" if e["choice"] == "take_back" else "discards the cards"
        return f"     {self.seat(e['seat'])} {verb}."

    def draw(self, e: Event) -> str:
        cards = " with ".join(cards_in_words(card, 1) for card in e["cards"])
        source = "the draw pile" if e["source"] == "pile" else f"market place {e['place']}"
        return f"     {self.seat(e['seat'])} draws {cards} from {source}."

    def refill(self, e: Event) -> str:
        return f"     The market is filled up with {' '.join(e['cards'])}."

    def no_draw(self, e: Event) -> str:
        return f"     {self.seat(e['seat'])} draws no card."

    def end(self, e: Event) -> str:
        lines = ["", f"The game ends after {e['turns']} turns: {REASONS[e['reason']]}."]
        for seat, score in enumerate(e["scores"]):
            bonus = " with the start bonus" if any(self.header["rules"]["start_bonus"]) else ""
            counts = f"{e['display'][seat]} in the display, {e['hand'][seat]} in hand"
            lines.append(f"{self.seat(seat)}: {counts}: {score} points{bonus}.")
        winners = " and ".join(map(str, e["winners"]))
        verb = "wins" if len(e["winners"]) == 1 else "share the win"
        seats = "Seat" if len(e["winners"]) == 1 else "Seats"
        return "\n".join([*lines, f"{seats} {winners} {verb}."])


def _rank(card: str) -> int:
    return CARD_NAMES.index(card)
