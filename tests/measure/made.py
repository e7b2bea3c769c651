"""Samples with made-up rows, for measures of a whole cell."""

import numpy as np
import polars as pl

from pinchsim.measure.quantities import Rows
from pinchsim.measure.sample import SCHEMA, Sample
from pinchsim.measure.summary import CellName


def made(rotations=1, /, **columns):
    """A sample: columns given as [games] are the games', those given as [games, positions] the players'."""
    arrays = {name: np.asarray(x) for name, x in columns.items()}
    games = {name: x for name, x in arrays.items() if x.ndim == 1}
    players = {name: x for name, x in arrays.items() if x.ndim == 2}
    n_players = next((x.shape[1] for x in players.values()), 2)
    return Sample(CellName("pinch", n_players, "greedy"), Rows(games, players), rotations)


def rows_of(table):
    """The rows of a table by measure and position; and it is a table of the usual form."""
    assert table.schema == pl.Schema(SCHEMA)
    found = {(row["measure"], row["position"]): row for row in table.iter_rows(named=True)}
    assert len(found) == table.height, "no row twice"
    return found


def values_of(table):
    """Estimates by measure, those by position by measure and position."""
    return {m if p < 0 else (m, p): row["estimate"] for (m, p), row in rows_of(table).items()}
