"""What was asked for, checked alike wherever it is taken: names of settings, whole numbers, players at a table."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pinchsim.errors import UsageError
from pinchsim.games.seam import Game

USUAL_PLAYERS = 4


def check_names(given: Iterable[str], known: Collection[str], what: str) -> None:
    """Raise `UsageError` for a setting that is not known; `what` has these settings ("a tuning")."""
    for name in given:
        if name not in known:
            raise UsageError(f"'{name}' is not a setting of {what}. Known: {', '.join(known)}.")


def whole_numbers(
    given: Mapping[str, Any], defaults: Mapping[str, int], limits: Mapping[str, tuple[int, int]], what: str
) -> dict[str, int]:
    """The defaults replaced by what was given, None being as good as nothing.

    Raises
    ------
    UsageError
        A setting is not known, or not a whole number within its limits.
    """
    check_names(sorted(given), defaults, what)
    numbers = {**defaults, **{name: value for name, value in given.items() if value is not None}}
    for name, value in numbers.items():
        least, most = limits[name]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise UsageError(f"'{name}' cannot be {value!r}: expected a whole number from {least} to {most:,}.")
    return numbers


def usual_players(game: Game, rules: Any) -> int:
    """Players at a table where nobody says how many: four, or the fewest that a rule set is made for without four."""
    counts = game.player_counts(rules)
    return USUAL_PLAYERS if USUAL_PLAYERS in counts else counts[0]


def with_switches(source: str, switches: Mapping[str, str]) -> str:
    """The variant of this source with some switches set otherwise; a setting that it names already is replaced.

    The first part of a source is a variant or a file, whatever its name looks like.
    """
    first, *others = source.split("+")
    kept = [first, *(part for part in others if part.split("=")[0].strip() not in switches)]
    return "+".join([*kept, *(f"{switch}={value}" for switch, value in switches.items())])
