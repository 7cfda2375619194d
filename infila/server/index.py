"""The log in the database, and the indexes over it: whose seats, which tables wait, what everybody has achieved."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.outcomes import outcomes_between
from infila.server.sealing import Seal, with_open_seed, with_sealed_seed
from infila.server.snapshot import WAITING, Entry, Header, Snapshot
from infila.server.store import Row

SEALED = ("open",)  # kinds of entries of which the database must not tell the text


def stored_header(header: Header, seal: Seal) -> str:
    """The header of a table as the database has it."""
    return with_sealed_seed(msgspec.json.encode(header).decode(), seal)


def table_row(header: Header, seal: Seal) -> Row:
    """A new table as the database has it."""
    return {
        "id": header.id,
        "header": stored_header(header, seal),
        "game": header.game,
        "private": header.private,
        "created": header.created,
        "state": WAITING,
    }


def header_of(stored: str, seal: Seal) -> Header:
    return msgspec.json.decode(with_open_seed(stored, seal), type=Header)


def entries_of(connection: Connection, table: str, seal: Seal, kinds: Sequence[str] = ()) -> list[Entry]:
    """The log of a table, or what it has of some kinds."""
    c = schema.entries.c
    query = select(c.number, c.kind, c.seat, c.person, c.text, c.key, c.at).where(c.table_id == table)
    if kinds:
        query = query.where(c.kind.in_(kinds))
    entries = (Entry(*row) for row in connection.execute(query.order_by(c.number)))
    return [
        msgspec.structs.replace(entry, text=seal.opened(entry.text)) if entry.kind in SEALED else entry
        for entry in entries
    ]


def sealed_rows(table: str, entries: Sequence[Entry], seal: Seal) -> list[Row]:
    """Rows of the log as the database has them."""
    rows = (row_of(table, entry) for entry in entries)
    return [row | {"text": seal.sealed(row["text"])} if row["kind"] in SEALED else row for row in rows]


def row_of(table: str, entry: Entry) -> Row:
    return {
        "table_id": table,
        "number": entry.number,
        "kind": entry.kind,
        "seat": entry.seat,
        "person": entry.person,
        "text": entry.text,
        "key": entry.key,
        "at": entry.at,
    }


def changes_between(before: Snapshot, now: Snapshot) -> list[Executable]:
    """What the indexes over the log have to change."""
    table = now.header.id
    changes: list[Executable] = []
    if (before.state, before.due) != (now.state, now.due):
        query = update(schema.tables).where(schema.tables.c.id == table)
        changes.append(query.values(state=now.state, due=now.due))
    for i, (old, new) in enumerate(zip(before.seats, now.seats, strict=True)):
        if old.person != new.person:
            c = schema.seats.c
            changes.append(delete(schema.seats).where(c.table_id == table, c.seat == i))
            if new.person is not None:
                changes.append(insert(schema.seats).values(table_id=table, seat=i, person=new.person))
    changes += [
        insert(schema.results).values(
            table_id=table,
            seat=outcome.seat,
            person=outcome.person,
            game=now.header.game,
            players=len(now.seats),
            against=outcome.against,
            score=outcome.score,
            won=outcome.won,
            drawn=outcome.drawn,
            at=now.over_since,
        )
        for outcome in outcomes_between(before, now)
    ]
    return changes
