"""The rows of one cell of a run, and tables of what is measured on them: means, ratios and quantiles by deck (METHODS M1.4).

Every measure of a whole cell is a function of a `Sample` that returns a table with the columns of `SCHEMA`, so that tables of
several cells can be put below each other. Position -1 is the whole game. Measures by position mean the same in mixed line-ups
as in mirrors: there every strategy sits at every position equally often (M1.3), so a position stands for its average over the
strategies.

The rows stay on disk. A measure goes through the parts of a sample one after the other, and `Estimates` keeps what it adds up
to in each deck: memory is that of a few numbers for each deck, whatever the number of columns.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.columns import LazyColumns
from pinchsim.measure.growing import Quantiles, Ratio, Row, pulled
from pinchsim.measure.quantities import Rows
from pinchsim.measure.summary import CELL, ESTIMATE, CellName

SCHEMA = {**CELL, **ESTIMATE}


class Scan(NamedTuple):
    """The rows of one cell as they lie on disk: pieces of whole decks, in the order of these.

    A piece is a row per game (columns `deck`, `rotation` and others) and a row per game and position (`position`, too), lazily.
    """

    cell: CellName
    pieces: Sequence[tuple[pl.LazyFrame, pl.LazyFrame]]


class Piece(NamedTuple):
    """So many games of whole decks, lazily: a row per game, and a row per game and position."""

    games: pl.LazyFrame
    players: pl.LazyFrame
    size: int


class Part(NamedTuple):
    """A piece of a sample; its columns are read when they are asked for, and kept."""

    cell: CellName
    rows: Rows

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
            found += factor * (self.game(name) if is_game else _added(self.player(name)))
        return found


def _column(columns: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    if name not in columns:
        raise ValueError(f"the rows have no column '{name}', which this measure needs; they have: {', '.join(columns)}")
    return columns[name]


def _added(x: np.ndarray) -> np.ndarray:
    """Sums over the second axis, which is short: several times as fast as numpy, which goes along it."""
    total: np.ndarray = x[:, 0].astype(np.float64)
    for k in range(1, x.shape[1]):
        total += x[:, k]
    return total


class Sample(NamedTuple):
    """All rows of one cell in whole decks: game g is rotation g mod `rotations` of its deck."""

    cell: CellName
    pieces: Sequence[Piece]
    rotations: int

    @property
    def size(self) -> int:
        """How many games there are."""
        return sum(piece.size for piece in self.pieces)

    def parts(self) -> Iterator[Part]:
        """The pieces one after the other, as arrays."""
        tables = (self.pieces[0].games, self.pieces[0].players)
        names = [table.collect_schema().names() for table in tables]
        wanted: list[set[str]] = [set(), set()]
        for piece in self.pieces:
            by_game = LazyColumns(piece.games, names[0], wanted[0])
            by_player = LazyColumns(piece.players, names[1], wanted[1], self.cell.players)
            yield Part(self.cell, Rows(by_game, by_player))

    def game(self, name: str) -> np.ndarray:
        """A column of all games, [games]; raises `ValueError` if there is none."""
        return np.concatenate([part.game(name) for part in self.parts()])

    def player(self, name: str) -> np.ndarray:
        """A column of all players, [games, positions]; raises `ValueError` if there is none."""
        return np.concatenate([part.player(name) for part in self.parts()])

    def first(self, games: int) -> "Sample":
        """The sample of the first games, in whole decks; all of them if there are no more."""
        left, found = -(-games // self.rotations) * self.rotations, []
        for piece in self.pieces:
            size = min(left, piece.size)
            if size:
                found.append(Piece(piece.games.head(size), piece.players.head(size * self.cell.players), size))
            left -= size
        return self._replace(pieces=found)

    def by_deck(self, x: np.ndarray) -> np.ndarray:
        """Sums over the games of each deck, of a part or of all: [games, ...] -> float64[decks, ...]."""
        return _added(x.reshape(-1, self.rotations, *x.shape[1:]))


def samples(scans: Iterable[Scan]) -> Iterator[Sample]:
    """The cells of a run one after the other, from its rows (`Run.scan_cells`).

    Raises
    ------
    ValueError
        Some deck lacks a game, or a game a player, or rows are in disorder.
    """
    for scan in scans:
        pieces, rotations, last = [], 0, -1
        for games, players in scan.pieces:
            keys = games.select("deck", "rotation").collect()
            rotations = rotations or keys["rotation"].n_unique()
            fine = _in_order(scan.cell.players, rotations, keys, players.select("deck", "rotation", "position").collect())
            if not fine or keys["deck"][0] <= last:
                raise ValueError(f"{scan.cell}: every deck needs all its games, and every game all its players, in order")
            last = keys["deck"][-1]
            pieces.append(Piece(games, players, keys.height))
        yield Sample(scan.cell, pieces, rotations)


def _in_order(n: int, rotations: int, games: pl.DataFrame, players: pl.DataFrame) -> bool:
    """Whether a piece is whole decks in order, each with all its games, and these with all their n players."""
    deck, rotation = (games[name].to_numpy() for name in ("deck", "rotation"))
    deck_of, rotation_of, position = (players[name].to_numpy() for name in ("deck", "rotation", "position"))
    return bool(
        deck.size % rotations == 0
        and position.size == deck.size * n
        and (np.diff(deck[::rotations]) > 0).all()
        and (deck.reshape(-1, rotations) == deck[::rotations, None]).all()
        and (rotation.reshape(-1, rotations) == np.arange(rotations)).all()
        and (deck_of.reshape(-1, n) == deck[:, None]).all()
        and (rotation_of.reshape(-1, n) == rotation[:, None]).all()
        and (position.reshape(-1, n) == np.arange(n)).all()
    )


class Estimates:
    """The table of what is found on a sample, row by row.

    Means, ratios and quantiles grow: all that is added under one name and position, part by part, is one of them.
    """

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.found: dict[tuple[str, int, type], Row | Ratio | Quantiles] = {}

    def mean(self, measure: str, x: np.ndarray, unit: str, is_share: bool = False, position: int = -1) -> None:
        """Add the mean over games of x, [games]; `is_share` says that it lies between 0 and 1."""
        each = float(self.sample.rotations)
        self._ratio(measure, position, unit, is_share).add(self.sample.by_deck(x), each, x.size)

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
        self.deck_ratio(measure, by_deck(parts), by_deck(wholes), unit, int(np.count_nonzero(wholes)), is_share, position)

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
        self._ratio(measure, position, unit, is_share).add(parts, wholes, games)

    def _ratio(self, measure: str, position: int, unit: str, is_share: bool) -> Ratio:
        found = self.found.setdefault((measure, position, Ratio), Ratio(unit, is_share))
        assert isinstance(found, Ratio)
        return found

    def pulled(self, measure: str, found: float, pulls: np.ndarray, unit: str, games: int) -> None:
        """Add an estimate that each deck pulls so far, float64[decks]."""
        self.found[measure, -1, Row] = pulled(found, pulls, unit, games)

    def quantiles(self, measure: str, x: np.ndarray, unit: str) -> None:
        """Add quantiles over games of x, [games], by whole percents: `turns:q05`."""
        found = self.found.setdefault((measure, -1, Quantiles), Quantiles(unit, self.sample.rotations))
        assert isinstance(found, Quantiles)
        found.distribution.add(x)

    def add(
        self, measure: str, position: int, unit: str, span: tuple[float, float, float], error: float, games: int, decks: int
    ) -> None:
        """Add a row: `span` is estimate, low and high."""
        self.found[measure, position, Row] = Row(unit, span, error, games, decks)

    def frame(self) -> pl.DataFrame:
        """The table, with the columns of `SCHEMA`."""
        return pl.DataFrame(list(self._rows()), SCHEMA, orient="row")

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for (measure, position, _), found in self.found.items():
            for end, row in found.rows():
                span = map(float, row.span)
                yield (*self.sample.cell, measure + end, position, row.unit, *span, float(row.error), row.games, row.decks)
