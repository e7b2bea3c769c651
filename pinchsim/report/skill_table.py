"""A skill report for the terminal: tables of the ladder, the traces and the noise, each with what it says in sentences."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.ladder import ABOVE, ADVANTAGE, BELOW, CHANGES, HOLDS
from pinchsim.measure.moments import Z95
from pinchsim.measure.skill import DUEL_60, DUEL_75, FALLING, LEVEL_OFF, RISING
from pinchsim.measure.skill_report import (
    CLEAN,
    EFFORT,
    MEMORY,
    TEMPERATURE,
    Found,
    Levels,
    Noise,
    NoiseFound,
    Step,
    Trace,
    surely,
)
from pinchsim.measure.verdict import UNDECIDED, WITHIN
from pinchsim.report import style
from pinchsim.report.layout import first_fitting, fitted, folded
from pinchsim.report.stopping import worth_of_each, worth_words
from pinchsim.report.table import WIDTH, say
from pinchsim.report.tournament_table import other_words

NAME = 26  # columns of a name; a longer one goes over several lines
NBSP = "\N{NO-BREAK SPACE}"
ARROW = "\N{RIGHTWARDS ARROW}"
MOST_ENDS = 2  # columns of endings
SEEN = 0.001  # an ending rarer than this at every noise has no column
WHOLE = 99.95  # percent of chess that are all of it
WORTH_TELLING = 2.0  # percentage points by which the ratings miss a win share
ALIKE = {ABOVE: "above", BELOW: "below", WITHIN: "within", UNDECIDED: "undecided"}
LOOKS = {ABOVE: "bold red", BELOW: "bold red", WITHIN: "green", UNDECIDED: "yellow"}


def print_skill(
    levels: Levels | None, traces: Sequence[Trace], noise: NoiseFound | None, unfinished: Sequence[str], console: Console
) -> None:
    """Print what a skill report found; parts that are not there are left out.

    Parameters
    ----------
    levels, traces, noise
        See `pinchsim.measure.skill_report`.
    unfinished
        Runs that were interrupted.
    console
        Where to print; at most 80 columns are used.
    """
    width = min(console.width, WIDTH)
    if unfinished:
        words = f"The run was interrupted: what needs {style.listed(unfinished)} is missing."
        say(console, words, width, "bold yellow")
    if levels:
        _print_part(console, width, _ladder_heading(levels), [_ladder_table(levels)], ladder_sentences(levels))
    if traces:
        console.print()
        first = traces[0]
        heading = f"Skill trace: one against {_others(first.players)} of the level below"
        say(console, f"{_where(first)}. {heading}", width, "bold")
        for trace in traces:
            console.print()
            say(console, f"{_climb(trace)}; {_sizes(trace.found)} a step", width)
            console.print()
            console.print(_trace_table(trace, width))
        console.print()
        for sentence in (words for trace in traces for words in trace_sentences(trace)):
            say(console, f"- {sentence}", width, indent="  ")
    if noise:
        _print_part(console, width, _noise_heading(noise), [_one_table(noise), _all_table(noise)], noise_sentences(noise))
    notes = _notes(levels, traces, noise)
    if notes:
        console.print()
        say(console, " ".join(filter(None, notes)), width, "dim")


def _print_part(
    console: Console, width: int, heading: tuple[str, str], tables: Sequence[Table], sentences: Sequence[str]
) -> None:
    console.print()
    say(console, heading[0], width, "bold")
    say(console, heading[1], width)
    for table in tables:
        console.print()
        console.print(fitted(table, width))
    console.print()
    for sentence in sentences:
        say(console, f"- {sentence}", width, indent="  ")


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)


def _where(found: Levels | Trace | NoiseFound) -> str:
    return f"{style.clean(found.variant)}, {found.players} players"


def _others(players: int) -> str:
    return other_words(players)


def percent(found: Found) -> str:
    """A win share in percent with its interval."""
    row = found._asdict()
    if not style.has_interval(row):
        return f"{100 * found.estimate:.1f} %"
    digits = 2 if found.estimate < 0.01 else 1
    if style.is_lopsided(row):
        return f"{100 * found.estimate:.{digits}f} % ({100 * found.low:.{digits}f} to {100 * found.high:.{digits}f})"
    return f"{100 * found.estimate:.{digits}f} ± {max(100 * style.half_width(row), 10**-digits):.{digits}f} %"


def points(found: Found, players: int) -> str:
    """A win share less a fair one, in percentage points, with its interval."""
    fair = 1 / players
    row = {name: getattr(found, name) - fair for name in ("estimate", "low", "high")}
    words = style.with_interval(row, 100, "pp", "+", 1)
    return words[1:] if words.startswith(("-0.0 ", "+0.0 ")) else words


def compact(found: Found, scale: float = 1, sign: str = "") -> str:
    """A number and its interval where room is short: the longer of the interval's arms stands for both."""
    half = scale * max(found.high - found.estimate, found.estimate - found.low)
    return f"{scale * found.estimate:{sign}.1f} ± " + (f"{max(half, 0.1):.1f}" if math.isfinite(half) else "?")


