"""Computer players: they see only what their seat may, keep the rules, and answer the same question the same way."""

import random

from infila.conformance.demand import demand, same
from infila.conformance.trial import Trial, random_game
from infila.core.game import Game
from infila.players.player import player

PLAYERS = ("random", "beginner", "casual", "club", "expert:60", "master:60", "search:60")


def decisions(trial: Trial, count: int) -> list[tuple[Game, int]]:
    """Positions of random games in which a seat has something to decide, and the seat."""
    chance = random.Random(trial.seed)
    found: list[tuple[Game, int]] = []
    while len(found) < count:
        options = trial.options[len(found) % len(trial.options)]
        for game in random_game(trial.name, chance.randrange(2**30), most=60, **options):
            seats = [seat for seat in range(len(game.names)) if len(game.view(seat).moves) > 1]
            if seats and chance.random() < 0.05:
                found.append((game.copy(), chance.choice(seats)))
    return found[:count]


def thoughts_are_honest(trial: Trial, count: int = 7, players: tuple[str, ...] = PLAYERS) -> None:
    """A thought does not depend on what the seat cannot know, and it is a legal move."""
    for number, (game, seat) in enumerate(decisions(trial, count)):
        honest(game, seat, players[-1 - number % len(players)])


def honest(game: Game, seat: int, spec: str, redraws: int = 4) -> None:
    thought = player(game.game, spec, seed=5).think(game.view(seat))
    demand(thought.move in game.view(seat).moves, f"{spec} wants to play {thought.move}, which is not legal.")
    for redraw in range(redraws):
        other = player(game.game, spec, seed=5).think(game.redrawn(seat, redraw).view(seat))
        same(other, thought, f"{spec} thinks differently when hidden things differ")


def thoughts_are_the_same_on_any_cores(trial: Trial, players: tuple[str, ...] = PLAYERS) -> None:
    """The same view and seed give the same thought, on one core and on two."""
    (game, seat), *_ = decisions(trial, 1)
    for spec in players:
        first = player(trial.name, spec, seed=1).think(game.view(seat))
        again = player(trial.name, spec, seed=1).think(game.view(seat), threads=2)
        same(again, first, f"{spec} thinks differently on two cores")
