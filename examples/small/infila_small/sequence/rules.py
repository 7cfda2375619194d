"""Sequence on a board of 5 × 5: the rules (S1 …).

S1  Every cell of the board has a number, 1 to 5, each once in every row and every column. There is one card of each
    number.
S2  Chips are laid on three cells of each number, drawn by lot: seven of the player who begins, and eight of the other.
    Then each player gets two cards, and one stays covered.
S3  The players take turns. One plays a card and lays a chip on a free cell with its number.
S4  When all hands are empty, every three chips of a player next to each other, along a row, a column or a diagonal,
    are worth a point.

What is known. Everybody knows the board and the cards that were played; a seat also its own hand.
"""

import numpy as np

from infila.core.chance import Chance, random_below, seed
from infila.core.record import I1, Grid, Ints, array
from infila.core.rule import rule

SEATS, SIDE, HAND, LINE = 2, 5, 2, 3
CELLS, CARDS = SIDE * SIDE, SIDE  # S1
FREE = 2  # S2: cells of each number without a chip
NUMBER: Ints = np.array([(cell // SIDE + 2 * (cell % SIDE)) % SIDE + 1 for cell in range(CELLS)], np.int8)
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # S4


def lines() -> list[list[int]]:
    """S4: every three cells next to each other."""
    found = []
    for row in range(SIDE):
        for column in range(SIDE):
            for down, right in WAYS:
                cells = [(row + down * i, column + right * i) for i in range(LINE)]
                if all(0 <= r < SIDE and 0 <= c < SIDE for r, c in cells):
                    found.append([r * SIDE + c for r, c in cells])
    return found


LINES = np.array(lines())

# an action is a cell
ACTIONS, MAX_LEGAL = CELLS, HAND * FREE
KINDS: tuple[str, ...] = ("lay",)
KIND_FIRST = np.array([0, ACTIONS])
KIND_WEIGHT = np.array([1])


class State(Chance):
    """A whole game."""

    chips: Ints = array(I1, CELLS)  # seat + 1; 0: free
    cards: Grid = array(I1, SEATS, HAND)  # hands, ascending; 0: no card
    n_cards: Ints = array(I1, SEATS)
    played: Ints = array(I1, CARDS + 1)  # by number, whether its card was played
    covered: I1
    players: I1
    chosen_starter: I1
    turn: I1
    ended: I1


@rule
def deal_unseen(s: State, viewer: int) -> None:
    """Deal the cards that a viewer does not see, in ascending order, each to any place that is still free: the other
    hands, and the one that is covered."""
    places = 1
    for seat in range(SEATS):
        if seat != viewer:
            places += s.n_cards[seat]
    for card in range(1, CARDS + 1):
        mine = viewer >= 0 and (s.cards[viewer, 0] == card or s.cards[viewer, 1] == card)
        if s.played[card] == 0 and not mine:
            place = random_below(s, places)
            places -= 1
            put(s, viewer, card, place)


@rule
def put(s: State, viewer: int, card: int, place: int) -> None:
    """Put a card into the free place with this number: those of the other hands first."""
    for seat in range(SEATS):
        if seat != viewer:
            held = 0
            while held < HAND and s.cards[seat, held] != 0:
                held += 1
            free = s.n_cards[seat] - held
            if 0 <= place < free:
                s.cards[seat, held] = card
            place -= free
    if place == 0:
        s.covered = card


@rule
def deal(s: State) -> None:
    """S2"""
    s.turn = s.chosen_starter if s.chosen_starter >= 0 else random_below(s, SEATS)
    for number in range(1, CARDS + 1):
        for k in range(SIDE - FREE):
            lay_any(s, number, random_below(s, SIDE - k))
    fewer = SIDE * (SIDE - FREE) // 2  # of the player who begins
    for chip in range(fewer):
        turn_any(s, random_below(s, SIDE * (SIDE - FREE) - chip), 2 - s.turn)
    s.n_cards[:] = HAND
    deal_unseen(s, -1)


@rule
def lay_any(s: State, number: int, skip: int) -> None:
    """A chip of the player who does not begin, on one of the free cells with a number."""
    for cell in range(CELLS):
        if NUMBER[cell] == number and s.chips[cell] == 0:
            if skip == 0:
                s.chips[cell] = 2 - s.turn
            skip -= 1


@rule
def turn_any(s: State, skip: int, chip: int) -> None:
    """One of these chips becomes one of the other player."""
    for cell in range(CELLS):
        if s.chips[cell] == chip:
            if skip == 0:
                s.chips[cell] = 3 - chip
            skip -= 1


@rule
def legal(s: State, out: Ints) -> int:
    """S3"""
    n = 0
    if s.ended:
        return n
    for cell in range(CELLS):
        held = s.cards[s.turn, 0] == NUMBER[cell] or s.cards[s.turn, 1] == NUMBER[cell]
        if held and s.chips[cell] == 0:
            out[n] = cell
            n += 1
    return n


@rule
def play(s: State, action: int) -> None:
    me = s.turn
    card = NUMBER[action]
    s.chips[action] = me + 1
    s.played[card] = 1
    if s.cards[me, 0] == card:
        s.cards[me, 0] = s.cards[me, 1]
    s.cards[me, 1] = 0
    s.n_cards[me] -= 1
    if s.n_cards[1 - me] > 0:
        s.turn = 1 - me
    else:
        s.ended = 1


@rule
def scores(s: State, out: Ints) -> None:
    """S4"""
    for seat in range(SEATS):
        out[seat] = 0
        for i in range(len(LINES)):
            whole = 1
            for k in range(LINE):
                whole &= s.chips[LINES[i, k]] == seat + 1
            out[seat] += whole


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.covered = 0
    for seat in range(SEATS):
        if seat != viewer:
            s.cards[seat, :] = 0


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    deal_unseen(s, viewer)
