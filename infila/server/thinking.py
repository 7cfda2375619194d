"""Where computers think: in a few threads that all tables share fairly.

Who wants to think waits in a line, of which there are four: moves that somebody waits for, hints, moves of computers
among themselves, and reviews of games that are over. In each line everybody who pays has their turn, however much they
want: first by whence they come, then by who they are, then by table. A line is served before those behind it, and a
thought of those gives way within a moment, in the middle of its search; but every line is served now and then, however
long those before it are.

A thought ends when it is done, when it has taken too much time, and when nobody wants it any more.
"""

import asyncio
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any, TypeVar

T = TypeVar("T")
SLICE = 0.05  # seconds that a thought has for itself before it gives way to a more urgent one
PATIENCE = 8  # thoughts of other lines that may begin before those of a line that waits


class Rank(IntEnum):
    """The lines, the most urgent first."""

    AWAITED = 0  # a move that somebody at the table waits for
    HINT = 1
    UNWATCHED = 2  # a move of computers among themselves, and nobody looks on
    REVIEW = 3  # of a game that is over: a slice of it


class Unwanted(Exception):
    """Nobody wants this thought any more."""


class Leave(threading.Event):
    """The leave to think. A player who searches asks again and again whether it `is_set`: that it must end. There it
    is also held up for as long as somebody more urgent thinks."""

    def __init__(self, thinkers: "Thinkers", rank: Rank, payer: tuple[str, ...]) -> None:
        super().__init__()
        self.rank, self.payer = rank, payer
        self.unwanted = False
        self.going = False  # whether it has one of the places
        self.since = 0.0  # when it was given that
        self.spent = 0.0  # seconds it has thought before
        self.begin: Callable[[], None] | None = None  # what is to be done in a thread, until it is
        self.turn = threading.Event()  # that it may go on, after it had to give way
        self._thinkers = thinkers

    def is_set(self) -> bool:
        return super().is_set() or self._thinkers.must_end(self)


class Line:
    """Those who wait: everybody who pays in turn, and of what they pay for what has waited longest."""

    def __init__(self) -> None:
        self._own: deque[Leave] = deque()
        self._parts: OrderedDict[str, Line] = OrderedDict()

    def __len__(self) -> int:
        return len(self._own) + sum(map(len, self._parts.values()))

    def __bool__(self) -> bool:
        return bool(self._own or self._parts)

    def add(self, leave: Leave, payer: tuple[str, ...]) -> None:
        if payer:
            self._parts.setdefault(payer[0], Line()).add(leave, payer[1:])
        else:
            self._own.append(leave)

    def take(self) -> Leave:
        """Who is next; the one who pays for it goes to the end of the line."""
        if self._own:
            return self._own.popleft()
        name, part = self._parts.popitem(last=False)
        leave = part.take()
        if part:
            self._parts[name] = part
        return leave

    def remove(self, leave: Leave, payer: tuple[str, ...]) -> None:
        """Wait no longer, if it does."""
        if not payer:
            if leave in self._own:
                self._own.remove(leave)
        elif (part := self._parts.get(payer[0])) is not None:
            part.remove(leave, payer[1:])
            if not part:
                del self._parts[payer[0]]


class Thinkers:
    """So many may think at the same time, each for so many seconds."""

    def __init__(self, places: int, seconds: float) -> None:
        self._places, self._seconds = places, seconds
        self._lock = threading.Lock()
        self._free = places
        self._lines = {rank: Line() for rank in Rank}
        self._held_up: dict[Rank, list[Leave]] = {rank: [] for rank in Rank}
        self._passed_over = dict.fromkeys(Rank, 0)
        self._all: dict[Leave, asyncio.Future[Any]] = {}
        self._stopped = False
        # of each line at most so many have begun: who was held up goes on before another begins
        self._threads = ThreadPoolExecutor(places * len(Rank), thread_name_prefix="infila-think")

    def leave(self, rank: Rank, payer: tuple[str, ...]) -> Leave:
        return Leave(self, rank, payer)

    def waiting(self, rank: Rank) -> int:
        return len(self._lines[rank])

    @property
    def going(self) -> int:
        return self._places - self._free

    async def think(self, leave: Leave, work: Callable[[Leave], T]) -> T:
        """What `work` comes to once it is its turn; raises Unwanted if it is called off before."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def run() -> None:
            result, problem = None, None
            try:
                result = work(leave)
            except BaseException as raised:
                problem = raised
            self._finished(leave)
            try:
                loop.call_soon_threadsafe(tell, result, problem)
            except RuntimeError:  # the server has stopped: nobody waits for it
                return

        def tell(result: Any, problem: BaseException | None) -> None:
            if done.done():
                return
            if problem is not None:
                done.set_exception(problem)
            else:
                done.set_result(result)

        leave.begin = run
        with self._lock:
            if self._stopped or leave.unwanted:
                raise Unwanted
            self._all[leave] = done
            self._lines[leave.rank].add(leave, leave.payer)
            self._serve()
        try:
            return await done
        finally:
            self._all.pop(leave, None)
            self.call_off(leave)

    def call_off(self, leave: Leave) -> None:
        """Nobody wants this thought any more, if it is not done. Called where the server's loop runs."""
        with self._lock:
            leave.unwanted = True
            leave.set()
            self._lines[leave.rank].remove(leave, leave.payer)
            if leave in self._held_up[leave.rank]:
                self._held_up[leave.rank].remove(leave)
                leave.turn.set()
        done = self._all.get(leave)
        if done is not None and not done.done():
            done.set_exception(Unwanted())

    def stop(self) -> None:
        """Call everything off; whatever is thought of ends within a few simulations."""
        self._stopped = True
        for leave in list(self._all):
            self.call_off(leave)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def must_end(self, leave: Leave) -> bool:
        """Asked in the thread of a thought, which may be held up here."""
        now = time.monotonic()
        if leave.spent + now - leave.since >= self._seconds:
            leave.set()
            return True
        if now - leave.since >= SLICE and self._pressed(leave.rank):
            self._hold_up(leave)
            return leave.unwanted
        return False

    def _pressed(self, rank: Rank) -> bool:
        """Whether somebody waits who is more urgent."""
        return any(self._lines[each] or self._held_up[each] for each in Rank if each < rank)

    def _hold_up(self, leave: Leave) -> None:
        with self._lock:
            if leave.unwanted or not self._pressed(leave.rank):
                return
            leave.turn.clear()
            leave.spent += time.monotonic() - leave.since
            leave.going = False
            self._held_up[leave.rank].append(leave)
            self._free += 1
            self._serve()
        leave.turn.wait()

    def _finished(self, leave: Leave) -> None:
        with self._lock:
            if leave.going:
                leave.going = False
                self._free += 1
            self._serve()

    def _serve(self) -> None:
        """Give the places that are free to who is next; the lock is held."""
        while self._free and not self._stopped and (leave := self._next()) is not None:
            self._free -= 1
            leave.going, leave.since = True, time.monotonic()
            if leave.begin is not None:
                begin, leave.begin = leave.begin, None
                self._threads.submit(begin)
            else:
                leave.turn.set()

    def _next(self) -> Leave | None:
        waiting = [rank for rank in Rank if self._lines[rank] or self._held_up[rank]]
        if not waiting:
            return None
        rank = next((each for each in waiting if self._passed_over[each] >= PATIENCE), waiting[0])
        for each in waiting:
            self._passed_over[each] = 0 if each is rank else self._passed_over[each] + 1
        return self._held_up[rank].pop(0) if self._held_up[rank] else self._lines[rank].take()
