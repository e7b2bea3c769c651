"""The one place that calls `numba.njit`: its options, two machine instructions that Python lacks, and the
switch for runs without compilation.

Four decorators are enough:

- `inner` for functions that only other compiled functions call. They get no Python wrapper (a third of the compile
  time) and are inlined by LLVM, which measured 5-10 % faster. Calling one from Python is an error.
- `inner_apart` for the few of them that a whole game lies in: an `inner` function whose arguments never overlap in memory. LLVM
  then keeps what it has read of one record while it writes into another, which measured 5 % faster.
- `inner_called` for what happens seldom or is asked for in many places: it stays a function of its own, so that it is compiled
  once and not once for each caller.
- `entry` for the few functions that Python calls. They release the GIL, so threads scale.

The kernels that play games are entries too, but cached on disk; `pinchsim.strategy.kernels` says how.
"""

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.cpu import CPUTargetOptions
from numba.core.options import TargetOptions


class _Part(JITCodeLibrary):
    """Code that is only linked into other code: it is neither optimised nor made into machine code by itself.

    Numba does both for every function and all that it calls, so that the innermost would be done once for each level above it.
    """

    def _optimize_final_module(self):
        """Whoever links this optimises the whole."""

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        """No address: nobody calls this from Python."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self):
        """For `set_env`, all that is asked of it here."""
        return self

    def set_env(self, name, env):
        """No environment either: it is for exceptions, and kernels raise none."""


class _PartCompiler(Compiler):
    """Numba's compiler, which puts a function into a `_Part`."""

    def __init__(self, typingctx, targetctx, library, *others):
        if library is None:
            library = _Part(targetctx.codegen(), "part")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *others)


# Numba has this option of LLVM, but no name for it among those of `njit`.
CPUTargetOptions.noalias = TargetOptions.Mapping("noalias")

JIT = not numba.config.DISABLE_JIT

_COMMON = {"error_model": "numpy"}
_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler}
_INNER = {**_UNWRAPPED, "forceinline": True}


def inner(function):
    """Compile a function that only compiled functions call."""
    return numba.njit(**_COMMON, **_INNER)(function)


def inner_apart(function):
    """Compile an `inner` function whose arguments do not overlap in memory (and none of which it returns)."""
    return numba.njit(**_COMMON, **_INNER, noalias=True)(function)


def inner_called(function):
    """Compile a function that only compiled functions call, without copying it into them."""
    return numba.njit(**_COMMON, **_UNWRAPPED)(function)


def entry(function):
    """Compile a function that Python calls; it runs without the GIL."""
    return numba.njit(**_COMMON, nogil=True)(function)


def cached_entry(function):
    """Compile a function that Python calls and keep the machine code on disk, beside the function's file.

    Numba's cache looks at that one file only, so use it for nothing but generated modules whose name is a digest of
    everything they call.
    """
    return numba.njit(**_COMMON, nogil=True, cache=True)(function)


if JIT:
    from numba.core import types
    from numba.cpython.unsafe.numbers import trailing_zeros
    from numba.extending import intrinsic

    @intrinsic
    def fold_product(typing_context, a, b):
        """Both halves of the 128-bit product of two uint64, combined by exclusive or (uint64)."""

        def code(context, builder, signature, arguments):
            wide, narrow = context.get_value_type(types.uint64).__class__(128), context.get_value_type(types.uint64)
            x, y = (builder.zext(argument, wide) for argument in arguments)
            product = builder.mul(x, y)
            high = builder.trunc(builder.lshr(product, wide(64)), narrow)
            return builder.xor(high, builder.trunc(product, narrow))

        return types.uint64(types.uint64, types.uint64), code

else:
    import numpy as np

    def trailing_zeros(x):
        """Number of zero bits below the lowest set bit of a positive integer."""
        return (int(x) & -int(x)).bit_length() - 1

    def fold_product(a, b):
        """Both halves of the 128-bit product of two uint64, combined by exclusive or (uint64)."""
        product = int(a) * int(b)
        return np.uint64((product >> 64) ^ (product & 0xFFFFFFFFFFFFFFFF))
