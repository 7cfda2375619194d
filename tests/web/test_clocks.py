"""Two people in two browsers with a clock: seen running down on both, explained on both when it is out."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web import browser as browsers
from tests.web.house import PHONE, House, Person, open_house
from tests.web.test_browser import make_a_move, on_turn

LEFT = "() => document.querySelector('.seat.turn .clock')?.ariaLabel"
SECONDS = f"(most) => {{ const [m, s] = (({LEFT})() || '9:99').split(':'); return 60 * m + Number(s) <= most; }}"
WRONG = "() => { const real = Date.now; Date.now = () => real() + 5 * 3600e3; }"  # a device five hours ahead

# A page that can be told that it is not seen, and notes what it would tell.
UNSEEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => window.unseen || false });
  window.Notification = class {
    static permission = "default";
    static requestPermission() { this.permission = "granted"; }
    constructor(title) { window.told = title; }
    close() {}
  };
}"""


class Ahead:
    """A clock of the server that a test puts forward."""

    seconds = 0.0

    def __call__(self) -> float:
        return time.time() + self.seconds


ahead = Ahead()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with open_house(Path(tmp_path_factory.mktemp("house")), now=ahead) as opened:
        yield opened


def sat_down(house: House, **settings: Any) -> tuple[Person, Person, str]:
    anna, bruno = house.person("Anna"), house.person("Bruno", viewport=PHONE)
    table = anna.new_table("take_that", seat_2="open", rounds=1, dealer=2, **settings)
    bruno.post("/name", {"name": "Bruno"})
    bruno.post(f"{table}/seat")
    anna.page.add_init_script(f"({WRONG})()")
    for person in (anna, bruno):
        person.page.add_init_script(f"({UNSEEN})()")
        person.visit(table)
    return anna, bruno, table


def test_the_clock_runs_down_on_both_and_time_that_is_up_is_explained(house: House) -> None:
    anna, bruno, table = sat_down(house, pace=60)
    for person in (anna, bruno):
        person.page.wait_for_function(SECONDS, arg=58)
    late = on_turn(anna, bruno)
    other = bruno if late is anna else anna
    late.page.click("#say")  # sounds need a gesture
    ahead.seconds += 44
    other.post(f"{table}/chat", text="are you there?")
    for person in (anna, bruno):
        person.page.wait_for_selector(".table.urgent .seat.urgent .clock svg")
        assert "second" in person.page.inner_text("#say h1")
    now = late.state(table)["clock"]
    assert late.page.evaluate(SECONDS, now["seats"][now["on"]]["move"] + 2), "the server's time, not the device's"
    assert late.page.title().startswith("(1) ● ")
    late.page.wait_for_function("() => document.querySelector('.table').dataset.sound === 'tick'")
    ahead.seconds += 20
    other.post(f"{table}/chat", text="it runs out")
    late.page.wait_for_selector("#note h2")
    other.page.wait_for_function("() => document.querySelector('#problem').textContent.includes('no time left')")
    assert "the computer plays on for you" in late.page.inner_text("#note")
    late.page.click("#note [data-post='/return']")
    late.page.wait_for_selector("#note", state="hidden")
    for person in (anna, bruno):
        person.leave()


def test_who_is_on_turn_plays_on_while_another_asks_to_take_back(house: House) -> None:
    anna, bruno, _ = sat_down(house)
    asker = on_turn(anna, bruno)
    mover = bruno if asker is anna else anna
    make_a_move(asker.page)
    asker.page.click("#acts >> text=take back")
    mover.page.wait_for_selector(f"#acts >> text=let {asker.name} take back")
    assert mover.page.inner_text("#say h1") == f"your turn, {mover.name}"
    asker.page.click(".menu summary")
    asker.page.click("#notify")
    asker.page.wait_for_selector("#notify[aria-pressed=true]")
    asker.page.evaluate("() => { window.unseen = true; }")
    make_a_move(mover.page)
    assert asker.page.wait_for_function("() => window.told").json_value().startswith("your turn · ")
    assert mover.page.evaluate("() => window.told") is None, "only if it was asked for"
    asker.page.wait_for_function("() => document.querySelector('#problem').textContent.includes('has played on')")
    asker.page.click("#notify")
    asker.page.wait_for_selector("#notify[aria-pressed=false]")
    asker.page.click(".menu summary")
    asker.page.click("[data-toggle=sound]")
    assert asker.page.get_attribute("[data-toggle=sound]", "aria-pressed") == "false"
    mover.page.click(".bubble, #tab-chat")
    assert "spectators too" in mover.page.inner_text("#readers")
    for person in (anna, bruno):
        person.leave()
