"""The rules of Take That (T1, T2, ...) in plain Python: slow, and meant to be obviously right."""

import itertools
import random
import time
from copy import deepcopy
from typing import Any

from tests.oracles.chance import Chance

CARDS = [card for card in range(12, 99) if card % 10 != 0]  # T1


def twisted(card: int) -> int:
    return card % 10 * 10 + card // 10


def is_toad(card: int) -> bool:
    return twisted(card) == card


class Oracle:
    def __init__(self, options: dict[str, Any], key: tuple[int, int]) -> None:
        self.options = dict(options)
        self.players: int = options["players"]
        self.chance = Chance(key)
        self.round = 1
        self.points = [0] * self.players
        self.ended = False
        # Seats count from 0 inside, from 1 in options and positions.
        if options["dealer"] == "random":  # T12
            self.dealer = self.chance.below(self.players)
        else:
            self.dealer = options["dealer"] - 1
        self.deal()

    @classmethod
    def from_position(cls, position: dict[str, Any]) -> "Oracle":
        position = deepcopy(position)
        oracle = cls.__new__(cls)
        oracle.options = position["options"]
        oracle.players = position["options"]["players"]
        first, second = position["chance"]["key"]
        oracle.chance = Chance((int(first, 16), int(second, 16)), position["chance"]["counter"])
        oracle.round = position["round"]
        oracle.points = position["points"]
        oracle.ended = position["over"]
        oracle.dealer = position["dealer"] - 1
        oracle.player = position["player"] - 1
        oracle.row = position["row"]
        oracle.pile = position["pile"]
        oracle.hands = position["hands"]
        oracle.plus = position["plus"]
        oracle.minus = position["minus"]
        oracle.extra = position["extra"]
        return oracle

    def deal(self) -> None:
        seats = range(self.players)
        self.row: list[int] = []
        self.pile = list(CARDS)
        self.chance.shuffle(self.pile)
        self.hands: list[list[int]] = [[] for _ in seats]
        self.plus: list[list[int]] = [[] for _ in seats]
        self.minus: list[list[int]] = [[] for _ in seats]
        self.extra: list[list[int]] = [[] for _ in seats]
        for _ in range(8 if self.players == 4 else 9):  # T2
            for step in range(1, self.players + 1):
                self.hands[(self.dealer + step) % self.players].append(self.pile.pop())
        self.player = (self.dealer + 1) % self.players  # T2

    def moves(self) -> set[str]:
        if self.ended:
            return set()
        hand = self.hands[self.player]
        if not self.row:  # T4
            return {str(card) for card in hand}
        found = {"take"}  # T6
        for card in hand:
            if abs(card - self.row[-1]) <= 10:  # T4
                found.add(str(card))
            if twisted(card) in self.row and not is_toad(card):  # T5
                found.add(f"{card}x{twisted(card)}")
        return found

    def play(self, text: str) -> None:
        if text not in self.moves():
            raise ValueError(f"not a legal move: {text}")
        self.do(text)

    def do(self, text: str) -> None:
        """A move that is legal."""
        if text == "take":
            self.take()
        elif "x" in text:
            card, other = text.split("x")
            self.twist(int(card), int(other))
        else:
            self.place(int(text))

    def place(self, card: int) -> None:
        self.hands[self.player].remove(card)
        self.row.append(card)
        self.draw()
        self.pass_on()

    def twist(self, card: int, other: int) -> None:
        self.hands[self.player].remove(card)
        self.row.remove(other)
        self.plus[self.player] += [card, other]
        if not self.row and not self.pile:  # T7: it ends only if the pile was empty before this turn's draw
            self.end_round()
            return
        self.draw()
        self.pass_on()

    def take(self) -> None:
        lone = len(self.row) == 1
        self.minus[self.player] += self.row
        self.row = []
        if not self.pile:  # T7
            self.end_round()
            return
        if self.options["expert"] and lone:  # T10, T11
            self.extra[self.player].append(self.pile.pop())
        # T6, T11: the same player opens the new row as the next move.

    def draw(self) -> None:
        if self.pile:  # T7
            self.hands[self.player].append(self.pile.pop())

    def pass_on(self) -> None:
        self.player = (self.player + 1) % self.players

    def end_round(self) -> None:
        for seat in range(self.players):
            self.points[seat] += self.running(seat)
        if self.round == self.options["rounds"]:  # T9
            self.ended = True
            return
        self.round += 1
        self.dealer = (self.dealer + 1) % self.players  # T9
        self.deal()

    def running(self, seat: int) -> int:
        """The result of the current round so far. # T8"""
        result = len(self.plus[seat])
        for card in self.minus[seat] + self.extra[seat]:
            result -= 5 if is_toad(card) else 1
        return result

    def over(self) -> bool:
        return self.ended

    def scores(self) -> list[int]:
        if self.ended:
            return list(self.points)
        return [self.points[seat] + self.running(seat) for seat in range(self.players)]

    def position(self) -> dict[str, Any]:
        return {
            "game": "take_that",
            "rules": 1,
            "options": dict(self.options),
            "chance": self.chance.position(),
            "player": self.player + 1,
            "over": self.ended,
            "round": self.round,
            "dealer": self.dealer + 1,
            "points": list(self.points),
            "row": list(self.row),
            "pile": list(self.pile),
            "hands": [sorted(hand) for hand in self.hands],
            "plus": [sorted(cards) for cards in self.plus],
            "minus": [sorted(cards) for cards in self.minus],
            "extra": [list(cards) for cards in self.extra],
        }


