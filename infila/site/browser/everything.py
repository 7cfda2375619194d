"""Everything that a browser keeps as one file: to have it for good, or to go on in another browser.

A file is JSON. It says what it is and in which format, and has a sum over all that was `kept`: a name, and of each
table its header and the entries of its log. Who somebody is differs from browser to browser, so a file says only `me`,
and whoever brings it back is that.

What a file brings is believed in nothing: every game is played again by the rules before anything is written, and then
all of it is written at once. A game that is here already is left alone; one that was played on elsewhere goes on here;
and where a game was played on in two places, what the file has becomes a game of its own.
"""

import hashlib
import json
import math
import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from infila.core.games import usable_games
from infila.core.seeds import MOST_ATTEMPTS
from infila.server.creation import check_length
from infila.server.entries import after, beginning
from infila.server.errors import Refused
from infila.server.identity import clean_name, new_id
from infila.server.ledger import Kept
from infila.server.limits import LONGEST_KEY, MOST_SEATS
from infila.server.lobby import listed
from infila.server.outcomes import Outcome, outcomes_between
from infila.server.pages.lists import line_of
from infila.server.service import Service
from infila.server.snapshot import COMPUTER, LEFT, OPEN, PLAYING, REPLACED, RESIGNED, TIME, Entry, Header, Snapshot
from infila.server.tables import MOST_ENTRIES
from infila.site.browser.ledger import BrowserLedger, Change

WHAT, FORMAT = "everything", 1
BEGINNING = '{"infila":"everything",'  # of every file: what begins like this and cannot be read is damaged
ME = "me"
LARGEST = 32_000_000  # bytes: some thousand games; page_inside.js sends hardly more
LONGEST_TEXT = 4000  # of an entry
LATEST = 32_503_680_000.0  # the year 3000: no calendar goes on for ever
AN_ID = re.compile("[0-9a-z]{1,32}")
AWAY = (LEFT, TIME, REPLACED, RESIGNED)


class KeptTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    header: Header
    entries: tuple[tuple[int, str, int | None, str | None, str, str | None, float], ...]


