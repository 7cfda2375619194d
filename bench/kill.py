"""Kill -9 at random moments: every acknowledged move is there afterwards, none twice, and the tables go on.

    python -m bench.kill --kills 100
    python -m bench.kill --kills 30 --postgresql
    python -m bench.kill --restarts 20

With --postgresql the tables are in a PostgreSQL of their own; with --restarts it is that which is stopped and started
again, now gently, now at once, while the server goes on.

Half of the tables have two programs, the others one program and the computer; where a game ends the next begins. A
program that gets no answer, or an error, sends the same move with the same key again, as it should. At some tables
somebody lets their clock run out again and again: it rings at each of them after the last kill, too.
"""

import argparse
import asyncio
import json
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

import infila
from bench.postgresql import PostgreSQL
from bench.server import HOST, free_port
from infila.core.games import NAMES

RESULTS = Path(__file__).parent / "results" / "kill.json"
WAIT = 0.02  # seconds until a program looks again whether it is its turn
MOVE_SECONDS = 2  # on the clocks that are let run out
PATIENCE = 120.0  # seconds in which a server starts, and in which there is an answer, whatever happens
RING_SECONDS = 30.0  # within which each of them has rung after the last kill: its own time, and what was given back


class Server:
    """A server that can be killed, and comes back where it was."""

    def __init__(self, data: str, secrets: str = "", *, figures: bool = False) -> None:
        """`data` is a folder or a URL; `secrets` is the folder for what seals a database given by a URL. `figures`: it
        tells them too, at a port of their own."""
        self.data, self.port = data, free_port()
        self.figures = free_port() if figures else 0
        self.environment = os.environ | ({"XDG_DATA_HOME": secrets} if secrets else {})
        self.process: subprocess.Popen[str] | None = None
        self.kills = 0

    def start(self) -> None:
        command = [sys.executable, "-X", "faulthandler", "-m", "bench.server", "--serve", str(self.port), self.data]
        command += ["--figures", str(self.figures)] if self.figures else []
        self.process = subprocess.Popen(  # in a group of its own, which Ctrl-C does not reach
            command, stdout=subprocess.PIPE, text=True, env=self.environment, process_group=0
        )
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.send_signal(signal.SIGABRT)  # it tells where it stands
        assert self.process.stdout.readline() == "ready\n", "the server did not start"

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.kills += 1


@dataclass
class Played:
    """What was acknowledged at one table."""

    game: str
    id: str = ""
    moves: dict[int, str] = field(default_factory=dict)
    over: bool = False


@dataclass
class Rung:
    """A table where a clock is let run out."""

    id: str
    token: str
    rings: int = 0
    last: float = 0.0


