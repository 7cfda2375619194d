"""A fuzzer for every route of the application: sensible requests in senseless order, and senseless ones.

The routes come from the application itself, the fields of bodies from their types, and the names of query parameters,
forms, headers and cookies from whatever the server's sources ask for. Several people act at many tables, their own and
others', in all games and in all states that a table can have. Everything follows from a seed.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec

import infila.server
from infila.core.games import NAMES, contract_of
from infila.server import bodies
from infila.server.creation import NewTable
from infila.server.endpoints import ENDPOINTS
from infila.server.identity import COOKIE
from infila.server.levels import ComputerLevel

HOST = "infila.test"
MOST_TABLES = 60  # that are played with at a time
BOUNDARY = "xxxboundaryxxx"

TEXTS = [
    "", " ", "0", "1", "2", "3", "-1", "-0", "+1", "1.0", "1e400", "NaN", "Infinity", "0x10", "1_000", "²", "٣", "½",
    "null", "true", "[]", "{}", "9" * 5000, "-" + "9" * 4300, "9223372036854775808", "4294967296", "\0", "a\0b", "%00",
    "%", "%%%s%n", "{0.__class__}", "{name}", "../../../etc/passwd", "..\\..", "/", "//", "' OR 1=1 --", "\";--",
    "<script>", "&amp;", "\r\nx: y", "\n", "\t|\t", "|", "\u202e\u2066", "\u2028", "\ufeff", "\ufffd", "a\u0301" * 40,
    "\U0001f600" * 20, "x" * 501, "x" * 70_000, "me", "open", "left", "club left", "search:10000000", "infila_x_y",
    "a.b.c", "1.2.3.4",
]  # fmt: skip
STRUCTS: dict[str, type[msgspec.Struct]] = {each.path: each.body for each in ENDPOINTS if each.body is not None} | {
    "people": bodies.NewPerson,
    "me": bodies.NewPerson,
    "tables": NewTable,
    "logs": bodies.Upload,
    "why": bodies.Touched,
    "thought": bodies.Thought,
}
FORMS = "application/x-www-form-urlencoded"


def names_asked_for() -> list[str]:
    """Whatever the server's sources get by name: parameters, fields of forms, headers, cookies."""
    found: set[str] = set()
    for file in Path(infila.server.__file__).parent.rglob("*.py"):
        found |= set(re.findall(r'\.get\(\s*f?b?"([\w-]+?)[-{]?[^"]*"', file.read_text()))
    for game in NAMES:
        found |= set(contract_of(game).options.specs())
    return sorted(found | {f"seat-{seat}" for seat in range(1, 14)})


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def shown(self) -> str:
        return f"{self.method} {self.path[:300]} {self.headers!r:.300} {self.body[:300]!r}"


class Person:
    """Somebody with a program and a browser, whose sessions may end."""

    def __init__(self, person: str) -> None:
        self.id, self.token, self.cookie = person, "", ""

    def headers(self, by_cookie: bool = False) -> dict[str, str]:
        if by_cookie:
            return {"cookie": f"{COOKIE}={self.cookie}", "origin": f"http://{HOST}"}
        return {"authorization": f"Bearer {self.token}"}


class Table:
    """What was last seen of a table."""

    def __init__(self, seen: dict[str, Any], person: Person | None) -> None:
        self.id: str = seen["id"]
        self.game: str = seen["game"]
        self.seen, self.seen_by = seen, person
        self.log = ""


