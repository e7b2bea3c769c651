"""Measures of a run that keeps no rows, from sums over decks and exact counts (`pinchsim.measure.counts`).

They are those that `length`, `ending`, `interaction` and `runaway` take from rows, with the same names, estimates and clustered
intervals. What needs the games one by one (the fair price, drama, what cards are worth) is not among them.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.counts import SUMS, Bins, Columns, Counts, count, count_values, joined, spread
from pinchsim.measure.growing import PERCENTILES
from pinchsim.measure.interaction import RATIOS
from pinchsim.measure.length import DECISIONS
from pinchsim.measure.moments import interval
from pinchsim.measure.runaway import MOMENTS
from pinchsim.measure.sample import SCHEMA
from pinchsim.measure.summary import CellName

Terms = Mapping[str, float]
TURN: Terms = {"turns": 1}


class Named(NamedTuple):
    """A measure that is a ratio of sums, as `Estimates.ratio` has it; an estimate is `factor` times the ratio of the sums."""

    measure: str
    position: int
    unit: str
    is_share: bool = False
    factor: float = 1


class Blocks(NamedTuple):
    """Games as the kernel writes them: `games[name]` is int32[games], `players[name]` is int32[games, positions]."""

    games: Mapping[str, np.ndarray]
    players: Mapping[str, np.ndarray]

    def has(self, *names: str) -> bool:
        """Whether there are such columns."""
        return all(name in self.games or name in self.players for name in names)


class Measured(NamedTuple):
    """What a run needs to know for measuring without rows.

    Attributes
    ----------
    columns : Columns
        The columns that are counted.
    labels : mapping
        Names of the codes of `end_reason`.
    """

    columns: Columns
    labels: Mapping[int, str]


# -- which measures there are -----------------------------------------------------------------------------

_LENGTH = sorted({name for decision in DECISIONS for name in decision.counted})
_INTERACTION = sorted({name for x in RATIOS for name in (*x.parts, *x.wholes)})
_ENDING = ["end_reason", "ended_by", "win_share"]
_RUNAWAY = [f"leaders_{percent}" for percent in MOMENTS] + ["win_share"]


def named(about: Measured, players: int) -> list[Named]:
    """The ratios that are kept, in their order."""
    scales = {column.name: column.scale for column in (*about.columns.games, *about.columns.players)}
    share = "share", True, scales["win_share"]
    found: list[Named] = []
    if scales.keys() >= set(_LENGTH):
        found += [Named("decisions", -1, "decisions"), *(Named(f"decisions:{x.kind}", -1, "decisions") for x in DECISIONS)]
        found += [Named("turns", -1, "turns"), Named("rounds", -1, "rounds", False, 1 / players)]
        found += [Named("minutes", -1, "minutes", False, 1 / _MINUTE)]
    if scales.keys() >= set(_INTERACTION):
        found += [Named(x.name, -1, x.unit, x.is_share) for x in RATIOS]
    if scales.keys() >= set(_ENDING):
        found += [Named(f"end:{label}", -1, "share", True) for label in about.labels.values()]
        found += [Named("ended_by", p, "share", True) for p in range(players)]
        found += [Named("ender_wins", p, *share) for p in range(-1, players)]
        found += [Named(f"ender_wins:{label}", -1, *share) for label in about.labels.values()]
    if scales.keys() >= set(_RUNAWAY):
        for percent in MOMENTS:
            found += [Named(f"alone:{percent}", -1, "share", True)]
            found += [Named(f"{name}:{percent}", -1, *share) for name in ("alone_wins", "shared_wins")]
    return found


def measures(about: Measured, players: int) -> set[tuple[str, int]]:
    """Measure and position of all that can be told without rows, beside what the summary has."""
    quantiles = {(f"{name}:q{percent:02}", -1) for name, *_ in _lengths(about, players) for percent in PERCENTILES}
    return {(x.measure, x.position) for x in named(about, players)} | quantiles


# -- from games to counts ---------------------------------------------------------------------------------

SECOND = 1 if all(decision.seconds == round(decision.seconds) for decision in DECISIONS) else 1000  # how time is counted
_MINUTE = 60 * SECOND


def count_chunk(about: Measured, games: np.ndarray, players: np.ndarray, rotations: int) -> Counts:
    """Count the games of a chunk, int32[columns, games] and int32[columns, games, positions], in whole decks.

    The columns are those of `about`, in their order.
    """
    by_game = {column.name: x for column, x in zip(about.columns.games, games, strict=True)}
    by_player = {column.name: x for column, x in zip(about.columns.players, players, strict=True)}
    blocks = Blocks(by_game, by_player)
    sums = _sums(_pairs(about, blocks, players.shape[2]), rotations)
    lengths = list(_counted_lengths(blocks))
    return Counts(
        count_values(games, players),
        joined([count(x, 1, k) for k, x in enumerate(lengths)]),
        joined([spread(x, rotations, k) for k, x in enumerate(lengths)]),
        np.array(sums, object).reshape(len(sums), len(SUMS)),
    )


def _sums(pairs: Iterable[tuple[np.ndarray, np.ndarray]], rotations: int) -> list[tuple[int, ...]]:
    """`counts.SUMS` of ratios, of their parts and wholes by game; a whole that the next ratio shares is added up once."""
    found: list[tuple[int, ...]] = []
    before = np.zeros(0)
    for parts, wholes in pairs:
        p = _by_deck(parts, rotations)
        if wholes is not before:
            w, before = _by_deck(wholes, rotations), wholes
            of_whole = int(np.count_nonzero(w)), int(np.count_nonzero(wholes)), int(w.sum()), int(w @ w)
        decks, games, whole, squares = of_whole
        found.append((decks, games, int(p.sum()), whole, int(p @ p), int(p @ w), squares))
    return found


def _by_deck(x: np.ndarray, rotations: int) -> np.ndarray:
    """Sums over the games of each deck, int64[decks]."""
    total = x[::rotations].astype(np.int64)
    for rotation in range(1, rotations):
        total += x[rotation::rotations]
    return total


def _pairs(about: Measured, blocks: Blocks, players: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Parts and wholes by game of each of the `named` ratios."""
    totals = _Totals(blocks)
    if blocks.has(*_LENGTH):
        yield from _length_pairs(totals)
    if blocks.has(*_INTERACTION):
        yield from ((totals.of(x.parts), totals.of(x.wholes)) for x in RATIOS)
    if blocks.has(*_ENDING):
        yield from _ending_pairs(blocks, about.labels, players, totals.ones)
    if blocks.has(*_RUNAWAY):
        yield from _runaway_pairs(blocks, totals.ones)


