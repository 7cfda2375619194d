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
from infila.server.lessons import on_hold, reply
from infila.server.moment import Moment
from infila.server.service import Service
from infila.server.settings import Settings
from infila.server.tables import Live

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


def to_act(moment: Moment) -> tuple[int, ...]:
    """The computers that have to move now."""
    return () if on_hold(moment) else moment.computers_to_act


class Computers:
    def __init__(self, service: Service, settings: Settings) -> None:
        self.service = service
        self.settings = settings
        self._threads = ThreadPoolExecutor(settings.thinkers, thread_name_prefix="infila-think")
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        service.changed = self.look

    async def start(self) -> None:
        """Take up the turns that were left when the server last stopped."""
        for table in await self.service.due_tables():
            try:
                self.look(await self.service.table(table))
            except Exception:
                logger.exception("table %s cannot be taken up", table)

    async def stop(self) -> None:
        self.service.changed = lambda live: None
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

    def look(self, live: Live) -> None:
        """See whether there is anything to do at a table."""
        table = live.moment.header.id
        if (timer := self._timers.pop(table, None)) is not None:
            timer.cancel()
        if to_act(live.moment):
            if table not in self._acting:
                task = asyncio.get_running_loop().create_task(self._act(live))
                self._acting[table] = task
                task.add_done_callback(lambda _: self._done(live))
        elif (deadline := live.moment.deadline) is not None:
            seconds = min(max(deadline - self.settings.clock(), 0.0) + 0.01, 86400.0)
            self._timers[table] = asyncio.get_running_loop().call_later(seconds, self._ring, live)

    def _done(self, live: Live) -> None:
        self._acting.pop(live.moment.header.id, None)
        if to_act(live.moment) and not self._threads._shutdown:
            self.look(live)

    def _ring(self, live: Live) -> None:
        """A clock has run out, or a day of a long one is over."""
        deadline = live.moment.deadline
        if deadline is not None and deadline <= self.settings.clock():
            task = asyncio.get_running_loop().create_task(self.service.time_out(live))
            self._acting[live.moment.header.id] = task
            task.add_done_callback(lambda _: self._done(live))
        else:
            self.look(live)

    async def _act(self, live: Live) -> None:
        """Play until it is somebody else's turn."""
        loop = asyncio.get_running_loop()
        while acting := to_act(live.moment):
            moment, seat = live.moment, acting[0]
            view = moment.view(seat)
            if view is None:
                return
            started = loop.time()
            try:
                text = reply(moment, seat)
                if text is None:
                    text = await loop.run_in_executor(self._threads, think, view, moment.seats[seat].level)
                await asyncio.sleep(max(self.settings.pace - (loop.time() - started), 0.0))
                await self.service.computer_move(live, seat, text, moment.version)
            except Refused as problem:
                logger.info("table %s: %s", moment.header.id, problem)
