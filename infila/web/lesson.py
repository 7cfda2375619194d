"""What a game's folder holds for those who learn it: a lesson, `lesson.json`, and pictures for its rules.

Either may be missing. Both are data; the words belong to the game's `texts/*.toml`, tables `lesson` and `examples`.
"""

from functools import cache
from importlib import resources
from typing import Any

import msgspec

from infila.core.games import contract_of


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the coach says, and what it waits for: one of `moves`, or where there are none that it has been read."""

    key: str  # of the game's words, table `lesson`; `key_do` says what to do, `key_not` why no other move
    moves: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # moves that are not suggested, but after which the lesson goes on
    replies: tuple[str, ...] = ()  # what the computer plays then, before the next step
    rules: tuple[str, ...] = ()
    show: tuple[str, ...] = ()  # parts or panels of the picture to point at

    def takes(self, move: str) -> bool:
        return move in self.moves or move in self.also


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: dict[str, Any]
    steps: tuple[Step, ...]
    seat: int = 1  # the learner's
    level: str = "beginner"  # of the computer, once it has nothing more to reply


@cache
def lesson_of(game: str) -> Lesson | None:
    """The lesson of a game, if it has one."""
    file = resources.files(contract_of(game).package).joinpath("lesson.json")
    return msgspec.json.decode(file.read_bytes(), type=Lesson) if file.is_file() else None


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture beside a rule: a position, what is played from there, and what of it is shown."""

    rule: str
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
    file = resources.files(contract_of(game).package).joinpath("examples.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Example]) if file.is_file() else {}
