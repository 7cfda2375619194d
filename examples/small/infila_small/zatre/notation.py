"""Small Zatre in text and JSON: `5@b3` lays a five on b3, and there is `pass`."""

import re
from collections.abc import Mapping
from typing import Any

from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import checked_list, entry, flat, lists, one_of, whole
from infila.core.record import plain
from infila_small.fields import SEATS, check_once, read_turn, shown
from infila_small.zatre.rules import CELLS, HAND, MOST, PASS, TILES, State, line_sum

ALL = range(1, TILES + 1)


def text(s: State, action: int) -> str:
    return "pass" if action == PASS else f"{action % TILES + 1}@{CELLS[action // TILES]}"


def parse(s: State, text: str, seat: int) -> int:
    if text == "pass":
        return PASS
    found = re.fullmatch(r"([1-6])@([abc][123])", text)
    if not found or found[2] not in CELLS:
        raise IllegalMove(
            "", f"{text!r} is not a move. Moves look like 5@b3 or pass; the cells are {', '.join(CELLS)}."
        )
    return CELLS.index(found[2]) * TILES + int(found[1]) - 1


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    if action == PASS:
        return IllegalMove("Z2", "you cannot pass now.")
    cell, tile = action // TILES, action % TILES + 1
    hand = [int(each) for each in s.tiles[seat] if each]
    if tile not in hand:
        held = ", ".join(map(str, hand))
        return IllegalMove("Z2", f"you do not hold {tile}. Your hand: {held or 'no tiles'}.")
    if s.board[cell]:
        return IllegalMove("Z2", f"{CELLS[cell]} is not free.")
    return IllegalMove("Z3", f"the line would add up to {line_sum(s, cell) + tile}, more than {MOST}.")


def parts(s: State, action: int) -> tuple[str, ...]:
    return (text(s, action),)


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "board": p.board,
        "hands": [shown(p.tiles[seat][: p.n_tiles[seat]]) for seat in range(SEATS)],
        "covered": shown([p.covered]),
        "points": p.points,
        "out": [bool(each) for each in p.out],
    }


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    read_turn(s, fields)
    board = whole(fields, "board", len(CELLS), 0, TILES)
    hands, covered = lists(fields, "hands", SEATS, ALL), flat(fields, "covered", ALL)
    check_once([*hands, covered, [tile for tile in board if tile]], ALL, "Z1")
    if len(covered) != 1 or any(len(hand) > HAND for hand in hands) or not board[0]:
        raise BadPosition(f"Z1: one tile is covered, one is in the middle, and a hand has at most {HAND}.")
    s.board[:], s.covered = board, covered[0]
    if max(line_sum(s, 1), line_sum(s, 3)) > MOST:
        raise BadPosition(f"Z3: a line must not add up to more than {MOST}.")
    out = [one_of({"out": each}, "out", (False, True)) for each in checked_list(entry(fields, "out"), "out", SEATS)]
    if any(not hand and not gone for hand, gone in zip(hands, out, strict=True)):
        raise BadPosition("Z2: who has no tile left is out.")
    if bool(s.ended) != all(out) or not (s.ended or not out[s.turn]):
        raise BadPosition("Z5: the game is over when everybody is out, and who is on turn is not.")
    s.points[:] = whole(fields, "points", SEATS, 0, 8)
    s.out[:] = out
    for seat, hand in enumerate(hands):
        s.tiles[seat, : len(hand)], s.n_tiles[seat] = sorted(hand), len(hand)
    if sum(s.points.tolist()) != sum(worth(s, line) for line in (1, 3)):
        raise BadPosition("Z4: the points are not those of the lines.")


def worth(s: State, cell: int) -> int:
    """Z4: what the line of a cell is worth, once it is complete."""
    return {10: 1, 11: 2, 12: 4}.get(line_sum(s, cell), 0) if s.board[cell] and s.board[cell + 1] else 0
