"""The seam: what every game gives to the floors above it.

The lab, the measures and the reports know a game only through these types. A game is one object with the attributes and
methods of `Game`; `pinchsim.games.load` finds it by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from pinchsim.errors import RunError


class Column(NamedTuple):
    """One column of the rows.

    `dtype` is a numpy type name; the kernel's integer times `scale` is the value. `labels` names the codes of a column
    that holds codes.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    serves: str
    scale: float = 1
    labels: Mapping[int, str] | None = None


class Total(NamedTuple):
    """A measure that only this game has: a per-player column added up over the players of a game."""

    name: str
    column: str
    unit: str
    per_turn: bool = False


class Variant(Protocol):
    """A named rule set; `source` is how it is asked for: its name, or the path of its file."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def base(self) -> str: ...
    @property
    def rules(self) -> Any: ...
    @property
    def source(self) -> str: ...


class IllegalAnswer(RunError):
    """A strategy answered something that the rules do not allow; the run stops, the game is named."""

    def __init__(self, game: int, why: str) -> None:
        super().__init__(f"game {game}: {why}")
        self.game = game
        self.why = why


class Game(Protocol):
    """A game as the upper floors see it.

    Players are numbered by position, 0 for the start player. Game number g of a cell is rotation `g mod rotations` of
    deck `g div rotations`; games of one deck are one cluster (METHODS M1.4).
    """

    @property
    def name(self) -> str: ...
    @property
    def base_variant(self) -> str: ...
    @property
    def default_strategy(self) -> str: ...
    @property
    def player_counts(self) -> Sequence[int]: ...
    @property
    def game_columns(self) -> Sequence[Column]: ...
    @property
    def player_columns(self) -> Sequence[Column]: ...
    @property
    def totals(self) -> Sequence[Total]: ...

    def variant_names(self) -> list[str]:
        """Names of the built-in variants, the base game first."""

    def load_variant(self, name: str) -> Variant:
        """A variant by name or by the path of its file; raises `UsageError`."""

    def check_deal(self, rules: Any, players: int, where: str) -> None:
        """Raise `UsageError` if the rule set cannot be played by so many players."""

    def rotations(self, players: int) -> int:
        """Games that are played with each deck."""

    def load_kernel(self, strategies: Sequence[Any]) -> Any:
        """The compiled kernel for these strategies; may compile, which takes seconds."""

    def is_compiled(self, strategies: Sequence[Any]) -> bool:
        """Whether `load_kernel` will be quick."""

    def new_memory(self) -> Any:
        """Working memory of one thread."""

    def play(
        self,
        kernel: Any,
        rules: Any,
        line_up: Sequence[int],
        seed: int,
        first_game: int,
        memory: Any,
        games: np.ndarray,
        players: np.ndarray,
    ) -> None:
        """Play a batch into preallocated blocks without holding the GIL; the same rows whatever the batch size.

        `line_up` holds an index into the kernel's strategies for each place; `games` is int32[columns, n] and `players`
        int32[columns, n, players], modified in place. Raises `IllegalAnswer`.
        """

    def engine_digest(self) -> str:
        """Hash of everything but strategies and rules that a result depends on."""
