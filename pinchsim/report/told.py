"""A question of the first screen as it is told, and what is judged as one."""

from typing import NamedTuple

from pinchsim.measure.quantities import mixed
from pinchsim.measure.summary import CellName

NOT_MEASURED = "Not measured"


class Group(NamedTuple):
    """What is judged as one: a variant with a number of players, and the line-ups that have a say."""

    heading: str
    variant: str
    players: int
    line_ups: tuple[str, ...]

    @property
    def is_mixed(self) -> bool:
        """Whether players of different strategies sit at one table."""
        return any(mixed(CellName(self.variant, self.players, name).places) for name in self.line_ups)


class Told(NamedTuple):
    """A question, its answer in a word and a sentence, the numbers behind it, and the section with more.

    `command` would measure what is lacking; `worry` is the word that is no good news.
    """

    question: str
    word: str
    sentence: str
    numbers: str
    section: str
    command: str = ""
    worry: str = "No"

    @property
    def look(self) -> str:
        """How the word looks: neither yes nor no is open."""
        if self.word not in ("Yes", "No"):
            return "open"
        return "no" if self.word == self.worry else "yes"
