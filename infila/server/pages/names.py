"""What those at a table are called on a page."""

from collections.abc import Sequence

from infila.server.moment import COMPUTER, NAMELESS, Seat, numbered
from infila.web.languages import Translate


def names_of(seats: Sequence[Seat], _: Translate) -> tuple[str, ...]:
    """Everybody's name, equal ones told apart; computers and those without a name in the reader's language."""
    return numbered([name_of(seat, _) for seat in seats])


def name_of(seat: Seat, _: Translate) -> str:
    return _("computer") if seat.kind == COMPUTER else called(seat.name, _)


def called(name: str, _: Translate) -> str:
    return _("guest") if name == NAMELESS else name
