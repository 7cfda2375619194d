"""Ending a game by agreement, and games that nobody has won: who is asked, what counts, what strangers try."""

import sqlite3
from pathlib import Path

import pytest

from infila.core.errors import IllegalMove
from infila.server.errors import Forbidden, Refused
from infila.server.pages.buttons import buttons_of, pending_of
from infila.server.pages.lists import line_of
from infila.server.settings import Settings
from infila.server.snapshot import OVER, PLAY_ON, Snapshot
from infila.server.store import Store
from infila.server.wire import table_json
from infila.web.languages import translator
from tests.server.desk import Desk, at_desk


def test_a_game_ends_when_all_agree_and_counts_for_nobody(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla, eve = await desk.people("Anna", "Bruno", "Carla", "Eve")
        table = await desk.table(anna, bruno, carla)
        await desk.play(table, anna, bruno, carla, moves=4)
        stops = desk.service.stops
        with pytest.raises(Refused, match="nobody offers to end the game"):
            await stops.answer(table, bruno, True)
        offered = await stops.offer(table, anna)
        assert offered.state == "playing" and offered.stop is not None and not offered.must_answer_stop
        told = table_json(await desk.service.audience.view(table, bruno))
        assert told.stop is not None and (told.stop.seat, told.stop.yes, told.stop.must_answer) == (1, [1], True)
        watching = table_json(await desk.service.audience.view(table, eve))
        assert watching.stop is not None and not watching.stop.must_answer
        for stranger in (stops.offer(table, eve), stops.answer(table, eve, True), stops.answer(table, eve, False)):
            with pytest.raises(Forbidden):
                await stranger
        assert (await stops.offer(table, anna)).number == offered.number, "twice is once"
        await desk.play(table, anna, bruno, carla)  # nobody is kept from playing
        assert (await stops.offer(table, bruno)).state == "playing", "who offers it too says yes; one is still missing"
        ended = await stops.answer(table, carla, True)
        assert ended.state == "over" and ended.snapshot.stopped and ended.snapshot.winners == [] and ended.seed
        assert table_json(ended).stopped and table_json(ended).stop is None
        for late in (
            stops.offer(table, anna),
            stops.answer(table, anna, False),
            desk.service.seats.resign(table, anna),
        ):
            with pytest.raises(Refused):
                await late
        assert await desk.service.lobby.results(anna, [table]) == {} and await desk.service.lobby.statistics(anna) == []
        tables = desk.service.tables
        assert tables.let_go(await tables.find(table))
        read = (await tables.find(table)).snapshot
        assert (read.stopped, read.over, read.number) == (True, True, ended.number), "the log tells it again"
        assert (await desk.service.rematches.ask(table, anna)).offer is not None

    at_desk(tmp_path, scenario)


def test_one_no_is_enough_and_is_not_asked_away(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        table = await desk.table(anna, bruno, carla)
        stops = desk.service.stops
        await stops.offer(table, anna)
        assert (await stops.answer(table, anna, False)).stop is None, "withdrawn"
        assert not (await desk.service.audience.view(table, None)).snapshot.notices
        await stops.offer(table, anna)
        await stops.answer(table, bruno, True)
        declined = await stops.answer(table, carla, False)
        assert declined.stop is None and declined.state == "playing"
        notice = declined.snapshot.notices[-1]
        assert (notice.what, notice.seat, notice.by) == (PLAY_ON, 0, 2)
        with pytest.raises(Refused, match="want to play on"):
            await stops.offer(table, anna)
        with pytest.raises(Refused, match="nobody offers"):
            await stops.answer(table, bruno, True)
        assert (await stops.offer(table, bruno)).stop is not None, "somebody else may ask"
        await stops.answer(table, bruno, False)
        await desk.play(table, anna, bruno, carla)
        assert (await stops.offer(table, anna)).stop is not None

    at_desk(tmp_path, scenario)


def test_nobody_runs_away_from_a_loss_while_another_is_away(tmp_path: Path) -> None:
    """Who was replaced against their will may be winning; who has left or resigned has lost, and is not asked."""

    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        stops, seats = desk.service.stops, desk.service.seats
        table = await desk.table(anna, bruno, carla)
        await stops.offer(table, anna)
        absent, _seen = await desk.on_turn(table, anna, bruno, carla)
        first, second = (person for person in (anna, bruno, carla) if person != absent)
        desk.clock.now += 61
        await seats.replace_absent(table, first, (anna, bruno, carla).index(absent))
        assert (await desk.service.audience.view(table, anna)).stop is None, "the offer is over"
        with pytest.raises(Refused, match="away and cannot be asked"):
            await stops.offer(table, first)
        with pytest.raises(Refused, match="a computer plays for you"):
            await stops.offer(table, absent)
        await seats.come_back(table, absent)
        await seats.leave(table, absent)
        await stops.offer(table, first)
        assert (await stops.answer(table, second, True)).state == "over"

    at_desk(tmp_path, scenario)


def test_all_are_asked_where_they_are(tmp_path: Path) -> None:
    _ = translator("en")

    async def paths(desk: Desk, table: str, person: str) -> list[str]:
        seen = await desk.service.audience.view(table, person)
        return [button["path"] for button in buttons_of(seen, _, "en", False) if "stop" in button["path"]]

    async def scenario(desk: Desk) -> None:
        anna, bruno, eve = await desk.people("Anna", "Bruno", "Eve")
        table = await desk.table(anna, bruno)
        assert await paths(desk, table, bruno) == ["/stop"] and await paths(desk, table, eve) == []
        await desk.service.stops.offer(table, anna)
        assert await paths(desk, table, anna) == ["/stop/answer"], "to withdraw it"
        assert await paths(desk, table, bruno) == ["/stop/answer"] * 2 and await paths(desk, table, eve) == []
        told = pending_of(await desk.service.audience.view(table, bruno), _)
        assert told[0].startswith("Anna offers to end the game.") and told[1] == "Anna offers to end."
        assert pending_of(await desk.service.audience.view(table, eve), _)[1] == ""
        lesson = await desk.service.lessons.learn(anna, "take_that")
        assert await paths(desk, lesson.id, anna) == []
        with pytest.raises(Refused, match="you can simply go"):
            await desk.service.stops.offer(lesson.id, anna)

    at_desk(tmp_path, scenario)


def test_with_computers_alone_the_game_ends_at_once(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        table = await desk.table(anna, anna)  # a screen that two people share
        ended = await desk.service.stops.offer(table, anna)
        assert ended.state == "over" and ended.snapshot.stopped and len(ended.history) == 0
        with pytest.raises(IllegalMove, match="the game is over"):
            await desk.service.moves.play(table, anna, "34", ended.version)

    at_desk(tmp_path, scenario)


def test_a_draw_is_neither_won_nor_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        table = await desk.table(anna, bruno, carla)
        await desk.service.seats.resign(table, carla)
        monkeypatch.setattr(Snapshot, "winners", [])
        await desk.service.seats.resign(table, bruno)
        for person, said in ((anna, "a draw"), (bruno, "you lost")):
            results = await desk.service.lobby.results(person, [table])
            (listed,) = await desk.service.lobby.my_tables(person, [OVER])
            line = line_of(listed, "en", results[table])
            assert (line["result"], line["won"]) == (said, False)

    at_desk(tmp_path, scenario)


def test_draws_are_found_among_older_results(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    Store(Settings(data=str(folder))).close()
    rows = [  # table, seat, game, players, score, won
        ("drawn", 0, "sequence", 2, 0, 0),
        ("drawn", 1, "sequence", 2, 0, 0),
        ("won", 0, "sequence", 2, 1, 1),
        ("won", 1, "sequence", 2, 0, 0),
        ("all away", 0, "sequence", 2, 1, 0),
        ("all away", 1, "sequence", 2, 0, 0),
        ("with a computer", 0, "sequence", 2, 0, 0),
        ("shared", 0, "take_that", 2, 5, 1),
        ("shared", 1, "take_that", 2, 5, 1),
    ]
    with sqlite3.connect(folder / "infila.db") as old:
        for change in ("results DROP COLUMN drawn", "tables DROP COLUMN owner"):
            old.execute(f"ALTER TABLE {change}")
        old.execute("DROP TABLE servers")
        old.execute("UPDATE alembic_version SET version_num = '0002'")
        old.executemany(
            'INSERT INTO results (table_id, seat, person, game, players, against, score, won, "at")'
            " VALUES (?, ?, 'p', ?, ?, 'people', ?, ?, 0)",
            rows,
        )
    old.close()
    Store(Settings(data=str(folder))).close()
    with sqlite3.connect(folder / "infila.db") as now:
        assert now.execute("SELECT DISTINCT table_id FROM results WHERE drawn").fetchall() == [("drawn",)]
    now.close()
