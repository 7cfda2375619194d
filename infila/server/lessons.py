"""How far a table is in its lesson, a guided first game (`web/lesson.py`).

A lesson is played at an ordinary table. How far somebody is follows from the table's log, so it survives everything
that a table survives; who leaves the lesson's path, say through the API, simply plays on alone.
"""

from dataclasses import dataclass

from infila.core.errors import IllegalMove
from infila.server.moment import PLAYING, Moment
from infila.web.lesson import Lesson, Step, lesson_of


@dataclass(frozen=True)
class Progress:
    """Where a table is in its lesson."""

    lesson: Lesson
    at: int  # the step that is on; as many as there are steps: the learner plays alone
    pending: tuple[str, ...] = ()  # what the computer plays before the step is on
    strayed: bool = False  # a move was made that the lesson does not know

    @property
    def step(self) -> Step | None:
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) and not self.strayed else None

    @property
    def reading(self) -> bool:
        """Whether the coach says something that waits to be read: nobody moves before."""
        return self.step is not None and not self.step.moves and not self.pending


def progress(moment: Moment) -> Progress | None:
    """How far a table's lesson is; None if it is no lesson."""
    lesson = lesson_of(moment.header.game) if moment.header.lesson else None
    if lesson is None:
        return None
    own = [i for i, move in enumerate(moment.history) if move.seat == lesson.seat - 1]
    since = len(moment.history) - own[-1] - 1 if own else len(moment.history)
    made = iter(moment.history[i].text for i in own)
    unread = moment.read
    replies: tuple[str, ...] = ()  # to all that was done since the learner's last move
    for at, step in enumerate(lesson.steps):
        if step.moves:
            move = next(made, None)
            if move is None:
                return Progress(lesson, at, replies[since:])
            if not step.takes(move):
                return Progress(lesson, at, strayed=True)
            replies = step.replies
        else:
            if unread == 0:
                return Progress(lesson, at, replies[since:])
            unread -= 1
            replies += step.replies
    return Progress(lesson, len(lesson.steps), replies[since:])


def on_hold(moment: Moment) -> bool:
    """Whether the computer waits until the coach has been read."""
    now = progress(moment)
    return now is not None and now.reading


def reply(moment: Moment, seat: int) -> str | None:
    """What the lesson lets the computer play now, if anything."""
    now = progress(moment)
    view = moment.view(seat)
    if now is None or view is None or not now.pending:
        return None
    return now.pending[0] if now.pending[0] in view.moves else None


def objection(moment: Moment, seat: int, text: str) -> Step | None:
    """The step that wants another move than this one, though it is legal."""
    now = progress(moment)
    if now is None or now.step is None or moment.state != PLAYING or (view := moment.view(seat)) is None:
        return None
    try:
        move = view.text(view.read(text.strip()))
    except IllegalMove:
        return None
    return None if now.step.takes(move) else now.step
