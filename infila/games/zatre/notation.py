"""Zatre in text and JSON: `5@h8` lay a 5 on h8, `draw`, `stop`."""

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from infila.core.contract import refuse
from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import checked_integer, checked_list, entry, flat, integer, lists, one_of
from infila.core.record import Ints, plain
from infila.core.words import joined
from infila.games.zatre import rules
from infila.games.zatre.board import (
    DOWN,
    LEFT,
    LIGHT,
    PLAN,
    RED,
    RIGHT,
    UP,
    clear,
    count_cells,
    fit,
    has,
    put,
    run,
    scores_at,
    something_fits,
)
from infila.games.zatre.rules import CELLS, DRAW, FORCED, OPENING_TILES, POINTS, STOP, place_laid, value_laid
from infila.games.zatre.sheet import first_box, sheets
from infila.games.zatre.state import (
    BOXES_EACH,
    COLUMNS,
    FULL,
    PLACES,
    SCORES,
    SIDE,
    SUPPLY,
    TILES,
    VALUES,
    State,
)

GAME = "infila.games.zatre"
LETTERS = "abcdefghijklmno"  # of the columns
TILE_VALUES = range(1, VALUES + 1)
DIGITS = "".join(map(str, TILE_VALUES))
CROSSES = count_cells("oR")  # Z2, Z10, Z17: the most there can be


def cell_name(place: int) -> str:
    return f"{LETTERS[place & 15]}{(place >> 4) + 1}"


def place_of(name: str) -> int:
    return LETTERS.index(name[0]) + 16 * (int(name[1:]) - 1)


def text(s: State, action: int) -> str:
    if action == DRAW:
        return "draw"
    if action == STOP:
        return "stop"
    return f"{value_laid(action)}@{cell_name(place_laid(action))}"


def parse(s: State, text: str, seat: int) -> int:
    word = text.lower()
    if word in ("draw", "stop"):
        return DRAW if word == "draw" else STOP
    if match := re.fullmatch(r"([0-9]{1,3}) ?@ ?([a-z])([0-9]{1,2})", word):
        value, column, row = int(match[1]), match[2], int(match[3])
        if value not in TILE_VALUES:
            raise refuse(GAME, "Z1", "no_tile", value=value)
        if column not in LETTERS or not 1 <= row <= SIDE or PLAN[SIDE - row][LETTERS.index(column)] == "#":
            raise refuse(GAME, "Z2", "no_cell", cell=f"{column}{row}")
        return (value - 1) * CELLS + SIDE * (row - 1) + LETTERS.index(column)
    raise refuse(GAME, "", "no_move", text=text)


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    if action == DRAW:
        return _no_draw(s)
    if action == STOP:
        return _no_stop(s)
    value, place = value_laid(action), place_laid(action)
    if s.hand[seat, value - 1] == 0:
        held = [str(v) for v in TILE_VALUES for _ in range(s.hand[seat, v - 1])]
        return refuse(GAME, "Z6", "not_held", value=value, tiles=", ".join(held))
    name = cell_name(place)
    if s.board[RED] == 0:
        return refuse(GAME, "Z4", "red_first")
    if s.board[place] > 0:
        return refuse(GAME, "Z7", "covered", cell=name)
    around = beside(s, place)
    if not any(around):
        return refuse(GAME, "Z7", "apart", cell=name)
    for line, pips in zip(("row_full", "column_full"), around, strict=True):
        if pips + value >= FULL:
            return refuse(GAME, "Z8", line, pips=pips + value)
    if owing := _names(s.owing):
        return refuse(GAME, "Z9", "not_made_good", cells=joined("and", owing))
    return refuse(GAME, "Z9", "light", cell=name)


def beside(s: State, place: int) -> tuple[int, int]:
    """The pips beside a cell, in its row and in its column."""
    return run(s, place, LEFT) + run(s, place, RIGHT), run(s, place, DOWN) + run(s, place, UP)


