"""What a strong player would say about a move in Completto."""

from types import SimpleNamespace

from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.completto.notation import (
    NUMBERS,
    TURNED,
    covered_in,
    fitting_tiles,
    gaps_of_move,
    members,
    open_tiles,
    placing,
    readings,
    row_of,
)
from infila.games.completto.rules import (
    DRAW,
    MOVE,
    ROW,
    START,
    TAKE,
    State,
    fitting_numbers,
    gap_of,
    is_pair,
    numbers_between,
)

MOST = 4


class Row:
    """A row as people see it: gaps between open numbers, with the covered places and the numbers that belong there."""

    def __init__(self, s: State, p: SimpleNamespace, seat: int) -> None:
        opened = p.n_open[seat]
        self.s, self.seat = s, seat
        self.at: list[int] = p.at[seat][: opened + 2]
        self.shows: list[int] = p.shows[seat][: opened + 2]
        self.covered = covered_in(p, seat)
        self.fitting = set(members(fitting_numbers(s, seat)))  # numbers that can take the place of a covered tile

    def gap_of(self, number: int) -> int:
        return int(gap_of(self.s, self.seat, number))

    def places(self, gap: int) -> int:
        return self.at[gap + 1] - self.at[gap] - 1

    def takes(self, tile: int) -> bool:
        return any(number in self.fitting for number in readings(tile))

    def partner(self, number: int) -> int:
        """C8: the open number with which a number makes a pair if placed well; 0 if there is none."""
        if number not in self.fitting:
            return 0
        gap = self.gap_of(number)
        return self.partner_in(gap, number, self.at[gap] + 1) or self.partner_in(gap, number, self.at[gap + 1] - 1)

    def partner_in(self, gap: int, number: int, place: int) -> int:
        """C8: the open number at an end of a gap with which a number makes a pair at this place; 0 if there is none."""
        a, b = self.shows[gap], self.shows[gap + 1]
        if is_pair(self.at[gap], a, place, number):
            return a
        return b if is_pair(place, number, self.at[gap + 1], b) else 0


def reasons(s: State, action: int) -> list[Reason]:
    """The most important first; s is the view of the seat that acts."""
    p = plain(s)
    if action < DRAW:
        said = _placing(s, p, *placing(p, action))
    elif action == DRAW:
        said = _drawing(s, p)
    elif action < MOVE:
        said = _taking(s, p, action - TAKE)
    else:
        said = _moving(s, p, *divmod(action - MOVE, ROW))
    return said[:MOST]


def unseen_tiles(p: SimpleNamespace) -> list[int]:
    """C13: the tiles that nobody has seen."""
    seen = {p.hand, *open_tiles(p)}
    for seat in range(p.players):
        seen |= {tile for tile, shown in row_of(p, seat) if shown}
    return [tile for tile in NUMBERS if tile not in seen]


def _available(p: SimpleNamespace, a: int, b: int) -> tuple[int, str]:
    """How many tiles not yet in a row, unseen or open in the middle, can go between the numbers a and b; and, for a
    single tile, the numbers that it can be there (C9), in words: 42, or 6/9."""
    tiles = {*unseen_tiles(p), *open_tiles(p)}
    count, said = 0, []
    low, high = numbers_between(a, b)
    for number in range(low, high + 1):
        twin = TURNED[number]
        there = {number, twin} & tiles
        if there:
            said.append(number)
        # two numbers of one pair of tiles need both tiles
        count += bool(there) and not (a < twin < number and len(there) == 1)
    return count, "/".join(map(str, said))


def _room(p: SimpleNamespace, a: int, b: int, places: int) -> list[Reason]:
    """What `places` covered places between the open numbers a and b mean."""
    count, number = _available(p, a, b)
    if count == 0:
        return [_places("dead", places)] if places else []
    if count == 1:
        if places > 1:
            return [Reason("too_few_number", {"places": places, "number": number})]
        return [Reason("waits_for" if places else "closes_number", {"number": number})]
    low, high = numbers_between(a, b)
    span = {"low": low, "high": high, "count": count}
    if places == 0:
        return [Reason("closes", span)]
    return [_places("room" if count >= places else "too_few", places, **span)]


def _places(key: str, places: int, **values: int) -> Reason:
    """A reason about one place, or about several."""
    return Reason(key + "_one" if places == 1 else key, {"places": places, **values})


def _weight(reason: Reason) -> int:
    """Bad news first, then the larger room."""
    if reason.key.startswith(("too_few", "dead")):
        return -1000
    return -int(reason.values.get("count", 1))


