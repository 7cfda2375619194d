"""Light cells (Z9, Z24): where a value may be laid, so that every light tile can still be made good.

Light tiles that owe must be in a line of 10, 11 or 12 when the turn ends. Is there a way, with the tiles in hand?

Suppose there is one, and choose for each owing tile a line of 10 to 12 that holds it in the end: its witness. Of the
tiles that the way lays keep only those in witnesses, and lay them for one owing tile after the other: from that tile
outward, first to the one side, then to the other. This is a way, too. Every position on it is part of the final one,
so that no line reaches 13. Every tile is laid next to another. A line of 10 to 12 stays one, as lines only grow, and
not to 13. And every tile laid is in a witness, so that in the end it owes nothing, be its cell light or dark.

So it is enough to look for ways of this form: take an owing tile, choose its row or its column, lengthen that line at
its lower end, then at its upper end, until it has 10 pips; go on with another owing tile. `find_way` does that, depth
first, with the helpers on the board. Leaving out the other owing tiles makes nothing harder, so there is
no way if one of them could not be made good alone; and for one line alone, `can_complete`, nothing need be put on the
board: its cells lie in different lines across, and those stay as they are.

A hoarder with many owing tiles at once can make this a long search. It gives up after MOST_TRIED helpers, and there is
taken to be no way.
"""

from typing import Any

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.rule import rule
from infila.games.zatre.board import (
    DOWN,
    LEFT,
    LIGHT,
    RIGHT,
    SCORES,
    STEPS,
    UP,
    VALUES,
    WORDS,
    end,
    has,
    in_column,
    in_row,
    only_light,
    put,
    room,
    run,
    take_off,
)

COLUMN = 0x0001_0001_0001_0001  # the first column of a word's rows
ROW = 0x7FFF

# What find_way may choose at each step: 0 to 5 the values at the left end, then at the right, below, above.
CHOICES = 24
ROW_CHOICES = 12
NONE, HOPELESS = -1, -2  # no tile owes; one could not be made good even alone
MOST_TRIED = 5000  # some milliseconds; ordinary turns need less than ten
NARROW = 32  # added to a choice, as noted, if the row had been chosen before


@rule
def would_owe(s: Any, i: Any, place: Any) -> Any:
    """Z9: whether a tile of value i + 1, laid here, has to be made good by others."""
    if not has(LIGHT, place) or in_row(s, place) + i + 1 >= SCORES or in_column(s, place) + i + 1 >= SCORES:
        return False
    return not only_light(s, i)


@rule
def can_complete(s: Any, seat: Any, place: Any, row: Any, column: Any, base: Any) -> Any:
    """Whether tiles of the hand can complete the row or the column, of so many pips, that a tile here is part of.

    The tiles tried are noted from `base` on.
    """
    done = False
    depth = base
    for k in range(2):
        pips = column if k else row
        step = -STEPS[2 * k + 1]
        at = end(s, place, step)
        i = np.int64(0)
        while not done:
            along = pips + run(s, at, step)
            across = in_row(s, at) if k else in_column(s, at)
            most = min(VALUES, 12 - max(along, across))
            while i < most and s.hand[seat, i] == 0:
                i += 1
            if i < most and along + i + 1 >= SCORES:
                done = True
            elif i < most:
                s.help_place[depth] = at
                s.help_choice[depth] = i
                depth += 1
                s.hand[seat, i] -= 1
                pips = along + i + 1
                at = end(s, at, step)
                i = np.int64(0)
            elif step < 0:  # the lower end is done with: to the upper
                step = -step
                at = end(s, place, step)
                i = np.int64(0)
            elif depth == base:
                break
            else:
                depth -= 1
                at = np.int64(s.help_place[depth])
                i = np.int64(s.help_choice[depth])
                s.help_place[depth] = 0
                s.help_choice[depth] = 0
                s.hand[seat, i] += 1
                if at < place:
                    step = -step
                pips -= i + 1 + run(s, at, step)
                i += 1
    while depth > base:
        depth -= 1
        s.hand[seat, s.help_choice[depth]] += 1
        s.help_place[depth] = 0
        s.help_choice[depth] = 0
    return done