def elo_words(found: Found) -> str:
    """Elo points with their interval; without bounds where nothing, or everything, was won."""
    if not math.isfinite(found.estimate):
        return f"below {found.high:+.0f}" if found.estimate < 0 else f"above {found.low:+.0f}"
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return f"{found.estimate:+.0f} ± ?"
    if style.is_lopsided(found._asdict()):
        return f"{found.estimate:+.0f} ({found.low:+.0f} to {found.high:+.0f})"
    return f"{found.estimate:+.0f} ± {max((found.high - found.low) / 2, 1):.0f}"


def _worth(found: Found | None) -> str:
    """What a game was worth for a number, if that is known."""
    return worth_words(found._asdict() if found else None)


def _sizes(found: Sequence[Found | None]) -> str:
    """Games and decks, which all of these have alike."""
    sizes = sorted({(f.games, f.decks) for f in found if f})
    return " or ".join(style.size_words(f"{games:,}", f"{decks:,}", "games") for games, decks in sizes)


# -- the ladder -------------------------------------------------------------------------------------------


def _ladder_heading(levels: Levels) -> tuple[str, str]:
    others = _others(levels.players)
    games, decks = (" or ".join(f"{n:,}" for n in numbers) for numbers in (levels.games, levels.decks))
    return (
        f"{_where(levels)}. The ladder: one of each level against {others} of each other",
        f"{levels.tables} tables, each of {style.size_words(games, decks, 'games')}",
    )


def level_name(levels: Levels, k: int) -> str:
    """A level's name, in brackets if it is not credible."""
    name = style.clean(levels.names[k])
    return name if levels.credible[k] else f"({name})"


def rating_words(levels: Levels, k: int) -> str:
    """A rating with its interval."""
    if k == levels.reference:
        return "0"
    if levels.ratings.tiers[k] != levels.ratings.tiers[levels.reference] or not math.isfinite(levels.halves[k]):
        return f"{levels.ratings.elo[k]:+.0f} ± ?"
    return f"{levels.ratings.elo[k]:+.0f} ± {max(levels.halves[k], 1):.0f}"


def _ladder_table(levels: Levels) -> Table:
    table = _table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("level")
    table.add_column("rating\n(Elo points)", justify="right", no_wrap=True)
    below = (
        "duels with the\nlevel below" if levels.players == 2 else f"one against {_others(levels.players)}\nof the level below"
    )
    table.add_column(below, justify="right", no_wrap=True)
    table.add_column("worth", justify="right", no_wrap=True)
    for k in reversed(range(len(levels.names))):
        above = levels.above[k]
        look = "" if levels.credible[k] else "dim"
        cells = [str(k + 1), folded(level_name(levels, k), NAME), rating_words(levels, k), percent(above) if above else ""]
        table.add_row(*(Text(cell, look) for cell in (*cells, _worth(above))))
    return table


