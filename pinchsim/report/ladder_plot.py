"""A strength ladder as a picture: the start player's advantage by level, from weak to strong, a panel a number of players."""

import math
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pinchsim.measure.ladder import ABOVE, ADVANTAGE, BELOW, CHANGES, HOLDS
from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.ladder_table import every_level, level_words
from pinchsim.report.plots import BAND, GREY, INTERVALS, SETTINGS, save

Row = dict[str, Any]
WIDEST = 17.4  # inches of a picture; what is left goes to a further row of panels
HEIGHT, EDGE, BETWEEN, LINE = 3.0, 0.85, 0.35, 0.185  # inches; LINE is a line of caption or of a level's name
NARROW, LETTER, SIZE = 2.6, 0.088, 6.5  # a panel is as wide as its levels' names, but no narrower
LABEL_SIZE, LABEL_LETTER = 9.5, 0.079  # of the levels' names


def write_ladder_plot(
    table: pl.DataFrame, base: str | None, margin: float, unit: str, complete: bool, folder: Path
) -> list[Path]:
    """Draw a ladder as `ladder.png` and `ladder.svg`; returns the files, none for a table without rows.

    `base` is the variant that the others are compared with; the other parameters are those of
    `pinchsim.report.ladder_table.print_ladder`.
    """
    rows = table.filter(question=ADVANTAGE).to_dicts()
    if not rows:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # such a letter is a box, in the PNG only
        return save(_figure(rows, base, margin, _notes(rows, unit, complete)), folder, "ladder")


def _figure(rows: Sequence[Row], base: str | None, margin: float, notes: str) -> Figure:
    counts = sorted({row["players"] for row in rows})
    names = {row["rank"]: _level_label(row) for row in rows}
    deep = max(name.count("\n") for name in names.values())
    panel = max(NARROW if len(counts) > 1 else 4.5, len(names) * _spacing(list(names.values())))
    columns = max(1, min(len(counts), int((WIDEST - EDGE) / (panel + BETWEEN))))
    deck = -(-len(counts) // columns)
    width = max(EDGE + columns * (panel + BETWEEN) - BETWEEN + 0.25, 6.5)
    titles, captions = style.balanced(title(rows, margin), int(width * 8.7)), style.balanced(notes, int(width * 13))
    looks = style.looks(list(dict.fromkeys(row["variant"] for row in rows)), base)
    handles = _handles(rows, looks, margin)
    per_row = _per_row(handles, width)
    head = 0.6 + 0.26 * len(titles) + 0.25 * -(-len(handles) // per_row)
    gap, foot = 0.95 + LINE * deep, 0.85 + LINE * (deep + len(captions))
    full = head + deck * (HEIGHT + gap) - gap + foot
    figure = Figure(figsize=(width, full))
    figure.text(0.15 / width, 1 - 0.15 / full, "\n".join(titles), va="top", fontsize=14, fontweight="bold")
    figure.text(0.15 / width, 0.12 / full, "\n".join(captions), va="bottom", fontsize=10, color=GREY)
    corner = (0.15 / width, 1 - (0.25 + 0.26 * len(titles)) / full)
    frame: Row = {"frameon": False, "borderaxespad": 0, "borderpad": 0, "handlelength": 1.3, "handletextpad": 0.5}
    figure.legend(handles=handles, loc="upper left", bbox_to_anchor=corner, ncols=per_row, columnspacing=1.4, **frame)
    low, high = _reach(rows, margin)
    for place, players in enumerate(counts):
        y, x = divmod(place, columns)
        left, bottom = EDGE + x * (panel + BETWEEN), full - head - HEIGHT - y * (HEIGHT + gap)
        axes = figure.add_axes((left / width, bottom / full, panel / width, HEIGHT / full))
        _panel(axes, [row for row in rows if row["players"] == players], looks, margin)
        axes.set_title(f"{players} players, fair: {style.plain(100 / players)} %", loc="left", fontsize=12)
        axes.set_xticks(list(names), list(names.values()))
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(low, high)
        axes.tick_params(axis="y", labelleft=x == 0, length=3 if x == 0 else 0)
        is_lowest = place + columns >= len(counts)
        axes.set_xlabel("level of play, from weak to strong" if x == 0 and is_lowest else "", loc="left")
        axes.set_ylabel("start player's advantage (pp)" if x == 0 else "")
    return figure


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
    axes.axhline(0, color=GREY, linewidth=1, linestyle="--", zorder=1)
    names = [name for name in looks if any(row["variant"] == name for row in rows)]
    step = min(0.16, 0.6 / len(names))
    for place, name in enumerate(names):
        look, shift = looks[name], step * (place - (len(names) - 1) / 2)
        mine = [row for row in rows if row["variant"] == name and style.is_number(row["estimate"])]
        path = [(row["rank"] + shift, 100 * row["estimate"]) for row in mine]
        axes.plot(*zip(*path, strict=True), color=look.colour, linewidth=1, alpha=0.35, zorder=2)
        for (x, y), row in zip(path, mine, strict=True):
            if style.has_interval(row):
                axes.vlines(x, 100 * row["low"], 100 * row["high"], colors=look.colour, linewidth=2, zorder=3)
            inside = look.colour if row["credible"] else "white"
            axes.plot(
                [x], [y], marker=look.marker, color=look.colour, markerfacecolor=inside, markersize=SIZE, zorder=4
            )  # fmt: skip
    axes.tick_params(axis="x", length=0, pad=6, labelsize=LABEL_SIZE)
    axes.grid(axis="y")


def _handles(rows: Sequence[Row], looks: dict[str, style.Look], margin: float) -> list[Any]:
    handles: list[Any] = [
        Line2D([], [], color=look.colour, marker=look.marker, linestyle="none", markersize=7, label=style.clean(name))
        for name, look in looks.items()
    ]
    if not all(row["credible"] for row in rows):
        hollow: Row = {"color": GREY, "marker": "o", "markerfacecolor": "white", "linestyle": "none", "markersize": 7}
        handles.append(Line2D([], [], label="hollow: no credible play", **hollow))
    return [*handles, Patch(color=BAND, label=f"margin: ±{style.margin_words(margin)}")]


def _per_row(handles: Sequence[Any], width: float) -> int:
    """How many entries of the legend stand side by side: all of them if they fit, else columns of equal width."""
    widths = [0.6 + LETTER * len(handle.get_label()) for handle in handles]
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
