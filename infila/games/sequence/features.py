"""Sequence as numbers to learn from (`core/features.py`).

Cells are counted as in the rules (a1 is 0, b1 is 1, …), cards too (2S is 0, … KC, AC, then JC, JD, JS, JH); sides are
counted from the viewer's own. The cut is left out, and so is the order in which cards were discarded and by whom.

The cards are printed on the board in such a way that no rotation or reflection maps pairs of cells to pairs. But the
two two-eyed jacks are interchangeable, and so are the two one-eyed ones.
"""

import numpy as np

from infila.core.features import MOST, Feature, Symmetry, cut, lay_out, permuted, seat_from
from infila.core.record import Ints, int64
from infila.core.rule import rule
from infila.games.sequence.board import BOARD, CARDS, CELLS, COPIES, CORNERS, JACKS, KINDS_OF_CARDS
from infila.games.sequence.rules import ACTIONS, DISCARD, ONE_EYED, TWO_EYED
from infila.games.sequence.state import (
    HAND,
    LAST_TURN,
    OF_TWO,
    SEATS,
    SIDE,
    SIDES,
    State,
    needed,
    side_of,
)

FEATURES = lay_out(
    Feature("chips", (SIDES, BOARD), 0, 1, "the cells that each side covers; a corner is every side's (S8)"),
    Feature("turned", (BOARD,), 0, 1, "the chips that are turned over (S12), and the corners"),
    Feature("held", (BOARD,), 0, COPIES, "how many of the viewer's cards have this cell printed on the board"),
    Feature("unseen_here", (BOARD,), 0, COPIES, "how many copies of this cell's card are unseen"),
    Feature("locking", (BOARD,), 0, 1, "the cell whose chip asks which five to lock (S21)"),
    Feature("hand", (KINDS_OF_CARDS,), 0, COPIES, "the viewer's hand, by card"),
    Feature("discards", (KINDS_OF_CARDS,), 0, COPIES, "the discards since the last shuffle, by card"),
    Feature("unseen", (KINDS_OF_CARDS,), 0, COPIES, "the cards neither discarded nor in the viewer's hand, by card"),
    Feature("sequences", (SIDES,), 0, OF_TWO, "how many sequences each side has"),
    Feature("missing", (SIDES,), 0, OF_TWO, "how many more each side needs to win (S14)"),
    Feature("won", (SIDES,), 0, 1, "the side that has won"),
    Feature("seated", (SEATS,), 0, 1, "the seats that somebody sits on"),
    Feature("mates", (SEATS,), 0, 1, "the seats of the viewer's side, its own among them"),
    Feature("on_turn", (SEATS,), 0, 1, "the seat on turn"),
    Feature("dealer", (SEATS,), 0, 1, "the seat that dealt"),
    Feature("hand_size", (SEATS,), 0, HAND, "how many cards each seat holds"),
    Feature("may_draw", (SEATS,), 0, SEATS, "who may still draw (S22), the oldest play being 1"),
    Feature("owing", (SEATS,), 0, 1, "the seats that owe a discard (S23)"),
    Feature("exchanged", (1,), 0, 1, "a dead card was exchanged in this turn (S10)"),
    Feature("passes", (1,), 0, SEATS, "passes in a row"),
    Feature("pile", (1,), 0, CARDS, "how many cards the pile holds"),
    Feature("turns_to_come", (1,), 0, MOST, "turns until the game ends anyhow (S18)"),
    Feature("advanced", (1,), 0, 1, "the option advanced (S15)"),
    Feature("manual", (1,), 0, 1, "the option draw is manual (S16)"),
    Feature("forbidden", (1,), 0, 1, "the option table_talk is forbidden (S17)"),
    Feature("players", (1,), 2, SEATS, "how many play"),
    Feature("sides", (1,), 2, SIDES, "how many sides they form"),
    Feature("over", (1,), 0, 1, "the game is over"),
)
SIZE = sum(feature.size for feature in FEATURES)

_AT = {feature.name: feature.offset for feature in FEATURES}
_CHIPS, _TURNED, _HELD, _UNSEEN_HERE, _LOCKING = (
    _AT[name] for name in ("chips", "turned", "held", "unseen_here", "locking")
)
_HAND, _DISCARDS, _UNSEEN = (_AT[name] for name in ("hand", "discards", "unseen"))
_SEQUENCES, _MISSING, _WON = (_AT[name] for name in ("sequences", "missing", "won"))
_SEATED, _MATES, _ON_TURN, _DEALER = (_AT[name] for name in ("seated", "mates", "on_turn", "dealer"))
_HAND_SIZE, _MAY_DRAW, _OWING = (_AT[name] for name in ("hand_size", "may_draw", "owing"))
_EXCHANGED, _PASSES, _PILE, _TURNS = (_AT[name] for name in ("exchanged", "passes", "pile", "turns_to_come"))
_ADVANCED, _MANUAL, _FORBIDDEN = (_AT[name] for name in ("advanced", "manual", "forbidden"))
_PLAYERS, _SIDES, _OVER = (_AT[name] for name in ("players", "sides", "over"))

