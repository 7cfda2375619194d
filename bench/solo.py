"""What a computer's thoughts cost a server, and what is left of that where they are thought in the person's browser.

    python -m bench.solo [--rounds 50]

A program plays against one computer, at two servers that take turns: at one it thinks in the computer's place, as the
page of a table does, at the other the server thinks. The figure is the processor's time of the server for a round: a
move of the person, the computer's answer, and one message about each. A round against `club`, which does not search, is
what all of them cost, so the rest is what the thought costs. A page asks for more, but for the same at both servers.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import infila
from bench.server import HOST, free_port
from infila.core.games import NAMES, contract_of
from infila.players import LEVELS
from infila.server.solo import LEAST_SIMULATIONS
from tests.server.running import Person

RESULTS = Path(__file__).parent / "results" / "solo.json"
BASE = "club"
TURNS = 4
WARM = 3  # rounds before anything is counted


def serve(port: int, folder: str, browsers_think: bool) -> None:
    """A server that answers at once and counts nothing."""
    from infila.server import command
    from infila.server.app import create_app
    from infila.server.settings import Settings
    from infila.wasm.use import modules_in_use

    app = create_app(Settings(data=folder, limits=False, pace=0, browsers_think=browsers_think))
    with modules_in_use():
        command.serve(app, command.listen(HOST, port), lambda: print("ready", flush=True))


class Server:
    def __init__(self, address: str, process: int) -> None:
        self.address, self.process = address, process

    @property
    def seconds(self) -> float:
        """The processor's time that it has taken."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(browsers_think: bool) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        port = free_port()
        command = [sys.executable, "-m", "bench.solo", "--serve", str(port), folder, str(int(browsers_think))]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None and server.stdout.readline() == "ready\n", "the server did not start"
            yield Server(f"http://{HOST}:{port}", server.pid)
        finally:
            server.terminate()
            server.wait()


class Alone(Person):
    """Somebody who plays against one computer."""

    def __init__(self, server: Server, game: str, level: str) -> None:
        super().__init__(server.address, "Anna")
        self.server, self.game, self.level = server, game, level

    def rounds(self) -> Iterator[None]:
        """Rounds of one game, each with the first move that there is. It thinks where a page would."""
        table = self.post("/tables", json={"game": self.game, "options": {"players": 2}, "seats": ["me", self.level]})
        name = table.json()["id"]
        thinks = "/solo/" in self.get(f"{self.server.address}/t/{name}", headers={"accept": "text/html"}).text
        with self.events(name) as events:
            if thinks:
                self.at(name, "task")
            for event in events:
                now = event["data"]
                if now["state"] == "over":
                    return
                if now["moves"]:
                    yield
                    self.move(name, now["moves"][0], now["version"])
                elif thinks and now["player"] == 2 and (task := self.at(name, "task").get("task")):
                    self.at(name, "thought", seat=2, version=task["version"], action=self.thought(task))

    def at(self, table: str, what: str, **fields: Any) -> Any:
        return self.post(f"{self.server.address}/t/{table}/{what}", json=fields).json()

    def thought(self, task: dict[str, Any]) -> int:
        """What the computer would do, which a page finds in its worker."""
        dtype = contract_of(self.game).rules.State.dtype
        hidden = np.frombuffer(b64decode(task["states"]["begin"]).ljust(2 * dtype.itemsize, b"\0"), dtype)[:1]
        return infila.player(self.game, self.level).ponder(hidden.copy(), task["seat"])[0].action


def milliseconds(server: Server, game: str, level: str, rounds: int) -> float:
    """Of the server's processor for a round; a game that ends is followed by another."""
    counted, spent = 0, 0.0
    while counted < rounds:
        before = None
        for number, _ in enumerate(Alone(server, game, level).rounds()):
            if number == WARM:
                before = server.seconds
            counted += number > WARM
            if counted == rounds:
                break
        spent += 0.0 if before is None else server.seconds - before
    return 1000 * spent / counted


def least(servers: list[Server], game: str, level: str, rounds: int) -> list[float]:
    """Servers take turns; of several turns of each the one counts in which other programs disturbed it least."""
    turns = [[milliseconds(server, game, level, rounds) for server in servers] for _ in range(TURNS)]
    return [min(column) for column in zip(*turns, strict=True)]


def measured(here: Server, there: Server, game: str, rounds: int) -> dict[str, Any]:
    """Milliseconds of a round, without any thought, and for each level that a browser is asked to think for."""
    (without,) = least([here], game, BASE, rounds)
    found: dict[str, Any] = {"without": round(without, 2), "levels": {}}
    for level in LEVELS:
        how = infila.player(game, level).level
        if how is not None and how.simulations >= LEAST_SIMULATIONS:
            server, browser = least([here, there], game, level, rounds)
            costs = {"server": round(server, 2), "browser": round(browser, 2), "ratio": round(server / browser, 2)}
            found["levels"][level] = costs
    print(game, found, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--serve", nargs=3, metavar=("PORT", "FOLDER", "BROWSERS_THINK"))
    wanted = parser.parse_args()
    if wanted.serve:
        serve(int(wanted.serve[0]), wanted.serve[1], wanted.serve[2] == "1")
        return
    with ExitStack() as open_:
        here, there = open_.enter_context(serving(False)), open_.enter_context(serving(True))
        games = {game: measured(here, there, game, wanted.rounds) for game in NAMES}
    result = {
        "games": games,
        "rounds": wanted.rounds,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(result, indent=2))
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
