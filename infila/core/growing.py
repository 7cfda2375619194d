"""A sequence that only grows, and that many holders share: the moves of a game and of its copies.

A game is copied at every move, by a server that keeps its history and by whoever tries out a move. If the moves were a
tuple, a game of n moves would copy n²/2 of them. Here all copies share one list, and each knows how much of it is its
own past; adding a move is one append. Only a game that departs from what a copy played before it gets a list of its
own.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar, overload

Thing = TypeVar("Thing")


class Growing(Sequence[Thing], Generic[Thing]):
    """Looks like a tuple, equals one, and never changes; `with_next` gives a sequence that is one longer.

    >>> from infila.core.growing import Growing
    >>> moves = Growing(["34", "38"])
    >>> moves.with_next("take"), moves
    (('34', '38', 'take'), ('34', '38'))
    """

    __slots__ = ("_length", "_shared")

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        self._shared = list(things)
        self._length = len(self._shared)

    def with_next(self, thing: Thing) -> "Growing[Thing]":
        """The same and one more."""
        shared, length = self._shared, self._length
        if len(shared) == length:
            shared.append(thing)
        # Another holder may have been here first, even between these two lines, in a thread of its own: all that
        # counts is what is in the next place. Nothing is ever taken out of a shared list.
        if shared[length] != thing:
            shared = [*shared[:length], thing]
        longer: Growing[Thing] = object.__new__(Growing)
        longer._shared, longer._length = shared, length + 1
        return longer

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Thing: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Thing, ...]: ...
    def __getitem__(self, place: int | slice) -> Thing | tuple[Thing, ...]:
        if isinstance(place, slice):
            return tuple(self._shared[i] for i in range(*place.indices(self._length)))
        at = place + self._length if place < 0 else place
        if not 0 <= at < self._length:
            raise IndexError("there is nothing at this index")
        return self._shared[at]

    def __iter__(self) -> Iterator[Thing]:
        return islice(self._shared, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Growing, tuple)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Growing, (tuple(self),)
