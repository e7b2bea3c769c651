"""How games end, who ends them, and whether that pays (METHODS M3.5)."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Part, Sample


def ending(sample: Sample, labels: Mapping[int, str]) -> pl.DataFrame:
    """How games end, who ends them, and how often the one who does also wins.

    Measure
    -------
    ending (M3.5): end, ended_by, ender_wins

    How games end, who ends them, and whether that pays.

    Definition
    ----------
    end:REASON is the share of games that ended so. ended_by is the share of games that were ended by the player at a position,
    by the last card of a hand or by drawing the last card; at the turn limit nobody ends the game. ender_wins is the win share
    of the player who ended it, among the games that somebody ended: over all of them (position -1), by the position of that
    player, and by reason. A fair share would be 1 / players.

    Formula
    -------
    ender_wins = wins of the enders / games that somebody ended

    Units
    -----
    Shares of games. `games` and `decks` of ender_wins are those in which such a player ended the game.

    Traps
    -----
    Whoever ends the game chose the moment, so a high ender_wins doesn't say that ending makes one win: good players end games
    that they win. A reason that hardly occurs has a wide interval.

    Source
    ------
    Ratio of sums with a linearised, cluster-robust error.

    Parameters
    ----------
    labels
        Names of the codes of `end_reason`.

    Raises
    ------
    ValueError
        The rows lack a column, as those of sessions do.
    """
    book = Estimates(sample)
    for part in sample.parts():
        _add(book, part, labels)
    return book.frame()


def _add(book: Estimates, part: Part, labels: Mapping[int, str]) -> None:
    """Add some of the games."""
    reason, by, share = part.game("end_reason"), part.game("ended_by"), part.player("win_share")
    ended = by >= 0
    won = np.take_along_axis(share, np.maximum(by, 0)[:, None].astype(np.intp), axis=1)[:, 0].astype(np.float64)

    def wins(measure: str, where: np.ndarray, position: int = -1) -> None:
        book.ratio(measure, won * where, where, "share", True, position)

    for code, label in labels.items():
        book.share(f"end:{label}", reason == code)
    for position in range(part.cell.players):
        book.share("ended_by", by == position, position)
    wins("ender_wins", ended)
    for position in range(part.cell.players):
        wins("ender_wins", by == position, position)
    for code, label in labels.items():
        wins(f"ender_wins:{label}", ended & (reason == code))
