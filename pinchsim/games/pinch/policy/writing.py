"""Writing the weights of a `.toml` strategy, in the two forms that `files` reads.

What a file has beside its weights (settings, tables of other variants, their provenance) stays as it is. There is no date in
it: the same tuning writes the same bytes.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pinchsim.errors import UsageError
from pinchsim.games.pinch.policy import layout, small
from pinchsim.games.pinch.policy.files import CONTEXT_NAMES, TOP_LEVEL, UNIT, read_policy
from pinchsim.games.pinch.rules import variant_names
from pinchsim.strategy.library import Strategy

WEIGHTS = "weights"  # the policy of such files
Provenance = Mapping[str, Any]


def trained_text(
    old: Strategy | None, idea: str, tables: Mapping[str, np.ndarray], provenance: Mapping[str, Provenance]
) -> str:
    """A file in the trained form.

    Parameters
    ----------
    old
        What the file holds now; its other tables stay.
    idea
        First line of a new file.
    tables : mapping of str to float64[N_WEIGHTS]
        Weights by variant and player count, such as "pinch/4".
    provenance
        For each of them where it comes from.

    Raises
    ------
    UsageError
        The file has the other form.
    """
    data = _old_data(old, "weights", "named numbers ([weights]) are tuned with --form small")
    data["provenance"] = data.get("provenance", {}) | provenance
    data["contexts"] = CONTEXT_NAMES
    for name in tables:
        _check_variant(name.rpartition("/")[0])
    others = read_policy(old).tables if any(name not in TOP_LEVEL for name in data) and old is not None else {}
    rows = {name: _rows(weights) for name, weights in {**others, **tables}.items()}
    return _text(old, idea, data | rows, sorted(rows))


def small_text(old: Strategy | None, idea: str, numbers: np.ndarray, provenance: Provenance) -> str:
    """A file in the small form.

    Raises
    ------
    UsageError
        The file has the other form.
    """
    data = _old_data(old, None, "trained tables are tuned with --form large")
    data["weights"] = dict(zip(small.SMALL, numbers.tolist(), strict=True))
    data["provenance"] = provenance
    return _text(old, idea, data, ["weights"])


def _old_data(old: Strategy | None, forbidden: str | None, otherwise: str) -> dict[str, Any]:
    """Contents of the file as it is; of another form it is not to be overwritten."""
    if old is None:
        return {"policy": WEIGHTS}
    why = "it is code, not weights" if old.is_module else ""
    data = {} if old.is_module else dict(old.data)
    if not why and (data.get("policy") != WEIGHTS or "plays_like" in data):
        why = "it holds no weights of its own"
    if not why and (forbidden in data if forbidden else any(name not in TOP_LEVEL for name in data)):
        why = otherwise
    if why:
        raise UsageError(f"'{old.path}' is there already and has another form: {why}. Choose another name.")
    return data


def _check_variant(variant: str) -> None:
    """Tables are found by the variant that they were made for, which everybody must have."""
    if variant not in variant_names():
        raise UsageError(
            f"A table of trained weights is named after a variant that comes with pinchsim, and '{variant}' does not. Known: "
            f"{', '.join(variant_names())}. Named numbers (--form small) can be tuned for any variant."
        )


def _text(old: Strategy | None, idea: str, data: dict[str, Any], weights: list[str]) -> str:
    """The whole file: idea, policy, what it has beside the weights, and these last."""
    first = (old.idea if old is not None else "") or idea
    others = [name for name in TOP_LEVEL if name in data and name not in weights]
    plain = [f"{_key(name)} = {_value(data[name])}" for name in others if not isinstance(data[name], Mapping)]
    sections = ["\n".join([f"# {first}", *plain])]
    for name in [*others, *weights]:
        if isinstance(data[name], Mapping):
            sections += _sections(_key(name), data[name])
    return "\n\n".join(sections) + "\n"


def _rows(weights: np.ndarray) -> dict[str, dict[str, str]]:
    """A table as rows of whole numbers: by decision and feature, one number for each context; rows of nothing are left out.

    Rows are text: to read a hundred thousand numbers as TOML takes a third of a second.
    """
    rows: dict[str, dict[str, str]] = {}
    for decision, features in layout.FEATURES.items():
        first, last = layout.BLOCKS[decision]
        block = np.rint(weights[first:last] / UNIT).astype(np.int64).reshape(layout.N_CONTEXTS, len(features)).T
        named = {name: " ".join(map(str, row)) for (name, _), row in zip(features, block, strict=True) if row.any()}
        if named:
            rows[decision] = named
    return rows


def _sections(path: str, table: Mapping[str, Any]) -> list[str]:
    """A table and the tables within it, each as a section of the file."""
    plain = [f"{_key(name)} = {_value(value)}" for name, value in table.items() if not isinstance(value, Mapping)]
    sections = ["\n".join([f"[{path}]", *plain])] if plain or not table else []
    for name, value in table.items():
        if isinstance(value, Mapping):
            sections += _sections(f"{path}.{_key(name)}", value)
    return sections


def _key(name: str) -> str:
    """A key, in quotes unless it may go without."""
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    """A plain value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # inf and nan are TOML, too
    return repr(value)