def _no_draw(s: State) -> IllegalMove:
    if s.opening:
        return refuse(GAME, "Z4", "no_draw_opening")
    if s.keeping == FORCED:
        return refuse(GAME, "Z13", "no_draw_forced")
    if s.drawn:
        return refuse(GAME, "Z23", "drawn")
    if any(s.laid):
        return refuse(GAME, "Z23", "draw_first")
    return refuse(GAME, "Z25", "bag_empty")


def _no_stop(s: State) -> IllegalMove:
    if s.opening:
        return refuse(GAME, "Z4", "no_stop_opening")
    if s.keeping == FORCED:
        return refuse(GAME, "Z12", "no_stop_forced")
    if owing := _names(s.owing):
        return refuse(GAME, "Z9", "owing", cells=joined("and", owing))
    return refuse(GAME, "Z23", "nothing_done")


def parts(s: State, action: int) -> tuple[str, ...]:
    if action == DRAW:
        return ("bag",)
    if action == STOP:
        return ("stop",)
    return (f"hand-{value_laid(action)}", f"cell-{cell_name(place_laid(action))}")


def places(words: Ints | list[int]) -> list[int]:
    """The places in a set, ascending."""
    found = []
    for w, word in enumerate(words):
        left = int(word) & 2**63 - 1
        while left:
            lowest = left & -left
            found.append(64 * w + lowest.bit_length() - 1)
            left ^= lowest
    return found


def _names(words: Ints | list[int]) -> list[str]:
    return [cell_name(place) for place in places(words)]


def tiles(counts: Ints | list[int], n: int) -> list[int | str]:
    """A hand, ascending; unknown tiles as "?"."""
    known: list[int | str] = [value for value in TILE_VALUES for _ in range(counts[value - 1])]
    return known if len(known) == n else ["?"] * n


def start_seats(players: int, values: list[int]) -> tuple[list[int], list[int]]:
    """Z4: which seat drew each tile for the start, and who is tied in the end."""
    seats: list[int] = []
    tied = list(range(players))
    while len(tied) > 1 and len(seats) < len(values):
        drawn = values[len(seats) : len(seats) + len(tied)]
        seats += tied
        tied = [seat for seat, value in zip(tied, drawn, strict=False) if value == max(drawn)]
    return seats, tied


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    seats = range(p.players)
    values = p.start[: p.n_start]
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "start": [[seat + 1, value] for seat, value in zip(start_seats(p.players, values)[0], values, strict=True)],
        "starter": p.starter + 1,
        "opening": bool(p.opening),
        "second": bool(p.second),
        "board": [_row_text(p, row) for row in reversed(range(SIDE))],
        "bag": [value or "?" for value in p.bag[: p.n_bag]],
        "hands": [tiles(p.hand[seat], p.n_hand[seat]) for seat in seats],
        "laid": _names(p.laid),
        "owing": _names(p.owing),
        "drawn": bool(p.drawn),
        "drawn_second": bool(p.drawn_second),
        "sheets": [_sheet(p, sheet) for sheet in range(sheets(p))],
        "known": [[p.n_known[seat], DIGITS[p.known_from[seat] - 1 :] if p.n_known[seat] else ""] for seat in seats],
    }


def _row_text(p: SimpleNamespace, row: int) -> str:
    return "".join(
        "#" if letter == "#" else str(p.board[16 * row + column] or ".")
        for column, letter in enumerate(PLAN[SIDE - 1 - row])
    )


def _sheet(p: SimpleNamespace, sheet: int) -> dict[str, int | list[int]]:
    first = first_box(p, sheet)
    columns = {
        str(SCORES + k): [each * count for count in p.box[k][first : first + p.n_box[k][sheet]]]
        for k, each in enumerate(POINTS)
    }
    return {"x2": p.crosses[sheet], **columns}


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    players = int(s.players)
    s.turn = integer(fields, "player", 1, players) - 1
    s.starter = integer(fields, "starter", 1, players) - 1
    s.ended = one_of(fields, "over", (False, True))
    for name in ("opening", "second", "drawn", "drawn_second"):
        setattr(s, name, one_of(fields, name, (False, True)))
    _read_start(s, fields)
    _read_board(s, fields)
    _read_tiles(s, fields)
    _read_laid(s, fields)
    _read_sheets(s, fields)
    _read_known(s, fields)
    _check_flags(s)
    if s.opening:
        _check_opening(s)
    elif not s.ended:
        _check_turn(s)
    elif s.n_bag > 0 or any(s.laid):
        raise BadPosition("Z19: the game cannot be over while tiles are in the bag or a turn is going on.")


