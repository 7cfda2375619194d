"""The leave to write, which every server of a PostgreSQL database has for a few seconds at a time.

A server is a row in `servers`. It renews the row every second, by the database's clock, and every transaction in which
it writes locks the row first. Whoever finds a row that was not renewed in time ends it, which waits for that lock. So
once a server is ended nothing more of it is written, however long it slept and whatever it still believes, and its
tables are there for others. It may not come back under its old name: it has to start again.

`began` and `expires` are by the database's clock, so nobody's own clock counts. `seen` and `ended` are by the time that
the servers share (`shared_time`), which follows that clock with every renewal; they only say how much time people have
to get back on their clocks.
"""

import hashlib
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, insert, literal_column, select, text, update

from infila.server import schema
from infila.server.errors import CannotServe
from infila.server.identity import new_id
from infila.server.shared_time import SharedTime

RENEW_SECONDS = 1.0
NOW: ColumnElement[float] = literal_column("extract(epoch from clock_timestamp())")


@cache
def machine() -> str:
    """What tells this machine from others, at the beginning of its servers' ids."""
    known = Path("/etc/machine-id")  # of a container it may be that of its image, but its name is its own
    with suppress(OSError):
        return _mark(known.read_text(encoding="utf-8") + socket.gethostname())
    return _mark(socket.gethostname())


def _mark(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=3).hexdigest()


def is_loopback(url: str) -> bool:
    """Whether only the machine itself can reach an address."""
    host = urlsplit(url).hostname or "localhost"
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


class Superseded(Exception):
    """This server was taken for dead, and its tables are others' now."""


class Lease:
    def __init__(self, url: str, seconds: float, now: Callable[[], float]) -> None:
        self.id = machine() + new_id()
        self.lost = False
        self._url, self._seconds, self._now = url, seconds, now
        self._renewed = 0.0  # when that was last begun and came to its end
        self._steady_since = time.monotonic()
        self._renewing: float | None = None

    def enter(self, connection: Connection) -> None:
        """From now on this is one of the servers. Where it listens no other on this machine can: one that did has
        ended. Raises CannotServe where servers of several machines could not reach each other."""
        c = schema.servers.c
        if self._url:
            self._check_place(connection)
            former = update(schema.servers).where(c.url == self._url, c.ended.is_(None))
            connection.execute(former.values(ended=c.seen))
        asked = time.monotonic()
        self._heard(connection.scalar(select(NOW)), asked)
        row = {"id": self.id, "url": self._url, "began": NOW, "expires": NOW + self._seconds, "seen": self._now()}
        connection.execute(insert(schema.servers).values(row))
        self._renewed = self._steady_since = time.monotonic()

    def _check_place(self, connection: Connection) -> None:
        c = schema.servers.c
        others = select(c.url).where(c.ended.is_(None), c.expires > NOW, ~c.id.startswith(machine()))
        for url in connection.scalars(others).all():
            if url == self._url or is_loopback(url) or is_loopback(self._url):
                raise CannotServe(
                    f"this server would be at {self._url} for the others of its database, and one on another machine "
                    f"is at {url or 'no address'}: they could not reach each other. Give each an address of its "
                    "machine with --host, or with --peer http://10.0.0.5:4224."
                )

    def _heard(self, now: Any, asked: float) -> None:
        if isinstance(self._now, SharedTime):
            self._now.heard(float(now), asked, time.monotonic())

    def prepare(self, connection: Connection) -> None:
        """For the connection over which this server writes: a transaction that is left open, because the process is
        stopped or the network cut, ends by itself, so that nobody waits for its lock."""
        with connection.begin():
            connection.execute(text(f"SET idle_in_transaction_session_timeout = {round(1000 * self._seconds)}"))

    def hold(self, connection: Connection) -> None:
        """At the beginning of every transaction that writes; raises Superseded."""
        if self.lost:
            raise Superseded
        c, now = schema.servers.c, time.monotonic()
        mine = (c.id == self.id, c.ended.is_(None))
        self._renewing = None
        if now >= self._renewed + min(RENEW_SECONDS, self._seconds / 3):
            renewed = update(schema.servers).where(*mine).values(expires=NOW + self._seconds, seen=self._now())
            heard = connection.scalar(renewed.returning(NOW))
            if held := heard is not None:
                self._heard(heard, now)
            self._renewing = now
        else:
            held = connection.scalar(select(c.id).where(*mine).with_for_update(read=True)) is not None
        if not held:
            self.lost = True
            raise Superseded

    def held(self) -> None:
        """The transaction is committed."""
        if self._renewing is not None:
            if self._renewing > self._renewed + self._seconds:  # there was a gap: the others may have had one too
                self._steady_since = self._renewing
            self._renewed, self._renewing = self._renewing, None

    @property
    def steady(self) -> bool:
        """Whether this server has had its leave without a gap for so long that others who live have had theirs: after
        the database was away everybody has time to come back before anybody is taken for dead."""
        now = time.monotonic()
        return now < self._renewed + self._seconds and now >= self._steady_since + self._seconds

    def leave(self, connection: Connection) -> None:
        """The last that this server writes: its tables are there for others at once."""
        c = schema.servers.c
        with connection.begin():
            connection.execute(
                update(schema.servers).where(c.id == self.id, c.ended.is_(None)).values(ended=self._now())
            )


class WriterConnection:
    """The one connection over which everything is written."""

    def __init__(self, connect: Callable[[], Connection], lease: Lease | None) -> None:
        self._connect, self._lease = connect, lease
        self._connection = self._anew()

    def _anew(self) -> Connection:
        connection = self._connect()
        if self._lease is not None:
            self._lease.prepare(connection)
        return connection

    def ready(self) -> Connection:
        """The connection, as it is or made anew; raises OperationalError while that cannot be had."""
        if self._connection.closed or self._connection.invalidated:
            self._connection.close()
            self._connection = self._anew()
        return self._connection

    def check(self) -> None:
        """Find out whether the connection is still there, and whether one may still write."""
        connection = self.ready()
        with connection.begin():
            if self._lease is not None:
                self._lease.hold(connection)
            else:
                connection.execute(text("SELECT 1"))
        if self._lease is not None:
            self._lease.held()

    def close(self) -> None:
        self._connection.close()
