"""Sequence in words: what a move was, and what a button says."""

from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.sequence.board import cells_of
from infila.games.sequence.fives import gained
from infila.games.sequence.notation import CELL_NAMES, card_sign
from infila.games.sequence.rules import DEAD, DISCARD, DRAW, LOCK, OFFENCE, ONE_EYED, PASS, card_of, cell_of
from infila.games.sequence.state import SIDE, State, needed, side_of

SOUNDS = {
    "puts_sequence": "chime",
    "wins": "chime",
    "locks": "turn",
    "draws": "draw",
    "swaps": "draw",
    "discards": "draw",
}
SOUNDS |= {f"{told}_{side}": "take" for told in ("removes", "offence") for side in (1, 2, 3)} | {"passes": ""}


def tell(s: State, action: int, after: State | None = None) -> Reason:
    """A past move; s is a view from before it."""
    if action < DEAD:
        return _played(s, action)
    if action < LOCK:
        return Reason("swaps", {"card": card_sign(card_of(action))})
    if action < DRAW:
        return Reason("locks", _ends(action))
    if action < DISCARD:
        return Reason("draws", {})
    if action < PASS:
        return Reason("discards", {"card": card_sign(card_of(action))})
    return Reason("passes", {}) if action == PASS else Reason(f"offence_{action - OFFENCE + 1}", {})


def _played(s: State, action: int) -> Reason:
    p = plain(s)
    cell = cell_of(action)
    values = {"card": card_sign(card_of(action)), "cell": CELL_NAMES[cell]}
    if action >= ONE_EYED:
        return Reason(f"removes_{p.board[cell] & SIDE}", values)
    side = side_of(p.sides, p.turn)
    new = gained(p, side, cell)
    if new and p.n_sequences[side] + new == needed(p.sides):
        return Reason("wins", values)
    return Reason(("puts", "puts_sequence")[new], values)


def _ends(action: int) -> dict[str, str]:
    cells = cells_of(action - LOCK)
    return {"first": CELL_NAMES[cells[0]], "last": CELL_NAMES[cells[-1]]}


def propose(s: State, action: int) -> Reason:
    """What the button of a legal move says."""
    if action < DEAD:
        return Reason("put" if action < ONE_EYED else "remove", {"cell": CELL_NAMES[cell_of(action)]})
    if action < LOCK:
        return Reason("swap", {"card": card_sign(card_of(action))})
    if action < DRAW:
        return Reason("lock", _ends(action))
    if action < DISCARD:
        return Reason("draw", {})
    if action < PASS:
        return Reason("discard", {"card": card_sign(card_of(action))})
    return Reason("pass", {}) if action == PASS else Reason(f"offence_{action - OFFENCE + 1}", {})


def suggest(s: State, action: int) -> Reason:
    """The same in full: with which card."""
    said = propose(s, action)
    return said if action >= DEAD else Reason(said.key, {**said.values, "card": card_sign(card_of(action))})
