"""Honest people at tables, each from an address of their own: what they see of a server while it is attacked.

Some play each other, some the computer, and some only come to the front page, each time on a new connection. What is
measured is what people wait for:

- a move: from sending it until the opponent, or one's own page, has the table with it;
- the computer: from there until it is one's own turn again;
- a page: from connecting until all of it is there.

What somebody still waits for when the time is over counts with the time they have waited so far.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bench.client import Client, Cut, NotServed
from bench.server import Seen, seen_in
from infila.core.games import NAMES

WAITS = ("move", "computer", "page")
LEVELS = ("club", "expert", "club", "master")  # of the computers that are played against
PATIENCE = 60.0  # seconds after which an honest player gives up waiting


class Meter:
    """What honest people saw in some time."""

    def __init__(self) -> None:
        self.waited: dict[str, list[float]] = {kind: [] for kind in WAITS}
        self.refused = 0
        self.unanswered = 0
        self.problems: Counter[str] = Counter()
        self._waiting: dict[object, tuple[str, float]] = {}

    def reset(self) -> None:
        """Begin anew; who waits already waits from now on."""
        waiting, now = self._waiting, time.perf_counter()
        self.__init__()  # type: ignore[misc]
        self._waiting = {key: (kind, now) for key, (kind, _) in waiting.items()}

    @contextmanager
    def waiting(self, kind: str) -> Iterator[None]:
        key = object()
        self._waiting[key] = kind, time.perf_counter()
        try:
            yield
            self.waited[kind].append(time.perf_counter() - self._waiting[key][1])
        finally:
            del self._waiting[key]

    def refuse(self, what: str) -> None:
        self.refused += 1
        self.problems[what] += 1

    def figures(self) -> dict[str, Any]:
        """In milliseconds. Of those who wait still, what they have waited, if that is longer than anybody else has."""
        now, waited = time.perf_counter(), {kind: list(times) for kind, times in self.waited.items()}
        for kind, since in self._waiting.values():
            if now - since > max(self.waited[kind], default=0.0):
                waited[kind].append(now - since)
        figures: dict[str, Any] = {kind: percentiles(times) for kind, times in waited.items()}
        longest = max(max(times, default=0.0) for times in waited.values())
        return figures | {
            "longest_gap_ms": round(1000 * longest),
            "refused": self.refused,
            "unanswered": self.unanswered,
            "problems": dict(self.problems),
        }


def percentiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    found = {f"p{p}_ms": round(1000 * ordered[min(len(ordered) * p // 100, len(ordered) - 1)], 1) for p in (50, 99)}
    return {"count": len(times), **found, "longest_ms": round(1000 * ordered[-1], 1)}


class Player(Client):
    """Somebody at a table, with an open stream."""

    def __init__(self, port: int, address: str, name: str, changed: Callable[[], None]) -> None:
        super().__init__(port, address)
        self.name, self._changed = name, changed
        self.table, self.seen = "", Seen()
        self._listening: asyncio.Task[None] | None = None

    def listen(self, table: str, meter: Meter) -> None:
        if self._listening is not None:
            self._listening.cancel()
        self.table, self.seen = table, Seen()
        self._listening = asyncio.create_task(self._listen(meter))

    async def _listen(self, meter: Meter) -> None:
        """A stream that ends is opened again, as browsers do."""
        while True:
            try:
                async for data in self.events(f"/api/v1/tables/{self.table}/events"):
                    self.seen = seen_in(data)
                    self._changed()
            except NotServed as problem:
                meter.refuse(f"events: {problem.status}")
            except (Cut, OSError) as problem:
                meter.problems[f"events: {type(problem).__name__}"] += 1
            await asyncio.sleep(0.2)


class Table:
    """One table where honest people play game after game, against each other or the computer."""

    def __init__(self, port: int, number: int, level: str, meter: Meter, pause: float) -> None:
        self.number, self.level, self.meter, self.pause = number, level, meter, pause
        self._event = asyncio.Event()
        self.players = [
            Player(port, f"127.{1 + i}.{number // 200}.{1 + number % 200}", f"bot {number}.{i}", self._event.set)
            for i in range(1 if level else 2)
        ]
        self.chance = random.Random(number)
        self.acknowledged: dict[str, dict[int, str]] = {}  # by table: number and text
        self.over: set[str] = set()
        self.id, self.sent = "", -1  # the version for which the last move was sent

    async def arrive(self) -> None:
        for player in self.players:
            await self._ask(player, "POST", "/api/v1/people", {"name": player.name})
        await self._begin()

    async def _ask(self, player: Player, method: str, path: str, body: Any = None) -> Any:
        """Ask until there is an answer that is none of a refusal; with the same key a move counts once."""
        since = time.perf_counter()
        while True:
            try:
                answer = await player.ask(method, path, body)
            except (Cut, OSError) as problem:
                self.meter.problems[f"{path.rpartition('/')[2]}: {type(problem).__name__}"] += 1
                if time.perf_counter() - since > PATIENCE:
                    self.meter.unanswered += 1
                    raise
                await asyncio.sleep(0.2)
                continue
            if answer.status < 300:
                if path.endswith("/people"):
                    player.headers["authorization"] = f"Bearer {answer.content['token']}"
                return answer.content
            self.meter.refuse(f"{path.rpartition('/')[2]}: {answer.status}")
            if answer.status not in (429, 500, 503):
                return None
            await asyncio.sleep(0.5)

    async def _begin(self) -> None:
        wanted = {"game": NAMES[self.number % len(NAMES)], "seats": ["me", self.level or "open"]}
        self.id = (await self._ask(self.players[0], "POST", "/api/v1/tables", wanted))["id"]
        self.acknowledged[self.id], self.sent = {}, -1
        for player in self.players:
            player.listen(self.id, self.meter)
        if not self.level:
            await self._ask(self.players[1], "POST", f"/api/v1/tables/{self.id}/seat", {})

    async def play(self) -> None:
        """Until cancelled."""
        while True:
            player = await self._turn()
            if player is None:
                self.over.add(self.id)
                await self._begin()
                continue
            await asyncio.sleep(self.pause * self.chance.uniform(0.5, 1.5))
            await self._move(player)

    async def _turn(self) -> Player | None:
        """Who has to move; nobody if the game is over."""
        while True:
            for player in self.players:
                if player.seen.state == "over":
                    return None
                seen = player.seen
                if seen.moves and seen.player == seen.seat and seen.version > self.sent:
                    return player
            await self._next()

    async def _next(self) -> None:
        self._event.clear()
        await self._event.wait()

    async def _move(self, player: Player) -> None:
        seen, witness = player.seen, self.players[-1] if player is self.players[0] else self.players[0]
        text, self.sent = self.chance.choice(seen.moves), seen.version
        wanted = {"move": text, "version": seen.version, "key": f"{seen.version}"}
        with self.meter.waiting("move"):
            told = await self._ask(player, "POST", f"/api/v1/tables/{self.id}/moves", wanted)
            while told is not None and witness.seen.version <= seen.version:
                await self._next()
        if told is None:
            self.sent = -1
            player.listen(self.id, self.meter)
            return
        self.acknowledged[self.id][told["number"]] = text
        if self.level and player.seen.player != player.seen.seat and player.seen.state != "over":
            with self.meter.waiting("computer"):
                await self._turn()

    async def lost(self) -> int:
        """How many moves that were acknowledged are not in the table's history, or are there twice."""
        missing = 0
        for table, moves in self.acknowledged.items():
            answer = await asyncio.wait_for(self.players[0].ask("GET", f"/api/v1/tables/{table}/history"), 20)
            there = [(move["number"], move["text"]) for move in answer.content["moves"]]
            missing += sum(there.count(move) != 1 for move in moves.items())
        return missing


