"""Whether the verdict on the start holds for weak and strong players (METHODS M2.6)."""

import polars as pl

from pinchsim.measure.ladder import ADVANTAGE, CHANGE
from pinchsim.report import style
from pinchsim.report.charts import axis_over
from pinchsim.report.evidence import Evidence
from pinchsim.report.ladder_plot import title
from pinchsim.report.ladder_table import level_words
from pinchsim.report.panels import by_variant, legend
from pinchsim.report.section import Section, Shown, Table, a_ladder


def show(evidence: Evidence) -> Shown:
    ladder = evidence.material.ladder
    assert ladder is not None
    margin, rows = evidence.summary.margin, ladder.filter(question=ADVANTAGE).to_dicts()
    axis = axis_over(
        "start player above a fair share (pp)", rows, 100, (-150 * margin, 150 * margin),
        band=(-100 * margin, 100 * margin), fair=0,
    )  # fmt: skip
    return Shown(
        title(rows, margin),
        by_variant(evidence, lambda case: evidence.row(case, ADVANTAGE), axis, "pp", "+"),
        _table(ladder, rows),
        "At each level everyone at the table plays the same strategy, from weak to strong. In brackets: nobody would play so; "
        "it has no say. A verdict holds if each level's own interval says so; it changes with strength if levels disagree even "
        "when all their intervals are to hold at once. n is in the table.",
        ("ladder.parquet", "estimates.parquet"),
        legend(evidence),
        seen="Strength grows from top to bottom; hollow marks have no say.",
    )


def _table(ladder: pl.DataFrame, rows: list[dict]) -> Table:
    changes = {(x["players"], x["variant"], x["level"]): x for x in ladder.filter(question=CHANGE).iter_rows(named=True)}
    columns = ("level", "advantage", "verdict", "against the base", "games")
    lines = []
    for row in rows:
        change = changes.get((row["players"], row["variant"], row["level"]))
        name = style.clean(f"{row['variant']}, {row['players']} players, {level_words(row)}")
        fairness = change["verdict"] if change else "(base)" if changes else ""
        lines.append((name, style.with_interval(row, 100, "pp", "+"), row["verdict"], fairness, f"{row['games']:,}"))
    return Table(columns, tuple(lines))


SECTION = Section("ladder", 80, "Weak and strong players", show, needs=(a_ladder,))
