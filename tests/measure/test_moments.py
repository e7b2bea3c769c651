"""Means with intervals: right moments, right standard errors, and intervals that cover as often as they say."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure.moments import Moments, deck_average, interval, variance_reduction, wilson

Z95 = 1.959963984540054
NUMBERS = st.floats(-1000, 1000, allow_nan=False).map(lambda x: round(x, 3))


def moments_of(values, rotations):
    values = np.asarray(values, float)
    return Moments.of(values, deck_average(values, rotations))


def assert_same(mine, theirs):
    assert (mine.decks, mine.games) == (theirs.decks, theirs.games)
    for name in ("mean", "deck_squares", "game_squares"):
        np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-9, atol=1e-6, err_msg=name)


@st.composite
def samples(draw, most_decks=12):
    """Values of two quantities in whole decks, and the number of games a deck: float64[2, games], rotations."""
    rotations = draw(st.integers(1, 5))
    decks = draw(st.integers(1, most_decks))
    size = 2 * decks * rotations
    values = draw(st.lists(NUMBERS, min_size=size, max_size=size))
    return np.array(values).reshape(2, decks * rotations), rotations


@st.composite
def splits(draw):
    """Samples with places to cut between decks."""
    values, rotations = draw(samples())
    decks = values.shape[1] // rotations
    cuts = sorted(draw(st.sets(st.integers(1, decks - 1)))) if decks > 1 else []
    return values, rotations, [0, *(cut * rotations for cut in cuts), decks * rotations]


@given(samples())
def test_deck_average__is_the_mean_of_each_decks_games(sample):
    values, rotations = sample
    expected = values.reshape(2, -1, rotations).mean(axis=2)
    np.testing.assert_allclose(deck_average(values, rotations), expected, rtol=1e-12, atol=1e-9)


def test_deck_average__leaves_its_input_alone():
    values = np.array([[1.0, 2.0, 3.0, 4.0]])
    deck_average(values, 2)
    assert values.tolist() == [[1.0, 2.0, 3.0, 4.0]]


@given(samples())
def test_moments__equal_direct_computation(sample):
    values, rotations = sample
    found = moments_of(values, rotations)
    decks = values.reshape(2, -1, rotations).mean(axis=2)
    assert (found.decks, found.games) == (decks.shape[1], values.shape[1])
    np.testing.assert_allclose(found.mean, values.mean(axis=1), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.deck_squares, ((decks - decks.mean(1, keepdims=True)) ** 2).sum(1), atol=1e-6)
    np.testing.assert_allclose(found.game_squares, ((values - values.mean(1, keepdims=True)) ** 2).sum(1), atol=1e-6)


@given(splits())
@settings(max_examples=200)
def test_merged__chunks_are_as_the_whole(split):
    values, rotations, cuts = split
    total = None
    for first, last in zip(cuts, cuts[1:], strict=False):
        part = moments_of(values[:, first:last], rotations)
        total = part if total is None else total.merged(part)
    assert_same(total, moments_of(values, rotations))


def test_merged__large_mean_and_small_spread():
    """Sums of squares would lose all digits here; squared deviations do not."""
    rng = np.random.default_rng(1)
    values = 1e9 + rng.normal(size=(1, 40_000))
    total = moments_of(values[:, :4], 4)
    for first in range(4, 40_000, 4444):
        total = total.merged(moments_of(values[:, first : first + 4444], 4))
    deviations = values - 1e9
    assert total.game_squares[0] == pytest.approx(((deviations - deviations.mean()) ** 2).sum(), rel=1e-6)


@given(samples())
def test_standard_errors__equal_the_textbook_formula(sample):
    """Cluster-robust variance of a mean: D / (D - 1) * sum of squared cluster sums of residuals / G**2 (CR1)."""
    values, rotations = sample
    found = moments_of(values, rotations).standard_errors()
    games = values.shape[1]
    decks = games // rotations
    if decks == 1:
        assert np.isnan(found).all()
        return
    residuals = values - values.mean(axis=1, keepdims=True)
    sums = residuals.reshape(2, decks, rotations).sum(axis=2)
    expected = np.sqrt(decks / (decks - 1) * (sums**2).sum(axis=1)) / games
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-6)


def test_standard_errors__by_hand():
    """Deck means 1, 2 and 6: mean 3, variance (4 + 1 + 9) / 2 = 7, error sqrt(7 / 3)."""
    found = moments_of([[0, 2, 2, 2, 5, 7]], 2)
    assert found.mean[0] == 3
    assert found.standard_errors()[0] == pytest.approx(math.sqrt(7 / 3))
    # Games 0, 2, 2, 2, 5, 7 around 3: 9 + 1 + 1 + 1 + 4 + 16 = 32; variance 32 / 5.
    assert found.independent_errors()[0] == pytest.approx(math.sqrt(32 / 5 / 6))


def test_standard_errors__one_game_a_deck_is_the_usual_error():
    values = np.random.default_rng(2).normal(size=(1, 50))
    found = moments_of(values, 1)
    assert found.standard_errors()[0] == pytest.approx(values.std(ddof=1) / math.sqrt(50))
    assert found.independent_errors()[0] == pytest.approx(found.standard_errors()[0])


# Intervals


# Wilson's interval without continuity correction, as statsmodels.stats.proportion.proportion_confint(method="wilson")
# and scipy.stats.binomtest(...).proportion_ci(method="wilson") give it.
@pytest.mark.parametrize(
    ("events", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (999, 1000), (17, 73), (0, 1), (1, 1)]
)
def test_wilson__agrees_with_scipy(events, n):
    from scipy.stats import binomtest

    expected = binomtest(events, n).proportion_ci(0.95, method="wilson")
    assert wilson(events / n, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson__published_values():
    """Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3."""
    assert [round(x, 4) for x in wilson(81 / 263, 263)] == [0.2553, 0.3662]
    assert [round(x, 4) for x in wilson(15 / 148, 148)] == [0.0624, 0.1605]
    assert [round(x, 4) for x in wilson(0 / 20, 20)] == [0.0, 0.1611]
    assert [round(x, 4) for x in wilson(1 / 29, 29)] == [0.0061, 0.1718]


@pytest.mark.parametrize("decks", [30, 31, 1000, 10**6])
def test_interval__many_clusters_are_normal(decks):
    low, high = interval(2.0, 0.5, decks, 4 * decks, is_share=False)
    half = (high - low) / 2
    assert (low + high) / 2 == pytest.approx(2)
    # Student's quantile for 29 degrees of freedom is 2.045; both are fine from 30 clusters on.
    assert half * (1 + 1e-12) >= 0.5 * Z95
    assert half <= 0.5 * 2.0453


@pytest.mark.parametrize(("decks", "quantile"), [(2, 12.706), (3, 4.303), (5, 2.776), (11, 2.228), (21, 2.086), (29, 2.048)])
def test_interval__few_clusters_have_students_quantile(decks, quantile):
    """Two-sided 95 % points of Student's t with decks - 1 degrees of freedom, from any printed table."""
    low, high = interval(0.0, 1.0, decks, 4 * decks, is_share=False)
    assert (low, high) == (pytest.approx(-quantile, abs=5e-4), pytest.approx(quantile, abs=5e-4))