class _Totals:
    """Sums over the players of each game, each taken once."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.ones = np.ones(blocks.games["turns"].size, np.int64)
        self._known: dict[str, np.ndarray] = {}

    def of(self, terms: Terms) -> np.ndarray:
        """A sum of columns, each times a whole factor, int64[games]."""
        parts = [self._total(name) if factor == 1 else round(factor) * self._total(name) for name, factor in terms.items()]
        return parts[0] if len(parts) == 1 else sum(parts[1:], parts[0])

    def _total(self, name: str) -> np.ndarray:
        if name not in self._known:
            games, players = self.blocks.games, self.blocks.players
            self._known[name] = games[name] if name in games else sum(players[name].T[1:], players[name].T[0])
        return self._known[name]


def _length_pairs(totals: _Totals) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    counts = [totals.of(decision.counted) for decision in DECISIONS]
    yield sum(counts[1:], counts[0]), totals.ones
    yield from ((x, totals.ones) for x in counts)
    turns = totals.of(TURN)
    yield from ((x, totals.ones) for x in (turns, turns, _time(totals)))


def _time(totals: _Totals) -> np.ndarray:
    """What games take, as counted (`SECOND`)."""
    return sum(round(SECOND * decision.seconds) * totals.of(decision.counted) for decision in DECISIONS) + 0 * totals.ones


def _ending_pairs(
    blocks: Blocks, labels: Mapping[int, str], players: int, ones: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """See `pinchsim.measure.ending`."""
    reason, by = blocks.games["end_reason"], blocks.games["ended_by"]
    won = np.take_along_axis(blocks.players["win_share"], np.maximum(by, 0)[:, None].astype(np.intp), axis=1)[:, 0]
    ended = by >= 0
    yield from ((reason == code, ones) for code in labels)
    yield from ((by == p, ones) for p in range(players))
    yield from ((won * where, where) for where in (ended, *(by == p for p in range(players))))
    yield from ((won * where, where) for where in (ended & (reason == code) for code in labels))


def _runaway_pairs(blocks: Blocks, ones: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """See `pinchsim.measure.runaway`."""
    share = blocks.players["win_share"]
    for percent in MOMENTS:
        bits = blocks.games[f"leaders_{percent}"]
        leads = [(bits >> p) & 1 for p in range(share.shape[1])]
        leaders, wins = sum(leads[1:], leads[0]), sum(lead * share[:, p] for p, lead in enumerate(leads))
        alone = leaders == 1
        yield alone, ones
        yield wins * alone, alone
        yield wins * ~alone, leaders * ~alone


def _counted_lengths(blocks: Blocks) -> Iterator[np.ndarray]:
    """The lengths whose quantiles are told: turns and, where decisions are counted, time."""
    yield blocks.games["turns"]
    if blocks.has(*_LENGTH):
        yield _time(_Totals(blocks))


# -- from counts to measures ------------------------------------------------------------------------------


def measured(cell: CellName, counts: Counts, about: Measured, rotations: int) -> pl.DataFrame:
    """What a cell says without rows, as a table with the columns of `sample.SCHEMA`."""
    rows = [row for x, sums in zip(named(about, cell.players), counts.ratios.tolist(), strict=True) if (row := _ratio(x, sums))]
    for name, place, factor in _lengths(about, cell.players):
        rows += _quantiles(name, counts.lengths, counts.spreads, place, factor, rotations)
    return pl.DataFrame([(*cell, *row) for row in rows], SCHEMA, orient="row")


def _lengths(about: Measured, players: int) -> list[tuple[str, int, float]]:
    """Measures of length that have quantiles, with the place where each is counted and what a 1 is worth."""
    if not {x.measure for x in named(about, players)} >= {"minutes"}:
        return []
    return [("turns", 0, 1), ("rounds", 0, 1 / players), ("minutes", 1, 1 / _MINUTE)]


def _ratio(x: Named, sums: Sequence[int]) -> tuple[Any, ...] | None:
    """The row of a ratio; None without any occasion. The integers are Python's own, which don't overflow."""
    decks, games, parts, wholes, parts2, both, wholes2 = sums
    if not decks:
        return None
    found = x.factor * parts / wholes
    # The sum over decks of (parts - found * wholes) ^ 2, times wholes ^ 2.
    squares = parts2 * wholes**2 - 2 * parts * wholes * both + parts**2 * wholes2
    error = x.factor * math.sqrt(squares / wholes**4 * decks / (decks - 1)) if decks > 1 else math.nan
    low, high = interval(found, error, decks, wholes if x.is_share else games, x.is_share)
    return x.measure, x.position, x.unit, found, float(low), float(high), error, games, decks


def _quantiles(name: str, bins: Bins, spreads: Bins, place: int, factor: float, rotations: int) -> Iterator[tuple[Any, ...]]:
    """Quantiles with the intervals of `pinchsim.measure.quantiles`."""
    values, counts = bins.of(place)
    up_to, squares = np.cumsum(counts).tolist(), np.cumsum(spreads.of(place)[1]).tolist()
    games = up_to[-1]
    decks = games // rotations

    def ends(k: int) -> tuple[float, float]:
        """The interval of the share of games up to the k-th value."""
        deviations = (squares[k] * decks - up_to[k] ** 2) / (decks * rotations**2)
        error = math.sqrt(deviations / (decks - 1) / decks)
        return interval(up_to[k] / games, error, decks, games, True)

    for percent in PERCENTILES:
        estimate = values[bisect_left(up_to, percent * games, key=lambda count: 100 * count)] * factor
        low = high = math.nan
        if decks > 1:
            p = percent / 100
            lowest, highest = (bisect_left(range(len(values)), p, key=lambda k: ends(k)[side]) for side in (1, 0))
            low = math.nan if interval(0.0, 0.0, decks, games, True)[1] >= p else float(values[lowest] * factor)
            high = math.nan if highest == len(values) else float(values[highest] * factor)
        yield f"{name}:q{percent:02}", -1, name, float(estimate), low, high, math.nan, games, decks
