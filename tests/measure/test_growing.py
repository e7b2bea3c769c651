"""What estimates keep of each deck: small, and without loss."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure.growing import Ratio, small


@pytest.mark.parametrize(
    ("x", "kind"),
    [
        ([0, 1, 255], np.uint8),
        ([0, 256], np.uint16),
        ([65536.0, 0.5, -3], np.float32),
        ([-1, 1], np.float32),
        ([1 / 3], np.float64),
        ([2.0**24 + 1], np.float64),
        ([math.nan], np.float64),
        ([1e300], np.float64),
    ],
)
def test_small__the_fewest_bytes(x, kind):
    assert small(np.array(x, np.float64)).dtype == kind


@given(st.lists(st.one_of(st.floats(), st.integers(-5, 300).map(float)), min_size=1, max_size=5))
@settings(deadline=None)  # a busy machine
def test_small__loses_nothing(x):
    x = np.array(x)
    np.testing.assert_array_equal(small(x).astype(np.float64), x)


def test_ratio__grows_part_by_part():
    whole, parts = Ratio("cards", False), Ratio("cards", False)
    x, y = np.random.default_rng(1).random((2, 100))
    whole.add(x, y, 100)
    for k in (0, 50):
        parts.add(x[k : k + 50], y[k : k + 50], 50)
    assert list(parts.rows()) == list(whole.rows())
    assert list(parts.rows()) == list(whole.rows()), "asked twice, it says the same"
