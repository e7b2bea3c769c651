"""A tournament for the terminal: who is how strong, who wins how often against whom, and what follows from it."""

import math
from collections.abc import Sequence
from itertools import product

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.metagame_dominance import DOMINATED, NOT_DOMINATED, Dominance
from pinchsim.measure.moments import quantile
from pinchsim.measure.tournament import Estimate
from pinchsim.measure.tournament_analysis import Analysis
from pinchsim.report import style
from pinchsim.report.layout import first_fitting, fitted, folded
from pinchsim.report.table import WIDTH, say

NBSP = "\N{NO-BREAK SPACE}"
NAMES = (26, 18)  # columns of a name, as wished and where room is short; a longer one goes over several lines
SHORT = 12  # those of one beside the payoff matrix, at least
BALANCED = 19  # those of one beside the equilibrium
WIDE = 6  # columns that a number of the payoff matrix takes, with its gap; one less where there is no room
WORTH_TELLING = 2.0  # percentage points by which the ratings miss a win share
LEAST = 0.001  # masses below it are as good as nothing
INTERRUPTED = "The run was interrupted: these numbers cover the games that all tables have finished."
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def print_tournament(analysis: Analysis, complete: bool, console: Console) -> None:
    """Print a tournament; without a terminal rich leaves the colours out, and every colour only repeats a word or number.

    Parameters
    ----------
    analysis
        What the tournament says.
    complete
        Whether all games were played.
    console
        Where to print; at most 80 columns are used.
    """
    width = min(console.width, WIDTH)
    if not complete:
        say(console, INTERRUPTED, width, "bold yellow")
    shares = analysis.shares
    console.print()
    title = f"{style.clean(shares.variant)}, {shares.players} players: a tournament of {len(shares.strategies)} strategies"
    say(console, title, width, "bold")
    say(console, size_words(analysis), width)
    console.print()
    console.print(_ranking(analysis, width))
    console.print()
    say(console, _matrix_title(shares.players), width, "bold")
    for part in _parts(analysis, width):
        console.print(part)
        console.print()
    if analysis.balance is not None:
        say(console, "Where it settles: Nash mix and alpha-rank in %, edge in percentage points", width, "bold")
        console.print(fitted(_balance_table(analysis), width))
        console.print()
    say(console, "What it says", width, "bold")
    for sentence in findings(analysis):
        say(console, f"- {sentence}", width, indent="  ")
    console.print()
    for note in _notes(analysis):
        say(console, note, width, "dim")


def size_words(analysis: Analysis) -> str:
    """How much was played."""
    shares = analysis.shares
    orders, tables = int(shares.orders.sum()), int((shares.games > 0).sum())
    games = int(shares.games.sum())
    what = f"{tables:,} table{'s' * (tables > 1)}" + (f" in {orders:,} orders" if orders > tables else "")
    kind = "all mixtures" if shares.has_all else f"one against {other_words(shares.players)}"
    decks = f"{shares.decks:,} deck{'s' * (shares.decks > 1)}"
    return f"{what} ({kind}), {games // orders:,} games of the same {decks} each: {games:,} games."


def other_words(players: int) -> str:
    """The others at a table: "one", "three"."""
    return NUMBERS[players - 1] if players <= len(NUMBERS) else str(players - 1)


# -- tables -----------------------------------------------------------------------------------------------


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)


def _ranking(analysis: Analysis, width: int) -> Table:
    """Who is how strong: the ends of lopsided intervals beside their shares or, where room is short, below them."""
    return first_fitting([_ranked(analysis, *layout) for layout in product((" ", "\n"), NAMES)], width)


def _ranked(analysis: Analysis, gap: str, columns: int) -> Table:
    table = _table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("strategy")
    table.add_column("rating", justify="right", no_wrap=True)
    if analysis.field is not None:
        table.add_column("win share\nin the field", justify="right", no_wrap=True)
    alone = (
        "in duels with\nthe others"
        if analysis.shares.players == 2
        else f"one against\n{other_words(analysis.shares.players)} others"
    )
    table.add_column(alone, justify="right", no_wrap=True)
    for place, k in enumerate(analysis.order, 1):
        shares = [analysis.field[k]] if analysis.field is not None else []
        cells = [_rating(analysis, k), *(_percent(share).replace(" (", f"{gap}(") for share in (*shares, analysis.others[k]))]
        table.add_row(str(place), *map(Text, (folded(style.clean(analysis.shares.strategies[k]), columns), *cells)))
    return table


def _rating(analysis: Analysis, k: int) -> str:
    half = analysis.rating_halves[k]
    rating = f"{analysis.ratings.elo[k]:+.0f}"
    return f"{rating} ± {max(half, 1):.0f}" if math.isfinite(half) else f"{rating} ± ?"


