"""The table as plain files at /anywhere/: what is not one of its files is not there, and nobody's seat is at stake."""

import asyncio
import gzip
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from infila.server import anywhere
from infila.server.anywhere import PIECE, SITE_POLICY, Sending, Site
from infila.server.errors import CannotServe
from infila.server.request import CONTENT_POLICY
from tests.server.asgi import Headers, Server, header, status
from tests.server.small_site import FILES, small_site

STRANGER: Headers = {}


def at_server(folder: Path, scenario: Callable[[Server], Awaitable[None]], **settings: Any) -> None:
    """A server whose database lies beside its site."""

    async def run() -> None:
        async with Server(folder / "data", site=str(folder / "site"), **settings).running() as server:
            await scenario(server)

    (folder / "data").mkdir()
    asyncio.run(asyncio.wait_for(run(), 100))


def body(answer: bytes) -> bytes:
    return answer.partition(b"\n\n")[2]


def test_its_files_are_there_with_their_kinds_and_nothing_else_is(tmp_path: Path) -> None:
    site = small_site(tmp_path / "site")
    for name in (".env", ".git/config.json", "notes.md", "parts/.hidden.js", "infila.db"):
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text("private")
    (tmp_path / "private.js").write_text("private")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "private.js").write_text("private")
    if hasattr(os, "symlink"):
        (site / "linked.js").symlink_to(tmp_path / "private.js")
        (site / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
        (site / "round").symlink_to(site, target_is_directory=True)

    async def scenario(server: Server) -> None:
        for name, text in FILES.items():
            answer = await server.ask("GET", f"/anywhere/{name}", STRANGER)
            assert status(answer) == 200 and body(answer) == text.encode(), name
        kinds = {".js": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}
        for name in ("parts/more.js", "parts/tiny.wasm", "manifest.webmanifest"):
            answer = await server.ask("GET", f"/anywhere/{name}", STRANGER)
            assert header(answer, "content-type") == kinds[Path(name).suffix]
        for wrong in (
            "../private.js",
            "%2e%2e/private.js",
            "..%2fprivate.js",
            "%2e%2e%2fprivate.js",
            "..%5cprivate.js",
            "parts/../../private.js",
            "parts/../site.js/../../private.js",
            "./../data/infila.db",
            "../data/secret",
            f"{tmp_path}/private.js",
            f"%2f{tmp_path}/private.js",
            "//etc/passwd",
            "file:///etc/passwd",
            ".env",
            ".git/config.json",
            "parts/.hidden.js",
            "notes.md",
            "infila.db",
            "linked.js",
            "linked/private.js",
            "round/site.js",
            "SITE.JS",
            "site.js%00.png",
            "parts",
            "parts/",
            "x" * 400,
            "x" * 3000,
        ):
            answer = await server.ask("GET", f"/anywhere/{wrong}", STRANGER)
            assert status(answer) in (400, 404, 414) and b"private" not in body(answer), wrong
            assert header(answer, "content-security-policy") == CONTENT_POLICY
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert status(await server.ask(method, "/anywhere/", STRANGER)) == 405

    at_server(tmp_path, scenario)


def test_it_may_load_what_python_in_a_page_needs_and_the_servers_own_pages_may_not(tmp_path: Path) -> None:
    small_site(tmp_path / "site")

    async def scenario(server: Server) -> None:
        anna = await server.browser(await server.app.service.people.welcome("Annabella"))
        answers = [await server.ask("GET", "/anywhere/", who) for who in (STRANGER, anna)]
        assert answers[0] == answers[1] and not header(answers[1], "set-cookie")
        assert header(answers[0], "content-security-policy") == SITE_POLICY
        assert answers[0].count(b"content-security-policy") == 1 and header(answers[0], "x-content-type-options")
        assert "'wasm-unsafe-eval'" in SITE_POLICY and "'unsafe-eval'" not in SITE_POLICY
        assert "unsafe-inline" not in SITE_POLICY and "frame-ancestors 'self'" in SITE_POLICY
        for path in ("/", "/mine", "/offline", "/sw.js"):
            assert header(await server.ask("GET", path, anna), "content-security-policy") == CONTENT_POLICY

    at_server(tmp_path, scenario)


def test_its_own_address_ends_with_a_slash(tmp_path: Path) -> None:
    small_site(tmp_path / "site")

    async def scenario(server: Server) -> None:
        for asked, wanted in (("", "/anywhere/"), ("?/play/zatre", "/anywhere/?/play/zatre")):
            answer = await server.ask("GET", f"/anywhere{asked}", STRANGER)
            assert status(answer) == 308 and header(answer, "location") == wanted
        answer = await server.ask("GET", "/anywhere?//evil.test/", STRANGER)
        assert header(answer, "location") == "/anywhere/?//evil.test/"

    at_server(tmp_path, scenario)


def test_browsers_ask_whether_it_has_changed_and_get_it_small(tmp_path: Path) -> None:
    site = small_site(tmp_path / "site")
    (site / "large.json").write_text("[" + "1," * 200_000 + "1]")

    async def scenario(server: Server) -> None:
        whole = await server.ask("GET", "/anywhere/large.json", STRANGER)
        small = await server.ask("GET", "/anywhere/large.json", {"accept-encoding": "br, gzip"})
        assert gzip.decompress(body(small)) == body(whole) and len(body(small)) < 5000
        assert header(small, "content-length") == str(len(body(small)))
        refused = await server.ask("GET", "/anywhere/large.json", {"accept-encoding": "gzip; q=0"})
        assert body(refused) == body(whole)
        assert header(whole, "cache-control") == "no-cache" and header(whole, "vary") == "accept-encoding"
        again = await server.ask("GET", "/anywhere/large.json", {"if-none-match": header(small, "etag")})
        assert status(again) == 304 and not body(again) and header(again, "etag") == header(small, "etag")
        (site / "large.json").write_text("[]")  # it is as it was when the server started
        assert await server.ask("GET", "/anywhere/large.json", STRANGER) == whole

    at_server(tmp_path, scenario)


def test_a_large_file_is_sent_in_pieces_that_wait_for_each_other() -> None:
    content = os.urandom(3 * PIECE + 1)
    pieces: list[bytes] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            pieces.append(message["body"])
            assert message["more_body"] == (len(pieces) < 4)

    asyncio.run(Sending(200, {}, content)(None, None, send))  # type: ignore[arg-type]
    assert b"".join(pieces) == content and max(map(len, pieces)) == PIECE


def test_who_fetches_it_again_and_again_is_told_to_wait(tmp_path: Path) -> None:
    site = small_site(tmp_path / "site")
    (site / "large.zip").write_bytes(os.urandom(10_000_000))

    async def scenario(server: Server) -> None:
        answers = [await server.ask("GET", "/anywhere/large.zip", STRANGER) for _ in range(60)]
        assert {status(answer) for answer in answers[:30]} == {200}, "a school class gets it"
        assert status(answers[-1]) == 429 and header(answers[-1], "retry-after")
        other = await server.ask("GET", "/anywhere/", STRANGER, address="198.51.100.7")
        assert status(other) == 200

    at_server(tmp_path, scenario, limits=True, now=lambda: 1e9)


def test_without_a_site_there_is_nothing_and_nobody_is_sent_there(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            for path in ("/anywhere/", "/anywhere", "/anywhere/sw.js"):
                answer = await server.ask("GET", path, STRANGER)
                assert status(answer) in (308, 404)
            front = await server.ask("GET", "/", {"accept": "text/html"})
            assert status(front) == 200 and b"/anywhere/" not in front and b"data-site" not in front

    asyncio.run(asyncio.wait_for(scenario(), 100))


def test_a_folder_that_is_no_site_keeps_the_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CannotServe, match="there is no folder"):
        Site(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(CannotServe, match="there is no folder"):
        Site(tmp_path / "file")
    (tmp_path / "index.html").touch()
    with pytest.raises(CannotServe, match=r"is no site: it has no sw\.js\. To write one there: infila site "):
        Site(tmp_path)
    small_site(tmp_path / "site")
    monkeypatch.setattr(anywhere, "LARGEST", 500)
    with pytest.raises(CannotServe, match="more than"):
        Site(tmp_path / "site")
