"""Sequence in words: what a move was, and what a button says."""

from typing import Any

from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.sequence.fives import gained
from infila.games.sequence.notation import CELL_NAMES, card_and_cell, cells_of
from infila.games.sequence.rules import (
    CARD_NAMES,
    DEAD,
    DISCARD,
    DRAW,
    KINDS_OF_CARDS,
    LOCK,
    OFFENCE,
    ONE_EYED,
    PASS,
    SIDE,
)

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_sign(card: int) -> str:
    """A card as it is written in a sentence, the same in all languages: 10♥."""
    name = CARD_NAMES[card]
    return name[0].replace("T", "10") + SUITS[name[1]]


def tell(s: Any, action: int, after: Any = None) -> Reason:
    """A move of the past; s is a view of before it."""
    if action < DEAD:
        return _played(s, action)
    if action < LOCK:
        return Reason("swaps", {"card": card_sign(action - DEAD + 1)})
    if action < DRAW:
        return Reason("locks", _ends(action))
    if action < DISCARD:
        return Reason("draws", {})
    if action < PASS:
        return Reason("discards", {"card": card_sign((action - DISCARD) % KINDS_OF_CARDS + 1)})
    return Reason("passes", {}) if action == PASS else Reason(f"offence_{action - OFFENCE + 1}", {})


def _played(s: Any, action: int) -> Reason:
    p = plain(s)
    card, cell = card_and_cell(action)
    values = {"card": card_sign(card), "cell": CELL_NAMES[cell]}
    if action >= ONE_EYED:
        return Reason(f"removes_{p.board[cell] & SIDE}", values)
    side = p.turn % p.sides
    new = gained(p, side, cell)
    if new and p.n_sequences[side] + new == (2 if p.sides == 2 else 1):
        return Reason("wins", values)
    return Reason(("puts", "puts_sequence")[new], values)


def _ends(action: int) -> dict[str, str]:
    cells = cells_of(action - LOCK)
    return {"first": CELL_NAMES[cells[0]], "last": CELL_NAMES[cells[-1]]}


def propose(s: Any, action: int) -> Reason:
    """What the button of a legal move says."""
    if action < DEAD:
        return Reason("put" if action < ONE_EYED else "remove", {"cell": CELL_NAMES[card_and_cell(action)[1]]})
    if action < LOCK:
        return Reason("swap", {"card": card_sign(action - DEAD + 1)})
    if action < DRAW:
        return Reason("lock", _ends(action))
    if action < DISCARD:
        return Reason("draw", {})
    if action < PASS:
        return Reason("discard", {"card": card_sign((action - DISCARD) % KINDS_OF_CARDS + 1)})
    return Reason("pass", {}) if action == PASS else Reason(f"offence_{action - OFFENCE + 1}", {})