def ladder_sentences(levels: Levels) -> list[str]:
    """What the ladder says."""
    words = levels_words(levels)
    said = [f"{words[:1].upper()}{words[1:]}."]
    for k in (k for k, sure in enumerate(surely(levels.above, levels.players, -1)) if sure):
        one, below = style.clean(levels.names[k]), style.clean(levels.names[k - 1])
        said.append(f"The ladder is out of order: {one} surely wins less than its share against {below}, the level below.")
    weak, strong = style.clean(levels.names[levels.reference]), style.clean(levels.names[-1])
    if levels.reference != len(levels.names) - 1:
        said.append(_depth_words(levels, weak, strong))
    spread = levels.spread
    if math.isfinite(spread.elo) and sum(levels.credible) > 1:
        credible = _credible(levels)
        said.append(
            f"The ratings of the {credible}, all equally common, have a standard deviation of {_range(spread.elo, spread)} Elo "
            "points."
        )
        said.append(_chess_words(levels))
    off = levels.ratings.largest_residual
    if off and abs(off.residual_pp) > max(WORTH_TELLING, Z95 * off.error_pp):
        table = style.listed(f"{n} x {style.clean(name)}" if n > 1 else style.clean(name) for name, n in off.table.items())
        said.append(
            f"Ratings are a model. It is furthest off for {style.clean(off.strategy)} at the table of {table}: "
            f"{100 * off.seen:.1f} % won, {100 * off.fitted:.1f} % expected."
        )
    return said


def levels_words(levels: Levels) -> str:
    """How many levels the games can tell apart."""
    chain, many = [style.clean(name) for name in levels.chain], len(levels.names)
    if len(chain) < 2:
        return f"none of the {many} levels surely beats another: more games may tell them apart"
    count = f"all {many}" if len(chain) == many else f"{len(chain)} of {many}"
    return f"{count} levels can be told apart: {f'{NBSP}< '.join(chain)}, each surely beating the one before"


def _credible(levels: Levels) -> str:
    n = sum(levels.credible)
    return f"{n} credible levels" if n < len(levels.names) else f"{n} levels"


def _range(estimate: float, found: Any, digits: int = 0) -> str:
    """An estimate with its ends, as " ± " where these lie alike."""
    row = {"estimate": estimate, "low": found.low, "high": found.high}
    if not style.has_interval(row):
        return f"{estimate:.{digits}f}"
    if style.is_lopsided(row):
        return f"{estimate:.{digits}f} ({found.low:.{digits}f} to {found.high:.{digits}f})"
    return f"{estimate:.{digits}f}{NBSP}±{NBSP}{max(style.half_width(row), 10.0**-digits):.{digits}f}"


def _depth_words(levels: Levels, weak: str, strong: str) -> str:
    """The distance between the weakest credible level and the last, in steps."""
    first, second = levels.depths
    if not math.isfinite(first.steps):
        return f"{weak} has never won against {strong}, directly or through others: their distance has no bound."
    elo = _range(float(levels.ratings.elo[-1]), _Ends(first.low * first.step_elo, first.high * first.step_elo))
    return (
        f"From {weak} to {strong} it is {elo} Elo points: {_range(first.steps, first, 1)} steps at which the stronger wins "
        f"{100 * DUEL_60:.0f} % of duels, or {_range(second.steps, second, 1)} at which it wins {100 * DUEL_75:.0f} %."
    )


class _Ends(NamedTuple):
    low: float
    high: float


def _chess_words(levels: Levels) -> str:
    """Skill against chance as x %-chess, with the assumption that it stands on."""
    if levels.chess is None:
        return (
            "x %-chess is left out: it needs the spread of ratings in chess, on which sources disagree. Give the one you "
            "believe with --chess-elo (docs/skill.md says what is published)."
        )
    chess = levels.chess
    same = f"that of {_range(chess.percent, chess)} %-chess, {chess.verdict}"
    if chess.low >= WHOLE:
        same = "as wide as that of chess itself, or wider"
    return (
        f"If ratings of chess have a standard deviation of {levels.chess_elo:g} Elo points, an assumption (--chess-elo), "
        f"this spread is {same}. It says as much about which bots there are as about the game."
    )


# -- traces -----------------------------------------------------------------------------------------------


def _climb(trace: Trace) -> str:
    """What goes up along a trace."""
    name = style.clean(trace.steps[-1].strategy).split(":")[0]
    if trace.kind == TEMPERATURE:
        return f"{name} at half the temperature each time"
    return f"{name} with twice the {style.clean(trace.unit)} each time"


def step_words(trace: Trace, step: Step) -> str:
    """From where to where a step goes."""
    return f"{amount(trace, step.effort_below)} {ARROW} {amount(trace, step.effort)}"


