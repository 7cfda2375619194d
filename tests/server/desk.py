"""A service without HTTP, for tests: people, tables, and moves at random."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from infila.server.computers import Computers
from infila.server.creation import NewTable
from infila.server.database_ledger import on_database
from infila.server.service import Service
from infila.server.settings import Settings
from infila.server.store import Store
from infila.server.table_view import TableView
from tests.server.database import data_for

PATIENCE = 120.0  # seconds after which something that should come about on a busy machine will not


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Desk:
    def __init__(self, service: Service, store: Store, computers: Computers, clock: Clock) -> None:
        self.service, self.store, self.computers, self.clock = service, store, computers, clock
        self.chance = random.Random(5)

    async def people(self, *names: str) -> list[str]:
        return [await self.service.people.welcome(name) for name in names]

    async def table(self, *people: str, game: str = "take_that", **wanted: Any) -> str:
        """A table whose seats these people take, one after the other."""
        options = {"players": len(people)} | wanted.pop("options", {})
        seats = ("me", *["open"] * (len(people) - 1))
        made = await self.service.creation.create(people[0], NewTable(game, options, seats, **wanted))
        for person in people[1:]:
            await self.service.seats.sit(made.id, person)
        return made.id

    async def on_turn(self, table: str, *people: str) -> tuple[str, TableView]:
        """Who has to move, and what they see."""
        for person in people:
            seen = await self.service.audience.view(table, person)
            if seen.seat is not None and seen.seat == seen.snapshot.player:
                return person, seen
        raise AssertionError("nobody of them is on turn")

    async def play(self, table: str, *people: str, moves: int = 1) -> TableView:
        """So many moves at random, as long as the game lasts."""
        for _ in range(moves):
            seen = await self.service.audience.view(table, None)
            if seen.state != "playing":
                break
            person, seen = await self.on_turn(table, *people)
            assert seen.view is not None
            await self.service.moves.play(
                table, person, self.chance.choice(seen.view.moves), seen.version, seat=seen.seat
            )
        return await self.service.audience.view(table, None)


@asynccontextmanager
async def open_desk(folder: Path, **settings: Any) -> AsyncIterator[Desk]:
    clock = Clock()
    wanted: dict[str, Any] = {"pace": 0.0, "now": clock} | settings
    told = Settings(data=data_for(folder), **wanted)
    store = Store(told)
    service = on_database(store, told)
    computers = Computers(told, service.tables, service.lobby, service.moves, service.rematches)
    await service.tables.start()
    await service.audience.start()
    await computers.start()
    try:
        yield Desk(service, store, computers, clock)
    finally:
        await computers.stop()
        await service.audience.stop()
        await service.tables.stop()
        store.close()


def at_desk(folder: Path, scenario: Callable[[Desk], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        async with open_desk(folder, **settings) as desk:
            await asyncio.wait_for(scenario(desk), PATIENCE)

    asyncio.run(run())


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 0.9 * PATIENCE) -> None:
    """Wait for something that others bring about."""
    end = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end:
        if await condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about in time")
