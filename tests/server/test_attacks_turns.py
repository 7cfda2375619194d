"""Whoever asks for much at once waits for themselves, and what is costly is done once, and one thing at a time."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import infila
from infila.core.game import Game
from infila.server import turns
from infila.server.addresses import Proxies
from infila.server.creation import Creation
from infila.server.errors import TooMuch
from infila.server.gate import guarded
from infila.server.limits import Limiter
from infila.server.pages.chronicle import Chronicle
from infila.server.turns import AT_ONCE, Turns
from tests.server.asgi import Server, content, status
from tests.server.desk import Desk, at_desk


class Application:
    """Takes five rounds of the loop for an answer, and notes who was answered when."""

    def __init__(self) -> None:
        self.answered: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        self.answered.append(scope["client"][0])


def scope_from(address: str) -> Any:
    return {"type": "http", "path": "/", "headers": [], "client": (address, 1), "scheme": "http"}


def test_two_hundred_requests_of_one_address_do_not_come_before_one_of_another() -> None:
    async def run() -> None:
        app = Application()
        gate: Any = guarded(app, Limiter(lambda: 0.0, active=True), Proxies())
        many = [asyncio.create_task(gate(scope_from("192.0.2.66"), None, None)) for _ in range(200)]
        await asyncio.sleep(0)
        await gate(scope_from("192.0.2.1"), None, None)
        assert len(app.answered) <= 2 * AT_ONCE + 1 and app.answered[-1] == "192.0.2.1"
        await asyncio.gather(*many)
        assert len(app.answered) == 201

    asyncio.run(run())


def test_who_waits_for_something_themselves_holds_up_nobody_at_their_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        line, thought, began = Turns(at_once=2, seconds=0.02), asyncio.Event(), []

        async def one(number: int) -> None:
            async with line.turn("here"):
                began.append(number)
                await thought.wait()

        waiting = [asyncio.create_task(one(number)) for number in range(5)]
        await asyncio.sleep(0)
        assert began == [0, 1]
        async with asyncio.timeout(5):
            while len(began) < 5:
                await asyncio.sleep(0.01)
        thought.set()
        await asyncio.gather(*waiting)
        assert began == [0, 1, 2, 3, 4] and line.remembered == 0

    asyncio.run(run())


def test_who_is_called_off_in_the_line_is_passed_over() -> None:
    async def run() -> None:
        line, go_on, began = Turns(at_once=1, seconds=60), asyncio.Event(), []

        async def one(number: int) -> None:
            async with line.turn("here"):
                began.append(number)
                await go_on.wait()

        tasks = [asyncio.create_task(one(number)) for number in range(4)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        tasks[2].cancel()  # it has just been given its place, or has it already
        await asyncio.gather(*tasks, return_exceptions=True)
        assert began[-1] == 3 and line.remembered == 0

    asyncio.run(run())


def test_a_line_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 3)

    async def run() -> None:
        line, go_on = Turns(at_once=1, seconds=60), asyncio.Event()

        async def one() -> None:
            async with line.turn("here"):
                await go_on.wait()

        tasks = [asyncio.create_task(one()) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(TooMuch):
            await one()
        async with line.turn("elsewhere"):
            go_on.set()
        await asyncio.gather(*tasks)
        assert line.remembered == 0

    asyncio.run(run())


def test_uploads_of_one_address_are_replayed_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    going, most = 0, 0
    upload = Creation.upload

    async def counted(creation: Creation, person: str, text: str) -> Any:
        nonlocal going, most
        going += 1
        most = max(most, going)
        try:
            return await upload(creation, person, text)
        finally:
            going -= 1

    monkeypatch.setattr(Creation, "upload", counted)

    async def run() -> None:
        async with Server(tmp_path).running() as server:
            made = content(await server.ask("POST", "/api/v1/people", {}, {"name": "Anna"}))
            anna = {"authorization": f"Bearer {made['token']}"}
            log = {"log": infila.new("take_that", seed=1).save()}
            answers = await asyncio.gather(*(server.ask("POST", "/api/v1/logs", anna, log) for _ in range(5)))
            assert [status(answer) for answer in answers] == [201] * 5

    asyncio.run(run())
    assert most == 1


def test_what_many_want_to_know_of_a_long_game_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = infila.new("take_that", players=2, seed=7, rounds=10)
    for _ in range(300):
        game.play_action(game.actions()[0])
    played = 0
    play = Game.play_action

    def counted(game: Game, action: int) -> None:
        nonlocal played
        played += 1
        play(game, action)

    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        table = (await desk.service.creation.upload(anna, game.save())).id
        snapshot = desk.service.tables.in_memory[table].snapshot
        chronicle = Chronicle()
        monkeypatch.setattr(Game, "play_action", counted)
        found = await asyncio.gather(*(chronicle.told(table, snapshot) for _ in range(10)))
        assert [len(told) for told in found] == [300] * 10
        assert played == 299, "the last has been played at the table"

    at_desk(tmp_path, scenario)
