"""Reviews: games that are over, looked at once more beside everything else.

A review is made from the log alone, so nothing of it is written down: whoever looks at a game has the review that was
made for the last one who did, for as long as it is kept. It is thought of where computers think (`thinking`), behind
all of them, one slice at a time, and ends when nobody looks any more. When it is complete, its positions are looked
through for puzzles, in the same way.
"""

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.puzzles.finding import EACH
from infila.puzzles.making import make_from
from infila.puzzles.puzzle import Puzzle
from infila.reviewing.ledger import Review
from infila.reviewing.reviewer import Progress, Reviewer
from infila.reviewing.sums import review_of
from infila.server.errors import Full, Refused, TooMuch
from infila.server.gently import gently
from infila.server.settings import Settings
from infila.server.snapshot import Snapshot
from infila.server.thinking import Leave, Rank, Thinkers, Unwanted

MOST_KEPT = 40  # reviews that are known to their end
MOST_GOING = 6  # at the same time, in turn: some have a hundred megabytes in mind
MOST_OF_ADDRESS = 2
LINGER = 30.0  # seconds for which somebody who has looked counts as looking
LATELY, A_REST = 0.1, 0.08  # seconds: while somebody has lately asked for something, it rests after every step
PATIENCE = 5.0  # seconds for which it rests for a request that is not answered yet
LONGEST = 2400  # moves times seats: what a review has to hold in mind
logger = logging.getLogger("infila")


def check_reviewable(snapshot: Snapshot, person: str | None) -> Game:
    """The game, if this person may have its review. A review shows everything: so only when the game is over, or to
    whoever has brought the whole of it here and plays it alone."""
    header, game = snapshot.header, snapshot.game
    if header.lesson:
        raise Refused("a lesson has no review.")
    if game is None:
        raise Refused("the game has not begun, so there is nothing to review.")
    brought = header.uploaded and person is not None and snapshot.people == {person}
    alone = brought and all(seat.person == person for seat in snapshot.seats)
    if not (snapshot.over or alone):
        raise Refused("this game is still going on. It can be reviewed when it is over.")
    if not snapshot.history:
        raise Refused("nothing has been played yet, so there is nothing to review.")
    if len(snapshot.history) * len(snapshot.seats) > LONGEST:
        raise Refused("this game is too long for a review: {count} moves.", count=len(snapshot.history))
    return game


