"""The database: SQLite in a folder, or whatever SQLAlchemy speaks to by a URL.

All writing goes through one thread. It takes everything that waits into one transaction, so that many tables share the
cost of a commit, and tells each writer only after the commit. Reading happens in threads of its own.
"""

import asyncio
import queue
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.errors import CannotServe
from infila.server.migrations import HEAD
from infila.server.settings import Settings

T = TypeVar("T")
Row = dict[str, Any]
TIDY_SECONDS = 1.0
MOST_AT_ONCE = 512  # jobs in one transaction
PRAGMAS = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=1",
    "wal_autocheckpoint=0",
    "cache_size=-512",
)


class Clash(Exception):
    """An entry of this number, or with this key, is there already."""


@dataclass
class Job:
    """What must be written together or not at all."""

    entries: Sequence[Row]
    changes: Sequence[Executable]
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Store:
    def __init__(self, settings: Settings) -> None:
        self._lock: Lock = _alone_in(settings.folder) if settings.in_folder else None
        try:
            self.engine = _engine(settings)
        except CannotServe:
            self._unlock()
            raise
        try:
            if self.engine.dialect.name == "postgresql":
                self._lock = _alone_at(self.engine, settings)
            _prepare(self.engine, settings)
        except CannotServe:
            self._unlock()
            self.engine.dispose()
            raise
        self.secret = self._fact("secret", lambda: secrets.token_hex(32))
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="infila-read")
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="infila-write", daemon=True)
        self._writer.start()
        self._closing = threading.Event()
        self._tidier = threading.Thread(target=self._tidy, name="infila-tidy", daemon=True)
        if self.engine.dialect.name == "sqlite":
            self._tidier.start()

    def _fact(self, name: str, make: Callable[[], str]) -> str:
        """A value that is made once, when the database is new."""
        facts = schema.facts
        with self.engine.begin() as connection:
            value = connection.scalar(select(facts.c.value).where(facts.c.name == name))
            if value is None:
                value = make()
                connection.execute(insert(facts).values(name=name, value=value))
        return str(value)

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Ask in a thread of its own."""

        def ask() -> T:
            with self.engine.connect() as connection:
                return question(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, ask)

    async def write(self, entries: Sequence[Row] = (), changes: Sequence[Executable] = ()) -> None:
        """Returns once all of it is committed; raises Clash, with nothing written, if an entry is there already."""
        job = Job(entries, changes)
        self._jobs.put(job)
        await job.done

    def close(self) -> None:
        self._closing.set()
        self._jobs.put(None)
        self._writer.join()
        if self._tidier.ident is not None:
            self._tidier.join()  # a connection that comes back after `dispose` is never closed
        self._readers.shutdown()
        self._unlock()
        self.engine.dispose()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def _tidy(self) -> None:
        """Every second put what was committed where it belongs, so that the log of the database stays short."""
        with self.engine.connect() as connection:
            while not self._closing.wait(TIDY_SECONDS):
                with suppress(OperationalError):
                    connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))
                    connection.rollback()

    def _write_all(self) -> None:
        with self.engine.connect() as connection:
            while (first := self._jobs.get()) is not None:
                jobs, going_on = [first], True
                while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                    job = self._jobs.get()
                    if job is None:
                        going_on = False
                        break
                    jobs.append(job)
                _tell(_commit(connection, jobs))
                if not going_on:
                    return


Lock = IO[str] | Connection | None  # what keeps a second server out, for as long as it is open
Outcome = tuple[Job, Exception | None]


def _commit(connection: Connection, jobs: list[Job]) -> list[Outcome]:
    """All jobs in one transaction; if that fails each in its own, to see which one it was."""
    try:
        with connection.begin():
            rows: list[Row] = []
            for job in jobs:
                for change in job.changes:
                    connection.execute(change)
                rows.extend(job.entries)
            if rows:
                connection.execute(insert(schema.entries), rows)
    except SQLAlchemyError as problem:
        if len(jobs) > 1:
            return [outcome for job in jobs for outcome in _commit(connection, [job])]
        return [(jobs[0], Clash() if isinstance(problem, IntegrityError) else problem)]
    return [(job, None) for job in jobs]


def _tell(outcomes: list[Outcome]) -> None:
    def tell() -> None:
        for job, problem in outcomes:
            if job.done.cancelled():
                continue
            if problem is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(problem)

    with suppress(RuntimeError):  # the server has stopped meanwhile: nobody waits for an answer
        outcomes[0][0].done.get_loop().call_soon_threadsafe(tell)


def _engine(settings: Settings) -> Engine:
    try:
        engine = create_engine(settings.url, pool_pre_ping=not settings.in_folder)
    except ImportError as problem:
        raise CannotServe(
            f"{settings.where} needs the driver {problem.name}. For PostgreSQL: pip install 'infila[postgresql]'."
        ) from None
    except SQLAlchemyError as problem:
        raise CannotServe(f"{settings.where} is no database that can be used here: {problem}.") from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _alone_in(folder: Path) -> IO[str]:
    """Make the folder, and keep a second server out of it: each would hold tables that the other changes."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
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


def _alone_at(engine: Engine, settings: Settings) -> Connection:
    """The same in PostgreSQL: a lock that ends with the connection that holds it."""
    try:
        connection = engine.connect()
        alone = connection.scalar(text("SELECT pg_try_advisory_lock(hashtext('infila'), hashtext(current_schema()))"))
        connection.commit()
    except SQLAlchemyError as problem:
        raise _unusable(problem, settings) from None
    if not alone:
        connection.close()
        raise CannotServe(
            f"another infila uses {settings.where} already. Stop that, or give another database with --data."
        )
    return connection


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """WAL: readers never wait for the writer. FULL: what is committed is on the disk, and no failing power takes it.

    Everything that waits shares one commit, so the disk is asked once for many moves. The log is copied into the
    database by a thread of its own, not by a commit.
    """
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _prepare(engine: Engine, settings: Settings) -> None:
    """Take the steps that are missing; refuse a database that cannot be written or is ahead of this program."""
    try:
        with engine.begin() as connection:
            step = _step(connection)
            if step is None or step < HEAD:
                _migrate(connection)
            elif step > HEAD:
                raise CannotServe(
                    f"the database in {settings.where} was written by a newer infila. "
                    "Update this one, or give another with --data."
                )
            connection.execute(text("UPDATE facts SET value = value WHERE name = 'secret'"))
    except SQLAlchemyError as problem:
        raise _unusable(problem, settings) from None


def _unusable(problem: SQLAlchemyError, settings: Settings) -> CannotServe:
    cause = problem.orig if isinstance(problem, DBAPIError) else problem
    reason = str(cause).strip().splitlines()[0].rstrip(".")
    return CannotServe(
        f"the database in {settings.where} cannot be written ({reason}). "
        "Give yourself the right to write there, or give another with --data."
    )


def _step(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    value = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return None if value is None else str(value)


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "infila.server:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
