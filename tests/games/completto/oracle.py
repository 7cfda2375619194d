"""The rules of Completto (C1, C2, ...) in plain Python: slow, and meant to be obviously right."""

import random
import time
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import lt
from typing import Any

from tests.oracles.chance import Chance

COVERED_AT_START = 17  # C2
ROW = 22  # C2
CAP = 1000  # C12

# C9
TURNED: dict[int, int] = {}
for one, other in ((6, 9), (16, 91), (18, 81), (19, 61), (66, 99), (68, 89), (86, 98)):
    TURNED[one] = other
    TURNED[other] = one


@dataclass(frozen=True)
class Tile:
    own: int
    shown: int = 0  # 0: covered

    def text(self) -> str:
        if self.shown == 0:
            return f"({self.own})"
        if self.shown == self.own:
            return str(self.own)
        return f"{self.own}/{self.shown}"

    @staticmethod
    @cache
    def from_text(text: str) -> "Tile":
        if text.startswith("("):
            return Tile(int(text[1:-1]))
        own, _, shown = text.partition("/")
        return Tile(int(own), int(shown or own))


# What a row looks like: the shown numbers, 0 for a covered tile. The legal moves depend on nothing else of a row.
Look = bytes


def ways(tile: int) -> list[int]:
    """The numbers that a tile may be shown as. # C9"""
    return [tile, TURNED[tile]] if tile in TURNED else [tile]


def ascends(look: Look) -> bool:  # C6
    numbers = look.replace(b"\0", b"")  # covered tiles show none
    return all(map(lt, numbers, numbers[1:]))


# The caches only save time: most turns leave most rows as they were.
@lru_cache(maxsize=20000)
def insertions(look: Look, tile: int) -> frozenset[str]:
    """How a tile may be inserted in the start. # C2"""
    return frozenset(
        f"{number}@{place + 1}"
        for number in ways(tile)
        for place in range(len(look) + 1)
        if ascends(look[:place] + bytes([number]) + look[place:])
    )


@lru_cache(maxsize=20000)
def exchanges(look: Look, tile: int) -> frozenset[str]:
    """How a tile may take the place of a covered one. # C4, C6"""
    return frozenset(
        f"{number}@{place + 1}"
        for number in ways(tile)
        for place in range(len(look))
        if look[place] == 0 and ascends(look[:place] + bytes([number]) + look[place + 1 :])
    )


@lru_cache(maxsize=20000)
def shifts(look: Look) -> frozenset[str]:
    """The moves of covered tiles, each in its standard text. # C5, C18"""
    covered = bytes([0])
    first_text: dict[Look, str] = {look: ""}
    for i in range(len(look)):
        if look[i] != 0:
            continue
        rest = look[:i] + look[i + 1 :]
        for j in range(len(look)):
            # i and j ascend, so that the first text for a look is the standard one.
            after = rest[:j] + covered + rest[j:]
            if after not in first_text:
                first_text[after] = f"{i + 1}>{j + 1}"
    return frozenset(first_text.values()) - {""}


