"""Take That: the rules (T1 …), each written once.

What is known. Everybody knows the row, all plus cards, all minus cards that came from a row, how many cards each hand
and the pile hold, and how many extra cards (T10) each seat took. A seat also knows its own hand and its own extra
cards. Nobody knows the pile. So a viewer cannot tell the cards it has never seen apart: they may be in the pile, in
another hand, or among another seat's extra cards. When a round other than the last has ended, its cards are gone; after
the last round all minus cards are shown, but not hands and pile (T12).
"""

import numpy as np

from infila.core.chance import Chance, random_below, seed, shuffle
from infila.core.record import I1, I4, Grid, Ints, array
from infila.core.rule import left_of, rule

SEATS = 4

# T1: the cards, ascending; a card is named by its number
LOWEST, HIGHEST = 12, 98
DECK: Ints = np.array([n for n in range(LOWEST, HIGHEST + 1) if n % 10], np.int8)
CARDS, TOADS = len(DECK), 7
NUMBERS = HIGHEST + 1

HAND, HAND_OF_FOUR = 9, 8  # T2: cards that each player gets, and with four players
REACH = 10  # T4: how far a card may be from the one that it is placed beside
PLUS_POINTS, CARD_COST, TOAD_COST = 1, 1, 5  # T8: of a plus card, of a minus card, of a toad among them

# where a card lies: PLUS + seat and MINUS + seat are that seat's
UNSEEN, ROW, PLUS, MINUS = 0, 1, 2, 6

# actions: PLACE + card, TWIST + card, TAKE
PLACE, TWIST, TAKE = 0, NUMBERS, 2 * NUMBERS
ACTIONS = TAKE + 1
MAX_LEGAL = 2 * HAND + 1
KINDS: tuple[str, ...] = ("place", "twist", "take")
KIND_FIRST = np.array([PLACE, TWIST, TAKE, ACTIONS])
KIND_WEIGHT = np.array([1, 1, 1])


class State(Chance):
    """A whole game."""

    rounds: I4
    round_now: I4  # from 0
    points: Ints = array(I4, SEATS)  # sums of the rounds that have ended
    players: I1
    expert: I1
    chosen_dealer: I1
    dealer: I1
    turn: I1  # the seat on turn
    ended: I1  # the game is over
    n_pile: I1
    n_row: I1
    n_hand: Ints = array(I1, SEATS)
    n_extra: Ints = array(I1, SEATS)
    pile: Ints = array(I1, CARDS)  # drawn from the end
    row: Ints = array(I1, CARDS)  # from the left
    hand: Grid = array(I1, SEATS, HAND)  # ascending
    extra: Grid = array(I1, SEATS, CARDS)  # in the order taken
    lies: Ints = array(I1, NUMBERS)  # where each card that everybody has seen lies


@rule
def twisted(card: int) -> int:
    """The card with the digits swapped; a toad's is itself."""
    return card % 10 * 10 + card // 10


@rule
def is_toad(card: int) -> bool:
    """T1: a double."""
    return card % 11 == 0


@rule
def hand_size(players: int) -> int:
    """T2: how many cards each player gets, and holds as long as there is a pile."""
    return HAND_OF_FOUR if players == 4 else HAND


@rule
def fits(card: int, right: int) -> bool:
    """T4: whether a card may be placed beside the rightmost one."""
    return abs(card - right) <= REACH


@rule
def reach(right: int) -> tuple[int, int]:
    """T4: the lowest and the highest number that may be placed beside the rightmost card."""
    return max(LOWEST, right - REACH), min(HIGHEST, right + REACH)


@rule
def can_twist(s: State, card: int) -> bool:
    """T5: whether a card in hand twists one out of the row. A toad never does: it would have to be in both."""
    return s.lies[twisted(card)] == ROW


@rule
def cost(card: int) -> int:
    """T8: what a minus card costs."""
    return TOAD_COST if is_toad(card) else CARD_COST


@rule
def row_cost(s: State) -> int:
    """T8: what the cards of the row cost whoever takes it."""
    total = 0
    for i in range(s.n_row):
        total += cost(s.row[i])
    return total


@rule
def brings_extra(s: State) -> bool:
    """T10, T11: whether whoever takes the row also takes the top card of the pile."""
    return s.expert != 0 and s.n_row == 1 and s.n_pile > 0


@rule
def is_last_round(s: State) -> bool:
    """T9"""
    return s.round_now + 1 == s.rounds


@rule
def draw(s: State, seat: int) -> None:
    """T3: one card from the pile into the hand, if there is one (T7)."""
    if s.n_pile > 0:
        s.n_pile -= 1
        card = s.pile[s.n_pile]
        s.pile[s.n_pile] = 0
        at = s.n_hand[seat]
        while at > 0 and s.hand[seat, at - 1] > card:
            s.hand[seat, at] = s.hand[seat, at - 1]
            at -= 1
        s.hand[seat, at] = card
        s.n_hand[seat] += 1


