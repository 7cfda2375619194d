"""No table, and nobody who asks for hints, keeps others' computers from thinking; what fails is not tried for ever."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from infila.core.game import View
from infila.players.player import Player, player
from infila.server import computers, schema
from infila.server.creation import NewTable
from infila.server.levels import ComputerLevel
from infila.server.thinking import PATIENCE as PASSED_OVER
from infila.server.thinking import Leave, Line, Rank, Thinkers, Unwanted
from infila.server.whence import Whence
from tests.server.asgi import Server, content, status
from tests.server.desk import PATIENCE, Desk, at_desk, until

ENDLESS = "search:10000000"


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masters who think for ever."""
    monkeypatch.setattr(
        computers, "_player", lambda game, level: player(game, ENDLESS if level == "master" else str(level))
    )


class Failing(Player):
    def think(self, view: View, **_: Any) -> Any:
        raise KeyError("this level has a mistake in it")


def failing(levels: set[str], tried: list[str]) -> Callable[[str, str], Player]:
    def make(game: str, level: str) -> Player:
        tried.append(level)
        if level in levels:
            return Failing(player(game, "random").contract, level, None, plain=False, seed=0)
        return player(game, level)

    return make


async def levels_in_the_log(desk: Desk, table: str) -> list[str]:
    c = schema.entries.c
    query = select(c.text).where(c.table_id == table, c.kind == "level")
    return await desk.store.read(lambda connection: list(connection.scalars(query)))


@pytest.mark.parametrize(
    ("broken", "working"),
    [({"master"}, "club"), ({"master", "club"}, "random"), ({"master", "club", "random"}, "random")],
)
def test_a_computer_that_fails_is_noted_once_and_replaced_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: set[str], working: str
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(computers, "_player", failing(broken, tried))
    computers._note.cache_clear()

    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, ("master", "master")))

        async def over() -> bool:
            return (await desk.service.audience.view(made.id, None)).state == "over"

        await until(over)
        seen = await desk.service.audience.view(made.id, None)
        assert [seat.level for seat in seen.seats] == [working] * 2
        assert await levels_in_the_log(desk, made.id) == [working] * 2
        assert tried.count("master") == 2, "once for each seat, and never again"

    with caplog.at_level(logging.WARNING, "infila"):
        at_desk(tmp_path, scenario)
    noted = [record.getMessage() for record in caplog.records]
    assert len(noted) == len(broken) and all("failed" in each for each in noted)


def test_what_cannot_be_written_is_not_tried_in_a_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    paused: list[float] = []

    async def scenario(desk: Desk) -> None:
        async def refuse(*_: Any) -> None:
            raise OSError("the disk is full")

        async def pause(self: computers.Computers, table: str, seconds: float) -> None:
            paused.append(seconds)
            if len(paused) == 9:
                monkeypatch.setattr(desk.service.moves, "play_for_computer", playing)

        playing = desk.service.moves.play_for_computer
        monkeypatch.setattr(desk.service.moves, "play_for_computer", refuse)
        monkeypatch.setattr(computers.Computers, "_pause", pause)
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, ("club", "club")))

        async def over() -> bool:
            return (await desk.service.audience.view(made.id, None)).state == "over"

        await until(over)
        assert paused == [1, 2, 4, 8, 16, 32, 60, 60, 60]

    with caplog.at_level(logging.WARNING, "infila"):
        at_desk(tmp_path, scenario)
    assert len(caplog.records) == 1


def thinking() -> int:
    return sum(thread.name.startswith("infila-think") for thread in threading.enumerate())


@pytest.mark.usefixtures("endless")
def test_thinking_has_a_ceiling_in_time(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, ("master", "master")))

        async def moved() -> bool:
            return len((await desk.service.audience.view(made.id, None)).history) >= 2

        await until(moved)

    at_desk(tmp_path, scenario, think_seconds=0.1, thinkers=1)