class Oracle:
    def __init__(self, options: dict[str, Any], key: tuple[int, int]) -> None:
        self.options = dict(options)
        self.players: int = options["players"]
        self.chance = Chance(key)
        self.number = 1
        self.points = [0] * self.players
        self.ended = False
        # Seats and places count from 0 inside, from 1 in options, positions and moves.
        if options["first"] == "random":  # C3
            self.starter = self.chance.below(self.players)
        else:
            self.starter = options["first"] - 1
        self.deal()

    @classmethod
    def from_position(cls, position: dict[str, Any]) -> "Oracle":
        oracle = cls.__new__(cls)
        oracle.options = dict(position["options"])
        oracle.players = position["options"]["players"]
        first, second = position["chance"]["key"]
        oracle.chance = Chance((int(first, 16), int(second, 16)), position["chance"]["counter"])
        oracle.number = position["number"]
        oracle.points = list(position["points"])
        oracle.ended = position["over"]
        oracle.starter = position["starter"] - 1
        oracle.player = position["player"] - 1
        oracle.phase = position["phase"]
        oracle.turns = position["turns"]
        oracle.hand = position["hand"]
        oracle.rows = [[Tile.from_text(text) for text in row] for row in position["rows"]]
        oracle.covered = list(position["covered"])
        oracle.open = list(position["open"])
        return oracle

    def deal(self) -> None:
        self.covered = list(range(1, 101))  # C1
        self.chance.shuffle(self.covered)
        self.open: list[int] = []
        self.rows: list[list[Tile]] = [[] for _ in range(self.players)]
        for step in range(self.players):
            for _ in range(COVERED_AT_START):
                self.rows[(self.starter + step) % self.players].append(Tile(self.covered.pop()))
        self.turns = 0
        self.phase = "start"
        self.player = self.starter  # C14
        self.hand = self.covered.pop()

    def look(self, seat: int) -> Look:
        return bytes([tile.shown for tile in self.rows[seat]])

    def moves(self) -> set[str]:
        if self.ended:
            return set()
        look = self.look(self.player)
        if self.phase == "start":
            return set(insertions(look, self.hand))
        if self.phase == "place":
            return set(exchanges(look, self.hand))
        found = set(shifts(look))
        if self.covered:  # C12
            found.add("draw")
        for tile in self.open:
            if exchanges(look, tile):  # C7, C16
                found.add(f"take {tile}")
        return found

    def play(self, text: str) -> None:
        if text not in self.moves():
            raise ValueError(f"not a legal move: {text}")
        self.do(text)

    def do(self, text: str) -> None:
        """A move that is legal."""
        if text == "draw":
            self.draw()
        elif text.startswith("take "):
            self.hand = int(text.removeprefix("take "))
            self.open.remove(self.hand)
            self.phase = "place"
        elif ">" in text:
            i, j = text.split(">")
            self.shift(int(i) - 1, int(j) - 1)
        else:
            number, place = text.split("@")
            if self.phase == "start":
                self.insert(int(number), int(place) - 1)
            else:
                self.place(int(number), int(place) - 1)

    def insert(self, number: int, place: int) -> None:
        self.rows[self.player].insert(place, Tile(self.hand, number))
        if len(self.rows[self.player]) == ROW:
            self.player = (self.player + 1) % self.players  # C14: also back to the starter after the last seat
        if all(len(row) == ROW for row in self.rows):
            self.hand = 0
            self.phase = "turn"
        else:
            self.hand = self.covered.pop()

    def draw(self) -> None:
        tile = self.covered.pop()
        if exchanges(self.look(self.player), tile):  # C7, C15
            self.hand = tile
            self.phase = "place"
        else:  # C7, C14
            self.open.append(tile)
            self.finish_action(again=False)

    def shift(self, i: int, j: int) -> None:
        row = self.rows[self.player]
        tile = row.pop(i)
        row.insert(j, tile)
        self.finish_action(again=False)  # C5

    def place(self, number: int, place: int) -> None:
        row = self.rows[self.player]
        replaced = row[place]
        row[place] = Tile(self.hand, number)
        self.chance.mix_in(self.covered, replaced.own)  # C4
        self.hand = 0
        self.phase = "turn"
        # C8, C16: an open number is never 0, but 1 must not pair with a covered tile.
        beside = [row[near].shown for near in (place - 1, place + 1) if 0 <= near < len(row) and row[near].shown]
        self.finish_action(again=any(abs(number - shown) == 1 for shown in beside))

    def finish_action(self, *, again: bool) -> None:
        self.turns += 1  # C15, C17
        won = all(tile.shown for tile in self.rows[self.player])  # C10
        if won or self.turns >= CAP:  # C12
            self.end_game()
        elif not again:
            self.player = (self.player + 1) % self.players

    def end_game(self) -> None:
        for seat in range(self.players):  # C11
            self.points[seat] += sum(tile.shown == 0 for tile in self.rows[seat])
        if self.number == self.options["games"]:
            self.ended = True
            return
        self.number += 1
        self.starter = (self.starter + 1) % self.players  # C3, C17
        self.deal()

    def over(self) -> bool:
        return self.ended

    def scores(self) -> list[int]:
        return [-points for points in self.points]

    def position(self) -> dict[str, Any]:
        return {
            "game": "completto",
            "rules": 1,
            "options": dict(self.options),
            "chance": self.chance.position(),
            "player": self.player + 1,
            "over": self.ended,
            "number": self.number,
            "starter": self.starter + 1,
            "points": list(self.points),
            "phase": self.phase,
            "turns": self.turns,
            "hand": self.hand,
            "rows": [[tile.text() for tile in row] for row in self.rows],
            "covered": list(self.covered),
            "open": sorted(self.open),
        }


