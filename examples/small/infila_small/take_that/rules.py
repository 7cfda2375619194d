"""Take That with twelve cards: the rules (T1 …).

T1  The cards have two different digits of 1 to 4: 12, 13, … 43.
T2  Six cards are shown and put aside. Of the others each player gets two, and two stay covered.
T3  The players take turns; who has no card left is passed over. One plays a card of one's hand or takes the row.
T4  A card is placed at the right end of the row if it is at most 10 away from the last one. It opens a row if there is
    none.
T5  Or it twists: if the card with its digits swapped lies in the row, both are plus cards.
T6  Or one takes the row, as minus cards, and opens a new one.
T7  The game ends when all hands are empty. A plus card is worth 1 point, a minus card costs 1.

What is known. Everybody knows the cards that were shown, the row, and the plus and minus cards; a seat also its hand.
"""

import numpy as np

from infila.core.chance import Chance, random_below, seed, shuffle
from infila.core.record import I1, Grid, Ints, array
from infila.core.rule import rule

SEATS, HAND, ASIDE, COVERED = 2, 2, 6, 2  # T2
NUMBER: Ints = np.array([0, *(10 * a + b for a in range(1, 5) for b in range(1, 5) if a != b)], np.int8)
CARDS = len(NUMBER) - 1  # a card is its place among the twelve, from 1
TWIN: Ints = np.array(
    [0, *(1 + sorted(NUMBER[1:]).index(n % 10 * 10 + n // 10) for n in map(int, NUMBER[1:]))], np.int8
)
UNSEEN = SEATS * HAND + COVERED
REACH = 10  # T4

# where a card lies; PLUS + seat and MINUS + seat are that seat's
NOWHERE, SHOWN, ROW, PLUS, MINUS = 0, 1, 2, 3, 5

# actions: PLACE + card, TWIST + card, TAKE
PLACE, TWIST, TAKE = 0, CARDS + 1, 2 * (CARDS + 1)
ACTIONS, MAX_LEGAL = TAKE + 1, 2 * HAND + 1
KINDS: tuple[str, ...] = ("place", "twist", "take")
KIND_FIRST = np.array([PLACE, TWIST, TAKE, ACTIONS])
KIND_WEIGHT = np.array([1, 1, 1])


class State(Chance):
    """A whole game."""

    hand: Grid = array(I1, SEATS, HAND)  # ascending; 0: no card
    n_hand: Ints = array(I1, SEATS)
    covered: Ints = array(I1, UNSEEN)  # ascending; room for all that are dealt anew
    row: Ints = array(I1, SEATS * HAND)  # from the left
    lies: Ints = array(I1, CARDS + 1)  # where each card lies that everybody has seen
    n_row: I1
    players: I1
    chosen_starter: I1
    turn: I1
    ended: I1


@rule
def insert(items: Ints, n: int, item: int) -> None:
    """Put an item into its place among the first n, which ascend."""
    at = n
    while at > 0 and items[at - 1] > item:
        items[at] = items[at - 1]
        at -= 1
    items[at] = item


@rule
def deal_unseen(s: State, viewer: int) -> None:
    """Deal the cards that a viewer does not see: first to the other hands, then the rest is covered."""
    n = 0
    for card in range(1, CARDS + 1):
        mine = viewer >= 0 and (s.hand[viewer, 0] == card or s.hand[viewer, 1] == card)
        if s.lies[card] == NOWHERE and not mine:
            s.covered[n] = card
            n += 1
    shuffle(s, s.covered, n)
    for seat in range(SEATS):
        if seat != viewer:
            for k in range(s.n_hand[seat]):
                n -= 1
                insert(s.hand[seat], k, s.covered[n])
                s.covered[n] = 0
    for k in range(1, n):
        insert(s.covered, k, s.covered[k])


@rule
def deal(s: State) -> None:
    """T2"""
    s.turn = s.chosen_starter if s.chosen_starter >= 0 else random_below(s, SEATS)
    for k in range(ASIDE):
        skip = random_below(s, CARDS - k)
        for card in range(1, CARDS + 1):
            if s.lies[card] == NOWHERE:
                if skip == 0:
                    s.lies[card] = SHOWN
                skip -= 1
    s.n_hand[:] = HAND
    deal_unseen(s, -1)


@rule
def legal(s: State, out: Ints) -> int:
    n = 0
    if s.ended:
        return n
    me = s.turn
    for k in range(s.n_hand[me]):  # T4
        card = int(s.hand[me, k])
        if s.n_row == 0 or abs(NUMBER[card] - NUMBER[s.row[s.n_row - 1]]) <= REACH:
            out[n] = PLACE + card
            n += 1
    for k in range(s.n_hand[me]):  # T5
        card = int(s.hand[me, k])
        if s.lies[TWIN[card]] == ROW:
            out[n] = TWIST + card
            n += 1
    if s.n_row > 0:  # T6
        out[n] = TAKE
        n += 1
    return n


@rule
def put_down(s: State, card: int) -> None:
    """Take a card out of the hand on turn."""
    me = s.turn
    s.n_hand[me] -= 1
    if s.hand[me, 0] == card:
        s.hand[me, 0] = s.hand[me, 1]
    s.hand[me, 1] = 0
    if s.n_hand[me] == 0:
        s.hand[me, 0] = 0


@rule
def play(s: State, action: int) -> None:
    me = s.turn
    if action == TAKE:  # T6: and then one opens a row
        for i in range(s.n_row):
            s.lies[s.row[i]] = MINUS + me
            s.row[i] = 0
        s.n_row = 0
        return
    if action < TWIST:
        card = action - PLACE
        put_down(s, card)
        s.lies[card] = ROW
        s.row[s.n_row] = card
        s.n_row += 1
    else:
        card = action - TWIST
        put_down(s, card)
        s.lies[card] = PLUS + me
        s.lies[TWIN[card]] = PLUS + me
        s.n_row -= 1
        found = 0
        for i in range(s.n_row):  # the gap closes
            found |= s.row[i] == TWIN[card]
            if found:
                s.row[i] = s.row[i + 1]
        s.row[s.n_row] = 0
    if s.n_hand[1 - me] > 0:
        s.turn = 1 - me
    elif s.n_hand[me] == 0:
        s.ended = 1  # T7


@rule
def scores(s: State, out: Ints) -> None:
    """T7"""
    for seat in range(SEATS):
        out[seat] = 0
        for card in range(1, CARDS + 1):
            if s.lies[card] == PLUS + seat:
                out[seat] += 1
            elif s.lies[card] == MINUS + seat:
                out[seat] -= 1


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.covered[:] = 0
    for seat in range(SEATS):
        if seat != viewer:
            s.hand[seat, :] = 0


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    deal_unseen(s, viewer)
