"""The rules of Zatre in plain Python, to compare the fast implementation with.

Rule numbers (Z1 ...) are those of infila/games/zatre/texts/en.md; chance is used as docs/reference/chance.md says, and
positions are as in docs/reference/positions.md.
"""

from typing import Any

from tests.oracles.chance import Chance

# Z2, row 15 first
PLAN = [
    "####..o#o..####",
    "#o...........o#",
    "#.o.........o.#",
    "#..o.......o..#",
    "....o.....o....",
    ".....o...o.....",
    "o.....o.o.....o",
    "#......R......#",
    "o.....o.o.....o",
    ".....o...o.....",
    "....o.....o....",
    "#..o.......o..#",
    "#.o.........o.#",
    "#o...........o#",
    "####..o#o..####",
]

SIZE = 15
POINTS = {10: 1, 11: 2, 12: 4}  # Z15
ALL_TILES = sorted([1] * 21 + [value for value in (2, 3, 4, 5, 6) for _ in range(20)])  # Z1

# A board is a list of 225 numbers, one for each place of the box: the tile's value, or 0 for no tile.
# Places are numbered from a1 = 0, b1 = 1, ... to a2 = 15, ...
Board = list[int]


def kinds(kind: str) -> frozenset[int]:
    return frozenset(row * SIZE + col for row in range(SIZE) for col in range(SIZE) if PLAN[14 - row][col] in kind)


CELLS = kinds(".oR")
LIGHT = kinds("o")
RED = 7 * SIZE + 7

