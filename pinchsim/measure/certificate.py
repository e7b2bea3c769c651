"""Lines that were drawn before a run, judged together (METHODS M7.1)."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pinchsim.measure.judgeable import Bounds
from pinchsim.measure.ladder import Span, joint_factor, span_of
from pinchsim.measure.moments import FEW_CLUSTERS, FEW_EVENTS
from pinchsim.measure.verdict import games_for

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"
PASSES, FAILS = "passes", "fails"  # and UNDECIDED


class Judgement(NamedTuple):
    """A verdict, the interval that it rests on, and about how many games would decide (None: decided, or far too many)."""

    verdict: str
    span: Span
    needed: int | None


def judge(row: Mapping[str, Any], low: float, high: float, bounds: Bounds, family: int) -> Judgement:
    """Judge an estimate against limits, one of `family` that are judged together.

    Measure
    -------
    certificate (M7.1)

    Whether a measure keeps between limits that were set beforehand: pass, fail or undecided.

    Definition
    ----------
    A line sets limits to a measure. Pass: the whole interval lies between the limits, both included. Fail: the whole interval
    lies beyond one of them. Undecided: anything else; more games are needed. All lines in all cells are one family: their
    intervals are so wide that all of them hold at once with 95 %. The whole passes if every verdict is a pass, fails if any
    is a fail, and else is undecided.

    Formula
    -------
    interval  = both arms of the 95 % interval, f times as long
    f         = quantile(1 - 0.025 / family) / quantile(0.975)
    pass      if limit_low <= low and high <= limit_high
    fail      if high < limit_low or low > limit_high
    undecided otherwise

    Units
    -----
    Verdicts; intervals in the unit of the measure.

    Traps
    -----
    It holds for players who play like those of its line-ups. Limits set after looking at the result are worth nothing, and
    playing on until it passes makes a false pass likelier: ask for games enough beforehand, or take a fresh seed.

    Source
    ------
    Bonferroni (M2.4). The interval of a rare share is Wilson's, whose arms grow with the square of the quantile at most: there
    f is squared.

    Parameters
    ----------
    row
        Estimate, low, high, games and decks.
    low, high
        The limits; -inf or inf for none.
    bounds
        Between which values the measure lies anyway.
    family
        How many verdicts are to hold at once.
    """
    span = joint_span(row, bounds, family)
    if low <= span.low and span.high <= high:
        return Judgement(PASS, span, None)
    if span.high < low or span.low > high:
        return Judgement(FAIL, span, None)
    return Judgement(UNDECIDED, span, _needed(span, low, high, row["games"]))


def _needed(span: Span, low: float, high: float, games: int) -> int | None:
    """About how many games would decide, if the estimate stays where it is: those that part the interval from the limits.

    Of an estimate between the limits each arm must end before its limit, of one beyond them the arm towards the nearer limit.
    """
    x = span.estimate
    if math.isnan(span.low):
        return None
    limits = [limit for limit in (low, high) if math.isfinite(limit)]
    at_issue = limits if low <= x <= high else [min(limits, key=lambda limit: abs(x - limit))]
    counts = [games_for(abs(x - limit), x - span.low if limit < x else span.high - x, games) for limit in at_issue]
    found = [count for count in counts if count is not None]
    return max(found) if len(found) == len(counts) else None


def joint_span(row: Mapping[str, Any], bounds: Bounds, family: int) -> Span:
    """The interval that holds at once with the others of its family; none (NaN) from a single deck."""
    span = span_of(dict(row))
    if math.isnan(span.half) or row["decks"] < 2:
        return Span(span.estimate, math.nan, math.nan)
    factor = joint_factor(row["decks"], family)
    estimate, low, high = span.widened(factor**2 if is_rare(row, bounds) else factor)
    return Span(estimate, max(low, bounds.low), min(high, bounds.high))


def is_rare(row: Mapping[str, Any], bounds: Bounds) -> bool:
    """Whether it is a share that has Wilson's interval."""
    share = row["estimate"] - bounds.low
    return bounds.is_share and bool(row["decks"] < FEW_CLUSTERS or min(share, 1 - share) * row["games"] < FEW_EVENTS)


def together(verdicts: Iterable[str]) -> str:
    """What all verdicts say together: "passes", "fails" or "undecided"."""
    found = set(verdicts)
    return FAILS if FAIL in found else PASSES if found == {PASS} else UNDECIDED
