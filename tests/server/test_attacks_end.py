"""The end of a table for those who should not have a say in it: previews of links, ends asked for too early, answers to
an offer that was made to others."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from infila.core.games import NAMES, contract_of
from tests.server.asgi import Headers, Server, content, header, status

STRANGER: Headers = {}
EVIL = '"><script>x'


def at_server(folder: Path, scenario: Callable[[Server], Awaitable[None]]) -> None:
    async def run() -> None:
        async with Server(folder).running() as server:
            await scenario(server)

    asyncio.run(asyncio.wait_for(run(), 100))


async def seated(server: Server, *names: str) -> tuple[str, list[str], list[Headers]]:
    """A table that these people have taken, who they are, and what their programs send."""
    people = [await server.app.service.people.welcome(name) for name in names]
    programs = [await server.program(person) for person in people]
    body = {"game": "take_that", "options": {"players": len(names)}, "seats": ["me", *["open"] * (len(names) - 1)]}
    table = content(await server.ask("POST", "/api/v1/tables", programs[0], body))["id"]
    for program in programs[1:]:
        await server.ask("POST", f"/api/v1/tables/{table}/seat", program, {})
    return table, people, programs


def head(answer: bytes) -> str:
    """What a page tells of itself."""
    found = re.search(rb'<meta name="description".*?(?=<link)', answer, re.DOTALL)
    assert found, answer[:2000]
    return found[0].decode()


def test_a_preview_tells_everybody_the_same_and_nothing_of_a_hand(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        table, people, programs = await seated(server, EVIL, "Bruno")
        browsers = [STRANGER, *[await server.browser(person) for person in people]]
        told = {head(await server.ask("GET", f"/t/{table}", browser)) for browser in browsers}
        assert len(told) == 1 and "play. You can watch." in (playing := told.pop())
        assert "<script" not in playing and "&#34;&gt;&lt;script&gt;x" in playing
        await server.ask("POST", f"/api/v1/tables/{table}/resign", programs[1], {})
        told = {head(await server.ask("GET", f"/t/{table}", browser)) for browser in browsers}
        assert len(told) == 1 and " wins, " in told.pop()
        open_table = await server.ask("POST", "/api/v1/tables", programs[0], {"game": "zatre", "seats": ["me", "open"]})
        waiting = head(await server.ask("GET", f"/t/{content(open_table)['id']}", STRANGER))
        assert "seats free: 1" in waiting and 'og:image" content="http://infila.test/poster/zatre.png' in waiting

    at_server(tmp_path, scenario)


@pytest.mark.parametrize("game", NAMES)
def test_posters_are_small_files_of_their_games(tmp_path: Path, game: str) -> None:
    async def scenario(server: Server) -> None:
        answer = await server.ask("GET", f"/poster/{game}.png", STRANGER)
        drawn = contract_of(game).file("poster.png").read_bytes()
        assert status(answer) == 200 and "immutable" in header(answer, "cache-control") and answer.endswith(drawn)
        assert drawn[:8] == b"\x89PNG\r\n\x1a\n" and len(drawn) < 40_000
        assert [int.from_bytes(drawn[at : at + 4]) for at in (16, 20)] == [1200, 630]
        for wrong in ("chess.png", "..%2f..%2fpyproject.toml", "x" * 3000):
            assert status(await server.ask("GET", f"/poster/{wrong}", STRANGER)) in (404, 414)

    at_server(tmp_path, scenario)


def test_the_end_is_told_when_it_is_one(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        table, people, programs = await seated(server, "Anna", "Bruno")
        anna = await server.browser(people[0])
        for who in (anna, STRANGER):
            assert status(await server.ask("GET", f"/t/{table}/end", who)) == 400
        await server.ask("POST", f"/api/v1/tables/{table}/resign", programs[1], {})
        mine = content(await server.ask("GET", f"/t/{table}/end", anna))["end"]
        theirs = content(await server.ask("GET", f"/t/{table}/end", STRANGER))["end"]
        assert "<h1>you win</h1>" in mine and "<h1>Anna wins</h1>" in theirs
        assert status(await server.ask("GET", "/t/nowhere/end", STRANGER)) == 404

    at_server(tmp_path, scenario)


def test_only_who_sat_there_answers_an_offer(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        table, _people, programs = await seated(server, "Anna", "Bruno", "Carla")
        at = f"/api/v1/tables/{table}"
        eve = await server.program(await server.app.service.people.welcome("Eve"))
        assert status(await server.ask("POST", f"{at}/rematch", programs[0])) == 400, "before the end"
        for program in programs[1:]:
            await server.ask("POST", f"{at}/resign", program, {})
        offered = content(await server.ask("POST", f"{at}/rematch", programs[0]))
        assert offered["id"] == table and not offered["rematch"]
        assert (offered["offer"]["seat"], offered["offer"]["yes"], offered["offer"]["no"]) == (1, [1], [])
        for path, body in (
            ("rematch", None),
            ("rematch/answer", {"agreed": True}),
            ("rematch/answer", {"agreed": False}),
        ):
            assert status(await server.ask("POST", f"{at}/{path}", eve, body)) == 403
            assert status(await server.ask("POST", f"{at}/{path}", STRANGER, body)) == 401
        for wrong in ({}, {"agreed": "maybe"}, {"agreed": True, "seat": 1}, [True]):
            assert status(await server.ask("POST", f"{at}/rematch/answer", programs[1], wrong)) == 400
        for _ in range(3):
            told = content(await server.ask("POST", f"{at}/rematch/answer", programs[1], {"agreed": False}))
        assert told["offer"]["no"] == [2] and told["number"] == offered["number"] + 1, "said once"
        seen = content(await server.ask("GET", at, programs[2]))
        assert seen["offer"]["must_answer"] and not told["offer"]["must_answer"]
        begun = content(await server.ask("POST", f"{at}/rematch/answer", programs[2], {"agreed": True}))
        assert begun["id"] != table and [seat["kind"] for seat in begun["seats"]] == ["person", "person", "computer"]
        late = content(await server.ask("POST", f"{at}/rematch/answer", programs[1], {"agreed": True}))
        assert late["id"] == begun["id"] and late["mine"] == [], "who said no can watch"

    at_server(tmp_path, scenario)
