"""The toy game played by weights, with a known optimum.

Everybody names a level from -2 to 2 and wins with a chance in proportion to exp(-(level - best)^2), where the best level
is BEST[z] and the deck shows everybody z, 0 or 1. An option's features are level and -level^2 / 2, the contexts 1 and z, so
weights choose the level (w00 + w10 z) / (w01 + w11 z). The named numbers are w00 and w10, the others 1 and 0: their optimum
is (BEST[0], BEST[1] - BEST[0]).
"""

import json

import numpy as np

from pinchsim.errors import UsageError
from pinchsim.games.seam import Block, Lessons
from tests.lab.toy import ToyGame

BEST = np.array([0.5, -1.0])
LEVELS = np.linspace(-2, 2, 81)
FEATURES = np.stack([LEVELS, -(LEVELS**2) / 2], axis=1)
OPTIMUM = np.array([BEST[0], BEST[1] - BEST[0]])


def uniform(seed, index, stream):
    """A random fraction for each index: SplitMix64."""
    with np.errstate(over="ignore"):
        z = index.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed * 1_000_003 + stream * 7919)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)) / 2.0**53


def levels_of(weights):
    """The levels that weights name best, by z."""
    return np.array([LEVELS[np.argmax(FEATURES @ (weights[:2] + z * weights[2:]))] for z in (0, 1)])


def exact_share(levels, others):
    """Share of the win of one who names these levels, by z, against one who names the others."""
    own, other = np.exp(-((levels - BEST) ** 2)), np.exp(-((others - BEST) ** 2))
    return float(np.mean(own / (own + other)))


class ToyTunable:
    """See `pinchsim.games.seam.Tunable`."""

    players, names = 2, ("level", "shift")
    blocks = (Block("level", 0, 2, 2),)
    loaded = 0

    def __init__(self, rivals=()):
        self.rivals = rivals

    def weights(self, strategy):
        return np.array(strategy.data["weights"], float)

    def numbers(self, strategy):
        if "numbers" not in strategy.data:
            raise UsageError(f"'{strategy.name}' has no named numbers.")
        return np.array(strategy.data["numbers"], float)

    def expand(self, numbers):
        return np.array([numbers[0], 1.0, numbers[1], 0.0])

    def rounded(self, vector):
        return np.round(vector, 4)

    def is_compiled(self):
        return False

    def load(self):
        self.loaded += 1

    def new_memory(self):
        return None

    def lessons(self, places, learns, seed, indices, memory):
        z = self._z(seed, indices)
        drawn = (self._drawn(self._weights(w), z, seed, indices, place) for place, w in enumerate(places))
        chosen, chances = zip(*drawn, strict=True)
        shares = self._won([LEVELS[c] for c in chosen], z, seed, indices)
        rotation = indices % 2
        parts = [
            (
                (FEATURES[chosen[place]] - chances[place] @ FEATURES).astype(np.float32),
                np.stack([np.ones(len(z)), z], axis=1).astype(np.float32),
                np.zeros(len(z), np.int64),
                (place + rotation) % 2,
                shares[:, place].astype(np.float32),
            )
            for place in range(2)
            if learns[place]
        ]
        return Lessons(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)), missed=1)

    def shares(self, places, seed, indices, memory):
        z = self._z(seed, indices)
        named = [levels_of(self._weights(w))[z] for w in places]
        return self._won(named, z, seed, indices)

    def _weights(self, place):
        """Weights of a place; those of a rival make it name its levels for sure."""
        return place if isinstance(place, np.ndarray) else 1e6 * self.weights(place)

    def _z(self, seed, indices):
        return (uniform(seed, indices // 2, 0) < 0.5).astype(np.int64)

    def _drawn(self, weights, z, seed, indices, place):
        """Indices of the levels that a place names by softmax, and the chance of each level."""
        scores = np.stack([FEATURES @ (weights[:2] + k * weights[2:]) for k in (0, 1)])
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        luck = uniform(seed, indices, 2 + place)
        drawn = np.array([np.searchsorted(np.cumsum(chances[k]), u) for k, u in zip(z, luck, strict=True)])
        return np.minimum(drawn, len(LEVELS) - 1), chances[z]

    def _won(self, named, z, seed, indices):
        first, second = (np.exp(-((levels - BEST[z]) ** 2)) for levels in named)
        won = uniform(seed, indices, 1) < first / (first + second)
        return np.stack([won, ~won], axis=1).astype(float)


class TunableToy(ToyGame):
    """The toy game with weights."""

    sparring = ("middle",)

    def tunable(self, variant, players, rivals=()):
        return ToyTunable(rivals)

    def tuned_text(self, old, idea, named, tables, provenance):
        (vector,), (facts,) = tables.values(), provenance.values()
        key = "numbers" if named else "weights"
        return f"# {idea}\npolicy = 'toy'\n{key} = {vector.tolist()}\nfacts = {json.dumps(json.dumps(facts))}\n"
