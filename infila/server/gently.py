"""Long work in a thread beside the one that answers: before each of its steps whoever answers goes first.

Without that the thread that computes keeps the interpreter for half a millisecond whenever the other wants it, and an
answer wants it several times.
"""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from infila.core.growing import Growing

T = TypeVar("T")


def gently(things: Iterable[T]) -> Iterator[T]:
    for thing in things:
        time.sleep(0)
        yield thing


class Gently(Growing[T]):
    """Things that whoever takes them takes gently."""

    def __iter__(self) -> Iterator[T]:
        return gently(super().__iter__())
