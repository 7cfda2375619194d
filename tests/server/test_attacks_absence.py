"""Nobody loses their seat, or their moves, because they are not looking."""

from pathlib import Path
from typing import Any

import pytest

from infila.server.errors import Forbidden, Refused
from infila.server.levels import ComputerLevel
from tests.server.desk import Desk, at_desk


async def absent(desk: Desk, table: str, *people: str) -> tuple[str, str, int]:
    """Who is on turn, who waits for them, and the seat."""
    person, seen = await desk.on_turn(table, *people)
    assert seen.seat is not None
    return person, next(other for other in people if other != person), seen.seat


@pytest.mark.parametrize("clock", [{"move_seconds": 259_200}, {"game_seconds": 604_800}, {"move_seconds": 300}])
def test_where_there_is_a_clock_it_decides(tmp_path: Path, clock: dict[str, Any]) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, **clock)
        _, waiting, seat = await absent(desk, table, anna, bruno)
        desk.clock.now += 290
        with pytest.raises(Refused, match="the clock decides here"):
            await desk.service.seats.replace_absent(table, waiting, seat)
        assert not (await desk.service.audience.view(table, None)).seats[seat].away

    at_desk(tmp_path, scenario)


def test_who_plays_without_a_stream_is_not_absent(tmp_path: Path) -> None:
    """They had a page once, closed it long ago, and play on by requests; the opponent thinks for minutes."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        stream = desk.service.audience.subscribe(table, bruno)
        await anext(stream)
        await stream.aclose()
        for _ in range(4):
            desk.clock.now += 50
            await desk.play(table, anna, bruno)
            for one, seat in ((anna, 1), (bruno, 0)):
                with pytest.raises(Refused, match="can be replaced after"):
                    await desk.service.seats.replace_absent(table, one, seat)
        playing, waiting, seat = await absent(desk, table, anna, bruno)
        desk.clock.now += 55
        await desk.service.audience.view(table, playing)
        desk.clock.now += 55
        with pytest.raises(Refused, match="can be replaced after"):
            await desk.service.seats.replace_absent(table, waiting, seat)
        with pytest.raises(Refused, match="can be replaced after"):  # for them nobody waits
            await desk.service.seats.replace_absent(table, playing, 1 - seat)

    at_desk(tmp_path, scenario)


def test_the_time_when_the_server_was_away_is_nobodys_absence(tmp_path: Path) -> None:
    kept: list[str] = []

    async def begin(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno")
        kept.extend([await desk.table(*people), *people])

    async def go_on(desk: Desk) -> None:
        desk.clock.now += 1000
        table, anna, bruno = kept
        seat = (await desk.service.audience.view(table, None)).snapshot.player or 0
        with pytest.raises(Refused, match="can be replaced after"):
            await desk.service.seats.replace_absent(table, (bruno, anna)[seat], seat)

    at_desk(tmp_path, begin)
    at_desk(tmp_path, go_on)


def test_a_replacement_is_told_plays_well_and_is_undone_by_returning(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, game="zatre")
        person, waiting, seat = await absent(desk, table, anna, bruno)
        desk.clock.now += 61
        for weak in (ComputerLevel.RANDOM, ComputerLevel.BEGINNER, ComputerLevel.CASUAL):
            with pytest.raises(Refused, match="one of club, expert, master"):
                await desk.service.seats.replace_absent(table, waiting, seat, weak)
        seen = await desk.service.seats.replace_absent(table, waiting, seat)
        (notice,) = seen.snapshot.notices
        assert (notice.what, notice.seat, notice.by) == ("replaced", seat, 1 - seat)
        seen = await desk.service.seats.come_back(table, person)
        assert [each.what for each in seen.snapshot.notices] == ["replaced", "back"]
        assert not seen.seats[seat].away

    at_desk(tmp_path, scenario)


def test_moves_of_somebody_absent_are_not_taken_back(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        await desk.play(table, anna, bruno, moves=6)
        person, waiting, seat = await absent(desk, table, anna, bruno)
        desk.clock.now += 61
        await desk.service.seats.replace_absent(table, waiting, seat)
        history = (await desk.service.audience.view(table, None)).history
        assert await desk.service.take_backs.how(table, waiting) == ""
        with pytest.raises(Refused, match="is away and cannot be asked"):
            await desk.service.take_backs.ask(table, waiting)
        with pytest.raises(Refused, match="Come back first"):
            await desk.service.take_backs.ask(table, person)
        assert (await desk.service.audience.view(table, None)).history[: len(history)] == history
        await desk.service.seats.come_back(table, person)
        seen = await desk.service.take_backs.ask(table, waiting)
        assert seen.request is not None or len(seen.history) < 6 + 1, "asked again, or nobody has learnt anything"
        if seen.request is not None:
            with pytest.raises(Forbidden):
                await desk.service.take_backs.answer(table, "nobody", True)
            seen = await desk.service.take_backs.answer(table, person, False)
            assert seen.request is None

    at_desk(tmp_path, scenario, pace=60.0)
