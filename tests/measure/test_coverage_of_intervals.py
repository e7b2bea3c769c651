"""Every interval there is holds the truth as often as it says, in simulated runs whose truth is known.

The decks are those of the toy game (tests/lab/toy.py): a deck's strength is 0 or 1, and position 0 wins each of its two games
with probability 1/2 - tilt or 1/2 + tilt; in the toy game tilt is 0.1. With a tilt of 0.4 games of a deck resemble each other so
much that intervals which ignore decks are far too short. Each check returns how many of its runs went wrong and how often they
may; the fast tests play a few thousand runs, the slow ones more, and the games of the toy game itself.
"""

import math
from functools import cache, partial

import numpy as np
import pytest

from pinchsim.measure.families import Comparison, judged_together, of_interval
from pinchsim.measure.ladder import Span, joint_factor
from pinchsim.measure.moments import Moments, deck_average, interval, ratio, variance_reduction
from pinchsim.measure.quantiles import Distribution, quantile_interval
from pinchsim.measure.sequential import (
    DIFFERENCE,
    NUMBER,
    SHARE,
    Evidence,
    Plan,
    confidence_sequence,
    decks_for,
    half_width,
    p_value,
)
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from tests.lab.toy import TIGHT, TOY
from tests.measure.made import row_of

TOY_TILT, STRONG = 0.1, 0.4
SIGMAS = 4  # a test that is right fails with 1 of 30,000 seeds
FEW, MANY = 1000, 10_000  # runs of the fast and of the slow tests
BATCH = 1000


def rate(check, runs, seed=1):
    """The share of so many runs that went wrong."""
    batches = [min(BATCH, runs - first) for first in range(0, runs, BATCH)]
    return sum(check(np.random.default_rng([seed, k]), batch) for k, batch in enumerate(batches)) / runs


def noise(runs):
    """How far the share of wrong runs may be from 5 % by chance."""
    return SIGMAS * math.sqrt(0.05 * 0.95 / runs)


def won_games(rng, runs, decks, tilt=TOY_TILT, share=0.5):
    """Games won by position 0, float64[runs, 2 * decks]: two games a deck."""
    strength = rng.integers(2, size=(runs, decks)).repeat(2, axis=1)
    return (rng.random((runs, 2 * decks)) < share + tilt * (2 * strength - 1)).astype(float)


def moments_of(games):
    """Moments of all runs at once: each is a quantity."""
    return Moments.of(games, deck_average(games, 2))


# Intervals of a fixed number of games


def wrong_shares(games, is_share, truth=0.5):
    """Runs whose 95 % interval of the mean does not hold the truth."""
    found = moments_of(games)
    spans = [
        interval(mean, error, found.decks, found.games, is_share)
        for mean, error in zip(found.mean.tolist(), found.standard_errors().tolist(), strict=True)
    ]
    return sum(not low <= truth <= high for low, high in spans)


def wrong_differences(rng, runs, decks):
    """Runs whose interval of a paired difference misses: the second variant favours position 0 by 0.03, on the same decks."""
    strength = rng.integers(2, size=(runs, decks)).repeat(2, axis=1)
    luck = rng.random((2, runs, 2 * decks))
    first, second = (luck[k] < 0.5 + bias + STRONG * (2 * strength - 1) for k, bias in ((0, 0.0), (1, 0.03)))
    return wrong_shares(second.astype(float) - first, False, truth=0.03)


def wrong_ratios(rng, runs, decks):
    """Runs whose interval of points a turn misses: strong decks have both more points and longer games."""
    strength = rng.integers(2, size=(runs, decks))
    turns = 1 + rng.poisson(2 + 4 * strength)
    points = turns * rng.poisson(1 + strength, size=turns.shape)
    truth = (3 * 1 + 7 * 2) / (3 + 7)
    wrong = 0
    for part, whole in zip(points.astype(float), turns.astype(float), strict=True):
        found, pulls = ratio(part, whole)
        low, high = interval(found, Moments.of(pulls[None], pulls[None]).standard_errors()[0], decks, decks, False)
        wrong += not low <= truth <= high
    return wrong


