"""Attacks on a server, all from one address, each for as long as it is told to; `bench.attack` runs them.

    python -m bench.attacks pages 4224 --seconds 20

An attack first prepares itself, says "ready", and goes on until its time is over. What it got for an answer is printed
as JSON. It never gives way by itself: what is refused is asked again at once.
"""

import argparse
import asyncio
import itertools
import json
import os
import secrets
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any

from bench.client import HOST, Answer, Client, Cut, NotServed

ADDRESS = "127.66.6.6"
NICENESS = 10  # the attacker's processes shall not take the processor from the server: they share it only here
Work = Callable[[], Awaitable[Answer | None]]


class Attacker:
    def __init__(self, port: int, people: Iterable[Client] = ()) -> None:
        self.port = port
        self.got: Counter[str] = Counter()
        self.is_ready = asyncio.Event()
        self.people = [Client(port, ADDRESS, dict(client.headers)) for client in people]

    def client(self) -> Client:
        return Client(self.port, ADDRESS)

    async def persons(self, count: int) -> list[Client]:
        """New people, as many as there may be."""
        for _ in range(count - len(self.people)):
            client = self.client()
            if (await client.become("Mallory")).status >= 300:
                break
            self.people.append(client)
        return self.people[:count]

    async def table(self, client: Client, game: str, seats: list[str], **options: Any) -> str:
        """A new table's id; empty if it was refused."""
        wanted = {"game": game, "seats": seats, "options": options}
        answer = await client.ask("POST", "/api/v1/tables", wanted)
        self.count(answer)
        return str(answer.content["id"]) if answer.status < 300 else ""

    def count(self, answer: Answer | None) -> None:
        self.got["did" if answer is None else str(answer.status)] += 1

    async def forever(self, work: Work, pause: float = 0.0) -> None:
        while True:
            try:
                self.count(await work())
            except (Cut, NotServed, OSError, TimeoutError) as problem:
                self.got[type(problem).__name__] += 1
                await asyncio.sleep(0.01)
            await asyncio.sleep(pause)

    async def flood(self, works: list[Work], pause: float = 0.0) -> None:
        """All of it at the same time, again and again."""
        self.is_ready.set()
        await asyncio.gather(*(self.forever(work, pause) for work in works))

    async def hold(self, count: int, begin: bytes, then: bytes, every: float, room: int | None = None) -> None:
        """So many connections that begin something and go on with it slowly; what is closed is opened again."""

        async def one() -> None:
            made = socket.socket()
            with suppress(OSError):
                made.setblocking(False)
                if room is not None:
                    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
                made.bind((ADDRESS, 0))
                loop = asyncio.get_running_loop()
                await loop.sock_connect(made, (HOST, self.port))
                self.got["opened"] += 1
                await loop.sock_sendall(made, begin)
                while True:
                    await asyncio.sleep(every)
                    await loop.sock_sendall(made, then)
            self.got["closed"] += 1
            made.close()

        async def always(number: int) -> None:
            await asyncio.sleep(number / 1000)
            while True:
                await one()
                await asyncio.sleep(0.5)

        self.is_ready.set()
        await asyncio.gather(*(always(number) for number in range(count)))


async def _replace(at: Attacker, level: str) -> None:
    """A computer of no sensible level for somebody who stays away; if need be, once they have been away for long."""
    anna, bruno = await at.persons(2)
    table = await at.table(anna, "take_that", ["me", "open"], players=2)
    await bruno.ask("POST", f"/api/v1/tables/{table}/seat", {})
    for _ in range(40):
        answer = await anna.ask("POST", f"/api/v1/tables/{table}/replace", {"seat": 2, "level": level})
        if answer.status < 300 or "level" in answer.content["error"]:
            break
        await asyncio.sleep(2)
    at.got["taken" if answer.status < 300 else "not taken"] += 1
    body = {"seat": 2, "level": level}
    await at.flood([lambda: anna.ask("POST", f"/api/v1/tables/{table}/replace", body)] * 4, 0.05)


async def nonsense_level(at: Attacker) -> None:
    await _replace(at, "nonsense")


async def endless_search(at: Attacker) -> None:
    await _replace(at, "search:10000000")


def long_log(moves: int) -> str:
    """Take That, always the first move: a long game that goes on."""
    import infila

    game = infila.new("take_that", players=2, seed=7, rounds=100)
    while len(game.history) < moves and not game.over:
        game.play_action(game.actions()[0])
    return game.save()


async def uploads(at: Attacker) -> None:
    """Long logs, and such as only look like it."""
    import infila

    people = await at.persons(12)
    logs = [long_log(19_900), infila.new("take_that", seed=1).save() + "1\n" * 39_000, "x" * 900_000]
    bodies = [json.dumps({"log": log}).encode() for log in logs]

    def work(client: Client, body: bytes) -> Work:
        return lambda: client.ask("POST", "/api/v1/logs", body)

    await at.flood([work(client, bodies[i % 3]) for i, client in enumerate(people)], 0.01)


