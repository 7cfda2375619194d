"""Whatever stands in an address or a header is read or refused, and what a proxy says counts only if it is trusted."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from infila.server.addresses import Origin, Proxies
from infila.server.errors import CannotServe
from tests.server.asgi import Server, content, header, status

PROXY, BROWSER = "10.0.0.1", "203.0.113.9"
FORWARDED = {"x-forwarded-for": BROWSER, "x-forwarded-proto": "https", "x-forwarded-host": "games.example"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
PAGE = {"accept": "text/html"}


def at_server(folder: Path, scenario: Callable[[Server], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        async with Server(folder, **settings).running() as server:
            await asyncio.wait_for(scenario(server), 60)

    asyncio.run(run())


async def table_of(server: Server, **seats: Any) -> tuple[str, dict[str, str]]:
    """A table, and somebody who sits there."""
    token = content(await server.ask("POST", "/api/v1/people", {}, {"name": "Anna"}))["token"]
    person = {"authorization": f"Bearer {token}"}
    made = await server.ask("POST", "/api/v1/tables", person, {"game": "take_that", "seats": ["me", "me"]} | seats)
    return content(made)["id"], person


# no numbers, or none that we have: ², an Arabic 1, more digits than Python reads, and so on
VALUES = [
    "²",
    "١",
    "9" * 5000,
    "9" * 20,
    "-1",
    "1e3",
    "1_0",
    "\0",
    "\ufffd",
    "é",
    " 1",
    "0x1",
    "100001",
    "%",
    "\r\n",
    "🂡",
]
PATHS = {
    "/t/{table}": ("at", "seat", "eyes"),
    "/t/{table}/state": ("at", "seat", "eyes"),
    "/api/v1/tables/{table}": ("moves", "seat"),
    "/sheet/zatre": ("players",),
    "/new": ("game", "players", "pace", "whole", "seat-1", "name", "lobby"),
    "/": ("x",),
}


def test_no_value_of_a_query_breaks_a_page_or_an_answer(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        table, person = await table_of(server)
        for path, names in PATHS.items():
            for name in names:
                for value in map(quote, VALUES):
                    for more in ("", "&at=0") if "state" in path else ("",):
                        asked = f"{path.format(table=table)}?{name}={value}{more}"
                        for accept in ({}, PAGE):
                            answer = await server.ask("GET", asked, person | accept)
                            assert status(answer) < 500, (asked, answer)
        answer = await server.ask("GET", f"/t/{table}/state?at=%C2%B2", person)
        assert status(answer) == 404 and "at is the number of a move" in content(answer)["error"]
        left = await server.ask("DELETE", f"/api/v1/tables/{table}/seat?seat={'9' * 5000}", person)
        assert status(left) == 400

    at_server(tmp_path, scenario)


PARTS = [
    *VALUES,
    "a" * 300,
    "a" * 3000,
    "../page.js",
    "..",
    ".",
    "nul",
    "page.js\0",
    "//",
    "*",
    "{x}",
    "\x7f",
    "\u2028",
]
PLACES = [
    "/static/{}",
    "/t/{}",
    "/t/{}/state",
    "/t/{}/log",
    "/t/{}/events",
    "/rules/{}",
    "/sheet/{}",
    "/look/{}",
    "/me/{}",
]
PLACES += ["/{}", "/api/v1/{}", "/api/v1/tables/{}", "/api/v1/tables/{}/events", "/api/v1/schema/{}"]


def test_no_part_of_a_path_breaks_a_page_or_an_answer(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        for place in PLACES:
            for part in PARTS:
                path = place.format(quote(part, safe=""))
                for accept in ({}, PAGE):
                    answer = await server.ask("GET", path, dict(accept))
                    assert 400 <= status(answer) < 500 or part in ("..", ".", "//"), (path, answer)
                    assert status(answer) < 500
        for path in ("/play/{}", "/learn/{}", "/t/{}/seat", "/t/{}/hint"):
            for part in PARTS:
                answer = await server.ask("POST", path.format(quote(part, safe="")), {"sec-fetch-site": "none"}, {})
                assert 400 <= status(answer) < 500, (path, part, answer)

    at_server(tmp_path, scenario)


HEADERS = {
    "cookie": ["infila=", "infila=.", "infila=²", "language=²; theme=²", ";;;=", "infila=" + "x" * 5000],
    "authorization": ["", "Bearer", "Bearer ²", "Bearer infila_x_y", "Basic x", "Bearer " + "_" * 5000],
    "accept-language": [";;q=²", "de;q=nan", "it;q=inf,en;q=1e999", "," * 500],
    "last-event-id": ["²", "9" * 5000, "-1", "1e3"],
    "referer": ["http://[", "//", "http://infila.test//x", "\x01"],
    "origin": ["null", "http://[::1", "://", "http://infila.test:x", "²"],
    "host": ["", "a b", "infila.test, other", "[", "[::1", "x:99999999", "x/y", "<x>", "²", "user@infila.test"],
    "content-type": ["", "²", "multipart/form-data", "multipart/form-data; boundary=²", "application/json; charset=x"],
    "range": ["bytes=-", "bytes=²"],
    "x-forwarded-for": ["²", "," * 500, "[", "x" * 5000],
}


def test_no_header_breaks_a_page_or_an_answer(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        table, _ = await table_of(server)
        paths = ["/", "/mine", f"/t/{table}", "/static/page.js", f"/api/v1/tables/{table}", "/api/v1/me", "/nowhere"]
        paths += ["POST /language", "POST /theme", "POST /name", "POST /upload", "POST /new", "POST /api/v1/people"]
        for path in paths:
            method, _, place = path.rpartition(" ")
            for name, values in HEADERS.items():
                for value in values:
                    answer = await server.ask(method or "GET", place, {name: value}, {} if method else None)
                    assert status(answer) < 500, (path, name, value, answer)

    at_server(tmp_path, scenario, proxies=("192.0.2.1",))


@pytest.mark.parametrize("host", ["", "a b", "[", "x/y", "x:123456", "user@infila.test"])
def test_a_host_is_a_host(tmp_path: Path, host: str) -> None:
    async def scenario(server: Server) -> None:
        assert status(await server.ask("GET", "/", {"host": host})) == 400
        assert status(await server.ask("GET", "/", {"x-forwarded-host": host or "<"}, None, PROXY)) == 400
        for good in ("infila.test", "infila.test:80", "192.0.2.1:4224", "[::1]:4224", "my_box.local"):
            assert status(await server.ask("GET", "/", {"host": good})) == 200

    at_server(tmp_path, scenario, proxies=(PROXY,))


def test_behind_a_trusted_proxy_cookies_are_secure_and_links_lead_back(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        asked = FORM | PAGE | {"origin": "https://games.example"}
        answer = await server.ask("POST", "/device", asked | FORWARDED, None, PROXY)
        assert status(answer) < 300 and "secure" in header(answer, "set-cookie").lower()
        assert "https://games.example/" in answer.decode()
        themed = await server.ask("POST", "/theme", asked | FORWARDED, None, PROXY)
        assert "secure" in header(themed, "set-cookie").lower()
        table, _ = await table_of(server, seats=["me", "open"])
        page = await server.ask("GET", f"/t/{table}", PAGE | FORWARDED, None, PROXY)
        assert f"https://games.example/t/{table}" in page.decode()

        for stranger in (BROWSER, "10.0.0.2"):  # says the same, and is not believed
            page = await server.ask("GET", f"/t/{table}", PAGE | FORWARDED, None, stranger)
            assert f"http://infila.test/t/{table}" in page.decode() and "games.example" not in page.decode()
            asked = FORM | PAGE | {"origin": "http://infila.test"}
            answer = await server.ask("POST", "/device", asked | FORWARDED, None, stranger)
            assert header(answer, "set-cookie") and "secure" not in header(answer, "set-cookie").lower()

    at_server(tmp_path, scenario, proxies=(PROXY,))


def test_limits_count_whom_the_proxy_names(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async def welcomed(headers: dict[str, str], peer: str) -> int:
            asked = [await server.ask("POST", "/api/v1/people", headers, {}, peer) for _ in range(50)]
            return [status(each) for each in asked].count(201)

        assert await welcomed({"x-forwarded-for": f"1.2.3.4, {BROWSER}"}, PROXY) == 40
        assert await welcomed({"x-forwarded-for": f"5.6.7.8, {BROWSER}"}, PROXY) == 0, "what it invents counts nothing"
        assert await welcomed({"x-forwarded-for": "203.0.113.10"}, PROXY) == 40
        assert await welcomed({"x-forwarded-for": "203.0.113.11"}, "198.51.100.1") == 40
        assert await welcomed({"x-forwarded-for": "203.0.113.12"}, "198.51.100.1") == 0, "nobody trusts this one"

    at_server(tmp_path, scenario, proxies=(PROXY,), limits=True, now=lambda: 0.0)


def test_who_is_believed() -> None:
    def told(chain: str, peer: str = PROXY, **more: str) -> Origin:
        headers = {"x-forwarded-for": chain} | {f"x-forwarded-{name}": value for name, value in more.items()}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        return Proxies([PROXY, "10.1.0.0/16", "fd00::/8"]).origin(peer, raw)

    assert told(BROWSER).address == BROWSER and told(BROWSER, "10.0.0.2").address == "10.0.0.2"
    assert told(f"1.1.1.1, {BROWSER}, 10.1.2.3").address == BROWSER
    assert told("10.1.2.3").address == "10.1.2.3" and told("").address == PROXY
    assert told(f"{BROWSER}, unknown").address == PROXY and told("unknown, 10.1.2.3").address == "10.1.2.3"
    assert told(f"{BROWSER}:5000").address == BROWSER and told("[2001:db8::1]:80").address == "2001:db8::1"
    assert told("2001:db8::1", "fd00::5").address == "2001:db8::1"
    assert told(BROWSER, f"::ffff:{PROXY}").address == BROWSER
    assert told("", proto="https", host="a, b") == (PROXY, "https", "b")
    assert told("", proto="gopher").scheme is None
    assert Proxies().origin(PROXY, [(b"x-forwarded-for", BROWSER.encode())]) == (PROXY, None, None)
    for wrong in ("localhost", "10.0.0.1/8", "", "*"):
        with pytest.raises(CannotServe, match="--trust-proxy takes addresses"):
            Proxies([wrong])


def test_a_proxy_that_is_not_trusted_is_told_to_the_operator_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(server: Server) -> None:
        for _ in range(3):
            await server.ask("GET", "/", FORWARDED, None, "127.0.0.1")

    with caplog.at_level(logging.WARNING, "infila"):
        at_server(tmp_path, scenario)
    assert [each.getMessage() for each in caplog.records if "--trust-proxy" in each.getMessage()] == [
        "somebody forwards requests. If it is your reverse proxy, name its address: --trust-proxy"
    ]


def test_the_scheme_is_part_of_where_a_page_comes_from(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async def play(origin: str, **headers: str) -> bytes:
            return await server.ask("POST", "/play/take_that", {"origin": origin, **headers}, None, PROXY)

        assert status(await play("http://infila.test")) == 303
        other = await play("https://infila.test")
        assert status(other) == 403 and "--trust-proxy" in content(other)["error"]
        for origin in ("http://infila.test:81", "http://other.test", "null", "file://", "infila.test"):
            assert status(await play(origin)) == 403
        https = {"x-forwarded-proto": "https"}
        assert status(await play("https://infila.test", **https)) == 303
        assert status(await play("http://infila.test", **https)) == 403

    at_server(tmp_path, scenario, proxies=(PROXY,))
