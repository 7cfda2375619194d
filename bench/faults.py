"""Faults on purpose, while people play at several servers on one PostgreSQL: nothing is lost, and every table goes on.

    python -m bench.faults --faults 200
    python -m bench.faults --faults 20 --servers 2 --games 8 --only pause

Programs play at tables, talk and take back, each request at any of the servers, and others watch the tables by streams
(`company`); at some tables somebody lets their clock run out again and again. Meanwhile servers are killed, stopped, or
put to sleep for longer than their lease; the database is killed or restarted, frozen or slow, full, set to be read
only, all its connections are ended, or a server's are cut without a word; clocks of servers jump by hours; and a table
has two owners, because one that lives was taken for dead, or because the database says so.

A disk that is full is made up: every new entry of a log is refused with the error that PostgreSQL has for it.

In the end all servers are killed and started again, and the checker compares what every program and every watcher was
told with the log (`checker`): no acknowledged move, message or take-back is lost or there twice, nobody saw what never
was, after every fault each table makes another move, and every clock rings. What is found out is written after every
fault. Ctrl-C ends the faults, and what was played until then is checked.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from sqlalchemy import create_engine, text

from bench.checker import check
from bench.company import GOES_ON_WITHIN, Company
from bench.kill import Server
from bench.postgresql import PostgreSQL
from bench.wire import Wire
from infila.core.games import NAMES

RESULTS = Path(__file__).parent / "results" / "faults.json"
IN_FLIGHT = 0.3  # seconds after which what a fault has not stopped is answered
MOST_POSITIONS = 300  # that are rebuilt and compared
ANY_SERVER = "SELECT id FROM servers WHERE ended IS NULL ORDER BY began LIMIT 1"
FULL = (
    "CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
    "CREATE TRIGGER full_disk BEFORE INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION no_room()",
)
WRONG = ("lost", "doubled", "never_was", "bad_logs", "stuck", "silent_clocks")


class Cluster:
    """The servers and their database, and what can happen to them."""

    def __init__(self, database: PostgreSQL, folder: str, count: int, seed: int) -> None:
        self.database = database
        self.wires = [Wire(database.folder) for _ in range(count)]
        self.servers = [Server(wire.url, folder) for wire in self.wires]
        self.chance = random.Random(seed)

    def start(self) -> None:
        with ThreadPoolExecutor() as starting:
            list(starting.map(lambda server: server.start(), self.servers))

    def start_anew(self) -> None:
        """All servers, so that nothing is told from memory."""
        for server in self.servers:
            server.kill()
        self.start()

    def stop(self) -> None:
        for server in self.servers:
            if server.process is not None and server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()
        for wire in self.wires:
            wire.remove()

    async def _revive(self, server: Server) -> None:
        """Start one again that has ended."""
        assert server.process is not None and server.process.stdout is not None
        if server.process.poll() is not None:
            server.process.stdout.close()
            await asyncio.to_thread(server.start)

    def _sql(self, *statements: str) -> None:
        engine = create_engine(self.database.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(text(statement))
        engine.dispose()

    async def kill(self) -> None:
        """A server, at once; another is there after a while."""
        server = self.chance.choice(self.servers)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(self.chance.choice([0.0, 1.0, 7.0]))
        await self._revive(server)

    async def stop_one(self) -> None:
        """A server, as an upgrade does."""
        server = self.chance.choice(self.servers)
        assert server.process is not None
        server.process.terminate()
        await asyncio.to_thread(server.process.wait)
        await self._revive(server)

    async def pause(self) -> None:
        """A server sleeps, mostly for longer than its lease."""
        server = self.chance.choice(self.servers)
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(self.chance.uniform(2.0, 9.0))
        server.process.send_signal(signal.SIGCONT)
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(server.process.wait, 5)
        await self._revive(server)

    async def restart(self) -> None:
        """The database, gently or as a crash does."""
        await asyncio.to_thread(self.database.stop, at_once=self.chance.random() < 0.5)
        await asyncio.sleep(self.chance.choice([0.0, 1.0, 6.0]))
        await asyncio.to_thread(self.database.start)

    async def kill_database(self) -> None:
        """All of its processes, at once, as when its machine fails."""
        await asyncio.to_thread(self.database.kill)
        await asyncio.sleep(self.chance.choice([0.0, 1.0, 6.0]))
        await asyncio.to_thread(self.database.start)

    async def freeze(self) -> None:
        """The database answers nobody for a while."""
        await self._hold_up(self.chance.uniform(0.5, 7.0))

    async def slow(self) -> None:
        """The database answers, but late, for a while."""
        for _ in range(self.chance.randrange(5, 20)):
            await self._hold_up(self.chance.uniform(0.1, 0.5))
            await asyncio.sleep(0.05)

    async def _hold_up(self, seconds: float) -> None:
        processes = self.database.processes()
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        await asyncio.sleep(seconds)
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    async def full(self) -> None:
        """The database has no room for anything new, for a while."""
        await asyncio.to_thread(self._sql, *FULL)
        await asyncio.sleep(self.chance.uniform(0.5, 7.0))
        await asyncio.to_thread(self._sql, "DROP TRIGGER full_disk ON entries")

    async def only_read(self) -> None:
        """The database can only be read for a while."""
        reload = "SELECT pg_reload_conf()"
        await asyncio.to_thread(self._sql, "ALTER SYSTEM SET default_transaction_read_only = on", reload)
        await asyncio.sleep(self.chance.uniform(0.5, 7.0))
        writing = "SET default_transaction_read_only = off"
        await asyncio.to_thread(self._sql, writing, "ALTER SYSTEM RESET default_transaction_read_only", reload)

    async def part(self) -> None:
        """A server and the database, so that neither hears the other, mostly for longer than the lease. What was sent
        meanwhile arrives late."""
        number = self.chance.randrange(len(self.servers))
        server, wire = self.servers[number], self.wires[number]
        assert server.process is not None
        wire.cut()
        await asyncio.sleep(self.chance.uniform(2.0, 12.0))
        wire.mend()
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(server.process.wait, 5)
        await self._revive(server)

    async def two_owners(self) -> None:
        """A server that lives and plays is taken for dead, or loses all its tables to another without hearing of it."""
        if self.chance.random() < 0.5:
            await asyncio.to_thread(self._sql, "UPDATE servers SET ended = seen WHERE id = (" + ANY_SERVER + ")")
            for server in self.servers:  # it has to notice
                assert server.process is not None
                with suppress(subprocess.TimeoutExpired):
                    await asyncio.to_thread(server.process.wait, 3)
                await self._revive(server)
        else:
            others = "(SELECT id FROM servers WHERE ended IS NULL AND id <> owner ORDER BY random() LIMIT 1)"
            taken = f"UPDATE tables SET owner = coalesce({others}, owner) WHERE owner = ({ANY_SERVER})"
            await asyncio.to_thread(self._sql, taken)

    async def cut(self) -> None:
        """All connections to the database, a few times."""
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname <> ''"
        for _ in range(self.chance.randrange(1, 4)):
            with suppress(Exception):
                await asyncio.to_thread(self._sql, ends)
            await asyncio.sleep(0.2)

    async def jump(self) -> None:
        """The clock of a server, by hours."""
        server = self.chance.choice(self.servers)
        assert server.process is not None
        server.process.send_signal(signal.SIGUSR1)
        await asyncio.sleep(0.2)

    @property
    def faults(self) -> dict[str, Callable[[], Coroutine[Any, Any, None]]]:
        return {
            "kill": self.kill,
            "stop": self.stop_one,
            "pause": self.pause,
            "kill database": self.kill_database,
            "restart": self.restart,
            "freeze": self.freeze,
            "slow": self.slow,
            "full": self.full,
            "read only": self.only_read,
            "cut": self.cut,
            "part": self.part,
            "jump": self.jump,
            "two owners": self.two_owners,
        }


async def run(
    cluster: Cluster,
    games: int,
    faults: int,
    *,
    kinds: Sequence[str] = (),
    game: str = "",
    clocks: int = 0,
    to_the_end: bool = True,
    positions: int = MOST_POSITIONS,
    enough: threading.Event | None = None,
    note: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """So many tables at a time, others with clocks, and so many faults, or until it is enough, each after play has gone
    on everywhere after the one before; then all games are played to the end, unless it was enough before."""
    enough = enough or threading.Event()
    await asyncio.to_thread(cluster.start)
    async with httpx.AsyncClient(timeout=20, limits=httpx.Limits(max_connections=400)) as client:
        company = Company(client, cluster.servers, cluster.chance)
        names = [game or NAMES[number // 2 % len(NAMES)] for number in range(games)]
        playing = [asyncio.create_task(company.play_on(i, name, 10**6)) for i, name in enumerate(names)]
        others = [asyncio.create_task(company.watch()) for _ in range(max(2, games // 2))]
        others += [asyncio.create_task(company.let_clocks_run_out()) for _ in range(clocks)]
        others.append(asyncio.create_task(company.time_clocks()))
        taken: dict[str, list[float]] = {}
        try:
            await company.until_more(playing, games)
            order = list(kinds or cluster.faults)
            for done in range(faults):
                for task in [*playing, *others]:
                    if task.done():
                        task.result()  # what has gone wrong is told at once
                if enough.is_set():
                    break
                kind = order[done % len(order)]
                began = time.monotonic()
                fault = asyncio.create_task(cluster.faults[kind]())
                await asyncio.sleep(IN_FLIGHT)
                taken.setdefault(kind, []).append(await company.goes_on(began))
                await fault
                await company.goes_on(time.monotonic())
                note(_told(company, taken))
                await company.until_more(playing, cluster.chance.randrange(1, 50))
            silent = await company.silent_clocks(GOES_ON_WITHIN)
            if to_the_end and not enough.is_set():
                await company.to_the_end(playing)
        finally:
            for task in [*playing, *others]:
                task.cancel()
            await asyncio.gather(*playing, *others, return_exceptions=True)
        await asyncio.to_thread(cluster.start_anew)
        found = await check(company, cluster.database.url, positions)
        return _told(company, taken) | found.counts | {"silent_clocks": silent}


def _told(company: Company, taken: dict[str, list[float]]) -> dict[str, Any]:
    every = [seconds for each in taken.values() for seconds in each] or [0.0]
    return {
        "faults": sum(map(len, taken.values())),
        "by_kind": {kind: [len(each), round(median(each), 1), round(max(each), 1)] for kind, each in taken.items()},
        "seconds_until_all_play_on": {"median": round(median(every), 1), "worst": round(max(every), 1)},
        "acknowledged": company.acknowledged,
        "games": len(company.tables),
        "clocks": len(company.clocks),
        "rings": company.rings + sum(rung.rings for rung in company.clocks),
        "longest_silence_of_a_clock": round(company.longest_silence, 1),
        "events_seen": company.events,
        "streams_begun_with_less": sum(seen.older for seen in company.seen.values()),
        "errors_answered": company.errors,
        "stuck": len(company.stuck),
    }


@contextmanager
def cluster_of(count: int, seed: int = 1) -> Iterator[Cluster]:
    database = PostgreSQL()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        database.start()
        cluster = Cluster(database, folder, count, seed)
        try:
            yield cluster
        finally:
            cluster.stop()
            database.remove()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--games", type=int, default=12, help="at the same time")
    parser.add_argument("--clocks", type=int, default=4, help="tables where somebody lets the clock run out")
    parser.add_argument("--only", nargs="+", default=[], metavar="KIND", help="kinds of faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FILE")
    wanted = parser.parse_args()
    started, enough = time.perf_counter(), threading.Event()

    def note(told: dict[str, Any]) -> None:
        told |= {"servers": wanted.servers, "seconds": round(time.perf_counter() - started)}
        beside = wanted.out.with_suffix(".new")
        beside.write_text(json.dumps(told, indent=1) + "\n")
        beside.replace(wanted.out)
        print(", ".join(f"{value} {name}" for name, value in told.items()), flush=True)

    def stop(number: int, _: Any) -> None:
        """The first time what was played is still checked."""
        enough.set()
        signal.signal(number, signal.default_int_handler)
        print("It is enough; what was played until now is checked.", file=sys.stderr, flush=True)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, stop)
    with cluster_of(wanted.servers, wanted.seed) as cluster:
        how: dict[str, Any] = {"kinds": wanted.only, "clocks": wanted.clocks, "enough": enough, "note": note}
        told = asyncio.run(run(cluster, wanted.games, wanted.faults, **how))
    note(told)
    sys.exit(int(any(told[kind] for kind in WRONG)))


if __name__ == "__main__":
    main()
