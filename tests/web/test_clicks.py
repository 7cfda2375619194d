"""Clicks that are no move, and what is seen before a move: places first, verbs, hints, zoom, focus."""

from typing import Any

import pytest

from tests.cases import cases_of
from tests.play import GAMES
from tests.web.house import PHONE, House
from tests.web.test_feel import hold_over, part, table_in_the_middle

SAYS = "(words) => document.querySelector('#problem').textContent.includes(words)"
TOLD = "(moves) => Number(document.querySelector('#log li:last-child .t').textContent) > moves"
FOCUS = "() => document.activeElement !== document.body"


def buttons(page: Any) -> list[str]:
    return [button.inner_text() for button in page.query_selector_all("#acts button")]


@pytest.mark.parametrize("game", GAMES)
def test_a_place_first_shows_what_can_go_there(house: House, game: str) -> None:
    people, anna, table = table_in_the_middle(house, game)
    moves = anna.state(table)["moves"]
    firsts = {move["p"][0] for move in moves}
    place = next(move["p"][1] for move in moves if len(move["p"]) == 2 and move["p"][1] not in firsts)
    page = anna.visit(table)
    page.wait_for_selector(".can")
    part(page, place).dispatch_event("click")
    page.wait_for_function(SAYS, arg="What is marked")
    fitting = {move["p"][0] for move in moves if move["p"][1:] == [place]}
    assert {found.get_attribute("data-part") for found in page.query_selector_all(".can")} == fitting
    part(page, place).dispatch_event("click")
    assert not page.query_selector(".selected")
    part(page, place).dispatch_event("click")
    part(page, sorted(fitting)[0]).dispatch_event("click")
    page.wait_for_function(TOLD, arg=cases_of(game).scene_moves)
    for person in people:
        person.leave()


def test_verbs_stay_on_buttons_and_another_turn_is_told_once(house: House) -> None:
    people, anna, table = table_in_the_middle(house, "take_that")
    page = anna.visit(table)
    page.wait_for_selector(".can")
    part(page, "hand-38").dispatch_event("click")
    assert buttons(page)[:2] == ["place 38", "take the row −5"]
    part(page, "row-27").dispatch_event("click")
    page.wait_for_function(SAYS, arg="T5: 38 twists 83 away, not 27.")
    page.click("text=place 38")
    page.wait_for_function(TOLD, arg=cases_of("take_that").scene_moves)
    part(page, "pile").dispatch_event("click")
    page.wait_for_function(SAYS, arg="T2: it is Anna’s turn.")
    assert page.query_selector("#problem.told")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    part(page, "pile").dispatch_event("click")
    page.keyboard.press("Tab")
    assert not [url for url in asked if "/why" in url]
    for person in people:
        person.leave()


HELD = "() => [...document.querySelectorAll('.hand .piece')].map((card) => card.getBoundingClientRect().y)"


def test_a_hint_moves_nothing(house: House) -> None:
    """It is in words; chosen, it is ringed on the table, and what is in the hand stays where it is."""
    people, anna, table = table_in_the_middle(house, "sequence")
    page = anna.visit(table)
    page.wait_for_selector(".can")
    before = page.evaluate(HELD)
    page.get_by_role("button", name="hint", exact=True).click()
    page.wait_for_selector("#hint .take")
    assert page.inner_text("#hint .take b").startswith("play ") and "@" not in page.inner_text("#hint-box")
    page.click("#hint .take")
    assert page.get_attribute("#hint .take", "aria-pressed") == "true"
    assert len(page.query_selector_all(".ring.hinted")) == 2
    assert not page.query_selector("[data-part].selected, [data-part].over")
    assert before == page.evaluate(HELD) and "chip on" not in " ".join(buttons(page))
    page.click("#hint .take")
    assert not page.query_selector(".ring")
    for person in people:
        person.leave()


