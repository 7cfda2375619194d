"""Sequence: the rules (S1 …), each written once.

What is known. Everybody: the cut, the board, all discards since the last shuffle and whose they are, how many cards
each hand and the pile hold, and who may still draw or owes a discard. A seat besides: its own hand, not its team
mates'. Nobody: the pile. So for a viewer all cards that are neither on the discard piles nor in its own hand are alike.
What could be concluded from a pass, or from what was held back when the discards were shuffled, counts as forgotten.
"""

from typing import Any

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.chance import Chance, pick, seed, shuffle
from infila.core.contract import HOST
from infila.core.record import I1, I2, I4, Grid, Ints, array, int64
from infila.core.rule import left_of, rule

SEATS, SIDES = 12, 3
HAND = 7
BOARD = 100  # a1 is 0, b1 is 1, … a2 is 10 …
CARDS = 104
KINDS_OF_CARDS = 52
JACKS = 48  # the first of the jacks: JC JD, two-eyed, then JS JH, one-eyed
LAST_TURN = 1000  # S18

# S2: row 10 first, as it is seen
LAYOUT = """
** 2S 3S 4S 5S 6S 7S 8S 9S **
6C 5C 4C 3C 2C AH KH QH TH TS
7C AS 2D 3D 4D 5D 6D 7D 9H QS
8C KS 6C 5C 4C 3C 2C 8D 8H KS
9C QS 7C 6H 5H 4H AH 9D 7H AS
TC TS 8C 7H 2H 3H KH TD 6H 2D
QC 9S 9C 8H 9H TH QH QD 5H 3D
KC 8S TC QC KC AC AD KD 4H 4D
AC 7S 6S 5S 4S 3S 2S 2H 3H 5D
** AD KD QD TD 9D 8D 7D 6D **
"""
PRINTED = tuple(card for row in reversed(LAYOUT.split("\n")[1:-1]) for card in row.split())  # by cell
CORNERS = (0, 9, 90, 99)

# a card is 1 to 52 in this order, of docs/chance.md; 0 is a card that the viewer cannot know
CARD_NAMES = ("?", *(rank + suit for suit in "SHDC" for rank in "23456789TQKA"), "JC", "JD", "JS", "JH")
# the two cells of a card, the lower first: those of card are at 2 * (card - 1)
CELLS = np.array(
    [cell for name in CARD_NAMES[1 : JACKS + 1] for cell in range(BOARD) if PRINTED[cell] == name], np.int8
)

# S5: cards each, by players
EACH = np.array([0, 0, 7, 6, 6, 0, 5, 0, 4, 4, 3, 0, 3], np.int8)

# what lies on a cell: OPEN, a side's chip 1 to 3, with TURNED once it is turned over (S12); a corner is safe, nobody's
OPEN, SIDE, TURNED = 0, 3, 4
CORNER = TURNED

# A five is named by its first end and its direction, 4 * cell + direction. The first end is the left one, in a column
# the lower, so ascending fives are as S21 wants them: by the first and then by the second end. There is no five 0.
STEP = np.array([-9, 1, 10, 11], np.int8)  # right and down, right, up, right and up
FIVES = 4 * BOARD
# the fives through cell 0 of a board without edges, ascending; those through a cell are 4 * cell higher
THROUGH = np.array(sorted(4 * -back * int(STEP[d]) + d for d in range(4) for back in range(5)), np.int16)
# the line (row, column or diagonal) in which a five lies, and its first end's place there; every line has ten places,
# of which a diagonal uses some
LINES = 58
LINE = np.array([line for y in range(10) for x in range(10) for line in (39 + y + x, y, 10 + x, 29 + y - x)], np.int8)
PLACE = np.array([place for y in range(10) for x in range(10) for place in (x, x, y, x)], np.int8)
LINE_PLACES = 10

