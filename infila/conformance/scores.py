"""Scores: they are the sum of what counted, and the end is the same for everybody."""

from infila.conformance.demand import demand, same
from infila.conformance.trial import Trial
from infila.core.game import Game


def scores_add_up(trial: Trial) -> None:
    """Everything that counted adds up to the score, each with a sentence and a rule; the winners have the best."""
    for game in trial.positions():
        added_up(game)


def added_up(game: Game) -> None:
    stages = game.explain()
    scores = game.scores
    for seat, score in enumerate(scores):
        points = sum(item.points for stage in stages for item in stage.seats[seat])
        same(points, score, f"what counted for seat {seat + 1} does not add up to its score")
    items = [item for stage in stages for items in stage.seats for item in items]
    demand(all(item.text and item.rule for item in items), "something that counted has no words or no rule.")
    if game.over:
        _ended(game, scores)


def _ended(game: Game, scores: list[int]) -> None:
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    demand(game.winners in (best, []), f"the winners are {game.winners}, but the best scores are those of {best}.")
    for seat in (None, *range(len(game.names))):
        view = game.view(seat)
        same(view.scores, scores, "at the end a viewer sees different scores")
        same(view.winners, game.winners, "at the end a viewer sees different winners")
        demand(view.over and not view.moves, "at the end a viewer sees a game that goes on.")
