"""Zatre as numbers to learn from (`core/features.py`).

Planes are of 15 rows of 15 cells, row 1 first; what never changes is in GROUND, not in an observation. A seat's
sheet is its pair's in the team game. The tiles drawn for the start are left out, except the winning one while it is in
hand.
"""

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.features import MOST, Feature, Symmetry, cut, lay_out, permuted, seat_from
from infila.core.record import Ints, int8, int64
from infila.core.rule import rule
from infila.games.zatre.board import PLAN
from infila.games.zatre.rules import (
    ACTIONS,
    CELLS,
    LAY,
    first_box,
    hand_pips,
    row_points_at,
    sheet_total,
    winning_tile,
    written_rows,
)
from infila.games.zatre.state import COLUMNS, FULL, MOST_PIPS, SEATS, SIDE, SUPPLY, TILES, VALUES, WORDS, State

AHEAD = 4  # rows of a sheet that are next to be doubled
MOST_OF_A_VALUE = int(max(SUPPLY))
BOARD = (SIDE, SIDE)

# planes that are the same in all positions: where there are cells, and which of them are light (Z2)
GROUND = np.array([[[c in kind for c in line] for line in reversed(PLAN)] for kind in (".oR", "o")], np.int8)

FEATURES = lay_out(
    Feature("tiles", BOARD, 0, VALUES, "the value of each tile on the board"),
    Feature(
        "in_row", BOARD, 0, FULL, "the pips beside each empty cell in its row; 13 for more, and where there is no cell"
    ),
    Feature("in_column", BOARD, 0, FULL, "the pips beside each empty cell in its column, in the same way"),
    Feature("room", BOARD, 0, VALUES, "the highest value that fits on each cell (Z24)"),
    Feature("laid", BOARD, 0, 1, "the tiles laid in this turn"),
    Feature("owing", BOARD, 0, 1, "those of them that must still be made good (Z9)"),
    Feature("hand", (VALUES,), 0, MOST_OF_A_VALUE, "the viewer's tiles of each value"),
    Feature("partner", (VALUES,), 0, MOST_OF_A_VALUE, "its partner's tiles of each value (Z21)"),
    Feature("unseen", (VALUES,), 0, MOST_OF_A_VALUE, "the tiles of each value that the viewer does not see"),
    Feature("seated", (SEATS,), 0, 1, "the seats that somebody sits on"),
    Feature("mates", (SEATS,), 0, 1, "the seats of the viewer's sheet, its own among them"),
    Feature("on_turn", (SEATS,), 0, 1, "the seat on turn"),
    Feature("hand_size", (SEATS,), 0, TILES, "how many tiles each seat holds"),
    Feature("known", (SEATS,), 0, TILES, "how many of them everybody knows to be of a certain value or a higher one"),
    Feature("known_from", (SEATS,), 0, VALUES, "that value; 0 if none"),
    Feature("crosses", (SEATS,), 0, MOST, "the crosses of each seat's sheet"),
    Feature(
        "boxes",
        (SEATS, COLUMNS),
        0,
        MOST,
        "how many boxes are filled in the columns 10, 11 and 12 of each seat's sheet",
    ),
    Feature(
        "next_rows",
        (SEATS, AHEAD),
        0,
        MOST,
        "what the next crosses would add to each seat's sheet, one after the other",
    ),
    Feature("lead", (SEATS,), -MOST, MOST, "each seat's score minus the viewer's"),
    Feature("winning", (1,), 0, VALUES, "the tile that won the start, while the starter has it in hand (Z4)"),
    Feature("bag", (1,), 0, TILES, "how many tiles the bag holds"),
    Feature("opening", (1,), 0, 1, "it is the first turn"),
    Feature("second", (1,), 0, 1, "it is the second partner's part of the turn (Z26)"),
    Feature("drawn", (1,), 0, 1, "the seat on turn has drawn"),
    Feature("drawn_second", (1,), 0, 1, "the second partner has drawn"),
    Feature("forced", (1,), 0, 1, "the option keeping is forced (Z12)"),
    Feature("teams", (1,), 0, 1, "the option teams (Z21)"),
    Feature("players", (1,), 2, SEATS, "how many play"),
    Feature("over", (1,), 0, 1, "the game is over"),
)
SIZE = sum(feature.size for feature in FEATURES)

_AT = {feature.name: feature.offset for feature in FEATURES}
_TILES, _IN_ROW, _IN_COLUMN, _ROOM, _LAID, _OWING = (
    _AT[name] for name in ("tiles", "in_row", "in_column", "room", "laid", "owing")
)
_HAND, _PARTNER, _UNSEEN = (_AT[name] for name in ("hand", "partner", "unseen"))
_SEATED, _MATES, _ON_TURN, _HAND_SIZE = (_AT[name] for name in ("seated", "mates", "on_turn", "hand_size"))
_KNOWN, _KNOWN_FROM, _CROSSES, _BOXES = (_AT[name] for name in ("known", "known_from", "crosses", "boxes"))
_NEXT_ROWS, _LEAD, _WINNING, _BAG = (_AT[name] for name in ("next_rows", "lead", "winning", "bag"))
_OPENING, _SECOND, _DRAWN, _DRAWN_SECOND = (_AT[name] for name in ("opening", "second", "drawn", "drawn_second"))
_FORCED, _TEAMS, _PLAYERS, _OVER = (_AT[name] for name in ("forced", "teams", "players", "over"))


