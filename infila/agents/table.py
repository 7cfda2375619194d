"""An agent at a table of a server: it sits down, hears of every change, and makes its moves (docs/reference/agents.md).

It asks over HTTP what its seat may know, as a record, so that it is asked as in a contest. What it decides is checked
here and, as anybody's move, by the server.
"""

import json
import re
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from infila.agents.naming import Sitter, seated
from infila.core.carried import unpacked
from infila.core.errors import InfilaError
from infila.core.notation import move_texts

LINK = re.compile(r"(https?://[^/?#]+)(?:/t|/api/v1/tables)/([\w-]{1,40})/?(?:[?#].*)?")
PATIENCE = 60.0  # seconds without a word from the server, which says something every quarter of a minute
LOST = 5  # times in a row that a stream may break off before it is given up
CONFLICT, BROKEN = 409, 500
LONGEST_NAME = 30
TALK = b"event: chat"


class Said(InfilaError):
    """The server has refused something, in its own words."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(f"the server says: {sentence}")
        self.status = status


class Table:
    """A table of a server, as somebody with a token uses it; without one, as somebody new."""

    def __init__(self, link: str, name: str, token: str = "") -> None:
        found = LINK.fullmatch(link.strip())
        if found is None:
            raise InfilaError(f"{link!r} is no table: its link looks like https://example.org/t/TABLE.")
        self.server, self.id = found[1], found[2]
        self.token = token
        self.token = token or str(self._asked("/people", {"name": name})["token"])

    def see(self) -> dict[str, Any]:
        found: dict[str, Any] = self._asked(f"/tables/{self.id}")
        return found

    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = self._asked(f"/tables/{self.id}/record")
        return found

    def do(self, what: str, **body: Any) -> Any:
        return self._asked(f"/tables/{self.id}/{what}", body)

    def leave(self) -> None:
        self._asked(f"/tables/{self.id}/seat", method="DELETE")

    def changes(self) -> Iterator[dict[str, Any]]:
        """The table as it is now, and after everything that happens there."""
        lost = 0
        while True:
            try:
                with self._open(f"/tables/{self.id}/events") as answer:
                    talk = False
                    for line in answer:
                        if line.startswith(b"event: "):
                            talk = line.strip() == TALK
                        elif line.startswith(b"data: ") and not talk:
                            lost = 0
                            yield json.loads(line.removeprefix(b"data: "))
                reason = "it ends what it has to say"
            except Said as problem:
                if problem.status < BROKEN:
                    raise
                reason = str(problem)
            except (OSError, ValueError) as problem:
                reason = str(problem)
            lost += 1
            if lost > LOST:
                raise InfilaError(f"{self.server} cannot be reached any more: {reason}.")
            time.sleep(lost)  # a server that is started anew needs some seconds

    def _asked(self, path: str, body: Any = None, method: str | None = None) -> Any:
        try:
            with self._open(path, body, method) as answer:
                content = answer.read()
        except OSError as problem:
            raise InfilaError(f"{self.server} cannot be reached: {problem}.") from None
        try:
            return json.loads(content) if content else None
        except ValueError:
            raise InfilaError(f"{self.server} does not answer as a server of infila does.") from None

    def _open(self, path: str, body: Any = None, method: str | None = None) -> Any:
        headers = {"content-type": "application/json"} if body is not None else {}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        sent = None if body is None else json.dumps(body).encode()
        try:
            return urlopen(Request(f"{self.server}/api/v1{path}", sent, headers, method=method), timeout=PATIENCE)
        except HTTPError as problem:
            raise Said(problem.code, _sentence(problem)) from None
        except URLError as problem:
            raise ConnectionError(problem.reason) from None


def _sentence(problem: HTTPError) -> str:
    try:
        return str(json.loads(problem.read())["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"{problem.code} {problem.reason}"


def sit(
    link: str,
    who: Any,
    *,
    name: str = "",
    seat: int | None = None,
    token: str = "",
    seconds: float | None = None,
    told: Callable[[dict[str, Any]], None] = lambda table: None,
) -> dict[str, Any]:
    """Give somebody, named as for `seated`, a seat at the table of a link, and let them play to the end of the game.

    `seat` counts from 1; without it the first that is open is taken. With the `token` of a person who sits there
    already, the game goes on. `told` hears of the table after everything that happens. Returns how it is in the end.

    Who takes a move back or calls for an act of the host may, as far as it depends on the agent; it plays on when
    somebody offers to end the game.
    """
    table = Table(link, (name or getattr(who, "__name__", None) or str(who))[:LONGEST_NAME], token)
    seen = table.see()
    sitter = seated(seen["game"], who, seconds)
    if seen["seat"] is None:
        seen = table.do("seat", **({} if seat is None else {"seat": seat}))
    try:
        for seen in table.changes():
            told(seen)
            if seen["over"]:
                return seen
            _answer(table, seen)
            if seen["moves"] and seen["seat"] in seen["mine"]:
                _move(table, sitter, seen["version"])
        raise AssertionError("changes never end")
    finally:
        if not seen["over"] and not token:  # nobody could come back to this seat
            table.leave()


def _answer(table: Table, seen: dict[str, Any]) -> None:
    """What the table waits for besides moves; somebody else may have been quicker."""
    waits = {
        "take-back/answer": (seen["ask"] or {}).get("must_answer"),
        "call/answer": seen["must_judge"],
        "stop/answer": (seen["stop"] or {}).get("must_answer"),
    }
    for what, needed in waits.items():
        if needed:
            try:
                table.do(what, agreed=what != "stop/answer")
            except Said as problem:
                if problem.status != CONFLICT:
                    raise


def _move(table: Table, sitter: Sitter, version: int) -> None:
    """Ask for a move and make it. If the table has changed meanwhile, the next event says how."""
    record = table.record()
    if record["version"] != version:
        return
    contract, states = unpacked(record)
    action = sitter.choose(states, record["seat"] - 1)
    wanted = {"move": move_texts(contract, states, [action])[0], "version": version}
    try:
        table.do("moves", **wanted, seat=record["seat"], key=uuid.uuid4().hex)
    except Said as problem:
        if problem.status != CONFLICT:
            raise
