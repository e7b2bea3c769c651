"""The pictures of the report: small panels of one width that stand side by side or below each other, as the screen allows.

Title and explanations are text of the page. Import this module late: it loads matplotlib.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from pinchsim.report import style
from pinchsim.report.plot_pages import Counts, ends_of, quantile
from pinchsim.report.plot_style import BAND, BLUE, FAIR, GREY, ORANGE, draw_mark

Row = dict[str, Any]
WIDTH = 3.7  # inches: the width of a telephone
RIGHT, TOP, FOOT = 0.14, 0.08, 0.56
LETTER, LETTERS = 0.083, 15  # inches a letter of a label, and most letters of its lines
LINE, STEP = 0.17, 0.15  # inches: a further line of a label, a further mark
HEIGHT = 2.1  # of the panels with curves
SMALL = 9.5
TALLEST_CELL = 0.55  # inches: of a matrix
DEEPEST = 0.5  # of a colour behind a number, which stays legible in the light and in the dark


class Mark(NamedTuple):
    """An estimate with its interval; `spread` is a wider pale bar, hollow is what has no say."""

    look: style.Look
    row: Row
    hollow: bool = False
    spread: tuple[float, float] | None = None


class Line(NamedTuple):
    """A line of a panel: its name and one mark or several."""

    label: str
    marks: Sequence[Mark]


class Yardstick(NamedTuple):
    """A published number to compare with: a point, or a range."""

    label: str
    low: float
    high: float


class Axis(NamedTuple):
    """The x axis that all panels of a picture share; `scale` turns the data's unit into the shown one, all else is in that."""

    label: str
    low: float
    high: float
    scale: float = 1
    band: tuple[float, float] | None = None
    fair: float | None = None
    log: bool = False


def axis_over(label: str, rows: Iterable[Row | None], scale: float = 1, also: Sequence[float] = (), **more: Any) -> Axis:
    """An axis that has room for all intervals and for other numbers `also`."""
    ends = [scale * end for row in rows if row and style.is_number(row["estimate"]) for end in ends_of(row)] + [*also]
    air = 0.06 * (max(ends) - min(ends)) or 1
    return Axis(label, min(ends) - air, max(ends) + air, scale, **more)


def dots(lines: Sequence[Line], axis: Axis, yardsticks: Sequence[Yardstick] = ()) -> Figure:
    """Marks with intervals, a line each, and yardsticks below them."""
    labels = [*(_broken(line.label) for line in lines), *(_broken(yardstick.label) for yardstick in yardsticks)]
    marks = [len(line.marks) for line in lines] + [1] * len(yardsticks)
    deep = [0.2 + max(LINE * label.count("\n"), STEP * count) for label, count in zip(labels, marks, strict=True)]
    ends = list(accumulate(deep))
    middles = [end - own / 2 for end, own in zip(ends, deep, strict=True)]
    gutter = 0.2 + LETTER * max(len(part) for label in labels for part in label.split("\n"))
    figure, axes = panel(ends[-1], gutter)
    axes.set_ylim(ends[-1], 0)
    _range(axes, axis)
    for line, middle in zip(lines, middles, strict=False):
        for place, mark in enumerate(line.marks):
            _draw(axes, mark, middle + STEP * (place - (len(line.marks) - 1) / 2), axis.scale)
    for yardstick, middle in zip(yardsticks, middles[len(lines) :], strict=True):
        axes.plot(
            [yardstick.low, yardstick.high], [middle, middle], color=GREY, linewidth=5, alpha=0.45, solid_capstyle="round"
        )
    if yardsticks:
        axes.axhline(ends[len(lines) - 1], color=GREY, linewidth=0.6)
    axes.set_yticks(middles, labels, fontsize=SMALL)
    for label in axes.get_yticklabels()[len(lines) :]:
        label.set_color(GREY)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    return figure


