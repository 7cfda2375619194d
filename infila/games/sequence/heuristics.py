"""How to play Sequence well.

Everything is counted in *fives*: five cells in a line that no other side blocks. What a five is worth to its side
depends on how many chips it lacks and on who can have the cards for them. A move is worth what it adds to its own fives
and takes from the others', minus the worth of the card that is spent. Copies of a card that are on the discard piles or
in one's own hand cannot come to anybody else: cells that only a jack can cover count as farther away.
"""

from collections.abc import Sequence
from math import exp

import numpy as np

from infila.core.contract import WORTH, Level
from infila.core.record import Grid, Ints
from infila.core.rule import rule
from infila.games.sequence.board import (
    BOARD,
    CARD_NAMES,
    CELLS,
    CORNERS,
    FIVES,
    JACKS,
    LINE,
    LINE_PLACES,
    LINES,
    PLACE,
    PRINTED,
    is_one_eyed,
    is_two_eyed,
    too_near,
)
from infila.games.sequence.chips import covers
from infila.games.sequence.rules import DEAD, DISCARD, DRAW, LOCK, ONE_EYED, PASS, TWO_EYED, actor, card_of, cell_of
from infila.games.sequence.state import OF_TWO, OPEN, SIDE, SIDES, TURNED, State, needed, side_of

# the card of each cell, 0 on the corners
CARD_ON: Ints = np.array([0 if cell in CORNERS else CARD_NAMES.index(PRINTED[cell]) for cell in range(BOARD)], np.int8)


def places_of_lines() -> tuple[Grid, Ints]:
    """The cell at each place of each line, and as bits, which places a line has."""
    cells = np.zeros((LINES, LINE_PLACES), np.int8)
    places = np.zeros(LINES, np.int16)
    for at in range(FIVES):
        cells[LINE[at], PLACE[at]] = at // 4
        places[LINE[at]] |= 1 << int(PLACE[at])
    return cells, places


CELL_AT, ROOM = places_of_lines()

# What a five lacks is a sum over its cells, each a field of six bits of a packed line. To its own side an open cell is
# 1, and HELD more if its card is in the hand, 1 more if nobody can have it; to another side an open cell is 8, and 1 or
# 2 more if one or both copies of its card cannot be that side's.
FIELD = 6
ADD_FIVE = 0x1041041  # five fields times this: their sum is in the fifth
HELD = 11
LACKS = 64

WIN = 100_000
EXCHANGE = 20_000

# What fives are worth, as powers of e, in thousandths of a unit in which one more makes the odds e times as good.
# All of them were found by playing: many small changes, each tried in thousands of games.
OWN_WITHOUT = (5.42, 4.73, 3.70, 2.62, 0.77)  # to its own side, when 0, 1 … of the cards it lacks are not in the hand
OWN_FARTHER = 0.54  # less for every chip that it lacks besides the first
OWN_LAST = (0.51, 0.92)  # more if it would win: not all its cards in the hand, all
OTHER_LACKING = (5.85, 4.38, 3.37, 1.57)  # to another side, when it lacks 1, 2 … chips
OTHER_SEEN = 0.46  # less for every copy of its cards that this side cannot have
OTHER_LAST = (-0.70, 0.38)  # more if it would win: when it lacks two or more, one
SEQUENCE = 1300  # the first of two sequences
TWO_EYED_PRICE, ONE_EYED_PRICE = 1180, 305
TWIN_BLOCK, UNBLOCKED = 11, 47  # in 64ths: fives that the other cell of a card could block; fives that a jack opens


def own_values() -> Grid:
    """What a five is worth to its own side: by whether it would win, and what it lacks."""
    table = np.zeros((2, LACKS), np.int64)
    for chips in range(1, 11):
        for held in range(min(chips, 5, 10 - chips) + 1):
            power = OWN_WITHOUT[min(chips - held, 4)] - OWN_FARTHER * (min(chips, 5) - 1)
            power -= 0.7 * max(0, chips - held - 4)
            for last in (0, 1):
                table[last, chips + HELD * held] = round(exp(power + last * OWN_LAST[chips == held]))
    return table


