"""Zatre: how often its rules matter."""

from infila.core.contract import Event
from infila.core.record import Ints, int64
from infila.core.rule import inlined, rule
from infila.games.zatre.board import LIGHT, has, only_light
from infila.games.zatre.rules import (
    DRAW,
    STOP,
    first_box,
    fitting,
    full,
    hand_pips,
    place_laid,
    printed_bonus,
    row_points_at,
    times,
    value_laid,
    written_rows,
)
from infila.games.zatre.state import COLUMNS, State

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
def sheets(s: State) -> int:
    """The number of sheets."""
    return s.players >> s.teams


@rule
def bonus(s: State, first: int, row: int) -> int:
    """Z3: what a row of the sheet whose boxes begin at `first` has earned."""
    box = first + row
    return printed_bonus(row) if full(int(s.box[0, box]), int(s.box[1, box]), int(s.box[2, box])) else 0


@rule
def kept_pips(s: State, sheet: int) -> int:
    """Z19: the pips left in the hands of a sheet's players."""
    pips = 0
    for seat in range(s.players):
        if seat >> s.teams == sheet:
            pips += hand_pips(s, seat)
    return pips


@rule
def total_without(s: State, sheet: int, rule_left_out: int) -> int:
    """A sheet's grand total without one rule: that of BY_MINUS, BY_BONUS or BY_CROSSES, or none."""
    total = 0 if rule_left_out == BY_MINUS else -kept_pips(s, sheet)
    first = first_box(s, sheet)
    for row in range(written_rows(s, sheet)):
        points = row_points_at(s, first, row)
        if rule_left_out == BY_BONUS:
            points -= bonus(s, first, row)
        if rule_left_out != BY_CROSSES:
            points *= times(row, int(s.crosses[sheet]))
        total += points
    return total


@rule
def winners_without(s: State, rule_left_out: int) -> int:
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
def note_move(before: State, action: int, counts: Ints) -> None:
    if action == STOP:
        counts[KEPT] += 1
    elif action == DRAW:
        counts[DRAWN] += 1
    else:
        counts[TILES_LAID] += 1
        if has(LIGHT, place_laid(int64(action))):
            counts[ON_LIGHT] += 1
            counts[NO_DARK] += int(only_light(before, value_laid(int64(action)) - 1))


@inlined
def note_sheet(s: State, sheet: int, counts: Ints) -> None:
    first = first_box(s, sheet)
    rows = written_rows(s, sheet)
    counts[CROSSES] += s.crosses[sheet]
    counts[EMPTY_CROSSES] += max(0, int(s.crosses[sheet]) - rows)
    for row in range(rows):
        for k in range(COLUMNS):
            counts[TENS + k] += s.box[k, first + row]
        counts[BONUSES] += int(bonus(s, first, row) > 0)


@inlined
def note_end(s: State, counts: Ints) -> None:
    for sheet in range(sheets(s)):
        note_sheet(s, sheet, counts)
        counts[PIPS] += kept_pips(s, sheet)
    counts[ALL_LAID] += int(counts[PIPS] == 0)
    counts[CLOSED] += int(fitting(s) == 0)
    winners = winners_without(s, 0)
    for left_out in range(BY_MINUS, BY_CROSSES + 1):
        counts[left_out] += int(winners_without(s, left_out) != winners)


@rule
def note(before: State, action: int, after: State, counts: Ints) -> None:
    note_move(before, action, counts)
    if before.opening and not after.opening:
        for sheet in range(sheets(after)):
            counts[RED_CROSS] += int(written_rows(after, sheet) > 0)
    if after.ended:
        note_end(after, counts)
