"""What distinguishes two runs, in words: which strategy, which switch of which variant, which number."""

from collections.abc import Iterator
from typing import Any

from pinchsim.lab.layout import ALL_ROWS

LONGEST = 60  # characters of a value that is told


def told(there: dict[str, Any], asked: dict[str, Any]) -> str:
    """What differs between that which decided a run's rows and that which was asked for; empty if nothing does."""
    differing = [key for key in there | asked if there.get(key) != asked.get(key)]
    parts = [part for key in differing for part in _told(key, there.get(key), asked.get(key))]
    return "; ".join(parts)


def _told(key: str, old: Any, new: Any) -> Iterator[str]:
    match key:
        case "strategies":
            yield from (_change(f"strategy '{name}'", a, b) for name, a, b in _entries(old, new))
        case "rules":
            yield from (part for name, a, b in _entries(old, new) for part in _rules(name, a, b))
        case "cells":
            yield _change("cells", len(old), len(new)) if len(old) != len(new) else "the cells are others"
        case "rows":
            yield _change("rows", old or ALL_ROWS, new or ALL_ROWS)
        case _:
            yield _change(key, old, new)


def _rules(variant: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> Iterator[str]:
    """What became of a variant; one that only one of the runs has is told of as such."""
    if old is None or new is None:
        yield f"variant '{variant}' was {'not there' if old is None else 'there'}, is {'not' if new is None else 'now'}"
        return
    switches = list(_entries(old["switches"], new["switches"]))
    yield from (_change(f"{name} of variant '{variant}'", a, b) for name, a, b in switches)
    if not switches:
        yield _change(f"variant '{variant}'", old["digest"], new["digest"])


def _entries(old: dict[str, Any] | None, new: dict[str, Any] | None) -> Iterator[tuple[str, Any, Any]]:
    """Entries that differ, with the value in each; None where it is missing."""
    old, new = old or {}, new or {}
    return ((name, old.get(name), new.get(name)) for name in sorted(old | new) if old.get(name) != new.get(name))


def _change(what: str, old: Any, new: Any) -> str:
    return f"{what} was {_value(old)}, is {_value(new)}"


def _value(value: Any) -> str:
    text = "not there" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
