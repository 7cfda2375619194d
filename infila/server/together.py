"""This server among others of the same database: what joins `lease`, `peers`, `owners` and `passing` to the rest."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from litestar.types import ASGIApp

from infila.server.computers import Computers
from infila.server.identity import Signer
from infila.server.lease import Lease
from infila.server.owners import Owners
from infila.server.passing import Passing
from infila.server.peers import Peers
from infila.server.service import Service
from infila.server.store import Store


class Together:
    def __init__(self, store: Store, lease: Lease, service: Service, computers: Computers, signer: Signer) -> None:
        assert isinstance(service.owners, Owners), "several servers have tables each"
        self.owners, self.peers = service.owners, Peers(store, lease)
        self._lease, self._service, self._computers, self._signer = lease, service, computers, signer
        self._passing: Passing | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._taking_up: asyncio.Task[None] | None = None

    @property
    def passed(self) -> int:
        """Requests that were passed on to another server."""
        return 0 if self._passing is None else self._passing.passed

    def passing(self, app: ASGIApp) -> Passing:
        """Around what answers here."""
        self._passing = Passing(app, self.owners, self.peers, self._signer, self._lease.id)
        return self._passing

    def send_home(self) -> None:
        if self._passing is not None:
            self._passing.send_home()

    def start(self) -> None:
        loop = asyncio.get_running_loop()

        def here(call: Callable[..., None]) -> Callable[..., None]:
            """Called in the thread that watches, done where everything is done."""

            def told(*given: Any) -> None:
                with suppress(RuntimeError):  # the server has stopped meanwhile
                    loop.call_soon_threadsafe(call, *given)

            return told

        self.peers.on_news = here(self._hear)
        self.peers.on_gap = here(self._miss)
        self.peers.on_look = here(self._look)
        self.peers.on_end = here(self._end)
        self.peers.start()

    async def stop(self) -> None:
        await asyncio.to_thread(self.peers.stop)
        tasks = [*self._tasks, *([self._taking_up] if self._taking_up is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._passing is not None:
            self._passing.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hear(self, told: dict[str, Any]) -> None:
        if "named" in told:
            self._spawn(self._rename(told["named"], told["name"], told["before"]))
        if "ended" in told or "unlisted" in told:
            self._service.sessions.hear(told.get("ended", ()), told.get("unlisted", ""))

    async def _rename(self, person: str, name: str, before: str) -> None:
        with suppress(Exception):  # where it cannot be written the old name stays at a table
            await self._service.people.hear(person, name, before)

    def _miss(self) -> None:
        """What others told may have been missed: everybody is looked up again, those who listen too."""
        self._service.sessions.forget()
        self._service.people.forget()
        self._service.audience.send_home()

    def _look(self) -> None:
        """Whatever is due at tables that nobody has is taken up."""
        if self._taking_up is None or self._taking_up.done():
            self._taking_up = asyncio.get_running_loop().create_task(self._take_up())

    async def _take_up(self) -> None:
        with suppress(Exception):  # the database is away, and is asked again
            await self._computers.take_up()

    def _end(self, server: str) -> None:
        if self._passing is not None:
            self._passing.ended(server)
