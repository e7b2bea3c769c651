"""How every picture looks, and the parts that several of them are made of. Import this module late: it loads matplotlib.

Sizes are fixed in inches and drawn once: matplotlib's layout engines would draw everything several times. The
same data gives the same SVG bytes.
"""

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pinchsim.report import style

SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.labelsize": 11,
    "xtick.labelsize": 10.5,
    "ytick.labelsize": 10.5,
    "legend.fontsize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "text.parse_math": False,  # a "$" in a name is a "$"
    "svg.fonttype": "none",
    "svg.hashsalt": "report",  # text stays text; the same ids every time
}
DPI = 150
BLUE, ORANGE, AMBER, SKY = (style.COLOURS[place] for place in (0, 1, 4, 5))
GREY = "#555555"
BAND = "#DDE8DD"  # what lies within a margin
FAIR: dict[str, Any] = {
    "color": GREY,
    "linewidth": 1,
    "linestyle": "--",
    "zorder": 1,
}  # the line of a fair share, or of no effect
CLOSE: dict[str, Any] = {"handlelength": 1.3, "handletextpad": 0.5, "columnspacing": 1.4}  # a legend without wide gaps

EDGE = 0.15  # inches between text and the picture's border
LINE = 0.185  # inches a line of caption
TITLE_LINE = 0.26  # inches a line of the title
LETTER = 0.092  # inches a letter of a tick label
TITLE_LETTERS, CAPTION_LETTERS = 8.4, 13.0  # letters an inch
WIDE_TITLE = 8.7  # letters an inch of the title of a wide picture: the longer a line, the nearer its letters to their mean

MINUS = "\N{MINUS SIGN}"
INTERVALS = "95 % intervals, clustered by deck; where none is seen, it is shorter than its mark."

Box = tuple[float, float, float, float]


@contextmanager
def house_style() -> Iterator[None]:
    """Inside, figures are drawn and saved in the style of the house."""
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # such a letter is a box, in the PNG only
        yield


def save(figure: Figure, folder: Path, stem: str) -> list[Path]:
    """Write a figure as PNG and SVG, without dates or versions in the files; returns both files.

    The folder is made if it is missing; files of the same name are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    png, svg = folder / f"{stem}.png", folder / f"{stem}.svg"
    figure.savefig(png, dpi=DPI, metadata={"Software": None})
    figure.savefig(svg, metadata={"Date": None, "Creator": None})
    return [png, svg]


class Sheet:
    """A figure with its title at the top, its caption at the bottom and room for panels between; all sizes in inches.

    Parameters
    ----------
    title, note
        Broken into lines here. A new line in the note begins a paragraph.
    width, height
        The whole width, and the height of all panels together.
    above, below
        Room over the panels beside that of the title's lines, and under them beside that of the caption's lines.
    letters
        Letters an inch of the title.
    """

    def __init__(
        self, title: str, note: str, width: float, height: float, above: float, below: float, letters: float = TITLE_LETTERS
    ) -> None:
        titles = style.balanced(title, int(width * letters))
        captions = [line for part in note.split("\n") for line in style.balanced(part, int(width * CAPTION_LETTERS))]
        self.width, self.height = width, height
        self.under_title = 0.25 + TITLE_LINE * len(titles)
        self.foot = below + LINE * len(captions)
        self.full = above + TITLE_LINE * len(titles) + height + self.foot
        self.figure = Figure(figsize=(width, self.full))
        left = EDGE / width
        self.figure.text(left, 1 - EDGE / self.full, "\n".join(titles), va="top", fontsize=14, fontweight="bold")
        self.figure.text(left, 0.12 / self.full, "\n".join(captions), va="bottom", fontsize=10, color=GREY)

    def panel(self, box: Box) -> Axes:
        """Axes at left and bottom (0 is right above the foot), with a width and a height."""
        left, bottom, width, height = box
        place = (left / self.width, (self.foot + bottom) / self.full, width / self.width, height / self.full)
        return self.figure.add_axes(place)

    def write_legend(self, handles: Sequence[Artist], labels: Sequence[str], per_row: int, **look: Any) -> None:
        """A legend right under the title, which needs room `above` the panels."""
        frame: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "borderpad": 0} | look
        corner = (EDGE / self.width, 1 - self.under_title / self.full)
        self.figure.legend(handles, labels, loc="upper left", bbox_to_anchor=corner, ncols=per_row, **frame)


def variant_handle(name: str, look: style.Look) -> Line2D:
    """A variant's entry in a legend."""
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle="none", markersize=7, label=style.clean(name))


def fair_heading(players: int) -> str:
    """The heading of a panel with the share that would be fair."""
    return f"{players} players, fair: {style.plain(100 / players)} %"


def draw_mark(
    axes: Axes,
    x: float,
    y: float,
    ends: tuple[float, float],
    colour: str,
    *,
    marker: str = "o",
    size: float = 6.5,
    hollow: bool = False,
    upright: bool = False,
) -> None:
    """A mark with its interval from side to side, or upright; ends that are no numbers are not drawn."""
    if all(math.isfinite(end) for end in ends):
        line, at = (axes.vlines, x) if upright else (axes.hlines, y)
        line(at, *ends, colors=colour, linewidth=2, zorder=3)
    inside = "white" if hollow else colour
    axes.plot([x], [y], marker=marker, color=colour, markerfacecolor=inside, markersize=size, zorder=4)


def write_beside(
    axes: Axes,
    y: float,
    words: str,
    offset: float,
    *,
    up: float = 0,
    align: str = "left",
    size: float = 10.5,
    colour: str = "black",
) -> None:
    """Words on the right of a panel, as many points from its edge, at a height of its data."""
    axes.annotate(
        words, (1, y), xycoords=("axes fraction", "data"), xytext=(offset, up), textcoords="offset points",
        ha=align, va="center", fontsize=size, color=colour, annotation_clip=False,
    )  # fmt: skip


def name_rows(axes: Axes, names: Sequence[str], air: float) -> None:
    """Rows with names instead of a y axis, and as large a part of the width left free at both sides."""
    axes.set_yticks(range(len(names)), names)
    axes.margins(x=air)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="both")
