"""What infila needs of NumPy outside compiled rules: arrays of numbers, and records.

Numbers are Python's own: they come out of an array as plain ints, and only what is put into one is cut to its size.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from struct import Struct
from typing import Any

__version__ = "0"

FORMATS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f8": "d"}
SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "d": 8}


class _Number(type):
    """The type of a number: called, it gives a number of this size."""

    code: str

    def __call__(cls, value: Any = 0) -> Any:
        if cls.code == "f8":
            return float(value)
        bits = 8 * int(cls.code[1])
        kept = int(value) & ((1 << bits) - 1)
        return kept - (1 << bits) if cls.code[0] == "i" and kept >> (bits - 1) else kept


def _number(name: str, code: str) -> _Number:
    return _Number(name, (), {"code": code})


int8, int16, int32, int64 = (_number(f"int{8 * size}", f"i{size}") for size in (1, 2, 4, 8))
uint8, uint16, uint32, uint64 = (_number(f"uint{8 * size}", f"u{size}") for size in (1, 2, 4, 8))
float64 = _number("float64", "f8")


class dtype:
    """The type of what an array holds: numbers, or records of named fields."""

    names: tuple[str, ...] | None = None
    fields: dict[str, tuple["dtype", int]]  # and where each begins
    shape: tuple[int, ...] = ()  # of a field that is an array …
    base: "dtype"  # … of these
    format = ""
    itemsize: int
    read: Callable[[memoryview, int], tuple[Any]]  # a number that lies somewhere

    def __new__(cls, kind: Any, align: bool = False) -> "dtype":
        if isinstance(kind, tuple):  # (record, type)
            kind = kind[1]
        kind = getattr(kind, "dtype", kind)
        return kind if isinstance(kind, dtype) else super().__new__(cls)

    def __init__(self, kind: Any, align: bool = False) -> None:
        if hasattr(self, "itemsize"):  # it is made
            return
        kind = kind[1] if isinstance(kind, tuple) else kind
        if isinstance(kind, list):
            self._lay_out(kind, align)
        else:
            code = {int: "i8", float: "f8"}.get(kind) or getattr(kind, "code", kind)
            self.format = FORMATS[code]
            self.itemsize = SIZES[self.format]
            self.read = Struct(f"={self.format}").unpack_from

    def __class_getitem__(cls, _kind: Any) -> type["dtype"]:
        return cls

    def _lay_out(self, fields: Sequence[Any], align: bool) -> None:
        self.fields = {}
        at, widest = 0, 1
        for name, code, *shape in fields:
            base, field = dtype(code), dtype(code)
            if align:
                at = -(-at // base.itemsize) * base.itemsize
                widest = max(widest, base.itemsize)
            field.base, field.shape = base, tuple(shape[0]) if shape else ()
            field.itemsize *= math.prod(field.shape)
            self.fields[name] = field, at
            at += field.itemsize
        self.names = tuple(self.fields)
        self.itemsize = -(-at // widest) * widest

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, dtype)
            and (self.format, self.names, self.itemsize)
            == (
                other.format,
                other.names,
                other.itemsize,
            )
        )

    @cached_property
    def _hash(self) -> int:
        return hash((self.format, self.names, self.itemsize))

    def __hash__(self) -> int:
        return self._hash


_NUMBERS: dict[Any, dtype] = {}


def _kind(kind: Any) -> dtype:
    """A type, which for numbers is made once."""
    if isinstance(kind, type | str):
        if kind not in _NUMBERS:
            _NUMBERS[kind] = dtype(kind)
        return _NUMBERS[kind]
    return dtype(kind)


class record:
    """One record: a window on the bytes of an array. A field that is an array is such a window too, made once."""

    def __init__(self, memory: memoryview, kind: dtype) -> None:
        object.__setattr__(self, "memory", memory)
        object.__setattr__(self, "dtype", kind)

    def __getattr__(self, name: str) -> Any:
        try:
            field, at = self.dtype.fields[name]
        except KeyError:
            raise AttributeError(name) from None
        if not field.shape:
            return field.read(self.memory, at)[0]
        made = self.__dict__[name] = ndarray(self.memory[at : at + field.itemsize], field.base, field.shape)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        field, at = self.dtype.fields[name]
        numbers = self.memory[at : at + field.itemsize]
        if field.shape:
            ndarray(numbers, field.base, field.shape)[:] = value
        else:
            numbers.cast(field.format)[0] = value

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def item(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.dtype.names or ())

    def tobytes(self) -> bytes:
        return bytes(self.memory)


class ndarray:
    """Numbers or records that lie one after the other."""

    __slots__ = ("dtype", "flat", "memory", "records", "shape")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, memory: memoryview, kind: dtype, shape: tuple[int, ...]) -> None:
        self.memory, self.dtype, self.shape = memory, kind, shape
        self.flat: Any = memory.cast(kind.format) if kind.format else None
        self.records: dict[int, record] | None = None  # that somebody has looked at

    def __class_getitem__(cls, _kind: Any) -> type["ndarray"]:
        return cls

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.memory.nbytes

    def _part(self, begin: int, end: int) -> "ndarray":
        """Rows `begin` to `end`."""
        row = self.dtype.itemsize * math.prod(self.shape[1:])
        return ndarray(self.memory[begin * row : end * row], self.dtype, (end - begin, *self.shape[1:]))

    def _row(self, at: int) -> "ndarray":
        at = at + len(self) if at < 0 else at
        if not 0 <= at < len(self):
            raise IndexError(at)
        row = self.dtype.itemsize * math.prod(self.shape[1:])
        return ndarray(self.memory[at * row : (at + 1) * row], self.dtype, self.shape[1:])

    def __getitem__(self, at: Any) -> Any:
        if type(at) is int and len(self.shape) == 1:  # mostly
            return self.flat[at] if self.flat is not None else self._record(at)
        if isinstance(at, tuple):
            return self[at[0]][at[1] if len(at) == 2 else at[1:]]
        if isinstance(at, slice):
            begin, end, step = at.indices(len(self))
            return self._part(begin, max(begin, end)) if step == 1 else array(self.tolist()[at], self.dtype)
        if isinstance(at, str):
            return array([getattr(each, at) for each in self])
        if isinstance(at, list):
            return concatenate([self._part(i, i + 1) for i in at]) if at else self._part(0, 0)
        if len(self.shape) > 1:
            return self._row(at)
        return self.flat[at] if self.flat is not None else self._record(at)

    def _record(self, at: int) -> record:
        known = self.records = self.records or {}
        if at not in known:
            known[at] = record(self._row(at).memory, self.dtype)
        return known[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, tuple):
            self[at[0]][at[1] if len(at) == 2 else at[1:]] = value
        elif isinstance(at, str):
            for each in self:
                setattr(each, at, value)
        elif isinstance(at, slice):
            part = self[at]
            for i in range(len(part)):
                part[i] = value[i] if hasattr(value, "__len__") else value
        elif len(self.shape) > 1:
            self._row(at)[:] = value
        elif self.flat is None:
            self._row(at).memory[:] = value.memory
        else:
            self.flat[at] = value

    def __iter__(self) -> Iterator[Any]:
        plain = self.flat is not None and len(self.shape) == 1
        return iter(self.flat) if plain else map(self.__getitem__, range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return value in self.tolist()

    def tolist(self) -> list[Any]:
        if self.flat is not None and len(self.shape) == 1:
            return list(self.flat.tolist())
        if self.flat is not None and 0 not in self.shape:
            return list(self.memory.cast(self.dtype.format, self.shape).tolist())
        return [each.item() if isinstance(each, record) else each.tolist() for each in self]

    def tobytes(self) -> bytes:
        return bytes(self.memory)

    def copy(self) -> "ndarray":
        return ndarray(memoryview(bytearray(self.memory)), self.dtype, self.shape)

    def searchsorted(self, value: Any, side: str = "left") -> int:
        return (bisect_right if side == "right" else bisect_left)(self.flat, value)

    def __neg__(self) -> "ndarray":
        return array([-each for each in self])


def _shape_of(values: Any) -> tuple[int, ...]:
    return (len(values), *_shape_of(values[0])) if isinstance(values, list | tuple | ndarray) and len(values) else ()


def zeros(shape: int | tuple[int, ...], kind: Any = float) -> ndarray:
    found, shape = _kind(kind), (shape,) if isinstance(shape, int) else shape
    return ndarray(memoryview(bytearray(found.itemsize * math.prod(shape))), found, shape)


def array(values: Iterable[Any], dtype: Any = None) -> ndarray:
    values = list(values)
    if values and isinstance(values[0], record):
        return concatenate([asarray(each) for each in values])
    shape = _shape_of(values) or (0,)
    first = values
    while first and isinstance(first[0], list | tuple | ndarray):
        first = [each for row in first for each in row]
    made = zeros(shape, dtype or (float if any(isinstance(each, float) for each in first) else int))
    for i, each in enumerate(first):
        made.flat[i] = each
    return made


def asarray(values: Any) -> ndarray:
    """Not a copy: an array of one record is a window on it."""
    if isinstance(values, record):
        return ndarray(values.memory, values.dtype, (1,))
    return values if isinstance(values, ndarray) else array(values)


def arange(end: int, dtype: Any = None) -> ndarray:
    return array(range(end), dtype)


def frombuffer(memory: Any, kind: Any) -> ndarray:
    found = dtype(kind)
    return ndarray(memoryview(memory), found, (len(memory) // found.itemsize,))


def concatenate(parts: Sequence[ndarray]) -> ndarray:
    made = bytearray().join(part.memory for part in parts)
    return ndarray(memoryview(made), parts[0].dtype, (sum(map(len, parts)), *parts[0].shape[1:]))


def argsort(values: ndarray, kind: str = "stable") -> ndarray:
    key: Callable[[int], Any] = values.tolist().__getitem__
    return array(sorted(range(len(values)), key=key), int64)
