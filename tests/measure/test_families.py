"""Families of verdicts: Holm against the slow way and statsmodels, and verdicts that never say more than their intervals."""

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim.measure.families import Comparison, holm, judged_together, of_interval
from pinchsim.measure.moments import interval, quantile, wilson
from pinchsim.measure.sequential import DIFFERENCE, Evidence, Plan, confidence_sequence, p_value
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, verdict
from tests.measure.made import row_of

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=6)
PLAN = Plan(tightest=10_000)


def closed_testing(p_values, most_true, alpha):
    """The slow way: reject a hypothesis if every set with it, of no more than can be true together, is rejected (Bonferroni)."""
    ids = range(len(p_values))
    sets = [set(chosen) for n in range(1, most_true + 1) for chosen in combinations(ids, n)]
    kept = [chosen for chosen in sets if min(p_values[k] for k in chosen) * len(chosen) > alpha]
    return [all(k not in chosen for chosen in kept) for k in ids]


@given(P_VALUES, st.integers(1, 6), st.floats(0.001, 0.999))
def test_holm__is_closed_testing(p_values, most_true, alpha):
    most_true = min(most_true, len(p_values))
    found = holm(p_values, most_true)
    if min(abs(p - alpha) for p in found) > 1e-12:  # no tie that rounding may break
        assert [p <= alpha for p in found] == closed_testing(p_values, most_true, alpha)


# statsmodels.stats.multitest.multipletests(p, method="holm")[1], version 0.15
@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.001, 0.02, 0.0005, 0.9, 0.02, 0.011], [0.005, 0.06, 0.003, 0.9, 0.06, 0.044]),
        ([0.5, 0.4, 0.9], [1.0, 1.0, 1.0]),
        ([0.2], [0.2]),
    ],
)
def test_holm__agrees_with_statsmodels(p_values, adjusted):
    assert holm(p_values) == pytest.approx(adjusted)


@given(P_VALUES)
def test_holm__is_at_least_as_powerful_as_bonferroni(p_values):
    found = holm(p_values)
    assert all(p <= q <= min(1, len(p_values) * p) for p, q in zip(p_values, found, strict=True))
    assert all(q <= r for q, r in zip(holm(p_values, 1), found, strict=True))


def test_holm__of_none():
    assert holm([]) == []
    assert judged_together([]) == []


# p-values of intervals


@pytest.mark.parametrize("decks", [2, 7, 29, 30, 1000, 5000])
def test_of_interval__is_5_percent_at_its_ends(decks):
    row = row_of(0.3, 0.1, decks)
    p = of_interval(row)
    assert [p(row[end]) for end in ("low", "high")] == pytest.approx([0.05, 0.05])
    assert p(0.3) == pytest.approx(1)


@pytest.mark.parametrize("decks", [7, 1000, 4000])
def test_of_interval__of_a_fixed_number_of_decks_agrees_with_scipy(decks):
    from scipy.stats import ttest_1samp

    sample = np.random.default_rng(3).normal(size=decks)
    found = of_interval(row_of(sample.mean(), sample.std(ddof=1) / math.sqrt(decks), decks))(0.05)
    assert found == pytest.approx(ttest_1samp(sample, 0.05).pvalue, rel=1e-2 if decks > 2000 else 1e-9)


def test_of_interval__lopsided_ones_have_an_arm_for_each_side():
    row = {"estimate": 0.1, "low": 0.09, "high": 0.15, "decks": 1000}
    p = of_interval(row)
    assert [p(0.09), p(0.15)] == pytest.approx([0.05, 0.05])
    assert p(0.08) < 0.001 < p(0.17)


@pytest.mark.parametrize("tests", [1, 3, 50])
def test_of_interval__of_a_rare_share_is_no_bolder_than_wilsons_interval(tests):
    """At the ends of the interval for `tests` at once Wilson's own p-value is 5 % of them."""
    decks, share = 400, 0.004
    low, high = wilson(share, decks, quantile(decks))
    p = of_interval({"estimate": share, "low": low, "high": high, "decks": decks}, rare=True)
    for end in wilson(share, decks, quantile(decks, tests)):
        assert p(end) >= 0.05 / tests * (1 - 1e-9)


@pytest.mark.parametrize("closing", [False, True])
@pytest.mark.parametrize("distance", [1.1, 1.5, 2.0])
def test_of_interval__is_no_bolder_than_a_confidence_sequence(closing, distance):
    seen = Evidence(20_000, 0.0, 0.002, DIFFERENCE)
    low, high = confidence_sequence(PLAN, seen, closing)
    p = of_interval({"estimate": 0.0, "low": low, "high": high, "decks": seen.decks})
    assert p(high) == pytest.approx(p_value(PLAN, high, seen, closing)) == pytest.approx(0.05)
    assert p(distance * high) >= p_value(PLAN, distance * high, seen, closing)


