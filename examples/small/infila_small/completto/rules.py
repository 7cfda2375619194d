"""Completto with six tiles: the rules (C1 …).

C1  There are six tiles, 1 to 6. Each player has a row of two, the left one open and the right one covered; two covered
    tiles are the middle. Nobody looks at a covered tile.
C2  The players take turns. One draws a covered tile of the middle, or takes an open one that lies there.
C3  Then one lays it into one's row: in the place of the left tile, or, if it is higher than the left one, of the right
    tile. The tile that was there comes open into the middle. A tile that was drawn may be laid aside instead, open.
C4  Who has laid the right tile has completed the row and wins. After six turns nobody has won.

What is known. Everybody knows all open tiles, and nobody a covered one.
"""

import numpy as np

from infila.core.chance import Chance, random_below, seed, shuffle
from infila.core.record import I1, Grid, Ints, array
from infila.core.rule import rule

SEATS, TILES, ROW, MIDDLE, TURNS = 2, 6, 2, 2, 6
UNSEEN = SEATS + MIDDLE

DRAW, TAKE, LEFT, RIGHT, ASIDE = 0, 0, TILES + 1, TILES + 2, TILES + 3  # TAKE + tile
ACTIONS, MAX_LEGAL = ASIDE + 1, MIDDLE + 1
KINDS: tuple[str, ...] = ("draw", "take", "lay", "aside")
KIND_FIRST = np.array([DRAW, TAKE + 1, LEFT, ASIDE, ACTIONS])
KIND_WEIGHT = np.array([1, 1, 1, 1])


class State(Chance):
    """A whole game."""

    tile_row: Grid = array(I1, SEATS, ROW)  # the left tile open, the right one covered, but not that of the winner
    middle: Ints = array(I1, UNSEEN)  # covered, drawn from the end; room for all that are dealt anew
    lying: Ints = array(I1, TILES + 1)  # by tile, whether it lies open in the middle
    n_middle: I1
    drawn: I1  # the tile that is to be laid; 0: none
    from_middle: I1  # whether it was covered
    turns: I1  # that are over
    winner: I1  # seat + 1; 0: nobody
    players: I1
    chosen_starter: I1
    turn: I1
    ended: I1


@rule
def is_seen(s: State, tile: int) -> bool:
    found = s.lying[tile] != 0 or s.drawn == tile
    for seat in range(SEATS):
        found |= s.tile_row[seat, 0] == tile
        found |= s.winner == seat + 1 and s.tile_row[seat, 1] == tile
    return found


@rule
def deal_unseen(s: State) -> None:
    """Shuffle all tiles that nobody has seen, and lay them out: the right ones of the rows, and the middle."""
    n = 0
    for tile in range(1, TILES + 1):
        if not is_seen(s, tile):
            s.middle[n] = tile
            n += 1
    shuffle(s, s.middle, n)
    for seat in range(SEATS):
        if s.winner != seat + 1:
            n -= 1
            s.tile_row[seat, 1] = s.middle[n]
            s.middle[n] = 0


@rule
def deal(s: State) -> None:
    """C1"""
    s.turn = s.chosen_starter if s.chosen_starter >= 0 else random_below(s, SEATS)
    first = random_below(s, TILES)
    second = random_below(s, TILES - 1)
    s.tile_row[0, 0] = first + 1
    s.tile_row[1, 0] = second + 1 if second < first else second + 2
    s.n_middle = MIDDLE
    deal_unseen(s)


@rule
def legal(s: State, out: Ints) -> int:
    n = 0
    if s.ended:
        return n
    if s.drawn == 0:  # C2
        if s.n_middle > 0:
            out[n] = DRAW
            n += 1
        for tile in range(1, TILES + 1):
            if s.lying[tile]:
                out[n] = TAKE + tile
                n += 1
        return n
    out[n] = LEFT  # C3
    n += 1
    if s.drawn > s.tile_row[s.turn, 0]:
        out[n] = RIGHT
        n += 1
    if s.from_middle:
        out[n] = ASIDE
        n += 1
    return n


@rule
def play(s: State, action: int) -> None:
    me = s.turn
    if action == DRAW:
        s.n_middle -= 1
        s.drawn = s.middle[s.n_middle]
        s.middle[s.n_middle] = 0
        s.from_middle = 1
        return
    if action < LEFT:
        s.drawn = action - TAKE
        s.lying[s.drawn] = 0
        return
    if action == ASIDE:
        s.lying[s.drawn] = 1
    else:
        place = 0 if action == LEFT else 1
        s.lying[s.tile_row[me, place]] = 1
        s.tile_row[me, place] = s.drawn
    s.drawn = 0
    s.from_middle = 0
    s.turns += 1
    if action == RIGHT:
        s.winner = me + 1
    if s.winner or s.turns == TURNS:  # C4
        s.ended = 1
    else:
        s.turn = 1 - me


@rule
def scores(s: State, out: Ints) -> None:
    for seat in range(SEATS):
        out[seat] = 1 if s.winner == seat + 1 else 0


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.middle[:] = 0
    for seat in range(SEATS):
        if s.winner != seat + 1:
            s.tile_row[seat, 1] = 0


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    deal_unseen(s)
