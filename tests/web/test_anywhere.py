"""A server that has the table as plain files too: it is offered, and where infila is installed, whoever plays alone
plays there."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.small_site import small_site
from tests.web import browser as browsers
from tests.web.house import House, Person, open_house

# what comes late by itself
AT_ONCE = """() => import(document.querySelector("[src*='/page.js']").src.replace("static/page", "installed"))"""
LINE = "text=Against the computer you can play without a network too."
# a window without the browser's own frame, which browsers of tests cannot have
STANDALONE = """{
  const own = window.matchMedia.bind(window);
  window.matchMedia = (asked) => (asked === "(display-mode: standalone)" ? { matches: true } : own(asked));
}"""
KEPT = """([scope]) => {
  navigator.serviceWorker.getRegistration(scope).then((found) => { window.found = found; });
  return window.found?.scope.endsWith(scope) && window.found.active?.state === "activated";
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    site = small_site(tmp_path_factory.mktemp("site"))
    with open_house(tmp_path_factory.mktemp("house"), site=str(site)) as opened:
        yield opened


@pytest.fixture
def anna(house: House) -> Iterator[Person]:
    person = house.person("Anna", service_workers="allow")
    yield person
    person.leave()


def installed(person: Person) -> Any:
    """The front page as an installed app shows it."""
    person.context.add_init_script(STANDALONE)
    return person.visit("/")


def test_it_is_offered_and_may_load_what_it_needs(anna: Person) -> None:
    page = anna.visit("/")
    page.click(LINE)
    page.wait_for_function("() => document.title === '1 true'")
    assert page.url.endswith("/anywhere/")


def test_in_a_browser_games_are_begun_on_the_server(anna: Person) -> None:
    page = anna.visit("/")
    page.click("text=play now")
    page.click("[name=level][value=beginner]")
    page.wait_for_selector(".table")
    assert "/t/" in page.url
    assert page.evaluate("() => navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 1


@pytest.mark.parametrize("path", ["/play/zatre", "/learn/sequence"])
def test_installed_whoever_plays_alone_plays_where_no_network_is_needed(anna: Person, path: str) -> None:
    page = installed(anna)
    page.wait_for_function(KEPT, arg=["/anywhere/"])
    page.click(f"form[action='{path}'] button >> nth=-1")
    page.wait_for_function("(title) => document.title === title", arg=f"1 true ?{path}")
    anna.context.set_offline(True)
    page.reload()
    page.wait_for_function("(title) => document.title === title", arg=f"1 true ?{path}")


def test_installed_a_table_for_oneself_is_made_where_no_network_is_needed(anna: Person) -> None:
    page = installed(anna)
    page.wait_for_function(KEPT, arg=["/anywhere/"])
    page.goto(page.url + "new?game=sequence&players=2")
    page.select_option("[name=seat-2]", "club")
    page.wait_for_load_state()
    page.evaluate(AT_ONCE)
    page.click(".newmain button.primary")
    page.wait_for_function("() => document.title.startsWith('1 true ?/new&begin=yes&game=sequence')")
    assert "seat-2=club" in page.url


def test_installed_a_table_for_several_is_the_servers(anna: Person) -> None:
    page = installed(anna)
    page.click("text=new table")
    page.wait_for_selector(".newmain")
    page.select_option("[name=seat-2]", "open")
    page.wait_for_load_state()
    page.click(".newmain button.primary")
    page.wait_for_selector(".table, .wait")
    assert "/t/" in page.url


def test_without_a_network_it_is_offered_where_it_is_kept(anna: Person) -> None:
    page = anna.visit("/")
    page.wait_for_function(KEPT, arg=["/"])
    anna.context.set_offline(True)
    page.click("form[action='/play/zatre'] .poster")
    page.wait_for_selector("h1:has-text('no network')")
    assert page.is_hidden("#without"), "it was never opened"
    anna.context.set_offline(False)
    page.wait_for_function("() => document.title.startsWith('1 true')")
    page.wait_for_function(KEPT, arg=["/anywhere/"])
    anna.context.set_offline(True)
    page = anna.visit("/mine")
    page.click("#without a")
    page.wait_for_function("() => document.title === '1 true'")