def _placing(s: State, p: SimpleNamespace, number: int, place: int) -> list[Reason]:
    row = Row(s, p, p.turn)
    gap = row.gap_of(number)
    a, b = row.shows[gap], row.shows[gap + 1]
    below = place - row.at[gap] - 1
    above = row.places(gap) - below - (p.phase != START)
    said = []
    if p.phase != START:
        if row.covered == 1:
            return [Reason("completes", {})]
        if other := row.partner_in(gap, number, place):
            said.append(Reason("pair", {"low": min(number, other), "high": max(number, other)}))
    rooms = sorted(_room(p, a, number, below) + _room(p, number, b, above), key=_weight)
    if below == above == 0 and not said:
        said.append(Reason("only_place" if rooms else "only_number", {"number": number}))
    said += rooms
    if number != p.hand:
        said.append(Reason("turned", {"tile": p.hand, "number": number}))
    return said


def _fitting(s: State, p: SimpleNamespace) -> Reason:
    """How likely a draw is to fit."""
    row, unseen = Row(s, p, p.turn), unseen_tiles(p)
    fitting = sum(row.takes(tile) for tile in unseen)
    key = "draw_all" if fitting == len(unseen) else "draw" if fitting > 1 else "draw_one" if fitting else "draw_none"
    return Reason(key, {"fitting": fitting, "unseen": len(unseen)})


def _drawing(s: State, p: SimpleNamespace) -> list[Reason]:
    row = Row(s, p, p.turn)
    said = [_fitting(s, p)]
    pairs = sum(any(map(row.partner, readings(tile))) for tile in unseen_tiles(p))
    if pairs:
        said.append(Reason("draw_pairs" if pairs > 1 else "draw_pairs_one", {"count": pairs}))
    if open_tiles(p) and not fitting_tiles(s):
        said.append(Reason("no_open_fits", {}))
    return said


def _taking(s: State, p: SimpleNamespace, tile: int) -> list[Reason]:
    row = Row(s, p, p.turn)
    if row.covered == 1:
        return [Reason("take_completes", {"tile": tile})]
    said = [
        Reason("take_pair" if number == tile else "take_pair_turned", {"tile": tile, "number": number, "other": other})
        for number in readings(tile)
        if (other := row.partner(number))
    ]
    for seat in range(p.players):
        other_row = Row(s, p, seat)
        if seat != p.turn and other_row.covered == 1 and other_row.takes(tile):
            said.append(Reason("denies", {"tile": tile, "seat": seat + 1}))
    if not said and tile not in row.fitting:
        said.append(Reason("turned", {"tile": tile, "number": TURNED[tile]}))
    if not p.n_covered:
        return [*said, Reason("no_draw", {})]
    draw = _fitting(s, p)
    return [*said, Reason("take_known" if draw.key == "draw_all" else "take_sure", {"tile": tile}), draw]


def _moving(s: State, p: SimpleNamespace, source: int, target: int) -> list[Reason]:
    row = Row(s, p, p.turn)
    here, there = gaps_of_move(row.at[1:-1], source, target)
    a, b = row.shows[there], row.shows[there + 1]
    said = _then_open(p, a, b) if row.places(there) == 0 else []
    for seat in range(p.players):
        rival = Row(s, p, seat)
        if seat != p.turn and rival.covered == 1 and any(rival.takes(tile) for tile in open_tiles(p)):
            said.insert(0, Reason("lets_complete", {"seat": seat + 1}))
    said += [_now(reason) for reason in _room(p, a, b, row.places(there) + 1)]
    said += _left_behind(p, row.shows[here], row.shows[here + 1], row.places(here))
    return said


def _now(reason: Reason) -> Reason:
    """Room that was not there before: it is made, not kept."""
    key = {"room": "widens", "room_one": "makes_room", "waits_for": "makes_room_for"}.get(reason.key, reason.key)
    return Reason(key, reason.values)


def _left_behind(p: SimpleNamespace, a: int, b: int, places: int) -> list[Reason]:
    """What it means that one of `places` covered places between a and b is gone."""
    before = _room(p, a, b, places)[0]
    if before.key.startswith("dead"):
        return [Reason("from_dead", {})]
    if before.key.startswith("too_few"):
        return [Reason("from_" + before.key, before.values)]
    return _room(p, a, b, 0) if places == 1 else []


def _then_open(p: SimpleNamespace, a: int, b: int) -> list[Reason]:
    """The open tile that gets a place between a and b, preferably one that makes a pair there (C8)."""
    fitting = sorted(number for tile in open_tiles(p) for number in readings(tile) if a < number < b)
    for number in fitting:  # its place is 1, those of a and b are 0 and 2
        if is_pair(0, a, 1, number):
            return [Reason("move_pair", {"number": number, "other": a})]
        if is_pair(1, number, 2, b):
            return [Reason("move_pair", {"number": number, "other": b})]
    return [Reason("move_open", {"number": number}) for number in fitting[:1]]
