"""A skill report as pictures: the ladder's ratings, what each doubling of strength is worth, and what noise does."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pinchsim.measure.ladder import ADVANTAGE, CHANGES, HOLDS
from pinchsim.measure.skill_report import MEMORY, TEMPERATURE, Found, Levels, NoiseFound, Trace, surely
from pinchsim.report import style
from pinchsim.report.plot_style import (
    BAND,
    BLUE,
    EDGE,
    FAIR,
    GREY,
    INTERVALS,
    LETTER,
    MINUS,
    Sheet,
    draw_mark,
    house_style,
    name_rows,
    save,
    write_beside,
)
from pinchsim.report.skill_table import amount, level_name, levels_words, percent, rating_words
from pinchsim.report.tournament_table import other_words

ROW = 0.42  # inches a level
ABOVE = 0.55  # inches over the panels, beside the title


def write_skill_plots(levels: Levels | None, traces: Sequence[Trace], noise: NoiseFound | None, folder: Path) -> list[Path]:
    """Draw what there is of a skill report as PNG and SVG: levels, trace and noise; returns the files."""
    draw: dict[str, Callable[[], Figure]] = {}
    if levels:
        draw["levels"] = lambda: _levels(levels)
    if traces:
        draw["trace"] = lambda: _traces(traces)
    if noise:
        draw["noise"] = lambda: _noise(noise)
    with house_style():
        return [path for stem, figure in draw.items() for path in save(figure(), folder, stem)]


def _mark(axes: Axes, x: float, found: Found, solid: bool) -> None:
    """A share with its interval in percent, upright."""
    draw_mark(axes, x, 100 * found.estimate, (100 * found.low, 100 * found.high), BLUE, hollow=not solid, upright=True)


def _where(found: Levels | Trace | NoiseFound) -> str:
    return f"{style.clean(found.variant)}, {found.players} players"


def _size(found: Sequence[Found | None]) -> str:
    sizes = sorted({(f.games, f.decks) for f in found if f})
    return " or ".join(style.size_words(f"{games:,}", f"{decks:,}", "games") for games, decks in sizes)


# -- the ladder -------------------------------------------------------------------------------------------


def _levels(levels: Levels) -> Figure:
    """Ratings of the levels, the strongest on top, with their numbers beside them."""
    n, names = len(levels.names), [level_name(levels, k) for k in range(len(levels.names))]
    left = EDGE + 0.25 + LETTER * max(map(len, names))
    width = left + 7.2
    games = " or ".join(f"{number:,}" for number in levels.games)
    decks = " or ".join(f"{number:,}" for number in levels.decks)
    others = other_words(levels.players)
    note = (
        f"Elo points above {style.clean(levels.names[levels.reference])}, the weakest credible level: 400 more are "
        f"odds of 10 to 1 that one of two wins. On the right the win share of one player against {others} of the level below; "
        f"fair are {style.plain(100 / levels.players)} %. {INTERVALS} Each table: {style.size_words(games, decks, 'games')}."
    )
    if not all(levels.credible):
        note += " Hollow and in brackets: no credible play."
    told = levels_words(levels).partition(":")[0]
    sheet = Sheet(f"{_where(levels)}: {told}", note, width, ROW * n + 0.1, ABOVE, 0.75)
    room = width - left - 3.3
    axes = sheet.panel((left, 0, room, ROW * n + 0.1))
    axes.axvline(0, **FAIR)
    for k in range(n):
        elo, half = float(levels.ratings.elo[k]), levels.halves[k]
        draw_mark(axes, elo, k, (elo - half, elo + half), BLUE, hollow=not levels.credible[k])
        above = levels.above[k]
        _beside(axes, k, rating_words(levels, k), 78)
        _beside(axes, k, percent(above) if above else "", 228)
    _beside(axes, n - 0.35, "rating", 78, GREY)
    _beside(axes, n - 0.35, "against level below", 228, GREY)
    name_rows(axes, names, 0.06)
    axes.set_ylim(-0.5, n - 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.set_xlabel("Rating (Elo points)")
    return sheet.figure


def _beside(axes: Axes, y: float, words: str, offset: int, colour: str = "black") -> None:
    write_beside(axes, y, words.replace("-", MINUS), offset, align="right", colour=colour)


# -- traces -----------------------------------------------------------------------------------------------


def _traces(traces: Sequence[Trace]) -> Figure:
    """A panel a trace: the win share of each step, by the effort that it leads to."""
    players, height, panel, left, between = traces[0].players, 3.1, 4.1, 0.85, 0.45
    fair = 100 / players
    width = left + len(traces) * (panel + between) - between + 0.25
    sizes = " and ".join(f"{_size(trace.found)} for each step of {_name(trace)}" for trace in traces)
    note = (
        f"Win share of one player against {other_words(players)} of the step before; hollow: a step from or to 0, "
        f"which is no doubling. Dashed: a fair share, {style.plain(fair)} %; green: within "
        f"{style.margin_words(traces[0].margin)} of it. {INTERVALS} n = {sizes}."
    )
    titles = "; ".join(_trace_title(trace) for trace in traces)
    sheet = Sheet(f"{_where(traces[0])}: {titles}", note, width, height + 0.1, ABOVE, 0.85)
    ends = [100 * x for trace in traces for f in trace.found for x in f[:3] if math.isfinite(x)]
    low, high = min([*ends, fair - 5]), max([*ends, fair + 5])
    for place, trace in enumerate(traces):
        axes = sheet.panel((left + place * (panel + between), 0, panel, height))
        margin = 100 * trace.margin
        axes.axhspan(fair - margin, fair + margin, color=BAND, linewidth=0, zorder=0)
        axes.axhline(fair, **FAIR)
        places = _places(trace)
        joined = [(x, 100 * f.estimate) for x, s, f in zip(places, trace.steps, trace.found, strict=True) if s.is_doubling]
        axes.plot(*zip(*joined, strict=True), color=BLUE, linewidth=1, alpha=0.35, zorder=2)
        for x, step, found in zip(places, trace.steps, trace.found, strict=True):
            _mark(axes, x, found, step.is_doubling)
        axes.set_xticks(places, [amount(trace, step.effort) for step in trace.steps])
        axes.set_xlim(min(places) - 0.5, max(places) + 0.5)
        axes.set_ylim(max(low - 0.06 * (high - low), 0), high + 0.06 * (high - low))
        axes.tick_params(axis="y", labelleft=place == 0, length=3 if place == 0 else 0)
        axes.set_title(f"{_name(trace)}: {_climb(trace)}", loc="left", fontsize=12)
        axes.set_xlabel(f"{'temperature' if trace.kind == TEMPERATURE else _unit(trace)} of that player", loc="left")
        axes.set_ylabel("win share against the step before (%)" if place == 0 else "")
        axes.grid(axis="y")
    return sheet.figure


def _places(trace: Trace) -> list[float]:
    """Where each step stands: log2 of its effort; an endless one beside the last."""
    finite = [math.log2(step.effort) for step in trace.steps if math.isfinite(step.effort)]
    beyond = (max(finite) if finite else 0.0) + 1
    return [math.log2(step.effort) if math.isfinite(step.effort) else beyond for step in trace.steps]


def _name(trace: Trace) -> str:
    return style.clean(trace.steps[-1].strategy).split(":")[0]


def _unit(trace: Trace) -> str:
    return style.clean(trace.unit) or "effort"


def _climb(trace: Trace) -> str:
    return "half the temperature each step" if trace.kind == TEMPERATURE else f"twice the {_unit(trace)} each step"


def _trace_title(trace: Trace) -> str:
    """What a trace shows, in a few words."""
    sure = sum(surely(trace.found, trace.players, 1))
    act = "halvings of the temperature" if trace.kind == TEMPERATURE else f"steps up in {_unit(trace)}"
    return f"{sure or 'none'} of {len(trace.steps)} {act} surely gain{'' if sure else 's'}"


# -- noise ------------------------------------------------------------------------------------------------


def _noise(noise: NoiseFound) -> Figure:
    """Above what one noisy player wins, below the start player's advantage where all are noisy; a column a kind of noise."""
    kinds = [kind for kind in (TEMPERATURE, MEMORY) if any(own.kind == kind for own in noise.noises)]
    spots = {kind: [0, *(k for k, own in enumerate(noise.noises) if own.kind == kind)] for kind in kinds}
    height, left, between, gap, unit = 2.35, 0.95, 0.5, 0.6, 0.62
    widths = [max(1.9, unit * len(spots[kind])) for kind in kinds]
    width = max(left + sum(widths) + between * (len(kinds) - 1) + 0.25, 6.5)
    others, fair = other_words(noise.players), 100 / noise.players
    note = (
        f"Above: one noisy player against {others} clean; dashed: a fair share, {style.plain(fair)} %. Below: all are noisy; "
        f"green: within {style.margin_words(noise.margin)} of fair. Hollow: clean play. {INTERVALS} n = "
        f"{_size([*noise.shares, *(m[ADVANTAGE] for m in noise.mirrors)])} for each mark."
    )
    sheet = Sheet(f"{_where(noise)}: {_noise_title(noise)}", note, width, 2 * height + gap + 0.1, ABOVE, 0.85)
    shares = [f or Found(fair / 100, fair / 100, fair / 100, 0, 0) for f in noise.shares]
    advantages = [mirror[ADVANTAGE] for mirror in noise.mirrors]
    top, low = _reach(shares, [fair, 0]), _reach(advantages, [-150 * noise.margin, 150 * noise.margin])
    at = left
    for place, (kind, wide) in enumerate(zip(kinds, widths, strict=True)):
        upper, lower = sheet.panel((at, height + gap, wide, height)), sheet.panel((at, 0, wide, height))
        upper.axhline(fair, **FAIR)
        lower.axhspan(-100 * noise.margin, 100 * noise.margin, color=BAND, linewidth=0, zorder=0)
        lower.axhline(0, **FAIR)
        for axes, found, ends in ((upper, shares, top), (lower, advantages, low)):
            heights = [100 * found[k].estimate for k in spots[kind]]
            axes.plot(range(len(heights)), heights, color=BLUE, linewidth=1, alpha=0.35, zorder=2)
            for x, k in enumerate(spots[kind]):
                _mark(axes, x, found[k], k > 0)
            clean = "0" if kind == TEMPERATURE else "1"
            axes.set_xticks(range(len(heights)), [clean, *(f"{noise.noises[k].value:g}" for k in spots[kind][1:])])
            axes.set_xlim(-0.5, len(heights) - 0.5)
            axes.set_ylim(*ends)
            axes.tick_params(axis="y", labelleft=place == 0, length=3 if place == 0 else 0)
            axes.grid(axis="y")
        upper.set_title("softmax noise" if kind == TEMPERATURE else "short memory", loc="left", fontsize=12)
        lower.set_xlabel("temperature" if kind == TEMPERATURE else "share remembered", loc="left")
        upper.set_ylabel("win share of one (%)" if place == 0 else "")
        lower.set_ylabel("start player's\nadvantage, all (pp)" if place == 0 else "")
        at += wide + between
    return sheet.figure


def _reach(found: Sequence[Found], also: Sequence[float]) -> tuple[float, float]:
    """Ends of a y axis in percent: all intervals, with some air."""
    ends = [100 * x for f in found for x in f[:3] if math.isfinite(x)] + list(also)
    low, high = min(ends), max(ends)
    air = 0.08 * max(high - low, 1e-9)
    return low - air, high + air


def _noise_title(noise: NoiseFound) -> str:
    """What noise costs at most, and whether the verdict on the start player holds for beginners."""
    fair = 1 / noise.players
    sure = surely(noise.shares, noise.players, -1)
    costs = [100 * (fair - f.estimate) for f, is_sure in zip(noise.shares, sure, strict=True) if f and is_sure]
    cost = f"noise costs a player up to {max(costs):.1f} pp" if costs else "no noise here surely costs anything"
    balance = {
        HOLDS: "beginners need no other verdict on the start player",
        CHANGES: "the start player's verdict changes with noise",
    }
    return f"{cost}; {balance.get(noise.robust, 'the start player is not decided for all')}"
