"""The game record `pinchsim-trace/1`: one game as lines that replay it and check every rule.

A record is a header (the rules, who plays, every card as dealt) and then one decision or consequence a line, in the order
in which the rules produce them. `docs/trace.md` describes the format.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import CARD_CODES, card_codes, card_names, group_words, points, rules_array
from pinchsim.games.pinch.deal import shuffled_deck
from pinchsim.games.pinch.hooks import LOG_DRAW, LOG_PASS, LOG_PINCH, LOG_PLAY, LOG_REFILL, LOG_RESPOND
from pinchsim.games.pinch.rules import RuleSet, change_rules, check_deal, load_variant, variant_names
from pinchsim.games.pinch.state import STATE, VIEW
from pinchsim.strategy import kernels
from pinchsim.strategy.library import Strategy

FORMAT = "pinchsim-trace/1"
TAKE_WORDS = ("leave", "take")
RESPOND_WORDS = ("discard", "take_back")
Event = dict[str, Any]


def deck_order(rules: RuleSet, seed: int, deck: int) -> np.ndarray:
    """All cards of a deck in the order in which they are dealt and drawn (uint8[deck size], card codes)."""
    order = np.zeros(rules.deck_size, np.uint8)
    shuffled_deck(rules_array(rules), np.uint64(seed), np.uint64(deck), *compiled.new_memory(), order)
    return order


def record_game(variant: str, rules: RuleSet, line_up: Sequence[Strategy], seed: int, game: int) -> list[Event]:
    """Play game number `game` of a sweep with this seed and line-up again, and return its record.

    A game that a strategy broke off with an illegal answer is recorded as far as it went, without an end.
    """
    n_players = len(line_up)
    deck, rotation = divmod(game, n_players)
    mirror = len({s.name for s in line_up}) == 1
    start_seat = rotation if mirror else 0
    shift = 0 if mirror else rotation
    distinct = sorted({s.name: s for s in line_up}.values(), key=lambda s: s.name)
    names = [s.name for s in distinct]
    kernel = kernels.load_kernel(compiled, distinct, "record")
    slots = np.array([names.index(s.name) for s in line_up])
    by_seat = [line_up[(seat - shift) % n_players].name for seat in range(n_players)]
    header = _header(variant, rules, by_seat, start_seat, deck_order(rules, seed, deck), seed, game)
    state, view = _play_one(kernel, rules, slots, mirror, seed, game, compiled.NO_ORDER)
    return [header, *_events(rules, state, view, start_seat, n_players)]


def _header(
    variant: str, rules: RuleSet, by_seat: list[str], start_seat: int, order: np.ndarray, seed: int, game: int
) -> Event:
    cards = card_names(order)
    n_players, hand_size = len(by_seat), rules.hand_size
    dealt = n_players * hand_size
    return {
        "type": "game",
        "format": FORMAT,
        "variant": variant,
        "rules": rules.switches(),
        "players": n_players,
        "start_seat": start_seat,
        "strategies": by_seat,
        "seed": seed,
        "game": game,
        "hands": [cards[seat * hand_size : (seat + 1) * hand_size] for seat in range(n_players)],
        "market": cards[dealt : dealt + rules.market_size],
        "pile": cards[dealt + rules.market_size :],
    }


def _play_one(
    kernel: Any,
    rules: RuleSet,
    slots: np.ndarray,
    mirror: bool,
    seed: int,
    game: int,
    order: np.ndarray,
    script: Any = (),
) -> tuple[Any, Any]:
    """Play one game with a kernel that logs; returns the state and the view at its end."""
    memory = compiled.new_memory()
    state, view = memory[0].view(STATE)[0], memory[1].view(VIEW)[0]
    state["script"][: len(script)] = script
    state["script_length"] = len(script)
    blocks = compiled.empty_blocks(1, len(slots))
    kernel(rules_array(rules), slots, int(mirror), np.uint64(seed), game, order, *memory, *blocks)
    return state, view


def _events(rules: RuleSet, state: Any, view: Any, start_seat: int, n_players: int) -> list[Event]:
    """The log as lines of the record, with the end if the game reached one."""
    events: list[Event] = []
    turn = 0
    for kind, player, a, b, third in state["log"][: state["log_length"]].tolist():
        seat = (start_seat + player) % n_players
        if kind == LOG_PLAY:
            turn += 1
            events.append({"type": "play", "turn": turn, "seat": seat, **group_words(a)})
        elif kind == LOG_PINCH:
            victim = (start_seat + a) % n_players
            events.append({"type": "pinch", "seat": seat, "victim": victim, **group_words(b), "choice": TAKE_WORDS[third]})
        elif kind == LOG_RESPOND:
            events.append({"type": "respond", "seat": seat, "choice": RESPOND_WORDS[a]})
        elif kind == LOG_DRAW:
            source = {"source": "pile"} if a == c.PILE else {"source": "market", "place": a}
            events.append({"type": "draw", "seat": seat, **source, "cards": [c.CARD_NAMES[b]]})
        elif kind == LOG_PASS:
            events.append({"type": "pass", "seat": seat})
        elif kind == LOG_REFILL:
            _add_refill(events, a, c.CARD_NAMES[b])
    if state["end"] not in (c.RUNNING, c.BROKEN_OFF):
        events.append(_end(state, view, start_seat, n_players))
    return events


def _add_refill(events: list[Event], place: int, card: str) -> None:
    """All places filled after one drawing are one line."""
    if not events or events[-1]["type"] != "refill":
        events.append({"type": "refill", "cards": [], "places": []})
    events[-1]["cards"].append(card)
    events[-1]["places"].append(place)


def _end(state: Any, view: Any, start_seat: int, n_players: int) -> Event:
    positions = [(seat - start_seat) % n_players for seat in range(n_players)]
    display = [int(view["cards_in_display"][p]) for p in positions]
    hand = [int(view["cards_in_hand"][p]) for p in positions]
    scores = [
        int(view["display_points"]) * d + int(view["hand_points"]) * h + int(view["start_bonus"][p])
        for d, h, p in zip(display, hand, positions, strict=True)
    ]
    won = int(state["won"])
    return {
        "type": "end",
        "reason": c.END_REASONS[state["end"]],
        "turns": int(view["turn"]),
        "display": display,
        "hand": hand,
        "scores": [points(s) for s in scores],
        "winners": [seat for seat, p in enumerate(positions) if won >> p & 1],
    }


def to_lines(record: Iterable[Event]) -> str:
    """The record as JSON Lines."""
    return "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in record)


def replay(record: Sequence[Event]) -> list[Event]:
    """Play a record's decisions again from its deal, and return the record that comes out.

    Raises
    ------
    UsageError
        The header or a line is not of the format, or the deal is not one of the rule set.
    RunError
        A decision of the record is not legal, or the record stops before the game ends.
    """
    lines, problem = _play_again(record)
    if problem:
        raise RunError(problem)
    return lines


def _play_again(record: Sequence[Event]) -> tuple[list[Event], str]:
    """The lines that a record's decisions lead to, and what stopped the game before its end, if anything did."""
    header = record[0]
    rules = _check_header(header)
    order = card_codes([card for hand in header["hands"] for card in hand] + header["market"] + header["pile"])
    n_players, start_seat = header["players"], header["start_seat"]
    kernel = kernels.load_kernel(compiled, (), "replay")
    script = [answer for event in record[1:] for answer in _answers(event)]
    if len(script) > c.MAX_LOG:
        raise UsageError(f"The record has {len(script)} decisions; no game has more than {c.MAX_LOG}.")
    # A game index with rotation `start_seat` of deck 0: the order of the cards is given, so the deck does not matter.
    state, view = _play_one(kernel, rules, np.zeros(n_players, np.int64), True, 0, start_seat, order, script)
    events = _events(rules, state, view, start_seat, n_players)
    problem = ""
    if state["status"] == c.SCRIPT_ENDED:
        problem = f"The record stops after {len(events) + 1} lines, before the game has ended."
    elif state["status"] != c.OK:
        problem = f"Line {len(events) + 2} of the record is not legal: {compiled.STATUS_WORDS[int(state['status'])]}."
    return [header, *events], problem


