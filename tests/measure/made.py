"""Samples with made-up rows, for measures of a whole cell."""

import numpy as np
import polars as pl

from pinchsim.measure.moments import interval
from pinchsim.measure.sample import SCHEMA, Piece, Sample
from pinchsim.measure.summary import CellName


def made(rotations=1, /, pieces=1, **columns):
    """A sample: columns given as [games] are the games', those given as [games, positions] the players'.

    It lies in so many pieces, as equal as can be.
    """
    arrays = {name: np.asarray(x) for name, x in columns.items()}
    n_games = len(next(iter(arrays.values())))
    n_players = next((x.shape[1] for x in arrays.values() if x.ndim == 2), 2)
    found = []
    for decks in np.array_split(np.arange(n_games // rotations), pieces):
        own = {name: x[decks[0] * rotations : (decks[-1] + 1) * rotations] for name, x in arrays.items()}
        games = pl.DataFrame({name: x for name, x in own.items() if x.ndim == 1})
        players = pl.DataFrame({name: x.reshape(-1) for name, x in own.items() if x.ndim == 2})
        found.append(Piece(games.lazy(), players.lazy(), decks.size * rotations))
    return Sample(CellName("pinch", n_players, "greedy"), found, rotations)


def rows_of(table):
    """The rows of a table by measure and position; and it is a table of the usual form."""
    assert table.schema == pl.Schema(SCHEMA)
    found = {(row["measure"], row["position"]): row for row in table.iter_rows(named=True)}
    assert len(found) == table.height, "no row twice"
    return found


def values_of(table):
    """Estimates by measure, those by position by measure and position."""
    return {m if p < 0 else (m, p): row["estimate"] for (m, p), row in rows_of(table).items()}


def row_of(estimate, error, decks):
    """A row with an estimate and its 95 % interval, from so many decks of four games."""
    low, high = interval(estimate, error, decks, 4 * decks, is_share=False)
    return {"estimate": estimate, "low": low, "high": high, "games": 4 * decks, "decks": decks}
