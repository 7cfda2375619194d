"""Long games: whoever uploads one, watches one from its beginning or looks back holds nobody up."""

import asyncio
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import OperationalError

import infila
from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.server import chat, schema, store, tables
from infila.server.audience import MOST_REBUILT
from infila.server.creation import MOST_MOVES, NewTable
from infila.server.entries import fold
from infila.server.errors import Refused
from infila.server.index import entries_of
from infila.server.past import EVERY
from infila.server.tables import MOST_RECENT
from tests.server.desk import Desk, at_desk, open_desk, until

MOVES = 1000


@pytest.fixture(scope="module")
def long_log() -> str:
    """Take That, always the first move: a long game that goes on."""
    game = infila.new("take_that", players=2, seed=7, rounds=100)
    for _ in range(MOVES):
        game.play_action(game.actions()[0])
    return game.save()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The thread of every move that is played from now on."""
    threads: list[threading.Thread] = []
    play = Game.play_action

    def counted(game: Game, action: int) -> None:
        threads.append(threading.current_thread())
        play(game, action)

    monkeypatch.setattr(Game, "play_action", counted)
    return threads


async def first_of(desk: Desk, table: str, since: int | None) -> tuple[int, str, int]:
    """The number, the kind and the moves of the first event of a stream."""
    stream = desk.service.audience.subscribe(table, None, since=since)
    try:
        number, view = await anext(stream)
        return number, view.kind, len(view.history)
    finally:
        await stream.aclose()


def test_a_long_game_is_replayed_rarely_and_never_while_others_wait(
    tmp_path: Path, long_log: str, played: list[threading.Thread]
) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        table = (await desk.service.creation.upload(anna, long_log)).id
        live = desk.service.tables.in_memory[table]
        assert live.snapshot.game is not None and live.snapshot.game.save() == long_log
        assert len(live.snapshot.history) == MOVES and len(played) <= 2 * MOVES, "once to check it, once to write it"
        assert threading.main_thread() not in played

        played.clear()
        streams = [first_of(desk, table, since) for since in (0, 1, 10, 100, 0, 200, 300, 400, MOVES - 100, MOVES)]
        found = await asyncio.gather(*streams)
        assert set(found) == {(live.snapshot.number, "view", MOVES)} and not played

        await desk.service.audience.view_at(table, anna, MOVES - 7)
        assert len(played) == MOVES - 7
        for moves in (MOVES - 9, 3, 567, MOVES):
            played.clear()
            past = await desk.service.audience.view_at(table, anna, moves)
            assert past.snapshot.game is not None and len(past.snapshot.game.history) == moves
            assert len(played) <= EVERY, "who looks again goes on from a mark"
        played.clear()
        await desk.service.take_backs.ask(table, anna)
        assert len(live.snapshot.history) == MOVES - 1 and threading.main_thread() not in played
        assert len((await desk.service.audience.view_at(table, anna, MOVES - 1)).history) == MOVES - 1

    at_desk(tmp_path, scenario)


def test_a_history_keeps_no_copy_of_every_state(tmp_path: Path, long_log: str) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        await desk.service.creation.upload(anna, infila.new("take_that", seed=1).save())  # all that is made only once
        tracemalloc.start()
        try:
            table = (await desk.service.creation.upload(anna, long_log)).id
            kept, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert len(desk.service.tables.in_memory[table].snapshot.history) == MOVES
        assert kept < 1e6 and most < 5e6, f"{kept:,} bytes are kept, {most:,} were used"

    at_desk(tmp_path, scenario)


def test_who_was_cut_off_for_a_moment_misses_nothing_even_in_a_long_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infila.server.audience.MOST_REBUILT", 10)

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        await desk.play(table, anna, bruno, moves=MOST_RECENT + 4)
        now = desk.service.tables.in_memory[table].snapshot.number
        assert await first_of(desk, table, now - MOST_RECENT) == (now - MOST_RECENT + 1, "move", 5)
        assert await first_of(desk, table, now - MOST_RECENT - 1) == (now, "view", MOST_RECENT + 4)

    at_desk(tmp_path, scenario)
    assert MOST_REBUILT > 10


@pytest.mark.parametrize(
    ("game", "options"),
    [("take_that", {"rounds": 1_000_000}), ("completto", {"games": 1000}), ("take_that", {"rounds": 126})],
)
def test_a_game_without_an_end_in_sight_is_refused(tmp_path: Path, game: str, options: dict[str, Any]) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        with pytest.raises(Refused, match="at most 20000 moves"):
            await desk.service.creation.create(anna, NewTable(game, options))
        log = infila.new(game, seed=1, **options).save()
        with pytest.raises(Refused, match="at most 20000 moves"):
            await desk.service.creation.upload(anna, log)

    at_desk(tmp_path, scenario)


def test_more_moves_than_any_game_has_are_refused_before_one_is_played(
    tmp_path: Path, played: list[threading.Thread]
) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        log = infila.new("take_that", seed=1).save() + "1\n" * (MOST_MOVES + 1)
        with pytest.raises(Refused, match="at most 20000 moves"):
            await desk.service.creation.upload(anna, log)
        assert not played
        with pytest.raises(InfilaError, match="cannot be played here"):
            await desk.service.creation.upload(anna, infila.new("take_that", seed=1).save() + "1\n" * 10)

    at_desk(tmp_path, scenario)


def test_what_was_uploaded_reads_back_the_same(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        game = infila.new("take_that", players=2, seed=5)
        while len(game.history) < 30:
            game.play(game.moves[len(game.history) % len(game.moves)])
        table = (await desk.service.creation.upload(anna, game.save())).id
        live = desk.service.tables.in_memory[table].snapshot
        from infila.server.index import entries_of

        again = await desk.store.read(
            lambda connection: fold(live.header, entries_of(connection, table, desk.store.seal))
        )
        assert tuple(again.history) == tuple(live.history) and len(live.history) == 30
        assert again.game is not None and again.game.position == game.position
        assert [move.seat for move in live.history] == [move.seat for move in again.history]

    at_desk(tmp_path, scenario)


def test_what_can_be_done_without_end_has_one_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_ENTRIES", 20)

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        with pytest.raises(Refused, match="too much has happened"):
            for _ in range(20):
                await desk.service.seats.leave(table, anna)
                await desk.service.seats.come_back(table, anna)
        live = desk.service.tables.in_memory[table]
        assert live.snapshot.number <= 21
        with pytest.raises(Refused, match="too much has happened"):
            await desk.service.chat.say(table, bruno, "hello")
        await desk.service.people.rename(bruno, "B")
        assert live.snapshot.seats[1].name == "Bruno"

        async def hers() -> bool:
            return live.snapshot.player == 1

        await until(hers)
        await desk.play(table, bruno)
        await until(hers)
        desk.clock.now += 61
        await desk.service.moves.time_out(live)
        assert live.snapshot.seats[1].away == "time"

    at_desk(tmp_path, scenario)


def test_spectators_do_not_use_up_what_players_may_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MOST_MESSAGES", 3)

    async def scenario(desk: Desk) -> None:
        anna, bruno, mallory = await desk.people("Anna", "Bruno", "Mallory")
        table = await desk.table(anna, bruno)
        with pytest.raises(Refused, match="enough talk"):
            for _ in range(4):
                await desk.service.chat.say(table, mallory, "noise")
        await desk.service.chat.say(table, anna, "hello")

    at_desk(tmp_path, scenario)


def test_a_long_log_is_written_in_portions_between_which_others_write(
    tmp_path: Path, long_log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, together = store._write, list[int]()

    def counted(connection: Connection, jobs: list[store.Job], *lease: Any) -> None:
        together.append(sum(len(job.entries) for job in jobs))
        write(connection, jobs, *lease)

    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        monkeypatch.setattr(store, "_write", counted)
        table = (await desk.service.creation.upload(anna, long_log)).id
        assert sum(together) > MOVES and max(together) <= store.PORTION
        monkeypatch.setattr(store, "_write", write)
        assert await desk.store.read(lambda connection: len(entries_of(connection, table, desk.store.seal))) > MOVES

    at_desk(tmp_path, scenario)


def test_what_is_left_of_a_log_that_was_never_written_to_its_end_goes_with_the_next_start(
    tmp_path: Path, long_log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, portions = store._write, list[int]()

    def cut(connection: Connection, jobs: list[store.Job], *lease: Any) -> None:
        portions.append(sum(len(job.entries) for job in jobs))
        if len(portions) > 2:
            raise OperationalError("INSERT", None, Exception("the disk is full"))
        write(connection, jobs, *lease)

    def count(connection: Connection) -> int:
        return int(connection.scalar(select(func.count()).select_from(schema.entries)) or 0)

    async def scenario() -> None:
        async with open_desk(tmp_path) as desk:
            (anna,) = await desk.people("Anna")
            monkeypatch.setattr(store, "_write", cut)
            with pytest.raises(OperationalError):
                await desk.service.creation.upload(anna, long_log)
            monkeypatch.setattr(store, "_write", write)
            assert await desk.store.read(count) == sum(portions[:2])
            assert not await desk.service.lobby.my_tables(anna)
        async with open_desk(tmp_path) as desk:
            assert await desk.store.read(count) == 0
            await desk.service.creation.upload(anna, long_log)

    asyncio.run(scenario())


def test_long_games_that_nobody_looks_at_are_not_kept_in_memory(
    tmp_path: Path, long_log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_HELD", 2 * MOVES + 500)

    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = [(await desk.service.creation.upload(anna, long_log)).id for _ in range(4)]
        assert list(desk.service.tables.in_memory) == made[2:]
        assert len((await desk.service.audience.view(made[0], anna)).history) == MOVES
        assert list(desk.service.tables.in_memory) == [made[3], made[0]]

    at_desk(tmp_path, scenario)