def wrong_quantiles(rng, runs, decks, p, truth):
    """Runs whose interval of a quantile misses; a game takes 1 to 10 turns more in a deck of strength 1 than the 1 to 10 of 0."""
    strength = rng.integers(2, size=(runs, decks)).repeat(2, axis=1)
    turns = rng.integers(1, 11, size=strength.shape) + 10 * strength
    wrong = 0
    for run in turns:
        found = Distribution(2)
        found.add(run)
        _, low, high = quantile_interval(found, p)
        wrong += low > truth or high < truth  # a missing end misses nothing
    return wrong


def wrong_families(rng, runs, decks, tests):
    """Runs in which any of the intervals misses that are widened to hold at once."""
    found = moments_of(rng.normal(0.5, 1, (runs * tests, 2 * decks)))
    factor = joint_factor(decks, tests)
    held = []
    for mean, error in zip(found.mean.tolist(), found.standard_errors().tolist(), strict=True):
        span = Span(mean, *interval(mean, error, decks, 2 * decks, False)).widened(factor)
        held.append(span.low <= 0.5 <= span.high)
    return int((~np.array(held).reshape(runs, tests).all(axis=1)).sum())


FIXED = {
    "many decks": lambda rng, runs: wrong_shares(won_games(rng, runs, 150, STRONG), True),
    "few decks": lambda rng, runs: wrong_shares(rng.normal(0.5, 1, (runs, 2 * 8)), False),
    "paired": lambda rng, runs: wrong_differences(rng, runs, 150),
    "ratio": lambda rng, runs: wrong_ratios(rng, runs, 150),
    "joint": lambda rng, runs: wrong_families(rng, runs, 300, 6),
    "joint of few": lambda rng, runs: wrong_families(rng, runs, 12, 6),
}
CAUTIOUS = {  # by their discreteness they may hold the truth more often
    "few decks of shares": lambda rng, runs: wrong_shares(won_games(rng, runs, 8, STRONG), True),
    "rare": lambda rng, runs: wrong_shares(won_games(rng, runs, 400, 0.004, share=0.004), True, truth=0.004),
    "median": lambda rng, runs: wrong_quantiles(rng, runs, 150, 0.5, 10),
    "5 %": lambda rng, runs: wrong_quantiles(rng, runs, 150, 0.05, 1),
    "65 %": lambda rng, runs: wrong_quantiles(rng, runs, 150, 0.65, 13),
}


# Confidence sequences


def looked_at(decks_by_run, sizes, kind, truth):
    """The evidence of each run at looks of so many decks: a list of looks by run, of the mean less the truth."""
    bounds = [0, *sizes]
    parts = [decks_by_run[:, first:last] - truth for first, last in zip(bounds, bounds[1:], strict=False)]
    total, looks = None, []
    for part in parts:
        chunk = Moments.of(part, part)
        total = chunk if total is None else total.merged(chunk)
        looks.append((total.decks, total.mean.tolist(), total.standard_errors().tolist()))
    moved = kind.less(truth) if kind.is_bounded else kind
    return [[Evidence(n, means[k], errors[k], moved) for n, means, errors in looks] for k in range(len(decks_by_run))]


def misses(plan, seen, closing=False):
    """Whether the interval of a look misses the truth, which is 0."""
    low, high = confidence_sequence(plan, seen, closing)
    return not low <= 0 <= high


SIZES = [round(100 * 1.25**k) for k in range(17)]  # 100 to 3553 decks
SPARSE = Plan(tightest=500)
EARLY = Plan(tightest=500, closing=0.05)  # nearly all for looks in passing


def runs_of(rng, runs, kind):
    """Decks by run, with their true mean."""
    if kind == "share":
        return looked_at(deck_average(won_games(rng, runs, SIZES[-1], STRONG), 2), SIZES, SHARE, 0.5)
    if kind == "rare share":
        return looked_at(deck_average(won_games(rng, runs, SIZES[-1], 0.02, share=0.02), 2), SIZES, SHARE, 0.02)
    if kind == "rare difference":
        decks = rng.choice([-1.0, 0.0, 1.0], p=[0.005, 0.98, 0.015], size=(runs, SIZES[-1]))
        return looked_at(decks, SIZES, DIFFERENCE, 0.01)
    return looked_at(rng.exponential(size=(runs, SIZES[-1])), SIZES, NUMBER, 1.0)


def wrong_at_any_look(rng, runs, kind, plan=EARLY):
    """Runs in which the interval of any look in passing, or of the closing one at the end, misses."""
    looks = runs_of(rng, runs, kind)
    return sum(any(misses(plan, one) for one in run) or misses(plan, run[-1], closing=True) for run in looks)


