"""An audit of the rules for the terminal: a table by players and line-up, then a paragraph for each reading."""

import math
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.audit import CARE, LINES, OPEN, SAME, UNNOTICED, Finding
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED
from pinchsim.report import style
from pinchsim.report.layout import fitted
from pinchsim.report.table import WIDTH, say

STYLES = {CARE: "bold red", OPEN: "yellow", UNNOTICED: "green", SAME: "dim"}
MARKS = {OUTSIDE: " !", UNDECIDED: " ?"}
NBSP = "\N{NO-BREAK SPACE}"
GAP = NBSP * 2  # as wide as a mark
NAMES = {
    "start": "the start player's advantage",
    "length": "the length",
    "ends": "an end reason",
    "score": "the score a player",
}
MOST_DIGITS = 3


def print_audit(
    base: str,
    findings: Sequence[Finding],
    labels: Mapping[str, str],
    sentences: Mapping[str, str],
    margin: float,
    complete: bool,
    console: Console,
) -> None:
    """Print an audit.

    Parameters
    ----------
    base
        Name of the variant as ruled.
    findings
        Readings by players and line-up, in the order of the report.
    labels
        For the name of each variant: its reading in short, such as "refill = card".
    sentences
        For the name of each variant: which sentence is read otherwise and how, in words.
    margin
        Margin of the start player's advantage (share of wins).
    complete
        Whether all games were played.
    console
        Where to print; at most 80 columns are used.
    """
    width = min(console.width, WIDTH)
    if not complete:
        say(console, "The run was interrupted: these numbers cover the games finished so far.", width, "bold yellow")
    if not findings:
        say(console, "There are no games to compare.", width)
        return
    for players, line_up in dict.fromkeys((f.players, f.line_up) for f in findings):
        here = [f for f in findings if (f.players, f.line_up) == (players, line_up)]
        console.print()
        say(console, f"{style.clean(base)}, {players} players: {style.line_up_words(line_up, players)}", width, "bold")
        say(console, f"{size_words(here)} for each reading", width)
        console.print()
        console.print(fitted(_table(here, labels), width))
        console.print()
        for number, finding in enumerate(here, 1):
            words = f"{kept_together(labels[finding.variant])}. {reading_words(finding, sentences)}{sentence_words(finding)}"
            say(console, f"{number:>2}. {words}", width, indent="    ")
    _print_notes(margin, any(f.beyond for f in findings), console, width)


def size_words(findings: Sequence[Finding]) -> str:
    """How much was played of each reading: "400 games of 100 decks"."""
    rows = [next(iter(finding.largest.values())) for finding in findings]
    sizes = [sorted({row[name] for row in rows}) for name in ("games", "decks")]
    games, decks = (f"{n[0]:,}" if len(n) == 1 else f"{n[0]:,} to {n[-1]:,}" for n in sizes)
    return f"{games} games of {decks} decks"


def kept_together(label: str) -> str:
    """A reading's label whose equals signs are not parted from the words beside them at the end of a line."""
    return style.clean(label).replace(" = ", f"{NBSP}={NBSP}")


