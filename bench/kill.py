"""Kill -9 at random moments: every acknowledged move is there afterwards, none twice, and the tables go on.

    python -m bench.kill --games 50

Half of the tables have two programs, the others one program and the computer. A program that gets no answer sends the
same move with the same key again, as it should.
"""

import argparse
import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

import httpx

import infila
from bench.server import HOST, free_port
from infila.core.games import NAMES

WAIT = 0.02  # seconds until a program looks again whether it is its turn


class Server:
    """A server that can be killed, and comes back where it was."""

    def __init__(self, folder: str) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[str] | None = None
        self.kills = 0

    def start(self) -> None:
        command = [sys.executable, "-m", "bench.server", "--serve", str(self.port), self.folder]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
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
    repeated: int = 0


async def ask(client: httpx.AsyncClient, method: str, path: str, token: str, body: Any = None) -> httpx.Response:
    """Ask until there is an answer; a server that is being killed gives none."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    while True:
        try:
            return await client.request(method, path, json=body, headers=headers)
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ReadTimeout):
            await asyncio.sleep(0.05)


async def play(client: httpx.AsyncClient, number: int, played: Played, most: int) -> None:
    """One table from its beginning to its end, or for so many moves."""
    chance = random.Random(number)
    tokens = []
    for name in ("Anna", "Bruno")[: 1 + number % 2]:
        tokens.append((await ask(client, "POST", "/people", "", {"name": name})).json()["token"])
    seats = ["me", "open" if len(tokens) == 2 else "random"]
    made = await ask(client, "POST", "/tables", tokens[0], {"game": played.game, "seats": seats})
    played.id = made.json()["id"]
    if len(tokens) == 2:
        answer = await ask(client, "POST", f"/tables/{played.id}/seat", tokens[1], {})
        assert answer.status_code == 200 or "taken" in answer.text, answer.text
    while len(played.moves) < most:
        waiting = True
        for token in tokens:
            seen = (await ask(client, "GET", f"/tables/{played.id}", token)).json()
            if seen["over"]:
                played.over = True
                return
            if not seen["moves"]:
                continue
            waiting = False
            text, key = one_of(seen["moves"], chance), f"{seen['version']}-{chance.random()}"
            wanted = {"move": text, "version": seen["version"], "key": key}
            answer = await ask(client, "POST", f"/tables/{played.id}/moves", token, wanted)
            if answer.status_code == 201:
                acknowledged = answer.json()["number"]
                assert acknowledged not in played.moves, "two moves have the same number"
                played.moves[acknowledged] = text
            else:  # the computer, or the other program, was quicker with a move out of turn
                assert answer.status_code in (409, 422), answer.text
        await asyncio.sleep(WAIT if waiting else 0)


def one_of(moves: list[str], chance: random.Random) -> str:
    """Any move; what is only moved from place to place leads nowhere, and is moved less often."""
    others = [move for move in moves if ">" not in move]
    return chance.choice(others if others and chance.random() < 0.9 else moves)


async def check(client: httpx.AsyncClient, played: Played) -> int:
    """The table as the server has it now holds everything that was acknowledged, in order, once."""
    history = (await ask(client, "GET", f"/tables/{played.id}/history", "")).json()["moves"]
    numbers = [move["number"] for move in history]
    assert numbers == sorted(set(numbers)), f"{played.id}: moves are there twice"
    there = {move["number"]: move["text"] for move in history}
    for number, text in played.moves.items():
        assert there.get(number) == text, f"{played.id}: move {number}, {text}, was acknowledged and is lost"
    log = (await ask(client, "GET", f"/tables/{played.id}/log", "")).text
    if played.over:
        game = infila.load(log)
        assert game.over and list(game.history) == [move["text"] for move in history]
    return len(history)


async def until_more(tables: list[Played], playing: list[asyncio.Task[None]], moves: int) -> None:
    """Wait for so many more moves: however slow the machine is, every kill comes in the middle of play."""
    wanted = sum(len(played.moves) for played in tables) + moves
    while sum(len(played.moves) for played in tables) < wanted and any(not task.done() for task in playing):
        await asyncio.sleep(0.01)


async def run(server: Server, games: int, kills: int, *, most: int = 10**6, only: str = "") -> dict[str, Any]:
    chance = random.Random(games)
    server.start()
    tables = [Played(only or NAMES[number // 2 % len(NAMES)]) for number in range(games)]
    base = f"http://{HOST}:{server.port}/api/v1"
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=base, timeout=30, limits=limits) as client:
        playing = [asyncio.create_task(play(client, i, played, most)) for i, played in enumerate(tables)]
        while any(not task.done() for task in playing) and (server.kills < kills or kills == 0):
            await until_more(tables, playing, chance.randrange(1, 100))
            await asyncio.sleep(chance.uniform(0.0, 0.05))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        await asyncio.gather(*playing)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        moves = sum([await check(client, played) for played in tables])
    return {
        "games": games,
        "finished": sum(played.over for played in tables),
        "kills": server.kills,
        "acknowledged": sum(len(played.moves) for played in tables),
        "moves": moves,
        "lost": 0,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=40)
    wanted = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(folder)
        try:
            result = asyncio.run(run(server, wanted.games, wanted.kills))
        finally:
            server.kill()
    print(json.dumps(result | {"seconds": round(time.perf_counter() - started)}, indent=2))


if __name__ == "__main__":
    main()
