"""What a variant changes against the base, on common decks (METHODS M1.2)."""

from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.charts import axis_over
from pinchsim.report.evidence import Case, Evidence
from pinchsim.report.panels import by_variant, legend
from pinchsim.report.section import Section, Shown, Table, a_comparison, size_words

NUMBERS = {"turns": "length (turns)", "pinches": "pinches a game", "lead_changes": "changes of the lead"}
PHRASES = {"above": "larger", "below": "smaller", WITHIN: "the same", UNDECIDED: "no clear difference"}


def show(evidence: Evidence) -> Shown:
    base = style.clean(evidence.summary.base or "the base")
    rows = [evidence.change(case, style.ADVANTAGE) for case in evidence.cases]
    axis = axis_over("change of the advantage (pp)", rows, 100, (0,), fair=0)
    cases = evidence.findings(style.ADVANTAGE, style.sign_kind, change=True)
    return Shown(
        style.finding(f"Start player's advantage against {base}", cases, PHRASES) if cases else f"Variants against {base}",
        by_variant(evidence, lambda case: evidence.change(case, style.ADVANTAGE), axis, "pp", "+"),
        _table(evidence),
        f"All variants play the same decks; the difference to {base} is taken deck by deck, so luck of the cards drops out. "
        f"{size_words(evidence)}",
        ("differences.parquet",),
        legend(evidence, always=False),
    )


def _table(evidence: Evidence) -> Table:
    others = [case for case in evidence.cases if evidence.change(case, style.ADVANTAGE)]
    columns = ("variant", "start player's advantage", *NUMBERS.values())
    return Table(columns, tuple(_line(evidence, case) for case in others))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    start = evidence.change(case, style.ADVANTAGE)
    others = [evidence.change(case, name) for name in NUMBERS]
    first = style.with_interval(start, 100, "pp", "+") if start else ""
    return (evidence.name(case), first, *(style.with_interval(row, 1, "", "+") if row else "" for row in others))


SECTION = Section("variants", 90, "Variants compared", show, needs=(a_comparison,))
