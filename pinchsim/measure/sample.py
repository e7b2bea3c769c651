"""The rows of one cell of a run, and tables of what is measured on them: means, ratios and quantiles by deck (METHODS M1.4).

Every measure of a whole cell is a function of a `Sample` that returns a table with the columns of `SCHEMA`, so that tables of
several cells can be put below each other. Position -1 is the whole game. Measures by position mean the same in mixed line-ups
as in mirrors: there every strategy sits at every position equally often (M1.3), so a position stands for its average over the
strategies.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.moments import Moments, interval, ratio
from pinchsim.measure.quantiles import quantile_interval
from pinchsim.measure.quantities import Rows
from pinchsim.measure.summary import CELL, ESTIMATE, CellName

SCHEMA = {**CELL, **ESTIMATE}
KEYS = ("deck", "rotation")
PERCENTILES = (5, 50, 95)


class Sample(NamedTuple):
    """All rows of one cell in whole decks: game g is rotation g mod `rotations` of its deck."""

    cell: CellName
    rows: Rows
    rotations: int

    def game(self, name: str) -> np.ndarray:
        """A column of the games, [games]; raises `ValueError` if there is none."""
        return _column(self.rows.games, name)

    def player(self, name: str) -> np.ndarray:
        """A column of the players, [games, positions]; raises `ValueError` if there is none."""
        return _column(self.rows.players, name)

    def total(self, terms: Mapping[str, float]) -> np.ndarray:
        """A sum of columns, each times a factor, by game and over all players, float64[games]."""
        found = np.zeros(self.game("turns").size)
        for name, factor in terms.items():
            is_game = name in self.rows.games
            found += factor * (self.game(name) if is_game else self.player(name).sum(axis=1, dtype=np.float64))
        return found

    def first(self, games: int) -> "Sample":
        """The sample of the first games, in whole decks; all of them if there are no more."""
        whole = -(-games // self.rotations) * self.rotations
        return self._replace(rows=self.rows.part(0, whole))

    def by_deck(self, x: np.ndarray) -> np.ndarray:
        """Sums over the games of each deck: [games, ...] -> [decks, ...]."""
        sums: np.ndarray = x.reshape(-1, self.rotations, *x.shape[1:]).sum(axis=1)
        return sums


def _column(columns: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    if name not in columns:
        raise ValueError(f"the rows have no column '{name}', which this measure needs; they have: {', '.join(columns)}")
    return columns[name]


def samples(games: pl.LazyFrame, players: pl.LazyFrame) -> Iterator[Sample]:
    """The cells of a run one after the other, from its rows per game and per player (`Run.scan_games`, `Run.scan_players`).

    Raises
    ------
    ValueError
        Some deck lacks a game, or a game a player.
    """
    for cell in games.select(*CELL).unique(maintain_order=True).collect().iter_rows():
        here = [pl.col(name) == value for name, value in zip(CELL, cell, strict=True)]
        by_game = _in_order(games.filter(*here).drop(*CELL).collect(), KEYS)
        by_player = _in_order(players.filter(*here).drop(*CELL).collect(), (*KEYS, "position"))
        yield _sample(CellName(*cell), by_game, by_player)


def _in_order(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The rows by these keys, small numbers but for the first: as they lie on disk they mostly are, and sorting is slow."""
    place = np.zeros(frame.height, np.int64)
    for key in keys:
        place = 256 * place + frame[key].to_numpy()
    return frame if (place[1:] >= place[:-1]).all() else frame.sort(keys)


def _sample(cell: CellName, games: pl.DataFrame, players: pl.DataFrame) -> Sample:
    rotations = games.height // games["deck"].n_unique()
    decks = games["deck"].to_numpy()
    whole = decks.size % rotations == 0 and (decks.reshape(-1, rotations) == decks[::rotations, None]).all()
    if not whole or players.height != games.height * cell.players:
        raise ValueError(f"{cell}: every deck needs all its games, and every game all its players")
    by_game = {name: games[name].to_numpy() for name in games.columns}
    by_player = {name: players[name].to_numpy().reshape(games.height, -1) for name in players.columns}
    return Sample(cell, Rows(by_game, by_player), rotations)


class Estimates:
    """The table of what is found on a sample, row by row."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.found: list[tuple[Any, ...]] = []

    def mean(self, measure: str, x: np.ndarray, unit: str, is_share: bool = False, position: int = -1) -> None:
        """Add the mean over games of x, [games]; `is_share` says that it lies between 0 and 1."""
        self.ratio(measure, x, np.ones(x.size), unit, is_share, position)

    def share(self, measure: str, happened: np.ndarray, position: int = -1) -> None:
        """Add the share of games in which something happened, bool[games]."""
        self.mean(measure, happened, "share", True, position)

    def ratio(
        self, measure: str, parts: np.ndarray, wholes: np.ndarray, unit: str, is_share: bool = False, position: int = -1
    ) -> None:
        """Add the ratio of two sums over games, [games] each.

        `games` and `decks` are those that have something in the whole, which is never negative; without any there is no row.
        """
        by_deck = self.sample.by_deck
        self.deck_ratio(measure, by_deck(parts * 1.0), by_deck(wholes), unit, int(np.count_nonzero(wholes)), is_share, position)

    def deck_ratio(
        self,
        measure: str,
        parts: np.ndarray,
        wholes: np.ndarray,
        unit: str,
        games: int,
        is_share: bool = False,
        position: int = -1,
    ) -> None:
        """Add the ratio of two sums over decks, [decks] each, that come from so many games."""
        used = wholes > 0
        if not used.any():
            return
        found, pulls = ratio(parts[used], wholes[used])
        self.pulled(measure, found, pulls, unit, games, round(float(wholes.sum())) if is_share else None, position)

    def pulled(
        self,
        measure: str,
        found: float,
        pulls: np.ndarray,
        unit: str,
        games: int,
        trials: int | None = None,
        position: int = -1,
    ) -> None:
        """Add an estimate that each deck pulls so far, [decks]; `trials` says that it is a share of so many."""
        error = float(Moments.of(pulls[None], pulls[None]).standard_errors()[0])
        ends = interval(found, error, pulls.size, trials or games, trials is not None)
        self.add(measure, position, unit, (found, *ends), error, games, pulls.size)

    def quantiles(self, measure: str, x: np.ndarray, unit: str) -> None:
        """Add quantiles over games of x, [games], by whole percents: `turns:q05`."""
        decks = x.size // self.sample.rotations
        values = np.unique(x)
        for percent in PERCENTILES:
            spans = quantile_interval(x, self.sample.rotations, percent / 100, values)
            self.add(f"{measure}:q{percent:02}", -1, unit, spans, math.nan, x.size, decks)

    def add(
        self, measure: str, position: int, unit: str, span: tuple[float, float, float], error: float, games: int, decks: int
    ) -> None:
        """Add a row: `span` is estimate, low and high."""
        values = tuple(float(x) for x in span)
        self.found.append((*self.sample.cell, measure, position, unit, *values, float(error), games, decks))

    def frame(self) -> pl.DataFrame:
        """The table, with the columns of `SCHEMA`."""
        return pl.DataFrame(self.found, SCHEMA, orient="row")
