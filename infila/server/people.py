"""People and their names."""

from collections import OrderedDict
from contextlib import suppress

from infila.server.errors import Refused
from infila.server.identity import clean_name, new_id
from infila.server.ledger import Ledger
from infila.server.lobby import Lobby
from infila.server.own_seats import own_seat
from infila.server.ownership import Elsewhere
from infila.server.snapshot import NAMELESS, PLAYING, WAITING
from infila.server.table_view import TableView
from infila.server.tables import Draft, LiveTable, Tables

MOST_NAMES = 10_000  # kept in memory


class People:
    def __init__(self, ledger: Ledger, tables: Tables, lobby: Lobby) -> None:
        self._ledger = ledger
        self._tables = tables
        self._lobby = lobby
        self._names: OrderedDict[str, str] = OrderedDict()

    async def welcome(self, name: str = "") -> str:
        """Somebody new; who they are from now on."""
        person, shown = self.newcomer(name)
        await self._ledger.welcome(person, shown)
        return person

    def newcomer(self, name: str = "") -> tuple[str, str]:
        """Somebody new and how they are called, to be written together with something else."""
        person, shown = new_id(), clean_name(name)
        self._remember(person, shown)
        return person, shown

    async def name_of(self, person: str) -> str:
        """A person's name; empty if none was given yet."""
        if person not in self._names:
            self._remember(person, await self._ledger.name_of(person))
        return self._names[person]

    async def shown_name(self, person: str) -> str:
        """What a person is called at a table."""
        return await self.name_of(person) or NAMELESS

    def _remember(self, person: str, name: str) -> None:
        self._names[person] = name
        if len(self._names) > MOST_NAMES:
            self._names.popitem(last=False)

    async def rename(self, person: str, name: str) -> str:
        """Another name, also at the tables where the person sits; where several people share their screen, only for the
        seat that is called as they were."""
        shown, before = visible_name(name), await self.shown_name(person)
        await self._ledger.rename(person, shown, before)
        self._remember(person, shown)
        for listed in await self._lobby.my_tables(person):
            if listed.state in (WAITING, PLAYING):
                with suppress(Elsewhere):  # the server there hears of it
                    await self._rename_at(await self._tables.find(listed.id), person, shown, before)
        return shown

    async def _rename_at(self, live: LiveTable, person: str, shown: str, before: str) -> None:
        async with live.lock:
            snapshot = live.snapshot
            mine = snapshot.seats_of(person)
            if len(mine) > 1:
                mine = tuple(seat for seat in mine if snapshot.seats[seat].name == before)[:1]
            drafts = [Draft("name", seat, person, shown) for seat in mine if snapshot.seats[seat].name != shown]
            with suppress(Refused):  # where too much has happened the old name stays
                await self._tables.write(live, drafts)

    async def hear(self, person: str, shown: str, before: str) -> None:
        """Another server tells that somebody has another name."""
        self._names.pop(person, None)
        for live in list(self._tables.in_memory.values()):
            if live.snapshot.state in (WAITING, PLAYING) and live.snapshot.seats_of(person):
                await self._rename_at(live, person, shown, before)

    def forget(self) -> None:
        """Names may have changed without this server having heard of it."""
        self._names.clear()

    async def rename_seat(self, table: str, person: str, seat: int | None, name: str) -> TableView:
        """Another name at a table: the person's own, everywhere, or where several share a screen that of one seat."""
        live = await self._tables.find(table)
        place = own_seat(live.snapshot, person, seat)
        if live.snapshot.state not in (WAITING, PLAYING):
            raise Refused("the game is over: its names stay.")
        if len(live.snapshot.seats_of(person)) < 2 or not await self.name_of(person):
            await self.rename(person, name)
        shown = visible_name(name)
        async with live.lock:
            place = own_seat(live.snapshot, person, place)
            if live.snapshot.seats[place].name != shown:
                await self._tables.write(live, [Draft("name", place, person, shown)])
            return live.seen_by(person, place)


def visible_name(name: str) -> str:
    """A name that somebody gives themselves."""
    shown = clean_name(name)
    if not shown:
        raise Refused("a name has at least one visible character.")
    return shown
