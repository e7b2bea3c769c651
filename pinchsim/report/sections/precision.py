"""How precisely the start player's advantage is known, what the design was worth, why no more was played, and
which verdicts hold together (M1.5, M2.2, M2.4)."""

from pinchsim.measure.precision import reason_of
from pinchsim.measure.summary import CellName
from pinchsim.report import style
from pinchsim.report.charts import Yardstick, axis_over
from pinchsim.report.evidence import Case, Evidence, Row
from pinchsim.report.panels import by_variant, legend
from pinchsim.report.section import Section, Shown, Table, size_words
from pinchsim.report.stopping import gain_sentence, stop_words, together_words, worth_words

HOW = (
    "Half of the 95 % interval of the start player's advantage. Worth: how many independent games a game of this design is "
    "worth, since decks are shared by starting seats and variants."
)


def show(evidence: Evidence) -> Shown:
    rows = [_half(evidence.row(case, style.ADVANTAGE)) for case in evidence.cases]
    wished = _wished(evidence)
    axis = axis_over("half of the interval (pp)", rows, 100, (0, *(yardstick.high for yardstick in wished)), fair=0)
    panels = by_variant(evidence, lambda case: _half(evidence.row(case, style.ADVANTAGE)), axis, "pp", "", wished, bare=True)
    precision = evidence.summary.precision
    return Shown(
        _title(evidence), panels, _table(evidence), f"{HOW} {size_words(evidence)}", _links(evidence),
        legend(evidence, always=False),
        said=(*(stop_words(precision, evidence.material.unit) if precision is not None else ()), *_beside(evidence)),
        seen="The shorter, the surer." + (" Grey: what was wished for." if wished else ""),
    )  # fmt: skip


def _beside(evidence: Evidence) -> tuple[str, ...]:
    """Whether the verdicts hold together (M2.4), and what taking out the luck of the deal was worth (M1.6)."""
    return tuple(filter(None, [together_words(evidence.summary), gain_sentence(evidence.summary)]))


def _half(row: Row | None) -> Row | None:
    """An interval's half-width as a row that has none itself."""
    if row is None or not style.has_interval(row):
        return None
    half = style.half_width(row)
    return row | {"estimate": half, "low": half, "high": half}


def _wished(evidence: Evidence) -> tuple[Yardstick, ...]:
    """The half-width that was wished for, if it is one of this measure."""
    precision = evidence.summary.precision
    rows = precision.to_dicts() if precision is not None else []
    found = {row["wished"] for row in rows if row["measure"] == style.ADVANTAGE}
    return tuple(Yardstick("wished", 100 * half, 100 * half) for half in found if half is not None)


def _title(evidence: Evidence) -> str:
    halves = [half["estimate"] for case in evidence.credible if (half := _half(evidence.row(case, style.ADVANTAGE)))]
    if not halves:
        return "Too few decks to say how precisely anything is known"
    least, most = (f"{100 * half:.2g}" for half in (min(halves), max(halves)))
    return f"The start player's advantage is known to ±{least if least == most else f'{least} to {most}'} pp"


def _links(evidence: Evidence) -> tuple[str, ...]:
    return ("estimates.parquet", *(("precision.parquet",) if evidence.summary.precision is not None else ()))


def _table(evidence: Evidence) -> Table:
    columns = ("variant", "advantage (pp)", "change (pp)", evidence.material.unit, "stopped because")
    return Table(columns, tuple(_line(evidence, case) for case in evidence.cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    own, change = evidence.row(case, style.ADVANTAGE), evidence.change(case, style.ADVANTAGE)
    games = f"{own['games']:,}" if own else ""
    reason = reason_of(CellName(case.variant, case.players, case.line_up), evidence.summary)
    return (evidence.name(case), _known(own), _known(change), games, reason)


def _known(row: Row | None) -> str:
    """A half-width, and what a game was worth for it."""
    half, worth = _half(row), worth_words(row)
    return f"±{100 * half['estimate']:.2g}" + (f", worth {worth}" if worth else "") if half else ""


SECTION = Section("precision", 110, "How sure?", show)
