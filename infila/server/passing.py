"""Requests for a table that another server works on are passed on to that server, whole, and so are their answers.

So everything that a server keeps in memory about a table is in one place: who watches, who is here, what is thought of.
What belongs to a person's devices (links to another one, and the ends of sessions) is done by the eldest server.

A request that was passed on says so, with a signature that only servers of the same database can make; it is never
passed on again. One that comes where the table is not is sent back, and the first server looks again. If the other
server does not answer, this one waits until that has stopped, or was taken for dead, and then takes the table itself.
What may have been done already is not done again: whoever asked has to ask again.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from infila.server.errors import Full, Unknown
from infila.server.gate import PEER, refuse
from infila.server.identity import Signer
from infila.server.limits import LARGEST_LOG
from infila.server.owners import NOBODY, Owners
from infila.server.ownership import Elsewhere
from infila.server.peers import Peers
from infila.server.store import is_away

TABLE = re.compile(r"/(?:t|api/v1/tables)/([0-9A-Za-z]{1,20})(?:/|$)")
OF_DEVICES = re.compile(r"/(?:device|devices(?:/.*)?|me/.+|api/v1/me/token)")
PASSED, WHENCE = b"x-infila-passed", b"x-infila-from"
HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"te", b"upgrade", b"date", PASSED, WHENCE})
SAFE = frozenset({"GET", "HEAD"})
MISDIRECTED = 421
PATIENCE = 10.0  # seconds for a table to find its server
AGAIN_SECONDS = 0.2
CONNECT_SECONDS = 3.0
SILENT_SECONDS = 8  # after which a server that acknowledges nothing is taken for gone
PROBES = {"TCP_KEEPIDLE": 4, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 1000 * SILENT_SECONDS}
IDLE_SECONDS = 20.0  # for which a connection is kept that nobody uses; the other side keeps it longer
MOST_IDLE = 64  # of a server
MOST_KNOWN = 20_000  # tables of others
LARGEST_ANSWER_HEAD = 64_000
SORRY = "the tables cannot be reached at the moment. Try again in a moment."


class NotSent(Exception):
    """The other server has certainly not done anything."""


class Broken(Exception):
    """The other server may have done it, and did not say."""


class Link(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]


class Passing:
    def __init__(self, app: ASGIApp, owners: Owners, peers: Peers, signer: Signer, me: str) -> None:
        """`app` is what answers here."""
        self._app, self._owners, self._peers, self._signer, self._me = app, owners, peers, signer, me
        self._known: dict[str, str] = {}  # tables of others, by the server that has them
        self._idle: dict[str, list[tuple[float, Link]]] = {}
        self._busy: dict[str, set[asyncio.StreamWriter]] = {}
        self._streams: set[asyncio.StreamWriter] = set()
        self.passed = 0

    def receiving(self, gate: ASGIApp) -> ASGIApp:
        """In front of the gate: what another server passes on has been through its own."""

        async def outside(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == ScopeType.HTTP:
                signature = _header(scope, PASSED)
                if signature and self._signer.is_server(self._me, signature.decode("latin-1")):
                    await self._take_in(scope, receive, send)
                    return
            await gate(scope, receive, send)

        return cast(ASGIApp, outside)

    async def _take_in(self, scope: Any, receive: Receive, send: Send) -> None:
        address, scheme, peer, trusted = _header(scope, WHENCE).decode("latin-1").split("|")
        scope["client"], scope["scheme"] = (address, 0), scheme
        scope[PEER] = peer, bool(trusted)
        scope["headers"] = [each for each in scope["headers"] if each[0] not in (PASSED, WHENCE)]
        found = TABLE.match(scope["path"])
        if found is not None and not self._owners.holds(found[1]):
            try:
                await self._owners.hold(found[1])
            except Unknown:
                pass  # the application says so
            except Elsewhere:
                empty = [(b"content-length", b"0")]
                await send({"type": "http.response.start", "status": MISDIRECTED, "headers": empty})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            except Exception as problem:
                await _apologise(scope, send, problem)
                return
        await self._app(scope, receive, send)

    async def sending(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Behind the gate: answer here, or have it answered where the table is."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        body: bytes | None = None
        while True:
            try:
                server = await self._server_for(scope["path"])
            except Exception as problem:
                await _apologise(scope, send, problem)
                return
            if server == self._me:
                await self._app(scope, receive if body is None else _again(body, receive), send)
                return
            if body is None and (body := await _body(receive)) is None:
                return
            try:
                if server != NOBODY and await self._pass_on(server, scope, body, receive, send):
                    return
            except NotSent:
                pass
            except Broken:
                if scope["method"] not in SAFE:
                    await refuse(scope, send, Full(SORRY, seconds=1))
                    return
            self._forget(scope["path"])
            if loop.time() >= end:
                await refuse(scope, send, Full(SORRY, seconds=1))
                return
            await asyncio.sleep(AGAIN_SECONDS)

    async def _server_for(self, path: str) -> str:
        """Who answers a request; empty: nobody just now."""
        found = TABLE.match(path)
        if found is None:
            return self._peers.eldest if OF_DEVICES.fullmatch(path) else self._me
        table = found[1]
        if self._owners.holds(table):
            return self._me
        if (known := self._known.get(table)) is not None:
            return known
        try:
            owner = await self._owners.owner(table)
            if owner == NOBODY:
                await self._owners.hold(table)
                return self._me
        except Unknown:
            return self._me
        except Elsewhere as problem:
            owner = problem.server
        if owner == self._me:
            return self._me
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[table] = owner
        return owner

    def _forget(self, path: str) -> None:
        if (found := TABLE.match(path)) is not None:
            self._known.pop(found[1], None)

    def ended(self, server: str) -> None:
        """A server is gone: whoever waits for it waits no longer."""
        self._known = {table: owner for table, owner in self._known.items() if owner != server}
        for _, link in self._idle.pop(server, []):
            link.writer.transport.abort()
        for writer in list(self._busy.get(server, ())):
            writer.transport.abort()

    async def _pass_on(self, server: str, scope: Any, body: bytes, receive: Receive, send: Send) -> bool:
        """Whether it was answered; False: the other server has not got the table."""
        link = await self._link(server)
        busy = self._busy.setdefault(server, set())
        busy.add(link.writer)
        kept = False
        try:
            link.writer.write(self._request(server, scope, body))
            answer = await _read_head(link.reader)
            if _value(answer, b"content-type").startswith(b"text/event-stream") and answer.status == 200:
                self.passed += 1
                self._streams.add(link.writer)
                await _stream(link, answer, receive, send)
                return True
            content = await _read_body(link.reader, answer, scope["method"])
            kept = _value(answer, b"connection").lower() != b"close"
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as problem:
            raise Broken from problem
        finally:
            busy.discard(link.writer)
            self._streams.discard(link.writer)
            if kept:
                self._keep(server, link)
            else:
                link.writer.transport.abort()
        if answer.status == MISDIRECTED:
            return False
        self.passed += 1
        headers = [each for each in answer.headers if each[0] not in HOP_BY_HOP]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": content, "more_body": False})
        return True

    def _request(self, server: str, scope: Any, body: bytes) -> bytes:
        peer, trusted = scope.get(PEER, ("", False))
        whence = f"{scope['client'][0]}|{scope['scheme']}|{peer}|{'1' if trusted else ''}"
        target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        lines = [scope["method"].encode() + b" " + target + b" HTTP/1.1"]
        unwanted = HOP_BY_HOP | {b"content-length", b"expect"}
        lines += [name + b": " + value for name, value in scope["headers"] if name not in unwanted]
        lines += [PASSED + b": " + self._signer.server(server).encode(), WHENCE + b": " + whence.encode("latin-1")]
        lines.append(b"content-length: %d" % len(body))
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    async def _link(self, server: str) -> Link:
        now = asyncio.get_running_loop().time()
        idle = self._idle.get(server, [])
        while idle:
            since, link = idle.pop()
            if now - since < IDLE_SECONDS and not link.writer.transport.is_closing() and not link.reader.at_eof():
                return link
            link.writer.transport.abort()
        url = self._peers.url_of(server)
        if not url:
            raise NotSent
        place = urlsplit(url)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                found = await asyncio.open_connection(place.hostname, place.port or 80, limit=LARGEST_ANSWER_HEAD)
        except (OSError, TimeoutError) as problem:
            raise NotSent from problem
        notice_silence(found[1].get_extra_info("socket"))
        return Link(*found)

    def _keep(self, server: str, link: Link) -> None:
        idle = self._idle.setdefault(server, [])
        idle.append((asyncio.get_running_loop().time(), link))
        if len(idle) > MOST_IDLE:
            idle.pop(0)[1].writer.transport.abort()

    def send_home(self) -> None:
        """End all streams that go through here: this server stops, and whoever listens comes to another."""
        for writer in list(self._streams):
            writer.transport.abort()

    def close(self) -> None:
        for idle in self._idle.values():
            for _, link in idle:
                link.writer.transport.abort()
        self._idle.clear()


def notice_silence(connection: Any) -> None:
    """Have the system find out when the other machine is gone without a word. One that thinks for long is still there:
    its system says so."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in PROBES.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _header(scope: Any, wanted: bytes) -> bytes:
    return next((value for name, value in scope["headers"] if name == wanted), b"")


