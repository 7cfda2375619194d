"""Sequence: a whole game as one record, and what its sizes and values mean."""

import numpy as np

from infila.core.chance import Chance
from infila.core.record import I1, I2, I4, Grid, Ints, array
from infila.core.rule import rule
from infila.games.sequence.board import BOARD, CARDS, LINES

SEATS, SIDES = 12, 3
EACH: Ints = np.array([0, 0, 7, 6, 6, 0, 5, 0, 4, 4, 3, 0, 3], np.int8)  # S5: cards each, by players
HAND = 7
OF_TWO, OF_THREE = 2, 1  # S14: sequences that win, with two sides and with three
LAST_TURN = 1000  # S18

# what lies on a cell: OPEN, a side's chip 1 to 3, with TURNED once it is turned over (S12); a corner is safe, nobody's
OPEN, SIDE, TURNED = 0, 3, 4
CORNER = TURNED


class State(Chance):
    """A whole game."""

    lines: Ints = array(I4, LINES)  # ten bits for each side: the places it covers, corners included (S8)
    turns: I2  # cards played and passes so far
    owing: I2  # a bit for each seat that owes a discard (S23)
    sequences: Grid = array(I2, SIDES, OF_TWO)  # each side's fives, ascending
    players: I1
    sides: I1
    advanced: I1
    draw: I1  # 1: manual
    table_talk: I1  # 1: forbidden
    dealer: I1
    turn: I1  # the seat on turn
    ended: I1  # the game is over
    winner: I1  # the side that has won, from 1; 0: none
    passes: I1  # in a row
    exchanged: I1  # a dead card, in this turn
    locking: I1  # 1 + the cell whose chip asks for a lock; 0: none
    n_sequences: Ints = array(I1, SIDES)
    n_cut: I1
    n_pile: I1
    n_discards: I1
    n_undrawn: I1
    undrawn: Ints = array(I1, SEATS)  # seats that may still draw, the oldest play first (S22)
    n_hand: Ints = array(I1, SEATS)
    hand: Grid = array(I1, SEATS, HAND)  # ascending
    board: Ints = array(I1, BOARD)
    pile: Ints = array(I1, CARDS)  # drawn from the end
    discards: Ints = array(I1, CARDS)  # of all seats, in order
    discarded_by: Ints = array(I1, CARDS)
    cut: Ints = array(I1, CARDS)  # in order; the seats follow from who was tied


@rule
def needed(sides: int) -> int:
    """S14: how many sequences win."""
    return OF_TWO if sides == 2 else OF_THREE


@rule
def side_of(sides: int, seat: int) -> int:
    """S19: the side for which a seat plays, from 0."""
    seat = int(seat)
    if sides == 2:
        return seat & 1
    return seat - 3 * (seat * 43 >> 7)  # modulo 3, for seats below 12, without a division


@rule
def has_partners(players: int, sides: int) -> bool:
    """S24: whoever plays alone has nobody to advise."""
    return players > sides
