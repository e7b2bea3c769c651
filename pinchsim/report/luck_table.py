"""How much is luck, for the terminal: what decides who wins, and what a deck leaves open."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.luck import LUCK, WHO_PLAYS, WHO_STARTS
from pinchsim.report import style
from pinchsim.report.layout import folded
from pinchsim.report.table import WIDTH, say

Row = dict[str, Any]
OUTER = {WHO_PLAYS: "who plays", WHO_STARTS: "who starts"}
DECKS = {"deck_spread": "decks differ by", "deck_outside": "unlike the others", "deck_entropy": "left open by the deck"}
NO_FACTOR = "Independent games cannot tell these parts, so nothing is said of how many a game of this design is worth."
NAME, CELL = 15, 8  # columns


def print_luck(found: pl.DataFrame, sources: Mapping[str, str], console: Console) -> None:
    """Print budgets and effects of decks (`measure.sample.SCHEMA`) of one variant and number of players."""
    width = min(console.width, WIDTH)
    rows = by_line_up(found)
    first = found.row(0, named=True)
    console.print()
    say(console, f"{style.clean(first['variant'])}, {first['players']} players: what decides who wins", width, "bold")
    say(console, "Parts of the variance of a seat's win share, in %; they add up to 100.", width)
    console.print()
    console.print(_table(rows, LUCK, {**OUTER, **sources}))
    console.print()
    for sentence in findings(rows):
        say(console, sentence, width)
    console.print()
    alike = {line_up: book for line_up, book in rows.items() if "deck_spread" in book}
    if alike:
        say(console, "The same deck again and again, with other random choices", width, "bold")
        say(console, "Win share of the start player by deck, in %.", width)
        console.print()
        console.print(_table(alike, "", DECKS))
        console.print()
    say(console, f"n = {size_words(rows)} Intervals hold in 95 of 100 cases. {NO_FACTOR}", width, "dim")


def by_line_up(found: pl.DataFrame) -> dict[str, dict[str, Row]]:
    """Rows by line-up and measure."""
    books: dict[str, dict[str, Row]] = {}
    for row in found.iter_rows(named=True):
        books.setdefault(row["line_up"], {})[row["measure"]] = row
    return books


def size_words(rows: Mapping[str, Mapping[str, Row]]) -> str:
    """How much was played of each line-up."""
    budget = next(iter(rows.values()))[f"{LUCK}:{WHO_STARTS}"]
    deck = next((book["deck_spread"] for book in rows.values() if "deck_spread" in book), None)
    branches = f"{budget['decks']:,} games for each line-up, with those that branch off from them {budget['games']:,}"
    if deck is None:
        return f"{branches}."
    return f"{branches}; and {deck['decks']:,} decks, each played {deck['games'] // deck['decks']:,} times."


def findings(rows: Mapping[str, Mapping[str, Row]]) -> list[str]:
    """The result in plain sentences."""
    found = []
    for line_up, book in rows.items():
        who, starts = (book.get(f"{LUCK}:{name}") for name in (WHO_PLAYS, WHO_STARTS))
        if who and starts:
            names = style.clean(line_up.replace(",", ", "))
            luck = f"luck {100 - 100 * who['estimate']:.0f} %; who starts has {percent(starts)}"
            found.append(f"At a table of {names}, who plays decides {percent(who)} of who wins, and {luck}.")
    return found or [f"Who starts decides {spans([book[f'{LUCK}:{WHO_STARTS}'] for book in rows.values()])} of who wins."]


def percent(row: Row) -> str:
    """A share in percent with its interval."""
    return str(style.with_interval(row, 100, "%"))


def spans(rows: Sequence[Row]) -> str:
    """The least and the greatest of several shares."""
    least, most = (f"{100 * end(row['estimate'] for row in rows):.1f}" for end in (min, max))
    return f"{least} %" if least == most else f"{least} to {most} %"


def _table(rows: Mapping[str, Mapping[str, Row]], prefix: str, columns: Mapping[str, str]) -> Table:
    """A line for each line-up, a column for each measure that any of them has."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False)
    table.add_column("line-up", width=NAME)
    measures = {f"{prefix}:{name}" if prefix else name: words for name, words in columns.items()}
    shown = {name: words for name, words in measures.items() if any(name in book for book in rows.values())}
    for words in shown.values():
        table.add_column(words, justify="right", width=CELL, overflow="fold")
    for line_up, book in rows.items():
        name = folded(line_up.replace(",", ", "), NAME)
        table.add_row(*map(Text, (name, *(_cell(book[measure]) if measure in book else "-" for measure in shown))))
    return table


def _cell(row: Row) -> str:
    """The same number as `short`, over two lines where its column is too narrow."""
    words = short(row)
    return words if len(words) <= CELL else words.replace("±", "\n±")


def short(row: Row) -> str:
    """A share in percent with half the width of its interval: "20.6±0.6"."""
    half = 100 * (row["high"] - row["low"]) / 2
    return f"{100 * row['estimate']:.1f}±{half:.1f}" if half else style.plain(100 * row["estimate"])
