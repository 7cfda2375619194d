"""Connect Four: what counted, the four in a row."""

from infila.core.contract import Item, item
from infila_connect_four.notation import bit, cell_name
from infila_connect_four.rules import COLUMNS, ROWS, State

GAME = "infila_connect_four"
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # C4: up, along, and both diagonals

Line = tuple[tuple[int, int], ...]  # four cells as column and row


def lines() -> list[Line]:
    """Every four cells in a row."""
    found = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            for right, up in WAYS:
                line = tuple((column + right * i, row + up * i) for i in range(4))
                if line[3][0] < COLUMNS and 0 <= line[3][1] < ROWS:
                    found.append(line)
    return found


LINES = lines()


def fours(s: State, seat: int) -> list[Line]:
    """The fours of a seat."""
    discs = int(s.discs[seat])
    return [line for line in LINES if all(discs & bit(*cell) for cell in line)]


def stage(s: State) -> str:
    return "game 1"


def explain(s: State) -> list[list[Item]]:
    return [[_four(fours(s, seat)[0])] if s.winner == seat + 1 else [] for seat in range(2)]


def _four(line: Line) -> Item:
    return item(GAME, 1, "C4", "four", first=cell_name(*line[0]), last=cell_name(*line[3]))


def ending(s: State, action: int) -> State | None:
    return None
