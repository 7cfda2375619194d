"""Table talk (S17): nobody is punished for silence, and nobody judges their own cause."""

from pathlib import Path

import pytest

from infila.core.errors import InfilaError
from infila.core.games import NAMES
from infila.server.creation import NewTable
from infila.server.errors import Forbidden, Refused
from infila.server.snapshot import Call
from tests.server.desk import Desk, at_desk

SILENT = {"table_talk": "forbidden"}


def test_the_host_cannot_empty_the_hands_of_the_silent(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        (eve,) = await desk.people("Eve")
        table = await desk.table(*people, game="sequence", options=SILENT)
        calls = desk.service.calls
        with pytest.raises(Refused, match="has said nothing"):
            await calls.call(table, people[0], "offence 2")
        await desk.service.chat.say(table, eve, "Bruno has a jack")
        await desk.service.people.rename(people[1], "Bruno")  # the name that he has
        await desk.service.people.rename(people[2], "Jack")  # the host's own partner
        with pytest.raises(Refused, match="has said nothing"):
            await calls.call(table, people[0], "offence 2")
        await desk.service.people.rename(people[1], "Two jacks")
        seen = await calls.call(table, people[0], "offence 2")
        assert seen.snapshot.called == Call(0, "offence 2") and not seen.history and not seen.must_judge
        for partial in (people[0], people[2], eve):
            with pytest.raises(Forbidden, match="a cause of their own side"):
                await calls.judge(table, partial, True)
        with pytest.raises(Refused, match="somebody has called already"):
            await calls.call(table, people[2], "offence 2")
        assert (await desk.service.audience.view(table, people[3])).must_judge
        seen = await calls.judge(table, people[3], True)
        assert seen.history[-1].text == "offence 2"

    at_desk(tmp_path, scenario)


def test_what_was_judged_is_not_judged_again(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        table = await desk.table(*people, game="sequence", options=SILENT)
        calls = desk.service.calls
        await desk.service.people.rename(people[0], "Take the corner")
        await desk.service.people.rename(people[1], "I do")
        for granted in (False, True):
            await calls.call(table, people[0], "offence 2")
            await calls.judge(table, people[1], granted)
            for guilty in (people[1], people[3]) if granted else ():  # S23: first they discard
                seen = await desk.service.audience.view(table, guilty)
                assert seen.view is not None
                await desk.service.moves.play(table, guilty, seen.view.moves[0], seen.version)
            with pytest.raises(Refused, match="has said nothing"):
                await calls.call(table, people[0], "offence 2")
            if not granted:
                await desk.service.people.rename(people[3], "Me too")
        await calls.call(table, people[1], "offence 1")  # what the other side has said is not judged yet

    at_desk(tmp_path, scenario)


def test_who_belongs_to_neither_side_decides(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino", "Ezio", "Fina")
        table = await desk.table(*people, game="sequence", options=SILENT | {"sides": 3})
        calls = desk.service.calls
        await desk.service.people.rename(people[1], "Jack of hearts")
        await calls.call(table, people[2], "offence 2")  # side 3 against side 2: the host is of side 1
        with pytest.raises(Forbidden):
            await calls.judge(table, people[3], False)
        await calls.judge(table, people[0], False)
        await desk.service.people.rename(people[4], "Jack of spades")
        await calls.call(table, people[0], "offence 2")  # the host's own call: side 3 decides
        for partial in (people[0], people[1], people[3], people[4]):
            with pytest.raises(Forbidden):
                await calls.judge(table, partial, True)
        seen = await calls.judge(table, people[5], True)
        assert seen.history[-1].text == "offence 2"

    at_desk(tmp_path, scenario)


def test_a_host_who_does_not_play_decides(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla, dino, host = await desk.people("Anna", "Bruno", "Carla", "Dino", "Host")
        made = await desk.service.creation.create(
            host, NewTable("sequence", SILENT | {"players": 4}, ("open", "open", "open", "open"))
        )
        for person in (anna, bruno, carla, dino):
            await desk.service.seats.sit(made.id, person)
        await desk.service.people.rename(bruno, "Jack of hearts")
        await desk.service.calls.call(made.id, anna, "offence 2")
        with pytest.raises(Forbidden):
            await desk.service.calls.judge(made.id, bruno, False)
        seen = await desk.service.calls.judge(made.id, host, True)
        assert seen.history[-1].text == "offence 2" and seen.history[-1].seat is None

    at_desk(tmp_path, scenario)


def test_a_call_that_nobody_could_decide_is_not_made(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        table = await desk.table(*people, game="sequence", options=SILENT)
        await desk.service.people.rename(people[1], "Jack of hearts")
        for person in (people[1], people[3]):
            await desk.service.seats.leave(table, person)
        with pytest.raises(Refused, match="nobody is here who could decide"):
            await desk.service.calls.call(table, people[0], "offence 2")
        assert not (await desk.service.audience.view(table, people[0])).calls

    at_desk(tmp_path, scenario, pace=60.0)


def test_who_plays_on_both_sides_accuses_neither(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        seats = ("me", "me", "open", "open")
        wanted = NewTable("sequence", {"players": 4, **SILENT}, seats)
        table = (await desk.service.creation.create(anna, wanted)).id
        await desk.service.seats.sit(table, bruno)
        with pytest.raises(Refused, match="you sit here already"):
            await desk.service.seats.sit(table, bruno)
        (carla,) = await desk.people("Carla")
        await desk.service.seats.sit(table, carla)
        await desk.service.people.rename(carla, "Two jacks")
        with pytest.raises(Forbidden, match="on which they play themselves"):
            await desk.service.calls.call(table, anna, "offence 2")

    at_desk(tmp_path, scenario)


@pytest.mark.parametrize("game", NAMES)
def test_another_seats_move_is_nothing_that_the_host_decides(tmp_path: Path, game: str) -> None:
    """Whoever calls for one is told so, whether it could be played or not."""

    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno")
        table = await desk.table(*people, game=game)
        for _ in range(4):
            mover, seen = await desk.on_turn(table, *people)
            caller = people[1 - people.index(mover)]
            assert seen.view is not None
            for move in [*seen.view.moves[:20], seen.view.moves[-1]]:
                with pytest.raises(InfilaError):
                    await desk.service.calls.call(table, caller, move)
            await desk.play(table, *people)

    at_desk(tmp_path, scenario)
