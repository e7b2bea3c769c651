"""A tuning for the terminal: how far it came, and what fresh decks say of the result, in 80 columns."""

import math
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.tuning import PARTNER, STRONGER, UNSURE, WEAKER, Tuning
from pinchsim.report import style
from pinchsim.report.layout import fitted
from pinchsim.report.stopping import worth_sentence
from pinchsim.report.table import WIDTH, say

MOST_ROWS = 12  # iterations that are shown
STYLES = {STRONGER: "bold green", WEAKER: "bold red", UNSURE: "yellow"}
NUMBERS = ("no", "one", "two", "three", "four", "five")
NBSP = "\N{NO-BREAK SPACE}"
CHOSEN = {"last": "last weights", "average": "average of the last weights", "start": "start"}
STEPS = {"large": "KL", "small": "spread"}


def print_tuning(tuning: Tuning, console: Console) -> None:
    """Print the result for one variant and number of players; every colour only repeats a word or number."""
    width = min(console.width, WIDTH)
    rows = tuning.history.to_dicts()
    console.print()
    say(console, f"{heading(tuning)}: {style.clean(tuning.name)}", width, "bold")
    say(console, size_words(tuning), width)
    console.print()
    console.print(fitted(_history(tuning, rows), width))
    console.print()
    if not tuning.confirmation.is_empty():
        opponents = NUMBERS[tuning.players - 1]
        say(console, f"On fresh decks: the {CHOSEN[tuning.chosen]}, one against {opponents} of each", width, "bold")
        console.print(fitted(_confirmation(tuning), width))
        console.print()
    say(console, finding(tuning), width, STYLES[tuning.verdict])
    for note in _notes(tuning, rows):
        console.print()
        say(console, note, width, "dim")


def heading(tuning: Tuning) -> str:
    """Variant and number of players."""
    return f"{style.clean(tuning.variant)}, {tuning.players} players"


def size_words(tuning: Tuning) -> str:
    """How much was played to learn."""
    games = int(tuning.history["games"].sum())
    begun = f", begun with {style.clean(tuning.start)}" if tuning.start != tuning.name else ", begun with itself"
    iterations = "1 iteration" if tuning.history.height == 1 else f"{tuning.history.height} iterations"
    return f"{tuning.form} form{begun}: {iterations}, {games:,} games to learn from"


def finding(tuning: Tuning) -> str:
    """The result in a sentence, which claims no more than the interval."""
    row = tuning.against_start
    if row is None:
        return f"Nothing better than the start was found: {style.clean(tuning.start)} held its own on the validation decks."
    won = f"{share_words(row)} of games against {NUMBERS[tuning.players - 1]} of the start"
    fair = f"{style.plain(100 * tuning.fair)} % would be fair"
    verdict = {
        STRONGER: "Stronger than the start",
        WEAKER: "Weaker than the start",
        UNSURE: "Not shown to be stronger than the start",
    }
    return f"{verdict[tuning.verdict]}: it wins {won}, where {fair}."


def share_words(row: dict[str, Any]) -> str:
    """A share with its interval: "74.1 ± 0.8 %"."""
    return style.with_interval(row | {"estimate": row["share"]}, 100, "%").replace(" ± ", f"{NBSP}±{NBSP}")


def opponent_words(row: dict[str, Any], tuning: Tuning) -> str:
    """Whom a row of the confirmation is about."""
    if row["kind"] == "start":
        return f"the start ({style.clean(tuning.start)})"
    if row["kind"] == PARTNER:
        return str(style.clean(row["against"]))
    return f"itself after iteration {row['iteration']}"


def shown(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The iterations that have room, evenly spread, the first and the last among them."""
    if len(rows) <= MOST_ROWS:
        return rows
    picked = {round(k * (len(rows) - 1) / (MOST_ROWS - 1)) for k in range(MOST_ROWS)}
    return [row for k, row in enumerate(rows) if k in picked]


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)


def _history(tuning: Tuning, rows: list[dict[str, Any]]) -> Table:
    table = _table()
    for header in ("iteration", "against the start", STEPS[tuning.form]):
        table.add_column(header, justify="right", no_wrap=True)
    large = tuning.form == "large"
    if large:
        table.add_column("decisions", justify="right", no_wrap=True)
        table.add_column("explained", justify="right", no_wrap=True)
    table.add_column("league", justify="right", no_wrap=True)
    for row in shown(rows):
        cells = [str(row["iteration"]), share_words(row), f"{row['step']:.3g}"]
        if large:
            explained = row["explained"]
            cells += [f"{row['lessons']:,}", f"{100 * explained:.1f} %" if math.isfinite(explained) else "-"]
        table.add_row(*map(Text, [*cells, str(row["league"])]))
    return table


def _confirmation(tuning: Tuning) -> Table:
    table = _table()
    table.add_column("against")
    table.add_column("wins", justify="right", no_wrap=True)
    table.add_column(f"fair {style.plain(100 * tuning.fair)} %", no_wrap=True)
    for row in tuning.confirmation.iter_rows(named=True):
        side = "above" if row["low"] > tuning.fair else "below" if row["high"] < tuning.fair else "within the interval"
        table.add_row(*map(Text, (opponent_words(row, tuning), share_words(row), side)))
    return table


def _notes(tuning: Tuning, rows: list[dict[str, Any]]) -> list[str]:
    steps = {
        "large": "KL is how much the play changed in an iteration (Kullback-Leibler divergence a decision, in nats); explained "
        "is the part of the outcomes' variance that the situation alone foretold.",
        "small": "Spread is that of the candidates about their mean (sigma of the evolution strategy).",
    }
    notes = [
        f"Shares of the win of one among {NUMBERS[tuning.players - 1]}, with 95 % intervals clustered by deck. During the "
        f"iterations they come from validation decks, by which the candidates (last, average, start) are compared, too; fresh "
        f"decks are those that nothing was learnt or chosen with. {steps[tuning.form]}"
    ]
    if not tuning.confirmation.is_empty():
        games, decks = tuning.confirmation.row(0, named=True)["games"], tuning.confirmation.row(0, named=True)["decks"]
        notes[0] += f" Confirmation: {games:,} games of {decks:,} decks each."
    factors = [factor for matches in (tuning.candidates, tuning.confirmation) for factor in matches["variance_reduction"]]
    notes.append(worth_sentence(factors, "a share of the win"))
    missed = sum(row["missed"] for row in rows)
    if missed:
        notes.append(f"{missed:,} decisions of very long games found no room, and nothing was learnt from them.")
    return [note for note in notes if note]
