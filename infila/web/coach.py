"""The coach's panel beside the board of a lesson."""

from dataclasses import dataclass

from infila.core.games import contract_of
from infila.lessons.coach import Speech
from infila.lessons.progress import Progress
from infila.web.html import TABLE_PARTS, macros
from infila.web.languages import translator


@dataclass(frozen=True)
class Coach:
    """What the coach of a lesson says, and where it points."""

    html: str
    wish: tuple[str, ...] = ()  # moves that it suggests
    show: tuple[str, ...] = ()  # parts and panels of the picture that it speaks of
    reading: bool = False  # nothing is to be done but read
    alone: bool = False  # there is nothing more to teach


def drawn(speech: Speech, now: Progress, language: str) -> Coach:
    """The coach's panel as the learner hears it: how far the lesson is, what is said, and what can be done."""
    _ = translator(language)
    words = contract_of(now.game).words(language)["lesson"]
    html = macros(TABLE_PARTS).coach(
        game=now.game,
        at=now.at,
        count=len(now.lesson.steps),
        text=_(speech.sentence) if speech.sentence else words[speech.text],
        rules=speech.rules,
        wanted=words[speech.wanted] if speech.wanted else "",
        reading=speech.reading,
        alone=speech.alone,
        _=_,
    )
    return Coach(str(html), speech.suggested, speech.points_at, speech.reading, speech.alone)
