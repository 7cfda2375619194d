"""A kernel on a GPU has 64 KB for constants: what the rules of a game look up has to fit."""

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.play import GAMES

ROOM = 65_536  # bytes, of CUDA
HAVE_RULES = ("rules", "features", "heuristics")


def looked_up(game: str) -> Iterator[tuple[str, str, int]]:
    """The arrays that each rule of a game names, and their bytes: every rule gets a copy of its own."""
    for name in HAVE_RULES:
        module = importlib.import_module(f"infila.games.{game}.{name}")
        for function in vars(module).values():
            code: Any = getattr(getattr(function, "py_func", None), "__code__", None)
            for used in code.co_names if code else ():
                array = vars(module).get(used)
                if isinstance(array, np.ndarray):
                    yield function.__name__, used, array.nbytes


@pytest.mark.parametrize("game", GAMES)
def test_what_the_rules_of_a_game_look_up_fits_into_a_kernel(game: str) -> None:
    found = list(looked_up(game))
    assert found, "every game looks something up"
    assert sum(size for *_, size in found) <= ROOM, sorted(found, key=lambda each: -each[2])[:5]
