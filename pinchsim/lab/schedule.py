"""How many chunks of each cell are played: all of them, or wave after wave until a measure is known well enough (METHODS M2.2).

A wave is decided by the chunks of the waves before alone, so that the same games are played on any number of workers, and by a
run that was interrupted anywhere. After each wave the cells that are still undecided get more games, at most as many as they
have already, and no more than they are expected to need.
"""

import difflib
from collections.abc import Iterator, Sequence
from typing import Protocol

from pinchsim.errors import UsageError
from pinchsim.games.seam import Game
from pinchsim.lab import wish
from pinchsim.lab.chunks import Chunk
from pinchsim.lab.experiment import Experiment
from pinchsim.measure.ladder import ADVANTAGE
from pinchsim.measure.precision import Aim, Ending, Look, targets
from pinchsim.measure.quantities import quantities
from pinchsim.measure.summary import CellName, Tally


class Schedule(Protocol):
    """Which chunks are played."""

    def waves(self, tally: Tally) -> Iterator[list[Chunk]]:
        """The chunks, wave after wave; the next one is asked for when all chunks before are in the tally."""

    @property
    def found(self) -> str:
        """How near the run was at the last look, in words."""

    def ending(self, complete: bool) -> Ending | None:
        """Why each cell got no more games, `complete` if nobody interrupted; None if all that were asked for were played."""


def schedule_of(experiment: Experiment, chunks: Sequence[Chunk], tally: Tally, game: Game) -> Schedule:
    """The schedule of an experiment; raises `UsageError` if its precision cannot be that of its measure."""
    if experiment.precision is None:
        return Everything(chunks)
    return UntilPrecise(chunks, _aim(experiment, tally, game))


def _aim(experiment: Experiment, tally: Tally, game: Game) -> Aim:
    """What a run with a wished precision plays for."""
    wished, measure = str(experiment.precision), experiment.measure
    known = {q.measure: q for cell in tally.order for q in quantities(cell.places, tally.described)}
    if measure not in known:
        close = difflib.get_close_matches(measure.lower(), known, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise UsageError(f"'{measure}' is not a measure that a precision can be wished for.{hint} Known: {', '.join(known)}.")
    if wished == wish.VERDICT and measure != ADVANTAGE:
        raise UsageError(f"Only '{ADVANTAGE}' has verdicts to play for; for '{measure}' name a half-width as the precision.")
    try:
        half = None if wished == wish.VERDICT else wish.half_width(wished, known[measure].unit == "share")
    except ValueError as problem:
        raise UsageError(f"A precision of {wished} for '{measure}': {problem}.") from None
    return Aim(targets(tally, measure, differences=half is not None), half, experiment.margin, game.rotations)


class Everything:
    """All chunks, in one wave."""

    found = ""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks

    def waves(self, tally: Tally) -> Iterator[list[Chunk]]:
        """See `Schedule`."""
        yield list(self.chunks)

    def ending(self, complete: bool) -> None:
        """See `Schedule`."""


class UntilPrecise:
    """Waves of chunks until every cell has reached an aim, or all its chunks are played.

    Attributes
    ----------
    planned : dict
        Chunks of each cell so far.
    look : Look or None
        What the last look found.
    """

    def __init__(self, chunks: Sequence[Chunk], aim: Aim) -> None:
        self.by_cell: dict[CellName, list[Chunk]] = {}
        for chunk in sorted(chunks, key=lambda chunk: chunk.first_deck):
            self.by_cell.setdefault(chunk.cell.name, []).append(chunk)
        self.aim = aim
        self.planned = dict.fromkeys(self.by_cell, 0)
        self.look: Look | None = None

    def waves(self, tally: Tally) -> Iterator[list[Chunk]]:
        """See `Schedule`."""
        growth = {cell: self._chunks(cell, self.aim.first_decks(cell)) for cell in self.by_cell}
        while any(growth.values()):
            yield self._grow(growth)
            self.look = self.aim.look(tally, self.planned)
            growth = {cell: self._growth(cell, self.look) for cell in self.by_cell}

    @property
    def found(self) -> str:
        """See `Schedule`."""
        return self.look.words if self.look else ""

    def _growth(self, cell: CellName, look: Look) -> int:
        """By how many chunks a cell grows."""
        if cell not in look.needed:
            return 0
        have, needed = self.planned[cell], look.needed[cell]
        more = have if needed is None else self._chunks(cell, needed) - have
        return min(max(1, min(more, have)), len(self.by_cell[cell]) - have)

    def _chunks(self, cell: CellName, decks: int) -> int:
        """So many decks in chunks."""
        chunks = self.by_cell[cell]
        return min(max(1, -(-decks // chunks[0].decks)), len(chunks))

    def _grow(self, growth: dict[CellName, int]) -> list[Chunk]:
        """The next chunks of each cell."""
        wave = []
        for cell, more in growth.items():
            first = self.planned[cell]
            wave += self.by_cell[cell][first : first + more]
            self.planned[cell] += more
        return sorted(wave, key=lambda chunk: chunk.first_deck)

    def ending(self, complete: bool) -> Ending:
        """See `Schedule`."""
        return Ending(self.aim, self.look, tuple(self.by_cell), complete)
