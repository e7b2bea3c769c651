"""The league: copies of the learner from earlier stages, so that it does not chase one opponent in circles.

Playing only against oneself can go round: each version beats the one before and loses to the first. Keeping earlier versions
as opponents damps that (fictitious play; the leagues of Heinrich and Silver, 2016, and of AlphaStar, 2019).
"""

from dataclasses import dataclass

import numpy as np

RECENT = 6  # opponents come from this many of the latest members: older ones are too weak to teach anything


@dataclass(frozen=True)
class League:
    """Members in the order in which they joined, the start first, and after which iteration each did."""

    members: tuple[np.ndarray, ...]
    joined: tuple[int, ...]

    @classmethod
    def begun(cls, start: np.ndarray) -> "League":
        """A league of the start alone."""
        return cls((start.copy(),), (0,))

    def grown(self, member: np.ndarray, iteration: int) -> "League":
        """The league with a copy of the learner more."""
        return League((*self.members, member.copy()), (*self.joined, iteration))

    def opponents(self, rng: np.random.Generator, count: int) -> list[np.ndarray]:
        """Some of the latest members, drawn with replacement."""
        recent = self.members[-RECENT:]
        return [recent[k] for k in rng.integers(len(recent), size=count)]
