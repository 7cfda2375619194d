"""The lobby: open tables, somebody's own tables, and what they have achieved."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from sqlalchemy import Connection, Integer, Select, cast, desc, func, select

from infila.core.games import NAMES, usable_games
from infila.server import schema
from infila.server.clock import TimeControl
from infila.server.entries import fold
from infila.server.index import entries_of, header_of
from infila.server.snapshot import DEALT, OPEN, PLAYING, WAITING, Snapshot
from infila.server.store import Store
from infila.server.tables import Tables

MOST_LISTED = 100
Playable = Callable[[str], bool]  # whether a game's rules can be used at once
RUNNING = (WAITING, PLAYING)
SEATING = ("sit", "stand", "fill", "name")  # entries that say who sits where


class Listed(TimeControl, frozen=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Any]
    state: str
    seats: tuple[tuple[str, str], ...]  # kind and name
    created: float
    my_turn: bool = False
    casual: bool = True
    lesson: bool = False
    origin: str = DEALT
    mine: tuple[int, ...] = ()  # the seats of whoever looks


class Result(msgspec.Struct, frozen=True):
    """How a game ended for somebody."""

    won: bool
    score: int
    at: float


class GameStatistics(msgspec.Struct, frozen=True):
    """What somebody has done in one game so far."""

    game: str
    against: str
    played: int
    won: int
    best: int
    mean: float


class Lobby:
    def __init__(self, store: Store, tables: Tables, playable: Playable) -> None:
        self._store = store
        self._tables = tables
        self._playable = playable

    async def open_tables(self, person: str | None = None) -> list[Listed]:
        """Tables in the lobby that wait for somebody, as this person sees them."""
        c = schema.tables.c
        found = select(c.id, c.state, c.header).where(c.state == WAITING, c.private.is_(False))
        tables = await self._listed(found.order_by(desc(c.created)).limit(MOST_LISTED), person)
        found_open = (table for table in tables if any(kind == OPEN for kind, _name in table.seats))
        return [table for table in found_open if table.origin == DEALT]  # older ones from a position were let in

    async def my_tables(
        self, person: str, states: Sequence[str] = (), *, limit: int = MOST_LISTED, skip: int = 0
    ) -> list[Listed]:
        """Where somebody sits, the newest first; of all states, or of these."""
        c, seats = schema.tables.c, schema.seats.c
        mine = select(seats.table_id).where(seats.person == person)
        found = select(c.id, c.state, c.header).where(c.id.in_(mine))
        if states:
            found = found.where(c.state.in_(states))
        return await self._listed(found.order_by(desc(c.created)).limit(limit).offset(skip), person)

    async def last_game(self, person: str) -> str:
        """The game that somebody played last, or else the first of all."""
        c, seats = schema.tables.c, schema.seats.c
        query = select(c.game).join(schema.seats, seats.table_id == c.id).where(seats.person == person)
        games = query.where(c.game.in_(usable_games())).order_by(desc(c.created)).limit(1)
        return await self._store.read(lambda connection: connection.scalar(games)) or NAMES[0]

    async def results(self, person: str, tables: Sequence[str]) -> dict[str, Result]:
        """How games ended for somebody, by table; with several seats at one, the best of them."""
        c = schema.results.c
        query = select(c.table_id, c.won, c.score, c.at).where(c.person == person, c.table_id.in_(tables))
        rows = await self._store.read(lambda connection: connection.execute(query.order_by(c.won, c.score)).all())
        return {row[0]: Result(bool(row[1]), row[2], row[3]) for row in rows}

    async def count(self, person: str) -> int:
        """At how many tables somebody sits or has sat to the end."""
        c = schema.seats.c
        query = select(func.count(c.table_id.distinct())).where(c.person == person)
        return await self._store.read(lambda connection: connection.scalar(query) or 0)

    async def game_of(self, table: str) -> str:
        """Which game is played at a table; empty if there is no such table."""
        if (live := self._tables.in_memory.get(table)) is not None:
            return live.snapshot.header.game
        query = select(schema.tables.c.game).where(schema.tables.c.id == table)
        return await self._store.read(lambda connection: connection.scalar(query) or "")

    async def _listed(self, found: Select[Any], person: str | None) -> list[Listed]:
        """Only where a game is being played its moves are needed; otherwise, and where its rules cannot be used yet, it
        is enough to know who sits there."""
        held = self._tables.in_memory

        def read(connection: Connection) -> dict[str, Snapshot | None]:
            snapshots: dict[str, Snapshot | None] = {}
            for table, state, header in connection.execute(found).all():
                live = held.get(table)
                snapshots[table] = None if live is None or live.stale else live.snapshot
                seal = self._store.seal
                if snapshots[table] is None and (state != PLAYING or not self._playable(header_of(header, seal).game)):
                    seated = fold(header_of(header, seal), entries_of(connection, table, seal, SEATING))
                    snapshots[table] = replace(seated, state=state)
            return snapshots

        snapshots = await self._store.read(read)
        return [
            listed(snapshot or (await self._tables.find(table)).snapshot, person)
            for table, snapshot in snapshots.items()
        ]

    async def statistics(self, person: str) -> list[GameStatistics]:
        """A line for every game and kind of opponent."""
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

    async def due_tables(self) -> list[str]:
        """Tables where the server has to act, now or later."""
        query = select(schema.tables.c.id).where(schema.tables.c.due.is_not(None))
        return await self._store.read(lambda connection: list(connection.scalars(query)))


def listed(snapshot: Snapshot, person: str | None) -> Listed:
    """A table as a line of a list."""
    header = snapshot.header
    return Listed(
        header.id,
        header.game,
        header.options,
        snapshot.state,
        tuple((seat.kind, seat.name) for seat in snapshot.seats),
        header.created,
        any(seat in snapshot.to_act for seat in snapshot.seats_of(person)),
        header.casual,
        header.lesson,
        header.origin,
        snapshot.seats_of(person),
        **header.time_control(),
    )
