"""Nothing leaks: whatever a viewer gets stays the same, byte for byte, when all they cannot know is drawn anew."""

import json
import random
from typing import Any

from infila.conformance.demand import demand, same
from infila.conformance.pictures import NAMES
from infila.conformance.trial import Trial, played_out
from infila.core.contract import HOST
from infila.core.game import Game
from infila.core.picture import sayer

TEXTS = ("take", "draw", "stop", "pass", "34", "94x49", "7S@b2", "dead 7S", "5@h8", "42@7", "1: draw", "offence 1", "?")


def everything(game: Game, seat: int | None, texts: tuple[str, ...]) -> dict[str, str]:
    """All that a viewer can get out of a game, as text, except the screen, which takes long to draw."""
    view = game.view(seat)
    contract, s = view.contract, view.states[0]
    stages = [
        [stage.title, [[(item.points, item.text, item.rule) for item in items] for items in stage.seats]]
        for stage in view.explain()
    ]
    say = sayer(contract.words()["picture"])
    drawn = contract.picture.panels(s, -1 if seat is None else seat, NAMES[: len(game.names)], say, ())
    actions = view.own_actions()
    parts: dict[str, Any] = {
        "the position": view.position,
        "the legal moves": view.moves,
        "the moves' paths": [view.parts(move) for move in view.moves],
        "the moves' notes": [contract.picture.note(s, action) for action in actions],
        "what moves light up": [list(contract.picture.lights(s, action)) for action in actions],
        "the moves' words": [str(contract.story.propose(s, action)) for action in actions],
        "the moves' reasons": [str(contract.advice.reasons(s, action)) for action in actions[:3]],
        "the scores": view.scores,
        "whose turn it is": view.player,
        "whether it is over": view.over,
        "what counted": stages,
        "the picture": [panel.svg for panel in drawn],
        "the log": view.log,
        "the refusals": [view.why_not(text) for text in texts],
    }
    return {name: json.dumps(part) for name, part in parts.items()}


def viewers_get_the_same_bytes(trial: Trial) -> None:
    """After a redraw every viewer's view, moves, picture, screen, log and refusals are what they were."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        seats: list[int | None] = [None, *range(len(game.names))]
        for seat in chance.sample(seats, min(3, len(seats))):
            texts = (*TEXTS, *chance.sample(game.moves, min(3, len(game.moves))))
            same_after_redraws(game, seat, texts, [chance.randrange(2**60) for _ in range(2)])


def same_after_redraws(game: Game, seat: int | None, texts: tuple[str, ...], redraws: list[int]) -> None:
    who = "a spectator" if seat is None else f"seat {seat + 1}"
    before = everything(game, seat, texts)
    view = game.view(seat)
    others = [game.redrawn(seat, number) for number in redraws]
    same(str(others[0].view(seat)), str(view), f"the screen tells {who} what it must not know")
    for other in others:
        for name, part in everything(other, seat, texts).items():
            same(part, before[name], f"{name} tells {who} what it must not know")
        same(other.view(seat).states.tobytes(), view.states.tobytes(), f"the state that {who} sees tells too much")
        demand(game.over or other.moves, "after a redraw nobody can move.")


def the_future_is_drawn_anew(trial: Trial) -> None:
    """Views hold no generator, and a redraw brings a new one."""
    for game in trial.positions():
        for seat in (None, *range(len(game.names))):
            s = game.view(seat).states[0]
            demand(not s.key.any() and s.counter == 0, "hide() leaves the generator in the view.")
        one, other = game.redrawn(0, 1).states[0], game.redrawn(0, 2).states[0]
        demand(one.key.tolist() != other.key.tolist(), "redraw() does not take the new generator.")


def redrawn_games_go_on(trial: Trial) -> None:
    """A redrawn game can be played to its end."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        if game.over:
            continue
        other = game.redrawn(chance.randrange(len(game.names)), chance.randrange(2**60))
        demand(played_out(other, chance.randrange(2**60)), "a redrawn game does not end.")


def seats_see_their_moves(trial: Trial) -> None:
    """Each seat finds its own legal moves in its own view."""
    for game in trial.positions():
        own_moves_in_own_view(game)


def own_moves_in_own_view(game: Game) -> None:
    seen = [move for seat in range(len(game.names)) for move in game.view(seat).moves]
    hosts = [move for move, seat in game.moves_by_seat() if seat == HOST]
    same(sorted(seen + hosts), sorted(game.moves), "the seats' own moves together are not the legal moves")
