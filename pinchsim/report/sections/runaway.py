"""Whether who leads early also wins (METHODS M3.8)."""

import polars as pl

from pinchsim.measure import runaway as runaways
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import course
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import legend, tables
from pinchsim.report.section import ROWS, Panel, Section, Shown, Table, counted_or_rows, size_words, span_words

MOMENTS = {25: "a quarter", 50: "half", 75: "three quarters"}


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return runaways.runaway(sample)


def show(evidence: Evidence) -> Shown:
    half = evidence.estimates("alone_wins:50")
    title = (
        f"Whoever leads alone half-way wins {span_words(half, 0, 100, '%')} of the games" if half else "Nobody leads half-way"
    )
    return Shown(
        title,
        tuple(_panel(evidence, caption, cases) for caption, cases in tables(evidence)),
        _table(evidence),
        "Win share of the player who alone has the highest score after 25, 50 and 75 % of the turns, among the games with "
        f"such a player. {size_words(evidence)}",
        ROWS,
        legend(evidence),
        seen="Dashed: a fair share, as if the lead said nothing.",
    )


def _panel(evidence: Evidence, caption: str, cases: list[Case]) -> Panel:
    rows = {case: [evidence.row(case, f"alone_wins:{percent}") for percent in MOMENTS] for case in cases}
    lines = [(evidence.looks[case.variant], rows[case]) for case in cases]
    figure = course(lines, list(MOMENTS.values()), 1 / cases[0].players, "who leads alone after ... of the turns")
    words = "; ".join(f"{style.clean(case.variant)} {', '.join(map(_share, rows[case]))}" for case in cases)
    return Panel(caption, f"{caption}. Wins of who leads alone after a quarter, half, three quarters: {words}.", figure)


def _share(row: dict | None) -> str:
    return style.with_interval(row, 100, "%") if row else "nobody"


def _table(evidence: Evidence) -> Table:
    columns = ("variant", *(f"leader after {words} wins" for words in MOMENTS.values()), "somebody leads alone half-way")
    return Table(columns, tuple(_line(evidence, case) for case in evidence.cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    wins = [evidence.row(case, f"alone_wins:{percent}") for percent in MOMENTS]
    return (evidence.name(case), *map(_share, wins), _share(evidence.row(case, "alone:50")))


LEADERS = counted_or_rows("alone:50", "leaders_25", "leaders_50", "leaders_75")
SECTION = Section("runaway", 70, "Does the leader run away?", show, measure, (LEADERS,))
