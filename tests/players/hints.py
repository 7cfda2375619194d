"""What tests of hints need: positions of a game of club players, and what is said of a move."""

import re
from collections.abc import Iterator
from typing import Any

import infila
from infila.core.contract import Reason
from infila.core.game import View
from infila.players.player import player

MOVES = 6  # looked at in each position


def positions(name: str, **options: Any) -> Iterator[tuple[View, list[int]]]:
    """A game of club players: the view of the seat on turn, and its best moves."""
    game, club = infila.new(name, seed=5, **options), player(name, "club")
    while not game.over:
        view = game.view(game.player)
        thought = club.think(view)
        yield view, [candidate.action for candidate in thought.candidates[:MOVES]]
        game.play(thought.move)


def reasons(view: View, action: int) -> dict[str, Reason]:
    """By their keys, without the number of a side."""
    return {re.sub(r"_\d$", "", said.key): said for said in view.contract.advice.reasons(view.states[0], action)}


def said(game: infila.Game, move: str) -> list[str]:
    view = game.view(game.player)
    found = view.contract.advice.reasons(view.states[0], view.read(move))
    words = view.contract.words()["reasons"]
    return [words[reason.key].format(**reason.values) for reason in found]
