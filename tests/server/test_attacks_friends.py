"""Hints and names, asked for by whoever has no right to them, in every way that HTTP offers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from infila.server.computers import Computers
from tests.server.asgi import Headers, Server, content, header, status

FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html"}


async def two_at_a_table(server: Server, **wanted: Any) -> tuple[str, list[str], list[Headers]]:
    people = [await server.app.service.people.welcome(name) for name in ("Anna", "Bruno", "Eve")]
    browsers = [await server.browser(person) for person in people]
    body = {"game": "take_that", "seats": ["me", "open"], "options": {"players": 2}, **wanted}
    table = content(await server.ask("POST", "/api/v1/tables", await server.program(people[0]), body))["id"]
    assert status(await server.ask("POST", f"/t/{table}/seat", browsers[1], {})) == 200
    return table, people, browsers


def test_no_hint_is_had_in_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at a table without, not by whoever is not on turn or watches, and none that the others have not heard of,
    though ten are asked for at once and the table moves on meanwhile."""
    thought: list[str] = []
    real = Computers.hint

    async def noted(self: Computers, table: str, *rest: Any) -> Any:
        thought.append(table)
        return await real(self, table, *rest)

    monkeypatch.setattr(Computers, "hint", noted)

    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            without, _people, browsers = await two_at_a_table(server)
            for browser in browsers:
                answer = await server.ask("POST", f"/t/{without}/hint", browser, {})
                assert status(answer) in (400, 403) and not thought
            live = server.app.service.tables.in_memory[without]
            on_turn = browsers[live.snapshot.player or 0]
            assert b"made without" in await server.ask("POST", f"/t/{without}/hint", on_turn, {})
            assert content(await server.ask("GET", f"/t/{without}/state", on_turn))["hints"] is False
            assert not live.snapshot.notices

            table, people, browsers = await two_at_a_table(server, hints=True)
            live = server.app.service.tables.in_memory[table]
            player = live.snapshot.player or 0
            for browser in (browsers[1 - player], browsers[2], {}):
                assert status(await server.ask("POST", f"/t/{table}/hint", browser, {})) in (400, 401)
            assert not live.snapshot.notices
            asked = [server.ask("POST", f"/t/{table}/hint", browsers[player], {}) for _ in range(10)]
            answers = [status(answer) for answer in await asyncio.gather(*asked)]
            assert 200 in answers and set(answers) <= {200, 429}, "one at a time"
            assert [notice.what for notice in live.snapshot.notices] == ["hint"]
            told = content(await server.ask("GET", f"/t/{table}/state", {}))["fragments"]["log"]
            assert f"{('Anna', 'Bruno')[player]} took a hint." in told, "a spectator reads it too"
            history = content(await server.ask("GET", f"/api/v1/tables/{table}/history", {}))
            assert [(notice["what"], notice["seat"]) for notice in history["notices"]] == [("hint", player + 1)]

            async def moved_on(self: Computers, *_: Any) -> Any:
                seen = await server.app.service.audience.view(table, people[player])
                assert seen.view is not None
                await server.app.service.moves.play(table, people[player], seen.view.moves[0], seen.version)

            monkeypatch.setattr(Computers, "hint", moved_on)
            answer = await server.ask("POST", f"/t/{table}/hint", browsers[player], {})
            assert status(answer) == 409 and b"html" not in answer.partition(b"\n\n")[2]
            assert len(live.snapshot.notices) == 1

    asyncio.run(scenario())


def test_names_are_ones_own_business(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            table, people, browsers = await two_at_a_table(server)
            eve = browsers[2]
            live = server.app.service.tables.in_memory[table]

            def names() -> list[str]:
                return [seat.name for seat in live.snapshot.seats]

            for seat in (1, 2, 3, 0, -1, 10**30, "x", None):
                for browser in (eve, browsers[1]) if seat != 2 and seat is not None else (eve,):
                    answer = await server.ask("POST", f"/t/{table}/name", browser, {"name": "Mallory", "seat": seat})
                    assert status(answer) in (400, 403, 404), (seat, answer)
                sent = f"name=Mallory&seat={seat}".encode()
                assert status(await server.ask("POST", f"/t/{table}/names", eve | FORM, sent)) in (400, 403, 404)
            assert status(await server.ask("GET", f"/t/{table}/names", eve)) == 403
            assert names() == ["Anna", "Bruno"]
            program = await server.program(people[0])
            for name in ("", " ", "x" * 31, "\u202e\u200b", "|", "\x00"):
                for path, who in ((f"/t/{table}", browsers[0]), (f"/api/v1/tables/{table}", program)):
                    assert status(await server.ask("POST", f"{path}/name", who, {"name": name})) == 400, repr(name)
            answer = await server.ask("POST", f"/t/{table}/name", browsers[0], {"name": "<b>&'\"A"})
            assert status(answer) == 200 and names()[0] == "<b>&'\"A"
            page = await server.ask("GET", f"/t/{table}", FORM)
            assert b"<b>&'" not in page and b"&lt;b&gt;&amp;" in page

            foreign = FORM | {"origin": "http://evil.example"}
            assert status(await server.ask("POST", f"/t/{table}/come", eve | foreign, b"name=Mallory")) == 403
            assert status(await server.ask("POST", f"/t/{table}/come", foreign, b"name=Mallory")) == 403
            assert status(await server.ask("POST", "/t/nowhere/come", eve | FORM, b"name=Eva")) == 404
            assert await server.app.service.people.name_of(people[2]) == "Eve"
            answer = await server.ask("POST", f"/t/{table}/come", eve | FORM, b"name=Eva")
            assert (status(answer), header(answer, "location")) == (303, f"/t/{table}")
            assert await server.app.service.people.name_of(people[2]) == "Eva"

    asyncio.run(scenario())


def test_only_the_host_puts_a_computer_into_a_free_seat(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            body = {"seats": ["me", "open", "open"], "options": {"players": 3}}
            table, _people, browsers = await two_at_a_table(server, **body)
            live = server.app.service.tables.in_memory[table]
            for browser, seat, refused in (
                (1, 3, 403),
                (2, 3, 403),
                (0, 2, 400),
                (0, 1, 400),
                (0, 4, 404),
                (0, 0, 400),
            ):
                answer = await server.ask("POST", f"/t/{table}/fill", browsers[browser], {"seat": seat})
                assert status(answer) == refused, (browser, seat, answer)
            assert live.snapshot.state == "waiting"
            assert status(await server.ask("POST", f"/t/{table}/fill", browsers[0], {"seat": 3})) == 200
            assert live.snapshot.state == "playing"

    asyncio.run(scenario())