# Self-check


def kind_of(move: str) -> str:
    if "@" in move:
        return "place"
    return "shift" if ">" in move else move.split(maxsplit=1)[0]


def all_tiles(oracle: Oracle) -> list[int]:
    tiles = oracle.covered + oracle.open + [tile.own for row in oracle.rows for tile in row]
    return sorted([*tiles, oracle.hand] if oracle.hand else tiles)


def made_up(look: list[int], middle: list[int], opened: list[int] | None = None) -> Oracle:
    """Two players, seat 1 on turn with a row that looks so (0: covered); middle: tiles that must lie covered there."""
    opened = opened or []
    oracle = Oracle({"players": 2, "games": 1, "first": 1}, (3, 4))
    free = [tile for tile in range(1, 101) if tile not in look + middle + opened]
    oracle.rows = [
        [Tile(shown, shown) if shown else Tile(free.pop()) for shown in look],
        [Tile(free.pop()) for _ in range(ROW)],
    ]
    oracle.rows[1][0] = replace(oracle.rows[1][0], shown=oracle.rows[1][0].own)
    oracle.covered = free + middle
    oracle.open = opened
    oracle.hand = 0
    oracle.phase = "turn"
    assert len(look) == ROW and all_tiles(oracle) == list(range(1, 101))
    return Oracle.from_position(oracle.position())


def draw(oracle: Oracle, tile: int) -> None:
    oracle.covered.remove(tile)
    oracle.covered.append(tile)
    oracle.play("draw")