def _table(findings: Sequence[Finding], labels: Mapping[str, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column("reading")
    for line in LINES:
        table.add_column(f"{line.words}{GAP}\n({line.unit}){GAP}", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for finding in findings:
        cells = [cell(finding.largest[line.words]) if line.words in finding.largest else "" for line in LINES]
        label = Text(style.clean(labels[finding.variant]).replace(", ", ",\n"))
        table.add_row(label, *map(Text, cells), Text(finding.verdict, STYLES[finding.verdict]))
    return table


def cell(row: dict) -> str:
    """An effect with a mark: noticeable, or not decided yet."""
    return f"{_number(row['effect'], row)}{MARKS.get(row['verdict'], GAP)}"


def _number(value: float, row: dict) -> str:
    """A number with a sign and as many digits as its interval allows, or as it takes not to be rounded to 0."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "no interval"
    half = (row["high"] - row["low"]) / 2
    for digits in range(min(MOST_DIGITS, style.decimals(half)), MOST_DIGITS + 1):
        if abs(value) >= 10.0**-digits / 2:
            return f"{value:+.{digits}f}"
    least = f"{10.0**-MOST_DIGITS:.{MOST_DIGITS}f}"
    return f"<{least}" if value > 0 else f">-{least}"


def reading_words(finding: Finding, sentences: Mapping[str, str]) -> str:
    """The rule that is read otherwise; the two of a pair have their own paragraphs."""
    return "" if finding.beyond else f"{style.clean(sentences[finding.variant])} "


def sentence_words(finding: Finding) -> str:
    """What one reading changes, and what that means to the writer of the rules."""
    if finding.verdict == CARE:
        said = f"Write this with care: {told_effects(finding, OUTSIDE)}."
    elif finding.verdict == OPEN:
        said = f"Undecided: {told_effects(finding, UNDECIDED)}; {_games_needed(finding)}."
    elif finding.verdict == SAME:
        said = "No difference: not one of these games came out differently."
    else:
        said = "Players will not notice."
    return said + _beyond_words(finding) + _endless_words(finding)


def told_effects(finding: Finding, kind: str) -> str:
    """The effects of a reading that have a verdict, in words."""
    return "; ".join(_effect(row) for row in finding.largest.values() if row["verdict"] == kind)


def _effect(row: dict) -> str:
    """An effect in words: "length +12.3 % (+11.8 to +12.9)"."""
    words = f"{_what(row)} {_number(row['effect'], row)}{NBSP}{_unit(row)}"
    if not math.isfinite(row["high"] - row["low"]):
        return f"{words} (no interval)"
    return f"{words} ({_number(row['low'], row)} to {_number(row['high'], row)})"


def _what(row: dict) -> str:
    """The name of an effect's measure."""
    end = f'games that end by "{style.measure_words(row["measure"])}"'
    return {"start": "start-player advantage", "ends": end}.get(row["line"], row["line"])


def _unit(row: dict) -> str:
    return "points a player" if row["unit"] == "points" else row["unit"]


def _games_needed(finding: Finding) -> str:
    """About how many games would settle all that is undecided (METHODS M2.3)."""
    games = needed(finding)
    return f"about {style.count_words(games)} games would decide" if games else "more games would decide, but far more"


def needed(finding: Finding) -> int | None:
    """The same as a number; None: far too many."""
    games = [games_for(row) for row in finding.largest.values() if row["verdict"] == UNDECIDED]
    return None if None in games else max(n for n in games if n is not None)


def games_for(row: dict) -> int | None:
    """The half-width goes with 1 / sqrt(games), and with 1 / games where no game came out differently yet."""
    games = style.games_to_decide(row | {"estimate": row["effect"]}, row["noticeable"])
    if games is not None and row["standard_error"] == 0:
        times = (row["high"] - row["low"]) / 2 / row["noticeable"]
        games = max(row["games"] + 1, math.ceil(row["games"] * times / 100) * 100)
    return games


def _beyond_words(finding: Finding) -> str:
    """Of a pair: whether the two readings do together what they do alone, added up."""
    row = finding.beyond
    if row is None:
        return ""
    if row["beyond_sum"] == 0:
        return " Together they do exactly the sum of what both do alone."
    return f" Furthest from the sum of both alone: {_what(row)}, by {_number(row['beyond_sum'], row)}{NBSP}{_unit(row)}."


def _endless_words(finding: Finding) -> str:
    """Games that reached the turn limit, beside those of the ruling."""
    if finding.endless <= 0:
        return ""
    share, ruled = style.percent(finding.endless, 2), style.percent(finding.ruled_endless, 2)
    return f" Endless games: {share} reached the turn limit; as ruled, {ruled}."


def _print_notes(margin: float, pairs: bool, console: Console, width: int) -> None:
    noticed = [f"{style.plain(x.noticeable(margin), 3)}{NBSP}{x.unit} of {NAMES[x.words]}" for x in LINES]
    notes = [
        "Changes against the ruling, paired on the same decks; of the end reasons the gravest. ! is noticeable, ? undecided. "
        f"Noticeable is more than {style.listed(noticed)}. The intervals hold all at once with 95 %: they are corrected for "
        "their number (Bonferroni).",
        "All this holds for players who play like these. What they never do cannot make a difference here: try other "
        "line-ups, too.",
    ]
    if pairs:
        notes.append("How far a pair is from the sum of both alone is a plain difference without interval; it may be chance.")
    for note in notes:
        console.print()
        say(console, note, width, "dim")