def _percent(found: Estimate) -> str:
    """A win share in percent with its interval."""
    row = {"estimate": found.estimate, "low": found.low, "high": found.high}
    if not style.has_interval(row):
        return f"{100 * found.estimate:.1f} %"
    digits = 2 if found.estimate < 0.01 else 1
    if style.is_lopsided(row):
        return f"{100 * found.estimate:.{digits}f} % ({100 * found.low:.{digits}f} to {100 * found.high:.{digits}f})"
    return f"{100 * found.estimate:.{digits}f} ± {max(100 * style.half_width(row), 10**-digits):.{digits}f} %"


def _matrix_title(players: int) -> str:
    others = "the other" if players == 2 else f"{other_words(players)} of the column's"
    return f"One of the row's strategy against {others}: its win share in %"


def _parts(analysis: Analysis, width: int) -> list[Table]:
    """The payoff matrix; columns that have no room go to a further table."""
    digits = len(str(len(analysis.names)))
    longest = min(NAMES[0], max(cell_len(style.clean(name)) for name in analysis.names))
    room = width - digits - 2
    n = len(analysis.names)
    cell = WIDE if longest + n * WIDE <= room else WIDE - 1
    parts = -(-n // max(1, (room - min(longest, SHORT)) // cell))
    columns = -(-n // parts)
    letters = min(longest, room - cell * columns)
    return [_part(analysis, range(x, min(x + columns, n)), letters, cell) for x in range(0, n, columns)]


def _part(analysis: Analysis, columns: Sequence[int], letters: int, cell: int) -> Table:
    table = _table()
    table.padding = (0, 0)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for x in columns:
        table.add_column(str(x + 1), justify="right", no_wrap=True, min_width=cell - 1)
    for y, a in enumerate(analysis.order):
        cells = [_cell(analysis, a, analysis.order[x]) for x in columns]
        table.add_row(str(y + 1), Text(folded(style.clean(analysis.shares.strategies[a]), letters)), *cells)
    return table


def _cell(analysis: Analysis, a: int, b: int) -> Text:
    """A win share above its interval; green or red where it is surely off a fair share."""
    found, fair = analysis.matrix[a][b], 1 / analysis.shares.players
    if a == b:
        return Text("-", "dim")
    look = "green" if found.low > fair else "red" if found.high < fair else ""
    return Text.assemble((cell_number(found.estimate), look), "\n", (cell_interval(found), "dim"))


def cell_number(share: float) -> str:
    """A share in percent, four letters at most."""
    number = f"{100 * share:.1f}"
    return "100" if number == "100.0" else number


def cell_interval(found: Estimate) -> str:
    """The interval around a share in percent, four letters at most: only one way where the share is none or all."""
    if not math.isfinite(found.high - found.low):
        return "±?"
    down, up = 100 * (found.estimate - found.low), 100 * (found.high - found.estimate)
    sign, half = "±", max(down, up)
    if found.low <= 0 or found.high >= 1:
        sign, half = ("+", up) if found.low <= 0 else ("-", down)
    return f"{sign}{half:.0f}" if half >= 9.95 else f"{sign}{max(half, 0.1):.1f}"


def _balance_table(analysis: Analysis) -> Table:
    """Equilibrium and alpha-rank by strategy."""
    found = analysis.balance
    assert found is not None
    table = _table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("")
    table.add_column("Nash mix\n", justify="right", no_wrap=True)
    table.add_column("edge\nagainst it", justify="right", no_wrap=True)
    for alpha in found.alpha:
        table.add_column(f"alpha\n{alpha:g}", justify="right", no_wrap=True)
    for place, k in enumerate(analysis.order, 1):
        masses = [_mass(found.mass[k]), _edge(found.edge[k]), *(_mass(x[k], False) for x in found.alpha.values())]
        table.add_row(str(place), Text(folded(style.clean(analysis.shares.strategies[k]), BALANCED)), *map(Text, masses))
    return table


def _mass(found: Estimate, interval: bool = True) -> str:
    """A part of a mix in percent, with its range where there is one."""
    words = mass_number(found.estimate)
    if not interval or not math.isfinite(found.high - found.low) or found.high - found.low < LEAST:
        return words
    return f"{words} ({100 * found.low:.0f}-{100 * found.high:.0f})"


def mass_number(mass: float) -> str:
    """A mass in percent; what is as good as nothing is a dot."""
    if mass < LEAST:
        return "."
    return f"{100 * mass:.0f}" if mass >= 0.0995 else f"{100 * mass:.1f}"


def _edge(found: Estimate) -> str:
    if found.low == found.high == found.estimate:
        return "0" if abs(found.estimate) < 1e-9 else f"{100 * found.estimate:+.1f}"
    half = 100 * max(found.high - found.estimate, found.estimate - found.low)
    return f"{100 * found.estimate:+.1f} ± " + (f"{max(half, 0.1):.1f}" if math.isfinite(half) else "?")


# -- sentences --------------------------------------------------------------------------------------------


def findings(analysis: Analysis) -> list[str]:
    """What the tournament says, in sentences that claim no more than the intervals allow."""
    ahead = lead(analysis).replace("the ratings of", "The ratings of", 1)
    said = [verdict(analysis), f"{ahead}.", _dominance_words(analysis), _cycle_words(analysis)]
    said += [_balance_words(analysis), _rating_words(analysis)]
    return [sentence for sentence in said if sentence]


def leader(analysis: Analysis) -> int:
    """The strategy that is surely the best reply most often; among equals the one that is best as it stands, then rated."""
    replies, order = analysis.replies, analysis.order
    return max(order, key=lambda k: (replies.sure[k], -replies.beaten[k], replies.best[k], -order.index(k)))


def headline(analysis: Analysis) -> str:
    """The verdict in a few words."""
    replies, best = analysis.replies, leader(analysis)
    name = style.clean(analysis.shares.strategies[best])
    where = "" if analysis.shares.has_all else f" against {other_words(analysis.shares.players)} of a kind"
    if replies.sure[best] == replies.fields:
        return f"{name} is the best{where}" if where else f"{name} is the best reply to everything here"
    if replies.sure.sum() == 0:
        return f"no strategy is shown to be the best{where or ' reply to any other'}"
    if replies.beaten[best] == 0:
        return f"nothing here does surely better than {name}{where}"
    return f"no strategy is best{where or ' against everything'}"


def verdict(analysis: Analysis) -> str:
    """Whether one strategy is the best against everything here."""
    replies, best = analysis.replies, leader(analysis)
    name, fields = style.clean(analysis.shares.strategies[best]), _fields(analysis)
    if replies.sure[best] == replies.fields:
        return f"{name} is the best reply to everything here: surely to all {fields}."
    if replies.sure.sum() == 0:
        return f"No strategy is shown to be the best reply to any of {fields}: more games may decide."
    if replies.beaten[best] == 0:
        return (
            f"Nothing here does surely better than {name}. Of {fields} it is surely the best reply to {replies.sure[best]}; "
            f"against the other {replies.fields - replies.sure[best]} something else may be as good."
        )
    told = [f"{style.clean(analysis.shares.strategies[k])} to {replies.sure[k]}" for k in analysis.order if replies.sure[k]]
    rest = replies.fields - int(replies.sure.sum())
    more = f"; {rest} are not settled" if rest else ""
    return f"No strategy is best against everything. Of {fields} the best reply is surely: {style.listed(told)}{more}."


def _fields(analysis: Analysis) -> str:
    if analysis.shares.players == 2:
        return f"{analysis.replies.fields} opponents"
    alike = "" if analysis.shares.has_all else "equal "
    return f"{analysis.replies.fields} choices of {other_words(analysis.shares.players)} {alike}opponents"


def lead(analysis: Analysis) -> str:
    """Whether the first in the ranking is surely ahead of the second."""
    first, second = analysis.names[:2]
    step, error = analysis.ratings.difference(first, second)
    first, second = style.clean(first), style.clean(second)
    half = quantile(analysis.shares.decks) * error if analysis.shares.decks > 1 else math.inf
    if not math.isfinite(step):
        return f"{second} has never won against {first}"
    if step > half:
        return f"{first} is rated {step:.0f}{NBSP}±{NBSP}{max(half, 1):.0f} Elo points above {second}, the next"
    within = f" ({step:.0f}{NBSP}±{NBSP}{half:.0f} Elo points)" if math.isfinite(half) else ""
    return f"the ratings of {first} and {second} cannot be told apart{within}"


def _dominance_words(analysis: Analysis) -> str:
    if analysis.dominance is None:
        return ""
    by: dict[str, list[str]] = {}
    for found in analysis.dominance:
        if found.verdict == DOMINATED:
            by.setdefault(found.strategy, []).extend(found.by)
    if not by:
        return f"No strategy is shown to be dominated{_undecided(analysis.dominance)}."
    told = [f"{style.clean(name)} (by {_some(by[name], analysis)})" for name in analysis.names if name in by]
    return f"Dominated, worse against every choice of opponents: {style.listed(told)}{_undecided(analysis.dominance)}."


def _some(names: Sequence[str], analysis: Analysis) -> str:
    """Dominating strategies, strongest first; a few by name."""
    ordered = [style.clean(name) for name in analysis.names if name in names]
    return style.listed(ordered) if len(ordered) <= 2 else f"{ordered[0]} and {len(ordered) - 1} others"


def _undecided(found: Sequence[Dominance]) -> str:
    open_pairs = sum(d.verdict not in (DOMINATED, NOT_DOMINATED) for d in found)
    return f"; {open_pairs} of {len(found)} pairs {'is' if open_pairs == 1 else 'are'} undecided" if open_pairs else ""


def _cycle_words(analysis: Analysis) -> str:
    if not analysis.cycles:
        return "No circle of strategies that beat each other is shown."
    told = []
    for cycle in analysis.cycles:
        path = [style.clean(name) for name in cycle.path]
        more = len(cycle.strategies) - len(path)
        told.append(" beats ".join([*path, path[0]]) + (f" ({more} more are in such circles)" if more else ""))
    return f"They beat each other in a circle: {'; '.join(told)}."


def _balance_words(analysis: Analysis) -> str:
    found, players = analysis.balance, analysis.shares.players
    if found is None:
        return (
            f"Equilibrium, alpha-rank and dominance are missing: with {players} players they need mixed tables, too, not only "
            f"one against {other_words(players)}. Ask for them with --tables all, or with fewer strategies."
        )
    used = [k for k in analysis.order if found.mass[k].estimate > 0]
    names = [style.clean(analysis.shares.strategies[k]) for k in used]
    mix = style.listed(f"{mass_number(found.mass[k].estimate)} % {name}" for k, name in zip(used, names, strict=True))
    what = f"everybody plays {names[0]}" if len(used) == 1 else f"a mix of {mix}"
    said = f"Equilibrium ({found.statement}): {what}."
    regret = 100 * found.equilibrium.regret
    most = 100 * max((x.high for x in found.edge), key=lambda x: math.inf if math.isnan(x) else x)
    if most < 1e-9:
        return f"{said} Who leaves it surely loses by it."
    within = f"at most {max(most, 0.1):.1f} pp within the intervals" if math.isfinite(most) else "no interval"
    if regret < 0.05:
        return f"{said} Nobody here gains by leaving it ({within})."
    return f"{said} Leaving it gains {regret:.1f} pp (regret; {within})."


def _rating_words(analysis: Analysis) -> str:
    """Where one number a strategy says too little, or where the games do not bound it."""
    ratings = analysis.ratings
    if not ratings.is_bounded:
        lowest = [style.clean(x) for x, tier in zip(ratings.strategies, ratings.tiers, strict=True) if tier == 0]
        verb = "has" if len(lowest) == 1 else "have"
        return f"{style.listed(lowest)} {verb} never won against the others: how far below them the rating is means nothing."
    off = ratings.largest_residual
    seats = int((analysis.shares.counts[analysis.shares.games > 0] > 0).sum())
    if off is None or abs(off.residual_pp) < max(WORTH_TELLING, quantile(analysis.shares.decks, seats) * off.error_pp):
        return ""
    table = style.listed(f"{n} x {style.clean(name)}" if n > 1 else style.clean(name) for name, n in off.table.items())
    return (
        f"Ratings are a model. It is furthest off for {style.clean(off.strategy)} at the table of {table}: "
        f"{100 * off.seen:.1f} % won, {100 * off.fitted:.1f} % expected."
    )


def _notes(analysis: Analysis) -> list[str]:
    players = analysis.shares.players
    others, fair = other_words(players), style.plain(100 / players)
    notes = [
        f"A fair share is {fair} %; so much has everybody where all play alike (-). ± are 95 % intervals, clustered by deck; "
        "each stands for itself. What is said to be sure is corrected for the number of comparisons (Holm)."
    ]
    if analysis.field is not None and players > 2:
        notes.append(f"In the field: against {others} opponents drawn from all strategies alike.")
    notes.append(
        "Ratings are Elo points around a mean of 0: 400 more are odds of 10 to 1 that one of two wins."
    )  # fmt: skip
    if players > 2:
        notes.append("Orders around a table are weighted as random seating gives them.")
    if analysis.balance is not None:
        ranged = all(math.isfinite(mass.high) for mass in analysis.balance.mass)
        ranges = "ranges show how far it hangs on chance" if ranged else "too many may be in it to give ranges, too"
        notes.append(
            f"Nash mix: a field that nobody gains by leaving; {ranges}. Alpha-rank: how often a "
            "population that imitates success plays a strategy, at several strengths of selection (alpha), with intervals in "
            "equilibrium.parquet; . is below 0.1 %."
        )
    return [" ".join(notes)]
