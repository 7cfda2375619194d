"""Connections: how many there may be, how large a request's head, and how long anybody may take over anything.

uvicorn limits how long a connection may be kept after an answer, and no more. A head of any size is kept in memory, a
request that is never finished is waited for without end, and so is somebody who does not read their answer; its own
limit on connections (limit_concurrency) refuses everybody as soon as one address has them all. So this is uvicorn's
protocol with what is missing:

- a head has a largest size, and a time in which it, and then the body, must be complete;
- an answer that nobody reads is given up, and so is a closed connection whose rest nobody reads;
- an address has only so many connections, and all together only so many that files remain for the database and the
  rest of the server. If there are too many, the one goes that has been waiting for its next request longest; only
  where all are being answered is the new one refused.

>>> room_for_connections() > 0
True
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from infila.server.addresses import Proxies, network_of
from infila.server.limits import LARGEST_HEAD

HEAD_SECONDS = 10.0  # from the first byte, or from the beginning of a connection, to the end of the head;
BODY_SECONDS = 30.0  # from there to the end of the body: a log of a megabyte takes 8 s at 1 Mbit/s
KEEP_SECONDS = 75  # from an answer to the next request: a player who thinks need not connect anew
READ_SECONDS = 30.0  # in which some of an answer that waits must be read
LINGER_SECONDS = 5.0  # in which a refusal, or the rest of an answer, may still be read before the connection is cut

MOST_CONNECTIONS = 8000
MOST_OF_ADDRESS = 250  # a browser has up to six, so some forty people behind one address
MOST_PIPELINED = 8  # requests sent before the first is answered; browsers send none
RESERVED_FILES = 200  # for the database, its threads, and what else the server reads


def room_for_connections() -> int:
    """How many connections there may be. The system's limit on open files is raised as far as needed and allowed."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_CONNECTIONS
    wanted = MOST_CONNECTIONS + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
        except (OSError, ValueError):  # a system that allows less than it says
            pass
    files = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(files - RESERVED_FILES, files // 2)


class Connections:
    """All connections: how many from where, and which of them wait for a request, the longest first."""

    def __init__(
        self,
        most: int,
        proxies: Proxies,
        *,
        by_address: bool = True,
        is_peer: Callable[[str], bool] = lambda address: False,
    ) -> None:
        self._most = most
        self._proxies = proxies
        self._is_peer = is_peer  # where another server is, which passes many requests on
        self._by_address = by_address
        self._open: Counter[str] = Counter()
        self.count = 0
        self._waiting: OrderedDict[Connection, None] = OrderedDict()
        self._waiting_at: dict[str, OrderedDict[Connection, None]] = {}

    def enter(self, connection: "Connection") -> bool:
        """Whether there is room for one more, if need be the room of another that waits."""
        at = connection.network
        if self._by_address and self._open[at] >= MOST_OF_ADDRESS and not self._may_have_more(connection.peer):
            if not self._send_away(self._waiting_at.get(at)):
                return False
        elif self.count >= self._most and not self._send_away(self._waiting):
            return False
        self._open[at] += 1
        self.count += 1
        self.waits(connection)
        return True

    def _may_have_more(self, peer: str) -> bool:
        return self._proxies.trusts(peer) or self._is_peer(peer)

    def _send_away(self, waiting: "OrderedDict[Connection, None] | None") -> bool:
        if not waiting:
            return False
        other = next(iter(waiting))
        self.leave(other)
        other.transport.abort()
        return True

    def leave(self, connection: "Connection") -> None:
        if not connection.inside:
            return
        connection.inside = False
        self.is_answered(connection)
        self.count -= 1
        self._open[connection.network] -= 1
        if not self._open[connection.network]:
            del self._open[connection.network]

    def waits(self, connection: "Connection") -> None:
        """For its next request, from now on."""
        if connection.inside:
            self._waiting[connection] = None
            self._waiting_at.setdefault(connection.network, OrderedDict())[connection] = None

    def is_answered(self, connection: "Connection") -> None:
        """No longer waits."""
        self._waiting.pop(connection, None)
        here = self._waiting_at.get(connection.network)
        if here is not None:
            here.pop(connection, None)
            if not here:
                del self._waiting_at[connection.network]


class Refusal(Exception):
    """A request is not read to its end."""


class Connection(HttpToolsProtocol):
    """uvicorn's protocol, with limits. At any time at most one timer runs for what is being read, and one for what
    nobody reads."""

    def __init__(self, *given: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*given, **named)
        self.inside = False
        self.peer = self.network = ""
        self._connections = connections
        self._reading: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._in_head = False
        self._head_bytes = 0
        self._status = 400  # of a request that cannot be read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        self.network = network_of(self.peer)
        self.inside = True
        if self._connections.enter(self):
            self._read_within(HEAD_SECONDS)
        else:
            self.inside = False
            self._status = 503
            self.send_400_response("There are too many connections. Try again in a moment.")

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.leave(self)
        self._read_within(None)
        self._cut_within(None)
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > LARGEST_HEAD:
                self._too_large()
        elif self._reading is None and (self.cycle is None or self.cycle.response_complete):
            self._read_within(HEAD_SECONDS)  # empty lines before a request: they have ended the time it was kept for

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        self._read_within(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        self._in_head = False
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > LARGEST_HEAD:
            self._status = 431
            raise Refusal
        if len(self.pipeline) >= MOST_PIPELINED:
            raise Refusal
        self._connections.is_answered(self)
        self._read_within(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._read_within(None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._cut_within(LINGER_SECONDS)
        elif not self.pipeline:
            self._connections.waits(self)
            if self._reading is not None:  # answered before the body was there
                self._read_within(LINGER_SECONDS)

    def _too_large(self) -> None:
        self._status = 431
        self.send_400_response("The head of this request is too large.")

    def send_400_response(self, msg: str) -> None:
        """uvicorn's answer to what is no request, with the status that says why."""
        if self.transport.is_closing():
            return
        retry = b"retry-after: 5\r\n" if self._status == 503 else b""
        text = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % len(msg)
        answer = [STATUS_LINE[self._status], text, retry, b"connection: close\r\n\r\n", msg.encode("ascii")]
        self.transport.write(b"".join(answer))
        self._close()

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._cut_within(READ_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._cut_within(None)

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
        self._cut_within(LINGER_SECONDS)

    def _read_within(self, seconds: float | None) -> None:
        """Close the connection unless something has been read by then."""
        if self._reading is not None:
            self._reading.cancel()
        self._reading = None if seconds is None else self.loop.call_later(seconds, self._close)

    def _cut_within(self, seconds: float | None) -> None:
        """Give the connection up unless what was written has been read by then."""
        if self._unread is not None:
            self._unread.cancel()
        self._unread = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
