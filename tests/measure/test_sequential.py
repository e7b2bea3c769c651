"""Confidence sequences: the formulas of the papers, computed the slow way, and what must hold whatever the data."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure import sequential
from pinchsim.measure.sequential import (
    DIFFERENCE,
    LEAST_SQUARES,
    NUMBER,
    SHARE,
    Evidence,
    Plan,
    _log_mixture,
    confidence_sequence,
    decks_for,
    half_width,
    is_trusted,
    p_value,
)

Z95 = 1.959963984540054
PLAN = Plan(tightest=10_000)


@st.composite
def seen(draw):
    """What a look may find: decks with any spread that their kind allows."""
    decks = draw(st.integers(1, 10**6))
    kind = draw(st.sampled_from([SHARE, DIFFERENCE, NUMBER, SHARE.less(0.25)]))
    mean = draw(st.floats(0.001, 0.999)) - (0.25 if kind.low == -0.25 else 0)
    deviation = draw(st.sampled_from([0.0, 0.001, 0.01, 0.3, 0.5]))
    return Evidence(decks, mean, deviation / math.sqrt(decks) if decks > 1 else math.nan, kind)


@st.composite
def plans(draw):
    return Plan(
        draw(st.integers(1, 10**6)),
        draw(st.sampled_from([0.001, 0.05, 0.2])),
        draw(st.integers(1, 30)),
        draw(st.integers(30, 1000)),
        draw(st.sampled_from([0.05, 0.5, 0.8, 0.99])),
    )


# Normal theory


@pytest.mark.parametrize("decks", [200, 1000, 10_000, 12_345, 10**6])
@pytest.mark.parametrize(("alpha", "family", "closing"), [(0.05, 1, 0.8), (0.05, 12, 0.8), (0.1, 1, 0.3)])
def test_half_width__passing_is_the_papers_formula(decks, alpha, family, closing):
    """Waudby-Smith et al., theorem 2.2 with the rho that is best for so many decks, by Lambert's W."""
    from scipy.special import lambertw

    level = alpha * (1 - closing) / family
    rho2 = (-lambertw(-(level**2) / math.e, -1).real - 1) / 10_000
    width = math.sqrt(2 * (decks * rho2 + 1) / (decks**2 * rho2) * math.log(math.sqrt(decks * rho2 + 1) / level))
    found = half_width(Plan(10_000, alpha, family, closing=closing), Evidence(decks, 1.0, 3 / math.sqrt(decks)))
    assert found == pytest.approx(3 * width, rel=1e-9)


@pytest.mark.parametrize("decks", [300, 10_000, 10**6])
def test_half_width__is_tightest_where_the_plan_says(decks):
    at = [half_width(Plan(round(decks * factor)), Evidence(decks, 0, 1)) for factor in (0.25, 0.8, 1, 1.25, 4)]
    assert at.index(min(at)) == 2


@pytest.mark.parametrize("errors", [0.5, 3, 4.5])
def test_p_value__passing_is_a_mixture_of_likelihood_ratios(errors):
    """The mean over effects d, normal with a variance of pace / decks, of exp(sum * d - decks * d^2 / 2)."""
    from scipy.integrate import quad

    decks, plan = 2000, PLAN
    variance = plan.pace(decks, NUMBER) / decks
    total = errors * math.sqrt(decks)

    def weighed(d):
        return math.exp(total * d - decks * d * d / 2 - d * d / (2 * variance)) / math.sqrt(2 * math.pi * variance)

    mixture = quad(weighed, -1, 1, epsabs=0, points=[0, errors / math.sqrt(decks)], limit=500)[0]
    found = p_value(plan, 5 + errors, Evidence(decks, 5.0, 1.0))
    assert found == pytest.approx(min(1, 1 / mixture / (1 - plan.closing)), rel=1e-6)


def test_half_width__closing_is_a_normal_quantile():
    from scipy.stats import norm

    evidence = Evidence(5000, 0.5, 0.01, SHARE)
    assert half_width(PLAN, evidence, closing=True) == pytest.approx(0.01 * norm.ppf(1 - 0.04 / 2))
    assert half_width(replace(PLAN, family=7), evidence, closing=True) == pytest.approx(0.01 * norm.ppf(1 - 0.04 / 14))


def test_module__its_table_is_right():
    rows = [line.split() for line in sequential.__doc__.splitlines() if re.match(r"    (none|0\.\d) ", line)]
    assert [row[0] for row in rows] == ["none", "0.5", "0.8", "0.9"]
    for first, *told in rows:
        closing = 1e-12 if first == "none" else float(first)
        plan = Plan(10**6, closing=closing)
        looks = [half_width(plan, Evidence(round(10**6 * 4**k), 0, 1)) for k in range(-2, 4)]
        if first != "none":
            looks.insert(0, half_width(plan, Evidence(10**6, 0, 1), closing=True))
        assert [float(x) for x in told] == pytest.approx([(half / Z95) ** 2 for half in looks], abs=0.0051)