@rule
def put_down(s: State, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    s.n_hand[seat] -= 1
    found = 0
    for at in range(s.n_hand[seat]):
        if s.hand[seat, at] == card:
            found = 1
        if found:
            s.hand[seat, at] = s.hand[seat, at + 1]
    s.hand[seat, s.n_hand[seat]] = 0


@rule
def deal_round(s: State) -> None:
    """T2: nine cards each, eight with four players; the player to the dealer's left starts."""
    s.lies[:] = UNSEEN
    s.row[:] = 0
    s.n_row = 0
    s.hand[:] = 0
    s.extra[:] = 0
    s.n_hand[:] = 0
    s.n_extra[:] = 0
    for i in range(CARDS):
        s.pile[i] = DECK[i]
    s.n_pile = CARDS
    shuffle(s, s.pile, CARDS)
    seat = s.dealer
    for _ in range(hand_size(s.players) * s.players):
        seat = left_of(seat, s.players)
        draw(s, seat)
    s.turn = left_of(s.dealer, s.players)


@rule
def deal(s: State) -> None:
    s.dealer = s.chosen_dealer if s.chosen_dealer >= 0 else random_below(s, s.players)
    deal_round(s)


@rule
def legal(s: State, out: Ints) -> int:
    n = 0
    if s.ended:
        return n
    me = s.turn
    if s.n_row == 0:  # T4: with no row, any card; placing is the only choice
        for i in range(s.n_hand[me]):
            out[n] = PLACE + s.hand[me, i]
            n += 1
        return n
    right = s.row[s.n_row - 1]
    for i in range(s.n_hand[me]):
        if fits(s.hand[me, i], right):
            out[n] = PLACE + s.hand[me, i]
            n += 1
    for i in range(s.n_hand[me]):
        card = int(s.hand[me, i])
        if can_twist(s, card):
            out[n] = TWIST + card
            n += 1
    out[n] = TAKE  # T6
    return n + 1


@rule
def round_score(s: State, seat: int) -> int:
    """T8: what the current round is worth to a seat so far."""
    total = 0
    for i in range(CARDS):
        card = DECK[i]
        if s.lies[card] == PLUS + seat:
            total += PLUS_POINTS
        elif s.lies[card] == MINUS + seat:
            total -= cost(card)
    for i in range(s.n_extra[seat]):
        card = s.extra[seat, i]
        if card > 0:  # T12: hidden from this viewer, and left out
            total -= cost(card)
    return total


@rule
def scores(s: State, out: Ints) -> None:
    for seat in range(s.players):
        out[seat] = s.points[seat] + (0 if s.ended else round_score(s, seat))


@rule
def take_row(s: State, seat: int) -> None:
    """T6, T10: take the row, and with `expert`, for a single card, the top card of the pile, as minus cards."""
    for i in range(s.n_row):
        s.lies[s.row[i]] = MINUS + seat
        s.row[i] = 0
    if brings_extra(s):
        s.n_pile -= 1
        s.extra[seat, s.n_extra[seat]] = s.pile[s.n_pile]
        s.pile[s.n_pile] = 0
        s.n_extra[seat] += 1
    s.n_row = 0


@rule
def carry_out(s: State, action: int) -> bool:
    """Carry out an action; return whether it ends the round."""
    me = s.turn
    last = s.n_pile == 0  # T7: the round ends with this row
    if action == TAKE:
        take_row(s, me)
        return last
    if action < TWIST:
        card = action - PLACE
        put_down(s, me, card)
        s.row[s.n_row] = card
        s.lies[card] = ROW
        s.n_row += 1
    else:
        card = action - TWIST
        put_down(s, me, card)
        s.lies[card] = PLUS + me
        s.lies[twisted(card)] = PLUS + me
        s.n_row -= 1
        found = 0
        for i in range(s.n_row):  # T5: the gap closes
            if s.row[i] == twisted(card):
                found = 1
            if found:
                s.row[i] = s.row[i + 1]
        s.row[s.n_row] = 0
        if last and s.n_row == 0:
            return True
    draw(s, me)
    s.turn = left_of(me, s.players)
    return False


@rule
def finish_round(s: State) -> None:
    """T8, T9: note the points; the deal moves left, or the game is over."""
    for seat in range(s.players):
        s.points[seat] += round_score(s, seat)
    if is_last_round(s):
        s.ended = 1
    else:
        s.round_now += 1
        s.dealer = left_of(s.dealer, s.players)
        deal_round(s)


@rule
def play(s: State, action: int) -> None:
    if carry_out(s, action):
        finish_round(s)


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.pile[:] = 0
    for seat in range(s.players):
        if seat != viewer:
            s.hand[seat, :] = 0
            if not s.ended:  # T12: at the end all minus cards are shown
                s.extra[seat, :] = 0


@rule
def mark_own(s: State, where: int) -> None:
    """Note where the cards lie that a hidden state still shows in hands and among extra cards."""
    for seat in range(s.players):
        for k in range(s.n_hand[seat]):
            s.lies[s.hand[seat, k]] = where
        for k in range(s.n_extra[seat]):
            s.lies[s.extra[seat, k]] = where


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    hide(s, viewer)
    seed(s, key0, key1)
    mark_own(s, ROW)  # for a moment, so that one look at each card is enough
    unseen = 0
    for i in range(CARDS):
        card = DECK[i]
        if s.lies[card] == UNSEEN:
            s.pile[unseen] = card
            unseen += 1
    mark_own(s, UNSEEN)
    size = s.n_pile
    s.n_pile = unseen
    shuffle(s, s.pile, unseen)
    for seat in range(s.players):
        if seat == viewer:
            continue
        for k in range(s.n_extra[seat]):
            if s.extra[seat, k] == 0:
                s.n_pile -= 1
                s.extra[seat, k] = s.pile[s.n_pile]
                s.pile[s.n_pile] = 0
        held = s.n_hand[seat]
        s.n_hand[seat] = 0
        for _ in range(held):
            draw(s, seat)
    s.n_pile = size