def test_interval__one_cluster_says_nothing():
    """No end is claimed: infinite or missing."""
    low, high = interval(0.1, math.nan, 1, 4, is_share=False)
    assert not math.isfinite(low)
    assert not math.isfinite(high)
    low, high = interval(0.5, math.nan, 1, 4, is_share=True)
    assert low < 0.1
    assert high > 0.9


@pytest.mark.parametrize(("decks", "games"), [(1, 3), (10, 40), (100, 400), (100_000, 400_000)])
def test_interval__event_that_never_happened_is_still_possible(decks, games):
    """With n independent trials the upper end is z**2 / (n + z**2), about 3.84 / n; there are at most as many as games."""
    low, high = interval(0.0, 0.0, decks, games, is_share=True)
    assert low == pytest.approx(0, abs=1e-12)
    assert Z95**2 / (games + Z95**2) <= high * (1 + 1e-12)
    assert high < min(1, 30 / decks)
    assert interval(1.0, 0.0, decks, games, is_share=True) == pytest.approx((1 - high, 1))


def test_interval__rare_event_gets_wilson():
    """3 events in 4000 independent games: Wilson's interval for 4000 trials, which is above zero and lopsided."""
    share = 3 / 4000
    error = math.sqrt(share * (1 - share) / 4000)
    low, high = interval(share, error, 1000, 4000, is_share=True)
    assert (low, high) == pytest.approx(wilson(share, 4000), rel=0.01)
    assert 0 < low < share < high
    assert high - share > share - low


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.3, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("error", [0.0, 1e-6, 0.01, 0.5])
@pytest.mark.parametrize("decks", [1, 2, 29])
def test_interval__share_with_few_clusters_stays_between_0_and_1(share, error, decks):
    low, high = interval(share, error, decks, 4 * decks, is_share=True)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    assert high - low > 0.01


