"""A run's summary as figures (PNG and SVG): columns of panels by number of players, rows by line-up.

Sizes are fixed in inches and drawn once: matplotlib's layout engines would draw everything several times. The
same data gives the same SVG bytes. Import this module late: it loads matplotlib.
"""

import warnings
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from pinchsim.measure.summary import Summary
from pinchsim.measure.verdict import UNDECIDED, WITHIN
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
MOST_PANELS = 4  # columns and rows of one page; what is left goes to further pages
GREY = "#555555"
BAND = "#DDE8DD"
PALE = 0.3
BETWEEN = 0.65  # inches between two columns of panels
LINE = 0.185  # inches a line of caption
WINS, SCORE = "win_share", "score"
INTERVALS = "95 % intervals, clustered by deck; where none is seen, it is shorter than its mark."


class Page(NamedTuple):
    """One figure and its panels, each with the line-up and the number of players that it shows."""

    figure: Figure
    panels: list[tuple[Axes, str, int]]


class Plan(NamedTuple):
    """What the pages of one figure have in common; `height` and `left` (the margin) in inches."""

    title: str
    notes: list[str]
    handles: list
    height: float
    left: float
    ylabel: str
    xlabel: str
    heading: Callable[[int], str] = "{} players".format


class Texts(NamedTuple):
    """What stands around a page's panels, broken into lines; `head` is the height of title and legend."""

    titles: list[str]
    handles: list
    labels: list[str]
    per_row: int
    captions: list[str]
    head: float


class Book(NamedTuple):
    """A summary made ready for drawing."""

    summary: Summary
    names: list[str]
    looks: dict[str, style.Look]
    rows: dict
    counts: dict

    def row(self, line_up, players, name, measure, position=-1):
        """One row of the estimates, or None."""
        return self.rows.get((line_up, players, name, measure, position))

    @property
    def unit(self):
        """What was played: games, or sessions of several games."""
        return style.unit(self.summary.estimates)

    def shown(self, line_up, players):
        """The variants that one panel has to show."""
        played = {key[2] for key in self.rows if key[:2] == (line_up, players)}
        return [name for name in self.names if name in played]


def write_plots(summary: Summary, folder: Path) -> list[Path]:
    """Draw a run's summary and write every figure as PNG and SVG.

    Parameters
    ----------
    summary
        Measures with intervals, see `pinchsim.report.Summary`.
    folder
        Where to write; made if it is missing. Files of the same name are replaced.

    Returns
    -------
    list of Path
        The files, PNG before SVG: win_share_by_position, score_distribution, game_length and end_reasons. A
        figure without data is left out; panels beyond one page go to "win_share_by_position-2" and so on.
    """
    if summary.estimates.is_empty():
        return []
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names, rows = style.variants(summary), style.by_key(summary.estimates)
    book = Book(summary, names, style.looks(names, summary.base), rows, _counts(summary))
    figures = {
        "win_share_by_position": _win_share,
        "score_distribution": _scores,
        "game_length": _lengths,
        "end_reasons": _ends,
    }
    paths = []
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # such a letter is a box, in the PNG only
        for stem, draw in figures.items():
            for number, page in enumerate(draw(book), 1):
                paths += save(page.figure, folder, stem if number == 1 else f"{stem}-{number}")
    return paths


def save(figure, folder, stem):
    """Write a figure in both formats, without dates or versions in the files."""
    png, svg = folder / f"{stem}.png", folder / f"{stem}.svg"
    figure.savefig(png, dpi=DPI, metadata={"Software": None})
    figure.savefig(svg, metadata={"Date": None, "Creator": None})
    return [png, svg]


def _counts(summary):
    """Histograms as pairs (values, counts), values ascending, found by the same keys as the estimates."""
    keys = ["line_up", "players", "variant", "measure", "position"]
    parts = summary.histograms.sort("value").partition_by(keys, as_dict=True, include_key=False)
    return {key: (part["value"].to_list(), part["count"].to_list()) for key, part in parts.items()}


# -- pages ------------------------------------------------------------------------------------------------


