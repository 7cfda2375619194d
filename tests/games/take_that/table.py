"""Positions of Take That for its tests, by the cards that matter."""

from typing import Any

import pytest

import infila
from infila.games.take_that.rules import DECK
from tests.play import position_in


def table(
    hands: list[list[int]],
    row: tuple[int, ...] = (),
    pile: tuple[int, ...] = (),
    plus: dict[int, list[int]] | None = None,
    minus: dict[int, list[int]] | None = None,
    player: int = 1,
    **options: Any,
) -> infila.Game:
    """A position; cards that are not named are minus cards of the last seat. The pile's last card is drawn next."""
    players = len(hands)
    named = {*row, *pile, *(card for hand in hands for card in hand)}
    pluses = [(plus or {}).get(seat, []) for seat in range(1, players + 1)]
    minuses = [list((minus or {}).get(seat, [])) for seat in range(1, players + 1)]
    named |= {card for cards in [*pluses, *minuses] for card in cards}
    minuses[-1] += [int(card) for card in DECK if card not in named]
    return infila.load(
        {
            "game": "take_that",
            "rules": 1,
            "options": {"players": players, "rounds": 1, "expert": False, "dealer": 1} | options,
            "chance": {"key": ["0" * 16, "0" * 16], "counter": 0},
            "player": player,
            "over": False,
            "round": 1,
            "dealer": 1,
            "points": [0] * players,
            "row": list(row),
            "pile": list(pile),
            "hands": hands,
            "plus": pluses,
            "minus": minuses,
            "extra": [[] for _ in hands],
        }
    )


def refused(game: infila.Game, move: str) -> str:
    before = position_in(game)
    with pytest.raises(infila.IllegalMove) as caught:
        game.play(move)
    assert position_in(game) == before
    return caught.value.rule
