"""What a strong player would say of a move of Completto."""

from types import SimpleNamespace
from typing import Any

from infila.core.contract import Reason
from infila.core.rule import plain
from infila.games.completto.notation import NUMBERS, TURNED, fitting_tiles, open_tiles, row_of
from infila.games.completto.rules import DRAW, MOVE, PLACE, ROW, START, TAKE, TILES

MOST = 4


class Row:
    """A row as people see it: gaps between open numbers, with the covered places and the numbers that belong there."""

    def __init__(self, p: SimpleNamespace, seat: int) -> None:
        opened = p.n_open[seat]
        self.at: list[int] = p.at[seat][: opened + 2]
        self.shows: list[int] = p.shows[seat][: opened + 2]
        self.covered = self.at[-1] - opened

    def gap_of(self, number: int) -> int:
        return next(gap for gap in range(len(self.at) - 1) if self.shows[gap + 1] >= number)

    def places(self, gap: int) -> int:
        return self.at[gap + 1] - self.at[gap] - 1

    def fits(self, number: int) -> bool:
        """C6: whether a number can take the place of a covered tile."""
        gap = self.gap_of(number)
        return self.shows[gap + 1] != number and self.places(gap) > 0

    def takes(self, tile: int) -> bool:
        return self.fits(tile) or self.fits(TURNED[tile])

    def pairs(self, number: int) -> bool:
        """C8: whether it can be placed so that it makes a pair."""
        gap = self.gap_of(number)
        return self.fits(number) and (self.shows[gap] == number - 1 or self.shows[gap + 1] == number + 1)


def reasons(s: Any, action: int) -> list[Reason]:
    """The most important first; s is the view of the seat that acts."""
    p = plain(s)
    if action < DRAW:
        turned, place = divmod(action - PLACE, ROW)
        said = _placing(p, TURNED[p.hand] if turned else p.hand, place)
    elif action == DRAW:
        said = _drawing(p)
    elif action < MOVE:
        said = _taking(p, action - TAKE)
    else:
        said = _moving(p, *divmod(action - MOVE, ROW))
    return said[:MOST]


def unseen_tiles(p: SimpleNamespace) -> list[int]:
    """C13: the tiles that nobody has seen."""
    seen = {p.hand, *open_tiles(p)}
    for seat in range(p.players):
        seen |= {tile for tile, shown in row_of(p, seat) if shown}
    return [tile for tile in NUMBERS if tile not in seen]


def _numbers(tiles: list[int], low: int, high: int) -> int:
    """How many numbers from low to high these tiles can be used as (C9)."""
    return sum(low <= number <= high for number in {*tiles, *(TURNED[tile] for tile in tiles)})


def _room(p: SimpleNamespace, a: int, b: int, places: int) -> list[Reason]:
    """What so many covered places between the open numbers a and b mean."""
    low, high = max(a + 1, 1), min(b - 1, TILES)
    count = _numbers(unseen_tiles(p), low, high) if low <= high else 0
    gaps = {"low": low, "high": high, "places": places, "count": count}
    if places == 0 and count == 0:
        return []
    if low >= high:
        if places == 0:
            return [Reason("closes_number", {"number": low})]
        if count == 0:
            return [Reason("dead", {})]
        return [Reason("waits_for" if places == 1 else "too_few_number", {"number": low, "places": places})]
    if places == 0:
        return [Reason("closes" if count > 1 else "closes_one", gaps)]
    if count < places:
        return [Reason("too_few" if count > 1 else "too_few_one" if count else "too_few_none", gaps)]
    return [Reason("room" if places > 1 else "room_one", gaps)]


def _weight(reason: Reason) -> int:
    """Bad news first, then the larger room."""
    if reason.key.startswith(("too_few", "dead")):
        return -1000
    return -int(reason.values.get("count", 1))