def amount(trace: Trace, effort: float) -> str:
    """An effort as it is set: playouts, or the temperature, its inverse."""
    if trace.kind == TEMPERATURE:
        return f"{0 if math.isinf(effort) else 1 / effort:g}"
    return f"{effort:g}"


def _trace_table(trace: Trace, width: int) -> Table:
    """Step by step: the ends of lopsided intervals beside their numbers or, where room is short, below them."""
    return first_fitting([_traced(trace, gap) for gap in (" ", "\n")], width)


def _traced(trace: Trace, gap: str) -> Table:
    table = _table()
    what = "temperature" if trace.kind == TEMPERATURE else style.clean(trace.unit)
    table.add_column(what, justify="right", no_wrap=True)
    table.add_column("win share", justify="right", no_wrap=True)
    table.add_column("above fair", justify="right", no_wrap=True)
    table.add_column("worth", justify="right", no_wrap=True)
    gains, loses = (surely(trace.found, trace.players, sign) for sign in (1, -1))
    for step, found, gain, loss in zip(trace.steps, trace.found, gains, loses, strict=True):
        look = "green" if gain else "red" if loss else ""
        share, above = (words.replace(" (", f"{gap}(") for words in (percent(found), points(found, trace.players)))
        table.add_row(step_words(trace, step), share, Text(above, look), _worth(found))
    return table


def trace_sentences(trace: Trace) -> list[str]:
    """What a trace says: how many steps surely gain, how the gain changes, and how it ends."""
    n, gains = len(trace.steps), sum(surely(trace.found, trace.players, 1))
    act = _act(trace)
    name = style.clean(trace.steps[-1].strategy).split(":")[0]
    said = [f"{name}: {gains} of {n} steps surely gain." if gains else f"{name}: none of {n} steps surely gains."]
    if trace.skill is None:
        return said
    if math.isfinite(trace.skill.slope) and math.isfinite(trace.skill.slope_error):
        slope, half = 100 * trace.skill.slope, 100 * Z95 * trace.skill.slope_error
        trend = "less" if slope + half < 0 else "more" if slope - half > 0 else ""
        change = f"{slope:+.1f}{NBSP}±{NBSP}{half:.1f} pp from one to the next"
        said[0] += (
            f" Each {act} is worth {trend} than the one before ({change})."
            if trend
            else f" Whether a {act} is worth less than the one before is undecided ({change})."
        )
    said.append(end_words(trace))
    return said


def _act(trace: Trace) -> str:
    return "halving of the temperature" if trace.kind == TEMPERATURE else f"doubling of the {style.clean(trace.unit)}"


def end_words(trace: Trace) -> str:
    """Whether the last doubling still gains."""
    assert trace.skill is not None
    k = max(k for k, step in enumerate(trace.steps) if step.is_doubling)
    limit = style.margin_words(trace.margin)
    last = f"The last {_act(trace)} ({step_words(trace, trace.steps[k])}) gains {points(trace.found[k], trace.players)}"
    ends = {
        RISING: "strength is still rising there.",
        LEVEL_OFF: f"levelled off, within {limit}. Higher up it may rise again.",
        FALLING: "it makes play worse.",
        UNDECIDED: f"undecided whether it has levelled off (within {limit}); more games would tell.",
    }
    return f"{last}: {ends[trace.skill.statement]}"


# -- noise ------------------------------------------------------------------------------------------------


def _noise_heading(noise: NoiseFound) -> tuple[str, str]:
    name = style.clean(noise.noises[0].strategy)
    sizes = _sizes([*noise.shares, *(mirror[ADVANTAGE] for mirror in noise.mirrors)])
    return f"{_where(noise)}. Noise: {name}, playing as beginners may", f"{sizes} for each line"


def noise_words(noise: Noise) -> str:
    """A noise in a word or two."""
    return CLEAN if noise.kind == CLEAN else f"{noise.kind} {noise.value:g}"


