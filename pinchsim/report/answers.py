"""The first screen: plain questions about each variant and number of players, with verdicts (METHODS M2.3, M2.4, M2.6).

Those that other folders answer are in `answers_beside`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from pinchsim.measure.certificate import joint_span
from pinchsim.measure.judgeable import SHARE, Bounds
from pinchsim.measure.judged import Limits, judged, open_limits
from pinchsim.measure.ladder import ABOVE, BELOW, CHANGES, HOLDS, Answer, robust
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from pinchsim.report import answers_beside, style
from pinchsim.report.evidence import Case, Evidence, Row
from pinchsim.report.told import Group, Told

FEW = 0.1  # share of games that may be shorter or longer than wished
UNEQUAL = (
    "The players are of different strength: how long games last and what a lead is worth would tell who they are, not what the "
    "rules do, so only this question is answered."
)


class Question(NamedTuple):
    """How a question is judged and told; `words` has an answer for each verdict, `{fair}` is a fair share in percent.

    `bounds` are those of the measure with so many players.

    The numbers behind the answer are told as `about`, then `number` of each level, what is `meant` by it, and games `counted`.
    """

    text: str
    section: str
    measure: str
    limits: Callable[[Evidence, Group], Limits]
    bounds: Callable[[int], Bounds]
    words: Mapping[str, tuple[str, str]]
    about: str
    number: Callable[[Row], str]
    meant: Callable[[Evidence, Group], str]
    counted: str = ""


def groups(evidence: Evidence) -> list[tuple[Group, list[Told]]]:
    """All groups with their answers."""
    return [(group, _answers(evidence, group)) for group in _groups(evidence)]


def judged_together(evidence: Evidence) -> int:
    """How many groups are judged: the answers to a question are one family (METHODS M2.4)."""
    return len(list(_groups(evidence)))


def _answers(evidence: Evidence, group: Group) -> list[Told]:
    """The answers about a group; who sits together with others of another strength is asked for a fair start alone."""
    asked = QUESTIONS[:1] if group.is_mixed else QUESTIONS
    found = [_told(evidence, group, question) for question in asked]
    return found if group.is_mixed else found + answers_beside.answers(evidence, group)


def _groups(evidence: Evidence) -> Iterator[Group]:
    ladder = evidence.material.ladder
    if ladder is not None:
        levels = tuple(dict.fromkeys(ladder.filter(pl.col("credible")).sort("rank")["level"]))
        for variant, players in dict.fromkeys((case.variant, case.players) for case in evidence.cases):
            yield Group(_heading(variant, players), variant, players, levels)
        return
    for case in evidence.cases:
        more = f", {style.line_up_words(case.line_up, case.players)}" if len(evidence.line_ups) > 1 else ""
        yield Group(_heading(case.variant, case.players) + more, case.variant, case.players, (case.line_up,))


def _heading(variant: str, players: int) -> str:
    return f"{style.sentence_name(variant)}, {players} players"


# -- one answer -------------------------------------------------------------------------------------------


def _told(evidence: Evidence, group: Group, question: Question) -> Told:
    rows = {name: _row(evidence, Case(group.variant, group.players, name), question) for name in group.line_ups}
    if not any(rows.values()):
        return _untold(evidence, group, question)
    limits = question.limits(evidence, group)
    answers = {name: judged(row, limits) if row else None for name, row in rows.items()}
    kind = _kind(list(answers.values()))
    word, sentence = question.words[kind]
    parts = [
        sentence.format(fair=style.plain(100 / group.players)),
        _levels(answers, kind, question),
        _needed(answers, kind),
        UNEQUAL if group.is_mixed else "",
    ]
    return Told(question.text, word, " ".join(filter(None, parts)), _numbers(evidence, group, question, rows), question.section)


def _row(evidence: Evidence, case: Case, question: Question) -> Row | None:
    """An estimate with an interval that holds at once with those of all other groups (Bonferroni, M2.4)."""
    row = evidence.row(case, question.measure)
    if row is None:
        return None
    span = joint_span(row, question.bounds(case.players), judged_together(evidence))
    return row | {"low": span.low, "high": span.high}


def _untold(evidence: Evidence, group: Group, question: Question) -> Told:
    """What to say where nothing was measured."""
    sentence, numbers = _length_words(evidence, group) if question.section == "length" else ("", "")
    return Told(question.text, "Not judged", sentence or "This run does not tell.", numbers, question.section)


def _kind(answers: Sequence[Answer | None]) -> str:
    """What all levels say together: `WITHIN`, `ABOVE`, `BELOW`, `CHANGES` or `UNDECIDED`."""
    found = robust(answers)
    if found != HOLDS:
        return CHANGES if found == CHANGES else UNDECIDED
    kind, side = next(answer.judge(1.0) for answer in answers if answer)
    return side or kind


def _levels(answers: Mapping[str, Answer | None], kind: str, question: Question) -> str:
    """At which levels of strength that holds, or what each says; nothing if there is only one."""
    if len(answers) == 1:
        return ""
    if kind not in (UNDECIDED, CHANGES):
        return f"So it is at every level of play: {style.listed(map(style.clean, answers))}."
    said: dict[str, list[str]] = {}
    for name, answer in answers.items():
        said.setdefault(_word(answer, question), []).append(style.clean(name))
    return "; ".join(f"{word} at {style.listed(names)}" for word, names in said.items()) + "."


def _word(answer: Answer | None, question: Question) -> str:
    kind, side = answer.judge(1.0) if answer else (UNDECIDED, None)
    return question.words[side if kind == OUTSIDE and side else kind][0]


def _needed(answers: Mapping[str, Answer | None], kind: str) -> str:
    """How many games would decide what is undecided."""
    if kind != UNDECIDED:
        return ""
    parts = []
    for name, answer in answers.items():
        if answer and answer.judge(1.0)[0] == UNDECIDED:
            games = answer.needed() if style.has_interval(answer.row) else None
            words = f"about {style.count_words(games)} games would decide" if games else "even far more games may not decide"
            parts.append(words if len(answers) == 1 else f"{style.clean(name)}: {words}")
    return f"{'; '.join(parts)}.".capitalize() if parts else ""


def _numbers(evidence: Evidence, group: Group, question: Question, rows: Mapping[str, Row | None]) -> str:
    """The numbers behind an answer, with what is allowed and how much was played."""
    found = {name: row for name, row in rows.items() if row}
    told = {name: question.number(row) for name, row in found.items()}
    values = ", ".join(told.values() if len(told) == 1 else (f"{style.clean(name)} {words}" for name, words in told.items()))
    games = sorted({row["games"] for row in found.values()})
    size = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    return f"{question.about}{values}; {question.meant(evidence, group)}; {size} {evidence.material.unit}{question.counted}"


def _length_words(evidence: Evidence, group: Group) -> tuple[str, str]:
    """How long games are, at the strongest level, and how many were played."""
    case = Case(group.variant, group.players, group.line_ups[-1])
    rows = [evidence.row(case, f"minutes:{name}") for name in ("q50", "q05", "q95")]
    found = [row for row in rows if row]
    if len(found) < len(rows):
        return "", ""
    half, low, high = (f"{row['estimate']:.0f}" for row in found)
    level = f"{style.clean(case.line_up)}; " if len(group.line_ups) > 1 else ""
    why = "Nobody said how long they should be."
    if evidence.material.minutes and evidence.material.counted is not None:
        why = "How many are too short or too long is told by rows, which this run does not keep: play it with --rows all."
    sentence = f"Half of the games are over within {half} minutes, 9 of 10 take {low} to {high}. {why}"
    return sentence, f"{level}minutes by a time model; {found[0]['games']:,} games"


# -- the questions ----------------------------------------------------------------------------------------


def _margin(evidence: Evidence, group: Group) -> Limits:
    return Limits(-evidence.summary.margin, evidence.summary.margin)


def _margin_words(evidence: Evidence, group: Group) -> str:
    return f"{100 * evidence.summary.margin:.3g} is allowed"


def _wished_words(evidence: Evidence, group: Group) -> str:
    wished = evidence.material.minutes
    return f"wished: {wished.low:g} to {wished.high:g} minutes, but for {style.percent(FEW, 0)}" if wished else ""


def _open_words(evidence: Evidence, group: Group) -> str:
    low, high = (style.plain(100 * end) for end in open_limits(group.players))
    return f"{low} to {high} % counts as open"


QUESTIONS = (
    Question(
        "Fair start?", "start", style.ADVANTAGE, _margin, lambda players: Bounds(-1 / players, 1 - 1 / players, True),
        {
            WITHIN: ("Yes", "The start player wins as often as is fair."),
            ABOVE: ("No", "The start player wins too often: fair would be {fair} %."),
            BELOW: ("No", "The start player wins too rarely: fair would be {fair} %."),
            CHANGES: ("It depends", "That changes with how well people play."),
            UNDECIDED: ("Undecided", "These games do not tell yet whether starting is fair."),
        },
        "", lambda row: str(style.with_interval(row, 100, "percentage points", "+")), _margin_words,
    ),
    Question(
        "Right length?", "length", "outside:minutes", lambda evidence, group: Limits(0, FEW), lambda players: SHARE,
        {
            WITHIN: ("Yes", "Nearly all games are as long as was wished."),
            ABOVE: ("No", "Too many games are shorter or longer than was wished."),
            CHANGES: ("It depends", "That changes with how well people play."),
            UNDECIDED: ("Undecided", "These games do not tell yet whether the length is right."),
        },
        "too short or too long: ", lambda row: str(style.with_interval(row, 100, "%")), _wished_words,
    ),
    Question(
        "Open, but no lottery?", "runaway", "alone_wins:50", lambda evidence, group: open_limits(group.players),
        lambda players: SHARE,
        {
            WITHIN: ("Yes", "Leading half-way helps, but does not settle the game."),
            ABOVE: ("No", "Settled early: who leads half-way nearly always wins."),
            BELOW: ("No", "Like a lottery: who leads half-way wins hardly more often than the others."),
            CHANGES: ("It depends", "That changes with how well people play."),
            UNDECIDED: ("Undecided", "These games do not tell yet how much a lead half-way is worth."),
        },
        "who leads half-way wins ", lambda row: str(style.with_interval(row, 100, "%")), _open_words,
        " with one leader half-way",
    ),
)  # fmt: skip