# actions: CARD + 2 * (card - 1) + which of its cells, TWO_EYED and ONE_EYED + 100 * which jack + cell, DEAD + card - 1,
# LOCK + five, DRAW + seat, DISCARD + 52 * seat + card - 1, PASS, OFFENCE + side
CARD = 0
TWO_EYED = CARD + 2 * JACKS
ONE_EYED = TWO_EYED + 2 * BOARD
DEAD = ONE_EYED + 2 * BOARD
LOCK = DEAD + JACKS
DRAW = LOCK + FIVES
DISCARD = DRAW + SEATS
PASS = DISCARD + SEATS * KINDS_OF_CARDS
OFFENCE = PASS + 1
ACTIONS = OFFENCE + SIDES
# two pairs of jacks, between them at most each cell twice; and one to spare, which `write_plays` writes before it knows
MAX_LEGAL = 2 * BOARD + 2 * HAND + SEATS + SIDES + 1
KINDS: tuple[str, ...] = ("card", "two_eyed", "one_eyed", "dead", "lock", "draw", "discard", "pass", "offence")
KIND_FIRST = np.array([CARD, TWO_EYED, ONE_EYED, DEAD, LOCK, DRAW, DISCARD, PASS, OFFENCE, ACTIONS])
KIND_WEIGHT = np.array([30, 30, 30, 30, 30, 30, 30, 30, 1])

NOBODY = -1


class State(Chance):
    """A whole game."""

    lines: Ints = array(I4, LINES)  # ten bits for each side: the places that it covers, corners among them (S8)
    turns: I2  # cards played and passes so far
    owing: I2  # a bit for each seat that owes a discard (S23)
    sequences: Grid = array(I2, SIDES, 2)  # each side's fives, ascending
    players: I1
    sides: I1
    advanced: I1
    draw: I1  # 1: manual
    table_talk: I1  # 1: forbidden
    dealer: I1
    turn: I1  # the seat on turn
    ended: I1  # the game is over
    winner: I1  # the side that has won, from 1; 0: none
    passes: I1  # in a row
    exchanged: I1  # a dead card, in this turn
    locking: I1  # 1 + the cell whose chip asks for a lock; 0: none
    n_sequences: Ints = array(I1, SIDES)
    n_cut: I1
    n_pile: I1
    n_discards: I1
    n_undrawn: I1
    undrawn: Ints = array(I1, SEATS)  # seats that may still draw, the oldest play first (S22)
    n_hand: Ints = array(I1, SEATS)
    hand: Grid = array(I1, SEATS, HAND)  # ascending
    board: Ints = array(I1, BOARD)
    pile: Ints = array(I1, CARDS)  # drawn from the end
    discards: Ints = array(I1, CARDS)  # of all seats, in order
    discarded_by: Ints = array(I1, CARDS)
    cut: Ints = array(I1, CARDS)  # in order; the seats follow from who was tied


@rule
def needed(s: Any) -> Any:
    """S14: how many sequences win."""
    return 2 if s.sides == 2 else 1


@rule
def side_of(s: Any, seat: Any) -> Any:
    """S19: the side for which a seat plays, from 0."""
    seat = int(seat)
    if s.sides == 2:
        return seat & 1
    return seat - 3 * (seat * 43 >> 7)  # modulo 3, for seats below 12, without a division


@rule
def gather(s: Any) -> None:
    """Make the counts of all cards in the upper half of the pile's places the sorted pile itself."""
    n = 0
    for card in range(1, KINDS_OF_CARDS + 1):
        copies = s.pile[KINDS_OF_CARDS - 1 + card]  # never overwritten before: n is below 2 * card
        for _ in range(copies):
            s.pile[n] = card
            n += 1
    s.n_pile = n
    for i in range(n, CARDS):
        s.pile[i] = 0


@rule
def take_top(s: Any, seat: Any) -> None:
    """The top card of the pile into a hand."""
    s.n_pile -= 1
    card = s.pile[s.n_pile]
    s.pile[s.n_pile] = 0
    for at in range(s.n_hand[seat]):  # no branches: where a card goes cannot be predicted
        held = s.hand[seat, at]
        s.hand[seat, at] = min(held, card)
        card = max(held, card)
    s.hand[seat, s.n_hand[seat]] = card
    s.n_hand[seat] += 1


