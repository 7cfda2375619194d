"""Positions of Zatre for tests, and short ways to play them."""

from collections import Counter
from typing import Any

import pytest

import infila
from infila.games.zatre.board import PLAN
from infila.games.zatre.notation import place_of
from tests.play import position_in

SUPPLY = {1: 21, 2: 20, 3: 20, 4: 20, 5: 20, 6: 20}

EMPTY: dict[str, Any] = {"x2": 0, "10": [], "11": [], "12": []}


def table(
    laid: str,
    *hands: list[int],
    draws: tuple[int, ...] = (),
    bag: tuple[int, ...] | None = None,
    sheets: dict[int, dict[str, Any]] | None = None,
    known: dict[int, list[Any]] | None = None,
    new: str = "",
    owing: str = "",
    keeping: str = "free",
    teams: bool = False,
    **more: Any,
) -> infila.Game:
    """A position: `laid` is what lies, as "6@h8 5@i8", `new` the cells laid in this turn, `owing` those that owe.

    `draws` are the tiles that come next; all tiles not named are in the bag below them, ones on top. With `bag`, its
    tiles in the order in which they come, all tiles not named are in the last hand instead.
    """
    left = Counter(SUPPLY)
    rows = [["#" if cell == "#" else "." for cell in line] for line in PLAN]
    for tile in laid.split():
        value, cell = tile.split("@")
        place = place_of(cell)
        rows[14 - (place >> 4)][place & 15] = value
        left[int(value)] -= 1
    left.subtract(tile for hand in hands for tile in hand)
    left.subtract(draws if bag is None else bag)
    assert min(left.values()) >= 0
    rest = sorted(left.elements(), reverse=True)
    held = [sorted(hand) for hand in hands]
    if bag is not None:
        held[-1] = sorted(held[-1] + rest)
    players = len(hands)
    order = {name: place_of(name) for name in (*new.split(), *owing.split())}
    return infila.load(
        {
            "game": "zatre",
            "rules": 1,
            "options": {"players": players, "keeping": keeping, "teams": teams},
            "chance": {"key": ["0123456789abcdef", "fedcba9876543210"], "counter": 0},
            "player": 1,
            "over": False,
            "start": [],
            "starter": 1,
            "opening": False,
            "second": False,
            "board": ["".join(row) for row in rows],
            "bag": [*rest, *reversed(draws)] if bag is None else list(reversed(bag)),
            "hands": held,
            "laid": sorted(new.split(), key=lambda name: order[name]),
            "owing": sorted(owing.split(), key=lambda name: order[name]),
            "drawn": True,
            "drawn_second": False,
            "sheets": [(sheets or {}).get(sheet, EMPTY) for sheet in range(1, players // (1 + teams) + 1)],
            "known": [(known or {}).get(seat, [0, ""]) for seat in range(1, players + 1)],
            **more,
        }
    )


def opening(*hands: list[int], **more: Any) -> infila.Game:
    return table("", *hands, **{"opening": True, "drawn_second": more.get("teams", False), **more})


def refused(game: infila.Game, move: str) -> str:
    """The rule that forbids a move; nothing changes."""
    before = position_in(game)
    with pytest.raises(infila.IllegalMove) as caught:
        game.play(move)
    assert position_in(game) == before
    assert str(caught.value).endswith(".")
    return caught.value.rule


def play(game: infila.Game, moves: str) -> infila.Game:
    for move in moves.split():
        game.play(move)
    return game


def sheet(game: infila.Game, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = position_in(game)["sheets"][number - 1]
    return found


def hand(game: infila.Game, seat: int = 1) -> list[int]:
    found: list[int] = position_in(game)["hands"][seat - 1]
    return found


def cells(game: infila.Game, value: int) -> set[str]:
    """Where a value may be laid."""
    return {move.split("@")[1] for move in game.moves if move.startswith(f"{value}@")}


BLOCK = "6@h8 5@i8 5@i7 5@h7"  # lines of 11, 10, 11 and 10: beside it only ones and twos fit

CORNER = "6@h8 6@i8 6@h9"  # two lines of 12: everything fits, but only on the light cells i7, g9 and i9


def begun(kept: list[int], keeping: str, draws: tuple[int, ...] = (3, 4)) -> infila.Game:
    """Seat 1's turn has just begun, beside the BLOCK, with these tiles kept."""
    game = table("6@h8 5@i8 5@i7", kept, [5], player=2, keeping=keeping, draws=draws)
    return game.after("5@h7")


def pairs(laid: str, *hands: list[int], **more: Any) -> infila.Game:
    return table(laid, *hands, **{"teams": True, "drawn_second": True, **more})
