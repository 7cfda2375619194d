"""Computers that think where there are no threads: a second worker of the page searches in the games' modules, so that
the page is answered meanwhile. What is no search, and a hint, is thought of here, and whoever asks something waits."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import msgspec

from infila.core.game import View
from infila.players.player import player
from infila.server.snapshot import Snapshot
from infila.server.tables import LiveTable
from infila.server.tasks import task_of
from infila.server.thinking import Leave, Rank, Unwanted

T = TypeVar("T")
Search = Callable[[str], Awaitable[int | None]]  # from a task, as JSON, to an action; None: it cannot be done


class OneThinker:
    """Takes the place of `infila.server.thinking.Thinkers`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._stopped = False

    def leave(self, rank: Rank, payer: tuple[str, ...]) -> Leave:
        return Leave(cast(Any, self), rank, payer)

    def waiting(self, _rank: Rank) -> int:
        return 0

    async def think(self, leave: Leave, work: Callable[[Leave], T]) -> T:
        if self._stopped or leave.unwanted:
            raise Unwanted
        leave.since = time.monotonic()
        return work(leave)

    def must_end(self, leave: Leave) -> bool:
        if time.monotonic() - leave.since >= self._seconds:
            leave.set()
            return True
        return leave.unwanted

    def call_off(self, leave: Leave) -> None:
        leave.unwanted = True
        leave.set()

    def stop(self) -> None:
        self._stopped = True


class OtherWorker:
    """Takes the place of `infila.server.solo.Solo`: here it is always the browser that thinks."""

    def __init__(self, search: Search, pause: float = 0.0) -> None:
        self._search, self._pause = search, pause
        self._waits: WeakKeyDictionary[LiveTable, asyncio.Future[int | None]] = WeakKeyDictionary()

    def may_think(self, _snapshot: Snapshot, _person: str | None) -> bool:
        """Whether a page has anything to do for it."""
        return False

    async def thought(self, live: LiveTable, seat: int) -> str:
        """The move of a computer that has to act; empty if there is nothing to search for, or no way to do so. Raises
        Unwanted if it is called off."""
        snapshot = live.snapshot
        level, view = snapshot.seats[seat].level, snapshot.view(seat)
        if level is None or view is None or seat != snapshot.player or len(view.own_actions()) < 2:
            return ""
        wait = self._waits[live] = asyncio.ensure_future(self._found(snapshot, level, view))
        try:
            action = await wait
        except asyncio.CancelledError:
            raise Unwanted from None
        return "" if action is None else view.text(action)

    async def _found(self, snapshot: Snapshot, level: str, view: View) -> int | None:
        """First whoever has moved is answered. It costs nobody time: people are given longer than that to look."""
        await asyncio.sleep(self._pause)
        thinker = player(snapshot.header.game, level)
        if not thinker.searches:
            return None
        return await self._search(msgspec.json.encode(task_of(thinker, view, snapshot.version)).decode())

    def call_off(self, live: LiveTable) -> None:
        if live in self._waits:
            self._waits[live].cancel()
