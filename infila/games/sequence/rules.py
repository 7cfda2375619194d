"""Sequence: the rules (S1 …), each written once; what is printed is in `board.py`, chips and sequences in `chips.py`.

What is known. Everybody knows the cut, the board, all discards since the last shuffle and whose they are, how many
cards each hand and the pile hold, and who may still draw or owes a discard. A seat also knows its own hand, but not its
teammates'. Nobody knows the pile. So a viewer cannot tell apart the cards that are neither on the discard piles nor in
its own hand. What could be inferred from a pass, or from what was held back when the discards were shuffled, counts as
forgotten.
"""

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.chance import pick, seed, shuffle
from infila.core.contract import HOST
from infila.core.record import Ints, int64
from infila.core.rule import left_of, rule
from infila.games.sequence.board import (
    BOARD,
    CARDS,
    CELLS,
    COPIES,
    FIVES,
    JACKS,
    KINDS_OF_CARDS,
    THROUGH,
    are_apart,
    is_two_eyed,
)
from infila.games.sequence.chips import count_sequence, is_countable, put_chip, put_corners, take_away
from infila.games.sequence.state import (
    CORNER,
    EACH,
    HAND,
    LAST_TURN,
    OPEN,
    SEATS,
    SIDE,
    SIDES,
    TURNED,
    has_partners,
    needed,
    side_of,
)
from infila.games.sequence.state import State as State

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
# two pairs of jacks, together at most each cell twice; and one to spare, which `write_plays` writes before it knows
MAX_LEGAL = 2 * BOARD + 2 * HAND + SEATS + SIDES + 1
KINDS: tuple[str, ...] = ("card", "two_eyed", "one_eyed", "dead", "lock", "draw", "discard", "pass", "offence")
KIND_FIRST = np.array([CARD, TWO_EYED, ONE_EYED, DEAD, LOCK, DRAW, DISCARD, PASS, OFFENCE, ACTIONS])
KIND_WEIGHT = np.array([30, 30, 30, 30, 30, 30, 30, 30, 1])

NOBODY = -1
WON = 1  # S14: what a win is worth


@rule
def card_of(action: int) -> int:
    """The card that an action puts down: played, exchanged or discarded."""
    if action < TWO_EYED:
        return 1 + action // 2
    if action < DEAD:
        return JACKS + 1 + (action - TWO_EYED) // BOARD
    if action < LOCK:
        return action - DEAD + 1
    return (action - DISCARD) % KINDS_OF_CARDS + 1


@rule
def cell_of(action: int) -> int:
    """The cell on which an action puts a chip, or from which it removes one."""
    return int(CELLS[action]) if action < TWO_EYED else (action - TWO_EYED) % BOARD


@rule
def first_of_jack(card: int) -> int:
    """The action of a jack on cell a1; for another cell, add the cell."""
    return TWO_EYED + (card - JACKS - 1) * BOARD


@rule
def discarding_seat(action: int) -> int:
    """The seat whose discard an action is."""
    return (action - DISCARD) // KINDS_OF_CARDS


@rule
def gather(s: State) -> None:
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
def take_top(s: State, seat: int) -> None:
    """Take the top card of the pile into a hand."""
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
def draw_card(s: State, seat: int) -> None:
    """S11, S20: draw a card from the pile, which the discards replace when it is empty; hands hold at most 36 cards."""
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
def put_down(s: State, seat: int, card: int) -> None:
    """Put a card from the hand onto the seat's discard pile."""
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
def cut_rank(card: int) -> int:
    """S6: 2 3 … T J Q K A."""
    return 17 if card > JACKS else (card - 1) % 12 * 2


@rule
def whole_deck(s: State) -> None:
    for i in range(CARDS):
        s.pile[i] = 1 + i // COPIES
    s.n_pile = CARDS


@rule
def cut_for_deal(s: State) -> None:
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
def deal(s: State) -> None:
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
def mover(s: State) -> int:
    """S23: whoever owes a discard acts before the seat on turn."""
    if s.owing:
        return lowest_bit(int64(s.owing))
    return int64(s.turn)


@rule
def actor(s: State, action: int) -> int:
    if action >= OFFENCE:
        return HOST
    if DISCARD <= action < PASS:
        return discarding_seat(action)
    if DRAW <= action < DISCARD:
        return action - DRAW
    return int(s.turn)


@rule
def scores(s: State, out: Ints) -> None:
    """S14, S24: a win is 1; anything else is 0, whoever is ahead."""
    for seat in range(s.players):
        out[seat] = WON if side_of(s.sides, seat) + 1 == s.winner else 0


@rule
def finish(s: State) -> None:
    """S14, S18, S24: end the game; pending draws are void."""
    s.ended = 1
    s.locking = 0
    s.exchanged = 0
    s.undrawn[:] = 0
    s.n_undrawn = 0


@rule
def win(s: State, side: int) -> None:
    s.winner = side + 1
    finish(s)


