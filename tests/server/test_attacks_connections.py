"""Connections that are opened and not used, heads without end, and answers that nobody reads stop nobody else."""

import asyncio
import functools
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from infila.server import command, connections
from infila.server.addresses import Proxies
from infila.server.connections import Connection, Connections, room_for_connections
from tests.server.running import running

HELLO = b"GET / HTTP/1.1\r\nhost: here\r\n\r\n"
LARGE = 30_000_000  # bytes: more than the system keeps for somebody who does not read
SOON = 0.2  # seconds


class Application:
    """Says hello, or much, or waits; and knows how long it has waited."""

    def __init__(self) -> None:
        self.begun = self.ended = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while (await receive())["type"] != "lifespan.shutdown":
                await send({"type": "lifespan.startup.complete"})
            await send({"type": "lifespan.shutdown.complete"})
            return
        self.begun += 1
        try:
            if scope["method"] == "POST":
                while (message := await receive())["type"] == "http.request" and message["more_body"]:
                    pass
            while scope["path"] == "/wait" and (await receive())["type"] != "http.disconnect":
                pass
            body = b"x" * (LARGE if scope["path"] == "/large" else 5)
            size = [(b"content-length", b"%d" % len(body))]
            await send({"type": "http.response.start", "status": 200, "headers": size})
            for at in range(0, len(body), 100_000):
                part = body[at : at + 100_000]
                await send({"type": "http.response.body", "body": part, "more_body": at + 100_000 < len(body)})
        finally:
            self.ended += 1


@contextmanager
def serving(app: Any, most: int = 1000, proxies: Proxies | None = None) -> Iterator[tuple[str, int]]:
    """An application on connections with limits; its address."""
    listening = command.listen("127.0.0.1", 0)
    protocol: Any = functools.partial(Connection, connections=Connections(most, proxies or Proxies()))
    config = uvicorn.Config(app, http=protocol, ws="none", log_level="critical", timeout_graceful_shutdown=1)
    config.timeout_keep_alive = 60
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield listening.getsockname()
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def connect(address: tuple[str, int], sent: bytes = b"") -> socket.socket:
    made = socket.create_connection(address, timeout=5)
    made.sendall(sent)
    return made


def rest(made: socket.socket) -> bytes:
    """Everything until the other side closes; an empty answer if it cut the connection."""
    got = b""
    try:
        while part := made.recv(65536):
            got += part
    except ConnectionError:
        pass
    return got


def says_hello(address: tuple[str, int]) -> bool:
    with closing(connect(address, HELLO)) as made:
        return b"200 OK" in made.recv(65536)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "READ_SECONDS", "LINGER_SECONDS"):
        monkeypatch.setattr(connections, name, SOON)


@pytest.mark.parametrize("half", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nhost: here\r\nx: "])
@pytest.mark.parametrize("where", ["address", "all"])
def test_half_open_requests_keep_nobody_out(monkeypatch: pytest.MonkeyPatch, half: bytes, where: str) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 20 if where == "address" else 1000)
    with serving(Application(), most=1000 if where == "address" else 20) as address, ExitStack() as stack:
        opened = [stack.enter_context(closing(connect(address, half))) for _ in range(100)]
        assert says_hello(address)
        opened[0].settimeout(2)
        assert rest(opened[0]) == b"", "who has waited longest is sent away"


def test_where_all_are_being_answered_the_next_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 5)
    app = Application()
    with serving(app) as address, ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(closing(connect(address, HELLO.replace(b"/ ", b"/wait "))))
        while app.begun < 5:
            time.sleep(0.01)
        answer = rest(stack.enter_context(closing(connect(address))))
        assert answer.startswith(b"HTTP/1.1 503") and b"retry-after" in answer
    with serving(app, proxies=Proxies(["127.0.0.0/8"])) as address, ExitStack() as stack:
        for _ in range(7):  # all come through one
            stack.enter_context(closing(connect(address, HELLO.replace(b"/ ", b"/wait "))))
        assert says_hello(address)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"\r\n",
        b"GET / HTTP/1.1\r\nhost: he",
        HELLO + b"GET",
        b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\nhalf",
        b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
)
def test_what_is_never_finished_is_not_waited_for(half: bytes) -> None:
    app = Application()
    with serving(app) as address, closing(connect(address, half)) as made:
        begun = time.monotonic()
        assert rest(made).count(b"200 OK") == half.count(HELLO)
        assert time.monotonic() - begun < 2
    assert app.begun == app.ended


@pytest.mark.usefixtures("impatient")
def test_empty_lines_keep_no_connection() -> None:
    with serving(Application()) as address, closing(connect(address, HELLO)) as made:
        assert b"200 OK" in made.recv(65536)
        made.sendall(b"\r\n")
        begun = time.monotonic()
        assert rest(made) == b"" and time.monotonic() - begun < 2


