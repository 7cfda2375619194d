"""Whole games at the tables of a server that has compiled nothing, with all that people do there.

    XDG_CACHE_HOME=EMPTY python -m tests.wasm.at_tables FOLDER GAME…

Prints what was compiled meanwhile, which must be nothing, how many games came to their end, and the slowest requests.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import httpx
from numba.core import event

from infila.core.games import contract_of
from infila.players import LEVELS
from infila.wasm.use import modules_in_use
from tests.cases import cases_of
from tests.server.running import running

LONGEST = 400  # moves of a person
NOW_AND_THEN = 9  # moves between two looks at everything
NOWHERE = ["", "board", "hand-1", "cell-h8", "row-1", "pile", "nothing-there"]  # parts that are touched in vain
NO_MOVES = ("98", "take", "5@a1", "draw", "stop", "34x43", "9d>h8", "nonsense")  # in most positions


class Compiled(event.Listener):  # type: ignore[misc]
    """Hears of everything that Numba compiles."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def on_start(self, happened: Any) -> None:
        self.names.append(str(happened.data["dispatcher"]))

    def on_end(self, happened: Any) -> None:
        pass


class Player:
    """Somebody in a browser."""

    def __init__(self, address: str) -> None:
        headers = {"origin": address, "accept": "text/html"}
        self._client = httpx.Client(base_url=address, follow_redirects=True, headers=headers, timeout=120)
        self.slowest: list[tuple[float, str]] = []

    def ask(self, method: str, path: str, **sent: Any) -> httpx.Response:
        started = time.perf_counter()
        answer = self._client.request(method, path, **sent)
        assert answer.status_code < 500, f"{path}: {answer.text[:300]}"
        self.slowest = sorted([*self.slowest, (round(time.perf_counter() - started, 3), f"{method} {path}")])[-5:]
        return answer

    def state(self, table: str) -> dict[str, Any]:
        """What the page shows once it is this person's turn, or the game is over."""
        while True:
            found: dict[str, Any] = self.ask("GET", f"{table}/state").json()
            if found["over"] or found["moves"]:
                return found
            time.sleep(0.005)

    def play(self, game: str, options: dict[str, Any], levels: Iterator[str]) -> bool:
        """A game against computers; whether it came to its end."""
        texts = contract_of(game).options.make(options).to_texts()
        others = islice(levels, int(texts["players"]) - 1)
        seats = {f"seat-{seat}": level for seat, level in enumerate(others, 2)}
        form = {"game": game, "name": "Anna", "hints": "yes", "seat-1": "me"} | texts | seats
        table = self.ask("POST", "/new", data=form).url.path
        for turn in range(LONGEST):
            state = self.state(table)
            if state["over"]:
                self.look_back(table, state)
                return True
            if turn % NOW_AND_THEN == 0:
                self.look_around(table, state)
            move = state["moves"][11 * turn % len(state["moves"])]["t"]
            self.ask("POST", f"{table}/moves", json={"move": move, "version": state["version"]})
        return False

    def look_around(self, table: str, state: dict[str, Any]) -> None:
        """A hint, touches that lead nowhere, moves that are none, the page, and the game as it was."""
        self.ask("POST", f"{table}/hint", json={})
        paths = [move["p"] for move in state["moves"]]
        for parts in (
            [[part] for part in NOWHERE] + [path[::-1] for path in paths[:5]] + [path[:1] for path in paths[:9]]
        ):
            self.ask("POST", f"{table}/why", json={"parts": parts})
        for text in ("98", "take", "5@a1", "draw", "stop", "turn 3", "nonsense"):
            self.ask("POST", f"{table}/moves", json={"move": text, "version": state["version"] - 1})
        self.ask("GET", table)
        self.ask("GET", f"{table}?at={state['count'] // 2}")

    def look_back(self, table: str, state: dict[str, Any]) -> None:
        """The end, the replay, and the log, which becomes a table of its own."""
        assert self.ask("GET", table).status_code == 200
        for at in range(0, state["count"], 25):
            assert self.ask("GET", f"{table}?at={at}").status_code == 200
        log = self.ask("GET", f"{table}/log").text
        assert self.ask("POST", "/upload", data={"log": log}).status_code == 200


def main() -> None:
    folder, *games = sys.argv[1:]
    compiled, finished = Compiled(), 0
    event.register("numba:compile", compiled)
    with modules_in_use(), running(Path(folder), compile_ahead=True) as address:
        anna, levels = Player(address), cycle(LEVELS)
        for game in games:
            anna.ask("POST", f"/learn/{game}")
            anna.ask("GET", f"/rules/{game}")
            finished += anna.play(game, cases_of(game).thought_about[-1] | cases_of(game).short, levels)
    print(json.dumps({"compiled": compiled.names, "finished": finished, "slowest": anna.slowest}))


if __name__ == "__main__":
    main()
