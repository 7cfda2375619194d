"""What the table refuses, in one sentence, with the HTTP status that says what kind of refusal it is."""

from typing import Any

from infila.core.errors import InfilaError


class Refused(InfilaError):
    """A request that cannot be granted now."""

    status = 400


class Unknown(Refused):
    """There is no such thing, or it is nobody's business."""

    status = 404


class Forbidden(Refused):
    """Somebody else may do this."""

    status = 403


class Unauthorised(Refused):
    """Nobody knows who asks."""

    status = 401


class Conflict(Refused):
    """The table has moved on. `version` is the present one."""

    status = 409

    def __init__(self, sentence: str, version: int) -> None:
        super().__init__(sentence, version=version)
        self.version = version


class TooMuch(Refused):
    """Too often, or too many. `seconds` is when it is worth another try."""

    status = 429

    def __init__(self, sentence: str, *, seconds: int, **gaps: Any) -> None:
        super().__init__(sentence, **gaps)
        self.seconds = seconds


class Full(TooMuch):
    """The server has no room for more, whoever asks."""

    status = 503


class Stopping(Refused):
    """The server goes away and cannot do it any more."""

    status = 503


class CannotServe(InfilaError):
    """The server cannot start: the database or the port is not to be had."""
