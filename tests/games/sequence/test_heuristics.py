"""How Sequence is played: ratings and prospects."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.core.contract import WORTH
from infila.core.dispatch import rate, worth
from infila.players import search
from tests.play import position_in, random_game

ROOT = Path(__file__).parents[3]
OPTIONS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 2, "advanced": True},
    {"players": 3},
    {"players": 4, "draw": "manual", "table_talk": "forbidden"},
    {"players": 6, "sides": 3},
    {"players": 12},
]


def ratings(states: Any, seat: int) -> dict[int, int]:
    """What the rating thinks of every move of a seat."""
    out, values = np.zeros(400, np.int16), np.zeros(400, np.int64)
    n = int(search.rated_at(states, seat, 0, np.zeros(1, np.uint64), out, values))
    return dict(zip(out[:n].tolist(), values[:n].tolist(), strict=True))


def by_text(game: infila.Game) -> dict[str, int]:
    """The same by the text of the move."""
    rated = ratings(game.view(game.player).states, game.player)
    return {game.text(action): value for action, value in rated.items()}


def best(game: infila.Game) -> str:
    rated = by_text(game)
    return max(rated, key=lambda move: rated[move])


@pytest.mark.parametrize("options", OPTIONS)
def test_ratings_need_nothing_hidden_and_change_nothing(options: dict[str, Any]) -> None:
    for seed in range(2):
        for number, game in enumerate(random_game("sequence", seed, most=70, **options)):
            if game.over or number % 5:
                continue
            out = np.zeros(400, np.int16)
            seat = int(search.decider_at(game.states, out))
            before = game.states.tobytes()
            known = ratings(game.states, seat)
            assert game.states.tobytes() == before
            assert ratings(game.view(seat).states, seat) == known
            assert ratings(game.redrawn(seat, number).states, seat) == known


def prospects(states: Any) -> list[int]:
    out = np.zeros(16, np.int64)
    worth(states[0], out)
    shares: list[int] = out[: int(states["players"][0])].tolist()
    return shares


@pytest.mark.parametrize("options", OPTIONS)
def test_prospects_are_shared_and_at_the_end_are_facts(options: dict[str, Any]) -> None:
    for game in random_game("sequence", 3, **options):
        shares, sides = prospects(game.states), int(game.states["sides"][0])
        assert sum(shares[:sides]) == WORTH and min(shares) >= 0
        assert shares == shares[:sides] * (len(shares) // sides)
    assert game.over
    if game.winners:
        assert shares == [WORTH if seat in game.winners else 0 for seat in range(len(shares))]


def position(rows: str, hands: list[str], **more: Any) -> infila.Game:
    """Seat 1 on turn, with chips as drawn; the cards that nobody holds are in the pile."""
    cards = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA" for _ in "12"]
    held = [hand.split() for hand in hands]
    for card in [*(card for hand in held for card in hand), *more.get("gone", "").split()]:
        cards.remove(card)
    others = {"discards": [[2, card] for card in more.get("gone", "").split()]}
    players = len(hands)
    sides = 3 if players == 3 else 2
    base = position_in(infila.new("sequence", players=players, seed=1, **more.get("options", {})))
    fields = {
        "cut": [],
        "dealer": players,
        "player": 1,
        "turns": 30,
        "board": rows.split(),
        "hands": held,
        "pile": cards,
    }
    sequences = more.get("sequences", [[] for _ in range(sides)])
    return infila.load(base | fields | others | {"sequences": sequences} | more.get("fields", {}))


EMPTY = ["*........*", *[".........."] * 8, "*........*"]


def board(**chips: str) -> str:
    """Chips of side 1 and 2 by the names of their cells."""
    rows = [list(row) for row in EMPTY]
    for side, cells in (("1", chips.get("one", "")), ("2", chips.get("two", "")), ("3", chips.get("three", ""))):
        for cell in cells.split():
            rows[10 - int(cell[1:])]["abcdefghij".index(cell[0])] = side
    return " ".join("".join(row) for row in rows)


def test_it_wins_when_it_can() -> None:
    """S14: with three sides one sequence wins; the corner counts (S8)."""
    game = position(board(one="b1 c1 e1", two="d5 e5 f5 g5", three="b9"), ["QD 3S 4C 5H 6H 2H", *["?"] * 0, "", ""])
    assert best(game) == "QD@d1"


def test_it_blocks_four() -> None:
    """S12: side 2 lacks c5 for its second sequence; 8C is the card."""
    game = position(
        board(one="b7 h3", two="d5 e5 f5 g5 b2 c2 d2 e2 f2"), ["8C 3S 4C 5H 6C AH KH", ""], sequences=[[], ["b2-f2"]]
    )
    assert best(game) == "8C@c5"


def test_a_one_eyed_jack_takes_a_chip_of_four() -> None:
    """S9: no card blocks, so the jack must."""
    game = position(
        board(one="b7 h3", two="d5 e5 f5 g5 b2 c2 d2 e2 f2"), ["JS 3S 4C 5H 6C AH KC", ""], sequences=[[], ["b2-f2"]]
    )
    assert best(game) in {"JSxd5", "JSxe5", "JSxf5", "JSxg5"}


def test_a_jack_is_kept_when_a_card_does_the_same() -> None:
    """S9: both complete the first sequence; the jack can do more later."""
    game = position(board(one="b7 d5 e5 f5 g5", two="h3 i3 c9 d9"), ["8C 3S 4C 5H 6C AH JC", ""])
    assert best(game) == "8C@c5"


def test_a_dead_card_is_exchanged_first() -> None:
    """S10: it costs nothing."""
    game = position(board(one="b10 c3", two="g2 h3"), ["2S 4S 4C 5H 6C AH JC", ""])
    assert best(game) == "dead 2S"


def test_the_five_that_leaves_more_is_locked() -> None:
    """S12, S13: f4-j4 can share f4; beside c4-g4 there is no room."""
    chips = board(one="b4 c4 d4 e4 f4 g4", two="h2 h3 c9")
    game = position(chips, ["2H 4S 4C 5H 6C AH", ""], gone="9S", fields={"locking": "d4"})
    assert best(game) == "lock b4-f4"


SAME = """
import json, sys
import numpy as np
import infila
from infila.core.dispatch import legal, rate, worth
from infila.players import search
answers = []
for options in ({"players": 2}, {"players": 3}, {"players": 4, "advanced": True}):
    game = infila.new("sequence", seed=2, **options)
    while not game.over and len(game.history) < 40:
        game.play(game.moves[len(game.history) * 7 % len(game.moves)])
        if len(game.history) % 13 == 0:
            out, values, shares = np.zeros(400, np.int16), np.zeros(400, np.int64), np.zeros(16, np.int64)
            n = search.rated_at(game.states, game.player, 0, np.zeros(1, np.uint64), out, values)
            worth(game.states[0], shares)
            answers += [*values[: int(n)].tolist(), *shares.tolist()]
print(json.dumps(answers))
"""


def answers(**environment: str) -> list[int]:
    command = [sys.executable, "-W", "error", "-c", SAME]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: list[int] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_plain_python_rates_the_same() -> None:
    found = answers(NUMBA_DISABLE_JIT="1")
    assert len(found) > 100
    assert found == answers()


def test_the_generic_rating_is_the_games_own() -> None:
    game = infila.new("sequence", seed=1)
    out, values = np.array(game.actions(), np.int16), np.zeros(400, np.int64)
    rate(game.states[0], out, len(out), values)
    assert dict(zip(out.tolist(), values.tolist(), strict=False)) == ratings(game.states, game.player)