@rule
def count_fives(s: State, side: int, cell: int) -> None:
    """S12, S13, S21: count what the chip on this cell completes: win, turn over five, or ask which."""
    missing = needed(s.sides) - s.n_sequences[side]
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
def write_plays(s: State, out: Ints) -> int:
    """S7, S9, S10: what the seat on turn can do with its hand."""
    n = 0
    me = s.turn
    chip = side_of(s.sides, me) + 1
    previous = 0  # equal cards are one move, and unknown cards are none
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
        elif is_two_eyed(card):
            first = first_of_jack(card)
            for cell in range(BOARD):
                out[n] = first + cell
                n += int(s.board[cell] == OPEN)
        else:
            first = first_of_jack(card)
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
def write_locks(s: State, out: Ints) -> int:
    """S21: the fives to choose from."""
    n = 0
    cell = int(s.locking) - 1
    side = side_of(s.sides, s.turn)
    for i in range(len(THROUGH)):
        five = 4 * cell + int(THROUGH[i])
        if is_countable(s, side, five):
            out[n] = LOCK + five
            n += 1
    return n


@rule
def write_discards(s: State, out: Ints) -> int:
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
def can_offend(s: State, side: int) -> bool:
    """S23: whether any member of a side has a card to discard."""
    cards = 0
    for seat in range(side, int(s.players), int(s.sides)):
        cards += s.n_hand[seat]
    return cards > 0


@rule
def legal(s: State, out: Ints) -> int:
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
    if s.table_talk and has_partners(s.players, s.sides):  # S17, S24
        for side in range(int(s.sides)):
            if can_offend(s, side):
                out[n] = OFFENCE + side
                n += 1
    return n


@rule
def forget_rights(s: State, first: int, last: int) -> None:
    """Take places `first` … `last` out of the list of those who may still draw."""
    gone = last - first + 1
    s.n_undrawn -= gone
    for i in range(first, int(s.n_undrawn)):
        s.undrawn[i] = s.undrawn[i + gone]
    for i in range(s.n_undrawn, s.n_undrawn + gone):
        s.undrawn[i] = 0


@rule
def next_turn(s: State) -> None:
    s.exchanged = 0
    s.turn = left_of(s.turn, s.players)


@rule
def end_turn(s: State) -> int:
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
def play_card(s: State, action: int) -> int:
    """S7, S9: play a card, and put or remove a chip. Return the seat that draws."""
    me = int64(s.turn)
    s.turns += 1
    for i in range(s.n_undrawn):
        if s.undrawn[i] == me:  # S22
            forget_rights(s, int64(i), int64(i))
            break
    cell = cell_of(action)
    put_down(s, me, card_of(action))
    if action >= ONE_EYED:
        take_away(s, cell)
    elif put_chip(s, side_of(s.sides, me), cell):
        count_fives(s, side_of(s.sides, me), cell)
    return NOBODY if s.ended or s.locking else end_turn(s)


@rule
def play_pass(s: State) -> None:
    """S11, S24."""
    s.turns += 1
    s.passes += 1
    if s.passes == s.players or s.turns == LAST_TURN:
        finish(s)
    else:
        next_turn(s)


@rule
def use_right(s: State, seat: int) -> None:
    """S16, S22: with this draw all who played earlier lose theirs."""
    at = 0
    while s.undrawn[at] != seat:
        at += 1
    forget_rights(s, int64(0), at)


@rule
def establish_offence(s: State, side: int) -> None:
    """S17, S23: every member of the side who has a card owes one."""
    for seat in range(side, int(s.players), int(s.sides)):
        if s.n_hand[seat] > 0:
            s.owing |= 1 << seat


@rule
def carry_out(s: State, action: int) -> int:
    """Carry out an action; return the seat that now draws a card, or NOBODY."""
    if action < DEAD:
        return play_card(s, action)
    if action < LOCK:  # S10
        me = int64(s.turn)
        put_down(s, me, card_of(action))
        s.exchanged = 1
        return me
    if action < DRAW:  # S12
        s.locking = 0
        count_sequence(s, side_of(s.sides, s.turn), action - LOCK)
        return end_turn(s)
    if action < DISCARD:
        use_right(s, action - DRAW)
        return action - DRAW
    if action < PASS:
        seat = discarding_seat(action)
        put_down(s, seat, card_of(action))
        s.owing ^= 1 << seat
    elif action == PASS:
        play_pass(s)
    else:
        establish_offence(s, action - OFFENCE)
    return NOBODY


@rule
def play(s: State, action: int) -> None:
    seat = carry_out(s, action)
    if seat != NOBODY:
        draw_card(s, seat)


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.pile[:] = 0
    for seat in range(s.players):
        if seat != viewer:
            s.hand[seat, :] = 0


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    for i in range(KINDS_OF_CARDS, CARDS):
        s.pile[i] = COPIES
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
