"""The covariance matrix adaptation evolution strategy on a dozen numbers, by the library `cma`.

Candidates are compared on common decks, so noise that hits all alike drops out of their ranks, and ranks are all that the
strategy looks at (Hansen, "The CMA evolution strategy: a tutorial", 2016, arXiv:1604.00772). The answer is the mean of the
distribution: the best candidate ever seen is the luckiest one. More than about fifty numbers are beyond it at a thousand games
a candidate.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

SPREAD = 0.3  # of the first candidates about the start; the numbers are about 1


class Evolution:
    """Ask for candidates, tell what they are worth (more is better), and so on.

    It can be gone on with later by telling again what was told (`replayed`): the candidates are the same each time.
    """

    def __init__(self, start: np.ndarray, seed: int) -> None:
        import cma

        rng = np.random.default_rng([seed, 1])
        # Random numbers of its own: the library would seed those that everybody shares.
        options: dict[str, Any] = {"randn": lambda *shape: rng.standard_normal(shape), "seed": np.nan}
        options |= {"verbose": -9, "verb_log": 0, "verb_disp": 0}
        self.strategy = cma.CMAEvolutionStrategy(start.tolist(), SPREAD, options)
        self.values: list[list[float]] = []
        self.candidates: list[np.ndarray] = []

    @classmethod
    def replayed(cls, start: np.ndarray, seed: int, told: np.ndarray) -> "Evolution":
        """The evolution after all that was told (float64[generations, candidates])."""
        evolution = cls(start, seed)
        for values in told:
            evolution.ask()
            evolution.tell(values.tolist())
        return evolution

    @property
    def size(self) -> int:
        """Candidates of a generation."""
        return int(self.strategy.popsize)

    @property
    def mean(self) -> np.ndarray:
        """The mean of the distribution."""
        return np.array(self.strategy.mean, np.float64)

    @property
    def sigma(self) -> float:
        """How far candidates are spread about the mean."""
        return float(self.strategy.sigma)

    def ask(self) -> list[np.ndarray]:
        """The candidates of the next generation."""
        self.candidates = self.strategy.ask()
        return self.candidates

    def tell(self, values: Sequence[float]) -> None:
        """What the candidates last asked for are worth."""
        self.strategy.tell(self.candidates, [-value for value in values])
        self.values.append(list(values))

    def told(self) -> np.ndarray:
        """All that was told, float64[generations, candidates]."""
        return np.array(self.values).reshape(-1, self.size)