@rule
def next_owing(s: Any, seat: Any, depth: Any, to_the_end: Any) -> Any:
    """An owing tile that is in no line of 10, 11 or 12, always the same until it is; or NONE or HOPELESS.

    A tile that alone still owes is NONE, too, unless `to_the_end`: there is a way for it.
    """
    found = np.int64(NONE)
    several = False
    for w in range(WORDS):
        bits = s.owing[w]
        while bits != 0:
            place = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            row = s.board[place] + run(s, place, LEFT) + run(s, place, RIGHT)
            column = s.board[place] + run(s, place, DOWN) + run(s, place, UP)
            if row < SCORES and column < SCORES:
                if not can_complete(s, seat, place, row, column, depth):
                    return np.int64(HOPELESS)
                several = found != NONE
                found = place
    return found if several or to_the_end else np.int64(NONE)


@rule
def next_choice(s: Any, seat: Any, place: Any, choice: Any, last: Any) -> Any:
    """The first choice from `choice` on for a line through `place` that the hand and the board allow, or `last`."""
    while choice < last:
        at = end(s, place, STEPS[choice // VALUES])
        pips = in_row(s, at) if choice < ROW_CHOICES else in_column(s, at)
        i = choice % VALUES
        while i < room(np.int64(s.sums[at])):
            # the last tile of the hand must complete the line
            if s.hand[seat, i] > 0 and (s.n_hand[seat] > 1 or pips + i + 1 >= SCORES):
                return choice - choice % VALUES + i
            i += 1
        choice += VALUES - choice % VALUES
    return last


@rule
def find_way(s: Any, seat: Any, i: Any) -> Any:
    """Whether tiles of the hand can make good all that owes. If so, and i >= 0: s.where becomes the cells where the
    value i + 1 fits beside those tiles."""
    found = False
    tried = 0
    depth = np.int64(0)
    choice: Any = np.int64(0)
    last: Any = np.int64(CHOICES)
    owing = next_owing(s, seat, depth, i >= 0)
    while True:
        if owing == NONE and not found:
            found = True
            for w in range(WORDS if i >= 0 else 0):
                s.where[w] = s.fits[i, w]
        choice = next_choice(s, seat, owing, choice, last) if owing >= 0 and tried < MOST_TRIED else last
        if choice < last:
            place = end(s, owing, STEPS[choice // VALUES])
            s.help_place[depth] = place
            s.help_choice[depth] = choice + (NARROW if last < CHOICES else 0)
            depth += 1
            tried += 1
            s.hand[seat, choice % VALUES] -= 1
            s.n_hand[seat] -= 1
            put(s, place, choice % VALUES + 1)
            before = owing
            owing = next_owing(s, seat, depth, i >= 0)
            last = ROW_CHOICES if owing == before and choice < ROW_CHOICES else CHOICES
            choice = choice - choice % VALUES if owing == before else 0
        elif depth == 0:
            return found
        else:
            depth -= 1
            choice = np.int64(s.help_choice[depth])
            take_off(s, np.int64(s.help_place[depth]))
            s.help_place[depth] = 0
            s.help_choice[depth] = 0
            s.hand[seat, choice % NARROW % VALUES] += 1
            s.n_hand[seat] += 1
            last = ROW_CHOICES if choice >= NARROW else CHOICES
            choice = choice % NARROW + 1
            if not found:
                owing = next_owing(s, seat, depth, i >= 0)


@rule
def completing(s: Any, place: Any, row: Any, column: Any, values: Any) -> Any:
    """Those of the values (bits) that complete a line through here, if a tile here makes lines of so many pips."""
    found = 0
    for k in range(4):
        step = STEPS[k]
        pips = row if k < 2 else column
        at = (place + step) & 255
        while s.board[at] > 0:
            pips -= int(s.board[at])
            at = (at + step) & 255
        pips += in_row(s, at) if k < 2 else in_column(s, at)
        across = in_column(s, at) if k < 2 else in_row(s, at)
        fitting = values & ((1 << max(0, 12 - max(pips, across))) - 1)
        found |= fitting >> max(0, SCORES - 1 - pips)
    return found


@rule
def can_owe(s: Any, seat: Any, i: Any, place: Any, values: Any) -> Any:
    """Z9, while nothing else owes: whether others of the hand can make good the value i + 1 laid here, and owing."""
    row = in_row(s, place) + i + 1
    column = in_column(s, place) + i + 1
    if completing(s, place, row, column, values) != 0:
        return True
    if s.n_hand[seat] == 2:
        return False
    s.hand[seat, i] -= 1
    good = can_complete(s, seat, place, row, column, np.int64(0))
    s.hand[seat, i] += 1
    return good


@rule
def lines_of_owing(s: Any, w: Any) -> Any:
    """The cells in the rows and columns of owing tiles, as word w."""
    cells = 0
    for k in range(WORDS):
        bits = s.owing[k]
        while bits != 0:
            place = 64 * k + lowest_bit(bits)
            cells |= COLUMN << (place & 15)
            if k == w:
                cells |= ROW << (place & 48)
            bits &= bits - 1
    return cells


@rule
def where_while_owing(s: Any, seat: Any, i: Any) -> None:
    """Z9, Z24, while something owes: into s.where the cells on which the value i + 1 may be laid."""
    s.hand[seat, i] -= 1
    s.n_hand[seat] -= 1
    can_help = find_way(s, seat, i)
    s.n_hand[seat] += 1
    s.hand[seat, i] += 1
    for w in range(WORDS):
        if can_help:
            # the rest of the hand can help without this tile, and it fits beside those helpers: no need to ask
            sure = s.where[w] & s.fits[i, w]
            asked = s.fits[i, w]
        else:
            # it must help itself: it is part of a witness
            sure = np.int64(0)
            asked = s.fits[i, w] & lines_of_owing(s, w)
        s.where[w] = 0
        while asked != 0:
            bit = asked & -asked
            place = 64 * w + lowest_bit(asked)
            owes = would_owe(s, i, place)
            if sure & bit and not owes:
                s.where[w] |= bit
            # the last tile of the hand makes nothing good that it does not complete itself
            elif s.n_hand[seat] > 1 or in_row(s, place) + i + 1 >= SCORES or in_column(s, place) + i + 1 >= SCORES:
                s.hand[seat, i] -= 1
                s.n_hand[seat] -= 1
                put(s, place, i + 1)
                if owes:
                    s.owing[w] |= bit
                if find_way(s, seat, np.int64(-1)):
                    s.where[w] |= bit
                s.owing[w] &= ~bit
                take_off(s, place)
                s.n_hand[seat] += 1
                s.hand[seat, i] += 1
            asked &= asked - 1


@rule
def where_free(s: Any, seat: Any, i: Any) -> None:
    """While nothing owes: into s.where the cells on which the value i + 1 may be laid."""
    anywhere = only_light(s, i)
    values = np.int64(0)  # those in hand beside this tile
    for k in range(VALUES):
        if s.hand[seat, k] > (1 if k == i else 0):
            values |= 1 << k
    for w in range(WORDS):
        cells = s.fits[i, w]
        asked = np.int64(0) if anywhere else cells & LIGHT[w]
        while asked != 0:
            place = 64 * w + lowest_bit(asked)
            if (
                in_row(s, place) + i + 1 < SCORES
                and in_column(s, place) + i + 1 < SCORES
                and (values == 0 or not can_owe(s, seat, i, place, values))
            ):
                cells &= ~(asked & -asked)
            asked &= asked - 1
        s.where[w] = cells
