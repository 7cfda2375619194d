"""Zatre: every box, bonus, cross and kept tile that counts."""

from typing import Any

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.zatre.rules import BOXES

GAME = "infila.games.zatre"
BONUS = (3, 4, 5, 6)  # Z3: rows 1–4, 5–8, 9–12, and all from 13 on
POINTS = {10: 1, 11: 2, 12: 4}  # Z15


def stage(s: Any) -> str:
    return "the game"


def bonus(row: int) -> int:
    """The printed bonus of a row, from 0."""
    return BONUS[min(row // 4, 3)]


def boxes(s: Any, sheet: int) -> list[tuple[int, int, int]]:
    """The rows of a sheet: how many lines of 10, 11 and 12 each box holds; rows with nothing but a cross included."""
    first = BOXES // (s.players >> s.teams) * sheet
    rows = max(*(column[sheet] for column in s.n_box), s.crosses[sheet])
    return [tuple(column[first + row] for column in s.box) for row in range(rows)]


def row_points(row: int, counts: tuple[int, int, int], cross: bool) -> int:
    """Z18: a row's total."""
    points = counts[0] + 2 * counts[1] + 4 * counts[2] + (bonus(row) if all(counts) else 0)
    return 2 * points if cross else points


def explain(s: Any) -> list[list[Item]]:
    s = plain(s)
    seats = []
    for seat in range(s.players):
        items = []
        for row, counts in enumerate(boxes(s, seat >> s.teams)):
            items += _row(row, counts, row < s.crosses[seat >> s.teams])
        for holder in range(s.players) if s.ended else ():
            if holder >> s.teams == seat >> s.teams:
                items += _kept(s, holder, seat)
        seats.append(items)
    return seats


def _row(row: int, counts: tuple[int, int, int], cross: bool) -> list[Item]:
    items = []
    for (pips, each), count in zip(POINTS.items(), counts, strict=True):
        if count:
            key = "line" if count == 1 else "lines"
            items.append(item(GAME, each * count, "Z15", key, row=row + 1, count=count, pips=pips))
    if all(counts):
        items.append(item(GAME, bonus(row), "Z3", "bonus", row=row + 1))
    if cross:
        items.append(item(GAME, row_points(row, counts, False), "Z18", "doubled", row=row + 1))
    return items


def _kept(s: Any, holder: int, seat: int) -> list[Item]:
    key = "kept" if holder == seat else "partner_kept"
    return [
        item(GAME, -value, "Z19", key, value=value) for value in range(1, 7) for _ in range(s.hand[holder][value - 1])
    ]


def ending(s: Any, action: int) -> Any | None:
    return None
