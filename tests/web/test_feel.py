"""How a table feels: what is held over shows what it can do, what may not be says why, what moves is animated."""

import gzip
import re
from importlib import resources
from typing import Any

import pytest

from infila.server.pages.files import files
from tests.cases import cases_of
from tests.play import GAMES
from tests.web.house import PHONE, House, Person, played

MOVING = "() => document.getAnimations().filter(({ effect }) => effect.target.closest?.('.table svg, .ghost')).length"
SCRIPTS, FIRST_VISIT, UPDATE = 56_000, 52_000, 10_000  # bytes, as they are sent
# what of a page that has followed a game is not as the server draws it now, but for the marks of what can be done
OTHERWISE = """async () => {
  const { fragments } = await (await fetch(`${location.pathname}/state`)).json();
  const marks = ["can", "selected", "target", "over", "off", "wish", "may", "aimed", "lit"];
  const plain = (box) => {
    const copy = document.createElement("div");
    copy.append(...[...box.childNodes].map((node) => node.cloneNode(true)));
    copy.querySelectorAll(".ring, .hold, .would").forEach((each) => each.remove());
    copy.querySelectorAll("[data-part]").forEach((part) => {
      part.classList.remove(...marks);
      if (!part.classList.length) part.removeAttribute("class");
      if (part.dataset.label) part.ariaLabel = part.dataset.label;
      ["data-label", "role", "tabindex", "aria-pressed", "aria-hidden"].forEach((name) => part.removeAttribute(name));
    });
    copy.querySelectorAll("[style]").forEach((each) => each.removeAttribute("style"));
    copy.querySelectorAll(".note").forEach((note) => note.replaceChildren());
    copy.normalize();
    return copy;
  };
  return Object.entries(fragments).filter(([id, html]) => {
    const [box, now] = [document.getElementById(id), Object.assign(document.createElement("div"), { innerHTML: html })];
    return box && !plain(box).isEqualNode(plain(now));
  }).map(([id]) => id);
}"""
SHUFFLE = 8_000  # of the script that takes part in it, a part of no other
REVIEW = 8_000  # of the script of a page of its own


def table_in_the_middle(house: House, game: str, moves: int = 0, **settings: Any) -> tuple[list[Person], Person, str]:
    """The people at a table in the middle of a game, the one on turn, and its path."""
    whole = played(game, **cases_of(game).scene)
    people = [house.person(name, **settings) for name in ("Anna", "Bruno", "Carla")[: len(whole.names)]]
    table = house.table_of(whole, people, moves or cases_of(game).scene_moves)
    return people, next(person for person in people if person.state(table)["moves"]), table


def part(page: Any, name: str) -> Any:
    """The part of this name that is shown."""
    return next(found for found in page.query_selector_all(f"[data-part='{name}']") if found.bounding_box())


def hold_over(page: Any, name: str) -> None:
    box = part(page, name).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_held_over_shows_what_it_can_do(house: House, game: str) -> None:
    """Targets before anything is chosen, lines with their sums, the row's price; Esc and a second click undo."""
    people, anna, table = table_in_the_middle(house, game)
    moves = [move for move in anna.state(table)["moves"] if len(move["p"]) == 2]
    best = max(moves, key=lambda move: len(move["l"]))
    begin, target = best["p"]
    page = anna.visit(table)
    page.wait_for_selector(".can")
    hold_over(page, begin)
    page.wait_for_selector(f"[data-part='{target}'].may", state="attached")
    assert not page.query_selector(".selected")
    part(page, begin).dispatch_event("click")
    hold_over(page, target)
    page.wait_for_selector(f"[data-part='{target}'].aimed", state="attached")
    assert page.inner_text("#tip") == best["a"]
    assert {lit.get_attribute("data-part") for lit in page.query_selector_all(".lit")} == set(best["l"])
    page.keyboard.press("Escape")
    assert not page.query_selector(".selected, .target:not([data-part=covered], [data-part^=open])")
    part(page, begin).dispatch_event("click")
    part(page, begin).dispatch_event("click")
    assert not page.query_selector(".selected")
    if page.query_selector("[data-part=price]"):
        page.hover("#acts .btn")
        assert page.query_selector("[data-part=price].lit")
    for person in people:
        person.leave()


def test_what_may_not_be_says_why(house: House) -> None:
    people, anna, table = table_in_the_middle(house, "take_that")
    page = anna.visit(table)
    page.wait_for_selector(".can")
    part(page, "hand-97").dispatch_event("click")
    page.wait_for_function("() => document.querySelector('#problem').textContent.startsWith('T4: 97')")
    part(page, "hand-38").dispatch_event("click")
    assert page.is_hidden("#problem")
    other = next(person for person in people if person is not anna)
    page = other.visit(table)
    page.dispatch_event(".wide [data-part^=hand]", "click")
    page.wait_for_function("() => document.querySelector('#problem').textContent.includes('it is Carla’s turn')")
    for person in people:
        person.leave()


def test_everything_that_moves_is_animated(house: House) -> None:
    """One's own piece, the pieces drawn, and the other's move; nothing for those who want no motion."""
    people, anna, table = table_in_the_middle(house, "zatre", 30, reduced_motion="no-preference")
    bruno = next(person for person in people if person is not anna)
    calm = house.person(reduced_motion="reduce")
    for person in (anna, bruno, calm):
        person.visit(table)
    for person in (anna, bruno, calm):
        person.page.wait_for_function(f"() => !({MOVING})()")  # those who come are greeted
        person.page.evaluate(
            f"() => {{ window.seen = 0; setInterval(() => {{ seen = Math.max(seen, ({MOVING})()); }}, 5); }}"
        )
    anna.page.dispatch_event("text=keep the tile", "click")
    bruno.page.wait_for_function("() => seen > 0")
    assert bruno.state(table)["moves"]
    bruno.page.dispatch_event(".can", "click")
    bruno.page.dispatch_event(".target", "click")
    anna.page.wait_for_function("() => seen > 0")
    calm.page.wait_for_selector("#log li:nth-child(32)")
    assert calm.page.evaluate("() => seen") == 0
    for person in (anna, bruno, calm):
        person.leave()


