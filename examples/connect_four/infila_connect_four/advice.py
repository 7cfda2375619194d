"""Why a move of Connect Four is good or bad."""

from collections.abc import Iterator

from infila.core.contract import Reason
from infila_connect_four.heuristics import CROSSED, can_fork, reachable, threats
from infila_connect_four.notation import bit, cell_name, height
from infila_connect_four.rules import ALL, COLUMNS, ROWS, STEP, State

MOST = 3  # reasons for one move
MANY = 8  # fours through a cell


def reasons(s: State, action: int) -> list[Reason]:
    """What a strong player would say of a move, the most important first."""
    return list(_found(s, action))[:MOST]


def _found(s: State, action: int) -> Iterator[Reason]:
    mine, theirs = int(s.discs[s.turn]), int(s.discs[1 - s.turn])
    taken = mine | theirs
    row = height(s, action)
    cell = bit(action, row)
    above = cell << 1 & ALL
    name, over = cell_name(action, row), cell_name(action, row + 1)
    if cell & threats(mine, taken):
        yield Reason("wins", {"cell": name})
        return
    if cell & threats(theirs, taken):
        yield Reason("parries", {"cell": name})
    if above & threats(theirs, taken):
        yield Reason("gives", {"cell": over})
    elif above & threats(mine, taken):
        yield Reason("spends", {"cell": over})
    after = taken | cell
    fresh = threats(mine | cell, after) & ~threats(mine, taken)
    now = threats(mine | cell, after) & reachable(after)
    if int(now).bit_count() > 1:
        yield Reason("forks", {"cells": _names(now)})
    elif fresh:
        yield Reason("threatens", {"cells": _names(fresh)})
    elif can_fork(theirs, taken) and not can_fork(theirs, after):
        yield Reason("foresees", {})
    crossed = int(CROSSED[STEP * action + row])
    if crossed >= MANY:
        yield Reason("crossed", {"cell": name, "n": crossed})


def _names(cells: int) -> str:
    return ", ".join(
        cell_name(column, row) for column in range(COLUMNS) for row in range(ROWS) if cells & bit(column, row)
    )
