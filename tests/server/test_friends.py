"""Friends at a table: hints that all hear of, and names for those who share a screen."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from infila.core.errors import IllegalMove
from infila.server.creation import NewTable
from infila.server.errors import Conflict, Forbidden, Refused
from infila.server.hints import check_hints, may_have_hints
from infila.server.snapshot import HINTED, Header, read_move
from infila.web.languages import said
from tests.server.desk import Desk, at_desk


def names_at(desk: Desk, table: str) -> list[str]:
    return [seat.name for seat in desk.service.tables.in_memory[table].snapshot.seats]


def test_among_people_there_are_hints_only_where_the_table_was_made_so(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        hints = desk.service.hints
        without = await desk.table(anna, bruno)
        person, seen = await desk.on_turn(without, anna, bruno)
        assert seen.seat is not None
        with pytest.raises(Forbidden, match="made without"):
            await hints.tell(without, person, seen.seat, seen.version)
        await desk.service.seats.leave(without, bruno if person == anna else anna)
        assert not may_have_hints(desk.service.tables.in_memory[without].snapshot, person), "they may come back"

        table = await desk.table(anna, bruno, hints=True)
        person, seen = await desk.on_turn(table, anna, bruno)
        assert seen.seat is not None
        for _ in range(3):  # the same hint
            await hints.tell(table, person, seen.seat, seen.version)
        live = desk.service.tables.in_memory[table]
        assert [(each.what, each.seat) for each in live.snapshot.notices] == [(HINTED, seen.seat)]
        assert live.snapshot.version == seen.version, "moves that were chosen meanwhile can still be made"
        with pytest.raises(Forbidden, match="not yours"):
            await hints.tell(table, bruno if person == anna else anna, seen.seat, seen.version)
        await desk.play(table, anna, bruno)
        with pytest.raises(Conflict):
            await hints.tell(table, person, seen.seat, seen.version)
        person, seen = await desk.on_turn(table, anna, bruno)
        assert seen.seat is not None
        await hints.tell(table, person, seen.seat, seen.version)
        assert len(live.snapshot.notices) == 2
        await desk.service.seats.resign(table, anna)
        await desk.service.rematches.ask(table, bruno)
        again = await desk.service.rematches.answer(table, anna, True)
        assert again.id != table and again.header.hints, "the next game is as this one"

    at_desk(tmp_path, scenario)


def test_alone_and_at_one_screen_hints_are_nobody_elses_business(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        for seats in (("me", "club"), ("me", "me")):
            made = await desk.service.creation.create(anna, NewTable("take_that", {"players": 2}, seats))
            check_hints(made.snapshot, anna)
            await desk.service.hints.tell(made.id, anna, 0, made.version)
            assert not desk.service.tables.in_memory[made.id].snapshot.notices

    at_desk(tmp_path, scenario)


def test_tables_from_before_have_hints() -> None:
    old: dict[str, Any] = {"id": "x", "game": "zatre", "options": {}, "plan": []}
    assert msgspec.convert(old, Header).hints


def test_who_shares_a_screen_has_a_name_of_their_own(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        people = desk.service.people
        wanted = NewTable("take_that", {"players": 3}, ("me", "me", "me"), ("", "  Ben\u0000 ", "", "nobody"))
        table = (await desk.service.creation.create(anna, wanted)).id
        assert names_at(desk, table) == ["Anna", "Ben", "Anna"]
        await people.rename_seat(table, anna, 2, "Cleo")
        assert names_at(desk, table) == ["Anna", "Ben", "Cleo"] and await people.name_of(anna) == "Anna"
        await people.rename(anna, "Anita")
        assert names_at(desk, table) == ["Anita", "Ben", "Cleo"]
        for who, seat, name, problem in (
            (bruno, 0, "Eve", "do not sit"),
            (anna, 0, " \t", "visible"),
            (anna, 7, "x", "no seat 8"),
        ):
            with pytest.raises(Refused, match=problem):
                await people.rename_seat(table, who, seat, name)
        await desk.service.seats.resign(table, anna)
        with pytest.raises(Refused, match="its names stay"):
            await people.rename_seat(table, anna, 0, "Late")
        again = await desk.service.rematches.ask(table, anna)
        assert names_at(desk, again.id) == ["Cleo", "Anita", "Ben"]
        await people.rename(anna, "Anna")
        assert names_at(desk, again.id) == ["Cleo", "Anna", "Ben"]

    at_desk(tmp_path, scenario)


def test_a_name_given_in_sitting_down_is_ones_own_or_the_neighbours(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "")
        service = desk.service
        wanted = NewTable("take_that", {"players": 4}, ("me", "open", "open", "open"))
        table = (await service.creation.create(anna, wanted)).id
        await service.seats.sit(table, bruno, 3, name="Bruno")
        await service.seats.sit(table, anna, 1, name="Ada")
        assert names_at(desk, table) == ["Anna", "Ada", "", "Bruno"]
        assert [await service.people.name_of(each) for each in (anna, bruno)] == ["Anna", "Bruno"]
        await service.people.rename_seat(table, bruno, None, "Beppe")
        assert await service.people.name_of(bruno) == "Beppe", "with one seat it is the person's name"
        with pytest.raises(Refused, match="seat 1 is taken"):
            await service.seats.fill(table, anna, seat=0)
        await service.seats.fill(table, anna, seat=2)
        assert names_at(desk, table) == ["Anna", "Ada", "club", "Beppe"]

    at_desk(tmp_path, scenario)


def test_a_refusal_names_the_computer_and_those_without_a_name_in_every_language(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, guest = await desk.people("Anna", "")
        for seats in (("me", "club"), ("me", "open")):
            options = {"players": 2, "dealer": 1}
            made = await desk.service.creation.create(anna, NewTable("take_that", options, seats))
            if "open" in seats:
                await desk.service.seats.sit(made.id, guest)
            snapshot = desk.service.tables.in_memory[made.id].snapshot
            if snapshot.player == 0:
                await desk.play(made.id, anna)
                snapshot = desk.service.tables.in_memory[made.id].snapshot
            view = snapshot.view(0)
            assert view is not None
            with pytest.raises(IllegalMove) as refused:
                read_move(snapshot, view, "take")
            told = [str(said(refused.value, language)) for language in ("en", "it", "de")]
            assert not any("club" in text for text in told), told
            if "open" in seats:
                assert "guest" in told[0] and "Ospite" in told[1] and "Gast" in told[2], told
            else:
                assert "the computer is on turn" in told[0] and "Computer" in told[2], told

    at_desk(tmp_path, scenario, pace=3600.0)