def _placing(p: SimpleNamespace, number: int, place: int) -> list[Reason]:
    row = Row(p, p.turn)
    gap = row.gap_of(number)
    a, b = row.shows[gap], row.shows[gap + 1]
    below = place - row.at[gap] - 1
    above = row.places(gap) - below - (p.phase != START)
    said = []
    if p.phase != START:
        if row.covered == 1:
            return [Reason("completes", {})]
        if below == 0 and a == number - 1:
            said.append(Reason("pair", {"low": a, "high": number}))
        elif above == 0 and b == number + 1:
            said.append(Reason("pair", {"low": number, "high": b}))
    said += sorted(_room(p, a, number, below) + _room(p, number, b, above), key=_weight)
    if number != p.hand:
        said.append(Reason("turned", {"tile": p.hand, "number": number}))
    return said or [Reason("last_place", {"number": number})]


def _fitting(p: SimpleNamespace) -> Reason:
    """How likely a draw is to fit."""
    row, unseen = Row(p, p.turn), unseen_tiles(p)
    fitting = sum(row.takes(tile) for tile in unseen)
    key = "draw" if fitting > 1 else "draw_one" if fitting else "draw_none"
    return Reason(key, {"fitting": fitting, "unseen": len(unseen)})


def _drawing(p: SimpleNamespace) -> list[Reason]:
    row = Row(p, p.turn)
    said = [_fitting(p)]
    pairs = sum(row.pairs(tile) or row.pairs(TURNED[tile]) for tile in unseen_tiles(p))
    if pairs:
        said.append(Reason("draw_pairs" if pairs > 1 else "draw_pairs_one", {"count": pairs}))
    if open_tiles(p) and not fitting_tiles(p):
        said.append(Reason("no_open_fits", {}))
    return said


def _taking(p: SimpleNamespace, tile: int) -> list[Reason]:
    row = Row(p, p.turn)
    if row.covered == 1:
        return [Reason("take_completes", {"tile": tile})]
    said = []
    for number in dict.fromkeys((tile, TURNED[tile])):
        if row.pairs(number):
            gap = row.gap_of(number)
            other = number - 1 if row.shows[gap] == number - 1 else number + 1
            said.append(Reason("take_pair", {"number": number, "other": other}))
    for seat in range(p.players):
        other_row = Row(p, seat)
        if seat != p.turn and other_row.covered == 1 and other_row.takes(tile):
            said.append(Reason("denies", {"tile": tile, "seat": seat + 1}))
    said.append(Reason("take_sure", {"tile": tile}))
    if not row.fits(tile):
        said.append(Reason("turned", {"tile": tile, "number": TURNED[tile]}))
    if p.n_covered:
        said.append(_fitting(p))
    return said


def _moving(p: SimpleNamespace, source: int, target: int) -> list[Reason]:
    row = Row(p, p.turn)
    here = sum(at < source for at in row.at[1:-1])
    there = sum(at - (at > source) < target for at in row.at[1:-1])
    a, b = row.shows[there], row.shows[there + 1]
    said = _then_open(p, a, b) if row.places(there) == 0 else []
    for seat in range(p.players):
        rival = Row(p, seat)
        if seat != p.turn and rival.covered == 1 and any(rival.takes(tile) for tile in open_tiles(p)):
            said.insert(0, Reason("lets_complete", {"seat": seat + 1}))
    said += _room(p, a, b, row.places(there) + 1)
    rest = _room(p, row.shows[here], row.shows[here + 1], row.places(here))
    said += [Reason("from_" + reason.key, reason.values) for reason in rest if reason.key.startswith("too_few")]
    if not _possible(p, row.shows[here], row.shows[here + 1]):
        said.append(Reason("from_dead", {}))
    return said or [Reason("move", {})]


def _then_open(p: SimpleNamespace, a: int, b: int) -> list[Reason]:
    """The open tile that gets a place between a and b, rather one that makes a pair there (C8)."""
    fitting = [number for tile in open_tiles(p) for number in {tile, TURNED[tile]} if a < number < b]
    for number in sorted(fitting):
        if number == a + 1 and a >= 1:
            return [Reason("move_pair", {"number": number, "other": a})]
        if number == b - 1 and b <= TILES:
            return [Reason("move_pair", {"number": number, "other": b})]
    return [Reason("move_open", {"number": number}) for number in sorted(fitting)[:1]]


def _possible(p: SimpleNamespace, a: int, b: int) -> bool:
    """Whether any tile that is not in a row yet belongs between a and b."""
    return _numbers(unseen_tiles(p) + open_tiles(p), a + 1, b - 1) > 0
