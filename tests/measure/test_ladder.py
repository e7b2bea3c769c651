"""Ladders: known verdicts, levels that disagree, what is undecided and how many games would decide, error rates."""

import math
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest

from pinchsim.games.seam import Level
from pinchsim.measure.ladder import ALIKE, CHANGE, CHANGES, FAIRER, HOLDS, LESS_FAIR, SCHEMA, ladder_table
from pinchsim.measure.moments import Z95
from pinchsim.measure.summary import Summary
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN

THREE = (Level("random", credible=False), Level("good"), Level("best"))
GAMES = 40_000


class Effect(NamedTuple):
    """An advantage, the half-width of its interval, and its covariance with the base's in units of a variance."""

    estimate: float
    half: float = 0.002
    with_base: float = 0.0
    games: int = GAMES


def row(variant, players, level, effect):
    estimate, half, _, games = effect
    ends = {"low": estimate - half, "high": estimate + half, "standard_error": half / Z95}
    named = {"variant": variant, "players": players, "line_up": level, "measure": "start_player_advantage", "position": -1}
    return named | {"unit": "share", "estimate": estimate, **ends, "games": games, "decks": games // players}


def summary(cases, base=None, margin=0.01):
    """A summary from {(variant, players, level): Effect}; differences to the base as the design would give them."""
    rows, changes = [], []
    for (variant, players, level), effect in cases.items():
        rows.append(row(variant, players, level, effect))
        of_base = cases.get((base, players, level))
        if of_base and variant != base:
            variance = effect.half**2 + of_base.half**2 - 2 * effect.with_base * effect.half * of_base.half
            difference = Effect(effect.estimate - of_base.estimate, math.sqrt(variance), games=effect.games)
            changes.append(row(variant, players, level, difference) | {"base": base})
    # a measure and a position that must not be mistaken for the advantage
    rows += [x | {"measure": "win_share", "position": 0, "estimate": 0.9, "low": 0.9, "high": 0.9} for x in rows]
    frame = pl.DataFrame(rows or [row("", 1, "", FAIR)]).head(len(rows))
    differences = pl.DataFrame(changes) if changes else frame.clear().with_columns(base=pl.lit(""))
    return Summary(frame, differences, pl.DataFrame(), margin, base, True)


def one(*effects, levels=THREE, margin=0.01):
    """The table of one variant with one number of players."""
    cases = {("plain", 4, level.strategy): effect for level, effect in zip(levels, effects, strict=True) if effect}
    return ladder_table(summary(cases, margin=margin), levels)


def robust(table):
    (found,) = table["robust"].unique()
    return found


FAIR, ABOVE, BELOW, OPEN = Effect(0.001), Effect(0.02), Effect(-0.02), Effect(0.009)


def test_ladder_table__columns_and_order():
    cases = {
        (variant, players, level.strategy): FAIR for level in THREE for players in (5, 3) for variant in ("other", "plain")
    }
    table = ladder_table(summary(cases, "plain"), THREE)
    assert dict(table.schema) == SCHEMA
    order = [(3, "plain", "start_player_advantage"), (3, "other", "start_player_advantage"), (3, "other", CHANGE)]
    order += [(5, *rest) for _, *rest in order]
    assert table.select("players", "variant", "question").rows() == [line for line in order for _ in THREE]
    assert table["level"].to_list() == ["random", "good", "best"] * 6
    assert table["rank"].to_list() == [0, 1, 2] * 6
    assert table["credible"].to_list() == [False, True, True] * 6
    assert table.filter(question=CHANGE)["base"].unique().to_list() == ["plain"]


def test_ladder_table__row_of_a_level():
    levels = (Level("good"), Level("best", games=0.1))
    table = one(FAIR, Effect(-0.03, 0.004, games=400), levels=levels)
    best = table.row(1, named=True)
    assert (best["estimate"], best["low"], best["high"]) == pytest.approx((-0.03, -0.034, -0.026))
    assert (best["games"], best["decks"], best["games_share"]) == (400, 100, 0.1)
    assert (best["verdict"], best["side"], best["games_needed"]) == (OUTSIDE, "below", None)


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((FAIR, FAIR, FAIR), HOLDS),
        ((ABOVE, FAIR, FAIR), HOLDS),  # what is not credible has no say
        ((OPEN, FAIR, FAIR), HOLDS),
        ((None, FAIR, FAIR), HOLDS),
        ((FAIR, ABOVE, ABOVE), HOLDS),
        ((FAIR, FAIR, ABOVE), CHANGES),
        ((FAIR, ABOVE, BELOW), CHANGES),  # both outside the margin, but not the same
        ((FAIR, FAIR, OPEN), UNDECIDED),
        ((FAIR, OPEN, OPEN), UNDECIDED),
        ((FAIR, FAIR, None), UNDECIDED),  # not played yet
    ],
)
def test_ladder_table__whether_all_levels_say_the_same(effects, expected):
    assert robust(one(*effects)) == expected


