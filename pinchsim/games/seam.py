"""The seam: what every game gives to the floors above it.

The lab, the measures and the reports know a game only through these types. A game is one object with the attributes and
methods of `Game`; `pinchsim.games.load` finds it by name.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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


class Habit(NamedTuple):
    """Something that a player does, as a ratio of sums over its games (METHODS M3.6, M5.5).

    `parts` and `wholes` name columns of the players' rows with a factor each; TURNS is the number of turns that the player
    had and GAMES is 1 a game. `is_share` says that it lies between 0 and 1. `unit` tells what it is in words ("of the groups
    that it pinches"), `more` and `less` what one does who has more or less of it than somebody else.
    """

    name: str
    parts: Mapping[str, float]
    wholes: Mapping[str, float]
    is_share: bool
    unit: str
    more: str
    less: str


TURNS, GAMES = "(turns)", "(games)"


class Flip(NamedTuple):
    """A contested sentence of the rules, read otherwise than it is ruled (METHODS M6.2).

    `switch` = `value` (as a variant's name spells it) makes the change; `ruling` and `reading` say in words what holds now and
    what would hold then.
    """

    switch: str
    value: str
    rule: str
    question: str
    ruling: str
    reading: str


class Level(NamedTuple):
    """One level of a strength ladder (METHODS M5.1): everyone at the table plays `strategy`.

    Only levels at which people could play are `credible`, and only these decide whether a verdict holds at every level (M2.6).
    `games` is the share of an experiment's games that is played, above 0 and up to 1: slow levels get fewer.
    """

    strategy: str
    credible: bool = True
    games: float = 1.0


class Dials(NamedTuple):
    """What makes a player of this game stronger or weaker by degrees (METHODS M5.1).

    Attributes
    ----------
    model : str
        The strategy that is made weaker: it takes a `temperature` (0: always the best option, as it sees it) and a `memory`
        (share of what was seen that it remembers, 1: all).
    temperatures : tuple of float
        Temperatures worth a look, each half of the one before, from a beginner's to one that hardly matters.
    memories : tuple of float
        Memories worth a look, descending, below 1.
    searcher : str
        A strategy that looks ahead with so much effort as the number behind its name says, and with none at 0; empty: there
        is none. It is slow.
    efforts : tuple of int
        Efforts worth a look, ascending, each twice the one before.
    effort_unit : str
        What the effort is counted in.
    """

    model: str
    temperatures: tuple[float, ...]
    memories: tuple[float, ...]
    searcher: str = ""
    efforts: tuple[int, ...] = ()
    effort_unit: str = ""

    def weakened(self, setting: str, value: float) -> str:
        """The model with its `temperature` or `memory` set, as a strategy is named."""
        return f"{self.model}:{setting}={value:g}"

    def searching(self, effort: int) -> str:
        """The searcher with an effort, as a strategy is named."""
        return f"{self.searcher}:{effort}"


class Source(NamedTuple):
    """A source of chance in a game that can be held while others change (METHODS M4.1).

    `words` name it for readers; `is_choice` says that it is how players choose at random, not what the deck is like.
    """

    name: str
    words: str
    is_choice: bool = False


class Courses(NamedTuple):
    """Finished games turn by turn, one below the other.

    Attributes
    ----------
    games : int64[turns]
        Which game each turn belongs to, ascending from 0.
    scores : float64[turns, players]
        Everybody's score after each turn.
    signs : float64[turns, players, signs]
        What a bystander sees of everybody's prospects then, to tell chances from.
    win_shares : float64[games, players]
        How they ended.
    """

    games: np.ndarray
    scores: np.ndarray
    signs: np.ndarray
    win_shares: np.ndarray


class Dealt(NamedTuple):
    """What each seat got before the first turn: int8[decks, seats] by name (METHODS M3.9).

    `cards` add up to the same number for every seat; `groups` are what can be seen in them beside that.
    """

    cards: Mapping[str, np.ndarray]
    groups: Mapping[str, np.ndarray]


class Covariates(NamedTuple):
    """What decks are like, less what is expected under the shuffle, so that each has the mean 0 exactly (METHODS M1.6).

    `names` gives the meaning of each; `values` is float64[len(names), decks].
    """

    names: Mapping[str, str]
    values: np.ndarray


class Coverage(NamedTuple):
    """How often each numbered rule came into play in so many games, by rule number in the order of the rules (METHODS M6.1)."""

    games: int
    times: dict[str, int]


class Block(NamedTuple):
    """The weights of one kind of decision: a table float64[contexts, features] that begins at `first` of all weights.

    An option is worth the sum of weight[c, f] * context[c] * feature[f]; players choose by the softmax of that.
    """

    name: str
    first: int
    contexts: int
    features: int


class Lessons(NamedTuple):
    """Decisions to learn from, n of them, in the order of the games.

    Attributes
    ----------
    gains : float32[n, most features]
        Features of the chosen option less their mean under the softmax; what a block does not have is 0.
    contexts : float32[n, contexts]
        The situation.
    kinds, players : int64[n]
        Which of the blocks it was, and the position of the player who decided.
    outcomes : float32[n]
        Share of the win that this player got.
    missed : int
        Decisions that found no room.
    """

    gains: np.ndarray
    contexts: np.ndarray
    kinds: np.ndarray
    players: np.ndarray
    outcomes: np.ndarray
    missed: int


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


class Tunable(Protocol):
    """How a game is played by weights, for one variant and number of players: what it takes to tune them.

    Weights are float64[W], opaque but for `blocks`. A dozen named numbers (`names`) stand for some of them (`expand`).
    """

    @property
    def players(self) -> int: ...
    @property
    def blocks(self) -> Sequence[Block]: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def features(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """What the features of each block are: name and meaning."""

    @property
    def rivals(self) -> Sequence[Any]:
        """The strategies that can have a place beside weights."""

    def weights(self, strategy: Any) -> np.ndarray:
        """The weights of a strategy, as they are played by softmax; raises `UsageError`."""

    def numbers(self, strategy: Any) -> np.ndarray:
        """The named numbers of a strategy; raises `UsageError` if it is written otherwise."""

    def expand(self, numbers: np.ndarray) -> np.ndarray:
        """The weights that named numbers stand for."""

    def rounded(self, vector: np.ndarray) -> np.ndarray:
        """Weights or numbers exactly as a strategy file will hold them."""

    def has_weights(self, strategy: Any) -> bool:
        """Whether `weights` of this strategy can be had."""

    def searching(self, strategy: Any, playouts: int) -> str:
        """Text of a strategy file that searches with the weights of another one, which lies in the same folder."""

    def is_compiled(self) -> bool:
        """Whether `load` will be quick."""

    def load(self) -> None:
        """Load the kernels, or compile them, which takes seconds; before the first game, in one thread."""

    def new_memory(self) -> Any:
        """Working memory of one thread."""

    def lessons(self, places: Sequence[Any], learns: Sequence[bool], seed: int, indices: np.ndarray, memory: Any) -> Lessons:
        """Play games by softmax and note the decisions of the places that learn.

        A place has weights (float64[W]), or one of the rivals, who plays as it does everywhere, but never by search.
        Where all learn it is a mirror line-up. Games are numbered and rotated as `Game.play` does it.
        """

    def shares(self, places: Sequence[Any], seed: int, indices: np.ndarray, memory: Any) -> np.ndarray:
        """Play games in which everybody takes the best option: float64[games, players], shares of the win by place.

        Weights or a rival as for `lessons`.
        """


class Game(Protocol):
    """A game as the upper floors see it.

    Players are numbered by position, 0 for the start player. Game number g of a cell is rotation `g mod rotations` of
    deck `g div rotations`; games of one deck are one cluster (METHODS M1.4). Rotation j is started by place j of a mirror
    line-up and by place -j of a mixed one (modulo the players), and the places sit around the table in their order.
    """

    @property
    def name(self) -> str: ...
    @property
    def default_strategy(self) -> str: ...
    @property
    def game_columns(self) -> Sequence[Column]: ...
    @property
    def player_columns(self) -> Sequence[Column]: ...
    @property
    def totals(self) -> Sequence[Total]: ...
    @property
    def ladder(self) -> Sequence[Level]: ...
    @property
    def sparring(self) -> Sequence[str]:
        """Strategies that those who learn meet beside themselves, and are compared with."""

    @property
    def dials(self) -> Dials: ...
    @property
    def rule_texts(self) -> Mapping[str, str]: ...

    def variant_names(self) -> list[str]:
        """Names of the built-in variants, the base game first."""

    def load_variant(self, name: str) -> Variant:
        """A variant by name or by the path of its file; raises `UsageError`."""

    def player_counts(self, rules: Any) -> Sequence[int]:
        """How many players may play a rule set."""

    def flips(self, rules: Any) -> Sequence[Flip]:
        """The contested readings of a rule set: each other way to read each sentence."""

    def default_base(self, rule_sets: Sequence[Any]) -> str:
        """The built-in variant that these rule sets are compared with unless somebody says otherwise."""

    def default_margin(self, rule_sets: Sequence[Any]) -> float:
        """Start-player advantage (share of wins) that counts as fair unless somebody says otherwise (METHODS M3.1)."""

    def check_deal(self, rules: Any, players: int, where: str) -> None:
        """Raise `UsageError` if the rule set cannot be played by so many players."""

    def rotations(self, players: int) -> int:
        """Games that are played with each deck."""

    def load_kernel(self, strategies: Sequence[Any], rule_sets: Iterable[Any], counting: bool = False) -> Any:
        """The compiled kernel for these strategies, able to play these rule sets; may compile, which takes seconds.

        A `counting` kernel is for `coverage`.
        """

    def is_compiled(self, strategies: Sequence[Any], rule_sets: Iterable[Any], counting: bool = False) -> bool:
        """Whether `load_kernel` will be quick."""

    def new_memory(self) -> Any:
        """Working memory of one thread."""

    def play(
        self,
        kernel: Any,
        rules: Any,
        line_up: Sequence[int],
        seed: int,
        indices: np.ndarray,
        memory: Any,
        games: np.ndarray,
        players: np.ndarray,
    ) -> None:
        """Play the games of these indices (int64[n]) into preallocated blocks without holding the GIL.

        A game is the same whatever games are played with it. `line_up` holds an index into the kernel's strategies for each
        place; `games` is int32[columns, n] and `players` int32[columns, n, players], modified in place. Raises
        `IllegalAnswer`.
        """

    @property
    def luck_sources(self) -> Sequence[Source]:
        """Where chance comes into a game, beside who starts and who plays: in the order in which it does."""

    def replay(
        self,
        kernel: Any,
        rules: Any,
        line_up: Sequence[int],
        seed: int,
        worlds: np.ndarray,
        memory: Any,
        games: np.ndarray,
        players: np.ndarray,
    ) -> None:
        """Play games into the blocks whose sources of chance are chosen one by one; otherwise as `play`.

        `worlds` is int64[n, 2 + len(luck_sources)]: the seat that starts, by how many seats the line-up is shifted, and for
        each source the number of the world that it is taken from. Equal numbers are equal chances. "Own" is seat 0.
        """

    def courses(self, kernel: Any, rules: Any, line_up: Sequence[int], seed: int, indices: np.ndarray, memory: Any) -> Courses:
        """The games of these indices turn by turn; raises `IllegalAnswer`."""

    def dealt(self, rules: Any, players: int, seed: int, decks: np.ndarray) -> Dealt:
        """What each seat got before the first turn of the games of these decks, int64[n]."""

    def covariates(self, rules: Any, players: int, seed: int, decks: np.ndarray) -> Covariates:
        """Covariates of these decks, int64[n], to correct estimates by: the same ones whatever the rule set.

        They depend on the deck alone, as it lies before the first turn. Several threads may ask at once when one has before.
        """

    def transcript(self, variant: Any, line_up: Sequence[Any], seed: int, index: int) -> str:
        """A game as a text that people can follow; may compile, which takes seconds."""

    def coverage(
        self,
        kernel: Any,
        strategies: Sequence[Any],
        rules: Any,
        line_up: Sequence[int],
        seed: int,
        games: int,
        played: Callable[[int], None],
    ) -> Coverage:
        """Play games 0, 1, ... in whole decks with a counting kernel of these strategies, and count what `rule_texts` says.

        `played` is told every now and then how many more games are done. Raises `IllegalAnswer`.
        """

    def rule_applies(self, rule: str, rules: Any, players: int, strategies: Collection[str]) -> bool:
        """Whether a rule can come into play at all with this rule set, number of players and strategies at the table."""

    def searches(self, strategy: Any) -> bool:
        """Whether a strategy plays out what may happen, which makes it hundreds of times slower than others."""

    def tunable(self, variant: Any, players: int, rivals: Sequence[Any] = ()) -> Tunable:
        """What it takes to tune weights for a variant, beside rivals of any kind; raises `UsageError` if it cannot be done."""

    def habits(self, rules: Any) -> Sequence[Habit]:
        """What players do more or less of under a rule set, by which they can be told apart."""

    def tuned_text(
        self, old: Any, idea: str, named: bool, tables: Mapping[tuple[str, int], np.ndarray], provenance: Mapping[Any, Any]
    ) -> str:
        """Text of a strategy file with these weights, or named numbers, by variant and number of players.

        `old` is the strategy that the file holds now, or None; what it has beside them stays. `provenance` says where each
        comes from. Raises `UsageError` if the file is of another form.
        """

    def engine_digest(self) -> str:
        """Hash of everything but strategies and rules that a result depends on."""
