"""Whether who leads early also wins (METHODS M3.8)."""

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Part, Sample

MOMENTS = (25, 50, 75)  # percent of the turns, a column of leaders each


def runaway(sample: Sample) -> pl.DataFrame:
    """How often who leads after a quarter, half and three quarters of the game also wins.

    Measure
    -------
    runaway (M3.8): alone, alone_wins, shared_wins

    Whether who leads early also wins.

    Definition
    ----------
    After 25, 50 and 75 % of the turns, rounded up to whole turns, the leaders are all who have the highest score.
    alone:50 is the share of games in which one player leads alone; alone_wins:50 is the win share of that player;
    shared_wins:50 is that of one of several who share the lead. A fair share is 1 / players; 1 means that the rest of the
    game is for show.

    Formula
    -------
    alone_wins  = wins of the lone leaders / games with a lone leader
    shared_wins = wins of all who share a lead / number of them

    Units
    -----
    Shares. `games` and `decks` are those with such a lead.

    Traps
    -----
    Leading is told by the score, which may be worth little as long as cards are in hand. Early in the game the lead depends on
    who has had a turn. How long the game will last is known only afterwards: nobody at the table knows that it is half over.
    In a mixed line-up who leads is often the better player, so the number tells strength, too: compare mirrors.

    Source
    ------
    A conditional share as a ratio of sums, with a linearised, cluster-robust error.

    Raises
    ------
    ValueError
        The rows lack a column, as those of sessions do.
    """
    book = Estimates(sample)
    for part in sample.parts():
        _add(book, part)
    return book.frame()


def _add(book: Estimates, part: Part) -> None:
    """Add some of the games."""
    share = part.player("win_share").astype(np.float64)
    for percent in MOMENTS:
        leads = (part.game(f"leaders_{percent}")[:, None] >> np.arange(part.cell.players)) & 1
        leaders, wins = leads.sum(axis=1), (leads * share).sum(axis=1)
        alone = leaders == 1
        book.share(f"alone:{percent}", alone)
        book.ratio(f"alone_wins:{percent}", wins * alone, alone, "share", True)
        book.ratio(f"shared_wins:{percent}", wins * ~alone, leaders * ~alone, "share", True)
