"""What processors can do and Python cannot say: the lowest and highest bit of a number, and how many are set."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload


def lowest_bit(bits: int) -> int:
    """The place of the lowest bit set in a positive int64."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def count_bits(bits: int) -> int:
    """How many bits are set in an int64 that is not negative."""
    return int(bits).bit_count()


def highest_bit(bits: int) -> int:
    """The place of the highest bit set in a positive int64."""
    return int(bits).bit_length() - 1


def teach(overload: Callable[..., Any], intrinsic: Callable[..., Any]) -> None:
    """Let a compiler, for the CPU or for CUDA, use the processor's own instructions instead."""

    never_zero = ir.Constant(ir.IntType(1), 1)

    def count_trailing_zeros(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], never_zero)

        return types.int64(types.int64), generate

    def count_ones(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    def count_leading_zeros(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctlz(arguments[0], never_zero)

        return types.int64(types.int64), generate

    trailing = intrinsic(count_trailing_zeros)
    leading = intrinsic(count_leading_zeros)
    ones = intrinsic(count_ones)
    overload(lowest_bit, strict=False)(lambda bits: lambda bits: trailing(bits))
    overload(highest_bit, strict=False)(lambda bits: lambda bits: 63 - leading(bits))
    overload(count_bits, strict=False)(lambda bits: lambda bits: ones(bits))


teach(overload, intrinsic)
