"""The one thing that rules need of a processor and Python has no word for: where the lowest bit of a number is."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload


def lowest_bit(bits: Any) -> Any:
    """The place of the lowest bit that is set, of a positive int64."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def teach(overload: Callable[..., Any], intrinsic: Callable[..., Any]) -> None:
    """Let a compiler, for the CPU or for CUDA, put the processor's own instruction in its place."""

    def count_trailing_zeros(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    instruction = intrinsic(count_trailing_zeros)
    overload(lowest_bit, strict=False)(lambda bits: lambda bits: instruction(bits))


teach(overload, intrinsic)
