"""How a number, a name and a finding look in every report: shared by the tables and the plots.

A number is never rounded into a statement that is not true: a rare event keeps its count. Only measures and
what the data carries are known here: no game.
"""

import math
import re
import textwrap
from itertools import groupby
from typing import NamedTuple

from pinchsim.measure import verdict as verdicts
from pinchsim.measure.positions import position_table
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, verdict

ADVANTAGE = "start_player_advantage"
SINGLE_ADVANTAGE = "single_game_advantage"  # only sessions of several games have it
SCORE_ADVANTAGE = "start_score_advantage"
SHARED_WINS = "shared_wins"
LENGTH = "turns"
END = "end:"
GAME_END = "game_end:"
SHARE_OF = "win_share:"

# Okabe and Ito's palette, safe for the colour-blind, without its yellow (pale on white); the base is dark
BASE_COLOUR = "#333333"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5C3A")
MARKERS = ("s", "^", "D", "v", "P", "X", "<", ">")

RARE = 0.001  # a share below this is also given as a count
HOPELESS = verdicts.HOPELESS


class Look(NamedTuple):
    """Colour and marker of one variant, the same in every figure."""

    colour: str
    marker: str


class Case(NamedTuple):
    """One cell of the run: the estimate of one measure (a row of the data) and a word for what it shows."""

    variant: str
    players: int
    line_up: str
    row: dict
    kind: str


# -- finding rows -----------------------------------------------------------------------------------------


def by_key(frame):
    """Rows as dictionaries, found by (line_up, players, variant, measure, position)."""
    names = ("line_up", "players", "variant", "measure", "position")
    return {tuple(row[name] for name in names): row for row in frame.iter_rows(named=True)}


def blocks(frame):
    """Pairs (line_up, players) that the data holds: line-ups in the order of the data, players ascending."""
    pairs = list(dict.fromkeys(zip(frame["line_up"], frame["players"], strict=True)))
    order = {line_up: place for place, (line_up, _) in reversed(list(enumerate(pairs)))}
    return sorted(pairs, key=lambda pair: (order[pair[0]], pair[1]))


def variants(summary):
    """Variant names in the order of the data, the base first."""
    names = list(dict.fromkeys(summary.estimates["variant"]))
    return sorted(names, key=lambda name: name != summary.base)


def looks(names, base):
    """The `Look` of each variant: the base dark and round; colours and markers repeat out of step."""
    found = {base: Look(BASE_COLOUR, "o")}
    for place, name in enumerate(name for name in names if name != base):
        found[name] = Look(COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)])
    return {name: found[name] for name in names}


def positions(summary):
    """The rows of `position_table`, found by (line_up, players, variant)."""
    return {(row["line_up"], row["players"], row["variant"]): row for row in position_table(summary).to_dicts()}


def unit(frame):
    """What the rows of the data were counted in: "games", or "sessions" of several games."""
    return "sessions" if (frame["measure"] == SINGLE_ADVANTAGE).any() else "games"


# -- names ------------------------------------------------------------------------------------------------


def clean(text):
    """Text that is safe to print and to put into an SVG: what cannot be printed becomes "?"."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def measure_words(measure):
    """A measure's name as words: `end:hand_empty` is "hand empty"."""
    if measure.startswith(SHARE_OF):
        return f"win share of {clean(measure.removeprefix(SHARE_OF))}"
    return clean(measure.removeprefix(GAME_END).removeprefix(END).replace("_", " "))


def line_up_words(line_up, players=None):
    """A line-up as words: "everyone plays greedy", or who sits at the table: "greedy, 3 x uniform".

    The strategy named last fills the table; without a number of players it is "the rest".
    """
    names = [clean(name.strip()) for name in line_up.split(",")]
    if len(names) == 1:
        return f"everyone plays {names[0]}"
    if players is None:
        return f"{', '.join(names[:-1])}, the rest {names[-1]}"
    runs = groupby(names + names[-1:] * (players - len(names)))
    counts = [(name, len(list(run))) for name, run in runs]
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts)


def sentence_name(variant):
    """A variant's name at the start of a sentence: `aces-bite` is "Aces bite"."""
    words = clean(variant).replace("-", " ")
    return words[:1].upper() + words[1:]


