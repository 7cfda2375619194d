"""The log: a game is its header and its moves, and can be restored from them."""

from infila.conformance.demand import NotConforming, demand, same
from infila.conformance.trial import Trial
from infila.core.errors import BadLog
from infila.core.game import Game, load


def logs_replay(trial: Trial) -> None:
    """A saved game is restored, byte for byte; a finished one from its public log; undo is the log without its end."""
    for positions in trial.games():
        *_, game = positions
        replayed(game)


def replayed(game: Game) -> None:
    again = load(game.save())
    same(again.states.tobytes(), game.states.tobytes(), "the log replays to a different state")
    same(again.save(), game.save(), "a replayed game writes a different log")
    same(again.explain(), game.explain(), "a replayed game is scored differently")
    if game.history:
        again.undo()
        again.play(game.history[-1])
        same(again.states.tobytes(), game.states.tobytes(), "undo leads to a different state")
    demand((game.seed is not None and f"seed: {game.seed}" in game.log) == game.over, "the seed is shown too early.")
    if game.over and game.seed is not None:
        same(load(game.log).scores, game.scores, "the public log of a finished game replays to different scores")


def damaged_logs_are_refused(trial: Trial) -> None:
    """A line that is no move is refused with its number, and what comes before it can be used."""
    for positions in trial.games():
        *_, game = positions
        lines = game.before(int(game.over)).save().rstrip("\n").split("\n")
        try:
            load("\n".join([*lines, "no such move"]) + "\n")
        except BadLog as problem:
            same(problem.line, len(lines) + 1, "a wrong move is reported with the wrong line")
        else:
            raise NotConforming("a log with a move that does not exist is accepted.")