def test_of_interval__without_an_interval():
    assert of_interval(row_of(0.3, math.nan, 1))(7.0) == 1
    assert of_interval({"estimate": 0.3, "low": None, "high": None, "decks": 1})(7.0) == 1
    assert of_interval(row_of(0.3, 0.0, 5))(0.3) == 1
    assert of_interval(row_of(0.3, 0.0, 5))(0.4) == 0


# Verdicts


@st.composite
def effects(draw):
    """Estimates in standard errors of 1, the number of decks behind each and its margin."""
    n = draw(st.integers(1, 7))
    estimates = draw(st.lists(st.floats(-12, 12), min_size=n, max_size=n))
    margins = draw(st.lists(st.sampled_from([0.0, 1.0, 3.0, 6.0]), min_size=n, max_size=n))
    decks = draw(st.lists(st.sampled_from([2, 10, 1000]), min_size=n, max_size=n))
    return [
        Comparison(x, margin, of_interval(row_of(x, 1.0, n))) for x, margin, n in zip(estimates, margins, decks, strict=True)
    ], decks


@given(effects())
def test_judged_together__lies_between_bonferroni_and_each_ones_own_interval(family):
    comparisons, decks = family
    for one, n, found in zip(comparisons, decks, judged_together(comparisons), strict=True):
        own, widened = (quantile(n, tests) * (1 - 1e-9) for tests in (1, len(comparisons)))
        assert found.verdict in (UNDECIDED, verdict(one.estimate - own, one.estimate + own, one.margin))
        widened *= 1 + 2e-9
        joint = verdict(one.estimate - widened, one.estimate + widened, one.margin)
        assert joint in (UNDECIDED, found.verdict)


@given(effects(), st.floats(0.001, 0.2))
def test_judged_together__p_values_are_where_verdicts_change(family, alpha):
    comparisons, _ = family
    for found in judged_together(comparisons, alpha):
        assert (found.verdict == UNDECIDED) == (found.p_value > alpha)
    for before, after in zip(judged_together(comparisons, alpha), judged_together(comparisons, alpha / 2), strict=True):
        assert after.verdict in (UNDECIDED, before.verdict)


def test_judged_together__alone_is_the_verdict_of_its_interval():
    for estimate in np.arange(-8, 8, 0.01):
        (found,) = judged_together([Comparison(estimate, 3.0, of_interval(row_of(estimate, 1.0, 100)))])
        assert found.verdict == verdict(*interval(estimate, 1.0, 100, 400, is_share=False), 3.0)


def test_judged_together__by_hand():
    """Of four, one side may miss by 1.25 %: 2.2414 standard errors, where Bonferroni wants 2.4977."""
    margin = 5.0
    estimates = [margin - 2.25, margin - 2.23, -margin - 2.25, margin + 2.23]
    found = judged_together([Comparison(x, margin, of_interval(row_of(x, 1.0, 2000))) for x in estimates])
    assert [one.verdict for one in found] == [WITHIN, UNDECIDED, OUTSIDE, UNDECIDED]
    assert found[0].p_value == pytest.approx(4 * 0.5 * math.erfc(2.25 / math.sqrt(2)))


def test_judged_together__two_are_decided_by_their_own_intervals():
    """Each interval of 95 % is wrong on one side in 2.5 %."""
    found = judged_together(
        [Comparison(7.0, 5.0, of_interval(row_of(7.0, 1.0, 1000))), Comparison(3.0, 5.0, of_interval(row_of(3.0, 1.0, 1000)))]
    )
    assert [one.verdict for one in found] == [OUTSIDE, WITHIN]


def test_judged_together__margin_0_asks_on_both_sides():
    """Whether anything differs is Bonferroni's two-sided test here: 2 times 2.5 % allows 2.2414 standard errors."""
    found = judged_together([Comparison(x, 0.0, of_interval(row_of(x, 1.0, 2000))) for x in (2.2, -2.3)])
    assert [one.verdict for one in found] == [UNDECIDED, OUTSIDE]


@given(st.lists(st.floats(-0.05, 0.05), min_size=1, max_size=5), st.sampled_from([100, 3000, 20_000]), st.booleans())
def test_judged_together__with_confidence_sequences(estimates, decks, closing):
    looks = [Evidence(decks, x, 0.3 / math.sqrt(decks), DIFFERENCE) for x in estimates]
    comparisons = [Comparison(one.mean, 0.01, partial(p_value, PLAN, seen=one, closing=closing)) for one in looks]
    for found, one in zip(judged_together(comparisons), looks, strict=True):
        low, high = confidence_sequence(PLAN, one, closing)
        assert found.verdict in (UNDECIDED, verdict(low, high, 0.01))
