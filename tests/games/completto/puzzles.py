"""Proofs for the puzzles of Completto, by the rules alone.

Every puzzle is a single game near its end, so that chances can be bounded by what happens in this turn and the next
ones; every unseen tile is as likely to be drawn as any other (C13). A move is

* *sure* if it completes the row in this turn whatever the covered tiles are. Any other move is worse if it may fail and
  the next seat may then complete its row.
* *now or never*, if the next seat completes its row for sure unless we do first. A move is then worth just the chance
  to complete the row in this turn.
* *not lost yet*, if it takes that certainty away. It is worth at least the chance to complete the row in the turn after
  the next seat's, whatever that seat does; a seat that makes a pair is taken to have won.

Equally good moves are all best.
"""

from typing import Any

import numpy as np

import infila
from infila.core import driver
from infila.games.completto.rules import BITS, DRAW, MOVE, ROW, TILES, TURN, TURNED

States = Any  # an array of one record


def actions(states: States) -> list[int]:
    out = np.zeros(400, np.int16)
    found: list[int] = out[: int(driver.legal_at(states, 0, out))].tolist()
    return found


def after(states: States, action: int) -> States:
    states = states.copy()
    driver.play_at(states, 0, action)
    return states


def unseen(states: States) -> list[int]:
    """C13: all covered tiles, of the middle and of the rows."""
    s = states[0]
    tiles: list[int] = s.covered[: s.n_covered].tolist()
    for seat in range(s.players):
        opened = set(s.at[seat, 1 : s.n_open[seat] + 1].tolist())
        tiles += [int(s.row[seat, place]) for place in range(ROW) if place not in opened]
    return sorted(tiles)


def drawing(states: States, tile: int) -> States:
    """The same view, in a world where this tile is drawn next; it is drawn."""
    states = states.copy()
    s = states[0]
    top = int(s.covered[s.n_covered - 1])
    for seat in range(s.players):
        s.row[seat][s.row[seat] == tile] = top
    s.covered[s.covered == tile] = top
    s.covered[s.n_covered - 1] = tile
    return after(states, DRAW)


def left(states: States, seat: int) -> int:
    return ROW - int(states[0].n_open[seat])


def wanted(states: States, seat: int) -> set[int]:
    """C6, C9: the tiles that fit a row, either way up."""
    s = states[0]
    at, shows = s.at[seat].tolist(), s.shows[seat].tolist()
    numbers: set[int] = set()
    for gap in range(int(s.n_open[seat]) + 1):
        if at[gap + 1] - at[gap] > 1:
            numbers |= set(range(max(shows[gap] + 1, 1), min(shows[gap + 1], TILES + 1)))
    return numbers | {int(TURNED[number]) for number in numbers}


def lying(states: States) -> list[int]:
    words = states[0].lying.tolist()
    return [tile for tile in range(1, 101) if words[tile // BITS] >> tile % BITS & 1]


def completes(states: States, seat: int, luck: bool = True) -> float:
    """The chance that a seat on turn completes its row before its turn ends, if it plays for that alone; without luck,
    with nothing but tiles that lie open."""
    s = states[0]
    if s.ended:
        return float(s.n_open[seat] == ROW)
    if s.turn != seat:
        return 0.0
    if s.phase == TURN and left(states, seat) == 1:
        fitting = wanted(states, seat)
        if fitting.intersection(lying(states)):
            return 1.0
        tiles = unseen(states)
        return len(fitting.intersection(tiles)) / len(tiles) if luck and s.n_covered else 0.0
    best = 0.0
    for action in actions(states):
        if best < 1:
            best = max(best, completes_by(states, seat, action, luck))
    return best


def completes_by(states: States, seat: int, action: int, luck: bool = True) -> float:
    """… if it begins with this action."""
    if action >= MOVE:  # C5: ends the turn
        return 0.0
    if action != DRAW:
        return completes(after(states, action), seat, luck)
    if not luck:
        return 0.0
    tiles = unseen(states)
    return sum(completes(drawing(states, tile), seat) for tile in tiles) / len(tiles)


def ends_of_turn(states: States, seat: int, action: int) -> list[States]:
    """All positions in which a turn that begins with this action can leave the next seat."""
    found, todo = [], [(states, action)]
    while todo:
        here, action = todo.pop()
        for there in [drawing(here, tile) for tile in unseen(here)] if action == DRAW else [after(here, action)]:
            if not there[0].ended and there[0].turn != seat:
                found.append(there)
            elif not there[0].ended:
                todo += [(there, action) for action in actions(there)]
    return found


def next_wins(states: States, seat: int, action: int) -> bool:
    """Whether the next seat wins for sure, however the turn goes that begins with this action, unless it wins now."""
    return all(completes(there, int(there[0].turn), False) == 1 for there in ends_of_turn(states, seat, action))


def next_may_win(states: States, seat: int, action: int) -> bool:
    """Whether the next seat may win at once, however the turn goes that begins with this action."""
    return all(completes(there, int(there[0].turn)) > 0 for there in ends_of_turn(states, seat, action))


def at_least(states: States, seat: int, action: int) -> float:
    """*Not lost yet*, two players: a bound below for the chance to win if this action takes the last open tile."""
    if action == DRAW:
        return 0.0
    there = after(states, action)
    if there[0].turn == seat:
        return max(at_least(there, seat, action) for action in actions(there))
    return min(after_reply(there, seat, reply) for reply in actions(there))


def after_reply(states: States, seat: int, reply: int) -> float:
    if reply != DRAW:
        return after_turn(after(states, reply), seat)
    tiles = unseen(states)
    return sum(after_turn(drawing(states, tile), seat) for tile in tiles) / len(tiles)


def after_turn(states: States, seat: int) -> float:
    """What is left for the seat once the other has placed its tile in the worst way."""
    s = states[0]
    if s.ended:
        return 0.0
    if s.turn == seat:
        return completes(states, seat)
    if s.phase == TURN:  # a pair
        return 0.0
    return min(after_turn(after(states, action), seat) for action in actions(states))


def verdict(states: States, seat: int) -> tuple[str, list[int]]:
    """The kind of a puzzle and its best moves; none if nothing is proved."""
    moves = actions(states)
    chances = {action: completes_by(states, seat, action) for action in moves}
    top = max(chances.values())
    if top == 1:
        best = [action for action in moves if chances[action] == 1]
        others = [action for action in moves if chances[action] < 1]
        return "sure", best if all(next_may_win(states, seat, action) for action in others) else []
    open_moves = [action for action in moves if not next_wins(states, seat, action)]
    if not open_moves:
        return "now or never", [action for action in moves if chances[action] == top]
    if int(states[0].players) > 2 or len(open_moves) > 1 or open_moves[0] == DRAW:
        return "", []
    others = [action for action in moves if action not in open_moves]
    bound = at_least(states, seat, open_moves[0])
    return "not lost yet", open_moves if bound > max((chances[action] for action in others), default=1) else []


def prove(game: infila.Game, puzzle: dict[str, Any]) -> None:
    assert game.options["games"] == 1, "the end of the game is the end of the match"
    seat = puzzle["seat"] - 1
    assert game.player == seat
    kind, best = verdict(game.states, seat)
    assert kind
    assert {game.text(action) for action in best} == set(puzzle["best"])
    assert len(best) < len(actions(game.states))
