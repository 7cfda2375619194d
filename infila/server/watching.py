"""Looking at a table: as it is, as it was, and everything that happens there."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

from sqlalchemy import Connection

from infila.server.errors import Refused, Unknown
from infila.server.index import entries_of
from infila.server.moment import after, fold
from infila.server.settings import Settings
from infila.server.store import Store
from infila.server.streams import BEAT, HERE, Update, Watcher
from infila.server.tables import Live, Tables
from infila.server.tableview import TableView, seen
from infila.server.whose import existing, whose

BEAT_SECONDS = 15


class Watching(Tables):
    def __init__(self, store: Store, settings: Settings) -> None:
        super().__init__(store, settings)
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        self.send_home()

    def send_home(self) -> None:
        """End all streams: the server stops."""
        for live in self._live.values():
            for watcher in live.watchers:
                watcher.close()

    async def view(
        self, table: str, person: str | None, seat: int | None = None, *, spectating: bool = False
    ) -> TableView:
        """A table as somebody sees it. Who holds several seats sees the one asked for, or the one that has to act."""
        live = await self.table(table)
        return self.seen(live, person, whose(live.moment, person, seat, spectating))

    async def moment_at(
        self, table: str, person: str | None, moves: int, seat: int | None = None, *, spectating: bool = False
    ) -> TableView:
        """The table as it was after so many moves. Once the game is over anybody may look through anybody's eyes."""
        live = await self.table(table)
        moment = live.moment
        if moment.game is None or not 0 <= moves <= len(moment.history):
            raise Unknown("there is no move {move}: {count} have been played.", move=moves, count=len(moment.history))
        if moment.over and seat is not None:
            existing(moment, seat)
        else:
            seat = whose(moment, person, seat, spectating)
        game = moment.game.copy().undo(len(moment.history) - moves)
        past = replace(moment, game=game, history=moment.history[:moves], ask=None, called=None, _views={})
        return TableView(past, person, seat, here=live.here)

    async def log(self, table: str, person: str | None) -> str:
        """The log as this viewer may have it: with the seed once the game is over."""
        view = await self.view(table, person)
        if view.view is None:
            raise Refused("the game has not begun: there is no log yet.")
        return view.view.log

    async def subscribe(
        self,
        table: str,
        person: str | None,
        seat: int | None = None,
        *,
        spectating: bool = False,
        since: int | None = None,
    ) -> AsyncGenerator[tuple[int, TableView], None]:
        """The table now, and then every change, each with its number; from `since` on if that is where one was."""
        live = await self.table(table)
        whose(live.moment, person, seat, spectating)
        watcher = Watcher(person)
        if since is not None:
            watcher.waiting = await self._missed(live, since)
            while live is not (present := await self.table(table)):  # it was let go while the log was read
                live, watcher.waiting = present, await self._missed(present, since)
        if not watcher.waiting:
            watcher.tell(Update(live.moment, "view"))
        live.watchers.add(watcher)
        self._came(live, person)
        try:
            while (item := await watcher.next()) is not None:
                if view := self._for(live, item, person, seat, spectating):
                    yield view.number, view
        finally:
            live.watchers.discard(watcher)
            if person is not None and person not in live.here:
                live.left_at[person] = self.settings.clock()
                self._came(live, person)
            if live.moment.over:
                self.let_go(live)

    def _for(
        self, live: Live, item: Update, person: str | None, seat: int | None, spectating: bool
    ) -> TableView | None:
        try:
            eyes = whose(item.moment, person, seat, spectating)
        except Refused:  # the person has stood up
            eyes = None
        return seen(item, person, eyes, live.here)

    async def _missed(self, live: Live, since: int) -> list[Update]:
        """Every moment after number `since`, rebuilt from the log."""
        now = live.moment
        if not 0 <= since < now.number:
            return []
        header = now.header

        def rebuild(connection: Connection) -> list[Update]:
            entries = [entry for entry in entries_of(connection, header.id) if entry.number <= now.number]
            moment = fold(header, (entry for entry in entries if entry.number <= since))
            updates = []
            for entry in entries[since:]:
                moment = after(moment, entry)
                updates.append(Update(moment, entry.kind))
            return updates

        missed = await self.store.read(rebuild)
        if live.moment.number > now.number:  # something was written while the log was read
            return await self._missed(live, since)
        return missed

    def _came(self, live: Live, person: str | None) -> None:
        """Tell the others that somebody came or went."""
        if person is None or not live.moment.seats_of(person):
            return
        for watcher in live.watchers:
            if watcher.person != person:
                watcher.tell(Update(live.moment, HERE))

    async def _beat(self) -> None:
        """Now and then a sign of life for every stream, so that no connection is taken for dead."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            for live in list(self._live.values()):
                for watcher in live.watchers:
                    watcher.tell(Update(live.moment, BEAT))
