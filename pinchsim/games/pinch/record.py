"""The game record `pinchsim-trace/1`: one game as lines that replay it and check every rule.

A record is a header (the rules, who plays, every card as dealt) and then one decision or consequence a line, in the order
in which the rules produce them. `docs/trace.md` describes the format.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import CARD_CODES, card_codes, card_names, group_words, points
from pinchsim.games.pinch.deal import JOKERS_GIVEN
from pinchsim.games.pinch.dealing import deal
from pinchsim.games.pinch.hooks import (
    LOG_DRAW,
    LOG_PASS,
    LOG_PINCH,
    LOG_PLAY,
    LOG_REFILL,
    LOG_RESHUFFLE,
    LOG_RESPOND,
    LOG_SHADOW_PINCH,
    LOG_SHADOW_REFILL,
    OUT_OF_PLAY,
    STAYS,
)
from pinchsim.games.pinch.kernel import Kernel, load, load_replay
from pinchsim.games.pinch.readings import READINGS
from pinchsim.games.pinch.rules import RuleSet, change_rules, check_deal, load_variant, variant_names
from pinchsim.games.pinch.state import STATE, VIEW
from pinchsim.strategy.library import Strategy

FORMAT = "pinchsim-trace/1"
CONSEQUENCES = ("pass", "refill", "shadow_refill", "end")  # lines without an answer, but for the pass
TAKE_WORDS = ("leave", "take")
RESPOND_WORDS = ("discard", "take_back")
Event = dict[str, Any]


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
    seated = [names.index(s.name) for s in line_up]
    by_seat = [line_up[(seat - shift) % n_players].name for seat in range(n_players)]
    header = {
        "type": "game",
        "format": FORMAT,
        "variant": variant,
        "rules": written_rules(rules),
        "players": n_players,
        "start_seat": start_seat,
        "strategies": by_seat,
        "seed": seed,
        "game": game,
        **_setup(rules, seed, deck, n_players, start_seat, compiled.NO_ORDER),
    }
    state, view = _play_one(load(distinct, "record"), rules, seated, seed, game)
    return [header, *_events(state, view, start_seat, n_players)]


def written_rules(rules: RuleSet) -> Event:
    """The switches as a record names them: all of R11, and a contested reading only where it is not the ruling."""
    rulings = {reading.switch: reading.ruling for reading in READINGS if reading.in_engine}
    return {name: value for name, value in rules.switches().items() if name not in rulings or value != rulings[name]}


def _setup(rules: RuleSet, seed: int, deck: int, n_players: int, start_seat: int, order: np.ndarray) -> Event:
    """The cards of a header: hands by seat, market, draw pile, and in a duel the shadow display."""
    memory = compiled.new_memory()
    deal(rules, n_players, seed, np.array([deck]), start_seat, order, memory)
    state, view = memory[0].view(STATE)[0], memory[1].view(VIEW)[0]
    cards = card_names(state["deck"][: state["deck_size"]])
    given = ["X"] * JOKERS_GIVEN if rules.duel else []
    dealt = rules.hand_size - len(given)
    setup: Event = {
        "hands": [given + cards[seat * dealt : (seat + 1) * dealt] for seat in range(n_players)],
        "market": [_place(state, view, place) for place in range(rules.market_size)],
    }
    if rules.duel:
        setup["shadow"] = _counted(view["shadow"])
        setup["out_of_play"] = _counted(view["out_of_play"])
    return setup | {"pile": cards[int(state["next_card"]) :]}


def _place(state: Any, view: Any, place: int) -> str | list[str]:
    """What lies at a market place: a card, or the two cards of a group in the order in which they came."""
    card, partner = c.CARD_NAMES[view["market"][place]], c.CARD_NAMES[view["market_partner"][place]]
    if not partner:
        return card
    return [partner, card] if state["added_below"][place] else [card, partner]


def _counted(counts: np.ndarray) -> list[str]:
    """Card names of counts by card, ascending."""
    return [name for name, n in zip(c.CARD_NAMES, counts, strict=False) for _ in range(n)]


def _play_one(
    kernel: Kernel,
    rules: RuleSet,
    seated: Sequence[int],
    seed: int,
    game: int,
    order: np.ndarray = compiled.NO_ORDER,
    script: Any = (),
) -> tuple[Any, Any]:
    """Play one game with a kernel that logs; returns the state and the view at its end."""
    memory = compiled.new_memory()
    state, view = memory[0].view(STATE)[0], memory[1].view(VIEW)[0]
    state["script"][: len(script)] = script
    state["script_length"] = len(script)
    blocks = compiled.empty_blocks(1, len(seated))
    kernel.play(rules, seated, seed, np.array([game]), memory, blocks, order)
    return state, view


def _events(state: Any, view: Any, start_seat: int, n_players: int) -> list[Event]:
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
            events.append({"type": "draw", "seat": seat, **source, "cards": _drawn(b, third)})
        elif kind == LOG_PASS:
            events.append({"type": "pass", "seat": seat})
        elif kind == LOG_REFILL:
            refill = _continued(events, "refill", ("cards", "places"))
            refill["cards"].append(c.CARD_NAMES[b])
            refill["places"].append(a)
        elif kind == LOG_SHADOW_PINCH:
            events.append({"type": "shadow_pinch", "seat": seat, "value": c.CARD_NAMES[a], "size": b})
        elif kind == LOG_SHADOW_REFILL:
            _add_to_shadow(_continued(events, "shadow_refill", ("cards", "to_market", "out_of_play")), c.CARD_NAMES[a], b)
        elif kind == LOG_RESHUFFLE:
            _continued(events, "reshuffle", ("cards",))["cards"].append(c.CARD_NAMES[a])
    if state["end"] not in (c.RUNNING, c.BROKEN_OFF):
        events.append(_end(state, view, start_seat, n_players))
    return events


def _continued(events: list[Event], kind: str, lists: Sequence[str]) -> Event:
    """The line of this kind that the record ends with, begun if it does not: cards turned up one after another are one line."""
    if not events or events[-1]["type"] != kind:
        events.append({"type": kind, **{name: [] for name in lists}})
    return events[-1]


def _drawn(card: int, partner: int) -> list[str]:
    """The cards of a drawing; of a market group the one that lay there first comes first."""
    names = [c.CARD_NAMES[card], c.CARD_NAMES[abs(partner)]]
    return names[::-1] if partner < 0 else names[: 1 + (partner > 0)]


def _add_to_shadow(event: Event, card: str, where: int) -> None:
    """Note where a card turned up for the shadow display went."""
    if where == STAYS:
        event["cards"].append(card)
    elif where == OUT_OF_PLAY:
        event["out_of_play"].append(card)
    else:
        event["to_market"].append({"card": card, "place": where})


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
    order = _dealt_order(rules, header)
    n_players, start_seat = header["players"], header["start_seat"]
    header = header | _same_setup(header, _setup(rules, 0, 0, n_players, start_seat, order))
    kernel = load_replay()
    script = [answer for event in record[1:] for answer in _answers(event)]
    if len(script) > c.MAX_LOG:
        raise UsageError(f"The record has {len(script)} decisions; no game has more than {c.MAX_LOG}.")
    # A game index with rotation `start_seat` of deck 0: the order of the cards is given, so the deck does not matter.
    state, view = _play_one(kernel, rules, [0] * n_players, 0, start_seat, order, script)
    events = _events(state, view, start_seat, n_players)
    problem = ""
    if state["status"] == c.SCRIPT_ENDED:
        problem = f"The record stops after {len(events) + 1} lines, before the game has ended."
    elif state["status"] != c.OK:
        problem = f"Line {len(events) + 2} of the record is not legal: {compiled.STATUS_WORDS[int(state['status'])]}."
    return [header, *events], problem


def _dealt_order(rules: RuleSet, header: Event) -> np.ndarray:
    """An order of the cards (uint8) that is dealt as the header says.

    Jokers given in a duel are left out. Cards added to the market come before the shadow cards, in the order of the cards that
    they were put on (R8.3).
    """
    given = JOKERS_GIVEN if rules.duel else 0
    hands = [sorted(hand, key=lambda card: card != "X")[given:] for hand in header["hands"]]
    places = _places(header)
    added = sorted((place for place in places if len(place) > 1), key=lambda place: CARD_CODES[place[0]])
    cards = [card for hand in hands for card in hand] + [place[0] for place in places]
    cards += [place[1] for place in added] + header.get("out_of_play", []) + header.get("shadow", [])
    return card_codes(cards + header["pile"])


def _same_setup(header: Event, setup: Event) -> Event:
    """The cards of a header as they stand there, if the rules lead to that setup (R8.3); hands and shadow in any order."""
    for key, cards in setup.items():
        order = (lambda hands: [sorted(hand) for hand in hands]) if key == "hands" else sorted
        there, right = header[key], cards
        if key in ("hands", "shadow", "out_of_play"):
            there, right = order(there), order(right)
        if there != right:
            raise RunError(f"The record's '{key}' is not what the rules of the setup lead to (R2, R8.1-R8.3).")
    return {key: header[key] for key in setup}


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
        if kind == "shadow_pinch":
            return [CARD_CODES[event["value"]]]
        if kind == "reshuffle":
            return [CARD_CODES[card] for card in event["cards"]]
    except (KeyError, ValueError, TypeError):
        raise UsageError(f"Not a line of {FORMAT}: {json.dumps(event)}.") from None
    if kind not in CONSEQUENCES:
        raise UsageError(f"Not a line of {FORMAT}: {json.dumps(event)}.")
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
_DUEL_TYPES = {"shadow": list, "out_of_play": list}


def _check_header(header: Event) -> RuleSet:
    """The rule set of a record whose header is sound."""
    try:
        if header["type"] != "game" or header["format"] != FORMAT:
            raise UsageError(f"The first line must be a game in the format {FORMAT}.")
        _check_types(header, _HEADER_TYPES)
        rules = change_rules(RuleSet(), header["rules"], "The record's rules")
        check_deal(rules, header["players"], "The record's rules")
        if rules.duel:
            _check_types(header, _DUEL_TYPES)
        _check_cards(rules, header)
        if not 0 <= header["start_seat"] < header["players"]:
            raise UsageError("The record's start seat is not one of its players.")
        if len(header["strategies"]) != header["players"] or header["seed"] < 0 or header["game"] < 0:
            raise UsageError(
                "The record's header must name a strategy for each player, and seed and game must not be negative."
            )
    except (KeyError, TypeError) as error:
        raise UsageError(f"The record's header lacks or garbles {error}.") from None
    name = header["variant"]
    if name in variant_names() and load_variant(name).rules.switches() != rules.switches():
        raise RunError(f"The record says variant '{name}', but its rules are not that variant's.")
    return rules


def _check_types(header: Event, types: Mapping[str, type]) -> None:
    for key, kind in types.items():
        if type(header[key]) is not kind:
            raise UsageError(f"The record's header has {header[key]!r} as '{key}'; it must be a JSON {kind.__name__}.")


def _check_cards(rules: RuleSet, header: Event) -> None:
    """The cards must be the deck of the rules (R1.2), and hands and market of their sizes."""
    lists = [*header["hands"], *(place for place in header["market"] if isinstance(place, list)), header["pile"]]
    lists += [header["shadow"], header["out_of_play"]] if rules.duel else []
    lists.append([place for place in header["market"] if not isinstance(place, list)])
    for cards in lists:
        if not isinstance(cards, list) or not all(isinstance(card, str) and card in CARD_CODES for card in cards):
            raise UsageError(f'The record\'s header has {json.dumps(cards)} where cards must stand, such as ["A","10","X"].')
    places = _places(header)
    shadow = header["shadow"] + header["out_of_play"] if rules.duel else []
    cards = [card for part in (*header["hands"], *places, shadow, header["pile"]) for card in part]
    full = [name for name in c.CARD_NAMES[1 : rules.values + 1] for _ in range(rules.copies)] + ["X"] * rules.jokers
    if sorted(cards) != sorted(full):
        raise RunError("The record's cards are not the deck that its rules say (R1.2).")
    if [len(hand) for hand in header["hands"]] != [rules.hand_size] * header["players"]:
        raise RunError("The record's hands are not of the size that its rules say (R2.2).")
    if len(places) != rules.market_size or any(len(place) not in (1, 1 + rules.duel) for place in places):
        raise RunError(
            "The record's market is not what its rules say: a card at each place (R2.3), in a duel up to two (R8.3)."
        )
    if rules.duel and any(hand.count("X") != JOKERS_GIVEN for hand in header["hands"]):
        raise RunError("In a duel each hand of the record's deal must hold exactly 2 jokers (R8.1).")


def _places(header: Event) -> list[list[str]]:
    """The market by place, as lists of cards."""
    return [place if isinstance(place, list) else [place] for place in header["market"]]


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
        except (json.JSONDecodeError, RecursionError) as error:
            raise UsageError(f"{where}, line {number}: not JSON: {getattr(error, 'msg', 'nested too deeply')}.") from None
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
