"""Pages of a run's pictures: columns of panels by number of players, rows by line-up, under one title and legend."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pinchsim.measure.summary import Summary
from pinchsim.report import style
from pinchsim.report.plot_style import CLOSE, WIDE_TITLE, Sheet, variant_handle

Row = dict[str, Any]
Counts = tuple[list[float], list[int]]  # values, ascending, and how often each was counted
Panel = tuple[Axes, str, int]  # with its line-up and number of players
MOST_PANELS = 4  # columns and rows of one page; what is left goes to further pages
BETWEEN = 0.65  # inches between two columns of panels
PALE = 0.3


class Page(NamedTuple):
    """One figure and its panels, each with the line-up and the number of players that it shows."""

    figure: Figure
    panels: list[Panel]


class Plan(NamedTuple):
    """What the pages of one figure have in common; `height` and `left` (the margin) in inches."""

    title: str
    notes: list[str]
    handles: list[Artist]
    height: float
    left: float
    ylabel: str
    xlabel: str
    heading: Callable[[int], str] = "{} players".format


class Legend(NamedTuple):
    """The entries of a page's legend, their labels broken into lines, and how many lines that takes in all."""

    handles: list[Artist]
    labels: list[str]
    per_row: int
    lines: int


class Book(NamedTuple):
    """A summary made ready for drawing."""

    summary: Summary
    names: list[str]
    looks: dict[str, style.Look]
    rows: dict[tuple, Row]
    counts: dict[tuple, Counts]

    def row(self, line_up: str, players: int, name: str, measure: str, position: int = -1) -> Row | None:
        """One row of the estimates, or None."""
        return self.rows.get((line_up, players, name, measure, position))

    @property
    def unit(self) -> str:
        """What was played: games, or sessions of several games."""
        return style.unit(self.summary.estimates)

    @property
    def mark_size(self) -> float:
        """Size of the marks: smaller where many variants stand side by side."""
        return 7 if len(self.names) <= 3 else 5.5

    def shown(self, line_up: str, players: int) -> list[str]:
        """The variants that one panel has to show."""
        played = {key[2] for key in self.rows if key[:2] == (line_up, players)}
        return [name for name in self.names if name in played]

    def unit_of(self, measure: str) -> str:
        """The unit of a measure."""
        return style.clean(next((row["unit"] for key, row in self.rows.items() if key[3] == measure), measure))


def make_book(summary: Summary) -> Book:
    """The rows of a summary by what they are about, and how each variant looks."""
    names = style.variants(summary)
    return Book(summary, names, style.looks(names, summary.base), style.by_key(summary.estimates), _counts(summary))


def _counts(summary: Summary) -> dict[tuple, Counts]:
    """Histograms, found by the same keys as the estimates."""
    keys = ["line_up", "players", "variant", "measure", "position"]
    parts = summary.histograms.sort("value").partition_by(keys, as_dict=True, include_key=False)
    return {key: (part["value"].to_list(), part["count"].to_list()) for key, part in parts.items()}


def quantile(counts: Counts, share: float) -> float:
    """The smallest value that at least this share of the counts does not exceed."""
    values, numbers = counts
    left = share * sum(numbers) * (1 - 1e-12)  # 0.95 * 20 must not come out above 19
    for value, number in zip(values, numbers, strict=True):
        left -= number
        if left <= 0:
            return value
    return values[-1]


def ends_of(row: Row) -> tuple[float, float]:
    """The interval of a row, or its estimate alone."""
    return (row["low"], row["high"]) if style.has_interval(row) else (row["estimate"], row["estimate"])


# -- pages ------------------------------------------------------------------------------------------------


def pages(book: Book, plan: Plan) -> Iterator[Page]:
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


def _page(book: Book, plan: Plan, grid: dict[int, list[str]]) -> Page:
    """One page: what stands around the panels, then the panels. All sizes are inches."""
    panel = {1: 6.4, 2: 4.2}.get(len(grid), 3.5)
    width = plan.left + len(grid) * (panel + BETWEEN) - BETWEEN + 0.3
    headings = {
        (line_up, players): _heading(book, plan, line_up, players, panel)
        for players, line_ups in grid.items()
        for line_up in line_ups
    }
    over = 0.15 + 0.2 * max(len(lines) for lines in headings.values())
    step = plan.height + 0.65 + over  # from a row of panels to the next
    rows = max(len(line_ups) for line_ups in grid.values())
    legend = _legend(book, plan, width)
    note = "\n".join([*plan.notes, _size_note(book)])
    height = (rows - 1) * step + plan.height
    sheet = Sheet(plan.title, note, width, height, 0.35 + 0.25 * legend.lines + over, 0.75, WIDE_TITLE)
    sheet.write_legend(legend.handles, legend.labels, legend.per_row, **CLOSE)
    panels: list[Panel] = []
    for x, (players, line_ups) in enumerate(grid.items()):
        for y, line_up in enumerate(line_ups):
            axes = sheet.panel((plan.left + x * (panel + BETWEEN), (rows - 1 - y) * step, panel, plan.height))
            axes.set_title("\n".join(headings[line_up, players]), loc="left", fontsize=12)
            axes.set_ylabel(plan.ylabel if x == 0 else "")
            axes.set_xlabel(plan.xlabel if y == len(line_ups) - 1 else "")
            panels.append((axes, line_up, players))
    return Page(sheet.figure, panels)


def _heading(book: Book, plan: Plan, line_up: str, players: int, panel: float) -> list[str]:
    """The lines over a panel: players, and the line-up where there are several."""
    if len({key[0] for key in book.rows}) == 1:
        return [plan.heading(players)]
    return [plan.heading(players), *style.wrapped(style.line_up_words(line_up, players), int(panel * 9.5))]


def _legend(book: Book, plan: Plan, width: float) -> Legend:
    """The variants and what else the plan explains, for a page of a width in inches."""
    handles = [*(variant_handle(name, book.looks[name]) for name in book.names), *plan.handles]
    labels = ["\n".join(style.wrapped(str(handle.get_label()), int(width * 9))) for handle in handles]
    per_row = _per_row([max(map(len, label.split("\n"))) for label in labels], width)
    lines = -(-len(labels) // per_row) + sum(label.count("\n") for label in labels)
    return Legend(handles, labels, per_row, lines)


def _per_row(lengths: Sequence[int], width: float) -> int:
    """How many legend entries of these lengths (letters) stand side by side; columns are filled in turn."""
    for deep in range(1, len(lengths)):
        columns = [max(lengths[place : place + deep]) for place in range(0, len(lengths), deep)]
        if sum(0.5 + 0.09 * column for column in columns) < width - 0.3:
            return -(-len(lengths) // deep)
    return 1


def _size_note(book: Book) -> str:
    """How many games stand behind a variant in a panel."""
    cases = {key[:3]: row for key, row in book.rows.items()}
    sizes = {(row["games"], row["decks"]) for row in cases.values()}
    games, decks = ([min(part), max(part)] for part in zip(*sizes, strict=True))
    many_games, many_decks = (f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in (games, decks))
    note = f"n = {style.size_words(many_games, many_decks, book.unit)}"
    note += " for each variant and panel." if len(cases) > 1 else "."
    line_ups = {key[0] for key in cases}
    if len(line_ups) == 1:
        note += f" Line-up: {style.line_up_words(line_ups.pop())}."
    return note + ("" if book.summary.complete else f" The run was interrupted: {book.unit} finished so far.")
