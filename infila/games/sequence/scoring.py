"""Sequence: a win is worth 1, all else 0; the sequences say why."""

from typing import Any

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.sequence.notation import five_name
from infila.games.sequence.rules import LAST_TURN

GAME = "infila.games.sequence"


def stage(s: Any) -> str:
    return "the game"


def explain(s: Any) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        side = seat % p.sides
        items = [
            item(GAME, 0, "S12", "sequence", five=five_name(five)) for five in p.sequences[side][: p.n_sequences[side]]
        ]
        if p.winner == side + 1:
            items.append(item(GAME, 1, "S14", "won", side=side + 1))
        elif p.winner:
            items.append(item(GAME, 0, "S14", "won", side=p.winner))
        elif p.ended:
            long = p.turns == LAST_TURN
            items.append(item(GAME, 0, "S18" if long else "S11", "too_long" if long else "all_passed"))
        seats.append(items)
    return seats


def ending(s: Any, action: int) -> Any | None:
    return None
