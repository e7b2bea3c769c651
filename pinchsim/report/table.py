"""A run's summary as tables and plain sentences for the terminal, never wider than 80 columns."""

from typing import NamedTuple

import polars as pl
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.summary import Summary
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, verdict
from pinchsim.report import style
from pinchsim.report.stopping import (
    design_sentence,
    gain_sentence,
    looked_sentence,
    stop_words,
    together_words,
    worth_sentence,
    worth_words,
)

WIDTH = 80
NAME_WIDTH = 18
GAP = 2  # columns between two columns of a table
VERDICT_STYLES = {WITHIN: "green", OUTSIDE: "bold red", UNDECIDED: "yellow"}


class Column(NamedTuple):
    """One column of a table: header and one cell a variant."""

    header: str
    cells: list
    justify: str = "right"

    @property
    def width(self):
        """Widest line of a cell or longest word of the header."""
        lines = [line for cell in self.cells for line in cell.plain.split("\n")]
        return max(cell_len(text) for text in [*lines, *self.header.split()])


class Block(NamedTuple):
    """One line-up with one number of players: what it takes to print it."""

    line_up: str
    players: int
    names: list
    book: dict
    changes: dict
    summary: Summary
    positions: dict

    def row(self, name, measure, book=None):
        """The row of a measure that is not by position, or None."""
        return (self.book if book is None else book).get((self.line_up, self.players, name, measure, -1))

    @property
    def unit(self):
        """What was played: games, or sessions of several games."""
        return style.unit(self.summary.estimates)

    def measures(self):
        """The measures that are not by position, in the order of the data."""
        here = (key for key in self.book if key[:2] == (self.line_up, self.players) and key[4] == -1)
        return list(dict.fromkeys(key[3] for key in here))


def print_summary(summary: Summary, console: Console) -> None:
    """Print a run's summary: a block for each line-up and number of players, then the findings in sentences.

    Without a terminal (a pipe, a file) rich leaves the colours out; every colour only repeats a word.

    Parameters
    ----------
    summary
        Measures with intervals, see `pinchsim.report.Summary`.
    console
        Where to print. At most 80 columns are used.
    """
    width = min(console.width, WIDTH)
    if summary.estimates.is_empty():
        say(console, "There are no games to sum up.", width)
        return
    if not summary.complete:
        words = f"The run was interrupted: these numbers cover the {style.unit(summary.estimates)} finished so far."
        say(console, words, width, "bold yellow")
    book, changes = style.by_key(summary.estimates), style.by_key(summary.differences)
    positions = style.positions(summary)
    left_out: dict[str, None] = {}
    for line_up, players in style.blocks(summary.estimates):
        names = [name for name in style.variants(summary) if _any_row(book, line_up, players, name)]
        block = Block(line_up, players, names, book, changes, summary, positions)
        left_out |= dict.fromkeys(_print_block(block, console, width))
    _print_findings(summary, console, width)
    print_stop(summary, console)
    _print_notes(summary, list(left_out), console, width)


def _any_row(book, line_up, players, name):
    """Some row of a case, for its numbers of games and decks; None when the case was not played."""
    return next((row for key, row in book.items() if key[:3] == (line_up, players, name)), None)


# -- one block --------------------------------------------------------------------------------------------


def _print_block(block, console, width):
    """Print heading, tables and the counts of rare events; return the measures that had no room."""
    rows = [_any_row(block.book, block.line_up, block.players, name) for name in block.names]
    console.print()
    heading = f"{block.players} players: {style.line_up_words(block.line_up, block.players)}"
    say(console, heading, width, "bold")
    say(console, _size_words(block, rows), width)
    start_names, names, measures = _start_names(block), _name_column(block), _measures(block)
    described = _packed([_measure_column(block, name) for name in measures], width - names.width)[:1]
    for part in _packed(_start_columns(block), width - start_names.width):
        console.print()
        console.print(_table([start_names, *part]))
    for part in [
        *_packed([_measure_column(block, name) for name in _strategies(block)], width - names.width),
        *described,
        *_packed([_measure_column(block, name) for name in _shares(block)], width - names.width),
    ]:
        console.print()
        console.print(_table([names, *part]))
    for line in filter(None, [*_rare_lines(block), _position_line(block)]):
        say(console, line, width)
    return measures[sum(map(len, described)) :]


