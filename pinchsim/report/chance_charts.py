"""Pictures of chances of winning: whether they are right, and how one game went. Import late: it loads matplotlib."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from pinchsim.report import style
from pinchsim.report.charts import HEIGHT, SMALL, Row, panel
from pinchsim.report.plot_pages import ends_of
from pinchsim.report.plot_style import FAIR, GREY, draw_mark

TICKS = (0, 25, 50, 75, 100)
LINES = (style.BASE_COLOUR, *style.COLOURS)
HIGHEST = 88  # of a label beside a curve, in percent of the height
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


def calibration(lines: Sequence[tuple[style.Look, Sequence[tuple[Row, Row]]]]) -> Figure:
    """How often those win whose chance is foretold as so much: pairs of what is foretold and what came of it."""
    figure, axes = panel(HEIGHT, 0.55)
    axes.plot([0, 100], [0, 100], **FAIR)
    for look, pairs in lines:
        for foretold, seen in pairs:
            low, high = (100 * end for end in ends_of(seen))
            x, y = 100 * foretold["estimate"], 100 * seen["estimate"]
            draw_mark(axes, x, y, (low, high), look.colour, marker=look.marker, upright=True, size=5)
    axes.set_xlabel("chance of winning as told (%)", fontsize=SMALL)
    axes.set_yticks(TICKS, [f"{tick} %" for tick in TICKS], fontsize=SMALL)
    axes.set_xticks(TICKS, [str(tick) for tick in TICKS], fontsize=SMALL)
    axes.set_xlim(-2, 102)
    axes.set_ylim(-2, 102)
    axes.tick_params(length=0)
    axes.grid(True)
    return figure


def game_course(chances: np.ndarray, winners: Sequence[int]) -> Figure:
    """Everybody's chance after each turn, float64[turns, players]; the number of a position stands at the end of its line."""
    figure, axes = panel(HEIGHT, 0.55, right=0.8)
    turns, players = chances.shape
    axes.axhline(100 / players, **FAIR)
    shown = 100 * np.vstack([chances, [1.0 / len(winners) if p in winners else 0.0 for p in range(players)]])
    at_end = _apart(shown[-2] if turns else shown[-1])
    for p in range(players):
        look: dict[str, Any] = {"color": LINES[p], "linestyle": DASHES[p], "linewidth": 2.2 if p in winners else 1.2}
        axes.plot(range(1, turns + 2), shown[:, p], **look)
        height = at_end[p] / 100
        axes.plot([1.02, 1.09], [height] * 2, transform=axes.transAxes, clip_on=False, **look)
        name = f"{p + 1} won" if p in winners else f"{p + 1}"
        axes.annotate(name, (1.11, height), xycoords="axes fraction", fontsize=SMALL, va="center", annotation_clip=False)
    axes.annotate("positions", (1.02, 1), xycoords="axes fraction", fontsize=SMALL, color=GREY, va="top", annotation_clip=False)
    axes.set_xlim(1, turns + 1)
    axes.set_ylim(0, 100)
    axes.set_yticks(TICKS, [f"{tick} %" for tick in TICKS], fontsize=SMALL)
    axes.set_xlabel("turn", fontsize=SMALL)
    axes.tick_params(length=0, labelsize=SMALL)
    axes.grid(axis="y")
    axes.spines["bottom"].set_color(GREY)
    return figure


def _apart(heights: np.ndarray, least: float = 9) -> np.ndarray:
    """Heights moved up, from the lowest on, until labels there do not overlap."""
    found, below = heights.astype(float).copy(), -least
    for place in np.argsort(heights, kind="stable"):
        found[place] = below = max(found[place], below + least)
    return found - max(0, below - HIGHEST)
