"""Zatre: the rules (Z1 …), each written once.

`state.py` says what a record holds, `board.py` and `light_cells.py` where tiles may be laid.

What is known. Everybody knows the draw for the start, the board and what was laid in this turn, the sheets, who has
drawn in this turn, and how many tiles each hand and the bag hold; also what a turn that ended automatically, or a draw
because nothing fitted, reveals about the tiles kept: `known`. As a value fits wherever a higher one does, the tiles
that fit nowhere are all those of a certain value and higher. A seat also knows its own hand and, in the team game, its
partner's (Z21). Nobody knows the bag. So a viewer cannot tell the tiles it does not see apart, except by `known` and by
what follows from the current turn: the starter has the tile that won the start; the seat on turn can do something, and
make good what it owes; a partner who did not have to draw has a tile that fits. At the end all hands are shown (Z19).
"""

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.chance import pick, random_below, seed, shuffle
from infila.core.record import Ints, int64
from infila.core.rule import inlined, left_of, rule
from infila.games.zatre.board import (
    LIGHT,
    RED,
    STEPS,
    clear,
    count_cells,
    earns_cross,
    fit,
    fits_somewhere,
    has,
    put,
    run,
    scores_at,
    something_fits,
)
from infila.games.zatre.light_cells import find_way, in_hand, refuse_light, where_while_owing, would_owe
from infila.games.zatre.state import BOXES_EACH, COLUMNS, PLACES, SCORES, SIDE, SUPPLY, VALUES, WORDS
from infila.games.zatre.state import State as State

CELLS = SIDE * SIDE
FORCED = 1
TILES_A_TURN = 2  # Z13
OPENING_TILES = 1 + TILES_A_TURN  # Z4: the one that won the start, and these
POINTS = (1, 2, 4)  # Z15: of a line of 10, 11 and 12
TIMES_CROSSED = 2  # Z18

# actions: LAY + 225 × (value - 1) + cell, DRAW, STOP; a cell is 15 × row + column
LAY, DRAW, STOP = 0, VALUES * CELLS, VALUES * CELLS + 1
ACTIONS = STOP + 1
MAX_LEGAL = VALUES * count_cells(".oR") + 2
KINDS: tuple[str, ...] = ("lay", "draw", "stop")
KIND_FIRST = np.array([LAY, DRAW, STOP, ACTIONS])
KIND_WEIGHT = np.array([1, 1, 1])


@rule
def value_laid(action: int) -> int:
    """The value of the tile that an action lays."""
    return action // CELLS + 1


@rule
def place_laid(action: int) -> int:
    """The place where an action lays a tile."""
    cell = action % CELLS
    return cell + cell // SIDE


@rule
def first_box(s: State, sheet: int) -> int:
    """Where the boxes of a sheet begin."""
    return BOXES_EACH[s.players >> s.teams] * int(sheet)


@rule
def partner_follows(s: State) -> bool:
    """Z26: whether the next to lay is the partner of the seat on turn."""
    return s.teams != 0 and s.second == 0


@rule
def draw(s: State, seat: int, n: int) -> None:
    """Draw n tiles from the bag into a hand, or what is left (Z25)."""
    for _ in range(min(n, s.n_bag)):
        s.n_bag -= 1
        s.hand[seat, s.bag[s.n_bag] - 1] += 1
        s.bag[s.n_bag] = 0
        s.n_hand[seat] += 1


@rule
def fill_bag(s: State, without: int) -> None:
    """Z1: all tiles, sorted, except one of this value (0: all of them)."""
    s.n_bag = 0
    for i in range(VALUES):
        for _ in range(SUPPLY[i] - (1 if i + 1 == without else 0)):
            s.bag[s.n_bag] = i + 1
            s.n_bag += 1


@inlined
def draw_for_start(s: State) -> int:
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
def deal(s: State) -> None:
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
    draw(s, int64(s.turn), int64(TILES_A_TURN))
    if s.teams:
        draw(s, int64(s.turn) ^ 1, int64(TILES_A_TURN))
        s.drawn_second = 1