def _check_turn(s: State) -> None:
    seat = int(s.turn)
    if not s.drawn and s.n_bag > 0 and rules.tiles_short(int(s.n_hand[seat]) + len(places(s.laid))) > 0:
        raise BadPosition(f"Z13: with fewer than two kept tiles seat {seat + 1} must have drawn.")
    if not something_fits(s, seat):
        raise BadPosition(f"Z22: nothing in the hand of seat {seat + 1} fits, so its turn must have ended.")
    if not rules.can_go_on(s):
        raise BadPosition(f"Z9: seat {seat + 1} cannot make good what it owes.")
    if rules.partner_has_to_fit(s) and not something_fits(s, seat ^ 1):
        raise BadPosition("Z26: nothing in the hand of the second partner fits, so it must have drawn.")


def _read_start(s: State, fields: Mapping[str, Any]) -> None:
    pairs = [checked_list(pair, "start", 2) for pair in checked_list(entry(fields, "start"), "start")]
    values = [checked_integer(value, "start", 1, VALUES) for _, value in pairs]
    if any(values.count(value) > SUPPLY[value - 1] for value in TILE_VALUES):
        raise BadPosition("Z1: more tiles of one value were drawn for the start than there are.")
    seats, tied = start_seats(int(s.players), values)
    if [seat for seat, _ in pairs] != [seat + 1 for seat in seats] or (values and tied != [int(s.starter)]):
        raise BadPosition(
            "Z4: in the start all seats draw in order, then those tied for highest, until one is left: the starter."
        )
    s.start[: len(values)], s.n_start = values, len(values)


def _read_board(s: State, fields: Mapping[str, Any]) -> None:
    clear(s)
    lines = checked_list(entry(fields, "board"), "board", SIDE)
    for row, (line, plan) in enumerate(zip(reversed(lines), reversed(PLAN), strict=True)):
        if not isinstance(line, str) or len(line) != SIDE:
            raise BadPosition(f"board must be {SIDE} texts of {SIDE} characters each.")
        for column, (letter, cell) in enumerate(zip(line, plan, strict=True)):
            place = 16 * row + column
            if (letter == "#") != (cell == "#") or letter not in f"#.{DIGITS}":
                raise BadPosition(f"Z2: the board cannot have {letter!r} at {cell_name(place)}.")
            if letter in "#.":
                continue
            value = int(letter)
            if max(beside(s, place)) + value >= FULL:
                raise BadPosition(f"Z8: the line through {cell_name(place)} reaches {FULL}.")
            put(s, place, value)
            fit(s, place)
    if any(s.board) and s.board[RED] == 0:
        raise BadPosition("Z4: the first tile lies on red, h8.")


def _read_tiles(s: State, fields: Mapping[str, Any]) -> None:
    bag = flat(fields, "bag", TILE_VALUES)
    hands = lists(fields, "hands", int(s.players), TILE_VALUES)
    everything = [*bag, *(tile for hand in hands for tile in hand), *(int(value) for value in s.board if value)]
    if any(everything.count(value) != SUPPLY[value - 1] for value in TILE_VALUES):
        raise BadPosition("Z1: board, bag and hands must together hold 21 ones and 20 of every other value.")
    s.bag[: len(bag)], s.n_bag = bag, len(bag)
    for seat, hand in enumerate(hands):
        s.n_hand[seat] = len(hand)
        s.hand[seat] = [hand.count(value) for value in TILE_VALUES]


def _read_laid(s: State, fields: Mapping[str, Any]) -> None:
    for name, words in (("laid", s.laid), ("owing", s.owing)):
        names = checked_list(entry(fields, name), name)
        found = [place for place in range(PLACES) if s.board[place] and cell_name(place) in names]
        if [cell_name(place) for place in found] != names:
            raise BadPosition(f"{name} must be cells with tiles, in ascending order.")
        for place in found:
            words[place >> 6] |= 1 << (place & 63)
    for place in places(s.owing):
        if not has(s.laid, place) or not has(LIGHT, place) or scores_at(s, place):
            raise BadPosition(f"Z9: {cell_name(place)} owes nothing.")


