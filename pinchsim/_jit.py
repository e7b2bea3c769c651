"""The one place that calls `numba.njit`: its options, three machine instructions that Python lacks, and the
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
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.cpu import CPUTargetOptions
from numba.core.datamodel.models import OpaqueModel
from numba.core.datamodel.registry import register_default
from numba.core.imputils import lower_constant
from numba.core.options import TargetOptions
from numba.core.registry import CPUDispatcher


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


class _PartType(types.Dispatcher):
    """Numba's type of a function that only compiled functions call.

    As a value it is nothing. Numba's own functions are the address of a Python object, which lives in one process only, and
    code that hands one on (`hooks`) cannot be kept on disk.
    """


register_default(_PartType)(OpaqueModel)


@lower_constant(_PartType)
def _no_value(context, builder, kind, function):
    return context.get_dummy_value()


class _PartDispatcher(CPUDispatcher):
    """A function of that type."""

    @property
    def _numba_type_(self):
        return _PartType(self)


def _part(function, **options):
    """Compile a function that only compiled functions call."""
    compiled = numba.njit(**_COMMON, **_UNWRAPPED, **options)(function)
    if JIT:
        compiled.__class__ = _PartDispatcher
    return compiled


JIT = not numba.config.DISABLE_JIT

_COMMON = {"error_model": "numpy"}
_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler}


def inner(function):
    """Compile a function that only compiled functions call."""
    return _part(function, forceinline=True)


def inner_apart(function):
    """Compile an `inner` function whose arguments do not overlap in memory (and none of which it returns)."""
    return _part(function, forceinline=True, noalias=True)


def inner_called(function):
    """Compile a function that only compiled functions call, without copying it into them."""
    # Said in so many words, for what is not said is taken over from the function that calls this one.
    return _part(function, forceinline=False)


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
    from llvmlite import ir
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

    def dot_of(length):
        """A function for the sum of the products of two float64 arrays of this length, a multiple of eight.

        It sums in eight lanes, always in this order: LLVM may not reorder a sum by itself, and then adds one by one.
        """

        @intrinsic
        def dot(typing_context, a, b):
            return types.float64(a, b), code

        def code(context, builder, signature, arguments):
            double = ir.DoubleType()
            four = ir.VectorType(double, 4)
            pointers = [
                builder.bitcast(context.make_array(kind)(context, builder, value).data, four.as_pointer())
                for kind, value in zip(signature.args, arguments, strict=True)
            ]
            sums = [ir.Constant(four, [0.0] * 4)] * 2
            for k in range(length // 4):
                at = [ir.Constant(ir.IntType(64), k)]
                x, y = (builder.load(builder.gep(pointer, at), align=8) for pointer in pointers)
                sums[k % 2] = builder.fadd(sums[k % 2], builder.fmul(x, y))
            lanes = builder.fadd(*sums)
            parts = [builder.extract_element(lanes, ir.Constant(ir.IntType(32), k)) for k in range(4)]
            return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))

        return dot

else:
    import numpy as np

    def trailing_zeros(x):
        """Number of zero bits below the lowest set bit of a positive integer."""
        return (int(x) & -int(x)).bit_length() - 1

    def fold_product(a, b):
        """Both halves of the 128-bit product of two uint64, combined by exclusive or (uint64)."""
        product = int(a) * int(b)
        return np.uint64((product >> 64) ^ (product & 0xFFFFFFFFFFFFFFFF))

    def dot_of(length):
        """The same sum, in the same order."""

        def dot(a, b):
            lanes = np.zeros(8)
            for k in range(0, length, 8):
                lanes += a[k : k + 8] * b[k : k + 8]
            four = lanes[:4] + lanes[4:]
            return (four[0] + four[1]) + (four[2] + four[3])

        return dot
