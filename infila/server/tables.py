"""The tables in memory, and the one way in which they change.

Whatever happens is drafted against the table as it is, written to the log, and only when the log has it does the table
change and everybody hear of it. One thing at a time: who acts on what is no longer so is told.

If a write fails nobody knows whether the log has it. The table is in doubt then, and is read again until that has
succeeded; what is read never takes the place of something newer.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from types import MappingProxyType
from typing import Any

from infila.core.game import Game
from infila.server.contributions import shuffled
from infila.server.downtime import NOTE_SECONDS, Downtime
from infila.server.entries import after, fold
from infila.server.errors import Conflict, Refused, Unknown
from infila.server.ledger import Clash, Ledger
from infila.server.logs import mark
from infila.server.own_seats import behind_curtain
from infila.server.ownership import Elsewhere, Ownership
from infila.server.past import Past
from infila.server.settings import Settings
from infila.server.snapshot import Entry, Snapshot
from infila.server.table_view import TableView
from infila.server.watchers import FIRST, Update, Watcher

SETTLE_SECONDS = 3.0  # the longest time between two looks at a database that is away
SOON_SECONDS = 3600.0  # a table where something is to be done by then stays in memory
STOP_SECONDS = 2.0  # for the last note of a server that stops
MOST_RECENT = 16  # changes that are kept, for those whose stream has been cut
MOST_GLANCED = 200  # tables of other servers that are remembered
MOST_ENTRIES = 60_000  # of a table, after which people can no longer do what could be done without end
MOST_HELD = 500_000  # entries of all tables in memory: some hundred megabytes
REPEATABLE = frozenset({"sit", "commit", "name", "chat", "ask", "back", "return", "call", "read", "hint", "again"})
logger = logging.getLogger("infila")


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
    recent: deque[Update] = field(default_factory=lambda: deque(maxlen=MOST_RECENT))  # the last changes
    stale: bool = False  # the log may have more
    doubts: int = 0  # how often that was so

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
    def __init__(self, ledger: Ledger, settings: Settings, ready: Ready, owners: Ownership) -> None:
        self._ledger = ledger
        self._owners = owners
        self._now = settings.now
        self._most = settings.tables_in_memory
        self._ready = ready
        self._downtime = Downtime(ledger, settings)
        self._past = Past()
        self._let_go_running = False  # whether a table was let go whose clock runs
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[LiveTable], None]] = []
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._glanced: OrderedDict[str, Snapshot] = OrderedDict()  # tables of other servers, as they were

    async def start(self) -> None:
        """Look after the clocks: note that the server is there, and hear when the database was not."""
        loop = asyncio.get_running_loop()

        def returned(since: float) -> None:
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(lambda: self._spawn(self._give_back(since)))

        self._ledger.on_return(returned)
        self._spawn(self._note())

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(*self._ledger.failures, TimeoutError):
            await asyncio.wait_for(self._downtime.note(), STOP_SECONDS)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def clocks_run(self) -> bool:
        """Whether anybody's time runs at a table, in memory or let go."""
        return self._let_go_running or any(live.snapshot.running_since is not None for live in self._live.values())

    async def _note(self) -> None:
        while True:
            if self.clocks_run:
                with suppress(*self._ledger.failures):
                    await self._downtime.note()
            await asyncio.sleep(NOTE_SECONDS)

    async def _give_back(self, since: float) -> None:
        """The database is there again: nobody has lost time by that."""
        self._downtime.add(since)
        for live in list(self._live.values()):
            if self.lost_time(live.snapshot):
                await self._write_pause(live)

    async def _write_pause(self, live: LiveTable) -> None:
        try:
            async with live.lock:
                await self.write(live)
        except (Refused, *self._ledger.failures):  # type: ignore[misc]
            logger.warning("table %s is in doubt, and will be read again", mark(live.snapshot.header.id))

    async def game_at(self, snapshot: Snapshot, moves: int) -> Game:
        """The game of a table as it was after so many moves; others are answered while it is replayed."""
        assert snapshot.game is not None, "a past before the deal"
        return await asyncio.to_thread(self._past.game_at, snapshot.header.id, snapshot.game, moves)

    def lost_time(self, snapshot: Snapshot) -> float:
        """Seconds that the running clock has to get back: they are, with the next entry."""
        return self._downtime.of(snapshot)

    @property
    def in_memory(self) -> Mapping[str, LiveTable]:
        return MappingProxyType(self._live)

    @property
    def unread(self) -> list[str]:
        """Tables that were taken and could not be read, or were not asked for after all: nobody else looks after
        them."""
        return [table for table in self._owners.taken if table not in self._live]

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

    async def glance(self, table: str) -> Snapshot:
        """A table as it is now, also if another server works on it."""
        try:
            return (await self.find(table)).snapshot
        except Elsewhere:
            found = await self._ledger.read(table)
            if found is None:
                raise Unknown("there is no such table.") from None
            header, entries = found
            await self._ready(header.game)
            known = self._glanced.get(table)
            if known is None:
                now = await asyncio.to_thread(fold, header, entries)
            else:
                now = await asyncio.to_thread(_gone_on, known, entries)
            self._glanced[table] = now
            self._glanced.move_to_end(table)
            if len(self._glanced) > MOST_GLANCED:
                self._glanced.popitem(last=False)
            return now

    async def _load(self, table: str) -> LiveTable:
        """Read a table from the log: a new one in memory, or what one in doubt has missed."""
        while True:
            known = self._live.get(table)
            doubts = 0 if known is None else known.doubts
            if known is None and (since := await self._owners.hold(table)) is not None:
                self._downtime.taken_over(table, since)
            found = await self._ledger.read(table)
            if found is None:
                raise Unknown("there is no such table.")
            header, entries = found
            if known is None:
                await self._ready(header.game)
                snapshot = await asyncio.to_thread(fold, header, entries)
                if table in self._live:  # somebody was quicker
                    return self._live[table]
                return await self._take_in(LiveTable(snapshot))
            if len(entries) > known.snapshot.number:
                snapshot = await asyncio.to_thread(_gone_on, known.snapshot, entries)
                if snapshot.number > known.snapshot.number:
                    self._show(known, snapshot, FIRST)
            if known.doubts == doubts:  # nothing has failed while the log was read
                known.stale = False
                self._changed(known)
                return known

    async def _take_in(self, live: LiveTable) -> LiveTable:
        self.keep(live)
        if self.lost_time(live.snapshot) or shuffled(live.snapshot):  # older ones waited for words
            async with live.lock:
                await self.write(live)
        else:
            self._changed(live)
        return live

    def _show(self, live: LiveTable, snapshot: Snapshot, kind: str) -> None:
        live.snapshot = snapshot
        update = Update(snapshot, kind)
        if kind == FIRST:
            live.recent.clear()
        else:  # as it is without what everybody sees in it: that is most of its size, and is made again if need be
            live.recent.append(Update(replace(snapshot, views={}), kind))
        for watcher in live.watchers:
            watcher.tell(update)

    def _doubt(self, live: LiveTable) -> None:
        """Whether something was written is not known: the log will tell, as soon as it can be read."""
        first = not live.stale
        live.stale = True
        live.doubts += 1
        if first and live.snapshot.header.id in self._live:
            self._spawn(self._settle(live.snapshot.header.id))

    async def _settle(self, table: str) -> None:
        for wait in count():
            await asyncio.sleep(min(0.1 * 2**wait, SETTLE_SECONDS))
            live = self._live.get(table)
            if live is None or not live.stale:
                break
            try:
                await self._load(table)
            except Unknown:
                return
            except Exception as problem:
                logger.info("table %s cannot be read yet: %s", mark(table), type(problem).__name__)
            else:
                break
        # A commit whose connection was lost may still arrive after the log was read.
        await asyncio.sleep(SETTLE_SECONDS)
        if table in self._live:
            with suppress(Exception):
                await self._load(table)

    def keep(self, live: LiveTable) -> None:
        """Hold a table in memory; let those go that were not asked for longest, if nobody is there, where there are too
        many or where they are too long."""
        self.make_room()
        live.kept_since = self._now()
        self._live[live.snapshot.header.id] = live
        surplus = sum(each.snapshot.number for each in self._live.values()) - MOST_HELD
        for each in list(self._live.values())[:-1]:
            if surplus <= 0:
                break
            if self.let_go(each):
                surplus -= each.snapshot.number

    def make_room(self) -> bool:
        """For one more table; whether there is room."""
        return len(self._live) < self._most or any(map(self.let_go, list(self._live.values())))

    def busy(self, live: LiveTable) -> bool:
        """Whether somebody watches, or something is to be done soon."""
        due = live.snapshot.due
        return bool(live.watchers) or (due is not None and due < self._now() + SOON_SECONDS)

    def let_go(self, live: LiveTable) -> bool:
        """Forget a table, if nobody is there and nothing has to be done soon; whoever asks for it finds it in the log.
        A game of days with nobody there takes nobody's room."""
        if live.lock.locked() or self.busy(live):
            return False
        self._let_go_running |= live.snapshot.due is not None
        table = live.snapshot.header.id
        if self._live.pop(table, None) is None:
            return False
        self._downtime.forget(table)
        self._owners.release(table)
        return True

    def _give_up(self, live: LiveTable) -> None:
        """Another server has this table: who watches it here comes to that one."""
        self._live.pop(live.snapshot.header.id, None)
        self._downtime.forget(live.snapshot.header.id)
        for watcher in live.watchers:
            watcher.close()

    async def write(self, live: LiveTable, drafts: Iterable[Draft] = (), *, new: bool = False) -> None:
        """Drafts to the log, and once it has them to everybody; a new table with them. The caller holds the table's
        lock."""
        before = live.snapshot
        drafts = list(drafts)
        if before.number >= MOST_ENTRIES and any(draft.kind in REPEATABLE and draft.person for draft in drafts):
            raise Refused("too much has happened at this table: from now on there are only moves.")
        lost = self.lost_time(before)
        pause = [Draft("pause", text=f"{lost:.3f}")] if lost else []
        await self._write(live, _drafted(before, chain(pause, drafts), self._now()), new)

    async def write_many(self, live: LiveTable, drafts: Iterable[Draft], *, new: bool = False) -> None:
        """The same for the thousands that a log from elsewhere may bring: others are answered meanwhile, and nobody
        keeps the moments that nobody has seen."""
        await self._write(live, await asyncio.to_thread(_drafted, live.snapshot, drafts, self._now(), 1), new)

    async def _write(self, live: LiveTable, drafted: "Drafted", new: bool) -> None:
        before = live.snapshot
        snapshots, entries = drafted
        if not entries and not new:
            return
        if new:
            self._owners.made(before.header.id)
        elif not self._owners.holds(before.header.id):  # it was let go a moment ago
            raise Elsewhere("")
        try:
            await self._ledger.append(before, snapshots[-1] if snapshots else before, entries, new=new)
        except Clash:
            self._doubt(live)
            if await self._owners.lost(before.header.id):
                self._give_up(live)
                raise Elsewhere("") from None
            fresh = await self._load(before.header.id)
            raise Conflict("somebody else was quicker.", fresh.snapshot.version) from None
        except BaseException:
            self._doubt(live)
            raise
        for each in snapshots:
            live.hear(each.last.person if each.last else None, self._now())
            self._show(live, each, each.last.kind if each.last else "")
        self._changed(live)


Drafted = tuple[Sequence[Snapshot], list[Entry]]  # the moments after each draft, and what the log gets


def _drafted(snapshot: Snapshot, drafts: Iterable[Draft], now: float, most: int | None = None) -> Drafted:
    """What drafts make of a table; at most the last `most` moments are kept."""
    snapshots, entries = deque[Snapshot](maxlen=most), list[Entry]()
    waiting = iter(drafts)
    while True:
        draft = next(waiting, None) or (Draft("begin") if shuffled(snapshot) else None)
        if draft is None:
            return snapshots, entries
        entry = Entry(snapshot.number + 1, draft.kind, draft.seat, draft.person, draft.text, draft.key, now)
        snapshot = after(snapshot, entry, draft.game)
        snapshots.append(snapshot)
        entries.append(entry)


def _gone_on(snapshot: Snapshot, entries: Sequence[Entry]) -> Snapshot:
    """A snapshot after what the log has more."""
    for entry in entries[snapshot.number :]:
        snapshot = after(snapshot, entry)
    return snapshot
