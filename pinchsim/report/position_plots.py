"""What each position in turn order gets: the share of the wins, and the score with its spread."""

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.plot_pages import PALE, Book, Page, Plan, ends_of, pages, quantile
from pinchsim.report.plot_style import BAND, FAIR, GREY, INTERVALS, fair_heading

WINS, SCORE = "win_share", "score"
XLABEL = "position in turn order"
ORDINALS = {2: "2nd", 3: "3rd"}
MOST_NAMED = 5  # positions beside which there is room for "start player"


# -- win share --------------------------------------------------------------------------------------------


def win_share_pages(book: Book) -> Iterator[Page]:
    """Win share by position, against the fair share and the margin."""
    margin = book.summary.margin
    rows = [row for row in book.rows.values() if row["measure"] == WINS and style.is_number(row["estimate"])]
    if not rows:
        return
    reach = max(abs(end - 1 / row["players"]) for row in rows for end in ends_of(row))
    reach = 1.12 * max(1.5 * margin, reach)
    cases = style.cases(book.summary.estimates, style.ADVANTAGE, lambda row: style.start_kind(row, margin))
    title = style.start_finding(cases, margin) if cases else "Win share by position"
    handles = [
        Line2D([], [], color=GREY, linewidth=1, linestyle="--", label="fair share"),
        Patch(color=BAND, label=f"margin for the start player: ±{style.margin_words(margin)}"),
    ]
    notes = [f"Bars: {INTERVALS} A shared win counts in equal parts."]
    plan = Plan(title, notes, [*handles], 3.0, 0.85, "win share (%)", XLABEL, fair_heading)
    for page in pages(book, plan):
        for axes, line_up, players in page.panels:
            fair = 1 / players
            axes.axhline(100 * fair, **FAIR)
            axes.fill_between([-0.45, 0.45], 100 * (fair - margin), 100 * (fair + margin), color=BAND, linewidth=0, zorder=0.4)
            _intervals(axes, book, line_up, players, WINS, 100)
            axes.set_ylim(100 * max(0, fair - reach), 100 * min(1, fair + reach))
        yield page


# -- scores -----------------------------------------------------------------------------------------------


def score_pages(book: Book) -> Iterator[Page]:
    """Scores by position: the mean with its interval over the middle half and middle 90 % of the results."""
    chosen = [counts for key, counts in book.counts.items() if key[3] == SCORE]
    if not chosen:
        return
    spans = [(quantile(counts, 0.05), quantile(counts, 0.95)) for counts in chosen]
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    handles = [
        Line2D([], [], color=GREY, linewidth=7, alpha=PALE, solid_capstyle="butt", label="middle half of the scores"),
        Line2D([], [], color=GREY, linewidth=1.6, alpha=2 * PALE, label="middle 90 %"),
    ]
    notes = [f"Marks: means with {INTERVALS} White line: median. Pale bars: the spread from game to game."]
    plan = Plan(_score_title(book), notes, [*handles], 3.0, 0.85, f"score ({book.unit_of(SCORE)})", XLABEL)
    for page in pages(book, plan):
        for axes, line_up, players in page.panels:
            for name, shift in _offsets(book.shown(line_up, players)).items():
                _boxes(axes, book, line_up, players, name, shift)
            _intervals(axes, book, line_up, players, SCORE, 1)
            axes.set_ylim(low - 0.05 * (high - low) - 0.5, high + 0.05 * (high - low) + 0.5)
        yield page


def _boxes(axes: Axes, book: Book, line_up: str, players: int, name: str, shift: float) -> None:
    """How one variant's scores vary, by position: a thin bar, a thick bar and a white line at the median."""
    found = {place: book.counts.get((line_up, players, name, SCORE, place)) for place in range(players)}
    scores = {place + shift: counts for place, counts in found.items() if counts}
    if scores:
        x, colour, shares = list(scores), book.looks[name].colour, (0.05, 0.25, 0.5, 0.75, 0.95)
        marks = [[quantile(counts, share) for counts in scores.values()] for share in shares]
        size = book.mark_size
        axes.vlines(x, marks[0], marks[4], colors=colour, linewidth=1.6, alpha=2 * PALE)
        axes.vlines(x, marks[1], marks[3], colors=colour, linewidth=size, alpha=PALE)
        axes.plot(x, marks[2], linestyle="none", marker="_", color="white", markersize=size, markeredgewidth=1.5)


def _score_title(book: Book) -> str:
    """What the intervals say about the start player's score."""
    cases = style.cases(book.summary.estimates, style.SCORE_ADVANTAGE, style.sign_kind)
    phrases = {"above": "higher", "below": "lower", WITHIN: "the same", UNDECIDED: "no clear difference"}
    if not cases:
        return "Scores by position"
    if len(cases) > 1:
        return style.finding("Start player's mean score against the others", cases, phrases)
    case, unit = cases[0], book.unit_of(style.SCORE_ADVANTAGE)
    who = f"{style.sentence_name(case.variant)}, {case.players} players: the start player's mean score is"
    size = style.with_interval(case.row, 1, unit, "+")
    if case.kind in ("above", "below"):
        return f"{who} {phrases[case.kind]} than the others' ({size})"
    return f"{who} not clearly different from the others' ({size})"


# -- both -------------------------------------------------------------------------------------------------


def _offsets(names: Sequence[str]) -> dict[str, float]:
    """Sideways shift by variant, so that marks of the same position do not hide each other."""
    step = min(0.2, 0.76 / len(names))
    return {name: step * (place - (len(names) - 1) / 2) for place, name in enumerate(names)}


def _intervals(axes: Axes, book: Book, line_up: str, players: int, measure: str, scale: float) -> None:
    """Estimates by position as marks with their intervals."""
    for name, shift in _offsets(book.shown(line_up, players)).items():
        found = [book.row(line_up, players, name, measure, place) for place in range(players)]
        rows = [row for row in found if row and style.is_number(row["estimate"])]
        if rows:
            x, look = [row["position"] + shift for row in rows], book.looks[name]
            low, high = ([scale * ends_of(row)[end] for row in rows] for end in (0, 1))
            axes.vlines(x, low, high, colors=look.colour, linewidth=2, zorder=3)
            y = [scale * row["estimate"] for row in rows]
            axes.plot(
                x, y, linestyle="none", marker=look.marker, color=look.colour, markersize=book.mark_size, zorder=3
            )  # fmt: skip
    _position_axis(axes, players)


def _position_axis(axes: Axes, players: int) -> None:
    """Positions along the x axis; the lines along y are the only grid."""
    axes.set_xticks(range(players), position_names(players))
    axes.set_xlim(-0.5, players - 0.5)
    axes.tick_params(length=3)
    axes.grid(axis="y")


def position_names(players: int) -> list[str]:
    """Positions as words: "start player", "2nd", "3rd"."""
    first = "start player" if players <= MOST_NAMED else "start"
    return [first, *(ORDINALS.get(place, f"{place}th") for place in range(2, players + 1))]
