"""Completto in words: what a move was, and what a button says."""

from types import SimpleNamespace

from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.completto.notation import completes_row, open_tiles, partner_at, placing
from infila.games.completto.rules import DRAW, MOVE, PLACE, ROW, START, TAKE, State

SOUNDS = {"draws": "turn", "draws_fits": "turn", "draws_open": "turn", "takes": "take"}
SOUNDS |= {"completes": "chime", "completes_turned": "chime"}


def tell(s: State, action: int, after: State | None = None) -> Reason:
    """A past move; s is a view from before it. With a view from after it, what was turned up is named too."""
    p = plain(s)
    if action < DRAW:
        return _placed(p, *placing(p, action))
    if action == DRAW:
        return _drawn(p, after)
    if action < MOVE:
        return Reason("takes", {"tile": action - TAKE})
    source, target = divmod(action - MOVE, ROW)
    return Reason("shifts", {"source": source + 1, "target": target + 1})


def _placed(p: SimpleNamespace, number: int, place: int) -> Reason:
    beside = partner_at(p, p.turn, place, number)
    if p.phase == START:
        key = "inserts"
    elif completes_row(p):
        key = "completes"
    else:
        key = "pairs" if beside else "lays"
    values = {"number": number, "place": place + 1, "tile": p.hand, "neighbour": beside}
    return Reason(f"{key}_turned" if number != p.hand else key, values)


def _drawn(p: SimpleNamespace, after: State | None) -> Reason:
    """C7: a tile that does not fit then lies open; the last turn of a game clears it away."""
    if after is None:
        return Reason("draws", {})
    then = plain(after)
    if then.hand and then.phase != START:
        return Reason("draws_fits", {"tile": then.hand})
    new = set(open_tiles(then)) - set(open_tiles(p))
    return Reason("draws_open", {"tile": new.pop()}) if new else Reason("draws", {})


def propose(s: State, action: int) -> Reason:
    """What the button of a legal move says."""
    if action < DRAW:
        place = (action - PLACE) % ROW + 1
        return Reason("insert" if s.phase == START else "lay", {"place": place})
    if action == DRAW:
        return Reason("draw", {})
    if action < MOVE:
        return Reason("take", {"tile": action - TAKE})
    source, target = divmod(action - MOVE, ROW)
    return Reason("shift", {"source": source + 1, "target": target + 1})


def suggest(s: State, action: int) -> Reason:
    """The same in full: as which number the tile in hand is used."""
    said = propose(s, action)
    return said if action >= DRAW else Reason(said.key, {**said.values, "number": placing(s, action)[0]})
