"""A strength ladder as a picture: the start player's advantage by level, from weak to strong, a panel a number of players."""

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pinchsim.measure.ladder import ABOVE, ADVANTAGE, BELOW, CHANGES, HOLDS
from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.ladder_table import every_level, level_words
from pinchsim.report.plot_style import (
    BAND,
    CLOSE,
    FAIR,
    GREY,
    INTERVALS,
    LINE,
    WIDE_TITLE,
    Sheet,
    draw_mark,
    fair_heading,
    house_style,
    save,
    variant_handle,
)

Row = dict[str, Any]
WIDEST = 17.4  # inches of a picture; what is left goes to a further row of panels
HEIGHT, LEFT, BETWEEN = 3.0, 0.85, 0.35  # inches
NARROW = 2.6  # a panel is as wide as its levels' names, but no narrower
LEGEND_LETTER = 0.088
LABEL_SIZE, LABEL_LETTER = 9.5, 0.079  # of the levels' names


def write_ladder_plot(
    table: pl.DataFrame, base: str | None, margin: float, unit: str, complete: bool, folder: Path
) -> list[Path]:
    """Draw a ladder as `ladder.png` and `ladder.svg`; returns the files, none for a table without rows.

    `base` is the variant that the others are compared with, `margin` that of the start player's advantage (share of wins),
    `unit` what was played ("games" or "sessions"), and `complete` whether everything was.
    """
    rows = table.filter(question=ADVANTAGE).to_dicts()
    if not rows:
        return []
    with house_style():
        return save(_figure(rows, base, margin, _notes(rows, unit, complete)), folder, "ladder")


