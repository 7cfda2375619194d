"""Several servers on one database: which of them works on a table, its owner, one at a time.

A server takes a table when somebody asks for it and nobody has it, or whoever had it has ended; it gives it back when
it lets it go. Nobody takes a table from a server that lives, and one that was ended can write nothing (`lease`), so no
more than that is checked when something is written.
"""

import asyncio
import logging

from sqlalchemy import Connection, exists, or_, select, update
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.errors import Unknown
from infila.server.lease import Lease
from infila.server.logs import mark
from infila.server.ownership import Elsewhere
from infila.server.store import Store

NOBODY = ""  # owns a table that was given back
ALIVE = "alive"  # the fact that says when a server was last there that is alone with its database
logger = logging.getLogger("infila")


class Owners:
    def __init__(self, store: Store, lease: Lease) -> None:
        self._store, self._me = store, lease.id
        self._mine: set[str] = set()
        self.taken: set[str] = set()
        self._releasing: dict[str, asyncio.Task[None]] = {}

    @property
    def count(self) -> int:
        return len(self._mine)

    def holds(self, table: str) -> bool:
        return table in self._mine

    def made(self, table: str) -> None:
        self._mine.add(table)

    async def hold(self, table: str) -> float | None:
        while (pending := self._releasing.get(table)) is not None:
            await asyncio.shield(pending)
        if table in self._mine:
            return None
        owner, _, since = await self._owner(table)
        for _ in range(3):
            await self._store.write(changes=[_claim(table, self._me)])
            now, alive, _ = await self._owner(table)
            if now == self._me:
                self._mine.add(table)
                self.taken.add(table)
                return None if owner == self._me else since
            if alive:
                break
        raise Elsewhere(now)

    async def owner(self, table: str) -> str:
        """The server that has a table and lives; empty if nobody has it. Raises Unknown."""
        owner, alive, _ = await self._owner(table)
        return owner if alive else NOBODY

    async def _owner(self, table: str) -> tuple[str, bool, float | None]:
        """Who has a table, whether they live, and since when they do not."""
        t, s = schema.tables, schema.servers
        query = select(t.c.owner, s.c.id, s.c.ended).select_from(t.outerjoin(s, s.c.id == t.c.owner))

        def ask(connection: Connection) -> tuple[str, bool, float | None]:
            row = connection.execute(query.where(t.c.id == table)).first()
            if row is None:
                raise Unknown("there is no such table.")
            owner, server, ended = row
            if owner is None:  # it is from before there were owners
                facts = schema.facts.c
                noted = connection.scalar(select(facts.value).where(facts.name == ALIVE))
                return NOBODY, False, None if noted is None else float(noted)
            return owner, server is not None and ended is None, ended

        return await self._store.read(ask)

    async def lost(self, table: str) -> bool:
        if await self.owner(table) == self._me:
            return False
        self._forget(table)
        return True

    def _forget(self, table: str) -> None:
        self._mine.discard(table)
        self.taken.discard(table)

    def release(self, table: str) -> None:
        if table in self._mine:
            self._forget(table)
            task = self._releasing[table] = asyncio.get_running_loop().create_task(self._release(table))
            task.add_done_callback(lambda _: self._releasing.pop(table, None))

    async def _release(self, table: str) -> None:
        c = schema.tables.c
        given_back = update(schema.tables).where(c.id == table, c.owner == self._me).values(owner=NOBODY)
        try:
            await self._store.write(changes=[given_back])
        except Exception as problem:  # it stays this server's, which others ask for it
            logger.info("table %s could not be given back: %s", mark(table), type(problem).__name__)


def _claim(table: str, server: str) -> Executable:
    c, s = schema.tables.c, schema.servers.c
    free = or_(c.owner.is_(None), c.owner == server, ~exists().where(s.id == c.owner, s.ended.is_(None)))
    return update(schema.tables).where(c.id == table, free).values(owner=server)
