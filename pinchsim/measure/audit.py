"""What each contested reading of the rules changes (METHODS M6.2): effects with intervals, ranked, and a verdict for each.

An effect is the paired difference between a variant in which a sentence is read in another way and the same variant as it is
ruled, on the same decks. All intervals of an audit hold at once (Bonferroni, M2.4), since somebody will look at the largest.
Where no deck came out differently at all, the interval allows for what so few decks may have missed (`unseen`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from pinchsim.measure.moments import quantile
from pinchsim.measure.summary import Summary
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, verdict

# How the readers of a rule book would take notice: verdicts on one reading.
CARE, UNNOTICED, OPEN, SAME = "with care", "unnoticed", "undecided", "no difference"
LIMIT = "end:turn_limit"
GRAVITY = (WITHIN, UNDECIDED, OUTSIDE)  # of the end reasons the gravest is told


class Line(NamedTuple):
    """One measure of an audit, or several that begin alike ("end:").

    An effect is the change of the measure in `unit`: times 100 for shares, in percent of the base's value for the length, by
    player for the score. `noticeable(margin)` is the smallest effect that players would notice. `most` is the largest effect
    within one deck that is reckoned with as long as none was seen: of a share 100 pp, a game twice as long, 10 points.
    """

    measure: str
    words: str
    unit: str
    noticeable: Callable[[float], float]
    most: float

    def scale(self, base: float, players: int) -> float:
        """From the measure's own unit to that of the effect."""
        if self.unit == "%":
            return 100 / base
        return 100 if self.unit == "pp" else 1 / players


LINES = (
    Line("start_player_advantage", "start", "pp", lambda margin: 100 * margin, 100.0),
    Line("turns", "length", "%", lambda margin: 5.0, 100.0),
    Line("end:", "ends", "pp", lambda margin: 2.0, 100.0),
    Line("points", "score", "points", lambda margin: 0.5, 10.0),
)

SCHEMA = {
    "players": pl.Int64,
    "line_up": pl.String,
    "variant": pl.String,
    "measure": pl.String,
    "line": pl.String,
    "unit": pl.String,
    "effect": pl.Float64,
    "standard_error": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "noticeable": pl.Float64,
    "verdict": pl.String,
    "games": pl.Int64,
    "decks": pl.Int64,
    "beyond_sum": pl.Float64,
}
_MEASURE = ["players", "line_up", "measure"]
_CELL = ["players", "line_up", "variant"]


def line_of(measure: str) -> Line | None:
    """The line of an audit that a measure belongs to; None for the others."""
    return next((x for x in LINES if measure == x.measure or (x.measure.endswith(":") and measure.startswith(x.measure))), None)


def unseen(decks: int, tests: int = 1) -> float:
    """Largest share of decks that may come out differently though none of so many did (exact binomial, 95 % for all tests)."""
    return 1.0 if decks < 1 else -math.expm1(math.log(0.05 / tests) / decks)


def effects(summary: Summary, parts: Mapping[str, Sequence[str]] | None = None) -> pl.DataFrame:
    """Every effect of every variant of a run against its base.

    Measure
    -------
    reading_effects (M6.2)

    What changes if a sentence of the rules is read in another way.

    Definition
    ----------
    What changes if a sentence of the rules is read in another way: the paired difference of a measure between the other
    reading and the ruling, on the same decks. It is noticeable if it exceeds the margin of the start-player advantage, 5
    % of the length, 2 pp of an end reason, or half a point of the score a player.

    Formula
    -------
    effect = mean over decks of (other reading - ruling)

    Units
    -----
    Percentage points (pp), percent of the length, points a player.

    Traps
    -----
    All intervals of an audit hold at once, so they are wider than those of a sweep. It tells what changes for these
    strategies, which don't adapt to the reading. Equal results of few decks prove little.

    Source
    ------
    Paired differences on common decks; Bonferroni (M2.4).

    Parameters
    ----------
    summary
        The run.
    parts
        For each variant with several readings: the variants that have one of them each.

    Returns
    -------
    polars.DataFrame
        A row per players, line-up, variant and measure: the unit of the effect, the effect, its standard error, the ends of
        its interval, the smallest noticeable effect, the verdict ("within margin", "outside margin", "undecided"), games and
        decks. Intervals hold for all rows at once with 95 %. `beyond_sum` is, for several readings at once, the effect less
        the sum of their single effects: a plain number, without interval.
    """
    wholes = {tuple(row[k] for k in [*_MEASURE, "variant"]): row for row in _whole(summary.estimates)}
    rows = [row for row in _whole(summary.differences) if line_of(row["measure"])]
    made: list[tuple] = []
    for row in rows:
        place = tuple(row[k] for k in _MEASURE)
        base, own = wholes[*place, summary.base], wholes[*place, row["variant"]]
        made.append(_effect(row, base, own, len(rows), summary.margin))
    return _with_sums(pl.DataFrame(made, SCHEMA, orient="row"), parts or {})


def _whole(frame: pl.DataFrame) -> list[dict]:
    """Rows of measures that are not by position."""
    return list(frame.filter(pl.col("position") == -1).iter_rows(named=True))