def _pages(book, plan):
    """Figures with empty panels under a title and a legend, above notes: as many pages as it takes.

    Line-ups that exist with one number of players only (they name every seat) share their row with others.
    """
    pairs = style.blocks(book.summary.estimates)
    columns = {players: [name for name, count in pairs if count == players] for _, players in pairs}
    counts, deepest = sorted(columns), max(len(line_ups) for line_ups in columns.values())
    grids = []
    for y in range(0, deepest, MOST_PANELS):
        for x in range(0, len(counts), MOST_PANELS):
            grid = {count: columns[count][y : y + MOST_PANELS] for count in counts[x : x + MOST_PANELS]}
            grids += [grid] if any(grid.values()) else []
    for number, grid in enumerate(grids, 1):
        title = plan.title if len(grids) == 1 else f"{plan.title} (page {number} of {len(grids)})"
        yield _page(book, plan._replace(title=title), grid)


def _page(book, plan, grid):
    """One page: the frame's texts, then the panels. All sizes are inches, from the top down."""
    panel = {1: 6.4, 2: 4.2}.get(len(grid), 3.5)
    width = plan.left + len(grid) * (panel + BETWEEN) - BETWEEN + 0.3
    texts = _frame_texts(book, plan, width)
    headings = {
        (line_up, players): _heading(book, plan, line_up, players, panel)
        for players, line_ups in grid.items()
        for line_up in line_ups
    }
    above = 0.15 + 0.2 * max(len(lines) for lines in headings.values())
    head, gap = texts.head + above, 0.65 + above
    rows = max(len(line_ups) for line_ups in grid.values())
    full = head + rows * (plan.height + gap) - gap + 0.75 + LINE * len(texts.captions)
    figure = Figure(figsize=(width, full))
    _write_frame(figure, texts)
    page = Page(figure, [])
    for x, (players, line_ups) in enumerate(grid.items()):
        for y, line_up in enumerate(line_ups):
            left = plan.left + x * (panel + BETWEEN)
            bottom = full - head - plan.height - y * (plan.height + gap)
            axes = figure.add_axes((left / width, bottom / full, panel / width, plan.height / full))
            axes.set_title("\n".join(headings[line_up, players]), loc="left", fontsize=12)
            axes.set_ylabel(plan.ylabel if x == 0 else "")
            axes.set_xlabel(plan.xlabel if y == len(line_ups) - 1 else "")
            page.panels.append((axes, line_up, players))
    return page


def _heading(book, plan, line_up, players, panel):
    """The lines over a panel: players, and the line-up where there are several."""
    if len({key[0] for key in book.rows}) == 1:
        return [plan.heading(players)]
    return [plan.heading(players), *style.wrapped(style.line_up_words(line_up, players), int(panel * 9.5))]


