"""The rules as data: rule sets, named variants, and a designer's own variant files (R7, R11).

A variant is a small TOML file: a base, what it is, and the switches it changes.

    base = "pinch"
    description = "Classic with a bigger market."
    free_draw = false
    market_size = 8

Variants are combined by plus signs: `duel+classic`, `own.toml+duel`, `pinch+refill=card+market_size=8`.
"""

import difflib
import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

from pinchsim.errors import UsageError
from pinchsim.games.pinch.readings import BY_SWITCH, READINGS

PLAYER_COUNTS = (3, 4, 5)
DUEL_COUNTS = (2,)
ALL_COUNTS = (*DUEL_COUNTS, *PLAYER_COUNTS)
BASE_GAME = "pinch"
BASE_DUEL = "duel"
_VARIANTS = Path(__file__).resolve().parent / "variants"
_BUILT_IN = frozenset(path.stem for path in _VARIANTS.glob("*.toml"))
_TEXT_KEYS = ("base", "description")
_MAX_POINTS = 1000
_DEALT_JOKERS = 2  # in each hand of a duel (R8.1)
# A switch that is on, and the least values that it needs of others (R11).
_NEEDS = {"aces_bite": {"values": 2}, "duel": {"values": 2, "jokers": 4, "hand_size": _DEALT_JOKERS}}


def _asks(switch: str) -> str:
    """The question that a contested reading answers, with its rule."""
    reading = BY_SWITCH[switch]
    return f"{reading.question} ({reading.rule})"


class RuleSet(BaseModel):
    """Every switch of R11 with its value; the defaults are the game Pinch itself.

    Points (`score_display`, `score_hand`, `start_bonus`) may have fractions down to thousandths.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    jokers: int = Field(4, ge=0, le=15, description="jokers in the deck (R1.2)")
    copies: int = Field(8, ge=1, le=15, description="cards of each value in the deck (R1.2)")
    values: int = Field(13, ge=1, le=13, description="number cards run from the ace to this value, the king (R1.1)")
    hand_size: int = Field(13, ge=1, le=200, description="cards dealt to each player (R2.2)")
    market_size: int = Field(6, ge=1, le=16, description="places in the market (R2.3)")
    free_draw: StrictBool = Field(True, description="a player who pinched nobody may draw one card (R5.4)")
    aces_bite: StrictBool = Field(False, description="aces also beat kings and lone jokers (R7.2)")
    tie_break: Literal["fewer_hand", "shared"] = Field(
        "fewer_hand", description="on equal scores the player with fewer cards in hand wins, or all share (R6.4)"
    )
    duel: StrictBool = Field(False, description="two players with a shadow display (R8)")
    shadow_size: int = Field(13, ge=0, le=100, description="cards in the shadow display of a duel (R8.2)")
    shadow_blocks_free_draw: StrictBool = Field(True, description="pinching the shadow rules out a free draw (R8.7)")
    score_display: float = Field(1, ge=-100, le=100, description="points for each card in the display (R6.3)")
    score_hand: float = Field(-1, ge=-100, le=100, description="points for each card in hand (R6.3)")
    start_bonus: tuple[float, ...] = Field(
        (), max_length=5, description="points added by position, start player first; missing ones are 0 (R11)"
    )
    turn_limit: int = Field(2000, ge=1, le=10_000, description="the game ends when this turn is resolved (R6.6)")
    exhaustion: Literal["both", "market_last", "market_card"] = Field("both", description=_asks("exhaustion"))
    refill: Literal["player", "card", "turn"] = Field("player", description=_asks("refill"))
    equal_pinches: StrictBool = Field(False, description=_asks("equal_pinches"))
    last_group_pinches: StrictBool = Field(False, description=_asks("last_group_pinches"))
    compare: Literal["value", "sum", "naturals"] = Field("value", description=_asks("compare"))
    lone_joker_tie: Literal["safe", "pinch"] = Field("safe", description=_asks("lone_joker_tie"))
    exposed_group: Literal["safe", "pinched"] = Field("safe", description=_asks("exposed_group"))
    discards: Literal["out", "reshuffled"] = Field("out", description=_asks("discards"))
    sources: Literal["one_by_one", "announced"] = Field("one_by_one", description=_asks("sources"))
    pinch_order: Literal["clockwise", "counter_clockwise"] = Field("clockwise", description=_asks("pinch_order"))

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return self.values * self.copies + self.jokers

    @property
    def has_readings(self) -> bool:
        """Whether a contested sentence is read in another way than by the ruling, and the engine must know."""
        return any(getattr(self, reading.switch) != reading.ruling for reading in READINGS if reading.in_engine)

    def switches(self) -> dict[str, Any]:
        """All switches with plain values, in the order of R11."""
        values = self.model_dump()
        values["start_bonus"] = [_plain(x) for x in self.start_bonus]
        return {name: _plain(value) for name, value in values.items()}

    def changes_from(self, other: "RuleSet") -> dict[str, Any]:
        """The switches that another rule set has differently, with their values here."""
        theirs = other.switches()
        return {name: value for name, value in self.switches().items() if value != theirs[name]}

    def digest(self) -> str:
        """A hash of all switches that is the same on every machine."""
        return hashlib.sha256(repr(sorted(self.switches().items())).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Variant:
    """A named rule set; `base` is how to ask for the variant that it changes (itself for the base game).

    `source` is how it was asked for: its name, the path of its file, or a combination of such.
    """

    name: str
    description: str
    base: str
    rules: RuleSet
    source: str


def _plain(value: Any) -> Any:
    """Whole floats as integers, for records and hashes that do not depend on the spelling."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def variant_names() -> list[str]:
    """Names of the variants that come with pinchsim: the base game, what is closest to it, and duels last."""
    return list(_names_in_order())


