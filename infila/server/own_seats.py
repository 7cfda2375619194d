"""Which seat somebody means, and whether it is theirs."""

from infila.server.errors import Forbidden, Unknown
from infila.server.snapshot import PERSON, Snapshot


def existing_seat(snapshot: Snapshot, seat: int) -> int:
    if not 0 <= seat < len(snapshot.seats):
        raise Unknown(
            "there is no seat {seat}; the seats are 1 to {players}.", seat=seat + 1, players=len(snapshot.seats)
        )
    return seat


def own_seat(snapshot: Snapshot, person: str, seat: int | None = None) -> int:
    """A seat of one's own: the one named, or the first."""
    mine = snapshot.seats_of(person)
    if not mine:
        raise Forbidden("you do not sit at this table.")
    if seat is None:
        return mine[0]
    if existing_seat(snapshot, seat) not in mine:
        raise Forbidden("seat {seat} is not yours.", seat=seat + 1)
    return seat


def own_seats(snapshot: Snapshot, person: str, seat: int | None) -> list[int]:
    """The seat of one's own that is named, or all of them."""
    if seat is None and snapshot.seats_of(person):
        return list(snapshot.seats_of(person))
    return [own_seat(snapshot, person, seat)]


def moving_seat(snapshot: Snapshot, person: str, seat: int | None = None) -> int:
    """The seat that a move is for: the one named, or of one's own the one that has to act."""
    mine = snapshot.seats_of(person)
    if seat is None and len(mine) > 1:
        on_turn = [each for each in mine if each == snapshot.player]
        return [*on_turn, *(each for each in mine if each in snapshot.to_act), *mine][0]
    return own_seat(snapshot, person, seat)


def viewing_seat(
    snapshot: Snapshot, person: str | None, seat: int | None = None, spectating: bool = False
) -> int | None:
    """Through which seat's eyes somebody sees a table; None: a spectator's."""
    if spectating:
        return None
    mine = snapshot.seats_of(person)
    if seat is not None:
        return own_seat(snapshot, person or "", seat)
    if len(mine) < 2:
        return mine[0] if mine else None
    return moving_seat(snapshot, person or "")


def other_people(snapshot: Snapshot, person: str) -> frozenset[str]:
    """The other people who play."""
    return frozenset(
        seat.person
        for seat in snapshot.seats
        if seat.kind == PERSON and not seat.away and seat.person is not None and seat.person != person
    )
