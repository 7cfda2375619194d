"""Sequence: fives seen from a cell, of a state made `plain`."""

from types import SimpleNamespace

from infila.games.sequence.notation import FIVE_NUMBERS, cells_of
from infila.games.sequence.rules import BOARD, CORNER, OPEN, SIDE

FIVES = tuple(tuple(cells_of(five)) for five in FIVE_NUMBERS.values())
THROUGH = tuple(tuple(five for five in FIVES if cell in five) for cell in range(BOARD))


def chips(p: SimpleNamespace, side: int, five: tuple[int, ...]) -> int:
    """How many cells of a five the side covers; -1 if it can never be a sequence of this side beside those it has."""
    here = [p.board[cell] for cell in five]
    if any(chip not in (OPEN, CORNER) and chip & SIDE != side + 1 for chip in here):
        return -1
    for i in range(p.n_sequences[side]):
        if len(set(five) & set(cells_of(p.sequences[side][i]))) > 1:  # S13
            return -1
    return sum(chip != OPEN for chip in here)


def best_five(p: SimpleNamespace, side: int, cell: int) -> tuple[int, ...]:
    """The five through a cell in which the side has the most chips."""
    return max(THROUGH[cell], key=lambda five: chips(p, side, five))


def longest(p: SimpleNamespace, side: int, cell: int) -> int:
    """How many chips stand in the best five through a cell once the side has put one there."""
    return chips(p, side, best_five(p, side, cell)) + 1


def gained(p: SimpleNamespace, side: int, cell: int) -> int:
    """S12, S13: how many sequences a chip on a cell completes, as far as the side still needs them."""
    new = [set(five) for five in THROUGH[cell] if chips(p, side, five) == 4]
    apart = any(len(one & other) == 1 for one in new for other in new)
    missing = (2 if p.sides == 2 else 1) - int(p.n_sequences[side])
    return min(2 if apart else len(new[:1]), missing)
