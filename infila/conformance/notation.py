"""Moves and positions: each form leads back to every other, and anything else is refused in a sentence."""

import copy
import json
import random
from typing import Any

from infila.conformance.demand import NotConforming, demand, same
from infila.conformance.trial import Trial, played_out
from infila.core.errors import IllegalMove, InfilaError
from infila.core.game import Game, load

PIECES = (*"0123456789@x>:.abcdefghjoZSHDCJTQKA *-", "take", "draw", "stop", "pass", "12: ", "é", "\n", "💥")
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    130,
    2**31,
    -(2**31),
    2**70,
    0.5,
    1e308,
    "",
    "?",
    "7S",
    [],
    {},
)
SENTENCE = 10  # the least number of letters in an answer


def moves_have_three_forms(trial: Trial) -> None:
    """Every legal action has a text of its own, a path of its own, and is read back from its text."""
    for game in trial.positions():
        three_forms(game)


def three_forms(game: Game) -> None:
    moves = game.moves
    demand(len(moves) == len(set(moves)), f"two legal moves have the same text: {sorted(moves)}.")
    for view in (game.view(seat) for seat in range(len(game.names))):
        paths = [view.parts(move) for move in view.moves]
        demand(len(set(paths)) == len(paths), f"two legal moves have the same path of parts: {sorted(paths)}.")
    for action, move in zip(game.actions(), moves, strict=True):
        same(game.text(action), move, "an action's text changes")
        reason = game.why_not(move)
        demand(reason is None, f"the legal move {move!r} is refused: {reason}")
        same(game.action_of(move), action, f"{move!r} is read as a different action")


def texts_are_moves_or_refused(trial: Trial) -> None:
    """Any text is a legal move, or refused in a sentence; either way asking changes nothing."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        for _ in range(10):
            move_or_refused(game, "".join(chance.choices(PIECES, k=chance.randrange(5))))


def move_or_refused(game: Game, text: str) -> None:
    before = game.states.tobytes()
    reason = game.why_not(text)
    same(game.states.tobytes(), before, f"asking why {text!r} is not legal changes the state")
    if reason is None:
        after = game.after(text)
        demand(after.history[-1] in game.moves, f"{text!r} was played, but it is not among the legal moves.")
        demand(after.states.tobytes() != before, f"{text!r} was played, but changed nothing.")
        return
    demand(len(reason) > SENTENCE, f"the refusal of {text!r} is not a sentence: {reason!r}")
    try:
        game.play(text)
    except IllegalMove as problem:
        same(str(problem), reason, "play() and why() give different reasons")
    else:
        raise NotConforming(f"{text!r} is not legal ({reason}), and yet it was played.")
    same(game.states.tobytes(), before, f"the illegal move {text!r} changed the state")


def positions_are_their_json(trial: Trial) -> None:
    """A position is restored from its JSON, byte for byte, and so is one that was drawn anew; the JSON of a view is the
    same with question marks."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        json_round_trip(game)
        seat = chance.randrange(len(game.names))
        json_round_trip(
            game.redrawn(seat, chance.randrange(2**60)), f"redraw() for seat {seat + 1} made this position: "
        )
        for viewer in (None, seat):
            view_is_part(json.loads(game.view(viewer).position), json.loads(game.position))


def json_round_trip(game: Game, how: str = "") -> None:
    position = game.position
    try:
        again = load(position)
    except InfilaError as problem:
        raise NotConforming(
            f"{how}from_json() in notation.py refuses what to_json() wrote: {problem} The position is {position}"
        ) from None
    same(
        again.states.tobytes().hex(),
        game.states.tobytes().hex(),
        f"{how}{position} comes back from to_json() and from_json() as a different position",
    )


def view_is_part(seen: Any, whole: Any, where: str = "") -> None:
    """A view's JSON has everything that the position's has, or a question mark in its place."""
    if isinstance(whole, dict) and isinstance(seen, dict):
        wanted = sorted(key for key in whole if where or key != "chance")
        same(sorted(seen), wanted, f"to_json() in notation.py gives a view other fields{where and ' in ' + where}")
        for key in seen:
            view_is_part(seen[key], whole[key], f"{where}.{key}" if where else key)
    elif isinstance(whole, list) and isinstance(seen, list):
        demand(
            len(seen) == len(whole),
            f"to_json() in notation.py: of {where} a view has {len(seen)} entries, and the position {len(whole)}. What "
            "is hidden is written as '?'.",
        )
        for i, (one, other) in enumerate(zip(seen, whole, strict=True)):
            view_is_part(one, other, f"{where}[{i}]")
    elif "?" not in str(seen):
        same(seen, whole, f"to_json() in notation.py: a view has another {where} than the position")


def positions_are_playable_or_refused(trial: Trial) -> None:
    """Any damage to a position is refused in a sentence, or leaves one that can be shown and played."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        for _ in range(5):
            position = json.loads(game.position)
            _damage(position, chance)
            playable_or_refused(position)


def _damage(position: dict[str, Any], chance: random.Random) -> None:
    *path, last = chance.choice(spots(position))
    place: Any = position
    for step in path:
        place = place[step]
    how = chance.choice(("set", "near", "drop", "double"))
    if how == "drop":
        del place[last]
    elif how == "double" and isinstance(place, list):
        place.append(place[last])
    elif how == "near" and isinstance(place[last], int):
        place[last] += chance.choice((-1, 1))
    else:
        place[last] = copy.deepcopy(chance.choice(VALUES))


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a position, as the steps that lead there."""
    found = [path] if path else []
    if isinstance(value, dict):
        found += [spot for key in value for spot in spots(value[key], (*path, key))]
    elif isinstance(value, list):
        found += [spot for i in range(len(value)) for spot in spots(value[i], (*path, i))]
    return found


def playable_or_refused(position: dict[str, Any]) -> None:
    try:
        game = load(position)
    except InfilaError as problem:
        demand(len(str(problem)) > SENTENCE, f"the refusal of {position} is not a sentence: {problem}")
        return
    except Exception as problem:
        raise NotConforming(f"the position {position} raises {problem!r} instead of BadPosition.") from problem
    same(load(game.position).states.tobytes(), game.states.tobytes(), f"{position} comes back as a different position")
    demand(game.over or game.moves, f"{position} is not over, but nobody can move.")
    for seat in (None, *range(len(game.names))):
        demand(str(game.view(seat)), f"{position} cannot be shown.")
        demand(game.view(seat).position, f"{position} cannot be written.")
    game.explain()
    played_out(game, 1, 300)
    demand(game.position, f"{position} cannot be written after further play.")
