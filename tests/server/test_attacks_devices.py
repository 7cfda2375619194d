"""Nobody becomes somebody without being asked, and whoever has lost a device or a token can end it: at once, whatever
is open there."""

import asyncio
import hmac
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import Connection, text

from infila.server import audience, device_links
from infila.server.creation import NewTable
from infila.server.errors import Unauthorised
from infila.server.identity import COOKIE
from infila.server.limits import BY_ADDRESS
from infila.server.session import BROWSER, BROWSER_SECONDS, DAY, PROGRAM, PROGRAM_SECONDS
from infila.server.sessions import MOST_SESSIONS
from infila.server.user_agents import label_of
from tests.server.asgi import HOST, Headers, Server, Stream, content, header, status
from tests.server.desk import Clock, until

FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html", "origin": f"http://{HOST}"}
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


class Browser:
    """Keeps its cookie, as browsers do."""

    def __init__(self, server: Server, cookie: str = "") -> None:
        self.server, self.cookie = server, cookie

    async def ask(self, method: str, path: str, headers: Headers, body: bytes | None = None) -> bytes:
        sent = {"cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}
        answer = await self.server.ask(method, path, {"user-agent": FIREFOX} | sent | headers, body)
        if found := re.match(rf"{COOKIE}=([^;]*)", header(answer, "set-cookie")):
            self.cookie = found[1].strip('"')
        return answer

    async def see(self, path: str, **headers: str) -> bytes:
        return await self.ask("GET", path, {"accept": "text/html"} | headers)

    async def send(self, path: str, headers: Headers | None = None, **form: str) -> bytes:
        return await self.ask("POST", path, FORM if headers is None else headers, urlencode(form).encode())

    async def be(self, name: str) -> "Browser":
        assert status(await self.send("/name", name=name)) == 303
        return self

    async def name(self) -> str | None:
        """Who this browser is; None for a stranger."""
        answer = await self.ask("GET", "/api/v1/me", {})
        return None if status(answer) == 401 else str(content(answer)["name"])

    async def link(self) -> str:
        return found(r"/me/(\w+)", await self.send("/device"))

    async def token(self, name: str = "bot") -> Headers:
        return {"authorization": "Bearer " + found(r"(infila_\w+)", await self.send("/programs", name=name))}

    async def devices(self) -> list[str]:
        """The ids that can be ended on the page."""
        return re.findall(r'name="session" value="(\w*)"', (await self.see("/devices")).decode())

    async def other(self) -> "Browser":
        """Another browser of the same person."""
        there = Browser(self.server)
        assert status(await there.send(f"/me/{await self.link()}")) == 303
        return there


def found(pattern: str, answer: bytes) -> str:
    match = re.search(pattern, answer.decode())
    assert match, answer
    return match[1]


def at_server(folder: Path, scenario: Callable[[Server, Clock], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        clock = Clock()
        async with Server(folder, now=clock, **settings).running() as server:
            await asyncio.wait_for(scenario(server, clock), 60)

    asyncio.run(run())


async def program_name(server: Server, token: Headers) -> str | None:
    answer = await server.ask("GET", "/api/v1/me", token)
    return None if status(answer) == 401 else str(content(answer)["name"])


def test_opening_a_link_changes_nothing_and_asks(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna, bruno = await Browser(server).be("Anna"), await Browser(server).be("Bruno")
        link = await anna.link()
        asked = (await bruno.see(f"/me/{link}")).decode()
        assert asked.startswith("200") and "set-cookie" not in asked
        assert "be Anna on this device?" in asked and "Now you are Bruno here." in asked
        assert "You would leave no game behind." in asked
        assert await bruno.name() == "Bruno"
        await bruno.send("/play/take_that")
        assert "(1) would be lost" in (await bruno.see(f"/me/{link}")).decode()
        other = await bruno.other()
        assert "(1) stay on your other devices" in (await bruno.see(f"/me/{link}")).decode()
        before = Browser(server, bruno.cookie)
        assert status(await bruno.send(f"/me/{link}")) == 303 and await bruno.name() == "Anna"
        assert await before.name() is None, "what a browser was ends when it becomes somebody else"
        assert await other.name() == "Bruno"
        mine = await anna.link()
        assert "already" in (await bruno.see(f"/me/{mine}")).decode()
        assert status(await bruno.send(f"/me/{mine}")) == 303
        assert await (await anna.other()).name() == "Anna", "and one's own link is not used up by oneself"

    at_server(tmp_path, scenario)


ELSEWHERE: list[Headers] = [
    {"origin": "https://elsewhere.example"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": f"https://{HOST}"},
    {},
]


def test_no_other_site_makes_anybody_somebody(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        thief, victim = await Browser(server).be("Thief"), await Browser(server).be("Anna")
        link = await thief.link()
        for headers in ELSEWHERE:
            sent = {"content-type": FORM["content-type"]} | headers
            for browser in (victim, Browser(server)):
                for path in (f"/me/{link}", "/device", "/programs", "/devices/end-others", "/devices/leave"):
                    answer = await browser.send(path, sent)
                    assert status(answer) == 403 and not header(answer, "set-cookie"), (headers, path)
        assert await victim.name() == "Anna"
        assert status(await Browser(server).send(f"/me/{link}")) == 303, "it is still good"

    at_server(tmp_path, scenario)


def test_a_link_works_once_for_ten_minutes_and_until_it_is_withdrawn(tmp_path: Path) -> None:
    async def scenario(server: Server, clock: Clock) -> None:
        anna = await Browser(server).be("Anna")
        refusals = []

        async def refused(link: str) -> None:
            for answer in (await Browser(server).see(f"/me/{link}"), await Browser(server).send(f"/me/{link}")):
                assert status(answer) == 404 and not header(answer, "set-cookie")
                refusals.append(answer)

        used = await anna.link()
        assert status(await Browser(server).send(f"/me/{used}")) == 303
        await refused(used)
        both = await anna.link()
        at_once = await asyncio.gather(*(Browser(server).send(f"/me/{both}") for _ in range(5)))
        assert sorted(map(status, at_once)) == [303, 404, 404, 404, 404]
        late = await anna.link()
        clock.now += device_links.LINK_SECONDS - 1
        assert status(await Browser(server).see(f"/me/{late}")) == 200
        clock.now += 1
        await refused(late)
        replaced = await anna.link()
        withdrawn = await anna.link()
        await refused(replaced)
        assert status(await anna.send("/devices/withdraw")) == 303
        await refused(withdrawn)
        other = await anna.other()
        stolen = await other.link()
        await anna.send("/devices/end-others")
        await refused(stolen)
        await refused("never")
        assert len(set(refusals)) == 1, "a wrong link is like one that was good"

    at_server(tmp_path, scenario)


def test_a_link_is_of_one_server_and_is_written_nowhere(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        link = await anna.link()
        async with Server(tmp_path / "elsewhere").running() as elsewhere:
            assert status(await Browser(elsewhere).send(f"/me/{link}")) == 404
            stranger = Browser(elsewhere, anna.cookie)
            assert await stranger.name() is None
        assert link not in repr(vars(server.app.service.links))
        assert not any(link.encode() in file.read_bytes() for file in tmp_path.glob("infila.db*"))

    at_server(tmp_path, scenario)


def test_a_link_survives_a_failing_database_and_links_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        link, sessions = await anna.link(), server.app.service.sessions
        with monkeypatch.context() as broken:
            broken.setattr(sessions, "_begin", None)
            assert status(await Browser(server).send(f"/me/{link}")) == 500
        assert status(await Browser(server).send(f"/me/{link}")) == 303
        links = server.app.service.links
        monkeypatch.setattr(device_links, "MOST_LINKS", 5)
        for number in range(50):
            links.make(f"person {number}", "")
        assert len(links._of) == len(links._by) == 5

    at_server(tmp_path, scenario)


def test_guesses_are_limited(tmp_path: Path) -> None:
    async def scenario(server: Server, clock: Clock) -> None:
        anna = await Browser(server).be("Anna")
        link, burst = await anna.link(), int(BY_ADDRESS["link"].burst)
        guesses = [status(await Browser(server).see(f"/me/guess{n}")) for n in range(burst // 2)]
        guesses += [status(await Browser(server).send(f"/me/guess{n}")) for n in range(burst // 2)]
        assert guesses == [404] * burst
        answer = await Browser(server).send(f"/me/{link}")
        assert status(answer) == 429 and int(header(answer, "retry-after"))
        clock.now += int(header(answer, "retry-after"))
        assert status(await Browser(server).send(f"/me/{link}")) == 303

    at_server(tmp_path, scenario, limits=True)


async def listening(server: Server, table: str, headers: Headers) -> Stream:
    stream = server.listen(f"/api/v1/tables/{table}/events", headers)

    async def began() -> bool:
        return b"data:" in stream.got

    await until(began)
    return stream


async def ended(stream: Stream) -> None:
    assert stream.task is not None
    await asyncio.wait_for(stream.task, 5)


def test_what_is_ended_ends_at_once(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        table = found(r"location: /t/(\w+)", await anna.send("/play/take_that"))
        phone, token = await anna.other(), await anna.token("bot")
        on_phone = await listening(server, table, {"cookie": f"{COOKIE}={phone.cookie}"})
        of_token = await listening(server, table, token)
        here = await listening(server, table, {"cookie": f"{COOKIE}={anna.cookie}"})
        assert await program_name(server, token) == "Anna" and await phone.name() == "Anna"

        for lost in await anna.devices():
            assert status(await anna.send("/devices/end", session=lost)) == 303
        await ended(on_phone)
        await ended(of_token)
        assert await program_name(server, token) is None and await phone.name() is None
        assert here.task is not None and not here.task.done() and await anna.name() == "Anna"

        phone, token = await anna.other(), await anna.token("bot")
        of_token = await listening(server, table, token)
        await anna.send("/devices/end-others")
        await ended(of_token)
        assert await program_name(server, token) is None and await phone.name() is None

        left = Browser(server, anna.cookie)
        assert status(await anna.send("/devices/leave")) == 303 and anna.cookie == ""
        await ended(here)
        assert await left.name() is None
        server.app.service.sessions._known.clear()  # as after a start
        assert await left.name() is None and await program_name(server, token) is None

    at_server(tmp_path, scenario)


def test_an_ended_device_is_told_once_and_does_nothing_unknowingly(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        first, second = await anna.other(), await anna.other()
        await anna.send("/devices/end-others")
        refused = await first.send("/play/take_that")
        assert status(refused) == 401 and "no longer known on this device" in refused.decode()
        assert first.cookie == "" and status(await first.send("/play/take_that")) == 303
        assert "no longer known on this device" in (await second.see("/")).decode() and second.cookie == ""
        assert "no longer known" not in (await second.see("/")).decode()
        token = await anna.token()
        await server.ask("DELETE", "/api/v1/me/token", token)
        answer = await server.ask("GET", "/api/v1/tables", token)
        assert status(answer) == 401 and "was ended" in content(answer)["error"]

    at_server(tmp_path, scenario)


def test_nobody_ends_somebody_elses(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna, bruno = await Browser(server).be("Anna"), await Browser(server).be("Bruno")
        theirs = anna.cookie.partition(".")[0]
        await bruno.send("/devices/end", session=theirs)
        await bruno.send("/devices/end-others")
        assert await anna.name() == "Anna"
        forged = theirs + "." + bruno.cookie.partition(".")[2]
        assert await Browser(server, forged).name() is None

    at_server(tmp_path, scenario)


def test_a_program_adds_no_devices_and_ends_none(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        token = await anna.token("bot")
        mine = anna.cookie.partition(".")[0]
        for path in ("/device", "/programs", "/devices/end-others", "/devices/leave", "/devices/withdraw"):
            assert status(await server.ask("POST", path, FORM | token, b"")) == 403
        assert status(await server.ask("POST", "/devices/end", FORM | token, f"session={mine}".encode())) == 403
        assert await anna.name() == "Anna"

        renewed = content(await server.ask("POST", "/api/v1/me/token", token))
        assert renewed["name"] == "Anna" and await program_name(server, token) is None
        token = {"authorization": f"Bearer {renewed['token']}"}
        told = content(await server.ask("GET", "/api/v1/me/token", token))
        assert told["label"] == "bot" and told["expires"] == renewed["expires"]
        assert len(await anna.devices()) == 1, "one for one"
        assert status(await anna.ask("POST", "/api/v1/me/token", FORM)) == 403, "a browser has no token to renew"
        assert status(await server.ask("DELETE", "/api/v1/me/token", token)) == 204
        assert await program_name(server, token) is None and await anna.devices() == []

    at_server(tmp_path, scenario)


def test_sessions_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "BEAT_SECONDS", 0.01)

    async def scenario(server: Server, clock: Clock) -> None:
        anna, idle = await Browser(server).be("Anna"), await Browser(server).be("Bruno")
        table = found(r"location: /t/(\w+)", await anna.send("/play/take_that"))
        token = await anna.token()
        stream = await listening(server, table, token)
        began = clock.now
        for day in (1, 200, 364):
            clock.now = began + day * DAY
            answer = await anna.see("/mine")
            assert f"Max-Age={BROWSER_SECONDS}" in header(answer, "set-cookie"), "the browser keeps it longer too"
            assert not header(await anna.see("/mine"), "set-cookie"), "once a day"
            assert await program_name(server, token) == "Anna"
        clock.now = began + PROGRAM_SECONDS
        assert await program_name(server, token) is None, "not even if it is used"
        await ended(stream)
        clock.now = began + BROWSER_SECONDS
        assert await idle.name() is None and await anna.name() == "Anna"
        await Browser(server).be("Carla")
        count = text("SELECT count(*) FROM sessions")
        assert await server.app.store.read(lambda connection: connection.scalar(count)) == 2, "what is over is removed"
        server.app.service.sessions._known.clear()
        assert await anna.name() == "Anna"
        clock.now += BROWSER_SECONDS
        assert await anna.name() is None

    at_server(tmp_path, scenario)


def test_a_person_has_so_many_sessions_and_those_used_longest_ago_go(tmp_path: Path) -> None:
    async def scenario(server: Server, clock: Clock) -> None:
        anna = await Browser(server).be("Anna")
        tokens = []
        for _ in range(MOST_SESSIONS + 3):
            clock.now += 1
            tokens.append(await anna.token())
        known = [await program_name(server, token) for token in tokens]
        assert known == [None] * 4 + ["Anna"] * (MOST_SESSIONS - 1)
        assert await anna.name() == "Anna", "not the one that makes them"
        await anna.other()
        assert len(await anna.devices()) == MOST_SESSIONS - 1 and await program_name(server, tokens[4]) is None

    at_server(tmp_path, scenario)


def test_cookies_are_kept_from_scripts_and_other_sites(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        for scheme in ("http", "https"):
            sent = FORM | {"origin": f"{scheme}://{HOST}", "x-forwarded-proto": scheme}
            made = Browser(server)
            first = await made.send("/name", sent, name="Anna")
            link = found(r"/me/(\w+)", await made.send("/device", sent))
            for answer in (
                first,
                await Browser(server).send(f"/me/{link}", sent),
                await made.send("/devices/leave", sent),
            ):
                attributes = set(header(answer, "set-cookie").lower().replace('""', "").split("; ")[1:])
                assert {"httponly", "path=/", "samesite=lax"} <= attributes
                assert ("secure" in attributes) == (scheme == "https")
                assert answer.lower().count(b"set-cookie") == 1

    at_server(tmp_path, scenario, proxies=("192.0.2.1",))


def signed(server: Server, purpose: str, person: str) -> str:
    """As cookies and tokens were signed before there were sessions."""
    return hmac.digest(server.app.store.secret.encode(), f"{purpose}\n{person}".encode(), "sha256").hex()[:40]


async def database_of_before(folder: Path, clock: Clock) -> str:
    """A person in a database of an infila without sessions."""
    async with Server(folder, now=clock).running() as server:
        person = await server.app.service.people.welcome("Anna")

        def back(connection: Connection) -> None:
            for each in (
                "DROP TABLE sessions",
                "ALTER TABLE people DROP COLUMN unlisted_until",
                "ALTER TABLE results DROP COLUMN drawn",
                "DROP TABLE servers",
                "ALTER TABLE tables DROP COLUMN owner",
                "UPDATE alembic_version SET version_num = '0001'",
            ):
                connection.execute(text(each))
            connection.commit()

        await server.app.store.read(back)
    return person


def test_who_was_known_before_there_were_sessions_stays_known_and_can_end_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = Clock()
        person = await database_of_before(tmp_path, clock)
        clock.now += DAY
        async with Server(tmp_path, now=clock).running() as server:
            old = f"{person}.{signed(server, 'cookie', person)}"
            token = {"authorization": f"Bearer infila_{person}_{signed(server, 'token', person)}"}
            anna, again, phone = (Browser(server, old) for _ in range(3))
            assert await anna.name() == "Anna" and anna.cookie == old, "no page, no session"
            await asyncio.gather(*(anna.see("/mine") for _ in range(3)), again.see("/"))
            assert anna.cookie == again.cookie != old, "all tabs of a browser become one"
            await phone.see("/", **{"user-agent": "Mozilla/5.0 (iPhone) Version/18.0 Mobile/15E148 Safari/604.1"})
            assert phone.cookie not in (old, anna.cookie)
            assert await anna.name() == await phone.name() == await program_name(server, token) == "Anna"
            page = (await anna.see("/devices")).decode()
            assert "Firefox on Android" in page and "Safari on iPhone" in page and "before this list" in page

            table = found(r"location: /t/(\w+)", await anna.send("/play/take_that"))
            streams = [await listening(server, table, each) for each in (token, {"cookie": f"{COOKIE}={old}"})]
            waiting = Browser(server, old)
            await anna.send("/devices/end-others")
            for stream in streams:
                await ended(stream)
            assert await program_name(server, token) is None and await waiting.name() is None
            assert status(await waiting.see("/mine")) == 200 and waiting.cookie == "", "and no session comes of it"
            server.app.service.sessions._unlisted.clear()
            assert await program_name(server, token) is None and await Browser(server, old).name() is None
            assert await anna.name() == "Anna"

            newcomer = await server.app.service.people.welcome("Bruno")
            never = f"{newcomer}.{signed(server, 'cookie', newcomer)}"
            assert await Browser(server, never).name() is None, "whoever came later never had such a cookie"

    asyncio.run(scenario())


def test_cookies_of_before_expire_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = Clock()
        person = await database_of_before(tmp_path, clock)
        async with Server(tmp_path, now=clock).running() as server:
            old = Browser(server, f"{person}.{signed(server, 'cookie', person)}")
            clock.now += 365 * DAY - 1
            assert await old.name() == "Anna"
            clock.now += 1
            assert await old.name() is None

    asyncio.run(scenario())


def test_what_was_asked_for_before_the_end_is_not_done_after_it(tmp_path: Path) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        service, sessions = server.app.service, server.app.service.sessions
        person = await service.people.welcome("Anna")
        mine, theirs = [await sessions.first(person, BROWSER, "") for _ in range(2)]
        bot = await sessions.first(person, PROGRAM, "bot")
        table = (await service.creation.create(person, NewTable("take_that"))).id
        await sessions.end_others(mine)
        for act in (sessions.make_link(theirs), sessions.add_program(theirs, "x"), sessions.end_others(theirs)):
            with pytest.raises(Unauthorised):
                await act
        with pytest.raises(Unauthorised):
            await sessions.renew(bot)
        stream = service.audience.subscribe(table, person, session=bot)
        assert await asyncio.wait_for(anext(stream, None), 5) is None, "a stream that was about to begin"

        late = await sessions.first(person, PROGRAM, "")
        sessions._known.clear()
        read = server.app.store.read

        async def slow(question: Any) -> Any:
            found = await read(question)
            server.app.store.read = read  # type: ignore[method-assign]
            await sessions.end(person, late.id)
            return found

        server.app.store.read = slow  # type: ignore[method-assign]
        assert await sessions.find(late.id) is None, "ended while it was looked for"
        assert await sessions.find(late.id) is None

    at_server(tmp_path, scenario)


def test_who_asks_is_usually_known_without_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        token = await anna.token()
        with monkeypatch.context() as without:
            without.setattr(server.app.store, "read", None)
            without.setattr(server.app.store, "write", None)
            for _again in range(3):
                assert await anna.name() == "Anna" and await program_name(server, token) == "Anna"
            for forged in (f"{'x' * 12}.{'0' * 40}", "x", "."):
                assert await Browser(server, forged).name() is None, "what is not signed is not looked up"

    at_server(tmp_path, scenario)


def test_a_browser_is_listed_by_two_plain_words(tmp_path: Path) -> None:
    desktop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
    assert label_of(desktop) == "Chrome/Linux" and label_of(desktop + " Edg/140.0") == "Edge/Linux"
    assert label_of("<script>") == "" and label_of("x" * 5000 + " Windows") == "/Windows"

    async def scenario(server: Server, _: Clock) -> None:
        anna = await Browser(server).be("Anna")
        await anna.token("<b>bot</b>")
        page = (await anna.see("/devices", **{"accept-language": "de"})).decode()
        assert "Firefox auf Android" in page and "dieses Gerät" in page and "Gecko" not in page
        assert "&lt;b&gt;bot&lt;/b&gt;" in page and "<b>bot" not in page
        assert "no-store" in header(await anna.send("/programs", name="bot"), "cache-control")
        for name in ("x" * 31, "", "\u200b"):
            assert status(await anna.send("/programs", name=name)) == 400

    at_server(tmp_path, scenario)
