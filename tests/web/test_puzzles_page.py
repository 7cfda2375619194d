"""Puzzles in the browser: found and not found, with mouse, finger and keys, on a desk and a phone."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from infila.puzzles.collection import shipped
from infila.puzzles.puzzle import Puzzle
from infila.wasm.use import modules_in_use
from tests.web import browser as browsers
from tests.web.house import PHONE, House, open_house
from tests.web.test_axe import BEGIN, LIMIT, RULES

GAME = "sequence"
FINGER = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with modules_in_use(), open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


def puzzle() -> Puzzle:
    with modules_in_use():
        shipped(GAME)[0].view  # noqa: B018  # set up
        return shipped(GAME)[0]


def path_of(move: str) -> tuple[str, ...]:
    with modules_in_use():
        view = puzzle().view
        return view.contract.notation.parts(view.states[0], view.read(move))


def play(page: Any, move: str, touched: bool) -> None:
    """Touch the parts of a move, and confirm it where fingers have to."""
    for part in path_of(move):
        page.locator(f'[data-part="{part}"]:is(.can, .target)').locator("visible=true").first.click(force=True)
    if touched:
        page.locator("#acts .primary").click()


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, FINGER])
def test_a_puzzle_is_failed_and_then_found(house: House, settings: dict[str, Any]) -> None:
    guest = house.person(**settings)
    page = guest.visit("/puzzles")
    page.click(f"#{GAME} .grade a >> nth=0")
    page.wait_for_url(f"**/puzzles/{GAME}/*")
    page = guest.visit(f"/puzzles/{GAME}/1")
    assert "One move is clearly better" in page.inner_text("#say")
    wrong = next(move for move in puzzle().costs if len(path_of(move)) == 2)
    play(page, wrong, bool(settings))
    page.wait_for_function("() => document.querySelector('#say h1').textContent === 'not this one'")
    assert f"costs {puzzle().costs[wrong]} points" in page.text_content("#log")
    assert "costs" in page.text_content("#live"), "it is read aloud"
    play(page, puzzle().best[0], bool(settings))
    page.wait_for_function("() => document.querySelector('#say h1').textContent === 'found'")
    assert page.locator("#log li").count() == 4
    assert page.locator(".ring.spoken").count() >= 1
    page.reload()
    assert page.inner_text("#say h1") == "found", "it stays so"
    page.click("text=next puzzle")
    page.wait_for_function("() => document.querySelector('#say h1')?.textContent === 'your turn'")
    page = guest.visit("/puzzles")
    page.locator(f"#{GAME} details:has(.found) summary").first.click()
    assert page.locator(f"#{GAME} .numbers .found").first.inner_text() == "1"
    guest.leave()


@pytest.mark.slow
def test_by_keys_in_another_language_the_solution_is_shown(house: House) -> None:
    guest = house.person(locale="it-CH")
    page = guest.visit(f"/puzzles/{GAME}/1")
    first = path_of(puzzle().best[0])[0]
    page.locator(f'[data-part="{first}"].can').locator("visible=true").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".target").count() >= 1
    page.keyboard.press("Escape")
    page.locator("#acts button", has_text="mostra la soluzione").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#say h1').textContent === 'la soluzione'")
    page.click("text=ancora una volta")
    page.wait_for_function("() => document.querySelector('#say h1').textContent === 'tocca a te'")
    guest.leave()


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, FINGER])
def test_axe_finds_nothing_serious_on_puzzles(house: House, settings: dict[str, Any]) -> None:
    guest = house.person(**settings)
    for step in ("/puzzles", f"/puzzles/{GAME}/1", "solution"):
        if step == "solution":
            guest.post(f"/puzzles/{GAME}/1/solution")
        page = guest.visit(f"/puzzles/{GAME}/1" if step == "solution" else step)
        page.evaluate(AXE_SCRIPT)
        page.evaluate(BEGIN, RULES)
        found = page.wait_for_function("() => window.found", timeout=LIMIT, polling=20).json_value()
        assert found == [], step
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{step} is wider than its window"
    guest.leave()
