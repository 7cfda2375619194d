"""The end of a game in the browser: it comes without a reload, can be replayed at once, and is a beginning."""

from typing import Any

from tests.web.house import PHONE, House, Person, played


def ended(house: House, *, whole: bool = False, **settings: Any) -> tuple[Person, Person, str]:
    """Two people whose pages were open when the last move was made, or when one of them resigned."""
    game = played("take_that", players=2)
    people = [house.person(name, **settings) for name in ("Anna", "Bruno")]
    table = house.table_of(game, people, len(game.history) - 1 if whole else 4)
    for person in people:
        person.visit(table).evaluate("() => { window.kept = true; }")
    if whole:
        people[game.before().mover(game.history[-1]) or 0].move(table, game.history[-1])
    else:
        people[1].post(f"{table}/resign")
    for person in people:
        person.page.wait_for_selector(".over .why")
        assert person.page.evaluate("() => window.kept"), "it was not loaded again"
    return people[0], people[1], table


def test_the_end_comes_without_a_reload_and_is_replayed_at_once(house: House) -> None:
    anna, bruno, table = ended(house, whole=True)
    page = anna.page
    assert page.inner_text("#end h1") in ("you win", "Bruno wins")
    page.wait_for_function("() => document.querySelector('#told').textContent")
    knot = page.query_selector(".story .k")
    move = knot.get_attribute("data-at")
    knot.click()
    page.wait_for_function(f"() => document.querySelector('#log li:last-child .t').textContent === '{move}'")
    assert page.input_value("#at") == move and page.inner_text("#at-now") == move
    assert page.inner_text("#end h1") in ("you win", "Bruno wins"), "the result stays"
    page.click("[data-step='-1']")
    page.wait_for_function(f"() => document.querySelector('#log li:last-child .t').textContent === '{int(move) - 1}'")
    with page.expect_download() as log:
        page.click(".rest a[download]")
    assert log.value.suggested_filename.endswith(".log")
    page.click(".why summary")
    assert page.is_visible(".why details[open] li")
    again = bruno.visit_anew(f"{table}?at={move}&seat=0")
    assert again.inner_text("#at-now") == move and again.query_selector(".over .why")
    for person in (anna, bruno):
        person.leave()


def test_a_rematch_is_offered_declined_and_accepted(house: House) -> None:
    anna, bruno, table = ended(house)
    watcher = house.person("Eve")
    watcher.visit(table)
    anna.page.click("text=play again")
    bruno.page.wait_for_selector("text=Anna asks.")
    bruno.page.wait_for_selector("[data-left]:has-text('0:5')")
    watcher.page.wait_for_selector("text=Anna asks.")
    assert not watcher.page.query_selector("#offer button")
    bruno.page.click("text=not now")
    anna.page.wait_for_selector("#offer .answers .no:has-text('Bruno not now')")
    bruno.page.click("text=play again")
    anna.page.wait_for_selector("text=Bruno asks.")
    anna.page.click("#offer .two .primary")
    for person in (anna, bruno):
        person.page.wait_for_selector(".table:not(.over) .seat.turn")
    assert anna.page.url == bruno.page.url and not anna.page.url.endswith(table)
    watcher.page.wait_for_selector("text=watch it")
    for person in (anna, bruno, watcher):
        person.leave()


def test_on_a_phone_what_comes_next_stays_at_the_foot(house: House) -> None:
    anna, bruno, _table = ended(house, viewport=PHONE, has_touch=True, is_mobile=True)
    page = anna.page
    foot = """() => { const box = document.querySelector('.after').getBoundingClientRect();
      return [Math.round(box.bottom), innerHeight, document.documentElement.scrollWidth]; }"""
    for _ in range(2):
        bottom, height, width = page.evaluate(foot)
        assert bottom == height and width == PHONE["width"]
        page.evaluate("() => document.querySelector('.table').scrollTo(0, 1e6)")
    page.tap(".bubble")
    assert page.is_visible("#chat")
    for person in (anna, bruno):
        person.leave()
