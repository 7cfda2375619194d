"""The shuffle: everybody commits before anybody opens (docs/reference/chance.md).

The server has committed to its seed when a table is made. Whoever contributes commits to words of their own, random
digits that a browser makes; when every seat is taken and all of them have, they open, and what all have opened is mixed
into the seed. So nobody, and not the server either, can choose theirs to suit the others'.

Whoever does not open is waited for. If somebody goes instead, or commits anew, everybody else does too, in another
*attempt*: nobody keeps what they may have seen through. Attempts are counted, everybody is told, and there are few.
"""

import re
from typing import Annotated

import msgspec

from infila.core.seeds import words_commitment
from infila.server.contributions import contributing_seat, opening
from infila.server.errors import Refused
from infila.server.own_seats import own_seat
from infila.server.snapshot import WAITING, Snapshot
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables

Commitment = Annotated[str, msgspec.Meta(max_length=64, pattern="^([0-9a-f]{64})?$")]


class Shuffle:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def commit(self, table: str, person: str, commitment: str, attempt: int = 1) -> TableView:
        """Commit to what one will mix in; whoever had committed already begins another attempt."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            place = own_seat(snapshot, person, contributing_seat(snapshot, person))
            sitter = snapshot.seats[place]
            if not commitment or sitter.commitment != commitment:
                if not sitter.contributes and any(seat.opened for seat in snapshot.seats):
                    raise Refused("others have opened already: it is too late to contribute to this shuffle.")
                wanted = snapshot.attempt + bool(sitter.commitment)
                await self._tables.write(live, [commit_draft(snapshot, person, place, commitment, attempt, wanted)])
            return live.seen_by(person, place)

    async def open(self, table: str, person: str, contribution: str) -> TableView:
        """Open what one has committed to, once all have; the last to open begins the game."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            place = own_seat(snapshot, person, contributing_seat(snapshot, person))
            sitter = snapshot.seats[place]
            if not (sitter.opened and sitter.words == contribution):
                _check_waiting(snapshot)
                if not sitter.commitment:
                    raise Refused("you have not committed to anything here.")
                if words_commitment(contribution, snapshot.attempt) != sitter.commitment:
                    raise Refused("that is not what you have committed to.")
                if not opening(snapshot):
                    raise Refused("not everybody has come and committed: keep it to yourself until then.")
                await self._tables.write(live, [Draft("open", place, person, contribution)])
            return live.seen_by(person, place)


def commit_draft(
    snapshot: Snapshot, person: str, seat: int, commitment: str, attempt: int = 1, wanted: int | None = None
) -> Draft:
    """A commitment that may be written: of the right form, for the present attempt or the one `wanted`, and nobody
    else's."""
    _check_waiting(snapshot)
    if snapshot.header.arranged:
        raise Refused("nothing is shuffled at this table: there is nothing to contribute to.")
    if not re.fullmatch("[0-9a-f]{64}", commitment):
        raise Refused("a commitment is 64 hexadecimal digits.")
    if attempt != (wanted := snapshot.attempt if wanted is None else wanted):
        raise Refused("a commitment is for attempt {wanted} at this shuffle now.", wanted=wanted)
    if any(commitment == each.commitment for each in snapshot.seats):
        raise Refused("somebody at this table has committed to the same already.")
    return Draft("commit", seat, person, commitment)


def _check_waiting(snapshot: Snapshot) -> None:
    if snapshot.state != WAITING:
        raise Refused("the cards are dealt, or the table is closed: it is too late to contribute.")
