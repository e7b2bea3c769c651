"""Who led when: changes of the lead, when the winner took it for good, and the margin at the end (METHODS M3.7).

By scores; how a game goes by chances of winning is told by `win_probability`.
"""

import numpy as np
import polars as pl

from pinchsim.measure.sample import Estimates, Part, Sample


def drama(sample: Sample) -> pl.DataFrame:
    """How open a game is: lead changes, when the winner took the lead for good, and the margin at the end.

    Measure
    -------
    drama (M3.7): lead_changes, lead_changes/turn, no_lead_change, lead_for_good, last_turn_decides, margin, level_scores,
    comeback

    How open a game is: changes of the lead, and the margin at the end.

    Definition
    ----------
    The leaders are all who have the highest score after a turn. lead_changes counts the turns after which they are not those
    of the turn before; lead_changes/turn sets them in relation to the turns that could bring a change, all but the first.
    no_lead_change is the share of games without any. lead_for_good tells when all eventual winners had come to lead without a
    break until the end: 0 is the first turn, 1 the last one; last_turn_decides is the share of games in which it was the last.
    margin is the best score less the second best; level_scores is the share of games in which the two are equal. comeback is
    how many points the winner was behind the leader at worst, after any turn.

    Formula
    -------
    lead_for_good = (turn from whose end on they led - 1) / (turns - 1)
    margin = highest score - next player's score

    Units
    -----
    Turns; shares of games or of the game; points. Quantiles are marked :q05, :q50, :q95.

    Traps
    -----
    The first turn is no change: before it nobody leads. In the first round a lead says little more than who has had a turn,
    and the last player can't lead from turn 1 on. One leader becoming two is a change. A shared win and one by the tie-break
    both have the margin 0. Scores are told as they stand, while cards in hand may soon be played: leading is not yet being
    likely to win.

    Source
    ------
    After Browne, "Automatic generation and evaluation of recombination games" (2008). Unlike in Ludii's version of his
    measures, a first move counts as no lead change.

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
    turns, changes = part.game("turns").astype(np.float64), part.game("lead_changes").astype(np.float64)
    for_good, comeback = part.game("lead_for_good"), part.game("comeback").astype(np.float64)
    when = (for_good - 1) / np.maximum(turns - 1, 1)
    second, best = np.sort(part.player("score"), axis=1)[:, -2:].T
    margin = np.round(best - second, 6)
    book.mean("lead_changes", changes, "turns")
    book.ratio("lead_changes/turn", changes, turns - 1, "share", True)
    book.share("no_lead_change", changes == 0)
    book.mean("lead_for_good", when, "share", True)
    book.quantiles("lead_for_good", when, "share")
    book.share("last_turn_decides", for_good == turns)
    book.mean("margin", margin, "points")
    book.quantiles("margin", margin, "points")
    book.share("level_scores", margin == 0)
    book.mean("comeback", comeback, "points")
    book.quantiles("comeback", comeback, "points")
