"""Take That: how often its rules matter."""

from infila.core.contract import Event
from infila.core.record import Ints
from infila.core.rule import inlined, rule
from infila.games.take_that.rules import (
    CARD_COST,
    PLUS_POINTS,
    SEATS,
    TAKE,
    TOAD_COST,
    TWIST,
    State,
    brings_extra,
    can_twist,
    fits,
    is_toad,
)

EVENTS = (
    Event("T4", "cards placed"),
    Event("T5", "pairs twisted"),
    Event("T5", "… with the last card of the row"),
    Event("T6", "rows taken"),
    Event("T6", "… though there was something else to do"),
    Event("T6", "cards taken with rows"),
    Event("T8", "toads among them"),
    Event("T10", "extra cards taken"),
    Event("T7", "moves after the pile has run out"),
    Event("T7", "rows taken with an empty hand"),
    Event("T7", "rounds that end because the row is taken"),
    Event("T7", "rounds that end because the row is twisted away"),
    Event("T8", "were toads −1 another would have won"),
    Event("T8", "without plus cards another would have won"),
)
(
    PLACED,
    TWISTED,
    LAST_TWISTED,
    TAKEN,
    TAKEN_FREELY,
    CARDS_TAKEN,
    TOADS,
    EXTRA,
    NO_PILE,
    EMPTY_HAND,
    END_TAKEN,
    END_TWISTED,
    BY_TOADS,
    BY_PLUS,
) = range(len(EVENTS))
TOADS_OF = len(EVENTS)  # what is remembered about each seat: its toads, including an extra card that is one, …
PLUS_OF = TOADS_OF + SEATS  # … and its plus cards


@rule
def need_not_take(s: State) -> bool:
    """Whether the seat on turn can place or twist a card."""
    right = s.row[s.n_row - 1]
    for i in range(s.n_hand[s.turn]):
        card = int(s.hand[s.turn, i])
        if fits(card, right) or can_twist(s, card):
            return True
    return False


@inlined
def note_take(before: State, counts: Ints) -> None:
    me = int(before.turn)
    counts[TAKEN] += 1
    counts[TAKEN_FREELY] += int(need_not_take(before))
    counts[CARDS_TAKEN] += before.n_row
    counts[EMPTY_HAND] += int(before.n_hand[me] == 0)
    for i in range(before.n_row):
        if is_toad(before.row[i]):
            counts[TOADS] += 1
            counts[TOADS_OF + me] += 1
    if brings_extra(before):
        counts[EXTRA] += 1
        counts[TOADS_OF + me] += int(is_toad(before.pile[before.n_pile - 1]))


@inlined
def note_twist(before: State, counts: Ints) -> None:
    counts[TWISTED] += 1
    counts[LAST_TWISTED] += int(before.n_row == 1)
    counts[PLUS_OF + int(before.turn)] += 2


@rule
def winners(s: State, counts: Ints, toads: int, plus: int) -> int:
    """As bits, the seats that would have won if each toad and each plus card had counted this much more."""
    best = 0
    found = 0
    for seat in range(s.players):
        total = int(s.points[seat]) + toads * counts[TOADS_OF + seat] + plus * counts[PLUS_OF + seat]
        if found == 0 or total >= best:
            found = (found if total == best else 0) | 1 << seat
            best = total
    return found


@inlined
def note_end(s: State, counts: Ints) -> None:
    won = winners(s, counts, 0, 0)
    counts[BY_TOADS] += int(winners(s, counts, TOAD_COST - CARD_COST, 0) != won)
    counts[BY_PLUS] += int(winners(s, counts, 0, -PLUS_POINTS) != won)


@rule
def note(before: State, action: int, after: State, counts: Ints) -> None:
    if action == TAKE:
        note_take(before, counts)
    elif action >= TWIST:
        note_twist(before, counts)
    else:
        counts[PLACED] += 1
    counts[NO_PILE] += int(before.n_pile == 0)
    if after.ended or after.round_now != before.round_now:
        counts[END_TAKEN if action == TAKE else END_TWISTED] += 1
    if after.ended:
        note_end(after, counts)
