"""A server without a network: requests are put to the application itself, and every byte of the answers is kept."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from infila.server.app import create_app
from infila.server.gate import entrance
from infila.server.identity import COOKIE
from infila.server.request import App
from infila.server.session import BROWSER, PROGRAM
from infila.server.settings import Settings
from tests.server.database import data_for

HOST = "infila.test"
Headers = dict[str, str]


class Stream:
    """An answer that does not end: the bytes that have come so far."""

    def __init__(self) -> None:
        self.got = b""
        self.gone = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    async def close(self) -> None:
        self.gone.set()
        if self.task is not None:
            await self.task


class Server:
    def __init__(self, folder: Path, **settings: Any) -> None:
        wanted: dict[str, Any] = {"limits": False, "pace": 0.0} | settings
        told = Settings(data=data_for(folder), **wanted)
        self.litestar = create_app(told)
        self.app: App = self.litestar.state.infila
        self.gate = entrance(self.app, self.litestar)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Server"]:
        async with self.litestar.lifespan():
            yield self

    async def program(self, person: str) -> Headers:
        """What a program of somebody's sends."""
        session = await self.app.service.sessions.first(person, PROGRAM, "")
        return {"authorization": f"Bearer {self.app.signer.token(session.id)}"}

    async def browser(self, person: str) -> Headers:
        """What a browser of somebody's sends from our own pages."""
        session = await self.app.service.sessions.first(person, BROWSER, "")
        return {"cookie": f"{COOKIE}={self.app.signer.cookie(session.id)}", "origin": f"http://{HOST}"}

    async def ask(
        self, method: str, path: str, headers: Headers, body: Any = None, address: str = "192.0.2.1"
    ) -> bytes:
        """The whole answer: status, headers, body. What is sent is JSON, unless it is bytes already."""
        answer = bytearray()
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()

        async def receive() -> Any:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: Any) -> None:
            answer.extend(_bytes(message))

        await self.gate(_scope(method, path, headers, address), receive, send)  # type: ignore[arg-type]
        return bytes(answer)

    def listen(self, path: str, headers: Headers) -> Stream:
        stream = Stream()

        async def receive() -> Any:
            await stream.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            stream.got += _bytes(message)

        async def answering() -> None:
            await self.gate(_scope("GET", path, headers, "192.0.2.1"), receive, send)  # type: ignore[arg-type]

        stream.task = asyncio.create_task(answering())
        return stream


def status(answer: bytes) -> int:
    return int(answer[:3])


def header(answer: bytes, name: str) -> str:
    """A header of an answer; empty if it has none."""
    head = answer.partition(b"\n\n")[0].decode().split("\n")[1:]
    return next((line.partition(": ")[2] for line in head if line.startswith(f"{name}: ")), "")


def content(answer: bytes) -> Any:
    return json.loads(answer.partition(b"\n\n")[2])


def _bytes(message: Any) -> bytes:
    if message["type"] != "http.response.start":
        return bytes(message.get("body", b""))
    lines = [b"%d" % message["status"], *(name + b": " + value for name, value in sorted(message["headers"]))]
    return b"\n".join(lines) + b"\n\n"


def _scope(method: str, path: str, headers: Headers, address: str) -> dict[str, Any]:
    path, _, query = path.partition("?")
    wanted = {"host": HOST, "content-type": "application/json"} | headers
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in wanted.items()],
        "client": (address, 1),
        "server": (HOST, 80),
    }
