"""Who is watching a table, and what each of them has still to be told.

A watcher gets every moment of the table that it may know of, in order, each as that viewer sees it. Who comes back with
the number of the last moment it had gets all the moments since then, rebuilt from the log.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

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
    waiting: list[Update] = field(default_factory=list)  # rarely more than one or two
    _wake: "asyncio.Future[None] | None" = None
    closed: bool = False

    def tell(self, update: Update) -> None:
        if len(self.waiting) >= MOST_BEHIND:
            self.closed = True
        else:
            self.waiting.append(update)
        self._rouse()

    def close(self) -> None:
        self.closed = True
        self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def next(self) -> Update | None:
        """The next update, as soon as there is one; None at the end."""
        while not self.waiting:
            if self.closed:
                return None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return self.waiting.pop(0)


APART = "infila.apart"  # in the scope of a request: where a stream is left that goes on later
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class EventStream(Generic[T]):
    """An answer that goes on: what `views` yields is encoded and sent as it comes, until either side has had enough.

    The framework's own streaming answer keeps a group of tasks for each viewer; this one needs a single one more, and
    under `streaming_apart` nothing of the framework's.
    """

    held: ExitStack

    def __init__(
        self,
        views: AsyncIterator[tuple[int, T]],
        encode: Callable[[T], bytes],
        counted: AbstractContextManager[None],
    ) -> None:
        self.views, self.encode, self.counted = views, encode, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with ExitStack() as held:
            held.enter_context(self.counted)
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            self.held = held.pop_all()
        apart: list[EventStream[T]] | None = cast(Any, scope).get(APART)
        if apart is None:
            await self.run(receive, send)
        else:
            apart.append(self)

    async def run(self, receive: Receive, send: Send) -> None:
        """Until either side has had enough."""
        task = asyncio.current_task()
        assert task is not None
        gone = asyncio.create_task(_until_gone(receive))
        ended = False

        def end(_: object) -> None:
            if not ended:
                task.cancel()

        gone.add_done_callback(end)
        try:
            async for _, view in self.views:
                await send({"type": "http.response.body", "body": self.encode(view), "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if not gone.done():
                raise
            task.uncancel()  # the viewer has gone: that is how streams end
        finally:
            ended = True
            gone.cancel()
            self.held.close()


def streaming_apart(app: ASGIApp) -> ASGIApp:
    """An application whose streams go on after it has returned, and whose connections keep nothing of an answered
    request: streams and connections stay open for long, and what the framework holds for each is many times their own.
    """

    async def outside(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        streams: list[EventStream[Any]] = []
        own = {**scope, "state": {**scope["state"]}, APART: streams}  # the server keeps only what it came with
        await app(cast(Any, own), receive, send)
        del own
        for stream in streams:
            await stream.run(receive, send)

    return outside


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
