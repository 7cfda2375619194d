"""Letting the home network in: only whoever sits at the machine that serves can; and no forged host is in a link."""

import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from infila.server import command, house
from infila.server.errors import CannotServe, Refused
from infila.server.house import Asked, House, own_addresses, url_of
from infila.server.pages.frame import qr_code
from infila.server.settings import Settings
from tests.server.asgi import Server, status
from tests.server.running import running

HOME = "127.0.0.2"  # stands for an address at home: this machine has it, and the server does not listen there yet


def require_home() -> None:
    try:
        with socket.socket() as probe:
            probe.bind((HOME, 0))
    except OSError:
        pytest.skip("this system has one loopback address only")


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    require_home()
    monkeypatch.setattr(house, "own_addresses", lambda **_: [HOME])


def served_at(where: str, port: int = 4224, **settings: Any) -> House:
    """As if a server listened there."""

    class Listening:
        def getsockname(self) -> tuple[str, int]:
            return where, port

    made = House(Settings(**settings))
    made.served(object(), Listening())  # type: ignore[arg-type]
    return made


def test_the_home_network_is_let_in_and_shut_out_again(tmp_path: Path, at_home: None) -> None:
    with running(tmp_path) as address, httpx.Client(base_url=address) as anna:
        port = address.rpartition(":")[2]
        at_home_url = f"http://{HOME}:{port}"
        ours = {"origin": address, "referer": f"{address}/t/x", "accept": "text/html"}
        table = anna.post("/new", data={"game": "take_that", "seat-1": "me", "seat-2": "open"}, headers=ours)
        path = table.headers["location"]
        page = anna.get(path).text
        assert "works only on this computer" in page and "open it to this house" in page
        assert 'data-share="take that · infila" data-done="copied" disabled' in page
        with pytest.raises(httpx.ConnectError):
            httpx.get(at_home_url)

        opened = anna.post("/house/open", data={"address": HOME}, headers=ours)
        assert opened.status_code == 303 and opened.headers["location"] == "/t/x"
        page = anna.get(path).text
        link = f"{at_home_url}{path}"
        assert "works only" not in page and f'data-copy="{link}"' in page and qr_code(link) in page
        with httpx.Client(base_url=at_home_url) as bruno:
            assert bruno.get(path).status_code == 200, "the address in the code answers"
            assert "close it again" not in bruno.get(path).text
            theirs = {"origin": at_home_url, "accept": "text/html"}
            for forged in ({}, {"host": f"127.0.0.1:{port}", "origin": address}):
                for act in ("open", "close"):
                    answer = bruno.post(f"/house/{act}", data={"address": HOME}, headers=theirs | forged)
                    assert answer.status_code == 403
            with bruno.stream("GET", f"{path}/events") as stream:
                assert stream.status_code == 200
                assert anna.post("/house/close", headers=ours).status_code == 303
                with pytest.raises(httpx.TransportError):  # who was in is out
                    for _ in stream.iter_raw():
                        pass
        with pytest.raises(httpx.ConnectError):
            httpx.get(at_home_url)
        assert "works only on this computer" in anna.get(path).text
        assert anna.post("/house/close", headers=ours).status_code == 303, "shut already"