def wrong_when_precise(rng, runs, plan, half):
    """Runs whose interval misses when its closing look comes as soon as it is precise enough, looked at every 20 decks."""
    most = round(1.5 * decks_for(plan, half, 0.453, 0.5, SHARE))
    looks = looked_at(deck_average(won_games(rng, runs, most, STRONG), 2), range(200, most, 20), SHARE, 0.5)
    stops = [next(one for one in run if half_width(plan, one, closing=True) <= half) for run in looks]
    return sum(misses(plan, stop, closing=True) for stop in stops)


def wrong_verdicts(rng, runs, effect, margin=0.03, most=1500):
    """Runs whose verdict is wrong, looked at every 50 decks till it is clear, or closed at most: an effect just off the margin."""
    decks = deck_average(won_games(rng, runs, most, STRONG, share=0.5 + effect), 2) - 0.5
    plan, right = Plan(tightest=500, closing=0.5), WITHIN if abs(effect) < margin else OUTSIDE
    wrong = 0
    for run in looked_at(decks, range(100, most + 1, 50), SHARE.less(0.5), 0.0):
        clear = (found for one in run if (found := verdict_of(plan, one, margin)) != UNDECIDED)
        wrong += next(clear, verdict_of(plan, run[-1], margin, closing=True)) in {WITHIN, OUTSIDE} - {right}
    return wrong


def verdict_of(plan, seen, margin, closing=False):
    (found,) = judged_together([Comparison(seen.mean, margin, partial(p_value, plan, seen=seen, closing=closing))])
    return found.verdict


SEQUENCES = {
    "any look: share": lambda rng, runs: wrong_at_any_look(rng, runs, "share"),
    "any look: rare share": lambda rng, runs: wrong_at_any_look(rng, runs, "rare share"),
    "any look: rare difference": lambda rng, runs: wrong_at_any_look(rng, runs, "rare difference"),
    "any look: skewed": lambda rng, runs: wrong_at_any_look(rng, runs, "skewed"),
    "any look, and a close": lambda rng, runs: wrong_at_any_look(rng, runs, "share", SPARSE),
    "stopped by precision": lambda rng, runs: wrong_when_precise(rng, runs, SPARSE, 0.035),
    "stopped by verdict, outside": lambda rng, runs: wrong_verdicts(rng, runs, 0.0301),
    "stopped by verdict, within": lambda rng, runs: wrong_verdicts(rng, runs, 0.0299),
}


# Families


