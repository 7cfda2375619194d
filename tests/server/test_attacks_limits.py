"""A new person costs nothing, so what somebody may ask is counted by address too, and by what it costs."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from infila.server import chat, connections, limits, request, tables
from infila.server.addresses import network_of
from infila.server.errors import Full, TooMuch
from infila.server.limits import BY_ADDRESS, LIMITS, MOST_STREAMS, MOST_STREAMS_OF_ADDRESS, Limit, Limiter
from infila.server.pages import table_page
from infila.server.settings import Settings
from tests.server.asgi import Server, content, header, status
from tests.server.desk import Clock

HERE, THERE = "192.0.2.1", "198.51.100.7"
OPEN = {"game": "take_that", "seats": ["me", "open"]}
TIMED = {"game": "take_that", "seats": ["me", "me"], "move_seconds": 60}  # the server watches its clock


class Crowd:
    """People at a server with limits and a clock that stands still."""

    def __init__(self, server: Server, clock: Clock) -> None:
        self.server, self.clock = server, clock

    async def person(self, address: str = HERE) -> dict[str, str]:
        answer = await self.server.ask("POST", "/api/v1/people", {}, {"name": "Anna"}, address)
        return {"authorization": f"Bearer {content(answer)['token']}"} if status(answer) == 201 else {}

    async def make(self, person: dict[str, str], wanted: dict[str, Any], address: str = HERE) -> bytes:
        return await self.server.ask("POST", "/api/v1/tables", person, wanted, address)


def in_a_crowd(folder: Path, scenario: Callable[[Crowd], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        clock = Clock()
        async with Server(folder, limits=True, now=clock, **settings).running() as server:
            await asyncio.wait_for(scenario(Crowd(server, clock)), 60)

    asyncio.run(run())


def test_new_people_are_counted_by_address(tmp_path: Path) -> None:
    async def scenario(crowd: Crowd) -> None:
        made = [await crowd.person() for _ in range(60)]
        assert sum(map(bool, made)) == BY_ADDRESS["person"].burst
        refused = await crowd.server.ask("POST", "/api/v1/people", {}, {"name": "Anna"}, HERE)
        assert status(refused) == 429
        wait = int(header(refused, "retry-after"))
        assert await crowd.person(THERE)
        crowd.clock.now += wait - 1
        assert not await crowd.person()
        crowd.clock.now += 1
        assert await crowd.person(), "who waits as long as was said is let in, also after trying in vain"

    in_a_crowd(tmp_path, scenario)


def test_many_people_of_one_address_have_no_more_tables_than_an_address_has(tmp_path: Path) -> None:
    async def scenario(crowd: Crowd) -> None:
        people = [await crowd.person() for _ in range(8)]
        made = [status(await crowd.make(person, OPEN)) for person in people for _ in range(12)]
        assert made.count(201) == BY_ADDRESS["make"].burst and made.count(429) == 96 - BY_ADDRESS["make"].burst
        assert status(await crowd.make(await crowd.person(THERE), OPEN, THERE)) == 201

    in_a_crowd(tmp_path, scenario)


def test_a_table_costs_what_its_seats_cost(tmp_path: Path) -> None:
    large = {"game": "sequence", "options": {"players": 12}, "seats": ["me", *["open"] * 11]}

    async def scenario(crowd: Crowd) -> None:
        person = await crowd.person()
        made = [status(await crowd.make(person, large)) for _ in range(6)]
        assert made == [201] * 4 + [429] * 2
        people = [await crowd.person() for _ in range(20)]
        made = [status(await crowd.make(each, large)) for each in people for _ in range(2)]
        assert made.count(201) == BY_ADDRESS["computers"].burst // 11 - 4

    in_a_crowd(tmp_path, scenario)


@pytest.mark.parametrize(
    "path", ["/api/v1/openapi.json", "/api/v1/schema/openapi.json", "/api/v1/games", "/rules/zatre"]
)
def test_whatever_is_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setitem(LIMITS, "read", Limit(3, 1))

    async def scenario(crowd: Crowd) -> None:
        asked = [status(await crowd.server.ask("GET", path, {})) for _ in range(4)]
        assert asked == [200, 200, 200, 429]

    in_a_crowd(tmp_path, scenario)


@pytest.mark.parametrize("path", ["/nowhere", "/static/page.js", "/static/nothing", "/api/v1/me", "/t/x/state", "/%00"])
@pytest.mark.parametrize("headers", [{}, {"accept": "text/html"}, {"authorization": "Bearer invented"}])
def test_also_what_comes_to_nothing_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, headers: dict[str, str]
) -> None:
    monkeypatch.setitem(BY_ADDRESS, "any", Limit(3, 1))

    async def scenario(crowd: Crowd) -> None:
        asked = [await crowd.server.ask("GET", path, headers) for _ in range(4)]
        assert [status(each) == 429 for each in asked] == [False, False, False, True]
        assert header(asked[-1], "retry-after") == "1" and "nosniff" in asked[-1].decode()
        assert status(await crowd.server.ask("GET", "/", {}, None, THERE)) == 200

    in_a_crowd(tmp_path, scenario)


def test_a_page_too_is_told_when_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "read", Limit(1, 0.1))

    async def scenario(crowd: Crowd) -> None:
        asked = [await crowd.server.ask("GET", "/", {"accept": "text/html", "accept-language": "de"}) for _ in "12"]
        assert header(asked[1], "retry-after") == "10" and "Warte ein wenig" in asked[1].decode()

    in_a_crowd(tmp_path, scenario)


@pytest.mark.parametrize("wanted", ["/t/{table}/state?at=0", "/t/{table}?at=0", "/api/v1/tables/{table}?moves=0"])
def test_what_was_is_counted_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setitem(LIMITS, "rebuild", Limit(2, 1))

    async def scenario(crowd: Crowd) -> None:
        person = await crowd.person()
        path = wanted.format(table=content(await crowd.make(person, TIMED))["id"])
        assert [status(await crowd.server.ask("GET", path, person)) for _ in range(3)] == [200, 200, 429]

    in_a_crowd(tmp_path, scenario)


@pytest.mark.parametrize("wanted", ["/t/{table}/state", "/t/{table}"])
def test_the_page_of_a_long_game_counts_like_a_look_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setitem(LIMITS, "rebuild", Limit(2, 1))
    monkeypatch.setattr(table_page, "MANY_MOVES", -1)

    async def scenario(crowd: Crowd) -> None:
        person = await crowd.person()
        made = content(await crowd.make(person, TIMED))
        path = wanted.format(table=made["id"])
        assert [status(await crowd.server.ask("GET", path, person)) for _ in range(3)] == [200, 200, 429]
        said = await crowd.server.ask("POST", f"/t/{made['id']}/chat", person, {"text": "hello"})
        assert status(said) == 200, "what was done is not refused afterwards"

    in_a_crowd(tmp_path, scenario)


def test_an_address_has_only_so_many_games_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_TABLES_OF_ADDRESS", 3)

    async def scenario(crowd: Crowd) -> None:
        people = [await crowd.person() for _ in range(5)]
        made = [await crowd.make(person, TIMED) for person in people]
        assert [status(each) for each in made] == [201, 201, 201, 429, 429]
        assert "games are going on" in content(made[-1])["error"] and header(made[-1], "retry-after")
        assert status(await crowd.make(await crowd.person(THERE), TIMED, THERE)) == 201

    in_a_crowd(tmp_path, scenario)


def test_a_full_server_says_so_and_goes_on_for_those_who_play(tmp_path: Path) -> None:
    async def scenario(crowd: Crowd) -> None:
        person = await crowd.person()
        made = [await crowd.make(person, TIMED) for _ in range(4)]
        assert [status(each) for each in made] == [201, 201, 201, 503] and header(made[-1], "retry-after")
        for each in made[:3]:
            assert status(await crowd.server.ask("GET", f"/t/{content(each)['id']}/state", person)) == 200

    in_a_crowd(tmp_path, scenario, tables_in_memory=3)


def test_streams_are_counted_by_person_by_address_and_in_all() -> None:
    limiter = Limiter(Clock(), active=True, streams=MOST_STREAMS_OF_ADDRESS + 5)
    with ExitStack() as stack:
        for number in range(MOST_STREAMS_OF_ADDRESS):
            stack.enter_context(limiter.stream(f"person {number}", HERE))
        with pytest.raises(TooMuch), limiter.stream("one more", HERE):
            pass
        for number in range(5):
            stack.enter_context(limiter.stream(None, f"198.51.100.{number}"))
        with pytest.raises(Full), limiter.stream(None, THERE):
            pass
    with limiter.stream("one more", HERE):
        pass


def test_who_is_refused_loses_nothing_and_nobody_else_does() -> None:
    clock = Clock()
    limiter = Limiter(clock, active=True)
    for _ in range(int(LIMITS["move"].burst)):
        limiter.check("move", HERE, "anna")
    for _ in range(1000):
        with pytest.raises(TooMuch) as refused:
            limiter.check("move", HERE, "anna")
        assert refused.value.seconds == 1
    limiter.check("move", HERE, "bruno")
    clock.now += 1
    limiter.check("move", HERE, "anna")


def test_the_limiter_remembers_only_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 100)
    limiter = Limiter(Clock(), active=True)
    for number in range(1000):
        limiter.check("make", f"address {number}", f"person {number}")
        limiter.check("move", f"address {number}", f"person {number}")
    assert limiter.remembered <= 200
    assert request.number_in("9" * 5000) is None


def test_a_network_counts_as_one() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("nonsense") == network_of("") == "?"


KINDS = {
    "any": "requests of any kind",
    "person": "new people",
    "link": "links to another device that are opened",
    "read": "reading",
    "rebuild": "looking at what was",
    "move": "moves",
    "act": "other acts",
    "chat": "messages",
    "solo": "computers' tasks, and what a browser has found",
    "think": "hints",
    "review": "reviews that are begun",
    "make": "tables",
    "computers": "seats there that computers have or may get",
    "upload": "uploaded logs",
}


def test_the_docs_tell_these_limits() -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "serving.md").read_text(encoding="utf-8")
    assert set(LIMITS) | set(BY_ADDRESS) == set(KINDS)
    for kind, name in KINDS.items():
        shown = [
            f"{each:g}" if limit else ""
            for limit in (LIMITS.get(kind), BY_ADDRESS.get(kind))
            for each in ((limit.burst, limit.per_second) if limit else (0, 0))
        ]
        assert "| " + " | ".join([name, *shown]).replace("|  |", "| |").replace("|  |", "| |") + " |\n" in text
    flat = " ".join(text.split())
    for sentence in (
        f"{MOST_STREAMS} open pages or listening programs of a person, {MOST_STREAMS_OF_ADDRESS} of an address",
        f"{limits.MOST_TABLES_OF_ADDRESS} games of an address",
        f"and {Settings().tables_in_memory} in all;",
        f"{connections.MOST_OF_ADDRESS} connections of an address",
        f"and {connections.MOST_CONNECTIONS} in all",
        f"keeps {connections.RESERVED_FILES} for itself",
        f"have at most {limits.LARGEST_HEAD:,} bytes and must be there within {connections.HEAD_SECONDS:g} seconds",
        f"its body within {connections.BODY_SECONDS:g} seconds more",
        f"kept for {connections.KEEP_SECONDS} seconds after an answer",
        f"nothing is read for {connections.READ_SECONDS:g} seconds",
        f"Players can say {chat.MOST_MESSAGES} messages",
        f"the log of a table has {tables.MOST_ENTRIES:,} entries",
    ):
        assert sentence in flat


@pytest.mark.parametrize(("people", "seconds"), [(8, 1.0), (30, 4.0)])
def test_a_family_or_a_class_behind_one_address_can_play(people: int, seconds: float) -> None:
    """Everybody comes at once, makes a table, opens its page, and moves every few seconds; whoever sits there looks."""
    clock = Clock()
    limiter = Limiter(clock, active=True)
    with ExitStack() as stack:
        for number in range(people):
            person = f"person {number}"
            for kind, times in {"any": 25, "person": 1, "read": 4, "make": 1, "computers": 3}.items():
                for _ in range(times):
                    limiter.check(kind, HERE, None if kind in ("any", "person") else person)
            for _ in range(2):
                stack.enter_context(limiter.stream(person, HERE))
        for _ in range(int(600 / seconds)):
            clock.now += seconds
            for number in range(people):
                person = f"person {number}"
                for kind, times in {"any": 8, "move": 1, "read": 6}.items():
                    for _ in range(times):
                        limiter.check(kind, HERE, None if kind == "any" else person)
