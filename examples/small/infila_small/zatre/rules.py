"""Zatre on five cells: the rules (Z1 …).

Z1  There are six tiles, 1 to 6. The board is a cross of five cells: the lines b1, b2, b3 and a2, b2, c2.
    One tile is laid in the middle, each player gets two, and one stays covered.
Z2  The players take turns. One lays a tile of one's hand on a free cell, or passes. Who has passed or has no tile left
    is out of the game.
Z3  The tiles of a line must not add up to more than 12.
Z4  Who completes a line that adds up to 10, 11 or 12 gets 1, 2 or 4 points.
Z5  The game ends when everybody is out of it.

What is known. Everybody knows the board, the points, and who is out; a seat also its own hand.
"""

import numpy as np

from infila.core.chance import Chance, random_below, seed
from infila.core.record import I1, Grid, Ints, array
from infila.core.rule import rule

SEATS, TILES, HAND = 2, 6, 2  # Z1
CELLS: tuple[str, ...] = ("b2", "b3", "b1", "a2", "c2")  # the middle, and the ends: cells 2 k - 1 and 2 k are of line k
MOST = 12  # Z3
WORTH: Ints = np.array([*(0,) * 10, 1, 2, 4], np.int8)  # Z4

# an action is a cell, and a tile to lay there, or PASS
ACTIONS = len(CELLS) * TILES + 1
PASS = ACTIONS - 1
MAX_LEGAL = (len(CELLS) - 1) * HAND + 1
KINDS: tuple[str, ...] = ("lay", "pass")
KIND_FIRST = np.array([0, PASS, ACTIONS])
KIND_WEIGHT = np.array([4, 1])


class State(Chance):
    """A whole game."""

    board: Ints = array(I1, len(CELLS))  # 0: free
    tiles: Grid = array(I1, SEATS, HAND)  # hands, ascending; 0: no tile
    n_tiles: Ints = array(I1, SEATS)
    points: Ints = array(I1, SEATS)
    out: Ints = array(I1, SEATS)
    covered: I1
    players: I1
    chosen_starter: I1
    turn: I1
    ended: I1


@rule
def is_seen(s: State, viewer: int, tile: int) -> bool:
    """Whether a viewer sees a tile: on the board, or in the own hand."""
    found = False
    for cell in range(len(CELLS)):
        found |= s.board[cell] == tile
    if viewer >= 0:
        for k in range(HAND):
            found |= s.tiles[viewer, k] == tile
    return found


@rule
def deal_unseen(s: State, viewer: int) -> None:
    """Deal the tiles that a viewer does not see, in ascending order, each to any place that is still free: the other
    hands, and the one that is covered."""
    places = 1
    for seat in range(SEATS):
        if seat != viewer:
            places += s.n_tiles[seat]
            s.n_tiles[seat] = -s.n_tiles[seat]  # so many are still to be dealt
    for tile in range(1, TILES + 1):
        if not is_seen(s, viewer, tile):
            place = random_below(s, places)
            places -= 1
            for seat in range(SEATS):
                if s.n_tiles[seat] < 0:
                    if 0 <= place < -s.n_tiles[seat]:
                        give(s, seat, tile)
                        place = -1
                    elif place >= 0:
                        place += s.n_tiles[seat]
            if place >= 0:
                s.covered = tile
    for seat in range(SEATS):
        if s.tiles[seat, 0] != 0:
            s.n_tiles[seat] = 2 if s.tiles[seat, 1] != 0 else 1


@rule
def give(s: State, seat: int, tile: int) -> None:
    """The next tile of a hand that is being dealt."""
    s.n_tiles[seat] += 1
    if s.tiles[seat, 0] == 0:
        s.tiles[seat, 0] = tile
    else:
        s.tiles[seat, 1] = tile


@rule
def deal(s: State) -> None:
    """Z1"""
    s.turn = s.chosen_starter if s.chosen_starter >= 0 else random_below(s, SEATS)
    s.board[0] = 1 + random_below(s, TILES)
    s.n_tiles[:] = HAND
    deal_unseen(s, -1)


@rule
def line_sum(s: State, cell: int) -> int:
    """The sum of the line of a cell that is not the middle."""
    other = cell + 1 if cell % 2 else cell - 1
    return int(s.board[0]) + int(s.board[cell]) + int(s.board[other])


@rule
def legal(s: State, out: Ints) -> int:
    n = 0
    if s.ended:
        return n
    for cell in range(1, len(CELLS)):
        for k in range(s.n_tiles[s.turn]):
            tile = s.tiles[s.turn, k]
            if s.board[cell] == 0 and line_sum(s, cell) + tile <= MOST:  # Z3
                out[n] = cell * TILES + tile - 1
                n += 1
    out[n] = PASS
    return n + 1


@rule
def play(s: State, action: int) -> None:
    me = s.turn
    if action == PASS:
        s.out[me] = 1
    else:
        cell = action // TILES
        tile = action % TILES + 1
        s.n_tiles[me] -= 1
        if s.tiles[me, 0] == tile:
            s.tiles[me, 0] = s.tiles[me, 1]
        s.tiles[me, 1] = 0
        s.board[cell] = tile
        other = cell + 1 if cell % 2 else cell - 1
        if s.board[other] != 0:  # Z4
            s.points[me] += WORTH[line_sum(s, cell)]
        if s.n_tiles[me] == 0:
            s.out[me] = 1
    if s.out[1 - me] == 0:
        s.turn = 1 - me
    elif s.out[me] != 0:
        s.ended = 1  # Z5


@rule
def scores(s: State, out: Ints) -> None:
    for seat in range(SEATS):
        out[seat] = s.points[seat]


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.covered = 0
    for seat in range(SEATS):
        if seat != viewer:
            s.tiles[seat, :] = 0


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    deal_unseen(s, viewer)
