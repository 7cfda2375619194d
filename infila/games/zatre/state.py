"""Zatre's record: a whole game, and the sizes of everything in it.

A cell of the board is a *place*, 16 × row + column; sets of places are four words of 64 bits (`board.py`).
"""

import numpy as np

from infila.core.chance import Chance
from infila.core.record import I1, I8, U1, Grid, Ints, array

SEATS = 6
VALUES = 6
SUPPLY: Ints = np.array([21, 20, 20, 20, 20, 20], np.int8)  # Z1: tiles of each value
TILES = int(sum(SUPPLY))

SIDE = 15
PLACES = 256
WORDS = 4

FULL = 13  # Z8: a sum that no line may reach; larger ones are written as this
MOST_PIPS = FULL - 1  # … so this is the highest sum of a line
SCORES = 10  # Z15: the lowest sum that scores
COLUMNS = FULL - SCORES  # of a sheet, with boxes: lines of 10, 11 and 12

# Boxes of one column, of all sheets. A box needs a tile laid, a turn a tile drawn or laid. If one of n seats has t
# turns with boxes, it has laid t tiles, and the others have had (n - 1)(t - 1) turns and so drawn at least half as many
# tiles; together at most 121. So t <= (241 + n) / (n + 1): 35 for six, and 36 for positions set by hand.
BOXES = 216
BOXES_EACH: Ints = np.array([0, *(BOXES // sheets for sheets in range(1, SEATS + 1))])  # by the number of sheets

# Each of k owing tiles has at most 9 helpers, and together they are at most 121 tiles. So there are at most 9 k
# helpers, and at most 121 - k: 108 for 12 owing tiles and for 13, fewer for all other numbers.
HELPERS = 108


class State(Chance):
    """A whole game."""

    fits: Grid = array(I8, VALUES, WORDS)  # for each value, where it fits (Z24)
    laid: Ints = array(I8, WORDS)  # the cells laid in this turn
    owing: Ints = array(I8, WORDS)  # those of them that must be made good (Z9)
    where: Ints = array(I8, VALUES)  # scratch of light_cells.py: where a value may be laid, or may not
    players: I1
    keeping: I1
    teams: I1  # 1 in the team game (Z21), so that seat >> teams is always the sheet of a seat
    starter: I1
    turn: I1  # the seat on turn
    opening: I1
    second: I1  # it is a pair's second partner
    drawn: I1  # the seat on turn has drawn
    drawn_second: I1
    ended: I1  # the game is over
    n_bag: I1
    n_start: I1
    n_hand: Ints = array(I1, SEATS)
    n_known: Ints = array(I1, SEATS)  # how many of a seat's tiles are known to be …
    known_from: Ints = array(I1, SEATS)  # … of this value or a higher one; 0 if none
    crosses: Ints = array(I1, SEATS)  # of each sheet
    n_box: Grid = array(I1, COLUMNS, SEATS)  # filled boxes of each column and sheet
    hand: Grid = array(I1, SEATS, VALUES)  # how many tiles of each value
    board: Ints = array(I1, PLACES)  # the value of each tile
    sums: Ints = array(U1, PLACES)  # the pips beside each empty cell: row + 16 × column
    bag: Ints = array(I1, TILES)  # drawn from the end
    start: Ints = array(I1, TILES)  # the tiles drawn for the start; who drew them follows from who was tied
    box: Grid = array(I1, COLUMNS, BOXES)  # how many lines of 10, 11, 12 each box holds, sheet after sheet
    help_place: Ints = array(U1, HELPERS)  # scratch of light_cells.py: tiles tried, where
    help_choice: Ints = array(I1, HELPERS)  # … and which
