"""How fast the server is: programs as players, over the API, from another process on this machine.

    python -m bench.server [--tables 500] [--seconds 20]

First every table moves as soon as it can; then 500 moves a second are offered in all. The latency is from sending a
move to the opponent having the new state, and every move is committed before it is sent to anybody.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

import msgspec

RESULTS = Path(__file__).parent / "results" / "server.json"
HOST = "127.0.0.1"


class Seen(msgspec.Struct):
    """What a player reads of a table."""

    version: int = 0
    state: str = ""
    player: int | None = None
    seat: int | None = None
    moves: list[str] = []


seen_in = msgspec.json.Decoder(Seen).decode


class Connection(asyncio.Protocol):
    """Just enough HTTP: requests one after the other, or one answer that never ends."""

    def __init__(self) -> None:
        self.buffer = b""
        self.waiting: deque[asyncio.Future[tuple[int, bytes]]] = deque()
        self.on_event: Any = None
        self.streaming = False
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, problem: Exception | None) -> None:
        for waiting in self.waiting:
            waiting.set_exception(ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.streaming:
            self.read_events()
            return
        head, gap, rest = self.buffer.partition(b"\r\n\r\n")
        if not gap:
            return
        if self.on_event is not None:
            self.streaming, self.buffer = True, rest
            self.read_events()
            return
        lower = head.lower()
        at = lower.find(b"content-length:")
        length = int(lower[at + 15 :].split(b"\r\n", 1)[0])
        if len(rest) >= length:
            self.buffer = rest[length:]
            answer = self.waiting.popleft()
            if not answer.done():
                answer.set_result((int(head[9:12]), rest[:length]))

    def read_events(self) -> None:
        """Events end with an empty line; the sizes of chunks between them are lines of their own and are skipped."""
        while (end := self.buffer.find(b"\n\n")) >= 0:
            event, self.buffer = self.buffer[:end], self.buffer[end + 2 :]
            at = event.find(b"data: ")
            if at >= 0:
                self.on_event(event[at + 6 :])

    async def ask(self, method: str, path: str, token: str = "", body: bytes = b"{}") -> tuple[int, bytes]:
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        self.transport.write(_request(method, path, token, body))
        return await answer


def _request(method: str, path: str, token: str, body: bytes) -> bytes:
    return (
        f"{method} /api/v1{path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


class Meter:
    """What is counted while it is on."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.moves = 0
        self.refused = 0


class Seat:
    """One program at one table."""

    def __init__(self, table: "Table", name: str) -> None:
        self.table, self.name = table, name
        self.asking = Connection()
        self.events = Connection()
        self.token = ""

    async def arrive(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self.asking, HOST, port)
        _, body = await self.asking.ask("POST", "/people", "-", json.dumps({"name": self.name}).encode())
        self.token = json.loads(body)["token"]

    async def watch(self, port: int) -> None:
        self.events.on_event = None
        if self.events.transport is not None:
            self.events.transport.close()
        self.events = events = Connection()
        await asyncio.get_running_loop().create_connection(lambda: events, HOST, port)
        if events is not self.events:  # it was loaded anew once more meanwhile
            events.transport.close()
            return
        events.on_event = self.hear
        events.transport.write(_request("GET", f"/tables/{self.table.id}/events", self.token, b""))

    def hear(self, data: bytes) -> None:
        seen = seen_in(data)
        if self.table.sent_by is not self and seen.version > self.table.sent_for and self.table.sent_at:
            self.table.arrived()
        if seen.state == "over":
            self.table.end()
        elif seen.moves and seen.player == seen.seat and seen.version > self.table.sent_for:
            self.table.turn(self, seen)


class Table:
    def __init__(self, number: int, bench: "Bench") -> None:
        self.bench, self.number = bench, number
        self.seats = [Seat(self, f"bot {2 * number + i}") for i in range(2)]
        self.id = ""
        self.chance = random.Random(number)
        self.sent_at, self.sent_for = 0.0, 0
        self.sent_by: Seat | None = None
        self.ready: tuple[Seat, Seen] | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        first, second = self.seats
        wanted = json.dumps({"game": "sequence", "seats": ["me", "open"]}).encode()
        _, body = await first.asking.ask("POST", "/tables", first.token, wanted)
        self.id, self.sent_for, self.sent_at = json.loads(body)["id"], 0, 0.0
        for seat in self.seats:
            await seat.watch(self.bench.port)
        await second.asking.ask("POST", f"/tables/{self.id}/seat", second.token)

    def turn(self, seat: Seat, seen: Seen) -> None:
        """A player has its turn: it moves at once, or when its time has come."""
        if self.bench.paced:
            self.ready = (seat, seen)
        else:
            self.move(seat, seen)

    def move(self, seat: Seat, seen: Seen, due: float | None = None) -> None:
        """Send a move now; the time that counts runs from when it was due."""
        self.ready = None
        self.sent_at, self.sent_for, self.sent_by = due or time.perf_counter(), seen.version, seat
        task = asyncio.get_running_loop().create_task(self.send(seat, seen))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def send(self, seat: Seat, seen: Seen) -> None:
        body = msgspec.json.encode(
            {"move": self.chance.choice(seen.moves), "version": seen.version, "key": str(seen.version)}
        )
        status, _ = await seat.asking.ask("POST", f"/tables/{self.id}/moves", seat.token, body)
        if status >= 300:
            self.bench.meter.refused += 1

    def arrived(self) -> None:
        self.bench.meter.latencies.append(time.perf_counter() - self.sent_at)
        self.bench.meter.moves += 1
        self.sent_at = 0.0

    def end(self) -> None:
        """The next game of the same two, at a new table."""
        if self.id:
            self.id = ""
            task = asyncio.get_running_loop().create_task(self.open())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)


