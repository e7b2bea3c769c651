"""Intervals that may be looked at while a run goes on, and when it may stop (METHODS M2.2).

An interval for a fixed number of games misses in 5 of 100 runs; look at it after every wave and stop at will, and it misses in
far more. Here a run has looks of two kinds, which share its 5 % between them (Haybittle 1971, Peto et al. 1976):

- *Passing looks*, as many as one likes, at any time and for any reason: the run may stop there as soon as a verdict is clear,
  or be interrupted. Their intervals hold all at once: the normal-mixture confidence sequence of Waudby-Smith, Arbour, Sinha,
  Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics 52, 2024),
  after Robbins (1970). They get `1 - closing` of alpha.
- *One closing look*, where the run ends for a reason that is not the estimate: its budget is spent, or the interval is as
  precise as was wished. That moment hangs on the spread of the decks alone, which says nothing about where their mean lies, so
  an interval of fixed length is valid there (Anscombe 1952, Chow and Robbins 1965). It gets `closing` of alpha.

How many times as many games the same half-width takes as with the 95 % interval of a fixed number, for means without bounds
(passing looks at shares take about 1.1 times as many again):

    closing   closing look   passing looks at ... times the decks of `tightest`
                               1/16    1/4      1      4     16     64
    none                       4.92   2.75   2.40   2.55   2.85   3.20
    0.5               1.31     5.40   3.16   2.80   2.95   3.26   3.60
    0.8               1.10     6.00   3.69   3.32   3.48   3.78   4.13
    0.9               1.05     6.44   4.09   3.71   3.87   4.17   4.52

So a run that ends by precision or with its budget pays a tenth for being looked at. Looks at doubling sizes only, each with a
part of alpha, would need no fewer games for an early verdict (a factor of 2.4 to 3, times 1.4 for waiting till the next look).

*Where decks vary too little* normal theory can't be trusted. The mean of n decks, none further than 1 from it and with the
variance V, is off normal by at most 0.47 / sqrt(n V) (Berry and Esseen). So below n V = `LEAST_SQUARES`, or `Plan.least` decks,
shares and their differences have a sequence that holds for any number of decks: the empirical Bernstein one of Howard, Ramdas,
McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences" (Annals of Statistics 49, 2021), from
the squares of the decks about where they are if nothing happens. It serves both kinds of looks and takes half of what passing
looks have. Means without bounds have no interval there.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from pinchsim.measure.moments import FEW_CLUSTERS, quantile, tail

PRECISION, VERDICT = "precision reached", "verdict reached"
BUDGET, INTERRUPTED = "budget spent", "interrupted"
CLOSING = (PRECISION, BUDGET)  # reasons for stopping that don't hang on the estimate

LEAST_SQUARES = 50
FAR_TOO_MANY = 2**40  # decks


class Kind(NamedTuple):
    """Between which values the mean of a deck lies, and where it may be if nothing happens."""

    low: float
    high: float
    idle: tuple[float, ...]

    @property
    def is_bounded(self) -> bool:
        """Whether anything can be said from few decks."""
        return bool(self.idle)

    def less(self, offset: float) -> "Kind":
        """The same for means less an offset, such as a fair share."""
        return Kind(self.low - offset, self.high - offset, tuple(x - offset for x in self.idle))


SHARE = Kind(0.0, 1.0, (0.0, 1.0))
DIFFERENCE = Kind(-1.0, 1.0, (0.0,))  # of two shares
NUMBER = Kind(-math.inf, math.inf, ())


@dataclass(frozen=True)
class Evidence:
    """A mean over decks with its standard error, as `Moments` have them at a look."""

    decks: int
    mean: float
    error: float
    kind: Kind = NUMBER

    @property
    def squares(self) -> float:
        """Sum of squared deviations of the decks from their mean."""
        return self.error**2 * self.decks * (self.decks - 1) if self.decks > 1 else 0.0


@dataclass(frozen=True)
class Plan:
    """How a run is looked at, fixed before its first game.

    Attributes
    ----------
    tightest
        At how many decks passing looks are to be most precise: a guess, best from below, at when a verdict may be clear.
    alpha
        How often any interval of the run may miss.
    family
        How many means are to hold at once (Bonferroni); 1 if `families` corrects their p-values.
    least
        Decks before the first look at what has no bounds.
    closing
        Part of alpha that is kept for the closing look.
    """

    tightest: int
    alpha: float = 0.05
    family: int = 1
    least: int = 200
    closing: float = 0.8

    def __post_init__(self) -> None:
        if not (0 < self.alpha < 1 and 0 < self.closing < 1 and self.family >= 1 and self.tightest >= 1):
            raise ValueError(f"alpha and closing lie between 0 and 1, family and tightest are 1 or more: {self}")
        if self.least < FEW_CLUSTERS:
            raise ValueError(f"the first look is at {FEW_CLUSTERS} decks or more, not {self.least}")

    def level(self, part: float) -> float:
        """The error rate that a part of alpha gives each mean."""
        return self.alpha * part / self.family

    def passing(self, kind: Kind) -> float:
        """The part of alpha of passing looks; that of the exact sequence, where there is one, is as large."""
        return (1 - self.closing) / (2 if kind.is_bounded else 1)

    def pace(self, decks: int, kind: Kind) -> float:
        """Decks times the mixture's variance, which is such that the interval of `tightest` decks is shortest.

        There y = 1 + pace solves y - log(y) = 1 - 2 log(level): Waudby-Smith et al., who write it with Lambert's W.
        """
        y = least = 1 - 2 * math.log(self.level(self.passing(kind)))
        for _ in range(30):
            y = least + math.log(y)
        return (y - 1) * decks / self.tightest


def is_trusted(plan: Plan, seen: Evidence) -> bool:
    """Whether normal theory holds: enough decks, and of bounded ones enough that vary."""
    enough = seen.squares >= LEAST_SQUARES if seen.kind.is_bounded else seen.error > 0
    return seen.decks >= plan.least and enough


def confidence_sequence(plan: Plan, seen: Evidence, closing: bool = False) -> tuple[float, float]:
    """The interval of a mean at a look.

    Measure
    -------
    confidence_sequence (M2.2)

    Intervals that stay valid however often one looks at them while a run goes on.

    Definition
    ----------
    In 95 of 100 runs all intervals of a number hold its true value, whenever it is looked at and whatever makes the run stop.
    Intervals of looks in passing are wide enough for any number of looks. One look closes the run: the interval has the length
    that was wished for, or the budget is spent. Its moment does not hang on the estimate, so its interval is hardly wider than
    one of a fixed number of games.

    Formula
    -------
    passing  estimate +- error sqrt((1 + 1/x) log((1 + x) / a^2)),
             x = c decks / tightest, a = 0.05 (1 - closing)
    closing  estimate +- error quantile(1 - 0.05 closing / 2)
    c makes passing looks shortest at so many decks as `tightest` says.
    Few decks that vary: empirical Bernstein, gamma-exponential mixture.

    Units
    -----
    Those of the value itself.

    Traps
    -----
    What is fixed before the run must stay fixed: playing on after the closing look, because one doesn't like it, is another
    run. The first looks of a mean that has no bounds (scores, turns) come after 200 decks, and still trust normal theory.

    Source
    ------
    Waudby-Smith et al., Annals of Statistics 52 (2024); Howard et al., Annals of Statistics 49 (2021); Haybittle (1971) and
    Peto et al. (1976) for the closing look; Chow and Robbins (1965) for stopping by precision.

    Parameters
    ----------
    closing
        Whether the run ends here for one of the reasons `CLOSING`.

    Returns
    -------
    low, high : float
        Infinite ends where nothing can be said.

    Examples
    --------
    >>> plan = Plan(tightest=10_000)
    >>> [round(end, 4) for end in confidence_sequence(plan, Evidence(10_000, 0.01, 0.002), closing=True)]
    [0.0059, 0.0141]
    >>> [round(end, 4) for end in confidence_sequence(plan, Evidence(10_000, 0.01, 0.002))]
    [0.0029, 0.0171]
    """
    half = half_width(plan, seen, closing)
    return max(seen.mean - half, seen.kind.low), min(seen.mean + half, seen.kind.high)


def half_width(plan: Plan, seen: Evidence, closing: bool = False) -> float:
    """How far the interval of a look reaches to each side, but for bounds of the mean; infinite where nothing can be said."""
    if not is_trusted(plan, seen):
        return _exact_half_width(plan, seen)
    if closing:
        return seen.error * quantile(seen.decks, 0.05 / plan.level(plan.closing))
    x, level = plan.pace(seen.decks, seen.kind), plan.level(plan.passing(seen.kind))
    return seen.error * math.sqrt((1 + 1 / x) * (math.log1p(x) - 2 * math.log(level)))


def p_value(plan: Plan, value: float, seen: Evidence, closing: bool = False) -> float:
    """The smallest alpha at which the interval of this look, alone in its family, leaves out a value; half is for each side.

    If the value is the true one, this is at most a with probability a or less, at whatever look one stops. The mixture stays
    the one that the plan has fixed.
    """
    distance = abs(value - seen.mean)
    if not is_trusted(plan, seen):
        return _exact_p_value(plan, distance, seen)
    errors = distance / seen.error
    if closing:
        return min(1.0, tail(errors, seen.decks) / plan.closing)
    x = plan.pace(seen.decks, seen.kind)
    evidence = (errors**2 * x / (1 + x) - math.log1p(x)) / 2
    return min(1.0, math.exp(-evidence) / plan.passing(seen.kind)) if evidence > 0 else 1.0


def decks_for(
    plan: Plan, half: float, deviation: float, mean: float = 0.0, kind: Kind = NUMBER, closing: bool = True
) -> int | None:
    """About how many decks bring an interval's half-width down to `half`; None: far too many.

    Parameters
    ----------
    deviation, mean
        Standard deviation and mean of the decks, guessed or as seen so far.
    closing
        Whether it is the interval of the closing look that is to be so short, or that of a passing look.
    """

    def is_enough(decks: int) -> bool:
        return half_width(plan, Evidence(decks, mean, deviation / math.sqrt(decks), kind), closing) <= half

    most = 1
    while not is_enough(most):
        most *= 2
        if most > FAR_TOO_MANY:
            return None
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if is_enough(middle) else (middle, most)
    return most


# The exact sequence. A deck's deviation y from where it is if nothing happens lies between -1 and 1, so that
# exp(u y - y^2 (-log(1 - u) - u)) <= 1 + u y for 0 <= u < 1. So with d the deviation's mean, the product over decks of
# exp(u (y - d) - y^2 (-log(1 - u) - u)) is a supermartingale, and its mean over u, with the weights exp(u - 1), is one, too:
# proposition 9 of Howard et al. with rho = 1.


def _exact_half_width(plan: Plan, seen: Evidence) -> float:
    """By the rule of `_exact_p_value`: it grows with the distance, so it is found by halving."""
    if not seen.kind.is_bounded:
        return math.inf
    squares = _least_squares(seen)
    wanted = math.log(2 * len(seen.kind.idle) / plan.level(plan.passing(seen.kind)))
    low, high = 0.0, 1.0
    while _log_mixture(high, squares) < wanted:
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if _log_mixture(middle, squares) >= wanted else (middle, high)
    return high / seen.decks


def _exact_p_value(plan: Plan, distance: float, seen: Evidence) -> float:
    """Half of it for each side, divided among the places where a deck may be if nothing happens."""
    if not seen.kind.is_bounded:
        return 1.0
    evidence = _log_mixture(seen.decks * distance, _least_squares(seen))
    return min(1.0, 2 * len(seen.kind.idle) * math.exp(-evidence) / plan.passing(seen.kind)) if evidence > 0 else 1.0


def _least_squares(seen: Evidence) -> float:
    """Sum of the squares of the decks about the best of the places where they are if nothing happens."""
    return seen.squares + seen.decks * min((seen.mean - idle) ** 2 for idle in seen.kind.idle)


def _log_mixture(total: float, squares: float) -> float:
    """How much speaks against a mean that is `total` / decks away from the estimate."""
    from scipy.special import gammainc

    a, x = squares + 1, total + squares + 1
    return math.lgamma(a) + math.log(gammainc(a, x)) - a * math.log(x) + x - 1 - math.log1p(-math.exp(-1))
