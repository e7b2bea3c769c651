"""Why a run stopped, how precisely it tells what was wished, and what holds together, in sentences for all reports."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from pinchsim.measure.sequential import VERDICT
from pinchsim.measure.summary import CONTROL_GAIN, Summary
from pinchsim.measure.verdict import UNDECIDED
from pinchsim.measure.verdicts import start_verdicts
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
    short = [f"{_case(row)} ({_found(row, of)})" for row in rows if not row["reached"]]
    still = f"; not reached: {_first(short)}" if short else ""
    return f"{reason.capitalize()}{where} after {played} {unit}{still}."


def _first(cases: Sequence[str]) -> str:
    """The first of some cases, and how many more there are; they have commas of their own."""
    return "; ".join([*cases[:MOST_NAMED], *([f"{len(cases) - MOST_NAMED} more"] if len(cases) > MOST_NAMED else [])])


def _case(row: Row) -> str:
    """Where something was to be known: "aces-bite, 4 players, champion" or "position 2 of aces-bite against pinch ..."."""
    position = f"position {row['position'] + 1} of " if row["position"] >= 0 else ""
    return position + _cell(row, f" against {style.clean(row['base'])}" if row["base"] else "")


def _cell(row: Row, against: str = "") -> str:
    """A cell in words."""
    return f"{style.clean(row['variant'])}{against}, {row['players']} players, {style.clean(row['line_up'])}"


def _found(row: Row, of: int) -> str:
    """What is known of a case; verdicts are judged together, so one of several may be clear on its own."""
    if row["wished"] is None:
        return "not clear together with the others" if of > 1 else UNDECIDED
    return "no interval yet" if row["half_width"] is None else f"±{_number(row, row['half_width'])}"


def _number(row: Row, value: float) -> str:
    """A half-width with its unit."""
    return f"{100 * value:.3g} pp" if row["unit"] == "share" else f"{value:.3g} {row['unit']}"


def together_words(summary: Summary) -> str:
    """Whether the verdicts on the start player's advantage hold all at once, and which do not; nothing of a single one."""
    rows = [row for row in start_verdicts(summary).to_dicts() if row["verdict"] != UNDECIDED]
    if len(rows) < 2:
        return ""
    alone = [_cell(row) for row in rows if row["together"] == UNDECIDED]
    if not alone:
        all_of_them = "Both" if len(rows) == 2 else f"All {len(rows)}"
        return f"{all_of_them} verdicts hold together (Holm): in 95 of 100 such runs none is wrong."
    return f"{len(rows) - len(alone)} of {len(rows)} verdicts hold together (Holm); only taken alone: {_first(alone)}."


def worth_words(row: Row | None) -> str:
    """How many independent games a game of the design is worth for a number (M1.5): "1.21"."""
    factor = row.get("variance_reduction") if row else None
    return f"{factor:.2f}" if style.is_number(factor) else ""


def worth_sentence(factors: Iterable[float | None], what: str, unit: str = "games") -> str:
    """What a game of the design is worth for several numbers, from the least to the most; nothing if nobody knows."""
    return worth_of_each({what: factors}, unit)


def worth_of_each(factors: Mapping[str, Iterable[float | None]], unit: str = "games") -> str:
    """The same for several kinds of numbers, by what they are called; those of which nobody knows are left out."""
    spans = {what: _times(known) for what, some in factors.items() if (known := _known(some))}
    words = [f"{span} {'' if k else f'independent {unit} '}for {what}" for k, (what, span) in enumerate(spans.items())]
    return f"A {unit.removesuffix('s')} of this design is worth {style.listed(words)}." if words else ""


def design_sentence(summary: Summary, changes: bool = True) -> str:
    """What the design was worth for the start player's advantage (M1.5) and, unless a table says it, for its changes."""
    tables = {"the start player's advantage": summary.estimates} | ({"its change": summary.differences} if changes else {})
    rows = {what: table.filter(pl.col("measure") == style.ADVANTAGE).to_dicts() for what, table in tables.items()}
    factors = {what: [row.get("variance_reduction") for row in some] for what, some in rows.items()}
    return worth_of_each(factors, style.unit(summary.estimates))


def looked_sentence(summary: Summary) -> str:
    """What a run that was looked at says of its intervals; nothing of another one."""
    if summary.precision is None:
        return ""
    wider = "; those of cells that a verdict has stopped are wider for it" if VERDICT in summary.precision["reason"] else ""
    return f"The intervals allow for having been looked at after every wave of games{wider}."


def _known(factors: Iterable[float | None]) -> list[float]:
    return [factor for factor in factors if factor is not None and style.is_number(factor)]


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
