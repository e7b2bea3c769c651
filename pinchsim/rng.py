"""Random numbers addressed by (seed, deck, stream, counter), so that a result never depends on who asks when.

The generator is wyrand (Wang Yi, "wyhash", 2019): a counter that advances by an odd constant; each number is the 128-bit
product of the counter with a masked copy of itself, folded to 64 bits. A stream is a starting counter, made by hashing its
address with the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Nothing is shared between streams, and skipping
ahead is one addition (METHODS M1.1).

Kernels here trust their arguments. All 64-bit arithmetic is unsigned: Numba types `uint64 op int64` as int64 or float64,
so every constant is a `np.uint64`.
"""

import numpy as np

from pinchsim._jit import fold_product, inner

_STEP = np.uint64(0xA0761D6478BD642F)  # wyrand's increment, from one number of a decision to the next
_STRIDE = np.uint64(0xD1B54A32D192ED03)  # from one decision of a stream to the next; odd, unrelated to _STEP
_MASK = np.uint64(0xE7037ED1A0B428DB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_SEED = np.uint64(0x8CB92BA72F3D8DD7)
_STREAM = np.uint64(0xAEF17502108EF2D9)


@inner
def mix(z):
    """Finaliser of SplitMix64: uint64 -> uint64, a bijection that scrambles all bits."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@inner
def stream_start(seed, deck, stream):
    """Counter at which the stream with this address begins (all uint64)."""
    return mix(mix(mix(seed + _SEED) ^ (deck * _GOLDEN)) + stream * _STREAM)


@inner
def next_word(counter):
    """Counter of the next word of a decision or a deck."""
    return counter + _STEP


@inner
def next_decision(counter):
    """Counter at which the stream's next decision begins."""
    return counter + _STRIDE


@inner
def word_at(counter):
    """The 64 random bits at this place of a stream (uint64 -> uint64)."""
    return fold_product(counter, counter ^ _MASK)


@inner
def scale(word, n):
    """Map a random uint64 to 0..n-1 (int64), n < 2**31; the bias is below n / 2**32."""
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@inner
def below(view, n):
    """Next random integer 0..n-1 of the decision's own stream; advances `view.rng`."""
    view.rng = next_word(view.rng)
    return scale(word_at(view.rng), n)


@inner
def below_both(view, n, m):
    """Next random pair of integers, 0..n-1 and 0..m-1, all n * m equally likely; advances `view.rng` once.

    The first is the whole part of a random fraction times n, the second comes from what was left behind the point.
    """
    view.rng = next_word(view.rng)
    product = (word_at(view.rng) >> _S32) * np.uint64(n)
    return np.int64(product >> _S32), np.int64(((product & _LOW) * np.uint64(m)) >> _S32)


@inner
def chance(view):
    """Next random float64 in [0, 1) of the decision's own stream; advances `view.rng`."""
    view.rng = next_word(view.rng)
    return np.float64(word_at(view.rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
