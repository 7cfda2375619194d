"""Somebody who talks to a server over HTTP from an address of their own, in as few lines as will do.

Every address that begins with 127 is this machine (on Linux), so honest people and attackers come from different ones,
and the server counts them by these, as it would in a network. No reverse proxy has to be made up for it.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple, TypeAlias

HOST = "127.0.0.1"
LARGEST_LINE = 4_000_000  # of a stream of events: a whole table
Reader: TypeAlias = asyncio.StreamReader
Writer: TypeAlias = asyncio.StreamWriter


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> Any:
        return json.loads(self.body)


class Cut(Exception):
    """The connection was closed before there was an answer."""


class Client:
    """Asks one thing after the other, on one connection that is opened again when it has been closed."""

    def __init__(self, port: int, address: str = HOST, headers: dict[str, str] | None = None) -> None:
        self.port, self.address = port, address
        self.headers = {"host": HOST} | (headers or {})
        self._kept: tuple[Reader, Writer] | None = None

    async def connect(self) -> tuple[Reader, Writer]:
        return await asyncio.open_connection(HOST, self.port, local_addr=(self.address, 0), limit=LARGEST_LINE)

    async def become(self, name: str) -> Answer:
        """Become a new person: what is asked from now on is asked in their name."""
        answer = await self.ask("POST", "/api/v1/people", {"name": name})
        if answer.status < 300:
            self.headers["authorization"] = f"Bearer {answer.content['token']}"
        return answer

    async def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """Raises Cut, or OSError, if there is no answer."""
        for again in (True, False):
            fresh = self._kept is None
            reader, writer = self._kept or await self.connect()
            self._kept = None
            try:
                writer.write(self.written(method, path, body, headers))
                await writer.drain()
                answer = await read_answer(reader)
            except (Cut, ConnectionError):
                writer.close()
                if fresh or not again:
                    raise
                continue  # closed while nobody asked, as it may be: only now it is known
            except BaseException:
                writer.close()
                raise
            if answer.headers.get("connection") == "close" or self._kept is not None:
                writer.close()
            else:
                self._kept = reader, writer
            return answer
        raise AssertionError

    async def ask_anew(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """On a connection of its own, as somebody does who comes for the first time."""
        self.close()
        try:
            return await self.ask(method, path, body, headers)
        finally:
            self.close()

    async def events(self, path: str, headers: dict[str, str] | None = None) -> AsyncIterator[bytes]:
        """The data of every event; raises Cut when the stream has ended, and NotServed if it never began."""
        reader, writer = await self.connect()
        try:
            writer.write(self.written("GET", path, None, headers))
            status, _ = await read_head(reader)
            if status != 200:
                raise NotServed(status)
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    yield line[6:]
            raise Cut
        finally:
            writer.close()

    def close(self) -> None:
        if self._kept is not None:
            self._kept[1].close()
            self._kept = None

    def written(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> bytes:
        """A request as it is sent; what is not bytes already is sent as JSON."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        wanted = {"content-type": "application/json"} | self.headers | (headers or {})
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in wanted.items())]
        return "\r\n".join([*lines, f"content-length: {len(sent)}", "", ""]).encode("latin-1") + sent


class NotServed(Exception):
    """A stream was refused."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


async def read_head(reader: Reader) -> tuple[int, dict[str, str]]:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        raise Cut from None
    fields = (line.partition(": ") for line in head[1:] if line)
    return int(head[0].split()[1]), {name.lower(): value for name, _, value in fields}


async def read_answer(reader: Reader) -> Answer:
    status, headers = await read_head(reader)
    try:
        if "chunked" in headers.get("transfer-encoding", ""):
            return Answer(status, headers, await _read_chunks(reader))
        return Answer(status, headers, await reader.readexactly(int(headers.get("content-length", 0))))
    except asyncio.IncompleteReadError:
        raise Cut from None


async def _read_chunks(reader: Reader) -> bytes:
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body
