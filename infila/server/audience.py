"""Looking at a table: as it is, as it was, and everything that happens there."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace

from infila.core.growing import Growing
from infila.server.entries import after, fold
from infila.server.errors import Refused, Unknown
from infila.server.ledger import Ledger
from infila.server.own_seats import existing_seat, viewing_seat
from infila.server.session import Session
from infila.server.settings import Settings
from infila.server.snapshot import OVER, Entry, Header
from infila.server.table_view import Moment, TableView, seen
from infila.server.tables import LiveTable, Tables
from infila.server.watchers import BEAT, FIRST, HERE, Update, Watcher

BEAT_SECONDS = 15
MOST_REBUILT = 300  # entries of a log


class Audience:
    def __init__(self, ledger: Ledger, settings: Settings, tables: Tables) -> None:
        self._ledger = ledger
        self._now = settings.now
        self._tables = tables
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        self.send_home()

    def send_home(self) -> None:
        """End all streams: the server stops."""
        for live in self._tables.in_memory.values():
            for watcher in live.watchers:
                watcher.close()

    def send_away(self, which: Callable[[Session], bool]) -> None:
        """End the streams of certain sessions."""
        for live in self._tables.in_memory.values():
            for watcher in live.watchers:
                if watcher.session is not None and which(watcher.session):
                    watcher.send_away()

    async def view(
        self, table: str, person: str | None, seat: int | None = None, *, spectating: bool = False
    ) -> TableView:
        """A table as somebody sees it. Who holds several seats sees the one asked for, or the one that has to act."""
        live = await self._tables.find(table)
        live.hear(person, self._now())
        return live.seen_by(person, viewing_seat(live.snapshot, person, seat, spectating))

    async def moment(self, view: TableView) -> Moment:
        """What a view cannot tell, because it goes on while nothing happens."""
        live, snapshot, now = await self._tables.find(view.id), view.snapshot, self._now()
        spent = max(now - snapshot.clock.since - self._tables.lost_time(snapshot), 0.0)
        here = live.here
        heard = (None if seat.person in here else live.heard.get(seat.person or "") for seat in snapshot.seats)
        away = tuple(None if at is None else max(now - at, 0.0) for at in heard)
        return Moment(spent, away, 0.0 if snapshot.offer is None else max(snapshot.offer.ends - now, 0.0))

    async def view_at(
        self, table: str, person: str | None, moves: int, seat: int | None = None, *, spectating: bool = False
    ) -> TableView:
        """The table as it was after so many moves. Once the game is over anybody may look through anybody's eyes."""
        live = await self._tables.find(table)
        snapshot = live.snapshot
        if snapshot.game is None or not 0 <= moves <= len(snapshot.history):
            raise Unknown("there is no move {move}: {count} have been played.", move=moves, count=len(snapshot.history))
        if snapshot.over and seat is not None:
            existing_seat(snapshot, seat)
        else:
            seat = viewing_seat(snapshot, person, seat, spectating)
        game = await self._tables.game_at(snapshot, moves)
        history = Growing(snapshot.history[:moves])
        past = replace(snapshot, game=game, history=history, request=None, called=None, views={})
        return TableView(past, person, seat, here=live.here)

    async def log(self, table: str, person: str | None) -> str:
        """The log as this viewer may have it: with the seed once the game is over."""
        view = await self.view(table, person)
        game = view.snapshot.game
        if view.view is None or game is None:
            raise Refused("the game has not begun: there is no log yet.")
        return game.save() if view.state == OVER and not game.over else view.view.log

    async def subscribe(
        self,
        table: str,
        person: str | None,
        seat: int | None = None,
        *,
        spectating: bool = False,
        since: int | None = None,
        session: Session | None = None,
    ) -> AsyncGenerator[tuple[int, TableView], None]:
        """The table now, and then every change, each with its number; from `since` on if that is where one was.
        It ends with the session."""
        live = await self._tables.find(table)
        viewing_seat(live.snapshot, person, seat, spectating)
        watcher = Watcher(person, session)
        if since is not None:
            watcher.waiting = await self._missed(live, since)
            while live is not (present := await self._tables.find(table)):  # it was let go while the log was read
                live, watcher.waiting = present, await self._missed(present, since)
        if not watcher.waiting:
            watcher.tell(Update(live.snapshot, FIRST))
        live.watchers.add(watcher)
        if session is not None and session.ended:  # a moment ago
            watcher.send_away()
        self._came(live, person)
        try:
            while (item := await watcher.next()) is not None:
                if view := self._for(live, item, person, seat, spectating):
                    yield view.number, view
        finally:
            live.watchers.discard(watcher)
            if person is not None and person not in live.here:
                live.hear(person, self._now())
                self._came(live, person)
            if live.snapshot.over:
                self._tables.let_go(live)

    def _for(
        self, live: LiveTable, item: Update, person: str | None, seat: int | None, spectating: bool
    ) -> TableView | None:
        several = len(live.snapshot.seats_of(person)) > 1  # then the present decides, also for what was missed
        try:
            eyes = viewing_seat(live.snapshot if several else item.snapshot, person, seat, spectating)
        except Refused:  # the person has stood up
            eyes = None
        return seen(item, person, eyes, live.here)

    async def _missed(self, live: LiveTable, since: int) -> list[Update]:
        """Every snapshot after number `since`: those that are still known, or rebuilt from the log. Nothing where that
        would take long, as it does in a long game: then the table as it is now has to do."""
        now = live.snapshot
        if not 0 <= since < now.number:
            return []
        known = [update for update in live.recent if update.snapshot.number > since]
        if len(known) == now.number - since:
            return known
        if now.number > MOST_REBUILT:
            return []
        found = await self._ledger.read(now.header.id)
        assert found is not None, "a table that is held in memory is in the log"
        missed = await asyncio.to_thread(_rebuilt, *found, since, now.number)
        if live.snapshot.number > now.number:  # something was written while the log was read
            return await self._missed(live, since)
        return missed

    def _came(self, live: LiveTable, person: str | None) -> None:
        """Tell the others that somebody came or went."""
        if person is None or not live.snapshot.seats_of(person):
            return
        for watcher in live.watchers:
            if watcher.person != person:
                watcher.tell(Update(live.snapshot, HERE))

    async def _beat(self) -> None:
        """Now and then a sign of life for every stream, so that no connection is taken for dead."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self.send_away(lambda session: session.expires <= self._now())
            for live in list(self._tables.in_memory.values()):
                for watcher in live.watchers:
                    watcher.tell(Update(live.snapshot, BEAT))


def _rebuilt(header: Header, entries: Sequence[Entry], since: int, until: int) -> list[Update]:
    """Every moment of a table after number `since`, from its log."""
    snapshot = fold(header, entries[:since])
    updates = []
    for entry in entries[since:until]:
        snapshot = after(snapshot, entry)
        updates.append(Update(snapshot, entry.kind))
    return updates
