"""How to play Zatre well.

A sheet is worth what it will come to: the boxes it has, and those, the crosses and the full rows (Z18) that the turns
left are likely to bring. `prices` are what the next boxes and crosses add to that; they distinguish a 12 that fills a
row from a 12 that runs ahead of its row. A move is worth the lines that it and the tile after it can make in this turn,
minus what it opens to the next player, plus what it takes from them, minus what is kept in hand.

A search plays a turn to its end and judges there, by the sheets, by what the board then offers to the next player, and
by the tiles kept; only the last turns are played out.

Points are counted in hundredths here and chances in 1024ths; ratings are in thousandths of a point. What a turn has
earned is one number: lines of 10, 11 and 12 and crosses, four bits each.
"""

from math import comb, exp
from typing import TypeAlias

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.contract import WORTH, Level
from infila.core.record import Ints, Table, int64
from infila.core.rule import left_of, rule
from infila.games.zatre.board import (
    LIGHT,
    STEPS,
    earns_cross,
    has,
    in_column,
    in_row,
    put,
    scores_at,
    take_off,
)
from infila.games.zatre.light_cells import would_owe
from infila.games.zatre.rules import (
    DRAW,
    POINTS,
    STOP,
    TILES_A_TURN,
    TIMES_CROSSED,
    first_box,
    hand_pips,
    new_line,
    partner_follows,
    place_laid,
    printed_bonus,
    some,
    value_laid,
    written_rows,
)
from infila.games.zatre.state import BOXES, FULL, MOST_PIPS, SCORES, SEATS, VALUES, WORDS, State

SPREAD = 2000
LEVELS = {
    "beginner": Level(noise=20000),
    "casual": Level(noise=5000),
    "club": Level(noise=3000),
    "expert": Level(simulations=500, compared=4, curiosity=0.05, doubt=75),
    "master": Level(simulations=1200, compared=12, curiosity=0.05, horizon=1),
}

# tuned by duels and by regression on the final margin: hundredths of a point, or 1024ths of what is opened to the next
# player and taken from them, summed over the six values
OPENED = 100
TAKEN = 150
KEPT = 100
KEPT_MORE = 300  # for every other tile
DRAWN = 100
TO_COME = 175  # 1024ths of the best prices of all values: what a turn brings …
TEMPO = 650  # … besides this
BOX_RATE = (0.5, 0.5, 0.6)  # boxes of 10, 11, 12 in a turn
CROSS_RATE = 0.35

ONE = 1024
TURNS = 32  # more than any sheet has left
REACH = 24  # boxes that a column may still get
LAST_ROW = BOXES // SEATS
POINT = 100  # points are counted in hundredths


def _at_least(trials: int, chance: float) -> list[int]:
    """The chances of at least 1, 2, … successes."""
    exactly = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    return [round(ONE * sum(exactly[k + 1 :])) for k in range(REACH)]


