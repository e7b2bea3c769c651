"""A tournament as pictures: who wins how often against whom, and how strong everybody is."""

import math
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pinchsim.measure.tournament import Estimate
from pinchsim.measure.tournament_analysis import Analysis
from pinchsim.report import style
from pinchsim.report.plot_style import (
    BLUE,
    EDGE,
    FAIR,
    GREY,
    LETTER,
    MINUS,
    Box,
    Sheet,
    draw_mark,
    house_style,
    name_rows,
    save,
    write_beside,
)
from pinchsim.report.tournament_table import cell_interval, cell_number, headline, lead, other_words, size_words

# From blue over white to orange: below and above a fair share, safe for the colour-blind.
SCALE = LinearSegmentedColormap.from_list("shares", ["#0B5A92", "#7FB4DA", "#FFFFFF", "#F0A868", "#B24700"])
CELL, ROW = 0.62, 0.34  # inches: a cell of the matrix, a row of ratings
LONG = 12  # letters of a name that is not repeated above the columns
INTERRUPTED = " The run was interrupted: games that all tables have finished."


def write_tournament_plots(analysis: Analysis, complete: bool, folder: Path) -> list[Path]:
    """Draw a tournament as PNG and SVG: payoff_matrix and ratings; returns the files.

    The parameters are those of `pinchsim.report.tournament_table.print_tournament`.
    """
    figures = {"payoff_matrix": _matrix, "ratings": _ratings}
    with house_style():
        return [path for stem, draw in figures.items() for path in save(draw(analysis, complete), folder, stem)]


def _where(analysis: Analysis) -> str:
    return f"{style.clean(analysis.shares.variant)}, {analysis.shares.players} players"


def _names(analysis: Analysis) -> list[str]:
    return [style.clean(name) for name in analysis.names]


# -- payoff matrix ----------------------------------------------------------------------------------------


def _matrix(analysis: Analysis, complete: bool) -> Figure:
    """The payoff matrix as a heat map, the strongest first; each cell with its number and interval."""
    names, players = _names(analysis), analysis.shares.players
    n, fair, letters = len(names), 1 / players, max(map(len, names))
    cell = min(0.9, max(CELL, 3.6 / n))
    side, left = cell * n, max(EDGE + 0.4 + LETTER * letters, EDGE + 1.6)
    slanted = letters <= LONG
    width = max(left + side + 1.05, 6.4)
    others = "the column's" if players == 2 else f"{other_words(players)} of the column's"
    note = (
        f"Win share in % of one player of the row's strategy against {others}, and its 95 % interval, clustered by deck. "
        f"White: a fair share, {style.plain(100 * fair)} %, which everybody has where all play alike. {size_words(analysis)}"
    )
    above = 0.4 + (0.3 + 0.72 * LETTER * max(letters, 4) if slanted else 0.35)
    title = f"{_where(analysis)}: {headline(analysis)}"
    sheet = Sheet(title, note + ("" if complete else INTERRUPTED), width, side, above, 0.4)
    axes = sheet.panel((left, 0, side, side))
    cells = [[analysis.matrix[a][b] for b in analysis.order] for a in analysis.order]
    norm = _norm([x.estimate for row in cells for x in row], fair)
    axes.imshow([[x.estimate for x in row] for row in cells], cmap=SCALE, norm=norm, aspect="auto")
    for y, row in enumerate(cells):
        for x, found in enumerate(row):
            _write_cell(axes, x, y, found, SCALE(norm(found.estimate)))
    axes.set_yticks(range(n), [f"{name}  {k}" for k, name in enumerate(names, 1)])
    if slanted:
        columns = [f"{k}  {name}" for k, name in enumerate(names, 1)]
        axes.set_xticks(range(n), columns, rotation=45, ha="left", rotation_mode="anchor")
    else:
        axes.set_xticks(range(n), [str(k) for k in range(1, n + 1)])
    against = "against" if players == 2 else f"against {other_words(players)} of"
    axes.annotate(
        f"{against} →\none of ↓", (0, 1), xycoords="axes fraction", xytext=(-6, 7), textcoords="offset points",
        ha="right", va="bottom", fontsize=10, color=GREY,
    )  # fmt: skip
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    _cut_into_cells(axes, n)
    _write_scale(sheet, norm, fair, (left + side + 0.2, 0, 0.13, side))
    return sheet.figure