def _frame_texts(book, plan, width):
    """Title, legend and captions broken to a width in inches, and the height that title and legend take."""
    titles = style.balanced(plan.title, int(width * 8.7))
    handles = [*(_handle(name, book.looks[name]) for name in book.names), *plan.handles]
    labels = ["\n".join(style.wrapped(handle.get_label(), int(width * 9))) for handle in handles]
    per_row = _per_row([max(map(len, label.split("\n"))) for label in labels], width)
    lines = -(-len(labels) // per_row) + sum(label.count("\n") for label in labels)
    notes = [*plan.notes, _size_note(book)]
    captions = [line for note in notes for line in style.balanced(note, int(width * 13))]
    return Texts(titles, handles, labels, per_row, captions, 0.35 + 0.26 * len(titles) + 0.25 * lines)


def _per_row(lengths, width):
    """How many legend entries of these lengths (letters) stand side by side; columns are filled in turn."""
    for deep in range(1, len(lengths)):
        columns = [max(lengths[place : place + deep]) for place in range(0, len(lengths), deep)]
        if sum(0.5 + 0.09 * column for column in columns) < width - 0.3:
            return -(-len(lengths) // deep)
    return 1


def _write_frame(figure, texts):
    """Title and legend at the top, captions at the bottom."""
    width, full = figure.get_size_inches()
    left, title, captions = 0.15 / width, "\n".join(texts.titles), "\n".join(texts.captions)
    figure.text(left, 1 - 0.15 / full, title, va="top", fontsize=14, fontweight="bold")
    figure.text(left, 0.12 / full, captions, va="bottom", fontsize=10, color=GREY)
    corner = (left, 1 - (0.25 + 0.26 * len(texts.titles)) / full)
    figure.legend(
        texts.handles,
        texts.labels,
        loc="upper left",
        bbox_to_anchor=corner,
        ncols=texts.per_row,
        frameon=False,
        borderaxespad=0,
        borderpad=0,
        handlelength=1.3,
        handletextpad=0.5,
        columnspacing=1.4,
    )


def _handle(name, look):
    """A variant's entry in the legend."""
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle="none", markersize=7, label=style.clean(name))


def _size_note(book):
    """How many games stand behind a variant in a panel."""
    cases = {key[:3]: row for key, row in book.rows.items()}
    sizes = {(row["games"], row["decks"]) for row in cases.values()}
    games, decks = ([min(part), max(part)] for part in zip(*sizes, strict=True))
    words = [f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in (games, decks)]
    note = f"n = {style.size_words(*words, book.unit)}"
    note += " for each variant and panel." if len(cases) > 1 else "."
    line_ups = {key[0] for key in cases}
    if len(line_ups) == 1:
        note += f" Line-up: {style.line_up_words(line_ups.pop())}."
    return note + ("" if book.summary.complete else f" The run was interrupted: {book.unit} finished so far.")


# -- win share --------------------------------------------------------------------------------------------


def _win_share(book):
    """Win share by position, against the fair share and the margin."""
    margin = book.summary.margin
    rows = [row for row in book.rows.values() if row["measure"] == WINS and style.is_number(row["estimate"])]
    if not rows:
        return
    reach = max(abs(end - 1 / row["players"]) for row in rows for end in _ends_of(row))
    reach = 1.12 * max(1.5 * margin, reach)
    cases = style.cases(book.summary.estimates, style.ADVANTAGE, lambda row: style.start_kind(row, margin))
    title = style.start_finding(cases, margin) if cases else "Win share by position"
    handles = [
        Line2D([], [], color=GREY, linewidth=1, linestyle="--", label="fair share"),
        Patch(color=BAND, label=f"margin for the start player: ±{style.margin_words(margin)}"),
    ]
    notes = [f"Bars: {INTERVALS} A shared win counts in equal parts."]
    plan = Plan(title, notes, handles, 3.0, 0.85, "win share (%)", "position in turn order", _fair_heading)
    for page in _pages(book, plan):
        for axes, line_up, players in page.panels:
            fair = 1 / players
            axes.axhline(100 * fair, color=GREY, linewidth=1, linestyle="--", zorder=1)
            axes.fill_between([-0.45, 0.45], 100 * (fair - margin), 100 * (fair + margin), color=BAND, linewidth=0, zorder=0.4)
            _intervals(axes, book, line_up, players, WINS, 100)
            axes.set_ylim(100 * max(0, fair - reach), 100 * min(1, fair + reach))
        yield page


def _fair_heading(players):
    """The heading of a panel with the share that would be fair."""
    return f"{players} players, fair: {style.plain(100 / players)} %"


def _ends_of(row):
    """The interval of a row, or its estimate alone."""
    return (row["low"], row["high"]) if style.has_interval(row) else (row["estimate"],)


def _offsets(names):
    """Sideways shift by variant, so that marks of the same position do not hide each other."""
    step = min(0.2, 0.76 / len(names))
    return {name: step * (place - (len(names) - 1) / 2) for place, name in enumerate(names)}


def _intervals(axes, book, line_up, players, measure, scale):
    """Estimates by position as marks with their intervals."""
    for name, shift in _offsets(book.shown(line_up, players)).items():
        rows = [book.row(line_up, players, name, measure, place) for place in range(players)]
        rows = [row for row in rows if row and style.is_number(row["estimate"])]
        if rows:
            x, look = [row["position"] + shift for row in rows], book.looks[name]
            low, high = ([scale * end(_ends_of(row)) for row in rows] for end in (min, max))
            axes.vlines(x, low, high, colors=look.colour, linewidth=2, zorder=3)
            axes.plot(
                x,
                [scale * row["estimate"] for row in rows],
                linestyle="none",
                marker=look.marker,
                color=look.colour,
                markersize=_size(book),
                zorder=3,
            )
    _position_axis(axes, players)


def _size(book):
    """Marker size: smaller where many variants stand side by side."""
    return 7 if len(book.names) <= 3 else 5.5


def _position_axis(axes, players):
    """Positions along the x axis; the lines along y are the only grid."""
    axes.set_xticks(range(players), ["start", *(str(place + 1) for place in range(1, players))])
    axes.set_xlim(-0.5, players - 0.5)
    axes.tick_params(length=3)
    axes.grid(axis="y")


# -- scores -----------------------------------------------------------------------------------------------


def _scores(book):
    """Scores by position: the mean with its interval over the middle half and middle 90 % of the results."""
    chosen = [pair for key, pair in book.counts.items() if key[3] == SCORE]
    if not chosen:
        return
    spans = [(_quantile(pair, 0.05), _quantile(pair, 0.95)) for pair in chosen]
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    half = {"linewidth": 7, "alpha": PALE, "solid_capstyle": "butt", "label": "middle half of the scores"}
    most = {"linewidth": 1.6, "alpha": 2 * PALE, "label": "middle 90 %"}
    handles = [Line2D([], [], color=GREY, **look) for look in (half, most)]
    notes = [f"Marks: means with {INTERVALS} White line: median. Pale bars: the spread from game to game."]
    ylabel = f"score ({_unit(book, SCORE)})"
    plan = Plan(_score_title(book), notes, handles, 3.0, 0.85, ylabel, "position in turn order")
    for page in _pages(book, plan):
        for axes, line_up, players in page.panels:
            for name, shift in _offsets(book.shown(line_up, players)).items():
                _boxes(axes, book, line_up, players, name, shift)
            _intervals(axes, book, line_up, players, SCORE, 1)
            axes.set_ylim(low - 0.05 * (high - low) - 0.5, high + 0.05 * (high - low) + 0.5)
        yield page


def _boxes(axes, book, line_up, players, name, shift):
    """How one variant's scores vary, by position: a thin bar, a thick bar and a white line at the median."""
    pairs = {place: book.counts.get((line_up, players, name, SCORE, place)) for place in range(players)}
    pairs = {place + shift: pair for place, pair in pairs.items() if pair}
    if pairs:
        x, colour, shares = list(pairs), book.looks[name].colour, (0.05, 0.25, 0.5, 0.75, 0.95)
        marks = [[_quantile(pair, share) for pair in pairs.values()] for share in shares]
        axes.vlines(x, marks[0], marks[4], colors=colour, linewidth=1.6, alpha=2 * PALE)
        axes.vlines(x, marks[1], marks[3], colors=colour, linewidth=_size(book), alpha=PALE)
        axes.plot(x, marks[2], linestyle="none", marker="_", color="white", markersize=_size(book), markeredgewidth=1.5)


def _quantile(pair, share):
    """The smallest value that at least this share of the counts does not exceed."""
    values, counts = pair
    left = share * sum(counts) * (1 - 1e-12)  # 0.95 * 20 must not come out above 19
    for value, count in zip(values, counts, strict=True):
        left -= count
        if left <= 0:
            return value
    return values[-1]


def _unit(book, measure):
    """The unit of a measure."""
    return style.clean(next((row["unit"] for key, row in book.rows.items() if key[3] == measure), measure))


def _score_title(book):
    """What the intervals say about the start player's score."""
    cases = style.cases(book.summary.estimates, style.SCORE_ADVANTAGE, style.sign_kind)
    phrases = {"above": "higher", "below": "lower", WITHIN: "the same", UNDECIDED: "no clear difference"}
    if not cases:
        return "Scores by position"
    if len(cases) > 1:
        return style.finding("Start player's mean score against the others", cases, phrases)
    case, unit = cases[0], _unit(book, style.SCORE_ADVANTAGE)
    who = f"{style.sentence_name(case.variant)}, {case.players} players: the start player's mean score is"
    size = style.with_interval(case.row, 1, unit, "+")
    if case.kind in ("above", "below"):
        return f"{who} {phrases[case.kind]} than the others' ({size})"
    return f"{who} not clearly different from the others' ({size})"


# -- length -----------------------------------------------------------------------------------------------


def _lengths(book):
    """How many games are over by a number of turns, with the 5, 50 and 95 % marks."""
    chosen = {key: pair for key, pair in book.counts.items() if key[3] == style.LENGTH}
    if not chosen:
        return
    edge, ticks, scale = _length_axis(list(chosen.values()))
    notes = [
        f"Marks: length within which 5, 50 and 95 % of the {book.unit} are over. They describe the {book.unit} "
        "played; the mean and its interval are in the table.",
        *_beyond_note(book, chosen, edge),
    ]
    xlabel = f"length ({_unit(book, style.LENGTH)}{', log scale' if scale == 'log' else ''})"
    plan = Plan(_length_title(book, chosen), notes, [], 3.0, 0.85, f"{book.unit} over (%)", xlabel)
    for page in _pages(book, plan):
        for axes, line_up, players in page.panels:
            axes.set_xscale(scale)
            axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
            axes.set_xticks([], minor=True)
            axes.set_xlim(ticks[0], edge)
            pairs = {name: chosen.get((line_up, players, name, style.LENGTH, -1)) for name in book.names}
            _curves(axes, book, {name: pair for name, pair in pairs.items() if pair})
        yield page


def _curves(axes, book, pairs):
    """One step curve a variant, its three marks, and their numbers in the empty corner.

    Each curve is drawn thinner than the one before: where two are equal, both are seen.
    """
    lines, marks = [], []
    for place, (name, (values, counts)) in enumerate(pairs.items()):
        look, total = book.looks[name], sum(counts)
        shares = [100 * over / total for over in accumulate(counts)]
        axes.step(
            [values[0], *values],
            [0, *shares],
            where="post",
            color=look.colour,
            linewidth=1.2 + 1.8 * (1 - (place + 1) / len(pairs)),
        )
        marks.append([_quantile((values, counts), share) for share in (0.05, 0.5, 0.95)])
        lines += axes.plot(
            marks[-1], [5, 50, 95], linestyle="none", marker=look.marker, color=look.colour, markersize=_size(book)
        )
    axes.set_yticks([5, 25, 50, 75, 95])
    axes.set_ylim(0, 101)
    axes.grid(True)
    axes.tick_params(length=3)
    if lines:
        labels = [" / ".join(f"{mark:,.0f}" for mark in three) for three in marks]
        middle = axes.transData.transform((max(three[1] for three in marks), 0))
        corner = "lower right" if axes.transAxes.inverted().transform(middle)[0] < 0.62 else "upper left"
        axes.legend(
            lines,
            labels,
            loc=corner,
            title="5 / 50 / 95 %",
            fontsize=10,
            title_fontsize=10,
            edgecolor="none",
            framealpha=0.8,
            borderaxespad=0.2,
            labelspacing=0.25,
            handlelength=1,
            handletextpad=0.4,
        )


def _length_axis(pairs):
    """End, ticks and scale of the x axis: it ends at the longest game, unless that lies far off the rest.

    Where more than 5 % of the games lie far off, only a logarithmic scale shows them and the rest.
    """
    marks = [[_quantile(pair, share) for share in (0.05, 0.5, 0.95)] for pair in pairs]
    far = [high + max(high - low, 1) for low, _, high in marks]
    edge = 1.02 * max(min(pair[0][-1], end) for pair, end in zip(pairs, far, strict=True))
    if edge <= 5 * max(middle for _, middle, _ in marks):
        return edge, [tick for tick in MaxNLocator(6).tick_values(0, edge) if tick <= edge], "linear"
    steps = [step * 10**power for power in range(6) for step in (1, 2, 5)]
    first = max(1, min(pair[0][0] for pair in pairs))
    start = max(step for step in steps if step <= first)
    return edge, [step for step in steps if start <= step <= edge], "log"


def _beyond_note(book, chosen, edge):
    """What the x axis leaves out, if it leaves out anything."""
    shares = [sum(count for value, count in zip(*pair, strict=True) if value > edge) / sum(pair[1]) for pair in chosen.values()]
    longest = max(pair[0][-1] for pair in chosen.values())
    if not any(shares):
        return []
    most = style.percent(max(shares), 2)
    return [
        f"Beyond the right edge: {most} of a variant's {book.unit} at most; the longest took "
        f"{longest:,.0f} {_unit(book, style.LENGTH)}."
    ]


def _length_title(book, chosen):
    """The quantiles of a single case; for several the means against the base, or the range of medians."""
    unit = _unit(book, style.LENGTH)
    if len(chosen) == 1:
        (_, players, name, *_), pair = next(iter(chosen.items()))
        half, most = _quantile(pair, 0.5), _quantile(pair, 0.95)
        return (
            f"{style.sentence_name(name)}, {players} players: half of the {book.unit} are over within "
            f"{half:,.0f} {unit}, 95 % within {most:,.0f}"
        )
    cases = style.cases(book.summary.differences, style.LENGTH, style.sign_kind)
    if cases:
        return _change_title(cases, style.clean(book.summary.base or "the base"), unit, book.unit.removesuffix("s"))
    medians = [_quantile(pair, 0.5) for pair in chosen.values()]
    low, high = f"{min(medians):,.0f}", f"{max(medians):,.0f}"
    return f"Half of the {book.unit} are over within {low if low == high else low + ' to ' + high} {unit}"


def _change_title(cases, base, unit, what):
    """What the intervals say about the mean length against the base."""
    if len(cases) == 1:
        case, phrases = cases[0], {"above": "longer than with", "below": "shorter than with"}
        phrase = phrases.get(case.kind, "not clearly different from")
        return (
            f"{style.sentence_name(case.variant)}, {case.players} players: the mean {what} is {phrase} "
            f"{base} ({style.with_interval(case.row, 1, unit, '+')})"
        )
    phrases = {"above": "longer", "below": "shorter", WITHIN: "the same", UNDECIDED: "no clear difference"}
    title = style.finding(f"Mean length against {base}", cases, phrases)
    if {case.kind for case in cases} not in ({"above"}, {"below"}):
        return title
    sizes = [abs(case.row["estimate"]) for case in cases]
    low, high = f"{min(sizes):.1f}", f"{max(sizes):.1f}"
    return f"{title}, by about {low if low == high else low + ' to ' + high} {unit}"


# -- ends -------------------------------------------------------------------------------------------------


def _ends(book):
    """Share of the games that end for each reason; rare reasons with their count."""
    reasons = list(dict.fromkeys(key[3] for key in book.rows if key[3].startswith(style.END)))
    if not reasons:
        return
    notes = [f"Bars at the marks: {INTERVALS}"]
    height = max(1.8, 0.24 * (len(book.names) + 0.8) * len(reasons))
    plan = Plan(_end_title(book, reasons), notes, [], height, 1.35, "", f"share of {book.unit} (%)")
    for page in _pages(book, plan):
        leftmost = min(axes.get_position().x0 for axes, *_ in page.panels)
        for axes, line_up, players in page.panels:
            _bars(axes, book, line_up, players, reasons)
            axes.set_xlim(0, 104)
            axes.tick_params(axis="x", length=3)
            axes.tick_params(axis="y", length=0, pad=9, labelleft=axes.get_position().x0 <= leftmost)
            axes.grid(axis="x")
        yield page


def _bars(axes, book, line_up, players, reasons):
    """A group of bars for each reason, a bar for each variant."""
    names = book.shown(line_up, players)
    step = len(names) + 0.8
    for place, reason in enumerate(reasons):
        for shift, name in enumerate(names):
            row = book.row(line_up, players, name, reason)
            if row and style.is_number(row["estimate"]):
                words = style.of_games(row, book.unit) if style.is_rare(row) else style.percent(row["estimate"])
                _bar(axes, row, place * step + shift, book.looks[name], _size(book), words)
    middles = [place * step + (len(names) - 1) / 2 for place in range(len(reasons))]
    words = [style.wrapped(style.measure_words(reason), 11) for reason in reasons]
    axes.set_yticks(middles, ["\n".join(lines) for lines in words])
    axes.set_ylim(step * len(reasons) - 0.9, -0.9)


def _bar(axes, row, y, look, size, words):
    """One share: a pale bar, the mark with its interval at its end, and the number in words."""
    share = 100 * row["estimate"]
    low, high = (100 * end for end in (min(_ends_of(row)), max(_ends_of(row))))
    axes.barh(y, share, height=0.72, color=look.colour, alpha=PALE, linewidth=0)
    axes.hlines(y, low, high, colors=look.colour, linewidth=2, zorder=3)
    axes.plot([share], [y], marker=look.marker, color=look.colour, markersize=size, clip_on=False, zorder=3)
    inside = share > 55
    axes.text(low - 3 if inside else high + 3, y, words, ha="right" if inside else "left", va="center_baseline", fontsize=10)


def _end_title(book, reasons):
    """The reasons by their share over all cases, the most frequent first."""
    parts = []
    for reason in reasons:
        shares = [row["estimate"] for key, row in book.rows.items() if key[3] == reason and style.is_number(row["estimate"])]
        if shares:
            parts.append((max(shares), _range_words(style.measure_words(reason), min(shares), max(shares))))
    parts.sort(reverse=True)
    return f"How {book.unit} end: " + ", ".join(words for _, words in parts)


def _range_words(words, low, high):
    """A reason with its share or its range of shares."""
    if high == 0:
        return f"{words} never"
    if low < style.RARE:
        return f"{words} " + (f"up to {style.percent(high)}" if high >= 0.0001 else "below 0.01 %")
    low, high = style.percent(low), style.percent(high)
    return f"{words} {low if low == high else low.removesuffix(' %') + ' to ' + high}"
