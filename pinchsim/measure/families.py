"""Several verdicts that are to hold at once (METHODS M2.4)."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pinchsim.measure.moments import quantile, tail
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN

PValue = Callable[[float], float]  # of a value that an effect may have


class Comparison(NamedTuple):
    """An effect, whose fair value is 0, that is judged against a margin.

    `p_value` gives, for a value that the effect may have, the smallest alpha at which the interval shown leaves it out, half
    of it on each side: `of_interval`, or `sequential.p_value` of the look at which the run stopped.
    """

    estimate: float
    margin: float
    p_value: PValue


class Judged(NamedTuple):
    """A verdict in a family, and the smallest alpha at which it still holds there."""

    verdict: str
    p_value: float


def holm(p_values: Sequence[float], most_true: int | None = None) -> list[float]:
    """Adjusted p-values: the hypotheses with at most alpha are rejected, and with 95 % no true one is among them at alpha 5 %.

    Measure
    -------
    holm (M2.4)

    Verdicts of a family that are to hold at once.

    Definition
    ----------
    Of many verdicts with 5 % error each some are wrong. In a family the chance that any is wrong is at most 5 %. Hypotheses are
    rejected one after the other, the clearest first, each as if it was one of those that may still be true. Each comparison
    with a margin has two hypotheses, "not within" and "not outside". One of the two is always true, so as many may be true
    as there are comparisons, at every step.

    Formula
    -------
    adjusted p = max over those before, and itself, of p times how many
                 hypotheses may still be true
    p(not within)  = larger of the one-sided p at -margin and margin
    p(not outside) = sum of both one-sided p at the margin
    verdict        if adjusted p <= 0.05 and the 95 % interval says so, too

    Units
    -----
    Probabilities.

    Traps
    -----
    The interval beside a verdict is its own one of 95 %. It never says otherwise; but where it clears the margin by little, the
    verdict of the family may be undecided. Intervals with an error of 5 % / comparisons on each side, if there are two or more,
    say what the family says; Bonferroni's, with half of that, are wider. What is picked as the best of many is not corrected
    but confirmed on fresh decks.

    Source
    ------
    Holm, "A simple sequentially rejective multiple test procedure" (1979); Shaffer, "Modified sequentially rejective multiple
    test procedures" (JASA 81, 1986) for how many may be true; Schuirmann (1987) for "within". Valid however the comparisons
    hang together, and with p-values of confidence sequences whenever the run stops.

    Parameters
    ----------
    most_true
        How many of the hypotheses can be true together; None: all.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03], most_true=2)]
    [0.02, 0.06, 0.06]
    """
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rejected, k in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        left = len(p_values) - rejected
        largest = max(largest, p_values[k] * min(left, most_true or left))
        adjusted[k] = min(1.0, largest)
    return adjusted


def judged_together(comparisons: Sequence[Comparison], alpha: float = 0.05) -> list[Judged]:
    """The verdicts of a family, any of which is wrong with probability alpha or less; see `holm`.

    With one margin of 0 or more each, at least as many are decided as by intervals widened to hold at once (Bonferroni), and
    none against its own interval.
    """
    own = [_p_values(one) for one in comparisons]
    adjusted = holm([p.one_sided for pair in own for p in pair], most_true=len(comparisons))
    return [
        _clearest(Judged(WITHIN, max(in_family[0], within.own)), Judged(OUTSIDE, max(in_family[1], outside.own)), alpha)
        for (within, outside), in_family in zip(own, zip(adjusted[::2], adjusted[1::2], strict=True), strict=True)
    ]


def _clearest(within: Judged, outside: Judged, alpha: float) -> Judged:
    """The one of both verdicts for which more speaks, if that is enough."""
    best = min(within, outside, key=lambda judged: judged.p_value)
    return best if best.p_value <= alpha else Judged(UNDECIDED, best.p_value)


class _PValues(NamedTuple):
    """Against a hypothesis: the p-value of the test, and the smallest alpha at which the interval shown rejects it."""

    one_sided: float
    own: float


def _p_values(one: Comparison) -> tuple[_PValues, _PValues]:
    """Against "not within" and against "not outside"."""
    at_ends = sorted(one.p_value(end) for end in (-one.margin, one.margin))
    if abs(one.estimate) <= one.margin:
        return _PValues(at_ends[1] / 2, at_ends[1]), _PValues(1.0, 1.0)
    return _PValues(1.0, 1.0), _PValues(sum(at_ends) / 2, at_ends[1])


def of_interval(row: Mapping[str, Any], rare: bool = False) -> PValue:
    """Two-sided p-values of an estimate with a 95 % interval, whose arms are taken to grow as Student's do, or the normal's.

    Of a share with Wilson's interval (`rare`) they grow with the square of that at most. So it is with the intervals of
    confidence sequences, too, which grow more slowly: there p-values are a little too large.

    Parameters
    ----------
    row
        Estimate, low, high and decks; without an interval nothing speaks against any value.
    """
    estimate, low, high = (math.nan if row[name] is None else row[name] for name in ("estimate", "low", "high"))

    def p_value(value: float) -> float:
        arm = estimate - low if value < estimate else high - estimate
        if not arm > 0:  # nothing varied, or there is no interval
            return float(arm != 0 or value == estimate)
        arms = abs(value - estimate) / arm
        errors = quantile(row["decks"]) * (math.sqrt(arms) if rare and arms > 1 else arms)
        return tail(errors, row["decks"])

    return p_value
