"""PostgreSQL restarts or cuts the connection: the lock is lost with it, and nothing is written without the lock."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy.exc import SQLAlchemyError

from bench.postgresql import PostgreSQL, programs
from infila.server.alone import Superseded
from infila.server.creation import NewTable
from infila.server.errors import CannotServe
from infila.server.settings import Settings
from infila.server.store import Store
from tests.server.database import data_for
from tests.server.desk import Desk, at_desk, until

pytestmark = pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed (Debian: postgresql)")


@pytest.fixture(scope="module")
def installed() -> Iterator[PostgreSQL]:
    server = PostgreSQL()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(autouse=True)
def postgresql(installed: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> PostgreSQL:
    monkeypatch.setenv("INFILA_TEST_DATABASE", installed.url)
    monkeypatch.setenv("XDG_DATA_HOME", "")  # what `data_for` sets is undone
    return installed


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


def test_a_cut_connection_is_made_anew_with_its_lock(tmp_path: Path, postgresql: PostgreSQL) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        for _ in range(3):
            await desk.play(table, anna, bruno, moves=2)
            postgresql.terminate(desk.store._own._process)
            before = len(desk.service.tables.in_memory[table].snapshot.history)

            async def can_play(before: int = before) -> bool:
                try:
                    return len((await desk.play(table, anna, bruno)).history) == before + 1
                except Exception:
                    return False

            await until(can_play)
            with pytest.raises(CannotServe, match="another infila uses"):
                Store(Settings(data=data_for(tmp_path)))

    at_desk(tmp_path, scenario)


def test_an_idle_server_notices_that_its_connection_is_gone(
    tmp_path: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infila.server.store.CHECK_SECONDS", 0.1)

    async def scenario(desk: Desk) -> None:
        process = desk.store._own._process
        postgresql.terminate(desk.store._own._process)

        async def anew() -> bool:
            return desk.store._own._process != process

        await until(anew)
        with pytest.raises(CannotServe, match="another infila uses"):
            Store(Settings(data=data_for(tmp_path)))

    at_desk(tmp_path, scenario)


def test_of_two_servers_only_the_one_with_the_lock_writes(
    tmp_path: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infila.server.store.CHECK_SECONDS", 1000.0)

    async def scenario(desk: Desk) -> None:
        lost: list[bool] = []
        desk.store.on_loss(lambda: lost.append(True))
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        postgresql.terminate(desk.store._own._process)
        second = Store(Settings(data=data_for(tmp_path)))
        person, seen = await desk.on_turn(table, anna, bruno)
        assert seen.view is not None
        for _ in range(3):
            with pytest.raises(Exception) as caught:  # the first finds the connection gone, the next the lock
                await desk.service.moves.play(table, person, seen.view.moves[0], seen.version)
        assert isinstance(caught.value, Superseded) and lost == [True]
        second.close()
        with pytest.raises(Superseded):  # the other may have played on: this server's tables are out of date for good
            await desk.service.moves.play(table, person, seen.view.moves[0], seen.version)

    at_desk(tmp_path, scenario)


def test_a_connection_that_is_dead_on_this_side_only_is_ended_on_the_other(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        own = desk.store._own._connection
        assert own.connection.dbapi_connection is not None
        ghost = own.connection.dbapi_connection
        own.connection.detach()
        own.invalidate()  # the session at the other end lives on, and holds the lock

        async def can_play() -> bool:
            try:
                return len((await desk.play(table, anna, bruno)).history) > 0
            except Exception:
                await asyncio.sleep(0.05)
                return False

        await until(can_play)
        ghost.close()

    at_desk(tmp_path, scenario)