@rule
def observe_board(s: State, out: Ints) -> None:
    """Plane after plane, each in a loop of its own, in bytes, so that the compiler writes many at a time."""
    for row in range(SIDE):
        for column in range(SIDE):
            out[_TILES + SIDE * row + column] = s.board[16 * row + column]
    for row in range(SIDE):
        for column in range(SIDE):
            both = int64(s.sums[16 * row + column])
            out[_IN_COLUMN + SIDE * row + column] = (both ^ 128) - 128  # the same eight bits, with a sign
    for cell in range(CELLS):
        out[_IN_ROW + cell] = out[_IN_COLUMN + cell] & 15
    for cell in range(CELLS):
        out[_IN_COLUMN + cell] = (out[_IN_COLUMN + cell] >> 4) & 15
    for cell in range(CELLS):  # as `room` says; without a tile beside it nothing fits
        pips = int8(max(out[_IN_ROW + cell], out[_IN_COLUMN + cell]))
        fitting = int8(min(int8(VALUES), int8(MOST_PIPS) - pips))
        out[_ROOM + cell] = int8(0) if pips == 0 else int8(max(int8(0), fitting))


@rule
def observe_set(words: Ints, first: int, out: Ints) -> None:
    """A set of places as a plane."""
    for w in range(WORDS):
        bits = int64(words[w])
        while bits != 0:
            place = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            out[first + place - (place >> 4)] = 1


@rule
def observe_tiles(s: State, viewer: int, out: Ints) -> None:
    """The tiles in the hands that the viewer sees, and those it sees nowhere."""
    lying = int64(0)  # eight bits for each value, from 0, the empty cells
    for cell in range(CELLS):
        lying += int64(1) << 8 * int64(out[_TILES + cell])
    for i in range(VALUES):
        own = int64(s.hand[viewer, i])
        partners = int64(s.hand[viewer ^ 1, i]) if s.teams else int64(0)
        out[_HAND + i] = own
        out[_PARTNER + i] = partners
        out[_UNSEEN + i] = SUPPLY[i] - (lying >> 8 * (i + 1) & 255) - own - partners


@rule
def observe_sheet(s: State, sheet: int, steps: int, out: Ints) -> None:
    """The sheet of the seat `steps` places from the viewer."""
    first = first_box(s, sheet)
    for column in range(COLUMNS):
        out[_BOXES + COLUMNS * steps + column] = s.n_box[column, sheet]
    crosses = int64(s.crosses[sheet])
    out[_CROSSES + steps] = crosses
    rows = min(crosses + AHEAD, written_rows(s, sheet))
    for row in range(crosses, rows):
        out[_NEXT_ROWS + AHEAD * steps + row - crosses] = cut(row_points_at(s, first, row))


@rule
def score(s: State, seat: int) -> int:
    """Z18, Z19: as `scores` says."""
    total = sheet_total(s, seat >> s.teams)
    if s.ended:
        total -= hand_pips(s, seat)
        if s.teams:
            total -= hand_pips(s, seat ^ 1)
    return total


@rule
def observe(s: State, viewer: int, out: Ints) -> None:
    viewer = int64(viewer)
    players = int64(s.players)
    for i in range(_LAID, SIZE):  # what comes before is written cell by cell
        out[i] = 0
    observe_board(s, out)
    observe_set(s.laid, _LAID, out)
    observe_set(s.owing, _OWING, out)
    observe_tiles(s, viewer, out)
    own = score(s, viewer)
    for steps in range(players):
        seat = seat_from(viewer, steps, players)
        mate = seat >> s.teams == viewer >> s.teams
        out[_SEATED + steps] = 1
        out[_MATES + steps] = mate
        out[_ON_TURN + steps] = seat == s.turn
        out[_HAND_SIZE + steps] = s.n_hand[seat]
        out[_KNOWN + steps] = s.n_known[seat]
        out[_KNOWN_FROM + steps] = s.known_from[seat]
        observe_sheet(s, seat >> s.teams, steps, out)
        if not mate:
            out[_LEAD + steps] = cut(score(s, seat) - own)
    out[_WINNING] = winning_tile(s)
    out[_BAG] = s.n_bag
    out[_OPENING] = s.opening
    out[_SECOND] = s.second
    out[_DRAWN] = s.drawn
    out[_DRAWN_SECOND] = s.drawn_second
    out[_FORCED] = s.keeping
    out[_TEAMS] = s.teams
    out[_PLAYERS] = s.players
    out[_OVER] = s.ended


def _turned(name: str, transposed: bool, rows: int, columns: int) -> Symmetry:
    """The board transposed or not, and then with its rows, its columns or both reversed."""
    grid = np.arange(CELLS).reshape(BOARD)
    source = (grid.T if transposed else grid)[::rows, ::columns]  # for each new cell, the old one
    tables = dict.fromkeys(("tiles", "room", "laid", "owing"), source)
    table = permuted(FEATURES, in_row=source, in_column=source, **tables)
    if transposed:
        across, down = (table[f.part].copy() for f in FEATURES if f.name in ("in_row", "in_column"))
        table[_IN_ROW : _IN_ROW + CELLS], table[_IN_COLUMN : _IN_COLUMN + CELLS] = down, across
    target = np.empty(CELLS, np.int64)
    target[source.reshape(-1)] = np.arange(CELLS)
    actions = np.arange(ACTIONS)
    for i in range(VALUES):
        first = LAY + CELLS * i
        actions[first : first + CELLS] = first + target
    return Symmetry(name, table, actions)


SYMMETRIES = (
    _turned("as it is", False, 1, 1),
    _turned("turned by a quarter", True, 1, -1),
    _turned("turned by a half", False, -1, -1),
    _turned("turned by three quarters", True, -1, 1),
    _turned("rows the other way round", False, -1, 1),
    _turned("columns the other way round", False, 1, -1),
    _turned("rows for columns", True, 1, 1),
    _turned("rows for columns, both the other way round", True, -1, -1),
)