class Fuzzer:
    def __init__(self, routes: list[tuple[str, str]], seed: int) -> None:
        """`routes` are methods and path templates."""
        self.routes = [route for route in routes if route[0] != "OPTIONS"]
        self.chance = random.Random(seed)
        self.names = names_asked_for()
        self.people: list[Person] = []
        self.tables: list[Table] = []

    def keep(self, seen: Any, asked: Asked) -> None:
        """Remember a table from an answer, and who was told."""
        if not isinstance(seen, dict) or "id" not in seen or "game" not in seen:
            return
        known = next((table for table in self.tables if table.id == seen["id"]), None)
        person = self.who_asked(asked)
        if known is None:
            self.tables.append(Table(seen, person))
            del self.tables[:-MOST_TABLES]
        elif seen.get("moves") or not known.seen.get("moves") or self.chance.random() < 0.2:
            known.seen, known.seen_by = seen, person

    def who_asked(self, asked: Asked) -> Person | None:
        """Which of the people that was."""
        given = f"{asked.headers.get('authorization', '')} {asked.headers.get('cookie', '')}"
        return next((each for each in self.people if each.token in given or each.cookie in given), None)

    def who_sees(self, table: Table, often: float) -> dict[str, str]:
        """Mostly who has seen a table last, otherwise anybody."""
        if table.seen_by is None or self.chance.random() > often:
            return self.somebody()
        return table.seen_by.headers(self.chance.random() < 0.3)

    def next(self) -> Asked:
        """The next request."""
        kind = self.chance.random()
        if len(self.tables) < MOST_TABLES // 2 or kind < 0.01:
            return self.new_table()
        if kind < 0.20:
            return self.play()
        if kind < 0.40:
            return self.look()
        return self.any_route()

    def somebody(self) -> dict[str, str]:
        """Mostly one of the people, by token or by cookie; sometimes nobody, or somebody who lies."""
        chance = self.chance.random()
        if chance < 0.9:
            return self.chance.choice(self.people).headers(self.chance.random() < 0.3)
        if chance < 0.95:
            return {}
        text = self.chance.choice([self.chance.choice(self.people).token[:-1] + "x", self.text()])
        return self.chance.choice([{"authorization": f"Bearer {text}"}, {"cookie": f"{COOKIE}={text}"}])

    def new_table(self) -> Asked:
        game = self.chance.choice(NAMES)
        players = self.chance.choice([2, 2, 2, 3, 4])
        others = ["me", "open", "open", "random", "beginner", "club"]
        seats = ["me", *(self.chance.choice(others) for _ in range(players - 1))]
        wanted: dict[str, Any] = {"game": game, "options": {"players": players}, "seats": seats}
        wanted |= {name: self.chance.random() < 0.3 for name in ("private", "casual")}
        if self.chance.random() < 0.3:
            wanted["move_seconds"] = self.chance.choice([1, 60, 86400])
        return self.json("POST", "/api/v1/tables", wanted)

    def play(self) -> Asked:
        """A legal move of what was last seen, or one of another moment."""
        table = self.chance.choice(self.tables)
        seen = table.seen
        move = self.chance.choice(seen.get("moves") or ["1"])
        body: dict[str, Any] = {"move": move, "version": seen.get("version", 0)}
        if self.chance.random() < 0.2:
            body["key"] = self.chance.choice(["a", "b", self.text()])
        if self.chance.random() < 0.2:
            body["seat"] = self.chance.randrange(1, 4)
        address = self.chance.choice([f"/api/v1/tables/{table.id}/moves", f"/t/{table.id}/moves?eyes=0"])
        return self.json("POST", address, body, self.who_sees(table, 0.9))

    def look(self) -> Asked:
        """A table as somebody sees it, so that moves can follow."""
        table = self.chance.choice(self.tables)
        return Asked("GET", f"/api/v1/tables/{table.id}", self.who_sees(table, 0.5))

    def any_route(self) -> Asked:
        method, template = self.chance.choice(self.routes)
        if self.chance.random() < 0.02:
            method = self.chance.choice(["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "POST", "TRACE", "X"])
        table = self.chance.choice(self.tables)
        path = re.sub(r"\{(\w+)\}", lambda found: self.part(found[1], table), template)
        if query := self.query():
            path += f"?{query}"
        headers = self.who_sees(table, 0.6) | self.extra_headers()
        if method in ("GET", "HEAD", "DELETE", "OPTIONS"):
            return Asked(method, path, headers)
        return self.with_body(method, path, template, headers)

    def part(self, name: str, table: Table) -> str:
        """A part of an address."""
        chance = self.chance.random()
        if chance < 0.9 and "table" in name:
            return table.id
        if chance < 0.85 and name == "game":
            return self.chance.choice(NAMES)
        if chance < 0.5 and name == "file_path":
            return self.chance.choice(["table.js", "page.css", "table.js/", "."])
        return quote(self.text()[:600], safe="" if self.chance.random() < 0.9 else "/%?#")

    def query(self) -> str:
        if self.chance.random() < 0.5:
            return ""
        pairs = [(self.chance.choice(self.names), self.small_or_any()) for _ in range(self.chance.randrange(1, 5))]
        if self.chance.random() < 0.05:
            return quote(self.text()[:2000])
        return urlencode(pairs)[:30_000]

    def extra_headers(self) -> dict[str, str]:
        found = {}
        for _ in range(self.chance.choice([0, 0, 1, 2])):
            usual = [
                "accept",
                "accept-language",
                "accept-encoding",
                "last-event-id",
                "range",
                "if-none-match",
                "cookie",
            ]
            usual += [
                "if-modified-since",
                "x-forwarded-for",
                "x-forwarded-proto",
                "content-length",
                "expect",
                "referer",
            ]
            name = self.chance.choice([*usual, *self.names])
            value = self.chance.choice(["text/html", "de", "gzip", "bytes=0-10,5-", "0", "infila", self.text()])
            found[name.lower()] = re.sub(r"[\x00-\x1f\x7f]", "?", value)[:20_000]
        return found

    def with_body(self, method: str, path: str, template: str, headers: dict[str, str]) -> Asked:
        struct = next((STRUCTS[name] for name in STRUCTS if template.endswith(f"/{name}")), None)
        chance = self.chance.random()
        if struct is None and chance < 0.8:
            fields = {self.chance.choice(self.names): self.small_or_any() for _ in range(self.chance.randrange(6))}
            if template in ("/new", "/upload", "/name"):
                fields |= {"game": self.chance.choice(NAMES), "players": self.chance.choice(["2", "3", self.text()])}
                fields["log"] = self.log()
            return self.form(method, path, fields, headers)
        if chance < 0.05:
            raw = self.chance.choice([b"", b"{", b"null", b"\xff\xfe", b"[" * 5000, b"1" * 5000, self.text().encode()])
            return Asked(method, path, {"content-type": "application/json"} | headers, raw)
        fields_of = struct.__struct_fields__ if struct is not None else self.names[:3]
        body: Any = {name: self.field(name) for name in fields_of if self.chance.random() < 0.9}
        if self.chance.random() < 0.05:
            body[self.chance.choice(self.names)] = self.value()
        if self.chance.random() < 0.03:
            body = self.value()
        return self.json(method, path, body, headers)

    def field(self, name: str) -> Any:
        """A value that a field of this name could have, or any."""
        if self.chance.random() < 0.2:
            return self.value()
        table = self.chance.choice(self.tables)
        sensible: dict[str, Any] = {
            "seat": self.chance.choice([1, 2, 3, None]),
            "level": self.chance.choice(list(ComputerLevel)),
            "move": self.chance.choice(table.seen.get("moves") or ["talk 1", "1"]),
            "version": table.seen.get("version", 0),
            "key": self.chance.choice(["k", None]),
            "agreed": self.chance.random() < 0.7,
            "game": table.game,
            "options": table.seen.get("options", {}),
            "seats": [self.chance.choice(["me", "open", "random", "club"]) for _ in table.seen.get("seats", [1, 2])],
            "position": self.chance.choice([None, table.seen.get("position")]),
            "log": self.log(),
            "parts": [self.chance.choice(["hand-1", "row-1", "x", self.text()[:50]])],
            "move_seconds": self.chance.choice([0, 60, 86400]),
            "game_seconds": self.chance.choice([0, 600]),
        }
        return sensible.get(name, self.chance.choice([True, False, "Anna", self.text()]))

    def log(self) -> str:
        """A log of a table, whole or spoilt."""
        log = self.chance.choice(self.tables).log if self.tables else ""
        chance = self.chance.random()
        if not log or chance < 0.4:
            return log
        at = self.chance.randrange(len(log))
        if chance < 0.6:
            return log[:at]
        if chance < 0.8:
            return log[:at] + self.text()[:1000] + log[at:]
        lines = log.splitlines()
        self.chance.shuffle(lines)
        return "\n".join(lines)

    def text(self) -> str:
        chance = self.chance.random()
        if chance < 0.05:
            return "".join(chr(self.chance.randrange(0x3000)) for _ in range(self.chance.randrange(50)))
        if chance < 0.1 and self.tables:
            return self.chance.choice(self.tables).id
        return self.chance.choice(TEXTS)

    def small_or_any(self) -> str:
        return str(self.chance.randrange(5)) if self.chance.random() < 0.5 else self.text()

    def value(self, depth: int = 0) -> Any:
        """Any value of JSON."""
        kind = self.chance.randrange(9 if depth < 3 else 6)
        if kind == 0:
            return self.chance.choice([None, True, False])
        if kind == 1:
            return self.chance.choice([0, 1, -1, 2**31, 2**53, 2**63, 2**64, 10**400, 1.5, 1e308, -0.0, float("nan")])
        if kind == 6:
            return [self.value(depth + 1) for _ in range(self.chance.choice([0, 1, 3, 50]))]
        if kind == 7:
            return {self.text()[:100]: self.value(depth + 1) for _ in range(self.chance.choice([0, 1, 3, 50]))}
        if kind == 8:
            nested: Any = 1
            for _ in range(self.chance.choice([10, 900])):
                nested = [nested] if self.chance.random() < 0.5 else {"position": nested}
            return nested
        return self.chance.choice([self.text(), "\ud800", "\udfff\ud800"])

    def json(self, method: str, path: str, body: Any, headers: dict[str, str] | None = None) -> Asked:
        sent = json.dumps(body).encode()
        wanted = {"content-type": "application/json"} | (self.somebody() if headers is None else headers)
        return Asked(method, path, wanted, sent)

    def form(self, method: str, path: str, fields: dict[str, str], headers: dict[str, str]) -> Asked:
        if self.chance.random() < 0.8:
            sent = urlencode(fields).encode()
            return Asked(method, path, {"content-type": FORMS} | headers, sent)
        parts = [
            f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{text}'
            for name, text in fields.items()
        ]
        sent = "\r\n".join([*parts, f"--{BOUNDARY}--", ""]).encode("utf-8", "replace")
        return Asked(method, path, {"content-type": f"multipart/form-data; boundary={BOUNDARY}"} | headers, sent)


def from_routes(application: Any) -> Iterator[tuple[str, str]]:
    """The methods and path templates of an application."""
    for route in application.routes:
        for method in sorted(getattr(route, "methods", ())):
            yield method, route.path_format
