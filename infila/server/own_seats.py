"""Which seat somebody means, and whether it is theirs."""

from infila.server.errors import Forbidden, Unknown
from infila.server.snapshot import PERSON, PLAYING, Snapshot


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
    """Through which seat's eyes somebody sees a table; None: a spectator's. Who holds several sees the one named if it
    may be shown, or the one that may."""
    if spectating:
        return None
    mine = snapshot.seats_of(person)
    if seat is None:
        return behind_curtain(snapshot, person, mine[0]) if mine else None
    named = own_seat(snapshot, person or "", seat)
    if behind_curtain(snapshot, person, named) != named:
        raise Forbidden("while you play several seats, only the one whose turn it is can be looked at.")
    return named


def behind_curtain(snapshot: Snapshot, person: str | None, seat: int | None) -> int | None:
    """Hot seat: whoever holds several seats sees, while the game is on, only the one that has to act, for several
    people look at that screen. With one seat, or once the game is over, the seat itself."""
    mine = snapshot.seats_of(person)
    if seat is None or len(mine) < 2 or snapshot.state != PLAYING:
        return seat
    if snapshot.player in mine:
        return snapshot.player
    return next((each for each in mine if each in snapshot.to_act), None)


def other_people(snapshot: Snapshot, person: str) -> frozenset[str]:
    """The other people who play, those too for whom a computer stands in until they return."""
    return frozenset(
        seat.person
        for seat in snapshot.seats
        if seat.kind == PERSON and not seat.resigned and seat.person is not None and seat.person != person
    )
