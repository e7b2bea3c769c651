"""Games worth looking at, chosen by what the rows say, so that nobody can pick those that suit a tale."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from pinchsim.measure.growing import small
from pinchsim.measure.sample import Estimates, Part, Sample

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
    middles, n = [_middle(sample, value) for value in VALUES], sample.rotations
    found: dict[str, tuple[float, int]] = {}
    decks = []
    for part in sample.parts():
        index = part.game("deck").astype(np.int64) * n + part.game("rotation")
        distance, start_wins = _distance(part, middles), part.player("win_share")[:, 0].astype(np.float64)
        for kind, worth in ((TYPICAL, -distance), (COMEBACK, part.game("comeback")), (LONGEST, part.game("turns"))):
            k = int(worth.argmax())
            if kind not in found or worth[k] > found[kind][0]:
                found[kind] = float(worth[k]), int(index[k])
        decks.append((index[::n], sample.by_deck(start_wins), sample.by_deck(distance)))
    picks = {kind: index for kind, (_, index) in found.items()}
    picks[START] = _start(*map(np.concatenate, zip(*decks, strict=True)))
    book, nothing = Estimates(sample), np.nan
    for kind in KINDS:
        book.add(f"showcase:{kind}", -1, "index", (picks[kind], nothing, nothing), nothing, sample.size, sample.size // n)
    return book.frame()


def _start(index: np.ndarray, start_wins: np.ndarray, distance: np.ndarray) -> int:
    """The first game of a deck on which the start player wins most often, by decks."""
    best = np.flatnonzero(start_wins >= start_wins.max() - 1e-6)
    return int(index[best[distance[best].argmin()]])


def _margin(part: Part) -> np.ndarray:
    second, best = np.sort(part.player("score"), axis=1)[:, -2:].T
    margin: np.ndarray = best - second
    return margin


VALUES: tuple[Callable[[Part], np.ndarray], ...] = (
    lambda part: part.game("turns"),
    lambda part: part.game("lead_changes"),
    _margin,
    lambda part: part.game("comeback"),
)


def _middle(sample: Sample, value: Callable[[Part], np.ndarray]) -> tuple[float, float]:
    """Median and standard deviation of a value over all games."""
    x = np.concatenate([small(value(part)) for part in sample.parts()], dtype=np.float64)
    spread = x.std()
    return np.median(x, overwrite_input=True), spread


def _distance(part: Part, middles: Sequence[tuple[float, float]]) -> np.ndarray:
    """How far each game is from the middle, float64[games]."""
    total = np.zeros(part.game("turns").size)
    for value, (median, spread) in zip(VALUES, middles, strict=True):
        total += ((value(part) - median) / spread) ** 2 if spread > 0 else 0
    return total