def other_values() -> Grid:
    """What a five is worth to another side: by whether it would win, and what it lacks."""
    table = np.zeros((2, LACKS), np.int64)
    for lacking in range(8, 40):
        chips, seen = divmod(lacking, 8)
        power = OTHER_LACKING[chips - 1] - OTHER_SEEN * seen
        for last in (0, 1):
            table[last, lacking] = round(exp(power + last * OTHER_LAST[chips == 1]))
    return table


OWN, OTHER = own_values(), other_values()


@rule
def needs_one(s: State, side: int) -> int:
    """1 if the next sequence of a side wins (S14), else 0."""
    return 1 if needed(s.sides) - s.n_sequences[side] == 1 else 0


@rule
def cards_held(s: State, seat: int) -> int:
    """The cards of a hand, as bits; jacks are not among them."""
    held = 0
    for i in range(s.n_hand[seat]):
        card = int(s.hand[seat, i])
        if card <= JACKS:
            held |= 1 << card
    return held & ~1


@rule
def two_eyed_held(s: State, seat: int) -> int:
    """How many two-eyed jacks are in a hand."""
    n = 0
    for i in range(s.n_hand[seat]):
        n += int(is_two_eyed(s.hand[seat, i]))
    return n


@rule
def cards_seen(s: State, seat: int) -> tuple[int, int]:
    """The cards of which the seat sees one copy or both, and those of which it sees both, as bits."""
    one = 0
    both = 0
    for i in range(s.n_discards):
        bit = 1 << int(s.discards[i])
        both |= one & bit
        one |= bit
    for i in range(s.n_hand[seat]):
        bit = 1 << int(s.hand[seat, i])
        both |= one & bit
        one |= bit
    return one, both


@rule
def open_to(s: State, side: int, line: int) -> int:
    """Where in a line fives of a side can begin: no other side's chip in them, and S13 with its turned sequence."""
    own = covers(s, side, line)
    other = 0
    for k in range(SIDES):
        other |= covers(s, k, line)
    free = int(ROOM[line]) & ~(other & ~own)
    free = free & free >> 1 & free >> 2 & free >> 3 & free >> 4
    for i in range(s.n_sequences[side]):
        five = int(s.sequences[side, i])
        if LINE[five] == line:
            free &= ~too_near(five)
    return free


@rule
def own_lacks(line: int, own: int, first: int, last: int, held: int, gone: int) -> int:
    """A packed line: what its open cells are to the side that covers `own`."""
    lacks = 0
    for place in range(first, last + 1):
        if own >> place & 1 == 0:
            card = int(CARD_ON[CELL_AT[line, place]])
            in_hand = held >> card & 1
            lacks |= (1 + HELD * in_hand + (gone >> card & 1 & ~in_hand)) << FIELD * place
    return lacks


@rule
def other_lacks(line: int, own: int, first: int, last: int, one: int, both: int) -> int:
    """A packed line: what its open cells are to another side, which covers `own`."""
    lacks = 0
    for place in range(first, last + 1):
        if own >> place & 1 == 0:
            card = int(CARD_ON[CELL_AT[line, place]])
            lacks |= (8 + (one >> card & 1) + (both >> card & 1)) << FIELD * place
    return lacks


@rule
def sum_of_five(lacks: int, start: int) -> int:
    return ((lacks >> FIELD * start & (1 << 5 * FIELD) - 1) * ADD_FIVE) >> 4 * FIELD & LACKS - 1


@rule
def gain(s: State, side: int, cell: int, held: int, gone: int) -> int:
    """What a chip on this cell adds to the fives of its own side."""
    total = 0
    done = 0
    missing = needed(s.sides) - s.n_sequences[side]
    last = 1 if missing == 1 else 0
    for at in range(4 * cell, 4 * cell + 4):
        line = int(LINE[at])
        place = int(PLACE[at])
        starts = open_to(s, side, line) & 31 << place >> 4
        if starts == 0:
            continue
        lacks = own_lacks(line, covers(s, side, line), max(0, place - 4), min(9, place + 4), held, gone)
        here = lacks >> FIELD * place & LACKS - 1
        more = 0
        first = -1
        end = -1
        for start in range(max(0, place - 4), min(5, place) + 1):
            if starts >> start & 1:
                lacking = sum_of_five(lacks, start)
                if lacking == here:
                    end = start
                    if first < 0:
                        first = start
                more += OWN[last, lacking - here] - OWN[last, lacking]
        if first >= 0:
            done += 2 if end - first >= 4 else 1
        else:
            total += more
    if done >= missing:
        return WIN
    return total + SEQUENCE if done > 0 else total