@rule
def some(words: Ints) -> bool:
    """Whether a set of places holds any."""
    return (words[0] | words[1] | words[2] | words[3]) != 0


@rule
def legal(s: State, out: Ints) -> int:
    if s.ended:
        return 0
    n = 0
    me = int64(s.turn)
    hand = in_hand(s, me)
    owing = some(s.owing)
    red_first = s.opening and s.board[RED] == 0
    if not owing and not red_first:
        refuse_light(s, me, hand)
    # one loop, since games played side by side on a GPU wait for each other at the end of every loop
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
def lay(s: State, seat: int, i: int, place: int) -> None:
    """Lay a tile of value i + 1 from the hand."""
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
def new_line(s: State, place: int, step: int) -> int:
    """The pips of the line through a tile of this turn; 0 if another one, still to be counted, follows it there."""
    pips = int(s.board[place]) + run(s, place, -step)
    at = (place + step) & 255
    while s.board[at] > 0:
        if has(s.laid, at):
            return 0
        pips += int(s.board[at])
        at = (at + step) & 255
    return pips


@inlined
def write_down(s: State, sheet: int) -> None:
    """Z15 to Z17: write down what the turn has earned. Its tiles are counted and forgotten."""
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
        if earns_cross(s, place):
            s.crosses[sheet] += 1
    if lines:
        if s.opening:  # Z10
            s.crosses[sheet] += 1
        for k in range(COLUMNS):
            if s.box[k, first + int(s.n_box[k, sheet])] > 0:
                s.n_box[k, sheet] += 1


@rule
def fitting(s: State) -> int:
    """The highest value that fits anywhere, or 0; every lower one fits too."""
    value = VALUES
    while value > 0 and not fits_somewhere(s, value - 1):
        value -= 1
    return value


@rule
def tiles_short(kept: int) -> int:
    """Z13: how many tiles must be drawn to add to those kept, even if one of these fits."""
    return max(0, TILES_A_TURN - kept)


@rule
def must_draw(s: State, seat: int) -> int:
    """Z13: make the compulsory draw; return how many tiles were drawn."""
    n = tiles_short(int(s.n_hand[seat]))
    if n == 0 and s.n_bag > 0 and not something_fits(s, seat):
        s.n_known[seat] = s.n_hand[seat]
        s.known_from[seat] = max(int(s.known_from[seat]), fitting(s) + 1)
        n = 1
    n = min(n, int(s.n_bag))
    draw(s, seat, n)
    return n


@inlined
def end_turn(s: State) -> None:
    """Write down what the turn has earned, and begin the next: the partner's part of it (Z26) or another turn."""
    write_down(s, s.turn >> s.teams)
    s.owing[:] = 0
    s.opening = 0
    if partner_follows(s):
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
def play(s: State, action: int) -> None:
    me = int64(s.turn)
    if action == DRAW:
        draw(s, me, int64(1))
        s.drawn = 1
        s.drawn_second |= s.second
    elif action == STOP:
        s.n_known[me] = 0
        s.known_from[me] = 0
    else:
        lay(s, me, value_laid(int64(action)) - 1, place_laid(int64(action)))
    ends = action == STOP
    while ends or (not s.ended and not something_fits(s, int64(s.turn))):  # Z22, Z20
        if not ends and s.n_hand[s.turn] > 0:
            s.n_known[s.turn] = s.n_hand[s.turn]
            s.known_from[s.turn] = fitting(s) + 1
        ends = False
        end_turn(s)


@rule
def printed_bonus(row: int) -> int:
    """Z3: the bonus of a row, from 0: 3 in the first four rows, 4 and 5 in the next fours, then always 6."""
    return 3 + min(3, row >> 2)


@rule
def full(tens: int, elevens: int, twelves: int) -> bool:
    """Z18: whether a row with these numbers of lines in its boxes earns the bonus."""
    return tens > 0 and elevens > 0 and twelves > 0


@rule
def row_points(row: int, tens: int, elevens: int, twelves: int) -> int:
    """Z18: what a row with these numbers of lines in its boxes is worth, not doubled."""
    points = POINTS[0] * tens + POINTS[1] * elevens + POINTS[2] * twelves
    return points + printed_bonus(row) if full(tens, elevens, twelves) else points


