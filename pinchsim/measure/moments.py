"""Means with intervals from clustered games (METHODS M1.4, M2.1).

The unit of independence is the deck. A chunk of games is reduced to the number, mean and squared deviations of its deck
means; chunks merge exactly as if all decks had been seen at once (Chan, Golub and LeVeque, "Updating formulae and a
pairwise algorithm for computing sample variances", 1979). Chunks are always merged in the order of their decks, so that
the result does not depend on who finished first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pinchsim.measure.controls import Joint

Z95 = NormalDist().inv_cdf(0.975)
FEW_CLUSTERS = 30
NORMAL_CLUSTERS = 2000  # from so many on Student's t and the normal differ by less than a thousandth, far out in the tails, too
FEW_EVENTS = 10
ROUNDING = 1e-6  # of an error: win shares are kept in single precision, so that decks which are all alike differ by as little


@dataclass
class Moments:
    """Moments of K quantities over decks and over games.

    `mean`, `deck_squares` and `game_squares` are float64[K]; the squares are sums of squared deviations from the mean. `joint`
    are joint moments with covariates of the decks, in a run that is corrected by them (`pinchsim.measure.controls`).
    """

    decks: int
    games: int
    mean: np.ndarray
    deck_squares: np.ndarray
    game_squares: np.ndarray
    joint: "Joint | None" = None

    @classmethod
    def of(cls, values: np.ndarray, deck_means: np.ndarray) -> "Moments":
        """Moments of `values`, float64[K, games], with their means by deck, float64[K, decks] (`deck_average`)."""
        mean = deck_means.mean(axis=1)
        return cls(
            deck_means.shape[1], values.shape[1], mean, _squares(deck_means, mean), _squares(values, mean)
        )  # fmt: skip

    def merged(self, other: "Moments") -> "Moments":
        """Moments of both sets of decks together."""
        decks, games = self.decks + other.decks, self.games + other.games
        step = other.mean - self.mean
        mean = self.mean + step * (other.decks / decks)
        deck_squares = self.deck_squares + other.deck_squares + step**2 * (self.decks * other.decks / decks)
        game_squares = self.game_squares + other.game_squares + step**2 * (self.games * other.games / games)
        joint = self.joint.merged(other.joint) if self.joint and other.joint else None
        return Moments(decks, games, mean, deck_squares, game_squares, joint)

    def standard_errors(self) -> np.ndarray:
        """Cluster-robust standard errors of the means, float64[K]; nan with a single deck."""
        if self.decks < 2:
            return np.full_like(self.mean, math.nan)
        return np.sqrt(self.deck_squares / (self.decks - 1) / self.decks)

    def independent_errors(self, games: int | None = None) -> np.ndarray:
        """Standard errors that so many independent games, by default as many, would have given (METHODS M1.5), float64[K]."""
        return np.sqrt(self.game_squares / max(self.games - 1, 1) / (games or self.games))


def merge(parts: Sequence[Moments]) -> Moments:
    """Moments of several sets of decks together, merged in their order."""
    total = parts[0]
    for part in parts[1:]:
        total = total.merged(part)
    return total


def _squares(x: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Sum of squared deviations from the mean, row by row."""
    deviations = x - mean[:, None]
    squares: np.ndarray = np.einsum("ij,ij->i", deviations, deviations)
    return squares


def deck_average(values: np.ndarray, rotations: int) -> np.ndarray:
    """Mean over each deck's games: float64[K, games] -> float64[K, decks]."""
    total = values[:, 0::rotations].copy()
    for rotation in range(1, rotations):
        total += values[:, rotation::rotations]
    return total / rotations


def ratio(parts: np.ndarray, wholes: np.ndarray) -> tuple[float, np.ndarray]:
    """Ratio of two sums over decks, and how far each deck pulls it from there (linearised, delta method).

    `parts` and `wholes` are float64[decks], with something in `wholes`. The pulls, float64[decks], have the mean 0, and the
    standard error of their mean is that of the ratio.
    """
    found, whole = float(parts.mean() / wholes.mean()), wholes.mean()
    return found, (parts - found * wholes) / whole


