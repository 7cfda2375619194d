"""Sequence: fives that a side may still complete, of a state made `plain`."""

from types import SimpleNamespace

from infila.games.sequence.board import BOARD, CELLS_OF_FIVES, are_apart
from infila.games.sequence.state import CORNER, OPEN, SIDE, needed

THROUGH = tuple(tuple(five for five, cells in CELLS_OF_FIVES.items() if cell in cells) for cell in range(BOARD))


def lacking(p: SimpleNamespace, side: int, five: int) -> list[int] | None:
    """The cells that a side lacks of a five; None if it can never be a sequence besides those the side has."""
    lack = []
    for cell in CELLS_OF_FIVES[five]:
        chip = p.board[cell]
        if chip == OPEN:
            lack.append(cell)
        elif chip != CORNER and chip & SIDE != side + 1:
            return None
    turned = p.sequences[side][: p.n_sequences[side]]
    return lack if all(are_apart(five, other) for other in turned) else None


def chips(p: SimpleNamespace, side: int, five: int) -> int:
    """How many cells of a five the side covers; -1 if it can never be a sequence besides those the side has."""
    lack = lacking(p, side, five)
    return -1 if lack is None else 5 - len(lack)


def best_five(p: SimpleNamespace, side: int, cell: int) -> int:
    """The five through a cell in which the side has the most chips."""
    return max(THROUGH[cell], key=lambda five: chips(p, side, five))


def longest(p: SimpleNamespace, side: int, cell: int) -> int:
    """How many chips stand in the best five through a cell once the side has put one there."""
    return chips(p, side, best_five(p, side, cell)) + 1


def gained(p: SimpleNamespace, side: int, cell: int) -> int:
    """S12, S13: how many sequences a chip on a cell completes, as far as the side still needs them."""
    new = [five for five in THROUGH[cell] if chips(p, side, five) == 4]
    apart = any(are_apart(one, other) for one in new for other in new)
    return min(2 if apart else len(new[:1]), needed(p.sides) - int(p.n_sequences[side]))
