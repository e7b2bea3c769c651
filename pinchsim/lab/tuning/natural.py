"""One step of the natural policy gradient, worked out from lessons (`pinchsim.games.seam.Lessons`).

The gradient of the win share by the weights is the mean over all decisions of advantage times slope, where the slope is the
gradient of the log of the chosen option's probability (context times gain), and the advantage is how much better it came out
than the situation promised. Its natural form is divided by the Fisher matrix, the mean of slope times slope transposed: then
a step does not depend on how features are scaled, and its size is set by how much the play may change (Kakade, "A natural
policy gradient", NIPS 2001; Peters and Schaal, "Natural actor-critic", Neurocomputing 71, 2008). Each kind of decision has
weights of its own and so a block of the Fisher matrix, which is exact for softmax policies but for sampling.

Lessons come in parts, so that memory does not grow with the number of games: a part is reduced to sums, and sums add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pinchsim.games.seam import Block, Lessons

BASELINE_LESSONS = 60_000  # of a part and a block, enough for about a hundred coefficients
FISHER_LESSONS = 6_000  # of a part and a block; there are several parts, and the matrix has up to 600 rows
RIDGE = 1e-6
FLOOR = 1e-7  # of the Fisher matrix's diagonal, for features that never differ
FEWEST = 10  # lessons for each weight of a block, or it makes no step: nothing could be told from noise


@dataclass
class Sums:
    """What a step needs of the lessons of one block.

    Attributes
    ----------
    lessons, missed : int
    slope : float64[d]
        Sum of advantage times slope, d = contexts * features in the order of the weights.
    fisher : float64[d, d]
        Sum of slope times slope transposed over `fisher_lessons` of the lessons.
    fisher_lessons : int
    left, total : float
        Sums of squares of the advantages, and of the outcomes about their mean: the baseline explains 1 - left / total.
    """

    lessons: int
    slope: np.ndarray
    fisher: np.ndarray
    fisher_lessons: int
    left: float
    total: float

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.lessons + other.lessons,
            self.slope + other.slope,
            self.fisher + other.fisher,
            self.fisher_lessons + other.fisher_lessons,
            self.left + other.left,
            self.total + other.total,
        )


class Step(NamedTuple):
    """A change of one block's weights (float64[d]), and the KL divergence a decision that it was made for."""

    change: np.ndarray
    kl: float


def reduce_lessons(lessons: Lessons, blocks: Sequence[Block], players: int) -> list[Sums]:
    """The sums of a part of the lessons, block by block."""
    return [_reduce(lessons, k, block, players) for k, block in enumerate(blocks)]


def _reduce(lessons: Lessons, kind: int, block: Block, players: int) -> Sums:
    rows = np.flatnonzero(lessons.kinds == kind)
    size = block.contexts * block.features
    if not rows.size:
        return Sums(0, np.zeros(size), np.zeros((size, size)), 0, 0.0, 0.0)
    contexts = np.ascontiguousarray(lessons.contexts[rows])
    gains = np.ascontiguousarray(lessons.gains[rows, : block.features])
    outcomes = lessons.outcomes[rows]
    advantages = outcomes - baseline(contexts, lessons.players[rows], outcomes, players)
    slope = ((contexts * advantages[:, None]).T @ gains).ravel().astype(np.float64)
    some = spread(rows.size, FISHER_LESSONS)
    slopes = (contexts[some][:, :, None] * gains[some][:, None, :]).reshape(some.size, size)
    fisher = (slopes.T @ slopes).astype(np.float64)
    left = float(np.square(advantages, dtype=np.float64).sum())
    return Sums(rows.size, slope, fisher, some.size, left, float(outcomes.var(dtype=np.float64) * rows.size))


def spread(n: int, most: int) -> np.ndarray:
    """Indices of at most so many of n rows, evenly spread over all."""
    return np.arange(n) if n <= most else np.arange(most) * n // most


def baseline(contexts: np.ndarray, players: np.ndarray, outcomes: np.ndarray, n_players: int) -> np.ndarray:
    """The outcome that each situation promises, float32[n]: least squares on the contexts, their products and the position.

    Whatever it is, it cannot bias the gradient, as it does not depend on the chosen option; it takes away noise.
    """
    some = spread(len(outcomes), BASELINE_LESSONS)
    upper = np.triu_indices(contexts.shape[1])
    products = contexts[some][:, upper[0]] * contexts[some][:, upper[1]]
    design = np.concatenate([products, np.eye(n_players, dtype=np.float32)[players[some]]], axis=1)
    normal = (design.T @ design).astype(np.float64) + RIDGE * some.size * np.eye(design.shape[1])
    found = np.linalg.solve(normal, (design.T @ outcomes[some]).astype(np.float64)).astype(np.float32)
    quadratic = np.zeros((contexts.shape[1],) * 2, np.float32)
    quadratic[upper] = found[: len(upper[0])]
    promised: np.ndarray = ((contexts @ quadratic) * contexts).sum(axis=1) + found[len(upper[0]) :][players]
    return promised


def natural_step(sums: Sums, kl: float, damping: float) -> Step:
    """The step up the natural gradient v = F^-1 g whose KL divergence, to second order, is `kl` a decision.

    KL(step s v) is s^2 v'Fv / 2, so s = sqrt(2 kl / v'g).

    Parameters
    ----------
    damping
        Added to the diagonal of F, as a part of its mean: weights that hardly matter are not moved far by noise.
    """
    size = sums.slope.size
    nothing = Step(np.zeros(size), 0.0)
    if sums.lessons < FEWEST * size:
        return nothing
    gradient = sums.slope / sums.lessons
    fisher = sums.fisher / sums.fisher_lessons
    fisher[np.diag_indices(size)] += damping * np.trace(fisher) / size + FLOOR
    direction = np.linalg.solve(fisher, gradient)
    gain = float(direction @ gradient)
    if not gain > 0:
        return nothing
    return Step(direction * np.sqrt(2 * kl / gain), kl)
