"""Pictures beside the rules: `examples.json` in a game's folder, which may be missing.

It is data; the words belong to the game's `texts/*.toml`, table `examples`.
"""

from functools import cache
from typing import Any

import msgspec

from infila.core.games import contract_of


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture beside a rule: a position, what is played from there, and what of it is shown."""

    rule: str  # its number, or that of a section that has none: s7
    panels: tuple[str, ...]
    position: dict[str, Any] | None = None  # if none, the one of the lesson
    play: tuple[str, ...] = ()
    seat: int = 1
    last: tuple[str, ...] | None = None  # parts with a ring; if none, those of the last move
    marks: dict[str, str] = {}  # parts in a state: selected, target
    crop: tuple[float, float, float, float] | None = None  # of the first panel: left, top, width, height


@cache
def examples_of(game: str) -> dict[str, Example]:
    """The pictures for a game's rules, by the key of their words."""
    file = contract_of(game).file("examples.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Example]) if file.is_file() else {}
