"""A tuning as a picture: how the share of the win against the start rose, and what fresh decks say of the result."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from pinchsim.measure.tuning import STAGE, Tuning
from pinchsim.report import style
from pinchsim.report.plot_style import BLUE, FAIR, INTERVALS, SKY, Sheet, draw_mark, house_style, name_rows, save, write_beside
from pinchsim.report.tuning_table import CHOSEN, NUMBERS, finding, heading, opponent_words, share_words, size_words

LEFT, CURVE, LABELS, DOTS, NUMBER = 0.75, 4.3, 2.35, 2.9, 1.6  # inches across: margin, panel, its labels, panel, numbers
ROW = 0.34  # inches
LEAST = 2.4  # inches that the panels are high at least


def write_tuning_plot(tuning: Tuning, folder: Path) -> list[Path]:
    """Draw one result as PNG and SVG; returns the files."""
    with house_style():
        return save(_figure(tuning), folder, f"tuning-{tuning.players}p")


def _figure(tuning: Tuning) -> Figure:
    confirmed = not tuning.confirmation.is_empty()
    width = LEFT + CURVE + (LABELS + DOTS + NUMBER if confirmed else 1.2)
    title = f"{heading(tuning)}, {style.clean(tuning.name)}. {finding(tuning)}".removesuffix(".")
    height = max(LEAST, ROW * tuning.confirmation.height)
    sheet = Sheet(title, _note(tuning), width, height, 0.5, 0.75)
    _draw_history(sheet.panel((LEFT, 0, CURVE, height)), tuning)
    if confirmed:
        _draw_confirmation(sheet.panel((LEFT + CURVE + LABELS, 0, DOTS, height)), tuning)
    return sheet.figure


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
    axes.fill_between(iterations, 100 * low, 100 * high, color=BLUE, alpha=0.2, linewidth=0)
    axes.plot(iterations, 100 * share, color=BLUE, linewidth=1.6, marker="o", markersize=3.5)
    axes.axhline(100 * tuning.fair, **FAIR)
    grown = history.filter(history["league"].diff().fill_null(0) > 0)["iteration"].to_numpy()
    ticks = axes.get_xaxis_transform()
    axes.plot(grown, [0.0] * len(grown), color=SKY, marker="^", linestyle="", markersize=7, transform=ticks, clip_on=False)
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
    axes.axvline(100 * tuning.fair, **FAIR)
    for y, row in enumerate(rows):
        colour = SKY if row["kind"] == STAGE else BLUE
        draw_mark(axes, 100 * row["share"], y, (100 * row["low"], 100 * row["high"]), colour, size=6)
        write_beside(axes, y, share_words(row), 10)
    name_rows(axes, [opponent_words(row, tuning) for row in rows], 0.08)
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    axes.set_title("Against each, on fresh decks", loc="left", fontsize=11)
