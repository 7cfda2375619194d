"""The board of Zatre: what lies there and what fits.

A cell is a *place*, 16 × row + column: the sixteenth column and row hold no cells, so that a step off the board ends
there. Sets of places are four words of 64 bits; the highest bit of a word lies in the sixteenth column and
is never set.

Every empty cell knows the pips of the unbroken run of tiles beside it, in its row (left and right together) and
in its column. One more tile there makes lines of these sums plus its own value, so whether it fits is known at once,
and laying a tile changes only the four cells at the ends of its two lines.
"""

import numpy as np

from infila.core.record import Ints, int64
from infila.core.rule import inlined, rule
from infila.games.zatre.state import FULL, MOST_PIPS, PLACES, SCORES, VALUES, WORDS, State

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


def count_cells(letters: str) -> int:
    """How many cells of these kinds there are."""
    return sum(line.count(letter) for line in PLAN for letter in letters)


def _words(letters: str) -> Ints:
    words = [0] * WORDS
    for row, line in enumerate(reversed(PLAN)):
        for column, letter in enumerate(line):
            if letter in letters:
                place = 16 * row + column
                words[place // 64] |= 1 << place % 64
    return np.array(words, np.int64)


ALL_CELLS = _words(".oR")
DARK = _words(".R")  # red is covered before anything fits anywhere
LIGHT = _words("o")

# all light cells in one word: the third and the fourth word of LIGHT are shifted by one, so that none overlap
LIGHT_PLACES: Ints = np.zeros(64, np.uint8)
for _place in range(PLACES):
    if LIGHT[_place // 64] >> _place % 64 & 1:
        LIGHT_PLACES[_place % 64 + _place // 128] = _place

# typed: the compiler would make a copy of a rule for every plain number it is called with
LEFT, RIGHT, DOWN, UP = int64(-1), int64(1), int64(-16), int64(16)
STEPS: Ints = np.array([LEFT, RIGHT, DOWN, UP], np.int64)


@rule
def room(sums: int) -> int:
    """Z24: the highest value that fits on a cell next to a tile, by the sums beside it."""
    return max(0, min(VALUES, MOST_PIPS - max(sums & 15, sums >> 4)))


@rule
def has(words: Ints, place: int) -> int:
    """Whether a place is in a set: 1 or 0."""
    return (words[place >> 6] >> (place & 63)) & 1


@rule
def reach(s: State, place: int, step: int) -> int:
    """The first place in a direction where no tile lies, and 256 × the pips of the tiles before it."""
    pips = 0
    at = (place + step) & 255
    while s.board[at] > 0:
        pips += int(s.board[at])
        at = (at + step) & 255
    return at + 256 * pips


@rule
def run(s: State, place: int, step: int) -> int:
    """The pips of the run of tiles from here in one direction, this place left out."""
    return reach(s, place, step) >> 8


@rule
def end(s: State, place: int, step: int) -> int:
    """The first place in a direction where no tile lies."""
    return reach(s, place, step) & 255


@rule
def in_row(s: State, place: int) -> int:
    """The pips beside an empty cell in its row."""
    return int64(s.sums[place]) & 15


@rule
def in_column(s: State, place: int) -> int:
    """The pips beside an empty cell in its column."""
    return int64(s.sums[place]) >> 4


@inlined
def clear(s: State) -> None:
    """An empty board; places that are not cells get more pips beside them than any line may hold."""
    for place in range(PLACES):
        s.sums[place] = 0 if has(ALL_CELLS, place) else FULL + 16 * FULL


@rule
def set_sum(s: State, at: int, k: int, pips: int) -> None:
    """Note the pips beside a cell, in its row or its column, by direction k."""
    pips = min(FULL, pips)
    s.sums[at] = pips + 16 * in_column(s, at) if k < 2 else in_row(s, at) + 16 * pips


@rule
def put(s: State, place: int, value: int) -> None:
    """Put a tile on an empty cell. If it is to stay there, `fit` must follow."""
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
def take_off(s: State, place: int) -> None:
    """The reverse of `put`."""
    s.board[place] = 0
    row = 0
    column = 0
    for k in range(4):
        reached = reach(s, place, STEPS[k])
        at = reached & 255
        pips = reached >> 8
        row += pips if k < 2 else 0
        column += 0 if k < 2 else pips
        if has(ALL_CELLS, at):
            set_sum(s, at, k, pips + run(s, at, STEPS[k]))
    s.sums[place] = row + 16 * column


@inlined
def fit(s: State, place: int) -> None:
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
def scores_at(s: State, place: int) -> bool:
    """Whether a tile is part of a line of 10, 11 or 12."""
    pips = s.board[place]
    return (
        pips + run(s, place, LEFT) + run(s, place, RIGHT) >= SCORES
        or pips + run(s, place, DOWN) + run(s, place, UP) >= SCORES
    )


@rule
def earns_cross(s: State, place: int) -> bool:
    """Z17: whether a tile of this turn earns a cross if the turn ends now."""
    return has(LIGHT, place) != 0 and scores_at(s, place)


@rule
def fits_somewhere(s: State, i: int) -> bool:
    """Whether the value i + 1 fits on any cell (Z24)."""
    return (s.fits[i, 0] | s.fits[i, 1] | s.fits[i, 2] | s.fits[i, 3]) != 0


@rule
def something_fits(s: State, seat: int) -> bool:
    """Whether anything in hand fits: where a value fits, every lower one does, so the lowest decides."""
    for i in range(VALUES):
        if s.hand[seat, i] > 0:
            return fits_somewhere(s, i)
    return False


@rule
def only_light(s: State, i: int) -> bool:
    """Z9's exception: the value i + 1 fits on no dark cell."""
    return (
        (s.fits[i, 0] & DARK[0]) | (s.fits[i, 1] & DARK[1]) | (s.fits[i, 2] & DARK[2]) | (s.fits[i, 3] & DARK[3])
    ) == 0
