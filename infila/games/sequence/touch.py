"""What is said to somebody who touches what they cannot play in Sequence: why not, and what they can do."""

from types import SimpleNamespace
from typing import Any

from infila.core.contract import astray, refuse
from infila.core.errors import IllegalMove
from infila.core.record import plain
from infila.core.words import Saying, joined
from infila.games.sequence.board import JACKS, PRINTED, cells_of, is_one_eyed, printed_on
from infila.games.sequence.notation import (
    CARD_NUMBERS,
    CELL_NAMES,
    CELL_NUMBERS,
    card_sign,
    fives_to_lock,
    is_dead,
    refusal,
)
from infila.games.sequence.rules import DEAD, DRAW, first_of_jack
from infila.games.sequence.state import CORNER, OPEN, SIDE, TURNED, State, needed, side_of

GAME = "infila.games.sequence"


def answer(s: State, touched: tuple[str, ...], seat: int) -> IllegalMove | None:
    if not touched:
        return None
    p = plain(s)
    last = touched[-1]
    kind, _, name = last.partition("-")
    hand = p.hand[seat][: p.n_hand[seat]]
    chosen = [card for card in hand if f"hand-{_name(card)}" in touched[:-1]]
    known = last in ("pile", "discards") or kind in ("side", "discards")
    if not known and (name not in CELL_NUMBERS if kind == "cell" else CARD_NUMBERS.get(name) not in hand):
        return None
    if p.owing >> seat & 1:
        return astray(GAME, "S23", "owed")
    if last == "pile":
        return refusal(s, DRAW + seat, seat)
    if p.locking and p.turn == seat:
        return _lock(s, p)
    if kind == "side":
        return astray(GAME, "S14", "sides_two" if needed(p.sides) == 2 else "sides_one")
    if last == "discards":
        return _discards(s, p, chosen, seat)
    if kind == "discards":
        return astray(GAME, "S7", "others_discards")
    if kind == "hand":
        return _card(s, p, CARD_NUMBERS[name], seat)
    cell = CELL_NUMBERS[name]
    if p.board[cell] == CORNER:
        return refuse(GAME, "S8", "corner")
    return _cell(s, p, chosen[0], cell, seat) if chosen else _cell_first(p, cell, seat)


def _name(card: int) -> str:
    return next(name for name, number in CARD_NUMBERS.items() if number == card)


def _said(key: str, **gaps: Any) -> Saying:
    return Saying(GAME, key, gaps, "touches")


def _lock(s: State, p: SimpleNamespace) -> IllegalMove:
    ends = [[CELL_NAMES[cells_of(five)[at]] for at in (0, -1)] for five in fives_to_lock(s, p.locking - 1)]
    return astray(GAME, "S12", "lock", ways=joined("or", [_said("five", first=one, last=other) for one, other in ends]))


def _discards(s: State, p: SimpleNamespace, chosen: list[int], seat: int) -> IllegalMove:
    """One's own discard pile: only a dead card goes there, and only one in a turn."""
    if p.exchanged:
        return refuse(GAME, "S10", "exchanged")
    if not chosen:
        return astray(GAME, "S10", "none_dead")
    if chosen[0] > JACKS:
        return refuse(GAME, "S10", "jacks_live")
    return astray(GAME, "S10", "alive", card=card_sign(chosen[0]), cells=_open_cells(p, chosen[0]))


def _open_cells(p: SimpleNamespace, card: int) -> Any:
    return joined("or", [CELL_NAMES[cell] for cell in printed_on(card) if p.board[cell] == OPEN])


def _card(s: State, p: SimpleNamespace, card: int, seat: int) -> IllegalMove | None:
    if is_dead(p, card):
        return refusal(s, DEAD + card - 1, seat)
    return astray(GAME, "S9", "nothing_to_take", card=card_sign(card)) if is_one_eyed(card) else None


def _cell(s: State, p: SimpleNamespace, card: int, cell: int, seat: int) -> IllegalMove:
    """A cell where the chosen card puts no chip, or takes none away."""
    if card > JACKS:
        return refusal(s, first_of_jack(card) + cell, seat)
    sign, here = card_sign(card), CELL_NAMES[cell]
    if is_dead(p, card):
        return refuse(GAME, "S10", "exchanged") if p.exchanged else astray(GAME, "S10", "dead", card=sign)
    free = _open_cells(p, card)
    if cell in printed_on(card):
        return astray(GAME, "S7", "covered", cell=here, card=sign, free=free)
    printed = card_sign(CARD_NUMBERS[PRINTED[cell]])
    return astray(GAME, "S7", "not_printed", cell=here, card=sign, printed=printed, cells=free)


def _cell_first(p: SimpleNamespace, cell: int, seat: int) -> IllegalMove:
    """A cell on which no card of the hand can do anything."""
    here, name = p.board[cell], CELL_NAMES[cell]
    if here == OPEN:
        return astray(GAME, "S7", "not_held", cell=name, card=card_sign(CARD_NUMBERS[PRINTED[cell]]))
    if here & SIDE == side_of(p.sides, seat) + 1:
        return astray(GAME, "S7", "own_chip", cell=name)
    if here >= TURNED and not p.advanced:
        return astray(GAME, "S12", "safe_chip", cell=name)
    return astray(GAME, "S9", "needs_jack", cell=name)
