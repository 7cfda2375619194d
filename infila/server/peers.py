"""The other servers of a database: who they are, what they tell, and when one of them is gone.

A thread of its own looks every second, and hears what others tell in the meantime. Of what happens at tables nothing
is told here: whoever watches a table is connected to its owner (`passing`). What is told is rare: that sessions have
ended, and that somebody has another name.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, Engine, delete, func, select, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.lease import NOW, Lease

if TYPE_CHECKING:
    from infila.server.store import Store

LOOK_SECONDS = 1.0
KEPT_SECONDS = 30 * 86400.0  # for which it is known when a server ended
logger = logging.getLogger("infila")


class Peer(NamedTuple):
    id: str
    url: str


def channel_of(connection: Connection) -> str:
    """Where servers of this database, or schema in one, tell each other something."""
    return f"infila_{connection.scalar(text('SELECT current_schema()'))}"


def telling(lease: Lease, told: Mapping[str, Any]) -> list[Executable]:
    """What tells the other servers something, in the transaction that makes it so."""
    words = json.dumps({"from": lease.id, **told})
    return [select(func.pg_notify(func.concat("infila_", func.current_schema()), words))]


class Peers:
    """Called in the thread: `on_news` with what others tell, `on_gap` when something may have been missed, `on_look`
    after every look, `on_end` with every server that has ended."""

    def __init__(self, store: "Store", lease: Lease) -> None:
        self._engine: Engine = store.engine
        self._lease = lease
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="infila-servers", daemon=True)
        self.all: tuple[Peer, ...] = (Peer(lease.id, ""),)  # the eldest first
        self.on_news: Callable[[dict[str, Any]], None] = lambda _: None
        self.on_gap: Callable[[], None] = lambda: None
        self.on_look: Callable[[], None] = lambda: None
        self.on_end: Callable[[str], None] = lambda _: None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()

    def url_of(self, server: str) -> str | None:
        return next((peer.url for peer in self.all if peer.id == server), None)

    @property
    def eldest(self) -> str:
        return self.all[0].id if self.all else self._lease.id

    @property
    def hosts(self) -> frozenset[str]:
        """Where the others are, as their addresses name it."""
        return frozenset(urlsplit(peer.url).hostname or "" for peer in self.all if peer.id != self._lease.id)

    def _watch(self) -> None:
        gap = False
        while not self._closing.is_set():
            try:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.execute(text(f'LISTEN "{channel_of(connection)}"'))
                    if gap:
                        self.on_gap()
                    gap = True
                    while not self._closing.is_set():
                        self._look(connection)
                        self.on_look()
                        self._listen(connection)
                    connection.execute(text("UNLISTEN *"))
            except SQLAlchemyError:
                self._closing.wait(LOOK_SECONDS)
            except Exception:  # the driver's own, from a connection that is lost while one listens
                self._closing.wait(LOOK_SECONDS)

    def _look(self, connection: Connection) -> None:
        c = schema.servers.c
        if self._lease.steady:
            self._end_the_dead(connection)
        rows = connection.execute(select(c.id, c.url).where(c.ended.is_(None)).order_by(c.began, c.id))
        before, self.all = self.all, tuple(Peer(*row) for row in rows)
        for gone in {peer.id for peer in before} - {peer.id for peer in self.all}:
            self.on_end(gone)

    def _end_the_dead(self, connection: Connection) -> None:
        c = schema.servers.c
        late = (c.ended.is_(None), c.expires < NOW, c.id != self._lease.id)
        if connection.scalar(select(func.count()).where(*late)):
            connection.execute(text("SET lock_timeout = 1000"))
            with suppress(SQLAlchemyError):  # one that is about to write holds its lock, until its transaction is ended
                ended = connection.execute(update(schema.servers).where(*late).values(ended=c.seen)).rowcount
                if ended:
                    logger.warning("a server was silent for too long, and others take over its tables")
            connection.execute(text("SET lock_timeout = 0"))
        connection.execute(delete(schema.servers).where(c.ended < NOW - KEPT_SECONDS))

    def _listen(self, connection: Connection) -> None:
        driver: Any = connection.connection.dbapi_connection
        for notice in driver.notifies(timeout=LOOK_SECONDS):
            told = json.loads(notice.payload)
            if told.pop("from") != self._lease.id:
                self.on_news(told)
            if self._closing.is_set():
                return
