"""Hints: who may have one, and that the others hear of it.

Whoever plays against computers alone has as many as they like. Among people a hint is help from outside: it is given
only at a table that was made so, and then everybody is told who took one. Several people at one screen (hot seat) are
one person here, as they are everywhere: what one of them is shown all of them can see. A table that was made before
this was asked has hints, as it had then.
"""

from infila.server.errors import Conflict, Forbidden
from infila.server.own_seats import other_people, own_seat
from infila.server.snapshot import HINTED, Snapshot
from infila.server.tables import Draft, Tables


def may_have_hints(snapshot: Snapshot, person: str) -> bool:
    return snapshot.header.hints or not other_people(snapshot, person)


def check_hints(snapshot: Snapshot, person: str) -> None:
    if not may_have_hints(snapshot, person):
        raise Forbidden("there are no hints at this table: it was made without.")


class Hints:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def tell(self, table: str, person: str, seat: int, version: int) -> None:
        """Tell everybody that a hint is taken, before it is shown; the same one again is told once."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            if snapshot.version != version:
                raise Conflict("the table has moved on to version {version}.", snapshot.version)
            check_hints(snapshot, person)
            own_seat(snapshot, person, seat)
            if other_people(snapshot, person) and not _is_told(snapshot, seat):
                await self._tables.write(live, [Draft("hint", seat, person)])


def _is_told(snapshot: Snapshot, seat: int) -> bool:
    """Whether all have heard of a hint for this seat since the last move."""
    for notice in reversed(snapshot.notices):
        if notice.number < snapshot.version:
            break
        if (notice.what, notice.seat) == (HINTED, seat):
            return True
    return False
