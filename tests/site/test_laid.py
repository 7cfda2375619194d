"""Whoever comes back begins a game at once: its table was laid meanwhile, and is nobody's until it is seen."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from playwright.sync_api import Browser

from infila.server.levels import ComputerLevel
from infila.server.lobby import RUNNING
from infila.wasm.use import modules_in_use
from tests.play import GAMES
from tests.site.built import Visitor, chromium, site
from tests.site.test_everything import Person
from tests.site.test_later_visits import come_back

CLUB = ComputerLevel.CLUB
LAID = """async (count) => {
  const { known } = await import(new URL("pages.js", document.baseURI));
  const reader = encodeURIComponent(JSON.stringify([localStorage["infila cookies /games/"], navigator.languages]));
  const tables = Object.values(JSON.parse(localStorage["infila laid /games/"] ?? "{}"));
  const kept = await Promise.all([...tables, "/"].map((address) => known(address, reader)));
  return tables.length === count && kept.every(Boolean);
}"""


def alone(test: Callable[[Person], Awaitable[None]]) -> None:
    async def whole() -> None:
        with modules_in_use():
            await test(await Person().come())

    asyncio.run(whole())


async def laid(person: Person, game: str, level: ComputerLevel = CLUB) -> str:
    while True:
        if table := await person.site.laid.table(game, level):
            return table.id
        await asyncio.sleep(0.01)  # a computer begins


async def listed(person: Person) -> list[str]:
    return [table.id for table in await person.service.lobby.my_tables(person.me, RUNNING)]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_is_laid_is_nowhere_until_it_is_taken(game: str) -> None:
    async def scenario(person: Person) -> None:
        nothing = await person.file()
        table = await laid(person, game)
        assert await laid(person, game) == table, "there is one of each"
        assert await listed(person) == [] and await person.service.lobby.count(person.me) == 0
        assert await person.file() == nothing
        await person.come()
        assert await laid(person, game) == table and await listed(person) == []
        own = await person.begin("take_that", "me", "me")
        await person.site.laid.take(table)
        assert await listed(person) == [table, own], "it begins when it is taken"
        await person.play(table, 1)
        await person.come()
        assert await listed(person) == [table, own]
        assert await laid(person, game) != table

    alone(scenario)


def test_another_level_or_name_gets_another_table() -> None:
    async def scenario(person: Person) -> None:
        first = await laid(person, "sequence")
        other = await laid(person, "sequence", ComputerLevel.BEGINNER)
        await person.service.people.rename(person.me, "Anna")
        third = await laid(person, "sequence")
        assert len({first, other, third}) == 3 and await listed(person) == []
        assert await person.site.laid.table("chess", CLUB) is None

    alone(scenario)


def test_a_move_takes_a_table_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there was no room to keep that it is taken."""

    async def scenario(person: Person) -> None:
        table = await laid(person, "sequence")

        async def refuse(changes: str) -> bool:
            raise OSError("there is no room")

        with monkeypatch.context() as change:
            change.setattr(person.kept, "append", refuse)
            await person.site.laid.take(table)
        await person.play(table, 1)
        await person.come()
        assert await listed(person) == [table]

    alone(scenario)


def wait(visitor: Visitor) -> None:
    """Until there is a table of each game, and the front page."""
    while not visitor.page.evaluate(LAID, len(GAMES)):
        visitor.page.wait_for_timeout(50)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.mark.slow
def test_a_new_game_begins_before_python_is_there(browser: Browser) -> None:
    with site() as address:
        visitor = Visitor(browser, address)
        visitor.begin("sequence")
        visitor.move()
        visitor.show("")
        visitor.inside.locator("a.resume").wait_for()
        visitor.page.wait_for_url(address)
        wait(visitor)
        come_back(visitor)
        visitor.inside.locator("form[action*='/play/zatre'] button").first.click()
        visitor.inside.locator("[data-part].can").first.wait_for()
        seen = visitor.lines()
        visitor.inside.locator("[data-part].can").first.click()
        visitor.inside.locator("[data-part].target").first.click()
        assert visitor.lines() == seen, "what is not in the log is not shown"
        visitor.page.evaluate("allow()")
        visitor.inside.locator("#log li").nth(seen).wait_for(state="attached")
        visitor.show("")
        visitor.inside.locator("a.resume").nth(1).wait_for()
        assert visitor.inside.locator("a.resume").count() == 2
        wait(visitor)
        visitor.close()
