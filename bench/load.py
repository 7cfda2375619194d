"""What people wait for at several servers on one PostgreSQL, with thousands of tables and streams, mixed as in life.

    python -m bench.load --servers 3 --tables 2000 --rate 500 --seconds 60
    python -m bench.load --servers 0 --tables 500               (one server, in a folder)

An open loop: what is to be asked, and when, is fixed before, whether the servers keep up or not, and the time that
counts runs from then. So a stall is seen in every request that should have been made meanwhile. At every table two
programs play, or one plays the computer; each hears of moves by a stream, and so does somebody who looks on. Of what is
asked four in five are moves; the others load the table anew, talk, or open the front page. Every request and every
stream goes to any of the servers. At the end every table moves as soon as it can.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.kill import Server
from bench.postgresql import PostgreSQL
from bench.server import HOST, Bench, Connection, Seat, Seen, Table, machine_seconds, memory, processor_seconds

RESULTS = Path(__file__).parent / "results" / "load.json"
KINDS = {"move": 0.80, "table": 0.10, "talk": 0.04, "page": 0.06}
WITH_COMPUTER = 10  # one of so many tables
WORDS = json.dumps({"text": "well played"}).encode()


class LoadedTable(Table):
    """A table where moves have a time at which they should have been made."""

    bench: "Load"

    def __init__(self, number: int, bench: "Load") -> None:
        super().__init__(number, bench)
        self.alone = number % WITH_COMPUTER == 0
        self.watcher = Connection()
        if self.alone:
            del self.seats[1]

    async def open(self) -> None:
        loop, first = asyncio.get_running_loop(), self.seats[0]
        wanted = json.dumps({"game": "sequence", "seats": ["me", "beginner" if self.alone else "open"]}).encode()
        _, body = await first.asking.ask("POST", "/tables", first.token, wanted)
        self.id, self.sent_for, self.sent_at, self.ready = json.loads(body)["id"], 0, 0.0, None
        for seat in self.seats:
            await seat.watch(self.bench.port)
        if not self.alone:
            second = self.seats[1]
            await second.asking.ask("POST", f"/tables/{self.id}/seat", second.token)
        if self.watcher.transport is not None:
            self.watcher.transport.close()
        self.watcher = Connection()
        self.watcher.on_event = lambda _: None
        await loop.create_connection(lambda: self.watcher, HOST, self.bench.port)
        head = f"GET /api/v1/tables/{self.id}/events HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
        self.watcher.transport.write(head.encode())

    def turn(self, seat: Seat, seen: Seen) -> None:
        super().turn(seat, seen)
        if self.bench.paced:
            self.bench.can_move(self)

    async def send(self, seat: Seat, seen: Seen) -> None:
        due, answered = self.bench.due_of.pop(self, None), super().send(seat, seen)
        task = asyncio.ensure_future(answered)
        await asyncio.sleep(0)  # it is sent
        if due is not None:
            self.sent_at = due
        await task
        if self.alone and self.sent_at:  # nobody else is told: the answer counts
            self.arrived()


class Load(Bench):
    def __init__(self, ports: list[int], processes: list[int]) -> None:
        super().__init__(ports[0], processes[0])
        self.ports, self.processes = ports, processes
        self.chance = random.Random(7)
        self.waiting: deque[float] = deque()  # moves that are due, and no table can make them yet
        self.movable: deque[Table] = deque()
        self.due_of: dict[Table, float] = {}
        self.others_waited: dict[str, list[float]] = {kind: [] for kind in KINDS if kind != "move"}
        self.failed = 0

    @property
    def port(self) -> int:
        return self.chance.choice(self.ports)

    @port.setter
    def port(self, _: int) -> None:
        """Any of them."""

    async def set_up(self, count: int) -> None:
        self.paced = True
        self.tables = [LoadedTable(number, self) for number in range(count)]
        for begin in range(0, count, 20):
            await asyncio.gather(*(self._arrive(table) for table in self.tables[begin : begin + 20]))

    async def _arrive(self, table: Table) -> None:
        for seat in table.seats:
            await seat.arrive(self.port)
        await table.open()

    def can_move(self, table: Table) -> None:
        if self.waiting:
            self._move(table, self.waiting.popleft())
        else:
            self.movable.append(table)

    def _move(self, table: Table, due: float) -> None:
        if table.ready is None:  # a new game has begun there meanwhile
            self.waiting.appendleft(due)
            return
        self.due_of[table] = due
        table.move(*table.ready)

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
        seat = self.chance.choice(table.seats)
        if not table.id:
            return
        if kind == "page":
            status = await self._page()
        elif kind == "talk":
            status, _ = await seat.asking.ask("POST", f"/tables/{table.id}/chat", seat.token, WORDS)
        else:
            status, _ = await seat.asking.ask("GET", f"/tables/{table.id}", seat.token, b"")
        self.others_waited[kind].append(time.perf_counter() - due)
        self.failed += status >= 500

    async def _page(self) -> int:
        reader, writer = await asyncio.open_connection(HOST, self.port)
        writer.write(f"GET / HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/html\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return int(answer[9:12] or 599)

    async def open_loop(self, rate: float, seconds: float) -> dict[str, Any]:
        """So many requests a second, at times that are fixed before."""
        self.paced = True
        self.movable = deque(table for table in self.tables if table.ready is not None)
        kinds, weights = list(KINDS), list(KINDS.values())
        going = True

        async def pace() -> None:
            start, asked = time.perf_counter(), 0
            while going:
                while (due := start + asked / rate) <= time.perf_counter():
                    self._ask(self.chance.choices(kinds, weights)[0], due)
                    asked += 1
                await asyncio.sleep(0.001)

        pacing = asyncio.create_task(pace())
        await asyncio.sleep(2)
        for waited in self.others_waited.values():
            waited.clear()
        told = await self.measure(seconds)
        late = sum(due < time.perf_counter() - 1.0 for due in self.waiting)
        going = False
        await pacing
        return told | {
            "offered_per_second": rate,
            "others_ms": {kind: percentiles(waited) for kind, waited in self.others_waited.items()},
            "moves_that_waited_for_a_table": late,
            "failed": self.failed,
        }

    async def measure(self, seconds: float) -> dict[str, float]:
        """What all servers compute counts, and these programs too."""
        machine, servers, programs = machine_seconds(), self._computed(), processor_seconds(os.getpid())
        told = await super().measure(seconds)
        machine, servers = machine_seconds() - machine, self._computed() - servers
        programs = processor_seconds(os.getpid()) - programs
        moves = max(told["moves_per_second"] * seconds, 1)
        return told | {
            "server_cpu_ms_per_move": round(1000 * servers / moves, 3),
            "cores_used_by_servers": round(servers / seconds, 2),
            "cores_used_by_programs": round(programs / seconds, 2),
            "cores_used_by_others": round((machine - servers - programs) / seconds, 2),
        }

    def _computed(self) -> float:
        return sum(map(processor_seconds, self.processes))

    @property
    def streams(self) -> int:
        return sum(len(table.seats) + 1 for table in self.tables)

    def held(self) -> int:
        return sum(map(memory, self.processes))


def percentiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {f"p{p}": round(1000 * ordered[len(ordered) * p // 100], 1) for p in (50, 99)} if ordered else {}


@contextmanager
def served(servers: int) -> Iterator[list[Server]]:
    """So many servers on a PostgreSQL of their own; none: one, in a folder."""
    database = PostgreSQL() if servers else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if database is not None:
            database.start()
        started: list[Server] = []
        try:
            for _ in range(max(servers, 1)):
                started.append(Server(folder if database is None else database.url, folder))
                started[-1].start()
            yield started
        finally:
            for server in started:
                if server.process is not None:
                    server.kill()
            if database is not None:
                database.remove()


async def bench(servers: list[Server], tables: int, rate: float, seconds: float) -> dict[str, Any]:
    processes = [server.process.pid for server in servers if server.process is not None]
    load = Load([server.port for server in servers], processes)
    await load.set_up(len(servers) * 2)  # the rules are loaded, whatever is made once is made
    before = load.held()
    await load.set_up(tables)
    await asyncio.sleep(2)
    grown = load.held() - before
    steady = await load.open_loop(rate, seconds)
    later = load.held() - before
    fast = await load.flat_out(min(seconds, 20.0))
    return {
        "servers": len(servers),
        "tables": tables,
        "streams": load.streams,
        "kilobytes_per_table_with_its_streams": round(grown / tables / 1000, 1),
        "after_playing": round(later / tables / 1000, 1),
        "open_loop": steady,
        "as_fast_as_possible": fast,
        "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--servers", type=int, default=3, help="0: one, with its tables in a folder")
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=500, help="requests a second, four in five of them moves")
    parser.add_argument("--seconds", type=float, default=30)
    wanted = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file
    with served(wanted.servers) as servers:
        gc.disable()  # the programs' own pauses are not the servers'
        result = asyncio.run(bench(servers, wanted.tables, wanted.rate, wanted.seconds))
    print(json.dumps(result, indent=2))
    kind = f"{wanted.servers} servers" if wanted.servers else "one server in a folder"
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(found | {kind: result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