async def streams_from_the_beginning(at: Attacker) -> None:
    """Whatever has happened at a table of 5,000 moves, ten times at once and again."""
    people = await at.persons(10)
    made = await people[0].ask("POST", "/api/v1/logs", {"log": long_log(5000)})
    table = made.content["id"]

    def work(client: Client) -> Work:
        async def open_one() -> None:
            async for _ in client.events(f"/api/v1/tables/{table}/events", {"last-event-id": "0"}):
                break

        return open_one

    await at.flood([work(client) for client in people], 0.01)


async def looks_at_the_past(at: Attacker) -> None:
    """A long game as it was at any moment, as a page and for programs."""
    people = await at.persons(10)
    table = (await people[0].ask("POST", "/api/v1/logs", {"log": long_log(5000)})).content["id"]
    moments = itertools.cycle(range(0, 5000, 173))

    def work(client: Client, i: int) -> Work:
        ways = (f"/t/{table}/state?at=", f"/api/v1/tables/{table}?moves=", f"/t/{table}?at=", f"/t/{table}/log?")
        return lambda: client.ask("GET", f"{ways[i % 4]}{next(moments)}")

    await at.flood([work(client, i) for i, client in enumerate(people)], 0.005)


async def half_open(at: Attacker) -> None:
    await at.hold(3000, b"GET / HTTP/1.1\r\nhost: here\r\nx: ", b"x", 5)


async def giant_headers(at: Attacker) -> None:
    """Headers of 300 MB."""

    async def one() -> None:
        _, writer = await at.client().connect()
        try:
            writer.write(b"GET / HTTP/1.1\r\nhost: here\r\nx: ")
            for _ in range(300):
                writer.write(b"x" * 1_000_000)
                await writer.drain()
        finally:
            writer.close()

    await at.flood([one] * 3, 0.1)


async def slow_bodies(at: Attacker) -> None:
    begin = b"POST /api/v1/people HTTP/1.1\r\nhost: here\r\ncontent-length: 60000\r\n\r\n{"
    await at.hold(600, begin, b" ", 1)


async def slow_readers(at: Attacker) -> None:
    """Many answers, of which nothing is read."""
    ask = b"GET /rules/take_that HTTP/1.1\r\nhost: here\r\n\r\n"
    await at.hold(600, ask * 8, b"", 30, room=2048)


async def identities(at: Attacker) -> None:
    """Always somebody new, who makes a table with a computer and plays there."""

    async def one() -> Answer:
        client = at.client()
        try:
            answer = await client.become("Mallory")
            if answer.status < 300:
                table = await at.table(client, "sequence", ["me", "master"])
                for _ in range(10 if table else 0):
                    seen = (await client.ask("GET", f"/api/v1/tables/{table}")).content
                    if seen.get("moves"):
                        wanted = {"move": seen["moves"][0], "version": seen["version"]}
                        at.count(await client.ask("POST", f"/api/v1/tables/{table}/moves", wanted))
            return answer
        finally:
            client.close()

    await at.flood([one] * 8)


async def masters(at: Attacker) -> None:
    """Tables of twelve, eleven of whom are masters, as many as there may be; whose turn it is moves at once."""
    seats = ["me", *["master"] * 11]
    tables: list[tuple[Client, str]] = []
    for client in await at.persons(30):
        while len(tables) < 220 and (table := await at.table(client, "sequence", seats, players=12)):
            tables.append((client, table))
    at.got["tables"] = len(tables)
    turns = itertools.cycle(tables or [(at.people[0], "none")])

    async def watch(client: Client, table: str) -> None:
        async for _ in client.events(f"/api/v1/tables/{table}/events"):
            at.got["events"] += 1

    async def one() -> None:
        client, table = next(turns)
        mover = Client(at.port, ADDRESS, client.headers)
        seen = (await mover.ask("GET", f"/api/v1/tables/{table}")).content
        if seen.get("moves"):
            wanted = {"move": seen["moves"][0], "version": seen["version"]}
            at.count(await mover.ask("POST", f"/api/v1/tables/{table}/moves", wanted))
        mover.close()

    at.is_ready.set()
    watching = [at.forever(lambda c=client, t=table: watch(c, t), 1) for client, table in tables]  # type: ignore[misc]
    await asyncio.gather(*watching, *(at.forever(one, 0.02) for _ in range(4)))


async def api_document(at: Attacker) -> None:
    def work(client: Client) -> Work:
        return lambda: client.ask("GET", "/api/v1/openapi.json")

    await at.flood([work(at.client()) for _ in range(20)])


async def pages(at: Attacker) -> None:
    """All kinds of pages, by people and by nobody."""
    people = await at.persons(5)
    table = await at.table(people[0], "sequence", ["me", "club"])
    ways = ["/", "/mine", "/rules/zatre", "/rules/sequence", "/new?game=sequence&players=12", f"/t/{table}"]
    ways += [f"/t/{table}/state", "/sheet/zatre", "/static/table.js", "/api/v1/games", "/api/v1/tables"]
    turns = itertools.cycle(ways)

    def work(client: Client) -> Work:
        return lambda: client.ask("GET", next(turns), headers={"accept-encoding": "gzip"})

    await at.flood([work(client) for client in [*people, *(at.client() for _ in range(15))]])


