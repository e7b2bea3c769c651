"""Exact counts of a chunk of games, which stand for its rows in a run that keeps none.

Everything is whole numbers, as the kernel writes them (scores in thousandths, win shares in sixtieths), so chunks merge exactly
and in any order: how often each value of each column occurred, and for each ratio of `pinchsim.measure.counted` the sums over
decks that its estimate and its clustered error (METHODS M1.4) are made of.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl

PLACE = 1 << 40  # a key is place * PLACE + ZERO + value
ZERO = 1 << 39
WIDE = 4096  # a span of values above which they may be far apart
MOST_BINS = 2**20
SUMS = ("decks", "games", "parts", "wholes", "parts_squared", "parts_times_wholes", "wholes_squared")
CELL = {"variant": pl.String, "players": pl.Int8, "line_up": pl.String}
FRAME: dict[Any, Any] = {**CELL, "column": pl.String, "position": pl.Int8, "value": pl.Float64, "count": pl.Int64}


class Scaled(NamedTuple):
    """A column of whole numbers: its name, and what a 1 is worth."""

    name: str
    scale: float


class Columns(NamedTuple):
    """The columns that are counted: of the games, and of the players by position."""

    games: tuple[Scaled, ...]
    players: tuple[Scaled, ...]

    def places(self, players: int) -> list[tuple[Scaled, int]]:
        """Column and position (-1: of the game) of each place of the counts."""
        by_position = [(column, position) for column in self.players for position in range(players)]
        return [(column, -1) for column in self.games] + by_position


class Bins(NamedTuple):
    """How often whole numbers occurred at each place.

    Attributes
    ----------
    keys : int64[n]
        Place and value (`PLACE`), ascending, each once.
    counts : int64[n]
        How often; never 0.
    """

    keys: np.ndarray
    counts: np.ndarray

    def merged(self, other: "Bins") -> "Bins":
        """Both together."""
        if np.array_equal(self.keys, other.keys):
            return Bins(self.keys, self.counts + other.counts)
        keys = np.concatenate([self.keys, other.keys])
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], np.concatenate([self.counts, other.counts])[order]
        first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
        return Bins(keys[first], np.add.reduceat(counts, first))

    def of(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """Values at a place, ascending, and how often each occurred; int64 both."""
        first, last = np.searchsorted(self.keys, [place * PLACE, (place + 1) * PLACE])
        return self.keys[first:last] - place * PLACE - ZERO, self.counts[first:last]

    def flat(self) -> list[np.ndarray]:
        """The same for a record: how many values each place has, from place 0 on, then all values, then all counts."""
        places, values = np.divmod(self.keys, PLACE)
        return [np.bincount(places), values - ZERO, self.counts]

    @classmethod
    def from_flat(cls, sizes: np.ndarray, values: np.ndarray, counts: np.ndarray) -> "Bins":
        """The inverse of `flat`."""
        return cls(np.repeat(np.arange(sizes.size) * PLACE + ZERO, sizes) + values, counts.astype(np.int64))


@dataclass
class Counts:
    """What is kept of games without rows.

    Attributes
    ----------
    values : Bins
        How often each value of each column occurred; places as by `Columns.places`.
    lengths : Bins
        How often each length of a game occurred: place 0 in turns, place 1 in time, if decisions are counted.
    spreads : Bins
        For the same lengths numbers whose sum up to a length is the sum over decks of the squared number of the deck's games
        that are no longer.
    ratios : object[ratios, 7]
        `SUMS` of each ratio over the decks, as integers of Python's own: squares of many games overflow others.
    """

    values: Bins
    lengths: Bins
    spreads: Bins
    ratios: np.ndarray

    def merged(self, other: "Counts") -> "Counts":
        """Those of both sets of games together."""
        values, lengths = self.values.merged(other.values), self.lengths.merged(other.lengths)
        return Counts(values, lengths, self.spreads.merged(other.spreads), self.ratios + other.ratios)

    def packed(self) -> str:
        """As a record has it: whole numbers as bytes, compressed, as text; to parse so many digits would take longer.

        Eight lengths, and then arrays of so many numbers of 4 bytes: `Bins.flat` of `values` and of `lengths`, the counts of
        `spreads`; and `ratios`, which has 8 bytes a number.
        """
        small = [*self.values.flat(), *self.lengths.flat(), self.spreads.counts]
        arrays = [np.array([*map(len, small), self.ratios.size]), *small]
        data = b"".join(x.astype("<i4").tobytes() for x in arrays) + self.ratios.astype("<i8").tobytes()
        return b64encode(zlib.compress(data)).decode()

    @classmethod
    def from_packed(cls, text: str) -> "Counts":
        """The inverse of `packed`."""
        data = zlib.decompress(b64decode(text))
        *sizes, n_ratios = np.frombuffer(data, "<i4", 8).tolist()
        ends = list(accumulate(sizes, initial=8))
        small = np.frombuffer(data, "<i4", ends[-1])
        parts = [small[first:last] for first, last in pairwise(ends)]
        lengths = Bins.from_flat(*parts[3:6])
        ratios = np.frombuffer(data, "<i8", n_ratios, 4 * small.size).astype(object)
        spreads = Bins(lengths.keys, parts[6].astype(np.int64))
        return cls(Bins.from_flat(*parts[:3]), lengths, spreads, ratios.reshape(-1, len(SUMS)))


def count_values(games: np.ndarray, players: np.ndarray, first: int = 0) -> Bins:
    """How often each value occurred in int32[columns, games] and int32[columns, games, positions], from place `first` on."""
    n_places = players.shape[2] if players.size else 0
    found = [count(x, 1, first + k) for k, x in enumerate(games)]
    found += [count(x, n_places, first + len(games) + k * n_places) for k, x in enumerate(players)]
    return joined(found)


def joined(parts: Sequence[Bins]) -> Bins:
    """Counts at different places, in their order."""
    return Bins(np.concatenate([part.keys for part in parts]), np.concatenate([part.counts for part in parts]))


def count(x: np.ndarray, positions: int, place: int, weights: np.ndarray | None = None) -> Bins:
    """How often each whole number occurs by position, or the sum of whole weights; x is an array [..., positions].

    The positions have the places from `place` on.
    """
    low, high = int(x.min()), int(x.max())
    step = int(np.gcd.reduce(x.astype(np.int64) - low, axis=None)) if high - low > WIDE else 1
    size = (high - low) // step + 1
    if size > MOST_BINS:
        return _count_apart(x, positions, place, weights)
    x = x.astype(np.int64) // step if step > 1 else x
    bins = np.add(x.reshape(-1, positions), np.arange(positions) * size - low // step, dtype=np.intp)
    counts = np.bincount(bins.ravel(), None if weights is None else weights.ravel()).astype(np.int64, copy=False)
    seen = np.flatnonzero(counts)
    return Bins((place + seen // size) * PLACE + ZERO + low + seen % size * step, counts[seen])


def _count_apart(x: np.ndarray, positions: int, place: int, weights: np.ndarray | None) -> Bins:
    """The same by sorting, where values are too far apart to have a bin each."""
    keys = np.add(x.reshape(-1, positions), (place + np.arange(positions)) * PLACE + ZERO, dtype=np.int64)
    found, inverse = np.unique(keys.ravel(), return_inverse=True)
    counts = np.bincount(inverse, None if weights is None else weights.ravel())
    return Bins(found, counts.astype(np.int64, copy=False))


def spread(x: np.ndarray, rotations: int, place: int) -> Bins:
    """The `Counts.spreads` of x, [games] in whole decks.

    Of a deck's games from short to long the k-th, counted from 1, adds 2 k - 1, and 1 + 3 + ... + (2 k - 1) = k ^ 2.
    """
    ordered = np.sort(x.reshape(-1, rotations), axis=1)
    weights = np.broadcast_to(2 * np.arange(rotations) + 1, ordered.shape)
    return count(ordered, 1, place, weights)


def counts_frame(cells: Sequence[tuple[tuple[str, int, str], Counts]], columns: Columns) -> pl.DataFrame:
    """Exact counts as a table: a row for each cell, column, position (-1: of the game) and value that occurred."""
    frames = [frame for cell, counts in cells for frame in _frames(cell, counts, columns)]
    return pl.concat(frames) if frames else pl.DataFrame(schema=FRAME)


def _frames(cell: tuple[str, int, str], counts: Counts, columns: Columns) -> Iterator[pl.DataFrame]:
    for place, (column, position) in enumerate(columns.places(cell[1])):
        values, found = counts.values.of(place)
        rows = {"value": values * column.scale, "count": found}
        where = dict(zip(FRAME, (*cell, column.name, position), strict=False))
        yield pl.DataFrame(rows).select(*(pl.lit(x).alias(name) for name, x in where.items()), pl.all()).cast(FRAME)
