"""Zatre: how often its rules matter."""

from typing import Any

import numpy as np

from infila.core.contract import Event
from infila.core.rule import inlined, rule
from infila.games.zatre.board import LIGHT, SIDE, VALUES, has, only_light
from infila.games.zatre.rules import CELLS, DRAW, STOP, bonus, first_box, fitting, row_points

EVENTS = (
    Event("Z7", "tiles laid"),
    Event("Z9", "… on a light cell"),
    Event("Z9", "… because they fitted on no dark one"),
    Event("Z10", "the opening earns the cross of the red cell"),
    Event("Z12", "turns ended with tiles kept that could be laid"),
    Event("Z13", "tiles drawn though nobody had to"),
    Event("Z15", "lines of 10"),
    Event("Z15", "lines of 11"),
    Event("Z15", "lines of 12"),
    Event("Z17", "crosses"),
    Event("Z18", "crosses in rows without a box"),
    Event("Z3", "rows that earn the bonus"),
    Event("Z19", "pips counted as minus"),
    Event("Z19", "every tile was laid"),
    Event("Z20", "in the end nothing fits anywhere"),
    Event("Z19", "without the minus another would have won"),
    Event("Z3", "without the bonus another would have won"),
    Event("Z18", "without doubled rows another would have won"),
)
(
    TILES_LAID,
    ON_LIGHT,
    NO_DARK,
    RED_CROSS,
    KEPT,
    DRAWN,
    TENS,
    ELEVENS,
    TWELVES,
    CROSSES,
    EMPTY_CROSSES,
    BONUSES,
    PIPS,
    ALL_LAID,
    CLOSED,
    BY_MINUS,
    BY_BONUS,
    BY_CROSSES,
) = range(len(EVENTS))


@rule
def sheets(s: Any) -> Any:
    return s.players >> s.teams


@rule
def rows_of(s: Any, sheet: Any) -> Any:
    return max(s.n_box[0, sheet], s.n_box[1, sheet], s.n_box[2, sheet])


@rule
def kept_pips(s: Any, sheet: Any) -> Any:
    """Z19: the pips left in the hands of a sheet's players."""
    pips = 0
    for seat in range(s.players):
        if seat >> s.teams == sheet:
            for i in range(VALUES):
                pips += int(s.hand[seat, i]) * (i + 1)
    return pips


@rule
def total_without(s: Any, sheet: Any, rule_left_out: Any) -> Any:
    """A sheet's grand total, had one rule not been there: that of BY_MINUS, BY_BONUS or BY_CROSSES, or none."""
    total = 0 if rule_left_out == BY_MINUS else -kept_pips(s, sheet)
    first = first_box(s, sheet)
    for row in range(rows_of(s, sheet)):
        points = int(row_points(s, first, row))
        if rule_left_out == BY_BONUS:
            points -= bonus(s, first, row)
        if row < s.crosses[sheet] and rule_left_out != BY_CROSSES:
            points *= 2
        total += points
    return total


@rule
def winners_without(s: Any, rule_left_out: Any) -> Any:
    """The sheets that would have won, as bits."""
    best = total_without(s, 0, rule_left_out)
    winners = 1
    for sheet in range(1, sheets(s)):
        total = total_without(s, sheet, rule_left_out)
        if total >= best:
            winners = (winners if total == best else 0) | 1 << sheet
            best = total
    return winners


@inlined
def note_move(before: Any, action: Any, counts: Any) -> None:
    if action == STOP:
        counts[KEPT] += 1
    elif action == DRAW:
        counts[DRAWN] += 1
    else:
        cell = np.int64(action) % CELLS
        counts[TILES_LAID] += 1
        if has(LIGHT, cell + cell // SIDE):
            counts[ON_LIGHT] += 1
            counts[NO_DARK] += int(only_light(before, np.int64(action) // CELLS))


@inlined
def note_sheet(s: Any, sheet: Any, counts: Any) -> None:
    first = first_box(s, sheet)
    rows = int(rows_of(s, sheet))
    counts[CROSSES] += s.crosses[sheet]
    counts[EMPTY_CROSSES] += max(0, int(s.crosses[sheet]) - rows)
    for row in range(rows):
        for k in range(3):
            counts[TENS + k] += s.box[k, first + row]
        counts[BONUSES] += int(bonus(s, first, row) > 0)


@inlined
def note_end(s: Any, counts: Any) -> None:
    for sheet in range(sheets(s)):
        note_sheet(s, sheet, counts)
        counts[PIPS] += kept_pips(s, sheet)
    counts[ALL_LAID] += int(counts[PIPS] == 0)
    counts[CLOSED] += int(fitting(s) == 0)
    winners = winners_without(s, 0)
    for left_out in range(BY_MINUS, BY_CROSSES + 1):
        counts[left_out] += int(winners_without(s, left_out) != winners)


@rule
def note(before: Any, action: Any, after: Any, counts: Any) -> None:
    note_move(before, action, counts)
    if before.opening and not after.opening:
        for sheet in range(sheets(after)):
            counts[RED_CROSS] += int(rows_of(after, sheet) > 0)
    if after.ended:
        note_end(after, counts)