def test_ladder_table__disagreement_is_found_beside_an_undecided_level():
    levels = (*THREE, Level("super"))
    assert robust(one(FAIR, FAIR, OPEN, ABOVE, levels=levels)) == CHANGES


def test_ladder_table__holding_needs_no_correction_but_changing_does():
    """Just within and just outside by their own intervals: two levels agree at once, but do not contradict each other."""
    inside, outside = Effect(0.0079), Effect(0.0121)
    assert one(inside, inside, outside)["verdict"].to_list() == [WITHIN, WITHIN, OUTSIDE]
    assert robust(one(inside, inside, inside)) == HOLDS
    assert robust(one(inside, outside, outside)) == HOLDS
    assert robust(one(inside, inside, outside)) == UNDECIDED
    assert robust(one(inside, Effect(0.0075), Effect(0.0125))) == CHANGES
    many = tuple(Level(f"level-{k}") for k in range(40))
    assert robust(one(Effect(0.0075), Effect(0.0125), *[Effect(0.0125)] * 38, levels=many)) == UNDECIDED, "the more, the wider"


def test_ladder_table__games_that_would_decide():
    table = one(FAIR, Effect(0.009, 0.004), Effect(0.01, 0.004))
    assert table["verdict"].to_list() == [WITHIN, UNDECIDED, UNDECIDED]
    needed = table["games_needed"].to_list()
    assert needed[0] is None
    assert needed[1] == pytest.approx(GAMES * 16, rel=0.1)
    assert needed[2] is None, "on the margin itself: never"


def test_ladder_table__no_interval_and_nothing_played():
    alone = Effect(0.02, math.nan, games=4)
    table = one(FAIR, alone, None)
    assert table["verdict"].to_list() == [WITHIN, UNDECIDED, UNDECIDED]
    assert table["estimate"].to_list() == [0.001, 0.02, None]
    assert table["games"].to_list() == [GAMES, 4, 0]
    assert table["games_needed"].to_list() == [None, None, None]
    assert robust(table) == UNDECIDED
    assert one(None, None, None).is_empty()


def changes(pairs, with_base=0.5, half=0.002, margin=0.01):
    """The rows on the change from (base, variant) advantages by level."""
    cases = {}
    for level, (base, variant) in zip(THREE, pairs, strict=True):
        cases["plain", 4, level.strategy] = Effect(base, half)
        cases["other", 4, level.strategy] = Effect(variant, half, with_base)
    return ladder_table(summary(cases, "plain", margin), THREE).filter(question=CHANGE)


@pytest.mark.parametrize(
    ("base", "variant", "expected"),
    [
        (0.03, 0.02, FAIRER),
        (0.02, 0.03, LESS_FAIR),
        (-0.03, -0.02, FAIRER),
        (-0.02, -0.03, LESS_FAIR),
        (0.03, -0.02, FAIRER),  # on the other side, but closer
        (0.02, -0.03, LESS_FAIR),
        (0.03, 0.0, FAIRER),
        (0.0, -0.03, LESS_FAIR),
        (0.03, -0.03, ALIKE),  # a large change that makes nothing fairer
        (0.03, 0.0301, ALIKE),
        (0.03, 0.03, ALIKE),
    ],
)
def test_ladder_table__fairer_is_closer_to_0(base, variant, expected):
    table = changes([(base, variant)] * 3)
    assert table["verdict"].unique().to_list() == [expected]
    assert robust(table) == HOLDS
    assert table["estimate"].to_list() == pytest.approx([variant - base] * 3)


def test_ladder_table__fairness_that_changes_with_strength():
    better, worse, same = (0.03, 0.02), (0.03, 0.04), (0.03, 0.0302)
    assert robust(changes([better, better, worse])) == CHANGES
    assert robust(changes([worse, better, better])) == HOLDS
    assert robust(changes([better, better, same])) == UNDECIDED, "as fair within the margin may be somewhat fairer, too"


