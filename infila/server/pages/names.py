"""What people and computers at a table are called."""

from collections.abc import Sequence

from infila.server.moment import COMPUTER, NAMELESS, Seat, numbered
from infila.web.languages import Translate


def name_of(kind: str, name: str, _: Translate) -> str:
    """Computers, and people who have given no name, are called so in the reader's language."""
    return _("computer") if kind == COMPUTER else _("guest") if name == NAMELESS else name


def names_of(seats: Sequence[Seat], _: Translate) -> tuple[str, ...]:
    """Everybody's name, equal ones told apart."""
    return numbered([name_of(seat.kind, seat.name, _) for seat in seats])
