"""The computer's seats, and the clocks: whatever the server has to do by itself.

Computers think in threads; the rules release the interpreter's lock while they search, so pages go on meanwhile. What
is to be done is read off the table itself, so after a restart it is taken up where it was.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from infila.core.errors import InfilaError
from infila.core.game import View
from infila.players.hints import considered
from infila.players.player import Player, Thought, player
from infila.server.errors import Refused
from infila.server.lessons import reply
from infila.server.lobby import Lobby
from infila.server.moves import Moves
from infila.server.settings import Settings
from infila.server.tables import LiveTable, Tables

logger = logging.getLogger("infila")


@lru_cache(maxsize=64)
def _player(game: str, level: str) -> Player:
    return player(game, level)


def think(view: View, level: str) -> str:
    """The computer's move. Should a level fail, it still moves: nobody waits at the table for ever."""
    try:
        return _player(view.game, level).think(view).move
    except InfilaError:
        raise
    except Exception:
        logger.exception("the level %s of %s failed; a random move instead", level, view.game)
        return _player(view.game, "random").think(view).move


class Computers:
    def __init__(self, settings: Settings, tables: Tables, lobby: Lobby, moves: Moves) -> None:
        self._now, self._pace = settings.now, settings.pace
        self._tables = tables
        self._lobby = lobby
        self._moves = moves
        self._stopped = False
        self._threads = ThreadPoolExecutor(settings.thinkers, thread_name_prefix="infila-think")
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        tables.on_change(self.look)

    async def start(self) -> None:
        """Take up the turns that were left when the server last stopped."""
        for table in await self._lobby.due_tables():
            try:
                self.look(await self._tables.find(table))
            except Exception:
                logger.exception("table %s cannot be taken up", table)

    async def stop(self) -> None:
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = list(self._acting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def think(self, player: Player, view: View) -> Thought:
        """A hint, thought of where the computers think."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, considered, player, view)

    def look(self, live: LiveTable) -> None:
        """See whether there is anything to do at a table."""
        if self._stopped:
            return
        table = live.snapshot.header.id
        if (timer := self._timers.pop(table, None)) is not None:
            timer.cancel()
        if live.snapshot.computers_to_act:
            if table not in self._acting:
                task = asyncio.get_running_loop().create_task(self._act(live))
                self._acting[table] = task
                task.add_done_callback(lambda _: self._done(live))
        elif (deadline := live.snapshot.deadline) is not None:
            seconds = min(max(deadline - self._now(), 0.0) + 0.01, 86400.0)
            self._timers[table] = asyncio.get_running_loop().call_later(seconds, self._ring, live)

    def _done(self, live: LiveTable) -> None:
        self._acting.pop(live.snapshot.header.id, None)
        if live.snapshot.computers_to_act:
            self.look(live)

    def _ring(self, live: LiveTable) -> None:
        """A clock has run out, or a day of a long one is over."""
        deadline = live.snapshot.deadline
        if deadline is not None and deadline <= self._now():
            task = asyncio.get_running_loop().create_task(self._moves.time_out(live))
            self._acting[live.snapshot.header.id] = task
            task.add_done_callback(lambda _: self._done(live))
        else:
            self.look(live)

    async def _act(self, live: LiveTable) -> None:
        """Play until it is somebody else's turn."""
        loop = asyncio.get_running_loop()
        while acting := live.snapshot.computers_to_act:
            snapshot, seat = live.snapshot, acting[0]
            view = snapshot.view(seat)
            if view is None:
                return
            started = loop.time()
            try:
                text = reply(snapshot, seat)
                if text is None:
                    text = await loop.run_in_executor(self._threads, think, view, snapshot.seats[seat].level)
                await asyncio.sleep(max(self._pace - (loop.time() - started), 0.0))
                await self._moves.play_for_computer(live, seat, text, snapshot.version)
            except Refused as problem:
                logger.info("table %s: %s", snapshot.header.id, problem)
