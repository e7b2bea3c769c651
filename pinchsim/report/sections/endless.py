"""Whether games go on for ever (METHODS M6.3): the share of games that only the turn limit ends."""

import polars as pl

from pinchsim.measure.audit import LIMIT, Finding, unseen
from pinchsim.report import style
from pinchsim.report.beside import Readings
from pinchsim.report.charts import Row, axis_over
from pinchsim.report.commands import again
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import by_variant, legend
from pinchsim.report.section import Missing, Section, Shown, Table, size_words

MOST_TOLD = 8  # readings that make games endless


def need(material: Material) -> Missing | None:
    if (material.summary.estimates["measure"] == LIMIT).any():
        return None
    if material.unit == "sessions":
        return Missing("rows of single games", again(material, "--session", "game"))
    return Missing("a turn limit, which this game does not have", "pinchsim columns")


def show(evidence: Evidence) -> Shown:
    rows = {case: bounded(row) for case in evidence.cases if (row := evidence.row(case, LIMIT))}
    axis = axis_over("games that reach the turn limit (%)", rows.values(), 100, (0,))
    return Shown(
        _title(list(rows.values())),
        by_variant(evidence, rows.get, axis, "%"),
        Table(("variant", "reached the turn limit", "at most"), tuple(_line(evidence, *x) for x in rows.items())),
        "A game that nobody ends is stopped at the turn limit. Where none was, 'at most' is the exact one-sided 95 % limit, a "
        "deck counting as one piece of evidence; else it is the upper end of the interval. It holds for players who do not try "
        f"to prolong the game. {size_words(evidence)}",
        ("estimates.parquet",),
        legend(evidence, always=False),
        said=tuple(_readings(evidence)),
        files=tuple(f"{found.folder}estimates.parquet" for found in evidence.material.beside.readings),
    )


def bounded(row: Row) -> Row:
    """A share with its interval; of what was never seen the exact one-sided limit (Clopper and Pearson)."""
    if row["estimate"] > 0:
        return row
    return row | {"estimate": 0.0, "low": 0.0, "high": unseen(row["decks"])}


def _title(rows: list[Row]) -> str:
    most = max(row["high"] if style.has_interval(row) else 1.0 for row in rows)
    if all(row["estimate"] == 0 for row in rows):
        return f"No game went on until the turn limit; at most {_limit(most)} would"
    return f"Up to {style.percent(max(row['estimate'] for row in rows), 2)} of the games go on until the turn limit"


def _limit(share: float) -> str:
    """An upper limit in percent, rounded up."""
    return "100 %" if share >= 1 else f"{100 * share:.2g} %"


def _line(evidence: Evidence, case: Case, row: Row) -> tuple[str, ...]:
    seen = "none" if row["estimate"] == 0 else style.of_games(row)
    most = _limit(row["high"]) if style.has_interval(row) else "no interval"
    return (
        f"{evidence.name(case)}{_who(evidence, case)}",
        f"{seen} of {row['games']:,} games" if seen == "none" else seen,
        most,
    )


def _who(evidence: Evidence, case: Case) -> str:
    """The line-up, where the name of the case lacks it."""
    return f", {style.clean(case.line_up)}" if len(evidence.line_ups) == 1 else ""


def _readings(evidence: Evidence) -> list[str]:
    """What the audit of the rules says: readings with endless games, or the limit for all of them."""
    said = []
    for found in evidence.material.beside.readings:
        longer = sorted((f for f in found.findings if f.endless > f.ruled_endless), key=lambda f: -f.endless)
        said += [_reading(found, f) for f in longer[:MOST_TOLD]]
        rows = found.summary.estimates.filter((pl.col("measure") == LIMIT) & (pl.col("position") == -1)).to_dicts()
        if not longer and rows:
            most = max(bounded(row)["high"] for row in rows)
            said.append(
                f"No other reading of the rules of {style.clean(found.variant)} made more games endless: at most "
                f"{_limit(most)} of the games of each."
            )
    return said


def _reading(audit: Readings, found: Finding) -> str:
    where = f"{found.players} players, {style.clean(found.line_up)}"
    share, ruled = style.percent(found.endless, 2), style.percent(found.ruled_endless, 2)
    label = style.clean(audit.labels[found.variant].replace("_", " "))
    return f"Read as {label} ({where}), {share} of the games reach the turn limit; as ruled, {ruled}."


SECTION = Section("endless", 45, "Games without end", show, needs=(need,))
