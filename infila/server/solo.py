"""Thoughts that come from a browser: who plays against computers alone may let their own browser search for them.

Whoever can asks for a task whenever the table has changed, and thereby says that it would think. When a computer that
searches is on turn, the table waits for that browser a little while, without taking anybody's place; if nothing comes,
or nothing legal, the server thinks itself, and after a few times no longer waits. Both find the same move, so nothing
depends on who was quicker.

A task holds what the computer's seat may know: its hand. So there is one only at a table where one person has one seat
and computers have all others, only for that person, and only while the computer is on turn. Whoever looks into it, or
answers with another legal move, cheats nobody but themselves.
"""

import asyncio
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

from infila.core.errors import IllegalMove
from infila.core.games import contract_of
from infila.players.player import Player, player
from infila.server.errors import Conflict, Forbidden, Refused
from infila.server.levels import ComputerLevel
from infila.server.session import Session
from infila.server.settings import Settings
from infila.server.snapshot import COMPUTER, PERSON, PLAYING, Snapshot
from infila.server.tables import LiveTable, Tables
from infila.server.tasks import Task, task_of
from infila.server.thinking import Unwanted
from infila.wasm.modules import BadModule, Module, module_of

PATIENCE = 3.0  # seconds that a browser has, besides those that people have to follow
MOST_MISSES = 2  # in a row, after which a table no longer waits
LEAST_SIMULATIONS = 100  # fewer cost the server less than to ask for them


@dataclass
class Wait:
    """A table that waits for the move of a seat."""

    version: int
    seat: int
    answer: "asyncio.Future[str]"  # empty: none will come


@dataclass(eq=False)
class Helper:
    """The browser that thinks for a table's computers."""

    session: Session  # which was the last to ask
    misses: int = 0
    wait: Wait | None = None

    def listens(self, live: LiveTable) -> bool:
        """Whether it would hear that it is to think."""
        sessions = (watcher.session for watcher in live.watchers)
        return any((each.id, each.person) == (self.session.id, self.session.person) for each in sessions if each)


class Solo:
    def __init__(self, settings: Settings, tables: Tables) -> None:
        self._active = settings.browsers_think
        self._seconds = settings.pace + PATIENCE
        self._tables = tables
        self._helpers: WeakKeyDictionary[LiveTable, Helper] = WeakKeyDictionary()

    def may_think(self, snapshot: Snapshot, person: str | None) -> bool:
        """Whether there will be anything to think about for the browser of somebody who looks at a table."""
        searched = any(seat.level is not None and _searcher(snapshot, seat.level) for seat in snapshot.seats)
        return self._active and searched and person is not None and person == only_person(snapshot)

    async def task(self, table: str, session: Session) -> Task | None:
        """What a browser is to think about now, if anything; from now on it may be waited for."""
        live = await self._tables.find(table)
        self._check(live.snapshot, session.person)
        helper = self._helpers.get(live)
        if helper is None:
            helper = self._helpers[live] = Helper(session)
        helper.session = session
        wait, snapshot = helper.wait, live.snapshot
        if wait is None or wait.answer.done() or wait.version != snapshot.version:
            return None
        thinker, view = self._thinker(snapshot, wait.seat), snapshot.view(wait.seat)
        assert thinker is not None and view is not None, "a table waits only for what can be thought elsewhere"
        return task_of(thinker, view, wait.version)

    async def answer(self, table: str, person: str, seat: int, version: int, action: int | None) -> None:
        """What a browser has found; nothing: it cannot think after all."""
        live = await self._tables.find(table)
        snapshot, helper = live.snapshot, self._helpers.get(live)
        self._check(snapshot, person)
        if version != snapshot.version:
            raise Conflict("the table has moved on to version {version}.", snapshot.version)
        if helper is None or helper.wait is None or helper.wait.answer.done() or helper.wait.seat != seat:
            raise Refused("nobody waits for what the computer in seat {seat} thinks.", seat=seat + 1)
        view = snapshot.view(seat)
        assert view is not None, "a table waits only while a game is on"
        if action is not None and action in view.own_actions():
            helper.wait.answer.set_result(view.text(action))
            return
        helper.wait.answer.set_result("")
        if action is not None:
            raise IllegalMove("", "the computer in seat {seat} cannot make this move now.", seat=seat + 1)
        helper.misses = MOST_MISSES

    async def thought(self, live: LiveTable, seat: int) -> str:
        """The move of a computer that has to act, from the browser that would think for it. Empty if there is no such
        browser, or if nothing came from it in time; raises Unwanted if it is called off before."""
        snapshot, helper = live.snapshot, self._helpers.get(live)
        if helper is None or helper.misses >= MOST_MISSES or not helper.listens(live):
            return ""
        if helper.session.person != only_person(snapshot) or self._thinker(snapshot, seat) is None:
            return ""
        wait = helper.wait = Wait(snapshot.version, seat, asyncio.get_running_loop().create_future())
        try:
            move = await asyncio.wait_for(wait.answer, self._seconds)
        except TimeoutError:
            move = ""
        finally:
            helper.wait = None
        helper.misses = 0 if move else helper.misses + 1
        return move

    def call_off(self, live: LiveTable) -> None:
        """Nobody wants the move any more for which a table waits."""
        helper = self._helpers.get(live)
        if helper is not None and helper.wait is not None and not helper.wait.answer.done():
            helper.wait.answer.set_exception(Unwanted())

    def _check(self, snapshot: Snapshot, person: str) -> None:
        if not self._active:
            raise Refused("on this server computers think for themselves.")
        if not snapshot.seats_of(person):
            raise Forbidden("you do not sit at this table.")
        if person != only_person(snapshot):
            raise Forbidden("only somebody who plays against computers alone can think for them.")

    def _thinker(self, snapshot: Snapshot, seat: int) -> Player | None:
        """The computer in a seat, if it is on turn and has something to search for that can be searched elsewhere."""
        level, view = snapshot.seats[seat].level, snapshot.view(seat)
        if not self._active or level is None or seat != snapshot.player or view is None or len(view.own_actions()) < 2:
            return None
        return _searcher(snapshot, level)


def only_person(snapshot: Snapshot) -> str | None:
    """Who plays against computers alone, in a single seat; None at any other table, and if a computer stands in."""
    people = [seat for seat in snapshot.seats if seat.kind == PERSON]
    others = [seat for seat in snapshot.seats if seat.kind == COMPUTER]
    if snapshot.state != PLAYING or len(people) != 1 or len(others) != len(snapshot.seats) - 1 or people[0].away:
        return None
    return people[0].person


def _searcher(snapshot: Snapshot, level: ComputerLevel) -> Player | None:
    """The player of a level, if it searches so much that asking for it is worth while."""
    thinker = player(snapshot.header.game, level)
    enough = thinker.level is not None and thinker.level.simulations >= LEAST_SIMULATIONS
    return thinker if enough and module_for_browsers(snapshot.header.game) is not None else None


@cache
def module_for_browsers(game: str) -> Module | None:
    """A game's module, if it brings one of its present sources."""
    try:
        return module_of(contract_of(game))
    except BadModule:  # the log has it from where games are prepared
        return None
