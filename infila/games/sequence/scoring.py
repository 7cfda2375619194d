"""Sequence: a win is worth 1, anything else 0; the sequences say why."""

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.sequence.notation import five_name
from infila.games.sequence.rules import WON
from infila.games.sequence.state import LAST_TURN, State, side_of

GAME = "infila.games.sequence"
GROUPS = {"sequence": "sequences", "won": "", "too_long": "drawn", "all_passed": "drawn"}  # who has won is said before
COUNTED = ("sequences",)  # groups of which the number counts, not the points


def stage(s: State) -> str:
    return "the game"


def explain(s: State) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        side = side_of(p.sides, seat)
        items = [
            item(GAME, 0, "S12", "sequence", five=five_name(five)) for five in p.sequences[side][: p.n_sequences[side]]
        ]
        if p.winner == side + 1:
            items.append(item(GAME, WON, "S14", "won", side=side + 1))
        elif p.winner:
            items.append(item(GAME, 0, "S14", "won", side=p.winner))
        elif p.ended:
            long = p.turns == LAST_TURN
            items.append(item(GAME, 0, "S18" if long else "S11", "too_long" if long else "all_passed"))
        seats.append(items)
    return seats


def ending(s: State, action: int) -> State | None:
    return None
