"""infila: tabletop games by their printed rules; `infila.games()` lists them.

>>> import infila
>>> game = infila.new("take_that", players=3, seed=7)
>>> game.over
False
"""

import importlib
from typing import TYPE_CHECKING, Any

from infila.core.errors import BadLog, BadOptions, BadPosition, IllegalMove, InfilaError, NoDevice, UnknownGame
from infila.core.game import Game, Stage, View, load, new
from infila.core.games import games

if TYPE_CHECKING:
    from infila.players.hints import Hint, hints
    from infila.players.player import Candidate, Player, Thought, player
    from infila.reviewing.ledger import Review
    from infila.reviewing.review import review

__version__ = "0.1.0"

# what needs the compiler is imported on demand
_LATER = dict.fromkeys(("Candidate", "Player", "Thought", "player"), "infila.players.player")
_LATER |= dict.fromkeys(("Hint", "hints"), "infila.players.hints")
_LATER |= {"Review": "infila.reviewing.ledger", "review": "infila.reviewing.review"}

__all__ = [
    "BadLog",
    "BadOptions",
    "BadPosition",
    "Candidate",
    "Game",
    "Hint",
    "IllegalMove",
    "InfilaError",
    "NoDevice",
    "Player",
    "Review",
    "Stage",
    "Thought",
    "UnknownGame",
    "View",
    "games",
    "hints",
    "load",
    "new",
    "player",
    "review",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'infila' has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name]), name)
