"""Fetching what will be needed from memory while there is other work: the processor's own instruction.

A game's record is read here and there, which processors do not foresee by themselves.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from infila.core.record import Array

LINE = 64  # bytes that memory delivers at a time
WRITE, NEAR, DATA = 1, 3, 1  # as LLVM's prefetch takes them: it will be written, into the nearest cache, not code


def fetch_ahead(rows: Array, i: int) -> None:
    """Fetch row i of an array, if there is one. It changes nothing but how long later reads take."""


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(context: Any, rows: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(array.strides, 0)
        pointer = ir.IntType(8).as_pointer()
        start = builder.ptrtoint(array.data, ir.IntType(64))
        start = builder.add(start, builder.mul(arguments[1], width))
        module = builder.module
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        prefetch = cgutils.get_or_insert_function(module, kind, "llvm.prefetch.p0")
        lines = builder.udiv(builder.add(width, width.type(LINE - 1)), width.type(LINE))
        with cgutils.for_range(builder, lines) as loop:
            at = builder.add(start, builder.mul(loop.index, width.type(LINE)))
            builder.call(prefetch, [builder.inttoptr(at, pointer), number(WRITE), number(NEAR), number(DATA)])
        return context.get_dummy_value()

    return types.void(rows, types.intp), generate


@overload(fetch_ahead)  # type: ignore[untyped-decorator]
def _fetch_ahead(rows: Any, i: Any) -> Any:
    def fetch(rows: Any, i: Any) -> None:
        if i < len(rows):
            _prefetch(rows, i)

    return fetch