def _effect(row: dict, base: dict, own: dict, tests: int, margin: float) -> tuple:
    line = line_of(row["measure"])
    assert line is not None
    scale = line.scale(base["estimate"], row["players"])
    error = _relative_error(row, base, own) if line.unit == "%" else row["standard_error"]
    effect, error = scale * row["estimate"], scale * error
    half = _half(row, error, line, tests)
    noticeable = line.noticeable(margin)
    kind = verdict(effect - half, effect + half, noticeable)
    named = (row["players"], row["line_up"], row["variant"], row["measure"], line.words, line.unit)
    return (*named, effect, error, effect - half, effect + half, noticeable, kind, row["games"], row["decks"], None)


def _half(row: dict, error: float, line: Line, tests: int) -> float:
    """Half of the interval's length; a single deck has none."""
    if row["decks"] < 2:
        return math.inf
    if row["estimate"] == row["standard_error"] == 0:
        return line.most * unseen(row["decks"], tests)
    return quantile(row["decks"], tests) * error


def _relative_error(row: dict, base: dict, own: dict) -> float:
    """Standard error of a change in percent of the base, times the base: the base is an estimate, too (delta method).

    Of D - rB, with the relative change r = D/B, on the same decks; an upper bound where an interruption left other decks.
    """
    r = row["estimate"] / base["estimate"]
    d, b, x = (frame["standard_error"] ** 2 for frame in (row, base, own))
    if row["decks"] == base["decks"] == own["decks"]:
        return math.sqrt(max(d + r * r * b - r * (x - b - d), 0.0))
    return float(math.sqrt(d) + abs(r) * math.sqrt(b))


def _with_sums(table: pl.DataFrame, parts: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """The table with `beyond_sum` filled in where all single effects are known."""
    found = {tuple(row[k] for k in [*_MEASURE, "variant"]): row["effect"] for row in table.iter_rows(named=True)}
    beyond = []
    for key, effect in found.items():
        single = [found.get((*key[:3], part)) for part in parts.get(key[3], ())]
        known = [x for x in single if x is not None]
        beyond.append(round(effect - sum(known), 12) if known and len(known) == len(single) else None)
    return table.with_columns(beyond_sum=pl.Series(beyond, dtype=pl.Float64))


class Finding(NamedTuple):
    """What one reading does with one number of players and one line-up; `size` ranks it: 1 is just noticeable.

    `largest` holds the gravest effect of each line, a row of `effects`: what is noticeable before what is undecided, then the
    largest. `endless` is the share of games at the turn limit, `ruled_endless` that of the ruling. `beyond` is, for several
    readings at once, the row that is furthest from the sum of the single effects.
    """

    variant: str
    players: int
    line_up: str
    verdict: str
    size: float
    largest: dict[str, dict]
    endless: float
    ruled_endless: float
    beyond: dict | None = None


def findings(summary: Summary, table: pl.DataFrame) -> list[Finding]:
    """The readings of an audit by players and line-up in the order of the run.

    Single readings come before pairs, those that must be written with care first, and among equals the one that changes most.
    """
    same = _unchanged(summary)
    limits = {tuple(row[k] for k in _CELL): row["estimate"] for row in _whole(summary.estimates) if row["measure"] == LIMIT}
    parts = table.partition_by(_CELL, as_dict=True, maintain_order=True)
    found = []
    for key, part in parts.items():
        endless = limits.get(key, 0.0), limits.get((*key[:2], summary.base), 0.0)
        found.append(_finding(key, part.to_dicts(), key in same, *endless))
    order = {key[:2]: place for place, key in reversed(list(enumerate(parts)))}
    return sorted(found, key=lambda f: (order[f.players, f.line_up], f.beyond is not None, f.verdict != CARE, -f.size))


def _finding(key: tuple, rows: Sequence[dict], same: bool, endless: float, ruled_endless: float) -> Finding:
    largest: dict[str, dict] = {}
    for row in rows:
        if row["line"] not in largest or _gravity(row) > _gravity(largest[row["line"]]):
            largest[row["line"]] = row
    kinds = {row["verdict"] for row in rows}
    kind = CARE if OUTSIDE in kinds else OPEN if UNDECIDED in kinds else SAME if same else UNNOTICED
    players, line_up, variant = key
    summed = [row for row in rows if row["beyond_sum"] is not None]
    beyond = max(summed, key=lambda row: abs(row["beyond_sum"]) / row["noticeable"], default=None)
    return Finding(variant, players, line_up, kind, max(map(_size, rows)), largest, endless, ruled_endless, beyond)


def _gravity(row: dict) -> tuple[int, float]:
    return GRAVITY.index(row["verdict"]), _size(row)


def _size(row: dict) -> float:
    """An effect in units of what is just noticeable."""
    return float(abs(row["effect"]) / row["noticeable"])


def _unchanged(summary: Summary) -> set[tuple]:
    """Players, line-up and variant of the cells in which no deck differs from the base's in anything that is measured."""
    moved = pl.any_horizontal(pl.col("estimate") != 0, pl.col("standard_error") != 0).any()
    cells = summary.differences.group_by("players", "line_up", "variant").agg(moved=moved)
    return {tuple(row[:3]) for row in cells.filter(~pl.col("moved")).iter_rows()}
