"""What those at a table are called on a page."""

from collections.abc import Sequence

from infila.server.moment import COMPUTER, Seat, numbered
from infila.web.languages import Translate


def names_of(seats: Sequence[Seat], _: Translate) -> tuple[str, ...]:
    """Everybody's name, equal ones told apart; computers are called so in the reader's language."""
    return numbered([_("computer") if seat.kind == COMPUTER else seat.name for seat in seats])
