"""What the dealt cards are worth (METHODS M3.9)."""

import polars as pl

from pinchsim.measure.cards import CARD, GROUP, Hands
from pinchsim.measure.cards import cards as worth
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import profile
from pinchsim.report.evidence import Case, Evidence, Material, Row
from pinchsim.report.panels import legend, tables
from pinchsim.report.section import ROWS, Panel, Section, Shown, Table, games_again, rows_with, span_words

MOST_GAMES = 100_000  # of a cell: enough for a fifth of a percentage point


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    assert not isinstance(material.replays, str)
    first = sample.first(MOST_GAMES)
    decks = first.game("deck")[:: first.rotations].astype("int64")
    return worth(first, Hands(*material.replays.dealt(sample.cell, decks)))


def show(evidence: Evidence) -> Shown:
    names = _names(evidence)
    return Shown(
        _title(evidence, names),
        tuple(_panel(evidence, caption, cases, names) for caption, cases in tables(evidence)),
        _table(evidence, names),
        "By how much the win share rises if this card is dealt instead of an average one; a pair, triple or larger group comes "
        "on top of its cards. A regression of each seat's wins with a deck on its hand; everybody has it from every position. "
        f"Dead hands are foretold to win at most half as often as is fair. {_sizes(evidence)}",
        ROWS,
        legend(evidence),
    )


def _sizes(evidence: Evidence) -> str:
    """How much was looked at: the first games of each cell."""
    rows = [row for case in evidence.cases for name in _names(evidence) if (row := evidence.row(case, name))]
    ends = [(min(part), max(part)) for part in ([row[what] for row in rows] for what in ("games", "decks"))]
    games, decks = (f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in ends)
    return f"n = {style.size_words(games, decks, 'games')}, the first ones of each cell."


def _names(evidence: Evidence) -> list[str]:
    """The cards and groups that were dealt."""
    kinds = (f"{CARD}:", f"{GROUP}:")
    return [name for name in dict.fromkeys(evidence.measured["measure"]) if name.startswith(kinds)]


def _panel(evidence: Evidence, caption: str, cases: list[Case], names: list[str]) -> Panel:
    """The worth of all cards and groups, with a mark for each variant."""
    labels = [name.partition(":")[2] for name in names]
    rows = {case: [evidence.row(case, name) for name in names] for case in cases}
    figure = profile([(evidence.looks[case.variant], rows[case]) for case in cases], labels, "win share (pp)", 100)
    told = "; ".join(f"{style.clean(case.variant)}: {_told(labels, rows[case])}" for case in cases)
    return Panel(caption, f"{caption}. What each card and group is worth. {told}.", figure)


def _told(labels: list[str], rows: list[Row | None]) -> str:
    found = zip(labels, rows, strict=True)
    return ", ".join(f"{style.clean(label)} {style.with_interval(row, 100, 'pp', '+')}" for label, row in found if row)


def _title(evidence: Evidence, names: list[str]) -> str:
    """The card that is worth most, if it is the same everywhere."""
    best = {_extreme(evidence, case, names, 1) for case in evidence.credible}
    if len(best) == 1 and (name := best.pop()):
        worth_of = span_words(evidence.estimates(name), 1, 100, "percentage points", "+")
        return f"The best card to be dealt is the {name.partition(':')[2]}: {worth_of} of win share"
    return "Which card is best depends on the table"


def _extreme(evidence: Evidence, case: Case, names: list[str], sign: int) -> str:
    """The card that is worth most (1) or least (-1)."""
    rows = {name: row for name in names if name.startswith(CARD) and (row := evidence.row(case, name))}
    return max(rows, key=lambda name: sign * float(rows[name]["estimate"]), default="")


def _table(evidence: Evidence, names: list[str]) -> Table:
    columns = ("variant", "best card", "worst card", "dead hands", "these win", "the hand foretells")
    return Table(columns, tuple(_line(evidence, case, names) for case in evidence.cases))


def _line(evidence: Evidence, case: Case, names: list[str]) -> tuple[str, ...]:
    ends = (_extreme(evidence, case, names, sign) for sign in (1, -1))
    shares = (evidence.row(case, name) for name in ("dead_hand", "dead_hand_wins", "hand_tells"))
    return (evidence.name(case), *(_worth(name, evidence.row(case, name)) for name in ends), *map(_share, shares))


def _worth(name: str, row: Row | None) -> str:
    return f"{name.partition(':')[2]} {style.with_interval(row, 100, 'pp', '+')}" if row else ""


def _share(row: Row | None) -> str:
    return style.with_interval(row, 100, "%") if row else "-"


SECTION = Section("cards", 75, "What the cards are worth", show, measure, (rows_with("seat", "win_share"), games_again))
