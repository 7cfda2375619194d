"""PostgreSQL restarts or cuts the connection: what was acknowledged is there, and the server goes on by itself."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import SQLAlchemyError

from bench.postgresql import PostgreSQL
from infila.server.creation import NewTable
from tests.server.desk import Desk, at_desk, until
from tests.server.postgres import installed, needed, postgresql

__all__ = ["installed", "postgresql"]
pytestmark = needed


def process_of(desk: Desk) -> int:
    """PostgreSQL's, at the other end of the connection over which is written."""
    driver: Any = desk.store._own._connection.connection.dbapi_connection
    return int(driver.info.backend_pid)


def test_postgresql_restarts_during_play(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """What was acknowledged is there, what was not can be played again, computers go on and clocks ring."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        wanted = NewTable("take_that", {"players": 2}, ("beginner", "beginner"))
        alone = await desk.service.creation.create(anna, wanted)
        live = desk.service.tables.in_memory[table]
        for at_once in (False, True):
            await desk.play(table, anna, bruno)
            acknowledged = [move.text for move in live.snapshot.history]
            await asyncio.to_thread(postgresql.stop, at_once=at_once)
            with pytest.raises(SQLAlchemyError):
                await desk.play(table, anna, bruno)
            await asyncio.to_thread(postgresql.start)

            async def goes_on() -> bool:
                with suppress(SQLAlchemyError):
                    await desk.play(table, anna, bruno)
                    return True
                return False

            await until(goes_on)
            assert [move.text for move in live.snapshot.history][:-1] == acknowledged

        async def over() -> bool:
            return (await desk.service.audience.view(alone.id, None)).state == "over"

        await until(over)
        assert live.snapshot.deadline is not None
        desk.clock.now = live.snapshot.deadline + 1
        await desk.service.moves.time_out(live)
        assert any(seat.away == "time" for seat in live.snapshot.seats)

    at_desk(tmp_path, scenario)


def test_a_cut_connection_is_made_anew(tmp_path: Path, postgresql: PostgreSQL) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        for _ in range(3):
            await desk.play(table, anna, bruno, moves=2)
            postgresql.terminate(process_of(desk))
            before = len(desk.service.tables.in_memory[table].snapshot.history)

            async def can_play(before: int = before) -> bool:
                try:
                    return len((await desk.play(table, anna, bruno)).history) == before + 1
                except Exception:
                    return False

            await until(can_play)

    at_desk(tmp_path, scenario)


def test_an_idle_server_notices_that_its_connection_is_gone(
    tmp_path: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infila.server.store.CHECK_SECONDS", 0.1)

    async def scenario(desk: Desk) -> None:
        process = process_of(desk)
        postgresql.terminate(process)

        async def anew() -> bool:
            connection = desk.store._own._connection
            return not connection.closed and not connection.invalidated and process_of(desk) != process

        await until(anew)

    at_desk(tmp_path, scenario)


def test_a_connection_that_is_dead_on_this_side_only_keeps_nobody_from_writing(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        own = desk.store._own._connection
        assert own.connection.dbapi_connection is not None
        ghost = own.connection.dbapi_connection
        own.connection.detach()
        own.invalidate()  # the session at the other end lives on

        async def can_play() -> bool:
            try:
                return len((await desk.play(table, anna, bruno)).history) > 0
            except Exception:
                await asyncio.sleep(0.05)
                return False

        await until(can_play)
        ghost.close()

    at_desk(tmp_path, scenario)
