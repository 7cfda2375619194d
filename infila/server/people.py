"""People and their names."""

from collections import OrderedDict
from contextlib import suppress

from sqlalchemy import insert, select, update
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.errors import Refused
from infila.server.identity import clean_name, new_id
from infila.server.lobby import Lobby
from infila.server.settings import Settings
from infila.server.snapshot import NAMELESS, PLAYING, WAITING
from infila.server.store import Store
from infila.server.tables import Draft, Tables

MOST_NAMES = 10_000  # kept in memory


class People:
    def __init__(self, store: Store, settings: Settings, tables: Tables, lobby: Lobby) -> None:
        self._store = store
        self._now = settings.now
        self._tables = tables
        self._lobby = lobby
        self._names: OrderedDict[str, str] = OrderedDict()

    async def welcome(self, name: str = "") -> str:
        """Somebody new; who they are from now on."""
        person, written = self.newcomer(name)
        await self._store.write(changes=[written])
        return person

    def newcomer(self, name: str = "") -> tuple[str, Executable]:
        """Somebody new, and what has to be written of them."""
        person = new_id()
        shown = clean_name(name)
        self._remember(person, shown)
        return person, insert(schema.people).values(id=person, name=shown, created=self._now())

    async def name_of(self, person: str) -> str:
        """A person's name; empty if none was given yet."""
        if person not in self._names:
            query = select(schema.people.c.name).where(schema.people.c.id == person)
            name = await self._store.read(lambda connection: connection.scalar(query))
            self._remember(person, str(name or ""))
        return self._names[person]

    async def shown_name(self, person: str) -> str:
        """What a person is called at a table."""
        return await self.name_of(person) or NAMELESS

    def _remember(self, person: str, name: str) -> None:
        self._names[person] = name
        if len(self._names) > MOST_NAMES:
            self._names.popitem(last=False)

    async def rename(self, person: str, name: str) -> str:
        """Another name, also at the tables where the person sits."""
        shown = clean_name(name)
        if not shown:
            raise Refused("a name has at least one visible character.")
        change = update(schema.people).where(schema.people.c.id == person).values(name=shown)
        await self._store.write(changes=[change])
        self._remember(person, shown)
        for listed in await self._lobby.my_tables(person):
            if listed.state in (WAITING, PLAYING):
                live = await self._tables.find(listed.id)
                async with live.lock:
                    seats = [seat for seat in live.snapshot.seats_of(person) if live.snapshot.seats[seat].name != shown]
                    with suppress(Refused):  # where too much has happened the old name stays
                        await self._tables.write(live, [Draft("name", seat, person, shown) for seat in seats])
        return shown
