"""What is said to somebody who touches what they cannot play in Completto: why not, and what they can do."""

from types import SimpleNamespace

from infila.core.contract import astray
from infila.core.errors import IllegalMove
from infila.core.record import plain
from infila.games.completto.notation import open_tiles, readings, refusal, row_length, row_of, standard_move
from infila.games.completto.rules import DRAW, MOVE, PLACE, ROW, START, TAKE, TURN, State

GAME = "infila.games.completto"


def answer(s: State, touched: tuple[str, ...], seat: int) -> IllegalMove | None:
    if not touched:
        return None
    p = plain(s)
    kind, _, name = touched[-1].partition("-")
    number = _number(name)
    if touched[-1] == "covered":
        return refusal(s, DRAW, seat)
    if kind == "open" and number in open_tiles(p):
        return refusal(s, TAKE + number, seat)
    if kind == "row" and "-place-" in name:
        return astray(GAME, "C4", "other_row" if p.phase == TURN else "other_row_placing")
    if kind == "hand" and p.hand and number in readings(p.hand):
        return refusal(s, _placed(p, number, 0), seat)
    if kind == "place" and 1 <= number <= row_length(p, seat) + (p.phase == START):
        return _place(s, p, touched[:-1], number - 1, seat)
    return None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _placed(p: SimpleNamespace, number: int, place: int) -> int:
    """The action that places the tile in hand, used as this number."""
    return PLACE + place + (ROW if number != p.hand else 0)


def _place(s: State, p: SimpleNamespace, chosen: tuple[str, ...], place: int, seat: int) -> IllegalMove:
    """A place of one's own row, for the tile in hand or for a covered tile that is to be moved."""
    if p.phase != TURN:
        wanted = [number for number in readings(p.hand) if f"hand-{number}" in chosen]
        return refusal(s, _placed(p, wanted[0] if wanted else p.hand, place), seat)
    from_places = [at for at, (_, shown) in enumerate(row_of(p, seat)) if not shown and f"place-{at + 1}" in chosen]
    if not from_places:
        return refusal(s, MOVE + place * ROW + place, seat)
    action = standard_move(p, from_places[0], place)
    source, target = divmod(action - MOVE, ROW)
    if source == target or target == place:
        return refusal(s, MOVE + source * ROW + source, seat)
    return astray(GAME, "C18", "alike", place=target + 1)
