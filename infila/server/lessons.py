"""Lessons at a table (`infila.lessons`): begun, read on, begun again, and what the coach says."""

from infila.core.games import contract_of
from infila.lessons.coach import Speech, speech
from infila.lessons.lesson import lesson_of
from infila.server.creation import ME, Creation, NewTable
from infila.server.errors import Refused, Unknown
from infila.server.lobby import Lobby
from infila.server.own_seats import own_seat
from infila.server.snapshot import PLAYING, Snapshot
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables


class Lessons:
    def __init__(self, tables: Tables, lobby: Lobby, creation: Creation) -> None:
        self._tables = tables
        self._lobby = lobby
        self._creation = creation

    async def learn(self, person: str, game: str) -> TableView:
        """Somebody's lesson in a game: the one they have begun, or a new one."""
        lesson = lesson_of(game)
        if lesson is None:
            raise Unknown("there is no lesson for {game}.", game=contract_of(game).title)
        for table in await self._lobby.my_tables(person):
            if table.lesson and table.game == game and table.state == PLAYING:
                return TableView(await self._tables.glance(table.id), person, lesson.seat - 1)
        seats = [lesson.level] * int(lesson.position["options"]["players"])
        seats[lesson.seat - 1] = ME
        wanted = NewTable(game, seats=tuple(seats), position=lesson.position)
        return await self._creation.create(person, wanted, lesson=True)

    async def read_on(self, table: str, person: str) -> TableView:
        """What the coach has just said is read."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            seat = own_seat(snapshot, person)
            if snapshot.lesson is None or not snapshot.lesson.reading:
                raise Refused("there is nothing to read now.")
            await self._tables.write(live, [Draft("read", seat, person, str(snapshot.read + 1))])
            return live.seen_by(person, seat)

    async def begin_again(self, table: str, person: str) -> TableView:
        """The same lesson from its beginning."""
        live = await self._tables.find(table)
        async with live.lock:
            seat = own_seat(live.snapshot, person)
            if not live.snapshot.header.lesson:
                raise Refused("only a lesson can begin again.")
            await self._tables.write(live, [Draft("back", seat, person, "0"), Draft("read", seat, person, "0")])
            return live.seen_by(person, seat)


def coach_of(table: TableView) -> Speech | None:
    """What the coach says at a table that is a lesson, to the learner."""
    now = table.snapshot.lesson
    if now is None or table.seat != now.lesson.seat - 1:
        return None
    moves = table.view.moves if table.view is not None else []
    return speech(now, moves, computer=bool(table.snapshot.computers_to_act), over=table.snapshot.over)


def reply(snapshot: Snapshot, seat: int) -> str | None:
    """What the lesson lets the computer play now, if anything."""
    now, view = snapshot.lesson, snapshot.view(seat)
    if now is None or view is None or not now.pending:
        return None
    return now.pending[0] if now.pending[0] in view.moves else None
