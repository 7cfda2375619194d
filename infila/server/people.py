"""People and their names."""

from collections import OrderedDict

from sqlalchemy import insert, select, update

from infila.server import schema
from infila.server.errors import Refused
from infila.server.identity import clean_name, new_id
from infila.server.lists import Lists
from infila.server.moment import NAMELESS, PLAYING, WAITING
from infila.server.settings import Settings
from infila.server.store import Store
from infila.server.tables import Act

MOST_NAMES = 10_000  # kept in memory


class People(Lists):
    def __init__(self, store: Store, settings: Settings) -> None:
        super().__init__(store, settings)
        self._names: OrderedDict[str, str] = OrderedDict()

    async def new_person(self, name: str = "") -> str:
        person = new_id()
        shown = clean_name(name)
        row = {"id": person, "name": shown, "created": self.settings.clock()}
        await self.store.write(changes=[insert(schema.people).values(**row)])
        self._remember(person, shown)
        return person

    async def name_of(self, person: str) -> str:
        """A person's name; empty if none was given yet."""
        if person not in self._names:
            query = select(schema.people.c.name).where(schema.people.c.id == person)
            name = await self.store.read(lambda connection: connection.scalar(query))
            self._remember(person, str(name or ""))
        return self._names[person]

    async def shown(self, person: str) -> str:
        return await self.name_of(person) or NAMELESS

    def _remember(self, person: str, name: str) -> None:
        self._names[person] = name
        if len(self._names) > 10_000:
            self._names.popitem(last=False)

    async def rename(self, person: str, name: str) -> str:
        """Another name, also at the tables where the person sits."""
        shown = clean_name(name)
        if not shown:
            raise Refused("a name has at least one visible character.")
        change = update(schema.people).where(schema.people.c.id == person).values(name=shown)
        await self.store.write(changes=[change])
        self._remember(person, shown)
        for listed in await self.my_tables(person):
            if listed.state in (WAITING, PLAYING):
                live = await self.table(listed.id)
                async with live.lock:
                    seats = live.moment.seats_of(person)
                    await self.write(live, [Act("name", seat, person, shown) for seat in seats])
        return shown
