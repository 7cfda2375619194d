"""Server-sent events: an answer that goes on for as long as somebody watches."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Generic, TypeVar, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

T = TypeVar("T")
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
