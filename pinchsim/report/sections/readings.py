"""Which sentence of the rules must be written with care (METHODS M6.2)."""

from pinchsim.measure.audit import CARE, LINES, OPEN, Finding
from pinchsim.report import commands, style
from pinchsim.report.audit_table import cell, kept_together, needed, reading_words, sentence_words, size_words
from pinchsim.report.beside import Readings
from pinchsim.report.charts import Line, Mark, axis_over, dots
from pinchsim.report.evidence import Evidence
from pinchsim.report.section import Panel, Section, Shown, Table, beside, place_words

MOST_SHOWN, MOST_SAID = 12, 10
LOOKS = {CARE: style.Look(style.COLOURS[1], "D"), OPEN: style.Look(style.COLOURS[4], "s")}
QUIET = style.Look(style.COLOURS[0], "o")
Block = tuple[Readings, list[Finding]]  # findings of one number of players and line-up


def show(evidence: Evidence) -> Shown:
    blocks = [block for audit in evidence.material.beside.readings for block in _blocks(audit)]
    tables = [_table(*block) for block in blocks]
    return Shown(
        _title(blocks),
        tuple(_panel(*block) for block in blocks),
        tables[0],
        "Each contested sentence is read in every other way and played on the same decks as the ruling. In the table ! is "
        "noticeable, ? undecided. The intervals hold all at once with 95 %, for players who play like these. n = "
        f"{size_words([f for _, findings in blocks for f in findings])} for each reading.",
        (),
        said=tuple(sentence for block in blocks for sentence in _said(*block, len(blocks) > 1)),
        more=tuple(tables[1:]),
        files=tuple(f"{audit.folder}effects.parquet" for audit in evidence.material.beside.readings),
        seen="A change is in units of what players would notice (green); it is the gravest of start, length, end and score.",
    )


def _blocks(audit: Readings) -> list[Block]:
    keys = dict.fromkeys((f.players, f.line_up) for f in audit.findings)
    return [(audit, [f for f in audit.findings if (f.players, f.line_up) == key]) for key in keys]


def _where(audit: Readings, findings: list[Finding]) -> str:
    return f"{place_words(audit.variant, findings[0].players)}, {style.line_up_words(findings[0].line_up)}"


def _title(blocks: list[Block]) -> str:
    named = list(dict.fromkeys(_named(audit, f) for audit, findings in blocks for f in findings if f.verdict == CARE))
    if not named:
        undecided = any(f.verdict == OPEN for _, findings in blocks for f in findings)
        return "No other reading of the rules is shown to be noticed" if undecided else "Players would notice no other reading"
    return f"Write with care: {style.listed(named)}" if len(named) <= 4 else (
        f"Write with care: {', '.join(named[:3])} and {len(named) - 3} more"
    )  # fmt: skip


def _named(audit: Readings, found: Finding) -> str:
    """A reading with the rule that it is about: "R4.2 (equal pinches = true)"."""
    label = kept_together(audit.labels[found.variant].replace("_", " "))
    return f"{style.clean(audit.sentences[found.variant].partition(':')[0])} ({label})"


def _panel(audit: Readings, findings: list[Finding]) -> Panel:
    rows = {f.variant: _gravest(f) for f in findings[:MOST_SHOWN]}
    axis = axis_over("change (1: just noticeable)", rows.values(), 1, (-1, 1), band=(-1, 1), fair=0)
    marks = [
        Line(audit.labels[f.variant].replace("_", " "), [Mark(LOOKS.get(f.verdict, QUIET), rows[f.variant])])
        for f in findings[:MOST_SHOWN]
    ]
    told = "; ".join(f"{style.clean(audit.labels[f.variant])} {f.size:.2g} ({f.verdict})" for f in findings[:MOST_SHOWN])
    caption = _where(audit, findings)
    return Panel(caption, f"{caption}. Changes in units of what is just noticeable: {told}.", dots(marks, axis))


def _gravest(found: Finding) -> dict[str, float]:
    """The largest effect of a reading, in units of what is just noticeable."""
    row = max(found.largest.values(), key=lambda row: abs(row["effect"]) / row["noticeable"])
    return {name: row[key] / row["noticeable"] for name, key in (("estimate", "effect"), ("low", "low"), ("high", "high"))}


def _table(audit: Readings, findings: list[Finding]) -> Table:
    columns = ("reading", *(f"{line.words} ({line.unit})" for line in LINES), "verdict")
    rows = tuple(
        (
            kept_together(audit.labels[f.variant]),
            *(cell(f.largest[line.words]).rstrip() if line.words in f.largest else "" for line in LINES),
            f.verdict,
        )
        for f in findings
    )
    return Table(columns, rows, _where(audit, findings))


def _said(audit: Readings, findings: list[Finding], several: bool) -> list[str]:
    """The sentences that need care, the gravest first, and what is undecided."""
    care, undecided = ([f for f in findings if f.verdict == kind] for kind in (CARE, OPEN))
    opening = f"{findings[0].players} players: " if several else ""
    said = [
        f"{opening}{kept_together(audit.labels[f.variant])}. {reading_words(f, audit.sentences)}{sentence_words(f)}"
        for f in care[:MOST_SAID]
    ]
    said += [f"{opening}{len(care) - MOST_SAID} more need care, see the table."] if len(care) > MOST_SAID else []
    still = [f"{kept_together(audit.labels[f.variant])} ({_games(needed(f))})" for f in undecided]
    return said + ([f"{opening}Undecided, with about how many games would decide: {style.listed(still)}."] if still else [])


def _games(games: int | None) -> str:
    return str(style.count_words(games)) if games else "far more"


SECTION = Section(
    "readings", 92, "Sentences to be read in two ways", show,
    needs=(beside("readings", "an audit of the rules", commands.readings),),
)  # fmt: skip