def curves(counts: Sequence[tuple[style.Look, Counts]], label: str, most: float) -> Figure:
    """Which percentage is over by a value: a curve for each variant, with marks at 5, 50 and 95 %."""
    figure, axes = panel(HEIGHT, 0.5)
    for place, (look, (values, numbers)) in enumerate(counts):
        over = [100 * n / sum(numbers) for n in accumulate(numbers)]
        width = 1.2 + 1.8 * (1 - (place + 1) / len(counts))  # where two are equal, both are seen
        axes.step([values[0], *values], [0, *over], where="post", color=look.colour, linewidth=width)
        marks = [quantile((values, numbers), share) for share in (0.05, 0.5, 0.95)]
        axes.plot(marks, [5, 50, 95], linestyle="none", marker=look.marker, color=look.colour, markersize=6)
    axes.set_yticks([5, 50, 95], ["5 %", "50 %", "95 %"], fontsize=SMALL)
    axes.set_ylim(0, 101)
    axes.grid(True)
    _range(axes, Axis(label, 0, most))
    return figure


def course(lines: Sequence[tuple[style.Look, Sequence[Row | None]]], names: Sequence[str], fair: float, label: str) -> Figure:
    """A share in percent at several moments: a line for each variant, against a fair share."""
    figure, axes = panel(HEIGHT, 0.55)
    axes.axhline(100 * fair, **FAIR)
    axes.annotate("fair", (0.02, 100 * fair), xycoords=("axes fraction", "data"), xytext=(0, 3), textcoords="offset points",
                  fontsize=SMALL, color=GREY)  # fmt: skip
    for place, (look, rows) in enumerate(lines):
        shift = 0.07 * (place - (len(lines) - 1) / 2)
        found = [(x + shift, row) for x, row in enumerate(rows) if row and style.is_number(row["estimate"])]
        axes.plot([x for x, _ in found], [100 * row["estimate"] for _, row in found], color=look.colour, linewidth=1, alpha=0.5)
        for x, row in found:
            low, high = (100 * end for end in ends_of(row))
            draw_mark(axes, x, 100 * row["estimate"], (low, high), look.colour, marker=look.marker, upright=True)
    axes.set_xticks(range(len(names)), names, fontsize=SMALL)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_yticks([0, 25, 50, 75, 100], [f"{tick} %" for tick in (0, 25, 50, 75, 100)], fontsize=SMALL)
    axes.set_ylim(0, 103)
    axes.set_xlabel(label, fontsize=SMALL)
    axes.grid(axis="y")
    axes.tick_params(length=0)
    return figure


def heat(names: Sequence[str], cells: Sequence[Sequence[tuple[float, str]]], fair: float, across: str) -> Figure:
    """A matrix of shares with their numbers in words: below a fair share blue, above it orange, the further off the fuller.

    A name stands at its row and, as a number, above its column.
    """
    n, labels = len(names), [_broken(f"{k} {name}") for k, name in enumerate(names, 1)]
    gutter = 0.15 + LETTER * max(len(part) for label in labels for part in label.split("\n"))
    cell = (WIDTH - gutter - RIGHT) / n
    height = min(cell, TALLEST_CELL) * n
    figure, axes = panel(height, gutter)
    shares = [share for row in cells for share, _ in row]
    below, above = max(0.5 * fair, fair - min(shares)), max(0.5 * fair, max(shares) - fair)
    for y, row in enumerate(cells):
        for x, (share, words) in enumerate(row):
            colour, part = (BLUE, (fair - share) / below) if share < fair else (ORANGE, (share - fair) / above)
            axes.add_patch(Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=colour, alpha=DEEPEST * part, linewidth=0))
            axes.text(x, y, words, ha="center", va="center", fontsize=min(SMALL, cell * 22))
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_ylim(n - 0.5, -0.5)
    axes.set_xticks(range(n), [str(k) for k in range(1, n + 1)], fontsize=SMALL)
    axes.set_yticks(range(n), labels, fontsize=SMALL)
    axes.set_xlabel(across, fontsize=SMALL)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def profile(lines: Sequence[tuple[style.Look, Sequence[Row | None]]], names: Sequence[str], label: str, scale: float) -> Figure:
    """A number for each of many names, side by side: a mark with its interval for each variant, against 0."""
    foot = 0.3 + LETTER * max(map(len, names))
    figure, axes = panel(HEIGHT, 0.55, foot=foot)
    axes.axhline(0, **FAIR)
    for place, (look, rows) in enumerate(lines):
        shift = 0.5 * (place - (len(lines) - 1) / 2) / len(lines)
        for x, row in enumerate(rows):
            if row and style.is_number(row["estimate"]):
                low, high = (scale * end for end in ends_of(row))
                y = scale * row["estimate"]
                draw_mark(axes, x + shift, y, (low, high), look.colour, marker=look.marker, upright=True, size=5)
    axes.set_xticks(range(len(names)), [style.clean(name) for name in names], fontsize=SMALL, rotation=90)
    axes.set_xlim(-0.7, len(names) - 0.3)
    axes.set_ylabel(label, fontsize=SMALL)
    axes.tick_params(length=0, labelsize=SMALL)
    axes.grid(axis="y")
    return figure


