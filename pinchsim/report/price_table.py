"""The confirmed price of the start, for the terminal: what each position gets, and what that does on fresh decks."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.verdict import UNDECIDED
from pinchsim.report import style
from pinchsim.report.layout import fitted, folded
from pinchsim.report.stopping import worth_of_each
from pinchsim.report.table import VERDICT_STYLES, WIDTH, say

Row = dict[str, Any]
NAME = 12  # columns


def print_prices(found: pl.DataFrame, console: Console) -> None:
    """Print prices (`report.beside.Priced`): a table for each line-up and number of players, and sentences on what is open."""
    width = min(console.width, WIDTH)
    for (line_up, players), block in found.group_by("line_up", "players", maintain_order=True):
        rows = block.to_dicts()
        console.print()
        say(console, f"{players} players: {style.line_up_words(line_up, players)}", width, "bold")
        confirmed = [row for row in rows if row["bonus"] is not None]
        if confirmed:
            say(console, size_words(confirmed) + (" for each variant" if len(confirmed) > 1 else ""), width)
            console.print()
            console.print(fitted(_table(confirmed), width))
        for sentence in _sentences(rows):
            console.print()
            say(console, sentence, width)
    console.print()
    say(console, _notes(found), width, "dim")


def _table(rows: Sequence[Row]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("variant")
    table.add_column("bonus by\nposition", justify="right")
    for header in ("advantage\nbefore (pp)", "with the\nbonus (pp)", "furthest\noff (pp)"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for row in rows:
        name, verdict = folded(style.clean(row["variant"]), NAME), row["verdict"].replace(" ", "\n")
        numbers = (bonus_words(row["bonus"], "/"), points(row, "before"), points(row, "after"), furthest(row))
        table.add_row(Text(name, "bold"), *map(Text, numbers), Text(verdict, VERDICT_STYLES[row["verdict"]]))
    return table


def size_words(rows: Sequence[Row]) -> str:
    """How much was played with a bonus: "400 games of 100 fresh decks"."""
    spans = [sorted({row[name] for row in rows}) for name in ("games", "decks")]
    games, decks = (f"{n[0]:,}" if len(n) == 1 else f"{n[0]:,} to {n[-1]:,}" for n in spans)
    return f"{games} games of {decks} fresh decks"


def bonus_words(bonus: Sequence[float], between: str = " / ") -> str:
    """A bonus by position: "0 / +1 / +2"."""
    return between.join(f"{points:+g}" if points else "0" for points in bonus)


def points(row: Row, name: str, gap: str = "\n") -> str:
    """One of the estimates of a price ("before", "after", "off") in percentage points; `gap` is where a line may end."""
    span = {"estimate": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}
    return str(style.with_interval(span, 100, "", "+", gap=gap))


def furthest(row: Row, gap: str = "\n") -> str:
    """Which win share is furthest from a fair one, and by how much."""
    return f"{points(row, 'off', gap)}{gap}(position {row['position'] + 1})"


def verdict_words(row: Row) -> str:
    """The verdict, and how much would decide what is undecided."""
    if row["verdict"] != UNDECIDED:
        return str(row["verdict"])
    games = row["games_to_decide"]
    return f"{UNDECIDED} ({f'about {style.count_words(games)} games would decide' if games else 'more games would decide'})"


def _sentences(rows: Sequence[Row]) -> list[str]:
    """What the table does not say: cells without a price, and what would decide the others."""
    none = [style.clean(row["variant"]) for row in rows if row["bonus"] is None]
    found = [f"No price was found for {style.listed(none)}: not one bonus alone makes all win equally often."] if none else []
    open_ones = [f"{style.clean(row['variant'])} {verdict_words(row)}" for row in rows if row["verdict"] == UNDECIDED]
    return found + ([f"Still open: {'; '.join(open_ones)}."] if open_ones else [])


def _notes(found: pl.DataFrame) -> str:
    margin = style.margin_words(found["margin"][0])
    return (
        "Bonus: whole points, found by adding them to games whose players did not know of them; here they do. Advantage: of "
        "the start player, before in the sweep. Furthest off: of all positions' win shares the one furthest from a fair share. "
        f"The verdict is on all positions, against a margin of {margin}; their intervals hold at once (Bonferroni), those of "
        f"the advantage are plain 95 % intervals. {worth_words(found.to_dicts())}"
    ).rstrip()


def worth_words(rows: Sequence[Row]) -> str:
    """What a game with the bonus was worth for win shares by position, and for the start player's advantage among them."""
    factors = [row["variance_reduction"] for row in rows if row["variance_reduction"]]
    by_position = [factor for some in factors for factor in some]
    return worth_of_each({"a position's win share": by_position, "the start player's advantage": [some[0] for some in factors]})
