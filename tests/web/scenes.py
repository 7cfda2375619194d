"""Every page, in every state that people see: for the accessibility check and for the screenshots."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.cases import cases_of
from tests.play import GAMES
from tests.web.house import NAMES, House, Person, played

REVIEWED = GAMES[1::2]  # it is the same page for all games


@dataclass(frozen=True)
class Scene:
    name: str
    person: Person
    path: str
    act: Callable[[Any], None] = lambda page: None  # what the person does there before one looks


def scenes(house: House) -> Iterator[Scene]:
    """All of them; tables are made as they are needed."""
    people = [house.person(name) for name in NAMES[:3]]
    anna, stranger = people[0], house.person()
    yield Scene("front-new", stranger, "/")
    yield Scene("mine-new", stranger, "/mine")
    yield Scene("missing", stranger, "/nothing")
    yield Scene("wrong-game", stranger, "/rules/chess")
    yield Scene("offline", stranger, "/offline?language=en&theme=", offer_the_site)
    for game in GAMES:
        yield Scene(f"new-{game}", anna, f"/new?game={game}")
        yield Scene(f"rules-{game}", stranger, f"/rules/{game}")
        yield Scene(f"sheet-{game}", stranger, f"/sheet/{game}?players=4")
    yield from waiting(anna, stranger)
    stranger.post("/name", {"name": "Eva"})
    for game in GAMES:
        yield from at_table(house, game, people, stranger)
    yield from hot_seat(anna)
    yield Scene("front", anna, "/")
    yield Scene("mine", anna, "/mine")
    anna.post("/programs", {"name": "my bot"})
    yield Scene("devices", anna, "/devices")
    yield Scene("devices-new", house.person(), "/devices")
    yield Scene("token", anna, "/devices", make_token)
    link = re.search(r"/me/\w+", people[1].post("/device", {}).text())
    assert link
    yield Scene("become", anna, link[0])
    yield Scene("device", anna, "/mine", lambda page: page.click("form[action='/device'] button"))


def offer_the_site(page: Any) -> None:
    """As where games without a network are kept."""
    page.evaluate("() => { document.querySelector('#without').hidden = false; }")


def waiting(anna: Person, stranger: Person) -> Iterator[Scene]:
    table = anna.new_table("sequence", players=4, seat_2="open", seat_3="expert", seat_4="open", lobby="yes")
    yield Scene("waiting", anna, table)
    yield Scene("waiting-guest", stranger, table)


def at_table(house: House, game: str, people: list[Person], stranger: Person) -> Iterator[Scene]:
    whole = played(game, **cases_of(game).scene)
    players = people[: len(whole.names)]
    start = house.table_of(whole, players, 0)
    yield Scene(f"{game}-start", players[0], start)
    middle = house.table_of(whole, players, cases_of(game).scene_moves)
    for person in players:  # so that they are here
        person.visit(middle)
    on_turn = next(person for person in players if person.state(middle)["moves"])
    yield Scene(f"{game}-turn", on_turn, middle)
    yield Scene(f"{game}-choosing", on_turn, middle, choose)
    yield Scene(f"{game}-hint", on_turn, middle, ask)
    yield Scene(f"{game}-spectator", stranger, middle)
    end = house.table_of(whole, players, len(whole.history))
    yield Scene(f"{game}-end", players[0], end)
    yield Scene(f"{game}-replay", stranger, f"{end}?at={cases_of(game).scene_moves}&seat=1")
    if game in REVIEWED:
        yield Scene(f"{game}-review", players[0], f"{end}/review?at={cases_of(game).scene_moves}&seat=1", first_look)


def make_token(page: Any) -> None:
    page.fill("form[action='/programs'] input", "my bot")
    page.click("form[action='/programs'] button")


def first_look(page: Any) -> None:
    """Until there is something to see."""
    page.wait_for_selector(".strand", timeout=120_000)


def choose(page: Any) -> None:
    """A part that begins a move, if one has to be chosen first."""
    page.wait_for_selector(".can, .target", state="attached")
    shown = [part for part in page.query_selector_all(".can") if part.bounding_box()]
    if shown:
        shown[min(1, len(shown) - 1)].dispatch_event("click")


def ask(page: Any) -> None:
    """For a hint."""
    page.get_by_role("button", name=page.get_attribute("[data-hint]", "data-hint"), exact=True).click()
    page.wait_for_selector("#hint .take")


def hot_seat(anna: Person) -> Iterator[Scene]:
    table = anna.new_table("take_that", seat_2="me", dealer=2)
    yield Scene("curtain", anna, table)
    yield Scene("names", anna, f"{table}/names")
    yield Scene("who", anna.house.person(), table)
    yield Scene("curtain-lifted", anna, table, lambda page: page.click("#acts .primary"))
