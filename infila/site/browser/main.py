"""What the page's worker (`python.js`) calls."""

import asyncio
import gc
import json
import random
import re
import time
import zipimport
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

from infila.core.contract import Contract
from infila.core.dispatch import contract_of_record
from infila.core.games import NAMES, contract_of
from infila.core.stand_ins import STAND_INS
from infila.server.pages.warming import warm
from infila.server.settings import Settings
from infila.site.browser.addresses import on_site, page_on_site
from infila.site.browser.app import Site, routes
from infila.site.browser.ledger import Keeper
from infila.site.browser.thinking import Search
from infila.web.table_html import sprite

PARTS = (
    "picture",
    "story",
    "touch",
    "advice",
    "heuristics",
    "host",
)  # of a game, which are imported when they are needed
CELLS = 64  # for numbers, of which no entry has nearly as many
LARGEST = (1 << 64) - 1


class Rules(Protocol):
    """The games' modules in the page."""

    def lay(self, memory: bytearray) -> None:
        """From now on, arguments lie here."""

    def run(self, game: str, name: str) -> int:
        """Run an entry of a game's module with what lies there; how many numbers it gives, which lie there then."""


site: Site


def prepare() -> None:
    """Whatever can be done before anybody is there. Nothing is imported afterwards: a page has no library to read."""
    Contract.brings = _brings  # type: ignore[method-assign]
    Contract.complete = lambda self: None  # type: ignore[method-assign]  # what a page does not need is no gap
    for game in NAMES:
        for part in PARTS:
            getattr(contract_of(game), part)
    time.sleep = lambda seconds: None  # nobody else is there to go first
    warm(lambda game: False, solo=False)
    for handler in routes():
        handler.prepare()
    for games in ((), *((game,) for game in NAMES)):
        sprite(*games)
    zipimport._zip_directory_cache.clear()  # type: ignore[attr-defined]  # a page has another pack, without bytecode
    gc.collect()
    gc.freeze()  # what is made until now stays: nobody has to look through it again


@cache
def _brings(contract: Contract, *path: str) -> bool:
    """Whether a game has a file. Modules have none in a page; and to look into a pack takes milliseconds each time."""
    name, ending = path[-1].rpartition(".")[::2]
    if ending == "py":
        return find_spec(f"{contract.package}.{name}") is not None
    return contract.file(*path).is_file()


class Desk:
    """Memory that Python and the page share, on which arguments and results of the games' modules lie: to hand each of
    them over would take longer than most entries do. First the numbers, of an array its length in bytes; then the
    arrays, each where eight bytes begin."""

    def __init__(self, rules: Rules, size: int = 1 << 16) -> None:
        self._lay, self._run = rules.lay, rules.run
        self._make(size)

    def _make(self, size: int) -> None:
        memory = bytearray(size)
        self._lay(memory)
        self._bytes = memoryview(memory)
        self._given, self._results = self._bytes.cast("Q"), self._bytes.cast("q")

    def call(self, game: str, name: str, arguments: tuple[Any, ...]) -> Any:
        given, places, end = list(_flat(arguments)), [], CELLS * 8
        for i, each in enumerate(given):
            memory = getattr(each, "memory", None)
            if memory is None:
                self._given[i] = int(each) & LARGEST
            else:
                begin, end = end, end + memory.nbytes
                places.append((i, begin, end, memory))
                end = -(-end // 8) * 8
        if end > len(self._bytes):
            numbers = bytes(self._bytes[: CELLS * 8])
            self._make(2 * end)
            self._bytes[: CELLS * 8] = numbers
        for i, begin, after, memory in places:
            self._given[i] = after - begin
            self._bytes[begin:after] = memory
        count = self._run(game, name)
        for _, begin, after, memory in places:
            memory[:] = self._bytes[begin:after]
        return self._results[0] if count == 1 else self._results[:count].tolist() if count else None


class Module:
    """A game's module, in which the page runs its entries."""

    def __init__(self, game: str, desk: Desk) -> None:
        self._game, self._desk = game, desk

    def call(self, name: str, *arguments: Any) -> Any:
        return self._desk.call(self._game, name, arguments)


def _flat(arguments: tuple[Any, ...]) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from argument
        else:
            yield argument


async def begin(
    keeper: Keeper,
    rules: Rules,
    search: Search | None = None,
    settings: Settings | None = None,
    puzzles: Callable[[str], Any] | None = None,
) -> None:
    """Open what is kept. `rules` are the games' modules; `search` is for what would take long; `puzzles` fetches those
    of a game, or gives nothing."""
    global site
    random.seed()  # an image of Python has the luck of whoever made it

    desk = Desk(rules)

    def module_of(record: Any) -> Module | None:
        contract = contract_of_record(record)
        return None if contract is None else Module(contract.name, desk)

    STAND_INS.use(module_of)

    async def fetch(game: str) -> bytes:
        found = puzzles(game) if puzzles is not None else None
        return b"" if found is None else bytes((await found).to_bytes())

    site = Site(keeper, search, settings, None if puzzles is None else fetch)
    await site.open()


async def ask(method: str, address: str, headers: str, cookies: str, body: str) -> bytes:
    """An answer: a line of JSON with its status, headers and cookies, and then its text, with all addresses as they are
    on the site. As bytes: a browser reads them at once, but a text of Python's letter by letter."""
    answer = await site.ask(method, address, json.loads(headers), json.loads(cookies), body)
    content, kind = answer.body, answer.headers["content-type"]
    if kind.startswith("text/html"):
        content = page_on_site(content.decode()).encode()
    elif kind.startswith("application/json") and (b'"url":"/' in content or b'"next":"/' in content):
        found = re.sub(r'"(url|next)":"(/[^"]*)"', _field_on_site, content.decode())
        content = found.encode()
    if "location" in answer.headers:
        answer.headers["location"] = on_site(answer.headers["location"])
    return b"%b\n%b" % (json.dumps([answer.status, answer.headers, answer.cookies]).encode(), content)


def _field_on_site(found: re.Match[str]) -> str:
    return f'"{found[1]}":"{on_site(found[2])}"'


def listen(table: str, tell: Callable[[str], None]) -> "asyncio.Task[None]":
    """Tell of everything that happens at a table, until the task is cancelled."""

    async def told() -> None:
        await site.laid.take(table)
        async for number, _seen in site.app.service.audience.subscribe(table, site.person):
            tell(str(number))

    return asyncio.get_running_loop().create_task(told())