def _size_words(block, rows):
    """How much was played, by variant where that differs."""
    sizes = [style.size_words(f"{row['games']:,}", f"{row['decks']:,}", block.unit) for row in rows]
    if len(set(sizes)) == 1:
        return sizes[0] + (" for each variant" if len(sizes) > 1 else "")
    return ", ".join(f"{size} ({style.clean(name)})" for name, size in zip(block.names, sizes, strict=True))


def _measures(block):
    """Measures of a block that stand in neither of the other tables, the length first."""
    elsewhere = (style.ADVANTAGE, style.SINGLE_ADVANTAGE, style.SHARED_WINS)
    starts = (style.END, style.GAME_END, style.SHARE_OF)
    found = [name for name in block.measures() if name not in elsewhere and not name.startswith(starts)]
    return sorted(found, key=lambda name: name != style.LENGTH)


def _strategies(block):
    """The win shares of the strategies, where not everyone plays the same."""
    return [name for name in block.measures() if name.startswith(style.SHARE_OF)]


def _shares(block):
    """The end reasons and the shared wins of a block, whether they happened or not."""
    found = block.measures()
    shared = [style.SHARED_WINS] if style.SHARED_WINS in found else []
    return [name for start in (style.END, style.GAME_END) for name in found if name.startswith(start)] + shared


def _name_column(block):
    """The column of the variants' names; long names go over several lines."""
    names = [style.wrapped(style.clean(name), NAME_WIDTH, break_names=True) for name in block.names]
    return Column("variant", [Text("\n".join(lines), "bold") for lines in names], "left")


def _start_lines(block):
    """What stands in each line of the first table: a variant's name and a measure; sessions have the single game below."""
    measures = [style.ADVANTAGE, style.SINGLE_ADVANTAGE] if block.unit == "sessions" else [style.ADVANTAGE]
    return [(name, measure) for name in block.names for measure in measures]


def _start_names(block):
    """The first column of the first table."""
    column = _name_column(block)
    names = dict(zip(block.names, column.cells, strict=True))
    cells = [names[name] if measure == style.ADVANTAGE else Text("- single game") for name, measure in _start_lines(block)]
    return column._replace(cells=cells)


def _start_columns(block):
    """The start player's advantage, its verdict, and its paired difference to the base."""
    lines = _start_lines(block)
    rows = [block.row(*line) for line in lines]
    if not any(rows):
        return []
    words = [verdict(row["low"], row["high"], block.summary.margin) if row else "" for row in rows]
    columns = [
        Column("start player advantage", _cells(rows, 100, "pp", "+")),
        Column("verdict", [Text(word, VERDICT_STYLES.get(word, "")) for word in words], "left"),
    ]
    changes = [block.row(*line, block.changes) for line in lines]
    if any(changes):
        base = style.clean(block.summary.base or "base")
        header = f"change from {base if len(base) <= NAME_WIDTH else 'base'}"
        cells = zip(lines, _cells(changes, 100, "pp", "+"), strict=True)
        columns.append(Column(header, [Text("(base)") if name == block.summary.base else cell for (name, _), cell in cells]))
        if any(map(worth_words, changes)):
            columns.append(Column("worth", [Text(worth_words(row)) for row in changes]))
    return columns


def _measure_column(block, measure):
    """One measure with its interval; shares in percent."""
    rows = [block.row(name, measure) for name in block.names]
    unit = next(row["unit"] for row in rows if row)
    words = style.measure_words(measure)
    if unit == "share":
        kind = "end: " if measure.startswith(style.END) else "game end: " if measure.startswith(style.GAME_END) else ""
        return Column(kind + words, _share_cells(rows))
    header = words if not unit or unit in words else f"{words} ({style.clean(unit)})"
    return Column(header, _cells(rows))


