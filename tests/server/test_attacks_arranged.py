"""A table whose cards somebody knew before: it says so everywhere, is nobody's trap, and wins nothing."""

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import infila
from infila.core.game import Game
from infila.core.games import contract_of
from infila.core.log import Log
from infila.core.notation import position_of
from infila.server.creation import NewTable
from infila.server.entries import fold
from infila.server.errors import Refused
from tests.server.asgi import Server, content, status
from tests.server.desk import Desk, at_desk


def position(game: Game) -> dict[str, Any]:
    return position_of(game.contract, game.states)


def finished(seed: int = 4) -> Game:
    game = infila.new("take_that", players=2, seed=seed, rounds=1)
    while not game.over:
        game.play(game.moves[0])
    return game


def one_before_the_end() -> Game:
    return finished().before()


def test_a_table_from_a_position_is_private_and_shuffles_nothing(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        begun = position(infila.new("take_that", players=2, seed=4))
        for wanted, sentence in (
            (NewTable("take_that", seats=("me", "open"), position=begun, private=False), "is private"),
            (NewTable("take_that", seats=("me", "open"), position=begun, commitment="0" * 64), "nothing is shuffled"),
        ):
            with pytest.raises(Refused, match=sentence):
                await desk.service.creation.create(anna, wanted)
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open"), position=begun))
        assert (made.header.origin, made.commitment) == ("position", "")
        with pytest.raises(Refused, match="nothing is shuffled"):
            await desk.service.shuffle.commit(made.id, anna, "0" * 64)
        with pytest.raises(Refused, match="nothing is shuffled"):
            await desk.service.seats.sit(made.id, bruno, commitment="0" * 64)
        await desk.service.seats.sit(made.id, bruno)
        assert [line.origin for line in await desk.service.lobby.my_tables(bruno)] == ["position"]

    at_desk(tmp_path, scenario)


def test_a_public_table_from_a_position_of_before_is_not_offered(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open"), private=False))
        (line,) = await desk.service.lobby.open_tables()
        assert (line.id, line.origin) == (made.id, "deal")
        live = desk.service.tables.in_memory[made.id]
        old = msgspec.structs.replace(made.header, seed="", position=position(infila.new("take_that", seed=1)))
        live.snapshot = fold(old, [])
        assert not await desk.service.lobby.open_tables()

    at_desk(tmp_path, scenario)


def test_a_position_that_is_over_cannot_be_won(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        won = position(finished())
        with pytest.raises(Refused, match="this position is over"):
            await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "random"), position=won))
        log = Log("take_that", contract_of("take_that").options.make(won["options"]), ("A", "B"), position=won)
        with pytest.raises(Refused, match="this position is over"):
            await desk.service.creation.upload(anna, log.text(finished=True))
        assert not await desk.service.lobby.my_tables(anna)

    at_desk(tmp_path, scenario)


@pytest.mark.parametrize("uploaded", [False, True])
def test_what_is_won_from_a_position_or_a_log_counts_nowhere(tmp_path: Path, uploaded: bool) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        game = one_before_the_end()
        if uploaded:
            made = await desk.service.creation.upload(anna, game.save())
        else:
            wanted = NewTable("take_that", seats=("me", "me"), position=position(game))
            made = await desk.service.creation.create(anna, wanted)
        assert made.header.origin == ("log" if uploaded else "position") and made.commitment == ""
        assert (await desk.play(made.id, anna, moves=50)).state == "over"
        assert not await desk.service.lobby.statistics(anna)
        again = await desk.service.rematches.ask(made.id, anna)
        assert again.header.origin == "deal" and again.commitment, "the next game is dealt"

    at_desk(tmp_path, scenario)


def test_pages_and_programs_are_told_what_kind_of_table_it_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            person = await server.app.service.people.welcome("Anna")
            program, browser = await server.program(person), await server.browser(person)
            body = {"game": "take_that", "seats": ["me", "open"], "position": position(infila.new("take_that", seed=4))}
            made = content(await server.ask("POST", "/api/v1/tables", program, body))
            assert (made["origin"], made["private"], made["commitment"]) == ("position", True, "")
            waiting = (await server.ask("GET", f"/t/{made['id']}", browser)).decode()
            assert "from a position" in waiting and "nothing is shuffled" in waiting
            assert "promised" not in waiting and 'id="mix"' not in waiting
            (line,) = content(await server.ask("GET", "/api/v1/me/tables", program))
            assert line["origin"] == "position"
            assert "from a position" in (await server.ask("GET", "/mine", browser)).decode()
            refused = await server.ask("POST", "/api/v1/tables", program, body | {"private": False})
            assert status(refused) == 400
            log = content(await server.ask("POST", "/api/v1/logs", program, {"log": finished().save()}))
            assert (log["origin"], log["commitment"]) == ("log", "")
            page = (await server.ask("GET", f"/t/{log['id']}", browser)).decode()
            assert re.search(r"2 players · from a log", page) and "verified" not in page
            dealt = content(await server.ask("POST", "/api/v1/tables", program, {"game": "take_that"}))
            assert dealt["origin"] == "deal" and len(dealt["commitment"]) == 64

    asyncio.run(scenario())
