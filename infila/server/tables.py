"""The tables in memory, and the one way in which they change.

Whatever happens is drafted against the table as it is, written to the log, and only when the log has it does the table
change and everybody hear of it. One thing at a time: who acts on what is no longer so is told.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.sql import Executable

from infila.core.game import Game
from infila.server import schema
from infila.server.errors import Conflict, Unknown
from infila.server.index import changes_between, entries_of, row_of
from infila.server.own_seats import behind_curtain
from infila.server.settings import Settings
from infila.server.snapshot import OPEN, WAITING, Entry, Header, Snapshot, after, fold
from infila.server.store import Clash, Store
from infila.server.table_view import TableView
from infila.server.watchers import FIRST, Update, Watcher


@dataclass(frozen=True)
class Draft:
    """What is to become an entry; `game` is the game after it, if the move has been played already."""

    kind: str
    seat: int | None = None
    person: str | None = None
    text: str = ""
    key: str | None = None
    game: Game | None = None


@dataclass(eq=False)
class LiveTable:
    """A table in memory."""

    snapshot: Snapshot
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    heard: dict[str, float] = field(default_factory=dict)  # when people acted, asked or closed their last page
    kept_since: float = 0.0  # when it was read: of what was before nobody can say who was here
    stale: bool = False

    @property
    def here(self) -> frozenset[str]:
        """The people whose page is open."""
        return frozenset(watcher.person for watcher in self.watchers if watcher.person is not None)

    def hear(self, person: str | None, now: float) -> None:
        """A sign of life of somebody who sits here."""
        if person is not None and self.snapshot.seats_of(person):
            self.heard[person] = now

    def silent_since(self, person: str) -> float:
        """Since when the table hears nothing from somebody, in this turn."""
        return max(self.snapshot.clock.since, self.heard.get(person, self.kept_since))

    def seen_by(self, person: str | None, seat: int | None) -> TableView:
        """The table now, through the eyes of a seat or of a spectator."""
        return TableView(self.snapshot, person, behind_curtain(self.snapshot, person, seat), here=self.here)


Ready = Callable[[str], Awaitable[None]]  # waits until a game's rules can be used


async def always_ready(game: str) -> None:
    """For a server that compiles when it has to."""


class Tables:
    def __init__(self, store: Store, settings: Settings, ready: Ready) -> None:
        self._store = store
        self._now = settings.now
        self._most = settings.tables_in_memory
        self._ready = ready
        self._listeners: list[Callable[[LiveTable], None]] = []
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}

    @property
    def in_memory(self) -> Mapping[str, LiveTable]:
        return MappingProxyType(self._live)

    def on_change(self, listener: Callable[[LiveTable], None]) -> None:
        """Have a listener called whenever a table was loaded or has changed."""
        self._listeners.append(listener)

    def _changed(self, live: LiveTable) -> None:
        for listener in self._listeners:
            listener(live)

    async def find(self, table: str) -> LiveTable:
        live = self._live.get(table)
        if live is not None and not live.stale:
            self._live.move_to_end(table)
            return live
        if not (table.isascii() and table.isalnum()):
            raise Unknown("there is no such table.")
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> LiveTable:
        def read(connection: Connection) -> tuple[Header, list[Entry]] | None:
            text = connection.scalar(select(schema.tables.c.header).where(schema.tables.c.id == table))
            if text is None:
                return None
            header = msgspec.json.decode(text, type=Header)
            return header, entries_of(connection, table)

        found = await self._store.read(read)
        if found is None:
            raise Unknown("there is no such table.")
        header, entries = found
        await self._ready(header.game)
        snapshot = await asyncio.to_thread(fold, header, entries)
        known = self._live.get(table)
        if known is not None:  # it was out of date: those who watch it stay
            known.snapshot, known.stale = snapshot, False
            for watcher in known.watchers:
                watcher.tell(Update(snapshot, FIRST))
            return known
        live = LiveTable(snapshot)
        self.keep(live)
        self._changed(live)
        return live

    def keep(self, live: LiveTable) -> None:
        """Hold a table in memory; let the one go that was not asked for longest, if nobody is there."""
        self.make_room()
        live.kept_since = self._now()
        self._live[live.snapshot.header.id] = live

    def make_room(self) -> bool:
        """For one more table; whether there is room."""
        return len(self._live) < self._most or any(map(self.let_go, list(self._live.values())))

    def let_go(self, live: LiveTable) -> bool:
        """Forget a table, if nobody is there and nothing has to be done; whoever asks for it finds it in the log."""
        if live.watchers or live.lock.locked() or live.snapshot.due is not None:
            return False
        return self._live.pop(live.snapshot.header.id, None) is not None

    async def write(self, live: LiveTable, drafts: Sequence[Draft], first: Sequence[Executable] = ()) -> None:
        """Drafts to the log, and once it has them to everybody. The caller holds the table's lock."""
        if not drafts and not first:
            return
        now = self._now()
        before, snapshots, rows = live.snapshot, [], []
        snapshot = before
        waiting = list(drafts)
        while waiting or _complete(snapshot):
            draft = waiting.pop(0) if waiting else Draft("begin")
            entry = Entry(snapshot.number + 1, draft.kind, draft.seat, draft.person, draft.text, draft.key, now)
            snapshot = after(snapshot, entry, draft.game)
            snapshots.append(snapshot)
            rows.append(row_of(snapshot.header.id, entry))
        try:
            await self._store.write(rows, [*first, *changes_between(before, snapshot)])
        except Clash:
            live.stale = True
            fresh = await self._load(before.header.id)
            raise Conflict("somebody else was quicker.", fresh.snapshot.version) from None
        except BaseException:
            live.stale = True  # whether it was written is not known: the log will tell
            raise
        for each in snapshots:
            live.hear(each.last.person if each.last else None, now)
            live.snapshot = each
            for watcher in live.watchers:
                watcher.tell(Update(each, each.last.kind if each.last else ""))
        self._changed(live)


def _complete(snapshot: Snapshot) -> bool:
    """Whether the game can begin: every seat taken, and where words are mixed in everybody ready."""
    if snapshot.state != WAITING or any(seat.kind == OPEN for seat in snapshot.seats):
        return False
    return not snapshot.header.mixing or all(seat.ready for seat in snapshot.seats)
