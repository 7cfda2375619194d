"""Sequence: chips on the board, and when five of them are a sequence (S8, S12, S13, S15)."""

from infila.core.record import int64
from infila.core.rule import rule
from infila.games.sequence.board import CORNERS, FIVES, LINE, LINE_PLACES, PLACE, STEP, are_apart
from infila.games.sequence.state import CORNER, OPEN, SIDE, SIDES, TURNED, State


@rule
def covers(s: State, side: int, line: int) -> int:
    """The places of a line that a side covers, as ten bits."""
    return int(s.lines[line]) >> LINE_PLACES * side & (1 << LINE_PLACES) - 1


@rule
def put_chip(s: State, side: int, cell: int) -> bool:
    """Cover a cell; return whether its chip is now one of five or more in a line."""
    s.board[cell] = side + 1
    found = 0
    for at in range(4 * cell, 4 * cell + 4):
        line = LINE[at]
        place = int(PLACE[at])
        s.lines[line] |= 1 << LINE_PLACES * side + place
        chips = covers(s, side, line)
        found |= chips & chips >> 1 & chips >> 2 & chips >> 3 & chips >> 4 & 31 << place >> 4
    return found != 0


@rule
def put_corners(s: State) -> None:
    """S8: a corner is a chip of every side."""
    for corner in CORNERS:
        for side in range(SIDES):
            put_chip(s, side, corner)
        s.board[corner] = CORNER


@rule
def lift_chip(s: State, side: int, cell: int) -> None:
    s.board[cell] = OPEN
    for at in range(4 * cell, 4 * cell + 4):
        s.lines[LINE[at]] ^= 1 << LINE_PLACES * side + int(PLACE[at])


@rule
def is_countable(s: State, side: int, five: int) -> bool:
    """S12, S13: whether these five are a sequence besides those that the side has."""
    if five < 0 or five >= FIVES or covers(s, side, LINE[five]) >> int(PLACE[five]) & 31 != 31:
        return False
    apart = True
    for i in range(s.n_sequences[side]):
        apart &= are_apart(five, int64(s.sequences[side, i]))
    return apart


@rule
def next_countable(s: State, side: int, first: int) -> int:
    """The lowest five from `first` on that could be counted for a side; FIVES if there is none."""
    for five in range(first, FIVES):
        if is_countable(s, side, five):
            return five
    return FIVES


@rule
def count_sequence(s: State, side: int, five: int) -> None:
    """S12: turn the chips over."""
    at = s.n_sequences[side]
    while at > 0 and s.sequences[side, at - 1] > five:
        s.sequences[side, at] = s.sequences[side, at - 1]
        at -= 1
    s.sequences[side, at] = five
    s.n_sequences[side] += 1
    cell = five >> 2
    step = STEP[five & 3]
    for _ in range(5):
        s.board[cell] |= TURNED
        cell += step


@rule
def take_away(s: State, cell: int) -> None:
    """S9, S15: remove a chip; a sequence that loses one no longer counts, and what still stands counts again.

    While the game goes on, no side has more than one sequence, and with three sides none. All other fives of the side
    share too much with that sequence (S21), so they are in its line, and at most one of them counts again.
    """
    chip = int(s.board[cell])
    side = (chip & SIDE) - 1
    lift_chip(s, side, cell)
    if chip < TURNED:
        return
    five = int(s.sequences[side, 0])
    at = five >> 2
    for _ in range(5):
        if s.board[at] != CORNER:
            s.board[at] &= SIDE
        at += STEP[five & 3]
    s.sequences[side, 0] = 0
    s.n_sequences[side] = 0
    again = next_countable(s, side, 0)
    if again < FIVES:
        count_sequence(s, side, again)
