"""Two browsers at one table, on two servers, while a third works on it and is killed: play goes on by itself."""

import time

import pytest
from playwright.sync_api import sync_playwright

from bench.faults import cluster_of
from bench.server import HOST
from tests.server.postgres import needed
from tests.web import browser as browsers
from tests.web.house import House

pytestmark = [needed, pytest.mark.long]
TAKEN_OVER = 10.0  # seconds
SHOWN = "(count) => document.querySelectorAll('#log li').length > count && !document.querySelector('.lost')"


def test_play_goes_on_when_the_server_of_the_table_is_killed() -> None:
    path = browsers.found()
    if path is None:
        pytest.skip("there is no browser")
    with cluster_of(3) as cluster, sync_playwright() as playwright:
        cluster.start()
        chromium = playwright.chromium.launch(executable_path=path or None, args=browsers.ARGUMENTS)
        houses = [House(f"http://{HOST}:{server.port}", chromium) for server in cluster.servers]
        anna, bruno = houses[0].person("Anna"), houses[0].person("Bruno")
        anna.post("/name", {"name": "Anna"})
        table = anna.new_table("take_that", players=2, seat_2="open")
        bruno.post("/name", {"name": "Bruno"})
        bruno.post(f"{table}/seat")
        for person, house in ((anna, houses[1]), (bruno, houses[2])):
            person.house = house  # a cookie counts at every port of a machine
            person.visit(table)
        count = 0

        def move() -> None:
            """Whoever is on turn moves, and both see it."""
            nonlocal count
            for person in (anna, bruno):
                state = person.state(table)
                if state["moves"]:
                    person.post(f"{table}/moves", move=state["moves"][0]["t"], version=state["version"])
                    break
            else:
                raise AssertionError("nobody is on turn")
            for person in (anna, bruno):
                person.page.wait_for_function(SHOWN, arg=count)
            count = anna.page.evaluate("() => document.querySelectorAll('#log li').length")

        move()
        move()
        began = time.monotonic()
        cluster.servers[0].kill()
        move()
        assert time.monotonic() - began < TAKEN_OVER
        move()
        assert anna.page.inner_text("#log") == bruno.page.inner_text("#log")
        for person in (anna, bruno):
            person.leave()
        chromium.close()
