"""How far somebody has come in a lesson.

This follows from the moves made and what has been read, so it survives everything that a table survives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from infila.core.errors import InfilaError
from infila.core.games import contract_of
from infila.core.words import Saying, words_of
from infila.lessons.lesson import Lesson, Step, lesson_of


class Move(Protocol):
    """A move that was made."""

    @property
    def seat(self) -> int | None: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True)
class Progress:
    """Where a game is in its lesson."""

    game: str
    lesson: Lesson
    at: int  # the current step; the number of steps once the learner plays alone
    pending: tuple[str, ...] = ()  # what the computer plays before this step
    strayed: bool = False  # a move was made that is not in the lesson

    @property
    def step(self) -> Step | None:
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) and not self.strayed else None

    @property
    def reading(self) -> bool:
        """Whether what the coach says must be read before anybody moves."""
        return self.step is not None and not self.step.moves and not self.pending

    def objection(self, move: str) -> InfilaError | None:
        """Why a legal move is not the one to make now; None if the lesson can go on from it."""
        step = self.step
        if step is None or step.takes(move):
            return None
        if not step.moves:
            return InfilaError("Read on first: the button is beside what the coach says.")
        package, key = contract_of(self.game).package, f"{step.key}_not"
        if key in words_of(package, "en")["lesson"]:
            return InfilaError(Saying(package, key, {}, "lesson"))
        return InfilaError(
            "That is allowed, but this lesson goes on with another move. You can try yours in your next game."
        )


def progress(game: str, history: Sequence[Move], read: int) -> Progress | None:
    """How far a lesson has come after some moves and `read` readings; None if the game has no lesson."""
    lesson = lesson_of(game)
    if lesson is None:
        return None
    own = [i for i, move in enumerate(history) if move.seat == lesson.seat - 1]
    since = len(history) - own[-1] - 1 if own else len(history)
    made = iter(history[i].text for i in own)
    unread = read
    replies: tuple[str, ...] = ()  # to everything since the learner's last move
    for at, step in enumerate(lesson.steps):
        if step.moves:
            move = next(made, None)
            if move is None:
                return Progress(game, lesson, at, replies[since:])
            if not step.takes(move):
                return Progress(game, lesson, at, strayed=True)
            replies = step.replies
        else:
            if unread == 0:
                return Progress(game, lesson, at, replies[since:])
            unread -= 1
            replies += step.replies
    return Progress(game, lesson, len(lesson.steps), replies[since:])
