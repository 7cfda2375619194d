"""The computer's levels at a table: one type, so that nothing else can be where a level is wanted.

What people and programs send becomes a level, or is refused, before anything is done with it. What stands in the log of
a table was written when it may have been checked less: a level that does not exist is read as the usual one.
"""

from enum import StrEnum

from infila.players import LEVELS, USUAL


class ComputerLevel(StrEnum):
    """Those of `infila.players.LEVELS`, from weak to strong, and one that plays at random."""

    BEGINNER = "beginner"
    CASUAL = "casual"
    CLUB = "club"
    EXPERT = "expert"
    MASTER = "master"
    RANDOM = "random"


USUAL_LEVEL = ComputerLevel(USUAL)
LEVELS_SPOKEN = ", ".join(ComputerLevel)


def strength(level: ComputerLevel) -> int:
    """How strong a level is: 1 and more; 0 for one that plays at random."""
    return LEVELS.index(level) + 1 if level in LEVELS else 0


def stored_level(text: str) -> ComputerLevel:
    """A level as the log of a table names it."""
    try:
        return ComputerLevel(text)
    except ValueError:
        return USUAL_LEVEL