@rule
def loss(s: State, side: int, cell: int, held: int, gone: int) -> int:
    """What the fives through this cell lose when its card leaves the hand."""
    total = 0
    last = needs_one(s, side)
    for at in range(4 * cell, 4 * cell + 4):
        line = int(LINE[at])
        place = int(PLACE[at])
        starts = open_to(s, side, line) & 31 << place >> 4
        if starts == 0:
            continue
        lacks = own_lacks(line, covers(s, side, line), max(0, place - 4), min(9, place + 4), held, gone)
        for start in range(max(0, place - 4), min(5, place) + 1):
            if starts >> start & 1:
                lacking = sum_of_five(lacks, start)
                total += OWN[last, lacking] - OWN[last, lacking - HELD]
    return total


@rule
def threat(s: State, side: int, cell: int, one: int, both: int) -> int:
    """What the fives through this cell are worth to another side."""
    total = 0
    last = needs_one(s, side)
    for at in range(4 * cell, 4 * cell + 4):
        line = int(LINE[at])
        place = int(PLACE[at])
        theirs = covers(s, side, line)
        if theirs << 4 >> place & 511 == 0:
            continue
        starts = open_to(s, side, line) & 31 << place >> 4
        if starts == 0:
            continue
        lacks = other_lacks(line, theirs, max(0, place - 4), min(9, place + 4), one, both)
        for start in range(max(0, place - 4), min(5, place) + 1):
            if starts >> start & 1:
                total += OTHER[last, sum_of_five(lacks, start)]
    return total


@rule
def threats(s: State, side: int, cell: int, one: int, both: int) -> int:
    """What one's own chip on this cell takes from all other sides."""
    total = 0
    for rival in range(int(s.sides)):
        if rival != side:
            total += threat(s, rival, cell, one, both)
    return total


@rule
def is_near(s: State, cell: int) -> bool:
    """Whether a side has three chips near this cell in one line, so that a jack may be worth playing."""
    for at in range(4 * cell, 4 * cell + 4):
        chips = int(s.lines[LINE[at]])
        for _ in range(int(s.sides)):
            near = (chips & 1023) << 4 >> int(PLACE[at]) & 511
            near &= near - 1
            if near & (near - 1):
                return True
            chips >>= LINE_PLACES
    return False


@rule
def removal(s: State, side: int, cell: int, held: int, one: int, both: int) -> int:
    """S9, S15: what it is worth to take this chip away."""
    rival = (int(s.board[cell]) & SIDE) - 1
    total = 0
    freed = 0
    last = needs_one(s, side)
    their_last = needs_one(s, rival)
    card = int(CARD_ON[cell])
    here = 8 + (one >> card & 1) + (both >> card & 1)
    for at in range(4 * cell, 4 * cell + 4):
        line = int(LINE[at])
        place = int(PLACE[at])
        low = max(0, place - 4)
        high = min(9, place + 4)
        mine = covers(s, side, line)
        starts = open_to(s, rival, line) & 31 << place >> 4
        if starts:
            lacks = other_lacks(line, covers(s, rival, line), low, high, one, both)
            for start in range(low, min(5, place) + 1):
                if starts >> start & 1:
                    lacking = sum_of_five(lacks, start)
                    total += OTHER[their_last, lacking] - OTHER[their_last, min(LACKS - 1, lacking + here)]
        blocked = 0
        for k in range(SIDES):
            blocked |= covers(s, k, line)
        free = int(ROOM[line]) & ~(blocked & ~mine) | 1 << place
        starts = free & free >> 1 & free >> 2 & free >> 3 & free >> 4 & 31 << place >> 4
        if starts:
            lacks = own_lacks(line, mine, low, high, held, both)
            for start in range(low, min(5, place) + 1):
                if starts >> start & 1:
                    freed += OWN[last, sum_of_five(lacks, start)]
    if s.board[cell] >= TURNED:
        total += SEQUENCE
    return total + (freed * UNBLOCKED >> 6)


@rule
def value_of_lock(s: State, side: int, five: int, held: int, gone: int) -> int:
    """S13: what is left of the line beside this five."""
    line = int(LINE[five])
    lacks = own_lacks(line, covers(s, side, line), 0, 9, held, gone)
    starts = open_to(s, side, line) & ~too_near(five)
    total = 0
    for start in range(6):
        if starts >> start & 1:
            total += OWN[1, sum_of_five(lacks, start)]
    return total


