"""Which seat somebody means, and whether it is theirs."""

from infila.server.errors import Forbidden, Unknown
from infila.server.moment import PERSON, Moment


def existing(moment: Moment, seat: int) -> int:
    if not 0 <= seat < len(moment.seats):
        raise Unknown(
            "there is no seat {seat}; the seats are 1 to {players}.", seat=seat + 1, players=len(moment.seats)
        )
    return seat


def own(moment: Moment, person: str, seat: int | None) -> int:
    """A seat of one's own: the one named, or the first."""
    mine = moment.seats_of(person)
    if not mine:
        raise Forbidden("you do not sit at this table.")
    if seat is None:
        return mine[0]
    if existing(moment, seat) not in mine:
        raise Forbidden("seat {seat} is not yours.", seat=seat + 1)
    return seat


def mover(moment: Moment, person: str, seat: int | None) -> int:
    """The seat that a move is for: the one named, or of one's own the one that has to act."""
    mine = moment.seats_of(person)
    if seat is None and len(mine) > 1:
        acting = [each for each in mine if each == moment.player] or [each for each in mine if each in moment.to_act]
        return (acting or list(mine))[0]
    return own(moment, person, seat)


def whose(moment: Moment, person: str | None, seat: int | None, spectating: bool) -> int | None:
    """Through whose eyes somebody sees a table."""
    if spectating:
        return None
    mine = moment.seats_of(person)
    if seat is not None:
        return own(moment, person or "", seat)
    if len(mine) < 2:
        return mine[0] if mine else None
    return mover(moment, person or "", None)


def others(moment: Moment, person: str) -> frozenset[str]:
    """The other people who play."""
    return frozenset(
        seat.person
        for seat in moment.seats
        if seat.kind == PERSON and not seat.away and seat.person is not None and seat.person != person
    )
