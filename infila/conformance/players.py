"""Computer players: they see only what their seat may, keep the rules, and answer the same question the same way."""

import random

import numpy as np

from infila.conformance.demand import demand, same
from infila.conformance.trial import Trial, random_game
from infila.conformance.worlds import hidden, redrawn, repeated
from infila.core.game import Game
from infila.core.record import States
from infila.players import search
from infila.players.player import player

PLAYERS = ("random", "beginner", "casual", "club", "expert:60", "master:60", "search:60")
UNRATED = -987_654_321  # what stands where a rating is to be written


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


def ratings_are_honest(trial: Trial) -> None:
    """`rate` gives a move the same rating in every world that its seat thinks possible, and in its view."""
    for game in trial.positions():
        for seat in game.acting():
            rated_the_same(game, seat)


def rated_the_same(game: Game, seat: int) -> None:
    worlds = np.concatenate([game.states, hidden(game.states, seat), redrawn(repeated(game.states, 3), seat, 7)])
    wanted = ratings(game, worlds[:1], seat, UNRATED)
    for i in range(len(worlds)):
        found = ratings(game, worlds[i : i + 1], seat, UNRATED - 1)
        for action, rating in wanted.items():
            demand(
                found.get(action) == rating,
                f"rate() in heuristics.py gives {game.text(action)!r} {rating} points, and {found.get(action)} when "
                f"what seat {seat + 1} cannot know differs: it reads what is hidden, or does not rate every move.",
            )


def ratings(game: Game, states: States, seat: int, before: int) -> dict[int, int]:
    """What the game's `rate` makes of the actions of a seat, written over other numbers."""
    out = np.zeros(game.contract.rules.MAX_LEGAL, np.int16)
    found, was = np.full(len(out), before, np.int64), states.tobytes()
    n = int(search.rated_at(states, seat, 0, np.ones(1, np.uint64), out, found))
    demand(states.tobytes() == was, "rate() in heuristics.py changes the state.")
    return dict(zip(out[:n].tolist(), found[:n].tolist(), strict=True))


def thoughts_are_the_same_on_any_cores(trial: Trial, players: tuple[str, ...] = PLAYERS) -> None:
    """The same view and seed give the same thought, on one core and on two."""
    (game, seat), *_ = decisions(trial, 1)
    for spec in players:
        first = player(trial.name, spec, seed=1).think(game.view(seat))
        again = player(trial.name, spec, seed=1).think(game.view(seat), threads=2)
        same(again, first, f"{spec} thinks differently on two cores")
