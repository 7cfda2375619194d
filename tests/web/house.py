"""A server, a browser and people in it: what the browser's tests, the accessibility check and the screenshots share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import infila
from tests.server.running import running
from tests.web import browser as browsers

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
SEED = "in fila"
NAMES = ("Anna", "Bruno", "Carla", "Dario")


class Person:
    """Somebody with a browser of their own; what they do without looking goes by HTTP, with the browser's cookies."""

    def __init__(self, house: "House", name: str = "", **settings: Any) -> None:
        self.house, self.name = house, name
        wanted: dict[str, Any] = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce"}
        wanted |= {"service_workers": "block"} | settings  # what a browser keeps is a matter of its own
        self.context = house.chromium.new_context(**wanted)
        self.context.set_default_timeout(30_000)
        self.problems: list[str] = []
        self._page: Any = None

    @property
    def page(self) -> Any:
        if self._page is None:
            self._page = self.context.new_page()
            self._page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        return self._page

    def visit(self, path: str) -> Any:
        self.page.goto(path if "://" in path else self.house.address + path)
        return self.page

    def visit_anew(self, path: str) -> Any:
        """In a page of its own; what was open is closed, with whatever it was about to load."""
        if self._page is not None:
            self._page.close()
            self._page = None
        return self.visit(path)

    def post(self, path: str, form: dict[str, str] | None = None, **fields: Any) -> Any:
        """A form, or an act at a table; the answer."""
        headers = {"Origin": self.house.address, "Accept": "text/html" if form is not None else "application/json"}
        sent = {"form": form} if form is not None else {"data": fields}
        answer = self.context.request.post(self.house.address + path, headers=headers, **sent)
        assert answer.ok, f"{path}: {answer.status} {answer.text()[:300]}"
        return answer

    def new_table(self, game: str, **fields: Any) -> str:
        """By the form; the table's path."""
        form = {"game": game, "seat-1": "me", "name": self.name} | {
            name.replace("seat_", "seat-"): str(value) for name, value in fields.items()
        }
        url: str = self.post("/new", form).url
        return url.removeprefix(self.house.address)

    def state(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = self.context.request.get(f"{self.house.address}{table}/state").json()
        return found

    def move(self, table: str, move: str, version: int | None = None) -> int:
        """Make a move; the version of the table then."""
        known = self.state(table)["version"] if version is None else version
        now: int = self.post(f"{table}/moves", move=move, version=known).json()["version"]
        return now

    def leave(self) -> None:
        """Close the browser; its pages must have had no trouble."""
        assert self.problems == []
        self.context.close()


class House:
    """Where people meet."""

    def __init__(self, address: str, chromium: Any) -> None:
        self.address, self.chromium = address, chromium

    def person(self, name: str = "", **settings: Any) -> Person:
        return Person(self, name, **settings)

    def table_of(self, game: infila.Game, people: list[Person], moves: int) -> str:
        """A table at which these people have played the first moves of a game that was dealt from the house's seed."""
        options = game.contract.options.make(game.options).to_texts()
        seats = {f"seat_{seat + 1}": "open" for seat in range(1, len(people))}
        table = people[0].new_table(game.game, hints="yes", **options, **seats)
        for person in people[1:]:
            if person.name:
                person.post("/name", {"name": person.name})
            person.post(f"{table}/seat")
        self.play(table, game, people, moves)
        return table

    def play(self, table: str, game: infila.Game, people: list[Person], moves: int) -> None:
        """The first moves of a game at a table where it was dealt alike."""
        again = game.before(len(game.history))
        version = None
        for move in game.history[:moves]:
            version = people[again.mover(move) or 0].move(table, move, version)
            again.play(move)


def played(name: str, **options: Any) -> infila.Game:
    """A whole game of quick computer players, dealt from the house's seed."""
    game = infila.new(name, seed=SEED, **options)
    player = infila.player(name, "casual")
    while not game.over:
        game.play(player.think(game.view(game.acting()[0])).move)
    return game


@contextmanager
def open_house(folder: Path, **settings: Any) -> Iterator[House]:
    """A server on a free port and a browser."""
    path = browsers.found()
    with running(folder, new_seed=lambda: SEED, **settings) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path or None, args=browsers.ARGUMENTS)
        try:
            yield House(address, chromium)
        finally:
            chromium.close()
