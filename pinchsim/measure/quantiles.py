"""Quantiles with intervals from clustered games (METHODS M1.4).

The interval is that of Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952): the
distribution function has a cluster-robust interval like any other share, and the values at which this interval holds the
wished share form the interval of the quantile. For independent games these are the well-known order statistics. It is the
standard method of survey statistics for clusters, needs no resampling and stays valid where values are few whole numbers,
like turns; a bootstrap of quantiles is at its worst there.
"""

import math
from bisect import bisect_left

import numpy as np

from pinchsim.measure.moments import Moments, deck_average, interval


def quantile_interval(x: np.ndarray, rotations: int, p: float, values: np.ndarray | None = None) -> tuple[float, float, float]:
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

    Parameters
    ----------
    x : [games]
        In whole decks of `rotations` games.
    values
        All different values, ascending, if they are known already: finding them takes longest.
    """
    values = np.unique(x) if values is None else values
    decks = x.size // rotations

    def ends(k: int) -> tuple[float, float]:
        """The interval of the share of games up to the k-th value."""
        reached = (x <= values[k])[None].astype(np.float64)
        moments = Moments.of(reached, deck_average(reached, rotations))
        return interval(float(moments.mean[0]), float(moments.standard_errors()[0]), decks, x.size, True)

    estimate = float(np.quantile(x, p, method="inverted_cdf"))
    if decks < 2:
        return estimate, math.nan, math.nan
    low, high = (bisect_left(range(values.size), p, key=lambda k: ends(k)[side]) for side in (1, 0))
    may_be_lower = interval(0.0, 0.0, decks, x.size, True)[1] >= p  # than anything seen
    return (
        estimate,
        math.nan if may_be_lower else float(values[low]),
        math.nan if high == values.size else float(values[high]),
    )
