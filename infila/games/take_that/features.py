"""Take That as numbers to learn from (`core/features.py`).

Cards are counted as in the deck, ascending: 12 is 0, 13 is 1, … 98 is 78.
"""

import numpy as np

from infila.core.features import MOST, Feature, Symmetry, cut, identity, lay_out, permuted, seat_from
from infila.core.record import Ints, int64
from infila.core.rule import rule
from infila.games.take_that.rules import (
    ACTIONS,
    CARD_COST,
    CARDS,
    DECK,
    HAND,
    HIGHEST,
    LOWEST,
    MINUS,
    NUMBERS,
    PLACE,
    PLUS,
    PLUS_POINTS,
    ROW,
    SEATS,
    TAKE,
    TOAD_COST,
    TOADS,
    TWIST,
    UNSEEN,
    State,
    cost,
)

NUMBER = np.array(DECK, np.int64)  # of each card in the deck
PLACE_OF = np.zeros(NUMBERS, np.int64)  # and the reverse
PLACE_OF[NUMBER] = np.arange(CARDS)
BEST, WORST = CARDS * PLUS_POINTS, (CARDS - TOADS) * CARD_COST + TOADS * TOAD_COST  # that a round can bring or cost

FEATURES = lay_out(
    Feature("hand", (CARDS,), 0, 1, "the viewer's hand"),
    Feature("right", (CARDS,), 0, 1, "the card at the right end of the row"),
    Feature("row", (CARDS,), 0, 1, "the cards of the row"),
    Feature("depth", (CARDS,), 0, CARDS, "for each card of the row its place from the right, the right end being 1"),
    Feature("unseen", (CARDS,), 0, 1, "the cards that the viewer has not seen in this round"),
    Feature("plus", (SEATS, CARDS), 0, 1, "each seat's plus cards"),
    Feature("minus", (SEATS, CARDS), 0, 1, "each seat's minus cards, extra ones (T10) as far as the viewer knows them"),
    Feature("seated", (SEATS,), 0, 1, "the seats that somebody sits on"),
    Feature("on_turn", (SEATS,), 0, 1, "the seat on turn"),
    Feature("dealer", (SEATS,), 0, 1, "the seat that dealt this round"),
    Feature("hand_size", (SEATS,), 0, HAND, "how many cards each seat holds"),
    Feature("extra", (SEATS,), 0, CARDS, "how many extra minus cards (T10) each seat took in this round"),
    Feature("round_score", (SEATS,), -WORST, BEST, "each seat's points in this round, as far as the viewer knows"),
    Feature("lead", (SEATS,), -MOST, MOST, "each seat's score minus the viewer's, as far as the viewer knows"),
    Feature("pile", (1,), 0, CARDS, "how many cards the pile holds"),
    Feature("row_size", (1,), 0, CARDS, "how many cards lie in the row"),
    Feature("rounds_to_come", (1,), 0, MOST, "rounds after this one"),
    Feature("expert", (1,), 0, 1, "the option expert (T10)"),
    Feature("players", (1,), 2, SEATS, "how many play"),
    Feature("over", (1,), 0, 1, "the game is over"),
)
SIZE = sum(feature.size for feature in FEATURES)

_AT = {feature.name: feature.offset for feature in FEATURES}
_HAND, _RIGHT, _ROW, _DEPTH, _UNSEEN = (_AT[name] for name in ("hand", "right", "row", "depth", "unseen"))
_PLUS, _MINUS, _SEATED, _ON_TURN, _DEALER = (_AT[name] for name in ("plus", "minus", "seated", "on_turn", "dealer"))
_HAND_SIZE, _EXTRA, _ROUND, _LEAD = (_AT[name] for name in ("hand_size", "extra", "round_score", "lead"))
_PILE, _ROW_SIZE, _ROUNDS, _EXPERT = (_AT[name] for name in ("pile", "row_size", "rounds_to_come", "expert"))
_PLAYERS, _OVER = _AT["players"], _AT["over"]


@rule
def observe_cards(s: State, viewer: int, out: Ints) -> None:
    """Where each card lies, as far as the viewer knows."""
    players = int64(s.players)
    for i in range(CARDS):
        lies = int64(s.lies[NUMBER[i]])
        out[_ROW + i] = lies == ROW
        out[_UNSEEN + i] = lies == UNSEEN
        if lies >= PLUS:
            minus = lies >= MINUS
            steps = lies - (MINUS if minus else PLUS) - viewer
            if steps < 0:
                steps += players
            out[(_MINUS if minus else _PLUS) + CARDS * steps + i] = 1
            out[_ROUND + steps] -= cost(NUMBER[i]) if minus else -PLUS_POINTS
    for k in range(s.n_hand[viewer]):
        i = PLACE_OF[s.hand[viewer, k]]
        out[_HAND + i] = 1
        out[_UNSEEN + i] = 0
    size = int64(s.n_row)
    for k in range(size):
        out[_DEPTH + PLACE_OF[s.row[k]]] = size - k
    if size > 0:
        out[_RIGHT + PLACE_OF[s.row[size - 1]]] = 1


@rule
def observe_extra(s: State, seat: int, steps: int, out: Ints) -> None:
    """T10, T12: extra cards are known to their seat, and at the end to all."""
    for k in range(s.n_extra[seat]):
        card = s.extra[seat, k]
        i = PLACE_OF[card]
        out[_MINUS + CARDS * steps + i] = 1
        out[_UNSEEN + i] = 0
        out[_ROUND + steps] -= cost(card)


@rule
def observe(s: State, viewer: int, out: Ints) -> None:
    viewer = int64(viewer)
    players = int64(s.players)
    for i in range(SIZE):
        out[i] = 0
    observe_cards(s, viewer, out)
    for steps in range(players):
        seat = seat_from(viewer, steps, players)
        if steps == 0 or s.ended:
            observe_extra(s, seat, steps, out)
        out[_SEATED + steps] = 1
        out[_ON_TURN + steps] = seat == s.turn
        out[_DEALER + steps] = seat == s.dealer
        out[_HAND_SIZE + steps] = s.n_hand[seat]
        out[_EXTRA + steps] = s.n_extra[seat]
        lead = int64(s.points[seat]) - int64(s.points[viewer])
        if not s.ended:  # the points include the last round
            lead += int64(out[_ROUND + steps]) - int64(out[_ROUND])
        out[_LEAD + steps] = cut(lead)
    out[_PILE] = s.n_pile
    out[_ROW_SIZE] = s.n_row
    out[_ROUNDS] = cut(int64(s.rounds) - int64(s.round_now) - 1)
    out[_EXPERT] = s.expert
    out[_PLAYERS] = s.players
    out[_OVER] = s.ended


def _reversed() -> Symmetry:
    """Swap the highest card and the lowest, and so on: what is near stays near, twists stay twists and toads toads."""
    mirror = LOWEST + HIGHEST
    cards = np.arange(CARDS)[::-1]
    tables = dict.fromkeys(("hand", "right", "row", "depth", "unseen"), cards)
    for name in ("plus", "minus"):
        tables[name] = CARDS * np.arange(SEATS)[:, None] + cards
    actions = np.arange(ACTIONS)
    for first in (PLACE, TWIST):
        actions[first + NUMBER] = first + mirror - NUMBER
    actions[TAKE] = TAKE
    return Symmetry(f"card n for card {mirror} - n", permuted(FEATURES, **tables), actions)


SYMMETRIES = (identity(SIZE, ACTIONS), _reversed())
