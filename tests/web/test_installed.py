"""infila installed on a phone: what it needs for that, what it keeps, and what it says without a network."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient
from PIL import Image

from infila.core.words import LANGUAGES
from infila.server.pages.files import files
from infila.web.manifest import papers
from tests.web.house import House, Person, played
from tests.web.icons import drawings, icon

# whatever the browser keeps of pages and files: the address and text of each
KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      found[request.url.replace(location.origin, "")] = await (await cache.match(request)).text();
    }
  }
  return found;
}"""
# the service worker that answers for this page has settled in
SETTLED = """([ending]) => {
  const { controller } = navigator.serviceWorker;
  return controller?.state === "activated" && controller.scriptURL.endsWith(ending);
}"""
# what comes late by itself
AT_ONCE = """() => import(document.querySelector("[src*='/page.js']").src.replace("static/page", "installed"))"""
NOT_THERE = {"en": "no network", "it": "senza rete", "de": "kein Netz"}
AGAIN = {"en": "try again", "it": "riprova", "de": "noch einmal versuchen"}


@pytest.fixture
def anna(house: House) -> Iterator[Person]:
    person = house.person("Anna", service_workers="allow")
    yield person
    person.leave()


def kept(person: Person, path: str = "/") -> Any:
    """A page, once the browser has kept what it needs without a network."""
    page = person.visit(path)
    page.evaluate(AT_ONCE)
    settled(page)
    return page


def settled(page: Any, ending: str = "") -> None:
    page.wait_for_function(SETTLED, arg=[ending])


def gone(person: Person, path: str) -> Any:
    """Without a network the page that says so comes in the place of any other."""
    person.context.set_offline(True)
    page = person.visit(path)
    page.wait_for_selector("#without", state="attached")
    return page


def test_icons_are_what_is_drawn() -> None:
    """`python -m tests.web.icons` draws them anew."""
    for name, (side, scale) in drawings().items():
        pixels, drawn = (
            Image.open(io.BytesIO(each)).convert("RGBA") for each in (files()[name].plain, icon(side, scale))
        )
        assert pixels.size == (side, side) and pixels.tobytes() == drawn.tobytes(), name
        assert len(files()[name].plain) < 8000


def test_a_browser_is_told_how_to_install_it(client: TestClient[Any]) -> None:
    answer = client.get("/manifest.webmanifest")
    told = json.loads(answer.text)
    assert answer.headers["content-type"] == "application/manifest+json"
    assert (told["id"], told["start_url"], told["scope"], told["display"]) == ("/", "/", "/", "standalone")
    assert told["name"] == told["short_name"] == "infila" and told["theme_color"] == papers()[0]
    purposes = set()
    for each in told["icons"]:
        drawn = client.get(each["src"])
        assert drawn.headers["content-type"] == each["type"]
        if each["sizes"] != "any":
            pixels = Image.open(io.BytesIO(drawn.content))
            assert f"{pixels.width}x{pixels.height}" == each["sizes"]
            purposes.add((pixels.width, each["purpose"]))
    assert purposes == {(192, "any"), (512, "any"), (512, "maskable")}
    for shortcut in told["shortcuts"]:
        assert shortcut["name"].lower() in client.get(shortcut["url"]).text


def test_a_browser_finds_nothing_that_keeps_it_from_being_installed(anna: Person) -> None:
    """A page brings all of it by itself, after a while."""
    page = anna.visit("/")
    settled(page)
    wire = anna.context.new_cdp_session(page)
    assert wire.send("Page.getAppManifest")["errors"] == []
    found = wire.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {problem["errorId"] for problem in found} <= {"in-incognito"}  # as all browsers of tests are