# tables are of small numbers: a kernel on a GPU has 64 KB for constants, and each rule that uses one has its own
FILLED: Table = np.array([[_at_least(t, rate) for t in range(TURNS + 1)] for rate in BOX_RATE], np.int16)
CROSSED: Table = np.array([_at_least(2 * t, CROSS_RATE / 2) for t in range(TURNS + 1)], np.int16)
# by the number of sheets and the tiles in the bag when a sheet's next turn begins
TURNS_LEFT: Table = np.array(
    [[min(TURNS, -(-n // (TILES_A_TURN * max(1, p)))) for n in range(128)] for p in range(SEATS + 1)], np.int8
)

LINE: Ints = np.array([0] * SCORES + [1, 16, 256] + [0] * 15, np.int64)  # by pips, what a line earns
CROSS = 4096
# what one tile can earn, numbered: its two lines, 1 to 9, and the same with a cross, 10 to 18
PAIRS = [(a, b) for a in range(SCORES, FULL) for b in range(SCORES - 1, a + 1)]
OUTCOMES = len(PAIRS)
EARNS: Ints = np.array([0, *(int(LINE[a] + LINE[b]) + cross for cross in (0, CROSS) for a, b in PAIRS)], np.int64)
NUMBER: Table = np.zeros((32, 32), np.int8)
for _i, (_a, _b) in enumerate(PAIRS):
    for _low in range(SCORES) if _b < SCORES else (_b,):
        NUMBER[_a, _low] = NUMBER[_low, _a] = _i + 1
FIELD = 0x7FFF  # prices are packed, four in a word
Prices: TypeAlias = tuple[int, int, int, int]  # see `prices`
EIGHT, BEST = 3, 1023  # the best prices of the six values in one word: ten bits each, in eights


@rule
def chance_of_box(k: int, t: int, ahead: int) -> int:
    """The chance that a column gets its box `ahead` rows on."""
    return ONE if ahead < 0 else int64(FILLED[k, t, min(ahead, REACH - 1)])


@rule
def chance_of_cross(t: int, ahead: int) -> int:
    """The chance that a sheet gets its cross `ahead` rows on."""
    return ONE if ahead < 0 else int64(CROSSED[t, min(ahead, REACH - 1)])


@rule
def crossed(points: int, chance: int) -> int:
    """What the points of a row come to, given the chance of its cross (Z18)."""
    return points * (ONE + (TIMES_CROSSED - 1) * chance) >> 10


@rule
def turns_left(s: State, sheet: int) -> int:
    """How many turns a sheet has left after the current one."""
    sides = int(s.players >> s.teams)
    before = int(sheet) - int(s.turn >> s.teams) - 1
    if before < 0:
        before += sides
    return int64(TURNS_LEFT[sides, max(0, int(s.n_bag) - (TILES_A_TURN << int(s.teams)) * before)])


@rule
def expected_points(s: State, at: int, bonus: int, f0: int, f1: int, f2: int) -> int:
    """What a row will come to without a cross (Z18), by the chances of its boxes."""
    points = POINTS[0] * f0 * max(1, int(s.box[0, at]))
    points += POINTS[1] * f1 * max(1, int(s.box[1, at])) + POINTS[2] * f2 * max(1, int(s.box[2, at]))
    return POINT * points + ((f0 * f1 >> 10) * f2 >> 10) * bonus >> 10


@rule
def last_row(s: State, sheet: int, t: int) -> int:
    """The row beyond which little is to be expected."""
    return min(LAST_ROW, written_rows(s, sheet) + 2 + (t * 5 >> 3))


@rule
def prices(s: State, sheet: int) -> Prices:
    """What the next boxes and crosses are worth: each set of columns, without and with 12; one to four crosses
    together; and another line in the same box of 10, 11, 12.

    One box more makes every later row of its column likelier to be filled, by d0, d1 or d2.
    """
    t = turns_left(s, sheet)
    first = first_box(s, sheet)
    n0 = int(s.n_box[0, sheet])
    n1 = int(s.n_box[1, sheet])
    n2 = int(s.n_box[2, sheet])
    crosses = int(s.crosses[sheet])
    t0 = t1 = t2 = t01 = t02 = t12 = t012 = 0
    x1 = x2 = x3 = x4 = 0
    for row in range(min(n0, n1, n2, crosses), last_row(s, sheet, t)):
        f0 = chance_of_box(0, t, row - n0)
        f1 = chance_of_box(1, t, row - n1)
        f2 = chance_of_box(2, t, row - n2)
        d0 = chance_of_box(0, t, row - n0 - 1) - f0
        d1 = chance_of_box(1, t, row - n1 - 1) - f1
        d2 = chance_of_box(2, t, row - n2 - 1) - f2
        cross = chance_of_cross(t, row - crosses)
        bonus = POINT * printed_bonus(row)
        b = crossed(bonus, cross)
        p = crossed(POINT, cross)
        t0 += d0 * (POINTS[0] * p + ((f1 * f2 >> 10) * b >> 10)) >> 10
        t1 += d1 * (POINTS[1] * p + ((f0 * f2 >> 10) * b >> 10)) >> 10
        t2 += d2 * (POINTS[2] * p + ((f0 * f1 >> 10) * b >> 10)) >> 10
        t01 += (d0 * d1 >> 10) * (f2 * b >> 10) >> 10
        t02 += (d0 * d2 >> 10) * (f1 * b >> 10) >> 10
        t12 += (d1 * d2 >> 10) * (f0 * b >> 10) >> 10
        t012 += (d0 * d1 >> 10) * (d2 * b >> 10) >> 10
        points = (TIMES_CROSSED - 1) * expected_points(s, first + row, bonus, f0, f1, f2)
        x1 += points * (chance_of_cross(t, row - crosses - 1) - cross) >> 10
        x2 += points * (chance_of_cross(t, row - crosses - 2) - cross) >> 10
        x3 += points * (chance_of_cross(t, row - crosses - 3) - cross) >> 10
        x4 += points * (chance_of_cross(t, row - crosses - 4) - cross) >> 10
    without = t0 << 16 | t1 << 32 | (t0 + t1 + t01) << 48
    with_12 = t2 | (t0 + t2 + t02) << 16 | (t1 + t2 + t12) << 32 | (t0 + t1 + t2 + t01 + t02 + t12 + t012) << 48
    crossing = x1 | x2 << 16 | x3 << 32 | x4 << 48
    again = crossed(POINTS[0] * POINT, chance_of_cross(t, n0 - crosses))
    again |= crossed(POINTS[1] * POINT, chance_of_cross(t, n1 - crosses)) << 16
    again |= crossed(POINTS[2] * POINT, chance_of_cross(t, n2 - crosses)) << 32
    return int64(without), int64(with_12), int64(crossing), int64(again)


@rule
def price(words: Prices, earned: int) -> int:
    """What a turn's lines and crosses are worth, at these prices."""
    tens = earned & 15
    elevens = earned >> 4 & 15
    twelves = earned >> 8 & 15
    crosses = min(4, earned >> 12)
    columns = (16 if tens > 0 else 0) + (32 if elevens > 0 else 0)
    points = (words[1] if twelves > 0 else words[0]) >> columns & FIELD
    if tens > 1:
        points += (tens - 1) * (words[3] & FIELD)
    if elevens > 1:
        points += (elevens - 1) * (words[3] >> 16 & FIELD)
    if twelves > 1:
        points += (twelves - 1) * (words[3] >> 32 & FIELD)
    if crosses > 0:
        points += words[2] >> 16 * (crosses - 1) & FIELD
    return points


@rule
def earned_so_far(s: State) -> int:
    """The lines and crosses of this turn, as they stand (Z15, Z17)."""
    earned = 0
    for w in range(WORDS):
        bits = s.laid[w]
        while bits != 0:
            place = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            earned += LINE[new_line(s, place, STEPS[1])] + LINE[new_line(s, place, STEPS[3])]
            if earns_cross(s, place):
                earned += CROSS
    return earned


@rule
def earned_with(s: State, place: int, value: int) -> int:
    """The same with one more tile."""
    bit = 1 << (place & 63)
    put(s, place, value)
    s.laid[place >> 6] |= bit
    earned = earned_so_far(s)
    s.laid[place >> 6] &= ~bit
    take_off(s, place)
    return earned


@rule
def light_waits(s: State) -> bool:
    """Whether a light tile of this turn is in no line of 10, 11 or 12 yet."""
    for w in range(WORDS):
        bits = s.laid[w] & LIGHT[w]
        while bits != 0:
            if not scores_at(s, 64 * w + lowest_bit(bits)):
                return True
            bits &= bits - 1
    return False


@rule
def numbered_hand(s: State) -> int:
    """The values in hand, numbered from 1, four bits each; 0: not in hand."""
    numbers = 0
    n = 0
    for i in range(VALUES):
        if s.hand[s.turn, i] > 0:
            n += 1
            numbers |= n << 4 * i
    return numbers


@rule
def survey(s: State, numbers: int, words: Prices) -> tuple[int, int]:
    """Look at all open cells. Return the best and the second best price of each value; write into s.where, for each of
    the first four values in hand, what it can earn on some cell, and in the upper half, what on more than one."""
    best = int64(0)
    second = int64(0)
    for w in range(WORDS):
        cells = s.fits[0, w]
        while cells != 0:
            place = 64 * w + lowest_bit(cells)
            cells &= cells - 1
            row = in_row(s, place)
            column = in_column(s, place)
            most = max(row, column)
            light = OUTCOMES if has(LIGHT, place) else 0
            for value in range(max(1, SCORES - most), min(VALUES, MOST_PIPS - most) + 1):
                outcome = int64(NUMBER[row + value, column + value]) + light
                points = min(BEST, price(words, EARNS[outcome]) >> EIGHT)
                shift = 10 * (value - 1)
                top = best >> shift & BEST
                if points > top:
                    best += (points - top) << shift
                    points = top
                if points > second >> shift & BEST:
                    second += (points - (second >> shift & BEST)) << shift
                number = numbers >> 4 * (value - 1) & 15
                if 0 < number <= WORDS:
                    seen = s.where[number - 1]
                    s.where[number - 1] = seen | 1 << outcome | (seen >> outcome & 1) << (32 + outcome)
    return best, second


@rule
def keeping_costs(s: State, seat: int, i: int) -> int:
    """What it costs to keep a hand, except for one tile of the value i + 1: fewer tiles drawn (Z13), or minus (Z19)."""
    kept = int(s.n_hand[seat]) - (1 if i >= 0 else 0)
    if kept == 0:
        return 0
    if turns_left(s, seat >> s.teams) > 0:
        return KEPT + KEPT_MORE * (kept - 1)
    return POINT * (hand_pips(s, seat) - (i + 1 if i >= 0 else 0))


@rule
def another(s: State, i: int, k: int) -> bool:
    """Whether the value k + 1 is in hand besides a tile of the value i + 1."""
    return s.hand[s.turn, k] > (1 if k == i else 0)


@rule
def best_elsewhere(s: State, i: int, place: int, after: int, numbers: int, words: Prices) -> int:
    """The best that another tile can add anywhere but on this cell, once the turn has earned `after`."""
    best = int64(0)
    row = in_row(s, place)
    column = in_column(s, place)
    light = OUTCOMES if has(LIGHT, place) else 0
    for k in range(VALUES):
        number = numbers >> 4 * k & 15
        if number > WORDS or not another(s, i, k):
            continue
        can = s.where[number - 1]
        here = int64(NUMBER[row + k + 1, column + k + 1]) if max(row, column) + k + 1 < FULL else 0
        if here > 0 and not can >> (32 + here + light) & 1:
            can &= ~(1 << (here + light))
        can &= 0xFFFF_FFFF
        while can != 0:
            best = max(best, price(words, after + EARNS[lowest_bit(can)]))
            can &= can - 1
    return best


@rule
def rate_tile(
    s: State,
    action: int,
    earned: int,
    exact: bool,
    numbers: int,
    own: Prices,
    theirs: Prices,
    best: int,
    second: int,
) -> int:
    """Rate a tile: what it earns with the next one, and what it opens to others and takes from them."""
    i = value_laid(action) - 1
    place = place_laid(action)
    row = in_row(s, place)
    column = in_column(s, place)
    light = has(LIGHT, place)
    lines = LINE[row + i + 1] + LINE[column + i + 1]
    if exact or (earned > 0 and max(row, column) >= SCORES):
        after = earned_with(s, place, i + 1)
    else:
        after = earned + lines + (CROSS if light and lines > 0 else 0)
    red = CROSS if s.opening else 0  # Z10
    owes = light and lines == 0 and would_owe(s, i, place)
    more = s.n_hand[s.turn] > 1
    rating = price(own, after + (red if after > 0 else 0)) - keeping_costs(s, int64(s.turn), i)
    if owes and s.n_hand[s.turn] == 2:
        rating = int64(0)
    elif more:
        rating = max(rating, best_elsewhere(s, i, place, after + red, numbers, own))
    others = s.n_bag > 0 and not partner_follows(s)
    opened = 0
    for k in range(4):
        along = (row if k < 2 else column) + i + 1
        at = (place + STEPS[k]) & 255
        while s.board[at] > 0:
            along -= int(s.board[at])
            at = (at + STEPS[k]) & 255
        along += in_row(s, at) if k < 2 else in_column(s, at)
        across = in_column(s, at) if k < 2 else in_row(s, at)
        crossing = OUTCOMES if has(LIGHT, at) else 0
        for j in range(max(0, SCORES - 1 - max(along, across)), min(VALUES, MOST_PIPS - max(along, across))):
            earns = EARNS[int64(NUMBER[along + j + 1, across + j + 1]) + crossing]
            if others:
                opened += max(0, price(theirs, earns) - ((best >> 10 * j & BEST) << EIGHT))
            if more and another(s, i, j):
                if along + j + 1 >= SCORES:  # the line of this tile, once more
                    earns += (CROSS if light and lines == 0 else 0) - LINE[(row if k < 2 else column) + i + 1]
                elif owes:
                    continue
                rating = max(rating, price(own, after + earns + red))
    if others:
        rating += taken(s, place, theirs, best, second) * TAKEN - opened * OPENED >> 10
    return rating


@rule
def taken(s: State, place: int, theirs: Prices, best: int, second: int) -> int:
    """What the next player loses if this cell is covered: for the values whose best cell it is."""
    row = in_row(s, place)
    column = in_column(s, place)
    light = OUTCOMES if has(LIGHT, place) else 0
    lost = 0
    for j in range(max(0, SCORES - 1 - max(row, column)), min(VALUES, MOST_PIPS - max(row, column))):
        points = price(theirs, EARNS[int64(NUMBER[row + j + 1, column + j + 1]) + light])
        if points >> EIGHT >= best >> 10 * j & BEST:
            lost += max(0, points - ((second >> 10 * j & BEST) << EIGHT))
    return lost


@rule
def rate(s: State, actions: Ints, n: int, ratings: Ints) -> None:
    """Rate by what the lines of this and the next tile add to the sheet, what they open to others, and what is kept."""
    sheet = s.turn >> s.teams
    own = prices(s, sheet)
    theirs = prices(s, left_of(sheet, s.players >> s.teams))
    numbers = numbered_hand(s)
    best, second = survey(s, numbers, theirs)
    laid = some(s.laid)
    earned = earned_so_far(s) if laid else 0
    exact = laid and light_waits(s)
    top = -500
    for i in range(n):
        action = int(actions[i])
        if action == STOP:
            rating = price(own, earned) - keeping_costs(s, int64(s.turn), int64(-1))
        elif action != DRAW:
            rating = rate_tile(s, action, earned, exact, numbers, own, theirs, best, second)
        else:
            continue
        ratings[i] = 10 * rating
        top = max(top, rating)
    for i in range(n):
        if actions[i] == DRAW:
            ratings[i] = 10 * (top + DRAWN)
    for w in range(WORDS):
        s.where[w] = 0


SURE = 400
CHANCES: Ints = np.array([round(WORTH / (1 + exp(-m / 64))) for m in range(-SURE, SURE + 1)], np.int64)
# hundredths of a point times this, by the tiles in the bag, are 64ths of the logistic's unit, shifted by 16
SCALE: Ints = np.array([round(65536 * 64 / 100 / (2.1 * (n + 6) ** 0.5)) for n in range(128)], np.int64)
MARGIN = round(65536 * 64 / 100 / 20)
WON = 6  # tenths of WORTH for winning; the rest is for the margin, so that it counts even when the winner is certain
# packed: a standing, as a positive number; what its margins are worth; its chance
ABOVE, LOW, SHARE, CHANCE = 1 << 19, (1 << 20) - 1, 20, 41


@rule
def standing(s: State, sheet: int) -> int:
    """What a sheet will come to; for the side on turn with what the board offers, for others less what they keep."""
    t = turns_left(s, sheet)
    first = first_box(s, sheet)
    crosses = int(s.crosses[sheet])
    total = 0
    for row in range(last_row(s, sheet, t)):
        f0 = chance_of_box(0, t, row - int(s.n_box[0, sheet]))
        f1 = chance_of_box(1, t, row - int(s.n_box[1, sheet]))
        f2 = chance_of_box(2, t, row - int(s.n_box[2, sheet]))
        points = expected_points(s, first + row, POINT * printed_bonus(row), f0, f1, f2)
        total += crossed(points, chance_of_cross(t, row - crosses))
    for seat in range(s.players):
        if seat >> s.teams == sheet and (s.ended or sheet != s.turn >> s.teams):
            total -= keeping_costs(s, int64(seat), int64(-1))
    if sheet == s.turn >> s.teams and not s.ended:
        total += to_come(s, sheet)
    return total


@rule
def to_come(s: State, sheet: int) -> int:
    """What the side on turn can expect from the board as it is, whatever it has drawn."""
    best, _second = survey(s, 0, prices(s, sheet))
    total = int64(0)
    for i in range(VALUES):
        total += best >> 10 * i & BEST
    return TEMPO + ((total << EIGHT) * TO_COME >> 10)


@rule
def chance_by(margin: int, scale: int) -> int:
    """The chance, out of WORTH, of a side that leads another by this margin."""
    return CHANCES[SURE + min(SURE, max(-SURE, margin * scale >> 16))]


@rule
def beats(s: State, margin: int) -> int:
    """The same, or at the end whether it has won."""
    if s.ended:
        return WORTH if margin > 0 else (0 if margin < 0 else WORTH // 2)
    return chance_by(margin, SCALE[s.n_bag])


@rule
def worth(s: State, out: Ints) -> None:
    """By what the sheets will come to: each side's chance against all others, and its margins."""
    step = 1 << int(s.teams)
    sides = int(s.players >> s.teams)
    for seat in range(0, s.players, step):
        out[seat] = standing(s, int64(seat >> s.teams)) + ABOVE
    total = int64(0)
    for seat in range(0, s.players, step):
        chance = int64(WORTH)
        share = int64(0)
        for rival in range(0, s.players, step):
            if rival != seat:
                margin = (out[seat] & LOW) - (out[rival] & LOW)
                chance = chance * beats(s, margin) // WORTH
                share += chance_by(margin, MARGIN)
        chance = max(int64(1), chance)
        total += chance
        out[seat] += (2 * share // (sides * (sides - 1)) << SHARE) + (chance << CHANCE)
    left = int64(WORTH)
    for seat in range(0, s.players, step):
        share = out[seat] >> SHARE & (1 << CHANCE - SHARE) - 1
        out[seat] = (WON * (WORTH * (out[seat] >> CHANCE) // total) + (10 - WON) * share) // 10
        left -= out[seat]
    out[0] += left
    for seat in range(s.players):
        out[seat] = out[seat - seat % step]


@rule
def enough(s: State, root: State, horizon: int) -> bool:
    """When another seat begins its turn, or any seat once tiles for more than `horizon` turns have been drawn; not near
    the end."""
    if root.n_bag <= TILES_A_TURN * root.players or some(s.laid):
        return False
    if horizon == 0:
        return s.turn >> s.teams != root.turn >> root.teams
    return root.n_bag - s.n_bag > horizon * (TILES_A_TURN << int(s.teams))