def test_interval__holds_its_own_estimate_to_the_last_bit():
    """Rounding must not put the lower end of 0 events above 0: no share lies outside its own interval."""
    outside = []
    for decks in range(1, 3000):
        for share in (0.0, 1.0):
            low, high = interval(share, 0.0, decks, 3 * decks, is_share=True)
            outside += [] if low <= share <= high else [(decks, share)]
    assert outside == []


# Coverage: simulated decks whose games agree more often than chance, as games with the same cards do.

REPLICATIONS = 400


def covered(seed, decks, rotations, share, correlation, is_share):
    """How often 95 % intervals hold the true share: those with clusters, and those that take games as independent.

    Games of a deck are won with a probability that is the deck's own (beta-distributed), so that two games of a deck
    have the given correlation.
    """
    rng = np.random.default_rng(seed)
    scale = (1 - correlation) / correlation
    clustered = naive = 0
    for _ in range(REPLICATIONS):
        strength = rng.beta(share * scale, (1 - share) * scale, size=(decks, 1))
        won = (rng.random((decks, rotations)) < strength).astype(float).reshape(1, -1)
        found = moments_of(won, rotations)
        low, high = interval(found.mean[0], found.standard_errors()[0], found.decks, found.games, is_share)
        clustered += low <= share <= high
        naive += abs(found.mean[0] - share) <= Z95 * found.independent_errors()[0]
    return clustered / REPLICATIONS, naive / REPLICATIONS


# Four standard errors of a share of 95 % in 400 replications.
TOLERANCE = 4 * math.sqrt(0.95 * 0.05 / REPLICATIONS)


@pytest.mark.parametrize("is_share", [True, False])
def test_interval__covers_in_95_of_100_where_independence_would_not(is_share):
    clustered, naive = covered(11, decks=200, rotations=4, share=0.25, correlation=0.4, is_share=is_share)
    assert abs(clustered - 0.95) <= TOLERANCE
    assert naive < 0.95 - TOLERANCE, "the interval that ignores the decks is too short"


def test_interval__covers_rare_events():
    """Wilson's interval covers at least so often; near 0 it covers more."""
    clustered, _ = covered(12, decks=200, rotations=4, share=0.004, correlation=0.2, is_share=True)
    assert clustered >= 0.95 - TOLERANCE


@pytest.mark.parametrize("decks", [3, 5, 10])
def test_interval__covers_shares_from_few_decks(decks):
    """A standard error from few decks is itself uncertain; the interval must allow for it."""
    clustered, _ = covered(13, decks, rotations=4, share=0.5, correlation=0.5, is_share=True)
    assert clustered >= 0.95 - TOLERANCE


def test_variance_reduction__nothing_where_the_design_leaves_no_error():
    """Win shares of a third are not exact: decks that are all alike differ by rounding."""
    assert variance_reduction(0.02, 0.01) == pytest.approx(4)
    assert math.isnan(variance_reduction(0.02, 0.0)) and math.isnan(variance_reduction(0.02, math.nan))
    third = np.float32(1 / 3)
    shared = np.tile([1, 0, 0, third, third, third], 50).astype(np.float32).astype(float)
    found = moments_of(shared[None, :], 3)
    assert 0 < found.standard_errors()[0] < 1e-6
    assert math.isnan(variance_reduction(found.independent_errors()[0], found.standard_errors()[0]))
