"""A strength ladder for the terminal: what each level says, and in a sentence whether that holds at every level."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.ladder import ABOVE, ADVANTAGE, ALIKE, BELOW, CHANGE, CHANGES, FAIRER, HOLDS, LESS_FAIR
from pinchsim.measure.summary import Summary
from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.layout import fitted
from pinchsim.report.stopping import design_sentence, gain_sentence, looked_sentence
from pinchsim.report.table import NAME_WIDTH, VERDICT_STYLES, WIDTH, print_stop, say

Row = dict[str, Any]
STYLES = VERDICT_STYLES | {FAIRER: "green", LESS_FAIR: "bold red", ALIKE: ""}


def print_ladder(table: pl.DataFrame, summary: Summary, console: Console) -> None:
    """Print a ladder: for each number of players a table of variants and levels, then a sentence for each question.

    Parameters
    ----------
    table
        See `pinchsim.measure.ladder.ladder_table`.
    summary
        The run that it is of.
    console
        Where to print; at most 80 columns are used.
    """
    width, margin, unit = min(console.width, WIDTH), summary.margin, style.unit(summary.estimates)
    if table.is_empty():
        say(console, f"There are no {unit} to judge.", width)
        return
    if not summary.complete:
        say(console, f"The run was interrupted: these numbers cover the {unit} finished so far.", width, "bold yellow")
    for players in table["players"].unique().sort():
        rows = table.filter(players=players).to_dicts()
        console.print()
        say(console, f"{players} players, everyone at the table plays alike", width, "bold")
        say(console, _size_words(rows, unit), width)
        console.print()
        console.print(fitted(_table(rows), width))
        console.print()
        for heading, found in sentences(rows, margin, unit).items():
            say(console, heading, width, "bold")
            for words in found:
                say(console, f"- {words}.", width, indent="  ")
    print_stop(summary, console)
    _print_notes(table, summary, console, width)


def level_words(row: Row) -> str:
    """A level's name, in brackets if it is not credible."""
    name = style.clean(row["level"])
    return name if row["credible"] else f"({name})"


def _size_words(rows: Sequence[Row], unit: str) -> str:
    """How much was played at each level; levels that got less or more than the others are named."""
    sizes: dict[str, dict[str, None]] = {}
    for row in (row for row in rows if row["question"] == ADVANTAGE):
        words = style.size_words(f"{row['games']:,}", f"{row['decks']:,}", unit) if row["games"] else "nothing yet"
        sizes.setdefault(words, {})[level_words(row)] = None
    if len(sizes) == 1:
        return f"{next(iter(sizes))} for each variant and level"
    return "For each variant " + "; ".join(f"{words} at {style.listed(names)}" for words, names in sizes.items())


# -- table ------------------------------------------------------------------------------------------------


def _table(rows: Sequence[Row]) -> Table:
    """Levels below the name of their variant, with the change from the base beside them where there is one."""
    found = {(row["variant"], row["question"], row["level"]): row for row in rows}
    bases = [row["base"] for row in rows if row["question"] == CHANGE]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("level")
    table.add_column("start player\nadvantage", justify="right", no_wrap=True)
    table.add_column("\nverdict", no_wrap=True)
    if bases:
        base = style.clean(bases[0]) if len(bases[0]) <= NAME_WIDTH else "base"
        table.add_column(f"change from\n{base}", justify="right", no_wrap=True)
        table.add_column("\nfairness", no_wrap=True)
    digits = {question: _digits([row for row in rows if row["question"] == question]) for question in (ADVANTAGE, CHANGE)}
    for variant in dict.fromkeys(row["variant"] for row in rows):
        names = style.wrapped(style.clean(variant), NAME_WIDTH, break_names=True)
        table.add_row(Text("\n".join(names), "bold"))
        for row in (row for row in rows if (row["variant"], row["question"]) == (variant, ADVANTAGE)):
            change = found.get((variant, CHANGE, row["level"]))
            cells = _cells(row, digits[ADVANTAGE])
            if change:
                cells += _cells(change, digits[CHANGE])
            elif bases:
                cells += [Text("(base)" if variant == bases[0] else ""), Text("")]
            table.add_row(_level_cell(row), *cells)
    return table


def _level_cell(row: Row) -> Text:
    lines = style.wrapped(level_words(row), NAME_WIDTH - 2, break_names=True)
    return Text("\n".join(f"  {line}" for line in lines), "" if row["credible"] else "dim")


def _cells(row: Row, digits: int) -> list[Text]:
    """An estimate and its verdict; those of levels that have no say are dim."""
    if row["estimate"] is None:
        return [Text("not played yet", "dim"), Text("")]
    look = STYLES[row["verdict"]] if row["credible"] else "dim"
    words = style.with_interval(row, 100, "pp", "+", digits, "\n")
    return [Text(words, "" if row["credible"] else "dim"), Text(row["verdict"], look)]


def _digits(rows: Sequence[Row]) -> int:
    """Decimals that all rows of a column share."""
    halves = [100 * style.half_width(row) for row in rows if row["estimate"] is not None and style.has_interval(row)]
    return min(2, max((style.decimals(half) for half in halves if half > 0), default=2))


# -- sentences --------------------------------------------------------------------------------------------