def check_examples() -> None:
    assert ways(89) == [89, 68] and ways(10) == [10] and ways(69) == [69] and ways(100) == [100] and len(TURNED) == 14
    assert [Tile.from_text(text) for text in ("42", "89/68", "(42)")] == [Tile(42, 42), Tile(89, 68), Tile(42)]

    # C2: 3, 14, 42, 82 and 85 are spread in the start.
    oracle = Oracle({"players": 2, "games": 1, "first": 2}, (1, 2))
    assert oracle.player == 1 and oracle.phase == "start"
    assert insertions(bytes(17), 42) == {f"42@{place}" for place in range(1, 19)}
    row = [0] * 17
    for tile, place in ((3, 1), (14, 4), (42, 10), (82, 18), (85, 20)):
        assert f"{tile}@{place}" in insertions(bytes(row), tile)
        row.insert(place - 1, tile)
    assert ascends(bytes(row)) and len(row) == ROW and insertions(bytes(row), 2) == {"2@1"}
    # C9: both tiles of a pair exist, but a row never shows a number twice.
    assert insertions(bytes([0, 68]), 68) == {"89@3"} and insertions(bytes([0, 68]), 89) == {"89@3"}

    # Tommaso: 21 has two places, 32 beside 33 gives another turn, 22 fits nowhere and goes back open.
    oracle = made_up([1, 0, 9, 0, 0, 14, 0, 0, 33, 0, 0, 0, 50] + [0] * 9, [21, 22, 32])
    draw(oracle, 21)
    assert oracle.moves() == {"21@7", "21@8"} and oracle.hand == 21 and oracle.turns == 0
    replaced = oracle.rows[0][6].own
    oracle.play("21@7")
    assert oracle.player == 1 and oracle.turns == 1 and replaced in oracle.covered and oracle.phase == "turn"
    oracle.play("2>1")
    assert oracle.player == 0 and oracle.turns == 2
    draw(oracle, 32)
    assert oracle.moves() == {"32@8"}
    oracle.play("32@8")
    assert oracle.player == 0 and oracle.turns == 3 and oracle.look(0)[5:9] == bytes([14, 21, 32, 33])
    draw(oracle, 22)
    assert oracle.player == 1 and oracle.turns == 4 and oracle.open == [22] and oracle.hand == 0
    assert oracle.phase == "turn" and "take 22" in oracle.moves()

    # Andrea: 89 as 68 beside 67, or after 85; then a covered tile is moved to directly after 68.
    look = [0] * 10 + [49, 0, 55, 0, 67, 0, 81, 82, 85, 0, 93, 0]
    for oracle in (made_up(look, [89]), made_up(look, [], [89])):
        if oracle.open:
            oracle.play("take 89")
        else:
            draw(oracle, 89)
        assert oracle.moves() == {"68@16", "89@20"}
        other = Oracle.from_position(oracle.position())
        other.play("89@20")
        assert other.player == 1
        oracle.play("68@16")
        assert oracle.player == 0 and oracle.position()["rows"][0][15] == "89/68" and oracle.turns == 1
        assert "20>17" in oracle.moves()
        oracle.play("20>17")
        assert oracle.player == 1 and oracle.look(0)[14:21] == bytes([67, 68, 0, 81, 82, 85, 93])

    # C8, C16: a pair needs both tiles open; 32 beside 30 31 makes a new one; 1 beside a covered tile is none.
    for look, tile, place, player in (
        ([30, 31, 0] + [0] * 19, 32, 3, 0),
        ([30, 31, 0, 0] + [0] * 18, 32, 4, 1),
        ([30, 0, 32] + [0] * 19, 31, 2, 0),
        ([0] * 21 + [50], 1, 1, 1),
    ):
        oracle = made_up(look, [tile])
        draw(oracle, tile)
        oracle.play(f"{tile}@{place}")
        assert oracle.player == player and oracle.turns == 1

    # C12: without covered tiles in the middle only open ones that fit, and moves of covered tiles.
    oracle = made_up([2, 0, 0, 10, 11, *range(20, 37)], [], [1, 6, 81, 99])
    oracle.covered = []
    assert oracle.moves() == {"take 6", "2>1"} | {f"2>{place}" for place in range(4, 23)}
    # C16: the take sends a covered tile to the middle; 6 may be turned.
    oracle.play("take 6")
    assert oracle.moves() == {"6@2", "6@3", "9@2", "9@3"} and oracle.open == [1, 81, 99]
    oracle.play("9@3")
    assert oracle.player == 0 and len(oracle.covered) == 1 and "draw" in oracle.moves()

    # C5, C18 by hand.
    assert shifts(bytes([5, 0, 7])) == {"2>1", "2>3"}
    assert shifts(bytes([0, 5, 0])) == {"1>2", "3>1"}
    assert shifts(bytes([0, 0, 5])) == {"1>3"}
    assert shifts(bytes([0, 5, 7, 0])) == {"1>2", "1>3", "4>1", "4>3"}

    # C10, C12, C15: the last tile wins, also as the 1,000th action; the cap ends a game even after a pair.
    look = [*range(10, 30), 0, 32]
    for turns, tile, move, over in ((7, 31, "31@21", True), (999, 31, "31@21", True), (998, 31, "21>1", False)):
        oracle = made_up(look, [tile])
        oracle.turns = turns
        if "@" in move:
            draw(oracle, tile)
        oracle.play(move)
        assert oracle.over() == over and oracle.turns == turns + 1 and oracle.points == ([0, 21] if over else [0, 0])
    oracle.play("2>1")
    assert oracle.over() and oracle.turns == 1000 and oracle.player == 1 and oracle.scores() == [-1, -21]
    oracle = made_up([0, *look[1:]], [31])
    oracle.turns = 999
    draw(oracle, 31)
    assert not oracle.over() and oracle.turns == 999
    oracle.play("31@21")
    assert oracle.over() and oracle.player == 0 and oracle.points == [1, 21] and oracle.phase == "turn"