@rule
def draw_card(s: Any, seat: Any) -> None:
    """S11, S20: a card from the pile, which the discards replace when it is empty; hands hold 36 cards at most."""
    if s.n_pile == 0:
        for i in range(s.n_discards):
            s.pile[KINDS_OF_CARDS - 1 + s.discards[i]] += 1
            s.discards[i] = 0
            s.discarded_by[i] = 0
        s.n_discards = 0
        gather(s)
        shuffle(s, s.pile, int64(s.n_pile))
    take_top(s, seat)


@rule
def put_down(s: Any, seat: Any, card: Any) -> None:
    """A card out of the hand, onto the seat's discard pile."""
    s.n_hand[seat] -= 1
    found = 0
    for at in range(s.n_hand[seat]):
        found |= int(s.hand[seat, at] == card)
        s.hand[seat, at] = s.hand[seat, at + found]
    s.hand[seat, s.n_hand[seat]] = 0
    s.discards[s.n_discards] = card
    s.discarded_by[s.n_discards] = seat
    s.n_discards += 1
    s.passes = 0  # S20


@rule
def cut_rank(card: Any) -> Any:
    """S6: 2 3 … T J Q K A."""
    return 17 if card > JACKS else (card - 1) % 12 * 2


@rule
def whole_deck(s: Any) -> None:
    for i in range(CARDS):
        s.pile[i] = 1 + i // 2
    s.n_pile = CARDS


@rule
def cut_for_deal(s: Any) -> None:
    """S6, S19: the lowest card deals; those tied for lowest cut again."""
    whole_deck(s)
    tied = (1 << int(s.players)) - 1
    while tied & (tied - 1):
        lowest = KINDS_OF_CARDS
        cutters = tied
        for seat in range(int(s.players)):
            if cutters >> seat & 1:
                card = pick(s, s.pile, int64(s.n_pile))
                s.n_pile -= 1
                s.cut[s.n_cut] = card
                s.n_cut += 1
                rank = cut_rank(card)
                if rank < lowest:
                    lowest = rank
                    tied = 0
                    s.dealer = seat
                if rank == lowest:
                    tied |= 1 << seat


@rule
def put_corners(s: Any) -> None:
    """S8: to every side a corner is a chip of its own."""
    for corner in CORNERS:
        for side in range(SIDES):
            put_chip(s, side, corner)
        s.board[corner] = CORNER


@rule
def deal(s: Any) -> None:
    """S5, S6: the cut, the deal from the dealer's left, who starts."""
    cut_for_deal(s)
    whole_deck(s)
    players = int(s.players)
    shuffle(s, s.pile, int64(s.n_pile))
    seat = int64(s.dealer)
    for _ in range(EACH[players] * players):
        seat = left_of(seat, players)
        take_top(s, seat)
    s.turn = left_of(s.dealer, players)
    put_corners(s)


@rule
def mover(s: Any) -> Any:
    """S23: who owes a discard acts before the seat on turn."""
    if s.owing:
        return lowest_bit(int64(s.owing))
    return int64(s.turn)


@rule
def actor(s: Any, action: Any) -> Any:
    if action >= OFFENCE:
        return HOST
    if DISCARD <= action < PASS:
        return (action - DISCARD) // KINDS_OF_CARDS
    if DRAW <= action < DISCARD:
        return action - DRAW
    return int(s.turn)


@rule
def scores(s: Any, out: Any) -> None:
    """S14, S24: a win is 1; whoever is ahead, all else is 0."""
    for seat in range(s.players):
        out[seat] = 1 if side_of(s, seat) + 1 == s.winner else 0


@rule
def covers(s: Any, side: Any, line: Any) -> Any:
    """The places of a line that a side covers, as ten bits."""
    return int(s.lines[line]) >> LINE_PLACES * side & (1 << LINE_PLACES) - 1


