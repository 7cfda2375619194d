"""Records: a game state is one record of fixed size, described by one annotated class.

The class says everything about a record. `record` makes NumPy's type from it, rules take it as a type, and
mypy then knows every field. It is never instantiated: what rules get is an element of a NumPy array.

>>> from infila.core.record import I1, I4, Ints, Record, array
>>> class State(Record):
...     points: Ints = array(I4, 2)
...     turn: I1
>>> State.dtype.names
('points', 'turn', '_pad')
"""

from collections.abc import Iterator, Sequence
from inspect import get_annotations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol, TypeAlias, TypeVar, get_args, overload

import numpy as np

# whole numbers by their size in bytes, signed and unsigned, and a real number
I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]
I4 = Annotated[int, "i4"]
I8 = Annotated[int, "i8"]
U1 = Annotated[int, "u1"]
U8 = Annotated[int, "u8"]
F8 = Annotated[float, "f8"]

if TYPE_CHECKING:  # to a type checker, a number of any size is just a number
    int8 = int64 = uint64 = int
else:
    int8, int64, uint64 = np.int8, np.int64, np.uint64

Number = TypeVar("Number", int, float)


class Row(Protocol[Number]):
    """An array of one dimension: a field of a record, a buffer, a table of constants."""

    @overload
    def __getitem__(self, at: int, /) -> Number: ...
    @overload
    def __getitem__(self, at: slice, /) -> "Row[Number]": ...
    @overload
    def __setitem__(self, at: int, value: Number, /) -> None: ...
    @overload
    def __setitem__(self, at: slice, value: Number | Sequence[Number], /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Number]: ...
    def tolist(self) -> list[Number]: ...


class Grid(Protocol):
    """An array of two dimensions."""

    @overload
    def __getitem__(self, at: tuple[int, int], /) -> int: ...
    @overload
    def __getitem__(self, at: int, /) -> Row[int]: ...
    def __setitem__(self, at: int | slice | tuple[int | slice, int | slice], value: int | Sequence[int], /) -> None: ...
    def __len__(self) -> int: ...
    def tolist(self) -> list[list[int]]: ...


Described = TypeVar("Described")


class Records(Protocol[Described]):
    """An array of records, as rules take it."""

    def __getitem__(self, at: int, /) -> Described: ...
    def __setitem__(self, at: int, value: Described, /) -> None: ...
    def __len__(self) -> int: ...


Ints: TypeAlias = Row[int]
Floats: TypeAlias = Row[float]

# what entries take (`infila.core.entry`): a number of eight bytes without a sign, and rows of numbers
Word = Annotated[Any, "u8"]
I1s = Annotated[Ints, "i1"]
I2s = Annotated[Ints, "i2"]
I8s = Annotated[Ints, "i8"]
U8s = Annotated[Ints, "u8"]
F8s = Annotated[Floats, "f8"]

Table: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"  # an array of constants
Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"  # of any shape, which rules ask for
States: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"  # an array of records: how states are held in Python


def array(kind: Any, *shape: int) -> Any:
    """The value of a field that is an array: the type of its numbers, and how many there are in each dimension."""
    return (get_args(kind)[1], shape)


class Record:
    """The base of every record."""

    dtype: ClassVar["np.dtype[Any]"]  #: its NumPy type

    def __init_subclass__(cls) -> None:
        cls.dtype = record(cls)


def record(described: type) -> "np.dtype[Any]":
    """The NumPy type of an annotated class: C-aligned, with no hidden padding, so that equal records have equal bytes.

    The wide fields come first; a field `_pad` fills up the last word.
    """
    fields = _fields(described)
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise TypeError(f"a field cannot be called {name!r}: un-jitted, s.{name} would be NumPy's own attribute")
    size = np.dtype(fields, align=True).itemsize
    gap = size - np.dtype(fields).itemsize
    aligned = np.dtype([*fields, ("_pad", "u1", (gap,))] if gap else fields, align=True)
    widths = [entry[0].itemsize for entry in (aligned.fields or {}).values()]
    if aligned.itemsize != size or sum(widths) != size:
        raise TypeError("the fields of a record must be ordered from wide to narrow")
    return np.dtype((np.record, aligned))


def _fields(described: type) -> list[tuple[str, str, tuple[int, ...]]]:
    """Name, type and shape of each field, those of base classes first."""
    found: list[tuple[str, str, tuple[int, ...]]] = []
    for base in reversed(described.__mro__):
        if not (issubclass(base, Record) and base is not Record):
            continue
        for name, kind in get_annotations(base).items():
            code, shape = base.__dict__[name] if name in base.__dict__ else (get_args(kind)[1], ())
            found.append((name, code, shape))
    return found


def copied(states: States) -> States:
    """A copy of records. NumPy copies field by field; copying all bytes at once is ten times as fast."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def plain(s: Any) -> SimpleNamespace:
    """A record's fields as Python numbers and lists: much faster to read from Python than the record."""
    values = zip(s.dtype.names, s.item(), strict=True)
    return SimpleNamespace(**{name: value if type(value) is int else value.tolist() for name, value in values})
