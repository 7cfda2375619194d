"""What the coach of a lesson says, suggests and points at; how that looks is decided elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from infila.lessons.progress import Progress

COMPUTER, STRAYED = "The computer plays.", "You have left the path of this lesson: play on as you like, or begin again."


@dataclass(frozen=True)
class Speech:
    """What the coach says now. `text` and `wanted` are keys of the game's words, table `lesson`, and `sentence` is
    what infila itself says instead, in English."""

    text: str = ""
    sentence: str = ""
    wanted: str = ""  # what is to be done
    rules: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()  # moves
    points_at: tuple[str, ...] = ()  # parts and panels of the picture
    reading: bool = False  # nothing is to be done but read
    alone: bool = False  # there is nothing more to teach


def speech(now: Progress, moves: Sequence[str], *, computer: bool, over: bool) -> Speech:
    """What is said to a learner who has these moves; `computer`: others move first."""
    step = now.step
    if step is None:
        if now.strayed:
            return Speech(sentence=STRAYED, alone=True)
        return Speech("end" if over else "alone", alone=True)
    if computer:
        return Speech(sentence=COMPUTER, reading=now.reading)
    return Speech(
        step.key,
        wanted="" if now.reading else f"{step.key}_do",
        rules=step.rules,
        suggested=tuple(move for move in step.moves if move in moves),
        points_at=step.show,
        reading=now.reading,
    )