def wrapped(text, width, indent="", break_names=False):
    """Text in lines of a width; a number keeps its unit ("1 pp" is never parted), a name its hyphens."""
    kept = re.sub(r"(?<=\d) (?=(pp|%|players|games)\b|%)", "\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(kept, width, subsequent_indent=indent, break_on_hyphens=break_names)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def balanced(text, width):
    """Text in as few lines as `wrapped` needs, and these about equally long."""
    lines = wrapped(text, width)
    tries = (wrapped(text, narrow) for narrow in range(len(text) // max(1, len(lines)), width))
    return next((found for found in tries if len(found) == len(lines)), lines)


def listed(words):
    """Words joined as in a sentence: "a, b and c"."""
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def player_words(counts):
    """Player counts as words: "4 players", "3 and 5 players", "3 to 5 players"."""
    counts = sorted(set(counts))
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]} players"
    return listed(str(count) for count in counts) + " players"


# -- numbers ----------------------------------------------------------------------------------------------


def count_words(number):
    """A whole number with commas; about right and in words from 10 million."""
    if number >= 1e7:
        unit, word = (1e9, "billion") if number >= 1e9 else (1e6, "million")
        return f"{number / unit:.3g} {word}"
    return f"{number:,.0f}"


def plain(number, digits=1):
    """A number without needless zeros: "25", "33.3"."""
    return f"{number:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{number:.0f}"


def margin_words(margin):
    """A margin in percentage points: "1 pp"."""
    return f"{100 * margin:.3g} pp"


def is_number(value):
    """Whether a value of the data is there at all (not null, not NaN)."""
    return value is not None and math.isfinite(value)


def has_interval(row):
    """Whether a row has an interval: a single deck gives none."""
    return is_number(row["low"]) and is_number(row["high"])


def half_width(row):
    """Half of the interval's length."""
    return (row["high"] - row["low"]) / 2


def decimals(half):
    """Decimals that show an interval's half-width with two digits, or with one when it is below 0.1."""
    if not is_number(half) or half <= 0:
        return 2
    place = -math.floor(math.log10(half))
    return min(6, max(0, place + (half >= 0.1)))


def is_lopsided(row):
    """Whether the estimate lies off the middle of its interval, so that "±" would be wrong."""
    off_middle = abs(row["high"] + row["low"] - 2 * row["estimate"]) / 2
    return off_middle > 0.05 * half_width(row)


def with_interval(row, scale=1, unit="", sign="", digits=None, gap=" "):
    """An estimate with its 95 % interval: "+1.23 ± 0.15 pp", or "+1.2 pp (-0.1 to +4.0)" when lopsided.

    Parameters
    ----------
    row
        A row of the data: estimate, low and high.
    scale, unit
        Factor from the data's unit to the unit shown (100 and "pp").
    sign
        "+" writes the sign of positive numbers too.
    digits
        Decimals; by default two digits of the half-width.
    gap
        What stands between estimate and range of a lopsided interval (a table puts a new line there).
    """
    if not is_number(row["estimate"]):
        return "no data"
    unit = f" {unit}" if unit else ""
    if not has_interval(row):
        return f"{scale * row['estimate']:{sign}.{2 if digits is None else digits}f}{unit}{gap}(no interval)"
    digits = decimals(scale * half_width(row)) if digits is None else digits
    estimate, low, high = (f"{scale * row[name]:{sign}.{digits}f}" for name in ("estimate", "low", "high"))
    if is_lopsided(row):
        return f"{estimate}{unit}{gap}({low} to {high})"
    half = max(scale * half_width(row), 10.0**-digits if row["low"] < row["high"] else 0)  # never shown as 0
    return f"{estimate} ± {half:.{digits}f}{unit}"


def deviation_words(row, unit=" pp", and_p=""):
    """How far positions are apart: "6.0 pp (5.1 to 7.0)"; `and_p` stands in the brackets, too."""
    half = half_width(row)
    if not is_number(half):
        return "(no interval)"
    digits = decimals(100 * half)
    estimate, low, high = (f"{100 * row[name]:.{digits}f}" for name in ("deviation", "low", "high"))
    return f"{estimate}{unit} ({low} to {high}{and_p})"


def p_words(row):
    """A p-value: "< 0.001" or "0.31"."""
    return "< 0.001" if row["p_value"] < 0.001 else f"{row['p_value']:.2g}"


def percent(share, digits=1):
    """A share in percent; what is rare or nearly sure is never rounded to none or all."""
    if share <= 0 or share >= 1:
        return "none" if share <= 0 else "100 %"
    if share < 0.0001 or share > 0.9999:
        return "<0.01 %" if share < 0.5 else ">99.99 %"
    if not 0.001 <= share <= 0.999:
        digits = max(digits, 2)
    return f"{100 * share:.{digits}f} %"


def of_games(row, unit="games"):
    """A share as a count: "13 of 1,000,000 games"."""
    return f"{row['estimate'] * row['games']:,.0f} of {row['games']:,} {unit}"


def size_words(games, decks, unit):
    """How much was played: "400 games of 100 decks"; each cluster of sessions has decks of its own for all their games."""
    return f"{games} {unit} of {decks} decks" if unit == "games" else f"{games} {unit} on {decks} sets of decks"


def is_rare(row):
    """Whether a share is above 0 but so small that its count says more."""
    return is_number(row["estimate"]) and 0 < row["estimate"] < RARE


def games_to_decide(row, margin):
    """About how many games would bring the interval to one side of the margin; None: far too many, or no interval."""
    if not has_interval(row):
        return None
    return verdicts.games_to_decide(row["estimate"], row["low"], row["high"], row["games"], margin)


# -- findings ---------------------------------------------------------------------------------------------


def start_kind(row, margin):
    """The verdict on a start player's advantage; "outside margin" is split into "above" and "below"."""
    found = verdict(row["low"], row["high"], margin)
    return found if found != OUTSIDE else ("above" if row["estimate"] > 0 else "below")


def sign_kind(row):
    """Whether a measure's whole interval is above 0 ("above"), "below" it, or UNDECIDED."""
    return start_kind(row, 0.0) if row["low"] != row["high"] or row["estimate"] else WITHIN


def cases(frame, measure, kind_of):
    """The cases of a measure that is not by position, each with its kind."""
    rows = (row for row in frame.iter_rows(named=True) if row["measure"] == measure and row["position"] == -1)
    return [Case(row["variant"], row["players"], row["line_up"], row, kind_of(row)) for row in rows]


def case_words(all_cases, kind):
    """The cases of a kind: "base and aces-bite (3 and 4 players)"; a variant always of it goes without."""
    words = []
    for variant in dict.fromkeys(case.variant for case in all_cases):
        mine = [case for case in all_cases if case.variant == variant]
        chosen = [case for case in mine if case.kind == kind]
        if chosen:
            words.append(clean(variant) + ("" if len(chosen) == len(mine) else f" ({_where(chosen)})"))
    return listed(words)


def _where(chosen):
    """Player counts of the cases, and the line-ups where there are several."""
    by_line_up = {}
    for case in chosen:
        by_line_up.setdefault(case.line_up, []).append(case.players)
    if len(by_line_up) == 1:
        return player_words(case.players for case in chosen)
    return "; ".join(f"{line_up_words(name)}: {player_words(counts)}" for name, counts in by_line_up.items())


def finding(opening, all_cases, phrases, longest=200):
    """One sentence on many cases: which show what; numbers of cases instead of names when that gets too long.

    `phrases` gives, by kind, the words before the names: {"above": "more than 1 pp above for"}.
    """
    if len({case.kind for case in all_cases}) == 1:
        where = {1: "", 2: " in both cases"}.get(len(all_cases), f" in all {len(all_cases)} cases")
        return f"{opening}: {phrases[all_cases[0].kind]}{where}"
    kinds = [kind for kind in phrases if any(case.kind == kind for case in all_cases)]
    named = "; ".join(f"{phrases[kind]} for {case_words(all_cases, kind)}" for kind in kinds)
    if len(opening) + len(named) <= longest:
        return f"{opening}: {named}"
    counts = [sum(case.kind == kind for case in all_cases) for kind in kinds]
    counted = [f"{phrases[kind]} in {count}" for kind, count in zip(kinds, counts, strict=True)]
    return f"{opening}: {counted[0]} of {len(all_cases)} cases, " + ", ".join(counted[1:])


def start_finding(all_cases, margin):
    """The sentence on the start player's advantage: it claims no more than intervals and margin allow."""
    if len(all_cases) == 1:
        return _one_start_finding(all_cases[0], margin)
    limit = margin_words(margin)
    phrases = {
        "above": f"more than {limit} above",
        "below": f"more than {limit} below",
        WITHIN: f"within {limit}",
        UNDECIDED: "undecided",
    }
    return finding("Start player against a fair share", all_cases, phrases)


def _one_start_finding(case, margin):
    """The sentence for a single case, with its number."""
    who = f"{sentence_name(case.variant)}, {case.players} players:"
    fair, limit = f"a fair {plain(100 / case.players)} %", margin_words(margin)
    effect = with_interval(case.row, 100, "pp", "+")
    if case.kind == UNDECIDED:
        return f"{who} undecided whether the start player stays within {limit} of {fair} ({effect})"
    if case.row["low"] <= 0 <= case.row["high"]:
        return f"{who} the start player wins within {limit} of {fair} ({effect})"
    row, often = (case.row, "more") if case.row["estimate"] > 0 else (_mirrored(case.row), "less")
    size, place = with_interval(row, 100, "pp"), "within" if case.kind == WITHIN else "beyond"
    return f"{who} the start player wins {size} {often} often than {fair}, {place} the margin of {limit}"


def _mirrored(row):
    """The row of the effect with its sign turned."""
    return row | {"estimate": -row["estimate"], "low": -row["high"], "high": -row["low"]}
