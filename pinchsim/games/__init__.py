"""The games of the laboratory, one folder each."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinchsim.games.seam import Game


def load(name: str) -> "Game":
    """The game of this name."""
    from pinchsim.errors import UsageError

    if name != "pinch":
        raise UsageError(f"'{name}' is not a game. Known: pinch.")
    from pinchsim.games.pinch.game import PINCH

    return PINCH