async def nothing_there(at: Attacker) -> None:
    """Tables that do not exist: each has to be looked up."""

    def work(client: Client) -> Work:
        return lambda: client.ask("GET", f"/api/v1/tables/{secrets.token_hex(6)}")

    await at.flood([work(at.client()) for _ in range(20)])


async def hints(at: Attacker) -> None:
    people = await at.persons(20)
    found = [(client, await at.table(client, "zatre", ["me", "me"])) for client in people]

    def work(client: Client, table: str) -> Work:
        return lambda: client.ask("POST", f"/t/{table}/hint?eyes=0")

    await at.flood([work(client, table) for client, table in found if table])


async def device_links(at: Attacker) -> None:
    """Guesses at links that make another device the same person."""

    def work(client: Client) -> Work:
        return lambda: client.ask("GET", f"/me/{secrets.token_hex(6)}.9999999999.{secrets.token_hex(20)}")

    await at.flood([work(at.client()) for _ in range(20)])


async def moves_and_talk(at: Attacker) -> None:
    """Legal moves as fast as possible at one's own tables, and talk."""
    people = await at.persons(10)
    found = [(client, await at.table(client, "take_that", ["me", "me"])) for client in people]

    def work(client: Client, table: str) -> Work:
        async def one() -> Answer:
            seen = (await client.ask("GET", f"/api/v1/tables/{table}")).content
            at.count(await client.ask("POST", f"/api/v1/tables/{table}/chat", {"text": "x" * 500}))
            wanted = {"move": (seen.get("moves") or ["1"])[0], "version": seen.get("version", 0)}
            return await client.ask("POST", f"/api/v1/tables/{table}/moves", wanted)

        return one

    await at.flood([work(client, table) for client, table in found if table])


async def renames(at: Attacker) -> None:
    """Another name again and again, at as many tables as there may be: each is told of it."""
    people = await at.persons(3)
    for client in people:
        while await at.table(client, "zatre", ["me", "open"]):
            pass

    def work(client: Client) -> Work:
        return lambda: client.ask("POST", "/api/v1/me", {"name": secrets.token_hex(8)})

    await at.flood([work(client) for client in people * 3])


async def new_tables(at: Attacker) -> None:
    people = await at.persons(30)

    def work(client: Client) -> Work:
        return lambda: client.ask("POST", "/api/v1/tables", {"game": "zatre", "seats": ["me", "open"]})

    await at.flood([work(client) for client in people])


async def connections(at: Attacker) -> None:
    """A new connection for every request, as fast as possible."""

    async def one() -> Answer:
        return await at.client().ask_anew("GET", "/static/table.js")

    await at.flood([one] * 50)


ATTACKS: dict[str, Callable[[Attacker], Coroutine[Any, Any, None]]] = {
    each.__name__: each
    for each in (
        nonsense_level,
        endless_search,
        uploads,
        streams_from_the_beginning,
        looks_at_the_past,
        half_open,
        giant_headers,
        slow_bodies,
        slow_readers,
        identities,
        masters,
        api_document,
        pages,
        nothing_there,
        hints,
        device_links,
        moves_and_talk,
        renames,
        new_tables,
        connections,
    )
}
EVERYTHING = "everything"  # all of them at the same time, but for
HOLDING = ("half_open", "slow_bodies", "slow_readers", "connections")  # those that would only keep the others out


async def run(name: str, port: int, seconds: float) -> dict[str, int]:
    at = Attacker(port)
    if name == EVERYTHING:
        await at.persons(100)
    names = [each for each in ATTACKS if each not in HOLDING] if name == EVERYTHING else [name]
    attackers = [Attacker(port, at.people) for _ in names[1:]]
    attacking = [asyncio.create_task(ATTACKS[each](one)) for each, one in zip(names, [at, *attackers], strict=True)]
    if name == EVERYTHING:
        await asyncio.sleep(5)
    else:
        await asyncio.wait([asyncio.create_task(at.is_ready.wait()), *attacking], return_when="FIRST_COMPLETED")
    print("ready", flush=True)
    await asyncio.wait(attacking, timeout=seconds)
    for one in attackers:
        at.got.update(one.got)
    for task in attacking:
        if task.done() and (problem := task.exception()) is not None:
            at.got[f"an attack ended: {problem!r:.100}"] += 1
        task.cancel()
    return dict(at.got)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("attack", choices=[*ATTACKS, EVERYTHING])
    parser.add_argument("port", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    wanted = parser.parse_args()
    os.nice(NICENESS)
    print(json.dumps(asyncio.run(run(wanted.attack, wanted.port, wanted.seconds))), flush=True)
    os._exit(0)  # thousands of connections need not be closed one by one


if __name__ == "__main__":
    main()