def variance_reduction(independent: float, clustered: float) -> float:
    """Variance reduction factor (METHODS M1.5), from standard errors of as many games; nan where the design leaves no error.

    Measure
    -------
    variance_reduction (M1.5)

    How many times as many independent games would have been needed.

    Definition
    ----------
    Every deck is played from each seat, and variants play the same decks, so that luck of the cards cancels. The factor
    compares the design with as many games on independent decks: 2 means that these would have had to be twice as many.

    Formula
    -------
    factor = (error of independent games / error of the design) ^ 2

    Units
    -----
    A plain number; below 1 some evidence was lost.

    Traps
    -----
    It belongs to one measure and one comparison: what is good for differences between variants may be of no use for a
    mean.

    Source
    ------
    Common random numbers and duplicate bridge.
    """
    return (independent / clustered) ** 2 if clustered > ROUNDING * independent else math.nan


def interval(mean: float, error: float, decks: int, games: int, is_share: bool, tests: float = 1) -> tuple[float, float]:
    """95 % interval of a mean from its cluster-robust standard error; `tests` as for `quantile`.

    A share with few clusters or few events gets Wilson's interval (1927) with the number of games that the standard error
    is worth; other means get Student's t.

    Measure
    -------
    interval (M2.1)

    How far off an estimate may be: intervals of 95 %, clustered by deck.

    Definition
    ----------
    If a run was repeated with other decks again and again, about 95 of 100 such intervals would hold the true value.
    Games of one deck resemble each other, so the deck is the piece of evidence: intervals come from deck averages, never
    from single games.

    Formula
    -------
    error = standard deviation of the deck averages / sqrt(decks)
    interval = estimate - t error to estimate + t error,
               t = 1.96 with many decks (Student's quantile)

    Units
    -----
    Those of the value itself.

    Traps
    -----
    One interval in 20 misses, so of many some do. Rare shares, and those from fewer than 30 decks, get Wilson's interval.
    It allows for the luck of the decks only: not for players who play otherwise.

    Source
    ------
    Wilson, "Probable inference" (JASA 22, 1927); cluster-robust standard errors.
    """
    if is_share:  # shares near 0 and 1 must not be missed for a rounding error
        mean, error = min(max(round(mean, 12), 0.0), 1.0), round(error, 12)
    if is_share and (decks < FEW_CLUSTERS or round(min(mean, 1 - mean) * games, 6) < FEW_EVENTS):
        spread = mean * (1 - mean)
        worth = spread / error**2 if error > 0 and spread > 0 else decks
        return wilson(mean, max(min(worth, games), 1), quantile(max(decks, 2), tests))
    half = quantile(decks, tests) * error
    return mean - half, mean + half


def wilson(share: float, n: float, quantile: float = Z95) -> tuple[float, float]:
    """Wilson's score interval of a share seen in `n` independent trials, by default at 95 %; it holds the share itself."""
    z2 = quantile**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = quantile / (1 + z2 / n) * math.sqrt(max(share * (1 - share), 0) / n + z2 / (4 * n * n))
    return min(max(centre - half, 0.0), share), max(min(centre + half, 1.0), share)


def quantile(decks: int, tests: float = 1) -> float:
    """Two-sided 95 % quantile for so many clusters, such that all of `tests` intervals hold at once (Bonferroni, M2.4)."""
    tail = 1 - 0.025 / tests
    if decks >= NORMAL_CLUSTERS:
        return NormalDist().inv_cdf(tail)
    if decks < 2:
        return math.inf
    from scipy.special import stdtrit

    return float(stdtrit(decks - 1, tail))


def tail(errors: float, decks: int) -> float:
    """The two-sided p-value of a mean that lies so many standard errors away: the inverse of `quantile`."""
    if decks >= NORMAL_CLUSTERS:
        return math.erfc(errors / math.sqrt(2))
    if decks < 2:
        return 1.0
    from scipy.special import stdtr

    return float(2 * stdtr(decks - 1, -errors))
