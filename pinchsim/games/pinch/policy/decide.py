"""The five decisions of the parametric policy: list the options, score them, take the best.

`mind` is a `MIND` record (scratch), `weights` float64[N_WEIGHTS] of `layout`.
"""

import numpy as np

from pinchsim._jit import dot_of, inner, inner_called
from pinchsim.games.pinch.policy import layout as at
from pinchsim.games.pinch.policy.mind import CHOOSING, DRAWING, PLAYING, TAKING, think
from pinchsim.games.pinch.policy.options import list_draws, list_plays, list_shadow, list_take_backs, list_takes
from pinchsim.rng import chance

_dot = dot_of(at.WIDTH)


@inner_called
def play(view, weights, mind):
    """Which group to play."""
    think(view, mind, weights, PLAYING)
    list_plays(view, mind)
    return decide(view, weights, mind, at.PLAY_AT, at.TAKE_AT)


@inner_called
def take(view, weights, mind):
    """Whether to take the pinched group."""
    think(view, mind, weights, TAKING)
    list_takes(view, mind)
    return decide(view, weights, mind, at.TAKE_AT, at.TAKE_BACK_AT)


@inner_called
def take_back(view, weights, mind):
    """Whether to take the own group back."""
    think(view, mind, weights, TAKING)
    list_take_backs(view, mind)
    return decide(view, weights, mind, at.TAKE_BACK_AT, at.DRAW_AT)


@inner_called
def draw(view, weights, mind):
    """Where to draw, or whether to pass."""
    think(view, mind, weights, DRAWING)
    list_draws(view, mind)
    return decide(view, weights, mind, at.DRAW_AT, at.SHADOW_AT)


@inner_called
def shadow(view, weights, mind):
    """Which shadow group to pinch."""
    think(view, mind, weights, CHOOSING)
    list_shadow(view, mind)
    return decide(view, weights, mind, at.SHADOW_AT, at.N_WEIGHTS)


@inner
def decide(view, weights, mind, first, last):
    """Score the options with the weights from `first` to `last`; answer with the best, or at random (softmax) if so set."""
    add_up_weights(weights, mind, first, last)
    score_options(mind)
    temperature = weights[at.TEMPERATURE]
    mind.chosen = draw_option(view, mind, temperature) if temperature > 0 else best_option(mind)
    return mind.answers[mind.chosen]


@inner
def add_up_weights(weights, mind, first, last):
    """The weight of each feature in this situation: the sum over contexts, always in the same order."""
    for k in range(at.WIDTH):
        mind.weights[k] = 0.0
    n_features = (last - first) // at.N_CONTEXTS
    for situation in range(at.N_CONTEXTS):
        start = first + situation * n_features
        much = mind.context[situation]
        if much != 0:
            for k in range(n_features):
                mind.weights[k] += weights[start + k] * much


@inner
def score_options(mind):
    """Add each option's features times their weights to its score."""
    for option in range(mind.options):
        mind.scores[option] += _dot(mind.features[option], mind.weights)


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
