"""The rules as data: rule sets, named variants, and a designer's own variant files (R7, R11).

A variant is a small TOML file: a base, what it is, and the switches it changes.

    base = "pinch"
    description = "Classic with a bigger market."
    free_draw = false
    market_size = 8
"""

import difflib
import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

from pinchsim.errors import UsageError

PLAYER_COUNTS = (3, 4, 5)
BASE_GAME = "pinch"
_VARIANTS = Path(__file__).resolve().parent / "variants"
_TEXT_KEYS = ("base", "description")
_MAX_POINTS = 1000


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

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return self.values * self.copies + self.jokers

    def switches(self) -> dict[str, Any]:
        """All switches with plain values, in the order of R11."""
        values = self.model_dump()
        values["start_bonus"] = [_plain(x) for x in self.start_bonus]
        return {name: _plain(value) for name, value in values.items()}

    def digest(self) -> str:
        """A hash of all switches that is the same on every machine."""
        return hashlib.sha256(repr(sorted(self.switches().items())).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Variant:
    """A named rule set; `base` is the variant that it changes (itself for the base game).

    `source` is how it was asked for: its name, or the path of its file.
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
    """Names of the variants that come with pinchsim, the base game first."""
    names = sorted(path.stem for path in _VARIANTS.glob("*.toml"))
    return [BASE_GAME, *(name for name in names if name != BASE_GAME)]


def load_variant(name: str) -> Variant:
    """A variant by its name, or a designer's own by the path of its TOML file.

    Raises
    ------
    UsageError
        No such variant or file, or a switch that is unknown or impossible; names the switch and the allowed range.
    """
    if name in variant_names():
        return _built_in(name)
    if name.endswith(".toml"):
        return _own_variant(Path(name))
    close = difflib.get_close_matches(name, variant_names(), n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    raise UsageError(
        f"'{name}' is not a variant.{hint} Known: {', '.join(variant_names())}; "
        "a variant of your own is a path ending in .toml."
    )


@cache
def _built_in(name: str) -> Variant:
    return _read(name, _VARIANTS / f"{name}.toml")


def _own_variant(path: Path) -> Variant:
    if not path.is_file():
        raise UsageError(f"The variant file '{path}' does not exist.")
    if path.stem in variant_names():
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
    if base not in variant_names():
        raise UsageError(f"{path}: 'base' is '{base}'; it must be one of {', '.join(variant_names())}.")
    description = content.get("description", "")
    changed = {key: value for key, value in content.items() if key not in _TEXT_KEYS}
    start = RuleSet() if name == BASE_GAME else _built_in(base).rules
    source = name if path.parent == _VARIANTS else str(path)
    return Variant(name, description, base, change_rules(start, changed, str(path)), source)


def change_rules(rules: RuleSet, changed: dict[str, Any], where: str) -> RuleSet:
    """The rule set with some switches changed.

    Raises
    ------
    UsageError
        A switch is unknown, out of its range, or impossible beside the others. `where` begins the message.
    """
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
    _check_combination(new, where)
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
    if name == "tie_break":
        return "'fewer_hand' or 'shared'"
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
    if rules.duel:
        raise UsageError(f"{where}: switch 'duel' cannot be true yet; the two-player game (R8) is still to come.")
    if rules.aces_bite and rules.values < 2:
        raise UsageError(f"{where}: switch 'aces_bite' needs 'values' of at least 2, and it is {rules.values}.")
    check_deal(rules, min(PLAYER_COUNTS), where)


def check_deal(rules: RuleSet, players: int, where: str) -> None:
    """Refuse a rule set that cannot be dealt to so many players (R2.2, R2.3).

    Raises
    ------
    UsageError
        The player count is not allowed, or hands and market need more cards than the deck has.
    """
    if players not in PLAYER_COUNTS:
        raise UsageError(f"{where}: {players} players cannot play; allowed are {_list(PLAYER_COUNTS)}.")
    needed = players * rules.hand_size + rules.market_size
    if needed > rules.deck_size:
        raise UsageError(
            f"{where}: with {players} players, 'hand_size' {rules.hand_size} and 'market_size' {rules.market_size} need "
            f"{needed} cards, but 'values' x 'copies' + 'jokers' = {rules.values} x {rules.copies} + {rules.jokers} "
            f"gives only {rules.deck_size}."
        )


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
