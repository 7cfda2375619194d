"""One server at a time: each would hold tables in memory that the other changes.

In a folder a locked file keeps a second server out. In PostgreSQL it is a lock of the session in which all writing
happens: whoever has lost the connection has lost the lock, and nothing is written before it is taken again. If somebody
else has taken it meanwhile, this server is over.
"""

import secrets
import sys
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, Engine, delete, insert, select, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from infila.server import schema
from infila.server.errors import CannotServe
from infila.server.settings import Settings

LOCK = "hashtext('infila'), hashtext(current_schema())"
HOLDER = "server"  # the fact that says who took the lock last


class Superseded(Exception):
    """Another server has taken over the database."""


def alone_in(folder: Path) -> IO[str]:
    """Make the folder, and lock it for as long as the file is open."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "lock"
        file.touch(mode=0o600)
        lock = file.open("w")
    except OSError as problem:
        raise CannotServe(
            f"the folder {folder} cannot be written: {problem.strerror}. Give another with --data."
        ) from None
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise CannotServe(
                f"another infila uses {folder} already. Stop that, or give another folder with --data."
            ) from None
    return lock


class WriterConnection:
    """The one connection over which everything is written; in PostgreSQL it holds the lock."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._engine = engine
        self._locking = engine.dialect.name == "postgresql"
        self._me = secrets.token_hex(8)
        self._process = 0  # of PostgreSQL's, at the other end
        self._superseded = False
        self._connection = engine.connect()
        if self._locking and not self._lock():
            self._connection.close()
            raise CannotServe(
                f"another infila uses {settings.where} already. Stop that, or give another database with --data."
            )

    def sign(self) -> None:
        """Say who holds the lock, so that it is known later whether anybody else did."""
        if self._locking:
            facts = schema.facts
            with self._connection.begin():
                self._connection.execute(delete(facts).where(facts.c.name == HOLDER))
                self._connection.execute(insert(facts).values(name=HOLDER, value=self._me))

    def ready(self) -> Connection:
        """The connection, as it is or made anew; raises OperationalError while that cannot be had, and Superseded once
        another server has the lock."""
        if self._superseded:
            raise Superseded
        if self._connection.closed or self._connection.invalidated:
            self._connection.close()
            self._connection = self._engine.connect()
            if self._locking:
                self._retake()
        return self._connection

    def check(self) -> None:
        """Find out whether the connection is still there."""
        connection = self.ready()
        with connection.begin():
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        self._connection.close()

    def _lock(self) -> bool:
        with self._connection.begin():
            taken = bool(self._connection.scalar(text(f"SELECT pg_try_advisory_lock({LOCK})")))
            process = int(self._connection.scalar(text("SELECT pg_backend_pid()")) or 0)
        if taken:
            self._process = process
        return taken

    def _retake(self) -> None:
        try:
            taken = self._lock()
            with self._connection.begin():
                facts = schema.facts
                holder = self._connection.scalar(select(facts.c.value).where(facts.c.name == HOLDER))
                if holder == self._me and not taken:  # the lost connection still holds it at the other end
                    self._connection.execute(text("SELECT pg_terminate_backend(:process)"), {"process": self._process})
        except SQLAlchemyError:
            self._connection.invalidate()
            raise
        if holder != self._me:
            self._superseded = True
            self._connection.close()
            raise Superseded
        if not taken:
            self._connection.invalidate()
            raise OperationalError("pg_try_advisory_lock", None, Exception("the lost connection still holds the lock"))