# Self-check


def kind_of(move: str) -> str:
    return "take" if move == "take" else "twist" if "x" in move else "place"


def all_cards(position: dict[str, Any]) -> list[int]:
    cards: list[int] = position["row"] + position["pile"]
    for name in ("hands", "plus", "minus", "extra"):
        for some in position[name]:
            cards = cards + some
    return sorted(cards)


def made_up(players: int, expert: bool, pile_size: int, row: list[int], hands: list[list[int]]) -> Oracle:
    """Seat 1 is on turn; cards not named and not in the pile lie as minus cards with the last seat."""
    free = [card for card in CARDS if card not in row + [card for hand in hands for card in hand]]
    position = Oracle({"players": players, "rounds": 1, "expert": expert, "dealer": players}, (0, 0)).position()
    position |= {"row": row, "hands": hands, "pile": free[:pile_size]}
    position["minus"][-1] = free[pile_size:]
    assert all_cards(position) == CARDS
    return Oracle.from_position(position)


def check_examples() -> None:
    assert len(CARDS) == 79
    assert [card for card in CARDS if is_toad(card)] == [22, 33, 44, 55, 66, 77, 88]
    assert all(twisted(card) in CARDS for card in CARDS)

    # The rulebook's turns: 34, 41, 49, then 94 twists 49 away.
    hands = [[12, 34, 98], [23, 24, 41, 44, 45], [14, 31, 49, 51, 52], [33, 39, 59, 61, 94]]
    oracle = made_up(4, False, 10, [], hands)
    assert oracle.moves() == {"12", "34", "98"}
    oracle.play("34")
    assert oracle.moves() == {"24", "41", "44", "take"}
    oracle.play("41")
    assert oracle.moves() == {"31", "49", "51", "14x41", "take"}
    oracle.play("49")
    assert oracle.moves() == {"39", "59", "94x49", "take"}
    oracle.play("94x49")
    assert oracle.row == [34, 41] and sorted(oracle.plus[3]) == [49, 94] and oracle.player == 0
    assert len(oracle.pile) == 6

    # 12 plus and 17 minus points are -5: three toads and two others.
    position = oracle.position()
    position["plus"][1] = [12, 21, 13, 31, 14, 41, 15, 51, 16, 61, 17, 71]
    position["minus"][1] = [22, 33, 44, 18]
    position["extra"][1] = [19]
    assert Oracle.from_position(position).scores()[1] == -5

    # T7: the last card of the row is twisted away, before and on the draw that empties the pile.
    oracle = made_up(2, False, 0, [49], [[94], [51]])
    oracle.play("94x49")
    assert oracle.over() and oracle.player == 0 and oracle.row == [] and oracle.points[0] == 2
    oracle = made_up(2, False, 1, [49], [[94], [51, 52]])
    oracle.play("94x49")
    assert not oracle.over() and oracle.player == 1 and oracle.pile == [] and oracle.moves() == {"51", "52"}
    oracle.play("51")
    assert oracle.hands == [[12], [52]] and oracle.moves() == {"take"}
    oracle.play("take")
    assert oracle.over() and oracle.minus[0] == [51] and oracle.points[0] == 1

    # T7: an empty hand can only take the row.
    oracle = made_up(2, False, 0, [22], [[], [51]])
    assert oracle.moves() == {"take"}
    oracle.play("take")
    assert oracle.over() and oracle.scores()[0] == -5

    # T10, T11: the extra card; as the pile's last card; none from an empty pile; none for a longer row.
    for pile_size, row, extra, over in (
        (5, [49], 1, False),
        (1, [49], 1, False),
        (0, [49], 0, True),
        (5, [48, 49], 0, False),
    ):
        oracle = made_up(2, True, pile_size, row, [[13, 94], [51, 52]])
        oracle.play("take")
        assert len(oracle.extra[0]) == extra and len(oracle.pile) == pile_size - extra
        assert oracle.over() == over and oracle.player == 0 and oracle.minus[0] == row
        if not over:
            assert oracle.moves() == {"13", "94"}
            oracle.play("13")
            assert oracle.player == 1 and len(oracle.hands[0]) == (1 if pile_size == 1 else 2)