def _digits(rows, scale):
    """Decimals that all rows of a column share, so that their points stand in one line.

    Two are enough from 1 on: a third would cost a table its last column and tell a reader nothing.
    """
    rows = [row for row in rows if row and style.has_interval(row)]
    most = 2 if any(abs(scale * row["estimate"]) >= 1 for row in rows) else 4
    halves = [scale * style.half_width(row) for row in rows]
    return min(most, max((style.decimals(half) for half in halves if half > 0), default=2))


def _cells(rows, scale=1, unit="", sign=""):
    """Estimates with intervals; empty where a variant lacks the measure."""
    digits = _digits(rows, scale)
    return [Text(style.with_interval(row, scale, unit, sign, digits, "\n") if row else "") for row in rows]


def _share_cells(rows):
    """Shares in percent with intervals; none, all and what would be rounded to them get their own words."""
    digits = _digits([row for row in rows if row and style.RARE <= row["estimate"] <= 1 - style.RARE], 100)
    return [Text(_share_words(row, digits) if row else "") for row in rows]


def _share_words(row, digits):
    """One share: "83.1 ± 0.2 %", "<0.01 %", or "none" and "100 %" with what the games still allow."""
    share, low, high = row["estimate"], row["low"], row["high"]
    if not style.is_number(share):
        return "no data"
    if share == 0 and style.is_number(high) and high >= 0.0001:
        return f"none\n(below {100 * high:.2g} %)"
    if share == 1 and style.is_number(low) and low <= 0.9999:
        return f"100 %\n(above {100 * low:.4g} %)"
    if style.is_rare(row) or share in (0, 1) or not style.has_interval(row) or share > 1 - style.RARE:
        return style.percent(share)
    return style.with_interval(row, 100, "%", "", digits, "\n")


def _rare_lines(block):
    """The counts behind shares too small to be read from the table."""
    lines = []
    for measure in [*_measures(block), *_shares(block)]:
        if measure.startswith(style.GAME_END):
            continue  # a share of the games, which are not counted here; the table never rounds it to none
        rows = {name: block.row(name, measure) for name in block.names}
        counts = [
            f"{style.of_games(row, block.unit)} ({style.clean(name)})"
            for name, row in rows.items()
            if row and row["unit"] == "share" and style.is_rare(row)
        ]
        if counts:
            lines.append(f"Rare: {style.measure_words(measure)} in {style.listed(counts)}.")
    return lines


def _position_line(block):
    """How far apart the positions are, by variant."""
    found = [(name, row) for name in block.names if (row := block.positions.get((block.line_up, block.players, name)))]
    told = [f"{style.clean(name)} {style.deviation_words(row, and_p=_p_words(row))}" for name, row in found]
    return f"Positions, root mean square off a fair share (less noise): {style.listed(told)}." if told else ""


def _p_words(row):
    p_value = style.p_words(row)
    return f"; p {p_value}" if p_value.startswith("<") else f"; p = {p_value}"


# -- laying out -------------------------------------------------------------------------------------------


def _packed(columns, width):
    """The columns, in order, in as few tables as fit into a width."""
    parts, left = [], 0
    for column in columns:
        if not parts or column.width + GAP > left:
            parts.append([])
            left = width
        parts[-1].append(column)
        left -= column.width + GAP
    return parts


