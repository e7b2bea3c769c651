"""What is asked of a game besides fairness, judged like it: three verdicts against limits that are set beforehand (M2.3)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pinchsim.measure.ladder import ABOVE, BELOW, Answer, span_of
from pinchsim.measure.verdict import OUTSIDE, games_to_decide, verdict


class Limits(NamedTuple):
    """What a value is to keep within, both ends included."""

    low: float
    high: float


def judged(row: Mapping[str, Any], limits: Limits) -> Answer:
    """An estimate with its interval against limits: within margin, outside margin (above or below), or undecided."""
    found = span_of(dict(row))
    middle, margin = (limits.low + limits.high) / 2, (limits.high - limits.low) / 2

    def judge(factor: float) -> tuple[str, str | None]:
        _, low, high = found.widened(factor)
        kind = verdict(low - middle, high - middle, margin)
        return kind, None if kind != OUTSIDE else ABOVE if low > middle else BELOW

    def needed() -> int | None:
        return games_to_decide(found.estimate - middle, found.low - middle, found.high - middle, row["games"], margin)

    return Answer(dict(row), judge, needed)


def open_limits(players: int) -> Limits:
    """Between which win shares of the player who leads alone half-way a game is open and no lottery.

    Measure
    -------
    openness (M3.8)

    Whether a lead at half-time counts for something, but not for everything.

    Definition
    ----------
    The worth of a lead is how far the win share of who leads alone after half of the turns (alone_wins:50) lies on the way
    from a fair share to certainty. Up to a tenth of the way the game is called a lottery, from two thirds on settled early, in
    between open. Both limits are a convention, the same for every game and fixed before any run.

    Formula
    -------
    fair = 1 / players
    open if fair + 1/10 (1 - fair) <= alone_wins:50 <= fair + 2/3 (1 - fair)

    Units
    -----
    Shares of the games in which somebody leads alone half-way.

    Traps
    -----
    Those of runaway: a lead is told by the score, which says little where cards in hand are worth much. A game in which the
    lead says nothing may still be one of skill: this is no measure of luck.

    Source
    ------
    A convention of pinchsim, until playtests tell which games people call settled.

    Examples
    --------
    >>> [round(end, 3) for end in open_limits(4)]
    [0.325, 0.75]
    """
    fair = 1 / players
    return Limits(fair + (1 - fair) / 10, fair + (1 - fair) * 2 / 3)
