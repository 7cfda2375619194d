"""infila: Zatre, Take That, Completto and Sequence, by their printed rules.

>>> import infila
>>> game = infila.new("take_that", players=3, seed=7)
>>> game.over
False
"""

from infila.core.errors import BadLog, BadOptions, BadPosition, IllegalMove, InfilaError, NoDevice, UnknownGame
from infila.core.game import Game, Stage, View, legal_why, load, new
from infila.core.games import games

__version__ = "0.1.0"

__all__ = [
    "BadLog",
    "BadOptions",
    "BadPosition",
    "Game",
    "IllegalMove",
    "InfilaError",
    "NoDevice",
    "Stage",
    "UnknownGame",
    "View",
    "games",
    "legal_why",
    "load",
    "new",
]
