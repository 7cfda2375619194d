"""PostgreSQL restarts or cuts the connection: the lock is lost with it, and nothing is written without the lock.

Needs a PostgreSQL of one's own, named by INFILA_TEST_DATABASE.
"""

import asyncio
import os
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from infila.server.alone import Superseded
from infila.server.errors import CannotServe
from infila.server.settings import Settings
from infila.server.store import Store
from tests.server.database import data_for
from tests.server.desk import Desk, at_desk, until

pytestmark = pytest.mark.skipif(not os.environ.get("INFILA_TEST_DATABASE"), reason="INFILA_TEST_DATABASE names none")


def cut(store: Store) -> None:
    """End the connection over which a server writes, as a restart of PostgreSQL does."""
    other = create_engine(os.environ["INFILA_TEST_DATABASE"])
    with other.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:process)"), {"process": store._own._process})
    other.dispose()


def test_a_cut_connection_is_made_anew_with_its_lock(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        for _ in range(3):
            await desk.play(table, anna, bruno, moves=2)
            cut(desk.store)
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


def test_an_idle_server_notices_that_its_connection_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infila.server.store.CHECK_SECONDS", 0.1)

    async def scenario(desk: Desk) -> None:
        process = desk.store._own._process
        cut(desk.store)

        async def anew() -> bool:
            return desk.store._own._process != process

        await until(anew)
        with pytest.raises(CannotServe, match="another infila uses"):
            Store(Settings(data=data_for(tmp_path)))

    at_desk(tmp_path, scenario)


def test_of_two_servers_only_the_one_with_the_lock_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infila.server.store.CHECK_SECONDS", 1000.0)

    async def scenario(desk: Desk) -> None:
        lost: list[bool] = []
        desk.store.on_loss(lambda: lost.append(True))
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        cut(desk.store)
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
