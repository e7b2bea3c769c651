"""Control variates: luck of the deal that is known exactly is taken out of the estimates (METHODS M1.6).

What a deck deals is seen, and what a shuffle deals on the average is known. If games with many jokers are longer, and more
jokers were dealt than usual, then the mean length is too high, and by how much is known. What a covariate is worth is fitted on
the decks of the other half (even and odd numbers): it has nothing to do with the decks that it corrects, and so shifts nothing.

Chunks of decks are reduced to `Joint` moments, which merge as those of `pinchsim.measure.moments` do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pinchsim.measure.moments import Moments, merge

LEAST_DECKS = 100  # of each half, before anything is corrected
DECKS_EACH = 10  # of each half for each covariate that is not made of others
# Below so many squares of the decks a share has intervals for rare events (`pinchsim.measure.sequential`, Wilson's), which rest
# on a deck's mean lying between 0 and 1; a corrected one need not.
LEAST_SQUARES = 50
EXACT = 1e-12  # of the squares of a quantity: what covariates leave of it below this is rounding
COLLINEAR = 1e-9  # of the largest eigenvalue of the covariates' correlations: what is below is rounding


@dataclass
class Half:
    """Joint moments of Q quantities and K covariates over the means of decks.

    Attributes
    ----------
    decks : int
        How many.
    means, squares : float64[Q]
        Means of the quantities, and sums of squared deviations from them.
    covariates : float64[K]
        Means of the covariates, whose expectations are 0.
    products : float64[Q, K]
        Sums of products of deviations from the means, of quantities with covariates.
    among : float64[K, K]
        The same of covariates with covariates.
    """

    decks: int
    means: np.ndarray
    squares: np.ndarray
    covariates: np.ndarray
    products: np.ndarray
    among: np.ndarray

    @classmethod
    def of(cls, y: np.ndarray, z: np.ndarray) -> "Half":
        """Those of deck means float64[Q, decks] and covariates float64[K, decks]; there may be no decks."""
        n = y.shape[1]
        means, covariates = y.sum(axis=1) / max(n, 1), z.sum(axis=1) / max(n, 1)
        y, z = y - means[:, None], z - covariates[:, None]
        # einsum and not `@`: linear algebra may add up in another order with another number of threads.
        squares = np.einsum("qd,qd->q", y, y)
        return cls(n, means, squares, covariates, np.einsum("qd,kd->qk", y, z), np.einsum("jd,kd->jk", z, z))

    def merged(self, other: "Half") -> "Half":
        """Those of both sets of decks together."""
        if not self.decks or not other.decks:
            return self if self.decks else other
        n = self.decks + other.decks
        y, z, weight = other.means - self.means, other.covariates - self.covariates, self.decks * other.decks / n
        part = other.decks / n
        return Half(
            n,
            self.means + y * part,
            self.squares + other.squares + y * y * weight,
            self.covariates + z * part,
            self.products + other.products + np.outer(y, z) * weight,
            self.among + other.among + np.outer(z, z) * weight,
        )

    @property
    def worth(self) -> tuple[np.ndarray, int]:
        """How much the quantities rise with each covariate, float64[Q, K], and how many covariates are not made of others.

        Least squares; where covariates are made of each other, the smallest coefficients (of standardised ones).
        """
        scale = np.sqrt(np.diag(self.among))
        scale = np.where(scale > 0, scale, 1.0)
        sizes, axes = np.linalg.eigh(self.among / np.outer(scale, scale))
        kept = sizes > COLLINEAR * max(sizes.max(initial=0.0), 1.0)
        axes = axes[:, kept] / scale[:, None]
        return (self.products @ axes / sizes[kept]) @ axes.T, int(kept.sum())

    def corrected(self, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Means and sums of squared deviations, float64[Q] each, of the quantities less what the covariates are worth."""
        means = self.means - worth @ self.covariates
        squares = self.squares - 2 * (worth * self.products).sum(axis=1) + (worth @ self.among * worth).sum(axis=1)
        return means, np.where(squares > EXACT * self.squares, squares, 0.0)


