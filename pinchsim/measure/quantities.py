"""From the rows of a chunk to the quantities whose means are reported.

A quantity is a number per game; `Quantity.position` says which position it belongs to, -1 if to the whole game. Nothing
here knows the game: its columns, code labels and totals come with the rows' description.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np


class Rows(NamedTuple):
    """Rows of one chunk: `games[name]` is an array [games], `players[name]` an array [games, positions]."""

    games: Mapping[str, np.ndarray]
    players: Mapping[str, np.ndarray]

    def part(self, first: int, last: int) -> "Rows":
        """The rows of games `first` to `last - 1`, without copying."""
        return Rows(
            {name: x[first:last] for name, x in self.games.items()},
            {name: x[first:last] for name, x in self.players.items()},
        )


class Quantity(NamedTuple):
    """A measure's name, its unit, and whether its mean plus `offset` is a share between 0 and 1."""

    measure: str
    position: int
    unit: str
    is_share: bool
    offset: float = 0.0


class Described(NamedTuple):
    """What the measures must be told about a game's columns: code labels of the end reason, and totals to report.

    Rows of sessions (METHODS M3.3) also have the columns `games` and `first_win_share`; their `game_ends` gives, by the
    end of a single game, the column that counts the games that ended so. It is None for single games.
    """

    end_labels: Mapping[int, str]
    totals: Sequence[tuple[str, str, str, bool]]
    game_ends: Mapping[str, str] | None = None

    @property
    def unit(self) -> str:
        """What a row is one of."""
        return "games" if self.game_ends is None else "sessions"


def quantities(line_up: Sequence[str], described: Described) -> list[Quantity]:
    """The quantities of `values`, in its order; `line_up` names the strategy at each place."""
    players = len(line_up)
    found = [Quantity("win_share", p, "share", True) for p in range(players)]
    found += [Quantity("score", p, "points", False) for p in range(players)]
    found += [
        Quantity("start_player_advantage", -1, "share", True, 1 / players),
        Quantity("start_score_advantage", -1, "points", False),
        Quantity("turns", -1, "turns", False),
        Quantity("lead_changes", -1, "turns" if described.game_ends is None else "games", False),
        Quantity("shared_wins", -1, "share", True),
    ]
    found += [Quantity(f"end:{label}", -1, "share", True) for label in described.end_labels.values()]
    found += [Quantity(name, -1, unit, False) for name, _, unit, _ in described.totals]
    found += [Quantity(f"win_share:{name}", -1, "share", True) for name in mixed(line_up)]
    return found + ([] if described.game_ends is None else session_quantities(players, described.game_ends))


def session_quantities(players: int, game_ends: Mapping[str, str]) -> list[Quantity]:
    """What only sessions have: the single game beside them (their first one), their games, and how these ended."""
    found = [Quantity("single_game_advantage", -1, "share", True, 1 / players), Quantity("games", -1, "games", False)]
    return found + [Quantity(f"game_end:{label}", -1, "share", True) for label in game_ends]


def mixed(line_up: Sequence[str]) -> list[str]:
    """The strategies of a mixed line-up, each once; none if everyone plays the same."""
    names = list(dict.fromkeys(line_up))
    return names if len(names) > 1 else []


def values(rows: Rows, line_up: Sequence[str], described: Described) -> np.ndarray:
    """Value of each quantity in each game, float64[quantities, games].

    The win share of a strategy is that of one of its players, on the average over its places.
    """
    share, score = rows.players["win_share"], rows.players["score"]
    n_games, players = share.shape
    names = quantities(line_up, described)
    out = np.empty((len(names), n_games))
    out[:players] = share.T
    out[players : 2 * players] = score.T
    at = 2 * players
    out[at] = out[0] - 1 / players
    out[at + 1] = out[players] - out[players + 1 : at].mean(axis=0)
    out[at + 2] = rows.games["turns"]
    out[at + 3] = rows.games["lead_changes"]
    out[at + 4] = rows.games["winners"] > 1
    at += 5
    ones = np.ones(players, np.float32)
    for code in described.end_labels:
        out[at] = rows.games["end_reason"] == code
        at += 1
    for _, column, _, per_turn in described.totals:
        out[at] = rows.players[column].astype(np.float32) @ ones  # exact: counts are far below 2**24
        if per_turn:
            out[at] /= rows.games["turns"]
        at += 1
    for name in mixed(line_up):
        places = [place for place, strategy in enumerate(line_up) if strategy == name]
        out[at] = (share * np.isin(rows.players["strategy"], places)).sum(axis=1) / len(places)
        at += 1
    if described.game_ends is not None:
        out[at:] = session_values(rows, described.game_ends)
    return out


def session_values(rows: Rows, game_ends: Mapping[str, str]) -> np.ndarray:
    """Values of `session_quantities`, in its order."""
    first, games = rows.players["first_win_share"], rows.games["games"].astype(np.float64)
    advantage = first[:, 0].astype(np.float64) - 1 / first.shape[1]
    return np.stack([advantage, games, *(rows.games[column] / games for column in game_ends.values())])