def _table(columns):
    """A rich table of fixed widths with a line under its header."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for column in columns:
        table.add_column(Text(column.header), justify=column.justify, width=column.width, vertical="top")
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    return table


def say(console, words, width, look="", indent=""):
    """Print one paragraph, wrapped; rich reads no mark-up in it and colours no numbers."""
    lines = style.wrapped(words, width, indent)
    console.print(Text("\n".join(lines), look), highlight=False, soft_wrap=True)


# -- sentences --------------------------------------------------------------------------------------------


def _print_findings(summary, console, width):
    """One sentence a block on the start player, with the margin and what is still undecided."""
    margin, unit = summary.margin, style.unit(summary.estimates)
    all_cases = style.cases(summary.estimates, style.ADVANTAGE, lambda row: style.start_kind(row, margin))
    several = len({case.line_up for case in all_cases}) > 1
    if all_cases:
        console.print()
        say(console, f"The start player, against a margin of {style.margin_words(margin)}", width, "bold")
    for line_up, players in style.blocks(summary.estimates):
        here = [case for case in all_cases if (case.line_up, case.players) == (line_up, players)]
        if here:
            where = f"{players} players" + (f" ({style.line_up_words(line_up, players)})" if several else "")
            say(console, f"- {where}: {_finding(here, players, margin, unit)}.", width, indent="  ")
    together = together_words(summary)
    if together:
        say(console, f"- {together}", width, indent="  ")


def _finding(here, players, margin, unit):
    """Where the start player's win share lies, by variant."""
    limit, fair = style.margin_words(margin), f"a fair {style.plain(100 / players)} %"
    phrases = {
        "above": f"more than {limit} above {fair}",
        "below": f"more than {limit} below {fair}",
        WITHIN: f"within {limit} of {fair}",
    }
    parts = []
    for kind, phrase in phrases.items():
        names = [style.clean(case.variant) for case in here if case.kind == kind]
        if names:
            parts.append(f"{phrase} with {style.listed(names)}")
    undecided = [_undecided(case, margin, unit) for case in here if case.kind == UNDECIDED]
    if undecided:
        parts.append(f"undecided with {style.listed(undecided)}")
    return "the start player's win share is " + "; ".join(parts)


def print_stop(summary: Summary, console: Console) -> None:
    """Print why a run with a wished precision stopped; nothing of another one."""
    if summary.precision is None:
        return
    width = min(console.width, WIDTH)
    console.print()
    first, *others = stop_words(summary.precision, style.unit(summary.estimates))
    say(console, first, width, "bold")
    for words in others:
        say(console, f"- {words}", width, indent="  ")


def print_worth(frame: pl.DataFrame, measure: str, what: str, console: Console) -> None:
    """Print what a game of the design was worth for the measures of a summary's table that begin so."""
    words = worth_sentence(frame.filter(pl.col("measure").str.starts_with(measure))["variance_reduction"], what)
    if words:
        console.print()
        say(console, words, min(console.width, WIDTH), "dim")


def _undecided(case, margin, unit):
    """An undecided variant with the number of games that would decide."""
    games = style.games_to_decide(case.row, margin)
    name = style.clean(case.variant)
    if not style.has_interval(case.row):
        return f"{name} (too few decks for an interval)"
    if games is None:
        return f"{name} (so close to the margin that {style.HOPELESS:,} times as many {unit} may not decide)"
    return f"{name} (about {style.count_words(games)} {unit} would decide)"


def _print_notes(summary, left_out, console, width):
    """What the numbers mean: intervals, pairs, how a shared win counts, and what is not shown."""
    notes = [
        "± and ranges are 95 % intervals, clustered by deck: games that share a deck count as one "
        "piece of evidence. Each interval stands for itself: about 1 in 20 misses the true value."
    ]
    notes.append(looked_sentence(summary))
    if not summary.differences.is_empty():
        unit = style.unit(summary.estimates)
        notes.append(
            f"A change is paired: the variant minus the base on the same decks. Worth: so many independent {unit} would tell "
            "as much about it as one of these."
        )
    if style.unit(summary.estimates) == "sessions":
        notes.append(
            "A session's start player starts its first game; a single game is the first one of each session, on the same decks."
        )
    notes.append("A win shared by k players counts 1/k for each of them.")
    notes += [design_sentence(summary, changes=False), gain_sentence(summary)]  # changes have a column
    if left_out:
        notes.append(f"Measured too, but not shown: {style.listed(map(style.measure_words, left_out))}.")
    console.print()
    say(console, " ".join(filter(None, notes)), width, "dim")