@rule
def rate_chip(s: State, side: int, cell: int, held: int, one: int, both: int) -> int:
    """A chip on a cell, wherever the card comes from."""
    return gain(s, side, cell, held, both) + threats(s, side, cell, one, both)


@rule
def copies_held(s: State, seat: int, card: int) -> int:
    n = 0
    for i in range(s.n_hand[seat]):
        n += int(s.hand[seat, i] == card)
    return n


@rule
def rate(s: State, actions: Ints, n: int, ratings: Ints) -> None:
    seat = int(actor(s, actions[0]))
    side = side_of(s.sides, seat)
    held = cards_held(s, seat)
    one, both = cards_seen(s, seat)
    for i in range(n):
        action = int(actions[i])
        if action < TWO_EYED:
            cell = cell_of(action)
            rating = rate_chip(s, side, cell, held, one, both)
            twin = int(CELLS[action ^ 1])
            if s.board[twin] == OPEN and copies_held(s, seat, card_of(action)) == 1:
                rating -= loss(s, side, twin, held, both)
                rating -= threats(s, side, twin, one, both) * TWIN_BLOCK >> 6
            ratings[i] = rating
        elif action < ONE_EYED:
            cell = cell_of(action)
            ratings[i] = -TWO_EYED_PRICE
            if is_near(s, cell):
                ratings[i] += rate_chip(s, side, cell, held, one, both)
        elif action < DEAD:
            cell = cell_of(action)
            ratings[i] = removal(s, side, cell, held, one, both) - ONE_EYED_PRICE
        elif action < LOCK:
            ratings[i] = EXCHANGE
        elif action < DRAW:
            ratings[i] = value_of_lock(s, side, action - LOCK, held, both)
        elif action < DISCARD:
            ratings[i] = 2 * EXCHANGE
        elif action < PASS:
            card = card_of(action)
            if card > JACKS:
                ratings[i] = -(TWO_EYED_PRICE if is_two_eyed(card) else ONE_EYED_PRICE)
            else:
                ratings[i] = 0
                for k in range(2 * card - 2, 2 * card):
                    cell = int(CELLS[k])
                    if s.board[cell] == OPEN:
                        ratings[i] -= loss(s, side, cell, held, both)
                        ratings[i] -= threats(s, side, cell, one, both) * TWIN_BLOCK >> 6
        else:
            ratings[i] = 0


# Prospects, in the same unit, as the seat on turn sees them: what the others hold would only blur the comparison
# between two moves. A five counts by whether it would win, how many chips it lacks and, to the seat's own side, how
# many of the cards for them are in the hand; to another side, how many copies of them it cannot have. Fitted to 20,000
# games.
OWN_PROSPECTS = (
    ((209, 458), (60, 215, 429), (19, 40, 153, 317), (12, 17, 37, 131, 272), (1, 6, 14, 25, 100, 300)),
    ((237, 2000), (25, 219, 879), (17, 29, 125, 449), (4, 15, 25, 125, 456), (3, 4, 5, 17, 70, 300)),
)
OTHER_PROSPECTS = (
    ((145, 93, 41), (109, 75, 46, 25, 10), (41, 32, 21, 16, 10, 5), (17, 6, 4, 2)),
    ((244, 142, 20), (91, 46, 25, 15, 5), (30, 29, 21, 16, 5), (2, 2)),
)
ONE_LEFT, OTHER_ONE_LEFT = 1790, 1660  # one of two sequences
ON_TURN = -1100  # to offset the fives of its own that only the seat on turn counts
TO_COMPLETE, JACK_LEFT = 535, 430  # a sequence at hand that does not win; a two-eyed jack with one sequence left
AT_HAND = 1 << 20  # the seat on turn can win
POWERS: Ints = np.array([round(1_000_000 * exp(-i / 16)) for i in range(16 * 12)], np.int64)  # of e, by sixteenths


def prospects(rows: Sequence[Sequence[Sequence[int]]], step: int, kind: int) -> Grid:
    """A table of prospects by what a five lacks: `step` for each chip, and `kind` for each that is special."""
    table = np.zeros((2, LACKS), np.int64)
    for last in (0, 1):
        for chips, row in enumerate(rows[last], 1):
            for some, value in enumerate(row):
                table[last, step * chips + kind * some] = value
    return table


