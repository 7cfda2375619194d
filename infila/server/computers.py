"""The computer's seats, and the clocks: whatever the server has to do by itself.

What is to be done is read off the table itself, so after a restart it is taken up where it was. Computers think where
`thinking` lets them, so pages go on meanwhile: the rules release the interpreter's lock while they search. Where
somebody plays against computers alone, their browser may think for them (`solo`).

Nothing that fails is tried again at once. A computer that cannot find a move is replaced by one that can, for the rest
of the game; what cannot be written is tried again after a while, and longer each time.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache, partial

from infila.core.errors import InfilaError
from infila.core.game import View
from infila.players.hints import considered
from infila.players.player import Player, Thought, player
from infila.server.errors import Conflict, Full, Refused, Stopping, TooMuch
from infila.server.lessons import reply
from infila.server.levels import USUAL_LEVEL, ComputerLevel
from infila.server.lobby import Lobby
from infila.server.logs import mark
from infila.server.moves import Moves
from infila.server.ownership import Elsewhere
from infila.server.rematches import Rematches
from infila.server.settings import Settings
from infila.server.snapshot import PERSON, Snapshot
from infila.server.solo import Solo
from infila.server.tables import LiveTable, Tables
from infila.server.thinking import Leave, Rank, Thinkers, Unwanted
from infila.server.whence import Whence

ADVISER = ComputerLevel.MASTER
MOST_HINTS = 50  # that wait at the same time
MOST_UNWATCHED = 20  # tables of computers among themselves where a move is made at the same time
SOON = 0.05  # seconds
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before what has failed is tried again
logger = logging.getLogger("infila")


@lru_cache(maxsize=64)
def _player(game: str, level: str) -> Player:
    return player(game, level)


@lru_cache(maxsize=1024)
def _note(game: str, level: str) -> None:
    """Say that a level fails, while this happens: once for a level of a game."""
    logger.exception("the level %s of %s failed; a weaker one plays on where it does", level, game)


def _pause_after(failures: int) -> float:
    """How long to wait after so many failures in a row.

    >>> _pause_after(1), _pause_after(3), _pause_after(2000)
    (1.0, 4.0, 60.0)
    """
    return min(FIRST_PAUSE * 2.0 ** min(failures - 1, 10), LONGEST_PAUSE)


def think(view: View, level: ComputerLevel, leave: Leave | None = None) -> tuple[str, ComputerLevel]:
    """The computer's move, and the level that has found it: a weaker one where this one fails."""
    for each in dict.fromkeys((level, USUAL_LEVEL, ComputerLevel.RANDOM)):
        try:
            move = _player(view.game, each).think(view, cancel=leave).move
            view.read(move)
        except Exception:
            _note(view.game, each)
        else:
            return move, each
    return view.moves[0], ComputerLevel.RANDOM


@dataclass(frozen=True)
class Thinking:
    """Somewhere the move of a seat is thought of, as the table was then."""

    then: Snapshot
    seat: int
    call_off: Callable[[], None]


