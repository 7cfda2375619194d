"""The database goes away and comes back, the server stops and starts: nothing is lost, and every clock is right."""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from infila.server import store, tables
from infila.server.creation import NewTable
from infila.server.entries import fold
from infila.server.lease import Superseded
from infila.server.snapshot import Entry, Snapshot
from infila.server.store import Store
from infila.server.tables import LiveTable
from tests.server.asgi import Server, content, header, status
from tests.server.desk import PATIENCE, Clock, Desk, at_desk, open_desk, until


def gone() -> OperationalError:
    return OperationalError("COMMIT", None, Exception("the connection is lost"), connection_invalidated=True)


class Outage:
    """Switches the database off for whoever writes; what is committed before the connection is lost stays."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off, self.commits = False, False
        write = store._write

        def failing(connection: Connection, jobs: Sequence[Any], *lease: Any) -> None:
            if self.off and self.commits:
                write(connection, list(jobs), *lease)
            if self.off:
                connection.invalidate()
                raise gone()
            write(connection, list(jobs), *lease)

        monkeypatch.setattr(store, "_write", failing)


def log_of(desk: Desk, table: str) -> Callable[[Connection], Snapshot]:
    from infila.server.index import entries_of

    header = desk.service.tables.in_memory[table].snapshot.header
    return lambda connection: fold(header, entries_of(connection, table, desk.store.seal))


async def failing_move(desk: Desk, table: str, *people: str) -> None:
    person, seen = await desk.on_turn(table, *people)
    assert seen.view is not None
    with pytest.raises(OperationalError):
        await desk.service.moves.play(table, person, seen.view.moves[0], seen.version)


def test_what_is_read_late_does_not_replace_what_is_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        live = desk.service.tables.in_memory[table]
        outage = Outage(desk, monkeypatch)
        outage.off = True
        await failing_move(desk, table, anna, bruno)
        outage.off = False
        read, has_read, may_return = desk.store.read, asyncio.Event(), asyncio.Event()

        async def slowly(question: Callable[[Connection], Any]) -> Any:
            found = await read(question)
            has_read.set()
            await may_return.wait()
            return found

        monkeypatch.setattr(desk.store, "read", slowly)
        finding = asyncio.create_task(desk.service.tables.find(table))
        await has_read.wait()
        async with live.lock:
            view = live.snapshot.view(live.snapshot.player)
            assert view is not None
            await desk.service.tables.write(live, [tables.Draft("move", live.snapshot.player, None, view.moves[0])])
        newer = live.snapshot
        may_return.set()
        assert (await finding).snapshot.number == newer.number and live.snapshot.number == newer.number
        monkeypatch.undo()
        assert (await desk.store.read(log_of(desk, table))).number == newer.number

    at_desk(tmp_path, scenario)


def test_what_is_folded_late_does_not_replace_what_is_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two readers of a table in doubt: when the slower one is done, the table has gone on."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        live = desk.service.tables.in_memory[table]
        outage = Outage(desk, monkeypatch)
        outage.off = outage.commits = True
        await failing_move(desk, table, anna, bruno)
        outage.off = False
        gone_on, slow, is_slow = tables._gone_on, threading.Event(), threading.Event()

        def slowly(snapshot: Snapshot, entries: Sequence[Entry]) -> Snapshot:
            monkeypatch.setattr(tables, "_gone_on", gone_on)
            is_slow.set()
            assert slow.wait(PATIENCE)
            return gone_on(snapshot, entries)

        monkeypatch.setattr(tables, "_gone_on", slowly)
        late = asyncio.create_task(desk.service.tables._load(table))
        assert await asyncio.to_thread(is_slow.wait, PATIENCE)
        await desk.service.tables._load(table)
        await desk.play(table, anna, bruno)
        newer = live.snapshot
        slow.set()
        await late
        assert live.snapshot.number == newer.number

    at_desk(tmp_path, scenario)


@pytest.mark.parametrize("commits", [False, True])
def test_a_computer_goes_on_when_the_database_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commits: bool
) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(
            anna, NewTable("take_that", {"players": 2, "dealer": 1}, ("me", "beginner"))
        )
        live = desk.service.tables.in_memory[made.id]

        async def hers() -> bool:
            return live.snapshot.player == 0 and not live.stale

        await until(hers)
        outage = Outage(desk, monkeypatch)
        outage.commits = commits
        view = live.snapshot.view(0)
        assert view is not None
        outage.off = True
        version = live.snapshot.version
        with pytest.raises(OperationalError):
            await desk.service.moves.play(made.id, anna, view.moves[0], version)
        await asyncio.sleep(0.3)
        outage.off = False
        if not commits:
            await until(hers)
            await desk.service.moves.play(made.id, anna, view.moves[0], version)

        async def answered() -> bool:
            return len(live.snapshot.history) >= 2 and live.snapshot.player == 0 and not live.stale

        await until(answered)
        assert (await desk.store.read(log_of(desk, made.id))).number == live.snapshot.number

    at_desk(tmp_path, scenario)


def test_a_computer_that_could_not_write_its_move_makes_it_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        outage = Outage(desk, monkeypatch)
        made = await desk.service.creation.create(
            anna, NewTable("take_that", {"players": 2, "dealer": 1}, ("beginner", "me"))
        )
        outage.off = True
        await asyncio.sleep(0.4)
        outage.off = False
        live = desk.service.tables.in_memory[made.id]

        async def moved() -> bool:
            return live.snapshot.player == 1

        await until(moved)

    at_desk(tmp_path, scenario)


def test_a_clock_that_runs_out_meanwhile_rings_later_and_nobody_loses_that_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        live = desk.service.tables.in_memory[table]
        outage = Outage(desk, monkeypatch)
        desk.clock.now += 30
        outage.off = True
        await failing_move(desk, table, anna, bruno)
        desk.clock.now += 1000
        await desk.service.moves.time_out(live)
        assert not any(seat.away for seat in live.snapshot.seats)
        outage.off = False

        async def given_back() -> bool:
            with_time = live.snapshot.deadline
            return with_time is not None and with_time > desk.clock.now and not live.stale

        async def rung() -> bool:
            return any(seat.away == "time" for seat in live.snapshot.seats)

        await desk.service.chat.say(table, anna, "hello?")  # anything that is written shows that the database is back
        await until(given_back)
        assert live.snapshot.deadline is not None
        assert 30 <= live.snapshot.deadline - desk.clock.now <= 30 + store.CHECK_SECONDS
        desk.clock.now = live.snapshot.deadline + 1
        desk.service.tables._changed(live)
        await until(rung)

    at_desk(tmp_path, scenario)


def test_a_clock_that_could_not_ring_because_the_disk_was_full_rings_soon_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        live, write, failures = desk.service.tables.in_memory[table], store._write, 0

        def full(*asked: Any) -> None:
            nonlocal failures
            failures += 1
            if failures <= 6:
                raise OperationalError("INSERT", None, Exception("could not extend file"))
            write(*asked)

        monkeypatch.setattr(store, "_write", full)
        desk.clock.now += 61
        desk.service.tables._changed(live)

        async def rung() -> bool:
            return any(seat.away == "time" for seat in live.snapshot.seats)

        await until(rung)
        assert failures > 6

    at_desk(tmp_path, scenario)


async def a_timed_table(folder: Path, clock: Clock) -> tuple[str, float]:
    """A table with 60 seconds for a move, of which 20 are used when the server stops."""
    async with open_desk(folder, now=clock) as desk:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60, game_seconds=100)
        clock.now += 20
    return table, clock.now


@pytest.mark.parametrize("seconds", [1.0, 100_000.0])
def test_the_time_a_server_was_down_counts_on_no_clock(tmp_path: Path, seconds: float) -> None:
    async def scenario() -> None:
        clock = Clock()
        table, _ = await a_timed_table(tmp_path, clock)
        for left in (40, 35):
            clock.now += seconds
            async with open_desk(tmp_path, now=clock) as desk:
                live = await desk.service.tables.find(table)
                assert live.snapshot.deadline == pytest.approx(clock.now + left)
                await asyncio.sleep(0.05)
                assert not any(seat.away for seat in live.snapshot.seats)
                clock.now += 5
        async with open_desk(tmp_path, now=clock) as desk:
            live = await desk.service.tables.find(table)
            clock.now = (live.snapshot.deadline or 0.0) + 1
            await desk.service.moves.time_out(live)
            assert any(seat.away == "time" for seat in live.snapshot.seats)

    asyncio.run(scenario())


def test_a_move_right_after_the_start_is_charged_only_for_what_was_played(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = Clock()
        table, _ = await a_timed_table(tmp_path, clock)
        clock.now += 5000
        async with open_desk(tmp_path, now=clock) as desk:
            live = await desk.service.tables.find(table)
            player = live.snapshot.player
            assert player is not None
            person = live.snapshot.seats[player].person
            assert person is not None
            view = live.snapshot.view(player)
            assert view is not None
            number, _ = await desk.service.moves.play(table, person, view.moves[0], live.snapshot.version)
            assert live.snapshot.history[-1].number == number
            assert live.snapshot.clock.used[player] == pytest.approx(20)

    asyncio.run(scenario())


@pytest.mark.skipif("INFILA_TEST_DATABASE" in os.environ, reason="among several servers it is its lease: test_several")
def test_a_server_that_was_killed_loses_little_and_players_nothing(tmp_path: Path) -> None:
    """It could not say when it ended: what it noted last counts."""

    async def scenario() -> None:
        clock = Clock()
        table, _ = await a_timed_table(tmp_path, clock)
        async with open_desk(tmp_path, now=clock) as desk:
            await desk.service.tables.find(table)
            clock.now += 3
            await desk.service.tables._downtime.note()
            clock.now += 4

            async def nothing() -> None:
                """It is killed."""

            desk.service.tables._downtime.note = nothing  # type: ignore[method-assign]
        clock.now += 10_000
        async with open_desk(tmp_path, now=clock) as desk:
            live = await desk.service.tables.find(table)
            assert live.snapshot.deadline == pytest.approx(clock.now + 37)

    asyncio.run(scenario())


def test_an_old_database_says_nothing_of_the_end_and_gives_the_whole_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = Clock()
        table, _ = await a_timed_table(tmp_path, clock)
        async with open_desk(tmp_path, now=clock) as desk:
            from sqlalchemy import delete

            from infila.server import schema

            await desk.store.write(changes=[delete(schema.facts).where(schema.facts.c.name == "alive")])

            async def nothing() -> None:
                """It did not know of this."""

            desk.service.tables._downtime.note = nothing  # type: ignore[method-assign]
        clock.now += 777
        async with open_desk(tmp_path, now=clock) as desk:
            live: LiveTable = await desk.service.tables.find(table)
            assert live.snapshot.deadline == pytest.approx(clock.now + 60, abs=25)

    asyncio.run(scenario())


def test_writing_is_refused_once_another_server_has_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        told: list[bool] = []
        desk.store.on_loss(lambda: told.append(True))

        def superseded() -> Connection:
            raise Superseded

        monkeypatch.setattr(desk.store._own, "ready", superseded)
        person, seen = await desk.on_turn(table, anna, bruno)
        assert seen.view is not None
        for _ in range(2):
            with pytest.raises(Superseded):
                await desk.service.moves.play(table, person, seen.view.moves[0], seen.version)
        assert told == [True] and isinstance(desk.store, Store)

    at_desk(tmp_path, scenario)


def test_while_the_database_is_away_people_are_told_to_try_again_and_the_screen_is_not_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with Server(tmp_path).running() as server:
            anna = await server.program(await server.app.service.people.welcome("Anna"))
            wanted = {"game": "take_that", "seats": ["me", "me"]}
            assert status(await server.ask("POST", "/api/v1/tables", anna, wanted)) == 201

            def failing(*_: Any) -> None:
                raise gone()

            monkeypatch.setattr(store, "_write", failing)
            for _ in range(5):
                answer = await server.ask("POST", "/api/v1/tables", anna, wanted)
                assert status(answer) == 503 and header(answer, "retry-after") == "3"
                assert "cannot be reached" in content(answer)["error"]
            monkeypatch.undo()
            assert status(await server.ask("POST", "/api/v1/tables", anna, wanted)) == 201

    asyncio.run(run())
    said = [record for record in caplog.records if record.name == "infila" and "reached" in record.getMessage()]
    assert len(said) == 1 and not any(record.exc_info for record in caplog.records)
