"""What a lesson is: a position, and step by step what the coach says, the learner plays and the computer replies.

It is data, `lesson.json` in a game's folder, which may be missing; the words belong to the game's `texts/*.toml`, table
`lesson`.
"""

from functools import cache
from typing import Any

import msgspec

from infila.core.games import contract_of


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the coach says, and what it waits for: one of `moves`, or, without any, for it to be read."""

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
    file = contract_of(game).file("lesson.json")
    return msgspec.json.decode(file.read_bytes(), type=Lesson) if file.is_file() else None