def random_oracle(chooser: random.Random, players: int) -> Oracle:
    length = chooser.choice((1, 1, 2, 3, players))
    first = chooser.choice(["random", *range(1, players + 1)])
    oracle = Oracle({"players": players, "games": length, "first": first}, (chooser.getrandbits(64), players))
    assert first in ("random", oracle.starter + 1)
    return oracle


def random_weights(chooser: random.Random) -> dict[str, float]:
    # Aimless moving makes long games; both long and short ones are wanted.
    return {"place": 1, "draw": chooser.choice((0.02, 1)), "take": 1, "shift": chooser.choice((0.1, 1))}


def random_move(chooser: random.Random, moves: set[str], weights: dict[str, float]) -> str:
    by_kind: dict[str, list[str]] = {}
    for move in sorted(moves):
        by_kind.setdefault(kind_of(move), []).append(move)
    kinds = sorted(by_kind)
    return chooser.choice(by_kind[chooser.choices(kinds, [weights[kind] for kind in kinds])[0]])


def check_random_games(seconds: float) -> None:
    chooser = random.Random(1)
    games = matches = moves_played = capped = turned = without_covered = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        players = 2 + matches % 3
        oracle = random_oracle(chooser, players)
        weights = random_weights(chooser)
        first_starter = oracle.starter
        position = oracle.position()
        while not oracle.over():
            number = oracle.number
            assert all_tiles(oracle) == list(range(1, 101)) and all(map(ascends, map(oracle.look, range(players))))
            again = Oracle.from_position(position)
            assert again.position() == position
            if oracle.phase == "start":
                assert oracle.turns == 0 and sum(len(row) for row in oracle.rows) < ROW * players
                assert (oracle.starter - first_starter) % players == (number - 1) % players
            else:
                assert all(len(row) == ROW for row in oracle.rows) and oracle.turns < CAP
            assert (oracle.hand != 0) == (oracle.phase != "turn")
            without_covered += oracle.phase == "turn" and not oracle.covered
            moves = oracle.moves()
            assert moves and moves == again.moves()
            move = random_move(chooser, moves, weights)
            turned += "@" in move and int(move.split("@")[0]) != oracle.hand
            turns = oracle.turns
            oracle.play(move)
            again.play(move)
            position = oracle.position()
            assert again.position() == position and again.scores() == oracle.scores()
            moves_played += 1
            if oracle.number != number or oracle.over():
                capped += turns == CAP - 1
                games += 1
        assert oracle.moves() == set() and all_tiles(oracle) == list(range(1, 101))
        assert Oracle.from_position(position).position() == position
        assert oracle.number == oracle.options["games"] and all(points <= 0 for points in oracle.scores())
        matches += 1
    spent = time.process_time() - begin
    print(f"checked: {games} games in {matches} matches, {moves_played} moves, {games / spent:.1f} games/s")
    print(f"capped: {capped}; tiles placed turned: {turned}; turns without a covered tile: {without_covered}")


def measure(seconds: float) -> None:
    chooser = random.Random(2)
    weights = dict.fromkeys(("place", "draw", "take", "shift"), 1.0)
    games = moves_played = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        oracle = random_oracle(chooser, 2 + games % 3)
        while not oracle.over():
            oracle.play(random_move(chooser, oracle.moves(), weights))
            moves_played += 1
        games += oracle.number
    spent = time.process_time() - begin
    print(f"unchecked: {games} games, {moves_played} moves, {games / spent:.1f} games/s")


if __name__ == "__main__":
    check_examples()
    check_random_games(20)
    measure(5)
