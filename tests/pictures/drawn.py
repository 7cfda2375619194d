"""What the tests of the pictures need; what must hold of every game's pictures is in infila.conformance."""

import random
from collections.abc import Iterator
from typing import Any

import infila
from infila.conformance import words
from infila.conformance.pictures import moves_can_be_touched, panels, well_formed
from infila.conformance.words import told
from infila.core.words import LANGUAGES
from tests.play import on_trial, random_game

__all__ = ["LANGUAGES", "moves_can_be_touched", "only_what_is_known", "panels", "positions", "told", "well_formed"]


def positions(name: str, sets: list[dict[str, Any]], seed: int, apart: int, most: int) -> Iterator[infila.Game]:
    """Random games, looked at now and then and at their ends."""
    for number, options in enumerate(sets):
        for game in random_game(name, seed + number, most, **options):
            if len(game.history) % apart == number % apart or game.over:
                yield game


def only_what_is_known(game: infila.Game, seat: int | None, chance: random.Random) -> None:
    """The picture is the same in every game that looks the same to the viewer."""
    other = game.redrawn(seat, chance.getrandbits(60))
    assert panels(game, seat) == panels(other, seat)


def seen_by_everybody(name: str, options: dict[str, Any], apart: int, most: int) -> None:
    """What must hold of the picture of every seat, and of a spectator's, over a random game."""
    chance = random.Random(1)
    for game in positions(name, [options], seed=5, apart=apart, most=most):
        for seat in (None, *range(len(game.names))):
            picture = panels(game, seat, chance.choice(LANGUAGES))
            well_formed(picture, game)
            if seat == game.player and not game.over:
                moves_can_be_touched(game, picture)
        only_what_is_known(game, chance.choice([None, *range(len(game.names))]), chance)
        told(game)


def all_languages(name: str) -> None:
    words.languages_say_the_same(on_trial(name))