def _one_table(noise: NoiseFound) -> Table:
    table = _table()
    table.padding = (0, 1, 0, 0)
    table.add_column(f"one noisy player\nagainst {_others(noise.players)} clean")
    for heading in ("\nwin share", "\nabove fair", "\nElo points", "\nworth"):
        table.add_column(heading, justify="right", no_wrap=True)
    for k, own in enumerate(noise.noises):
        share, elo = noise.shares[k], noise.elo[k]
        if share and elo:
            found = (percent(share), points(share, noise.players), elo_words(elo))
            lines = (words.replace(" (", "\n(") for words in found)  # the ends of a lopsided interval have no room beside it
            table.add_row(noise_words(own), *lines, _worth(share))
    return table


def _all_table(noise: NoiseFound) -> Table:
    table = _table()
    table.padding = (0, 1, 0, 0)
    table.add_column("all at the table\nare noisy")
    table.add_column("start player's\nadvantage, pp", justify="right", no_wrap=True)
    table.add_column("\nverdict", no_wrap=True)
    table.add_column("\nturns", justify="right", no_wrap=True)
    ends = shown_ends(noise)
    for end in ends:
        first, _, rest = style.measure_words(end).rpartition(" ")
        table.add_column(f"{first}\n{rest}, %", justify="right", no_wrap=True)
    for k, own in enumerate(noise.noises):
        mirror, kind = noise.mirrors[k], _kind(noise, k)
        cells: list[str | Text] = [
            noise_words(own),
            compact(mirror[ADVANTAGE], 100, "+"),
            Text(ALIKE[kind], LOOKS[kind]),
            compact(mirror["turns"]),
        ]
        table.add_row(*cells, *(compact(mirror[end], 100) for end in ends))
    return table


def shown_ends(noise: NoiseFound) -> list[str]:
    """The endings that there is room for, most common ones first, without those that hardly occur."""
    most = {name: max(m[name].estimate for m in noise.mirrors) for name in noise.mirrors[0] if name.startswith("end:")}
    return sorted((name for name in most if most[name] >= SEEN), key=lambda name: -most[name])[:MOST_ENDS]


def _kind(noise: NoiseFound, k: int) -> str:
    verdict, side = noise.verdict(k)
    return side or verdict


def noise_sentences(noise: NoiseFound) -> list[str]:
    """What noise costs, and whether the balance is another for beginners."""
    said = []
    sure = surely(noise.shares, noise.players, -1)
    costs = [k for k, own in enumerate(noise.noises) if own.kind == TEMPERATURE and sure[k]]
    if costs:
        said.append(
            cost_words(noise, costs[0]) + (" It is the smallest temperature here that surely costs." if costs[0] > 1 else "")
        )
        if costs[-1] != costs[0]:
            said.append(cost_words(noise, costs[-1]))
    said += [cost_words(noise, k) for k, own in enumerate(noise.noises) if own.kind == MEMORY]
    said += [balance_words(noise), _advantage_words(noise)]
    said.append(_length_words(noise))
    return [words for words in said if words]


def who(own: Noise) -> tuple[str, str]:
    """A noisy player, and the clean ones whom it meets, in words."""
    if own.kind == TEMPERATURE:
        return f"at temperature {own.value:g}", "who always take what they think best"
    forgets = {0.0: "every card seen", 0.5: "half of the cards seen"}.get(own.value)
    return f"who {f'forgets {forgets}' if forgets else f'remembers {100 * own.value:g} % of the cards seen'}", "who remember"


def cost_words(noise: NoiseFound, k: int) -> str:
    """What one noise costs a player."""
    share, own = noise.shares[k], noise.noises[k]
    assert share is not None
    one, others = who(own)
    if noise.players == 2:
        others = others.replace("remember", "remembers").replace("take", "takes").replace("they think", "it thinks")
    off = 100 * (share.estimate - 1 / noise.players)
    told = f"A player {one} wins {percent(share)} of games against {_others(noise.players)} {others}, "
    if not any(surely(noise.shares, noise.players, sign)[k] for sign in (1, -1)):
        return f"{told}which is not surely other than its share of {style.plain(100 / noise.players)} %."
    return f"{told}{abs(off):.1f} pp {'less' if off < 0 else 'more'} than its share."


