"""Who plays against computers alone has them think in their own browser, and nobody else's."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from infila.server.pages.solo import scripts
from infila.server.solo import Solo
from infila.server.thinking import Thinkers
from tests.play import GAMES
from tests.server.desk import PATIENCE
from tests.web import browser as browsers
from tests.web.house import House, Person, open_house

pytestmark = pytest.mark.slow


class Count:
    """Where computers have thought."""

    def __init__(self) -> None:
        self.here = self.there = 0


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    found, think, thought = Count(), Thinkers.think, Solo.thought

    async def thinking(self: Thinkers, *given: Any) -> Any:
        found.here += 1
        return await think(self, *given)

    async def waiting(self: Solo, *given: Any) -> str:
        move = await thought(self, *given)
        found.there += bool(move)
        return move

    monkeypatch.setattr(Thinkers, "think", thinking)
    monkeypatch.setattr(Solo, "thought", waiting)
    return found


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Where tables wait longer for a browser than the busiest machine needs."""
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infila.server.solo.PATIENCE", PATIENCE)
        with open_house(tmp_path_factory.mktemp("patient")) as opened:
            yield opened


def visited(person: Person, table: str, page: Any = None) -> Any:
    """A table's page whose worker has said that it can think."""
    page = page or person.page
    with page.expect_response("**/events"), page.expect_response("**/task"):
        page.goto(person.house.address + table)
    return page


def play_on(person: Person, table: str, most: int = 1000) -> bool:
    """So many moves, each the first that there is, and the computers' answers; whether the game is over."""
    made, end = 0, time.monotonic() + PATIENCE
    while not (now := person.state(table))["over"]:
        assert time.monotonic() < end, "the computers do not go on"
        if now["moves"] and made == most:
            return False
        if now["moves"]:
            person.move(table, now["moves"][0]["t"], now["version"])
            made += 1
        else:
            time.sleep(0.01)
    return True


def new_table(person: Person, game: str, *computers: str, **options: Any) -> str:
    """A table of computers where it is this person's turn; who begins has made its move."""
    seats = {f"seat_{seat}": level for seat, level in enumerate(computers, 2)}
    table = person.new_table(game, players=1 + len(seats), **seats, **options)
    play_on(person, table, 0)
    return table


def page_of(person: Person, count: Count, game: str, *computers: str, **options: Any) -> tuple[str, Any]:
    """Such a table, and its page, which thinks from now on."""
    table = new_table(person, game, *computers, **options)
    page = visited(person, table)
    count.here = count.there = 0
    return table, page


def test_a_whole_game_takes_nothing_of_the_servers_thinking(patient: House, count: Count) -> None:
    """And of what a page is allowed, nothing more than another table's."""
    anna = patient.person("Anna")
    anna.page.on("console", lambda told: anna.problems.append(told.text) if told.type == "error" else None)
    table, page = page_of(anna, count, "take_that", "expert", "master", rounds=1)
    assert play_on(anna, table)
    page.wait_for_selector("#end .won, #end h2", state="attached")
    assert count.here == 0 and count.there > 5
    anna.leave()


@pytest.mark.parametrize("game", GAMES)
def test_the_computers_of_every_game_think_in_the_browser(patient: House, count: Count, game: str) -> None:
    anna = patient.person("Anna")
    table, _ = page_of(anna, count, game, "master")
    assert not play_on(anna, table, 10)
    assert count.here == 0 and count.there >= 3
    anna.leave()


def test_clicks_are_answered_from_the_worker(patient: House, count: Count) -> None:
    anna = patient.person("Anna")
    table, page = page_of(anna, count, "take_that", "master")
    told = anna.state(table)["count"]
    path = anna.state(table)["moves"][0]["p"]
    for part in path:
        page.locator(f"[data-part='{part}']:visible").first.dispatch_event("click")
    page.wait_for_selector(f"#log li:nth-child({told + 2})")
    assert count.here == 0 and count.there >= 1
    anna.leave()


def test_a_game_goes_on_in_two_tabs_and_after_a_reload(patient: House, count: Count) -> None:
    anna = patient.person("Anna")
    table, first = page_of(anna, count, "take_that", "expert")
    second = visited(anna, table, anna.context.new_page())
    play_on(anna, table, 2)
    visited(anna, table, first)
    play_on(anna, table, 2)
    first.close()
    play_on(anna, table, 2)
    assert count.here == 0 and not second.is_closed()
    anna.context.close()


@pytest.mark.parametrize("trouble", ["no modules", "damaged", "missing"])
def test_where_a_browser_cannot_think_the_server_does(patient: House, count: Count, trouble: str) -> None:
    anna = patient.person("Anna")
    table = new_table(anna, "take_that", "expert")
    if trouble == "no modules":
        anna.page.add_init_script("delete window.WebAssembly")
        anna.visit(table)
    else:
        damaged = {"body": b"nothing", "content_type": "application/wasm"}
        anna.context.route(
            "**/rules.wasm", lambda it: it.fulfill(**({"status": 404} if trouble == "missing" else damaged))
        )
        visited(anna, table)
    count.here = 0
    assert not play_on(anna, table, 3)
    assert count.here >= 1 and count.there == 0
    anna.leave()


def test_nothing_of_it_is_loaded_where_there_is_nothing_to_think_about(patient: House) -> None:
    """Among people, for who looks on, against computers that do not search, and in a replay."""
    anna, bruno = patient.person("Anna"), patient.person("Bruno")
    loaded: list[str] = []
    for person in (anna, bruno):
        person.page.on("request", lambda request: loaded.append(request.url))
    alone, club = new_table(anna, "take_that", "master"), new_table(anna, "take_that", "club")
    shared = anna.new_table("take_that", players="3", seat_2="master", seat_3="open")
    bruno.post(f"{shared}/seat")
    for person, path in ((anna, club), (anna, shared), (bruno, shared), (bruno, alone), (anna, f"{alone}?at=0")):
        with person.page.expect_event("load"):
            person.visit(path)
        person.page.wait_for_timeout(100)
    assert len(loaded) > 20 and not [url for url in loaded if "/solo/" in url or url.endswith("/task")]
    visited(anna, alone)
    assert [url for url in loaded if "/solo/" in url] and not [url for url in loaded if "rules." in url], "not yet"
    for person in (anna, bruno):
        person.leave()


def test_what_it_loads_is_small() -> None:
    loaded = scripts()[1]
    for name, file in loaded.items():
        assert not re.search(r"(^|\s)// \w", file.plain.decode()), name
    assert len(loaded["solo.js"].plain) <= 700, "which every page of a solo table loads"
    assert sum(len(file.plain) for file in loaded.values()) <= 7_000
