"""The oracle of Zatre checks itself: the rulebook's example, and random games whose every position is looked at.

`python -m tests.games.zatre.oracle_check`
"""

import random
import time
from typing import Any

from tests.games.zatre.oracle import (
    ALL_TILES,
    CELLS,
    LIGHT,
    NAMES,
    PLACES,
    Board,
    Oracle,
    good,
    rooms,
    sheet_total,
    sums,
    without,
)


def can_make_good_slowly(board: Board, hand: list[int], owing: list[int]) -> bool:
    """The same by the letter of the rules: every tile on every cell, in every order."""
    owing = [place for place in owing if not good(board, place)]
    if not owing:
        return True
    fitting = rooms(board)
    for value in set(hand):
        dark = any(value <= most and cell not in LIGHT for cell, most in fitting.items())
        for cell, most in fitting.items():
            if value <= most:
                board[cell] = value
                more = [*owing, cell] if cell in LIGHT and dark else owing
                found = can_make_good_slowly(board, without(hand, value), more)
                board[cell] = 0
                if found:
                    return True
    return False


def play(game: Oracle, *moves: str) -> None:
    for move in moves:
        game.play(move)


def check_sheet(game: Oracle, seat: int, columns: list[Any]) -> None:
    assert list(game.position()["sheets"][seat - 1].values()) == columns


def check_example() -> None:
    """The rulebook's example, as the rules replay it."""
    for keeping in ("free", "forced"):
        position = Oracle({"players": 2, "keeping": keeping, "teams": False}, (0, 0)).position()
        to_come = [5, 3, 1, 2, 3, 1, 6]
        bag = list(ALL_TILES)
        for value in [6, 5, 5, *to_come]:
            bag.remove(value)
        position.update(player=1, starter=1, hands=[[5, 5, 6], []], bag=bag + to_come[::-1])
        game = Oracle.from_position(position)

        assert game.moves() == {"5@h8", "6@h8"}
        play(game, "6@h8")
        assert game.moves() == {f"5@{cell}" for cell in ("g8", "i8", "h7", "h9")}
        play(game, "5@i8")
        assert "5@i7" in game.moves() and "5@g8" not in game.moves() and "stop" not in game.moves()
        play(game, "5@i7")
        check_sheet(game, 1, [2, [1], [2], []])
        assert game.position()["hands"] == [[], [3, 5]]
        play(game, "5@h7")
        check_sheet(game, 2, [0, [1], [2], []])
        assert game.position()["hands"] == [[1, 2], [3]] and game.position()["known"] == [[0, ""], [1, "3456"]]
        play(game, "1@g8", "2@g7")
        check_sheet(game, 1, [3, [1], [2], [8]])
        assert game.position()["hands"] == [[], [3, 3]] and game.position()["known"] == [[0, ""], [1, "3456"]]
        play(game, "3@g6", "3@g5")
        check_sheet(game, 2, [0, [1], [2], []])
        assert game.position()["hands"] == [[1, 6], []]
        before = game.position()
        play(game, "1@i9")
        play(game, sorted(game.moves() & {"6@f5", "6@h5", "6@f6", "6@f8"})[0])
        check_sheet(game, 1, [4, [1], [2, 2], [8]])
        for order in (["1@h6", "6@f6"], ["6@f6", "1@h6"]):
            game = Oracle.from_position(before)
            play(game, order[0])
            assert game.position()["owing"] == (["f6"] if order[0] == "6@f6" else [])
            assert ("stop" in game.moves()) == (keeping == "free" and order[0] == "1@h6")
            play(game, order[1])
            check_sheet(game, 1, [4, [1, 1], [2], [8, 4]])

        final = game.position()
        final["over"] = True
        final["hands"] = [[5], []]
        final["sheets"][0] = {
            "x2": 13,
            "10": [1, 1, 1, 2, *[1] * 10],
            "11": [2, 2, 2, 2, 4, *[2] * 7],
            "12": [8, 4, 4, 8, 4, 8, 8, *[4] * 10],
        }
        assert sheet_total(final["sheets"][0]) == 329
        assert Oracle.from_position(final).scores()[0] == 324


def check_games() -> None:
    chooser = random.Random(1)
    variants = [
        {"players": players, "keeping": keeping, "teams": teams}
        for players in (2, 3, 4, 5, 6)
        for keeping in ("free", "forced")
        for teams in ((False, True) if players in (4, 6) else (False,))
    ]

    def choose(moves: set[str]) -> str:
        by_kind: dict[str, list[str]] = {}
        for move in sorted(moves):
            by_kind.setdefault("lay" if "@" in move else move, []).append(move)
        return chooser.choice(by_kind[chooser.choice(sorted(by_kind))])

    for options in variants:
        started = time.process_time()
        games = 15
        for number in range(games):
            game = Oracle(options, (7, number))
            while not game.over():
                game.play(choose(game.moves()))
        speed = games / (time.process_time() - started)
        print(f"{options}: {speed:.0f} games/s, last scores {game.scores()}")

    compared = 0
    seen = {"draw": 0, "stop": 0, "owing": 0, "exception": 0, "hand of 3 or more": 0, "known": 0, "turn by itself": 0}
    for number in range(2 * len(variants)):
        game = Oracle(variants[number % len(variants)], (8, number))
        while True:
            position = game.position()
            tiles = list(position["bag"])
            for hand in position["hands"]:
                tiles += hand
            tiles += [value for value in game._board if value]
            assert sorted(tiles) == ALL_TILES
            assert all(max(sums(game._board, place)) <= 12 for place in CELLS if game._board[place])
            assert game._rooms == rooms(game._board)
            again = Oracle.from_position(position)
            assert again.position() == position and again.moves() == game.moves() and again.scores() == game.scores()
            assert game.over() == (not game.moves())
            if game.over():
                assert not position["bag"]
                break
            hand = position["hands"][position["player"] - 1]
            lays = {move for move in game.moves() if "@" in move}
            assert lays
            if len(hand) <= 2 or (len(hand) == 3 and chooser.random() < 0.01):
                slow = set()
                for value in set(hand):
                    dark = game._fits_on_dark(value)
                    for cell, most in game._rooms.items():
                        if value <= most:
                            owing = [*game._owing, cell] if cell in LIGHT and dark else game._owing
                            game._board[cell] = value
                            if can_make_good_slowly(game._board, without(hand, value), owing):
                                slow.add(f"{value}@{NAMES[cell]}")
                            game._board[cell] = 0
                assert slow == lays, (position, slow, lays)
                compared += 1
            seen["draw"] += "draw" in game.moves()
            seen["stop"] += "stop" in game.moves()
            seen["owing"] += bool(position["owing"])
            seen["exception"] += any(
                PLACES[move[2:]] in LIGHT and not game._fits_on_dark(int(move[0])) for move in lays
            )
            seen["hand of 3 or more"] += len(hand) >= 3
            seen["known"] += any(count for count, _ in position["known"])
            game.play(choose(game.moves()))
            after = game.position()
            seen["turn by itself"] += after["known"][position["player"] - 1][0] > 0
    print(f"{compared} positions compared with trying everything; positions seen with {seen}")


if __name__ == "__main__":
    check_example()
    check_games()