def wrong_together(rng, runs, common, sequential=False, tests=6, margin=5.0):
    """Runs in which any verdict of a family is wrong; each effect is on its margin or just beyond, where errors are likeliest.

    Estimates have errors of 1 and hang together by `common`.
    """
    beyond = np.arange(tests) % 2 == 0
    truths = margin * np.where(np.arange(tests) < tests // 2, 1, -1) * np.where(beyond, 1 + 1e-9, 1)
    right = np.where(beyond, OUTSIDE, WITHIN).tolist()
    noise = math.sqrt(common) * rng.normal(size=(runs, 1)) + math.sqrt(1 - common) * rng.normal(size=(runs, tests))
    plan, wrong = Plan(tightest=1000), 0
    for run in (truths + noise).tolist():
        if sequential:
            seen = [Evidence(1000, x, 1.0) for x in run]
            family = [Comparison(one.mean, margin, partial(p_value, plan, seen=one, closing=True)) for one in seen]
        else:
            family = [Comparison(x, margin, of_interval(row_of(x, 1.0, 1000))) for x in run]
        verdicts = [one.verdict for one in judged_together(family)]
        wrong += any(one in {WITHIN, OUTSIDE} - {it} for one, it in zip(verdicts, right, strict=True))
    return wrong


FAMILIES = {
    "independent": lambda rng, runs: wrong_together(rng, runs, 0.0),
    "alike": lambda rng, runs: wrong_together(rng, runs, 0.7),
    "confidence sequences": lambda rng, runs: wrong_together(rng, runs, 0.0, sequential=True),
}


AT_MOST = CAUTIOUS | FAMILIES


@pytest.mark.parametrize("name", FIXED)
def test_interval__misses_in_5_of_100_runs(name):
    assert abs(rate(FIXED[name], FEW) - 0.05) <= noise(FEW)


@pytest.mark.parametrize("name", AT_MOST)
def test_interval__misses_in_no_more_than_5_of_100_runs(name):
    assert rate(AT_MOST[name], FEW) <= 0.05 + noise(FEW)


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequence__misses_in_no_more_than_5_of_100_runs(name):
    assert rate(SEQUENCES[name], FEW // 4) <= 0.05 + noise(FEW // 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIXED)
def test_interval__misses_in_5_of_100_of_many_runs(name):
    assert abs(rate(FIXED[name], MANY, seed=2) - 0.05) <= noise(MANY)


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_MOST | SEQUENCES)
def test_interval__misses_in_no_more_than_5_of_100_of_many_runs(name):
    assert rate((AT_MOST | SEQUENCES)[name], MANY, seed=2) <= 0.05 + noise(MANY)


# The toy game itself


@cache
def toy_games(runs=2000, decks=400):
    """Games won by position 0 as the toy game plays them, float64[runs, 2 * decks]."""
    indices = np.arange(2 * runs * decks)
    games, players = np.zeros((6, indices.size)), np.zeros((4, indices.size, 2))
    TOY.play(None, TIGHT, [0, 1], 5, indices, None, games, players)
    return (players[3, :, 0] / 60).reshape(runs, 2 * decks)


@pytest.mark.slow
def test_toy_game__its_intervals_hold_the_truth():
    games = toy_games()
    assert abs(wrong_shares(games, True) / len(games) - 0.05) <= noise(len(games))
    assert abs(wrong_shares(games[:, :320], False) / len(games) - 0.05) <= noise(len(games))


@pytest.mark.slow
def test_toy_game__its_confidence_sequence_holds_the_truth():
    games = toy_games()
    looks = looked_at(deck_average(games, 2), [50, 100, 200, 300, 400], SHARE, 0.5)
    wrong = sum(any(misses(EARLY, one) for one in run) or misses(EARLY, run[-1], closing=True) for run in looks)
    assert wrong / len(games) <= 0.05 + noise(len(games))


@pytest.mark.slow
def test_toy_game__plays_the_law_that_is_simulated():
    played = toy_games()
    simulated = won_games(np.random.default_rng(6), *deck_average(played, 2).shape)
    for wins in (0.0, 0.5, 1.0):
        shares = [(deck_average(games, 2) == wins).mean() for games in (played, simulated)]
        assert shares[0] == pytest.approx(shares[1], abs=SIGMAS * math.sqrt(2 * 0.25 / 800_000))


# Variance reduction


@pytest.mark.parametrize(("tilt", "factor"), [(TOY_TILT, 0.125 / 0.13), (STRONG, 0.125 / 0.205)])
def test_variance_reduction__is_that_of_the_law(tilt, factor):
    """Two independent games have the variance 1/8; a deck's two have that and half the variance of its strength on top.

    In a run of n decks the factor varies by sqrt(2 / n) or less, as a variance does.
    """
    runs, decks = 100, 1000
    found = moments_of(won_games(np.random.default_rng(7), runs, decks, tilt))
    factors = [variance_reduction(*errors) for errors in zip(found.independent_errors(), found.standard_errors(), strict=True)]
    assert np.mean(factors) == pytest.approx(factor, rel=SIGMAS * math.sqrt(2 / (runs * decks)))


# What would be noticed


def test_wrong_intervals__that_take_games_of_a_deck_as_independent():
    def wrong(rng, runs):
        found = moments_of(won_games(rng, runs, 150, STRONG))
        return int((abs(found.mean - 0.5) > 1.96 * found.independent_errors()).sum())

    assert rate(wrong, FEW) > 0.05 + noise(FEW)


def test_wrong_intervals__of_a_fixed_number_looked_at_again_and_again():
    def wrong(rng, runs):
        return sum(any(abs(one.mean) > 1.96 * one.error for one in run) for run in runs_of(rng, runs, "share"))

    assert rate(wrong, FEW // 4) > 0.05 + noise(FEW // 4)


def test_wrong_verdicts__that_are_not_corrected():
    def wrong(rng, runs):
        found = rng.normal(size=(runs, 6))
        return int((abs(found) > 1.96).any(axis=1).sum())

    assert rate(wrong, FEW) > 0.05 + noise(FEW)
