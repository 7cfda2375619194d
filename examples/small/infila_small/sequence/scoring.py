"""Small Sequence: the sequences that counted."""

from infila.core.contract import Item, plain_item
from infila_small.fields import SEATS
from infila_small.sequence.notation import NAMES
from infila_small.sequence.rules import LINES, State


def stage(s: State) -> str:
    return "game 1"


def explain(s: State) -> list[list[Item]]:
    found = [
        [line for line in LINES.tolist() if all(s.chips[cell] == seat + 1 for cell in line)] for seat in range(SEATS)
    ]
    return [[plain_item(1, "S4", f"{NAMES[line[0]]} to {NAMES[line[-1]]}") for line in some] for some in found]


def ending(s: State, action: int) -> State | None:
    return None
