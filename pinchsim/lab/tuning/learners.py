"""The two learners behind one face: `iterate` plays, improves the vector that is tuned, and says what happened.

`LargeLearner` takes natural gradient steps on all weights, `SmallLearner` lets an evolution strategy find the named numbers.
What a learner does follows from the seed, the number of the iteration and its state alone.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from pinchsim.lab.tuning.crew import TRAINING, Crew, Place
from pinchsim.lab.tuning.evolution import Evolution
from pinchsim.lab.tuning.league import League
from pinchsim.lab.tuning.natural import Sums, natural_step, reduce_lessons
from pinchsim.strategy.library import Strategy

# Shares of the games in which one learner sits among members of the league, and among sparring partners; the rest is played
# among copies of the learner.
LEAGUE_SHARE, SPARRING_SHARE = 0.2, 0.3
PART_DECKS = 750  # lessons are reduced this many decks at a time, so that they fit into memory
FEW_DECKS = 250  # of a part with other opponents, so that there are several in an iteration
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


class Part(NamedTuple):
    """Games of an iteration in which the learner meets the same opponents, or copies of itself."""

    opponents: list[Place]  # empty among copies
    first: int
    decks: int


def decks_of(crew: Crew, games: int) -> tuple[int, int, int]:
    """Decks of an iteration among copies, among the league and among sparring partners, for at least so many games."""
    all_decks = crew.decks(games)
    in_league = max(1, round(LEAGUE_SHARE * all_decks))
    sparring = round(SPARRING_SHARE * all_decks) if crew.tunable.rivals else 0
    return max(1, all_decks - in_league - sparring), in_league, sparring


def parts_of(crew: Crew, number: int, games: int, league: League) -> list[Part]:
    """What is played in iteration `number`: among copies, among the league, and among sparring partners."""
    rng = np.random.default_rng([crew.seed, number])
    others, partners = crew.tunable.players - 1, crew.tunable.rivals
    copies, in_league, sparring = decks_of(crew, games)
    parts: list[Part] = []
    first = TRAINING + number * (copies + in_league + sparring)
    for decks in _in_parts(copies, PART_DECKS):
        parts.append(Part([], first, decks))
        first += decks
    for decks in _in_parts(in_league, FEW_DECKS):
        parts.append(Part(league.opponents(rng, others), first, decks))
        first += decks
    for k, decks in enumerate(_in_parts(sparring, FEW_DECKS)):
        parts.append(Part([partners[(number + k) % len(partners)]] * others, first, decks))
        first += decks
    return parts


def _in_parts(decks: int, most: int) -> Iterator[int]:
    """So many decks in parts of at most so many."""
    for at in range(0, decks, most):
        yield min(most, decks - at)


class LargeLearner:
    """All weights, by natural policy gradient."""

    def __init__(self, crew: Crew, start: np.ndarray, iterations: int, games: int) -> None:
        self.crew, self.vector = crew, start.copy()
        self.iterations, self.at_least = iterations, games

    def games(self) -> int:
        """Games of an iteration."""
        return sum(decks_of(self.crew, self.at_least)) * self.crew.rotations

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
        total: list[Sums] = []
        missed = 0
        for opponents, first, decks in parts_of(self.crew, number, self.at_least, league):
            places = [self.vector, *(opponents or [self.vector] * others)]
            lessons = self.crew.lessons(places, [True] + [not opponents] * others, first, decks)
            sums = reduce_lessons(lessons, self.crew.tunable.blocks, self.crew.tunable.players)
            total = [a + b for a, b in zip(total, sums, strict=True)] if total else sums
            missed += lessons.missed
        return total, missed

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
        self.at_least = -(-games // self.evolution.size)

    @property
    def vector(self) -> np.ndarray:
        """The mean of the distribution."""
        return self.evolution.mean

    def games(self) -> int:
        """Games of an iteration: each candidate plays the same decks."""
        return sum(decks_of(self.crew, self.at_least)) * self.crew.rotations * self.evolution.size

    def expand(self, vector: np.ndarray) -> np.ndarray:
        """The weights that the numbers stand for."""
        return self.crew.tunable.expand(vector)

    def iterate(self, number: int, league: League) -> Iteration:
        """One generation: the candidates play the same decks, alone among the same opponents."""
        others = [self.expand(self.vector)] * (self.crew.tunable.players - 1)
        parts = [
            ([p if isinstance(p, Strategy) else self.expand(p) for p in part.opponents] or others, part.first, part.decks)
            for part in parts_of(self.crew, number, self.at_least, league)
        ]
        values = []
        for candidate in self.evolution.ask():
            own = self.expand(candidate)
            shares = [self.crew.shares([own, *opponents], first, decks)[:, 0] for opponents, first, decks in parts]
            values.append(float(np.concatenate(shares).mean()))
        self.evolution.tell(values)
        return Iteration(self.games(), self.evolution.sigma)

    def memory(self) -> np.ndarray:
        """The values of all candidates so far."""
        return self.evolution.told()

    def recall(self, vector: np.ndarray, memory: np.ndarray) -> None:
        """Go on from what the candidates were worth."""
        self.evolution = Evolution.replayed(self.start, self.crew.seed, memory)
