"""When a game is decided: changes of the lead, and when the winner took it for good (METHODS M3.7)."""

import polars as pl

from pinchsim.measure import drama as dramas
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import axis_over
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import by_variant, legend
from pinchsim.report.section import ROWS, Section, Shown, Table, rows_with, size_words, span_words

FOR_GOOD = "lead_for_good"


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return dramas.drama(sample)


def show(evidence: Evidence) -> Shown:
    axis = axis_over("leads for good from (% of the game)", [], 100, (0, 100))
    panels = by_variant(evidence, lambda case: evidence.row(case, FOR_GOOD), axis, "%", spread=_spread(evidence))
    shares = evidence.estimates(FOR_GOOD)
    return Shown(
        f"The winner takes the lead for good after {span_words(shares, 0, 100, '%')} of the game, on the average",
        panels,
        _table(evidence),
        "After each turn the highest score leads. 0 % is the first turn, 100 % the last one. Scores are told as they stand: "
        "cards in hand may be worth more. " + size_words(evidence),
        ROWS,
        legend(evidence, always=False),
        seen="Marks are means with intervals, pale bars hold 9 of 10 games.",
    )


def _spread(evidence: Evidence):
    def spread(case: Case) -> tuple[float, float] | None:
        ends = [evidence.row(case, f"{FOR_GOOD}:{name}") for name in ("q05", "q95")]
        return (ends[0]["estimate"], ends[1]["estimate"]) if ends[0] and ends[1] else None

    return spread


def _table(evidence: Evidence) -> Table:
    columns = ("variant", "changes of the lead", "decided by the last turn", "winner's margin (points)")
    return Table(columns, tuple(_line(evidence, case) for case in evidence.cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    changes, last, margin = (evidence.row(case, name) for name in ("lead_changes", "last_turn_decides", "margin"))
    return (
        evidence.name(case),
        style.with_interval(changes) if changes else "",
        style.with_interval(last, 100, "%") if last else "",
        style.with_interval(margin) if margin else "",
    )


SECTION = Section("drama", 60, "Drama", show, measure, (rows_with("lead_for_good", "lead_changes"),))
