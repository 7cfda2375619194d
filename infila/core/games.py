"""Which games there are. A game's modules, and with them the compiler, are imported only when it is asked for."""

import importlib
from functools import cache
from typing import TYPE_CHECKING

from infila.core.errors import UnknownGame

if TYPE_CHECKING:
    from infila.core.contract import Contract

NAMES = ("zatre", "take_that", "completto", "sequence")


def games() -> tuple[str, ...]:
    """The names of all games.

    >>> import infila
    >>> infila.games()
    ('zatre', 'take_that', 'completto', 'sequence')
    """
    return NAMES


@cache
def contract_of(name: str) -> "Contract":
    """The contract of a game, ready for compiled code."""
    if name not in NAMES:
        raise UnknownGame(f"there is no game {name!r}. The games are {', '.join(NAMES)}.")
    contract: Contract = importlib.import_module(f"infila.games.{name}").CONTRACT
    from infila.core.contract import register

    register(contract.rules)
    return contract
