"""The database: SQLite in a folder, or whatever SQLAlchemy speaks to by a URL.

All writing goes through one thread. It takes everything that waits into one transaction, so that many tables share the
cost of a commit, and tells each writer only after the commit. Reading happens in threads of its own.

A database that is away comes back: the thread tries again, and tells those who have to know how long it was away.
"""

import asyncio
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.alone import alone_in
from infila.server.counting import Written
from infila.server.errors import CannotServe
from infila.server.lease import RENEW_SECONDS, Lease, Superseded, WriterConnection
from infila.server.ledger import Clash
from infila.server.migrations import HEAD
from infila.server.peers import telling
from infila.server.private_files import make_private
from infila.server.sealing import MARK, Seal, seal_in, with_sealed_seed
from infila.server.settings import Settings
from infila.server.shared_time import SharedTime

T = TypeVar("T")
logger = logging.getLogger("infila")
Row = dict[str, Any]
TIDY_SECONDS = 1.0
SILENT_SECONDS = 15
CHECK_SECONDS = RENEW_SECONDS  # how often an idle connection to PostgreSQL is looked after
START_SECONDS = 30.0  # for another that is just starting
STARTING = "hashtext('infila'), hashtext(current_schema())"  # the lock of a server that starts
MOST_AT_ONCE = 512  # jobs in one transaction
PORTION = 40  # entries of a long log that are written at a time: each row gives way to threads that compute
READ_ONLY = "25006"  # what PostgreSQL says while it can only be read
NEW = "new "  # begins the name of the fact that a table's entries are being written
PRAGMAS = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=1",
    "wal_autocheckpoint=0",
    "cache_size=-512",
)