class Joint(NamedTuple):
    """Joint moments of the decks with even numbers, and of those with odd ones."""

    even: Half
    odd: Half

    @classmethod
    def of(cls, deck_means: np.ndarray, covariates: np.ndarray, first_deck: int) -> "Joint":
        """Those of deck means float64[Q, decks] and covariates float64[K, decks] of the decks from `first_deck` on."""
        starts = first_deck % 2, 1 - first_deck % 2
        even, odd = (Half.of(deck_means[:, start::2], covariates[:, start::2]) for start in starts)
        return cls(even, odd)

    def merged(self, other: "Joint") -> "Joint":
        """Those of both sets of decks together."""
        return Joint(self.even.merged(other.even), self.odd.merged(other.odd))


class Luck(NamedTuple):
    """Covariates of a chunk: float64[K, decks] of the decks from `first_deck` on."""

    first_deck: int
    covariates: np.ndarray

    def beside(self, other: "Luck") -> "Luck":
        """With those that another variant has of the same decks."""
        return Luck(self.first_deck, np.concatenate([self.covariates, other.covariates]))

    def joint(self, deck_means: np.ndarray) -> Joint:
        """Joint moments with the decks' means of quantities, float64[Q, decks]."""
        return Joint.of(deck_means, self.covariates, self.first_deck)


def corrected(moments: Moments, is_share: Sequence[bool]) -> tuple[Moments, np.ndarray]:
    """The moments with the luck of the deal taken out as far as it is known, and what that gained, float64[Q].

    Measure
    -------
    controls (M1.6): control_gain

    What it is worth that the luck of the deal is taken out of an estimate.

    Definition
    ----------
    Of each deck some numbers are counted when it is dealt, such as the jokers in all hands, and what a shuffle has of them on
    the average is known exactly. The estimate is corrected by the surplus that the decks of the run happened to have, times
    what a surplus of one is worth, which is fitted on the other half of the decks (even and odd numbers). control_gain is how
    many times as many games the plain estimate would have needed: 1 means that nothing was gained.

    Formula
    -------
    corrected mean of a half = mean - b . (mean of covariates - expected)
    b from the other half    = least squares of deck means on covariates
    error                    = standard error of the deck means less b . z
    control_gain             = (plain error / corrected error) ^ 2

    Units
    -----
    A plain number; a little below 1 where the deal tells nothing. It is part of variance_reduction.

    Traps
    -----
    The deal tells how long games are, and little of who wins: every deck is played from each seat anyway. With fewer than 100
    decks in a half, or fewer than 10 for each covariate, and for shares that hardly vary (squared deviations of all decks
    below 50) nothing is corrected: gain 1. Measures beside the summary, such as those made of rows, are plain.

    Source
    ------
    Control variates: Lavenberg and Welch, Management Science 27 (1981). Fitting on other data than those that are corrected:
    Avramidis and Wilson, "A splitting scheme for control variates" (Operations Research Letters 14, 1993).

    Parameters
    ----------
    moments
        With their `joint` moments; without them nothing is corrected.
    is_share
        Of each quantity, whether its decks lie between 0 and 1 but for an offset, or are the difference of two that do.
    """
    joint, gain = moments.joint, np.ones(moments.mean.size)
    if joint is None or not _is_enough(joint):
        return moments, gain
    halves = [half.corrected(other.worth[0]) for half, other in (joint, joint[::-1])]
    nothing = np.zeros(moments.mean.size)
    both = merge(
        [Moments(half.decks, half.decks, *one, nothing) for half, one in zip(joint, halves, strict=True)]
    )  # what a half adds to the other's squares is right for corrected means, too
    useful = (both.deck_squares >= LEAST_SQUARES) | ~np.array(is_share, bool)
    useful &= moments.deck_squares > 0
    mean = np.where(useful, both.mean, moments.mean)
    squares = np.where(useful, both.deck_squares, moments.deck_squares)
    gain[useful] = moments.deck_squares[useful] / np.where(squares > 0, squares, np.nan)[useful]
    return replace(moments, mean=mean, deck_squares=squares), gain


def _is_enough(joint: Joint) -> bool:
    """Whether each half has decks enough to tell from what covariates are worth."""
    least = min(half.decks for half in joint)
    return least >= LEAST_DECKS and least >= DECKS_EACH * max(half.worth[1] for half in joint)
