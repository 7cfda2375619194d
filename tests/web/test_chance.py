"""The browser's part in the shuffle: made without anybody's doing, kept over a reload, and checked by itself."""

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error

import infila
from infila.core.log import parse
from infila.core.seeds import words_commitment
from tests.web.house import House, Person

FORM = "/new?game=take_that&rounds=1&seat-1=me&seat-2="
SIT = "[data-post='/seat']:not([data-method])"
CHANCE = re.compile(r'(<script type="application/json" id="chance">)(.*?)(</script>)')


def made(person: Person, other: str = "open") -> str:
    """A table from the form, as somebody with a script makes it; its path."""
    page = person.visit(FORM + other)
    page.click(".fin .primary")
    page.wait_for_selector(".wait h1, .table")
    return str(page.url.removeprefix(person.house.address))


def log_of(person: Person, table: str) -> infila.core.log.Log:
    return parse(person.context.request.get(f"{person.house.address}{table}/log").text())


def lying(person: Person, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """A server that tells this person's script something else; what the script sends is noted and goes nowhere."""
    posted: list[str] = []

    def other(route: Any) -> None:
        answer = route.fetch()
        text = answer.text()
        if found := CHANCE.search(text):
            facts = json.loads(found[2])
            change(facts)
            text = text.replace(found[2], json.dumps(facts).replace("<", "\\u003c"))
        with suppress(Error):  # the page may have gone on meanwhile
            route.fulfill(response=answer, body=text)

    def note(route: Any) -> None:
        posted.append(route.request.url.rpartition("/")[2])
        route.abort()

    person.context.route(re.compile(r"/t/\w+(\?.*)?$"), other)
    person.context.route(re.compile(r"/t/\w+/(open|commit)$"), note)
    return posted


def test_the_script_hashes_as_everybody_does(house: House) -> None:
    anna = house.person("Anna")
    texts = ["", "abc", *("a" * size for size in (55, 56, 63, 64, 65, 119, 120)), "ü€😀" * 40, "x" * 1000]
    page = anna.visit("/mine")
    code = "async (texts) => { const { sha256 } = await import('/static/chance.js'); return texts.map(sha256); }"
    assert page.evaluate(code, texts) == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    code = "async () => { const { committed } = await import('/static/chance.js'); return committed('abc', 3); }"
    assert page.evaluate(code) == words_commitment("abc", 3)
    anna.leave()


def test_a_game_alone_begins_by_itself_and_is_dealt_from_the_browsers_contribution(house: House) -> None:
    anna = house.person("Anna")
    page = anna.visit("/")
    page.click("form[action='/play/take_that'] button")
    page.click("button[name=level]:focus")  # asked once
    page.wait_for_selector(".table")
    log = log_of(anna, page.url.removeprefix(house.address))
    kept = json.loads(page.evaluate("(key) => localStorage[key]", f"chance:{log.commitments[0]}"))
    assert log.words == (kept["words"], "") and len(kept["words"]) == 64
    assert page.is_hidden("#warning")
    hot = made(anna, "me")
    anna.page.wait_for_selector(".table")
    assert [bool(words) for words in log_of(anna, hot).words] == [True, False]
    anna.leave()


def test_two_browsers_contribute_and_each_checks_the_whole(house: House) -> None:
    """One of them is closed between committing and opening, and comes back."""
    anna, bruno = house.person("Anna"), house.person("Bruno")
    table = made(anna)
    bruno.context.route("**/open", lambda route: route.abort())
    page = bruno.visit(table)
    page.click(SIT)
    page.wait_for_selector("h1:has-text('shuffling')")
    anna.page.wait_for_selector(".tag:has-text('ready')")
    anna.page.reload()
    assert "guest 2" in anna.page.inner_text("main")
    bruno.context.unroute("**/open")
    bruno.visit_anew(table).wait_for_selector(".table")
    anna.page.wait_for_selector(".table")
    log = log_of(anna, table)
    assert log.attempts == 1 and all(log.words) and all(log.commitments)
    bruno.post(f"{table}/resign")
    for person in (anna, bruno):
        told = person.visit(table).inner_text(".proof")
        assert "verified" in told and "Your browser has checked" in told
        assert person.page.is_hidden("#warning")
    watching = house.person("Carla")
    assert "Your browser" not in watching.visit(table).inner_text(".proof")
    for facts, said in (
        ({"seed": "another"}, "not the shuffle"),
        ({"words": ["0" * 64, log.words[1]]}, "not the shuffle"),
        ({"rules": "take_that 1 players=2 rounds=1 expert=no dealer=1"}, "not the shuffle"),
        ({"mine": ""}, "left your browser out"),
        ({"mine": log.commitments[1]}, "Another browser"),
    ):
        lying(anna, lambda known, facts=facts: known.update(facts))  # type: ignore[misc]
        anna.visit(table)
        assert said in anna.page.inner_text("#warning") and anna.page.is_hidden("#checked")
        anna.context.unroute_all()
    for person in (anna, bruno, watching):
        person.leave()


def test_a_lost_contribution_is_made_anew_and_everybody_is_told(house: House) -> None:
    anna, bruno = house.person("Anna"), house.person("Bruno")
    table = made(anna)
    bruno.context.route("**/open", lambda route: route.abort())
    bruno.visit(table).click(SIT)
    bruno.page.wait_for_selector("h1:has-text('shuffling')")
    bruno.visit_anew("/").evaluate("() => localStorage.clear()")
    bruno.context.unroute("**/open")
    bruno.visit(table).click("#anew")
    for person in (anna, bruno):
        person.page.wait_for_selector(".table")
        assert "attempt 2 of 5" in person.page.text_content("#talk")
        assert person.page.is_hidden("#warning")
    assert log_of(anna, table).attempts == 2
    for person in (anna, bruno):
        person.leave()


def test_a_browser_opens_nothing_for_a_server_that_changes_its_mind(house: House) -> None:
    anna, bruno = house.person("Anna"), house.person("Bruno")
    table = made(anna)
    posted = lying(anna, lambda facts: facts.update(commitment="0" * 64))
    bruno.visit(table).click(SIT)
    anna.page.wait_for_selector("#warning:has-text('changed what it had committed to')")
    bruno.page.wait_for_selector(".tag:has-text('ready')")
    assert posted == []
    anna.page.goto("about:blank")  # between two lies the page would hear the truth, and open
    anna.context.unroute_all()
    anna.context.route("**/open", lambda route: route.abort())  # it is sent, and the server says that it never came
    anna.visit_anew(table)
    anna.page.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('list'))")
    anna.page.goto("about:blank")  # the page would try again, before the server lies
    anna.context.unroute_all()
    posted = lying(anna, lambda facts: facts["commitments"].__setitem__(1, "0" * 64))
    anna.visit_anew(table)
    for _ in range(1500):
        if posted:
            break
        anna.page.wait_for_timeout(20)
    assert set(posted) == {"commit"}, "what was opened for others is not opened a second time"
    for person in (anna, bruno):
        person.context.unroute_all()
        person.visit("/")
        person.leave()
