"""Completto in text and JSON: `42@7` place, `draw`, `take 89`, `5>14` move a covered tile. Places count from 1."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np

from infila.core.contract import refuse
from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import checked_list, entry, flat, integer, one_of, whole
from infila.core.record import plain
from infila.core.words import Saying, saying
from infila.games.completto import rules
from infila.games.completto.rules import (
    ABOVE,
    BELOW,
    BITS,
    CAP,
    DRAW,
    LAID,
    MAX_LEGAL,
    MOVE,
    PLACE,
    PLACING,
    ROW,
    START,
    TAKE,
    TILES,
    TURN,
    State,
    fitting_numbers,
    inserted_before,
    is_finished,
    is_pair,
    minus_points,
)

GAME = "infila.games.completto"
TURNED: list[int] = rules.TURNED.tolist()
PHASES = ("start", "turn", "place")  # START, TURN, PLACING
NUMBERS = range(1, TILES + 1)


def placing(p: State | SimpleNamespace, action: int) -> tuple[int, int]:
    """C9: the number that a placing uses the tile in hand as, and its place."""
    turned, place = divmod(action - PLACE, ROW)
    return TURNED[p.hand] if turned else int(p.hand), place


def readings(tile: int) -> list[int]:
    """C9: the numbers that a tile can be used as, its own first.

    >>> readings(89), readings(42)
    ([89, 68], [42])
    """
    return list(dict.fromkeys((tile, TURNED[tile])))


def text(s: State, action: int) -> str:
    if action < DRAW:
        number, place = placing(s, action)
        return f"{number}@{place + 1}"
    if action == DRAW:
        return "draw"
    if action < MOVE:
        return f"take {action - TAKE}"
    source, target = divmod(action - MOVE, ROW)
    return f"{source + 1}>{target + 1}"


def parts(s: State, action: int) -> tuple[str, ...]:
    if action < DRAW:
        number, place = placing(s, action)
        return (f"hand-{number}", f"place-{place + 1}")
    if action == DRAW:
        return ("covered",)
    if action < MOVE:
        return (f"open-{action - TAKE}",)
    source, target = divmod(action - MOVE, ROW)
    return (f"place-{source + 1}", f"place-{target + 1}")


def parse(s: State, text: str, seat: int) -> int:
    p = plain(s)
    if text.lower() == "draw":
        return DRAW
    if match := re.fullmatch(r"take\s*([0-9]{1,3})", text.lower()):
        tile = int(match[1])
        if tile not in NUMBERS:
            raise refuse(GAME, "C1", "no_tile", tile=tile)
        return TAKE + tile
    if match := re.fullmatch(r"([0-9]{1,3})\s*@\s*([0-9]{1,3})", text):
        return _parse_place(p, int(match[1]), int(match[2]))
    if match := re.fullmatch(r"([0-9]{1,3})\s*>\s*([0-9]{1,3})", text):
        source, target = int(match[1]), int(match[2])
        for place in (source, target):
            if not 1 <= place <= ROW:
                raise refuse(GAME, "C5", "no_place_in_row", place=place, last=ROW)
        return standard_move(p, source - 1, target - 1)
    raise refuse(GAME, "", "no_move", text=text)


def _parse_place(p: SimpleNamespace, number: int, place: int) -> int:
    if p.phase == TURN:
        raise refuse(GAME, "C4", "no_hand")
    places = row_length(p, p.turn) + (p.phase == START)
    if not 1 <= place <= places:
        raise refuse(GAME, "C2" if p.phase == START else "C4", "no_place", place=place, last=places)
    if number == p.hand:
        return PLACE + place - 1
    if number == TURNED[p.hand]:
        return PLACE + ROW + place - 1
    raise refuse(GAME, "C9", "other_in_hand", tile=_reading(p.hand), number=number)


def _reading(tile: int) -> int | Saying:
    return tile if TURNED[tile] == tile else saying(GAME, "upside_down", tile=tile, turned=TURNED[tile])


def standard_move(p: SimpleNamespace, source: int, target: int) -> int:
    """C18: the standard action for moving a covered tile; an impossible move is left as it is."""
    at = _open_places(p, p.turn)
    if p.phase == TURN and source not in at:
        here, there = gaps_of_move(at, source, target)
        before = at[there - 1] if there else -1
        if there < here:
            target = before + 1
        elif there > here:
            target = before  # it moves left itself, into the space
        if there != here:
            source = at[here - 1] + 1 if here else 0
    return MOVE + source * ROW + target


def gaps_of_move(at: list[int], source: int, target: int) -> tuple[int, int]:
    """C5: the gap that a covered tile is moved out of, and the one it is moved into; the open tiles stand `at` these.

    >>> gaps_of_move([2, 5], 1, 3)
    (0, 1)
    """
    before = inserted_before(source, target)
    return sum(place < source for place in at), sum(place < before for place in at)


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    p = plain(s)
    if p.phase != TURN:
        if action >= DRAW:
            return refuse(GAME, "C2" if p.phase == START else "C7", "place_first", tile=_reading(p.hand))
        return _place_refusal(s, p, action)
    if action < DRAW:
        return refuse(GAME, "C4", "no_hand")
    if action == DRAW:
        return refuse(GAME, "C12", "no_draw")
    if action < MOVE:
        return _take_refusal(s, p, action - TAKE)
    source, target = divmod(action - MOVE, ROW)
    if source in _open_places(p, p.turn):
        return refuse(GAME, "C5", "open_stays", place=source + 1)
    standard = standard_move(p, source, target)
    if standard != action:
        return refuse(GAME, "C18", "written", move=text(s, standard))
    return refuse(GAME, "C5", "looks_the_same")


def _place_refusal(s: State, p: SimpleNamespace, action: int) -> IllegalMove:
    number, place = placing(p, action)
    turned = action >= PLACE + ROW
    other = p.hand if turned else TURNED[p.hand]
    at, shows = _open_places(p, p.turn), _open_numbers(p, p.turn)
    if turned and number == other:
        return refuse(GAME, "C9", "cannot_turn", number=number)
    if number in shows:
        return refuse(GAME, "C6", "shown_already", number=number, other=other)
    fitting = places_for(s, number)
    if not fitting:
        return refuse(GAME, "C6" if turned else "C15", "turn_it", number=number, other=other)
    if p.phase == PLACING and place in at:
        there = shows[at.index(place)]
        return refuse(GAME, "C4", "open_there", number=there, place=place + 1)
    if place > row_length(p, p.turn):
        return refuse(GAME, "C2", "beyond", place=place + 1, number=number, places=range_text(fitting))
    smaller = [shown for there, shown in zip(at, shows, strict=True) if there >= place and shown < number]
    greater = [shown for there, shown in zip(at, shows, strict=True) if there < place and shown > number]
    key, neighbour = ("not_left", smaller[-1]) if smaller else ("not_right", greater[0])
    return refuse(GAME, "C6", key, number=number, neighbour=neighbour, places=range_text(fitting))


def _take_refusal(s: State, p: SimpleNamespace, tile: int) -> IllegalMove:
    lying = open_tiles(p)
    if tile in lying:
        return refuse(GAME, "C7", "fits_nowhere", tile=tile)
    if TURNED[tile] in lying:
        return refuse(GAME, "C16", "own_number", tile=TURNED[tile])
    fitting = fitting_tiles(s)
    if not fitting:
        return refuse(GAME, "C4", "not_open_nothing_fits", tile=tile)
    return refuse(GAME, "C4", "not_open", tile=tile, tiles=", ".join(map(str, fitting)))


def range_text(places: list[int]) -> Saying:
    """Neighbouring places: place 7, places 7 or 8, places 7 to 9."""
    if len(places) == 1:
        return saying(GAME, "at_one", place=places[0])
    return saying(GAME, "at_two" if len(places) == 2 else "at_many", first=places[0], last=places[-1])


def _open_places(p: SimpleNamespace, seat: int) -> list[int]:
    places: list[int] = p.at[seat][1 : p.n_open[seat] + 1]
    return places


def _open_numbers(p: SimpleNamespace, seat: int) -> list[int]:
    numbers: list[int] = p.shows[seat][1 : p.n_open[seat] + 1]
    return numbers


def row_length(p: SimpleNamespace, seat: int) -> int:
    return int(p.at[seat][p.n_open[seat] + 1])


def row_of(p: SimpleNamespace, seat: int) -> list[tuple[int, int]]:
    """Each tile of a row, of a state made `plain`, and the number that it shows: 0 if covered."""
    shown = dict(zip(_open_places(p, seat), _open_numbers(p, seat), strict=True))
    return [(p.row[seat][place], shown.get(place, 0)) for place in range(row_length(p, seat))]


def covered_in(p: SimpleNamespace, seat: int) -> int:
    """How many tiles of a row are covered."""
    return row_length(p, seat) - int(p.n_open[seat])


def completes_row(p: SimpleNamespace) -> bool:
    """C10: whether the seat on turn completes its row of open tiles by placing one more."""
    return bool(p.n_open[p.turn] + 1 == ROW)


def members(words: Sequence[int]) -> list[int]:
    """The numbers of a set, ascending."""
    return [number for number in NUMBERS if words[number // BITS] >> number % BITS & 1]


def open_tiles(p: SimpleNamespace) -> list[int]:
    """The open tiles of the middle, ascending."""
    return members(p.lying)


def _legal(s: State, first: int, end: int) -> list[int]:
    """The legal actions of a kind: from its first action up to the first of the next kind."""
    out = np.zeros(MAX_LEGAL, np.int16)
    return [action for action in out[: rules.legal(s, out)].tolist() if first <= action < end]


def places_for(s: State, number: int) -> list[int]:
    """Where the seat on turn can place the tile in hand, used as this number. Places count from 1."""
    placings = (placing(s, action) for action in _legal(s, PLACE, DRAW))
    return [place + 1 for shown, place in placings if shown == number]


def fitting_tiles(s: State) -> list[int]:
    """C16: the open tiles that the seat on turn may take now, ascending."""
    return [action - TAKE for action in _legal(s, TAKE, MOVE)]


def partner_at(p: SimpleNamespace, seat: int, place: int, number: int) -> int:
    """C8: an open number with which this one makes a pair at this place of a row; 0 if there is none."""
    for there, other in zip(_open_places(p, seat), _open_numbers(p, seat), strict=True):
        if is_pair(there, other, place, number) or is_pair(place, number, there, other):
            return other
    return 0


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    seats = range(p.players)
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "number": p.game_now + 1,
        "starter": p.starter + 1,
        "points": p.points[: p.players],
        "phase": PHASES[p.phase],
        "turns": p.turns,
        "hand": p.hand,
        "rows": [[_tile_text(tile, shown) for tile, shown in row_of(p, seat)] for seat in seats],
        "covered": [tile or "?" for tile in p.covered[: p.n_covered]],
        "open": open_tiles(p),
    }


def _tile_text(tile: int, shown: int) -> str:
    if shown == 0:
        return f"({tile or '?'})"
    return str(tile) if tile == shown else f"{tile}/{shown}"


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    players = int(s.players)
    s.turn = integer(fields, "player", 1, players) - 1
    s.ended = one_of(fields, "over", (False, True))
    s.game_now = integer(fields, "number", 1, int(s.games)) - 1
    s.starter = integer(fields, "starter", 1, players) - 1
    s.points[:players] = whole(fields, "points", players, 0, 10**9)
    s.phase = PHASES.index(one_of(fields, "phase", PHASES))
    s.turns = integer(fields, "turns", 0, CAP)
    s.hand = integer(fields, "hand", 0, TILES)
    rows = [_read_row(row, seat) for seat, row in enumerate(checked_list(entry(fields, "rows"), "rows", players))]
    covered = flat(fields, "covered", NUMBERS)
    lying = flat(fields, "open", NUMBERS)
    hand = [int(s.hand)] if s.hand else []
    if sorted([*covered, *lying, *hand, *(tile for row in rows for tile, _ in row)]) != list(NUMBERS):
        raise BadPosition(f"C1: rows, covered, open and hand must together hold each of the tiles 1 to {TILES} once.")
    for seat, row in enumerate(rows):
        if len(row) > ROW:
            raise BadPosition(f"C2: the row of seat {seat + 1} has {len(row)} tiles; at most {ROW}.")
        _fill_row(s, seat, row)
    s.covered[: len(covered)], s.n_covered = covered, len(covered)
    for tile in lying:
        s.lying[tile // BITS] |= 1 << tile % BITS
    p = plain(s)
    if p.phase == START:
        _check_start(p)
    else:
        _check_turn(s, p)
    _check_end(p)


def _read_row(value: Any, seat: int) -> list[tuple[int, int]]:
    row = []
    for item in checked_list(value, "rows"):
        number = "([1-9][0-9]?|100)"
        match = isinstance(item, str) and re.fullmatch(rf"\({number}\)|{number}(?:/{number})?", item)
        if not match:
            raise BadPosition(f'rows cannot hold {item!r}: a tile is "42", "89/68" or "(42)".')
        tile = int(match[1] or match[2])
        shown = 0 if match[1] else int(match[3] or tile)
        if match[3] and (shown != TURNED[tile] or shown == tile):
            raise BadPosition(f"C9: tile {tile} cannot be used as {shown}.")
        row.append((tile, shown))
    shows = [shown for _, shown in row if shown]
    if any(left >= right for left, right in pairwise(shows)):
        raise BadPosition(f"C6: the open numbers of seat {seat + 1} must ascend from left to right.")
    return row


def _fill_row(s: State, seat: int, row: list[tuple[int, int]]) -> None:
    at = [place for place, (_, shown) in enumerate(row) if shown]
    s.n_open[seat] = len(at)
    s.row[seat, : len(row)] = [tile for tile, _ in row]
    s.at[seat, : len(at) + 2] = [-1, *at, len(row)]
    s.shows[seat, : len(at) + 2] = [BELOW, *(row[place][1] for place in at), ABOVE]


def _check_start(p: SimpleNamespace) -> None:
    if p.turns or p.ended or not p.hand or open_tiles(p):
        raise BadPosition(
            "C2: in the start a tile is in hand, none lies open in the middle, and there are no turns yet."
        )
    for seat in range(p.players):
        tiles, place = row_length(p, seat), (seat - p.starter) % p.players
        now = (p.turn - p.starter) % p.players
        right = tiles == ROW if place < now else LAID <= tiles < ROW if place == now else tiles == LAID
        if not right or p.n_open[seat] != tiles - LAID:
            raise BadPosition(
                f"C14: seat {seat + 1} has {p.n_open[seat]} open tiles in a row of {tiles}. "
                f"In the start it is {LAID} covered tiles and up to {ROW - LAID} open ones, seat by seat."
            )


def _check_turn(s: State, p: SimpleNamespace) -> None:
    for seat in range(p.players):
        if row_length(p, seat) != ROW:
            raise BadPosition(f"C2: the row of seat {seat + 1} must have {ROW} tiles.")
        if p.n_open[seat] == ROW and not p.ended:
            raise BadPosition(f"C10: seat {seat + 1} has {ROW} open tiles, so the game has ended.")
    if (p.phase == PLACING) != (p.hand > 0):
        raise BadPosition('C4: a tile is in hand in the phases "start" and "place", and only there.')
    if p.hand and not set(readings(p.hand)) & set(members(fitting_numbers(s, p.turn))):
        raise BadPosition(f"C7: the tile in hand, {p.hand}, fits nowhere.")


def _check_end(p: SimpleNamespace) -> None:
    if not p.ended and p.turns == CAP:
        raise BadPosition(f"C12: after {CAP} turns the game has ended.")
    if not p.ended:
        return
    if p.game_now + 1 != p.games:
        raise BadPosition("C11: the match cannot be over before its last game.")
    if p.hand or not any(is_finished(opened, p.turns) for opened in p.n_open[: p.players]):
        raise BadPosition(f"C10: a game ends with {ROW} open tiles in a row, or after {CAP} turns.")
    for seat in range(p.players):
        if p.points[seat] < minus_points(p.n_open[seat]):
            raise BadPosition(f"C11: the points of seat {seat + 1} must include those of the game that has ended.")
