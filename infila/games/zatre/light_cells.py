"""Light cells (Z9, Z24): where a value may be laid so that every light tile can still be made good.

Light tiles that owe must be in a line of 10, 11 or 12 when the turn ends. Is there a way to do that with the hand?

Suppose there is one, and choose for each owing tile a line of 10 to 12 that holds it in the end: its witness. Of the
tiles that the way lays, keep only those in witnesses, and lay them for one owing tile after another: from that tile
outward, first to one side, then to the other. This is a way, too. Every position on it is part of the final one, so
no line reaches 13. Every tile is laid next to another. A line of 10 to 12 stays one, as lines only grow, and
not to 13. And every tile laid is in a witness, so that in the end it owes nothing, whether its cell is light or dark.

So it is enough to look for ways of this form: take an owing tile, choose its row or its column, lengthen that line at
its lower end, then at its upper end, until it has 10 pips; go on with another owing tile. For one line alone, nothing
need be put on the board: its cells lie in different lines across, and those stay as they are. `can_complete` finds one
way after the other for it. `find_way` puts the helpers of a way on the board and goes on with the next owing tile,
depth first. Leaving out the other owing tiles makes nothing harder, so there is no way if one of them could not be made
good alone.

A hoarder with many owing tiles at once can make this a long search. It gives up after MOST_TRIED helpers, and assumes
that there is no way.
"""

from infila.core.bits import highest_bit, lowest_bit
from infila.core.record import int64
from infila.core.rule import inlined, rule
from infila.games.zatre.board import (
    DOWN,
    LEFT,
    LIGHT,
    LIGHT_PLACES,
    RIGHT,
    STEPS,
    UP,
    end,
    has,
    in_column,
    in_row,
    only_light,
    put,
    room,
    run,
    scores_at,
    take_off,
)
from infila.games.zatre.state import MOST_PIPS, SCORES, VALUES, WORDS, State

COLUMN = 0x0001_0001_0001_0001  # the first column of a word's rows
ROW = 0x7FFF

NONE, HOPELESS, OTHERS = -1, -2, 256  # see `next_owing`
MOST_HELPERS = 9  # for one tile: with 9 others it is in a line of 10
TEN_TILES = sum(1 << VALUES * count for count in range(10))
CELL = 7  # see `side`
COLUMN_BIT = 40
IN_COLUMN = 1 << COLUMN_BIT  # see `way_for`
# added to what is noted about a helper: it is the first one of a way; it is in a column
FIRST, COLUMN_MARK = 16, 32
MOST_TRIED = 5000  # some milliseconds; ordinary turns need less than ten


@rule
def would_owe(s: State, i: int, place: int) -> bool:
    """Z9: whether a tile of value i + 1, laid here, has to be made good by others."""
    if not has(LIGHT, place) or in_row(s, place) + i + 1 >= SCORES or in_column(s, place) + i + 1 >= SCORES:
        return False
    return not only_light(s, i)


@rule
def in_hand(s: State, seat: int) -> int:
    """A hand as bits: bit i + 6 c says that it has more than c tiles of value i + 1, for the first ten of them."""
    hand = int64(0)
    for i in range(VALUES):
        hand |= (((1 << (VALUES * min(10, int(s.hand[seat, i])))) - 1) & TEN_TILES) << i
    return hand


@rule
def without(hand: int, i: int) -> int:
    """A hand as bits, with one tile of value i + 1 fewer."""
    column = TEN_TILES << i
    return (hand & ~column) | ((hand & column) >> VALUES)


@rule
def side(s: State, place: int, step: int, k: int, before: int, most: int) -> int:
    """The next empty cells from here, in one direction of a row (k = 0) or a column (k = 1), at most `most`.

    `before` are the pips of the line up to here, this place included. Each cell is CELL bits, the first one lowest: the
    highest value that fits across, then the pips up to the next one.
    """
    cells = int64(0)
    shift = int64(0)
    at = (place + step) & 255
    while shift < CELL * most:
        if s.board[at] > 0:
            before += int(s.board[at])
        else:
            sums = int64(s.sums[at])
            across = min(VALUES, MOST_PIPS - ((sums >> (4 - 4 * k)) & 15))
            if across <= 0:
                break
            behind = ((sums >> (4 * k)) & 15) - before
            cells |= (across + (behind << 3)) << shift
            shift += CELL
            before = int64(0)
        at = (at + step) & 255
    return cells


@rule
def completing(cells: int, pips: int, hand: int) -> int:
    """Of the values in hand (bits), those that complete a line of `pips` on the first cell of a side."""
    along = pips + ((cells >> 3) & 15)
    enough = max(0, SCORES - 1 - along)
    return ((hand & ((1 << max(0, min(cells & 7, MOST_PIPS - along))) - 1)) >> enough) << enough