# The exact sequence


@pytest.mark.parametrize("total", [0, 0.5, 8, 60])
@pytest.mark.parametrize("squares", [0, 0.3, 5, 50])
def test_log_mixture__equals_the_integral(total, squares):
    from scipy.integrate import quad

    def weighed(u):
        return math.exp(u * total + squares * (math.log1p(-u) + u) + u - 1)

    weights = quad(lambda u: math.exp(u - 1), 0, 1)[0]
    expected = quad(weighed, 0, 1, epsabs=0, limit=200)[0] / weights
    assert _log_mixture(total, squares) == pytest.approx(math.log(expected), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("law", [{0: 0.98, 1: 0.02}, {0: 0.5, 0.5: 0.3, 1: 0.2}, {-1: 0.1, 0: 0.7, 1: 0.2}])
def test_log_mixture__is_a_supermartingale(law):
    """The expected evidence against the true mean, all sequences of ten decks weighed, never grows above 1."""
    mean = sum(x * p for x, p in law.items())
    for sign in (1, -1):
        sums = {(0.0, 0.0): 1.0}  # total and squares of the decks so far, with their probabilities
        for decks in range(1, 11):
            step: dict[tuple[float, float], float] = {}
            for (total, squares), p in sums.items():
                for x, q in law.items():
                    key = (round(total + x, 9), round(squares + x * x, 9))
                    step[key] = step.get(key, 0) + p * q
            sums = step
            expected = sum(p * signed_mixture(sign * (total - decks * mean), squares) for (total, squares), p in sums.items())
            assert expected <= 1 + 1e-9


def signed_mixture(total, squares):
    """As `_log_mixture`, for totals below 0, too."""
    u = (np.arange(4000) + 0.5) / 4000
    weights = np.exp(u - 1)
    return float((np.exp(u * total + squares * (np.log1p(-u) + u)) * weights).sum() / weights.sum())


@pytest.mark.parametrize(("kind", "sides"), [(SHARE, 4), (DIFFERENCE, 2)])
def test_half_width__exact_from_single_decks(kind, sides):
    """A tenth of alpha for both sides, and of shares for both places where nothing happens."""
    from scipy.optimize import brentq

    decks = np.array([0.0] * 30 + [0.5] * 9 + [1.0] * 41)
    squares = min((decks**2).sum(), ((1 - decks) ** 2).sum()) if kind is SHARE else (decks**2).sum()
    total = brentq(lambda total: signed_mixture(total, squares) - sides / (0.05 * 0.1), 0, 80)
    evidence = Evidence(80, decks.mean(), decks.std(ddof=1) / math.sqrt(80), kind)
    for closing in (False, True):
        assert half_width(PLAN, evidence, closing) == pytest.approx(total / 80, rel=1e-4)


@pytest.mark.parametrize("closing", [0.5, 0.8])
def test_half_width__passing_looks_at_shares_leave_half_to_the_exact_sequence(closing):
    one, other = Plan(5000, closing=closing), Plan(5000, closing=(1 + closing) / 2)
    for kind in (SHARE, DIFFERENCE):
        found = half_width(one, Evidence(7000, 0.5, 0.01, kind))
        assert found == pytest.approx(half_width(other, Evidence(7000, 0.5, 0.01, NUMBER)))


@pytest.mark.parametrize("decks", [1, 10, 1000, 10**6])
def test_confidence_sequence__event_that_never_happened(decks):
    """With no event nor spread the upper end goes like 1 / decks; 3 / decks for a fixed number is the rule of three."""
    low, high = confidence_sequence(PLAN, Evidence(decks, 0.0, 0.0 if decks > 1 else math.nan, SHARE))
    assert low == 0
    assert min(1, 3 / decks) <= high <= 10 / decks
    ends = confidence_sequence(PLAN, Evidence(decks, 1.0, 0.0 if decks > 1 else math.nan, SHARE))
    assert ends == pytest.approx((1 - high, 1))


def test_confidence_sequence__variants_that_never_differ_are_soon_known_to():
    low, high = confidence_sequence(PLAN, Evidence(2000, 0.0, 0.0, DIFFERENCE))
    assert -0.005 < low < -0.003
    assert high == -low


# Rules


@pytest.mark.parametrize("decks", [1, 30, 199])
def test_is_trusted__not_before_the_least_number_of_decks(decks):
    for kind in (SHARE, DIFFERENCE, NUMBER):
        assert not is_trusted(PLAN, Evidence(decks, 0.5, 0.5, kind))
        assert is_trusted(PLAN, Evidence(200, 0.5, 0.5, kind))


def test_is_trusted__shares_by_how_much_their_decks_vary():
    decks = 10_000
    for kind in (SHARE, DIFFERENCE):
        little, enough = (math.sqrt(squares / decks / (decks - 1)) for squares in (LEAST_SQUARES - 0.01, LEAST_SQUARES + 0.01))
        assert not is_trusted(PLAN, Evidence(decks, 0.1, little, kind))
        assert is_trusted(PLAN, Evidence(decks, 0.1, enough, kind))


@pytest.mark.parametrize("closing", [False, True])
def test_confidence_sequence__says_nothing_of_numbers_too_early(closing):
    for evidence in (Evidence(199, 1.0, 0.1), Evidence(5000, 1.0, 0.0), Evidence(1, 1.0, math.nan)):
        assert confidence_sequence(PLAN, evidence, closing) == (-math.inf, math.inf)
        assert p_value(PLAN, 100.0, evidence, closing) == 1


def test_kind__less_an_offset_only_moves_the_interval():
    for closing in (False, True):
        for decks in (50, 5000):
            plain = confidence_sequence(PLAN, Evidence(decks, 0.3, 0.1, SHARE), closing)
            moved = confidence_sequence(PLAN, Evidence(decks, 0.05, 0.1, SHARE.less(0.25)), closing)
            assert moved == pytest.approx([end - 0.25 for end in plain])


@given(plans(), seen(), st.booleans())
@settings(deadline=None)  # the first example imports scipy
def test_confidence_sequence__holds_its_estimate_within_the_bounds(plan, evidence, closing):
    low, high = confidence_sequence(plan, evidence, closing)
    assert evidence.kind.low <= low <= evidence.mean <= high <= evidence.kind.high
    wider = half_width(replace(plan, family=plan.family + 1), evidence, closing)
    assert wider >= half_width(plan, evidence, closing) * (1 - 1e-5)
    less_often = half_width(replace(plan, alpha=plan.alpha / 2), evidence, closing)
    assert less_often >= half_width(plan, evidence, closing) * (1 - 1e-5)


@given(plans(), seen(), st.booleans(), st.floats(0.2, 3))
@settings(max_examples=200)
def test_p_value__is_alpha_at_the_ends_of_the_interval(plan, evidence, closing, factor):
    half = half_width(plan, evidence, closing)
    if math.isinf(half):
        assert p_value(plan, evidence.mean + 1, evidence, closing) == 1
        return
    for side in (-1, 1):
        found = p_value(plan, evidence.mean + side * factor * half, evidence, closing)
        if abs(factor - 1) > 1e-5:
            assert (found <= plan.alpha / plan.family) == (factor > 1)
    assert p_value(plan, evidence.mean, evidence, closing) == 1


@given(st.sampled_from([0.5, 0.8, 0.95]), st.integers(300, 10**7), st.sampled_from([SHARE, DIFFERENCE, NUMBER]))
def test_half_width__passing_looks_are_wider_than_the_closing_one(closing, decks, kind):
    plan, evidence = Plan(decks, closing=closing), Evidence(decks, 0.5, 0.5 / math.sqrt(decks), kind)
    assert half_width(plan, evidence) > half_width(plan, evidence, closing=True) > Z95 * evidence.error


@given(
    plans(), st.sampled_from([0.003, 0.05]), st.sampled_from([0.02, 0.3]), st.sampled_from([SHARE, DIFFERENCE, NUMBER]), st.booleans()
)  # fmt: skip
@settings(max_examples=50)
def test_decks_for__is_the_least_number(plan, half, deviation, kind, closing):
    decks = decks_for(plan, half, deviation, 0.4 if kind is SHARE else 0.0, kind, closing)

    def width(n):
        return half_width(plan, Evidence(n, 0.4 if kind is SHARE else 0.0, deviation / math.sqrt(n), kind), closing)

    assert width(decks) <= half < width(decks - 1)


def test_decks_for__agrees_with_the_textbook_times_the_inflation():
    fixed = (Z95 * 0.5 / 0.001) ** 2
    assert decks_for(PLAN, 0.001, 0.5, 0.5, SHARE) / fixed == pytest.approx(1.098, abs=1e-3)
    assert decks_for(Plan(round(3.32 * fixed)), 0.001, 0.5, closing=False) / fixed == pytest.approx(3.32, abs=0.01)


def test_decks_for__far_too_many():
    assert decks_for(PLAN, 1e-9, 0.5, 0.5, SHARE) is None
    assert decks_for(PLAN, 0.1, 0.0) is None, "numbers that don't vary are never trusted"


@pytest.mark.parametrize(
    "wrong", [{"alpha": 0}, {"alpha": 1}, {"closing": 0}, {"closing": 1}, {"family": 0}, {"tightest": 0}, {"least": 29}]
)
def test_plan__what_cannot_be(wrong):
    with pytest.raises(ValueError, match="lie between 0 and 1|30 decks or more, not 29"):
        Plan(**{"tightest": 1000, **wrong})
