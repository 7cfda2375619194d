"""Who is watching a table, and what each of them has still to be told.

A watcher gets every moment of the table that it may know of, in order, each as that viewer sees it. Who comes back with
the number of the last moment it had gets all the moments since then, rebuilt from the log.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from litestar.types import Receive, Scope, Send

from infila.server.moment import Moment

T = TypeVar("T")
MOST_BEHIND = 500  # moments; who is further behind is sent away, and comes back with Last-Event-ID

HERE, BEAT = "here", "beat"  # somebody came or went; nothing happened for a while


@dataclass(frozen=True)
class Update:
    """A moment to be told, and what happened: the kind of its last entry, `here`, `beat`, or `view` for the first."""

    moment: Moment
    kind: str


@dataclass(eq=False)
class Watcher:
    person: str | None
    _waiting: deque[Update] = field(default_factory=deque)
    _wake: "asyncio.Future[None] | None" = None
    closed: bool = False

    def tell(self, update: Update) -> None:
        if len(self._waiting) >= MOST_BEHIND:
            self.closed = True
        else:
            self._waiting.append(update)
        self._rouse()

    def close(self) -> None:
        self.closed = True
        self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def next(self) -> Update | None:
        """The next update, as soon as there is one; None at the end."""
        while not self._waiting:
            if self.closed:
                return None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return self._waiting.popleft()


STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class EventStream(Generic[T]):
    """An answer that goes on: what `views` yields is encoded and sent as it comes, until either side has had enough.

    The framework's own streaming answer keeps a group of tasks for each viewer; this one needs a single one more.
    """

    def __init__(
        self,
        views: AsyncIterator[tuple[int, T]],
        encode: Callable[[T], bytes],
        counted: AbstractContextManager[None],
    ) -> None:
        self.views, self.encode, self.counted = views, encode, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.counted:
            await self._until_either_ends(receive, send)

    async def _until_either_ends(self, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        gone = asyncio.create_task(_until_gone(receive))
        ended = False

        def end(_: object) -> None:
            if not ended:
                task.cancel()

        gone.add_done_callback(end)
        try:
            await self._send(send)
        except asyncio.CancelledError:
            if not gone.done():
                raise
            task.uncancel()  # the viewer has gone: that is how streams end
        finally:
            ended = True
            gone.cancel()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        async for _, view in self.views:
            await send({"type": "http.response.body", "body": self.encode(view), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
