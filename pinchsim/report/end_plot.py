"""How games end: the share of each reason."""

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from pinchsim.report import style
from pinchsim.report.plot_pages import PALE, Book, Page, Plan, Row, ends_of, pages
from pinchsim.report.plot_style import INTERVALS


def end_pages(book: Book) -> Iterator[Page]:
    """Share of the games that end for each reason; rare reasons with their count."""
    reasons = list(dict.fromkeys(key[3] for key in book.rows if key[3].startswith(style.END)))
    if not reasons:
        return
    notes = [f"Bars at the marks: {INTERVALS}"]
    height = max(1.8, 0.24 * (len(book.names) + 0.8) * len(reasons))
    plan = Plan(_end_title(book, reasons), notes, [], height, 1.35, "", f"share of {book.unit} (%)")
    for page in pages(book, plan):
        leftmost = min(axes.get_position().x0 for axes, *_ in page.panels)
        for axes, line_up, players in page.panels:
            _bars(axes, book, line_up, players, reasons)
            axes.set_xlim(0, 104)
            axes.tick_params(axis="x", length=3)
            axes.tick_params(axis="y", length=0, pad=9, labelleft=axes.get_position().x0 <= leftmost)
            axes.grid(axis="x")
        yield page


def _bars(axes: Axes, book: Book, line_up: str, players: int, reasons: Sequence[str]) -> None:
    """A group of bars for each reason, a bar for each variant."""
    names = book.shown(line_up, players)
    step = len(names) + 0.8
    for place, reason in enumerate(reasons):
        for shift, name in enumerate(names):
            row = book.row(line_up, players, name, reason)
            if row and style.is_number(row["estimate"]):
                words = style.of_games(row, book.unit) if style.is_rare(row) else style.percent(row["estimate"])
                _bar(axes, row, place * step + shift, book.looks[name], book.mark_size, words)
    middles = [place * step + (len(names) - 1) / 2 for place in range(len(reasons))]
    words = [style.wrapped(style.measure_words(reason), 11) for reason in reasons]
    axes.set_yticks(middles, ["\n".join(lines) for lines in words])
    axes.set_ylim(step * len(reasons) - 0.9, -0.9)


def _bar(axes: Axes, row: Row, y: float, look: style.Look, size: float, words: str) -> None:
    """One share: a pale bar, the mark with its interval at its end, and the number in words."""
    share = 100 * row["estimate"]
    low, high = (100 * end for end in ends_of(row))
    axes.barh(y, share, height=0.72, color=look.colour, alpha=PALE, linewidth=0)
    axes.hlines(y, low, high, colors=look.colour, linewidth=2, zorder=3)
    axes.plot([share], [y], marker=look.marker, color=look.colour, markersize=size, clip_on=False, zorder=3)
    inside = share > 55
    axes.text(low - 3 if inside else high + 3, y, words, ha="right" if inside else "left", va="center_baseline", fontsize=10)


def _end_title(book: Book, reasons: Sequence[str]) -> str:
    """The reasons by their share over all cases, the most frequent first."""
    parts = []
    for reason in reasons:
        shares = [row["estimate"] for key, row in book.rows.items() if key[3] == reason and style.is_number(row["estimate"])]
        if shares:
            parts.append((max(shares), _range_words(style.measure_words(reason), min(shares), max(shares))))
    parts.sort(reverse=True)
    return f"How {book.unit} end: " + ", ".join(words for _, words in parts)


def _range_words(words: str, low: float, high: float) -> str:
    """A reason with its share or its range of shares."""
    if high == 0:
        return f"{words} never"
    if low < style.RARE:
        return f"{words} " + (f"up to {style.percent(high)}" if high >= 0.0001 else "below 0.01 %")
    least, most = style.percent(low), style.percent(high)
    return f"{words} {least if least == most else least.removesuffix(' %') + ' to ' + most}"