class Computers:
    def __init__(
        self,
        settings: Settings,
        tables: Tables,
        lobby: Lobby,
        moves: Moves,
        rematches: Rematches,
        thinkers: Thinkers | None = None,
    ) -> None:
        self._now, self._pace = settings.now, settings.pace
        self._tables = tables
        self._lobby = lobby
        self._moves = moves
        self._rematches = rematches
        self._stopped = False
        self.thinkers = thinkers or Thinkers(settings.thinkers, settings.think_seconds)
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._failures: dict[str, int] = {}  # how often in a row a table could not be looked after
        self._thoughts: dict[str, Thinking] = {}  # by table
        self._hints: dict[str, tuple[Leave, str, int]] = {}  # by person: about which table and version
        self._changed: dict[str, asyncio.Event] = {}  # tables where something failed and is to be tried again
        self._unwatched = asyncio.Semaphore(MOST_UNWATCHED)
        self.whence = Whence()
        self.solo = Solo(settings, tables)
        tables.on_change(self.look)

    async def start(self) -> None:
        """Take up the turns that were left when the server last stopped."""
        await self.take_up()

    async def take_up(self) -> None:
        """Whatever is due that nobody looks after."""
        for table in dict.fromkeys([*await self._lobby.due_tables(), *self._tables.unread]):
            if not self._stopped:
                await self._look_after(table)

    def give_up(self) -> None:
        """The server stops: whatever is thought of ends, and who waits for it is told."""
        self._stopped = True
        self.thinkers.stop()

    async def stop(self) -> None:
        self.give_up()
        for timer in self._timers.values():
            timer.cancel()
        tasks = list(self._acting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def hint(self, table: str, person: str, version: int, view: View) -> Thought:
        """What the computer would do in somebody's seat; one question at a time, and not before others' moves."""
        if person in self._hints:
            raise TooMuch("the computer is still thinking about your last question. Wait for its answer.", seconds=5)
        if self.thinkers.waiting(Rank.HINT) >= MOST_HINTS:
            raise Full("the computer has too much to think about just now. Ask again in a moment.", seconds=5)
        leave = self.thinkers.leave(Rank.HINT, self._payer(person))
        self._hints[person] = leave, table, version
        try:
            return await self.thinkers.think(leave, lambda leave: considered(_player(view.game, ADVISER), view, leave))
        except Unwanted:
            if self._stopped:
                raise Stopping("the server is being stopped.") from None
            now = (await self._tables.find(table)).snapshot.version
            raise Conflict("the table has moved on to version {version}.", now) from None
        except InfilaError:
            raise
        except Exception:
            _note(view.game, ADVISER)
            raise Refused("the computer has no advice here.") from None
        finally:
            del self._hints[person]

    def _payer(self, person: str) -> tuple[str, str]:
        """Whose turn at thinking it is: first by address, so that many names are no more than one, then by person."""
        return self.whence.of(person), person

    def look(self, live: LiveTable) -> None:
        """See whether there is anything to do at a table."""
        if self._stopped:
            return
        table = live.snapshot.header.id
        self._call_off(table, live.snapshot)
        if (timer := self._timers.pop(table, None)) is not None:
            timer.cancel()
        if table in self._changed:
            self._changed[table].set()
        if live.snapshot.computers_to_act:
            if table not in self._acting:
                self._take_up(table, self._act(live))
        elif (due := live.snapshot.due) is not None:
            seconds = min(max(due - self._now(), 0.0) + 0.01, 86400.0)
            self._timers[table] = asyncio.get_running_loop().call_later(seconds, self._ring, table)

    def _call_off(self, table: str, now: Snapshot) -> None:
        """Whatever is thought of there, if the table has moved on meanwhile."""
        if table in self._thoughts:
            thinking = self._thoughts[table]
            if not still_to_act(now, thinking.then, thinking.seat):
                thinking.call_off()
        for leave, about, version in list(self._hints.values()):
            if about == table and version != now.version:
                self.thinkers.call_off(leave)

    def _take_up(self, table: str, doing: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(doing)
        self._acting[table] = task
        task.add_done_callback(lambda _: self._done(table))

    def _done(self, table: str) -> None:
        self._acting.pop(table, None)
        live = self._tables.in_memory.get(table)
        if live is not None and live.snapshot.computers_to_act:
            self.look(live)

    def _ring(self, table: str) -> None:
        """A clock has run out, or a day of a long one is over."""
        if table in self._acting:  # whoever came back while a computer thought for them: it is about to be called off
            self._timers[table] = asyncio.get_running_loop().call_later(SOON, self._ring, table)
            return
        del self._timers[table]
        self._take_up(table, self._look_after(table))

    async def _look_after(self, table: str) -> None:
        """See to a table, which may have to be read again; if that cannot be done now, then later."""
        try:
            live = await self._tables.find(table)
            deadline, offer = live.snapshot.deadline, live.snapshot.offer
            if deadline is not None and deadline <= self._now():
                await self._moves.time_out(live)
            elif offer is not None and offer.ends <= self._now():
                await self._rematches.run_out(live)
            else:
                self.look(live)
            self._failures.pop(table, None)
        except Elsewhere:  # another server looks after it
            self._failures.pop(table, None)
        except Exception:
            failures = self._failures[table] = self._failures.get(table, 0) + 1
            if failures == 1:
                logger.exception("table %s cannot be taken up, and is tried again later", mark(table))
            if table not in self._timers:
                later = asyncio.get_running_loop().call_later(_pause_after(failures), self._ring, table)
                self._timers[table] = later

    async def _act(self, live: LiveTable) -> None:
        """Play until it is somebody else's turn."""
        table, failures = live.snapshot.header.id, 0
        while live.snapshot.computers_to_act and not self._stopped:
            try:
                if failures:
                    live = await self._tables.find(table)  # the log knows what was written
                if awaited(live.snapshot) or live.watchers:
                    await self._step(live, Rank.AWAITED)
                else:
                    async with self._unwatched:
                        await self._step(live, Rank.UNWATCHED)
                failures = 0
            except Unwanted:
                failures = 0
            except Elsewhere:  # so does its computer
                return
            except Exception as problem:
                failures += 1
                if isinstance(problem, Refused):
                    logger.info("table %s: the computer's move was refused", mark(table))
                elif failures == 1:
                    logger.exception("table %s: the computer's move failed and is tried again later", mark(table))
                await self._pause(table, _pause_after(failures))

    async def _pause(self, table: str, seconds: float) -> None:
        """Wait, but no longer than until something happens at the table."""
        changed = self._changed[table] = asyncio.Event()
        try:
            await asyncio.wait_for(changed.wait(), seconds)
        except TimeoutError:
            return
        finally:
            del self._changed[table]

    async def _step(self, live: LiveTable, rank: Rank) -> None:
        """One move of a computer."""
        loop = asyncio.get_running_loop()
        snapshot = live.snapshot
        if not snapshot.computers_to_act:
            return
        table, seat = snapshot.header.id, snapshot.computers_to_act[0]
        view, level = snapshot.view(seat), snapshot.seats[seat].level or USUAL_LEVEL
        assert view is not None, "a computer that has a move sits at a game"
        started = loop.time()
        text, found = reply(snapshot, seat) or _forced(view), level
        try:
            if not text:
                self._thoughts[table] = Thinking(snapshot, seat, partial(self.solo.call_off, live))
                text = await self.solo.thought(live, seat)
            if not text:
                leave = self.thinkers.leave(rank, self._payer(snapshot.header.host))
                self._thoughts[table] = Thinking(snapshot, seat, partial(self.thinkers.call_off, leave))
                text, found = await self.thinkers.think(leave, lambda leave: think(view, level, leave))
        finally:
            self._thoughts.pop(table, None)
        await asyncio.sleep(max(self._pace - (loop.time() - started), 0.0))
        await self._moves.play_for_computer(live, seat, text, snapshot.version, None if found is level else found)


def _forced(view: View) -> str:
    """The only move, which needs no thought; empty if there is a choice."""
    actions = view.own_actions()
    return view.text(actions[0]) if len(actions) == 1 else ""


def awaited(snapshot: Snapshot) -> bool:
    """Whether somebody sits at the table, for whom the computers play."""
    return any(seat.kind == PERSON and not seat.away for seat in snapshot.seats)


def still_to_act(now: Snapshot, then: Snapshot, seat: int) -> bool:
    """Whether a move that was thought of at a moment is still to be made."""
    same = (now.version, now.seats[seat]) == (then.version, then.seats[seat])
    return same and seat in now.computers_to_act