@rule
def times(row: int, crosses: int) -> int:
    """Z17, Z18: how often a row counts; crosses fill the rows from the top."""
    return TIMES_CROSSED if row < crosses else 1


@rule
def written_rows(s: State, sheet: int) -> int:
    """How many rows of a sheet hold a line."""
    return int(max(s.n_box[0, sheet], s.n_box[1, sheet], s.n_box[2, sheet]))


@rule
def row_points_at(s: State, first: int, row: int) -> int:
    """Z18: what a row of the sheet whose boxes begin at `first` is worth, not doubled."""
    box = first + row
    return row_points(row, int(s.box[0, box]), int(s.box[1, box]), int(s.box[2, box]))


@rule
def sheet_total(s: State, sheet: int) -> int:
    """Z18: the sum of a sheet's rows."""
    total = 0
    first = first_box(s, sheet)
    for row in range(written_rows(s, sheet)):
        total += times(row, int(s.crosses[sheet])) * row_points_at(s, first, row)
    return total


@rule
def hand_pips(s: State, seat: int) -> int:
    """Z19: what a hand counts as minus at the end."""
    pips = 0
    for i in range(VALUES):
        pips += int(s.hand[seat, i]) * (i + 1)
    return pips


@rule
def scores(s: State, out: Ints) -> None:
    for seat in range(s.players):
        out[seat] = sheet_total(s, seat >> s.teams)
    if s.ended:  # Z19
        for seat in range(s.players):
            pips = hand_pips(s, seat)
            out[seat] -= pips
            if s.teams:
                out[seat ^ 1] -= pips


@rule
def sees(s: State, viewer: int, seat: int) -> bool:
    """Whether a viewer sees the hand of a seat."""
    return s.ended != 0 or (viewer >= 0 and seat >> s.teams == viewer >> s.teams)


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.bag[:] = 0
    for seat in range(s.players):
        if not sees(s, viewer, seat):
            s.hand[seat, :] = 0


@rule
def deal_unseen(s: State, seat: int, n: int, least: int, most: int) -> None:
    """Deal n tiles of these values from the sorted bag into a hand, at random."""
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
def collect_unseen(s: State, viewer: int) -> None:
    """Put all tiles that the viewer does not see into the bag, sorted."""
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
def winning_tile(s: State) -> int:
    """Z4: in the opening, the tile that won the start if the starter must still have it in hand; else 0."""
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
def partner_has_to_fit(s: State) -> bool:
    """Z26: whether a second partner who has not drawn must have a tile that fits, because nothing has been laid yet."""
    return partner_follows(s) and s.drawn_second == 0 and not some(s.laid) and s.n_bag > 0


@rule
def can_go_on(s: State) -> bool:
    """Whether the turn can be going on with this hand: Z9, Z22."""
    if s.opening:
        return True
    if some(s.owing):
        return find_way(s, int64(s.turn), int64(-1))
    return something_fits(s, int64(s.turn))


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    """Draw the other hands and the bag anew.

    Known tiles are dealt first, those known to be highest before all others: then whatever is open to one is open to
    all that follow, and every deal is equally likely. Impossible deals are thrown away; the true one is possible.
    """
    hide(s, viewer)
    seed(s, key0, key1)
    if s.ended:
        return
    sheet_on_turn = s.turn >> s.teams
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
                if seat >> s.teams == sheet_on_turn:
                    n = s.n_hand[seat] - s.n_known[seat]
                    deal_unseen(s, seat, n - 1 if winning > 0 and seat == s.turn else n, 1, VALUES)
            again = not can_go_on(s) or (partner and not something_fits(s, int64(s.turn) ^ 1))
    shuffle(s, s.bag, int64(s.n_bag))
    for seat in range(s.players):
        if seat >> s.teams != sheet_on_turn and not sees(s, viewer, seat):
            n = s.n_hand[seat] - s.n_known[seat]
            s.n_hand[seat] = s.n_known[seat]
            draw(s, seat, n)
