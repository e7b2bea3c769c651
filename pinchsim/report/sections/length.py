"""How long games are, in turns and in minutes (METHODS M3.4)."""

import polars as pl

from pinchsim.measure import length as lengths
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import curves
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import legend, tables
from pinchsim.report.plot_pages import Counts, make_book, quantile
from pinchsim.report.section import ROWS, Panel, Section, Shown, Table, counted_or_rows, size_words, span_words

MINUTES = "minutes"


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return lengths.length(sample, bands={MINUTES: material.minutes} if material.minutes else None)


def show(evidence: Evidence) -> Shown:
    medians = evidence.estimates(f"{MINUTES}:q50")
    seconds = ", ".join(f"{x.kind} {x.seconds:g} s" for x in lengths.DECISIONS)
    return Shown(
        f"Half of the games are over within {span_words(medians, unit='minutes')}",
        _panels(evidence),
        _table(evidence),
        f"Turns are counted. Minutes come from a time model that nobody has checked with a clock yet: {seconds}; no time for "
        f"dealing and scoring. {size_words(evidence)}",
        ROWS,
        legend(evidence),
    )


def _panels(evidence: Evidence) -> tuple[Panel, ...]:
    book = make_book(evidence.summary)
    found = {case: counts for case in evidence.cases if (counts := book.counts.get(_key(case)))}
    most = max((min(counts[0][-1], 1.5 * quantile(counts, 0.95)) for counts in found.values()), default=1)
    panels = []
    for caption, cases in tables(evidence):
        shown = [(evidence.looks[case.variant], found[case]) for case in cases if case in found]
        if shown:
            words = "; ".join(f"{style.clean(case.variant)} {_quantiles(found[case])}" for case in cases if case in found)
            panels.append(Panel(caption, f"{caption}. Games over: {words}.", curves(shown, "length (turns)", most)))
    return tuple(panels)


def _key(case: Case) -> tuple:
    return (case.line_up, case.players, case.variant, style.LENGTH, -1)


def _quantiles(counts: Counts) -> str:
    """How a curve reads."""
    five, half, most = (f"{quantile(counts, share):.0f}" for share in (0.05, 0.5, 0.95))
    return f"5 % within {five} turns, half within {half}, 95 % within {most}"


def _table(evidence: Evidence) -> Table:
    columns = ("variant", "turns (mean)", "minutes (mean)", "9 of 10 games (minutes)")
    return Table(columns, tuple(_line(evidence, case) for case in evidence.cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    means = [evidence.row(case, name) for name in (style.LENGTH, MINUTES)]
    ends = [evidence.row(case, f"{MINUTES}:{name}") for name in ("q05", "q95")]
    between = " to ".join(f"{row['estimate']:.1f}" for row in ends if row)
    return (evidence.name(case), *(style.with_interval(row) if row else "" for row in means), between)


SECTION = Section("length", 30, "Length", show, measure, (counted_or_rows("minutes", "turns", "pinches_made", "passes"),))