@dataclass
class Run:
    """Everything that is played on one server, and what happens to that meanwhile."""

    client: httpx.AsyncClient
    tables: list[Played] = field(default_factory=list)
    clocks: list[Rung] = field(default_factory=list)
    rings: int = 0  # of tables that are over
    errors: int = 0
    enough: bool = False  # no new games are begun

    @property
    def acknowledged(self) -> int:
        return sum(len(played.moves) for played in self.tables)

    async def ask(self, method: str, path: str, token: str, body: Any = None) -> httpx.Response:
        """Ask until there is an answer; a server that is being killed gives none, one without database an error."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                answer = await self.client.request(method, path, json=body, headers=headers)
            except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ReadTimeout):
                await asyncio.sleep(0.05)
                continue
            if answer.status_code < 500:
                return answer
            self.errors += 1
            await asyncio.sleep(0.2)
        raise AssertionError(f"no answer to {method} {path} for {PATIENCE:.0f} seconds")

    async def person(self, name: str) -> str:
        return str((await self.ask("POST", "/people", "", {"name": name})).json()["token"])

    def begin(self, game: str) -> Played:
        return Played(game)

    async def play_on(self, number: int, game: str, most: int) -> None:
        """Game after game until it is enough, and the last to its end, or for so many moves."""
        chance = random.Random(number)
        tokens = [await self.person(name) for name in ("Anna", "Bruno")[: 1 + number % 2]]
        while True:
            played = self.begin(game)
            self.tables.append(played)
            await self.play(played, tokens, chance, most)
            if self.enough or not played.over:
                return

    async def play(self, played: Played, tokens: list[str], chance: random.Random, most: int) -> None:
        seats = ["me", "open" if len(tokens) == 2 else "random"]
        made = await self.ask("POST", "/tables", tokens[0], {"game": played.game, "seats": seats})
        played.id = made.json()["id"]
        if len(tokens) == 2:
            answer = await self.ask("POST", f"/tables/{played.id}/seat", tokens[1], {})
            assert answer.status_code == 200 or "taken" in answer.text or "already" in answer.text, answer.text
        while len(played.moves) < most:
            waiting = True
            for token in tokens:
                seen = (await self.ask("GET", f"/tables/{played.id}", token)).json()
                if seen["over"]:
                    played.over = True
                    return
                if not seen["moves"]:
                    continue
                waiting = False
                text, key = one_of(seen["moves"], chance), f"{seen['version']}-{chance.random()}"
                wanted = {"move": text, "version": seen["version"], "key": key}
                answer = await self.ask("POST", f"/tables/{played.id}/moves", token, wanted)
                if answer.status_code == 201:
                    acknowledged = answer.json()["number"]
                    assert acknowledged not in played.moves, "two moves have the same number"
                    played.moves[acknowledged] = text
                else:  # the computer, or the other program, was quicker with a move out of turn
                    assert answer.status_code in (409, 422), answer.text
            await asyncio.sleep(WAIT if waiting else 0)

    async def let_clocks_run_out(self) -> None:
        """Somebody who never moves: the clock rings, a computer moves for them, they come back, and so on."""
        token = await self.person("Carla")
        rung: Rung | None = None
        while True:
            if rung is None:
                wanted = {"game": "sequence", "seats": ["me", "random"], "move_seconds": MOVE_SECONDS}
                rung = Rung((await self.ask("POST", "/tables", token, wanted)).json()["id"], token)
                self.clocks.append(rung)
            seen = (await self.ask("GET", f"/tables/{rung.id}", token)).json()
            if seen["over"]:
                self.rings += rung.rings
                self.clocks.remove(rung)
                rung = None
            elif seen["seats"][0]["away"] == "time":
                rung.rings, rung.last = rung.rings + 1, time.monotonic()
                await self.ask("POST", f"/tables/{rung.id}/return", token)
            await asyncio.sleep(0.2)

    async def hear_all_clocks(self) -> None:
        """Each rings once more from now on."""
        since = time.monotonic()
        while silent := [rung.id for rung in self.clocks if rung.last < since]:
            assert time.monotonic() < since + RING_SECONDS, f"the clocks of {silent} do not ring"
            await asyncio.sleep(0.2)

    async def check(self, played: Played) -> int:
        """The table as the server has it now holds everything that was acknowledged, in order, once."""
        history = (await self.ask("GET", f"/tables/{played.id}/history", "")).json()["moves"]
        numbers = [move["number"] for move in history]
        assert numbers == sorted(set(numbers)), f"{played.id}: moves are there twice"
        there = {move["number"]: move["text"] for move in history}
        for number, text in played.moves.items():
            assert there.get(number) == text, f"{played.id}: move {number}, {text}, was acknowledged and is lost"
        log = (await self.ask("GET", f"/tables/{played.id}/log", "")).text
        if played.over:
            game = infila.load(log)
            assert game.over and list(game.history) == [move["text"] for move in history]
        return len(history)

    async def until_more(self, playing: list["asyncio.Task[None]"], moves: int) -> None:
        """Wait for so many more moves: however slow the machine is, every kill comes in the middle of play."""
        wanted = self.acknowledged + moves
        while self.acknowledged < wanted and any(not task.done() for task in playing):
            await asyncio.sleep(0.01)


def one_of(moves: list[str], chance: random.Random) -> str:
    """Any move; what is only moved from place to place leads nowhere, and is moved less often."""
    others = [move for move in moves if ">" not in move]
    return chance.choice(others if others and chance.random() < 0.9 else moves)


async def run(
    server: Server,
    games: int,
    kills: int,
    *,
    most: int = 10**6,
    only: str = "",
    clocks: int = 0,
    database: PostgreSQL | None = None,
    note: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """So many tables at a time and so many kills of the server, or restarts of the database if there is one."""
    chance = random.Random(games)
    server.start()
    base = f"http://{HOST}:{server.port}/api/v1"
    async with httpx.AsyncClient(base_url=base, timeout=30, limits=httpx.Limits(max_connections=100)) as client:
        going = Run(client)
        names = [only or NAMES[number // 2 % len(NAMES)] for number in range(games)]
        playing = [asyncio.create_task(going.play_on(i, name, most)) for i, name in enumerate(names)]
        ringing = [asyncio.create_task(going.let_clocks_run_out()) for _ in range(clocks)]
        done = 0
        while done < kills and any(not task.done() for task in playing):
            for task in [*playing, *ringing]:
                if task.done():
                    task.result()  # what has gone wrong is told at once
            await going.until_more(playing, chance.randrange(1, 100))
            await asyncio.sleep(chance.uniform(0.0, 0.05))
            if database is None:
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            else:
                await asyncio.to_thread(database.stop, at_once=chance.random() < 0.5)
                await asyncio.sleep(chance.choice([0.0, 0.5, 2.0]))
                await asyncio.to_thread(database.start)
            done += 1
            note(_told(server, going, done if database is not None else 0))
        going.enough = True
        await going.hear_all_clocks()
        await asyncio.gather(*playing)
        for task in ringing:
            task.cancel()
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        moves = sum([await going.check(played) for played in going.tables])
        restarts = done if database is not None else 0
        return _told(server, going, restarts) | {"moves": moves, "lost": 0, "doubled": 0, "silent_clocks": 0}


def _told(server: Server, going: Run, restarts: int) -> dict[str, Any]:
    return {
        "games": len(going.tables),
        "finished": sum(played.over for played in going.tables),
        "kills": server.kills,
        "restarts": restarts,
        "acknowledged": going.acknowledged,
        "clocks": len(going.clocks),
        "rings": going.rings + sum(rung.rings for rung in going.clocks),
        "errors": going.errors,
    }


@contextmanager
def served(postgresql: bool) -> Iterator[tuple[Server, PostgreSQL | None]]:
    """A server that is not started yet, and its PostgreSQL."""
    database = PostgreSQL() if postgresql else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if database is not None:
            database.start()
        server = Server(folder if database is None else database.url, folder)
        try:
            yield server, database
        finally:
            server.kill()
            if database is not None:
                database.remove()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=16, help="at the same time")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--clocks", type=int, default=4, help="tables where somebody lets the clock run out")
    parser.add_argument("--postgresql", action="store_true", help="in a PostgreSQL of its own")
    parser.add_argument("--restarts", type=int, default=0, help="restart PostgreSQL so often instead of killing")
    wanted = parser.parse_args()
    started = time.perf_counter()
    kind = "restarts of PostgreSQL" if wanted.restarts else "kills on PostgreSQL" if wanted.postgresql else "kills"

    def note(told: dict[str, Any]) -> None:
        told["seconds"] = round(time.perf_counter() - started)
        found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        RESULTS.write_text(json.dumps(found | {kind: told}, indent=1) + "\n")
        print(", ".join(f"{value} {name}" for name, value in told.items()), flush=True)

    with served(wanted.postgresql or wanted.restarts > 0) as (server, database):
        times = wanted.restarts or wanted.kills
        given = database if wanted.restarts else None
        note(asyncio.run(run(server, wanted.games, times, clocks=wanted.clocks, database=given, note=note)))


if __name__ == "__main__":
    main()
