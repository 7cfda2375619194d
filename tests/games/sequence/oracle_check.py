"""The oracle of Sequence checks itself: worked examples, and random games with every position looked at.

python -m tests.games.sequence.oracle_check
"""

import json
import random
import sys
import time
from collections import Counter
from typing import Any

from tests.games.sequence.oracle import CARDS, CELLS_OF, FIVE_NAMED, FIVES, TWO_EYED, Oracle, all_compatible, cell_name

SEEN: Counter[str] = Counter()


def kind_of(text: str) -> str:
    move = text.partition(": ")[2] or text
    word = move.partition(" ")[0]
    if word in ("dead", "lock", "draw", "discard", "pass", "offence"):
        return word
    return "one-eyed" if "x" in word else "two-eyed" if word[:2] in TWO_EYED else "card"


def check_invariants(game: Oracle) -> None:
    cards = [card for hand in game.hands for card in hand] + game.pile + [card for _, card in game.discards]
    assert sorted(cards) == sorted(CARDS * 2)
    position = game.position()
    again = Oracle.from_position(json.loads(json.dumps(position)))
    assert again.position() == position
    assert again.moves() == game.moves()
    assert bool(game.moves()) != game.over()
    assert len(set(game.undrawn)) == len(game.undrawn)
    assert game.owing == sorted(set(game.owing))
    for side in range(1, game.sides + 1):
        fives = game.sequences[side - 1]
        assert all_compatible(fives)
        assert all(game._complete(side, five) for five in fives)
        assert (len(fives) >= game._sequences_needed()) == (game.winner == side)
        if game.locking is None and not game.over():  # S21: what can be counted has been counted
            assert not any(game._countable(side, five) for five in FIVES)
    if game.over():
        assert not game.undrawn and not game.owing and game.locking is None and not game.exchanged
        assert sum(game.scores()) == (0 if game.winner is None else game.players // game.sides)


def random_game(options: dict[str, Any], key: tuple[int, int], chooser: random.Random, checked: bool) -> Oracle:
    game = Oracle(options, key)
    while not game.over():
        kinds: dict[str, list[str]] = {}
        for text in sorted(game.moves()):
            kinds.setdefault(kind_of(text), []).append(text)
        names = sorted(kinds)
        kind = chooser.choices(names, [1 if name == "offence" else 30 for name in names])[0]
        SEEN[kind] += 1
        game.play(chooser.choice(kinds[kind]))
        if checked:
            check_invariants(game)
    SEEN["over: draw" if game.winner is None else "over: won"] += 1
    return game


def set_up(rows: dict[int, str], hands: list[list[str]], sequences: list[list[str]], **changes: Any) -> Oracle:
    """A position with these rows of the board (others empty) and these hands, seat 1 on turn."""
    options = {"players": len(hands), "sides": 2, "advanced": False, "draw": "auto", "table_talk": "allowed"}
    options |= {name: changes.pop(name) for name in list(changes) if name in options}
    position = Oracle(options, (1, 2)).position()
    deck = CARDS * 2
    for card in (card for hand in hands for card in hand):
        deck.remove(card)
    board = [rows.get(row, "*........*" if row in (1, 10) else "..........") for row in range(10, 0, -1)]
    position |= {"board": board, "hands": hands, "pile": deck, "sequences": sequences, "player": 1}
    return Oracle.from_position(position | changes)


def check_examples() -> None:
    assert len(FIVES) == 192 and len(FIVE_NAMED) == 192
    assert sorted(CELLS_OF) == sorted(CARDS[:48]) and all(len(cells) == 2 for cells in CELLS_OF.values())
    assert [cell_name(cell) for cell in CELLS_OF["7S"]] == ["g10", "b2"]

    # S12: six in a line, the player chooses; the draw comes with the lock
    game = set_up({4: ".11.111..."}, [["8H"], ["JS"]], [[], []])
    game.play("8H@d4")
    assert game.moves() == {"lock b4-f4", "lock c4-g4"} and game.player == 1 and not game.hands[0]
    game.play("lock c4-g4")
    assert game.player == 2 and len(game.hands[0]) == 1 and game.position()["sequences"] == [["c4-g4"], []]
    assert game.moves() == {"JSxb4"}  # S21: only the five are safe

    # S13: nine in a line are two sequences, and win without asking (S21)
    game = set_up({4: "1111.1111."}, [["9H"], ["JS"]], [[], []])
    game.play("9H@e4")
    assert game.scores() == [1, 0] and game.position()["sequences"] == [["a4-e4", "e4-i4"], []]

    # S21: nine around a turned middle five are one
    game = set_up({4: "1.1111111."}, [["9S"], ["JS"]], [["c4-g4"], []])
    game.play("9S@b4")
    assert not game.over() and game.position()["sequences"] == [["c4-g4"], []]

    # S8, S13: a row and a column through a corner share one cell
    rows = {10: "*1111....*", 9: "1.........", 8: "1.........", 7: "1........."}
    game = set_up(rows, [["9C"], ["JS"]], [["a10-e10"], []])
    game.play("9C@a6")
    assert game.winner == 1 and game.position()["sequences"][0] == ["a6-a10", "a10-e10"]

    # S15: the sequence is gone, the five that still stands counts again
    game = set_up({4: ".222222..."}, [["JS"], ["2S"]], [[], ["b4-f4"]], advanced=True)
    assert len(game.moves()) == 6
    game.play("JSxb4")
    assert game.position()["sequences"] == [[], ["c4-g4"]]
    game = set_up({4: ".222222..."}, [["JS"], ["2S"]], [[], ["b4-f4"]])
    assert game.moves() == {"JSxg4"}

    # S16, S22: seat 2 draws before seat 1, which loses its card
    game = set_up({}, [["2S", "3S"], ["4S", "5S"]], [[], []], draw="manual")
    game.play("2S@b10")
    assert "1: draw" in game.moves()
    game.play("4S@d10")
    assert game.undrawn == [1, 2] and {"draw", "2: draw"} <= game.moves()
    game.play("2: draw")
    assert game.undrawn == [] and [len(hand) for hand in game.hands] == [1, 2]

    # S10, S11: a dead card once in a turn, then no play; all pass
    hands = [["2S"], ["JS"]]
    game = set_up({10: "*2.......*", 2: "......2..."}, hands, [[], []])
    game.pile.remove("2S")
    game.pile.append("2S")
    assert game.moves() == {"dead 2S"}
    game.play("dead 2S")
    assert game.exchanged and game.moves() == {"pass"}
    game.play("pass")
    assert game.passes == 1 and game.turns == 1 and not game.exchanged and game.moves() == {"pass"}
    game.play("pass")
    assert game.over() and game.player == 2 and game.winner is None and game.scores() == [0, 0]

    # S23: all members with a card discard, in any order, and the right to draw stays
    hands = [["2S", "2S"], ["3S"], [], ["4S", "5S"]]
    game = set_up({}, hands, [[], []], draw="manual", table_talk="forbidden", undrawn=[4], player=1)
    assert {"4: draw", "offence 1", "offence 2", "2S@b10"} <= game.moves() and "draw" not in game.moves()
    game.play("offence 2")
    assert game.moves() == {"2: discard 3S", "4: discard 4S", "4: discard 5S"}
    game.play("4: discard 5S")
    game.play("2: discard 3S")
    assert game.undrawn == [4] and game.discards == [(4, "5S"), (2, "3S")] and "offence 1" in game.moves()
    game.play("offence 1")
    assert game.moves() == {"discard 2S"}

    # S18, S24: the 1,000th turn may still win, else it is a draw, also after its lock
    game = set_up({4: "1111......"}, [["9H"], ["JS"]], [["a1-e1"], []], turns=999)
    game.play("9H@e4")
    assert game.winner == 1 and game.turns == 1000
    game = set_up({4: ".11.111..."}, [["8H"], ["JS"]], [[], []], turns=999)
    game.play("8H@d4")
    game.play("lock b4-f4")
    assert game.over() and game.winner is None and game.player == 1 and not game.hands[0]


if __name__ == "__main__":
    check_examples()
    chooser = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    tables = [(2, 2), (3, 3), (4, 2), (6, 2), (6, 3), (8, 2), (9, 3), (10, 2), (12, 2), (12, 3)]
    for players, sides in tables:
        for checked, games in ((True, 8), (False, 24)):
            begun = time.process_time()
            for number in range(games):
                options = {
                    "players": players,
                    "sides": sides,
                    "advanced": bool(number & 1),
                    "draw": "manual" if number & 2 else "auto",
                    "table_talk": "forbidden" if number & 4 else "allowed",
                }
                key = (chooser.getrandbits(64), chooser.getrandbits(64))
                random_game(options, key, chooser, checked)
            speed = games / (time.process_time() - begun)
            print(f"{players} players, {sides} sides: {speed:.0f} games/s" + (", every position checked" * checked))
    print(dict(SEEN))
