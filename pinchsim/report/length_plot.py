"""How long games are: how many are over by a number of turns."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.plot_pages import Book, Counts, Page, Plan, pages, quantile


def length_pages(book: Book) -> Iterator[Page]:
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
    xlabel = f"length ({book.unit_of(style.LENGTH)}{', log scale' if scale == 'log' else ''})"
    plan = Plan(_length_title(book, chosen), notes, [], 3.0, 0.85, f"{book.unit} over (%)", xlabel)
    for page in pages(book, plan):
        for axes, line_up, players in page.panels:
            axes.set_xscale(scale)
            axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
            axes.set_xticks([], minor=True)
            axes.set_xlim(ticks[0], edge)
            pairs = {name: chosen.get((line_up, players, name, style.LENGTH, -1)) for name in book.names}
            _curves(axes, book, {name: pair for name, pair in pairs.items() if pair})
        yield page


def _curves(axes: Axes, book: Book, pairs: dict[str, Counts]) -> None:
    """One step curve a variant, its three marks, and their numbers in the empty corner.

    Each curve is drawn thinner than the one before: where two are equal, both are seen.
    """
    lines: list[Line2D] = []
    marks: list[list[float]] = []
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
        marks.append([quantile((values, counts), share) for share in (0.05, 0.5, 0.95)])
        lines += axes.plot(
            marks[-1], [5, 50, 95], linestyle="none", marker=look.marker, color=look.colour, markersize=book.mark_size
        )
    axes.set_yticks([5, 25, 50, 75, 95])
    axes.set_ylim(0, 101)
    axes.grid(True)
    axes.tick_params(length=3)
    if lines:
        _write_numbers(axes, lines, marks)


def _write_numbers(axes: Axes, lines: list[Line2D], marks: list[list[float]]) -> None:
    """The three marks of each curve as numbers, in the corner that the curves leave empty."""
    labels = [" / ".join(f"{mark:,.0f}" for mark in three) for three in marks]
    middle = axes.transData.transform((max(three[1] for three in marks), 0))
    axes.legend(
        lines,
        labels,
        loc="lower right" if axes.transAxes.inverted().transform(middle)[0] < 0.62 else "upper left",
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


def _length_axis(pairs: Sequence[Counts]) -> tuple[float, list[float], str]:
    """End, ticks and scale of the x axis: it ends at the longest game, unless that lies far off the rest.

    Where more than 5 % of the games lie far off, only a logarithmic scale shows them and the rest.
    """
    marks = [[quantile(pair, share) for share in (0.05, 0.5, 0.95)] for pair in pairs]
    far = [high + max(high - low, 1) for low, _, high in marks]
    edge = 1.02 * max(min(pair[0][-1], end) for pair, end in zip(pairs, far, strict=True))
    if edge <= 5 * max(middle for _, middle, _ in marks):
        return edge, [tick for tick in MaxNLocator(6).tick_values(0, edge) if tick <= edge], "linear"
    steps = [step * 10**power for power in range(6) for step in (1, 2, 5)]
    first = max(1, min(pair[0][0] for pair in pairs))
    start = max(step for step in steps if step <= first)
    return edge, [step for step in steps if start <= step <= edge], "log"


def _beyond_note(book: Book, chosen: dict[tuple, Counts], edge: float) -> list[str]:
    """What the x axis leaves out, if it leaves out anything."""
    shares = [sum(count for value, count in zip(*pair, strict=True) if value > edge) / sum(pair[1]) for pair in chosen.values()]
    longest = max(pair[0][-1] for pair in chosen.values())
    if not any(shares):
        return []
    most = style.percent(max(shares), 2)
    return [
        f"Beyond the right edge: {most} of a variant's {book.unit} at most; the longest took "
        f"{longest:,.0f} {book.unit_of(style.LENGTH)}."
    ]


def _length_title(book: Book, chosen: dict[tuple, Counts]) -> str:
    """The quantiles of a single case; for several the means against the base, or the range of medians."""
    unit = book.unit_of(style.LENGTH)
    if len(chosen) == 1:
        (_, players, name, *_), pair = next(iter(chosen.items()))
        half, most = quantile(pair, 0.5), quantile(pair, 0.95)
        return (
            f"{style.sentence_name(name)}, {players} players: half of the {book.unit} are over within "
            f"{half:,.0f} {unit}, 95 % within {most:,.0f}"
        )
    cases = style.cases(book.summary.differences, style.LENGTH, style.sign_kind)
    if cases:
        return _change_title(cases, style.clean(book.summary.base or "the base"), unit, book.unit.removesuffix("s"))
    medians = [quantile(pair, 0.5) for pair in chosen.values()]
    low, high = f"{min(medians):,.0f}", f"{max(medians):,.0f}"
    return f"Half of the {book.unit} are over within {low if low == high else low + ' to ' + high} {unit}"


def _change_title(cases: Sequence[style.Case], base: str, unit: str, what: str) -> str:
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
