"""Zatre: the rules (Z1 …), each written once; `board.py` and `light.py` say where tiles may be laid.

What is known. Everybody: the draw for the start, the board and what was laid in this turn, the sheets, who has drawn in
this turn, and how many tiles each hand and the bag hold. Moreover what a turn that ended by itself, and a draw because
nothing fitted, tell of the tiles kept: `known`. As a value fits wherever a higher one does, tiles that fit nowhere
are all those of a certain value and higher. A seat besides: its own hand and, in the team game, its partner's (Z21).
Nobody: the bag. So all tiles that a viewer does not see are alike to it, but for `known` and for what follows from the
turn that is going on: the starter has the tile that won the start; the seat on turn can do something, and make good
what it owes; a partner who had not to draw has a tile that fits. Once the game is over all hands are shown (Z19).
"""

from typing import Any

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.chance import Chance, pick, random_below, seed, shuffle
from infila.core.record import I1, I8, U1, Grid, Ints, array, int64
from infila.core.rule import inlined, left_of, rule
from infila.games.zatre.board import (
    LIGHT,
    PLACES,
    RED,
    SCORES,
    SIDE,
    STEPS,
    SUPPLY,
    TILES,
    VALUES,
    WORDS,
    clear,
    fit,
    fits_somewhere,
    has,
    put,
    run,
    scores_at,
    something_fits,
)
from infila.games.zatre.light import find_way, in_hand, refuse_light, where_while_owing, would_owe

