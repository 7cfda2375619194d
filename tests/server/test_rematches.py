"""Playing again: who asks, who answers, and who sits in the next game."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from infila.server.creation import NewTable
from infila.server.errors import Forbidden, Refused, Unknown
from infila.server.identity import id_after
from infila.server.snapshot import OFFER_SECONDS
from infila.server.table_view import TableView
from tests.server.desk import Clock, Desk, at_desk, until


async def ended(desk: Desk, *people: str, **wanted: Any) -> str:
    """A table whose game is over: all but the first have resigned."""
    table = await desk.table(*people, **wanted)
    for person in people[1:]:
        await desk.service.seats.resign(table, person)
    assert (await desk.service.audience.view(table, None)).state == "over"
    return table


def sitters(seen: TableView) -> list[str]:
    return [seat.name for seat in seen.seats]


def test_the_next_game_begins_when_all_have_said_yes(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla, eve = await desk.people("Anna", "Bruno", "Carla", "Eve")
        table = await ended(desk, anna, bruno, carla)
        again = desk.service.rematches
        with pytest.raises(Refused, match="nobody asks for another game"):
            await again.answer(table, bruno, True)
        asked = await again.ask(table, anna)
        assert asked.id == table and asked.offer is not None and asked.offer.agreed == {anna}
        for stranger in (again.ask(table, eve), again.answer(table, eve, True)):
            with pytest.raises(Forbidden):
                await stranger
        number = asked.number
        assert (await again.ask(table, anna)).number == number, "twice is once"
        assert (await again.answer(table, bruno, False)).offer is not None, "all see the answer, and wait for the third"
        assert (await again.ask(table, bruno)).offer is not None, "who asks while somebody else does says yes"
        begun = await again.answer(table, carla, True)
        assert begun.state == "playing" and sitters(begun) == ["Carla", "Anna", "Bruno"] and begun.seat == 0
        old = await desk.service.audience.view(table, bruno)
        assert old.rematch == begun.id and old.offer is None
        assert (await again.ask(table, bruno)).seat == 2, "who asks later comes to the same table"
        for person in (bruno, carla):
            await desk.service.seats.resign(begun.id, person)
        third = await again.ask(begun.id, carla)
        assert third.offer is not None and third.offer.seat == 0, "a rematch has one, too"

    at_desk(tmp_path, scenario)


def test_nobody_sits_in_a_game_that_they_do_not_want_or_have_not_heard_of(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        again = desk.service.rematches
        table = await ended(desk, anna, bruno, carla)
        await again.ask(table, bruno)
        await again.answer(table, anna, False)
        begun = await again.answer(table, carla, True)
        assert [(seat.kind, seat.name) for seat in begun.seats] == [
            ("person", "Carla"),
            ("computer", "club"),
            ("person", "Bruno"),
        ]
        assert begun.header.host == bruno, "the host of the game before does not play"
        assert (await again.ask(table, anna)).seat is None, "who said no can watch"
        table = await ended(desk, anna, bruno, carla)
        await again.ask(table, anna)
        await again.answer(table, bruno, True)
        live = desk.service.tables.in_memory[table]
        desk.clock.now += OFFER_SECONDS - 1
        await desk.service.rematches.run_out(live)
        assert live.snapshot.offer is not None
        desk.clock.now += 1
        desk.computers.look(live)

        async def begun_without_carla() -> bool:
            return bool(live.snapshot.rematch)

        await until(begun_without_carla)
        begun = await desk.service.audience.view(live.snapshot.rematch, carla)
        assert sitters(begun) == ["club", "Anna", "Bruno"] and not begun.mine
        assert not any(seat.away for seat in begun.seats)

    at_desk(tmp_path, scenario)


def test_an_offer_comes_to_nothing_when_all_decline_or_it_is_withdrawn(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        again = desk.service.rematches
        table = await ended(desk, anna, bruno, carla)
        await again.ask(table, anna)
        await again.answer(table, bruno, False)
        seen = await again.answer(table, carla, False)
        assert seen.offer is None and seen.snapshot.due is None and not seen.rematch
        assert seen.snapshot.answered is not None and seen.snapshot.answered.declined == {bruno, carla}
        await again.ask(table, bruno)
        await again.answer(table, carla, True)
        seen = await again.answer(table, bruno, False)
        assert seen.offer is None and seen.snapshot.answered is not None and seen.snapshot.answered.person == bruno
        with pytest.raises(Refused):
            await again.answer(table, carla, True)

    at_desk(tmp_path, scenario)


def test_a_table_of_twelve(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people(*(f"P{i}" for i in range(12)))
        table = await desk.table(*people, game="sequence", options={"sides": 3})
        for person in people:
            if person in people[:3]:
                continue
            await desk.service.seats.resign(table, person)
        for person in people[1:3]:
            await desk.service.seats.resign(table, person)
        again = desk.service.rematches
        for person in people[1:]:
            seen = await again.ask(table, person)
        assert seen.offer is not None and len(seen.offer.agreed) == 11
        begun = await again.ask(table, people[0])
        assert begun.state == "playing" and sitters(begun) == ["P11", *(f"P{i}" for i in range(11))]

    at_desk(tmp_path, scenario)


def test_a_table_that_was_made_by_a_start_that_failed_is_found_again(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await ended(desk, anna, bruno)
        offered = (await desk.service.rematches.ask(table, anna)).offer
        assert offered is not None
        write = desk.service.tables.write

        async def fail(live: Any, drafts: Iterable[Any] = (), *, new: bool = False) -> None:
            drafts = list(drafts)
            if any(draft.kind == "rematch" for draft in drafts):
                raise RuntimeError("the server was killed")
            await write(live, drafts, new=new)

        desk.service.tables.write = fail  # type: ignore[method-assign]
        with pytest.raises(RuntimeError):
            await desk.service.rematches.answer(table, bruno, True)
        desk.service.tables.write = write  # type: ignore[method-assign]
        header = desk.service.tables.in_memory[table].snapshot.header
        made = id_after(f"{table} {offered.number} {header.seed}")
        begun = await desk.service.rematches.answer(table, bruno, True)
        assert begun.id == made and len(await desk.service.lobby.my_tables(anna)) == 2

    at_desk(tmp_path, scenario)


def test_an_offer_goes_on_after_a_restart_and_loses_no_time(tmp_path: Path) -> None:
    clock, tables = Clock(), []

    async def asks(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        tables.append(await ended(desk, anna, bruno))
        await desk.service.rematches.ask(tables[0], anna)
        clock.now += 20

    async def goes_on(desk: Desk) -> None:
        live = await desk.service.tables.find(tables[0])
        offer = live.snapshot.offer
        assert offer is not None and offer.ends == pytest.approx(clock.now + 40)
        clock.now += 40
        desk.computers.look(live)

        async def begun() -> bool:
            return bool(live.snapshot.rematch)

        await until(begun)
        assert sitters(await desk.service.audience.view(live.snapshot.rematch, None)) == ["club", "Anna"]

    at_desk(tmp_path, asks, now=clock)
    clock.now += 3600
    at_desk(tmp_path, goes_on, now=clock)


def test_against_computers_alone_it_begins_at_once(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, ("me", "random")))
        await desk.service.seats.resign(made.id, anna)
        begun = await desk.service.rematches.ask(made.id, anna)
        assert begun.id != made.id and begun.state == "playing"
        with pytest.raises(Unknown):
            await desk.service.rematches.ask("nowhere", anna)

    at_desk(tmp_path, scenario)
