"""What benches must know of each game: `bench/games/<game>` says it, so that a bench names none."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.sizes import Size

Options = dict[str, Any]


@dataclass(frozen=True)
class Facts:
    """One game's."""

    target: int  # random play at least so many times as fast as OpenSpiel's connect_four
    tables: list[Options]  # at which the levels meet
    lucky: bool  # there is much luck in it: less is wanted of the stronger player
    reference: tuple[str, Callable[[dict[str, float]], float], str]  # what a level against itself tells: heading,
    # figure, and its form
    middle: int  # moves to the middle of a game
    hidden: str  # whether something is, in a word
    sizes: tuple[Size, ...]
    single: Options | None = None  # where the start moves from round to round: one round alone


def facts_of(game: str) -> Facts:
    facts: Facts = importlib.import_module(f"bench.games.{game}").FACTS
    return facts