@dataclass
class Job:
    """What must be written together or not at all."""

    entries: Sequence[Row]
    changes: Sequence[Executable]
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Store:
    def __init__(self, settings: Settings) -> None:
        self.now = settings.now
        self._lock: IO[str] | None = alone_in(settings.folder) if settings.in_folder else None
        try:
            self.engine = _engine(settings)
        except CannotServe:
            self._unlock()
            raise
        self.lease: Lease | None = None
        if self.engine.dialect.name == "postgresql":
            if settings.now is time.time:
                self.now = SharedTime()
            self.lease = Lease(settings.peer, settings.lease_seconds, self.now)
        try:
            with _one_after_the_other(self.engine, settings):
                _prepare(self.engine, settings)
                self.seal = self._seal(settings)
                self.secret = self._secret()
            self._own = self._own_connection(settings)
        except CannotServe:
            self._unlock()
            self.engine.dispose()
            raise
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="infila-read")
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._on_return: Callable[[float], None] | None = None
        self._on_loss: Callable[[], None] | None = None
        self._away_since: float | None = None
        self.written = Written()
        self._writer = threading.Thread(target=self._write_all, name="infila-write", daemon=True)
        self._writer.start()
        self._closing = threading.Event()
        self._tidier = threading.Thread(target=self._tidy, name="infila-tidy", daemon=True)
        if self.engine.dialect.name == "sqlite":
            self._tidier.start()

    def _own_connection(self, settings: Settings) -> WriterConnection:
        """The connection over which everything is written; from now on this is one of the database's servers."""
        try:
            own = WriterConnection(self.engine.connect, self.lease)
            try:
                if self.lease is not None:
                    connection = own.ready()
                    with connection.begin():
                        self.lease.enter(connection)
            except Exception:
                own.close()
                raise
        except SQLAlchemyError as problem:
            raise _unusable(problem, settings) from None
        return own

    @property
    def me(self) -> str:
        """This server, among several; empty where there is only one."""
        return "" if self.lease is None else self.lease.id

    def news(self, **told: Any) -> list[Executable]:
        """What tells other servers of this database something, together with what is written."""
        return [] if self.lease is None else telling(self.lease, told)

    def on_return(self, told: Callable[[float], None]) -> None:
        """Have somebody told, in the writing thread, when the database is there again: since when it was away."""
        self._on_return = told

    @property
    def away_since(self) -> float | None:
        """Since when the database has been away; None as long as it is there."""
        return self._away_since

    def on_loss(self, told: Callable[[], None]) -> None:
        """Have somebody told, in the writing thread, that another server has taken over: this one has to stop."""
        self._on_loss = told

    def fact(self, name: str) -> str | None:
        facts = schema.facts
        with self.engine.begin() as connection:
            value = connection.scalar(select(facts.c.value).where(facts.c.name == name))
        return None if value is None else str(value)

    def _set_fact(self, name: str, value: str) -> None:
        with self.engine.begin() as connection:
            for change in fact_changes(name, value):
                connection.execute(change)

    def _secret(self) -> str:
        """What signs cookies and tokens: made once, when the database is new."""
        known = self.fact("secret")
        value = secrets.token_hex(32) if known is None else self.seal.opened(known)
        if known is None or not known.startswith(MARK):
            self._set_fact("secret", self.seal.sealed(value))
        return value

    def _seal(self, settings: Settings) -> Seal:
        """The seal of this database, which must be the one it was sealed with."""
        name = self.fact("seal")
        if name is not None and not settings.secret_file.exists():
            raise CannotServe(
                f"the secret of the database in {settings.where} is missing: it was a file such as "
                f"{settings.secret_file}. Put it there, or say with --secret where it is."
            )
        seal = seal_in(settings.secret_file)
        if name is None:
            with self.engine.begin() as connection:
                _seal_old(connection, seal)
            self._set_fact("seal", seal.name)
        elif name != seal.name:
            raise CannotServe(
                f"the secret in {settings.secret_file} is not the one of the database in {settings.where}. "
                "Say with --secret where that is."
            )
        return seal

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Ask in a thread of its own."""

        def ask() -> T:
            with self.engine.connect() as connection:
                return question(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, ask)

    async def ping(self) -> None:
        """Returns if the database answers."""
        await self.read(lambda connection: connection.scalar(text("SELECT 1")))

    async def write(self, entries: Sequence[Row] = (), changes: Sequence[Executable] = ()) -> None:
        """Returns once all of it is committed; raises Clash, with nothing written, if an entry is there already."""
        job = Job(entries, changes)
        self._jobs.put(job)
        await job.done

    async def write_long(self, table: str, entries: Sequence[Row], changes: Sequence[Executable]) -> None:
        """The same for thousands of entries of a new table: in portions, between which others write. The table is there
        with the last; what is left of it if that never comes is deleted when the server starts again."""
        mark, facts = NEW + table, schema.facts
        portions = [entries[i : i + PORTION] for i in range(0, len(entries), PORTION)]
        if len(portions) < 2:
            await self.write(entries, changes)
            return
        await self.write(portions[0], fact_changes(mark, self.me))
        for portion in portions[1:-1]:
            await self.write(portion)
        await self.write(portions[-1], [*changes, delete(facts).where(facts.c.name == mark)])

    def close(self) -> None:
        self._closing.set()
        self._jobs.put(None)
        self._writer.join()
        if self._tidier.ident is not None:
            self._tidier.join()  # a connection that comes back after `dispose` is never closed
        self._readers.shutdown()
        if self.lease is not None:
            with suppress(SQLAlchemyError, Superseded):
                self.lease.leave(self._own.ready())
        self._own.close()
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
        wait = CHECK_SECONDS if self.engine.dialect.name == "postgresql" else None
        while True:
            try:
                first = self._jobs.get(timeout=wait)
            except queue.Empty:
                self._check()
                continue
            if first is None:
                return
            jobs, going_on = [first], True
            while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    going_on = False
                    break
                jobs.append(job)
            _tell(self._commit(jobs))
            if not going_on:
                return

    def _check(self) -> None:
        """Nothing has been written for a while: see whether it could be."""
        with suppress(SQLAlchemyError, Superseded), self._noticing():
            self._own.check()

    def _commit(self, jobs: list[Job]) -> "list[Outcome]":
        """All jobs in one transaction; if that fails each in its own, to see which one it was. If the connection was
        lost nobody knows what was written, and the log will tell."""
        connection = None
        try:
            with self._noticing():
                began, connection = time.perf_counter(), self._own.ready()
                _write(connection, jobs, self.lease)
        except (SQLAlchemyError, Superseded) as problem:
            lost = connection is None or connection.invalidated
            if len(jobs) > 1 and not lost:
                return [outcome for job in jobs for outcome in self._commit([job])]
            failure = Clash() if isinstance(problem, IntegrityError) else problem
            return [(job, failure) for job in jobs]
        self.written.count([row for job in jobs for row in job.entries], time.perf_counter() - began)
        return [(job, None) for job in jobs]

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Notice when the database goes away and when it is back."""
        try:
            yield
        except Superseded:
            told, self._on_loss = self._on_loss, None
            if told is not None:
                told()
            raise
        except SQLAlchemyError as problem:
            if self._away_since is None and is_away(problem):
                self._away_since = self.now() - CHECK_SECONDS  # it may have gone just after it was last seen
                logger.warning("the database cannot be reached; what is played now is refused until it is back")
            raise
        if self._away_since is not None:
            since, self._away_since = self._away_since, None
            logger.warning("the database is back")
            if self._on_return is not None:
                self._on_return(since)


Outcome = tuple[Job, Exception | None]