_CELLS: Ints = np.array(list(CELLS), np.int64)


@rule
def observe_board(s: State, viewer: int, out: Ints) -> None:
    own = side_of(s.sides, viewer)
    sides = int64(s.sides)
    for steps in range(sides):
        side = seat_from(own, steps, sides)
        first = _CHIPS + BOARD * steps
        for cell in range(BOARD):
            out[first + cell] = s.board[cell] & SIDE == side + 1
        for corner in CORNERS:
            out[first + corner] = 1
        out[_SEQUENCES + steps] = s.n_sequences[side]
        out[_MISSING + steps] = max(needed(s.sides) - s.n_sequences[side], 0)
        out[_WON + steps] = s.winner == side + 1
    for cell in range(BOARD):
        out[_TURNED + cell] = s.board[cell] > SIDE
    if s.locking > 0:
        out[_LOCKING + int64(s.locking) - 1] = 1


@rule
def observe_cards(s: State, viewer: int, out: Ints) -> None:
    for k in range(s.n_hand[viewer]):
        out[_HAND + int64(s.hand[viewer, k]) - 1] += 1
    for k in range(s.n_discards):
        out[_DISCARDS + int64(s.discards[k]) - 1] += 1
    for card in range(KINDS_OF_CARDS):
        out[_UNSEEN + card] = COPIES - out[_HAND + card] - out[_DISCARDS + card]
    for card in range(JACKS):
        for k in range(2 * card, 2 * card + 2):
            out[_HELD + _CELLS[k]] = out[_HAND + card]
            out[_UNSEEN_HERE + _CELLS[k]] = out[_UNSEEN + card]


@rule
def observe(s: State, viewer: int, out: Ints) -> None:
    viewer = int64(viewer)
    players = int64(s.players)
    for i in range(SIZE):
        out[i] = 0
    observe_board(s, viewer, out)
    observe_cards(s, viewer, out)
    for steps in range(players):
        seat = seat_from(viewer, steps, players)
        out[_SEATED + steps] = 1
        out[_MATES + steps] = side_of(s.sides, seat) == side_of(s.sides, viewer)
        out[_ON_TURN + steps] = seat == s.turn
        out[_DEALER + steps] = seat == s.dealer
        out[_HAND_SIZE + steps] = s.n_hand[seat]
        out[_OWING + steps] = int64(s.owing) >> seat & 1
    for k in range(s.n_undrawn):
        steps = int64(s.undrawn[k]) - viewer
        out[_MAY_DRAW + (steps if steps >= 0 else steps + players)] = k + 1
    out[_EXCHANGED] = s.exchanged
    out[_PASSES] = s.passes
    out[_PILE] = s.n_pile
    out[_TURNS] = cut(LAST_TURN - int64(s.turns))
    out[_ADVANCED] = s.advanced
    out[_MANUAL] = s.draw
    out[_FORBIDDEN] = s.table_talk
    out[_PLAYERS] = s.players
    out[_SIDES] = s.sides
    out[_OVER] = s.ended


def _swapped(name: str, jack: int, first_action: int) -> Symmetry:
    """Swap a jack and the next one."""
    cards = np.arange(KINDS_OF_CARDS)
    cards[[jack, jack + 1]] = jack + 1, jack
    actions = np.arange(ACTIONS)
    cells = np.arange(BOARD)
    actions[first_action + cells] = first_action + BOARD + cells
    actions[first_action + BOARD + cells] = first_action + cells
    for seat in range(SEATS):
        first = DISCARD + KINDS_OF_CARDS * seat
        actions[first + np.arange(KINDS_OF_CARDS)] = first + cards
    return Symmetry(name, permuted(FEATURES, hand=cards, discards=cards, unseen=cards), actions)


def _both(name: str, one: Symmetry, other: Symmetry) -> Symmetry:
    return Symmetry(name, one.features[other.features], other.actions[one.actions])


_TWO_EYED = _swapped("JC for JD", JACKS, TWO_EYED)
_ONE_EYED = _swapped("JS for JH", JACKS + 2, ONE_EYED)
SYMMETRIES = (
    _both("as it is", _TWO_EYED, _TWO_EYED),
    _TWO_EYED,
    _ONE_EYED,
    _both("JC for JD and JS for JH", _TWO_EYED, _ONE_EYED),
)
