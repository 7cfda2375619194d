"""Whole games in a real browser, by clicking, tapping and keys."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import infila
from infila.core.words import LANGUAGES
from tests.cases import cases_of
from tests.play import GAMES, position_in
from tests.web.house import SEED, House, Person, played
from tests.web.sizes import viewport

READY = "() => [...document.querySelectorAll('.can, .target, #acts .primary')].some((e) => e.getClientRects().length)"

# One thing that can be done: a target if there is one, else a button, else a part that begins a move.
TOUCHABLE = """() => {
  for (const wanted of [".target", "#acts .btn.primary", ".can"])
    for (const part of document.querySelectorAll(wanted))
      if (part.getClientRects().length) return part;
  return null;
}"""
# What a finger would do: it taps where that is, on whatever lies there, and confirms.
TOUCH = """async (moves) => {
  const shown = (part) => part.getClientRects().length && part.checkVisibility({ visibilityProperty: true });
  const find = (wanted) => [...document.querySelectorAll(wanted)].find(shown);
  while (!document.querySelector(".why") && moves) {
    const part = find("#acts .btn.primary") || find(".target") || find(".can");
    const box = part?.getBoundingClientRect();
    const at = box && { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    const hit = at && document.elementFromPoint(at.clientX, at.clientY);
    if (at && !hit) throw new Error(`${part.dataset.part || part.textContent} is not on the screen`);
    hit?.dispatchEvent(new PointerEvent("click", { ...at, bubbles: true, pointerType: "touch" }));
    if (part?.matches(".btn")) moves -= 1;
    await new Promise((go) => setTimeout(go, 4));
  }
}"""
PLAY = f"""async (done) => {{
  const last = () => document.querySelector("#log li:last-child")?.innerText;
  const before = last();
  const over = done === "game" ? () => document.querySelector(".why") : () => last() !== before;
  while (!over()) {{
    ({TOUCHABLE})()?.dispatchEvent(new MouseEvent("click", {{ bubbles: true }}));
    await new Promise((go) => setTimeout(go, 4));
  }}
}}"""

# whether what a page shows in a place, if it has this place, is what was sent for it
AS_SENT = """([id, html]) => {
  const wanted = Object.assign(document.createElement("p"), { innerHTML: html });
  return [undefined, wanted.textContent].includes(document.getElementById(id)?.textContent);
}"""


def make_a_move(page: Any) -> None:
    """Choose until a move is made."""
    page.wait_for_function(READY)
    page.evaluate(PLAY, "move")


def on_turn(*people: Person) -> Person:
    """Who has something to do."""
    for _ in range(200):
        for person in people:
            if person.page.evaluate(READY):
                return person
        people[0].page.wait_for_timeout(20)
    raise AssertionError("nobody has anything to do")


SMALL = ("360x640", "844x390", "820x1180")
EACH = [(game, SMALL[at % 3]) for at, game in enumerate(GAMES)]
EVERY = [(game, size) for game in GAMES for size in SMALL]


@pytest.mark.long
@pytest.mark.parametrize(("game", "size"), EVERY if os.environ.get("EVERY_SIZE") else EACH)
def test_a_whole_game_by_touch(house: House, game: str, size: str) -> None:
    """On a phone upright or lying, or on a tablet: a tap chooses, the button confirms."""
    anna = house.person(viewport=viewport(size), has_touch=True, is_mobile=True)
    page = anna.visit(anna.new_table(game, seat_2="casual", **cases_of(game).short))
    for _ in range(3):
        page.wait_for_function(READY)
        page.evaluate_handle(TOUCHABLE).as_element().tap(force=True)
    page.evaluate(TOUCH, 10_000)
    assert re.search("win|draw", page.title())
    assert page.evaluate("() => [scrollX, scrollY]") == [0, 0]
    anna.leave()


def test_two_browsers_at_one_table_and_a_spectator(house: House) -> None:
    anna, bruno, carla = (house.person(name) for name in ("Anna", "Bruno", ""))
    anna.visit("/new?game=take_that&rounds=1&seat-1=me&seat-2=open")
    anna.page.fill("input[name=name]", "Anna")
    anna.page.click(".fin .primary")
    anna.page.wait_for_selector(".wait")
    bruno.visit(anna.page.url)
    bruno.page.click("[data-post='/seat']")
    for person in (anna, bruno):
        person.page.wait_for_selector(".table")
    carla.visit(anna.page.url)
    for _ in range(6):
        mover = on_turn(anna, bruno)
        make_a_move(mover.page)
    shown = mover.page.inner_text("#log")
    same = "(text) => document.querySelector('#log').innerText === text"
    for person in (anna, bruno, carla):
        person.page.wait_for_function(same, arg=shown)
    assert carla.page.query_selector("#panel-hand") is None
    for person in (anna, bruno, carla):
        person.leave()


def test_a_click_on_a_move_is_one_request(house: House) -> None:
    """The answer is the new state; the stream, which tells of the same move, makes the page ask for nothing more."""
    anna, bruno = house.person("Anna"), house.person("Bruno")
    table = house.table_of(played("take_that", players=2, rounds=1, dealer=1), [anna, bruno], 0)
    for person in (anna, bruno):
        person.visit(table)
    bruno.page.wait_for_timeout(300)  # both have heard that the other is here
    asked: dict[str, list[str]] = {"Anna": [], "Bruno": []}

    def count(person: Person, sent: Any) -> None:
        path = sent.url.removeprefix(house.address)
        if not path.startswith(("/static/icon.svg", "/installed.js")):  # which come when nobody waits for anything
            asked[person.name].append(f"{sent.method} {path}")

    for person in (anna, bruno):
        person.page.on("request", partial(count, person))
    for mover, other in ((anna, bruno), (bruno, anna)) * 2:
        make_a_move(mover.page)
        made = len(mover.page.query_selector_all("#log li"))
        other.page.wait_for_selector(f"#log li:nth-child({made})")
        other.page.wait_for_timeout(150)  # nothing more comes
        assert asked == {mover.name: [f"POST {table}/moves"], other.name: [f"GET {table}/state"]}
        asked["Anna"].clear()
        asked["Bruno"].clear()
    for person in (anna, bruno):
        person.leave()


@pytest.mark.long
def test_four_seats_in_two_teams_who_may_not_talk(house: House) -> None:
    """S17: a partner cannot write, but takes a name that tells; the others call, that side agrees, and discards."""
    people = [house.person(name) for name in ("Anna", "Bruno", "Carla", "Dario")]
    anna, bruno = people[:2]
    seats = {f"seat_{seat}": "open" for seat in (2, 3, 4)}
    table = anna.new_table("sequence", players=4, table_talk="forbidden", **seats)
    for person in people[1:]:
        person.post("/name", {"name": person.name})
        person.post(f"{table}/seat")
    for person in people:
        person.visit(table)
    for _ in range(16):
        make_a_move(on_turn(*people).page)
    anna.page.fill("#chat input", "play the ace, Carla")
    anna.page.press("#chat input", "Enter")
    anna.page.wait_for_selector("#problem:not([hidden])")
    assert "S17" in anna.page.inner_text("#problem")
    assert bruno.page.query_selector("text=side 1 talks") is None, "nobody has said anything yet"
    people[2].post("/name", {"name": "Carla Ace"})
    bruno.page.click("text=side 1 talks")
    anna.page.click("text=it was table talk")
    for person in people:
        person.page.wait_for_selector("#log li:has-text('offence of the discs')")
    for _ in range(8):
        make_a_move(on_turn(*people).page)
    logs = {len(person.page.query_selector_all("#log li")) for person in people}
    assert max(logs) >= 20
    for person in people:
        person.leave()


def test_hot_seat_shows_no_hand_before_the_curtain_is_lifted(house: House) -> None:
    anna = house.person("Anna")
    page = anna.page
    answers: list[Any] = []
    sent: list[str] = []
    page.on("response", lambda answer: answers.append(answer))
    game = infila.new("take_that", players=2, seed=SEED, dealer=1)
    hands = [[f"hand-{card}" for card in position_in(game.view(seat))["hands"][seat]] for seat in (0, 1)]
    anna.visit(anna.new_table("take_that", seat_2="me", dealer=2))

    def known(hand: list[str]) -> bool:
        """Whether the page, or anything that was sent to it, names a card of a hand; the stream sends numbers only."""
        sent.extend(answer.text() for answer in answers if "/t/" in answer.url and not answer.url.endswith("/events"))
        answers.clear()
        return any(re.search(rf"\b{card}\b", text) for card in hand for text in (*sent, page.content()))

    assert not known(hands[0]) and not known(hands[1])
    page.click("text=Anna 1: show my side")
    page.wait_for_selector(".can")
    assert known(hands[0]) and not known(hands[1])
    make_a_move(page)
    page.wait_for_selector("text=Anna 2: show my side")
    assert page.query_selector("[data-part^='hand-']") is None
    assert not known(hands[1])
    page.click("text=Anna 2: show my side")
    page.wait_for_selector(".can")
    assert known(hands[1])
    page.context.close()


def test_a_move_is_taken_back_alone_where_nobody_learnt_anything(house: House) -> None:
    """A covered tile that was moved within the row."""
    anna, bruno = house.person("Anna"), house.person("Bruno")
    table = house.table_of(played("completto", players=2, games=1, first=0), [anna, bruno], 70)
    first = next(person for person in (anna, bruno) if person.state(table)["moves"])
    page = first.visit(table)
    page.wait_for_selector("#log li")
    before = page.inner_text("#log")
    page.dispatch_event(".wide [data-part^=place].can", "click")
    page.dispatch_event(".wide [data-part^=place].target", "click")
    page.wait_for_function("(text) => document.querySelector('#log').innerText !== text", arg=before)
    page.click("text=take back")
    page.wait_for_function("(text) => document.querySelector('#log').innerText === text", arg=before)
    for person in (anna, bruno):
        person.leave()


def test_a_move_is_taken_back_with_consent(house: House) -> None:
    anna, bruno = house.person("Anna"), house.person("Bruno")
    table = house.table_of(played("take_that", players=2, rounds=1, dealer=1), [anna, bruno], 2)
    for person in (anna, bruno):
        person.visit(table)
    anna.page.click("text=take back")
    bruno.page.click("text=let Anna take back")
    for person in (anna, bruno):
        person.page.wait_for_function("() => !document.querySelector('#log li')")
    anna.page.wait_for_selector(".can")
    for person in (anna, bruno):
        person.leave()


def test_who_was_offline_comes_back_to_the_exact_state(house: House) -> None:
    anna, bruno = house.person("Anna"), house.person("Bruno")
    game = played("take_that", players=2, rounds=1, dealer=1)
    table = house.table_of(game, [anna, bruno], 1)
    page = anna.visit(table)
    page.wait_for_selector("#log li")
    anna.context.set_offline(True)
    page.wait_for_selector(".table.lost")
    assert "No connection" in page.inner_text("#problem")
    bruno.move(table, game.history[1])
    anna.context.set_offline(False)
    page.wait_for_selector("#log li:nth-child(2)")
    page.wait_for_selector(".table:not(.lost)")
    state = anna.state(table)
    for name, html in state["fragments"].items():
        if name != "seats":  # who is here changes by the minute
            page.wait_for_function(AS_SENT, arg=[name, html])  # what is out of sight is drawn last
    make_a_move(page)
    page.wait_for_selector("#log li:nth-child(3)")
    anna.leave()
    bruno.leave()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_and_another_one(house: House, language: str) -> None:
    titles = {"it": "quattro giochi", "en": "four games", "de": "vier Spiele"}
    other = {"it": "en", "en": "de", "de": "it"}[language]
    guest = house.person(locale=f"{language}-CH")
    page = guest.visit("/")
    assert page.get_attribute("html", "lang") == language
    assert titles[language].lower() in page.inner_text("h1").lower()
    page.click(f".lang button[value={other}]")
    page.wait_for_selector(f"html[lang={other}]")
    assert titles[other].lower() in page.inner_text("h1").lower()
    guest.visit(guest.new_table("completto", seat_2="beginner"))
    assert page.get_attribute("html", "lang") == other
    page.click(".menu summary")
    page.click(f".menu button[value={language}]")
    page.wait_for_selector(f"html[lang={language}] .table")
    guest.leave()


def test_keyboard_only(house: House) -> None:
    anna = house.person()
    page = anna.visit(anna.new_table("sequence", seat_2="beginner"))
    page.wait_for_function(READY)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.part?.startsWith('hand-') || false"):
            break
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('target')")
    page.keyboard.press("Escape")
    assert page.query_selector(".target") is None
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('target')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#log li")
    anna.leave()


POINTED = """() => {
  if (document.querySelector(".why")) return "over";
  const box = document.querySelector(".ring.wanted, #acts .wish")?.getBoundingClientRect();
  return box && box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""


def test_a_lesson_by_clicking_where_the_coach_points(house: House) -> None:
    anna = house.person()
    page = anna.visit("/rules/completto")
    page.click("form[action='/learn/completto'] button")
    page.wait_for_selector("#coach [data-post='/read']")
    page.focus("#coach .primary")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('wish')")
    page.reload()
    page.wait_for_selector(".wish .ring.wanted")
    assert page.get_attribute("#coach", "aria-live") == "polite"
    for _ in range(40):
        found = page.wait_for_function(POINTED).json_value()
        if found == "over":
            break
        page.mouse.click(*found)
    page.click("#coach form button")
    page.click("button[name=level]:focus")  # asked before the first real game
    page.wait_for_selector(".table:not(.lesson)")
    anna.leave()


SERVE = """
import sys
from infila.server import app, command, settings
listening = command.listen("127.0.0.1", int(sys.argv[2]))
made = app.create_app(settings.Settings(data=sys.argv[1], limits=False, pace=0.0))
command.serve(made, listening, lambda: print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True))
"""


def test_the_server_comes_back(house: House, tmp_path: Path) -> None:
    """Killed and started again: the page goes on where it was."""

    def serve(port: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-c", SERVE, str(tmp_path), port]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
        )
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        return process, found[0].rstrip("/")

    process, address = serve("0")
    anna = House(address, house.chromium).person()
    page = anna.visit(anna.new_table("take_that", seat_2="beginner"))
    make_a_move(page)
    page.wait_for_selector("#log li")
    process.kill()
    process.communicate()
    again, _ = serve(address.rpartition(":")[2])
    page.wait_for_selector(".table:not(.lost)")
    make_a_move(page)
    page.wait_for_selector("#log li:nth-child(3)")
    anna.leave()
    again.kill()
    again.communicate()
