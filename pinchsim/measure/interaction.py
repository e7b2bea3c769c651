"""How much players do to each other, as ratios of sums (METHODS M3.6).

The summary of a run has the same counts by game; here they stand in relation to the occasions for them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import polars as pl

from pinchsim.measure.sample import Estimates, Sample


class Ratio(NamedTuple):
    """A ratio of two sums over all players and games; `parts` and `wholes` name columns of the rows with a factor each."""

    name: str
    parts: Mapping[str, float]
    wholes: Mapping[str, float]
    unit: str
    is_share: bool = False


_TURN, _PINCH = {"turns": 1}, {"pinches_made": 1}
_DRAWN = {"drawn_market": 1, "drawn_pile": 1}
_JOKERS = {"jokers_joined": 1, "jokers_lone": 1}
_OFFERED = {"free_draws": 1, "passes": 1}
_MOVED = {"cards_taken": 1, "cards_taken_back": 1, "cards_discarded": 1, "cards_from_shadow": 1}

RATIOS = (
    Ratio("pinches/turn", _PINCH, _TURN, "pinches"),
    Ratio("shadow_pinches/turn", {"shadow_pinches": 1}, _TURN, "pinches"),
    Ratio("multi_pinches/turn", {"multi_pinches": 1}, _TURN, "share", True),
    Ratio("takes/pinch", {"takes": 1}, _PINCH, "share", True),
    Ratio("take_backs/pinch", {"take_backs": 1}, _PINCH, "share", True),
    Ratio("discards/pinch", {"pinches_made": 1, "takes": -1, "take_backs": -1}, _PINCH, "share", True),
    Ratio("cards_moved/turn", _MOVED, _TURN, "cards"),
    Ratio("cards_drawn/turn", _DRAWN, _TURN, "cards"),
    Ratio("market/draw", {"drawn_market": 1}, _DRAWN, "share", True),
    Ratio("free_draws/offer", {"free_draws": 1}, _OFFERED, "share", True),
    Ratio("jokers_lone/joker", {"jokers_lone": 1}, _JOKERS, "share", True),
)


def interaction(sample: Sample, ratios: Iterable[Ratio] = RATIOS) -> pl.DataFrame:
    """How much players do to each other: pinches a turn, and what becomes of the pinched groups.

    Measure
    -------
    interaction (M3.6): pinches/turn, shadow_pinches/turn, multi_pinches/turn, takes/pinch, take_backs/pinch, discards/pinch,
    cards_moved/turn, cards_drawn/turn, market/draw, free_draws/offer, jokers_lone/joker, pinches, pinches_per_turn,
    multi_pinches, takes, take_backs, cards_taken, cards_taken_back, cards_discarded, drawn_market, drawn_pile, free_draws,
    passes, shadow_pinches, cards_from_shadow

    How much players do to each other, and what becomes of pinched groups.

    Definition
    ----------
    Names with a stroke are ratios over all players and games: pinched groups a turn; turns with two pinches or more; pinched
    groups that were taken, taken back, discarded (together 1); cards in all groups that were pinched, those of the shadow
    display too, and cards drawn, a turn; cards drawn that came from the market; free draws taken of those offered; jokers
    played alone of those played. Names without a stroke are means over games in the summary of a run, added up over the
    players: the column of that name in pinchsim columns.

    Formula
    -------
    ratio = sum over all games / sum over all games

    Units
    -----
    Pinches or cards a turn; shares of pinched groups, of turns, of cards drawn, of free draws offered, of jokers played.

    Traps
    -----
    A ratio of sums counts every turn alike, so long games weigh more. `pinches_per_turn` of the summary is the mean of each
    game's ratio instead, in which every game weighs alike. Without an occasion (no free draw in the rules) there is no row.

    Source
    ------
    Cochran, "Sampling Techniques" (3rd edition 1977), chapter 6: the ratio estimator, here with decks for units.

    Parameters
    ----------
    ratios
        What to set in relation to what.

    Raises
    ------
    ValueError
        The rows lack a column, as those of sessions do.
    """
    ratios, book = tuple(ratios), Estimates(sample)
    for part in sample.parts():
        for x in ratios:
            book.ratio(x.name, part.total(x.parts), part.total(x.wholes), x.unit, x.is_share)
    return book.frame()
