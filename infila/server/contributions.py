"""Contributions to the shuffle: who makes them, what is awaited of whom, and when the cards can be dealt."""

from infila.server.snapshot import OPEN, WAITING, Snapshot

COMMITMENT, OPENING = "commitment", "opening"  # what can be awaited


def contributing_seat(snapshot: Snapshot, person: str) -> int | None:
    """The seat at which somebody contributes: one of theirs, however many they have."""
    return next((seat for seat in snapshot.seats_of(person) if snapshot.seats[seat].contributes), None)


def opening(snapshot: Snapshot) -> bool:
    """Whether it is time to open: all seats are taken, and all who contribute have committed."""
    return snapshot.state == WAITING and all(
        seat.kind != OPEN and (bool(seat.commitment) or not seat.contributes) for seat in snapshot.seats
    )


def awaited(snapshot: Snapshot, seat: int) -> str:
    """What the shuffle waits for at a seat: COMMITMENT, OPENING, or nothing."""
    sitter = snapshot.seats[seat]
    if snapshot.state != WAITING or not sitter.contributes or sitter.opened:
        return ""
    if not sitter.commitment:
        return COMMITMENT
    return OPENING if opening(snapshot) else ""


def shuffled(snapshot: Snapshot) -> bool:
    """Whether the cards can be dealt: all who contribute have opened."""
    return opening(snapshot) and all(seat.opened or not seat.contributes for seat in snapshot.seats)
