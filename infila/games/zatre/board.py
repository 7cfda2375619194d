"""The board of Zatre: what lies there and what fits.

A cell is a *place*, 16 × row + column: the sixteenth column and the sixteenth row are no cells, so that a step off the
board ends there. Sets of places are four words of 64 bits; the highest bit of a word lies in the sixteenth column and
is never set.

Every empty cell knows the pips of the tiles that follow each other beside it, in its row (left and right together) and
in its column. One more tile there makes lines of these sums plus its own value, so whether it fits is known at once,
and a tile that is laid changes only the four cells at the ends of its two lines.
"""

from typing import Any

import numpy as np

from infila.core.record import int64
from infila.core.rule import inlined, rule

SIDE = 15
PLACES = 256
WORDS = 4
VALUES = 6
TILES = 121

# Z2, row 15 first
PLAN = (
    "####..o#o..####",
    "#o...........o#",
    "#.o.........o.#",
    "#..o.......o..#",
    "....o.....o....",
    ".....o...o.....",
    "o.....o.o.....o",
    "#......R......#",
    "o.....o.o.....o",
    ".....o...o.....",
    "....o.....o....",
    "#..o.......o..#",
    "#.o.........o.#",
    "#o...........o#",
    "####..o#o..####",
)
RED = 7 * 16 + 7
SUPPLY = np.array([21, 20, 20, 20, 20, 20], np.int8)  # Z1
FULL = 13  # Z8: a sum that no line may reach; larger ones are written as this
SCORES = 10  # Z15: the least sum that scores; Z8 sees to the greatest


def _words(letters: str) -> "np.ndarray[Any, np.dtype[np.int64]]":
    words = [0] * WORDS
    for row, line in enumerate(reversed(PLAN)):
        for column, letter in enumerate(line):
            if letter in letters:
                place = 16 * row + column
                words[place // 64] |= 1 << place % 64
    return np.array(words, np.int64)


CELLS = _words(".oR")
DARK = _words(".R")  # red is covered before anything fits anywhere
LIGHT = _words("o")

# all light cells in one word: of the words of LIGHT the third and the fourth moved by one, so that none overlap
LIGHT_PLACES = np.zeros(64, np.uint8)
for _place in range(PLACES):
    if LIGHT[_place // 64] >> _place % 64 & 1:
        LIGHT_PLACES[_place % 64 + _place // 128] = _place

# typed, as the compiler would make a copy of a rule for every plain number that it is called with
LEFT, RIGHT, DOWN, UP = int64(-1), int64(1), int64(-16), int64(16)
STEPS = np.array([LEFT, RIGHT, DOWN, UP], np.int64)


@rule
def room(sums: Any) -> Any:
    """Z24: the highest value that fits, by the sums beside a cell that has a tile beside it."""
    return max(0, min(VALUES, 12 - max(sums & 15, sums >> 4)))


@rule
def has(words: Any, place: Any) -> Any:
    return (words[place >> 6] >> (place & 63)) & 1


@rule
def reach(s: Any, place: Any, step: Any) -> Any:
    """The first place in a direction where no tile lies, and 256 × the pips of the tiles before it."""
    pips = 0
    at = (place + step) & 255
    while s.board[at] > 0:
        pips += int(s.board[at])
        at = (at + step) & 255
    return at + 256 * pips


@rule
def run(s: Any, place: Any, step: Any) -> Any:
    """The pips of the tiles that follow each other from here, this place left out, in one direction."""
    return reach(s, place, step) >> 8


@rule
def end(s: Any, place: Any, step: Any) -> Any:
    """The first place in a direction where no tile lies."""
    return reach(s, place, step) & 255


@rule
def in_row(s: Any, place: Any) -> Any:
    """The pips beside an empty cell in its row."""
    return int64(s.sums[place]) & 15


@rule
def in_column(s: Any, place: Any) -> Any:
    return int64(s.sums[place]) >> 4


@inlined
def clear(s: Any) -> None:
    """An empty board; beside what is no cell are more pips than any line may hold."""
    for place in range(PLACES):
        s.sums[place] = 0 if has(CELLS, place) else FULL + 16 * FULL


@rule
def set_sum(s: Any, at: Any, k: Any, pips: Any) -> None:
    """Note the pips beside a cell, in its row or its column: that of direction k."""
    pips = min(FULL, pips)
    s.sums[at] = pips + 16 * in_column(s, at) if k < 2 else in_row(s, at) + 16 * pips


@rule
def put(s: Any, place: Any, value: Any) -> None:
    """A tile on an empty cell. If it is to stay there, `fit` has to follow."""
    row = in_row(s, place) + value
    column = in_column(s, place) + value
    s.sums[place] = 0
    s.board[place] = value
    for k in range(4):  # the cell at each end of its lines has counted the tiles on that side already
        reached = reach(s, place, STEPS[k])
        at = reached & 255
        more = (row if k < 2 else column) - (reached >> 8)
        set_sum(s, at, k, (in_row(s, at) if k < 2 else in_column(s, at)) + more)


@rule
def take_off(s: Any, place: Any) -> None:
    """The contrary of `put`."""
    s.board[place] = 0
    row = 0
    column = 0
    for k in range(4):
        reached = reach(s, place, STEPS[k])
        at = reached & 255
        pips = reached >> 8
        row += pips if k < 2 else 0
        column += 0 if k < 2 else pips
        if has(CELLS, at):
            set_sum(s, at, k, pips + run(s, at, STEPS[k]))
    s.sums[place] = row + 16 * column


@inlined
def fit(s: Any, place: Any) -> None:
    """Note what fits where, once a tile has been put here."""
    for i in range(VALUES):
        s.fits[i, place >> 6] &= ~(1 << (place & 63))
    for k in range(4):
        at = end(s, place, STEPS[k])
        fitting = (1 << room(int64(s.sums[at]))) - 1
        for i in range(VALUES):  # no branches here: nobody can predict them
            old = s.fits[i, at >> 6]
            s.fits[i, at >> 6] = old ^ ((((old >> (at & 63)) ^ (fitting >> i)) & 1) << (at & 63))


@rule
def scores_at(s: Any, place: Any) -> Any:
    """Whether a tile is part of a line of 10, 11 or 12."""
    pips = s.board[place]
    return (
        pips + run(s, place, LEFT) + run(s, place, RIGHT) >= SCORES
        or pips + run(s, place, DOWN) + run(s, place, UP) >= SCORES
    )


@rule
def fits_somewhere(s: Any, i: Any) -> Any:
    """Whether the value i + 1 fits on any cell (Z24)."""
    return (s.fits[i, 0] | s.fits[i, 1] | s.fits[i, 2] | s.fits[i, 3]) != 0


@rule
def something_fits(s: Any, seat: Any) -> Any:
    """Where a value fits every lower one does, so the lowest in hand decides."""
    for i in range(VALUES):
        if s.hand[seat, i] > 0:
            return fits_somewhere(s, i)
    return False


@rule
def only_light(s: Any, i: Any) -> Any:
    """Z9's exception: the value i + 1 fits on no dark cell."""
    return (
        (s.fits[i, 0] & DARK[0]) | (s.fits[i, 1] & DARK[1]) | (s.fits[i, 2] & DARK[2]) | (s.fits[i, 3] & DARK[3])
    ) == 0
