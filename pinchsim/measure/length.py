"""How long games are: turns, rounds, decisions, and minutes at a table (METHODS M3.4)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Part, Sample


class Decision(NamedTuple):
    """A kind of decision: the columns of the rows that count it, each times a factor, and the seconds that one takes."""

    kind: str
    counted: Mapping[str, float]
    seconds: float


# Seconds from the beginning of a decision to the end of the handling that follows it. They are a convention: nobody has
# measured them yet. Who plays the game at a table should put in what a clock says (`with_seconds`).
DECISIONS = (
    Decision("play", {"turns": 1}, 10.0),
    Decision("take or leave", {"pinches_made": 1}, 4.0),
    Decision("take back or discard", {"pinches_made": 1, "takes": -1}, 4.0),
    Decision("shadow group", {"shadow_pinches": 1}, 3.0),
    Decision("draw", {"drawn_market": 1, "drawn_pile": 1}, 3.0),
    Decision("pass", {"passes": 1}, 1.0),
)


def with_seconds(seconds: Mapping[str, float], decisions: Iterable[Decision] = DECISIONS) -> tuple[Decision, ...]:
    """The decisions with other seconds for some kinds.

    Raises
    ------
    ValueError
        There is no such kind.

    Examples
    --------
    >>> with_seconds({"pass": 0.5})[-1]
    Decision(kind='pass', counted={'passes': 1}, seconds=0.5)
    """
    decisions = tuple(decisions)
    known = [decision.kind for decision in decisions]
    for kind in seconds:
        if kind not in known:
            raise ValueError(f"'{kind}' is not a kind of decision; known: {', '.join(known)}")
    return tuple(decision._replace(seconds=seconds.get(decision.kind, decision.seconds)) for decision in decisions)


def length(
    sample: Sample,
    decisions: Iterable[Decision] = DECISIONS,
    bands: Mapping[str, tuple[float, float]] | None = None,
) -> pl.DataFrame:
    """How long a game is, in turns, rounds, decisions and minutes.

    Measure
    -------
    length (M3.4): turns, rounds, decisions, minutes, too_short, too_long, outside

    How long games are: turns, rounds, decisions, and minutes at a table.

    Definition
    ----------
    A turn is one play of one player, a round is as many turns as there are players. Decisions are counted by kind; minutes are
    what they take by a time model of so many seconds for each kind: 10 for a play, 4 to take or leave a pinched group, 4 to
    take back or discard it, 3 to choose a shadow group, 3 for each card drawn, 1 to decline a free draw. Of a wished band,
    limits included, it tells the share of games outside, and on which side.

    Formula
    -------
    rounds = turns / players
    minutes = sum over kinds (decisions of the kind x seconds) / 60
    outside:minutes = share of games shorter or longer than the band

    Units
    -----
    Turns, rounds, decisions, minutes; shares of games. Means over games, and the 5, 50 and 95 % quantiles (:q05, :q50, :q95).

    Traps
    -----
    The seconds are a convention until somebody has measured them, and there are none for shuffling, dealing and scoring.
    Decisions without a choice (a single legal play, drawing from an empty market) are counted as well: they take time, too.
    Strategies that play otherwise make games of another length; look at several.

    Source
    ------
    Quantiles with intervals after Woodruff (1952), see: pinchsim explain quantiles

    Parameters
    ----------
    decisions
        Kinds of decisions with their seconds; none for a game whose rows don't count any.
    bands
        Least and greatest wished length, by "turns", "rounds", "minutes".

    Raises
    ------
    ValueError
        The rows lack a column, or a band is of something else.
    """
    decisions, book = tuple(decisions), Estimates(sample)
    for part in sample.parts():
        _add(book, part, decisions, bands or {})
    return book.frame()


def _add(book: Estimates, part: Part, decisions: Iterable[Decision], bands: Mapping[str, tuple[float, float]]) -> None:
    """Add some of the games."""
    turns = part.game("turns").astype(np.float64)
    counts = [(decision, part.total(decision.counted)) for decision in decisions]
    lengths = {"turns": turns, "rounds": turns / part.cell.players}
    if counts:
        lengths["minutes"] = np.sum([x * decision.seconds / 60 for decision, x in counts], axis=0)
        book.mean("decisions", np.sum([x for _, x in counts], axis=0), "decisions")
    for decision, x in counts:
        book.mean(f"decisions:{decision.kind}", x, "decisions")
    for name, x in lengths.items():
        book.mean(name, x, name)
        book.quantiles(name, x, name)
    for name, band in bands.items():
        _outside(book, name, lengths, band)


def _outside(book: Estimates, name: str, lengths: Mapping[str, np.ndarray], band: tuple[float, float]) -> None:
    """Shares of games that are shorter and longer than a band, and both together."""
    if name not in lengths:
        raise ValueError(f"a band of '{name}' can't be judged; known: {', '.join(lengths)}")
    low, high = band
    too_short, too_long = lengths[name] < low, lengths[name] > high
    book.share(f"too_short:{name}", too_short)
    book.share(f"too_long:{name}", too_long)
    book.share(f"outside:{name}", too_short | too_long)