def test_nobody_else_opens_a_door(tmp_path: Path, at_home: None) -> None:
    """Not by way of a proxy or tunnel on this machine, of another site's page, of a name that leads here, nor for an
    address that is not this machine's."""
    with running(tmp_path) as address, httpx.Client(base_url=address) as eve:
        port = address.rpartition(":")[2]
        ours = {"origin": address, "accept": "text/html"}
        for headers in (
            {"x-forwarded-for": "203.0.113.9"},
            {"x-forwarded-host": "127.0.0.1"},
            {"forwarded": "for=203.0.113.9"},
            {"via": "1.1 tunnel"},
            {"cf-connecting-ip": "203.0.113.9"},
            {"origin": "http://evil.example"},
            {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"},
            {"host": f"127.0.0.1.evil.example:{port}", "origin": f"http://127.0.0.1.evil.example:{port}"},
        ):
            for act in ("open", "close"):
                answer = eve.post(f"/house/{act}", data={"address": HOME}, headers=ours | headers)
                assert answer.status_code == 403, (headers, act)
        for elsewhere in ("", "0.0.0.0", "::", "127.0.0.1", "203.0.113.9", "x" * 5000, "\u0000"):
            answer = eve.post("/house/open", data={"address": elsewhere}, headers=ours)
            assert answer.status_code == 400, elsewhere
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://{HOME}:{port}")


def test_a_port_that_is_taken_there_is_said(tmp_path: Path, at_home: None) -> None:
    with running(tmp_path) as address, httpx.Client(base_url=address) as anna, socket.socket() as other:
        other.bind((HOME, int(address.rpartition(":")[2])))
        other.listen()
        answer = anna.post("/house/open", data={"address": HOME}, headers={"origin": address})
        assert answer.status_code == 400 and "is taken there" in answer.text


def test_a_forged_host_is_in_no_link_and_no_code(tmp_path: Path) -> None:
    with running(tmp_path) as address, httpx.Client(base_url=address) as anna:
        ours = {"origin": address, "accept": "text/html"}
        path = anna.post("/new", data={"game": "zatre", "seat-1": "me", "seat-2": "open"}, headers=ours).headers[
            "location"
        ]
        for host in ("evil.example", "evil.example:80", "10.9.8.7", "[2001:db8::9]:1", "127.0.0.1:1", "localhost:1"):
            page = anna.get(path, headers={"host": host, "x-forwarded-host": "worse.example"}).text
            link = page.partition('data-copy="')[2].partition('"')[0]
            assert link.startswith(("http://127.0.0.1:", "http://localhost:")) and link.endswith(path), (host, link)
            assert f":{address.rpartition(':')[2]}/" in link and "evil" not in page and "worse" not in page
            assert qr_code(link) in page


def test_how_a_link_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """In several networks, in none, at one address, at all, of both kinds, behind a proxy, and where it is told."""

    def reach(made: House, host: str, *, vouched: bool = False, here: bool = True, scheme: str = "http") -> house.Reach:
        return made.reach(Asked(scheme, host, vouched, here, made._host))

    found = ["192.168.1.20", "10.0.0.7", "fd00::5"]
    monkeypatch.setattr(house, "own_addresses", lambda **_: found)
    local = reach(served_at("127.0.0.1"), "localhost:4224")
    assert local == ("http://localhost:4224", True, ("192.168.1.20", "10.0.0.7"), False)
    assert reach(served_at("::1"), "[::1]:4224").base == "http://[::1]:4224"
    assert not reach(served_at("127.0.0.1"), "localhost:4224", here=False).offered
    assert not reach(served_at("127.0.0.1", proxies=("10.0.0.1",)), "localhost:4224").offered
    every = served_at("0.0.0.0")
    assert reach(every, "evil.example").base == "http://192.168.1.20:4224"
    assert reach(every, "10.0.0.7:4224").base == "http://10.0.0.7:4224", "the network by which somebody came"
    assert reach(every, "[fd00::5]:4224").base == "http://192.168.1.20:4224", "it does not listen there"
    assert reach(served_at("::"), "[fd00::5]:4224").base == "http://[fd00::5]:4224"
    assert reach(served_at("10.0.0.7", 80), "localhost").base == "http://10.0.0.7"
    assert reach(every, "games.example", vouched=True, scheme="https").base == "https://games.example"
    assert reach(served_at("127.0.0.1", address="https://games.example/"), "evil").base == "https://games.example"
    monkeypatch.setattr(house, "own_addresses", lambda **_: [])
    for made in (every, served_at("127.0.0.1")):
        assert reach(made, "127.0.0.1:4224") == ("http://127.0.0.1:4224", True, (), False)


def test_only_addresses_at_home_are_offered() -> None:
    assert url_of("fd00::1", 4224) == "http://[fd00::1]:4224"
    usable = house._is_usable
    assert all(usable(address, False) for address in ("192.168.1.2", "10.1.2.3", "172.16.0.1", "fd12::1"))
    for never in ("127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.1", "169.254.1.1", "fe80::1%eth0", "fe80::1", "what"):
        assert not usable(never, True), never
    for public in ("8.8.8.8", "2a00:1450::1"):
        assert usable(public, True) and not usable(public, False)
    assert set(own_addresses()) <= set(own_addresses(public=True))


def test_an_application_that_is_run_otherwise_opens_nothing(tmp_path: Path) -> None:
    import asyncio

    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            browser = await server.browser(await server.app.service.people.welcome("Anna"))
            for act in ("open", "close"):
                assert status(await server.ask("POST", f"/house/{act}", browser, b"")) == 403
            with pytest.raises(Refused):
                await server.app.house.open("127.0.0.1")

    asyncio.run(scenario())


@pytest.mark.parametrize("text", ["evil", "javascript:x", 'http://x"y', "http://a/b", "http://", "https://a b"])
def test_an_address_for_links_is_one(text: str) -> None:
    with pytest.raises(CannotServe, match="--address takes"):
        command.own_url(text)
    assert command.own_url("https://games.example.org") == "https://games.example.org"
