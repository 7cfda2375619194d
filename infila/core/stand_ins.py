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


STAND_INS: dict[Any, StandIn] = {}
"""For the type of a game's record, what runs its entries."""


def stand_in(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of compiling a rule for these arguments; None if it has to be compiled."""
    if not STAND_INS:
        return None
    kind = getattr(arguments[0], "dtype", None) if arguments else None
    if kind is None or kind.names is None:
        return function
    game = STAND_INS.get(kind)
    if game is None:
        return None
    name = getattr(function, "entry", None)
    return function if name is None else partial(game.call, name)