@cache
def _names_in_order() -> tuple[str, ...]:
    rules = {name: _built_in(name).rules for name in _BUILT_IN}
    return tuple(sorted(rules, key=lambda name: (rules[name].duel, len(rules[name].changes_from(RuleSet())), name)))


def load_variant(name: str) -> Variant:
    """A variant by its name, a designer's own by the path of its TOML file, or a combination of parts joined by `+`.

    The first part of a combination is a variant. Each further one is a variant, which brings the switches that it has
    different from the base game, or SWITCH=VALUE.

    Raises
    ------
    UsageError
        No such variant or file, or a switch that is unknown, impossible, or wanted differently by two parts; names the
        switch and the allowed range.
    """
    variant = _unchecked(name)
    _check_combination(variant.rules, variant.source)
    return variant


def changed_switches(variant: Variant) -> dict[str, tuple[Any, Any]]:
    """The switches that a variant changes: their values in its base and in itself."""
    base = _unchecked(variant.base).rules
    before = base.switches()
    return {name: (before[name], value) for name, value in variant.rules.changes_from(base).items()}


def _unchecked(name: str) -> Variant:
    """A variant whose switches are all in their ranges, but perhaps impossible together."""
    first, *others = _parts(name)
    if others and "" in (first, *others):
        raise UsageError(f"'{name}': there must be a variant or SWITCH=VALUE on both sides of each '+'.")
    return _combined(name, _named(first), others) if others else _named(first)


def _parts(name: str) -> list[str]:
    """The parts between plus signs; a plus sign in the name of a variant or file that exists does not part it."""
    pieces = name.split("+")
    parts = []
    while pieces:
        size = next((n for n in range(len(pieces), 1, -1) if _exists("+".join(pieces[:n]))), 1)
        parts.append("+".join(pieces[:size]))
        del pieces[:size]
    return parts


def _exists(name: str) -> bool:
    return name in _BUILT_IN or (name.endswith(".toml") and Path(name).is_file())


