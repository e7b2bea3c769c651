"""The three verdicts on an effect against a margin that was fixed before the run (METHODS M2.3)."""

import math

WITHIN = "within margin"
OUTSIDE = "outside margin"
UNDECIDED = "undecided"
HOPELESS = 1000  # how many times as many games are still worth naming


def verdict(low: float, high: float, margin: float) -> str:
    """Judge an interval for an effect, whose fair value is 0, against the margin from -margin to +margin.

    "Not significant" is never "balanced": only an interval that lies in the margin as a whole is within it.

    Measure
    -------
    verdict (M2.3)

    Whether an effect is within a margin, outside it, or undecided.

    Definition
    ----------
    Within margin: the whole interval lies between minus and plus the margin; only this may be called balanced. Outside
    margin: the whole interval lies beyond it, on one side. Undecided: anything else; more games are needed. The margin is
    fixed before the run.

    Formula
    -------
    within margin   if -margin <= low and high <= margin
    outside margin  if low > margin or high < -margin
    undecided       otherwise

    Units
    -----
    Those of the effect; the start-player advantage is judged in percentage points, by default with a margin of 1 pp, or 2
    pp in a duel.

    Traps
    -----
    "Not significant" is not "balanced": a short run shows hardly anything. A margin chosen after looking at the result is
    worth nothing.

    Source
    ------
    Equivalence testing by intervals: Schuirmann (1987), here with 95 % intervals.

    Parameters
    ----------
    low, high
        Ends of the interval, in the margin's unit. A missing end (NaN or None) leaves the case undecided.
    margin
        Largest effect that is still acceptable, 0 or more.

    Returns
    -------
    str
        "within margin", "outside margin" (the whole interval beyond it, on one side) or "undecided".

    Examples
    --------
    >>> verdict(-0.002, 0.004, margin=0.01)
    'within margin'
    >>> verdict(0.012, 0.018, margin=0.01)
    'outside margin'
    >>> verdict(-0.02, 0.03, margin=0.01)
    'undecided'
    """
    if low is None or high is None:
        return UNDECIDED
    if -margin <= low and high <= margin:
        return WITHIN
    if low > margin or high < -margin:
        return OUTSIDE
    return UNDECIDED


def games_for(distance: float, half: float, games: int) -> int | None:
    """About how many games bring an interval's half-width from `half` down to a distance; None: far too many.

    The half-width goes with 1 / sqrt(games).
    """
    if not distance * math.sqrt(HOPELESS) > half:  # nor without an interval (NaN)
        return None
    needed = games * (half / distance) ** 2
    step: int = 10 ** max(0, math.floor(math.log10(max(needed, 1))) - 1)
    return max(games + 1, math.ceil(needed / step - 1e-9) * step)


def games_to_decide(estimate: float, low: float, high: float, games: int, margin: float) -> int | None:
    """About how many games would bring the interval to one side of the margin; None: far too many.

    The estimate is taken to stay where it is, but not to be further from the margin than 0 is while the interval still
    holds 0.
    """
    distance = abs(abs(estimate) - margin)
    if low <= 0 <= high:
        distance = min(distance, margin)
    return games_for(distance, (high - low) / 2, games)
