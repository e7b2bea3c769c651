"""Comparing two runs: which cells belong together, and whether their decks are the same (METHODS M1.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games import session
from pinchsim.lab.rows import described
from pinchsim.lab.run import Run
from pinchsim.measure.compare import SCHEMA, Decks, Pair, decks_of, independent, paired, worth
from pinchsim.measure.quantities import Described
from pinchsim.measure.sample import samples
from pinchsim.measure.summary import CellName


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side.

    Attributes
    ----------
    a, b : Run
        The runs.
    table : polars.DataFrame
        A row for each measure of each pair of cells: the estimate of each, and the difference b - a, with 95 % intervals.
    paired : bool
        Whether differences are paired by deck; else the runs are independent.
    """

    a: Run
    b: Run
    table: pl.DataFrame
    paired: bool

    @property
    def looked(self) -> bool:
        """Whether a run went on until something was known, for which its intervals here do not allow."""
        return any(run.summary.precision is not None for run in (self.a, self.b))

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds of both."""
        return _told(self.a, "seed"), _told(self.b, "seed")


def compare(a: Run, b: Run) -> Comparison:
    """Set two runs side by side, paired by deck if they have the same seed and both keep rows.

    Raises
    ------
    UsageError
        They play other games or sessions, have no cells or no decks in common, or their rows are gone and would be needed.
    """
    if a.manifest["game"] != b.manifest["game"] or _told(a, "session") != _told(b, "session"):
        played = (f"'{run.manifest['game']}' as '{_told(run, 'session')}'" for run in (a, b))
        raise UsageError(f"The runs can't be compared: they play {' and '.join(played)}. Compare runs of the same.")
    pairs, same = _pairs(a, b), _told(a, "seed") == _told(b, "seed")
    columns = described(session.of(all_games.load(a.manifest["game"]), _told(a, "session")))
    by_deck = same and a.keeps_rows and b.keeps_rows
    rows = [row for pair in pairs for row in (_paired(pair, a, b, columns) if by_deck else _independent(pair, a, b))]
    if not rows:
        raise UsageError(f"'{a.folder}' and '{b.folder}' have no finished games on the same decks yet.")
    return Comparison(a, b, _with_worth(pl.DataFrame(rows, SCHEMA, orient="row"), a, b), by_deck)


def _with_worth(table: pl.DataFrame, a: Run, b: Run) -> pl.DataFrame:
    """The table with the variance reduction factor of each difference."""
    known = [_by_key(run.summary.estimates) for run in (a, b)]
    found = []
    for row in table.to_dicts():
        keys = ((row[f"variant_{x}"], row["players"], row[f"line_up_{x}"], row["measure"], row["position"]) for x in "ab")
        found.append(worth(row, *(rows[key] for rows, key in zip(known, keys, strict=True))))
    return table.with_columns(variance_reduction=pl.Series(found, dtype=pl.Float64))


def _by_key(estimates: pl.DataFrame) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Rows by variant, players, line-up, measure and position."""
    names = (*CellName._fields, "measure", "position")
    return {tuple(row[name] for name in names): row for row in estimates.to_dicts()}


def _told(run: Run, field: str) -> Any:
    return run.manifest["experiment"][field]


def _pairs(a: Run, b: Run) -> list[Pair]:
    """Cells with the same name; where both runs have a single variant, or a single line-up, these belong together anyway."""
    single = [name for name in ("variant", "line_up") if all(len({getattr(c, name) for c in run.cells}) == 1 for run in (a, b))]
    found = list(_matching(a, b, single))
    if not found:
        cells = (", ".join(f"{c.variant} {c.players}p {c.line_up}" for c in run.cells[:4]) for run in (a, b))
        raise UsageError(f"The runs have no cells in common to compare: {'; and '.join(cells)}.")
    return found


def _matching(a: Run, b: Run, single: list[str]) -> Iterator[Pair]:
    names = [name for name in CellName._fields if name not in single]
    of_b = {tuple(getattr(cell, name) for name in names): cell for cell in b.cells}
    for cell in a.cells:
        other = of_b.get(tuple(getattr(cell, name) for name in names))
        if other is not None:
            yield Pair(cell, other)


def _paired(pair: Pair, a: Run, b: Run, columns: Described) -> list[tuple[Any, ...]]:
    return paired(pair, _decks(pair.a, a, columns), _decks(pair.b, b, columns), columns)


def _decks(cell: CellName, run: Run, columns: Described) -> Iterator[Decks]:
    """The decks of a cell, part by part; none if no game of it is finished."""
    for sample in samples(run.scan_cells([cell])):
        yield from decks_of(sample, columns)


def _independent(pair: Pair, a: Run, b: Run) -> list[tuple[Any, ...]]:
    rows = (run.summary.estimates.filter(**cell._asdict()).to_dicts() for run, cell in zip((a, b), pair, strict=True))
    return independent(pair, *rows)
