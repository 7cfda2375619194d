"""What somebody does with a site, or with a server that is theirs alone, and what it answers: every byte of it."""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from typing import Any
from urllib.parse import urlencode

from infila.core.game import new
from infila.core.games import NAMES

Ask = Callable[[str, str, dict[str, str], dict[str, str], str], Awaitable[tuple[int, dict[str, str], bytes]]]
FORM = {"content-type": "application/x-www-form-urlencoded"}
REVIEWED = 6  # moves of a game
MOST = 60  # requests of a game after which it is given up
QUICK = 16  # simulations of a review
NOW = 1_000_000_000.0


def numbered(kind: str) -> Callable[..., str]:
    """Ids and seeds that are the same each time."""
    numbers: Iterator[int] = count(1)
    return lambda *_: hashlib.sha256(f"{kind} {next(numbers)}".encode()).hexdigest()[: 64 if kind == "seed" else 12]


async def transcript(ask: Ask) -> list[list[Any]]:
    """Pages, a game of each with hints, wrong clicks, and its end, a lesson, a game of two at a screen, one against
    three computers with a move taken back, a review, puzzles."""
    lines: list[list[Any]] = []
    cookies = {"language": "en"}

    async def look(method: str, address: str, body: str = "", form: bool = False) -> tuple[dict[str, str], bytes]:
        sent = FORM if form else {"content-type": "application/json"}
        status, headers, content = await ask(method, address, sent | {"accept": "text/html"}, dict(cookies), body)
        lines.append([method, address, status, headers.get("location", ""), content.decode()])
        return headers, content

    async def state(at: str) -> Any:
        for _ in range(3000):
            found = json.loads((await ask("GET", f"{at}/state", {}, dict(cookies), ""))[2])
            if found["moves"] or found["over"]:
                return found
            await asyncio.sleep(0.01)
        raise AssertionError("nobody moves")

    for language in ("it", "de", "en"):
        cookies["language"] = language
        for page in ("/", "/new?game=sequence&players=12", "/rules/take_that", "/sheet/zatre", "/nothing", "/t/none"):
            await look("GET", page)
    for game in NAMES:
        cookies["level"] = "club"
        headers, _page = await look("POST", f"/play/{game}", form=True)
        at = headers["location"]
        for turn in range(MOST):
            now = await state(at)
            lines.append(["state", at, now])
            if now["over"]:
                break
            if turn in (2, 9):
                await look("POST", f"{at}/hint", "{}")
                await look("POST", f"{at}/why", json.dumps({"parts": ["cell-a1", "x"]}))
                await look("POST", f"{at}/moves", json.dumps({"move": "nonsense", "version": now["version"]}))
            move = now["moves"][(7 * turn + 3) % len(now["moves"])]["t"]
            await look("POST", f"{at}/moves", json.dumps({"move": move, "version": now["version"]}))
        await state(at)  # nobody is about to move
        for page in (at, f"{at}?at=3", f"{at}/log"):
            await look("GET", page)
        await look("POST", f"{at}/resign", "{}")
        await look("GET", at)
    headers, _page = await look("POST", "/learn/completto", form=True)
    await look("GET", headers["location"])
    await look("POST", "/new", "game=take_that&players=2&seat-1=me&seat-2=me&name-2=Bruno&name=Anna", form=True)
    seats = {"seat-1": "me", "seat-2": "beginner", "seat-3": "casual", "seat-4": "expert"}
    headers, _page = await look("POST", "/new", urlencode({"game": "take_that", "players": 4} | seats), form=True)
    at = headers["location"]
    for turn in range(5):
        now = await state(at)
        lines.append(["state", at, now])
        if turn == 3:
            await look("POST", f"{at}/take-back", "{}")
            continue
        move = now["moves"][(5 * turn) % len(now["moves"])]["t"]
        await look("POST", f"{at}/moves", json.dumps({"move": move, "version": now["version"]}))
    await state(at)
    await look("GET", at)
    headers, _page = await look("POST", "/upload", urlencode({"log": brought(), "then": "review"}), form=True)
    at = headers["location"]
    for _ in range(3000):
        if json.loads((await ask("GET", f"{at}/state", {}, dict(cookies), ""))[2])["sought"]:
            break
        await asyncio.sleep(0.01)
    for page in (at, f"{at}?seat=2&at=3", f"{at}/board?at=2&seat=1"):
        await look("GET", page)
    for world in ("same", "other"):
        await look("POST", at.replace("review", "try"), f"at=2&seat=1&world={world}", form=True)
    await look("GET", "/puzzles")
    for game in NAMES:
        at = f"/puzzles/{game}/1"
        await look("GET", at)
        now = await state(at)
        for move in (now["moves"][0]["t"], "nonsense"):
            await look("POST", f"{at}/moves", json.dumps({"move": move, "version": 0}))
        await look("POST", f"{at}/solution", "{}")
    return lines


def brought() -> str:
    """A log from elsewhere: a game that was not finished."""
    game = new("take_that", 2, "a log")
    for turn in range(REVIEWED):
        game.play(game.moves[(5 * turn) % len(game.moves)])
    return game.save()


def steady(content: bytes) -> bytes:
    """Without what a site has no use for: the edition of files, in their addresses."""
    return re.sub(rb"\?[0-9a-f]{10}\b", b"", content)
