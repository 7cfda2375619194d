"""Games of days take nobody's room, and their clocks ring all the same."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from infila.server.computers import Computers
from infila.server.tables import SOON_SECONDS, LiveTable, Tables
from tests.server.desk import Clock, Desk, at_desk, open_desk, until

DAYS = 3 * 86400


def out_of_time(desk: Desk, table: str) -> bool:
    live = desk.service.tables.in_memory.get(table)
    return live is not None and any(seat.away == "time" for seat in live.snapshot.seats)


def test_a_server_full_of_long_games_has_room_and_every_clock_rings(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        made = [await desk.table(anna, bruno, move_seconds=DAYS) for _ in range(6)]
        assert len(desk.service.tables.in_memory) <= 3, "nobody looks, and nothing is to be done soon"
        assert set(desk.computers._timers) == set(made)
        first = made[0]
        assert first not in desk.service.tables.in_memory
        desk.clock.now += DAYS + 1
        desk.computers._timers[first].cancel()
        desk.computers._ring(first)

        async def rung() -> bool:
            return out_of_time(desk, first)

        await until(rung)

    at_desk(tmp_path, scenario, tables_in_memory=3)


def test_what_is_due_soon_is_kept(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=DAYS)
        live = desk.service.tables.in_memory[table]
        desk.clock.now += DAYS - SOON_SECONDS + 1
        assert not desk.service.tables.let_go(live)
        desk.clock.now -= 2
        assert desk.service.tables.let_go(live)

    at_desk(tmp_path, scenario)


def test_while_the_clock_of_a_table_runs_that_was_let_go_the_server_notes_that_it_is_there(tmp_path: Path) -> None:
    """Otherwise a restart would give its players the time back in which the server was there."""

    async def scenario() -> None:
        clock = Clock()
        async with open_desk(tmp_path, now=clock) as desk:
            anna, bruno = await desk.people("Anna", "Bruno")
            table = await desk.table(anna, bruno, move_seconds=DAYS)
            live = desk.service.tables.in_memory[table]
            deadline = live.snapshot.deadline
            clock.now += 1000
            assert desk.service.tables.let_go(live)
            assert desk.service.tables.clocks_run
        clock.now += 10
        async with open_desk(tmp_path, now=clock) as desk:
            live = await desk.service.tables.find(table)
            assert deadline is not None and live.snapshot.deadline == pytest.approx(deadline + 10)

    asyncio.run(scenario())


def test_a_table_that_cannot_be_read_at_the_start_is_taken_up_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = Tables.find

    async def fail(self: Tables, table: str) -> LiveTable:
        raise OSError("the disk cannot be read")

    async def scenario() -> None:
        clock = Clock()
        async with open_desk(tmp_path, now=clock) as desk:
            anna, bruno = await desk.people("Anna", "Bruno")
            table = await desk.table(anna, bruno, move_seconds=60)
        monkeypatch.setattr(Tables, "find", fail)
        ring: list[Any] = []
        monkeypatch.setattr(Computers, "_ring", lambda _, table: ring.append(table))
        async with open_desk(tmp_path, now=clock) as desk:
            assert list(desk.computers._timers) == [table]
            monkeypatch.undo()
            clock.now += 61
            desk.computers._ring(table)

            async def rung() -> bool:
                return out_of_time(desk, table)

            await until(rung)

    asyncio.run(scenario())
    assert Tables.find is find
