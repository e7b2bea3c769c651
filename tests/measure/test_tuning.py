"""The measures of a tuning: shares clustered by deck, the choice among candidates, and what may be called stronger."""

import numpy as np
import polars as pl
import pytest

from pinchsim.measure.moments import quantile
from pinchsim.measure.tournament import Estimate
from pinchsim.measure.tuning import (
    HISTORY,
    MATCHES,
    START,
    STRONGER,
    UNSURE,
    WEAKER,
    Tuning,
    best_of,
    estimate,
    frame,
    match_row,
)


def confirmed(share, half, kind=START, worth=0.8):
    return match_row("chosen", kind, kind, 0, Estimate(share, share - half, share + half, half / 2, worth), 400, 100)


def tuning(*rows, players=4, **changes):
    history = [
        {
            "iteration": k + 1, "games": 400, "step": 0.05 / (k + 1), "lessons": 9000, "missed": 0, "explained": 0.12,
            "share": 0.3 + 0.1 * k, "low": 0.27 + 0.1 * k, "high": 0.33 + 0.1 * k, "league": 1 + k // 2,
        }
        for k in range(4)
    ]  # fmt: skip
    facts = {"name": "mine", "form": "large", "variant": "pinch", "start": "dozen", "players": players, "iterations": 4}
    tables = {"history": frame(history, HISTORY), "candidates": frame([], MATCHES), "confirmation": frame(rows, MATCHES)}
    return Tuning(**(facts | tables | {"chosen": "last"} | changes))


def test_estimate__clustered_by_deck():
    """Both games of a deck alike: half the games, twice the variance."""
    once = np.random.default_rng(1).integers(2, size=500).astype(float)
    twice = estimate(np.repeat(once, 2), 2)
    assert twice.estimate == pytest.approx(once.mean())
    assert twice.standard_error == pytest.approx(once.std(ddof=1) / np.sqrt(500))
    assert twice.high - twice.estimate == pytest.approx(quantile(500) * twice.standard_error)
    assert twice.variance_reduction == pytest.approx(499 / 999), "two games say as much as one"


def test_match_row__says_what_a_game_was_worth():
    row = confirmed(0.3, 0.02, worth=0.75)
    assert (row["share"], row["high"], row["decks"], row["variance_reduction"]) == (0.3, 0.3 + 0.02, 100, 0.75)


@pytest.mark.parametrize(
    ("share", "half", "verdict"),
    [(0.30, 0.04, STRONGER), (0.30, 0.05, UNSURE), (0.30, 0.06, UNSURE), (0.2, 0.06, UNSURE), (0.2, 0.04, WEAKER)],
)
def test_verdict__the_whole_interval(share, half, verdict):
    assert tuning(confirmed(0.9, 0.01, "stage"), confirmed(share, half)).verdict == verdict


def test_verdict__without_confirmation():
    assert tuning().verdict == UNSURE
    assert tuning().against_start is None
    assert tuning(players=5).fair == 0.2


def test_best_of__lowest_share_decides():
    shares = {("a", "b"): 0.3, ("a", "c"): 0.2, ("b", "a"): 0.26, ("b", "c"): 0.25, ("c", "a"): 0.9, ("c", "b"): 0.1}
    table = pl.DataFrame({"player": [a for a, _ in shares], "against": [b for _, b in shares], "share": shares.values()})
    assert best_of(table) == "b"
    assert best_of(table.with_columns(share=pl.lit(0.25))) == "a", "the first of equals"
