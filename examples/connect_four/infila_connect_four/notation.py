"""Connect Four in text and JSON: a move is the letter of its column."""

from collections.abc import Mapping
from typing import Any

from infila.core.contract import refuse
from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import checked_list, entry, integer, one_of
from infila_connect_four.rules import ALL, COLUMNS, ROWS, STEP, State, has_four

GAME = "infila_connect_four"
LETTERS = "abcdefg"
SIGNS = ".12"  # an empty cell, and the discs of seats 1 and 2


def bit(column: int, row: int) -> int:
    return 1 << STEP * column + row


def cell_name(column: int, row: int) -> str:
    return f"{LETTERS[column]}{row + 1}"


def height(s: State, column: int) -> int:
    """How many discs lie in a column."""
    taken = int(s.discs[0]) | int(s.discs[1])
    return sum(bool(taken & bit(column, row)) for row in range(ROWS))


def text(s: State, action: int) -> str:
    return LETTERS[action]


def parse(s: State, text: str, seat: int) -> int:
    letter = text.strip().lower()
    if len(letter) != 1 or letter not in LETTERS:
        raise refuse(GAME, "", "no_move", text=text)
    return LETTERS.index(letter)


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    return refuse(GAME, "C3", "full", column=LETTERS[action])


def parts(s: State, action: int) -> tuple[str, ...]:
    return (f"column-{LETTERS[action]}",)


def to_json(s: State) -> dict[str, Any]:
    return {"player": int(s.turn) + 1, "over": bool(s.ended), "board": board(s)}


def board(s: State) -> list[str]:
    """The rows as they are seen, the highest first."""
    return ["".join(SIGNS[owner(s, column, row)] for column in range(COLUMNS)) for row in range(ROWS - 1, -1, -1)]


def owner(s: State, column: int, row: int) -> int:
    """Whose disc lies on a cell: seat + 1, or 0."""
    return next((seat + 1 for seat in range(2) if int(s.discs[seat]) & bit(column, row)), 0)


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    s.turn = integer(fields, "player", 1, 2) - 1
    s.ended = one_of(fields, "over", (False, True))
    discs = _discs(checked_list(entry(fields, "board"), "board", ROWS))
    s.discs[:] = discs
    fours = [seat for seat in range(2) if has_four(discs[seat])]
    if bool(s.ended) != (bool(fours) or discs[0] | discs[1] == ALL):
        raise BadPosition("C4, C5: the game is over if there are four in a row or the board is full, and only then.")
    if fours and fours != [s.turn]:
        raise BadPosition("C4: four in a row end the game, so only the player of the last move can have them.")
    if fours:
        s.winner = s.turn + 1
    _check_turns(s, [count.bit_count() for count in discs])


def _discs(rows: list[Any]) -> list[int]:
    discs = [0, 0]
    for row, line in enumerate(reversed(rows)):
        if not isinstance(line, str) or len(line) != COLUMNS or set(line) - set(SIGNS):
            raise BadPosition(
                f"board cannot have the row {line!r}: a row is seven signs, each one of {', '.join(SIGNS)}."
            )
        for column, sign in enumerate(line):
            if sign == SIGNS[0]:
                continue
            if row and not (discs[0] | discs[1]) & bit(column, row - 1):
                raise BadPosition(f"C3: the disc on {cell_name(column, row)} has nothing below it.")
            discs[SIGNS.index(sign) - 1] |= bit(column, row)
    return discs


def _check_turns(s: State, counts: list[int]) -> None:
    """C2: the seats take turns, from the one that begins."""
    even = sum(counts) % 2 == 0
    starter = int(s.turn) if even != bool(s.ended) else 1 - int(s.turn)
    if counts[starter] - counts[1 - starter] != (0 if even else 1) or s.chosen_starter not in (-1, starter):
        raise BadPosition(
            f"C2: with {counts[0]} and {counts[1]} discs it cannot be the turn of seat {int(s.turn) + 1}."
        )