def is_away(problem: Exception) -> bool:
    """Whether a problem is that the database cannot be reached, or is no longer this server's."""
    lost = isinstance(problem, DBAPIError) and problem.connection_invalidated
    reading = isinstance(problem, DBAPIError) and getattr(problem.orig, "sqlstate", None) == READ_ONLY
    return lost or reading or isinstance(problem, (OperationalError, Superseded))


def fact_changes(name: str, value: str) -> list[Executable]:
    """A fact, whether it was known before or not."""
    facts = schema.facts
    return [delete(facts).where(facts.c.name == name), insert(facts).values(name=name, value=value)]


def _write(connection: Connection, jobs: list[Job], lease: Lease | None = None) -> None:
    with connection.begin():
        if lease is not None:
            lease.hold(connection)
        rows: list[Row] = []
        for job in jobs:
            for change in job.changes:
                connection.execute(change)
            rows.extend(job.entries)
        if rows:
            connection.execute(insert(schema.entries), rows)
    if lease is not None:
        lease.held()


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
        # what is written is nobody's business in a log of errors
        engine = create_engine(
            settings.url, pool_pre_ping=not settings.in_folder, hide_parameters=True, connect_args=_patience(settings)
        )
    except ImportError as problem:
        raise CannotServe(
            f"{settings.where} needs the driver {problem.name}. For PostgreSQL: pip install 'infila[postgresql]'."
        ) from None
    except SQLAlchemyError as problem:
        raise CannotServe(f"{settings.where} is no database that can be used here: {problem}.") from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        if settings.in_folder:
            make_private(settings.folder)
    return engine


def _patience(settings: Settings) -> dict[str, int]:
    """How long PostgreSQL may be silent before it is taken for gone; libpq itself waits for a quarter of an hour."""
    if not settings.url.startswith("postgresql+psycopg:"):
        return {}
    probes = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
    return {"connect_timeout": SILENT_SECONDS, "tcp_user_timeout": SILENT_SECONDS * 1000, **probes}


@contextmanager
def _one_after_the_other(engine: Engine, settings: Settings) -> Iterator[None]:
    """Servers that start at the same time would both make what is missing. A server from before there could be several
    holds this lock for as long as it runs."""
    if engine.dialect.name != "postgresql":
        yield
        return
    try:
        connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        end = time.monotonic() + START_SECONDS
        while not (alone := connection.scalar(text(f"SELECT pg_try_advisory_lock({STARTING})"))):
            if time.monotonic() > end:
                break
            time.sleep(0.1)
    except SQLAlchemyError as problem:
        raise _unusable(problem, settings) from None
    try:
        if not alone:
            raise CannotServe(
                f"an older infila uses {settings.where}, and cannot share it. Stop that, or give another database with "
                "--data."
            )
        yield
    finally:
        connection.invalidate()  # the lock goes with the connection
        connection.close()


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """WAL: readers never wait for the writer. FULL: what is committed is on the disk, and no failing power takes it.

    Everything that waits shares one commit, so the disk is asked once for many moves. The log is copied into the
    database by a thread of its own, not by a commit.
    """
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _seal_old(connection: Connection, seal: Seal) -> None:
    """Seal the seeds of games that an older infila has left unfinished."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("PRAGMA secure_delete=1"))  # what was there is overwritten
    c = schema.tables.c
    for table, header in connection.execute(select(c.id, c.header).where(c.state.in_(("waiting", "playing")))).all():
        connection.execute(update(schema.tables).where(c.id == table).values(header=with_sealed_seed(header, seal)))


def _prepare(engine: Engine, settings: Settings) -> None:
    """Take the steps that are missing; refuse a database that cannot be written or is ahead of this program."""
    try:
        with engine.begin() as connection:
            step = _step(connection)
            if step is None or step < HEAD:
                _migrate(connection, settings.now())
            elif step > HEAD:
                raise CannotServe(
                    f"the database in {settings.where} was written by a newer infila. "
                    "Update this one, or give another with --data."
                )
            connection.execute(text("UPDATE facts SET value = value WHERE name = 'secret'"))
            _forget_unfinished(connection)
    except SQLAlchemyError as problem:
        raise _unusable(problem, settings) from None


def _forget_unfinished(connection: Connection) -> None:
    """What a server that was killed has left of tables that never came to be."""
    facts, entries = schema.facts, schema.entries
    alive = select(schema.servers.c.id).where(schema.servers.c.ended.is_(None))
    left = facts.c.name.startswith(NEW), facts.c.value.not_in(alive)  # another may be writing one
    for mark in connection.scalars(select(facts.c.name).where(*left)).all():
        connection.execute(delete(entries).where(entries.c.table_id == mark.removeprefix(NEW)))
        connection.execute(delete(facts).where(facts.c.name == mark))


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


def _migrate(connection: Connection, now: float) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "infila.server:migrations")
    config.attributes.update(connection=connection, now=now)
    command.upgrade(config, "head")
