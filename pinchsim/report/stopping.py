"""Why a run stopped, and how precisely it tells what was wished, in sentences for terminal, page and certificate."""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from pinchsim.measure.summary import CONTROL_GAIN, Summary
from pinchsim.report import style

Row = dict[str, Any]
MOST_NAMED = 4


def stop_words(precision: pl.DataFrame, unit: str = "games") -> list[str]:
    """What was wished for, and what came of it: a sentence for each reason, the cells named that fell short.

    `precision` is that of a `Summary`; `unit` is what was played.
    """
    rows = precision.to_dicts()
    return [_wish(rows[0]), *_reasons(rows, unit)] if rows else ["Interrupted before the first look."]


def _wish(row: Row) -> str:
    what = style.measure_words(row["measure"])
    if row["wished"] is None:
        return f"Wished for: a clear verdict on every {what}, all of them together with 95 %."
    return f"Wished for: {what} to ±{_number(row, row['wished'])}."


def _reasons(rows: Sequence[Row], unit: str) -> list[str]:
    """A sentence for each reason, in the order of the data."""
    by_reason: dict[str, list[Row]] = {}
    for row in rows:
        by_reason.setdefault(row["reason"], []).append(row)
    return [_reason(reason, some, len(rows), unit) for reason, some in by_reason.items()]


def _reason(reason: str, rows: Sequence[Row], of: int, unit: str) -> str:
    games = sorted({row["games"] for row in rows})
    played = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    where = "" if len(rows) == of else f" in {len(rows)} of {of} cases"
    short = [row for row in rows if not row["reached"]]
    named = [f"{_case(row)} ({_found(row)})" for row in short[:MOST_NAMED]]
    named += [f"{len(short) - MOST_NAMED} more"] if len(short) > MOST_NAMED else []
    still = f"; not reached: {style.listed(named)}" if short else ""
    return f"{reason.capitalize()}{where} after {played} {unit}{still}."


def _case(row: Row) -> str:
    """Where something was to be known: "aces-bite, 4 players, champion" or "aces-bite against pinch ..."."""
    against = f" against {style.clean(row['base'])}" if row["base"] else ""
    return f"{style.clean(row['variant'])}{against}, {row['players']} players, {style.clean(row['line_up'])}"


def _found(row: Row) -> str:
    if row["wished"] is None:
        return str(row["verdict"])
    return "no interval yet" if row["half_width"] is None else f"±{_number(row, row['half_width'])}"


def _number(row: Row, value: float) -> str:
    """A half-width with its unit."""
    return f"{100 * value:.3g} pp" if row["unit"] == "share" else f"{value:.3g} {row['unit']}"


def worth_words(row: Row | None) -> str:
    """How many independent games a game of the design is worth for a number (M1.5): "1.21"."""
    factor = row.get("variance_reduction") if row else None
    return f"{factor:.2f}" if style.is_number(factor) else ""


def worth_sentence(factors: Iterable[float | None], what: str, unit: str = "games") -> str:
    """What a game of the design is worth for several numbers, from the least to the most; nothing if nobody knows."""
    known = sorted(factor for factor in factors if factor is not None and style.is_number(factor))
    if not known:
        return ""
    low, high = f"{known[0]:.2f}", f"{known[-1]:.2f}"
    words = low if low == high else f"{low} to {high}"
    return f"A {unit.removesuffix('s')} of this design is worth {words} independent {unit} for {what}."


def gain_sentence(summary: Summary) -> str:
    """What it was worth to take the luck of the deal out of the estimates (M1.6); nothing of a run that doesn't."""
    if CONTROL_GAIN not in summary.estimates.columns:
        return ""
    tables = (summary.estimates, summary.differences)
    found = [table.filter(pl.col(CONTROL_GAIN).is_finite()) for table in tables]
    gains = [gain for table in found for gain in table[CONTROL_GAIN]]
    if all(gain == 1 for gain in gains):
        return "The luck of the deal could not be taken out of the estimates: there are too few decks."
    own, change = ([*table.filter(measure=style.ADVANTAGE)[CONTROL_GAIN]] for table in found)
    told = f"{_times(own)} for the start player's advantage" + (f" and {_times(change)} for its change" if change else "")
    return f"The luck of the deal is taken out of the estimates: that was worth {_times(gains)} times as many games, {told}."


def _times(gains: Sequence[float]) -> str:
    """The least and the most of some factors: "1.00 to 1.72"."""
    ends = dict.fromkeys(f"{gain:.2f}" for gain in (min(gains), max(gains)))
    return " to ".join(ends)
