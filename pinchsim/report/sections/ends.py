"""How games end, and whether ending them pays (METHODS M3.5)."""

import polars as pl

from pinchsim.measure.ending import ending
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import Row, axis_over
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import by_group, legend
from pinchsim.report.section import ROWS, Section, Shown, Table, counted_or_rows, size_words


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return ending(sample, material.end_labels)


def show(evidence: Evidence) -> Shown:
    reasons = [f"{style.END}{label}" for label in evidence.material.end_labels.values()]
    groups = [(style.measure_words(name), lambda case, name=name: evidence.row(case, name)) for name in reasons]
    axis = axis_over("share of games (%)", [], 100, (0, 100))
    return Shown(
        _title(evidence, reasons),
        by_group(evidence, groups, axis, "%"),
        _table(evidence, reasons),
        "Each game has one reason to end. Whoever empties the hand or draws the last card ends it; the last column is the win "
        f"share of that player, who chose the moment. {size_words(evidence)}",
        ROWS,
        legend(evidence),
    )


def _title(evidence: Evidence, reasons: list[str]) -> str:
    """The most frequent reason of each case."""
    cases = []
    for case in evidence.credible:
        rows = [row for name in reasons if (row := evidence.row(case, name))]
        most = max(rows, key=lambda row: float(row["estimate"]))
        cases.append(style.Case(*case[:3], most, most["measure"]))
    phrases = {name: style.measure_words(name) for name in reasons}
    return str(style.finding("The usual end", cases, phrases)) if cases else "How games end"


def _table(evidence: Evidence, reasons: list[str]) -> Table:
    columns = ("variant", *(style.measure_words(name) for name in reasons), "who ends it wins")
    return Table(columns, tuple(_line(evidence, case, reasons) for case in evidence.cases))


def _line(evidence: Evidence, case: Case, reasons: list[str]) -> tuple[str, ...]:
    ends = [evidence.row(case, name) for name in reasons]
    wins = evidence.row(case, "ender_wins")
    shares = [_share(row) if row else "" for row in ends]
    return (evidence.name(case), *shares, style.with_interval(wins, 100, "%") if wins else "nobody ends it")


def _share(row: Row) -> str:
    """A share of games; what is rare keeps its count."""
    return str(style.of_games(row) if style.is_rare(row) else style.percent(row["estimate"]))


SECTION = Section("ends", 40, "How games end", show, measure, (counted_or_rows("ender_wins", "end_reason", "ended_by"),))
