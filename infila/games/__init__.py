"""The games, one folder each, all built the same way.

`infila.games` is this package and, as the library's first word, a function: `infila.games()` names the games.
"""

import sys
from types import ModuleType

from infila.core.games import games


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        return games()


sys.modules[__name__].__class__ = _Games