def _answers(event: Event) -> list[int]:
    """What the deciding player answered, as the kernels want it; nothing for a consequence."""
    try:
        kind = event["type"]
        if kind == "play":
            value, naturals, jokers = CARD_CODES[event["value"]], _count(event["naturals"]), _count(event["jokers"])
            return [(naturals + jokers) << 8 | value << 4 | jokers]
        if kind == "pinch":
            return [TAKE_WORDS.index(event["choice"])]
        if kind == "respond":
            return [RESPOND_WORDS.index(event["choice"])]
        if kind == "draw":
            return [c.PILE if event["source"] == "pile" else _count(event["place"])]
    except (KeyError, ValueError, TypeError):
        raise UsageError(f"Not a line of {FORMAT}: {json.dumps(event)}.") from None
    return [c.PASS] if kind == "pass" else []


def _count(value: Any) -> int:
    """A whole number from 0 to 99; anything else is no number of cards and no market place."""
    if type(value) is not int or not 0 <= value <= 99:
        raise ValueError(value)
    return value


_HEADER_TYPES = {
    "variant": str,
    "rules": dict,
    "players": int,
    "start_seat": int,
    "strategies": list,
    "seed": int,
    "game": int,
    "hands": list,
    "market": list,
    "pile": list,
}


def _check_header(header: Event) -> RuleSet:
    """The rule set of a record whose header is sound."""
    try:
        if header["type"] != "game" or header["format"] != FORMAT:
            raise UsageError(f"The first line must be a game in the format {FORMAT}.")
        for key, kind in _HEADER_TYPES.items():
            if type(header[key]) is not kind:
                raise UsageError(f"The record's header has {header[key]!r} as '{key}'; it must be a JSON {kind.__name__}.")
        rules = change_rules(RuleSet(), header["rules"], "The record's rules")
        check_deal(rules, header["players"], "The record's rules")
        sizes = [len(hand) for hand in header["hands"]]
        cards = sorted(card for hand in header["hands"] for card in hand) + header["market"] + header["pile"]
        full = [name for name in c.CARD_NAMES[1 : rules.values + 1] for _ in range(rules.copies)] + ["X"] * rules.jokers
        if sizes != [rules.hand_size] * header["players"] or len(header["market"]) != rules.market_size:
            raise UsageError("The record's hands or market are not of the size that its rules say.")
        if sorted(cards) != sorted(full):
            raise UsageError("The record's cards are not the deck that its rules say (R1.2).")
        if not 0 <= header["start_seat"] < header["players"]:
            raise UsageError("The record's start seat is not one of its players.")
    except (KeyError, TypeError) as error:
        raise UsageError(f"The record's header lacks or garbles {error}.") from None
    name = header["variant"]
    if name in variant_names() and load_variant(name).rules.switches() != rules.switches():
        raise UsageError(f"The record says variant '{name}', but its rules are not that variant's.")
    return rules


