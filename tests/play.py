"""What several tests need: option sets, and random positions of a game."""

import random
from collections.abc import Iterator
from typing import Any

import infila
from tests.compare import OPTION_SETS

GAMES = infila.games()


def option_id(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values())


def every_option_set() -> list[tuple[str, dict[str, Any]]]:
    return [(name, options) for name in GAMES for options in OPTION_SETS[name]]


def random_game(name: str, seed: int, most: int | None = None, **options: Any) -> Iterator[infila.Game]:
    """A random game, given at its beginning and after every move; kinds of moves are chosen first."""
    chance = random.Random(seed)
    game = infila.new(name, seed=seed, **options)
    yield game
    played = 0
    while not game.over and (most is None or played < most):
        kinds: dict[str, list[str]] = {}
        for move in game.moves:
            kinds.setdefault(kind_of(move), []).append(move)
        weights = [1 if kind == "offence" else 30 for kind in kinds]
        game.play(chance.choice(kinds[chance.choices(list(kinds), weights)[0]]))
        played += 1
        yield game


def kind_of(move: str) -> str:
    """A rough kind of a move by its text: its word, or its sign."""
    move = move.split(": ")[-1]
    for sign in ("@", "x", ">"):
        if sign in move:
            return sign
    return move.split()[0] if move[0].isalpha() else "number"