def test_a_piece_follows_the_finger_and_what_happened_is_read_aloud(house: House) -> None:
    """A drag is no scrolling; then the live region tells the move, the card drawn and whose turn it is."""
    people, anna, table = table_in_the_middle(house, "take_that", viewport=PHONE, has_touch=True, is_mobile=True)
    page = anna.visit(table)
    page.wait_for_selector(".can:visible")
    box = part(page, "hand-38").bounding_box()
    x, y = box["x"] + 8, box["y"] + 12
    wire = anna.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at, "y": to} for at, to in points]})

    touch("touchStart", (x, y))
    touch("touchMove", (x, y - 12))
    page.wait_for_selector("body > .ghost:visible")
    slot = part(page, "row-end").bounding_box()
    touch("touchMove", (slot["x"] + slot["width"] / 2, slot["y"] + slot["height"] * 0.7))
    page.wait_for_selector(".slot.aimed:visible")
    touch("touchEnd")
    page.wait_for_function("() => document.querySelector('#live').textContent")
    assert page.inner_text("#live").startswith("Carla places 38. new in your hand: ")
    assert page.inner_text("#live").endswith("Anna’s turn.")
    assert page.evaluate("() => scrollY") == 0
    for person in people:
        person.leave()


@pytest.mark.parametrize("game", GAMES)
def test_a_page_that_follows_a_game_shows_what_it_would_show_at_once(house: House, game: str) -> None:
    """Only what has changed is drawn anew."""
    whole = played(game, **cases_of(game).scene)
    people = [house.person(name) for name in ("Anna", "Bruno", "Carla")[: len(whole.names)]]
    table = house.table_of(whole, people, 6)
    page = people[0].visit(table)
    again = whole.before(len(whole.history) - 6)
    for move in whole.history[6:18]:
        people[again.mover(move) or 0].move(table, move)
        again.play(move)
        page.wait_for_selector(f"#log li:nth-child({len(again.history)})")
        page.wait_for_function(f"async () => !(await ({OTHERWISE})()).length", polling=50)  # what is unseen comes last
    for person in people:
        person.leave()


@pytest.mark.parametrize("game", GAMES)
def test_nothing_jumps_while_others_play(house: House, game: str) -> None:
    """On a phone the board, the hand and the buttons lie at the same height on one's turn and on another's."""
    people, anna, table = table_in_the_middle(house, game, viewport=PHONE, has_touch=True, is_mobile=True)
    heights = set()
    for person in people[:2] if anna in people[:2] else [anna, people[0]]:
        page = person.visit(table)
        page.wait_for_selector("#say h1")
        tops = [page.query_selector(found).bounding_box()["y"] for found in (".board", "#say", "#acts")]
        heights.add(tuple(round(top) for top in tops))
    assert len(heights) == 1
    for person in people:
        person.leave()


def test_moves_are_confirmed_and_sounds_made_as_wished(house: House) -> None:
    people, anna, table = table_in_the_middle(house, "take_that")
    page = anna.visit(table)
    page.click(".menu summary")
    assert page.get_attribute("[data-toggle=confirm]", "aria-pressed") == "false"
    page.click("[data-toggle=confirm]")
    page.click("[data-toggle=sound]")
    assert page.evaluate("() => [localStorage.confirm, localStorage.sound]") == ["yes", "no"]
    page.click(".menu summary")
    part(page, "hand-38").dispatch_event("click")
    page.dispatch_event(".slot.target", "click")
    assert page.inner_text("#acts .primary") == "place 38"
    page.click("#acts .primary")
    page.wait_for_selector(f"#log li:nth-child({cases_of('take_that').scene_moves + 1})")
    for person in people:
        person.leave()


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_light_to_load(house: House, game: str) -> None:
    """Compressed bytes of a first visit in mid-game with everything, and of an update."""
    people, anna, table = table_in_the_middle(house, game)
    page = anna.page
    wire = anna.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    anna.visit(table)
    page.wait_for_load_state("load")
    assert len(sizes) >= 7 and sum(sizes) <= FIRST_VISIT, sizes
    sizes.clear()
    page.evaluate("(path) => fetch(path).then((answer) => answer.text())", f"{table}/state")
    page.wait_for_timeout(50)
    assert 0 < sum(sizes) <= UPDATE, sizes
    for person in people:
        person.leave()


def test_scripts_are_sent_without_what_only_readers_need() -> None:
    for name, file in files().items():
        assert gzip.decompress(file.compressed) == file.plain
        if name.endswith(".css"):
            assert b"/*" not in file.plain and file.plain.count(b"{") == file.plain.count(b"}") > 0
        if name.endswith(".js"):
            written = resources.files("infila.web").joinpath("static", name).read_text(encoding="utf-8")
            assert not [line for line in written.splitlines() if line.count("`") % 2], "a text over several lines"
            sent = file.plain.decode()
            assert not re.search(r"// \w|^\s|^$", sent.rstrip(), re.MULTILINE), name
            assert re.sub(r"// .*|\s", "", written) == re.sub(r"\s", "", sent)


def test_the_script_is_small() -> None:
    sizes = {name: len(file.plain) for name, file in files().items() if name.endswith(".js")}
    assert 0 < sizes.pop("chance.js") <= SHUFFLE
    assert 0 < sizes.pop("review.js") <= REVIEW
    assert sum(sizes.values()) <= SCRIPTS
