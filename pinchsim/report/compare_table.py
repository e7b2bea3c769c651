"""Two runs side by side for the terminal, never wider than 80 columns."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.report import style
from pinchsim.report.layout import first_fitting, folded
from pinchsim.report.stopping import worth_words
from pinchsim.report.table import WIDTH, say

Row = dict[str, Any]
NAME_COLUMNS = (22, 16)  # of the measures: as wished, and where numbers take the room
CELL = ("players", "variant_a", "line_up_a", "variant_b", "line_up_b")


def print_comparison(
    table: pl.DataFrame, names: tuple[str, str], seeds: tuple[int, int], paired: bool, looked: bool, console: Console
) -> None:
    """Print a comparison: a table for each pair of cells, and where the difference keeps clear of 0.

    Parameters
    ----------
    table
        See `pinchsim.measure.compare.SCHEMA`.
    names
        What the runs are called.
    seeds, paired
        Seeds of both, and whether differences are paired by deck.
    looked
        Whether a run went on until something was known.
    """
    width = min(console.width, WIDTH)
    for letter, name in zip("AB", names, strict=True):
        say(console, f"{letter}: {style.clean(name)}", width, "bold")
    for part in table.partition_by(CELL, maintain_order=True):
        rows = part.to_dicts()
        console.print()
        say(console, _heading(rows[0]), width, "bold")
        console.print(_table(rows, width))
        say(console, _clear(rows), width)
    console.print()
    say(console, _notes(seeds, paired, looked), width, "dim")


def _heading(row: Row) -> str:
    who = [f"{row[f'variant_{run}']}, {style.line_up_words(row[f'line_up_{run}'], row['players'])}" for run in "ab"]
    cells = who[0] if who[0] == who[1] else f"A {who[0]}; B {who[1]}"
    decks = f"{row['decks_a']:,}" if row["decks_a"] == row["decks_b"] else f"{row['decks_a']:,} and {row['decks_b']:,}"
    return style.clean(f"{row['players']} players: {cells} ({decks} decks)")


def _table(rows: Sequence[Row], width: int) -> Table:
    """The first layout that fits: intervals beside their estimates, below them, or over two lines."""
    layouts: tuple[Callable[[str], str], ...] = (str, _below, _parted)
    return first_fitting([_laid_out(rows, lay, columns) for lay in layouts for columns in NAME_COLUMNS], width)


def _laid_out(rows: Sequence[Row], lay: Callable[[str], str], columns: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("measure")
    for name in ("A", "B", "B - A", "worth"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        a, b, change = (Text(lay(_number(row, run))) for run in ("_a", "_b", ""))
        change.style = "bold" if _is_clear(row) else ""
        table.add_row(Text(folded(_name(row), columns)), a, b, change, worth_words(row))
    return table


def _below(words: str) -> str:
    """A number with its interval below it."""
    return words.replace(" ± ", "\n± ")


def _parted(words: str) -> str:
    """The same with the ends of a lopsided interval below each other."""
    return _below(words).replace(" to ", " to\n")


def _name(row: Row) -> str:
    """A measure, with its position if it is by position: `score[0]`."""
    return style.clean(row["measure"]) + (f"[{row['position']}]" if row["position"] >= 0 else "")


def _number(row: Row, run: str) -> str:
    """An estimate with its interval; `run` is "_a", "_b" or nothing for the difference."""
    span = {name: row[f"{name}{run}"] for name in ("estimate", "low", "high")}
    sign = "+" if not run or row["measure"].endswith("advantage") else ""
    if row["unit"] == "share":
        return str(style.with_interval(span, 100, "pp" if sign else "%", sign, gap="\n"))
    return str(style.with_interval(span, sign=sign, gap="\n"))


def _is_clear(row: Row) -> bool:
    return bool(row["low"] > 0 or row["high"] < 0)


def _clear(rows: Sequence[Row]) -> str:
    names = [_name(row) for row in rows if _is_clear(row)]
    return f"The difference keeps clear of 0: {', '.join(names)}." if names else "No difference keeps clear of 0."


def _notes(seeds: tuple[int, int], paired: bool, looked: bool) -> str:
    if paired:
        how = (
            f"Paired by deck: both runs have the seed {seeds[0]}, so each deck is set against the same deck, and only decks "
            "that both have count."
        )
    elif seeds[0] == seeds[1]:
        how = (
            f"Not paired: both runs have the seed {seeds[0]}, but a run without rows has no decks to set side by side. "
            "Differences are those of independent runs, as a rule wider than need be; play both with --rows all to pair them."
        )
    else:
        how = f"Independent: the seeds are {seeds[0]} and {seeds[1]}, so the runs share no decks."
    how += " Worth: so many independent games would tell as much about the difference as one of these."
    how += " Intervals are of 95 %, clustered by deck, and not widened for looking at many: about 1 in 20 misses."
    return how + (" Nor do they allow for a run's having gone on until something was known (--precision)." if looked else "")
