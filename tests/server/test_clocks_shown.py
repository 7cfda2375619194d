"""What a page is told of time: seconds that are left now, whoever looks and whatever was down meanwhile."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from infila.server.pages.chronicle import Chronicle
from infila.server.pages.table_facts import facts_of
from infila.web import table_html
from tests.server.desk import Clock, Desk, at_desk, open_desk


async def state(desk: Desk, table: str, person: str | None) -> dict[str, Any]:
    """The page's state, as this person gets it."""
    seen = await desk.service.audience.view(table, person)
    moment = await desk.service.audience.moment(seen)
    return table_html.state(await facts_of(seen, moment, Chronicle(), "en", False), "en")


async def out_of_time(desk: Desk, **clock: Any) -> tuple[str, str, str]:
    """A table where somebody's time is up; who that is, and the other."""
    anna, bruno = await desk.people("Anna", "Bruno")
    table = await desk.table(anna, bruno, **clock)
    late, _ = await desk.on_turn(table, anna, bruno)
    desk.clock.now += 1000
    await desk.service.moves.time_out(await desk.service.tables.find(table))
    return table, late, bruno if late == anna else anna


def test_both_clocks_count_for_whoever_is_on_turn(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60, game_seconds=600)
        mover, seen = await desk.on_turn(table, anna, bruno)
        on = seen.snapshot.player
        desk.clock.now += 12.34
        for person in (anna, bruno, None):
            told = (await state(desk, table, person))["clock"]
            assert told["on"] == on and told["whole"] == {"game": 600, "move": 60}
            assert told["seats"][on] == {"game": 587.7, "move": 47.7}
            assert told["seats"][1 - (on or 0)] == {"game": 600.0, "move": 60.0}
            assert ("warn" in told["say"]) == (person == mover) and len(told["say"]["short"]) <= 30
        assert "take your seat again" in (await state(desk, table, mover))["clock"]["say"]["then"]
        await desk.play(table, anna, bruno)
        desk.clock.now += 1e6  # nobody has looked after it yet: it shows nothing below nothing
        assert min((await state(desk, table, None))["clock"]["seats"], key=str)["game"] >= 0.0

    at_desk(tmp_path, scenario)


@pytest.mark.parametrize("returns", [True, False])
def test_whose_time_is_up_reads_why_and_how_to_come_back(tmp_path: Path, returns: bool) -> None:
    async def scenario(desk: Desk) -> None:
        table, late, other = await out_of_time(desk, **({"move_seconds": 60} if returns else {"game_seconds": 60}))
        own, seen = await state(desk, table, late), await state(desk, table, other)
        back = [button for button in own["buttons"] if button["path"] == "/return"]
        assert (
            bool(back) == returns == ("/return" in own["fragments"]["note"]) == ("/return" in own["fragments"]["seats"])
        )
        assert ("used up" in own["fragments"]["note"]) != returns
        assert not own["yours"] and not own["moves"], "the computer moves there"
        assert seen["fragments"]["note"] == "" and "has no time left, the computer plays on" in seen["notice"][1]
        assert own["notice"] == (seen["notice"][0], "") and "no time left" in seen["fragments"]["seats"]
        assert (await state(desk, table, None))["fragments"]["note"] == ""
        if returns:
            await desk.service.seats.come_back(table, late)
            assert (await state(desk, table, late))["fragments"]["note"] == ""

    at_desk(tmp_path, scenario, pace=60.0)


def test_a_server_that_was_down_takes_no_time_from_the_page(tmp_path: Path) -> None:
    async def run() -> None:
        clock = Clock()
        async with open_desk(tmp_path, now=clock) as desk:
            anna, bruno = await desk.people("Anna", "Bruno")
            table = await desk.table(anna, bruno, move_seconds=60)
            clock.now += 20
        clock.now += 5000
        async with open_desk(tmp_path, now=clock) as desk:
            told = (await state(desk, table, None))["clock"]
            assert told["seats"][told["on"]]["move"] == pytest.approx(40, abs=5.1)

    asyncio.run(run())


def test_who_is_away_and_since_when(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        table = await desk.table(anna, bruno, carla)
        for person in (anna, bruno, carla):
            await desk.service.audience.view(table, person)
        mover, _ = await desk.on_turn(table, anna, bruno, carla)
        desk.clock.now += 130
        viewer = next(person for person in (anna, bruno, carla) if person != mover)
        told = await state(desk, table, viewer)
        assert sorted(told["away"]) == [0, 130, 130]
        assert told["fragments"]["seats"].count(" gone") == 1 and told["fragments"]["seats"].count(" away") == 1
        assert told["clock"] is None

    at_desk(tmp_path, scenario)
