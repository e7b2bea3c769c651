"""Whether a verdict holds at every level of a strength ladder (METHODS M2.6).

At each level everyone at the table plays alike, and each level gets a verdict of its own from its own 95 % interval. Only
*credible* levels, those at which people could play, decide about the whole; the others are judged beside them.

Two questions are asked of each variant with each number of players:

- `ADVANTAGE`: is the start player's advantage within the margin (M2.3)? Beyond it above and beyond it below are different
  answers.
- `CHANGE`: is the variant fairer than the base, that is, is its advantage closer to 0? With the advantages v and b of both,
  v is closer exactly if the difference v - b and the sum v + b have opposite signs, so both intervals must keep clear of 0.
  Where they do not, the two are `ALIKE` if their distances from 0 differ by no more than the margin: these differ by the
  smaller of the absolute difference and the absolute sum. Somewhat fairer can be alike, too, so only fairer and less fair
  contradict each other.

Errors (M2.4). "Holds at every level" claims something of all levels at once. It is wrong only if one level's verdict is
wrong, and takes the verdicts of all levels: an intersection-union test (Berger, "Multiparameter hypothesis testing and
acceptance sampling", 1982), whose error rate for the whole claim is at most that of one level's verdict, 5 %. No correction
is needed; it would only make the test blunter. "Changes with strength" is the other way round: any level that strays by
chance makes it look true. So it takes verdicts that disagree even when the intervals of all credible levels hold at once
with 95 % (Bonferroni). Both rates are those of one sentence: one question, variant and number of players.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import polars as pl

from pinchsim.measure.moments import quantile
from pinchsim.measure.summary import Summary
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, games_for, games_to_decide, verdict

ADVANTAGE = "start_player_advantage"
CHANGE = "change"  # of the advantage against the base
FAIRER, LESS_FAIR, ALIKE = "fairer", "less fair", "as fair"
HOLDS, CHANGES = "holds", "changes with strength"  # and UNDECIDED
ABOVE, BELOW = "above", "below"

SCHEMA = {
    "players": pl.Int64,
    "variant": pl.String,
    "base": pl.String,
    "question": pl.String,
    "level": pl.String,
    "rank": pl.Int64,
    "credible": pl.Boolean,
    "games_share": pl.Float64,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "games": pl.Int64,
    "decks": pl.Int64,
    "verdict": pl.String,
    "side": pl.String,
    "games_needed": pl.Int64,
    "robust": pl.String,
}


class Level(Protocol):
    """A level as the game's ladder gives it: who plays, whether people could play so, and its share of the games."""

    @property
    def strategy(self) -> str: ...
    @property
    def credible(self) -> bool: ...
    @property
    def games(self) -> float: ...


class Span(NamedTuple):
    """An estimate with its interval."""

    estimate: float
    low: float
    high: float

    def widened(self, factor: float) -> "Span":
        """The interval with both of its arms longer by a factor."""
        x = self.estimate
        return Span(x, x - factor * (x - self.low), x + factor * (self.high - x))

    @property
    def sign(self) -> int:
        """1 or -1 if the whole interval lies above or below 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    @property
    def half(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2


class Answer(NamedTuple):
    """What one level says: the row of the data that is shown and how to judge it with intervals longer by a factor."""

    row: dict[str, Any]
    judge: Callable[[float], tuple[str, str | None]]
    needed: Callable[[], int | None]


def ladder_table(summary: Summary, levels: Sequence[Level]) -> pl.DataFrame:
    """What each level of a ladder says, and whether it holds at every level.

    Measure
    -------
    ladder (M2.6): robust

    Whether a verdict holds for weak and strong players alike.

    Definition
    ----------
    At each level of the ladder everybody plays the same strategy, from weak to strong, and each level gets a verdict of
    its own. The verdict holds if all levels at which people could play agree; it changes with strength if their verdicts
    contradict each other; else it is undecided. A variant is fairer than the base if its start-player advantage is closer
    to 0.

    Formula
    -------
    holds    all credible levels agree, each with its own 95 % interval
    changes  they disagree even with intervals that hold for all at once

    Units
    -----
    Verdicts; the advantage and its change in percentage points.

    Traps
    -----
    The ladder is made of the strategies that exist. A level that gets fewer games has a wider interval and may leave the
    whole undecided.

    Source
    ------
    Intersection-union test: Berger, "Multiparameter hypothesis testing and acceptance sampling" (1982).

    Parameters
    ----------
    summary
        A run in which each level is a line-up of that strategy alone.
    levels
        The ladder, from weakest to strongest.

    Returns
    -------
    polars.DataFrame
        A row per players, variant, question (`ADVANTAGE`, or `CHANGE` against `base`) and level, in this order:
        `estimate`, `low`, `high` (the advantage, or its paired difference to the base; null if the level was not played
        yet), `games` and `decks` behind it, `verdict` (with `side` "above" or "below" where it is "outside margin"),
        `games_needed` (about how many games of this level would decide; null if decided, or if it would take too many), and
        the same for all levels of a question: `robust`, which is "holds", "changes with strength" or "undecided".
    """
    estimates, differences = (_of_start_player(frame) for frame in (summary.estimates, summary.differences))
    variants = sorted(dict.fromkeys(key[1] for key in estimates), key=lambda name: name != summary.base)
    made: list[tuple[Any, ...]] = []
    for players in sorted({key[0] for key in estimates}):
        for variant in variants:
            own = [estimates.get((players, variant, level.strategy)) for level in levels]
            base = [estimates.get((players, summary.base or "", level.strategy)) for level in levels]
            changes = [differences.get((players, variant, level.strategy)) for level in levels]
            if any(own):
                answers = [_advantage(row, summary.margin) if row else None for row in own]
                made += _rows((players, variant, None, ADVANTAGE), levels, answers)
            if any(changes):
                triples = zip(changes, own, base, strict=True)
                answers = [_change(d, v, b, summary.margin) if d and v and b else None for d, v, b in triples]
                made += _rows((players, variant, summary.base, CHANGE), levels, answers)
    return pl.DataFrame(made, SCHEMA, orient="row")


def _of_start_player(frame: pl.DataFrame) -> dict[tuple[int, str, str], dict[str, Any]]:
    """Rows of the start player's advantage by players, variant and line-up."""
    rows = frame.filter(pl.col("measure") == ADVANTAGE, pl.col("position") == -1).iter_rows(named=True)
    return {(row["players"], row["variant"], row["line_up"]): row for row in rows}