def read_records(text: str, where: str) -> list[list[Event]]:
    """The records in a text of JSON Lines; each begins with its header.

    Raises
    ------
    UsageError
        A line is not JSON, or the first is no header; `where` begins the message.
    """
    records: list[list[Event]] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            event = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"{where}, line {number}: not JSON: {error.msg}.") from None
        if not isinstance(event, dict) or "type" not in event:
            raise UsageError(f"{where}, line {number}: not a line of {FORMAT}.")
        if event["type"] == "game":
            records.append([])
        if not records:
            raise UsageError(f"{where}, line {number}: a record begins with a line of type 'game'.")
        records[-1].append(event)
    if not records:
        raise UsageError(f"{where}: holds no record.")
    return records


def check(record: Sequence[Event]) -> None:
    """Play a record again and compare every line.

    Raises
    ------
    UsageError, RunError
        The record is not of the format, not legal, or a line is not what the rules produce.
    """
    sound, problem = _play_again(record)
    for number, (mine, theirs) in enumerate(zip(sound, record, strict=False), 1):
        if mine != theirs:
            raise RunError(f"Line {number} of the record is {json.dumps(theirs)}; the rules say {json.dumps(mine)}.")
    if problem:
        raise RunError(problem)
    if len(sound) != len(record):
        raise RunError(f"The record has {len(record)} lines; the game has {len(sound)}.")
