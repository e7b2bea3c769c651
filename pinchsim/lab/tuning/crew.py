"""Threads that play games for the optimisers, in batches that do not depend on how many threads there are.

Decks of three purposes never overlap: training, validation (to choose among candidates) and confirmation (to judge the chosen
one). All of them lie far above the decks of any sweep or tournament, whose numbers are below 2^31, so a tuned strategy
meets fresh decks wherever it is tested, with the same seed, too.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np

from pinchsim.games.seam import Lessons, Tunable
from pinchsim.lab.batches import play_batches
from pinchsim.lab.watcher import Watcher

TRAINING, VALIDATION, CONFIRMATION = (k << 40 for k in (1, 2, 3))
BATCH_DECKS = 50
T = TypeVar("T")
Place = Any  # who sits at a place: weights (float64[W]), or a strategy that is one of the rivals
Batch = Callable[[np.ndarray, Any], T]


@dataclass
class Crew:
    """Plays games with each of `rotations` of a deck, from deck number `first` on."""

    tunable: Tunable
    rotations: int
    seed: int
    jobs: int
    watcher: Watcher
    memories: threading.local = field(default_factory=threading.local)

    def decks(self, games: int) -> int:
        """Decks for at least so many games."""
        return -(-games // self.rotations)

    def lessons(self, places: Sequence[Place], learns: Sequence[bool], first: int, decks: int) -> Lessons:
        """Lessons from whole decks, in the order of the games."""
        parts = self._play(lambda games, memory: self.tunable.lessons(places, learns, self.seed, games, memory), first, decks)
        *arrays, missed = zip(*parts, strict=True)
        gains, contexts, kinds, players, outcomes = map(np.concatenate, arrays)
        return Lessons(gains, contexts, kinds, players, outcomes, sum(missed))

    def shares(self, places: Sequence[Place], first: int, decks: int) -> np.ndarray:
        """Shares of the win by game and place, float64[games, players], where everybody takes the best option."""
        return np.concatenate(
            self._play(lambda games, memory: self.tunable.shares(places, self.seed, games, memory), first, decks)
        )

    def _play(self, play: Batch[T], first: int, decks: int) -> list[T]:
        """What `play` says of each batch, in their order."""
        return play_batches(partial(self._batch, play), first, decks, BATCH_DECKS, self.jobs)

    def _batch(self, play: Batch[T], first: int, decks: int) -> T:
        if not hasattr(self.memories, "memory"):
            self.memories.memory = self.tunable.new_memory()
        games = np.arange(first * self.rotations, (first + decks) * self.rotations)
        found = play(games, self.memories.memory)
        self.watcher.played(games.size)
        return found
