"""Nothing but the seed and the moves decides what happens, and what has happened stays."""

import random
from typing import Any

import numpy as np

from infila.conformance.demand import demand, same
from infila.conformance.trial import Trial
from infila.core.game import Game, new
from infila.players.player import player


def same_seed_same_game(trial: Trial) -> None:
    """The same seed and moves give the same bytes, whatever the state of Python's and NumPy's global generators, which
    the game leaves alone."""
    before = random.getstate(), np.random.get_state()
    try:
        for options, positions in zip(trial.options, trial.games(), strict=True):
            *_, game = positions
            for disturbed in (1, 2):
                again = _replayed(trial, game, disturbed, dict(options))
                same(again.states.tobytes(), game.states.tobytes(), "the same seed and moves give a different game")
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])


def _replayed(trial: Trial, game: Game, disturbed: int, options: dict[str, Any]) -> Game:
    random.seed(disturbed)
    np.random.seed(disturbed)
    start = _generators()
    again = new(trial.name, seed=game.seed, **options)
    for move in game.history:
        again.play(move)
        _look(again)
    demand(_generators() == start, "a game uses the global generators of random or numpy.random.")
    return again


def _generators() -> tuple[Any, bytes, int]:
    """The state of the global generators."""
    numpy = np.random.get_state(legacy=False)["state"]
    return random.getstate(), numpy["key"].tobytes(), numpy["pos"]


def _look(game: Game) -> None:
    """Everything that could draw a random number."""
    for seat in game.acting()[:1]:
        view = game.view(seat)
        player(game.game, "club").think(view)
        str(view)


def the_past_stays(trial: Trial) -> None:
    """No later move, view, redraw or thought changes a state, a view or a copy that was taken before."""
    for positions in trial.games():
        kept = []
        for game in positions:
            view = game.view(game.player)
            kept += [(game.copy(), game.states.tobytes()), (view, view.states.tobytes())]
            now = game.states.tobytes()
            game.redrawn(game.player, 1)
            game.explain(), game.position, game.moves, str(view)
            same(game.states.tobytes(), now, "looking at a game changes it")
        for then, bytes_then in kept:
            same(then.states.tobytes(), bytes_then, "a later move changes a state of the past")
