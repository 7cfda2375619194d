"""The ledger of a browser: what it keeps of each table is a line for lists, and the entries of its log."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from infila.server.ledger import SEATING, Clash, Filed, GameStatistics, Kept, Result
from infila.server.outcomes import Outcome, outcomes_between
from infila.server.snapshot import Entry, Header, Snapshot

LAYING: ContextVar[str] = ContextVar("LAYING", default="")  # what a table that is made now is laid for (laid.py)


class Keeper(Protocol):
    """Where a browser keeps things (`keep.js`). What is written is there for good once the answer has come."""

    async def lines(self) -> str:
        """The lines of all tables, as JSON."""
        ...

    async def entries(self, table: str) -> str:
        """The log of a table, as JSON."""
        ...

    async def append(self, changes: str) -> bool:
        """Of each change, as JSON, replace a table's line and add entries to its log, all of it or nothing; False if
        one of these entries is there already."""
        ...

    async def fact(self, name: str) -> str: ...

    async def note(self, name: str, value: str) -> None: ...


class Unkept(Exception):
    """The browser keeps nothing more: it has no room, or does not want to."""


@dataclass(frozen=True)
class Change:
    """A table as it is now, by which entries it became so, and what came of it for everybody."""

    now: Snapshot
    outcomes: Sequence[Outcome]
    entries: Sequence[Entry]


Meanwhile = Callable[[Snapshot], Awaitable[None]]  # what is done while a table is written, as it will be


async def _nothing(_snapshot: Snapshot) -> None:
    """The browser writes, and Python waits."""


class BrowserLedger:
    failures: tuple[type[Exception], ...] = (Unkept,)
    away_since: float | None = None

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._lines: dict[str, dict[str, Any]] = {}
        self.laid: dict[str, str] = {}  # tables of which nobody knows yet, and what for
        self.meanwhile: Meanwhile = _nothing

    async def open(self) -> None:
        """Read what is kept, as far as lists need it."""
        self._lines = {line["id"]: line for line in json.loads(await self._keeper.lines())}
        self.laid = {table: line["laid"] for table, line in self._lines.items() if "laid" in line}

    # the log

    async def read(self, table: str) -> Kept | None:
        if table not in self._lines:
            await self.open()  # another tab may have made it
        if table not in self._lines:
            return None
        header = msgspec.convert(self._lines[table]["header"], Header)
        return header, [Entry(*values) for values in json.loads(await self._keeper.entries(table))]

    async def seated_at(self, tables: Sequence[str]) -> dict[str, Kept]:
        found = {}
        for table in tables:
            kept = await self.read(table)
            if kept is not None:
                found[table] = kept[0], [entry for entry in kept[1] if entry.kind in SEATING]
        return found

    async def append(self, before: Snapshot, now: Snapshot, entries: Sequence[Entry], *, new: bool = False) -> None:
        if new and LAYING.get():
            self.laid[now.header.id] = LAYING.get()
        outcomes = outcomes_between(before, now) or self._lines.get(now.header.id, {}).get("outcomes", [])
        if not await self.bring([Change(now, outcomes, entries)]):
            raise Clash

    async def bring(self, changes: Sequence[Change]) -> bool:
        """Write what has happened at several tables, all of it or nothing; False if others have written meanwhile."""
        lines = [_line(change) | self._more(change.now.header.id) for change in changes]
        values = [
            [[getattr(entry, name) for name in Entry.__struct_fields__] for entry in change.entries]
            for change in changes
        ]
        try:
            writing = self._keeper.append(json.dumps(list(zip(lines, values, strict=True))))
            if len(changes) == 1:
                await self.meanwhile(changes[0].now)
            written = await writing
        except Exception as problem:  # whatever the browser has against it
            raise Unkept(str(problem)) from None
        if written:
            self._lines |= {line["id"]: line for line in lines}
        return written

    def _more(self, table: str) -> dict[str, Any]:
        """What a line has besides, of a table that is or was laid."""
        if table in self.laid:
            return {"laid": self.laid[table]}
        known = self._lines.get(table, {})
        return {"taken": known["taken"]} if "taken" in known else {}

    async def take(self, table: str) -> None:
        """From now on a table that was laid is one of those that somebody plays at."""
        if self.laid.pop(table, None) is None:
            return
        line = {name: value for name, value in self._lines[table].items() if name != "laid"} | {"taken": time.time()}
        self._lines[table] = line
        try:
            await self._keeper.append(json.dumps([[line, []]]))
        except Exception as problem:  # whatever the browser has against it
            raise Unkept(str(problem)) from None

    async def made_with(self, table: str, key: str) -> int | None:
        kept = await self.read(table)
        return next((entry.number for entry in kept[1] if entry.key == key), None) if kept else None

    # tables

    def tables(self) -> Collection[str]:
        """All that somebody knows of."""
        return [table for table in self._lines if table not in self.laid]

    def of_seed(self, seed: str) -> list[str]:
        """The tables of one seed; those without one have an empty one."""
        return [table for table, line in self._lines.items() if line["header"].get("seed", "") == seed]

    async def game_of(self, table: str) -> str:
        return str(self._lines[table]["header"]["game"]) if table in self._lines else ""

    async def open_tables(self, limit: int) -> list[Filed]:
        return []  # nobody else could find them

    async def tables_of(self, person: str, states: Sequence[str], limit: int, skip: int) -> list[Filed]:
        mine = [line for line in self._of(person) if not states or line["state"] in states]
        return [Filed(line["id"], line["header"]["game"], line["state"]) for line in mine[skip : skip + limit]]

    def _of(self, person: str) -> list[dict[str, Any]]:
        """Somebody's tables, the newest first."""
        mine = (line for line in self._lines.values() if person in line["people"] and line["id"] not in self.laid)
        return sorted(mine, key=lambda line: line.get("taken", line["header"].get("created", 0.0)), reverse=True)

    async def count_of(self, person: str) -> int:
        return len(self._of(person))

    async def last_game_of(self, person: str, games: Sequence[str]) -> str:
        return next((line["header"]["game"] for line in self._of(person) if line["header"]["game"] in games), "")

    async def due_tables(self) -> list[str]:
        return [table for table, line in self._lines.items() if line["due"] is not None]

    async def results_of(self, person: str, tables: Sequence[str]) -> dict[str, Result]:
        found: dict[str, Result] = {}
        for line in filter(None, map(self._lines.get, tables)):
            ended = sorted(self._outcomes(line, person), key=lambda outcome: (outcome.won, outcome.score))
            for outcome in ended[-1:]:
                found[line["id"]] = Result(outcome.won, outcome.score, line["at"], outcome.drawn)
        return found

    async def statistics_of(self, person: str) -> list[GameStatistics]:
        found: dict[tuple[str, str], list[Outcome]] = {}
        for line in self._lines.values():
            for outcome in self._outcomes(line, person):
                found.setdefault((line["header"]["game"], outcome.against), []).append(outcome)
        return [
            GameStatistics(
                game,
                against,
                len(played),
                sum(each.won for each in played),
                max(each.score for each in played),
                sum(each.score for each in played) / len(played),
            )
            for (game, against), played in sorted(found.items())
        ]

    def _outcomes(self, line: dict[str, Any], person: str) -> list[Outcome]:
        return [outcome for values in line["outcomes"] if (outcome := Outcome(*values)).person == person]

    # people

    async def welcome(self, person: str, name: str) -> None:
        await self.note(f"name {person}", name)

    async def name_of(self, person: str) -> str:
        return await self._keeper.fact(f"name {person}")

    async def rename(self, person: str, name: str, before: str) -> None:
        await self.note(f"name {person}", name)

    async def note(self, name: str, value: str) -> None:
        """Keep a fact."""
        try:
            await self._keeper.note(name, value)
        except Exception as problem:  # whatever the browser has against it
            raise Unkept(str(problem)) from None

    # whether it is there

    def on_return(self, told: Callable[[float], None]) -> None:
        """It is never away."""

    def last_alive(self) -> float | None:
        return None

    async def note_alive(self, at: float) -> None:
        await asyncio.sleep(0)


def _line(change: Change) -> dict[str, Any]:
    """What lists need to know of a table."""
    now = change.now
    return {
        "id": now.header.id,
        "header": msgspec.to_builtins(now.header),
        "state": now.state,
        "due": now.due,
        "people": sorted({seat.person for seat in now.seats if seat.person is not None}),
        "at": now.over_since,
        "outcomes": list(change.outcomes),
    }