OWN_STANDING, OTHER_STANDING = prospects(OWN_PROSPECTS, 1, HELD), prospects(OTHER_PROSPECTS, 8, 1)
TWO_EYED_STANDING: Ints = np.array((0, 776, 1548, 1814, 1900))  # by the number of such jacks in hand
ONE_EYED_STANDING: Ints = np.array((0, 500, 980, 1500, 2000))


@rule
def one_eyed_held(s: State, seat: int) -> int:
    """How many one-eyed jacks are in a hand."""
    n = 0
    for i in range(s.n_hand[seat]):
        n += int(is_one_eyed(s.hand[seat, i]))
    return n


@rule
def own_standing(s: State, both: int) -> int:
    """How near to winning the seat on turn sees its side."""
    side = side_of(s.sides, s.turn)
    held = cards_held(s, s.turn)
    jacks = two_eyed_held(s, s.turn)
    last = needs_one(s, side)
    total = ON_TURN + TWO_EYED_STANDING[min(jacks, 4)] + ONE_EYED_STANDING[min(one_eyed_held(s, s.turn), 4)]
    at_hand = False
    for line in range(LINES):
        starts = open_to(s, side, line)
        if starts == 0:
            continue
        lacks = own_lacks(line, covers(s, side, line), 0, 9, held, both)
        for start in range(6):
            if starts >> start & 1:
                lacking = sum_of_five(lacks, start)
                total += OWN_STANDING[last, lacking]
                at_hand |= lacking == 1 + HELD or (jacks > 0 and lacking == 1)
    if last:
        total += AT_HAND if at_hand else 0
        total += JACK_LEFT if jacks > 0 else 0
        return total + ONE_LEFT if needed(s.sides) == OF_TWO else total
    return total + TO_COMPLETE if at_hand else total


@rule
def other_standing(s: State, side: int, one: int, both: int) -> int:
    """How near to winning the seat on turn sees another side."""
    last = needs_one(s, side)
    total = OTHER_ONE_LEFT if last and needed(s.sides) == OF_TWO else 0
    for line in range(LINES):
        own = covers(s, side, line)
        if own == 0:
            continue
        starts = open_to(s, side, line)
        if starts == 0:
            continue
        lacks = other_lacks(line, own, 0, 9, one, both)
        for start in range(6):
            if starts >> start & 1:
                total += OTHER_STANDING[last, sum_of_five(lacks, start)]
    return total


@rule
def write_standings(s: State, out: Ints) -> None:
    """How near to winning each side is, as the seat on turn sees it; at the end, the fact."""
    one, both = cards_seen(s, s.turn)
    for side in range(int(s.sides)):
        if s.ended:
            out[side] = AT_HAND if side + 1 == s.winner else 0
        elif side == side_of(s.sides, s.turn):
            out[side] = own_standing(s, both)
        else:
            out[side] = other_standing(s, side, one, both)


@rule
def worth(s: State, out: Ints) -> None:
    """Each side's share: the odds between two sides are e to the power of the lead that one has."""
    sides = int(s.sides)
    write_standings(s, out)
    top = out[0]
    for side in range(1, sides):
        top = max(top, out[side])
    total = 0
    for side in range(sides):
        at = (top - out[side]) * 16 // 1000
        out[side] = POWERS[at] if at < len(POWERS) else 0
        total += out[side]
    rest = WORTH
    for side in range(1, sides):
        out[side] = out[side] * WORTH // total
        rest -= out[side]
    out[0] = rest
    for seat in range(sides, int(s.players)):
        out[seat] = out[seat - sides]


@rule
def enough(s: State, root: State, horizon: int) -> bool:
    """When the same seat is on turn again, with a card to play, once `horizon` turns have passed."""
    return s.turn == root.turn and s.turns - root.turns >= horizon and s.exchanged == 0


SPREAD = 400
LEVELS = {
    "beginner": Level(noise=2000),
    "casual": Level(noise=900),
    "club": Level(noise=250),
    "expert": Level(noise=150, simulations=200, compared=1, curiosity=0.3, horizon=8),
    "master": Level(simulations=1000, compared=12, curiosity=0.7, horizon=2),
}
