"""What people and programs send: the bodies of requests, for pages and API alike, and what is said of a wrong one."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec

from infila.core.seeds import MOST_ATTEMPTS
from infila.server.errors import Refused, Unknown
from infila.server.identity import Name
from infila.server.levels import LEVELS_SPOKEN, USUAL_LEVEL, ComputerLevel
from infila.server.limits import (
    LONGEST_KEY,
    LONGEST_MESSAGE,
    LONGEST_MOVE,
    LONGEST_NAME,
    MOST_SEATS,
)
from infila.server.shuffle import Commitment

SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
Attempt = Annotated[int, msgspec.Meta(ge=1, le=MOST_ATTEMPTS + 1)]
Part = Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name = ""


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Without a seat the first that is open. A `name` is one's own from now on, or, for a further seat at one's screen,
    that of whoever sits there. With a commitment one contributes to the shuffle, in the `attempt` that the table
    tells."""

    seat: SeatNumber | None = None
    name: Name = ""
    commitment: Commitment = ""
    attempt: Attempt = 1


class Naming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One's name at a table; where several people share a screen, that of one seat."""

    name: Name
    seat: SeatNumber | None = None


class Commit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A commitment to a contribution, for the `attempt` that the table tells, or, if one has committed already, for the
    next: then all commit anew."""

    commitment: Commitment
    attempt: Attempt = 1


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contribution to which one has committed."""

    contribution: Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Without a seat all of one's own."""

    seat: SeatNumber | None = None


class NewMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move as in `moves`, the version it was made for, and a key: the same key again is the same move, made once."""

    move: Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]
    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)] | None = None
    seat: SeatNumber | None = None


class Thought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a browser has found in a computer's place, for the version of its task; no action: it cannot think."""

    seat: SeatNumber
    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    action: Annotated[int, msgspec.Meta(ge=0, le=2**15 - 1)] | None


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_MESSAGE)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    agreed: bool


class Fill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Without a seat all that are open."""

    seat: SeatNumber | None = None
    level: ComputerLevel = USUAL_LEVEL


class Absent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: SeatNumber
    level: ComputerLevel = USUAL_LEVEL


class Dismissed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seat of the person who is asked to leave."""

    seat: SeatNumber


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that belongs to no seat."""

    move: Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]


class Touched(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parts of the picture, in the order in which they were touched."""

    parts: Annotated[tuple[Part, ...], msgspec.Meta(max_length=10)]


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log as in docs/reference/log.md, with its seed."""

    log: str


# what each field is, said to whoever sends something else
WRONG: dict[str, Callable[[], Refused]] = {
    "table": lambda: Unknown("there is no such table."),
    "name": lambda: Refused("a name is a text of at most {most} characters.", most=LONGEST_NAME),
    "names": lambda: Refused("a name is a text of at most {most} characters.", most=LONGEST_NAME),
    "seat": lambda: Refused("seat is the number of a seat."),
    "commitment": lambda: Refused("a commitment is 64 hexadecimal digits."),
    "contribution": lambda: Refused("a contribution is 64 hexadecimal digits."),
    "attempt": lambda: Refused("attempt is the number of an attempt at the shuffle, 1 to {most}.", most=MOST_ATTEMPTS),
    "move": lambda: Refused("a move is a text of at most {most} characters.", most=LONGEST_MOVE),
    "version": lambda: Refused("a move carries the version it was made for."),
    "action": lambda: Refused("an action is the number of a move."),
    "key": lambda: Refused("a key is one line of at most {most} characters.", most=LONGEST_KEY),
    "text": lambda: Refused("a message is one line of 1 to {most} characters.", most=LONGEST_MESSAGE),
    "agreed": lambda: Refused("agreed is true or false."),
    "level": lambda: Refused("level is the name of a computer's level."),
    "parts": lambda: Refused("parts are the names of parts of the picture."),
}


def wrong(field: str, problem: str) -> Refused:
    """What is said of a field that is not as it should be, missing, or not expected."""
    if found := re.search(r"unknown field `(.*?)`", problem):
        return Refused("there is an unknown field here: {field}.", field=found[1])
    if found := re.search(r"missing required field `(\w+)`", problem):
        field = found[1]
    if found := re.fullmatch(rf"Invalid enum value '(.{{0,{LONGEST_NAME}}})'.*", problem):
        return Refused("there is no level {level!r}. There are {levels}.", level=found[1], levels=LEVELS_SPOKEN)
    say = WRONG.get(re.split(r"\W", field)[0])
    if say is None and field in ("", "data"):
        return Refused("a JSON object is expected.")
    return say() if say else Refused("{field} is not as it should be: {problem}.", field=field, problem=problem)


B = TypeVar("B")


def from_form(kind: type[B], form: Mapping[str, Any]) -> B:
    """A body from the fields of a page's form."""
    try:
        return msgspec.convert(form, kind)
    except msgspec.ValidationError as problem:
        field = re.search(r"`\$\.(\w+)", str(problem))
        raise wrong(field[1] if field else "", str(problem)) from None
