"""Quantiles with intervals from clustered games (METHODS M1.4).

The interval is that of Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952): the
distribution function has a cluster-robust interval like any other share, and the values at which this interval holds the
wished share form the interval of the quantile. For independent games these are the well-known order statistics. It is the
standard method of survey statistics for clusters, needs no resampling and stays valid where values are few whole numbers,
like turns; a bootstrap of quantiles is at its worst there.
"""

import math
from bisect import bisect_left
from functools import cached_property

import numpy as np

from pinchsim.measure.moments import Moments, interval

FEW_GAMES = 1000


class Distribution:
    """Values of games in whole decks of so many rotations; of each game only a code of 1 to 4 bytes is kept.

    Games are added part by part; after the first quantile there can be no more.
    """

    def __init__(self, rotations: int) -> None:
        self.rotations = rotations
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []
        self._spans: dict[int, tuple[float, float]] = {}

    def add(self, x: np.ndarray) -> None:
        """Add the values of games, [games]."""
        values = np.unique(x)
        self._parts.append((values, _coded(x.reshape(-1, self.rotations).T, values)))

    @cached_property
    def values(self) -> np.ndarray:
        """All different values, ascending."""
        return np.unique(np.concatenate([values for values, _ in self._parts]))

    @cached_property
    def codes(self) -> np.ndarray:
        """The place of each game's value among them, uint8 to uint32[rotations, decks]."""
        places = [_coded(values, self.values)[codes] for values, codes in self._parts]
        self._parts.clear()
        return np.concatenate(places, axis=1)

    @cached_property
    def reached(self) -> np.ndarray:
        """Number of games up to each value, int64[values]."""
        counts: np.ndarray = np.sum([np.bincount(codes, minlength=self.values.size) for codes in self.codes], axis=0)
        return counts.cumsum()

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.codes.size

    def span(self, k: int) -> tuple[float, float]:
        """The interval of the share of games up to the k-th value."""
        if k not in self._spans:
            up_to = (self.codes <= k).sum(axis=0, dtype=np.uint16) / self.rotations
            moments = Moments.of(up_to[None], up_to[None])
            error = float(moments.standard_errors()[0])
            self._spans[k] = interval(float(moments.mean[0]), error, up_to.size, self.games, True)
        return self._spans[k]


def _coded(x: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The place of each number among all the different ones, ascending, in the smallest integers that hold them."""
    return np.searchsorted(values, x).astype(np.min_scalar_type(values.size - 1))


def quantile_interval(found: Distribution, p: float) -> tuple[float, float, float]:
    """The smallest value that a share p of the games doesn't exceed, and its 95 % interval.

    Measure
    -------
    quantiles (M2.1)

    The value that so many percent of the games don't exceed, with an interval.

    Definition
    ----------
    The quantile of a share p is the smallest value that at least a share p of the games doesn't exceed: no more than one game
    in 20 is longer than the 95 % quantile of the length. It is always a value that occurred.

    Formula
    -------
    F(v) = share of games with a value of v or less
    quantile = smallest v with F(v) >= p
    interval = all v with F(v) not surely below p, nor F before v surely p

    Units
    -----
    Those of the value itself.

    Traps
    -----
    Small samples don't bound the outer quantiles: an end that is not known is missing (NaN). The interval is about the
    quantile; single games go far beyond it.

    Source
    ------
    Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952), with cluster-robust shares.
    """
    # The place of the game in ascending order, from 0, rounded as numpy does it for method="inverted_cdf".
    place = max(math.ceil(found.games * p - 1), 0)
    estimate = float(found.values[np.searchsorted(found.reached, place, side="right")])
    decks = found.games // found.rotations
    if decks < 2:
        return estimate, math.nan, math.nan
    low, high = (_first_reached(found, p, side) for side in (1, 0))
    may_be_lower = interval(0.0, 0.0, decks, found.games, True)[1] >= p  # than anything seen
    return (
        estimate,
        math.nan if may_be_lower else float(found.values[low]),
        math.nan if high == found.values.size else float(found.values[high]),
    )


def _first_reached(found: Distribution, p: float, side: int) -> int:
    """The first value of which that end of the interval reaches p; the number of values if there is none.

    The ends rise with the values, but not where intervals of rare shares take over from those of others, which comes near
    the quantiles if games are few.
    """
    places = range(found.values.size)
    if found.games < FEW_GAMES:
        return next((k for k in places if found.span(k)[side] >= p), len(places))
    return bisect_left(places, p, key=lambda k: found.span(k)[side])
