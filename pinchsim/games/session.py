"""Sessions: several games in a row, with rotating start and added scores, as a game of the seam (R6.5).

Everything above the seam plays, measures and compares sessions of a game as if they were games of another one.
"""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np

from pinchsim.errors import UsageError
from pinchsim.games.seam import Column, Game, Total

SINGLE = "game"
MATCH = "match"
MAX_GAMES = 64  # of a session; each session has so many decks of its own
SIXTIETHS = 60  # a win shared by up to six players is a whole number of them
ALL_GAMES_PLAYED, TARGET_REACHED, GAME_LIMIT = 1, 2, 3
MATCH_ENDS = {ALL_GAMES_PLAYED: "all_games_played"}
FIRST_TO_ENDS = {TARGET_REACHED: "target_reached", GAME_LIMIT: "game_limit"}

_FIRST_TO = re.compile(r"first-to:([0-9]{1,6}(?:\.[0-9]{1,3})?)")


def spelled_out(text: str) -> str:
    """The name of a session in its one spelling: `first-to:50.0` is `first-to:50`.

    Raises
    ------
    UsageError
        There is no such session; says which there are.
    """
    if text in (SINGLE, MATCH):
        return text
    found = _FIRST_TO.fullmatch(text)
    if found and Decimal(found[1]) > 0:
        return f"first-to:{Decimal(found[1]).normalize():f}"
    raise UsageError(
        f"'{text}' is not a session. Possible: '{SINGLE}' (single games), '{MATCH}' (as many games as players, each starting "
        "once), 'first-to:X' (until somebody has X points; X above 0 and below 1000000, such as first-to:50)."
    )


def of(game: Game, text: str) -> Game:
    """The sessions of a game: `text` is "game" (the game itself), "match" or "first-to:X"; raises `UsageError`."""
    text = spelled_out(text)
    if text == SINGLE:
        return game
    return cast(Game, Session(game, None if text == MATCH else Fraction(text.partition(":")[2])))


class Session:
    """Sessions of another game, itself a game of the seam (`pinchsim.games.seam.Game`): what is not said here, the game says.

    Session number i of a cell is rotation `i mod players` of cluster `i div players`. Game k of cluster s is dealt from
    deck `s * MAX_GAMES + k` and started by place `(rotation + k) mod players` of the line-up, so the start moves to the
    left, and over its rotations a cluster plays each of its decks with everybody starting: cards and seats cancel
    (METHODS M1.3). Positions are those of the first game: position 0 starts it, position 1 the next.

    Parameters
    ----------
    inner : Game
        The game; each deck must be played once with everybody starting, its win shares be kept in sixtieths.
    target : Fraction or None
        The session ends as soon as somebody has so many points after a game; None: after as many games as players.
    """

    totals: tuple[Total, ...] = ()

    def __init__(self, inner: Game, target: Fraction | None) -> None:
        self.inner, self.asked = inner, target
        inner_ends = next(column.labels for column in inner.game_columns if column.name == "end_reason") or {}
        point = next(column.scale for column in inner.player_columns if column.name == "score")
        self.target = None if target is None else math.ceil(target * round(1 / point))
        self.end_columns = {code: f"games_{label}" for code, label in inner_ends.items()}
        self.game_ends = {label: self.end_columns[code] for code, label in inner_ends.items()}
        self.game_columns = _game_columns(MATCH_ENDS if target is None else FIRST_TO_ENDS, self.game_ends)
        self.player_columns = _player_columns(point)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Sessions travel to other processes as what they are made of."""
        return Session, (self.inner, self.asked)

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
        """Play the sessions of these indices into the blocks, in waves: one game of each that goes on; see the seam.

        `IllegalAnswer` names the single game.
        """
        n_players = players.shape[2]
        cluster, rotation = np.divmod(indices, n_players)
        # Rotation j of a deck is started by place j of a mirror line-up and by place -j of a mixed one.
        sense = 1 if len(set(line_up)) == 1 else -1
        games[:], players[:] = 0, 0
        session, seats = _by_name(self.game_columns, games), _by_name(self.player_columns, players)
        session["deck"][:], session["rotation"][:] = cluster, rotation
        going = np.arange(indices.size)
        for k in range(MAX_GAMES):
            starter = (rotation[going] + k) % n_players
            inner = (cluster[going] * MAX_GAMES + k) * n_players + sense * starter % n_players
            blocks = self._new_blocks(inner.size, n_players)
            self.inner.play(kernel, rules, line_up, seed, inner, memory, *blocks)
            self._add_game(k, going, blocks, session, seats)
            going = going[session["end_reason"][going] == 0]
            if going.size == 0:
                break
        _share_wins(session, seats)

    def _new_blocks(self, n_games: int, n_players: int) -> tuple[np.ndarray, np.ndarray]:
        """Room for the rows of one wave of games."""
        games = np.empty((len(self.inner.game_columns), n_games), np.int32)
        return games, np.empty((len(self.inner.player_columns), n_games, n_players), np.int32)

    def _add_game(
        self,
        k: int,
        going: np.ndarray,
        blocks: tuple[np.ndarray, np.ndarray],
        session: dict[str, np.ndarray],
        seats: dict[str, np.ndarray],
    ) -> None:
        """Add game k of the sessions `going` to their rows, `session` and `seats`, modified in place."""
        game = _by_name(self.inner.game_columns, blocks[0])
        player = _by_name(self.inner.player_columns, blocks[1])
        if k == 0:
            seats["seat"][:], seats["strategy"][:] = player["seat"], player["strategy"]
            seats["first_win_share"][:] = player["win_share"]
        before = seats["score"][going]
        # Position p of game k is position p + k of the session: the start moves on by one player each game.
        after = before + np.roll(player["score"], k, axis=1)
        seats["score"][going] = after
        seats["games_won"][going] += np.roll(player["win_share"], k, axis=1)
        session["games"][going] = k + 1
        session["turns"][going] += game["turns"]
        for code, column in self.end_columns.items():
            session[column][going] += game["end_reason"] == code
        if k > 0:
            session["lead_changes"][going] += (_leaders(before) != _leaders(after)).any(axis=1)
        session["end_reason"][going] = self._ends(k + 1, after)

    def _ends(self, played: int, totals: np.ndarray) -> np.ndarray:
        """Code of the end of each session after so many games; 0: it goes on."""
        n_sessions, n_players = totals.shape
        if self.target is None:
            return np.full(n_sessions, ALL_GAMES_PLAYED if played == n_players else 0)
        open_end = GAME_LIMIT if played == MAX_GAMES else 0
        return np.where(totals.max(axis=1) >= self.target, TARGET_REACHED, open_end)

    def engine_digest(self) -> str:
        """Hash of the game's engine and of this file."""
        own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
        return hashlib.sha256(f"{self.inner.engine_digest()} {own}".encode()).hexdigest()[:16]


