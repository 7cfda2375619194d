"""What those at a table are called on a page."""

from collections.abc import Sequence

from infila.server.snapshot import COMPUTER, NAMELESS, Seat, numbered
from infila.web.languages import Translate


def names_of(seats: Sequence[Seat], _: Translate) -> tuple[str, ...]:
    """Everybody's name, equal ones told apart."""
    return numbered([name_of(seat.kind, seat.name, _) for seat in seats])


def name_of(kind: str, name: str, _: Translate) -> str:
    """Computers, and people who have given no name, are called so in the reader's language."""
    return _("computer") if kind == COMPUTER else called(name, _)


def called(name: str, _: Translate) -> str:
    return _("guest") if name == NAMELESS else name
