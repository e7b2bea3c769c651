"""Pictures of a section: a panel for each number of players with the variants and, where there are several, line-ups."""

from collections.abc import Callable, Iterator, Sequence

from pinchsim.report import style
from pinchsim.report.charts import Axis, Line, Mark, Row, Yardstick, dots, told
from pinchsim.report.evidence import Case, Evidence
from pinchsim.report.section import Panel

Picker = Callable[[Case], Row | None]
Spread = Callable[[Case], tuple[float, float] | None]


def by_variant(
    evidence: Evidence, pick: Picker, axis: Axis, unit: str, sign: str = "", yardsticks: Sequence[Yardstick] = (),
    spread: Spread | None = None, bare: bool = False,
) -> tuple[Panel, ...]:  # fmt: skip
    """One number a case: a line for each variant; with several line-ups a line for each of these, with a mark a variant.

    `bare` numbers have no interval of their own.
    """
    found = []
    for players in evidence.players:
        here = [case for case in evidence.cases if case.players == players]
        marks = {case: _mark(evidence, case, pick(case), spread) for case in here}
        lines = [
            Line(label, [mark for case in cases if (mark := marks[case])])
            for label, cases in _lines(evidence, here)
            if any(marks[case] for case in cases)
        ]
        if lines:
            caption = f"{players} players"
            words = told(lines, _names(evidence), axis.scale, unit, sign, bare) + _yardstick_words(yardsticks, unit)
            found.append(Panel(caption, f"{caption}. {words}", dots(lines, axis, yardsticks)))
    return tuple(found)


def _yardstick_words(yardsticks: Sequence[Yardstick], unit: str) -> str:
    """What is drawn to compare with, in words."""
    spans = [(y.label, f"{y.low:+g}" if y.low == y.high else f"{y.low:+g} to {y.high:+g}") for y in yardsticks]
    return f" To compare: {', '.join(f'{label} {span} {unit}' for label, span in spans)}." if spans else ""


def by_group(
    evidence: Evidence, groups: Sequence[tuple[str, Picker]], axis: Axis, unit: str, sign: str = ""
) -> tuple[Panel, ...]:
    """Several numbers a case: a panel for each number of players and line-up, with a line for each group."""
    found = []
    for caption, cases in tables(evidence):
        lines = []
        for label, pick in groups:
            marks = [mark for case in cases if (mark := _mark(evidence, case, pick(case)))]
            lines += [Line(label, marks)] if marks else []
        if lines:
            words = told(lines, _names(evidence), axis.scale, unit, sign)
            found.append(Panel(caption, f"{caption}. {words}", dots(lines, axis)))
    return tuple(found)


def tables(evidence: Evidence) -> Iterator[tuple[str, list[Case]]]:
    """The cases of one number of players and line-up together, with a caption."""
    for players in evidence.players:
        for line_up in evidence.line_ups:
            cases = [case for case in evidence.cases if (case.players, case.line_up) == (players, line_up)]
            several = len(evidence.line_ups) > 1
            if cases:
                yield f"{players} players" + (f", {style.clean(evidence.level(line_up))}" if several else ""), cases


def legend(evidence: Evidence, always: bool = True) -> tuple[str, ...]:
    """The variants that a legend must name: none if there is only one, or if the lines have their names."""
    needed = len(evidence.variants) > 1 and (always or len(evidence.line_ups) > 1)
    return tuple(evidence.variants) if needed else ()


def _lines(evidence: Evidence, cases: Sequence[Case]) -> list[tuple[str, list[Case]]]:
    if len(evidence.line_ups) == 1:
        return [(case.variant, [case]) for case in cases]
    order = [line_up for line_up in evidence.line_ups if any(case.line_up == line_up for case in cases)]
    return [(evidence.level(name), [case for case in cases if case.line_up == name]) for name in order]


def _mark(evidence: Evidence, case: Case, row: Row | None, spread: Spread | None = None) -> Mark | None:
    if row is None or not style.is_number(row["estimate"]):
        return None
    return Mark(evidence.looks[case.variant], row, not case.credible, spread(case) if spread else None)


def _names(evidence: Evidence) -> dict[style.Look, str]:
    return {look: style.clean(name) for name, look in evidence.looks.items()}
