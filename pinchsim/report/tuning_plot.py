"""A tuning as a picture: how the share of the win against the start rose, and what fresh decks say of the result."""

from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from pinchsim.measure.tuning import STAGE, Tuning
from pinchsim.report import style
from pinchsim.report.plots import GREY, INTERVALS, LINE, SETTINGS, save
from pinchsim.report.tuning_table import CHOSEN, NUMBERS, finding, heading, opponent_words, share_words, size_words

COLOUR, STAGE_COLOUR = "#0072B2", "#56B4E9"
LEFT, CURVE, LABELS, DOTS, NUMBER = 0.75, 4.3, 2.35, 2.9, 1.6  # inches across: margin, panel, its labels, panel, numbers
ROW, EDGE, TITLE, SMALL = 0.34, 0.15, 8.4, 13.0  # inches, and letters an inch of titles and captions
LEAST = 2.4  # inches that the panels are high at least


def write_tuning_plot(tuning: Tuning, folder: Path) -> list[Path]:
    """Draw one result as PNG and SVG; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(SETTINGS):
        return save(_figure(tuning), folder, f"tuning-{tuning.players}p")


def _figure(tuning: Tuning) -> Figure:
    confirmed = not tuning.confirmation.is_empty()
    width = LEFT + CURVE + (LABELS + DOTS + NUMBER if confirmed else 1.2)
    titles = style.balanced(
        f"{heading(tuning)}, {style.clean(tuning.name)}. {finding(tuning)}".removesuffix("."), int(width * TITLE)
    )
    captions = style.balanced(_note(tuning), int(width * SMALL))
    height = max(LEAST, ROW * tuning.confirmation.height)
    head, foot = 0.5 + 0.26 * len(titles), 0.75 + LINE * len(captions)
    full = head + height + foot
    figure = Figure(figsize=(width, full))
    figure.text(EDGE / width, 1 - EDGE / full, "\n".join(titles), va="top", fontsize=14, fontweight="bold")
    figure.text(EDGE / width, 0.12 / full, "\n".join(captions), va="bottom", fontsize=10, color=GREY)
    _draw_history(figure.add_axes((LEFT / width, foot / full, CURVE / width, height / full)), tuning)
    if confirmed:
        left = LEFT + CURVE + LABELS
        _draw_confirmation(figure.add_axes((left / width, foot / full, DOTS / width, height / full)), tuning)
    return figure


def _note(tuning: Tuning) -> str:
    size = size_words(tuning)
    words = (
        f"Share of the win of one player among {NUMBERS[tuning.players - 1]} of another kind; dashed: a fair share. {INTERVALS}"
    )
    words += f" {size[0].upper()}{size[1:]}."
    if tuning.confirmation.is_empty():
        return words
    row = tuning.confirmation.row(0, named=True)
    return f"{words} Right: the {CHOSEN[tuning.chosen]}, {row['games']:,} games of {row['decks']:,} fresh decks each."


def _draw_history(axes: Axes, tuning: Tuning) -> None:
    """The learner against the start, an iteration at a time; a tick on the axis where the league grew."""
    history = tuning.history
    iterations, share, low, high = (history[name].to_numpy() for name in ("iteration", "share", "low", "high"))
    axes.fill_between(iterations, 100 * low, 100 * high, color=COLOUR, alpha=0.2, linewidth=0)
    axes.plot(iterations, 100 * share, color=COLOUR, linewidth=1.6, marker="o", markersize=3.5)
    _fair_line(axes.axhline, tuning)
    grown = history.filter(history["league"].diff().fill_null(0) > 0)["iteration"].to_numpy()
    ticks = axes.get_xaxis_transform()
    axes.plot(
        grown, [0.0] * len(grown), color=STAGE_COLOUR, marker="^", linestyle="", markersize=7, transform=ticks, clip_on=False
    )
    axes.set_title("Against the start, on validation decks", loc="left", fontsize=11)
    axes.set_xlabel("Iteration (triangles: a copy joins the league)")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    bottom, top = axes.get_ylim()
    axes.set_ylim(max(0.0, bottom), min(100.0, top))
    axes.set_xlim(iterations[0] - 0.5, iterations[-1] + 0.5)
    axes.grid(axis="y")


def _draw_confirmation(axes: Axes, tuning: Tuning) -> None:
    """The chosen weights against each opponent, a row each."""
    rows = tuning.confirmation.to_dicts()
    _fair_line(axes.axvline, tuning)
    for y, row in enumerate(rows):
        colour = STAGE_COLOUR if row["kind"] == STAGE else COLOUR
        axes.hlines(y, 100 * row["low"], 100 * row["high"], colors=colour, linewidth=2, zorder=3)
        axes.plot([100 * row["share"]], [y], color=colour, marker="o", markersize=6, zorder=4)
        axes.annotate(
            share_words(row), (1, y), xycoords=("axes fraction", "data"), xytext=(10, 0), textcoords="offset points",
            ha="left", va="center", fontsize=10.5,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [opponent_words(row, tuning) for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.margins(x=0.08)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    axes.set_title("Against each, on fresh decks", loc="left", fontsize=11)
    axes.grid(axis="both")


def _fair_line(line, tuning: Tuning) -> None:
    line(100 * tuning.fair, color=GREY, linewidth=1, linestyle="--", zorder=1)
