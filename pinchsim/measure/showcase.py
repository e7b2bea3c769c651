"""Games worth looking at, chosen by what the rows say, so that nobody can pick those that suit a tale."""

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Sample

TYPICAL, COMEBACK, LONGEST, START = "typical", "comeback", "longest", "start"
KINDS = (TYPICAL, COMEBACK, LONGEST, START)


def showcase(sample: Sample) -> pl.DataFrame:
    """The indices of four games: the most typical, the biggest comeback, the longest, and the start's advantage at work.

    Measure
    -------
    showcase (M3.7): showcase

    Which games are worth looking at.

    Definition
    ----------
    showcase:typical is the index of the game that is nearest to the middle in turns, changes of the lead, final margin and
    comeback; showcase:comeback that of the game whose winner was furthest behind, showcase:longest that of the most turns.
    showcase:start is a game of a deck on which the start player wins whoever starts: of all such decks the one whose games are
    the most typical, and of these the first. Without such a deck it is one on which the start player wins most often.

    Formula
    -------
    distance = sum over the four of ((value - median) / standard deviation)^2

    Units
    -----
    Indices of games, from 0: `pinchsim watch --game` shows one. The interval is empty, `games` are those to choose from.

    Traps
    -----
    Of equal games the first is taken. The longest game and the biggest comeback of a longer run are more extreme: they tell
    what can happen, not what is usual.

    Source
    ------
    pinchsim.

    Raises
    ------
    ValueError
        The rows lack a column, as those of sessions do.
    """
    distance, shares = _distance(sample), sample.player("win_share").astype(np.float64)
    n = sample.rotations
    start_wins, deck_distance = sample.by_deck(shares[:, 0]), sample.by_deck(distance)
    best = np.flatnonzero(start_wins >= start_wins.max() - 1e-6)
    rows = {
        TYPICAL: int(distance.argmin()),
        COMEBACK: int(sample.game("comeback").argmax()),
        LONGEST: int(sample.game("turns").argmax()),
        START: int(best[deck_distance[best].argmin()]) * n,
    }
    book, nothing = Estimates(sample), np.nan
    for kind in KINDS:
        index = int(sample.game("deck")[rows[kind]]) * n + int(sample.game("rotation")[rows[kind]])
        book.add(f"showcase:{kind}", -1, "index", (index, nothing, nothing), nothing, distance.size, distance.size // n)
    return book.frame()


def _distance(sample: Sample) -> np.ndarray:
    """How far each game is from the middle, float64[games]."""
    second, best = np.sort(sample.player("score"), axis=1)[:, -2:].T
    values = [sample.game("turns"), sample.game("lead_changes"), best - second, sample.game("comeback")]
    total = np.zeros(best.size)
    for value in values:
        spread = value.std()
        total += ((value - np.median(value)) / spread) ** 2 if spread > 0 else 0
    return total
