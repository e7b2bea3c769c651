"""How a game goes by everybody's chance of winning, and whether these chances are right (METHODS M3.7)."""

from collections.abc import Iterator

import polars as pl

from pinchsim.measure.sample import SCHEMA, Sample
from pinchsim.measure.win_probability import BINS, win_probability
from pinchsim.report import style
from pinchsim.report.chance_charts import calibration
from pinchsim.report.evidence import Case, Evidence, Material, Row
from pinchsim.report.panels import legend, tables
from pinchsim.report.section import ROWS, Panel, Section, Shown, Table, quick_games_again, rows_with, span_words

MOST_GAMES = 800  # of a cell: every turn of them is looked at
COLUMNS = {
    "decided": "decided after (% of the game)", "chance_drama": "winner behind by (pp)", "lowest_chance": "winner's lowest (%)",
    "nearly_lost": "once below 10 % (% of games)", "chance_uncertainty": "open (%)", "chance_permanence": "not undone (%)",
}  # fmt: skip


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    assert not isinstance(material.replays, str)
    if material.replays.is_slow(sample.cell):
        return pl.DataFrame(schema=SCHEMA)
    first = sample.first(MOST_GAMES)
    return win_probability(first, *material.replays.first(sample.cell, first.size))


def show(evidence: Evidence) -> Shown:
    rows = [row for case in evidence.cases if (row := evidence.row(case, "nearly_lost"))]
    lost = evidence.estimates("nearly_lost") or [row["estimate"] for row in rows]
    games = sorted({row["games"] for case in evidence.cases if (row := evidence.row(case, "decided"))})
    sizes = " to ".join(f"{n:,}" for n in dict.fromkeys((games[0], games[-1])))
    return Shown(
        f"In {span_words(lost, 0, 100, '%')} of the games the later winner once had a chance below 10 %",
        tuple(_panels(evidence)),
        _table(evidence),
        "After each turn everybody's chance is told from what a bystander sees, by weights fitted to other games. A game is "
        "decided when the winner's chance has risen above 80 % for good; open is 100 % if all chances are equal; not undone "
        f"are changes of chance that the next turn did not take back. n = {sizes} games of each line, every turn of them."
        + _left_out(evidence),
        ROWS,
        legend(evidence),
        seen="Marks on the dashed line: what is told is right.",
    )


def _left_out(evidence: Evidence) -> str:
    """Who is too slow."""
    slow = list(dict.fromkeys(case.line_up for case in evidence.cases if not _pairs(evidence, case)))
    return f" Left out, as too slow to play again: {style.listed(map(style.clean, slow))}." if slow else ""


def _panels(evidence: Evidence) -> Iterator[Panel]:
    for caption, cases in tables(evidence):
        cases = [case for case in cases if _pairs(evidence, case)]
        if not cases:
            continue
        lines = [(evidence.looks[case.variant], _pairs(evidence, case)) for case in cases]
        words = "; ".join(f"{style.clean(case.variant)} {_told(_pairs(evidence, case))}" for case in cases)
        yield Panel(caption, f"{caption}. Chance as told, and how often those players won: {words}.", calibration(lines))


def _pairs(evidence: Evidence, case: Case) -> list[tuple[Row, Row]]:
    """What is foretold, and what came of it, for each tenth."""
    tenths = [f"{100 * k // BINS:02}" for k in range(BINS)]
    rows = [(evidence.row(case, f"foretold:{tenth}"), evidence.row(case, f"calibration:{tenth}")) for tenth in tenths]
    return [(foretold, seen) for foretold, seen in rows if foretold and seen]


def _told(pairs: list[tuple[Row, Row]]) -> str:
    return ", ".join(f"{100 * a['estimate']:.0f} % won {style.with_interval(b, 100, '%')}" for a, b in pairs)


def _table(evidence: Evidence) -> Table:
    cases = [case for case in evidence.cases if _pairs(evidence, case)]
    return Table(("variant", *COLUMNS.values()), tuple(_line(evidence, case) for case in cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    rows = (evidence.row(case, name) for name in COLUMNS)
    return (evidence.name(case), *(style.with_interval(row, 100) if row else "" for row in rows))


SECTION = Section("chances", 65, "When is it decided?", show, measure, (rows_with("turns", "win_share"), quick_games_again))
