"""The tables in memory, and the one way in which they change.

Each act is checked against the table as it is, written to the log, and only when the log has it does the table change
and everybody hear of it. One act at a time: who acts on what is no longer so is told.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.sql import Executable

from infila.core.game import Game
from infila.server import schema
from infila.server.errors import Conflict, Unknown
from infila.server.index import changes_between, entries_of, row_of
from infila.server.moment import OPEN, WAITING, Entry, Header, Moment, after, fold
from infila.server.settings import Settings
from infila.server.store import Clash, Store
from infila.server.streams import Update, Watcher
from infila.server.tableview import TableView


@dataclass(frozen=True)
class Act:
    """What shall become an entry."""

    kind: str
    seat: int | None = None
    person: str | None = None
    text: str = ""
    key: str | None = None
    game: Game | None = None


@dataclass(eq=False)
class Live:
    """A table in memory."""

    moment: Moment
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    left_at: dict[str, float] = field(default_factory=dict)  # when people's last page was closed
    stale: bool = False

    @property
    def here(self) -> frozenset[str]:
        return frozenset(watcher.person for watcher in self.watchers if watcher.person is not None)


class Tables:
    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.changed: Callable[[Live], None] = lambda live: None  # told after every change; the computers listen
        self.ready: Callable[[str], Awaitable[None]] = _always_ready  # waits until a game's rules are compiled
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Live]] = {}

    async def table(self, table: str) -> Live:
        live = self._live.get(table)
        if live is not None and not live.stale:
            self._live.move_to_end(table)
            return live
        if not (table.isascii() and table.isalnum()):
            raise Unknown("there is no such table.")
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self.load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(self._loading[table])

    async def load(self, table: str) -> Live:
        def read(connection: Connection) -> tuple[Header, list[Entry]] | None:
            text = connection.scalar(select(schema.tables.c.header).where(schema.tables.c.id == table))
            if text is None:
                return None
            header = msgspec.json.decode(text, type=Header)
            return header, entries_of(connection, table)

        found = await self.store.read(read)
        if found is None:
            raise Unknown("there is no such table.")
        header, entries = found
        await self.ready(header.game)
        moment = await asyncio.to_thread(fold, header, entries)
        known = self._live.get(table)
        if known is not None:  # it was out of date: those who watch it stay
            known.moment, known.stale = moment, False
            for watcher in known.watchers:
                watcher.tell(Update(moment, "view"))
            return known
        live = Live(moment)
        self.keep(live)
        self.changed(live)
        return live

    def keep(self, live: Live) -> None:
        """Hold a table in memory; let the one go that was not asked for longest, if nobody is there."""
        self._live[live.moment.header.id] = live
        if len(self._live) <= self.settings.tables_in_memory:
            return
        for other in self._live.values():
            if other is not live and self.let_go(other):
                return

    def let_go(self, live: Live) -> bool:
        """Forget a table, if nobody is there and nothing has to be done; whoever asks for it finds it in the log."""
        if live.watchers or live.lock.locked() or live.moment.due is not None:
            return False
        return self._live.pop(live.moment.header.id, None) is not None

    async def write(self, live: Live, acts: Sequence[Act], first: Sequence[Executable] = ()) -> None:
        """Acts to the log, and once it has them to everybody. The caller holds the table's lock."""
        if not acts and not first:
            return
        now = self.settings.clock()
        before, moments, rows = live.moment, [], []
        moment = before
        waiting = list(acts)
        while waiting or _complete(moment):
            act = waiting.pop(0) if waiting else Act("begin")
            entry = Entry(moment.number + 1, act.kind, act.seat, act.person, act.text, act.key, now)
            moment = after(moment, entry, act.game)
            moments.append(moment)
            rows.append(row_of(moment.header.id, entry))
        try:
            await self.store.write(rows, [*first, *changes_between(before, moment)])
        except Clash:
            live.stale = True
            fresh = await self.load(before.header.id)
            raise Conflict("somebody else was quicker.", fresh.moment.version) from None
        except BaseException:
            live.stale = True  # whether it was written is not known: the log will tell
            raise
        for each in moments:
            live.moment = each
            for watcher in live.watchers:
                watcher.tell(Update(each, each.last.kind if each.last else ""))
        self.changed(live)

    def seen(self, live: Live, person: str | None, seat: int | None) -> TableView:
        return TableView(live.moment, person, seat, here=live.here)


async def _always_ready(game: str) -> None:
    """For a server that compiles when it has to."""


def _complete(moment: Moment) -> bool:
    """Whether the game can begin: every seat taken, and where words are mixed in everybody ready."""
    if moment.state != WAITING or any(seat.kind == OPEN for seat in moment.seats):
        return False
    return not moment.header.mixing or all(seat.ready for seat in moment.seats)
