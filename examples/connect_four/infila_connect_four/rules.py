"""Connect Four: the rules (C1 …), each written once.

The discs of a seat are the bits of one number: cell r of column c, both from 0, is bit 7 c + r. A column has six cells
and a seventh bit that stays empty, so that no line runs from the top of one column into the next, and adding 1 at the
foot of a column carries to its lowest free cell. Everything is seen by everybody.
"""

import numpy as np

from infila.core.chance import Chance, random_below, seed
from infila.core.record import I1, I8, Ints, array
from infila.core.rule import rule

COLUMNS, ROWS = 7, 6  # C1
STEP = ROWS + 1  # from a column to the next
FOOT = np.array([1 << STEP * column for column in range(COLUMNS)])
ALL = sum(((1 << ROWS) - 1) << STEP * column for column in range(COLUMNS))

# an action is a column
ACTIONS = MAX_LEGAL = COLUMNS
KINDS: tuple[str, ...] = ("drop",)
KIND_FIRST = np.array([0, ACTIONS])
KIND_WEIGHT = np.array([1])


class State(Chance):
    """A whole game, in one record."""

    discs: Ints = array(I8, 2)  # of each seat
    players: I1
    chosen_starter: I1
    turn: I1
    winner: I1  # seat + 1; 0: nobody
    ended: I1


@rule
def deal(s: State) -> None:
    """C2"""
    s.turn = s.chosen_starter if s.chosen_starter >= 0 else random_below(s, 2)


@rule
def legal(s: State, out: Ints) -> int:
    """C3: every column whose top cell is free. Each is written, and the next over it if it was full."""
    n = 0
    if s.ended:
        return n
    taken = s.discs[0] | s.discs[1]
    for column in range(COLUMNS):
        out[n] = column
        n += 1 - ((taken >> (STEP * column + ROWS - 1)) & 1)
    return n


@rule
def has_four(discs: int) -> bool:
    """C4: four in a row upwards, along a row, or along a diagonal: two pairs of neighbours, two steps apart."""
    up = discs & (discs >> 1)
    along = discs & (discs >> STEP)
    rising = discs & (discs >> (STEP + 1))
    falling = discs & (discs >> (STEP - 1))
    fours = (
        (up & (up >> 2))
        | (along & (along >> 2 * STEP))
        | (rising & (rising >> 2 * (STEP + 1)))
        | (falling & (falling >> 2 * (STEP - 1)))
    )
    return fours != 0


@rule
def play(s: State, action: int) -> None:
    """C3: the disc falls to the lowest free cell. C4, C5: four in a row, or a full board, is the end."""
    me = s.turn
    taken = s.discs[0] | s.discs[1]
    fallen = (taken + FOOT[action]) & ~taken
    mine = s.discs[me] | fallen
    s.discs[me] = mine
    if has_four(mine):
        s.winner = me + 1
        s.ended = 1
    elif taken | fallen == ALL:
        s.ended = 1
    else:
        s.turn = 1 - me


@rule
def scores(s: State, out: Ints) -> None:
    """C4: one point for four in a row; C5: none for a draw."""
    for seat in range(2):
        out[seat] = 1 if s.winner == seat + 1 else 0


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