class Company:
    """Everybody honest: so many tables of two people, so many with a computer, and visitors of the front page."""

    def __init__(self, port: int, *, pairs: int = 6, alone: int = 4, visitors: int = 2, pause: float = 0.15) -> None:
        self.meter = Meter()
        self.tables = [Table(port, i, "", self.meter, pause) for i in range(pairs)]
        for i in range(alone):
            self.tables.append(Table(port, pairs + i, LEVELS[i % len(LEVELS)], self.meter, pause))
        self.visitors = [Client(port, f"127.3.0.{1 + i}") for i in range(visitors)]
        self._tasks: list[asyncio.Task[None]] = []

    async def arrive(self) -> None:
        await asyncio.gather(*(table.arrive() for table in self.tables))
        self._tasks = [asyncio.create_task(table.play()) for table in self.tables]
        self._tasks += [asyncio.create_task(self._visit(visitor)) for visitor in self.visitors]

    async def _visit(self, visitor: Client) -> None:
        while True:
            await asyncio.sleep(0.2)
            try:
                with self.meter.waiting("page"):
                    answer = await asyncio.wait_for(visitor.ask_anew("GET", "/"), PATIENCE)
            except (Cut, OSError, TimeoutError) as problem:
                self.meter.refuse(f"front page: {type(problem).__name__}")
            else:
                if answer.status != 200:
                    self.meter.refuse(f"front page: {answer.status}")

    async def measure(self, seconds: float) -> dict[str, Any]:
        """What they see in so many seconds; and how late this program itself was, which is not the server's doing."""
        self.meter.reset()
        late: list[float] = []
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            await asyncio.sleep(0.01)
            late.append(time.perf_counter() - now - 0.01)
        return self.meter.figures() | {"own_lateness": percentiles(late)}

    async def leave(self) -> int:
        """Stop playing; how many acknowledged moves are lost."""
        for task in self._tasks:
            task.cancel()
        found = await asyncio.gather(*self._tasks, return_exceptions=True)
        for problem in found:
            if isinstance(problem, Exception):
                raise problem
        return sum([await table.lost() for table in self.tables])