@rule
def put_chip(s: Any, side: Any, cell: Any) -> Any:
    """Cover a cell; say whether its chip now stands among five or more in a line."""
    s.board[cell] = side + 1
    found = 0
    for at in range(4 * cell, 4 * cell + 4):
        line = LINE[at]
        place = int(PLACE[at])
        s.lines[line] |= 1 << LINE_PLACES * side + place
        chips = covers(s, side, line)
        found |= chips & chips >> 1 & chips >> 2 & chips >> 3 & chips >> 4 & 31 << place >> 4
    return found != 0


@rule
def lift_chip(s: Any, side: Any, cell: Any) -> None:
    s.board[cell] = OPEN
    for at in range(4 * cell, 4 * cell + 4):
        s.lines[LINE[at]] ^= 1 << LINE_PLACES * side + int(PLACE[at])


@rule
def are_apart(five: Any, other: Any) -> Any:
    """S13: whether two fives share at most one cell. Only fives along one line can share more."""
    if five & 3 != other & 3:
        return True
    step = int(STEP[five & 3])
    between = (five >> 2) - (other >> 2)
    return between % step != 0 or abs(between) > 3 * abs(step)


@rule
def is_countable(s: Any, side: Any, five: Any) -> Any:
    """S12, S13: whether these five are a sequence beside those that the side has."""
    if five < 0 or five >= FIVES or covers(s, side, LINE[five]) >> int(PLACE[five]) & 31 != 31:
        return False
    apart = True
    for i in range(s.n_sequences[side]):
        apart &= are_apart(five, int64(s.sequences[side, i]))
    return apart


@rule
def count_sequence(s: Any, side: Any, five: Any) -> None:
    """S12: the chips are turned over."""
    at = s.n_sequences[side]
    while at > 0 and s.sequences[side, at - 1] > five:
        s.sequences[side, at] = s.sequences[side, at - 1]
        at -= 1
    s.sequences[side, at] = five
    s.n_sequences[side] += 1
    cell = five >> 2
    step = STEP[five & 3]
    for _ in range(5):
        s.board[cell] |= TURNED
        cell += step


@rule
def finish(s: Any) -> None:
    """S14, S18, S24: the game ends; draws that are pending are void."""
    s.ended = 1
    s.locking = 0
    s.exchanged = 0
    s.undrawn[:] = 0
    s.n_undrawn = 0


@rule
def win(s: Any, side: Any) -> None:
    s.winner = side + 1
    finish(s)


@rule
def count_fives(s: Any, side: Any, cell: Any) -> None:
    """S12, S13, S21: count what the chip on this cell completes: win, turn over five, or ask which."""
    missing = needed(s) - s.n_sequences[side]
    found = 0
    first = int64(0)
    for i in range(len(THROUGH)):
        five = 4 * cell + int(THROUGH[i])
        if not is_countable(s, side, five):
            continue
        if missing == 1:
            count_sequence(s, side, five)
            win(s, side)
            return
        for j in range(i + 1, len(THROUGH)):
            other = 4 * cell + int(THROUGH[j])
            if is_countable(s, side, other) and are_apart(five, other):
                count_sequence(s, side, five)
                count_sequence(s, side, other)
                win(s, side)
                return
        if found == 0:
            first = five
        found += 1
    if found == 1:
        count_sequence(s, side, first)
    elif found > 1:
        s.locking = cell + 1


@rule
def take_away(s: Any, cell: Any) -> None:
    """S9, S15: remove a chip; a sequence that loses one no longer counts, and what still stands counts again.

    While the game goes on no side has more than one sequence, and with three sides none.
    """
    chip = int(s.board[cell])
    side = (chip & SIDE) - 1
    lift_chip(s, side, cell)
    if chip < TURNED:
        return
    five = int(s.sequences[side, 0])
    at = five >> 2
    for _ in range(5):
        if s.board[at] != CORNER:
            s.board[at] &= SIDE
        at += STEP[five & 3]
    s.sequences[side, 0] = 0
    s.n_sequences[side] = 0
    for other in range(FIVES):
        if is_countable(s, side, other):
            count_sequence(s, side, other)
            if s.n_sequences[side] == needed(s):
                win(s, side)
                return


