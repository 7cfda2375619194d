"""The rules of Sequence in plain, slow Python, to compare a fast implementation with.

Seats and sides count from 1 everywhere; cells are numbers, a1 = 0, b1 = 1, ... a2 = 10, ... j10 = 99.
"""

from itertools import combinations
from typing import Any

from tests.oracles.chance import Chance

# S2, row 10 first
LAYOUT = """
** 2S 3S 4S 5S 6S 7S 8S 9S **
6C 5C 4C 3C 2C AH KH QH TH TS
7C AS 2D 3D 4D 5D 6D 7D 9H QS
8C KS 6C 5C 4C 3C 2C 8D 8H KS
9C QS 7C 6H 5H 4H AH 9D 7H AS
TC TS 8C 7H 2H 3H KH TD 6H 2D
QC 9S 9C 8H 9H TH QH QD 5H 3D
KC 8S TC QC KC AC AD KD 4H 4D
AC 7S 6S 5S 4S 3S 2S 2H 3H 5D
** AD KD QD TD 9D 8D 7D 6D **
"""
CORNER = "*"
OPEN = "."
CORNERS = (0, 9, 90, 99)

TWO_EYED = ("JC", "JD")
ONE_EYED = ("JS", "JH")
# the order of docs/reference/chance.md
CARDS = [rank + suit for suit in "SHDC" for rank in "23456789TQKA"] + ["JC", "JD", "JS", "JH"]
ORDER = {card: place for place, card in enumerate(CARDS)}
CUT_RANKS = "23456789TJQKA"  # S6: aces high

CARDS_EACH = {2: 7, 3: 6, 4: 6, 6: 5, 8: 4, 9: 4, 10: 3, 12: 3}  # S5
LAST_TURN = 1000  # S18

Five = tuple[int, int, int, int, int]


