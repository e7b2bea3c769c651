"""An audit of the rules as a picture: what each reading changes, ranked, with intervals, against what players would notice."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from pinchsim.measure.audit import CARE, LINES, OPEN, Finding
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED
from pinchsim.report import style
from pinchsim.report.audit_table import kept_together, size_words
from pinchsim.report.plot_style import AMBER, BAND, BLUE, FAIR, ORANGE, WIDE_TITLE, Sheet, draw_mark, house_style, save

MOST = 30  # readings of one picture; an audit of pairs has more
COLOURS = {OUTSIDE: ORANGE, UNDECIDED: AMBER}
QUIET = BLUE
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
    paths = []
    with house_style():
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
    sheet = Sheet(title, notes, width, row * len(shown), 0.95, 0.6, WIDE_TITLE)
    for column, line in enumerate(LINES):
        axes = sheet.panel((edge + column * (PANEL + BETWEEN), 0, PANEL, row * len(shown)))
        _panel(axes, shown, line.words, line.noticeable(margin))
        axes.set_yticks(range(len(shown)), names if column == 0 else [""] * len(shown))
        for label, finding in zip(axes.get_yticklabels(), shown, strict=True):
            label.set_fontweight("bold" if finding.verdict == CARE else "normal")
    handles = _handles()
    sheet.write_legend(handles, [str(handle.get_label()) for handle in handles], len(handles))
    return sheet.figure


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
    axes.axvline(0, **FAIR)
    rows = {place: f.largest[line] for place, f in enumerate(findings) if line in f.largest}
    sizes = [abs(row[name]) for row in rows.values() for name in ("low", "effect", "high") if math.isfinite(row[name])]
    reach = max([1.6 * noticeable, *(1.08 * size for size in sizes)])
    for place, row in rows.items():
        ends = (max(row["low"], -reach), min(row["high"], reach))
        colour, marker = COLOURS.get(row["verdict"], QUIET), MARKERS.get(row["verdict"], "o")
        draw_mark(axes, row["effect"], place, ends, colour, marker=marker, size=5.5)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(len(findings) - 0.4, -0.6)
    axes.set_title(TITLES[line], loc="left", fontsize=11)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y")


def _handles() -> list[Artist]:
    """What the legend explains."""
    return [
        Line2D([], [], color=COLOURS[OUTSIDE], marker=MARKERS[OUTSIDE], linewidth=2, label="noticeable"),
        Line2D([], [], color=COLOURS[UNDECIDED], marker=MARKERS[UNDECIDED], linewidth=2, label="undecided"),
        Line2D([], [], color=QUIET, marker="o", linewidth=2, label="not noticeable"),
        Patch(color=BAND, label="what players would not notice"),
    ]