def panel(height: float, gutter: float, right: float = RIGHT, foot: float = FOOT) -> tuple[Figure, Axes]:
    """A figure and its axes of a height, with room for labels around them."""
    full = TOP + height + foot
    figure = Figure(figsize=(WIDTH, full))
    return figure, figure.add_axes((gutter / WIDTH, foot / full, (WIDTH - gutter - right) / WIDTH, height / full))


def _range(axes: Axes, axis: Axis) -> None:
    """The x axis with what lies behind the marks."""
    if axis.band:
        axes.axvspan(*axis.band, color=BAND, linewidth=0, zorder=0)
    if axis.fair is not None:
        axes.axvline(axis.fair, **FAIR)
    axes.set_xscale("log" if axis.log else "linear")
    axes.set_xlim(axis.low, axis.high)
    if axis.log:
        axes.xaxis.set_major_locator(LogLocator(numticks=5))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.set_xlabel(axis.label, fontsize=SMALL)
    axes.tick_params(axis="x", length=3, labelsize=SMALL)


def _draw(axes: Axes, mark: Mark, y: float, scale: float) -> None:
    row, look = mark.row, mark.look
    if not style.is_number(row["estimate"]):
        return
    if mark.spread:
        first, last = mark.spread
        axes.hlines(y, scale * first, scale * last, colors=look.colour, linewidth=6, alpha=0.25)
    low, high = (scale * end for end in ends_of(row))
    draw_mark(axes, scale * row["estimate"], y, (low, high), look.colour, marker=look.marker, hollow=mark.hollow, size=6)


def _broken(label: str) -> str:
    return "\n".join(style.wrapped(style.clean(label), LETTERS, break_names=True))


def told(
    lines: Sequence[Line], names: dict[style.Look, str], scale: float, unit: str, sign: str = "", bare: bool = False
) -> str:
    """The marks of a panel in words; `bare` numbers are lengths without an interval of their own."""
    parts = []
    for line in lines:
        numbers = [_length(m.row, scale, unit) if bare else style.with_interval(m.row, scale, unit, sign) for m in line.marks]
        marks = [f"{names[mark.look]} {number}" for mark, number in zip(line.marks, numbers, strict=True)]
        own = len(marks) == 1 and marks[0].startswith(f"{line.label} ")
        parts.append(marks[0] if own else f"{style.clean(line.label)}: {', '.join(marks)}")
    return "; ".join(parts) + "."


def _length(row: Row, scale: float, unit: str) -> str:
    """A length with as many digits as that of an interval has."""
    length = scale * row["estimate"]
    return f"{length:.{style.decimals(length)}f} {unit}"
