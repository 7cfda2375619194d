"""What was made ahead is found only if nothing differs of all that it was made from; a server makes nothing ahead."""

import asyncio
from dataclasses import replace
from pathlib import Path

from infila.server.creation import NewTable
from infila.server.pages.ahead import Ahead
from infila.server.table_view import Moment, TableView
from tests.server.asgi import Server, status
from tests.server.desk import Desk, at_desk

MADE = b"made"


def test_what_was_made_is_found_if_nothing_differs(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        seen = await desk.service.audience.view(table, anna)
        seen, now = replace(seen, here=frozenset([anna])), Moment(away=(None, None))
        ahead = Ahead()
        assert ahead.find(seen, now, "en", False) is None
        ahead.keep(seen, now, "en", False, MADE)
        assert ahead.find(seen, now, "en", False) == MADE
        assert ahead.find(seen, replace(now, spent=5.0), "en", False) == MADE, "which only a clock shows"
        assert ahead.find(seen, now, "it", False) is None
        assert ahead.find(seen, now, "en", True) is None
        for other in (
            replace(seen, person=bruno),
            replace(seen, person=None),
            replace(seen, seat=None),
            replace(seen, here=frozenset([anna, bruno])),
            replace(seen, snapshot=replace(seen.snapshot)),
        ):
            assert ahead.find(other, now, "en", False) is None
        for later in (replace(now, away=(None, 3.0)), replace(now, to_answer=3.0)):
            assert ahead.find(seen, later, "en", False) is None
        played = await desk.play(table, anna, bruno)
        assert ahead.find(TableView(played.snapshot, seen.person, seen.seat, here=seen.here), now, "en", False) is None
        ahead.keep(replace(seen, person=bruno), now, "en", False, MADE)
        assert ahead.find(seen, now, "en", False) is None, "there is only what was made last"

    at_desk(tmp_path, scenario)


def test_nothing_is_kept_of_what_shows_a_clock(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        seen, ahead = await desk.service.audience.view(table, anna), Ahead()
        ahead.keep(seen, Moment(), "en", False, MADE)
        assert ahead.find(seen, Moment(), "en", False) is None

    at_desk(tmp_path, scenario)


def test_a_server_makes_nothing_ahead(tmp_path: Path) -> None:
    async def run() -> None:
        async with Server(tmp_path).running() as server:
            service = server.app.service
            anna = await service.people.welcome()
            browser = await server.browser(anna)
            table = await service.creation.create(anna, NewTable("sequence", seats=("me", "me")))
            for _ in range(2):
                seen = await service.audience.view(table.id, anna)
                assert seen.view is not None
                sent = f'{{"move": "{seen.view.moves[0]}", "version": {seen.version}}}'.encode()
                answer = await server.ask("POST", f"/t/{table.id}/moves", browser, sent)
                assert status(answer) == 200
            assert vars(server.app.ahead) == vars(Ahead())

    asyncio.run(asyncio.wait_for(run(), 60))
