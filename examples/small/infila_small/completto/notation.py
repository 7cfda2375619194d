"""Small Completto in text and JSON: `draw` or `take 4`, and then `left`, `right` or `aside`."""

import re
from collections.abc import Mapping
from typing import Any

from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import flat, integer, lists, one_of
from infila.core.record import plain
from infila_small.completto.rules import ASIDE, DRAW, LEFT, MIDDLE, RIGHT, ROW, TAKE, TILES, TURNS, State
from infila_small.fields import SEATS, check_once, read_turn, shown

WORDS = {"draw": DRAW, "left": LEFT, "right": RIGHT, "aside": ASIDE}
ALL = range(1, TILES + 1)


def text(s: State, action: int) -> str:
    return next((word for word, known in WORDS.items() if known == action), f"take {action - TAKE}")


def parse(s: State, text: str, seat: int) -> int:
    if text in WORDS:
        return WORDS[text]
    found = re.fullmatch(r"take ([1-6])", text)
    if not found:
        raise IllegalMove("", f"{text!r} is not a move. Moves are draw, take and a tile, left, right and aside.")
    return TAKE + int(found[1])


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    if action < LEFT and s.drawn:
        return IllegalMove("C3", f"you have {int(s.drawn)} to lay: left, right or aside.")
    if action == DRAW:
        return IllegalMove("C2", "there is no covered tile in the middle. Take one that lies there.")
    if action < LEFT:
        return IllegalMove("C2", f"{action - TAKE} does not lie open in the middle.")
    if not s.drawn:
        return IllegalMove("C2", "draw a tile or take one first.")
    if action == RIGHT:
        return IllegalMove("C3", f"{int(s.drawn)} is not higher than your left tile, {int(s.tile_row[seat, 0])}.")
    return IllegalMove("C3", "only a tile that was drawn may be laid aside.")


def parts(s: State, action: int) -> tuple[str, ...]:
    return (text(s, action),)


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "rows": [shown(row) for row in p.tile_row],
        "middle": shown(p.middle[: p.n_middle]),
        "lying": [tile for tile in ALL if p.lying[tile]],
        "drawn": [p.drawn] if p.drawn else [],
        "from_middle": bool(p.from_middle),
        "turns": p.turns,
        "winner": p.winner,
    }


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    read_turn(s, fields)
    rows = lists(fields, "rows", SEATS, ALL)
    middle, lying, drawn = (flat(fields, name, ALL) for name in ("middle", "lying", "drawn"))
    check_once([*rows, middle, lying, drawn], ALL, "C1")
    if any(len(row) != ROW for row in rows) or len(middle) > MIDDLE or len(drawn) > 1:
        raise BadPosition(f"C1, C2: a row has {ROW} tiles, the middle at most {MIDDLE}, and one tile is drawn at most.")
    s.from_middle = one_of(fields, "from_middle", (False, True))
    s.turns, s.winner = integer(fields, "turns", 0, TURNS), integer(fields, "winner", 0, SEATS)
    if s.from_middle and (not drawn or len(middle) == MIDDLE):
        raise BadPosition("C2: without a tile that was drawn none can be from the middle.")
    if bool(s.ended) != bool(s.winner or s.turns == TURNS) or (s.ended and drawn):
        raise BadPosition("C4: the game is over when somebody has won or after six turns, and only then.")
    if s.winner and (s.winner != s.turn + 1 or rows[s.turn][0] > rows[s.turn][1]):
        raise BadPosition("C3, C4: who wins has just completed a row that ascends.")
    for seat, row in enumerate(rows):
        s.tile_row[seat, :] = row
    s.middle[: len(middle)], s.n_middle = middle, len(middle)
    for tile in lying:
        s.lying[tile] = 1
    s.drawn = drawn[0] if drawn else 0
