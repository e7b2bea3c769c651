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
    """The quantities of `values`, in its order; `line_up` names the strategy at each place.

    Measure
    -------
    win_share (M3.1): start_player_advantage, start_score_advantage, score, points, shared_wins

    Who wins and scores how much by position, and what starting is worth.

    Definition
    ----------
    The win share of a position is 1 in a game that it wins alone, 1/k in a game won by k players, and 0 otherwise;
    position 0 is the start player. start_player_advantage is the win share of position 0 less a fair share,
    start_score_advantage its score less the mean of the others. shared_wins is the share of games won by several. score
    includes the start bonus of the rules, points adds up the scores of all players. In mixed line-ups win_share:STRATEGY
    is that of one player of the strategy, wherever it sits.

    Formula
    -------
    win_share[p] = mean over games of (p wins) / (number of winners)
    start_player_advantage = win_share[0] - 1 / players
    start_score_advantage = score[0] - mean of score[1], score[2], ...

    Units
    -----
    Shares of games, told in percent, their differences in percentage points (pp); points.

    Traps
    -----
    The advantage depends on how well and in which manner people play: look at several strategies, or at the ladder. An
    advantage in points says little about wins. The largest of all positions' differences is biased upward by noise.

    Source
    ------
    Yardsticks: chess +2 to +5 pp, Dominion with two players +8.8 pp, Red7 with three +7 pp (best seat).
    """
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
    """What only sessions have: the single game beside them (their first one), their games, and how these ended.

    Measure
    -------
    session (M3.3): single_game_advantage, games, game_end

    The same for matches and other sessions of several games.

    Definition
    ----------
    A session is several games in a row with the start going round and the scores added up; the highest total wins and
    equal totals share. The measures of single games are told of whole sessions; position 0 starts the first game.
    single_game_advantage is that of the first games alone, games how many were played, game_end:REASON the share of a
    session's games that ended so.

    Formula
    -------
    single_game_advantage = win share of position 0 in the first game
                            - 1 / players

    Units
    -----
    Shares of sessions or of their games; games; percentage points.

    Traps
    -----
    In `first-to` sessions whoever starts first has often started once more when the session ends. Strategies play each
    game for itself: they don't know the totals.

    Source
    ------
    The rules, section R6.5.
    """
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