@pytest.mark.usefixtures("endless")
def test_thoughts_end_with_the_server(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        for seats, dealer in ((("master", "master"), 1), (("me", "master"), 1), (("master", "me"), 2)):
            await desk.service.creation.create(anna, NewTable("take_that", {"players": 2, "dealer": dealer}, seats))

        async def both() -> bool:
            return thinking() >= 2

        await until(both)

    at_desk(tmp_path, scenario, think_seconds=1e6, thinkers=2)
    end = time.monotonic() + PATIENCE
    while thinking():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.usefixtures("endless")
def test_a_thought_ends_once_nobody_wants_it(tmp_path: Path) -> None:
    """A person who comes back, or takes back, does not wait for what the computer thinks of, and frees its place."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, options={"dealer": 2})
        await desk.service.seats.leave(table, anna, level=ComputerLevel.MASTER)
        await asyncio.sleep(0.1)
        await desk.service.seats.come_back(table, anna)
        await desk.play(table, anna)
        wanted = NewTable("take_that", {"players": 2, "dealer": 2}, ("me", "master"))
        alone = await desk.service.creation.create(anna, wanted)
        await desk.play(alone.id, anna)
        await asyncio.sleep(0.1)
        assert not (await desk.service.take_backs.ask(alone.id, anna)).history
        club = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, ("club", "club")))

        async def over() -> bool:
            return (await desk.service.audience.view(club.id, None)).state == "over"

        await until(over)

    at_desk(tmp_path, scenario, think_seconds=1e6, thinkers=1)


@pytest.mark.usefixtures("endless")
def test_computers_among_themselves_give_way_to_those_that_somebody_waits_for(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, mallory = await desk.people("Anna", "Mallory")
        for _ in range(10):
            await desk.service.creation.create(mallory, NewTable("sequence", {"players": 12}, ("master",) * 12))
        await asyncio.sleep(0.2)
        made = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, ("me", "club")))

        async def step() -> bool:
            seen = await desk.service.audience.view(made.id, anna)
            if seen.state == "playing" and seen.view is not None and seen.view.moves:
                await desk.service.moves.play(made.id, anna, seen.view.moves[0], seen.version)
            return seen.state == "over"

        await until(step)

    at_desk(tmp_path, scenario, think_seconds=1e6, thinkers=1)


def test_everybody_who_pays_has_their_turn() -> None:
    line, thinkers = Line(), Thinkers(1, 1.0)

    def leave(*payer: str) -> Leave:
        made = thinkers.leave(Rank.AWAITED, payer)
        line.add(made, payer)
        return made

    flood = [leave("afar", f"name {i % 3}") for i in range(9)]
    honest = leave("home", "Anna")
    assert len(line) == 10
    assert line.take() is flood[0] and line.take() is honest, "many tables, and many names, are one place"
    assert [line.take() for _ in range(3)] == [flood[1], flood[2], flood[3]], "and there every name has its turn"
    line.remove(flood[4], ("afar", "name 1"))
    line.remove(flood[4], ("afar", "name 1"))
    assert [line.take() for _ in range(len(line))] == [flood[7], flood[5], flood[6], flood[8]] and not line


def test_a_line_is_served_now_and_then_however_many_are_before_it() -> None:
    began: list[Rank] = []

    async def run() -> None:
        thinkers = Thinkers(1, 60.0)

        def ask(rank: Rank) -> "asyncio.Task[None]":
            return asyncio.create_task(thinkers.think(thinkers.leave(rank, (rank.name,)), lambda _: began.append(rank)))

        gate = threading.Event()
        first = asyncio.create_task(thinkers.think(thinkers.leave(Rank.AWAITED, ()), lambda _: gate.wait()))
        await asyncio.sleep(0)
        asked = [ask(Rank.UNWATCHED) for _ in range(2)] + [ask(Rank.HINT)] + [ask(Rank.AWAITED) for _ in range(30)]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *asked)
        thinkers.stop()

    asyncio.run(run())
    assert began[0] is Rank.AWAITED and sorted(began[: PASSED_OVER + 3])[-2:] == [Rank.HINT, Rank.UNWATCHED]
    assert began.count(Rank.AWAITED) == 30


def test_a_thought_gives_way_in_the_middle_and_goes_on_after() -> None:
    async def run() -> None:
        thinkers = Thinkers(1, 60.0)
        told: list[str] = []

        def long(leave: Leave) -> str:
            while "short" not in told:
                assert not leave.is_set()
            told.append("long")
            return "done"

        def short(_: Leave) -> None:
            told.append("short")

        going = asyncio.create_task(thinkers.think(thinkers.leave(Rank.UNWATCHED, ()), long))
        await asyncio.sleep(0.01)
        await thinkers.think(thinkers.leave(Rank.AWAITED, ()), short)
        assert await going == "done" and told == ["short", "long"]
        thinkers.stop()

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_thought_that_gave_way_can_be_called_off() -> None:
    async def run() -> None:
        thinkers = Thinkers(1, 60.0)
        gate = threading.Event()

        def long(leave: Leave) -> None:
            while not leave.is_set():
                time.sleep(0.001)

        leave = thinkers.leave(Rank.UNWATCHED, ())
        going = asyncio.create_task(thinkers.think(leave, long))
        await asyncio.sleep(0.01)
        urgent = asyncio.create_task(thinkers.think(thinkers.leave(Rank.AWAITED, ()), lambda _: gate.wait()))
        await asyncio.sleep(0.15)
        thinkers.call_off(leave)
        with pytest.raises(Unwanted):
            await going
        gate.set()
        assert await urgent
        assert await thinkers.think(thinkers.leave(Rank.HINT, ()), lambda _: 5) == 5, "its place is not lost"
        thinkers.stop()
        with pytest.raises(Unwanted):
            await thinkers.think(thinkers.leave(Rank.HINT, ()), lambda _: 5)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_whence_people_come_is_known_from_what_they_did_last() -> None:
    whence = Whence()
    whence.note("anna", "192.0.2.1")
    whence.note("anna", "192.0.2.2")
    assert (whence.of("anna"), whence.of("bruno")) == ("192.0.2.2", "bruno")


@pytest.mark.usefixtures("endless")
def test_hints_wait_in_a_line_that_ends_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "MOST_HINTS", 2)

    async def run() -> None:
        async with Server(tmp_path, think_seconds=1e6, thinkers=1).running() as server:
            tables = []
            for name in ("Anna", "Bruno", "Carla", "Dora"):
                who = {
                    "authorization": "Bearer "
                    + content(await server.ask("POST", "/api/v1/people", {}, {"name": name}))["token"]
                }
                wanted = {"game": "take_that", "options": {"players": 2}, "seats": ["me", "me"]}
                made = content(await server.ask("POST", "/api/v1/tables", who, wanted))
                tables.append((made, who))

            def ask(i: int) -> "asyncio.Task[bytes]":
                made, who = tables[i]
                return asyncio.create_task(
                    server.ask("POST", f"/t/{made['id']}/hint?eyes={made['player'] - 1}", who, {})
                )

            waiting = []
            for i in range(3):  # one thinks, two wait
                waiting.append(ask(i))
                while not thinking() or server.app.computers.thinkers.waiting(Rank.HINT) < i:
                    await asyncio.sleep(0.01)
            again, fourth = await ask(0), await ask(3)
            assert status(again) == 429 and "your last question" in content(again)["error"]
            assert status(fourth) == 503 and "too much to think about" in content(fourth)["error"]
            assert b"retry-after: 5" in again and b"retry-after: 5" in fourth
            made, who = tables[0]
            seat = content(await server.ask("GET", f"/api/v1/tables/{made['id']}", who))["player"]
            seen = content(await server.ask("GET", f"/api/v1/tables/{made['id']}?seat={seat}", who))
            move = {"move": seen["moves"][0], "version": seen["version"], "seat": seat}
            assert status(await server.ask("POST", f"/api/v1/tables/{made['id']}/moves", who, move)) == 201
            assert status(await waiting[0]) == 409, "the table has moved on: nobody wants that hint any more"
            server.app.computers.give_up()
            assert [status(await each) for each in waiting[1:]] == [503, 503]

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_hint_that_fails_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "_player", failing({"master"}, []))

    async def run() -> None:
        async with Server(tmp_path).running() as server:
            who = {
                "authorization": "Bearer "
                + content(await server.ask("POST", "/api/v1/people", {}, {"name": "Anna"}))["token"]
            }
            wanted = {"game": "take_that", "options": {"players": 2}, "seats": ["me", "me"]}
            made = content(await server.ask("POST", "/api/v1/tables", who, wanted))
            answer = await server.ask("POST", f"/t/{made['id']}/hint?eyes={made['player'] - 1}", who, {})
            assert status(answer) == 400 and content(answer)["error"] == "the computer has no advice here."

    asyncio.run(run())


def test_a_clock_that_rings_while_a_computer_acts_waits_for_it(tmp_path: Path) -> None:
    """Who comes back without any time left: the clock rings before the computer that thought for them has ended."""

    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        options = {"players": 2, "dealer": 2}
        wanted = NewTable("take_that", options, ("me", "random"), move_seconds=60)
        table = (await desk.service.creation.create(anna, wanted)).id
        live = desk.service.tables.in_memory[table]

        async def hers() -> bool:
            return live.snapshot.player == 0 and table not in desk.computers._acting

        await until(hers)
        ended = asyncio.Event()

        async def act() -> None:
            await ended.wait()

        desk.computers._take_up(table, act())
        acting = desk.computers._acting[table]
        desk.clock.now += 100
        desk.computers._ring(table)
        assert desk.computers._acting[table] is acting, "one at a time acts at a table"
        ended.set()

        async def rung() -> bool:
            return live.snapshot.seats[0].away == "time"

        await until(rung)

    at_desk(tmp_path, scenario)
