"""Moves: people's, the computer's, and the clock that moves somebody aside."""

from sqlalchemy import select

from infila.players import USUAL
from infila.server import schema
from infila.server.errors import Conflict, Refused
from infila.server.limits import LONGEST_KEY, LONGEST_MOVE
from infila.server.moment import CLOSED, WAITING, Moment, checked_move
from infila.server.tables import Act, Live, Tables
from infila.server.whose import mover


class Moves(Tables):
    async def move(
        self, table: str, person: str, text: str, version: int, key: str | None = None, seat: int | None = None
    ) -> tuple[int, Moment]:
        """Make a move for the version one saw. Returns the entry's number and the table as it is then."""
        if key is not None and not (key.isprintable() and len(key) <= LONGEST_KEY):
            raise Refused("a key is one line of at most {most} characters.", most=LONGEST_KEY)
        if len(text) > LONGEST_MOVE:
            raise Refused("a move is a text of at most {most} characters.", most=LONGEST_MOVE)
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            stored = None if key is None else f"{person}/{key}"
            if version != moment.version and (number := await self.made_with(table, stored)) is not None:
                return number, moment
            place = mover(moment, person, seat)
            if version != moment.version:
                raise Conflict("the table has moved on to version {version}.", moment.version)
            _may_play(moment, place)
            game = checked_move(moment, place, text)
            try:
                await self.write(live, [Act("move", place, person, game.history[-1], stored, game)])
            except Conflict:
                if (number := await self.made_with(table, stored)) is None:
                    raise
                return number, live.moment
            return moment.number + 1, live.moment

    async def made_with(self, table: str, key: str | None) -> int | None:
        """The number of the entry that was made with a key: who sends the same again has sent it once. The log knows,
        and is asked only when somebody comes late, so that no table in memory keeps all its keys."""
        if key is None:
            return None
        c = schema.entries.c
        query = select(c.number).where(c.table_id == table, c.key == key)
        return await self.store.read(lambda connection: connection.scalar(query))

    async def computer_move(self, live: Live, seat: int, text: str, version: int) -> None:
        """A computer's move, unless the table has moved on while it thought."""
        async with live.lock:
            moment = live.moment
            if moment.version == version and seat in moment.computers_to_act:
                game = checked_move(moment, seat, text)
                await self.write(live, [Act("move", seat, None, game.history[-1], None, game)])

    async def time_out(self, live: Live) -> None:
        """The clock of the seat on turn has run out: a computer stands in."""
        async with live.lock:
            moment = live.moment
            if moment.deadline is not None and moment.deadline <= self.settings.clock():
                await self.write(live, [Act("away", moment.player, None, f"{USUAL} time")])


def _may_play(moment: Moment, seat: int) -> None:
    if moment.state == WAITING:
        raise Refused("the game has not begun: seats are still open, or somebody is not ready.")
    if moment.state == CLOSED:
        raise Refused("this table was closed.")
    if moment.seats[seat].away:
        raise Refused("a computer sits in for you. Come back first.")