@dataclass(eq=False)
class Look:
    """A review, as far as it is known."""

    address: str  # of whoever asked first
    review: Review | None = None
    progress: Progress = field(default_factory=lambda: Progress(0, 1, 0))
    stamp: int = 0  # changes with the review
    complete: bool = False
    puzzles: tuple[tuple[int, Puzzle], ...] = ()  # in the game's positions, with the number of the move made there
    sought: bool = False  # whether all positions were looked through for them
    problem: InfilaError | None = None
    looked: float = field(default_factory=time.monotonic)  # when somebody last did

    @property
    def percent(self) -> int:
        return 100 if self.complete else min(99, 100 * self.progress.done // max(self.progress.total, 1))

    def puzzles_of(self, seat: int) -> list[tuple[int, Puzzle]]:
        """Those that a seat had before it, in the order of the game."""
        return [(number, puzzle) for number, puzzle in self.puzzles if puzzle.seat == seat]


class Reviews:
    def __init__(self, settings: Settings, thinkers: Thinkers) -> None:
        self._thinkers, self._simulations, self._slice = thinkers, settings.review_simulations, settings.review_slice
        self._looks: OrderedDict[tuple[str, int], Look] = OrderedDict()  # by table and version
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._heard = 0.0
        self._unanswered: dict[int, float] = {}  # requests, and since when
        self._turn = asyncio.Semaphore(1)  # one thread is enough, and leaves a place for those who play

    def hear(self, request: int) -> None:
        """Somebody asks for something, whatever it is: they come first."""
        self._heard = self._unanswered[request] = time.monotonic()

    def answered(self, request: int) -> None:
        """Somebody is given what they asked for."""
        self._unanswered.pop(request, None)

    def _busy(self) -> bool:
        """Whether those who answer need the machine: each step in a thread beside them would keep them waiting."""
        now = time.monotonic()
        for request, since in list(self._unanswered.items()):
            if now - since >= PATIENCE:  # it waits for something itself, or its connection is gone
                self._unanswered.pop(request, None)
        return bool(self._unanswered) or now - self._heard < LATELY

    @property
    def going(self) -> int:
        return len(self._tasks)

    def is_known(self, snapshot: Snapshot) -> bool:
        """Whether a review of this game is there, or on its way."""
        return _key(snapshot) in self._looks

    def known(self, snapshot: Snapshot) -> Review | None:
        """The review of a game, if one is complete."""
        look = self._looks.get(_key(snapshot))
        return look.review if look is not None and look.complete else None

    def look(self, snapshot: Snapshot, person: str | None, address: str) -> Look:
        """The review of a game as far as it is known; the first who looks has it begun."""
        game = check_reviewable(snapshot, person)
        key = _key(snapshot)
        found = self._looks.get(key)
        if found is None:
            self._check_room(address)
            found = self._looks[key] = Look(address)
            payer = (address, person or "", snapshot.header.id)
            task = self._tasks[key] = asyncio.get_running_loop().create_task(self._make(found, game, payer))
            task.add_done_callback(lambda _: self._done(key))
        self._looks.move_to_end(key)
        found.looked = time.monotonic()
        return found

    def _check_room(self, address: str) -> None:
        going = [look for key in self._tasks if not (look := self._looks[key]).complete]
        of_address = Counter(look.address for look in going)
        if of_address[address] >= MOST_OF_ADDRESS:
            raise TooMuch(
                "{count} reviews are being made for you already. Wait for one of them.",
                count=MOST_OF_ADDRESS,
                seconds=30,
            )
        if len(going) >= MOST_GOING:
            raise Full("too many games are being reviewed just now. Try again in a few minutes.", seconds=60)

    def _done(self, key: tuple[str, int]) -> None:
        self._tasks.pop(key, None)
        if not (look := self._looks[key]).sought and look.problem is None:
            del self._looks[key]
        known = [each for each in self._looks if each not in self._tasks]
        for each in known[: max(0, len(known) - MOST_KEPT)]:
            del self._looks[each]

    async def _make(self, look: Look, game: Game, payer: tuple[str, ...]) -> None:
        """Slice after slice, for as long as somebody looks."""
        work = Work(look, game, self._simulations, self._slice, self._busy)
        try:
            while not look.sought and time.monotonic() - look.looked < LINGER:
                async with self._turn:
                    await self._thinkers.think(self._thinkers.leave(Rank.REVIEW, payer), work.slice)
                await asyncio.sleep(A_REST if self._busy() else 0)
        except Unwanted:
            return
        except InfilaError as problem:
            look.problem = problem
        except Exception:
            logger.exception("a review of %s failed", game.game)
            look.problem = Refused("this game cannot be reviewed.")

    async def stop(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Work:
    """A review in the making; its slices are done in threads, one after the other."""

    def __init__(self, look: Look, game: Game, simulations: int, seconds: float, busy: Callable[[], bool]) -> None:
        self._look, self._game, self._simulations, self._seconds = look, game, simulations, seconds
        self._busy = busy
        self._reviewer: Reviewer | None = None
        self._steps: Iterator[Progress] = iter(())
        self._positions = gently(make_from(game, set(), most=EACH * len(game.names)))

    def slice(self, leave: Leave) -> None:
        """Some steps; whoever is more urgent goes first between them."""
        end = time.monotonic() + self._seconds
        if not self._look.complete:
            self._review(leave, end)
        if self._look.complete:
            self._seek(leave, end)

    def _review(self, leave: Leave, end: float) -> None:
        if self._reviewer is None:
            self._reviewer = Reviewer(self._game, simulations=self._simulations)
            self._steps = gently(self._reviewer.work())
        self._reviewer.cancel = leave  # so that it gives way in the middle of a search, too
        look, passes = self._look, self._look.progress.passes
        for progress in self._steps:
            look.progress = progress
            if progress.passes > passes:
                self._show(review_of(self._reviewer))
                return
            if leave.is_set() or time.monotonic() >= end or self._busy():
                return
        self._show(review_of(self._reviewer))
        look.complete = True
        self._reviewer, self._steps = None, iter(())  # the largest part of what is held in mind

    def _seek(self, leave: Leave, end: float) -> None:
        """Look through some more positions for puzzles, at least one."""
        look = self._look
        for _progress, number, puzzle in self._positions:
            if puzzle is not None:
                look.puzzles += ((number, puzzle),)
                look.stamp += 1
            if leave.is_set() or time.monotonic() >= end or self._busy():
                return
        look.sought = True
        look.stamp += 1

    def _show(self, review: Review) -> None:
        self._look.review = review
        self._look.stamp += 1


def _key(snapshot: Snapshot) -> tuple[str, int]:
    return snapshot.header.id, snapshot.version
