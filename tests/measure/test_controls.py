"""Control variates: merging, what is corrected and when, and that nothing is shifted (METHODS M1.6)."""

from dataclasses import replace

import numpy as np
import pytest

from pinchsim.measure.controls import LEAST_DECKS, LEAST_SQUARES, Half, Joint, Luck, corrected
from pinchsim.measure.moments import Moments, interval, merge

# A law with known truth. Covariates are two dice less 3.5 and their product, whose mean is 0, too; y = TRUTH + WORTH z + noise.
TRUTH, WORTH, NOISE = 2.0, np.array([0.4, -0.2, 0.0]), 0.7
DIE = 35 / 12  # variance of a die
GAIN = 1 + DIE * (WORTH**2).sum() / NOISE**2


def law(rng, decks):
    """Values float64[1, decks] and covariates float64[3, decks]."""
    a, b = rng.integers(1, 7, size=(2, decks)) - 3.5
    z = np.array([a, b, a * b])
    return TRUTH + WORTH @ z[None] + NOISE * rng.standard_normal((1, decks)), z


def crooked(rng, decks):
    """The truth is 1, and it hangs on the covariate as no straight line does."""
    z = rng.exponential(size=(1, decks)) - 1
    return z**2, z


def moments_of(y, z, first_deck=0):
    moments = Moments.of(y, y)
    moments.joint = Joint.of(y, z, first_deck)
    return moments


def cross_fitted(y, z, first_deck=0):
    """The same from the definition: least squares on the other half, deck by deck."""
    decks = np.arange(first_deck, first_deck + y.shape[1])
    rest = np.empty_like(y)
    for half in (0, 1):
        here, other = decks % 2 == half, decks % 2 != half
        x = np.concatenate([np.ones((1, other.sum())), z[:, other]])
        worth = np.linalg.lstsq(x.T, y[:, other].T, rcond=None)[0][1:]
        rest[:, here] = y[:, here] - worth.T @ z[:, here]
    return rest


# What is computed


@pytest.mark.parametrize("first_deck", [0, 7])
def test_corrected__is_the_definition(first_deck):
    rng = np.random.default_rng(1)
    z = rng.standard_normal((3, 501))
    y = np.array([[1.0, 0.5, 0], [0, 0, 2]]) @ z + rng.standard_normal((2, 501)) + [[3], [4]]
    found, gain = corrected(moments_of(y, z, first_deck), [False, False])
    rest = cross_fitted(y, z, first_deck)
    assert found.mean == pytest.approx(rest.mean(axis=1))
    assert found.deck_squares == pytest.approx(rest.var(axis=1) * 501)
    assert gain == pytest.approx(y.var(axis=1) / rest.var(axis=1))
    assert (found.decks, found.games) == (501, 501)


@pytest.mark.parametrize("cuts", [[300], [1, 2, 3], [100, 101, 350], [7, 250]])
def test_joint__merges_as_if_seen_at_once(cuts):
    y, z = law(np.random.default_rng(2), 500)
    edges = [0, *cuts, 500]
    parts = [moments_of(y[:, a:b], z[:, a:b], a) for a, b in zip(edges, edges[1:], strict=False)]
    merged, whole = merge(parts).joint, Joint.of(y, z, 0)
    for half, wanted in zip(merged, whole, strict=True):
        for name, value in vars(wanted).items():
            assert getattr(half, name) == pytest.approx(value), name


def test_joint__halves_are_told_by_the_number_of_the_deck():
    y, z = np.arange(5.0)[None], np.zeros((1, 5))
    assert Joint.of(y, z, 0).even.means == pytest.approx([2])
    assert Joint.of(y, z, 1).even.means == pytest.approx([2]) and Joint.of(y, z, 1).even.decks == 2


def test_moments__without_covariates_stay_as_they_are():
    y, _ = law(np.random.default_rng(3), 500)
    moments = Moments.of(y, y)
    found, gain = corrected(moments, [False])
    assert found is moments and gain.tolist() == [1]
    assert moments.merged(moments_of(y, y)).joint is None


@pytest.mark.parametrize("others", [lambda z: z[:1], lambda z: 2 * z[:1] - z[1:2], lambda z: 0 * z, lambda z: 1e6 * z])
def test_corrected__covariates_made_of_others_change_nothing(others):
    y, z = law(np.random.default_rng(4), 400)
    plain, gain = corrected(moments_of(y, z), [False])
    more, same = corrected(moments_of(y, np.concatenate([z, others(z)])), [False])
    assert more.mean == pytest.approx(plain.mean, rel=1e-9)
    assert same == pytest.approx(gain, rel=1e-9)


def test_corrected__what_is_told_exactly_has_no_error_left():
    _, z = law(np.random.default_rng(4), 400)
    found, gain = corrected(moments_of(5 + z[:1], z), [False])
    assert found.mean == pytest.approx([5]) and found.standard_errors() == [0]
    assert np.isnan(gain[0]), "there is no number for it"


def test_luck__differences_are_corrected_by_what_both_variants_were_dealt():
    """Each by its own covariates, which here are none of the other's."""
    rng = np.random.default_rng(5)
    (y, z), (other, w) = law(rng, 2000), law(rng, 2000)
    difference = y - other
    moments = Moments.of(difference, difference)
    moments.joint = Luck(0, z).beside(Luck(0, w)).joint(difference)
    found, gain = corrected(moments, [False])
    assert gain[0] == pytest.approx(GAIN, rel=0.1)
    assert abs(found.mean[0]) < 4 * NOISE * np.sqrt(2 / 2000)


# When nothing is corrected


