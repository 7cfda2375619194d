"""Zatre: every box, bonus, cross and kept tile that counts."""

from types import SimpleNamespace

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.zatre.rules import printed_bonus
from infila.games.zatre.sheet import Sheet, line_points, seats_of, sheet_of
from infila.games.zatre.state import SCORES, VALUES, State

GAME = "infila.games.zatre"
GROUPS = {  # in which the end of a game sums these up
    "line": "lines",
    "lines": "lines",
    "bonus": "bonuses",
    "doubled": "crosses",
    "kept": "kept",
    "partner_kept": "kept",
}


def stage(s: State) -> str:
    return "the game"


def explain(s: State) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        number = seat >> p.teams
        sheet = sheet_of(p, number)
        items = [each for row in range(len(sheet.rows)) for each in _row(sheet, row)]
        for holder in seats_of(p, number) if p.ended else ():
            items += _kept(p, holder, seat)
        seats.append(items)
    return seats


def _row(sheet: Sheet, row: int) -> list[Item]:
    items = []
    for pips, count in enumerate(sheet.counts(row), SCORES):
        if count:
            key = "line" if count == 1 else "lines"
            items.append(item(GAME, line_points(pips) * count, "Z15", key, row=row + 1, count=count, pips=pips))
    if sheet.full(row):
        items.append(item(GAME, printed_bonus(row), "Z3", "bonus", row=row + 1))
    if sheet.crossed(row):
        doubled = (sheet.times(row) - 1) * sheet.points(row)
        items.append(item(GAME, doubled, "Z18", "doubled", row=row + 1))
    return items


def _kept(p: SimpleNamespace, holder: int, seat: int) -> list[Item]:
    key = "kept" if holder == seat else "partner_kept"
    return [
        item(GAME, -value, "Z19", key, value=value)
        for value in range(1, VALUES + 1)
        for _ in range(p.hand[holder][value - 1])
    ]


def ending(s: State, action: int) -> State | None:
    return None
