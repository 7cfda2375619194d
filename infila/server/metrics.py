"""Figures about a server for Prometheus, in its text format.

They are told at a socket of their own, which `infila serve --metrics ADDRESS:PORT` opens, and nowhere else: no page and
no proxy in front of the pages can lead there. They have no names, tables or addresses in them.
"""

import asyncio
import re
import socket
import time
from collections.abc import Iterator
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from infila.server.counting import Histogram
from infila.server.errors import CannotServe
from infila.server.request import App
from infila.server.thinking import Rank

KINDS = ("move", "act", "state", "stream", "program", "file", "page")
FILES = ("/static/", "/look/", "/solo/", "/anywhere", "/sw.js", "/installed.js")
LONGEST_HEAD = 8_000  # bytes of a request for figures
PATIENCE = 10.0  # seconds in which it must be there
CONTENT = "text/plain; version=0.0.4; charset=utf-8"


def kind_of(method: str, path: str) -> str:
    """What a request is about, as latencies are told apart.

    >>> kind_of("POST", "/t/abc/moves"), kind_of("GET", "/api/v1/tables/abc"), kind_of("GET", "/")
    ('move', 'program', 'page')
    """
    if method == "POST" or method == "DELETE":
        return "move" if path.endswith("/moves") else "act"
    if path.endswith("/events"):
        return "stream"
    if path.endswith("/state"):
        return "state"
    if path.startswith("/api/"):
        return "program"
    return "file" if path.startswith(FILES) else "page"


class Latencies:
    """How long requests took, from the gate to the first byte of the answer, by kind."""

    def __init__(self) -> None:
        self.by_kind = {kind: Histogram() for kind in KINDS}
        self.failed = 0  # answers with a status of 500 and more

    def timed(self, app: ASGIApp) -> ASGIApp:
        """An application whose answers are counted."""

        async def outside(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            began = time.perf_counter()

            async def sending(message: Any) -> None:
                if message["type"] == "http.response.start":
                    self.by_kind[kind_of(scope["method"], scope["path"])].add(time.perf_counter() - began)
                    self.failed += message["status"] >= 500
                await send(message)

            await app(scope, receive, sending)

        return cast(ASGIApp, outside)


def figures(app: App, latencies: Latencies) -> str:
    """All of them, as Prometheus reads them."""
    return "\n".join(_lines(app, latencies)) + "\n"


def _lines(app: App, latencies: Latencies) -> Iterator[str]:
    tables, written, thinkers = app.service.tables, app.store.written, app.computers.thinkers
    yield from _one("moves_total", "counter", "Moves written to the log.", written.moves)
    yield from _one("entries_total", "counter", "Entries written to the log, moves among them.", written.entries)
    yield from _head("commit_seconds", "histogram", "Transactions, and how long each took.")
    yield from _histogram("commit_seconds", "", written.commits)
    yield from _head("request_seconds", "histogram", "From the gate to the first byte of the answer.")
    for kind, taken in latencies.by_kind.items():
        yield from _histogram("request_seconds", f'kind="{kind}"', taken)
    yield from _one("failures_total", "counter", "Answers with a status of 500 or more.", latencies.failed)
    yield from _one("tables", "gauge", "Tables in memory.", len(tables.in_memory))
    yield from _one("streams", "gauge", "Open streams of events.", app.limiter.streams)
    yield from _head("thoughts_waiting", "gauge", "Thoughts of computers that wait for their turn.")
    for rank in Rank:
        yield f'infila_thoughts_waiting{{rank="{rank.name.lower()}"}} {thinkers.waiting(rank)}'
    yield from _one("thoughts_going", "gauge", "Thoughts that are being thought.", thinkers.going)
    yield from _one("reviews_going", "gauge", "Games that are being looked at once more.", app.reviews.going)
    if app.together is not None:
        yield from _one("servers", "gauge", "Servers of this database.", len(app.together.peers.all))
        yield from _one("tables_owned", "gauge", "Tables that this server works on.", app.together.owners.count)
        yield from _one("passed_total", "counter", "Requests passed on to other servers.", app.together.passed)
    away = app.store.away_since is not None
    yield from _one("database_away", "gauge", "1 while the database cannot be reached.", int(away))


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP infila_{name} {about}"
    yield f"# TYPE infila_{name} {kind}"


def _one(name: str, kind: str, about: str, value: float) -> Iterator[str]:
    yield from _head(name, kind, about)
    yield f"infila_{name} {value}"


def _histogram(name: str, labels: str, taken: Histogram) -> Iterator[str]:
    count, more = taken.count, f"{labels}," if labels else ""
    for edge, so_far in taken.up_to():
        yield f'infila_{name}_bucket{{{more}le="{edge}"}} {so_far}'
    yield f'infila_{name}_bucket{{{more}le="+Inf"}} {count}'
    braces = f"{{{labels}}}" if labels else ""
    yield f"infila_{name}_sum{braces} {taken.sum:.6f}"
    yield f"infila_{name}_count{braces} {count}"


def place_of(text: str) -> tuple[str, int]:
    """Where figures are told, as the operator says it.

    >>> place_of("127.0.0.1:9224"), place_of("[::1]:9224")
    (('127.0.0.1', 9224), ('::1', 9224))
    """
    found = re.fullmatch(r"(?:\[([\da-fA-F:]+)\]|([\w.-]+)):(\d{1,5})", text, re.ASCII)
    if found is None or int(found[3]) > 65535:
        raise CannotServe(f"--metrics takes an address and a port, such as 127.0.0.1:9224, not {text!r}.")
    return found[1] or found[2], int(found[3])


class Teller:
    """Answers GET /metrics at a socket of its own, and nothing else."""

    def __init__(self, listening: socket.socket, app: App, latencies: Latencies) -> None:
        self._listening, self._app, self._latencies = listening, app, latencies
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._answer, sock=self._listening, limit=LONGEST_HEAD)

    def stop(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                known = re.match(rb"(GET|HEAD) /metrics(\?\S*)? HTTP/1\.[01]\r\n", head) is not None
                body = figures(self._app, self._latencies).encode() if known else b"there is only /metrics here.\n"
                status, length = ("200 OK" if known else "404 Not Found"), len(body)
                answer = f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT}\r\nContent-Length: {length}\r\n"
                writer.write(f"{answer}Connection: close\r\n\r\n".encode())
                if not head.startswith(b"HEAD "):
                    writer.write(body)
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asked has gone, or sent no request
        finally:
            writer.close()
