"""What a deck decides before anybody has played (METHODS M4.2), from decks that were played many times each."""

import math
from typing import Any

import numpy as np
import polars as pl

from pinchsim.measure.moments import Z95
from pinchsim.measure.sample import SCHEMA
from pinchsim.measure.summary import CellName

REPLICATES = 400
PERCENTILES = (5, 50, 95)
BAND = 0.95


def deck_effect(shares: np.ndarray, cell: CellName) -> pl.DataFrame:
    """How much the shuffle alone says about who wins.

    Measure
    -------
    deck_effect (M4.2): deck_spread, deck_rate, deck_span, deck_trimmed_span, deck_outside, deck_entropy

    How much the shuffle alone says about who wins.

    Definition
    ----------
    Each deck is played many times with the same cards for everybody and the same start player; only the random choices of the
    players differ. The rate of a deck is the win share of the start player in these games. deck_spread is the standard
    deviation of the decks' true rates, without what a limited number of games adds. deck_rate:q05, :q50 and :q95 are quantiles
    of the rates as seen, deck_span their range, deck_trimmed_span that of the middle 90 %. deck_outside is the share of decks
    whose rate lies outside the band that holds 95 % of the decks if all were alike. deck_entropy is how open a deck leaves who
    wins: 1 if everybody can win it equally often, 0 if it is always the same player.

    Formula
    -------
    deck_spread  = sqrt(variance of the rates - mean of their own variances)
    deck_entropy = mean over decks of entropy / log(players)
    entropy      = -sum of p log p + (players who won - 1) / (2 replays)

    Units
    -----
    Shares. `decks` are the decks played, `games` all their games.

    Traps
    -----
    Players without randomness play a deck the same way each time: then every rate is 0 or 1 and the entropy 0, however good
    they are. Compare levels of play that randomise. A shared win counts as half a win for each, so it leaves a deck open.

    Source
    ------
    After Goodman et al., "Seeding for Success"; bias of the entropy taken off by Miller and Madow (1955). Intervals by drawing
    decks anew.

    Parameters
    ----------
    shares
        Win shares of one seat after the other from the start player on, float64[decks, replays, players].
    cell
        Which cell the rows are of.
    """
    decks, replays = shares.shape[:2]
    rates = shares.mean(axis=1)
    open_to = entropy(rates, replays)
    again = np.random.default_rng(0).integers(0, decks, (REPLICATES, decks))
    rows = []

    def add(name: str, value: Any, redrawn: np.ndarray) -> None:
        error = float(redrawn.std(ddof=1))
        ends = max(value - Z95 * error, 0), min(value + Z95 * error, 1)
        rows.append((*cell, name, -1, "share", float(value), *map(float, ends), error, decks * replays, decks))

    first = rates[:, 0]
    within = shares[:, :, 0].var(axis=1, ddof=1) / replays
    rows.append((*cell, "deck_spread", -1, "share", *_spread(first, within, again), decks * replays, decks))
    for percent in PERCENTILES:
        add(f"deck_rate:q{percent:02}", _quantile(first, percent), _quantile(first[again], percent, axis=1))
    add("deck_span", np.ptp(first), np.ptp(first[again], axis=1))
    trimmed = [_quantile(x, 95, axis=-1) - _quantile(x, 5, axis=-1) for x in (first, first[again])]
    add("deck_trimmed_span", *trimmed)
    outside = is_outside(first, replays)
    add("deck_outside", outside.mean(), outside[again].mean(axis=1))
    add("deck_entropy", min(open_to.mean(), 1), open_to[again].mean(axis=1))
    return pl.DataFrame(rows, SCHEMA, orient="row")


def _spread(rates: np.ndarray, noise: np.ndarray, again: np.ndarray) -> tuple[float, float, float, float]:
    """Standard deviation of the true rates with its interval and error.

    The noise of each rate is taken off the variance, whose interval, unlike that of its root, is all right near 0.
    """
    left = float(rates.var(ddof=1) - noise.mean())
    error = float((rates[again].var(axis=1, ddof=1) - noise[again].mean(axis=1)).std(ddof=1))
    found, low, high = (math.sqrt(max(x, 0)) for x in (left, left - Z95 * error, left + Z95 * error))
    return found, low, high, error / (2 * found) if found > 0 else math.nan


def _quantile(x: np.ndarray, percent: int, axis: int | None = None) -> np.ndarray:
    found: np.ndarray = np.quantile(x, percent / 100, axis=axis, method="inverted_cdf")
    return found


def entropy(rates: np.ndarray, replays: int) -> np.ndarray:
    """How open each deck leaves who wins, float64[decks, players] -> float64[decks]: 1 is as open as can be, on the average."""
    logs = np.log(rates, where=rates > 0, out=np.zeros_like(rates))
    bias = ((rates > 0).sum(axis=1) - 1) / (2 * replays)
    found: np.ndarray = (bias - (rates * logs).sum(axis=1)) / math.log(rates.shape[1])
    return found


def is_outside(rates: np.ndarray, replays: int) -> np.ndarray:
    """Which rates lie outside the band that holds at least 95 % of the decks if all have the mean rate."""
    from scipy.stats import binom  # takes most of a second to load

    low, high = binom.interval(BAND, replays, rates.mean())
    found: np.ndarray = (rates * replays < low - 1e-9) | (rates * replays > high + 1e-9)
    return found