def _read_sheets(s: State, fields: Mapping[str, Any]) -> None:
    n_sheets = int(s.players) >> int(s.teams)
    rows = int(BOXES_EACH[n_sheets])
    names = [str(SCORES + column) for column in range(COLUMNS)]
    for sheet, written in enumerate(checked_list(entry(fields, "sheets"), "sheets", n_sheets)):
        if not isinstance(written, Mapping) or set(written) != {"x2", *names}:
            raise BadPosition('a sheet must be an object: {"x2": 0, "10": [], "11": [], "12": []}.')
        s.crosses[sheet] = integer(written, "x2", 0, CROSSES)
        for column, (name, each) in enumerate(zip(names, POINTS, strict=True)):
            boxes = flat(written, name, range(each, each * TILES + 1, each))
            if len(boxes) + _boxes_to_come(s, sheet) > rows:
                raise BadPosition(f"Z15: a sheet cannot have {len(boxes)} boxes of {name} filled by now.")
            s.n_box[column, sheet] = len(boxes)
            s.box[column, sheet * rows : sheet * rows + len(boxes)] = [points // each for points in boxes]


def _boxes_to_come(s: State, sheet: int) -> int:
    """The most boxes of a column that a sheet may still get, as in the comment on state.BOXES."""
    if s.ended:
        return 0
    hands = [int(n) for n in s.n_hand]
    seats = [seat for seat in range(int(s.players)) if seat >> int(s.teams) == sheet]
    return sum(
        1 + (2 * (hands[seat] + int(s.n_bag)) + sum(hands) - hands[seat]) // (int(s.players) + 1) for seat in seats
    )


def _read_known(s: State, fields: Mapping[str, Any]) -> None:
    for seat, pair in enumerate(checked_list(entry(fields, "known"), "known", int(s.players))):
        count, values = checked_list(pair, "known", 2)
        count = checked_integer(count, "known", 0, int(s.n_hand[seat]))
        if values not in [""] * (count == 0) + [DIGITS[i:] for i in range(VALUES)] * (count > 0):
            raise BadPosition(f"known cannot be {values!r}: what fits nowhere are the values from a certain one up.")
        least = VALUES + 1 - len(values)
        if sum(s.hand[seat][least - 1 :]) < count:
            raise BadPosition(f"known: seat {seat + 1} does not hold {count} tiles of {least} or more.")
        waits = seat != s.turn and not (s.teams and not s.second and s.drawn_second and seat == s.turn ^ 1)
        if waits and not s.ended and count not in (0, s.n_hand[seat]):
            raise BadPosition(
                f"known: of the tiles that seat {seat + 1} has kept something is known of all or of none."
            )
        s.n_known[seat], s.known_from[seat] = count, least if count else 0


def _check_flags(s: State) -> None:
    if not s.teams and (s.second or s.drawn_second):
        raise BadPosition("Z21: second and drawn_second are for the team game.")
    if s.second and s.drawn != s.drawn_second:
        raise BadPosition("Z26: when the second partner is on turn drawn and drawn_second are the same.")


def _check_opening(s: State) -> None:
    laid = len(places(s.laid))
    if s.ended or s.second or not s.drawn or s.drawn_second != s.teams or s.turn != s.starter:
        raise BadPosition("Z4: the opening is the starter's first turn, and all its tiles have been drawn.")
    lying = sum(value > 0 for value in s.board)
    if laid != lying or laid + s.n_hand[int(s.turn)] != OPENING_TILES or laid == OPENING_TILES or any(s.owing):
        raise BadPosition(
            "Z4: in the opening the starter has three tiles, on the board or in hand, and nothing else lies."
        )
    winning = rules.winning_tile(s)
    if winning > 0 and s.hand[int(s.turn), winning - 1] == 0:
        raise BadPosition(f"Z4: the starter must have the {winning} that won the start.")
