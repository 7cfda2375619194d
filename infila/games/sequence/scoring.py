"""Sequence: a win is worth 1, all else 0; the sequences say why."""

from typing import Any

from infila.core.contract import Item
from infila.core.rule import plain
from infila.games.sequence.notation import five_name
from infila.games.sequence.rules import LAST_TURN


def stage(s: Any) -> str:
    return "the game"


def explain(s: Any) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        side = seat % p.sides
        items = [Item(0, f"sequence {five_name(five)}", "S12") for five in p.sequences[side][: p.n_sequences[side]]]
        if p.winner == side + 1:
            items.append(Item(1, f"side {side + 1} has won", "S14"))
        elif p.winner:
            items.append(Item(0, f"side {p.winner} has won", "S14"))
        elif p.ended:
            reason = "1,000 turns, a draw" if p.turns == LAST_TURN else "all have passed, a draw"
            items.append(Item(0, reason, "S18" if p.turns == LAST_TURN else "S11"))
        seats.append(items)
    return seats


def ending(s: Any, action: int) -> Any | None:
    return None
