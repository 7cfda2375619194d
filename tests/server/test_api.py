"""The HTTP API: as a program uses it, and as one should not."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

import infila
from infila.server import creation
from infila.server.endpoints import ENDPOINTS
from infila.server.errors import TooMuch
from infila.server.identity import COOKIE, Signer
from infila.server.limits import (
    LARGEST_BODY,
    LARGEST_LOG,
    LIMITS,
    LONGEST_MESSAGE,
    LONGEST_MOVE,
    LONGEST_NAME,
    MOST_STREAMS,
    Limiter,
)
from tests.play import position_in
from tests.server.asgi import Server, content, status
from tests.server.desk import Clock
from tests.server.postgres import installed, needed
from tests.server.running import Person, running
from tests.server.spread import spread

__all__ = ["installed"]


@pytest.fixture(scope="module", params=["one server", pytest.param("two servers", marks=[needed, pytest.mark.slow])])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of one server, or of two on one PostgreSQL, between which connections take turns. Every test has people and
    tables of its own."""
    folder = tmp_path_factory.mktemp("served")
    if request.param == "one server":
        with running(folder) as address:
            yield address
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("INFILA_TEST_DATABASE", request.getfixturevalue("installed").url)
        patched.setenv("XDG_DATA_HOME", "")  # what `data_for` sets is undone
        with running(folder) as first, running(folder) as second, spread(first, second) as address:
            yield address


def two_at_a_table(address: str, game: str = "take_that") -> tuple[list[Person], str]:
    people = [Person(address, "Anna"), Person(address, "Bruno")]
    table = people[0].post("/tables", json={"game": game, "seats": ["me", "open"], "private": False}).json()["id"]
    assert people[1].post(f"/tables/{table}/seat", json={}).status_code == 200
    return people, table


def test_two_programs_play_a_game_by_events_alone(address: str) -> None:
    people, table = two_at_a_table(address)
    seen: dict[str, Any] = {}
    with people[0].events(table) as first, people[1].events(table) as second:
        streams = [first, second]
        views = [next(stream)["data"] for stream in streams]
        while not views[0]["over"]:
            mover = views[0]["player"] - 1
            assert views[mover]["moves"] and not views[1 - mover]["moves"]
            answer = people[mover].move(table, views[mover]["moves"][0], views[mover]["version"])
            assert answer.status_code == 201
            for i, stream in enumerate(streams):
                event = next(event for event in stream if event["event"] == "move")
                views[i] = event["data"]
                assert int(event["id"]) == answer.json()["number"]
                assert set(str(views[i]["position"]["hands"][1 - i])) <= set("['?', ]") or views[i]["over"]
        seen = views[0]
    log = people[0].get(f"/tables/{table}/log").text
    game = infila.load(log)
    assert game.over and game.scores == seen["scores"] and seen["seed"] == game.seed
    assert [winner - 1 for winner in seen["winners"]] == game.winners
    uploaded = people[1].post("/logs", json={"log": log}).json()
    assert uploaded["over"] and uploaded["scores"] == seen["scores"]
    earlier = people[1].get(f"/tables/{table}", params={"moves": 4, "seat": 1}).json()
    assert earlier["played"] == 4 and earlier["seat"] == 1
    statistics = people[1].get("/me/statistics").json()
    assert statistics[0]["played"] == 1


def test_a_stream_goes_on_after_the_last_event_one_had(address: str) -> None:
    people, table = two_at_a_table(address)
    with people[0].events(table) as stream:
        last = int(next(stream)["id"])
    for _ in range(3):
        views = [person.see(table) for person in people]
        mover = views[0]["player"] - 1
        people[mover].move(table, views[mover]["moves"][0], views[mover]["version"])
    with people[0].events(table, last) as stream:
        assert [int(next(stream)["id"]) for _ in range(3)] == [last + 1, last + 2, last + 3]


def test_a_repeated_key_is_one_move_and_an_old_version_a_conflict(address: str) -> None:
    people, table = two_at_a_table(address)
    views = [person.see(table) for person in people]
    mover = views[0]["player"] - 1
    text, version = views[mover]["moves"][0], views[mover]["version"]
    first = people[mover].move(table, text, version, "once")
    again = people[mover].move(table, text, version, "once")
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    late = people[mover].move(table, text, version, "twice")
    assert late.status_code == 409 and late.json()["version"] == first.json()["version"]
    assert people[0].see(table)["played"] == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "sentence"),
    [
        ("GET", "/tables/nowhere", None, 404, "there is no such table"),
        ("GET", "/nowhere", None, 404, "Not Found"),
        ("POST", "/tables", {"game": "chess"}, 400, "there is no game 'chess'"),
        ("POST", "/tables", {"gam": "chess"}, 400, "unknown field"),
        ("POST", "/tables", {"game": "zatre", "options": {"players": 99}}, 400, "players cannot be 99"),
        ("POST", "/logs", {"log": "x"}, 400, "this is not an infila log"),
        ("POST", "/me", {"name": " \u200b"}, 400, "at least one visible character"),
        ("GET", "/tables/nowhere/events", None, 404, "there is no such table"),
        ("DELETE", "/tables", None, 405, "Method Not Allowed"),
    ],
)
def test_mistakes_get_one_sentence(address: str, method: str, path: str, body: Any, status: int, sentence: str) -> None:
    answer = Person(address, "Anna").request(method, path, json=body)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


def test_a_refused_move_names_the_rule(address: str) -> None:
    people, table = two_at_a_table(address)
    views = [person.see(table) for person in people]
    mover = views[0]["player"] - 1
    answer = people[mover].move(table, "take", views[mover]["version"])
    assert answer.status_code == 422 and answer.json()["rule"] == "T4"
    answer = people[1 - mover].move(table, "take", views[mover]["version"])
    assert answer.status_code == 422 and "it is not your turn" in answer.json()["error"]


