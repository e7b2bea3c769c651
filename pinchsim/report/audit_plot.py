"""An audit of the rules as a picture: what each reading changes, ranked, with intervals, against what players would notice."""

import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from pinchsim.measure.audit import CARE, LINES, OPEN, Finding
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED
from pinchsim.report import style
from pinchsim.report.audit_table import kept_together, size_words
from pinchsim.report.plots import BAND, GREY, SETTINGS, save

MOST = 30  # readings of one picture; an audit of pairs has more
COLOURS = {OUTSIDE: "#D55E00", UNDECIDED: "#E69F00"}
QUIET = "#0072B2"
MARKERS = {OUTSIDE: "D", UNDECIDED: "s"}
PANEL, BETWEEN, ROW, LINE, LETTER = 2.3, 0.35, 0.3, 0.18, 0.088  # inches; LINE is one more line of a label
TITLES = {
    "start": "Start player's advantage (pp)",
    "length": "Length of the game (%)",
    "ends": "Gravest end reason (pp)",
    "score": "Score a player (points)",
}


def write_audit_plots(
    base: str, findings: Sequence[Finding], labels: Mapping[str, str], margin: float, complete: bool, folder: Path
) -> list[Path]:
    """Draw an audit, a figure for each number of players and line-up, as PNG and SVG; returns the files.

    The parameters are those of `pinchsim.report.audit_table.print_audit`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # such a letter is a box, in the PNG only
        for number, (players, line_up) in enumerate(dict.fromkeys((f.players, f.line_up) for f in findings), 1):
            here = [f for f in findings if (f.players, f.line_up) == (players, line_up)]
            figure = _figure(here, labels, margin, _title(base, here, labels), _notes(here, complete))
            paths += save(figure, folder, f"readings-{players}p-{number}")
    return paths


def _figure(findings: Sequence[Finding], labels: Mapping[str, str], margin: float, title: str, notes: str) -> Figure:
    shown = findings[:MOST]
    names = [style.clean(labels[f.variant]).replace(", ", ",\n") for f in shown]
    lines = [line for name in names for line in name.split("\n")]
    row = ROW + LINE * max(name.count("\n") for name in names)
    edge = 0.35 + LETTER * max(map(len, lines))
    width = edge + len(LINES) * (PANEL + BETWEEN)
    titles, captions = style.balanced(title, int(width * 8.7)), style.balanced(notes, int(width * 13))
    head, foot = 0.95 + 0.26 * len(titles), 0.6 + 0.18 * len(captions)
    full = head + row * len(shown) + foot
    figure = Figure(figsize=(width, full))
    figure.text(0.15 / width, 1 - 0.15 / full, "\n".join(titles), va="top", fontsize=14, fontweight="bold")
    for column, line in enumerate(LINES):
        left = (edge + column * (PANEL + BETWEEN)) / width
        axes = figure.add_axes((left, foot / full, PANEL / width, row * len(shown) / full))
        _panel(axes, shown, line.words, line.noticeable(margin))
        axes.set_yticks(range(len(shown)), names if column == 0 else [""] * len(shown))
        for label, finding in zip(axes.get_yticklabels(), shown, strict=True):
            label.set_fontweight("bold" if finding.verdict == CARE else "normal")
    _write_legend(figure, full, len(titles))
    figure.text(0.15 / width, 0.12 / full, "\n".join(captions), va="bottom", fontsize=10, color=GREY)
    return figure


def _notes(findings: Sequence[Finding], complete: bool) -> str:
    """What stands below the panels."""
    note = f"Changes against the ruling; bold: write with care. n = {size_words(findings)} for each reading. "
    note += "The intervals hold all at once with 95 %; where none is seen, it is shorter than its mark."
    if len(findings) > MOST:
        rest = findings[MOST:]
        care = sum(f.verdict == CARE for f in rest)
        words = f"{care} of them need care, too" if care else "none of them needs care"
        note += f" {len(rest)} more readings are left out ({words})."
    return note + ("" if complete else " The run was interrupted: games finished so far.")


def _title(base: str, findings: Sequence[Finding], labels: Mapping[str, str]) -> str:
    """The finding: which readings matter, and whether that is all."""
    players, line_up = findings[0].players, findings[0].line_up
    where = f"{style.clean(base)}, {players} players, {style.line_up_words(line_up, players)}"
    care = [kept_together(labels[f.variant]).replace(", ", " with ") for f in findings if f.verdict == CARE]
    undecided = sum(f.verdict == OPEN for f in findings)
    rest = f"; {undecided} of {len(findings)} readings are undecided" if undecided else ""
    if care:
        named = style.listed(care) if len(care) <= 4 else f"{', '.join(care[:3])} and {len(care) - 3} more"
        return f"{where}: players would notice {named}{rest}"
    if undecided:
        return f"{where}: no other reading of the rules is shown to be noticed{rest}"
    return f"{where}: players would not notice any other reading of the rules"


def _panel(axes: Axes, findings: Sequence[Finding], line: str, noticeable: float) -> None:
    """Effects of one line, a row a reading, the first on top."""
    axes.axvspan(-noticeable, noticeable, color=BAND, linewidth=0, zorder=0)
    axes.axvline(0, color=GREY, linewidth=1, linestyle="--", zorder=1)
    rows = {place: f.largest[line] for place, f in enumerate(findings) if line in f.largest}
    ends = [abs(row[end]) for row in rows.values() for end in ("low", "effect", "high") if math.isfinite(row[end])]
    reach = max([1.6 * noticeable, *(1.08 * end for end in ends)])
    for place, row in rows.items():
        colour = COLOURS.get(row["verdict"], QUIET)
        axes.hlines(place, max(row["low"], -reach), min(row["high"], reach), colors=colour, linewidth=2, zorder=3)
        axes.plot([row["effect"]], [place], color=colour, marker=MARKERS.get(row["verdict"], "o"), markersize=5.5, zorder=4)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(len(findings) - 0.4, -0.6)
    axes.set_title(TITLES[line], loc="left", fontsize=11)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y")


def _write_legend(figure: Figure, full: float, titles: int) -> None:
    width = figure.get_size_inches()[0]
    handles = [
        Line2D([], [], color=COLOURS[OUTSIDE], marker=MARKERS[OUTSIDE], linewidth=2, label="noticeable"),
        Line2D([], [], color=COLOURS[UNDECIDED], marker=MARKERS[UNDECIDED], linewidth=2, label="undecided"),
        Line2D([], [], color=QUIET, marker="o", linewidth=2, label="not noticeable"),
        Patch(color=BAND, label="what players would not notice"),
    ]
    corner = (0.15 / width, 1 - (0.25 + 0.26 * titles) / full)
    look = {"ncols": len(handles), "frameon": False, "borderaxespad": 0, "borderpad": 0}
    figure.legend(handles=handles, loc="upper left", bbox_to_anchor=corner, **look)
