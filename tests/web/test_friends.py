"""Friends come by a link: a name first, seats that fill before one’s eyes, somebody who watches, the home network."""

from typing import Any

import httpx
import pytest

from infila.server import house as houses
from tests.server.test_attacks_house import HOME, require_home
from tests.web.house import House, played

TYPED = "() => document.activeElement.id === 'nm' && document.activeElement.value"


def marked(page: Any) -> None:
    """So that a reload would be noticed."""
    page.evaluate("() => { window.stayed = true; }")


def test_names_are_asked_first_and_nobody_loses_what_they_type(house: House) -> None:
    anna, bruno, carla, dario = people = [house.person() for _ in range(4)]
    page = anna.visit("/new?game=take_that&players=3&rounds=1&seat-1=me&seat-2=open&seat-3=open")
    page.fill("input[name=name]", "Anna")
    page.click(".fin .primary")
    page.wait_for_selector(".wait")
    table = page.url
    marked(page)
    bruno.visit(table)
    assert bruno.page.evaluate(TYPED) == "guest 2"
    assert "reads; what spectators write" in bruno.page.inner_text("main")
    bruno.page.keyboard.type("Bru")
    marked(bruno.page)
    carla.visit(table).fill("#nm", "Carla")
    carla.page.click(".ws li:nth-child(3) [data-post='/seat']")
    for person in (anna, bruno):
        person.page.wait_for_selector(".ws li:nth-child(3):has-text('Carla')")
    anna.page.wait_for_selector(".ws li:nth-child(3):has-text('here')")
    bruno.page.keyboard.type("no")
    assert bruno.page.evaluate(TYPED) == "Bruno"
    assert anna.page.evaluate("() => window.stayed") and bruno.page.evaluate("() => window.stayed")
    bruno.page.keyboard.press("Enter")
    for person in (anna, bruno, carla):
        person.page.wait_for_selector(".table")
        assert person.page.text_content("#seats").count("Bruno") == 1

    page = dario.visit(table)
    assert page.evaluate(TYPED) == "guest 4"
    assert "Anna, Bruno and Carla play here" in page.inner_text(".whoru")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table:not(:has(~ .whoru))")
    assert page.query_selector(".whoru") is None
    dario.post(table.removeprefix(house.address) + "/chat", text="hello")
    page.wait_for_selector("#talk:has-text('guest 4 hello')", state="attached")
    assert "hello" not in anna.page.text_content("#talk")
    for person in people:
        person.leave()


def test_those_at_one_screen_have_names_of_their_own(house: House) -> None:
    anna = house.person("Anna")
    page = anna.visit("/new?game=take_that&seat-1=me&seat-2=club&dealer=2")
    assert page.is_hidden("[name=name-2]")
    page.select_option("[name=seat-2]", "me")
    page.fill("[name=name-2]", "Ben")
    page.fill("[name=name]", "Anna")
    page.click(".fin .primary")
    page.wait_for_selector("text=Anna: show my side")
    page.click("summary[aria-label=settings]")
    page.click(".menu a:has-text('names')")
    page.fill("#nm-2", "Benno")
    page.click("form:has(#nm-2) .btn")
    page.click("text=back to the table")
    page.wait_for_selector("#seats:has-text('Benno')")
    assert page.text_content("#seats").count("Anna") == 1
    anna.leave()


def test_a_hint_among_people_is_seen_by_all(house: House) -> None:
    anna, bruno = house.person("Anna"), house.person("Bruno")
    game = played("take_that", players=2, rounds=1, dealer=1)
    for person in (anna, bruno):
        person.visit(house.table_of(game, [anna, bruno], 2) if person is anna else anna.page.url)
    taker, other = (anna, bruno) if anna.page.query_selector("#acts .btn:has-text('hint')") else (bruno, anna)
    taker.page.click("#acts .btn:has-text('hint')")
    taker.page.wait_for_selector("#hint .take")
    other.page.wait_for_selector(f"#log li:last-child:has-text('{taker.name} took a hint.')", state="attached")
    assert taker.page.is_visible("#hint .take"), "it stays while all are told"
    without = anna.new_table("take_that", seat_2="open", dealer=2)
    bruno.post(f"{without}/seat")
    for person in (anna, bruno):
        person.visit(without).wait_for_selector("#say h1")
        assert person.page.query_selector("#acts .btn:has-text('hint')") is None
        assert not person.state(without)["hints"]
        person.leave()


def test_the_house_is_opened_with_one_click(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    require_home()
    monkeypatch.setattr(houses, "own_addresses", lambda **_: [HOME])
    anna = house.person("Anna")
    page = anna.visit(anna.new_table("zatre", seat_2="open"))
    assert "works only on this computer" in page.inner_text(".warn") and page.is_disabled("[data-share]")
    page.click("text=open it to this house")
    page.wait_for_selector(".wr:not(.local)")
    link = page.inner_text(".lk a")
    assert link.startswith(f"http://{HOME}:") and page.is_enabled("[data-share]")
    assert httpx.get(link).status_code == 200
    page.click("text=close it again")
    page.wait_for_selector(".wr.local")
    with pytest.raises(httpx.TransportError):
        httpx.get(link)
    anna.leave()
