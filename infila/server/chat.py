"""Talking at the table."""

import msgspec

from infila.core.games import contract_of
from infila.server.errors import Refused
from infila.server.limits import LONGEST_MESSAGE
from infila.server.people import People
from infila.server.snapshot import PLAYERS_ROOM, PLAYING, SPECTATORS_ROOM, Snapshot
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables

MOST_MESSAGES = 2000  # at a table


class Chat:
    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    async def say(self, table: str, person: str, text: str) -> TableView:
        """Say something: players to everybody, spectators among themselves until the game is over."""
        name = await self._people.shown_name(person)
        live = await self._tables.find(table)
        line = " ".join(text.split())
        if not line or len(line) > LONGEST_MESSAGE or not line.isprintable():
            raise Refused("a message is one line of 1 to {most} characters.", most=LONGEST_MESSAGE)
        async with live.lock:
            snapshot = live.snapshot
            mine = snapshot.seats_of(person)
            if mine:
                _check_silence(snapshot)
            room = PLAYERS_ROOM if mine or snapshot.over else SPECTATORS_ROOM
            if sum(message.room == room for message in snapshot.chat) >= MOST_MESSAGES:
                raise Refused("there has been enough talk at this table.")
            seat = mine[0] if mine else None
            shown = snapshot.seats[seat].name if seat is not None else name
            said = msgspec.json.encode([room, shown, line]).decode()
            await self._tables.write(live, [Draft("chat", seat, person, said)])
            return live.seen_by(person, seat)


def _check_silence(snapshot: Snapshot) -> None:
    """Some games forbid their players to talk while they are on."""
    header = snapshot.header
    if snapshot.state == PLAYING and (problem := contract_of(header.game).host.silence(header.typed_options)):
        raise Refused(problem.sentence, problem.rule)
