"""What several tests need: option sets, and random positions of a game."""

import json
import os
from typing import Any

from infila.conformance.trial import Trial, kind_of, random_game
from infila.core.game import Game, View
from infila.core.games import NAMES
from infila.core.words import LANGUAGES
from tests.compare import OPTION_SETS

__all__ = ["EXAMPLES", "GAMES", "every_option_set", "kind_of", "on_trial", "option_id", "position_in", "random_game"]

GAMES = NAMES
EXAMPLES = 10_000 if "EVERY_CHECK" in os.environ else 300  # of what strangers may send


def option_id(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values())


def position_in(board: Game | View) -> dict[str, Any]:
    """The position by its fields."""
    fields: dict[str, Any] = json.loads(board.position)
    return fields


def every_option_set() -> list[tuple[str, dict[str, Any]]]:
    return [(name, options) for name in GAMES for options in OPTION_SETS[name]]


def on_trial(name: str, *options: dict[str, Any], seed: int = 1, often: float = 0.02, most: int = 400) -> Trial:
    """One of the four games, for the checks of infila.conformance, which long games need only now and then."""
    return Trial(name, options, seed, often, most, languages=LANGUAGES)
