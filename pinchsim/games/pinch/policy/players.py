"""The decisions of a player who plays by the weights of its place of the line-up, as the kernels ask for them."""

from pinchsim._jit import inner
from pinchsim.games.pinch.codes import SLOT_BITS
from pinchsim.games.pinch.policy import decide


@inner
def play(state, view):
    """Which group to play."""
    return decide.play(view, state.weights[view.slot >> SLOT_BITS], state.mind)


@inner
def take(state, view):
    """Whether to take the pinched group."""
    return decide.take(view, state.weights[view.slot >> SLOT_BITS], state.mind)


@inner
def take_back(state, view):
    """Whether to take the own group back."""
    return decide.take_back(view, state.weights[view.slot >> SLOT_BITS], state.mind)


@inner
def draw(state, view):
    """Where to draw, or whether to pass."""
    return decide.draw(view, state.weights[view.slot >> SLOT_BITS], state.mind)


@inner
def shadow(state, view):
    """Which shadow group to pinch."""
    return decide.shadow(view, state.weights[view.slot >> SLOT_BITS], state.mind)


def decisions(duel=True, readings=True, on_disk=False):
    """The compiled decisions by name, in the order of `compiled.DECISIONS`; they know the whole game anyway."""
    return {"play": play, "take": take, "take_back": take_back, "draw": draw, "shadow": shadow}