def test_a_line_is_threaded_and_pencilled_before_it_is_laid(house: House) -> None:
    people, anna, table = table_in_the_middle(house, "zatre")
    best = max(anna.state(table)["moves"], key=lambda move: len(move.get("w", {})))
    page = anna.visit(table)
    page.wait_for_selector(".can")
    part(page, best["p"][0]).dispatch_event("click")
    hold_over(page, best["p"][1])
    page.wait_for_selector(".would text")
    assert page.text_content(".would text") == best["k"][0][0]
    pencilled = {box.get_attribute("data-write") for box in page.query_selector_all("[data-write].on")}
    assert pencilled == set(best["w"])
    page.keyboard.press("Escape")
    assert not page.query_selector(".would, [data-write].on")
    for person in people:
        person.leave()


TWICE = """([clientX, clientY]) => {
  const at = { bubbles: true, clientX, clientY };
  for (const kind of ["pointerdown", "pointerup", "click", "pointerdown", "pointerup", "click"])
    document.elementFromPoint(clientX, clientY).dispatchEvent(new PointerEvent(kind, at));
}"""
WIDE = "() => document.querySelector('.board [data-part]').getBoundingClientRect().width"


def test_the_board_is_zoomed_by_keys_and_fingers(house: House) -> None:
    """It is panned by a drag, a piece is still dragged as a piece, and nothing scrolls; 0 and a double tap show all."""
    people, anna, table = table_in_the_middle(house, "sequence", viewport=PHONE, has_touch=True, is_mobile=True)
    page = anna.visit(table)
    page.wait_for_selector(".can:visible")
    usual = page.evaluate(WIDE)
    page.keyboard.press("+")
    page.wait_for_selector(".board.zoomed")  # by a script that comes with the first such key
    page.keyboard.press("+")
    assert page.evaluate(WIDE) == pytest.approx(usual * 1.96, rel=0.02)
    page.keyboard.press("-")
    page.keyboard.press("0")
    assert page.evaluate(WIDE) == pytest.approx(usual)
    box = page.query_selector(".board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    wire = anna.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        found = [{"x": at, "y": to, "id": i} for i, (at, to) in enumerate(points)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    touch("touchStart", (x - 30, y))
    touch("touchStart", (x - 30, y), (x + 30, y))
    touch("touchMove", (x - 60, y), (x + 60, y))
    touch("touchEnd")
    page.wait_for_selector(".board.zoomed")
    assert page.evaluate(WIDE) == pytest.approx(usual * 2, rel=0.02)
    left = page.evaluate("() => document.querySelector('.board [data-part]').getBoundingClientRect().x")
    touch("touchStart", (x, y))
    touch("touchMove", (x + 20, y))
    touch("touchMove", (x + 40, y))
    touch("touchEnd")
    moved = page.evaluate("() => document.querySelector('.board [data-part]').getBoundingClientRect().x")
    assert moved == pytest.approx(left + 40, abs=2)
    assert page.evaluate("() => scrollX + scrollY") == 0 and not page.query_selector(".selected")
    seen = page.evaluate("() => visualViewport.scale")
    page.evaluate(TWICE, [x, y])
    assert page.query_selector(".board:not(.zoomed)")
    assert seen == page.evaluate("() => visualViewport.scale") == 1
    for person in people:
        person.leave()


@pytest.mark.parametrize("game", GAMES)
def test_focus_never_falls_to_the_body(house: House, game: str) -> None:
    """By keys alone: past the bar by the skip link, then through a whole turn."""
    people, anna, table = table_in_the_middle(house, game)
    page = anna.visit(table)
    page.wait_for_selector(".can, .target", state="attached")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'main'")
    for _ in range(60):
        if page.evaluate("() => document.activeElement.matches('.can, .target')"):
            break
        page.keyboard.press("Tab")
    count = cases_of(game).scene_moves
    for _ in range(12):
        assert page.evaluate(FOCUS)
        page.keyboard.press("Enter")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert page.evaluate(FOCUS)
        if page.evaluate(TOLD, count) or not page.evaluate("() => document.activeElement.matches('.can, .target')"):
            break
    page.wait_for_function(TOLD, arg=count)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate(FOCUS)
    for person in people:
        person.leave()
