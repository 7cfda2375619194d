"""A level that does not exist comes in nowhere, and one that stands in an old log harms nobody."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, update

from infila.players import LEVELS
from infila.server import schema
from infila.server.creation import NewTable
from infila.server.index import row_of
from infila.server.levels import USUAL_LEVEL, ComputerLevel, stored_level
from infila.server.snapshot import COMPUTER, Entry, PlannedSeat
from infila.web.table_html import LEVEL_NAMES
from tests.server.asgi import Server, content, status
from tests.server.desk import Clock, Desk, at_desk, open_desk, until

NO_LEVELS = ["nonsense", "search:10000000", "expert:500", "Club", "", " ", "club left", "x" * 20_000, 3, None, ["club"]]


def test_the_levels_are_those_of_the_players_and_all_have_a_name() -> None:
    assert tuple(ComputerLevel) == (*LEVELS, "random")
    assert set(LEVEL_NAMES) == set(ComputerLevel) and list(LEVEL_NAMES)[1:] == list(LEVELS)
    assert [stored_level(text) for text in ("master", "nonsense", "")] == ["master", USUAL_LEVEL, USUAL_LEVEL]


async def welcome(server: Server, name: str) -> dict[str, str]:
    made = content(await server.ask("POST", "/api/v1/people", {}, {"name": name}))
    return {"authorization": f"Bearer {made['token']}"}


async def two_at_a_table(server: Server, anna: dict[str, str], bruno: dict[str, str]) -> str:
    wanted = {"game": "take_that", "options": {"players": 2}, "seats": ["me", "open"]}
    table: str = content(await server.ask("POST", "/api/v1/tables", anna, wanted))["id"]
    assert status(await server.ask("POST", f"/api/v1/tables/{table}/seat", bruno, {})) == 200
    return table


def test_no_way_in_takes_a_level_that_does_not_exist(tmp_path: Path) -> None:
    async def run() -> None:
        clock = Clock()
        async with Server(tmp_path, now=clock).running() as server:
            anna, bruno = await welcome(server, "Anna"), await welcome(server, "Bruno")
            playing = await two_at_a_table(server, anna, bruno)
            wanted: dict[str, Any] = {"game": "take_that", "options": {"players": 2}, "seats": ["me", "open"]}
            waiting = content(await server.ask("POST", "/api/v1/tables", anna, wanted))["id"]
            clock.now += 1000
            for level in NO_LEVELS:
                bodies = {
                    f"/api/v1/tables/{playing}/replace": {"seat": 2, "level": level},
                    f"/t/{playing}/replace": {"seat": 2, "level": level},
                    f"/api/v1/tables/{waiting}/fill": {"level": level},
                    f"/t/{waiting}/fill": {"level": level},
                    "/api/v1/tables": wanted | {"seats": ["me", level]},
                }
                for path, body in bodies.items():
                    answer = await server.ask("POST", path, anna, body)
                    assert status(answer) == 400, (path, level)
                    assert "level" in content(answer)["error"] or "seat" in content(answer)["error"]
                    assert len(answer) < 30_000, "a refusal does not repeat whatever was sent"
            answer = await server.ask("POST", f"/api/v1/tables/{playing}/replace", anna, {"seat": 2, "level": "genius"})
            levels = "beginner, casual, club, expert, master, random"
            assert content(answer)["error"] == f"there is no level 'genius'. There are {levels}."
            seats = content(await server.ask("GET", f"/api/v1/tables/{playing}", anna))["seats"]
            assert [seat["kind"] for seat in seats] == ["person", "person"] and not any(s["away"] for s in seats)

    asyncio.run(run())


def test_a_computer_that_plays_at_random_is_shown_like_any_other(tmp_path: Path) -> None:
    async def run() -> None:
        clock = Clock()
        async with Server(tmp_path, now=clock).running() as server:
            anna, bruno = await welcome(server, "Anna"), await welcome(server, "Bruno")
            wanted: dict[str, Any] = {"game": "take_that", "options": {"players": 3}}
            made = [
                content(await server.ask("POST", "/api/v1/tables", anna, wanted | {"seats": ["me", "random", other]}))
                for other in ("random", "open")
            ]
            stood_in = await two_at_a_table(server, anna, bruno)
            clock.now += 1000
            body = {"seat": 2, "level": "random"}
            answer = await server.ask("POST", f"/t/{stood_in}/replace", anna, body)
            assert status(answer) == 400 and "one of club, expert, master" in content(answer)["error"]
            for table in (made[0]["id"], made[1]["id"]):
                for language, words in {"en": "at random", "it": "a caso", "de": "zufällig"}.items():
                    headers = anna | {"accept-language": language}
                    page = await server.ask("GET", f"/t/{table}", headers)
                    assert status(page) == 200 and words in page.decode(), language
                    assert status(await server.ask("GET", f"/t/{table}/state", headers)) == 200

    asyncio.run(run())


@pytest.mark.parametrize("level", ["nonsense", "search:10000000", "two words", ""])
def test_an_old_log_that_names_no_level_is_played_on_by_the_usual_computer(tmp_path: Path, level: str) -> None:
    table = ""

    async def leave(desk: Desk) -> None:
        nonlocal table
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        snapshot = (await desk.service.audience.view(table, anna)).snapshot
        entries = [
            Entry(snapshot.number + 1 + seat, "away", seat, bruno, f"{level} replaced", None, desk.clock.now)
            for seat in range(2)
        ]
        due = update(schema.tables).values(due=desk.clock.now)
        await desk.store.write([row_of(table, entry) for entry in entries], [due])

    async def look(desk: Desk) -> None:
        async def over() -> bool:
            return (await desk.service.audience.view(table, None)).state == "over"

        await until(over)
        seen = await desk.service.audience.view(table, None)
        assert [(seat.level, seat.away) for seat in seen.seats] == [(USUAL_LEVEL, "replaced")] * 2

    at_desk(tmp_path, leave)
    at_desk(tmp_path, look)


def test_an_old_table_that_was_made_with_no_level_goes_on_and_has_a_rematch(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_desk(tmp_path) as desk:
            (anna,) = await desk.people("Anna")
            made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "club")))
            plan = (PlannedSeat(), PlannedSeat(COMPUTER, "nonsense"))
            header = msgspec.structs.replace(made.header, id="old", plan=plan)
            row: dict[str, Any] = {"id": "old", "header": msgspec.json.encode(header).decode(), "state": "playing"}
            row |= {"game": "take_that", "private": True, "created": 0.0}
            entries = [Entry(1, "sit", 0, anna, "Anna", None, 1.0), Entry(2, "begin", None, None, "", None, 1.0)]
            await desk.store.write([row_of("old", entry) for entry in entries], [insert(schema.tables).values(**row)])

            async def step() -> bool:
                seen = await desk.service.audience.view("old", anna)
                if seen.state == "playing" and seen.view is not None and seen.view.moves:
                    await desk.service.moves.play("old", anna, seen.view.moves[0], seen.version)
                return seen.state == "over"

            await until(step)
            again = await desk.service.rematches.ask("old", anna)
            assert again.seats[0].level is USUAL_LEVEL

    asyncio.run(asyncio.wait_for(run(), 60))