@rule
def write_plays(s: Any, out: Any) -> Any:
    """S7, S9, S10: what the seat on turn can do with its hand."""
    n = 0
    me = s.turn
    chip = side_of(s, me) + 1
    previous = 0  # equal cards are one move, and cards that cannot be known none
    for i in range(s.n_hand[me]):
        card = int(s.hand[me, i])
        if card == previous:
            continue
        previous = card
        if card <= JACKS:
            at = 2 * (card - 1)
            out[n] = CARD + at
            n += int(s.board[CELLS[at]] == OPEN)
            out[n] = CARD + at + 1
            n += int(s.board[CELLS[at + 1]] == OPEN)
        elif card <= JACKS + 2:
            first = TWO_EYED + (card - JACKS - 1) * BOARD
            for cell in range(BOARD):
                out[n] = first + cell
                n += int(s.board[cell] == OPEN)
        else:
            first = ONE_EYED + (card - JACKS - 3) * BOARD
            safe = CORNER + SIDE + 1 if s.advanced else TURNED
            for cell in range(BOARD):
                here = s.board[cell]
                out[n] = first + cell
                n += int(here < safe) & int(here & SIDE != chip) & int(here & SIDE != OPEN)
    if not s.exchanged:
        previous = 0
        for i in range(s.n_hand[me]):
            card = int(s.hand[me, i])
            if card > JACKS:
                break
            covered = int(s.board[CELLS[2 * card - 2]] != OPEN) & int(s.board[CELLS[2 * card - 1]] != OPEN)
            out[n] = DEAD + card - 1
            n += covered & int(card != previous)
            previous = card
    return n


@rule
def write_locks(s: Any, out: Any) -> Any:
    """S21: the fives to choose from."""
    n = 0
    cell = int(s.locking) - 1
    side = side_of(s, s.turn)
    for i in range(len(THROUGH)):
        five = 4 * cell + int(THROUGH[i])
        if is_countable(s, side, five):
            out[n] = LOCK + five
            n += 1
    return n


@rule
def write_discards(s: Any, out: Any) -> Any:
    """S17: any card of those who owe one."""
    n = 0
    for seat in range(s.players):
        if s.owing >> seat & 1:
            previous = 0
            for i in range(s.n_hand[seat]):
                card = int(s.hand[seat, i])
                if card != previous:
                    out[n] = DISCARD + seat * KINDS_OF_CARDS + card - 1
                    n += 1
                previous = card
    return n


@rule
def can_offend(s: Any, side: Any) -> Any:
    """S23: whether any member of a side has a card to discard."""
    cards = 0
    for seat in range(side, int(s.players), int(s.sides)):
        cards += s.n_hand[seat]
    return cards > 0


@rule
def legal(s: Any, out: Any) -> Any:
    n = 0
    if s.ended:
        return n
    if s.owing:  # S23: nothing else may be done
        return write_discards(s, out)
    n = write_locks(s, out) if s.locking else write_plays(s, out)
    stuck = n == 0
    for i in range(s.n_undrawn):  # S22
        seat = int(s.undrawn[i])
        out[n] = DRAW + seat
        n += 1
        if seat == s.turn:
            stuck = False
    if stuck:  # S11
        out[n] = PASS
        n += 1
    if s.table_talk and s.players > s.sides:  # S17, S24
        for side in range(int(s.sides)):
            if can_offend(s, side):
                out[n] = OFFENCE + side
                n += 1
    return n


@rule
def forget_rights(s: Any, first: Any, last: Any) -> None:
    """Take places `first` … `last` out of the list of those who may still draw."""
    gone = last - first + 1
    s.n_undrawn -= gone
    for i in range(first, int(s.n_undrawn)):
        s.undrawn[i] = s.undrawn[i + gone]
    for i in range(s.n_undrawn, s.n_undrawn + gone):
        s.undrawn[i] = 0


@rule
def next_turn(s: Any) -> None:
    s.exchanged = 0
    s.turn = left_of(s.turn, s.players)