NAMES = ["abcdefghijklmno"[place % SIZE] + str(place // SIZE + 1) for place in range(SIZE * SIZE)]
PLACES = {name: place for place, name in enumerate(NAMES)}


def ray(place: int, right: int, up: int) -> tuple[int, ...]:
    """The places from here on in one direction, to the edge of the box."""
    found = []
    row, col = place // SIZE + up, place % SIZE + right
    while 0 <= row < SIZE and 0 <= col < SIZE:
        found.append(row * SIZE + col)
        row, col = row + up, col + right
    return tuple(found)


RAYS = [(ray(p, -1, 0), ray(p, 1, 0), ray(p, 0, -1), ray(p, 0, 1)) for p in range(SIZE * SIZE)]


def run(board: Board, places: tuple[int, ...]) -> int:
    """The pips of the tiles without a gap at the beginning of a ray."""
    pips = 0
    for place in places:
        value = board[place]
        if not value:
            break
        pips += value
    return pips


def sums(board: Board, place: int) -> tuple[int, int]:
    """What the lines through this place sum to, in its row and in its column, the place itself included."""
    left, right, down, up = RAYS[place]
    here = board[place]
    return here + run(board, left) + run(board, right), here + run(board, down) + run(board, up)


def good(board: Board, place: int) -> bool:
    """Whether the tile here is part of a line of 10, 11 or 12 (no single tile has so many pips)."""
    across, along = sums(board, place)
    return 10 <= across <= 12 or 10 <= along <= 12


def room(board: Board, place: int) -> int:
    """The highest value that may be laid on this empty cell, by Z7 (next to a tile) and Z8 (no line of 13)."""
    across, along = sums(board, place)
    if across == 0 and along == 0:  # no tile next to it
        return 0
    return 12 - max(across, along)


def rooms(board: Board) -> dict[int, int]:
    """The room of every empty cell that has any. On the empty board only red is open, to everything (Z4)."""
    if not any(board):
        return {RED: 12}
    every = {cell: room(board, cell) for cell in CELLS if not board[cell]}
    return {cell: most for cell, most in every.items() if most > 0}


def ends(board: Board, place: int) -> list[int]:
    """The empty cells at the ends of the row line and of the column line through a tile."""
    found = []
    for places in RAYS[place]:
        for other in places:
            if not board[other]:
                if other in CELLS:
                    found.append(other)
                break
    return found


def without(hand: list[int], value: int) -> list[int]:
    rest = list(hand)
    rest.remove(value)
    return rest


def can_make_good(board: Board, hand: list[int], owing: list[int]) -> bool:
    """Whether some way of laying some of the hand puts every owing tile into a line of 10, 11 or 12 (Z9, Z24).

    It is enough to try the ends of the lines through the first tile that still owes. Take any way, and at its end
    choose for each owing tile one line of 10, 11 or 12 that holds it. Keep of the way only the tiles in the chosen
    lines: these lines stay whole, all others can only become smaller (Z8), and every light tile that was kept is good
    itself, being in a chosen line. What was laid under the exception of Z9 and is in no such line is therefore never
    needed. The order does not matter either: lay first what belongs to the chosen line of the first owing tile, from
    that tile outwards, so that each is next to a tile (Z7), then what belongs to the next, and so on. `oracle_check.py`
    compares this with trying everything.
    """
    seen: set[frozenset[tuple[int, int]]] = set()  # what was laid on ways that have failed

    def search(hand: list[int], owing: list[int], added: frozenset[tuple[int, int]]) -> bool:
        owing = [place for place in owing if not good(board, place)]
        if not owing:
            return True
        if added in seen:
            return False
        seen.add(added)
        for cell in ends(board, owing[0]):
            most = room(board, cell)
            for value in sorted(set(hand), reverse=True):
                if value > most:
                    continue
                board[cell] = value
                more = [*owing, cell] if cell in LIGHT else owing
                found = search(without(hand, value), more, added | {(cell, value)})
                board[cell] = 0
                if found:
                    return True
        return False

    return search(hand, owing, frozenset())


def sheet_total(sheet: dict[str, Any]) -> int:
    """Z18, with the printed bonus of Z3."""
    total = 0
    for row in range(max(len(sheet["10"]), len(sheet["11"]), len(sheet["12"]))):
        boxes = [sheet[column][row] for column in ("10", "11", "12") if row < len(sheet[column])]
        worth: int = sum(boxes)
        if len(boxes) == 3:
            worth += (3, 4, 5, 6)[min(row // 4, 3)]
        if row < sheet["x2"]:
            worth *= 2
        total += worth
    return total


class Oracle:
    def __init__(self, options: dict[str, Any], key: tuple[int, int]) -> None:
        self._set_options(options)
        self._chance = Chance(key)
        self._over = False
        self._board: Board = [0] * (SIZE * SIZE)
        self._rooms = rooms(self._board)
        self._hands: list[list[int]] = [[] for _ in range(self._players)]
        self._known: list[list[Any]] = [[0, ""] for _ in range(self._players)]
        count = self._players // 2 if self._teams else self._players
        self._sheets: list[dict[str, Any]] = [{"x2": 0, "10": [], "11": [], "12": []} for _ in range(count)]
        self._laid: list[int] = []
        self._owing: list[int] = []
        self._legal: set[str] | None = None

        # Z4, Z25: seats count from 0 in here
        self._bag: list[int] = list(ALL_TILES)
        self._start: list[list[int]] = []
        drawing = list(range(self._players))
        while True:
            drawn = [(seat, self._chance.pick(self._bag)) for seat in drawing]
            self._start += [[seat + 1, value] for seat, value in drawn]
            highest = max(value for _, value in drawn)
            drawing = [seat for seat, value in drawn if value == highest]
            if len(drawing) == 1:
                break
        self._starter = drawing[0]
        self._bag = without(ALL_TILES, highest)
        self._chance.shuffle(self._bag)

        self._player = self._starter
        self._opening = True
        self._second = False
        self._hands[self._player] = [highest]
        self._draw(self._player, 2)
        self._drawn = True
        self._drawn_second = self._teams
        if self._teams:  # Z26
            self._draw(self._partner(), 2)

    def _set_options(self, options: dict[str, Any]) -> None:
        self._options = dict(options)
        self._players: int = options["players"]
        self._teams: bool = options["teams"]
        self._free: bool = options["keeping"] == "free"

    @classmethod
    def from_position(cls, position: dict[str, Any]) -> "Oracle":
        self = cls.__new__(cls)
        self._set_options(position["options"])
        key = position["chance"]["key"]
        self._chance = Chance((int(key[0], 16), int(key[1], 16)), position["chance"]["counter"])
        self._over = position["over"]
        self._board = [0] * (SIZE * SIZE)
        for row, line in enumerate(reversed(position["board"])):
            for col, mark in enumerate(line):
                if mark not in "#.":
                    self._board[row * SIZE + col] = int(mark)
        self._rooms = rooms(self._board)
        self._hands = [sorted(hand) for hand in position["hands"]]
        self._known = [list(known) for known in position["known"]]
        self._sheets = [
            {"x2": sheet["x2"], "10": list(sheet["10"]), "11": list(sheet["11"]), "12": list(sheet["12"])}
            for sheet in position["sheets"]
        ]
        self._laid = [PLACES[name] for name in position["laid"]]
        self._owing = [PLACES[name] for name in position["owing"]]
        self._legal = None
        self._bag = list(position["bag"])
        self._start = [list(pair) for pair in position["start"]]
        self._starter = position["starter"] - 1
        self._player = position["player"] - 1
        self._opening = position["opening"]
        self._second = position["second"]
        self._drawn = position["drawn"]
        self._drawn_second = position["drawn_second"]
        return self

    # What can be asked

    def over(self) -> bool:
        return self._over

    def scores(self) -> list[int]:
        totals = [sheet_total(sheet) for sheet in self._sheets]
        if self._over:  # Z19, Z26
            for seat, hand in enumerate(self._hands):
                totals[self._sheet_of(seat)] -= sum(hand)
        return [totals[self._sheet_of(seat)] for seat in range(self._players)]

    def position(self) -> dict[str, Any]:
        board = []
        for row in range(SIZE - 1, -1, -1):
            places = range(row * SIZE, row * SIZE + SIZE)
            board.append("".join(str(self._board[p] or ".") if p in CELLS else "#" for p in places))
        return {
            "game": "zatre",
            "rules": 1,
            "options": dict(self._options),
            "chance": self._chance.position(),
            "player": self._player + 1,
            "over": self._over,
            "start": [list(pair) for pair in self._start],
            "starter": self._starter + 1,
            "opening": self._opening,
            "second": self._second,
            "board": board,
            "bag": list(self._bag),
            "hands": [sorted(hand) for hand in self._hands],
            "laid": [NAMES[place] for place in sorted(self._laid)],
            "owing": [NAMES[place] for place in sorted(self._owing)],
            "drawn": self._drawn,
            "drawn_second": self._drawn_second,
            "sheets": [
                {"x2": sheet["x2"], "10": list(sheet["10"]), "11": list(sheet["11"]), "12": list(sheet["12"])}
                for sheet in self._sheets
            ],
            "known": [list(known) for known in self._known],
        }

    def moves(self) -> set[str]:
        if self._legal is None:
            self._legal = self._find_moves()
        return set(self._legal)

    def _find_moves(self) -> set[str]:
        if self._over:
            return set()
        hand = self._hands[self._player]
        legal = set()
        for value in set(hand):
            dark = self._fits_on_dark(value)
            for cell, most in self._rooms.items():
                if value <= most and self._may_lay(value, cell, dark):
                    legal.add(f"{value}@{NAMES[cell]}")
        if self._free and not self._opening:
            begun = self._drawn or bool(self._laid)
            # Z13, Z23; that one of the tiles fits is certain here, or the turn would have gone on by itself
            if not begun and len(hand) >= 2 and self._bag:
                legal.add("draw")
            # Z9, Z12, Z22, Z23
            if begun and legal and not self._owing:
                legal.add("stop")
        return legal

    def _fits(self, value: int) -> bool:
        """Z24"""
        return any(value <= most for most in self._rooms.values())

    def _fits_on_dark(self, value: int) -> bool:
        return any(value <= most and cell not in LIGHT for cell, most in self._rooms.items())

    def _some_fit(self, seat: int) -> bool:
        return any(self._fits(value) for value in set(self._hands[seat]))

    def _may_lay(self, value: int, cell: int, dark: bool) -> bool:
        """Z9 for a tile that fits here; dark: whether the value fits on some dark cell now."""
        owes = cell in LIGHT and dark
        if not owes and not self._owing:
            return True
        owing = [*self._owing, cell] if owes else self._owing
        self._board[cell] = value
        found = can_make_good(self._board, without(self._hands[self._player], value), owing)
        self._board[cell] = 0
        return found

    # What happens

    def play(self, text: str) -> None:
        if text not in self.moves():
            raise ValueError(f"not a legal move: {text}")
        self.do(text)

    def do(self, text: str) -> None:
        """A move that is legal."""
        self._legal = None
        if text == "draw":
            self._draw(self._player, 1)
            self._drawn = True
            if self._second:
                self._drawn_second = True
        elif text == "stop":
            self._known[self._player] = [0, ""]
            self._end_turn()
        else:
            self._lay(int(text[0]), PLACES[text[2:]])
        self._go_on()

    def _lay(self, value: int, cell: int) -> None:
        owes = cell in LIGHT and self._fits_on_dark(value)  # Z24: judged before the tile lies
        self._hands[self._player].remove(value)
        self._board[cell] = value
        # Only the cells at the ends of the lines through the new tile have other lines next to them than before.
        del self._rooms[cell]
        for end in ends(self._board, cell):
            most = room(self._board, end)
            if most > 0:
                self._rooms[end] = most
            else:
                self._rooms.pop(end, None)
        self._laid.append(cell)
        if owes:
            self._owing.append(cell)
        self._owing = [place for place in self._owing if not good(self._board, place)]
        self._known[self._player] = [0, ""]

    def _go_on(self) -> None:
        """Z22: the turn ends by itself when the hand is empty or nothing in it fits."""
        while not self._over and not self._some_fit(self._player):
            hand = self._hands[self._player]
            self._known[self._player] = [len(hand), self._fitting_nowhere("123456")] if hand else [0, ""]
            self._end_turn()

    def _fitting_nowhere(self, values: str) -> str:
        return "".join(value for value in values if not self._fits(int(value)))

    def _end_turn(self) -> None:
        self._score()
        self._laid = []
        self._owing = []
        self._opening = False
        if self._teams and not self._second:  # Z21, Z26
            self._player = self._partner()
            self._second = True
            if not self._drawn_second:
                self._drawn_second = self._compulsory_draw(self._player)
            self._drawn = self._drawn_second
        elif not self._bag:  # Z19
            self._over = True
        else:
            self._second = False
            if self._teams:
                pair = (self._player // 2 + 1) % (self._players // 2)
                self._player = 2 * pair
                self._drawn = self._compulsory_draw(self._player)
                self._drawn_second = self._compulsory_draw(self._partner())
            else:
                self._player = (self._player + 1) % self._players  # Z5
                self._drawn = self._compulsory_draw(self._player)

    def _score(self) -> None:
        lines = {line for place in self._laid for line in self._lines(place)}  # each line once
        counted = {10: 0, 11: 0, 12: 0}
        scoring: set[int] = set()
        for line in lines:
            pips = sum(self._board[place] for place in line)
            if pips in counted:
                counted[pips] += 1
                scoring.update(line)
        sheet = self._sheets[self._sheet_of(self._player)]
        for pips, times in counted.items():  # Z15, Z16
            if times:
                sheet[str(pips)].append(times * POINTS[pips])
        for place in self._laid:  # Z10, Z17
            if (place in LIGHT and place in scoring) or (place == RED and scoring):
                sheet["x2"] += 1

    def _lines(self, place: int) -> list[tuple[int, ...]]:
        """The lines through a tile, each as its places in ascending order; a tile alone is no line (Z6)."""
        left, right, down, up = RAYS[place]
        found = []
        for before, after in ((left, right), (down, up)):
            line = [place]
            for way in (before, after):
                for other in way:
                    if not self._board[other]:
                        break
                    line.append(other)
            if len(line) > 1:
                found.append(tuple(sorted(line)))
        return found

    def _compulsory_draw(self, seat: int) -> bool:
        """Z13 at the beginning of a turn; whether anything was drawn."""
        kept = len(self._hands[seat])
        if kept < 2:
            return self._draw(seat, 2 - kept)
        if self._some_fit(seat) or not self._bag:
            return False
        count, values = self._known[seat]
        self._known[seat] = [kept, self._fitting_nowhere(values if count else "123456")]
        return self._draw(seat, 1)

    def _draw(self, seat: int, count: int) -> bool:
        count = min(count, len(self._bag))  # Z25
        for _ in range(count):
            self._hands[seat].append(self._bag.pop())
        self._hands[seat].sort()
        return count > 0

    def _partner(self) -> int:
        return self._player ^ 1  # Z26: the seats 1+2, 3+4, 5+6, counted from 0 in here

    def _sheet_of(self, seat: int) -> int:
        return seat // 2 if self._teams else seat