def balance_words(noise: NoiseFound) -> str:
    """Whether the verdict on the start player is another for beginners."""
    limit = style.margin_words(noise.margin)
    words = {ABOVE: f"more than {limit} above fair", BELOW: f"more than {limit} below fair", WITHIN: f"within {limit} of fair"}
    kinds: dict[str, list[str]] = {}
    for k, own in enumerate(noise.noises):
        kinds.setdefault(_kind(noise, k), []).append(noise_words(own))
    if noise.robust == HOLDS:
        (kind,) = kinds
        return f"The start player's win share is {words[kind]} whatever the noise: beginners need no other verdict."
    parts = [f"{words[kind]} for {style.listed(names)}" for kind, names in kinds.items() if kind != UNDECIDED]
    if UNDECIDED in kinds:
        parts.append(f"undecided for {style.listed(kinds[UNDECIDED])}")
    opening = "changes with noise" if noise.robust == CHANGES else "is not shown to be the same, or another, for beginners"
    return f"The verdict on the start player {opening}: {'; '.join(parts)}."


def _furthest(noise: NoiseFound, measure: str) -> int | None:
    """The noise whose measure is furthest from that of clean play; None if its interval meets that of all."""
    clean = noise.mirrors[0][measure]
    apart = [
        (abs(mirror[measure].estimate - clean.estimate), k)
        for k, mirror in enumerate(noise.mirrors)
        if mirror[measure].low > clean.high or mirror[measure].high < clean.low
    ]
    return max(apart)[1] if apart else None


def _advantage_words(noise: NoiseFound) -> str:
    """How much the start player's advantage moves with noise, if it surely does."""
    k = _furthest(noise, ADVANTAGE)
    if k is None:
        return ""
    clean, other = (style.with_interval(noise.mirrors[at][ADVANTAGE]._asdict(), 100, "pp", "+") for at in (0, k))
    return f"That advantage is {clean} in clean play, and {other} where all play with {noise_words(noise.noises[k])}."


def _length_words(noise: NoiseFound) -> str:
    """How long a game of the noisiest takes, if that is surely another length."""
    clean, k = noise.mirrors[0]["turns"], _furthest(noise, "turns")
    if k is None:
        return ""
    other = noise.mirrors[k]["turns"]
    longer = "longer" if other.estimate > clean.estimate else "shorter"
    return (
        f"Where all play with {noise_words(noise.noises[k])}, a game takes {other.estimate:.1f} turns and not "
        f"{clean.estimate:.1f}: {100 * abs(other.estimate / clean.estimate - 1):.0f} % {longer}."
    )


# -- notes ------------------------------------------------------------------------------------------------


def _notes(levels: Levels | None, traces: Sequence[Trace], noise: NoiseFound | None) -> list[str]:
    found = levels or (traces[0] if traces else noise)
    if found is None:
        return []
    notes = [
        f"A fair share is {style.plain(100 / found.players)} %. ± and ranges are 95 % intervals, clustered by deck. "
        "What is said to be sure is corrected for the number of comparisons (Holm)."
    ]
    if levels:
        notes.append("Ratings: 400 points are odds of 10 to 1 that one of two wins; the weakest credible level has 0.")
        if not all(levels.credible):
            notes.append("Levels in brackets are no credible play.")
    if noise or any(trace.kind == TEMPERATURE for trace in traces):
        notes.append("At temperature T an option that seems worth T less than the best is chosen 2.7 times less often than it.")
    if any(trace.kind == EFFORT for trace in traces):
        notes.append("Effort 0 is the policy with which a search plays out its games.")
    return [*notes, worth_of_parts([levels, *traces, noise])]


def worth_of_parts(parts: Sequence[Levels | Trace | NoiseFound | None]) -> str:
    """What a game was worth for each kind of win share, and for the start player's advantage where all are alike."""
    noises = [part for part in parts if isinstance(part, NoiseFound)]
    found: dict[str, list[Found | None]] = {
        "a share against the level below": [f for part in parts if isinstance(part, Levels) for f in part.above],
        "a step of a trace": [f for part in parts if isinstance(part, Trace) for f in part.found],
        "a share of one noisy player": [f for noise in noises for f in noise.shares],
        "the start player's advantage": [mirror[ADVANTAGE] for noise in noises for mirror in noise.mirrors],
    }
    return worth_of_each({what: [f.variance_reduction for f in some if f] for what, some in found.items()})