def test_who_is_nobody_can_look_but_not_act(address: str) -> None:
    _, table = two_at_a_table(address)
    nobody = Person(address)
    assert nobody.see(table)["seat"] is None
    for path in (f"/tables/{table}/moves", f"/tables/{table}/chat"):
        body = {"move": "take", "version": 1} if path.endswith("moves") else {"text": "hello"}
        assert nobody.post(path, json=body).status_code == 401
    for token in ("infila_x_y", "x", "é"):
        answer = nobody.get("/me", headers={b"authorization": f"Bearer {token}".encode()})
        assert answer.status_code == 401


def test_a_cookie_counts_only_from_our_own_pages(address: str) -> None:
    with closing(Person(address)) as person:
        person.post(f"{address}/name", data={"name": "Anna"}, headers={"origin": address})
        cookie = person.cookies[COOKIE].partition(".")[0]
        assert person.get("/me").json() == {"name": "Anna"}
        for headers, status in (
            ({"origin": "https://elsewhere.example"}, 403),
            ({}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": address}, 200),
            ({"sec-fetch-site": "same-origin"}, 200),
        ):
            assert person.post("/me", json={"name": "Bea"}, headers=headers).status_code == status
        person.cookies.set(COOKIE, Signer("another secret").cookie(cookie))
        assert person.get("/me").status_code == 401


def test_every_answer_has_the_headers_that_protect(address: str) -> None:
    for path in ("/api/v1/tables", "/api/v1/nowhere", "/api/v1/openapi.json"):
        answer = httpx.get(address + path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_too_much_is_too_much(tmp_path: Path) -> None:
    with running(tmp_path, limits=True) as address:
        anna = Person(address, "Anna")
        made = [anna.post("/tables", json={"game": "take_that", "seats": ["me", "open"]}) for _ in range(30)]
        assert [answer.status_code for answer in made].count(201) == LIMITS["make"].burst
        assert made[-1].status_code == 429 and "Wait a little" in made[-1].json()["error"]
        assert anna.post("/tables", content=b" " * 100_000).status_code == 413
        assert anna.post("/logs", content=b" " * 2_000_000).status_code == 413


def test_only_so_many_streams_at_once() -> None:
    limiter = Limiter(Clock(), active=True)
    with ExitStack() as stack:
        for _ in range(MOST_STREAMS):
            stack.enter_context(limiter.stream("anna", "192.0.2.1"))
        with pytest.raises(TooMuch, match="Close some"), limiter.stream("anna", "192.0.2.1"):
            pass
        with limiter.stream("bruno", "192.0.2.1"):
            pass
    with limiter.stream("anna", "192.0.2.1"):
        pass


def test_looking_is_limited_too(tmp_path: Path) -> None:
    with running(tmp_path, limits=True, now=Clock()) as address, httpx.Client(base_url=address) as client:
        answers = [client.get("/api/v1/games").status_code for _ in range(int(LIMITS["read"].burst) + 1)]
        assert answers[-2:] == [200, 429]
        assert client.get("/", headers={"accept": "text/html"}).status_code == 429
        assert client.get("/static/page.js").status_code == 200


def test_the_document_describes_everything(address: str) -> None:
    document = httpx.get(f"{address}/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert {"get", "post"} <= set(document["paths"]["/api/v1/tables"])
    assert len(document["paths"]) >= 20
    assert not any("schema" in path for path in document["paths"])
    for each in ENDPOINTS:
        told = document["paths"][f"/api/v1/tables/{{table}}/{each.path}"]["delete" if each.delete else "post"]
        assert told["summary"] == each.summary and {"400", "401", "404", "422", "429"} <= told["responses"].keys()
        assert ("requestBody" in told) == (each.body is not None and not each.delete)


def test_the_docs_tell_the_limits() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "how-to" / "playing.md").read_text(encoding="utf-8").split())
    assert f"A name has at most {LONGEST_NAME} characters, a message {LONGEST_MESSAGE}, a move {LONGEST_MOVE}." in text
    assert f"at most {LARGEST_LOG:,} bytes, any other request {LARGEST_BODY:,}." in text


@pytest.mark.parametrize("reading", ["parse", "set_up", "_replayed"])
def test_others_are_answered_while_a_log_or_a_position_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    """Either may be large, and whoever reads it does so in a thread: here it waits until somebody else was answered."""
    begun, answered = threading.Event(), threading.Event()
    real = getattr(creation, reading)

    def read(*given: Any) -> Any:
        begun.set()
        assert answered.wait(5), "nobody else was answered meanwhile"
        return real(*given)

    monkeypatch.setattr(creation, reading, read)
    game = infila.new("take_that", seed=1)
    sent: dict[str, tuple[str, dict[str, Any]]] = {
        "set_up": ("/tables", {"game": "take_that", "position": position_in(game)}),
    }
    path, body = sent.get(reading, ("/logs", {"log": game.save()}))

    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            token = content(await server.ask("POST", "/api/v1/people", {}, {"name": "Anna"}))["token"]
            headers = {"authorization": f"Bearer {token}"}
            asked = asyncio.create_task(server.ask("POST", f"/api/v1{path}", headers, body))
            while not begun.is_set() and not asked.done():
                await asyncio.sleep(0.001)
            assert status(await server.ask("GET", "/api/v1/tables", headers)) == 200
            answered.set()
            assert status(await asked) == 201

    asyncio.run(scenario())
