"""How to play Connect Four well.

A *threat* is a free cell that would make four. `rate` wins, parries and sets threats, does not play below a threat of
the opponent nor let them make two at once, and otherwise likes cells that many fours run through. Threats that nobody
can reach yet decide the end: the seat that began fills the odd rows, the other the even ones, so each wants its threats
there.
"""

import numpy as np

from infila.core.bits import count_bits, lowest_bit
from infila.core.contract import WORTH, Level
from infila.core.record import Ints
from infila.core.rule import rule
from infila_connect_four.rules import ALL, COLUMNS, FOOT, ROWS, STEP, State
from infila_connect_four.scoring import LINES

SPREAD = 1000
LEVELS = {
    "beginner": Level(noise=120_000),
    "casual": Level(noise=5_000),
    "club": Level(),
    "expert": Level(simulations=400, compared=2),
    "master": Level(simulations=6000, compared=2),
}

WIN, PARRY, FORK = 100_000, 50_000, 30_000
GIFT, SPENT = -20_000, -1_500  # plays below a threat: of the opponent, of one's own
FORKED = -10_000  # lets the opponent make two threats at once
THREAT, GOOD_THREAT = 700, 1_800  # in a row that the seat does not fill in the end, and in one that it does
LINE = 60  # each four that a cell is part of

ODD_ROWS = sum(1 << STEP * column + row for column in range(COLUMNS) for row in range(0, ROWS, 2))
# for each bit how many fours run through its cell
CROSSED = np.array([sum((at // STEP, at % STEP) in line for line in LINES) for at in range(STEP * COLUMNS)])


@rule
def threats(mine: int, taken: int) -> int:
    """The free cells that would make four."""
    found = (mine << 1) & (mine << 2) & (mine << 3)
    for step in range(STEP - 1, STEP + 2):
        left = (mine << step) & (mine << 2 * step)
        right = (mine >> step) & (mine >> 2 * step)
        found |= left & ((mine << 3 * step) | (mine >> step))
        found |= right & ((mine >> 3 * step) | (mine << step))
    return found & ALL & ~taken


@rule
def reachable(taken: int) -> int:
    """The cells to which a disc can fall now."""
    found = taken & 0
    for column in range(COLUMNS):
        found |= (taken + FOOT[column]) & ~taken
    return found & ALL


@rule
def good_rows(taken: int, mover: int, seat: int) -> int:
    """The cells of the rows that a seat fills in the end, if nobody gives way."""
    began = (count_bits(taken) & 1) == 0  # the mover
    return ODD_ROWS if began == (mover == seat) else ALL & ~ODD_ROWS


@rule
def value_of(mine: int, taken: int, good: int) -> int:
    """What threats are worth that are on the board."""
    found = threats(mine, taken)
    return THREAT * count_bits(found & ~good) + GOOD_THREAT * count_bits(found & good)


@rule
def can_fork(mine: int, taken: int) -> bool:
    """Whether one disc more makes two threats that can be reached at once, such as an open three."""
    for column in range(COLUMNS):
        cell = (taken + FOOT[column]) & ~taken & ALL
        if cell:
            after = taken | cell
            if count_bits(threats(mine | cell, after) & reachable(after)) > 1:
                return True
    return False


@rule
def rate(s: State, actions: Ints, n: int, ratings: Ints) -> None:
    me = s.turn
    mine = s.discs[me]
    theirs = s.discs[1 - me]
    taken = mine | theirs
    wins = threats(mine, taken)
    losses = threats(theirs, taken)
    good = good_rows(taken, me, me)
    before = value_of(mine, taken, good)
    for i in range(n):
        cell = (taken + FOOT[actions[i]]) & ~taken
        above = (cell << 1) & ALL
        after = taken | cell
        rating = LINE * CROSSED[lowest_bit(cell)]
        rating += value_of(mine | cell, after, good) - before
        if cell & wins:
            rating += WIN
        if cell & losses:
            rating += PARRY
        if above & losses:
            rating += GIFT
        elif above & wins:
            rating += SPENT
        mine_now = count_bits(threats(mine | cell, after) & reachable(after))
        if mine_now > 1:
            rating += FORK
        elif mine_now == 0 and can_fork(theirs, after):
            rating += FORKED
        ratings[i] = rating


@rule
def decided(s: State) -> int:
    """WORTH if the seat on turn wins at once, -WORTH if it cannot parry, else 0."""
    mine = s.discs[s.turn]
    theirs = s.discs[1 - s.turn]
    taken = mine | theirs
    now = reachable(taken)
    if threats(mine, taken) & now:
        return WORTH
    if count_bits(threats(theirs, taken) & now) > 1:
        return -WORTH
    return 0


@rule
def worth(s: State, out: Ints) -> None:
    """Half each, more for the seat that has more threats in good rows."""
    me = s.turn
    if s.ended:
        lead = 0 if s.winner == 0 else WORTH if s.winner == me + 1 else -WORTH
    else:
        lead = decided(s)
        if lead == 0:
            taken = s.discs[0] | s.discs[1]
            lead = 40 * value_of(s.discs[me], taken, good_rows(taken, me, me))
            lead -= 40 * value_of(s.discs[1 - me], taken, good_rows(taken, me, 1 - me))
            lead = max(-WORTH // 2, min(WORTH // 2, lead))
    out[me] = (WORTH + lead) // 2
    out[1 - me] = WORTH - out[me]


@rule
def enough(s: State, root: State, horizon: int) -> bool:
    """A playout ends as soon as the next move decides."""
    return decided(s) != 0
