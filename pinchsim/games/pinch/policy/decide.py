"""The five decisions of the parametric policy: list the options, score them, take the best.

`mind` is a `MIND` record (scratch), `weights` float64[N_WEIGHTS] of `layout`.
"""

import numpy as np

from pinchsim._jit import combine_of, dot_of, inner, inner_called
from pinchsim.games.pinch.policy import layout as at
from pinchsim.games.pinch.policy.mind import CHOOSING, DRAWING, PLAYING, TAKING, think
from pinchsim.games.pinch.policy.options import list_draws, list_plays, list_shadow, list_take_backs, list_takes
from pinchsim.rng import chance


@inner_called
def play(view, weights, mind):
    """Which group to play."""
    think(view, mind, weights, PLAYING)
    list_plays(view, mind)
    score_plays(weights, mind)
    return decide(view, weights, mind)


@inner_called
def take(view, weights, mind):
    """Whether to take the pinched group."""
    think(view, mind, weights, TAKING)
    list_takes(view, mind)
    score_takes(weights, mind)
    return decide(view, weights, mind)


@inner_called
def take_back(view, weights, mind):
    """Whether to take the own group back."""
    think(view, mind, weights, TAKING)
    list_take_backs(view, mind)
    score_take_backs(weights, mind)
    return decide(view, weights, mind)


@inner_called
def draw(view, weights, mind):
    """Where to draw, or whether to pass."""
    think(view, mind, weights, DRAWING)
    list_draws(view, mind)
    score_draws(weights, mind)
    return decide(view, weights, mind)


@inner_called
def shadow(view, weights, mind):
    """Which shadow group to pinch."""
    think(view, mind, weights, CHOOSING)
    list_shadow(view, mind)
    score_shadow(weights, mind)
    return decide(view, weights, mind)


def _scoring(first, n_features, width):
    """A function that adds each option's features, times their weights in this situation, to its score."""
    first = np.int64(first)
    combine, dot = combine_of(width, n_features), dot_of(width)

    @inner
    def score_options(weights, mind):
        combine(mind.weights, weights, first, mind.context, mind.contexts_at_work, mind.n_at_work)
        for option in range(mind.options):
            mind.scores[option] += dot(mind.features[option], mind.weights)

    return score_options


score_plays, score_takes, score_take_backs, score_draws, score_shadow = (
    _scoring(first, len(features), width)
    for first, features, width in zip(at.STARTS, at.FEATURES.values(), at.WIDTHS, strict=False)
)


@inner
def decide(view, weights, mind):
    """Answer with the best option, or one drawn at random by its score (softmax) if so set."""
    temperature = weights[at.TEMPERATURE]
    mind.chosen = draw_option(view, mind, temperature) if temperature > 0 else best_option(mind)
    return mind.answers[mind.chosen]


@inner
def best_option(mind):
    """The option with the highest score, the first of equal ones."""
    best = 0
    for option in range(1, mind.options):
        best = option if mind.scores[option] > mind.scores[best] else best
    return best


@inner_called
def draw_option(view, mind, temperature):
    """An option drawn from the softmax distribution: the best after Gumbel noise of this scale was added to the scores."""
    best, most = 0, -np.inf
    for option in range(mind.options):
        noisy = mind.scores[option] - temperature * np.log(-np.log(max(chance(view), 1e-300)))
        best, most = (option, noisy) if noisy > most else (best, most)
    return best