def sentences(rows: Sequence[Row], margin: float, unit: str) -> dict[str, list[str]]:
    """For one number of players: below a heading for each question, whether the credible levels agree, and on what.

    Variants of which the same is to be said share a sentence.
    """
    every, fair = every_level(rows), f"a fair {style.plain(100 / rows[0]['players'])} %"
    parts: dict[tuple[str, str], list[Row]] = {}
    for row in (row for row in rows if row["credible"]):
        parts.setdefault((row["question"], row["variant"]), []).append(row)
    variants: dict[str, dict[str, list[str]]] = {}
    for (question, variant), part in sorted(parts.items(), key=lambda item: item[0][0] == CHANGE):
        is_change = question == CHANGE
        heading = (
            f"Fairness against {style.clean(part[0]['base'])}" if is_change else f"Start player's win share against {fair}"
        )
        words = _sentence(part, margin, unit, every)
        variants.setdefault(heading, {}).setdefault(words, []).append(style.clean(variant))
    return {
        heading: [f"{style.listed(names)}: {words}" for words, names in found.items()] for heading, found in variants.items()
    }


def every_level(rows: Sequence[Row]) -> str:
    """Which levels a claim about all of them is about."""
    return "every level" if all(row["credible"] for row in rows) else "every credible level"


def _sentence(rows: Sequence[Row], margin: float, unit: str, every: str) -> str:
    """What the levels of one question say together."""
    phrase = _phrases(margin)
    kinds = dict.fromkeys(_kind(row) for row in rows if _kind(row) != UNDECIDED)
    parts = [f"{phrase[kind]} for {style.listed(level_words(row) for row in rows if _kind(row) == kind)}" for kind in kinds]
    undecided = [_undecided(row, unit) for row in rows if _kind(row) == UNDECIDED]
    where = [f"undecided at {style.listed(undecided)}"] if undecided else []
    if rows[0]["robust"] == HOLDS:
        (kind,) = kinds
        if len(rows) == 1:
            return f"{phrase[kind]} for {level_words(rows[0])}, the only credible level"
        return f"holds at {every}: {phrase[kind]}"
    if rows[0]["robust"] == CHANGES:
        return f"changes with strength: {'; '.join(parts + where)}"
    if undecided:
        return "; ".join(where + parts)
    return f"undecided whether it changes with strength: {'; '.join(parts)}"


def _kind(row: Row) -> str:
    """The verdict of a level, or the side on which it is outside the margin."""
    return row["side"] or row["verdict"]


def _phrases(margin: float) -> dict[str, str]:
    """What each verdict means in words."""
    limit = style.margin_words(margin)
    return {
        ABOVE: f"more than {limit} above",
        BELOW: f"more than {limit} below",
        WITHIN: f"within {limit}",
        FAIRER: FAIRER,
        LESS_FAIR: LESS_FAIR,
        ALIKE: f"as fair within {limit}",
    }


def _undecided(row: Row, unit: str) -> str:
    """An undecided level with what would decide it."""
    name = level_words(row)
    if row["estimate"] is None:
        return f"{name} (not played yet)"
    if not style.has_interval(row):
        return f"{name} (too few decks for an interval)"
    if row["games_needed"] is None:
        return f"{name} (so close that {style.HOPELESS:,} times as many {unit} may not decide)"
    return f"{name} (about {style.count_words(row['games_needed'])} {unit} would decide)"


# -- notes ------------------------------------------------------------------------------------------------


def _print_notes(table: pl.DataFrame, summary: Summary, console: Console, width: int) -> None:
    margin = style.margin_words(summary.margin)
    notes = [
        f"± and ranges are 95 % intervals, clustered by deck; the margin is {margin}. A verdict holds at every level if each "
        "level's own interval says so (no correction is due); it changes with strength if the levels disagree even when all "
        "their intervals are to hold at once.",
        looked_sentence(summary),
    ]
    if not table["credible"].all():
        notes.insert(0, "Levels in brackets are no credible play: they are shown, but have no say.")
    if (table["question"] == CHANGE).any():
        notes.append(
            f"A change is paired: the variant minus {style.clean(table['base'].drop_nulls()[0])} on the same decks. Fairer is "
            "the variant whose advantage is closer to 0."
        )
    notes += [_how_to_decide(table, summary), design_sentence(summary), gain_sentence(summary)]
    notes.append("All other measures of each level are in the run's folder (estimates.parquet) and in its plots.")
    console.print()
    say(console, " ".join(filter(None, notes)), width, "dim")


def _how_to_decide(table: pl.DataFrame, summary: Summary) -> str:
    """The number to ask for so that whatever is undecided would be decided, unless that is out of reach."""
    left = table.filter(pl.col("credible"), pl.col("verdict") == UNDECIDED)
    if left.is_empty() or left["games_needed"].null_count():
        return ""
    asked = f"--games\N{NO-BREAK SPACE}{max(row['games_needed'] / row['games_share'] for row in left.to_dicts()):.0f}"
    if summary.precision is None:
        return f"To decide what is undecided takes about {asked}."
    # here --games is only the most of them, and a run that is looked at stops where its own targets say
    unit = style.unit(summary.estimates)
    part = ", of which slow levels get a part" if (left["games_share"] < 1).any() else ""
    return (
        f"To decide what is undecided takes about {style.count_words(left['games_needed'].max())} {unit} of a level, in a run "
        f"without --precision: of a fixed number of {unit}, {asked}{part}."
    )
