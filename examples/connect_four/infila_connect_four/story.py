"""Connect Four in words: moves that were made, and moves that can be made."""

from typing import Any

from infila.core.contract import Reason
from infila_connect_four.notation import LETTERS, cell_name, height


def tell(s: Any, action: int, after: Any = None) -> Reason:
    return Reason("drops", {"cell": cell_name(action, height(s, action))})


def act(s: Any, action: int) -> Reason:
    return Reason("drop", {"column": LETTERS[action]})