def _figure(rows: Sequence[Row], base: str | None, margin: float, notes: str) -> Figure:
    counts = sorted({row["players"] for row in rows})
    names = {row["rank"]: _level_label(row) for row in rows}
    deep = max(name.count("\n") for name in names.values())
    panel = max(NARROW if len(counts) > 1 else 4.5, len(names) * _spacing(list(names.values())))
    columns = max(1, min(len(counts), int((WIDEST - LEFT) / (panel + BETWEEN))))
    deck = -(-len(counts) // columns)
    width = max(LEFT + columns * (panel + BETWEEN) - BETWEEN + 0.25, 6.5)
    looks = style.looks(list(dict.fromkeys(row["variant"] for row in rows)), base)
    handles = _handles(rows, looks, margin)
    per_row = _per_row(handles, width)
    step = HEIGHT + 0.95 + LINE * deep  # from a row of panels to the next
    above, height = 0.6 + 0.25 * -(-len(handles) // per_row), (deck - 1) * step + HEIGHT
    sheet = Sheet(title(rows, margin), notes, width, height, above, 0.85 + LINE * deep, WIDE_TITLE)
    sheet.write_legend(handles, [handle.get_label() for handle in handles], per_row, **CLOSE)
    low, high = _reach(rows, margin)
    for place, players in enumerate(counts):
        y, x = divmod(place, columns)
        axes = sheet.panel((LEFT + x * (panel + BETWEEN), (deck - 1 - y) * step, panel, HEIGHT))
        _panel(axes, [row for row in rows if row["players"] == players], looks, margin)
        axes.set_title(fair_heading(players), loc="left", fontsize=12)
        axes.set_xticks(list(names), list(names.values()))
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(low, high)
        axes.tick_params(axis="y", labelleft=x == 0, length=3 if x == 0 else 0)
        is_lowest = place + columns >= len(counts)
        axes.set_xlabel("level of play, from weak to strong" if x == 0 and is_lowest else "", loc="left")
        axes.set_ylabel("start player's advantage (pp)" if x == 0 else "")
    return sheet.figure


def _spacing(labels: Sequence[str]) -> float:
    """Inches between two levels such that no label touches the next."""
    lengths = [max(map(len, label.split("\n"))) for label in labels]
    pairs = [(a + b) / 2 for a, b in pairwise(lengths)] or lengths
    return LABEL_LETTER * max(pairs) + 0.14


def _level_label(row: Row) -> str:
    return "\n".join(style.wrapped(level_words(row), 12, break_names=True))


def _reach(rows: Sequence[Row], margin: float) -> tuple[float, float]:
    """Ends of the y axis in pp: all intervals, the band and 0, with some air."""
    ends = [100 * row[name] for row in rows for name in ("low", "estimate", "high") if style.is_number(row[name])]
    low, high = min([-150 * margin, *ends]), max([150 * margin, *ends])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def _panel(axes: Axes, rows: Sequence[Row], looks: dict[str, style.Look], margin: float) -> None:
    """One number of players: a mark with its interval a variant and level, hollow where the level is not credible."""
    axes.axhspan(-100 * margin, 100 * margin, color=BAND, linewidth=0, zorder=0)
    axes.axhline(0, **FAIR)
    names = [name for name in looks if any(row["variant"] == name for row in rows)]
    step = min(0.16, 0.6 / len(names))
    for place, name in enumerate(names):
        look, shift = looks[name], step * (place - (len(names) - 1) / 2)
        mine = [row for row in rows if row["variant"] == name and style.is_number(row["estimate"])]
        path = [(row["rank"] + shift, 100 * row["estimate"]) for row in mine]
        axes.plot(*zip(*path, strict=True), color=look.colour, linewidth=1, alpha=0.35, zorder=2)
        for (x, y), row in zip(path, mine, strict=True):
            low, high = (100 * row[end] if style.has_interval(row) else math.nan for end in ("low", "high"))
            draw_mark(axes, x, y, (low, high), look.colour, marker=look.marker, hollow=not row["credible"], upright=True)
    axes.tick_params(axis="x", length=0, pad=6, labelsize=LABEL_SIZE)
    axes.grid(axis="y")


def _handles(rows: Sequence[Row], looks: dict[str, style.Look], margin: float) -> list[Any]:
    handles: list[Any] = [variant_handle(name, look) for name, look in looks.items()]
    if not all(row["credible"] for row in rows):
        hollow: Row = {"color": GREY, "marker": "o", "markerfacecolor": "white", "linestyle": "none", "markersize": 7}
        handles.append(Line2D([], [], label="hollow: no credible play", **hollow))
    return [*handles, Patch(color=BAND, label=f"margin: ±{style.margin_words(margin)}")]


def _per_row(handles: Sequence[Any], width: float) -> int:
    """How many entries of the legend stand side by side: all of them if they fit, else columns of equal width."""
    widths = [0.6 + LEGEND_LETTER * len(handle.get_label()) for handle in handles]
    if sum(widths) < width - 0.3:
        return len(handles)
    return max(1, math.floor((width - 0.3) / max(widths)))


# -- words ------------------------------------------------------------------------------------------------


def title(rows: Sequence[Row], margin: float) -> str:
    """The finding: where the verdict holds at every credible level, where it changes, where it is open."""
    limit, every = style.margin_words(margin), every_level(rows)
    phrases = {
        ABOVE: f"more than {limit} above fair at {every}",
        BELOW: f"more than {limit} below fair at {every}",
        WITHIN: f"within {limit} of fair at {every}",
        CHANGES: "changes with strength",
        UNDECIDED: f"not decided at {every}",
    }
    firsts: dict[tuple[int, str], Row] = {}
    for row in (row for row in rows if row["credible"]):
        firsts.setdefault((row["players"], row["variant"]), row)  # where it holds, all levels say the same
    cases = [style.Case(row["variant"], row["players"], "", row, _kind(row)) for row in firsts.values()]
    return style.finding("Start player's win share", cases, phrases)


def _kind(row: Row) -> str:
    return (row["side"] or row["verdict"]) if row["robust"] == HOLDS else row["robust"]


def _notes(rows: Sequence[Row], unit: str, complete: bool) -> str:
    """What stands below the panels."""
    played = [row for row in rows if row["games"]]
    games, decks = (sorted({row[name] for row in played}) for name in ("games", "decks"))
    most_games, most_decks = (f"{n[0]:,}" if len(n) == 1 else f"{n[0]:,} to {n[-1]:,}" for n in (games, decks))
    size = style.size_words(most_games, most_decks, unit)
    note = f"Bars: {INTERVALS} n = {size} for each variant and level."
    return note + ("" if complete else f" The run was interrupted: {unit} finished so far.")