@rule
def can_complete(lower: int, upper: int, pips: int, hand: int, most: int, after: int) -> int:
    """How at most `most` tiles of the hand can complete a line of `pips` between these sides; 0 if they cannot.

    That is 4 bits for each tile, the first one lowest: its value, and 8 for the upper end. Of all ways, the one
    that comes next after `after`, or the first one after 0.
    """
    low = int64(0)  # how far the lower side is filled
    high = int64(0)
    up = int64(0)
    highest = int64(VALUES)  # the values above have been tried
    laid = int64(0)
    way = int64(0)
    while True:  # all in registers, in one loop: nothing else would be fast on a GPU
        if after != 0:  # the same tiles again, but for the last
            up = (after >> 3) & 1
            highest = (after & 7) - (1 if after < 16 else 0)
            after >>= 4
        cells = (upper >> high) if up else (lower >> low)
        along = pips + ((cells >> 3) & 15)
        values = hand & ((1 << max(0, min(highest, cells & 7, MOST_PIPS - along))) - 1)
        value = highest_bit(2 * values + 1)  # 0 if there is none
        if value > 0 and along + value >= SCORES:
            return way | ((8 * up + value) << (4 * laid))
        if value > 0 and laid + 1 < most:
            way |= (8 * up + value) << (4 * laid)
            laid += 1
            pips = along + value
            hand = without(hand, value - 1)
            low += CELL - CELL * up
            high += CELL * up
            highest = int64(VALUES)
        elif up == 0:  # the lower end is done: on to the upper
            up = int64(1)
            highest = int64(VALUES)
        elif laid > 0:
            laid -= 1
            value = (way >> (4 * laid)) & 7
            up = way >> (4 * laid + 3)
            way &= (1 << (4 * laid)) - 1
            low -= CELL - CELL * up
            high -= CELL * up
            cells = (upper >> high) if up else (lower >> low)
            pips -= value + ((cells >> 3) & 15)
            hand |= ((hand & (TEN_TILES << (value - 1))) << VALUES) | (1 << (value - 1))
            highest = value - 1
        else:
            return int64(0)


@rule
def way_for(s: State, place: int, hand: int, most: int, after: int) -> int:
    """As `can_complete`, for the row or, if IN_COLUMN is added, the column that a tile here is part of."""
    pips = int64(s.board[place])
    for k in range(after >> COLUMN_BIT, 2):
        step = STEPS[2 * k + 1]
        before = run(s, place, -step)
        behind = run(s, place, step)
        lower = side(s, place, -step, k, pips + behind, most)
        upper = side(s, place, step, k, pips + before, most)
        way = can_complete(lower, upper, before + pips + behind, hand, most, after & (IN_COLUMN - 1))
        if way != 0:
            return way + k * IN_COLUMN
        after = int64(0)
    return int64(0)


@inlined
def next_owing(s: State, hand: int, most: int, check: bool) -> int:
    """The first owing tile that is in no line of 10, 11 or 12, plus OTHERS if there are more; NONE if there is none.

    If asked to check, HOPELESS when one of the others could not be made good even alone.
    """
    found = int64(NONE)
    for w in range(WORDS):
        bits = s.owing[w]
        while bits != 0:
            place = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            if not scores_at(s, place):
                if found == NONE:
                    found = place
                elif check and way_for(s, place, hand, most, int64(0)) == 0:
                    return int64(HOPELESS)
                else:
                    found |= OTHERS
    return found


@inlined
def fits_beside(s: State, i: int, helpers: int) -> None:
    """Write into s.where the cells where the value i + 1 fits beside the `helpers` helpers on the board."""
    for w in range(WORDS):
        s.where[w] = s.fits[i, w]
    for depth in range(helpers):
        place = int64(s.help_place[depth])
        s.where[place >> 6] &= ~(1 << (place & 63))
        for k in range(4):
            at = end(s, place, STEPS[k])
            if room(int64(s.sums[at])) <= i:
                s.where[at >> 6] &= ~(1 << (at & 63))


@rule
def find_way(s: State, seat: int, i: int) -> bool:
    """Whether tiles of the hand can make good everything that owes. If so, and i >= 0, s.where becomes the cells where
    the value i + 1 fits beside those tiles."""
    depth = int64(0)
    tried = 0
    found = False
    owing = int64(NONE)
    way = int64(0)  # the last one tried for the next tile
    while True:
        if not found:
            hand = in_hand(s, seat)
            most = min(MOST_HELPERS, int64(s.n_hand[seat]))
            owing = next_owing(s, hand, most, way == 0)
            if owing >= 0 and most > 0 and tried < MOST_TRIED:
                way = way_for(s, owing & ~OTHERS, hand, most, way)
            else:
                way = int64(0)
            if owing == NONE or (i < 0 and way != 0 and owing < OTHERS):  # for the last one, a way need not be laid
                found = True
                if i >= 0:
                    fits_beside(s, i, depth)
        if found:
            way = int64(0)
        if way != 0:
            k = way >> COLUMN_BIT
            mark = FIRST + k * COLUMN_MARK
            way &= IN_COLUMN - 1
            while way != 0:
                place = end(s, owing & ~OTHERS, STEPS[2 * k + ((way >> 3) & 1)])
                s.help_place[depth] = place
                s.help_choice[depth] = (way & 15) + mark
                depth += 1
                tried += 1
                s.hand[seat, (way & 7) - 1] -= 1
                s.n_hand[seat] -= 1
                put(s, place, way & 7)
                mark &= ~FIRST
                way >>= 4
        elif depth == 0:
            return found
        else:
            mark = int64(0)
            while mark & FIRST == 0:
                depth -= 1
                mark = int64(s.help_choice[depth])
                way = (way << 4) + (mark & 15)
                s.hand[seat, (mark & 7) - 1] += 1
                s.n_hand[seat] += 1
                take_off(s, int64(s.help_place[depth]))
                s.help_place[depth] = 0
                s.help_choice[depth] = 0
            if mark & COLUMN_MARK:
                way += IN_COLUMN