SEATS = 6
CELLS = SIDE * SIDE
FORCED = 1
# Boxes of one column, of all sheets. A box needs a tile laid, a turn a tile drawn or laid. If one of n seats has t
# turns with boxes it has laid t tiles, and the others have had (n - 1)(t - 1) turns and so drawn at least half as many
# tiles; together not more than 121. So t <= (241 + n) / (n + 1): 35 for six, and 36 for positions set by hand.
BOXES = 216
BOXES_EACH = np.array([0, *(BOXES // sheets for sheets in range(1, SEATS + 1))])  # by the number of sheets
# Each of k owing tiles has 9 helpers at most, and all of them are 121 tiles at most. So there are not more helpers than
# 9 k and than 121 - k: 108 for 12 owing tiles and for 13, fewer for all other numbers.
HELPERS = 108

# actions: LAY + 225 × (value - 1) + cell, DRAW, STOP; a cell is 15 × row + column
LAY, DRAW, STOP = 0, VALUES * CELLS, VALUES * CELLS + 1
ACTIONS = STOP + 1
MAX_LEGAL = VALUES * 193 + 2
KINDS: tuple[str, ...] = ("lay", "draw", "stop")
KIND_FIRST = np.array([LAY, DRAW, STOP, ACTIONS])
KIND_WEIGHT = np.array([1, 1, 1])


class State(Chance):
    """A whole game."""

    fits: Grid = array(I8, VALUES, WORDS)  # for each value where it fits (Z24)
    laid: Ints = array(I8, WORDS)  # the cells laid in this turn
    owing: Ints = array(I8, WORDS)  # those of them that must be made good (Z9)
    where: Ints = array(I8, VALUES)  # scratch of light.py: where a value may be laid, or may not
    players: I1
    keeping: I1
    teams: I1
    starter: I1
    turn: I1  # the seat on turn
    opening: I1
    second: I1  # it is a pair's second partner
    drawn: I1  # the seat on turn has drawn
    drawn_second: I1
    ended: I1  # the game is over
    n_bag: I1
    n_start: I1
    n_hand: Ints = array(I1, SEATS)
    n_known: Ints = array(I1, SEATS)  # so many of a seat's tiles are known to be …
    known_from: Ints = array(I1, SEATS)  # … of this value or a higher one; 0 if none
    crosses: Ints = array(I1, SEATS)  # of each sheet
    n_box: Grid = array(I1, 3, SEATS)  # filled boxes of each column and sheet
    hand: Grid = array(I1, SEATS, VALUES)  # how many tiles of each value
    board: Ints = array(I1, PLACES)  # the value of each tile
    sums: Ints = array(U1, PLACES)  # the pips beside each empty cell: row + 16 × column
    bag: Ints = array(I1, TILES)  # drawn from the end
    start: Ints = array(I1, TILES)  # the tiles drawn for the start; who drew them follows from who was tied
    box: Grid = array(I1, 3, BOXES)  # how many lines of 10, 11, 12 each box holds, sheet after sheet
    help_place: Ints = array(U1, HELPERS)  # scratch of light.py: tiles tried, where
    help_choice: Ints = array(I1, HELPERS)  # … and which


@rule
def first_box(s: Any, sheet: Any) -> Any:
    """Where the boxes of a sheet begin."""
    return BOXES_EACH[s.players >> s.teams] * int(sheet)


@rule
def draw(s: Any, seat: Any, n: Any) -> None:
    """So many tiles from the bag into a hand, or what is left (Z25)."""
    for _ in range(min(n, s.n_bag)):
        s.n_bag -= 1
        s.hand[seat, s.bag[s.n_bag] - 1] += 1
        s.bag[s.n_bag] = 0
        s.n_hand[seat] += 1


@rule
def fill_bag(s: Any, without: Any) -> None:
    """Z1: all tiles, sorted, but for one of this value (0: all of them)."""
    s.n_bag = 0
    for i in range(VALUES):
        for _ in range(SUPPLY[i] - (1 if i + 1 == without else 0)):
            s.bag[s.n_bag] = i + 1
            s.n_bag += 1


@inlined
def draw_for_start(s: Any) -> Any:
    """Z4: a tile each, those tied for highest again, until one is left: the starter. Return the winning tile."""
    highest = 0
    tied = (1 << int(s.players)) - 1
    while tied & (tied - 1):
        highest = 0
        drawing = tied
        for seat in range(s.players):
            if drawing >> seat & 1:
                value = int(pick(s, s.bag, int64(s.n_bag)))
                s.n_bag -= 1
                s.start[s.n_start] = value
                s.n_start += 1
                if value > highest:
                    highest = value
                    tied = 0
                if value == highest:
                    tied |= 1 << seat
    s.starter = lowest_bit(tied)
    return highest


@rule
def deal(s: Any) -> None:
    clear(s)
    fill_bag(s, int64(0))
    winning = draw_for_start(s)
    fill_bag(s, int64(winning))  # Z25
    s.bag[s.n_bag] = 0
    shuffle(s, s.bag, int64(s.n_bag))
    s.turn = s.starter
    s.opening = 1
    s.drawn = 1
    s.hand[s.turn, winning - 1] = 1
    s.n_hand[s.turn] = 1
    draw(s, int64(s.turn), int64(2))
    if s.teams:
        draw(s, int64(s.turn) ^ 1, int64(2))
        s.drawn_second = 1


@rule
def some(words: Any) -> Any:
    return (words[0] | words[1] | words[2] | words[3]) != 0


@rule
def legal(s: Any, out: Any) -> Any:
    if s.ended:
        return 0
    n = 0
    me = int64(s.turn)
    hand = in_hand(s, me)
    owing = some(s.owing)
    red_first = s.opening and s.board[RED] == 0
    if not owing and not red_first:
        refuse_light(s, me, hand)
    # one loop, as games that are played side by side on a GPU wait for each other at the end of every loop
    values = hand & ((1 << VALUES) - 1)
    cells = int64(0)
    i = int64(0)
    w = int64(WORDS)
    while values != 0 or w < WORDS - 1 or cells != 0:
        if cells == 0:
            w += 1
            if w >= WORDS:
                i = lowest_bit(values)
                values &= values - 1
                w = int64(0)
                if owing:
                    where_while_owing(s, me, i)
            if red_first:  # Z4
                cells = int64(1 << (RED & 63) if w == RED >> 6 else 0)
            elif owing:
                cells = s.where[w]
            else:
                cells = s.fits[i, w] & ~((s.where[i] >> (w >> 1)) & LIGHT[w])
        if cells != 0:
            place = 64 * w + lowest_bit(cells)
            out[n] = LAY + CELLS * i + place - (place >> 4)
            n += 1
            cells &= cells - 1
    s.where[:] = 0
    # Z12, Z4, Z9; should find_way have given up for every tile, there is at least a stop
    if n > 0 and (s.keeping == FORCED or s.opening or owing):
        return n
    laid = some(s.laid)
    if not s.drawn and not laid and s.n_bag > 0:  # Z13, Z23
        out[n] = DRAW
        n += 1
    if s.drawn or laid:  # Z23
        out[n] = STOP
        n += 1
    return n


@inlined
def lay(s: Any, seat: Any, i: Any, place: Any) -> None:
    """A tile of value i + 1 from the hand."""
    bit = 1 << (place & 63)
    if would_owe(s, i, place):
        s.owing[place >> 6] |= bit
    s.laid[place >> 6] |= bit
    s.n_known[seat] = 0
    s.known_from[seat] = 0
    s.hand[seat, i] -= 1
    s.n_hand[seat] -= 1
    put(s, place, i + 1)
    fit(s, place)
    if not some(s.owing):
        return
    for w in range(WORDS):
        bits = s.owing[w]
        while bits != 0:
            if scores_at(s, 64 * w + lowest_bit(bits)):
                s.owing[w] &= ~(bits & -bits)
            bits &= bits - 1


@inlined
def new_line(s: Any, place: Any, step: Any) -> Any:
    """The pips of the line through a tile of this turn; 0 if another one, still to be counted, comes after it there."""
    pips = int(s.board[place]) + run(s, place, -step)
    at = (place + step) & 255
    while s.board[at] > 0:
        if has(s.laid, at):
            return 0
        pips += int(s.board[at])
        at = (at + step) & 255
    return pips


@inlined
def write_down(s: Any, sheet: Any) -> None:
    """Z15 to Z17: what the turn has earned. Its tiles are counted and forgotten."""
    first = first_box(s, sheet)
    lines = False
    w = 0
    while w < WORDS:
        if s.laid[w] == 0:
            w += 1
            continue
        place = 64 * w + lowest_bit(s.laid[w])
        s.laid[w] &= s.laid[w] - 1
        for k in range(2):
            pips = new_line(s, place, STEPS[2 * k + 1])
            if pips >= SCORES:
                lines = True
                s.box[pips - SCORES, first + int(s.n_box[pips - SCORES, sheet])] += 1
        if has(LIGHT, place) and scores_at(s, place):
            s.crosses[sheet] += 1
    if lines:
        if s.opening:  # Z10
            s.crosses[sheet] += 1
        for k in range(3):
            if s.box[k, first + int(s.n_box[k, sheet])] > 0:
                s.n_box[k, sheet] += 1


@rule
def fitting(s: Any) -> Any:
    """The highest value that fits anywhere, or 0; every lower one fits too."""
    value = VALUES
    while value > 0 and not fits_somewhere(s, value - 1):
        value -= 1
    return value


@rule
def must_draw(s: Any, seat: Any) -> Any:
    """Z13: the compulsory draw; how many tiles were drawn."""
    n = 0
    if s.n_hand[seat] < 2:
        n = 2 - s.n_hand[seat]
    elif s.n_bag > 0 and not something_fits(s, seat):
        s.n_known[seat] = s.n_hand[seat]
        s.known_from[seat] = max(int(s.known_from[seat]), fitting(s) + 1)
        n = 1
    n = min(n, int(s.n_bag))
    draw(s, seat, n)
    return n


@inlined
def end_turn(s: Any) -> None:
    """Write down what the turn has earned, and begin the next: the partner's part of it (Z26) or another's turn."""
    write_down(s, s.turn >> s.teams)
    s.owing[:] = 0
    s.opening = 0
    if s.teams and not s.second:
        s.second = 1
        s.turn ^= 1
        if not s.drawn_second:  # Z26: asked once more
            s.drawn_second = must_draw(s, int64(s.turn)) > 0
        s.drawn = s.drawn_second
    elif s.n_bag == 0:  # Z19
        s.ended = 1
    else:
        s.second = 0
        s.turn = left_of(s.turn >> s.teams, s.players >> s.teams) << s.teams
        s.drawn = must_draw(s, int64(s.turn)) > 0
        if s.teams:
            s.drawn_second = must_draw(s, int64(s.turn) ^ 1) > 0


@rule
def play(s: Any, action: Any) -> None:
    me = int64(s.turn)
    if action == DRAW:
        draw(s, me, int64(1))
        s.drawn = 1
        s.drawn_second |= s.second
    elif action == STOP:
        s.n_known[me] = 0
        s.known_from[me] = 0
    else:
        cell = int64(action) % CELLS
        lay(s, me, int64(action) // CELLS, cell + cell // SIDE)
    ends = action == STOP
    while ends or (not s.ended and not something_fits(s, int64(s.turn))):  # Z22, Z20
        if not ends and s.n_hand[s.turn] > 0:
            s.n_known[s.turn] = s.n_hand[s.turn]
            s.known_from[s.turn] = fitting(s) + 1
        ends = False
        end_turn(s)


@rule
def bonus(s: Any, first: Any, row: Any) -> Any:
    """Z3: the printed bonus, if all boxes of the row are filled; the boxes of the sheet begin at `first`."""
    box = first + row
    return 3 + min(3, row // 4) if s.box[0, box] > 0 and s.box[1, box] > 0 and s.box[2, box] > 0 else 0


@rule
def row_points(s: Any, first: Any, row: Any) -> Any:
    """Z18: what a row is worth, not doubled, of the sheet whose boxes begin at `first`."""
    box = first + row
    return int(s.box[0, box]) + 2 * int(s.box[1, box]) + 4 * int(s.box[2, box]) + bonus(s, first, row)


@rule
def sheet_total(s: Any, sheet: Any) -> Any:
    """Z18: the sum of a sheet's rows."""
    total = 0
    first = first_box(s, sheet)
    rows = max(s.n_box[0, sheet], s.n_box[1, sheet], s.n_box[2, sheet])
    for row in range(rows):
        points = row_points(s, first, row)
        total += 2 * points if row < s.crosses[sheet] else points
    return total


@rule
def scores(s: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = sheet_total(s, seat >> s.teams)
    if s.ended:  # Z19
        for seat in range(s.players):
            for i in range(VALUES):
                pips = int(s.hand[seat, i]) * (i + 1)
                out[seat] -= pips
                if s.teams:
                    out[seat ^ 1] -= pips


@rule
def sees(s: Any, viewer: Any, seat: Any) -> Any:
    """Whether a viewer sees the hand of a seat."""
    return s.ended or (viewer >= 0 and seat >> s.teams == viewer >> s.teams)


@rule
def hide(s: Any, viewer: Any) -> None:
    seed(s, 0, 0)
    s.bag[:] = 0
    for seat in range(s.players):
        if not sees(s, viewer, seat):
            s.hand[seat, :] = 0


@rule
def deal_unseen(s: Any, seat: Any, n: Any, least: Any, most: Any) -> None:
    """So many tiles of these values from the sorted bag into a hand, at random."""
    for _ in range(n):
        first = 0
        while s.bag[first] < least:
            first += 1
        end = first
        while end < s.n_bag and s.bag[end] <= most:
            end += 1
        at = first + random_below(s, end - first)
        s.hand[seat, s.bag[at] - 1] += 1
        s.n_bag -= 1
        while at < s.n_bag:
            s.bag[at] = s.bag[at + 1]
            at += 1
        s.bag[at] = 0


@rule
def collect_unseen(s: Any, viewer: Any) -> None:
    """All tiles that the viewer does not see into the bag, sorted."""
    s.n_bag = 0
    for i in range(VALUES):
        left = int(SUPPLY[i])
        for place in range(PLACES):
            if s.board[place] == i + 1:
                left -= 1
        for seat in range(s.players):
            if not sees(s, viewer, seat):
                s.hand[seat, i] = 0
            left -= s.hand[seat, i]
        for _ in range(left):
            s.bag[s.n_bag] = i + 1
            s.n_bag += 1


@rule
def winning_tile(s: Any) -> Any:
    """Z4: in the opening the tile that won the start, if the starter must still have it in hand; else 0."""
    value = 0
    first = 0
    tied = int(s.players) if s.opening and s.n_start > 0 else 1
    while tied > 1:
        value = 0
        leading = 0
        for k in range(first, first + tied):
            if s.start[k] > value:
                value = int(s.start[k])
                leading = 0
            if s.start[k] == value:
                leading += 1
        first += tied
        tied = leading
    for place in range(PLACES):
        if s.board[place] == value:
            return 0
    return value


@rule
def partner_has_to_fit(s: Any) -> Any:
    """Z26: whether a second partner who has not drawn must have a tile that fits, as nothing has been laid yet."""
    return s.teams and not s.second and not s.drawn_second and not some(s.laid) and s.n_bag > 0


@rule
def can_go_on(s: Any) -> Any:
    """Whether the turn can be going on with this hand: Z9, Z22."""
    if s.opening:
        return True
    if some(s.owing):
        return find_way(s, int64(s.turn), int64(-1))
    return something_fits(s, int64(s.turn))


@rule
def redraw(s: Any, viewer: Any, key0: Any, key1: Any) -> None:
    """Draw the other hands and the bag anew.

    Known tiles are dealt first, those known to be highest before all others: then whatever is open to one is open to
    all that follow, and every deal is equally likely. Deals that cannot be are thrown away; the true one can.
    """
    hide(s, viewer)
    seed(s, key0, key1)
    if s.ended:
        return
    mine = s.turn >> s.teams
    winning = winning_tile(s)
    partner = partner_has_to_fit(s)
    again = True
    while again:
        collect_unseen(s, viewer)
        for k in range(VALUES):
            for seat in range(s.players):
                if s.known_from[seat] == VALUES - k and not sees(s, viewer, seat):
                    deal_unseen(s, seat, s.n_known[seat], VALUES - k, VALUES)
        again = False
        if not sees(s, viewer, s.turn):
            if winning > 0:
                deal_unseen(s, s.turn, 1, winning, winning)
            for seat in range(s.players):
                if seat >> s.teams == mine:
                    n = s.n_hand[seat] - s.n_known[seat]
                    deal_unseen(s, seat, n - 1 if winning > 0 and seat == s.turn else n, 1, VALUES)
            again = not can_go_on(s) or (partner and not something_fits(s, int64(s.turn) ^ 1))
    shuffle(s, s.bag, int64(s.n_bag))
    for seat in range(s.players):
        if seat >> s.teams != mine and not sees(s, viewer, seat):
            n = s.n_hand[seat] - s.n_known[seat]
            s.n_hand[seat] = s.n_known[seat]
            draw(s, seat, n)