def test_corrected__not_with_few_decks():
    y, z = law(np.random.default_rng(6), 2 * LEAST_DECKS)
    assert corrected(moments_of(y, z), [False])[1][0] > 1.2
    y, z = y[:, :-1], z[:, :-1]
    found, gain = corrected(moments_of(y, z), [False])
    assert gain.tolist() == [1] and found.mean == y.mean()


def test_corrected__not_with_many_covariates_but_their_combinations_do_not_count():
    rng = np.random.default_rng(7)
    y, z = law(rng, 400)
    many = rng.standard_normal((25, 400))
    assert corrected(moments_of(y, many), [False])[1].tolist() == [1]
    assert corrected(moments_of(y, np.concatenate([z] * 9)), [False])[1][0] > 1.2


def test_corrected__rare_shares_stay_as_they_are():
    rng = np.random.default_rng(8)
    z = rng.standard_normal((1, 4000))
    often, rare = (z[0] + rng.standard_normal(4000) > t for t in (0.5, 3.5))
    y = np.array([often, rare, rare], float)
    assert 0 < rare.sum() < LEAST_SQUARES
    found, gain = corrected(moments_of(y, z), [True, True, False])
    assert gain[0] > 1.1 and gain[1] == 1 and gain[2] != 1
    assert found.mean[1] == y[1].mean()


@pytest.mark.parametrize("threshold", [-4.0, -3.0, -2.5, 0.0, 2.5, 3.0, 4.0])
def test_corrected__shares_stay_inside_their_bounds(threshold):
    for seed in range(20):
        rng = np.random.default_rng([9, seed])
        z = rng.exponential(size=(2, 3000)) - 1
        y = (z[:1] + rng.standard_normal((1, 3000)) > threshold).astype(float)
        found, _ = corrected(moments_of(y, z), [True])
        mean, error = found.mean[0], found.standard_errors()[0]
        low, high = interval(mean, error, 3000, 3000, True)
        assert 0 <= low <= mean <= high <= 1


def test_corrected__what_never_varies_stays():
    _, z = law(np.random.default_rng(10), 400)
    found, gain = corrected(moments_of(np.full((1, 400), 0.25), z), [False])
    assert (found.mean[0], found.deck_squares[0], gain[0]) == (0.25, 0, 1)


# Nothing is shifted


def off(estimates, truth):
    """How many standard errors the mean of many estimates is off the truth."""
    return abs(estimates.mean() - truth) / (estimates.std() / np.sqrt(estimates.size))


def replicated(draw, decks, runs, change=lambda z: z):
    """Corrected means, errors and gains of many runs, float64[3, runs]."""
    out = np.empty((3, runs))
    for k in range(runs):
        y, z = draw(np.random.default_rng([11, k]), decks)
        found, gain = corrected(moments_of(y, change(z)), [False])
        out[:, k] = found.mean[0], found.standard_errors()[0], gain[0]
    return out


@pytest.mark.parametrize("decks", [200, 1000])
def test_corrected__simulated_truth(decks):
    """4,000 runs: no shift, intervals that hold in 95 %, honest errors, and the gain that the law has."""
    runs = 4000
    means, errors, gains = replicated(law, decks, runs)
    assert off(means, TRUTH) < 4
    held = abs(means - TRUTH) <= 1.96 * errors
    assert abs(held.mean() - 0.95) < 4 * np.sqrt(0.95 * 0.05 / runs) + 0.002  # normal and not Student's quantiles
    assert (errors**2).mean() == pytest.approx(means.var(), rel=4 * np.sqrt(2 / runs))
    # What is fitted on a half costs so many parts of the other half's variance as there are covariates.
    assert gains.mean() == pytest.approx(GAIN / (1 + 3 / (decks / 2)), rel=0.02)


def test_corrected__gain_is_real():
    """The spread of corrected estimates over runs against that of plain ones."""
    plain = np.array([law(np.random.default_rng([11, k]), 400)[0].mean() for k in range(4000)])
    means, _, gains = replicated(law, 400, 4000)
    assert plain.var() / means.var() == pytest.approx(GAIN, rel=0.12)
    assert gains.mean() == pytest.approx(plain.var() / means.var(), rel=0.12)


def test_corrected__fitted_on_the_same_decks_it_would_be_shifted():
    """The negative control: a quantity that is no straight line of its covariate, and few decks."""
    runs, decks = 4000, 2 * LEAST_DECKS
    own = np.empty(runs)
    for k in range(runs):
        half = Half.of(*crooked(np.random.default_rng([11, k]), decks))
        own[k] = half.corrected(half.worth[0])[0][0]
    assert off(own, 1) > 5
    assert off(replicated(crooked, decks, runs)[0], 1) < 4


@pytest.mark.parametrize("mistake", [lambda z: z + 0.05, lambda z: z - [[0], [0.1], [0]]])
def test_corrected__a_wrong_expectation_would_be_noticed(mistake):
    assert off(replicated(law, 400, 2000, mistake)[0], TRUTH) > 5


def test_corrected__useless_covariates_cost_hardly_anything():
    def useless(rng, decks):
        return rng.standard_normal((1, decks)), rng.standard_normal((8, decks))

    means, errors, gains = replicated(useless, 4000, 300)
    assert off(means, 0) < 4
    assert gains.mean() == pytest.approx(1 - 8 / 2000, abs=0.002)
    assert (errors**2).mean() == pytest.approx((1 + 8 / 2000) / 4000, rel=0.01)


def test_corrected__leaves_its_argument_alone():
    y, z = law(np.random.default_rng(12), 400)
    moments = moments_of(y, z)
    before = replace(moments, mean=moments.mean.copy(), deck_squares=moments.deck_squares.copy())
    corrected(moments, [False])
    assert moments.mean == before.mean and moments.deck_squares == before.deck_squares
