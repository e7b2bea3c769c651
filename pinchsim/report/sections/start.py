"""What starting is worth (METHODS M3.1), beside what other games pay for it."""

from pinchsim.report import style
from pinchsim.report.charts import Yardstick, axis_over
from pinchsim.report.evidence import Case, Evidence
from pinchsim.report.panels import by_variant, legend
from pinchsim.report.section import Section, Shown, Table, size_words

# In percentage points above a fair share (METHODS M3.1).
YARDSTICKS = (
    Yardstick("chess", 2, 5),
    Yardstick("Dominion (2 players)", 8.8, 8.8),
    Yardstick("Red7 (3 players), best seat", 7, 7),
    Yardstick("Deckchairs: called fair", -1, 1),
)


def show(evidence: Evidence) -> Shown:
    margin = evidence.summary.margin
    cases = evidence.findings(style.ADVANTAGE, lambda row: style.start_kind(row, margin))
    rows = [evidence.row(case, style.ADVANTAGE) for case in evidence.cases]
    axis = axis_over("wins above a fair share (pp)", rows, 100, (-1, 8.8), band=(-100 * margin, 100 * margin), fair=0)
    panels = by_variant(evidence, lambda case: evidence.row(case, style.ADVANTAGE), axis, "pp", "+", YARDSTICKS)
    return Shown(
        style.start_finding(cases, margin) if cases else "What the start player wins",
        panels,
        _table(evidence),
        "Win share of the start player less a fair share; a shared win counts in equal parts. Off fair: root mean square of "
        "what positions win off a fair share, less the part that noise adds; p: the chance of such shares if all were equal. "
        f"{size_words(evidence)}",
        ("estimates.parquet",),
        legend(evidence, always=False),
        more=(_positions(evidence),) if evidence.positions else (),
        seen=f"Green: the margin of ±{style.margin_words(margin)}. Grey: published numbers of other games; a dot is a single "
        "one.",
    )


def _table(evidence: Evidence) -> Table:
    return Table(
        ("variant", "start player's advantage", "verdict"),
        tuple(_line(evidence, case) for case in evidence.cases),
        "Start player",
    )


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    row = evidence.row(case, style.ADVANTAGE)
    if row is None:
        return (evidence.name(case), "", "")
    kind = style.start_kind(row, evidence.summary.margin)
    verdict = f"outside margin, {kind}" if kind in ("above", "below") else kind
    return (evidence.name(case), style.with_interval(row, 100, "pp", "+"), verdict)


def _positions(evidence: Evidence) -> Table:
    """What all positions win, and how far that is from fair (M2.5)."""
    columns = ("variant", "wins by position (%)", "off fair (pp)", "p, if all were equal")
    return Table(columns, tuple(_apart(evidence, case) for case in evidence.cases), "All positions")


def _apart(evidence: Evidence, case: Case) -> tuple[str, ...]:
    shares = [evidence.row(case, "win_share", place) for place in range(case.players)]
    wins = " / ".join(f"{100 * share['estimate']:.1f}" for share in shares if share)
    row = evidence.positions.get((case.line_up, case.players, case.variant))
    return (evidence.name(case), wins, *((style.deviation_words(row, ""), style.p_words(row)) if row else ("", "")))


SECTION = Section("start", 10, "Start player", show)
