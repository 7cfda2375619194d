"""Programs that play, talk and take back at several servers, and others who watch: each keeps all that it was told.

A program that gets no answer to a move, or an error, sends the same move with the same key again, as it should. What it
says, and what it takes back, it asks for once: that has no key, and what was done may have been done.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench.kill import WAIT, Played, Run, Server, one_of
from bench.server import HOST

BROKEN = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.TimeoutException)
TALK, REGRET = 0.04, 0.03  # how often a program says something, or takes its last move back
GOES_ON_WITHIN = 40.0  # seconds after which a table counts as stuck


@dataclass
class Sight:
    """What somebody saw of a table: which version, how many moves there were, the last of them, and the position."""

    token: str
    version: int
    played: int
    last: Any
    position: Any


@dataclass
class Seen:
    """All that was seen of a table."""

    sights: dict[tuple[str, int], Sight] = field(default_factory=dict)
    messages: dict[int, str] = field(default_factory=dict)  # by their number
    wrong: list[str] = field(default_factory=list)
    older: int = 0  # how often a stream that was opened again began with less than was seen

    def note(self, token: str, told: dict[str, Any]) -> None:
        if "room" in told:
            self.messages[told["number"]] = told["text"]
            return
        if told["position"] is None:  # before the deal
            return
        sight = Sight(token, told["version"], told["played"], told["last"], told["position"])
        before = self.sights.setdefault((token, sight.version), sight)
        if (before.last, before.position) != (sight.last, sight.position):
            self.wrong.append(f"two different tables of version {sight.version}")


@dataclass
class Asked(Played):
    """All that was asked for at a table, and what was answered."""

    programs: int = 0
    keys: dict[str, tuple[str, int | None]] = field(default_factory=dict)  # of moves; None: refused, or no answer
    unanswered: set[str] = field(default_factory=set)  # keys
    said: dict[str, int | None] = field(default_factory=dict)  # by their text, the numbers of what was heard
    taken_back: int = 0  # how often that was asked for
    numbers_back: list[int] = field(default_factory=list)  # of what that has led to, where it was answered


class Company(Run):
    def __init__(self, client: httpx.AsyncClient, servers: list[Server], chance: random.Random) -> None:
        super().__init__(client)
        self.servers, self.chance = servers, chance
        self.seen: dict[str, Seen] = {}
        self.events = 0
        self.stuck: set[str] = set()
        self.longest_silence = 0.0
        self._count = 0

    def _base(self) -> str:
        return f"http://{HOST}:{self.chance.choice(self.servers).port}/api/v1"

    async def ask(self, method: str, path: str, token: str, body: Any = None) -> httpx.Response:
        """Ask any server until one answers."""
        while True:
            answer = await self._once(method, path, token, body)
            if answer is None:
                await asyncio.sleep(0.05)
            else:
                return answer

    async def _once(self, method: str, path: str, token: str, body: Any = None) -> httpx.Response | None:
        """None: nobody knows whether it was done."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        try:
            answer = await self.client.request(method, self._base() + path, json=body, headers=headers)
        except BROKEN:
            return None
        if answer.status_code >= 500:
            self.errors += 1
            await asyncio.sleep(0.1)
            return None
        if method == "GET" and answer.status_code == 200 and path.count("/") == 2 and "?" not in path:
            self.seen.setdefault(path.split("/")[2], Seen()).note(token, answer.json())
        return answer

    def begin(self, game: str) -> Asked:
        return Asked(game)

    async def play(self, asked: Played, tokens: list[str], chance: random.Random, most: int) -> None:
        """One game."""
        assert isinstance(asked, Asked), "it was begun here"
        asked.programs = len(tokens)
        seats = ["me", "open" if len(tokens) == 2 else "random"]
        asked.id = (await self.ask("POST", "/tables", tokens[0], {"game": asked.game, "seats": seats})).json()["id"]
        if len(tokens) == 2:
            answer = await self.ask("POST", f"/tables/{asked.id}/seat", tokens[1], {})
            assert answer.status_code == 200 or "taken" in answer.text or "already" in answer.text, answer.text
        while len(asked.moves) < most:
            waiting = True
            for token in tokens:
                seen = (await self.ask("GET", f"/tables/{asked.id}", token)).json()
                if seen["over"]:
                    asked.over = True
                    return
                if seen["ask"] is not None and seen["ask"]["must_answer"]:
                    await self._once("POST", f"/tables/{asked.id}/take-back/answer", token, {"agreed": True})
                    continue
                if not seen["moves"]:
                    continue
                waiting = False
                await self._move(asked, token, seen, chance)
                if chance.random() < TALK:
                    await self._say(asked, token)
                if chance.random() < REGRET:
                    await self._take_back(asked, token)
            await asyncio.sleep(WAIT if waiting else 0)

    async def _move(self, asked: Asked, token: str, seen: dict[str, Any], chance: random.Random) -> None:
        self._count += 1
        text, key = one_of(seen["moves"], chance), f"move-{self._count}"
        asked.unanswered.add(key)
        asked.keys[key] = text, None
        wanted = {"move": text, "version": seen["version"], "key": key}
        answer = await self.ask("POST", f"/tables/{asked.id}/moves", token, wanted)
        asked.unanswered.discard(key)
        if answer.status_code == 201:
            number = answer.json()["number"]
            assert number not in asked.moves, "two moves have the same number"
            asked.keys[key], asked.moves[number] = (text, number), text
        else:  # the computer, or the other program, was quicker with a move out of turn
            assert answer.status_code in (409, 422), answer.text

    async def _say(self, asked: Asked, token: str) -> None:
        self._count += 1
        text = f"message {self._count}"
        asked.said[text] = None
        answer = await self._once("POST", f"/tables/{asked.id}/chat", token, {"text": text})
        if answer is not None and answer.status_code == 200:
            asked.said[text] = answer.json()["number"]

    async def _take_back(self, asked: Asked, token: str) -> None:
        asked.taken_back += 1
        answer = await self._once("POST", f"/tables/{asked.id}/take-back", token)
        if answer is not None and answer.status_code == 200:
            asked.numbers_back.append(answer.json()["number"])

    async def watch(self) -> None:
        """Somebody who looks on at one table after the other, by a stream that is opened again whenever it ends."""
        last, table = "", ""
        while True:
            if not table or self._is_over(table):
                going = [played.id for played in self.tables if played.id and not played.over]
                table, last = self.chance.choice(going) if going else "", ""
            if not table:
                await asyncio.sleep(0.1)
                continue
            headers = {"last-event-id": last} if last else {}
            seen = self.seen.setdefault(table, Seen())
            with suppress(*BROKEN):
                async with self.client.stream(
                    "GET", f"{self._base()}/tables/{table}/events", headers=headers, timeout=httpx.Timeout(30)
                ) as answer:
                    async for line in answer.aiter_lines() if answer.status_code == 200 else _nothing():
                        name, _, value = line.partition(": ")
                        if name == "id":
                            if int(value) < int(last or 0):
                                seen.older += 1
                            last = value
                        elif name == "data" and value.startswith("{"):
                            self.events += 1
                            told = json.loads(value)
                            seen.note("", told)
                            if told.get("over"):
                                break
            await asyncio.sleep(0.1)

    def _is_over(self, table: str) -> bool:
        return any(played.id == table and played.over for played in self.tables)

    async def goes_on(self, since: float) -> float:
        """Seconds from a fault until every table has made another move, or is over; those that do not are stuck, and
        nobody waits for them again."""
        counts = {id(played): len(played.moves) for played in self.tables if not played.over}
        for played in list(self.tables):
            while not played.over and len(played.moves) <= counts.get(id(played), -1):
                if played.id in self.stuck:
                    break
                if time.monotonic() > since + GOES_ON_WITHIN:
                    self.stuck.add(played.id)
                await asyncio.sleep(0.02)
        return time.monotonic() - since

    async def to_the_end(self, playing: "list[asyncio.Task[None]]") -> None:
        """All games, unless nothing happens at them any more."""
        self.enough = True
        before, since = -1, time.monotonic()
        while any(not task.done() for task in playing):
            if self.acknowledged > before:
                before, since = self.acknowledged, time.monotonic()
            if time.monotonic() > since + GOES_ON_WITHIN:
                self.stuck |= {played.id for played in self.tables if not played.over}
                return
            await asyncio.sleep(0.1)

    async def time_clocks(self) -> None:
        """How long a clock that is let run out was silent at the longest."""
        known: dict[str, float] = {}
        while True:
            now = time.monotonic()
            for rung in self.clocks:
                last = max(rung.last, known.setdefault(rung.id, now))
                self.longest_silence = max(self.longest_silence, now - last)
            await asyncio.sleep(0.5)

    async def silent_clocks(self, seconds: float) -> int:
        """How many do not ring within so many seconds from now."""
        since = time.monotonic()
        while silent := sum(rung.last < since for rung in self.clocks):
            if time.monotonic() > since + seconds:
                return silent
            await asyncio.sleep(0.2)
        return 0


async def _nothing() -> AsyncIterator[str]:
    return
    yield