def _named(name: str) -> Variant:
    """A variant that is no combination."""
    if name in _BUILT_IN:
        return _built_in(name)
    if name.endswith(".toml"):
        return _own_variant(Path(name))
    if "=" in name:
        raise UsageError(f"'{name}' is not a variant. To set a switch, begin with a variant: '{BASE_GAME}+{name}'.")
    close = difflib.get_close_matches(name, variant_names(), n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    raise UsageError(
        f"'{name}' is not a variant.{hint} Known: {', '.join(variant_names())}; "
        "a variant of your own is a path ending in .toml."
    )


def _combined(asked: str, first: Variant, others: list[str]) -> Variant:
    """The base game with the changes of all variants; what is set by SWITCH=VALUE holds whatever the variants say."""
    variants = [(first.name, first.rules.changes_from(RuleSet()))]
    settings = []
    names, words = [first.name], []
    for part in others:
        if "=" in part and not _exists(part):
            switch, value = _setting(part, asked)
            settings.append((part, {switch: value}))
            names.append(part)
            words.append(" = ".join(text.strip() for text in part.split("=", 1)))
        else:
            other = _named(part)
            variants.append((other.name, other.rules.changes_from(RuleSet())))
            names.append(other.name)
            words.append(other.name)
    changes = _agreed(variants, RuleSet().switches(), asked) | _agreed(settings, {}, asked)
    rules = _set_switches(RuleSet(), changes, asked)
    return Variant("+".join(names), f"{first.name} with {', '.join(words)}", first.source, rules, asked)


def _setting(part: str, asked: str) -> tuple[str, Any]:
    """Switch and value of SWITCH=VALUE; the value is TOML or a bare word."""
    switch, text = (side.strip() for side in part.split("=", 1))
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    return switch, _set_switches(RuleSet(), {switch: value}, asked).switches()[switch]


def _agreed(changes: list[tuple[str, dict[str, Any]]], plain: dict[str, Any], asked: str) -> dict[str, Any]:
    """The changes of all parts together; going back to a plain value contradicts nobody."""
    agreed: dict[str, tuple[str, Any]] = {}
    for part, wanted in changes:
        for switch, value in wanted.items():
            other, before = agreed.get(switch, (part, value))
            if value != before and plain.get(switch) not in (value, before):
                raise UsageError(
                    f"{asked}: '{other}' and '{part}' want different values of switch '{switch}': "
                    f"{spelled(before)} and {spelled(value)}. Leave one of them out, or write a variant file."
                )
            agreed[switch] = (part, value)
    return {switch: value for switch, (_, value) in agreed.items()}


def spelled(value: Any) -> str:
    """A value in words, much as a variant file spells it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _built_in(name: str) -> Variant:
    return _read(name, _VARIANTS / f"{name}.toml")


def _own_variant(path: Path) -> Variant:
    if not path.is_file():
        raise UsageError(f"The variant file '{path}' does not exist.")
    if path.stem in _BUILT_IN:
        raise UsageError(f"{path}: '{path.stem}' is the name of a built-in variant; give the file another name.")
    return _read(path.stem, path)


def _read(name: str, path: Path) -> Variant:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a valid TOML file: {error}.") from None
    for key in _TEXT_KEYS:
        if not isinstance(content.get(key, ""), str):
            raise UsageError(f"{path}: '{key}' must be a text in quotes.")
    base = content.get("base", BASE_GAME)
    if base not in _BUILT_IN:
        raise UsageError(f"{path}: 'base' is '{base}'; it must be one of {', '.join(variant_names())}.")
    description = content.get("description", "")
    changed = {key: value for key, value in content.items() if key not in _TEXT_KEYS}
    start = RuleSet() if name == BASE_GAME else _built_in(base).rules
    source = name if path.parent == _VARIANTS else str(path)
    return Variant(name, description, base, _set_switches(start, changed, str(path)), source)


def change_rules(rules: RuleSet, changed: dict[str, Any], where: str) -> RuleSet:
    """The rule set with some switches changed.

    Raises
    ------
    UsageError
        A switch is unknown, out of its range, or impossible beside the others. `where` begins the message.
    """
    new = _set_switches(rules, changed, where)
    _check_combination(new, where)
    return new


def _set_switches(rules: RuleSet, changed: dict[str, Any], where: str) -> RuleSet:
    """The rule set with some switches changed, each in its range, but perhaps impossible together."""
    for name in changed:
        if name not in RuleSet.model_fields:
            close = difflib.get_close_matches(name, RuleSet.model_fields, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise UsageError(f"{where}: '{name}' is not a switch.{hint} Known: {', '.join(RuleSet.model_fields)}.")
    if isinstance(changed.get("start_bonus"), list):
        changed = changed | {"start_bonus": tuple(changed["start_bonus"])}
    try:
        new = RuleSet(**(rules.model_dump() | changed))
    except ValidationError as error:
        raise UsageError(f"{where}: {_what_is_wrong(error)}") from None
    _check_points(new, where)
    return new


def _what_is_wrong(error: ValidationError) -> str:
    problem = error.errors()[0]
    name = str(problem["loc"][0])
    return f"switch '{name}' cannot be {problem['input']!r}; it must be {allowed_values(name)}."


def allowed_values(name: str) -> str:
    """The values that a switch may take, in words."""
    field = RuleSet.model_fields[name]
    if name == "start_bonus":
        return f"a list of at most 5 numbers from -{_MAX_POINTS} to {_MAX_POINTS}"
    if field.annotation is bool or "StrictBool" in str(field.annotation):
        return "true or false"
    if get_origin(field.annotation) is Literal:
        *options, last = (f"'{option}'" for option in get_args(field.annotation))
        return f"{', '.join(options)} or {last}"
    low = next(m.ge for m in field.metadata if hasattr(m, "ge"))
    high = next(m.le for m in field.metadata if hasattr(m, "le"))
    kind = "a whole number" if field.annotation is int else "a number"
    return f"{kind} from {low} to {high}"


def _check_points(rules: RuleSet, where: str) -> None:
    """Points must be whole thousandths, so that ties are exact."""
    points: dict[str, tuple[float, ...]] = {"score_display": (rules.score_display,), "score_hand": (rules.score_hand,)}
    points["start_bonus"] = rules.start_bonus
    for name, values in points.items():
        for x in values:
            if not abs(x) <= _MAX_POINTS or abs(x * 1000 - round(x * 1000)) > 1e-6:
                raise UsageError(
                    f"{where}: switch '{name}' cannot hold {x!r}; it must be {allowed_values(name)}, in steps of 0.001."
                )


def _check_combination(rules: RuleSet, where: str) -> None:
    """Refuse a rule set that nobody can play."""
    for switch, needs in _NEEDS.items():
        for other, least in needs.items():
            value = getattr(rules, other)
            if getattr(rules, switch) and value < least:
                raise UsageError(f"{where}: switch '{switch}' needs '{other}' of at least {least}, and it is {value}.")
    check_deal(rules, min(player_counts(rules)), where)


def player_counts(rules: RuleSet) -> tuple[int, ...]:
    """How many players such a game may have, if there are cards enough for them (R2.1)."""
    return DUEL_COUNTS if rules.duel else PLAYER_COUNTS


def default_base(rule_sets: Sequence[RuleSet]) -> str:
    """What to compare with: the base game, or the plain duel if there are only duels."""
    return BASE_DUEL if rule_sets and all(rules.duel for rules in rule_sets) else BASE_GAME


def default_margin(rule_sets: Sequence[RuleSet]) -> float:
    """Start-player advantage that counts as fair: 1 percentage point, 2 if there are only duels (METHODS M3.1)."""
    return 0.02 if default_base(rule_sets) == BASE_DUEL else 0.01


def check_deal(rules: RuleSet, players: int, where: str) -> None:
    """Refuse a rule set that cannot be dealt to so many players (R2.2, R2.3, R8.1, R8.2).

    Raises
    ------
    UsageError
        The player count is not allowed, or hands, market and shadow display need more cards than the deck has.
    """
    reason = why_not_dealt(rules, players)
    if reason:
        raise UsageError(f"{where}: {reason}")


def why_not_dealt(rules: RuleSet, players: int) -> str:
    """Why the rule set cannot be dealt to so many players, in words; empty if it can."""
    if players not in player_counts(rules):
        return f"{players} players cannot play; {_who_can_play(rules, players)}."
    number_cards = players * (rules.hand_size - _DEALT_JOKERS)
    if rules.duel and number_cards > rules.values * rules.copies:
        return (
            f"with 2 players, 'hand_size' {rules.hand_size} needs {number_cards} number cards beside {_DEALT_JOKERS} jokers "
            f"in each hand, but 'values' x 'copies' = {rules.values} x {rules.copies} gives only {rules.values * rules.copies}."
        )
    shadow = rules.shadow_size if rules.duel else 0
    needed = players * rules.hand_size + rules.market_size + shadow
    if needed > rules.deck_size:
        places = f"'hand_size' {rules.hand_size}{',' if rules.duel else ' and'} 'market_size' {rules.market_size}"
        places += f" and 'shadow_size' {shadow}" if rules.duel else ""
        return (
            f"with {players} players, {places} need {needed} cards, but 'values' x 'copies' + 'jokers' = "
            f"{rules.values} x {rules.copies} + {rules.jokers} gives only {rules.deck_size}."
        )
    return ""


def _who_can_play(rules: RuleSet, players: int) -> str:
    if rules.duel:
        return "a duel is for exactly 2 players (switch 'duel')"
    allowed = f"allowed are {', '.join(map(str, PLAYER_COUNTS))}"
    return f"{allowed}, or 2 in a duel (switch 'duel')" if players in DUEL_COUNTS else allowed