class KeptHere(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    tables: tuple[dict[str, Any], ...]


class Wrong(Exception):
    """A table that no page has made."""


@dataclass(frozen=True)
class Brought:
    """How many games of a file are new here, went on, or were here already."""

    new: int = 0
    longer: int = 0
    same: int = 0


@dataclass(frozen=True)
class Replayed:
    """A table of a file, played again."""

    now: Snapshot
    entries: list[Entry]
    outcomes: list[Outcome]


class Everything:
    def __init__(self, ledger: BrowserLedger, service: Service, person: str) -> None:
        self._ledger, self._service, self._person = ledger, service, person

    async def packed(self) -> str:
        """The file."""
        found = [await self._ledger.read(table) for table in list(self._ledger.tables())]
        tables = [_without_me(table) for table in found if table is not None]
        kept = {"name": await self._service.people.name_of(self._person), "tables": tables}
        return _text({"infila": WHAT, "format": FORMAT, "sum": _sum(kept), "kept": kept})

    async def bring(self, text: str) -> Brought:
        """Take in a file, all of it or nothing."""
        found = unpacked(text)
        name = clean_name(found.name)
        tables = [self._replayed(number, raw) for number, raw in enumerate(found.tables, 1)]
        if len({each.now.header.id for each in tables}) < len(tables):
            raise _foreign()
        while True:
            changes, brought = await self._changes(tables)
            if not changes or await self._ledger.bring(changes):
                break  # otherwise a computer has moved meanwhile
        for change in changes:
            live = self._service.tables.in_memory.get(change.now.header.id)
            if live is not None:
                live.stale = True
                await self._service.tables.find(change.now.header.id)
        if name and not await self._service.people.name_of(self._person):
            await self._service.people.rename(self._person, name)
        return brought

    def _replayed(self, number: int, raw: dict[str, Any]) -> Replayed:
        try:
            return replayed(raw, self._person)
        except Exception:  # whatever somebody has thought up: the rules refuse it, or stumble over it
            raise Refused(
                "game {number} of this file cannot be played again by the rules, so nothing was taken from it.",
                number=number,
            ) from None

    async def _changes(self, tables: list[Replayed]) -> tuple[list[Change], Brought]:
        changes, same = [], 0
        for table in tables:
            header, entries = table.now.header, table.entries
            known = self._ledger.of_seed(header.seed)
            alike = [kept for each in known if (kept := await self._ledger.read(each)) and _is(kept[0], header)]
            if any(log[: len(entries)] == entries for _header, log in alike):
                same += 1
                continue
            begun = [kept for kept in alike if kept[1] == entries[: len(kept[1])]]
            if begun:
                header, log = max(begun, key=lambda kept: len(kept[1]))
                changes.append(Change(_under(header.id, table.now), table.outcomes, entries[len(log) :]))
            else:
                taken = header.id in self._ledger.tables()
                changes.append(Change(_under(new_id() if taken else header.id, table.now), table.outcomes, entries))
        longer = sum(change.entries[0].number > 1 for change in changes)
        return changes, Brought(len(changes) - longer, longer, same)


def _without_me(table: Kept) -> dict[str, Any]:
    """A table as a file has it."""
    header, entries = table
    return {
        "header": msgspec.to_builtins(msgspec.structs.replace(header, host=ME)),
        "entries": [
            [each.number, each.kind, each.seat, each.person and ME, each.text, each.key, each.at] for each in entries
        ],
    }


def unpacked(text: str) -> KeptHere:
    """What a file says, as far as it is one."""
    if len(text.encode(errors="replace")) > LARGEST:
        raise Refused("this file is too large: at most {most} megabytes can be read.", most=LARGEST // 1_000_000)
    if not text.strip():
        raise Refused("choose a file first.")
    try:
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise _damaged() if text.startswith(BEGINNING) else _foreign() from None
    if not isinstance(found, dict) or found.get("infila") != WHAT or type(found.get("format")) is not int:
        raise _foreign()
    if found["format"] > FORMAT:
        raise Refused("this file is from a newer edition. Load the newest edition of this page, then try again.")
    try:
        if found["format"] != FORMAT or found["sum"] != _sum(found["kept"]):
            raise _damaged()
        _text(found["kept"], ascii_only=False).encode()  # half a character would stop every page that shows it
        return msgspec.convert(found["kept"], KeptHere)
    except (KeyError, ValueError, RecursionError) as problem:
        raise problem if isinstance(problem, Refused) else _damaged() from None


def _no_number(text: str) -> float:
    raise ValueError(text)


def _damaged() -> Refused:
    return Refused(
        "this file is damaged or incomplete, so nothing was taken from it. Fetch it once more from where you keep it."
    )


def _foreign() -> Refused:
    return Refused("this file is not one of those that “keep everything in a file” makes.")


def _sum(kept: Any) -> str:
    return hashlib.sha256(_text(kept).encode()).hexdigest()


def _text(made: Any, ascii_only: bool = True) -> str:
    return json.dumps(made, ensure_ascii=ascii_only, separators=(",", ":"))


def _is(one: Header, other: Header) -> bool:
    """Whether it is the same table, whatever it is called."""
    return one == msgspec.structs.replace(other, id=one.id)


def _under(table: str, now: Snapshot) -> Snapshot:
    return replace(now, header=msgspec.structs.replace(now.header, id=table))


def replayed(raw: dict[str, Any], person: str) -> Replayed:
    """A table of a file as this person's own; raises something if it cannot be."""
    table = msgspec.convert(raw, KeptTable)
    header = msgspec.structs.replace(table.header, host=person)
    _check_header(header)
    if len(table.entries) > MOST_ENTRIES * 2:
        raise Wrong("too much has happened")
    now, entries, outcomes = beginning(header), [], list[Outcome]()
    for values in table.entries:
        entry = Entry(*values)
        _check_entry(now, entry)
        entry = msgspec.structs.replace(entry, person=None if entry.person is None else person)
        before, now = now, after(now, entry)
        outcomes = outcomes_between(before, now) or outcomes
        entries.append(entry)
    if not entries or person not in now.people:
        raise Wrong("nobody is there")
    for language in ("en", "it", "de"):
        line_of(listed(now, person), language)
    return Replayed(now, entries, outcomes)


def _check_header(header: Header) -> None:
    options = header.typed_options
    sound = (
        AN_ID.fullmatch(header.id)
        and (not header.rematch_of or AN_ID.fullmatch(header.rematch_of))
        and header.game in usable_games()
        and len(header.plan) == int(options.to_dict()["players"]) <= MOST_SEATS
        and all(seat.kind in (OPEN, COMPUTER) for seat in header.plan)
        and 0 <= header.created <= LATEST
        and 1 <= header.attempt <= MOST_ATTEMPTS + 1
    )
    if not sound:
        raise Wrong(header.id)
    header.check_clock()
    check_length(options)


def _check_entry(before: Snapshot, entry: Entry) -> None:
    """What the fold of a log takes for granted, because only a table writes one."""
    sound = (
        entry.number == before.number + 1
        and (entry.seat is None or 0 <= entry.seat < len(before.seats))
        and entry.person in (None, ME)
        and len(entry.text) <= LONGEST_TEXT
        and len(entry.key or "") <= LONGEST_KEY
        and 0 <= entry.at <= LATEST
    )
    if entry.kind in ("sit", "name"):
        sound = sound and bool(entry.text) and clean_name(entry.text) == entry.text
    elif entry.kind == "begin":
        sound = sound and before.game is None
    elif entry.kind == "move":
        sound = sound and before.state == PLAYING and (entry.seat is None or entry.seat in before.to_act)
    elif entry.kind in ("back", "ask"):
        sound = sound and 0 <= int(entry.text) <= len(before.history)
    elif entry.kind == "away":
        sound = sound and entry.text.rpartition(" ")[2] in AWAY
    elif entry.kind == "chat":
        msgspec.json.decode(entry.text, type=tuple[str, str, str])
    elif entry.kind == "pause":
        sound = sound and math.isfinite(float(entry.text)) and 0 <= float(entry.text) <= LATEST
    elif entry.kind == "rematch":
        sound = sound and AN_ID.fullmatch(entry.text) is not None
    if not sound:
        raise Wrong(f"entry {entry.number}")