def check_random_games(seconds: float) -> None:
    chooser = random.Random(1)
    games = moves_played = ends_by_twist = openings_without_pile = 0
    fewest_at_opening = 9
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        for players, expert, rounds in itertools.product((2, 3, 4), (False, True), (1, 2, 3)):
            dealer = chooser.choice(["random", *range(1, players + 1)])
            options = {"players": players, "rounds": rounds, "expert": expert, "dealer": dealer}
            oracle = Oracle(options, (chooser.getrandbits(64), games))
            first_dealer = oracle.dealer
            assert dealer in ("random", first_dealer + 1)
            last_round = 1
            while not oracle.over():
                position = oracle.position()
                assert all_cards(position) == CARDS
                again = Oracle.from_position(position)
                assert again.position() == position
                if oracle.round != last_round:
                    last_round = oracle.round
                    assert oracle.player == (first_dealer + last_round) % players and not oracle.row
                if not oracle.row:
                    fewest_at_opening = min(fewest_at_opening, len(oracle.hands[oracle.player]))
                    openings_without_pile += not oracle.pile
                moves = oracle.moves()
                assert moves and moves == again.moves()
                kinds = sorted({kind_of(move) for move in moves})
                # Rows grow long only if they are seldom taken.
                kind = chooser.choices(kinds, [chooser.choice((0.1, 1)) if kind == "take" else 1 for kind in kinds])[0]
                move = chooser.choice(sorted(move for move in moves if kind_of(move) == kind))
                before = oracle.scores()
                oracle.play(move)
                again.play(move)
                assert again.position() == oracle.position() and again.scores() == oracle.scores()
                moves_played += 1
                if oracle.round != last_round or oracle.over():
                    ends_by_twist += kind == "twist"
                if kind == "place":
                    assert oracle.scores() == before
                elif kind == "twist":
                    assert sum(oracle.scores()) == sum(before) + 2
                else:
                    assert sum(oracle.scores()) < sum(before)
            assert oracle.moves() == set() and all_cards(oracle.position()) == CARDS
            assert Oracle.from_position(oracle.position()).position() == oracle.position()
            assert oracle.round == rounds and oracle.scores() == oracle.points and not oracle.pile
            games += 1
    spent = time.process_time() - begin
    # T7 never leaves anybody to open with an empty hand.
    assert fewest_at_opening > 0
    print(f"{games} games, {moves_played} moves, {games / spent:.0f} games/s")
    print(f"rounds ended by a twist: {ends_by_twist}; rows opened without a pile: {openings_without_pile}")
    print(f"fewest cards of an opener: {fewest_at_opening}")


if __name__ == "__main__":
    check_examples()
    check_random_games(15)