def test_pages_carry_icons_and_the_colour_of_their_light(client: TestClient[Any]) -> None:
    colours = r'<meta name="theme-color" content="(#\w+)"(?: media="\(prefers-color-scheme: (\w+)\)")?>'
    page = client.get("/").text
    assert re.findall(colours, page) == list(zip(papers(), ("light", "dark"), strict=True))
    found = re.search(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
    assert found and Image.open(io.BytesIO(client.get(found[1]).content)).size == (180, 180)
    client.post("/theme", data={"theme": "switch"})
    assert re.findall(colours, client.get("/").text) == [(papers()[1], "")]


def test_the_service_worker_is_asked_for_each_time_and_changes_with_what_it_keeps(client: TestClient[Any]) -> None:
    answer = client.get("/sw.js?language=it&theme=")
    assert answer.headers["cache-control"] == "no-cache" and answer.headers["content-type"].startswith(
        "text/javascript"
    )
    assert answer.text == client.get("/sw.js").text
    told = re.match(r'const EDITION="\w{10}", FILES=(\[.*?\]);const CACHE = ', answer.text)
    assert told
    page = client.get("/offline?language=it").text
    wanted = re.findall(r'(?:src|href)="(/(?:static|installed)[^"]*)"', page)
    assert sorted(json.loads(told[1])) == sorted(name for name in wanted if "icon-180" not in name)
    for name in json.loads(told[1]):
        assert client.get(name).status_code == 200, name


def test_the_kept_page_is_nobodys(client: TestClient[Any]) -> None:
    """Its address says how it looks; whoever asks gets the same, and no cookie."""
    pages = {}
    for language in LANGUAGES:
        for theme in ("", "dark"):
            address = f"/offline?language={language}&theme={theme}"
            answer = client.get(address)
            assert "set-cookie" not in answer.headers
            pages[language, theme] = answer.text
            assert f"<h1>{NOT_THERE[language]}</h1>" in answer.text and ('data-theme="dark"' in answer.text) == (
                theme != ""
            )
    client.post("/name", data={"name": "Annabella"})
    client.post("/language", data={"language": "de"})
    assert client.get("/offline?language=it&theme=").text == pages["it", ""]
    for wrong in ("/offline", "/offline?language=../de&theme=<script>", "/offline?language=IT&theme=x"):
        assert client.get(wrong).text == pages["en", ""]
    for path in ("/sw.js", "/installed.js", "/manifest.webmanifest"):
        answer = client.get(path)
        assert "set-cookie" not in answer.headers and "Annabella" not in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_network_a_page_says_so_in_the_readers_language(house: House, language: str) -> None:
    """And in the light that they have chosen; another language is kept as soon as it is."""
    guest = house.person(locale=f"{language}-CH", service_workers="allow")
    kept(guest)
    page = gone(guest, "/mine")
    assert page.inner_text("h1") == NOT_THERE[language] and page.inner_text(".btn.primary") == AGAIN[language]
    assert page.get_attribute("html", "lang") == language and page.url.endswith("/mine")
    assert page.evaluate("() => document.styleSheets.length") == 3 and page.is_hidden("#without")
    guest.context.set_offline(False)
    page.wait_for_selector(".plain.own")
    other = {"it": "en", "en": "de", "de": "it"}[language]
    page.click("[action='/theme'] button")
    page.wait_for_selector("html[data-theme=dark]")
    page.click(f".lang button[value={other}]")
    page.wait_for_selector(f"html[lang={other}]")
    page.evaluate(AT_ONCE)
    settled(page, f"?language={other}&theme=dark")
    page = gone(guest, "/")
    assert page.inner_text("h1") == NOT_THERE[other] and page.get_attribute("html", "data-theme") == "dark"
    guest.leave()


def test_nothing_is_kept_of_what_people_see(house: House, anna: Person) -> None:
    """Of all pages that somebody has seen the browser keeps none, and hands none on to whoever comes next."""
    kept(anna)
    table = house.table_of(played("take_that", players=2, rounds=1, dealer=1), [anna, house.person("Bruno")], 2)
    anna.post("/name", {"name": "Annabella"})
    for path in (table, "/mine", "/devices", "/", f"{table}/state", "/rules/zatre"):
        page = anna.visit(path)
        page.wait_for_load_state("load")
    page.wait_for_timeout(100)
    found = page.evaluate(KEPT)
    assert [address for address in found if not address.startswith(("/static/", "/installed.js"))] == [
        "/offline?language=en&theme="
    ]
    assert not [address for address, text in found.items() if "Annabella" in text or table in text]
    page = gone(anna, table)
    assert "Annabella" not in page.content() and not page.query_selector(".table")


def test_a_page_comes_back_with_the_network(anna: Person) -> None:
    """By itself, or by its button; a form leads to the same page and not to an error of the browser's."""
    page = kept(anna)
    anna.context.set_offline(True)
    page.click("form[action='/play/zatre'] .poster")
    page.wait_for_selector("#without", state="attached")
    page.click("text=try again")
    page.wait_for_load_state("load")
    assert page.inner_text("h1") == "no network"
    anna.context.set_offline(False)
    page.wait_for_selector(".posters")


def test_a_new_edition_takes_over_and_the_old_one_goes(anna: Person) -> None:
    """Also what another edition has kept; what is not the server's stays."""
    page = kept(anna)
    page.evaluate("() => Promise.all(['infila-served-old', 'infila-files-1'].map((name) => caches.open(name)))")
    page.click("[action='/theme'] button")
    page.wait_for_selector("html[data-theme=dark]")
    page.evaluate(AT_ONCE)
    settled(page, "theme=dark")
    names = page.evaluate("() => caches.keys()")
    assert len(names) == 2 and "infila-files-1" in names and "infila-served-old" not in names


def test_what_goes_on_is_left_alone(house: House, anna: Person) -> None:
    """Streams, acts and downloads do not pass through the service worker."""
    kept(anna)
    bruno = house.person("Bruno")
    table = house.table_of(played("take_that", players=2, rounds=1, dealer=1), [anna, bruno], 2)
    answers: dict[str, bool] = {}
    anna.page.on("response", lambda answer: answers.update({answer.url: answer.from_service_worker}))
    page = anna.visit(table)
    page.wait_for_selector("#log li")
    page.evaluate("(path) => fetch(path, { method: 'POST', body: '{}' })", f"{table}/hint")
    with page.expect_download() as download:
        page.evaluate(
            "(href) => Object.assign(document.createElement('a'), { href, download: 'x.log' }).click()", f"{table}/log"
        )
    assert download.value.path().read_text(encoding="utf-8").startswith("infila log")
    through = {address.removeprefix(house.address).partition("?")[0] for address, by in answers.items() if by}
    assert f"{table}/hint" not in through and f"{table}/log" not in through and f"{table}/events" not in through
    assert f"{house.address}{table}/hint" in answers
    bruno.leave()


def test_a_game_with_others_waits_for_the_network_and_goes_on(house: House, anna: Person) -> None:
    bruno = house.person("Bruno")
    game = played("take_that", players=2, rounds=1, dealer=1)
    table = house.table_of(game, [anna, bruno], 1)
    page = kept(anna, table)
    page.wait_for_selector("#log li")
    anna.context.set_offline(True)
    page.wait_for_selector(".table.lost")
    assert "The game waits for the network" in page.inner_text("#problem")
    bruno.move(table, game.history[1])
    page.reload()
    assert page.inner_text("h1") == "no network"
    anna.context.set_offline(False)
    page.wait_for_selector("#log li:nth-child(2)")
    page.wait_for_selector(".can")
    bruno.leave()


def test_a_table_that_waits_for_players_says_that_it_waits_for_the_network(anna: Person) -> None:
    table = anna.new_table("sequence", players=2, seat_2="open")
    page = kept(anna, table)
    assert page.is_hidden("#away")
    anna.context.set_offline(True)
    page.wait_for_selector("#away:visible")
    page.click("[data-post='/fill'] >> nth=0")
    assert "The table waits for the network" in page.inner_text("#away")
    anna.context.set_offline(False)
    page.wait_for_selector("#away", state="hidden")
    page.click("[data-post='/fill'] >> nth=0")
    page.wait_for_selector(".table")
