"""How the symmetries of Zatre turn a position."""

from typing import Any

import numpy as np

from infila.core.record import States

EVERY = 3  # of the sets of options that are looked at


def comparable(s: Any) -> bool:
    """Every position can be turned."""
    return True


def goes_on(before: Any, after: Any) -> bool:
    """What follows a move is as symmetric as the move."""
    return True


def turned(states: States, symmetry: Any) -> None:
    """The board of the second record turned as the symmetry's actions turn a tile."""
    from infila.games.zatre.board import clear, fit, put

    board = states[1].board.copy()
    sets = {name: states[1][name].copy() for name in ("laid", "owing")}
    for name in ("board", "fits", "laid", "owing"):
        states[1][name][:] = 0
    empty = states[1:]
    clear(empty[0])
    for cell in range(225):
        old = cell + cell // 15
        new = symmetry.actions[cell]
        place = new + new // 15
        for name, words in sets.items():
            if int(words[old >> 6]) >> (old & 63) & 1:
                empty[0][name][place >> 6] |= np.int64(1 << (int(place) & 63))
        if board[old]:
            put(empty[0], place, int(board[old]))
            fit(empty[0], place)