@rule
def end_turn(s: Any) -> Any:
    """S7, S18, S22: the card is played and locked. Return the seat that draws now, if it does."""
    if s.turns == LAST_TURN:
        finish(s)
        return NOBODY
    me = int(s.turn)
    next_turn(s)
    if s.draw:
        s.undrawn[s.n_undrawn] = me
        s.n_undrawn += 1
        return NOBODY
    return me


@rule
def play_card(s: Any, action: Any) -> Any:
    """S7, S9: a card, and a chip put or removed. Return the seat that draws."""
    me = int64(s.turn)
    s.turns += 1
    for i in range(s.n_undrawn):
        if s.undrawn[i] == me:  # S22
            forget_rights(s, int64(i), int64(i))
            break
    if action < TWO_EYED:
        card = 1 + action // 2
        cell = int(CELLS[action])
    else:
        card = JACKS + 1 + (action - TWO_EYED) // BOARD
        cell = (action - TWO_EYED) % BOARD
    put_down(s, me, card)
    if action >= ONE_EYED:
        take_away(s, cell)
    elif put_chip(s, side_of(s, me), cell):
        count_fives(s, side_of(s, me), cell)
    return NOBODY if s.ended or s.locking else end_turn(s)


@rule
def play_pass(s: Any) -> None:
    """S11, S24."""
    s.turns += 1
    s.passes += 1
    if s.passes == s.players or s.turns == LAST_TURN:
        finish(s)
    else:
        next_turn(s)


@rule
def use_right(s: Any, seat: Any) -> None:
    """S16, S22: with this draw all who played earlier lose theirs."""
    at = 0
    while s.undrawn[at] != seat:
        at += 1
    forget_rights(s, int64(0), at)


@rule
def establish_offence(s: Any, side: Any) -> None:
    """S17, S23: every member of the side who has a card owes one."""
    for seat in range(side, int(s.players), int(s.sides)):
        if s.n_hand[seat] > 0:
            s.owing |= 1 << seat


@rule
def act(s: Any, action: Any) -> Any:
    """Do the action; return the seat that now draws a card, or NOBODY."""
    if action < DEAD:
        return play_card(s, action)
    if action < LOCK:  # S10
        me = int64(s.turn)
        put_down(s, me, action - DEAD + 1)
        s.exchanged = 1
        return me
    if action < DRAW:  # S12
        s.locking = 0
        count_sequence(s, side_of(s, s.turn), action - LOCK)
        return end_turn(s)
    if action < DISCARD:
        use_right(s, action - DRAW)
        return action - DRAW
    if action < PASS:
        seat = (action - DISCARD) // KINDS_OF_CARDS
        put_down(s, seat, (action - DISCARD) % KINDS_OF_CARDS + 1)
        s.owing ^= 1 << seat
    elif action == PASS:
        play_pass(s)
    else:
        establish_offence(s, action - OFFENCE)
    return NOBODY


@rule
def play(s: Any, action: Any) -> None:
    seat = act(s, action)
    if seat != NOBODY:
        draw_card(s, seat)


@rule
def hide(s: Any, viewer: Any) -> None:
    seed(s, 0, 0)
    s.pile[:] = 0
    for seat in range(s.players):
        if seat != viewer:
            s.hand[seat, :] = 0


@rule
def redraw(s: Any, viewer: Any, key0: Any, key1: Any) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    for i in range(KINDS_OF_CARDS, CARDS):
        s.pile[i] = 2
    for i in range(s.n_discards):
        s.pile[KINDS_OF_CARDS - 1 + s.discards[i]] -= 1
    if viewer >= 0:
        for i in range(s.n_hand[viewer]):
            s.pile[KINDS_OF_CARDS - 1 + s.hand[viewer, i]] -= 1
    gather(s)
    shuffle(s, s.pile, int64(s.n_pile))
    for seat in range(int(s.players)):
        if seat != viewer:
            held = s.n_hand[seat]
            s.n_hand[seat] = 0
            for _ in range(held):
                take_top(s, seat)
