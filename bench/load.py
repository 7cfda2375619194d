"""What people wait for at several servers on one PostgreSQL, with thousands of tables and streams, mixed as in life.

    python -m bench.load                                        (three servers, 2000 tables, 500 moves a second)
    python -m bench.load --servers 0 --tables 500               (one server, in a folder)
    python -m bench.load --rate 100 --seconds 3600 --name hour  (whether the memory grows)

An open loop: what is to be asked, and when, is fixed before, whether the servers keep up or not, and the time that
counts runs from then. So a stall is seen in every request that should have been made meanwhile. At every table two
programs play whole games, or one plays the computer; each hears of moves by a stream, and so does somebody who looks
on. Besides, tables are loaded anew, with their streams, somebody talks, and front pages are opened. Every request and
every stream goes to any of the servers. At the end every table moves as soon as it can.

Times by kind: of a move until the opponent has it, of a move against a computer until it is acknowledged, until the
computer's answer is there, until those who look on have it, and of the other requests until they are answered.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import re
import resource
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.kill import Server
from bench.postgresql import PostgreSQL
from bench.server import HOST, Bench, Connection, Seat, Seen, Table, machine_seconds, memory, processor_seconds

RESULTS = Path(__file__).parent / "results" / "load.json"
OTHERS = {"reload": 0.06, "talk": 0.06, "page": 0.04}  # for every move: a game of Sequence has about a hundred
KINDS = ("move", "move_against_computer", "computer", "watched", *OTHERS)
WITH_COMPUTER = 10  # one of so many tables
AT_ONCE = 20  # tables that are made side by side
WARM_SECONDS = 4.0  # of play before memory is measured: the rules are loaded, whatever is made once is made
SETTLE_SECONDS = 2.0
SAMPLES = 60  # of the memory, during the open loop
WORDS = json.dumps({"text": "well played"}).encode()
FIGURES = ("commit_seconds_count", "commit_seconds_sum", "entries_total", "passed_total")


class LoadedTable(Table):
    """A table where moves have a time at which they should have been made."""

    bench: "Load"

    def __init__(self, number: int, bench: "Load") -> None:
        super().__init__(number, bench)
        self.alone = number % WITH_COMPUTER == 0
        self.watcher = Connection()
        self.unseen = self.unanswered = 0.0  # since when those who look on, or who wait for a computer, wait
        if self.alone:
            del self.seats[1]

    async def make(self) -> None:
        """Where they play is not where it is made."""
        wanted = json.dumps({"game": "sequence", "seats": ["me", "beginner" if self.alone else "open"]}).encode()
        asking = Connection()
        await asyncio.get_running_loop().create_connection(lambda: asking, HOST, self.bench.port)
        _, body = await asking.ask("POST", "/tables", self.seats[0].token, wanted)
        asking.transport.close()
        made = json.loads(body)["id"]
        if not self.alone:
            second = self.seats[1]
            await second.asking.ask("POST", f"/tables/{made}/seat", second.token)
        self.sent_for, self.sent_at, self.unseen, self.unanswered, self.ready = 0, 0.0, 0.0, 0.0, None
        self.id = made

    async def listen(self) -> None:
        for seat in self.seats:
            await seat.watch(self.bench.port)
        if self.watcher.transport is not None:
            self.watcher.transport.close()
        self.watcher = Connection()
        self.watcher.on_event = self.watched
        await asyncio.get_running_loop().create_connection(lambda: self.watcher, HOST, self.bench.port)
        head = f"GET /api/v1/tables/{self.id}/events HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
        self.watcher.transport.write(head.encode())

    async def open(self) -> None:
        await self.make()
        await self.listen()

    def watched(self, data: bytes) -> None:
        if self.unseen and data.startswith(b'{"id"'):  # not talk
            self.bench.took("watched", self.unseen)
            self.unseen = 0.0

    def turn(self, seat: Seat, seen: Seen) -> None:
        if self.unanswered:
            self.bench.took("computer", self.unanswered)
            self.unanswered = 0.0
        waited = self.ready is not None  # and has only loaded the table anew
        super().turn(seat, seen)
        if self.bench.paced and not waited:
            self.bench.can_move(self)

    def move(self, seat: Seat, seen: Seen, due: float | None = None) -> None:
        super().move(seat, seen, due)
        self.unseen = self.sent_at
        self.unanswered = self.sent_at if self.alone else 0.0

    async def send(self, seat: Seat, seen: Seen) -> None:
        since = self.sent_at
        await super().send(seat, seen)
        if self.alone:  # nobody else is told: the answer counts
            self.bench.took("move_against_computer", since)
            self.bench.meter.moves += 1

    def arrived(self) -> None:
        self.bench.took("move", self.sent_at)
        super().arrived()


class Load(Bench):
    def __init__(self, servers: list[Server], database: PostgreSQL | None) -> None:
        super().__init__(servers[0].port, 0)
        self.ports, self.figures_at = [each.port for each in servers], [each.figures for each in servers]
        self.processes = [each.process.pid for each in servers if each.process is not None]
        self.database = database
        self.chance = random.Random(7)
        self.waiting: deque[float] = deque()  # moves that are due, and no table can make them yet
        self.movable: deque[LoadedTable] = deque()
        self.waited: dict[str, list[float]] = {}
        self.failed: Counter[str] = Counter()
        self.forget()

    @property
    def port(self) -> int:
        return self.chance.choice(self.ports)

    @port.setter
    def port(self, _: int) -> None:
        """Any of them."""

    def forget(self) -> None:
        """What was measured so far does not count."""
        self.waited = {kind: [] for kind in KINDS}
        self.failed.clear()

    def took(self, kind: str, since: float) -> None:
        self.waited[kind].append(time.perf_counter() - since)

    async def set_up(self, count: int) -> None:
        self.paced = True
        tables = [LoadedTable(number, self) for number in range(count)]
        self.tables = list(tables)
        for begin in range(0, count, AT_ONCE):
            await asyncio.gather(*(self._arrive(table) for table in tables[begin : begin + AT_ONCE]))

    async def _arrive(self, table: LoadedTable) -> None:
        for seat in table.seats:
            await seat.arrive(self.port)
        await table.make()

    async def listen(self) -> None:
        """All streams are opened."""
        tables = [table for table in self.tables if isinstance(table, LoadedTable)]
        for begin in range(0, len(tables), AT_ONCE):
            await asyncio.gather(*(table.listen() for table in tables[begin : begin + AT_ONCE]))

    def close(self) -> None:
        """Nobody plays any more, and nobody listens."""
        for table in self.tables:
            assert isinstance(table, LoadedTable)
            table.id = ""
            for task in table.tasks:
                task.cancel()
            for seat in table.seats:
                seat.events.on_event = lambda _: None
            for connection in (table.watcher, *(each for seat in table.seats for each in (seat.asking, seat.events))):
                if connection.transport is not None:
                    connection.waiting.clear()
                    connection.transport.close()
        self.tables = []
        self.movable.clear()

    def can_move(self, table: LoadedTable) -> None:
        if self.waiting:
            self._move(table, self.waiting.popleft())
        else:
            self.movable.append(table)

    def _move(self, table: LoadedTable, due: float) -> None:
        if table.ready is None:  # a new game has begun there meanwhile
            self._ask("move", due)
            return
        table.move(*table.ready, due)

    def _ask(self, kind: str, due: float) -> None:
        if kind == "move":
            if self.movable:
                self._move(self.movable.popleft(), due)
            else:
                self.waiting.append(due)
            return
        table = self.chance.choice(self.tables)
        task = asyncio.get_running_loop().create_task(self._other(kind, table, due))
        table.tasks.add(task)
        task.add_done_callback(table.tasks.discard)

    async def _other(self, kind: str, table: Table, due: float) -> None:
        seat, id_ = self.chance.choice(table.seats), table.id
        if kind == "page":
            status = await self._page()
        elif not id_:  # the next game is not there yet
            return
        elif kind == "talk":
            status, _ = await seat.asking.ask("POST", f"/tables/{id_}/chat", seat.token, WORDS)
        else:
            status, _ = await seat.asking.ask("GET", f"/tables/{id_}", seat.token, b"")
            if table.id == id_:
                await seat.watch(self.port)
        self.took(kind, due)
        if status >= 300:
            self.failed[f"{kind} {status}"] += 1

    async def _page(self) -> int:
        reader, writer = await asyncio.open_connection(HOST, self.port)
        try:
            writer.write(f"GET / HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/html\r\nConnection: close\r\n\r\n".encode())
            return int((await reader.read())[9:12] or 599)
        finally:
            writer.close()

    async def open_loop(self, rate: float, seconds: float) -> dict[str, Any]:
        """So many moves a second, and what else is asked meanwhile, at times that are fixed before."""
        self.paced = True
        self.movable = deque(t for t in self.tables if isinstance(t, LoadedTable) and t.ready is not None)
        pacing = [asyncio.create_task(self._pace("move", rate))]
        pacing += [asyncio.create_task(self._pace(kind, rate * share)) for kind, share in OTHERS.items()]
        await asyncio.sleep(SETTLE_SECONDS)
        self.forget()
        sampling = asyncio.create_task(self._sample(seconds / SAMPLES))
        told = await self.measure(seconds)
        sampling.cancel()
        for task in pacing:
            task.cancel()
        results = await asyncio.gather(*pacing, sampling, return_exceptions=True)
        for problem in results:
            if isinstance(problem, Exception):
                raise problem
        late = sum(due < time.perf_counter() - 1.0 for due in self.waiting)
        self.waiting.clear()
        return told | {
            "offered_moves_per_second": rate,
            "offered_others_per_second": round(rate * sum(OTHERS.values()), 1),
            "milliseconds": {kind: percentiles(waited) for kind, waited in self.waited.items()},
            "moves_that_found_no_table_for_a_second": late,
            "failed": dict(self.failed),
            "megabytes": self.megabytes,
        }

    async def _pace(self, kind: str, rate: float) -> None:
        start, asked = time.perf_counter() + self.chance.random() / rate, 0
        while True:
            while (due := start + asked / rate) <= time.perf_counter():
                self._ask(kind, due)
                asked += 1
            await asyncio.sleep(due - time.perf_counter())

    async def _sample(self, every: float) -> None:
        """What the servers hold, again and again."""
        self.megabytes: list[float] = []
        while True:
            self.megabytes.append(round(self.held() / 1e6, 1))
            await asyncio.sleep(every)

    async def measure(self, seconds: float) -> dict[str, float]:
        """What all servers compute counts, the database, and these programs too."""
        before, figures = self._computed(), await self._figures()
        told = await super().measure(seconds)
        spent = {who: seconds_ - before[who] for who, seconds_ in self._computed().items()}
        told |= {
            "server_cpu_ms_per_move": round(1000 * spent["servers"] / max(told["moves_per_second"] * seconds, 1), 3)
        }
        told |= {f"cores_used_by_{who}": round(used / seconds, 2) for who, used in spent.items() if who != "machine"}
        others = spent.pop("machine") - sum(spent.values())
        after = await self._figures()
        a_second = {name: (after[name] - figures[name]) / seconds for name in FIGURES}
        commits = max(a_second["commit_seconds_count"], 1e-9)
        return told | {
            "cores_used_by_others": round(others / seconds, 2),
            "commits_per_second": round(commits, 1),
            "milliseconds_of_a_commit": round(1000 * a_second["commit_seconds_sum"] / commits, 2),
            "entries_per_second": round(a_second["entries_total"], 1),
            "passed_on_per_second": round(a_second["passed_total"], 1),
        }

    def _computed(self) -> dict[str, float]:
        """Processor seconds so far."""
        return {
            "servers": sum(map(processor_seconds, self.processes)),
            "database": sum(map(processor_seconds, self.database.processes())) if self.database is not None else 0.0,
            "programs": processor_seconds(os.getpid()),
            "machine": machine_seconds(),
        }

    async def _figures(self) -> Counter[str]:
        """What the servers say of themselves, together."""
        told: Counter[str] = Counter()
        for port in self.figures_at:
            reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
            for name, value in re.findall(r"^infila_(\w+) ([\d.e+-]+)$", (await reader.read()).decode(), re.M):
                told[name] += float(value)  # type: ignore[assignment]
            writer.close()
        return told

    @property
    def streams(self) -> int:
        return sum(len(table.seats) + 1 for table in self.tables)

    def held(self) -> int:
        return sum(map(memory, self.processes))


def percentiles(times: list[float]) -> dict[str, float]:
    """With how many there were."""
    ordered = sorted(times)
    found = {f"p{p}": round(1000 * ordered[len(ordered) * p // 100], 1) for p in (50, 99)} if ordered else {}
    return found | {"count": len(ordered)}


@contextmanager
def served(servers: int) -> Iterator[tuple[list[Server], PostgreSQL | None]]:
    """So many servers on a PostgreSQL of their own; none: one, in a folder."""
    database = PostgreSQL() if servers else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if database is not None:
            database.start()
        started: list[Server] = []
        try:
            for _ in range(max(servers, 1)):
                started.append(Server(folder if database is None else database.url, folder, figures=True))
                started[-1].start()
            yield started, database
        finally:
            for server in started:
                if server.process is not None:
                    server.kill()
            if database is not None:
                database.remove()


async def bench(
    servers: list[Server], database: PostgreSQL | None, tables: int, rate: float, seconds: float, flat_out: float
) -> dict[str, Any]:
    load, loaded = Load(servers, database), os.getloadavg()[0]
    await load.set_up(len(servers) * AT_ONCE)
    await load.listen()
    await load.flat_out(WARM_SECONDS)
    load.close()
    await asyncio.sleep(SETTLE_SECONDS)
    held = [load.held()]
    await load.set_up(tables)
    await asyncio.sleep(SETTLE_SECONDS)
    held.append(load.held())
    await load.listen()
    await asyncio.sleep(SETTLE_SECONDS)
    held.append(load.held())
    gc.freeze()
    steady = await load.open_loop(rate, seconds)
    held.append(load.held())
    fast = await load.flat_out(flat_out) if flat_out else {}
    streams = load.streams
    load.close()
    return {
        "servers": len(servers),
        "tables": tables,
        "streams": streams,
        "kilobytes_per_table": round((held[1] - held[0]) / tables / 1000, 1),
        "kilobytes_per_stream": round((held[2] - held[1]) / streams / 1000, 1),
        "kilobytes_per_table_played_at": round((held[3] - held[0] - (held[2] - held[1])) / tables / 1000, 1),
        "open_loop": steady,
        "as_fast_as_possible": fast,
        "seconds": seconds,
        "cores": os.cpu_count(),
        "load_before": loaded,
    }


def run(wanted: argparse.Namespace) -> dict[str, Any]:
    with served(wanted.servers) as (servers, database):
        gc.disable()  # the programs' own pauses are not the servers'
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            return runner.run(bench(servers, database, wanted.tables, wanted.rate, wanted.seconds, wanted.flat_out))


def fast_loop() -> Any:
    """The loop that takes least, so that the programs leave the cores to the servers; None: Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--servers", type=int, default=3, help="0: one, with its tables in a folder")
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=500, help="moves a second; of other requests there are fewer")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--flat-out", type=float, default=20, metavar="SECONDS", help="of moving as fast as possible")
    parser.add_argument("--name", default="", help="under which the result is kept; the kind of servers, if not given")
    wanted = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file
    result = run(wanted)
    print(json.dumps(result, indent=2))
    kind = wanted.name or (f"{wanted.servers} servers" if wanted.servers else "one server in a folder")
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(found | {kind: result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