@inlined
def where_to_help(s: State, i: int, last: bool) -> None:
    """Write into s.where the cells on which a tile of value i + 1 may be part of a witness: in the lines of the owing
    tiles, or, if it is the last of the hand, at an end of the first one's lines."""
    for w in range(WORDS):
        s.where[w] = 0
    for k in range(WORDS):
        bits = s.owing[k]
        while bits != 0:
            place = 64 * k + lowest_bit(bits)
            bits &= bits - 1
            if last:
                for d in range(4):
                    at = end(s, place, STEPS[d])
                    if ((int64(s.sums[at]) >> (4 * (d >> 1))) & 15) + i + 1 >= SCORES:
                        s.where[at >> 6] |= 1 << (at & 63)
                return
            for w in range(WORDS):
                s.where[w] |= COLUMN << (place & 15)
            s.where[k] |= ROW << (place & 48)


@inlined
def where_while_owing(s: State, seat: int, i: int) -> None:
    """Z9, Z24, while something owes: write into s.where the cells on which the value i + 1 may be laid."""
    s.hand[seat, i] -= 1
    s.n_hand[seat] -= 1
    last = s.n_hand[seat] == 0
    can_help = not last and find_way(s, seat, i)
    s.n_hand[seat] += 1
    s.hand[seat, i] += 1
    if not can_help:
        where_to_help(s, i, last)
    for w in range(WORDS):
        # if the rest of the hand can help without this tile, and it fits beside those helpers, there is no need to ask;
        # if it cannot, the tile itself must help: it is part of a witness
        asked = s.fits[i, w] if can_help else s.fits[i, w] & s.where[w]
        sure = s.where[w] if can_help else int64(0)
        s.where[w] = 0
        while asked != 0:
            bit = asked & -asked
            place = 64 * w + lowest_bit(asked)
            owes = would_owe(s, i, place)
            if sure & bit and not owes:
                s.where[w] |= bit
            else:
                s.hand[seat, i] -= 1
                s.n_hand[seat] -= 1
                put(s, place, i + 1)
                if owes:
                    s.owing[w] |= bit
                if find_way(s, seat, int64(-1)):
                    s.where[w] |= bit
                s.owing[w] &= ~bit
                take_off(s, place)
                s.n_hand[seat] += 1
                s.hand[seat, i] += 1
            asked &= asked - 1


@inlined
def refuse(s: State, place: int, bit: int, row: int, column: int, values: int, hand: int, most: int) -> None:
    """Set the bit in s.where of those values that the rest of the hand could not make good here."""
    left = side(s, place, LEFT, int64(0), int64(0), most)
    right = side(s, place, RIGHT, int64(0), int64(0), most)
    below = side(s, place, DOWN, int64(1), int64(0), most)
    above = side(s, place, UP, int64(1), int64(0), most)
    while values != 0:
        i = lowest_bit(values)
        values &= values - 1
        rest = without(hand, i)
        in_row = row + i + 1
        in_column = column + i + 1
        good = completing(left, in_row, rest) | completing(right, in_row, rest)
        good |= completing(below, in_column, rest) | completing(above, in_column, rest)
        if good == 0 and most > 1:
            good = can_complete(left, right, in_row, rest, most, int64(0))
            if good == 0:
                good = can_complete(below, above, in_column, rest, most, int64(0))
        if good == 0:
            s.where[i] |= bit


@inlined
def refuse_light(s: State, seat: int, hand: int) -> None:
    """While nothing owes: write into s.where[i], as bits, the light cells on which the value i + 1 may not be laid."""
    asked = (s.fits[0, 0] & LIGHT[0]) | (s.fits[0, 1] & LIGHT[1])
    asked |= ((s.fits[0, 2] & LIGHT[2]) | (s.fits[0, 3] & LIGHT[3])) << 1
    highest = int64(VALUES)  # the highest that has to be made good: it fits on a dark cell
    while highest > 0 and only_light(s, highest - 1):
        highest -= 1
    most = min(MOST_HELPERS, int64(s.n_hand[seat]) - 1)
    while asked != 0:
        bit = asked & -asked
        place = int64(LIGHT_PLACES[lowest_bit(asked)])
        asked ^= bit
        row = in_row(s, place)
        column = in_column(s, place)
        values = hand & ((1 << max(0, min(highest, SCORES - 1 - max(row, column)))) - 1)
        if most == 0:
            for i in range(VALUES):
                s.where[i] |= bit if values >> i & 1 else 0
        elif values != 0:
            refuse(s, place, bit, row, column, values, hand, most)