def _by_name(columns: Sequence[Column], block: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of a block, as views, by their names."""
    return {column.name: x for column, x in zip(columns, block, strict=True)}


def _leaders(totals: np.ndarray) -> np.ndarray:
    """Who has the highest total of each session, bool[sessions, players]."""
    return totals == totals.max(axis=1, keepdims=True)


def _share_wins(session: dict[str, np.ndarray], seats: dict[str, np.ndarray]) -> None:
    """Give the win to the highest total; ties share whatever the tie-break of the single game says (R6.5)."""
    won = _leaders(seats["score"])
    session["winners"][:] = won.sum(axis=1)
    seats["win_share"][:] = won * (SIXTIETHS // session["winners"])[:, None]


_KEYS = (
    Column(
        "deck",
        "int32",
        "index",
        f"cluster of the session: game k (from 0) is dealt from deck {MAX_GAMES} * deck + k; the rotations of a cluster play "
        "the same decks",
        "M1.4",
    ),
    Column(
        "rotation",
        "int8",
        "index",
        "place that starts the first game; game k is started by place (rotation + k) mod players; session index = deck * "
        "players + rotation",
        "M1.3",
    ),
    Column("games", "int16", "games", "games played", "M3.3"),
    Column("turns", "int32", "turns", "turns of all its games together", "M3.4"),
)

_RESULTS = (
    Column("winners", "int8", "players", "players who share the win, all with the highest total", "R6.5"),
    Column(
        "lead_changes",
        "int16",
        "games",
        "games after which the set of players with the highest total differs from the set after the game before; the first "
        "game is no change",
        "M3.7",
    ),
)


def _game_columns(labels: Mapping[int, str], game_ends: Mapping[str, str]) -> tuple[Column, ...]:
    """The columns of a session with these ends; `game_ends` names the column that counts each end of a single game."""
    codes = ", ".join(f"{code} {label}" for code, label in labels.items())
    meaning = f"how the session ended: {codes}" + (f" ({MAX_GAMES} games without an end)" if GAME_LIMIT in labels else "")
    counts = [
        Column(name, "int16", "games", f"games of the session that ended with {label}", "M3.5")
        for label, name in game_ends.items()
    ]
    return (*_KEYS, Column("end_reason", "int8", "code", meaning, "M3.3", labels=labels), *_RESULTS, *counts)


def _player_columns(point: float) -> tuple[Column, ...]:
    """The columns by position, which is that of the first game; a stored 1 of a score is worth `point`."""
    share = 1 / SIXTIETHS
    return (
        Column("seat", "int8", "seat", "seat of the player in the first game", "M1.3"),
        Column("strategy", "int8", "index", "place of the player in the line-up", "M1.3"),
        Column("score", "float64", "points", "scores of all games added up, bonuses included", "R6.5", point),
        Column("win_share", "float32", "wins", "1/k for the k players with the highest total, 0 for the others", "M3.3", share),
        Column("first_win_share", "float32", "wins", "win share in the first game alone", "M3.1", share),
        Column("games_won", "float32", "wins", "win shares of all games added up", "M3.3", share),
    )
