"""Random numbers: published values, uniform fields, no memory between decks, streams, seeds and decisions."""

import numpy as np
import pytest
from scipy import stats

from pinchsim import rng
from pinchsim._jit import entry

N = 200_000


@entry
def words(seed, first_deck, n, stream, decision, out):
    """First word of a decision of one stream for many decks."""
    for k in range(n):
        counter = rng.stream_start(np.uint64(seed), np.uint64(first_deck + k), np.uint64(stream))
        for _ in range(decision):
            counter = rng.next_decision(counter)
        out[k] = rng.word_at(rng.next_word(counter))


@entry
def run(counter, n, out):
    """Successive words from a counter on."""
    for k in range(n):
        counter = rng.next_word(counter)
        out[k] = rng.word_at(counter)


@entry
def bounded(word, n):
    return rng.scale(word, n)


def first_words(seed=1, deck=0, stream=1, decision=1, n=N):
    out = np.zeros(n, np.uint64)
    words(seed, deck, n, stream, decision, out)
    return out


def test_wyrand__is_the_published_generator():
    """Wang Yi's wyrand, written again with Python integers."""
    mask, state, expected = 2**64 - 1, 42, []
    for _ in range(5):
        state = (state + 0xA0761D6478BD642F) & mask
        product = state * (state ^ 0xE7037ED1A0B428DB)
        expected.append((product >> 64) ^ (product & mask))
    out = np.zeros(5, np.uint64)
    run(np.uint64(42), 5, out)
    assert out.tolist() == expected


@pytest.mark.parametrize("shift", [0, 13, 26, 39, 52])
def test_fields__are_uniform(shift):
    for sample in (first_words(), first_words(stream=0, decision=0), first_words(decision=7)):
        field = (sample >> np.uint64(shift)) & np.uint64(0xFFF)
        assert stats.chisquare(np.bincount(field.astype(np.int64), minlength=4096)).pvalue > 1e-5


@pytest.mark.parametrize(
    "other",
    [{"deck": 1}, {"seed": 2}, {"stream": 2}, {"decision": 2}, {"deck": 2**40}],
    ids=["deck", "seed", "stream", "decision", "far"],
)
def test_neighbours__are_not_correlated(other):
    a, b = first_words().astype(np.float64), first_words(**other).astype(np.float64)
    assert abs(np.corrcoef(a, b)[0, 1]) < 5 / N**0.5
    low_a, low_b = (x & np.uint64(1) for x in (first_words(), first_words(**other)))
    assert abs(np.mean(low_a == low_b) - 0.5) < 5 * 0.5 / N**0.5


def test_decks__do_not_repeat():
    seen = np.concatenate([first_words(seed=s, stream=t, decision=0) for s in (1, 2) for t in (0, 1)])
    assert np.unique(seen).size == seen.size


def test_scale__covers_its_range():
    assert bounded(np.uint64(0), 108) == 0
    assert bounded(np.uint64(2**64 - 1), 108) == 107
    counts = np.bincount([bounded(w, 7) for w in first_words(n=21_000)])
    assert stats.chisquare(counts).pvalue > 1e-5
