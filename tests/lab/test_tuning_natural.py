"""The natural gradient step against its closed form, and its parts against plain numpy."""

import numpy as np
import pytest

from pinchsim.games.seam import Block, Lessons
from pinchsim.lab.tuning import natural
from pinchsim.lab.tuning.natural import baseline, natural_step, reduce_lessons, spread

BLOCKS = (Block("a", 0, 2, 3), Block("b", 6, 2, 2))


def constructed(n=4000, seed=3, blocks=BLOCKS):
    """Random lessons whose outcomes depend on contexts, position and the slope."""
    rng = np.random.default_rng(seed)
    contexts = np.stack([np.ones(n), rng.random(n)], axis=1).astype(np.float32)
    gains = rng.normal(size=(n, 4)).astype(np.float32)
    kinds, players = rng.integers(len(blocks), size=n), rng.integers(3, size=n)
    outcomes = 0.3 * contexts[:, 1] ** 2 + 0.1 * players + 0.2 * gains[:, 0] + 0.1 * rng.normal(size=n)
    return Lessons(gains, contexts, kinds, players, outcomes.astype(np.float32), 0)


def by_hand(lessons, kind, block):
    """Gradient and Fisher matrix by loops and least squares, in double precision."""
    rows = np.flatnonzero(lessons.kinds == kind)
    c = lessons.contexts[rows].astype(float)
    products = np.stack([c[:, 0] * c[:, 0], c[:, 0] * c[:, 1], c[:, 1] * c[:, 1]], axis=1)
    design = np.concatenate([products, np.eye(3)[lessons.players[rows]]], axis=1)
    outcomes = lessons.outcomes[rows].astype(float)
    advantages = outcomes - design @ np.linalg.lstsq(design, outcomes, rcond=None)[0]
    slopes = np.array([np.outer(c[k], lessons.gains[row, : block.features]).ravel() for k, row in enumerate(rows)])
    return (advantages[:, None] * slopes).mean(axis=0), slopes.T @ slopes / len(rows), advantages


@pytest.mark.parametrize("kind", [0, 1])
def test_natural_step__closed_form(kind):
    lessons, kl = constructed(), 0.02
    step = natural_step(reduce_lessons(lessons, BLOCKS, 3)[kind], kl, 0.0)
    gradient, fisher, _ = by_hand(lessons, kind, BLOCKS[kind])
    direction = np.linalg.solve(fisher, gradient)
    expected = direction * np.sqrt(2 * kl / (direction @ gradient))
    np.testing.assert_allclose(step.change, expected, rtol=2e-3, atol=1e-4)
    assert step.kl == kl
    assert 0.5 * step.change @ fisher @ step.change == pytest.approx(kl, rel=2e-3), "the KL divergence to second order"


def test_natural_step__does_not_depend_on_how_features_are_scaled():
    lessons = constructed()
    scaled = lessons._replace(gains=lessons.gains * np.array([10, 1, 0.1, 1], np.float32))
    plain, other = (natural_step(reduce_lessons(x, BLOCKS, 3)[0], 0.01, 0.0).change.reshape(2, 3) for x in (lessons, scaled))
    np.testing.assert_allclose(other * [10, 1, 0.1], plain, rtol=1e-2, atol=1e-4)


def test_reduce_lessons__parts_add_up():
    lessons = constructed()
    halves = [Lessons(*(x[part] for x in lessons[:5]), 0) for part in (slice(0, 2000), slice(2000, None))]
    first, second = (reduce_lessons(half, BLOCKS, 3)[0] for half in halves)
    total = first + second
    assert total.lessons == first.lessons + second.lessons == (lessons.kinds == 0).sum()
    np.testing.assert_array_equal(total.fisher, first.fisher + second.fisher)
    for name in ("slope", "left", "total", "fisher_lessons"):
        np.testing.assert_array_equal(getattr(total, name), getattr(first, name) + getattr(second, name))


def test_reduce_lessons__explained():
    lessons = constructed()
    sums = reduce_lessons(lessons, BLOCKS, 3)[0]
    _, _, advantages = by_hand(lessons, 0, BLOCKS[0])
    assert sums.left == pytest.approx((advantages**2).sum(), rel=1e-3)
    outcomes = lessons.outcomes[lessons.kinds == 0]
    assert sums.total == pytest.approx(((outcomes - outcomes.mean()) ** 2).sum(), rel=1e-3)


def test_reduce_lessons__samples_for_the_fisher_matrix(monkeypatch):
    monkeypatch.setattr(natural, "FISHER_LESSONS", 100)
    sums = reduce_lessons(constructed(), BLOCKS, 3)[0]
    assert sums.fisher_lessons == 100 < sums.lessons
    assert np.linalg.eigvalsh(sums.fisher).min() > 0


def test_natural_step__too_few_lessons_or_no_gain():
    lessons = constructed(n=8)
    for sums in reduce_lessons(lessons, BLOCKS, 3):
        assert (natural_step(sums, 0.01, 0.001).change == 0).all()
    nothing = reduce_lessons(lessons._replace(kinds=lessons.kinds * 0), BLOCKS, 3)[1]
    assert nothing.lessons == 0
    assert natural_step(nothing, 0.01, 0.001).kl == 0
    flat = reduce_lessons(constructed()._replace(outcomes=np.zeros(4000, np.float32)), BLOCKS, 3)[0]
    assert (natural_step(flat, 0.01, 0.001).change == 0).all(), "no gradient, no step"


def test_natural_step__features_that_never_differ_stay():
    lessons = constructed()
    lessons.gains[:, 1] = 0
    change = natural_step(reduce_lessons(lessons, BLOCKS, 3)[0], 0.01, 0.001).change.reshape(2, 3)
    assert (change[:, 1] == 0).all()
    assert (change[:, 0] != 0).all()


def test_baseline__exact_where_it_can_be():
    lessons = constructed()
    promised = 0.2 + 0.5 * lessons.contexts[:, 1] - 0.4 * lessons.contexts[:, 1] ** 2 + 0.1 * lessons.players
    found = baseline(lessons.contexts, lessons.players, promised.astype(np.float32), 3)
    np.testing.assert_allclose(found, promised, atol=1e-3)


def test_spread():
    assert spread(3, 5).tolist() == [0, 1, 2]
    assert spread(10, 5).tolist() == [0, 2, 4, 6, 8]
    assert spread(7, 3).tolist() == [0, 2, 4]
