"""Puzzles under attack: numbers and moves that are none, cookies that lie, and too much at once."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from infila.puzzles.attempt import Progress
from infila.puzzles.collection import shipped
from infila.server.app import create_app
from infila.server.limits import LIMITS
from infila.server.settings import Settings
from infila.wasm.use import modules_in_use
from tests.server.database import data_for

GAME = "take_that"
HERE = f"/puzzles/{GAME}/1"
JSON = {"accept": "application/json"}

pytestmark = pytest.mark.slow


def opened(folder: Any, **settings: Any) -> TestClient[Any]:
    client = TestClient(create_app(Settings(data=data_for(folder), **settings)), base_url="http://testserver.local")
    client.headers.update({"sec-fetch-site": "same-origin"})
    return client


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    with modules_in_use(), opened(tmp_path_factory.mktemp("data"), limits=False) as here:
        yield here


@pytest.fixture
def client(house: TestClient[Any]) -> TestClient[Any]:
    """Somebody new."""
    house.cookies.clear()
    return house


def tried(client: TestClient[Any], move: Any, at: str = HERE) -> Any:
    return client.post(f"{at}/moves", json={"move": move, "version": 0}, headers=JSON)


def test_nobody_needs_an_account_and_nobody_becomes_somebody(client: TestClient[Any]) -> None:
    puzzle = shipped(GAME)[0]
    wrong = next(iter(puzzle.costs))
    assert client.get("/puzzles").status_code == client.get(HERE).status_code == 200
    answer = tried(client, wrong)
    assert f"costs {puzzle.costs[wrong]} points" in answer.json()["fragments"]["say"]
    assert answer.json()["moves"], "it can be tried again"
    answer = tried(client, puzzle.best[0])
    assert answer.json()["show"] and not answer.json()["moves"]
    assert set(client.cookies) == {"tries", f"puzzles-{GAME}"}
    assert client.get("/puzzles").text.count('class="found"') == 1


def test_a_solution_that_was_shown_was_not_found(client: TestClient[Any]) -> None:
    assert client.post(f"{HERE}/solution", headers=JSON).json()["show"]
    assert tried(client, shipped(GAME)[0].best[0]).json()["show"]
    assert client.post(f"{HERE}/again", headers=JSON).json()["show"] == []
    tried(client, shipped(GAME)[0].best[0])
    progress = Progress.read(client.cookies[f"puzzles-{GAME}"])
    assert progress.shown == {1} and progress.found == set()
    assert client.post(f"{HERE}/next", headers=JSON).json()["url"].startswith(f"/puzzles/{GAME}/")


@pytest.mark.parametrize(
    "path",
    [
        *(f"/puzzles/{GAME}/{number}" for number in ("0", "-1", "99999", "1e3", "x", "%00", "１", "9" * 400)),
        "/puzzles/chess/1",
        "/puzzles/..%2f..%2fetc/1",
        "/puzzles/<script>/1",
    ],
)
def test_what_is_no_puzzle_is_not_found(client: TestClient[Any], path: str) -> None:
    for ask in (client.get(path), client.get(f"{path}/state"), tried(client, "take", path)):
        assert 400 <= ask.status_code < 500 and "Traceback" not in ask.text
        assert "<script>/" not in ask.text and (
            ask.headers["content-type"] == "application/json" or "'<" not in ask.text
        )


@pytest.mark.parametrize("body", [{}, [], "take", {"move": 1, "version": 0}, {"move": "take", "version": -1}, None])
def test_what_is_no_try_is_refused(client: TestClient[Any], body: Any) -> None:
    answer = client.post(f"{HERE}/moves", json=body, headers=JSON)
    assert 400 <= answer.status_code < 500 and answer.json()["error"]


@pytest.mark.parametrize("move", ["", "nonsense", "2: take", "x" * 80, "\0", "98", "<b>"])
def test_an_illegal_move_is_answered_as_at_a_table(client: TestClient[Any], move: str) -> None:
    answer = tried(client, move)
    assert 400 <= answer.status_code < 500 and answer.json()["error"]
    assert "tries" not in client.cookies


@pytest.mark.parametrize(
    "cookie", ["", ".", "....", f"{GAME}.1", f"{GAME}.1.99999", f"{GAME}.1.-1.x.shown.shown", "a" * 3000, "%ff.1.\\"]
)
def test_a_cookie_that_lies_does_no_harm(client: TestClient[Any], cookie: str) -> None:
    client.cookies.set("tries", cookie)
    client.cookies.set(f"puzzles-{GAME}", cookie)
    assert client.get(HERE).status_code == client.get("/puzzles").status_code == 200
    assert tried(client, shipped(GAME)[0].best[0]).status_code == 200


def test_a_page_has_no_answer_before_a_try(client: TestClient[Any]) -> None:
    puzzle = shipped(GAME)[0]
    for path in (HERE, f"{HERE}/state", "/puzzles"):
        text = client.get(path).text
        assert "points of chance" not in text and "costs at least" not in text
    assert f"costs {min(puzzle.costs.values())} points" not in client.get(HERE).text


def test_too_much_at_once_is_too_much(tmp_path: Any) -> None:
    with modules_in_use(), opened(tmp_path, limits=True, now=lambda: 1e9) as client:
        codes = {tried(client, "nonsense").status_code for _ in range(int(LIMITS["act"].burst) + 20)}
    assert 429 in codes and max(codes) == 429
