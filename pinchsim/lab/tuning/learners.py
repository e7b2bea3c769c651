"""The two learners behind one face: `iterate` plays, improves the vector that is tuned, and says what happened.

`LargeLearner` takes natural gradient steps on all weights, `SmallLearner` lets an evolution strategy find the named numbers.
What a learner does follows from the seed, the number of the iteration and its state alone.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from pinchsim.lab.tuning.crew import TRAINING, Crew
from pinchsim.lab.tuning.evolution import Evolution
from pinchsim.lab.tuning.league import League
from pinchsim.lab.tuning.natural import Sums, natural_step, reduce_lessons

LEAGUE_SHARE = 0.25  # of the games has one learner among league members; the rest is played among copies
PART_DECKS = 750  # lessons are reduced this many decks at a time, so that they fit into memory
FIRST_KL, LAST_KL = 0.05, 0.005  # how much the play may change in the first and in the last iteration
DAMPING = 0.001


class Iteration(NamedTuple):
    """What an iteration says of itself; `step` is the KL divergence a decision, or the evolution's spread (sigma)."""

    games: int
    step: float
    lessons: int = 0
    missed: int = 0
    explained: float = float("nan")


class Learner(Protocol):
    """See the module."""

    @property
    def vector(self) -> np.ndarray:
        """What is tuned, as it is now."""

    def games(self) -> int:
        """Games of an iteration."""

    def expand(self, vector: np.ndarray) -> np.ndarray:
        """The weights that the vector stands for."""

    def iterate(self, number: int, league: League) -> Iteration:
        """Do iteration `number`, counted from 0."""

    def memory(self) -> np.ndarray:
        """What must be kept beside the vector, to go on with later (`recall`)."""

    def recall(self, vector: np.ndarray, memory: np.ndarray) -> None:
        """Go on from what was kept."""


def split(crew: Crew, games: int) -> tuple[int, int]:
    """Decks among copies and decks among the league; the league has at least one."""
    decks = crew.decks(games)
    league = max(1, round(LEAGUE_SHARE * decks))
    return max(1, decks - league), league


class LargeLearner:
    """All weights, by natural policy gradient."""

    def __init__(self, crew: Crew, start: np.ndarray, iterations: int, games: int) -> None:
        self.crew, self.vector = crew, start.copy()
        self.iterations = iterations
        self.among_copies, self.among_league = split(crew, games)

    def games(self) -> int:
        """Games of an iteration."""
        return (self.among_copies + self.among_league) * self.crew.rotations

    def expand(self, vector: np.ndarray) -> np.ndarray:
        """The vector is the weights."""
        return vector

    def iterate(self, number: int, league: League) -> Iteration:
        """Play, and make a step on each block of weights."""
        kl = FIRST_KL * (LAST_KL / FIRST_KL) ** (number / max(1, self.iterations - 1))
        blocks = self.crew.tunable.blocks
        total, missed = self._lessons(number, league)
        for block, sums in zip(blocks, total, strict=True):
            self.vector[block.first : block.first + sums.slope.size] += natural_step(sums, kl, DAMPING).change
        left, all_of_it = (sum(getattr(sums, name) for sums in total) for name in ("left", "total"))
        explained = 1 - left / all_of_it if all_of_it else float("nan")
        return Iteration(self.games(), kl, sum(sums.lessons for sums in total), missed, explained)

    def _lessons(self, number: int, league: League) -> tuple[list[Sums], int]:
        """The sums of all lessons of an iteration, and how many found no room."""
        others = self.crew.tunable.players - 1
        rng = np.random.default_rng([self.crew.seed, number])
        first = TRAINING + number * (self.among_copies + self.among_league)
        total: list[Sums] = []
        missed = 0
        for among_league, at, decks in self._parts(first):
            opponents = league.opponents(rng, others) if among_league else [self.vector] * others
            learns = [True] + [not among_league] * others
            lessons = self.crew.lessons([self.vector, *opponents], learns, at, decks)
            sums = reduce_lessons(lessons, self.crew.tunable.blocks, self.crew.tunable.players)
            total = [a + b for a, b in zip(total, sums, strict=True)] if total else sums
            missed += lessons.missed
        return total, missed

    def _parts(self, first: int) -> Iterator[tuple[bool, int, int]]:
        """Parts of an iteration: whether it is played among the league, first deck, decks."""
        for among_league, decks in ((False, self.among_copies), (True, self.among_league)):
            for at in range(0, decks, PART_DECKS):
                yield among_league, first + at, min(PART_DECKS, decks - at)
            first += decks

    def memory(self) -> np.ndarray:
        """Nothing."""
        return np.zeros(0)

    def recall(self, vector: np.ndarray, memory: np.ndarray) -> None:
        """Go on from a vector."""
        self.vector = vector.copy()


class SmallLearner:
    """The named numbers, by evolution."""

    def __init__(self, crew: Crew, start: np.ndarray, iterations: int, games: int) -> None:
        self.crew, self.start = crew, start.copy()
        self.evolution = Evolution(start, crew.seed)
        self.among_copies, self.among_league = split(crew, -(-games // self.evolution.size))

    @property
    def vector(self) -> np.ndarray:
        """The mean of the distribution."""
        return self.evolution.mean

    def games(self) -> int:
        """Games of an iteration: each candidate plays the same decks."""
        return (self.among_copies + self.among_league) * self.crew.rotations * self.evolution.size

    def expand(self, vector: np.ndarray) -> np.ndarray:
        """The weights that the numbers stand for."""
        return self.crew.tunable.expand(vector)

    def iterate(self, number: int, league: League) -> Iteration:
        """One generation: candidates play alone among copies of the mean, and among the league."""
        others = self.crew.tunable.players - 1
        rng = np.random.default_rng([self.crew.seed, number])
        first = TRAINING + number * (self.among_copies + self.among_league)
        copies = [self.expand(self.vector)] * others
        members = [self.expand(member) for member in league.opponents(rng, others)]
        values = []
        for candidate in self.evolution.ask():
            own = self.expand(candidate)
            first_part = self.crew.shares([own, *copies], first, self.among_copies)
            second_part = self.crew.shares([own, *members], first + self.among_copies, self.among_league)
            values.append(float(np.concatenate([first_part[:, 0], second_part[:, 0]]).mean()))
        self.evolution.tell(values)
        return Iteration(self.games(), self.evolution.sigma)

    def memory(self) -> np.ndarray:
        """The values of all candidates so far."""
        return self.evolution.told()

    def recall(self, vector: np.ndarray, memory: np.ndarray) -> None:
        """Go on from what the candidates were worth."""
        self.evolution = Evolution.replayed(self.start, self.crew.seed, memory)
