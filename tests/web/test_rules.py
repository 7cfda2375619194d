"""The rules to read: in words only, with pictures in nearly every section, and beside the table where one is."""

import re

import pytest

from infila.core.games import contract_of
from infila.core.words import LANGUAGES
from infila.web.rulebook import beside_a_table, rules_html
from tests.play import GAMES
from tests.web.house import House

WITHOUT = 2  # sections: options, how moves are written


@pytest.mark.parametrize("game", GAMES)
def test_rules_have_pictures_and_no_code_words(game: str) -> None:
    names = {*contract_of(game).options.specs(), "free", "forced", "manual", "auto"}
    for language in LANGUAGES:
        html, headings = rules_html(game, language)
        sections = html.split("<h2 ")[1:]
        assert len(sections) == len(headings)
        assert sum("<figure" not in section for section in sections) <= WITHOUT
        said = set(re.findall(r"<code>(.*?)</code>", "".join(sections[:-1])))  # the last tells how moves are written
        assert not said & names, "options have names in every language"
        assert not re.search(r"<strong>(free|forced|manual)</strong>", html)


def test_rules_open_beside_the_table(house: House) -> None:
    person = house.person("Anna")
    table = person.new_table(GAMES[1], seat_2="open")
    other = house.person("Bruno")
    other.post(f"{table}/seat")
    page = person.visit(table)
    before = page.locator("[data-part]").count()
    page.click("[data-open=rules]")
    page.wait_for_selector("#rules-box figure")
    assert page.url.endswith(table), "nobody leaves the table"
    assert page.locator("#rules-box [data-part]").count() == 0 and page.locator("[data-part]").count() == before
    for element in ("#acts", "[data-panel^=row]", "[data-panel^=hand]"):
        shown, rules = (page.locator(each).first.bounding_box() for each in (element, "#rules-box"))
        assert shown["x"] + shown["width"] <= rules["x"] + 1, "it lies at the side"
    page.click("[data-open=rules]")
    page.wait_for_selector("#rules-box", state="hidden")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("""() => { const box = document.querySelector('#problem'); box.hidden = false;
        box.innerHTML = '<a class="rn" href="/rules">T4</a>: …<a class="rn" href="/rules">Q99</a>'; }""")
    page.click("#problem .rn:first-child")
    page.wait_for_selector("#rules-box .asked")
    assert page.text_content("#rules-box .asked") == "T4" and page.locator("#rules-box .asked").is_visible()
    page.locator("#problem .rn:last-child").dispatch_event("click")
    assert page.locator("#rules-box .asked").count() == 0, "a rule that there is not"
    assert page.locator("#rules-box").is_visible()
    answer = person.context.request.get(f"{house.address}/rules/chess/text")
    assert answer.status == 404
    person.leave()
    other.leave()


def test_a_table_takes_nothing_of_the_rules_for_its_own() -> None:
    for game in GAMES:
        assert "data-part" not in beside_a_table(rules_html(game, "en")[0])
