"""Connect Four in words: moves that were made, and moves that can be made."""

from infila.core.contract import Reason
from infila_connect_four.notation import LETTERS, cell_name, height
from infila_connect_four.rules import State


def tell(s: State, action: int, after: State | None = None) -> Reason:
    return Reason("drops", {"cell": cell_name(action, height(s, action))})


def propose(s: State, action: int) -> Reason:
    return Reason("drop", {"column": LETTERS[action]})