def test_ladder_table__games_that_would_decide_on_fairness():
    """Either the sign shows, or it shows that the two differ by less than the margin: whatever comes first."""
    wide = changes([(0.05, 0.045)] * 3, half=0.02, with_base=0.0)
    half = 0.02 * math.sqrt(2)
    assert wide["verdict"].unique().to_list() == [UNDECIDED]
    assert wide["games_needed"].to_list() == pytest.approx([GAMES * (half / 0.005) ** 2] * 3, rel=0.1)
    same = changes([(0.05, 0.05)] * 3, half=0.02, with_base=0.0)
    assert same["games_needed"].to_list() == pytest.approx([GAMES * (half / 0.01) ** 2] * 3, rel=0.1)
    one_side = changes([(0.001, 0.001)] * 3, with_base=0.0, margin=1e-6)
    assert one_side["games_needed"].to_list() == [None] * 3, "the sum would show its sign, the difference never"
    hopeless = changes([(0.05, 0.05)] * 3, half=0.02, with_base=0.0, margin=1e-5)
    assert hopeless["games_needed"].to_list() == [None] * 3


def test_ladder_table__the_sum_takes_how_variant_and_base_vary_together():
    """Alike decks make the difference sure and the sum unsure: nobody can tell then which of the two is closer to 0."""
    sure, unsure = ([(0.003, 0.0005)] * 3, 0.0), ([(0.003, 0.0005)] * 3, 0.95)
    assert changes(*sure, half=0.0017)["verdict"].unique().to_list() == [FAIRER]
    assert changes(*unsure, half=0.0019, margin=0.0001)["verdict"].unique().to_list() == [UNDECIDED]
    row = changes(*unsure, half=0.0019).row(1, named=True)
    assert row["high"] < 0, "though the difference is beyond doubt"


def test_ladder_table__decks_that_differ_after_an_interruption():
    """The sum's error is then an upper bound."""
    cases = {("plain", 4, "good"): Effect(0.003), ("other", 4, "good"): Effect(0.0008, games=GAMES - 4000)}
    level = (Level("good"),)
    made = summary(cases, "plain")
    made.differences[0, "low"], made.differences[0, "high"] = -0.003, -0.001
    assert ladder_table(made, level).filter(question=CHANGE)["verdict"].to_list() == [ALIKE]
    cases["plain", 4, "good"] = Effect(0.0045)
    made = summary(cases, "plain")
    made.differences[0, "low"], made.differences[0, "high"] = -0.005, -0.003
    assert ladder_table(made, level).filter(question=CHANGE)["verdict"].to_list() == [FAIRER]


def test_ladder_table__variant_that_the_base_is_not_made_for():
    cases = {("plain", 4, level.strategy): FAIR for level in THREE} | {("duel", 2, level.strategy): FAIR for level in THREE}
    table = ladder_table(summary(cases, "plain"), THREE)
    assert table.filter(question=CHANGE).is_empty()
    assert table.select("players", "variant").unique(maintain_order=True).rows() == [(2, "duel"), (4, "plain")]


@pytest.mark.parametrize(("truth", "wrong"), [((0.01, 0.0), HOLDS), ((0.01, 0.0), CHANGES), ((0.01, 0.01), CHANGES)])
def test_ladder_table__error_rates(truth, wrong):
    """On the margin itself every decided verdict would be a mistake, and a claim about the levels must stay below 5 %.

    With one level on the margin and the other well inside it, that both are within is false in 2.5 %, and so is that they
    differ; with both on it, that they differ (one within, the other outside).
    """
    tries, half = 4000, 0.002
    noise = np.random.default_rng(7).normal(0, half / Z95, (tries, 2))
    levels = (Level("good"), Level("best"))
    effects = [[Effect(mean + error, half) for mean, error in zip(truth, errors, strict=True)] for errors in noise.tolist()]
    cases = {(f"v{k}", 4, level.strategy): e for k, pair in enumerate(effects) for level, e in zip(levels, pair, strict=True)}
    table = ladder_table(summary(cases), levels)
    share = (table.filter(rank=0)["robust"] == wrong).mean()
    assert share < 0.05
    if truth == (0.01, 0.0):  # exactly one way to be wrong: by its own interval, or by the wider one of both
        rate = 0.025 if wrong == HOLDS else 0.0125
        assert abs(share - rate) < 4 * math.sqrt(rate / tries)
