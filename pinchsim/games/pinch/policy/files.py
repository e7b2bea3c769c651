"""Reading the weights of a `.toml` strategy.

A file has one of two forms. The small form is a table `[weights]` of named numbers (`small.SMALL`). The trained form is a
table for each variant and player count, `["pinch/4"]`, with a row of whole numbers (text; one for each of the file's
`contexts`, in units of `UNIT`) for each feature of each decision, and says where it comes from in `[provenance]`. A third
one, `plays_like = "champion"`, takes the weights of another file: to search with them, or with other `[settings]`.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchsim.errors import UsageError
from pinchsim.games.pinch.policy import CODES, layout, small
from pinchsim.games.pinch.rules import RuleSet, load_variant, variant_names
from pinchsim.strategy.library import Strategy

UNIT = 0.001  # of the whole numbers in a trained file
DEFAULT_SETTINGS = {"temperature": 0.0, "memory": 1.0, "playouts": 0.0}
TOP_LEVEL = ("policy", "plays_like", "contexts", "weights", "provenance", "settings")
CONTEXT_NAMES = [name for name, _ in layout.CONTEXTS]
LIMITS = {"temperature": (0.0, 1000.0), "memory": (0.0, 1.0), "playouts": (0.0, 1e6)}


@dataclass(frozen=True)
class Policy:
    """The weights of one strategy file, with the settings written behind its name.

    Attributes
    ----------
    tables : mapping of str to float64[N_WEIGHTS]
        Weights by variant and player count ("pinch/4"), or one for all under the empty name.
    settings : mapping of str to float
        By `layout.SETTINGS`.
    """

    tables: Mapping[str, np.ndarray]
    settings: Mapping[str, float]

    def weights(self, rules: RuleSet, players: int) -> np.ndarray:
        """The table to play this rule set by with so many players, float64[N_WEIGHTS]; settings included."""
        table = self.tables[nearest(self.tables, rules, players)].copy()
        for k, name in enumerate(layout.SETTINGS):
            table[k] = self.settings[name]
        return table


def nearest(names: Mapping[str, Any], rules: RuleSet, players: int) -> str:
    """The table that was made for a rule set and player count most like these.

    Duels and free draws matter most, then biting aces, the number of players, the tie-break and the jokers.
    """
    if "" in names:
        return ""

    def unlike(name: str) -> tuple[Any, ...]:
        variant, _, count = name.rpartition("/")
        theirs = load_variant(variant).rules
        switches = [getattr(theirs, s) != getattr(rules, s) for s in ("duel", "free_draw", "aces_bite")]
        return (*switches, abs(int(count) - players), theirs.tie_break != rules.tie_break, theirs.jokers != rules.jokers, name)

    return min(names, key=unlike)


def read_policy(strategy: Strategy) -> Policy:
    """The weights of a `.toml` strategy.

    Raises
    ------
    UsageError
        The file, or a setting behind the name, is wrong; says what is expected.
    """
    data = strategy.data
    where = str(strategy.path)
    if data.get("policy") not in CODES:
        raise UsageError(f"{where}: 'policy' must be one of: {', '.join(CODES)}.")
    return Policy(_tables(where, data, strategy.model), _settings(strategy, data))


def _tables(where: str, data: Mapping[str, Any], model: Strategy | None) -> Mapping[str, np.ndarray]:
    """The weights of a file, or of its model, by table."""
    if model is not None:
        if model.is_module or model.model is not None:
            raise UsageError(f"{where}: 'plays_like' must name a file with weights of its own, and '{model.name}' is none.")
        return read_policy(model).tables
    if "weights" in data:
        return {"": _small_table(where, data["weights"])}
    contexts = _contexts(where, data.get("contexts", CONTEXT_NAMES))
    found = {name: _trained_table(where, name, table, contexts) for name, table in data.items() if name not in TOP_LEVEL}
    if not found:
        raise UsageError(f"{where}: holds no weights: a table [weights], or one such as ['pinch/4'].")
    return found


def _small_table(where: str, numbers: Any) -> np.ndarray:
    for name, value in numbers.items():
        if name not in small.SMALL:
            raise UsageError(f"{where}: there is no weight '{name}'.{_hint(name, small.SMALL)}")
        if not isinstance(value, int | float) or not np.isfinite(value):
            raise UsageError(f"{where}: the weight '{name}' must be a number, not {value!r}.")
    return small.expand(numbers)


def _contexts(where: str, names: Any) -> list[int]:
    """Numbers of the contexts that a file's rows are about. A context that it does not name has no weights in it."""
    unknown = [name for name in names if name not in CONTEXT_NAMES]
    if unknown:
        raise UsageError(f"{where}: there is no context '{unknown[0]}'.{_hint(str(unknown[0]), CONTEXT_NAMES)}")
    return [CONTEXT_NAMES.index(name) for name in names]


def _trained_table(where: str, name: str, table: Any, contexts: list[int]) -> np.ndarray:
    variant, _, players = name.rpartition("/")
    if variant not in variant_names() or not players.isdigit() or not isinstance(table, dict):
        raise UsageError(f"{where}: '{name}' is neither known nor a table such as ['pinch/4'].")
    weights = np.zeros(layout.N_WEIGHTS)
    for decision, features in layout.FEATURES.items():
        rows = table.get(decision, {})
        names = [feature for feature, _ in features]
        block = np.zeros((len(names), layout.N_CONTEXTS))
        for feature, row in rows.items():
            if feature not in names:
                raise UsageError(f"{where}: ['{name}'.{decision}] has a row '{feature}' that this version does not know.")
            block[names.index(feature), contexts] = _numbers(f"{where}: ['{name}'.{decision}] {feature}", row, len(contexts))
        first, last = layout.BLOCKS[decision]
        weights[first:last] = block.T.ravel() * UNIT
    return weights


def _numbers(where: str, row: Any, expected: int) -> list[int]:
    """The whole numbers of a row."""
    try:
        numbers = [int(word) for word in row.split()]
    except (AttributeError, ValueError):
        numbers = []
    if len(numbers) != expected:
        raise UsageError(f"{where}: expected {expected} whole numbers in quotes, one for each context, and blanks between.")
    return numbers


def _settings(strategy: Strategy, data: Mapping[str, Any]) -> dict[str, float]:
    """Settings of the file, then those behind the name; a number alone is the playouts of a search."""
    main = "playouts" if data["policy"] == "search" else ""
    words = [(str(strategy.path), *item) for item in data.get("settings", {}).items()]
    words += [(f"'{strategy.name}'", name or main, word) for name, word in strategy.settings]
    settings = dict(DEFAULT_SETTINGS)
    for where, name, word in words:
        if name not in LIMITS:
            raise UsageError(f"{where}: there is no setting '{name}'.{_hint(name, LIMITS)}")
        low, high = LIMITS[name]
        try:
            settings[name] = float(word)
        except (TypeError, ValueError):
            raise UsageError(f"{where}: {name} must be a number, not '{word}'.") from None
        if not low <= settings[name] <= high:
            raise UsageError(f"{where}: {name} must be from {low:g} to {high:g}, not {word}.")
    return settings


def _hint(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return (f" Did you mean '{close[0]}'?" if close else "") + f" Known: {', '.join(known)}."
