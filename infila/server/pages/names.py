"""What tables, and those who sit there, are called on a page."""

from collections.abc import Sequence

from infila.server.snapshot import COMPUTER, FROM_LOG, FROM_POSITION, NAMELESS, Seat, numbered
from infila.web.languages import Translate, noun


def names_of(seats: Sequence[Seat], _: Translate) -> tuple[str, ...]:
    """Everybody's name, equal ones told apart."""
    names = numbered([name_of(seat.kind, seat.name, _) for seat in seats])
    computers = [seat.kind for seat in seats].count(COMPUTER)
    context = "computers" if computers > 1 else "computer"
    return tuple(
        noun(name, context) if seat.kind == COMPUTER else name for name, seat in zip(names, seats, strict=True)
    )


def name_of(kind: str, name: str, _: Translate) -> str:
    """Computers, and people who have given no name, are called so in the reader's language."""
    return _("computer") if kind == COMPUTER else called(name, _)


def called(name: str, _: Translate) -> str:
    return _("guest") if name == NAMELESS else name


def origin_text(origin: str, _: Translate) -> str:
    """The mark of a table whose cards somebody knew before; empty where they were dealt."""
    return {FROM_POSITION: _("from a position"), FROM_LOG: _("from a log")}.get(origin, "")
