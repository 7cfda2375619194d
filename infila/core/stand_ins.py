"""What Python runs while a rule is not compiled: a stand-in, where there is one for the game.

Nobody at a table should wait for the compiler. There, entries run in the game's module (`infila.wasm`), and the few
small rules that Python calls directly run as the plain Python that they are. Compiled callers are not affected, and a
rule that has been compiled is called as if there were no stand-ins.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol


class StandIn(Protocol):
    """A place where a game's entries run."""

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an entry by its name, with what the compiled one takes."""


Find = Callable[[Any], StandIn | None]  # for the type of a game's record


class StandIns:
    """Those of this process: none, until somebody says how they are found."""

    def __init__(self) -> None:
        self._find: Find | None = None
        self._found: dict[Any, StandIn | None] = {}

    def use(self, find: Find | None) -> None:
        """From now on, look for stand-ins like this; with None, there are none."""
        self._find = find
        self._found.clear()

    def of(self, record: Any) -> StandIn | None:
        """The stand-in for the game with this type of record."""
        if self._find is None:
            return None
        if record not in self._found:
            self._found[record] = self._find(record)
        return self._found[record]

    def instead(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
        """What to call instead of compiling a rule for these arguments; None if it has to be compiled."""
        if self._find is None:
            return None
        kind = getattr(arguments[0], "dtype", None) if arguments else None
        if kind is None or kind.names is None:
            return function
        game = self.of(kind)
        if game is None:
            return None
        name = getattr(function, "entry", None)
        return function if name is None else partial(game.call, name)


STAND_INS = StandIns()
