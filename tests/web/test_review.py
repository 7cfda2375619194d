"""The review of a game in the browser: from its end or a log, by mouse, finger and keyboard, and back into play."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

import infila
from infila.core.notation import position_of
from infila.puzzles.finding import Finder, imagined
from infila.puzzles.puzzle import Puzzle
from infila.reviewing import ledger
from infila.wasm.use import modules_in_use
from tests.web import browser as browsers
from tests.web.house import PHONE, House, Person, open_house
from tests.web.test_axe import BEGIN, LIMIT, RULES

MOVES = 8
SMALL = """() => [...document.querySelectorAll('main :is(.btn, .ib, input[type=range], .of-whom a, summary)')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
  .map((each) => each.outerHTML.slice(0, 80))"""
WIDTHS = (320, 360, 390, 600, 720, 721, 820, 1024, 1279, 1280, 1440, 2000)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with modules_in_use(), open_house(tmp_path_factory.mktemp("house"), review_simulations=16) as opened:
        yield opened


def begun(game: str = "sequence", moves: int = MOVES) -> infila.Game:
    made = infila.new(game, seed="in fila", players=2)
    player = infila.player(game, "casual")
    for _ in range(moves):
        made.play(player.think(made.view(made.acting()[0])).move)
    return made


def ended(house: House, **settings: Any) -> tuple[Person, str]:
    """A game that somebody has resigned; whoever has won, and its table."""
    anna, bruno = house.person("Anna", **settings), house.person("Bruno")
    table = house.table_of(begun(), [anna, bruno], MOVES)
    bruno.post(f"{table}/resign")
    bruno.leave()
    return anna, table


def reviewed(page: Any) -> Any:
    page.wait_for_selector(".rv[data-complete=yes]", timeout=90_000)
    return page


@pytest.mark.parametrize("settings", [{}, {"viewport": PHONE, "has_touch": True, "is_mobile": True}])
def test_from_the_end_to_the_review_and_once_more_into_the_game(house: House, settings: dict[str, Any]) -> None:
    anna, table = ended(house, **settings)
    page = anna.visit(table)
    page.wait_for_selector("#on button[disabled]")  # play on from here: there is nothing left at the end
    page.click(".tape [data-step='-1']")
    page.wait_for_selector("#on button:not([disabled])")
    assert page.get_attribute(".rest a", "href").endswith(f"/review?at={MOVES - 1}")
    page.click(".rest a:has-text('review')")
    page.wait_for_selector(".strand")
    assert page.input_value("#at") == str(MOVES - 1)
    page.click(".ctl [data-step='1']")
    reviewed(page)
    assert page.locator(".strand").count() == 2 and "complete" in page.inner_text("#status")
    assert page.inner_text(".sd output").strip().endswith("%")
    page.click(".ctl [data-step='-1']")
    page.wait_for_function("() => document.querySelector('#told').textContent.includes('Anna')")
    assert page.input_value("#at") == str(MOVES - 1) and f"at={MOVES - 1}&seat=1" in page.url
    page.click(".anew .primary")
    page.wait_for_selector(".table .seat.turn")
    assert page.url != f"{house.address}{table}" and "from a log" in page.inner_text(".what")
    page.wait_for_function(f"() => document.querySelectorAll('#log li').length >= {MOVES - 1}")
    anna.leave()


def test_a_log_is_reviewed_and_tried_again_with_other_luck(house: House) -> None:
    anna = house.person("Anna")
    page = anna.visit("/mine")
    file = {"name": "game.log", "mimeType": "text/plain", "buffer": begun("take_that").save().encode()}
    page.set_input_files("#log-file", file)
    page.click("form[action='/upload'] button:has-text('review')")
    page.wait_for_selector(".strand")
    reviewed(page)
    page.click(".anew .soft")
    page.wait_for_selector(".table .seat.turn")
    assert "from a position" in page.inner_text(".what")
    anna.leave()


def test_keys_step_along_the_moves_and_the_link_leads_back(house: House) -> None:
    anna, table = ended(house)
    page = reviewed(anna.visit(f"{table}/review"))
    page.focus("#main")
    for key, at in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", MOVES)):
        page.keyboard.press(key)
        assert page.inner_text("#at-now") == str(at), key
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => location.search.includes('at=7')")
    other = house.person("Eve")
    again = other.visit(page.url)
    assert again.inner_text("#at-now") == "7" and "Anna" in again.inner_text(".of-whom [aria-current]")
    again.click(".of-whom a:has-text('Bruno')")
    again.wait_for_url("**seat=2**")
    assert again.inner_text("#at-now") == "7" and "Bruno" in again.inner_text("h1, .said >> nth=0")
    box = again.locator(".strand").first.bounding_box()
    again.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert again.inner_text("#at-now") == "4"
    assert again.is_visible(".mk"), "where there is room the table is open"
    for person in (anna, other):
        person.leave()


def test_nothing_scrolls_sideways_and_axe_finds_nothing_serious(house: House) -> None:
    anna, table = ended(house)
    page = reviewed(anna.visit(f"{table}/review?at=3"))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        if width < 720:
            small = page.evaluate(SMALL)
            assert small == [], width
    page.evaluate(AXE_SCRIPT)
    for width, theme in ((WIDTHS[-1], "light"), (WIDTHS[-1], "dark"), (PHONE["width"], "light")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        page.evaluate(BEGIN, RULES)
        page.wait_for_function("() => window.found !== null", timeout=LIMIT)
        assert page.evaluate("() => window.found") == [], (width, theme)
    anna.leave()


def test_a_review_is_in_the_readers_language(house: House) -> None:
    anna, table = ended(house)
    for locale, words in {"it": "Questa analisi è completa.", "de": "Diese Analyse ist fertig."}.items():
        reader = house.person("Eva", locale=locale)
        page = reviewed(reader.visit(f"{table}/review"))
        page.wait_for_function(f"() => document.querySelector('#status').textContent === {words!r}")
        assert not re.search(r"\b(luck|chance|better|review)\b", page.inner_text("main"))
        for width in (320, 820, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (locale, width)
        reader.leave()
    anna.leave()


def test_decisions_have_a_board_with_rings_and_a_way_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "GRADES", (-1.0, -1.0, -1.0))  # then every decision is marked
    monkeypatch.setattr(ledger, "SURELY", -100.0)
    anna, table = ended(house, locale="de-DE")
    page = reviewed(anna.visit(f"{table}/review"))
    page.wait_for_selector(".dec:nth-of-type(3) .ring.better")
    assert page.locator(".dec .shot svg[data-panel=board]").count() == 3
    whole = page.locator("#board svg[data-panel=board]").get_attribute("viewBox")
    assert page.locator(".dec svg[data-panel=board]").first.get_attribute("viewBox") != whole, "a part is enough"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    move = page.get_attribute(".dec .k", "data-at")
    page.click(".dec .k")
    page.wait_for_function(f"() => location.search.includes('at={move}&')")
    assert page.get_attribute(".dec .k", "aria-current") == "true"
    page.click(".dec button[value=same]")
    page.wait_for_selector(".table .seat.turn.you")
    assert page.locator("#log li").count() == int(move) - 1, "before it was decided"
    anna.leave()


def test_the_decisions_are_tried_again_one_after_the_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "GRADES", (-1.0, -1.0, -1.0))  # then every decision is marked
    monkeypatch.setattr(ledger, "SURELY", -100.0)
    anna, table = ended(house, viewport=PHONE, has_touch=True, is_mobile=True)
    page = reviewed(anna.visit(f"{table}/review"))
    whole = page.locator("#board svg[data-panel=board]").get_attribute("viewBox")
    page.click("[data-again]")
    for number in range(3):
        asked = page.locator(".dec:visible")
        assert asked.count() == 1 and not asked.locator(".pb:visible, .loss:visible, .ring:visible").count(), number
        assert asked.locator("svg[data-panel=board]").first.get_attribute("viewBox") == whole, "nothing is given away"
        assert asked.locator(".what .btn").count() >= 2
        page.keyboard.press("Enter")  # the first choice has the focus
        said = asked.locator(".verdict b").inner_text()
        assert "best" in said or "gives away" in said
        assert asked.locator(".pb:visible").count() == 2 and asked.locator("[aria-pressed=true]").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.keyboard.press("Enter")  # on to the next one
    assert re.fullmatch(r"[0-3] of 3 found", page.inner_text(".thrice output"))
    assert page.locator(".dec:visible .pb:visible").count() == 6, "everything is seen again"
    anna.leave()


def without_a_search(self: Finder, states: Any, seat: int) -> Puzzle:
    """In place of `Finder.puzzle_at`: any move is best, each time another one."""
    self.looked_at += 1
    view = infila.load(position_of(self.contract, states)).view(seat)
    world = position_of(self.contract, imagined(view.states, seat))
    moves = infila.load(world).view(seat).moves
    best = moves[self.looked_at % len(moves)]
    others = {move: 20 for move in moves if move != best}
    return Puzzle(world, seat, (best,), 0.2, 0.01, others, (8, 8, 8, 8))


@pytest.mark.parametrize("settings", [{}, {"viewport": PHONE, "has_touch": True, "is_mobile": True}])
def test_puzzles_from_a_game_are_tried_by_keys(
    house: House, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Finder, "puzzle_at", without_a_search)
    anna, table = ended(house, locale="de-DE", **settings)
    page = anna.visit(table)
    assert page.locator(".rest a[href='/puzzles#sequence']").is_visible(), "the end of a game leads to the puzzles"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page = reviewed(anna.visit(f"{table}/review"))
    page.wait_for_selector(".rv[data-sought=yes]", timeout=90_000)
    assert page.inner_text("#own-said").endswith("Aufgaben.")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    first = page.locator("#own a").first
    name, count = first.get_attribute("aria-label"), page.locator("#own a").count()
    assert re.fullmatch(r"Aufgabe bei Zug \d+ · leicht", name) and count >= 2
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/puzzles/*/*")
    assert name in page.inner_text(".what") and "Welcher" in page.inner_text("#say")
    page.locator("#acts button", has_text="Lösung zeigen").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.ring.spoken')")
    for _ in range(count):
        before = page.url
        page.locator("#acts .primary").click()
        page.wait_for_url(lambda url, before=before: url != before)
        page.wait_for_selector("#acts button:has-text('Lösung zeigen')")
        page.locator("#acts button", has_text="Lösung zeigen").click()
        page.wait_for_selector("#acts .primary:has-text('nächste')")
    assert "/puzzles/sequence/" in page.url, "after one's own come the others"
    anna.leave()
