"""The ledger of a server, in its database: all SQL about tables and people. And the service that stands on it."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Integer, Select, cast, desc, exists, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.index import changes_between, entries_of, header_of, sealed_rows, table_row
from infila.server.lease import Superseded
from infila.server.ledger import SEATING, Filed, GameStatistics, Kept, Result
from infila.server.lobby import Playable
from infila.server.owners import ALIVE, Owners
from infila.server.ownership import Alone
from infila.server.service import Service, compose
from infila.server.sessions import Sessions
from infila.server.settings import Settings
from infila.server.snapshot import WAITING, Entry, Snapshot
from infila.server.store import PORTION, Store, fact_changes
from infila.server.tables import Ready, always_ready

SOON_SECONDS = 60.0  # before something is to be done at a table that nobody has, a server takes it
MOST_TAKEN_UP = 100  # at a time


class DatabaseLedger:
    failures: tuple[type[Exception], ...] = (SQLAlchemyError, Superseded)

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._now = settings.now

    async def read(self, table: str) -> Kept | None:
        return (await self._read([table])).get(table)

    async def seated_at(self, tables: Sequence[str]) -> dict[str, Kept]:
        return await self._read(tables, SEATING) if tables else {}

    async def _read(self, tables: Sequence[str], kinds: Sequence[str] = ()) -> dict[str, Kept]:
        c, seal = schema.tables.c, self._store.seal
        query = select(c.id, c.header).where(c.id.in_(tables))

        def ask(connection: Connection) -> dict[str, Kept]:
            found = connection.execute(query).all()
            return {id_: (header_of(header, seal), entries_of(connection, id_, seal, kinds)) for id_, header in found}

        return await self._store.read(ask)

    async def append(self, before: Snapshot, now: Snapshot, entries: Sequence[Entry], *, new: bool = False) -> None:
        table, seal = before.header.id, self._store.seal
        row = table_row(before.header, seal) | ({"owner": self._store.me} if self._store.me else {})
        changes: list[Executable] = [insert(schema.tables).values(**row)] if new else []
        changes += changes_between(before, now)
        if len(entries) <= PORTION:
            await self._store.write(sealed_rows(table, entries, seal), changes)
        else:  # thousands, which a log from elsewhere may bring
            rows = await asyncio.to_thread(sealed_rows, table, entries, seal)
            await self._store.write_long(table, rows, changes)

    async def made_with(self, table: str, key: str) -> int | None:
        c = schema.entries.c
        number = await self._scalar(select(c.number).where(c.table_id == table, c.key == key))
        return None if number is None else int(number)

    async def game_of(self, table: str) -> str:
        return str(await self._scalar(select(schema.tables.c.game).where(schema.tables.c.id == table)) or "")

    async def open_tables(self, limit: int) -> list[Filed]:
        c = schema.tables.c
        return await self._filed(_FILED.where(c.state == WAITING, c.private.is_(False)), limit)

    async def tables_of(self, person: str, states: Sequence[str], limit: int, skip: int) -> list[Filed]:
        c, seats = schema.tables.c, schema.seats.c
        found = _FILED.where(c.id.in_(select(seats.table_id).where(seats.person == person)))
        return await self._filed(found.where(c.state.in_(states)) if states else found, limit, skip)

    async def _filed(self, found: Select[Any], limit: int, skip: int = 0) -> list[Filed]:
        query = found.order_by(desc(schema.tables.c.created)).limit(limit).offset(skip)
        return await self._store.read(lambda connection: [Filed(*row) for row in connection.execute(query)])

    async def count_of(self, person: str) -> int:
        c = schema.seats.c
        return int(await self._scalar(select(func.count(c.table_id.distinct())).where(c.person == person)) or 0)

    async def last_game_of(self, person: str, games: Sequence[str]) -> str:
        c, seats = schema.tables.c, schema.seats.c
        query = select(c.game).join(schema.seats, seats.table_id == c.id).where(seats.person == person)
        return str(await self._scalar(query.where(c.game.in_(games)).order_by(desc(c.created)).limit(1)) or "")

    async def due_tables(self) -> list[str]:
        """All of them; where there are several servers, those that nobody has and that are due soon."""
        c, s = schema.tables.c, schema.servers.c
        query = select(c.id).where(c.due.is_not(None))
        if self._store.me:
            theirs = exists().where(s.id == c.owner, s.ended.is_(None))
            query = query.where(c.due < self._now() + SOON_SECONDS, ~theirs).order_by(c.due).limit(MOST_TAKEN_UP)
        return await self._store.read(lambda connection: list(connection.scalars(query)))

    async def results_of(self, person: str, tables: Sequence[str]) -> dict[str, Result]:
        c = schema.results.c
        query = select(c.table_id, c.won, c.score, c.at, c.drawn).where(c.person == person, c.table_id.in_(tables))
        rows = await self._store.read(
            lambda connection: connection.execute(query.order_by(c.won, c.drawn, c.score)).all()
        )
        return {row[0]: Result(bool(row[1]), row[2], row[3], bool(row[4])) for row in rows}

    async def statistics_of(self, person: str) -> list[GameStatistics]:
        c = schema.results.c
        won = func.sum(cast(c.won, Integer))
        query = (
            select(c.game, c.against, func.count(), won, func.max(c.score), func.avg(c.score))
            .where(c.person == person)
            .group_by(c.game, c.against)
            .order_by(c.game, c.against)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [GameStatistics(row[0], row[1], row[2], int(row[3]), row[4], float(row[5])) for row in rows]

    async def welcome(self, person: str, name: str) -> None:
        row = insert(schema.people).values(id=person, name=name, created=self._now())
        await self._store.write(changes=[row])

    async def name_of(self, person: str) -> str:
        return str(await self._scalar(select(schema.people.c.name).where(schema.people.c.id == person)) or "")

    async def rename(self, person: str, name: str, before: str) -> None:
        change = update(schema.people).where(schema.people.c.id == person).values(name=name)
        await self._store.write(changes=[change, *self._store.news(named=person, name=name, before=before)])

    async def _scalar(self, query: Select[Any]) -> Any:
        return await self._store.read(lambda connection: connection.scalar(query))

    @property
    def away_since(self) -> float | None:
        return self._store.away_since

    def on_return(self, told: Callable[[float], None]) -> None:
        self._store.on_return(told)

    def last_alive(self) -> float | None:
        """Among several servers somebody else may have been there: then each table knows (`owners`)."""
        if self._store.me:
            return self._now()
        noted = self._store.fact(ALIVE)
        return None if noted is None else float(noted)

    async def note_alive(self, at: float) -> None:
        if not self._store.me:  # its lease says so
            await self._store.write(changes=fact_changes(ALIVE, repr(at)))


_FILED = select(schema.tables.c.id, schema.tables.c.game, schema.tables.c.state)


def on_database(
    store: Store, settings: Settings, ready: Ready = always_ready, playable: Playable = lambda game: True
) -> Service:
    """Everything that can be done at tables, kept in a database."""
    ledger, sessions = DatabaseLedger(store, settings), partial(Sessions, store, settings)
    owners = Alone() if store.lease is None else Owners(store, store.lease)
    return compose(ledger, settings, sessions, ready, playable, owners)
