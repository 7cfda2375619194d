"""What tests of all games must know of each: with which options it is played, and what is particular to it.

`tests/games/<game>/cases.py` says it, so that a test which concerns every game names none.
"""

import importlib
from dataclasses import dataclass, field
from typing import Any

Chosen = dict[str, Any]  # options


@dataclass(frozen=True)
class Cases:
    """One game's."""

    option_sets: list[Chosen]  # all that differ in a rule, each once
    few: list[Chosen]  # some of them, where a game of each takes long
    thought_about: list[Chosen]  # for computer players
    short: Chosen  # what makes a game short
    batch: Chosen  # for many games at once
    crowded: Chosen  # with many players
    studied: Chosen
    seat_env: Chosen  # for an environment in which one seat learns
    openspiel: str
    observed: Chosen  # with several others to look at
    late: Chosen  # for positions late in a game
    pile: str  # the field of a position that holds what is drawn from
    scene: Chosen  # for pictures of pages
    scene_moves: int  # after which there is much to see
    most: Chosen  # with as many players as there can be
    piece: str  # the selector of what the size of the board is measured by: a piece, or a cell and the next one
    sizes: dict[str, int]  # of windows: how wide that must be in each, at least
    oracle_batches: int  # of games for the oracle, by what one takes
    nothing_learnt: dict[str, set[bool]]  # kinds of moves: whether one tells nobody anything
    taken_back: Chosen = field(default_factory=dict)  # options for that
    bytes_of_state: int = 1024  # at most
    soon_over: bool = False  # whether a game always ends within 250 moves
    hands: bool = True  # whether players hold what others cannot see
    aimless: bool = False  # whether a game at random goes on and on, because some moves lead nowhere


def cases_of(game: str) -> Cases:
    cases: Cases = importlib.import_module(f"tests.games.{game}.cases").CASES
    return cases
