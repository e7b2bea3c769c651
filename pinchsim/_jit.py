"""The one place that calls `numba.njit`: its options, machine instructions that Python lacks, and the
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
    from numba.core import cgutils
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

    _LANES = ir.VectorType(ir.DoubleType(), 8)
    _FIRST_LANES, _LAST_LANES = (ir.Constant(ir.VectorType(ir.IntType(32), 4), list(half)) for half in (range(4), range(4, 8)))
    _NOTHING = ir.Constant(_LANES, [0.0] * 8)

    def _lanes(context, builder, kind, array, first=None):
        """Pointer to the elements of a float64 array by eights, from index `first` on."""
        data = context.make_array(kind)(context, builder, array).data
        return builder.bitcast(data if first is None else builder.gep(data, [first]), _LANES.as_pointer())

    def _eight(builder, pointer, k):
        """Pointer to elements 8 k to 8 k + 7."""
        return builder.gep(pointer, [ir.Constant(ir.IntType(64), k)])

    def dot_of(length):
        """A function for the sum of the products of two float64 arrays of this length, a multiple of eight.

        It sums in eight lanes, always in this order: LLVM may not reorder a sum by itself, and then adds one by one.
        """

        @intrinsic
        def dot(typing_context, a, b):
            return types.float64(a, b), code

        def code(context, builder, signature, arguments):
            x, y = (_lanes(context, builder, *both) for both in zip(signature.args, arguments, strict=True))
            total = _NOTHING
            for k in range(length // 8):
                left, right = (builder.load(_eight(builder, pointer, k), align=8) for pointer in (x, y))
                total = builder.fadd(total, builder.fmul(left, right))
            four = builder.fadd(*(builder.shuffle_vector(total, total, half) for half in (_FIRST_LANES, _LAST_LANES)))
            parts = [builder.extract_element(four, ir.Constant(ir.IntType(32), k)) for k in range(4)]
            return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))

        return dot

    def copy_of(length):
        """A function that copies a float64 array of this length, a multiple of eight, into another one.

        Of two arrays of one record LLVM cannot know that they do not overlap, and copies one by one.
        """

        @intrinsic
        def copy(typing_context, target, source):
            return types.void(target, source), code

        def code(context, builder, signature, arguments):
            to, source = (_lanes(context, builder, *both) for both in zip(signature.args, arguments, strict=True))
            for k in range(length // 8):
                builder.store(builder.load(_eight(builder, source, k), align=8), _eight(builder, to, k), align=8)
            return context.get_dummy_value()

        return copy

    def combine_of(width, stride):
        """A function that adds up rows of a float64 table, each times its factor.

        The rows begin `stride` apart from index `first` on, and `width` elements of each count, a multiple of eight. Those
        listed in the first `n` of int64 `rows` are added in this order, with the factors of the same numbers.
        """

        @intrinsic
        def combine(typing_context, total, table, first, factors, rows, n):
            return types.void(total, table, first, factors, rows, n), code

        def code(context, builder, signature, arguments):
            kinds = dict(zip(("total", "table", "first", "factors", "rows", "n"), signature.args, strict=True))
            given = dict(zip(kinds, arguments, strict=True))
            factors, rows = (
                context.make_array(kinds[name])(context, builder, given[name]).data for name in ("factors", "rows")
            )
            sums = [cgutils.alloca_once_value(builder, _NOTHING) for _ in range(width // 8)]
            with cgutils.for_range(builder, given["n"]) as loop:
                row = builder.load(builder.gep(rows, [loop.index]))
                first_lane = builder.insert_element(
                    ir.Constant(_LANES, ir.Undefined), builder.load(builder.gep(factors, [row])), ir.Constant(ir.IntType(32), 0)
                )
                everywhere = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
                factor = builder.shuffle_vector(first_lane, first_lane, everywhere)
                start = builder.add(given["first"], builder.mul(row, ir.Constant(ir.IntType(64), stride)))
                elements = _lanes(context, builder, kinds["table"], given["table"], start)
                for k, lanes in enumerate(sums):
                    product = builder.fmul(builder.load(_eight(builder, elements, k), align=8), factor)
                    builder.store(builder.fadd(builder.load(lanes), product), lanes)
            to = _lanes(context, builder, kinds["total"], given["total"])
            for k, lanes in enumerate(sums):
                builder.store(builder.load(lanes), _eight(builder, to, k), align=8)
            return context.get_dummy_value()

        return combine

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

    def copy_of(length):
        """The same copy."""

        def copy(target, source):
            target[:length] = source[:length]

        return copy

    def combine_of(width, stride):
        """The same sums, in the same order."""

        def combine(total, table, first, factors, rows, n):
            total[:width] = 0.0
            for row in rows[:n]:
                start = first + row * stride
                total[:width] += table[start : start + width] * factors[row]

        return combine
