"""Talking at the table, and what happens where that is forbidden (S17)."""

import msgspec

from infila.core.game import Game
from infila.server.errors import Forbidden, Refused
from infila.server.limits import LONGEST_MESSAGE
from infila.server.moment import PLAYERS_ROOM, PLAYING, SPECTATORS_ROOM, Moment
from infila.server.people import People
from infila.server.tables import Act
from infila.server.tableview import TableView
from infila.server.whose import own, whose

MOST_MESSAGES = 2000  # at a table


class Talk(People):
    async def chat(self, table: str, person: str, text: str) -> TableView:
        """Say something: players to everybody, spectators among themselves until the game is over."""
        name = await self.shown(person)
        live = await self.table(table)
        line = " ".join(text.split())
        if not line or len(line) > LONGEST_MESSAGE or not line.isprintable():
            raise Refused("a message is one line of 1 to {most} characters.", most=LONGEST_MESSAGE)
        async with live.lock:
            moment = live.moment
            mine = moment.seats_of(person)
            if mine and moment.silent:
                raise Refused("table talk is forbidden at this table.", "S17")
            if len(moment.chat) >= MOST_MESSAGES:
                raise Refused("there has been enough talk at this table.")
            room = PLAYERS_ROOM if mine or moment.over else SPECTATORS_ROOM
            seat = mine[0] if mine else None
            shown = moment.seats[seat].name if seat is not None else name
            said = msgspec.json.encode([room, shown, line]).decode()
            await self.write(live, [Act("chat", seat, person, said)])
            return self.seen(live, person, seat)

    async def call(self, table: str, person: str, side: int) -> TableView:
        """S17: call table talk against a side; the host confirms it. The host's own call needs nobody else."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            seat = own(moment, person, None)
            if moment.header.choices.side(seat) == side - 1:
                raise Refused("another side calls table talk, not the one that talked.", "S17")
            game = _offence(moment, side)
            if person == moment.header.host:
                await self.write(live, [Act("move", None, person, game.history[-1], None, game)])
            else:
                await self.write(live, [Act("call", seat, person, str(side))])
            return self.seen(live, person, seat)

    async def judge(self, table: str, person: str, confirmed: bool) -> TableView:
        """S17: the host says whether the call was right."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            if person != moment.header.host:
                raise Forbidden("only the host decides about a call.")
            if moment.called is None:
                raise Refused("nobody has called table talk.")
            if confirmed:
                game = _offence(moment, moment.called[1])
                await self.write(live, [Act("move", None, person, game.history[-1], None, game)])
            else:
                await self.write(live, [Act("call", moment.called[0], person, "")])
            return self.seen(live, person, whose(live.moment, person, None, False))


def _offence(moment: Moment, side: int) -> Game:
    if moment.game is None or moment.state != PLAYING:
        raise Refused("the game is not on.")
    return moment.game.copy().play(f"offence {side}")
