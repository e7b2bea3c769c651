"""The compiled side of the game: what `pinchsim.strategy.kernels` puts together with the strategies.

Modes of a kernel: "fast" plays; "record" also writes the log of one game at a time; "replay" reads every answer from a
script; "check" plays and stops when a strategy writes into the view or hears of hidden cards; "count" counts how often each
rule comes into play. A fast kernel holds only what the rule sets at hand need: "fast+duel" the two-player game,
"fast+readings" the contested readings, "fast+duel+readings" both. The other modes hold everything.
"""

from collections.abc import Collection, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pinchsim._jit import JIT, inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import defaults
from pinchsim.games.pinch.batch import play_games
from pinchsim.games.pinch.checking import checked
from pinchsim.games.pinch.columns import GAME_COLUMNS, PLAYER_COLUMNS
from pinchsim.games.pinch.coverage import counted
from pinchsim.games.pinch.hooks import Hooks, build, scripted
from pinchsim.games.pinch.policy import CODES
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.pinch.state import STATE, VIEW
from pinchsim.games.pinch.tracking import FIELDS as TRACKED
from pinchsim.games.pinch.worlds import SOURCES
from pinchsim.strategy.library import POLICY

__all__ = [
    "DECISIONS",
    "ENTRY",
    "FIELDS",
    "FOLDER",
    "REQUIRED",
    "defaults",
    "fast_mode",
    "first_call",
    "hooks",
    "play_games",
    "policy",
    "seen",
    "view_type",
]

DECISIONS = ("play", "take", "take_back", "draw", "shadow")
REQUIRED = ("play",)
LOGGING = ("record", "replay")
FOLDER = Path(__file__).resolve().parent
FIELDS = frozenset(VIEW.names) - {"slot", "words"}
ENTRY = ("rules", "line_up", "weights", "mirror", "seed", "indices", "order", "worlds", "state", "view", "games", "players")


def view_type() -> Any:
    """Numba's type of the view."""
    from numba import from_dtype

    return from_dtype(VIEW)


def fast_mode(rule_sets: Iterable[RuleSet]) -> str:
    """The fast mode that holds what these rule sets need and no more."""
    rule_sets = list(rule_sets)
    duel = "+duel" if any(rules.duel for rules in rule_sets) else ""
    readings = "+readings" if any(rules.has_readings for rules in rule_sets) else ""
    return f"fast{duel}{readings}"


def has_duel(mode: str) -> bool:
    """Whether the kernels of a mode hold the two-player game."""
    return "duel" in mode or not mode.startswith("fast")


def has_readings(mode: str) -> bool:
    """Whether the kernels of a mode hold the contested readings."""
    return "readings" in mode or not mode.startswith("fast")


def hooks(mode: str, decide: tuple[Any, ...], read: Collection[str] = FIELDS) -> Hooks:
    """The engine's hooks for a mode.

    `decide` are the compiled decisions in the order of `DECISIONS`, `read` the names that the strategies use: what is known
    of the cards is tracked if one of its fields is among them.
    """
    if mode == "replay":
        decide = (scripted,) * len(DECISIONS)
    if mode == "check":
        decide = tuple(checked(d) for d in decide)
    if mode == "count":
        decide = tuple(counted(d) for d in decide)
    readings = has_readings(mode)
    return build(
        decide,
        logging=mode in LOGGING,
        scripted_pile=mode == "replay",
        tracking=readings or bool(TRACKED & set(read)),
        duel=has_duel(mode),
        readings=readings,
        counting=mode == "count",
    )


def policy(code: str, mode: str, on_disk: bool) -> dict[str, Any]:
    """Compiled decisions of the policy with this code, by name; they take (state, view).

    What must be compiled before the kernel is compiled now, unless the kernel is `on_disk`.
    """
    module = import_module(CODES[code.removeprefix(POLICY)])
    decisions: dict[str, Any] = module.decisions(has_duel(mode), has_readings(mode), on_disk)
    return decisions


class _PlainView:
    """The view without compilation: narrow integers widened, so that arithmetic is the same as in compiled code."""

    def __init__(self, view: Any) -> None:
        object.__setattr__(self, "_view", view)

    def __getattr__(self, name: str) -> Any:
        value = self._view[name]
        if isinstance(value, np.ndarray):
            return value.astype(np.int64)
        return value if name == "rng" else np.int64(value)

    def __setattr__(self, name: str, value: Any) -> None:
        self._view[name] = value


@inner
def _same(view):
    return view


seen = _same if JIT else _PlainView


def empty_blocks(n_games: int, n_players: int) -> tuple[np.ndarray, np.ndarray]:
    """Blocks for the rows of so many games: int32[game columns, games], int32[player columns, games, players]."""
    games = np.zeros((len(GAME_COLUMNS), n_games), np.int32)
    players = np.zeros((len(PLAYER_COLUMNS), n_games, n_players), np.int32)
    return games, players


def new_memory() -> tuple[np.ndarray, np.ndarray]:
    """Memory for one state and one view; every thread needs its own."""
    return np.zeros(STATE.itemsize, np.uint8), np.zeros(VIEW.itemsize, np.uint8)


NO_ORDER = np.zeros(0, np.uint8)
NO_WEIGHTS = np.zeros((0, 0))
NO_WORLDS = np.zeros((0, 2 + len(SOURCES)), np.int64)


def first_call(kernel: Any) -> None:
    """Compile a kernel, or load it from disk, by playing no game at all."""
    games, players = empty_blocks(0, 3)
    line_up = np.zeros(3, np.int64)
    kernel(
        np.zeros(c.N_SWITCHES, np.int64),
        line_up,
        NO_WEIGHTS,
        1,
        np.uint64(0),
        np.zeros(0, np.int64),
        NO_ORDER,
        NO_WORLDS,
        *new_memory(),
        games,
        players,
    )


STATUS_WORDS = {
    c.ILLEGAL_PLAY: "play: the hand does not hold this group (R3.2)",
    c.ILLEGAL_TAKE: "take: a pinched group is taken (TAKE) or left (LEAVE) (R4.4)",
    c.ILLEGAL_TAKE_BACK: "take_back: an own pinched group is taken back (TAKE_BACK) or discarded (DISCARD) (R4.4)",
    c.ILLEGAL_DRAW: "draw: this source is empty or does not exist (R5.1), or it is no free draw and PASS is not allowed",
    c.ILLEGAL_SHADOW: "shadow: the group just played beats no shadow group of this value (R8.5)",
    c.ILLEGAL_RESHUFFLE: "the new pile is not made of the discarded cards (R5.2, switch 'discards')",
    c.LOG_FULL: "the game has too many decisions for a record",
    c.SCRIPT_ENDED: "the record has no further decision",
    c.VIEW_CHANGED: "a strategy must not write into the view",
    c.NOT_DEAF: "the answer changed when everything that this player cannot see was reshuffled (R9.3)",
}


def why_stopped(memory: tuple[np.ndarray, np.ndarray]) -> str:
    """What went wrong in the game that this memory holds, in words."""
    return STATUS_WORDS[int(memory[0].view(STATE)[0]["status"])]
