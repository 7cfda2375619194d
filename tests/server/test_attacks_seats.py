"""Seats: nobody takes them all, the host can ask somebody to leave, and one can give a game up."""

from pathlib import Path

import pytest

import infila
from infila.core.errors import IllegalMove
from infila.server.creation import NewTable
from infila.server.errors import Forbidden, Refused
from infila.server.levels import ComputerLevel
from tests.server.desk import Desk, at_desk, until


def test_nobody_takes_all_seats(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        sit = desk.service.seats.sit
        wanted = NewTable("take_that", {"players": 4}, ("me", "open", "open", "open"), private=False)
        made = await desk.service.creation.create(anna, wanted)
        await sit(made.id, bruno)
        for greedy in (anna, bruno):
            with pytest.raises(Refused, match="you sit here already"):
                await sit(made.id, greedy, 3)
        await sit(made.id, carla)
        private = await desk.service.creation.create(
            anna, NewTable("take_that", {"players": 3}, ("me", "open", "open"))
        )
        await sit(private.id, bruno)
        with pytest.raises(Refused, match="you sit here already"):
            await sit(private.id, bruno)
        assert (await sit(private.id, anna)).mine == (0, 2), "at a table among friends its host may play for several"

    at_desk(tmp_path, scenario)


def test_the_host_can_ask_somebody_to_leave_before_the_deal(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        seats = desk.service.seats
        wanted = NewTable("take_that", {"players": 3}, ("me", "open", "open"), private=False)
        made = await desk.service.creation.create(anna, wanted)
        await seats.sit(made.id, bruno)
        with pytest.raises(Forbidden, match="only the host"):
            await seats.dismiss(made.id, bruno, 0)
        for nobody in (0, 2):
            with pytest.raises(Refused, match="nobody sits there"):
                await seats.dismiss(made.id, anna, nobody)
        seen = await seats.dismiss(made.id, anna, 1)
        assert [seat.kind for seat in seen.seats] == ["person", "open", "open"]
        assert not await desk.service.lobby.my_tables(bruno)
        with pytest.raises(Forbidden, match="has asked you to leave"):
            await seats.sit(made.id, bruno)
        await seats.sit(made.id, carla)
        await seats.leave(made.id, carla)
        await seats.sit(made.id, carla)  # who stood up by themselves may come again
        await seats.fill(made.id, anna, ComputerLevel.RANDOM)
        with pytest.raises(Refused, match="the cards are dealt"):
            await seats.dismiss(made.id, anna, 1)

    at_desk(tmp_path, scenario)


def test_when_all_others_have_resigned_the_game_is_over_and_won(tmp_path: Path) -> None:
    tables: list[str] = []

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, game="sequence")
        await desk.play(table, anna, bruno, moves=3)
        with pytest.raises(Forbidden):
            await desk.service.seats.resign(table, "somebody else")
        seen = await desk.service.seats.resign(table, bruno)
        assert (seen.state, seen.snapshot.winners, seen.snapshot.due) == ("over", [0], None)
        assert seen.seed is not None and seen.snapshot.notices[-1].what == "resigned"
        (mine,) = await desk.service.lobby.statistics(anna)
        (theirs,) = await desk.service.lobby.statistics(bruno)
        assert (mine.played, mine.won, theirs.played, theirs.won) == (1, 1, 1, 0)
        game = infila.load(await desk.service.audience.log(table, None))
        assert game.seed == seen.seed and len(game.history) == 3
        for person in (anna, bruno):
            with pytest.raises(IllegalMove, match="the game is over"):
                await desk.service.moves.play(table, person, "pass", seen.version)
            with pytest.raises(Refused):
                await desk.service.take_backs.ask(table, person)
            with pytest.raises(Refused, match="only a game that is being played"):
                await desk.service.seats.resign(table, person)
        with pytest.raises(Refused, match="no computer sits in"):
            await desk.service.seats.come_back(table, bruno)
        assert (await desk.service.rematches.ask(table, anna)).offer is not None
        assert (await desk.service.rematches.answer(table, bruno, True)).state == "playing"
        tables.append(table)

    async def again(desk: Desk) -> None:
        seen = await desk.service.audience.view(tables[0], None)
        assert (seen.state, seen.snapshot.winners) == ("over", [0])

    at_desk(tmp_path, scenario)
    at_desk(tmp_path, again)


def test_while_two_sides_are_left_a_computer_plays_on(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        table = await desk.table(anna, bruno, carla, options={"rounds": 1})
        seen = await desk.service.seats.resign(table, bruno)
        assert seen.state == "playing" and seen.seats[1].away == "resigned"
        with pytest.raises(Refused, match="you have resigned"):
            await desk.service.seats.come_back(table, bruno)
        with pytest.raises(Refused, match="you have resigned already"):
            await desk.service.seats.resign(table, bruno)
        for person in (anna, carla):
            await desk.service.seats.leave(table, person, level=ComputerLevel.RANDOM)

        async def over() -> bool:
            return (await desk.service.audience.view(table, None)).state == "over"

        await until(over)
        for person in (anna, bruno, carla):  # who has gone for good has lost as well
            (record,) = await desk.service.lobby.statistics(person)
            assert (record.played, record.won) == (1, 0)

    at_desk(tmp_path, scenario)


def test_partners_resign_together_and_nobody_wins_against_themselves(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        table = await desk.table(*people, game="sequence")
        assert (await desk.service.seats.resign(table, people[0])).state == "playing"
        seen = await desk.service.seats.resign(table, people[2])
        assert (seen.state, seen.snapshot.winners) == ("over", [1, 3])
        alone = await desk.service.creation.create(people[0], NewTable("take_that", seats=("me", "me")))
        seen = await desk.service.seats.resign(alone.id, people[0])
        assert (seen.state, seen.snapshot.winners) == ("over", [])
        machine = await desk.service.creation.create(people[0], NewTable("take_that", seats=("me", "beginner")))
        assert (await desk.service.seats.resign(machine.id, people[0])).snapshot.winners == [1]
        lesson = await desk.service.lessons.learn(people[0], "take_that")
        with pytest.raises(Refused, match="you can simply go"):
            await desk.service.seats.resign(lesson.id, people[0])

    at_desk(tmp_path, scenario, pace=60.0)