def _rows(named: tuple[Any, ...], levels: Sequence[Level], answers: Sequence[Answer | None]) -> Iterable[tuple[Any, ...]]:
    """The rows of one question, a level each."""
    holds = robust([answer for level, answer in zip(levels, answers, strict=True) if level.credible])
    for rank, (level, answer) in enumerate(zip(levels, answers, strict=True)):
        about = (*named, level.strategy, rank, level.credible, level.games)
        if answer is None:
            yield (*about, None, None, None, 0, 0, UNDECIDED, None, None, holds)
            continue
        kind, side = answer.judge(1.0)
        values = [answer.row[name] for name in ("estimate", "low", "high", "games", "decks")]
        yield (*about, *values, kind, side, answer.needed() if kind == UNDECIDED else None, holds)


def robust(answers: Sequence[Answer | None]) -> str:
    """Whether all credible levels say the same; a level that was not played yet is undecided."""
    plain = {answer.judge(1.0) if answer else (UNDECIDED, None) for answer in answers}
    if len(plain) == 1 and (UNDECIDED, None) not in plain:
        return HOLDS
    strict = {answer.judge(joint_factor(answer.row["decks"], len(answers))) for answer in answers if answer}
    contrary = strict - {(UNDECIDED, None), (ALIKE, None)}
    return CHANGES if len(contrary) > 1 else UNDECIDED


def joint_factor(decks: int, tests: int) -> float:
    """How much longer an interval must be to hold at once with others; 1 for a single deck, which has none."""
    return quantile(decks, tests) / quantile(decks) if decks > 1 else 1.0


def span_of(row: dict[str, Any]) -> Span:
    """The interval of a row, without ends (NaN) if it has none."""
    return Span(*(math.nan if row[name] is None else row[name] for name in ("estimate", "low", "high")))


def _advantage(row: dict[str, Any], margin: float) -> Answer:
    span = span_of(row)

    def judge(factor: float) -> tuple[str, str | None]:
        _, low, high = span.widened(factor)
        kind = verdict(low, high, margin)
        return kind, None if kind != OUTSIDE else ABOVE if low > 0 else BELOW

    return Answer(row, judge, lambda: None if math.isnan(span.half) else games_to_decide(*span, row["games"], margin))


def _change(row: dict[str, Any], own: dict[str, Any], base: dict[str, Any], margin: float) -> Answer:
    difference, total = span_of(row), _sum(row, own, base)

    def judge(factor: float) -> tuple[str, str | None]:
        d, s = difference.widened(factor), total.widened(factor)
        if d.sign and s.sign:
            return (FAIRER if d.sign != s.sign else LESS_FAIR), None
        alike = WITHIN in (verdict(d.low, d.high, margin), verdict(s.low, s.high, margin))
        return (ALIKE if alike else UNDECIDED), None

    def needed() -> int | None:
        signs = [games_for(abs(x.estimate), x.half, row["games"]) for x in (difference, total) if not x.sign]
        both = max((n for n in signs if n), default=None) if all(signs) else None
        near = [games_for(max(margin - abs(x.estimate), 0.0), x.half, row["games"]) for x in (difference, total)]
        return min((n for n in (both, *near) if n), default=None)

    return Answer(row, judge, needed)


def _sum(row: dict[str, Any], own: dict[str, Any], base: dict[str, Any]) -> Span:
    """The sum of the advantages of a variant and its base, whose difference is `row`.

    On the same decks the variances of difference and sum add up to twice those of the two; an upper bound where an
    interruption left other decks.
    """
    total = own["estimate"] + base["estimate"]
    v, b, d = (x["standard_error"] for x in (own, base, row))
    same = row["decks"] == own["decks"] == base["decks"]
    error = math.sqrt(max(2 * (v * v + b * b) - d * d, 0.0)) if same else v + b
    half = quantile(min(own["decks"], base["decks"])) * error
    return Span(total, total - half, total + half)