def cell_name(cell: int) -> str:
    return "abcdefghij"[cell % 10] + str(cell // 10 + 1)


def cell_number(name: str) -> int:
    return "abcdefghij".index(name[0]) + 10 * (int(name[1:]) - 1)


def cells_of_cards() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row, line in zip(range(9, -1, -1), LAYOUT.split("\n")[1:11], strict=True):
        for column, card in enumerate(line.split()):
            if card != "**":
                found.setdefault(card, []).append(10 * row + column)
    return found


CELLS_OF = cells_of_cards()


def all_fives() -> list[Five]:
    found: list[Five] = []
    for row in range(10):
        for column in range(10):
            # S21: from left to right, in a column upwards
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if column + 4 * right <= 9 and 0 <= row + 4 * up <= 9:
                    a, b, c, d, e = (10 * (row + i * up) + column + i * right for i in range(5))
                    found.append((a, b, c, d, e))
    return sorted(found, key=lambda five: (five[0], five[4]))


FIVES = all_fives()
FIVES_THROUGH = [[five for five in FIVES if cell in five] for cell in range(100)]


def five_name(five: Five) -> str:
    return cell_name(five[0]) + "-" + cell_name(five[4])


FIVE_NAMED = {five_name(five): five for five in FIVES}


def compatible(one: Five, other: Five) -> bool:
    """S13: two sequences of one side may share at most one cell."""
    return len(set(one) & set(other)) <= 1


def all_compatible(fives: list[Five]) -> bool:
    return all(compatible(one, other) for one, other in combinations(fives, 2))


class Oracle:
    options: dict[str, Any]
    players: int
    sides: int
    chance: Chance
    player: int
    ended: bool
    cut: list[tuple[int, str]]
    dealer: int
    turns: int
    passes: int
    exchanged: bool
    board: list[str]  # per cell CORNER, OPEN or the digit of a side
    sequences: list[list[Five]]
    locking: int | None
    hands: list[list[str]]
    pile: list[str]
    discards: list[tuple[int, str]]
    undrawn: list[int]
    owing: list[int]
    winner: int | None

    def __init__(self, options: dict[str, Any], key: tuple[int, int]) -> None:
        self.options = dict(options)
        self.players = options["players"]
        self.sides = options["sides"]
        self.chance = Chance(key)
        self.ended = False
        self.turns = 0
        self.passes = 0
        self.exchanged = False
        self.board = [CORNER if cell in CORNERS else OPEN for cell in range(100)]
        self.sequences = [[] for _ in range(self.sides)]
        self.locking = None
        self.hands = [[] for _ in range(self.players)]
        self.pile = []
        self.discards = []
        self.undrawn = []
        self.owing = []
        self.winner = None
        self._cut_for_the_deal()
        self._deal()

    def _cut_for_the_deal(self) -> None:
        self.cut = []
        deck = [card for card in CARDS for _ in range(2)]  # S1
        cutting = list(range(1, self.players + 1))
        while len(cutting) > 1:
            ranks = {}
            for seat in cutting:
                card = self.chance.pick(deck)
                self.cut.append((seat, card))
                ranks[seat] = CUT_RANKS.index(card[0])
            lowest = min(ranks.values())
            cutting = [seat for seat in cutting if ranks[seat] == lowest]  # S6, S19
        self.dealer = cutting[0]

    def _deal(self) -> None:
        self.pile = [card for card in CARDS for _ in range(2)]
        self.chance.shuffle(self.pile, lambda card: ORDER[card])
        seat = self.dealer
        for _ in range(CARDS_EACH[self.players] * self.players):
            seat = self._left_of(seat)
            self._take(seat, self.pile.pop())
        self.player = self._left_of(self.dealer)  # S6

    # Small helpers

    def _left_of(self, seat: int) -> int:
        return seat % self.players + 1

    def _side(self, seat: int) -> int:
        return (seat - 1) % self.sides + 1  # S4, S19

    def _members(self, side: int) -> list[int]:
        return [seat for seat in range(1, self.players + 1) if self._side(seat) == side]

    def _hand(self, seat: int) -> list[str]:
        return self.hands[seat - 1]

    def _take(self, seat: int, card: str) -> None:
        self._hand(seat).append(card)
        self._hand(seat).sort(key=lambda each: ORDER[each])

    def _sequences_needed(self) -> int:
        return 2 if self.sides == 2 else 1  # S14

    def _sequences_of(self, side: int) -> list[Five]:
        return self.sequences[side - 1]

    def _count(self, side: int, five: Five) -> None:
        self._sequences_of(side).append(five)
        self._sequences_of(side).sort(key=lambda each: (each[0], each[4]))

    def _complete(self, side: int, five: Five) -> bool:
        return all(self.board[cell] in (CORNER, str(side)) for cell in five)  # S8, S12

    def _countable(self, side: int, five: Five) -> bool:
        return self._complete(side, five) and all(compatible(five, other) for other in self._sequences_of(side))

    def _candidates(self, side: int, cell: int) -> list[Five]:
        return [five for five in FIVES_THROUGH[cell] if self._countable(side, five)]

    def _dead(self, card: str) -> bool:
        # S10: jacks are never dead
        return card in CELLS_OF and all(self.board[cell] != OPEN for cell in CELLS_OF[card])

    def _targets(self, card: str) -> list[int]:
        """The cells on which the seat on turn may play this card."""
        if card in TWO_EYED:
            return [cell for cell in range(100) if self.board[cell] == OPEN]  # S9
        if card in ONE_EYED:
            return [cell for cell in range(100) if self._removable(cell)]
        return [cell for cell in CELLS_OF[card] if self.board[cell] == OPEN]  # S7

    def _removable(self, cell: int) -> bool:
        chip = self.board[cell]
        if chip in (OPEN, CORNER) or chip == str(self._side(self.player)):
            return False
        safe = any(cell in five for five in self._sequences_of(int(chip)))
        # S9, S15; S24: with three sides `advanced` changes nothing
        return not safe or (self.options["advanced"] and self.sides == 2)

    # Legal moves

    def moves(self) -> set[str]:
        if self.ended:
            return set()
        if self.owing:  # S23: nothing else may be done
            return {self._text(seat, "discard " + card) for seat in self.owing for card in self._hand(seat)}
        found = self._moves_in_turn()
        if not found and self.player not in self.undrawn:  # S11, S20: nobody else's moves matter for a pass
            found.add("pass")
        found |= {self._text(seat, "draw") for seat in self.undrawn}  # S22
        found |= {f"offence {side}" for side in range(1, self.sides + 1) if self._may_offend(side)}
        return found

    def _text(self, seat: int, move: str) -> str:
        return move if seat == self.player else f"{seat}: {move}"

    def _moves_in_turn(self) -> set[str]:
        """What the seat on turn can do in its turn, apart from drawing and passing."""
        if self.locking is not None:
            candidates = self._candidates(self._side(self.player), self.locking)
            return {"lock " + five_name(five) for five in candidates}
        found = set()
        for card in set(self._hand(self.player)):
            sign = "x" if card in ONE_EYED else "@"
            for cell in self._targets(card):
                found.add(card + sign + cell_name(cell))
            if self._dead(card) and not self.exchanged:
                found.add("dead " + card)
        return found

    def _may_offend(self, side: int) -> bool:
        if self.options["table_talk"] != "forbidden" or self.players // self.sides < 2:
            return False  # S17, S24
        return any(self._hand(seat) for seat in self._members(side))

    # Playing

    def play(self, text: str) -> None:
        if text not in self.moves():
            raise ValueError(f"not legal now: {text}")
        self.do(text)

    def do(self, text: str) -> None:
        """A move that is legal."""
        seat, move = self.player, text
        if ": " in text:
            seat_text, move = text.split(": ")
            seat = int(seat_text)
        word, _, rest = move.partition(" ")
        if word == "draw":
            self._play_draw(seat)
        elif word == "discard":
            self._put_down(seat, rest)
            self.owing.remove(seat)
        elif word == "offence":
            self.owing = [member for member in self._members(int(rest)) if self._hand(member)]
        elif word == "dead":
            self._put_down(seat, rest)
            self.exchanged = True
            self._draw(seat)  # S22: at once in a manual game too
        elif word == "lock":
            self._count(self._side(seat), FIVE_NAMED[rest])
            self.locking = None
            self._play_completed()
        elif word == "pass":
            self._play_pass()
        else:
            self._play_card(move[:2], cell_number(move[3:]))

    def _put_down(self, seat: int, card: str) -> None:
        self._hand(seat).remove(card)
        self.discards.append((seat, card))
        self.passes = 0  # S20

    def _draw(self, seat: int) -> None:
        if not self.pile:  # S11, S20
            self.pile = [card for _, card in self.discards]
            self.discards = []
            self.chance.shuffle(self.pile, lambda card: ORDER[card])
        if self.pile:
            self._take(seat, self.pile.pop())

    def _play_draw(self, seat: int) -> None:
        # S16, S22: this seat has now played and drawn, so all who played before it have lost their card
        self.undrawn = self.undrawn[self.undrawn.index(seat) + 1 :]
        self._draw(seat)

    def _play_pass(self) -> None:
        self.turns += 1
        self.passes += 1
        if self.passes >= self.players or self.turns >= LAST_TURN:  # S11, S18
            self._end(None)
        else:
            self._next_turn()

    def _play_card(self, card: str, cell: int) -> None:
        self._put_down(self.player, card)
        self.turns += 1
        if self.player in self.undrawn:  # S22: until they themselves play again
            self.undrawn.remove(self.player)
        if card in ONE_EYED:
            self._remove_chip(cell)
        else:
            self._put_chip(cell)
        if not self.ended and self.locking is None:
            self._play_completed()

    def _put_chip(self, cell: int) -> None:
        side = self._side(self.player)
        self.board[cell] = str(side)
        candidates = self._candidates(side, cell)
        if not candidates:
            return
        missing = self._sequences_needed() - len(self._sequences_of(side))
        # S21: wins at once; combinations come in ascending order, as the candidates do
        for choice in combinations(candidates, missing):
            if all_compatible(list(choice)):
                for five in choice:
                    self._count(side, five)
                self._end(side)
                return
        if all_compatible(candidates):
            for five in candidates:
                self._count(side, five)
        else:
            self.locking = cell

    def _remove_chip(self, cell: int) -> None:
        side = int(self.board[cell])
        self.board[cell] = OPEN
        left = [five for five in self._sequences_of(side) if cell not in five]
        if left == self._sequences_of(side):
            return
        # S15, S21: fives that still stand count again, the first by name first
        self.sequences[side - 1] = left
        while True:
            standing = [five for five in FIVES if self._countable(side, five)]
            if not standing:
                break
            self._count(side, standing[0])
        if len(self._sequences_of(side)) >= self._sequences_needed():
            self._end(side)

    def _play_completed(self) -> None:
        """The card has been played and, where that was asked, a five has been locked."""
        if self.turns >= LAST_TURN:  # S18, S24
            self._end(None)
            return
        if self.options["draw"] == "manual":
            self.undrawn.append(self.player)
        else:
            self._draw(self.player)
        self._next_turn()

    def _next_turn(self) -> None:
        self.player = self._left_of(self.player)
        self.exchanged = False

    def _end(self, winner: int | None) -> None:
        self.ended = True
        self.winner = winner
        self.exchanged = False
        self.locking = None
        self.undrawn = []  # S24: draws pending at the end are void

    # Results

    def over(self) -> bool:
        return self.ended

    def scores(self) -> list[int]:
        return [int(self._side(seat) == self.winner) for seat in range(1, self.players + 1)]

    def position(self) -> dict[str, Any]:
        return {
            "game": "sequence",
            "rules": 1,
            "options": dict(self.options),
            "chance": self.chance.position(),
            "player": self.player,
            "over": self.ended,
            "cut": [[seat, card] for seat, card in self.cut],
            "dealer": self.dealer,
            "turns": self.turns,
            "passes": self.passes,
            "exchanged": self.exchanged,
            "board": ["".join(self.board[10 * row : 10 * row + 10]) for row in range(9, -1, -1)],
            "sequences": [[five_name(five) for five in fives] for fives in self.sequences],
            "locking": None if self.locking is None else cell_name(self.locking),
            "hands": [list(hand) for hand in self.hands],
            "pile": list(self.pile),
            "discards": [[seat, card] for seat, card in self.discards],
            "undrawn": list(self.undrawn),
            "owing": list(self.owing),
            "winner": self.winner,
        }

    @classmethod
    def from_position(cls, position: dict[str, Any]) -> "Oracle":
        self = cls.__new__(cls)
        self.options = dict(position["options"])
        self.players = self.options["players"]
        self.sides = self.options["sides"]
        first, second = (int(word, 16) for word in position["chance"]["key"])
        self.chance = Chance((first, second), position["chance"]["counter"])
        self.player = position["player"]
        self.ended = position["over"]
        self.cut = [(seat, card) for seat, card in position["cut"]]
        self.dealer = position["dealer"]
        self.turns = position["turns"]
        self.passes = position["passes"]
        self.exchanged = position["exchanged"]
        self.board = [chip for row in reversed(position["board"]) for chip in row]
        self.sequences = [[FIVE_NAMED[name] for name in names] for names in position["sequences"]]
        self.locking = None if position["locking"] is None else cell_number(position["locking"])
        self.hands = [list(hand) for hand in position["hands"]]
        self.pile = list(position["pile"])
        self.discards = [(seat, card) for seat, card in position["discards"]]
        self.undrawn = list(position["undrawn"])
        self.owing = list(position["owing"])
        self.winner = position["winner"]
        return self