class Bench:
    def __init__(self, port: int, server: int) -> None:
        self.port, self.server = port, server
        self.paced = False
        self.meter = Meter()
        self.tables: list[Table] = []

    async def set_up(self, count: int) -> None:
        self.paced = True
        self.tables = [Table(number, self) for number in range(count)]
        for table in self.tables:
            for seat in table.seats:
                await seat.arrive(self.port)
        for table in self.tables:
            await table.open()

    async def measure(self, seconds: float) -> dict[str, float]:
        self.meter = Meter()
        start, computed, others = time.perf_counter(), processor_seconds(self.server), self.others()
        await asyncio.sleep(seconds)
        took, computed = time.perf_counter() - start, processor_seconds(self.server) - computed
        others = self.others() - others
        meter, self.meter = self.meter, Meter()
        times = sorted(meter.latencies)
        percentiles = {f"p{p}_ms": round(1000 * times[len(times) * p // 100], 2) for p in (50, 95, 99)}
        return {
            "moves_per_second": round(meter.moves / took),
            **percentiles,
            "server_cpu_ms_per_move": round(1000 * computed / max(meter.moves, 1), 3),
            "cores_used_by_others": round(others / took, 2),
            "refused": meter.refused,
        }

    def others(self) -> float:
        """Processor seconds that neither the server nor these programs have used: how loaded the machine is."""
        return machine_seconds() - processor_seconds(self.server) - processor_seconds(os.getpid())

    async def flat_out(self, seconds: float) -> dict[str, float]:
        """Every table as fast as it can."""
        self.paced = False
        for table in self.tables:
            if table.ready is not None:
                table.move(*table.ready)
        await asyncio.sleep(2)
        return await self.measure(seconds)

    async def offered(self, rate: float, seconds: float) -> dict[str, float]:
        """So many moves a second in all, evenly spread."""
        self.paced = True
        await asyncio.sleep(2)

        async def pace() -> None:
            start, sent, at = time.perf_counter(), 0, 0
            while True:
                due = int((time.perf_counter() - start) * rate) - sent
                for _ in range(len(self.tables)):
                    if due <= 0:
                        break
                    table = self.tables[at % len(self.tables)]
                    at += 1
                    if table.ready is not None:
                        table.move(*table.ready)
                        sent += 1
                        due -= 1
                await asyncio.sleep(0.001)

        pacing = asyncio.create_task(pace())
        await asyncio.sleep(2)
        result = await self.measure(seconds)
        pacing.cancel()
        return result


def memory(process: int) -> int:
    """What a process holds, in bytes; where /proc tells it."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def processor_seconds(process: int) -> float:
    """What a process has computed so far, on all cores; where /proc tells it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine_seconds() -> float:
    """What all processes have computed so far; where /proc tells it."""
    try:
        user, nice, system = Path("/proc/stat").read_text().split()[1:4]
    except OSError:
        return 0.0
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


class Jumping:
    """The machine's clock, which jumps by hours when somebody wants to know what happens then."""

    def __init__(self) -> None:
        self._time, self._off = time.time, 0.0

    def __call__(self) -> float:
        return self._time() + self._off

    def jump(self, *_: Any) -> None:
        self._off = random.uniform(-7200.0, 7200.0)


def serve(port: int, folder: str, figures: int = 0) -> None:
    """The server, as `infila serve` runs it, but without limits on how much one address may ask; with a second port for
    its figures, if there is one."""
    if hasattr(signal, "SIGUSR1"):
        time.time = clock = Jumping()
        signal.signal(signal.SIGUSR1, clock.jump)
    from infila.server import command
    from infila.server.app import create_app
    from infila.server.settings import Settings
    from infila.wasm.use import modules_in_use

    app = create_app(Settings(data=folder, limits=False, pace=0, peer=f"http://{HOST}:{port}"))
    figures_at = command.listen(HOST, figures) if figures else None
    with modules_in_use():
        command.serve(app, command.listen(HOST, port), lambda: print("ready", flush=True), figures_at)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


async def bench(port: int, process: int, tables: int, seconds: float) -> dict[str, Any]:
    run = Bench(port, process)
    await run.set_up(1)  # the rules are loaded, whatever is made once is made
    before = memory(process)
    await run.set_up(tables)
    await asyncio.sleep(1)
    per_table = (memory(process) - before) / tables / 1000
    fast = await run.flat_out(seconds)
    later = (memory(process) - before) / tables / 1000
    steady = await run.offered(500, seconds)
    return {
        "tables": tables,
        "as_fast_as_possible": fast,
        "offered_500_per_second": steady,
        "kilobytes_per_table": round(per_table, 1),
        "kilobytes_per_table_after_playing": round(later, 1),
        "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "FOLDER"))
    parser.add_argument("--figures", type=int, default=0, metavar="PORT")
    wanted = parser.parse_args()
    if wanted.serve:
        serve(int(wanted.serve[0]), wanted.serve[1], wanted.figures)
        return
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-m", "bench.server", "--serve", str(port), folder], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None and server.stdout.readline() == "ready\n", "the server did not start"
            gc.disable()  # the programs' own pauses are not the server's
            result = asyncio.run(bench(port, server.pid, wanted.tables, wanted.seconds))
        finally:
            server.terminate()
            server.wait()
    print(json.dumps(result, indent=2))
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
