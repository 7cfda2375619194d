"""Sequence: the printed board and the cards, as tables; nothing here changes in a game.

A cell is 0 to 99: a1 is 0, b1 is 1, … a2 is 10. A card is 1 to 52 in the order of docs/reference/chance.md, with the
jacks last; 0 is a card that the viewer cannot know. Five cells in a line, *a five*, are named by their first end and
direction, 4 * cell + direction. The first end is the left one, or in a column the lower one, so ascending fives are in
the order of S21: by the first end, then by the second. There is no five 0.
"""

from itertools import pairwise

import numpy as np

from infila.core.record import Ints
from infila.core.rule import rule

BOARD = 100
# S2: row 10 first, as seen
LAYOUT = """
** 2S 3S 4S 5S 6S 7S 8S 9S **
6C 5C 4C 3C 2C AH KH QH TH TS
7C AS 2D 3D 4D 5D 6D 7D 9H QS
8C KS 6C 5C 4C 3C 2C 8D 8H KS
9C QS 7C 6H 5H 4H AH 9D 7H AS
TC TS 8C 7H 2H 3H KH TD 6H 2D
QC 9S 9C 8H 9H TH QH QD 5H 3D
KC 8S TC QC KC AC AD KD 4H 4D
AC 7S 6S 5S 4S 3S 2S 2H 3H 5D
** AD KD QD TD 9D 8D 7D 6D **
"""
PRINTED = tuple(card for row in reversed(LAYOUT.split("\n")[1:-1]) for card in row.split())  # by cell
CORNERS = (0, 9, 90, 99)

# S1
COPIES = 2
KINDS_OF_CARDS = 52
CARDS = COPIES * KINDS_OF_CARDS
JACKS = 48  # the cards above are jacks: JC JD, two-eyed, then JS JH, one-eyed
CARD_NAMES = ("?", *(rank + suit for suit in "SHDC" for rank in "23456789TQKA"), "JC", "JD", "JS", "JH")
# the two cells of a card, the lower first: those of a card are at 2 * (card - 1)
CELLS: Ints = np.array(
    [cell for name in CARD_NAMES[1 : JACKS + 1] for cell in range(BOARD) if PRINTED[cell] == name], np.int8
)

STEP: Ints = np.array([-9, 1, 10, 11], np.int8)  # by direction: right and down, right, up, right and up
FIVES = 4 * BOARD
# the fives through cell 0 of a board without edges, ascending; for another cell, add 4 * cell
THROUGH: Ints = np.array(sorted(4 * -back * int(STEP[d]) + d for d in range(4) for back in range(5)), np.int16)
# the line (row, column or diagonal) in which a five lies, and its first end's place there; every line has ten places,
# of which a diagonal uses some
LINES = 58
LINE: Ints = np.array(
    [line for y in range(10) for x in range(10) for line in (39 + y + x, y, 10 + x, 29 + y - x)], np.int8
)
PLACE: Ints = np.array([place for y in range(10) for x in range(10) for place in (x, x, y, x)], np.int8)
LINE_PLACES = 10
SHARED = 1  # S13: how many cells two sequences of a side may share


@rule
def is_two_eyed(card: int) -> bool:
    """S9: JC and JD put a chip on any open cell."""
    return JACKS < card <= JACKS + 2


@rule
def is_one_eyed(card: int) -> bool:
    """S9: JS and JH remove a chip."""
    return card > JACKS + 2


@rule
def are_apart(five: int, other: int) -> bool:
    """S13: whether both can be sequences of one side. Only fives along one line can share too much."""
    if five & 3 != other & 3:
        return True
    step = int(STEP[five & 3])
    between = (five >> 2) - (other >> 2)
    return between % step != 0 or abs(between) >= (5 - SHARED) * abs(step)


@rule
def too_near(five: int) -> int:
    """S13, as bits: where in its line other sequences of the same side cannot begin."""
    return (1 << 2 * (5 - SHARED) - 1) - 1 << int(PLACE[five]) >> 4 - SHARED


def cells_of(five: int) -> list[int]:
    """The cells of a five, from its first end."""
    return [five // 4 + i * int(STEP[five % 4]) for i in range(5)]


def _is_on_board(five: int) -> bool:
    cells = cells_of(five)
    steps = [abs(a % 10 - b % 10) for a, b in pairwise(cells)]
    return min(cells) >= 0 and max(cells) < BOARD and max(steps) <= 1


CELLS_OF_FIVES = {five: tuple(cells_of(five)) for five in range(FIVES) if _is_on_board(five)}


def printed_on(card: int) -> tuple[int, int]:
    """The two cells of a card other than a jack."""
    return int(CELLS[2 * card - 2]), int(CELLS[2 * card - 1])
