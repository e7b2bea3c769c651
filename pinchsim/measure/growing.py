"""Estimates that grow part by part of a sample: they keep a number or two of each deck, quantiles a small one of each game."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pinchsim.measure.moments import Moments, interval, ratio
from pinchsim.measure.quantiles import Distribution, quantile_interval

PERCENTILES = (5, 50, 95)


class Row(NamedTuple):
    """What is told of a measure: `span` is estimate, low and high."""

    unit: str
    span: tuple[float, float, float]
    error: float
    games: int
    decks: int

    def rows(self) -> Iterator[tuple[str, "Row"]]:
        """Rows of the table, each with what its name has behind that of the measure."""
        yield "", self


def pulled(found: float, pulls: np.ndarray, unit: str, games: int, trials: int | None = None) -> Row:
    """An estimate that each deck pulls so far, float64[decks]; `trials` says that it is a share of so many."""
    error = float(Moments.of(pulls[None], pulls[None]).standard_errors()[0])
    low, high = interval(found, error, pulls.size, trials or games, trials is not None)
    return Row(unit, (found, low, high), error, games, pulls.size)


class Ratio:
    """A ratio of two sums, as sums by deck."""

    def __init__(self, unit: str, is_share: bool) -> None:
        self.unit, self.is_share, self.games = unit, is_share, 0
        self.parts: list[np.ndarray] = []
        self.wholes: list[np.ndarray] = []

    def add(self, parts: np.ndarray, wholes: np.ndarray | float, games: int) -> None:
        """Add sums by deck, [decks] or for wholes one for all, of so many games with something in the whole."""
        self.parts.append(small(parts))
        self.wholes.append(np.broadcast_to(wholes, parts.shape) if isinstance(wholes, float) else small(wholes))
        self.games += games

    def rows(self) -> Iterator[tuple[str, Row]]:
        """A row; none without anything in the whole."""
        parts, wholes = (np.concatenate(x, dtype=np.float64) for x in (self.parts, self.wholes))
        trials, used = round(float(wholes.sum())) if self.is_share else None, wholes > 0
        if not used.all():
            parts, wholes = parts[used], wholes[used]
        if wholes.size:
            yield "", pulled(*ratio(parts, wholes), self.unit, self.games, trials)


def small(x: np.ndarray) -> np.ndarray:
    """The same numbers in the fewest bytes that hold them without loss: those of counts are 1 or 2."""
    for kind in (np.uint8, np.uint16, np.float32):
        with np.errstate(invalid="ignore", over="ignore"):
            fewer = x.astype(kind)
        if (fewer == x).all():
            return fewer
    return x


class Quantiles:
    """Quantiles of a distribution, by whole percents: `turns:q05`."""

    def __init__(self, unit: str, rotations: int) -> None:
        self.unit, self.distribution = unit, Distribution(rotations)

    def rows(self) -> Iterator[tuple[str, Row]]:
        """A row for each quantile."""
        games = self.distribution.games
        for percent in PERCENTILES:
            span = quantile_interval(self.distribution, percent / 100)
            yield f":q{percent:02}", Row(self.unit, span, math.nan, games, games // self.distribution.rotations)