@pytest.mark.usefixtures("impatient")
def test_byte_by_byte_is_not_waited_for_either() -> None:
    with serving(Application()) as address, closing(connect(address)) as made:
        begun = time.monotonic()
        with pytest.raises(ConnectionError):
            for byte in b"GET / HTTP/1.1\r\nhost: here\r\nx: " + b"y" * 1000:
                made.sendall(bytes([byte]))
                time.sleep(0.02)
        assert time.monotonic() - begun < 2


@pytest.mark.parametrize("begin", [b"GET /", b"GET / HTTP/1.1\r\nx: ", b"GET / HTTP/1.1\r\nhost: here\r\n"])
def test_a_head_has_a_largest_size(begin: bytes) -> None:
    piece = b"x: y\r\n" * 20_000 if begin.endswith(b"\n") else b"y" * 120_000
    with serving(Application()) as address, closing(connect(address, begin)) as made:
        sent = 0
        with pytest.raises(ConnectionError):
            while sent < 300_000_000:
                made.sendall(piece)
                sent += len(piece)
        assert sent < 20_000_000, "it is read no further"
        assert says_hello(address)
    with serving(Application()) as address, closing(connect(address, begin)) as made:
        made.sendall(piece[:40_000])
        made.sendall(b" HTTP/1.1\r\n\r\n" if begin == b"GET /" else b"\r\n\r\n")
        assert rest(made).startswith(b"HTTP/1.1 431")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("kept", [b"", b"connection: close\r\n"])
def test_an_answer_that_nobody_reads_is_given_up(kept: bytes) -> None:
    app = Application()
    with serving(app) as address, closing(socket.socket()) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect(address)
        made.sendall(b"GET /large HTTP/1.1\r\nhost: here\r\n%b\r\n" % kept)
        begun = time.monotonic()
        while not app.ended and time.monotonic() - begun < 5:
            time.sleep(0.01)
        assert app.ended == 1
        made.settimeout(5)
        assert len(rest(made)) < LARGE


def test_thousands_of_requests_at_once_are_not_kept() -> None:
    app = Application()
    with serving(app) as address, closing(connect(address, HELLO * 5000)) as made:
        assert rest(made).count(b"200 OK") <= connections.MOST_PIPELINED + 1
    assert app.begun <= connections.MOST_PIPELINED + 1


def test_files_remain_for_the_rest_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    resource: Any = pytest.importorskip("resource")  # Windows has no such limit
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: given.append(wanted))
    for soft, hard, room in ((1024, 1024, 824), (256, 256, 128), (256, 4096, 3896), (50_000, 50_000, 8000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, now=(soft, hard): now)
        assert room_for_connections() == room
    assert given == [(1024, 1024), (256, 256), (4096, 4096)]

    def refuse(*_: Any) -> None:
        raise ValueError

    monkeypatch.setattr(resource, "setrlimit", refuse)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (512, resource.RLIM_INFINITY))
    assert room_for_connections() == 312


def test_a_server_without_limits_counts_no_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As benchmarks use it: everybody comes from one machine."""
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 3)
    for limits in (False, True):
        with running(tmp_path, limits=limits) as url, ExitStack() as stack:
            address = ("127.0.0.1", int(url.rpartition(":")[2]))
            first = stack.enter_context(closing(connect(address)))
            for _ in range(5):
                stack.enter_context(closing(connect(address, HELLO)))
            first.settimeout(0.3)
            if limits:
                assert rest(first) == b""
            else:
                with pytest.raises(TimeoutError):
                    rest(first)


def test_counts_come_back_to_nothing() -> None:
    """Whatever a connection goes through, it is counted once, and forgotten once it is lost."""

    async def scenario() -> None:
        kept = Connections(10, Proxies())
        config = uvicorn.Config(Application(), http="httptools", ws="none", log_level="critical")
        config.load()
        state = uvicorn.Server(config).server_state
        made = []
        for _ in range(30):
            transport: Any = _Transport()
            protocol = Connection(config, state, {}, asyncio.get_running_loop(), connections=kept)
            transport.protocol = protocol
            protocol.connection_made(transport)
            made.append(transport)
            if len(made) % 3 == 0:
                protocol.data_received(HELLO)
        await asyncio.sleep(0.05)
        assert kept.count == 10
        for transport in made:
            transport.abort()
        assert kept.count == 0 and not state.connections

    asyncio.run(scenario())


class _Transport(asyncio.Transport):
    """Nowhere."""

    protocol: Connection
    closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 80)}.get(name, default)

    def write(self, data: Any) -> None:
        pass

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self.closed:
            self.closed = True
            self.protocol.connection_lost(None)