def _norm(shares: list[float], fair: float) -> TwoSlopeNorm:
    """Shades by the distance from a fair share: each side reaches as far as the data, and at least half a fair share."""
    return TwoSlopeNorm(fair, min(*shares, 0.5 * fair), max(*shares, 1.5 * fair))


def _write_cell(axes: Axes, x: int, y: int, found: Estimate, colour: tuple[float, float, float, float]) -> None:
    """The number, and its interval below; white on dark."""
    dark = sum(part * weight for part, weight in zip(to_rgb(colour), (0.299, 0.587, 0.114), strict=True)) < 0.5
    ink = "white" if dark else "#222222"
    number = cell_number(found.estimate)
    if x == y:
        axes.text(x, y, number, ha="center", va="center", color=GREY, fontsize=9.5)
        return
    axes.text(x, y - 0.13, number, ha="center", va="center", color=ink, fontsize=11)
    axes.text(x, y + 0.23, cell_interval(found).replace("-", MINUS), ha="center", va="center", color=ink, fontsize=8)


def _cut_into_cells(axes: Axes, n: int) -> None:
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks([k - 0.5 for k in range(1, n)], minor=True)
    axes.set_yticks([k - 0.5 for k in range(1, n)], minor=True)
    axes.tick_params(which="minor", length=0)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.set_axisbelow(False)


def _write_scale(sheet: Sheet, norm: TwoSlopeNorm, fair: float, box: Box) -> None:
    """What the shades mean."""
    bar = sheet.figure.colorbar(ScalarMappable(norm, SCALE), cax=sheet.panel(box))
    bar.outline.set_visible(False)
    ends = [norm.vmin or 0.0, fair, norm.vmax or 1.0]
    bar.set_ticks(ends, labels=[f"{style.plain(100 * x)} %" for x in ends])
    bar.ax.tick_params(length=0)


# -- ratings ----------------------------------------------------------------------------------------------


def _ratings(analysis: Analysis, complete: bool) -> Figure:
    """Ratings with intervals, the strongest on top."""
    names = _names(analysis)
    n, left = len(names), EDGE + 0.25 + LETTER * max(map(len, names))
    width = left + 5.6
    note = (
        "Elo points around a mean of 0: 400 more are odds of 10 to 1 that one of two wins. 95 % intervals, clustered by deck; "
        f"where none is seen, it is shorter than its mark. {size_words(analysis)}"
    )
    if not analysis.ratings.is_bounded:
        note += " Some never won against others: how far apart these are means nothing."
    height = ROW * n + 0.1
    sheet = Sheet(f"{_where(analysis)}: {lead(analysis)}", note + ("" if complete else INTERRUPTED), width, height, 0.35, 0.75)
    axes = sheet.panel((left, 0, width - left - 1.2, height))
    axes.axvline(0, **FAIR)
    for y, k in enumerate(analysis.order):
        elo, half = float(analysis.ratings.elo[k]), analysis.rating_halves[k]
        draw_mark(axes, elo, y, (elo - half, elo + half), BLUE, size=6)
        write_beside(axes, y, _number(elo, half), 66, align="right")
    name_rows(axes, names, 0.06)
    axes.set_ylim(n - 0.45, -0.55)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel("Rating (Elo points)")
    return sheet.figure


def _number(elo: float, half: float) -> str:
    """A rating with its interval."""
    words = f"{elo:+.0f} ± {max(half, 1):.0f}" if math.isfinite(half) else f"{elo:+.0f}"
    return words.replace("-", MINUS)
