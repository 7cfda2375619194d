"""Entries: the compiled functions that Python calls with arrays and numbers.

An entry is a rule with a short name. Its annotations say what it takes to the byte, so that it can also be built for a
place that knows neither Python nor NumPy (`infila.wasm`).

>>> from infila.core import driver
>>> [kind.code for kind in ENTRIES["legal"].takes]
['State', 'i8', 'i2']
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin

from infila.core.record import Record, Records, States
from infila.core.rule import rule

Function = TypeVar("Function", bound=Callable[..., Any])

STATE = "State"  # the record of the game


@dataclass(frozen=True)
class Kind:
    """What an argument is."""

    code: str  #: of a number, as NumPy writes it, or the name of a record
    many: bool  #: whether it is an array of them
    record: type[Record] | None = None  #: a record of the search


@dataclass(frozen=True)
class Entry:
    name: str
    function: Any  #: compiled when it is first called
    arguments: dict[str, Any]  #: their names and annotations

    @property
    def takes(self) -> tuple[Kind, ...]:
        """The kinds of its arguments; a tuple of arrays counts as its members."""
        return tuple(kind for annotation in self.arguments.values() for kind in kinds_of(annotation))


ENTRIES: dict[str, Entry] = {}
"""All entries by their names, once the modules that have them are imported: see `infila.wasm.compile`."""


def entry(name: str) -> Callable[[Function], Function]:
    """The decorator of an entry: a rule that Python calls."""

    def decorate(function: Function) -> Function:
        function.entry = name  # type: ignore[attr-defined]
        compiled = rule(function)
        arguments = inspect.get_annotations(function)
        arguments.pop("return")
        ENTRIES[name] = Entry(name, compiled, arguments)
        return compiled

    return decorate


def kinds_of(annotation: Any) -> Iterator[Kind]:
    """The kinds of what goes in for an argument."""
    if annotation is States:
        yield Kind(STATE, many=True)
    elif annotation is int:
        yield Kind("i8", many=False)
    elif get_origin(annotation) is Annotated:
        held, code = get_args(annotation)
        yield Kind(code, many=held not in (int, float, Any))
    elif get_origin(annotation) is Records:
        (described,) = get_args(annotation)
        yield Kind(described.__name__, many=True, record=described)
    else:
        for member in inspect.get_annotations(annotation).values():
            yield from kinds_of(member)