def _value(answer: Answer, wanted: bytes) -> bytes:
    return next((value for name, value in answer.headers if name == wanted), b"")


async def _apologise(scope: Any, send: Send, problem: Exception) -> None:
    """Nobody knows where a table is while the database is away."""
    if not is_away(problem):
        raise problem
    await refuse(scope, send, Full(SORRY, seconds=3))


async def _body(receive: Receive) -> bytes | None:
    """None: whoever asked has gone before all of it was there."""
    parts: list[bytes] = []
    size = 0
    while True:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST_LOG or not message.get("more_body", False):
            return b"".join(parts)  # what is too large the other server refuses


def _again(body: bytes, receive: Receive) -> Callable[[], Awaitable[Any]]:
    """A body that was read already, for whoever reads it once more."""
    told = False

    async def repeated() -> Any:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return repeated


async def _read_head(reader: asyncio.StreamReader) -> Answer:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head[:-4].split(b"\r\n")
    headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
    return Answer(int(first.split(b" ", 2)[1]), headers)


async def _read_body(reader: asyncio.StreamReader, answer: Answer, method: str) -> bytes:
    if method == "HEAD" or answer.status in (204, 304):
        return b""
    if length := _value(answer, b"content-length"):
        return await reader.readexactly(int(length))
    parts: list[bytes] = []
    while chunk := await _read_chunk(reader):
        parts.append(chunk)
    return b"".join(parts)


async def _read_chunk(reader: asyncio.StreamReader) -> bytes:
    size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
    chunk = await reader.readexactly(size + 2)
    return chunk[:-2]


async def _stream(link: Link, answer: Answer, receive: Receive, send: Send) -> None:
    """Until either side has had enough. One that breaks ends: whoever listens comes back."""

    async def until_gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        link.writer.transport.abort()

    gone = asyncio.create_task(until_gone())
    try:
        headers = [each for each in answer.headers if each[0] not in HOP_BY_HOP]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        with suppress(OSError, EOFError, ValueError):
            while chunk := await _read_chunk(link.reader):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        gone.cancel()
