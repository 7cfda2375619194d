"""Lessons at a table: begun, read on, begun again."""

from infila.core.games import contract_of
from infila.server.errors import Refused, Unknown
from infila.server.lessons import on_hold
from infila.server.making import ME, Making, NewTable
from infila.server.moment import PLAYING
from infila.server.tables import Act
from infila.server.tableview import TableView
from infila.server.whose import own
from infila.web.lesson import lesson_of


class Learning(Making):
    async def lesson(self, person: str, game: str) -> TableView:
        """Somebody's lesson in a game: the one they have begun, or a new one."""
        lesson = lesson_of(game)
        if lesson is None:
            raise Unknown("there is no lesson for {game}.", game=contract_of(game).title)
        for table in await self.my_tables(person):
            if table.lesson and table.game == game and table.state == PLAYING:
                return self.seen(await self.table(table.id), person, lesson.seat - 1)
        seats = [lesson.level] * int(lesson.position["options"]["players"])
        seats[lesson.seat - 1] = ME
        return await self.create(person, NewTable(game, seats=tuple(seats), position=lesson.position), lesson=True)

    async def read_on(self, table: str, person: str) -> TableView:
        """What the coach has just said is read."""
        live = await self.table(table)
        async with live.lock:
            seat = own(live.moment, person, None)
            if not on_hold(live.moment):
                raise Refused("there is nothing to read now.")
            await self.write(live, [Act("read", seat, person, str(live.moment.read + 1))])
            return self.seen(live, person, seat)

    async def begin_again(self, table: str, person: str) -> TableView:
        """The same lesson from its beginning."""
        live = await self.table(table)
        async with live.lock:
            seat = own(live.moment, person, None)
            if not live.moment.header.lesson:
                raise Refused("only a lesson can begin again.")
            await self.write(live, [Act("back", seat, person, "0"), Act("read", seat, person, "0")])
            return self.seen(live, person, seat)
